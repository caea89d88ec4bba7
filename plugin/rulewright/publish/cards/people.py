"""Sheets and orders: what a character is made of and whether that is allowed, and who acts when."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from ...checks.model import Checked
from ..words import Words
from .dice import mark
from .written import HEAD, Line

SHEET_WORDS = (*HEAD, "sheet", "verdict", "holds")


class Character(NamedTuple):
    """`broken` are the requirements that are not met; a sheet without any is legal."""

    traits: list[Line]
    holds: str
    mark: Markup
    verdict: str
    broken: list[str]


class Acting(NamedTuple):
    name: str
    values: str


def sheet(checked: Checked, words: Words) -> Character | None:
    if checked.sheet is None or checked.status in ("skipped", "error"):
        return None
    entries = checked.block.entries
    traits = [Line(spelled(one.key_span.text), one.value) for one in entries if one.key not in SHEET_WORDS]
    holds = checked.block.get("holds")
    broken = list(checked.violations)
    sign, verdict = ("bad", "sheet broken") if broken else ("good", "sheet legal")
    return Character(traits, holds.value if holds else "", mark(sign), words(verdict), broken)


def spelled(key: str) -> str:
    """A name as the author spells it, without the quotes that it may need."""
    return key.strip("\"'")


def order(checked: Checked, _words: Words) -> list[Acting] | None:
    """Those who act, in their order, each with what decides about it."""
    phrases = {entry.name: entry.value for entry in checked.block.entries if entry.key == "side"}
    return [Acting(name, phrases.get(name, "")) for name in checked.acting] or None

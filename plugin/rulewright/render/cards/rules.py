"""Data of cards that describe a rule in words, a character sheet, or the order of turns."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from ...checks.model import CheckedBlock
from ..strings import Words
from .card import HEADER_KEYS
from .chips import Chip
from .dice import draw_mark
from .rule_text import describe_rule


def build_rule(checked: CheckedBlock, words: Words) -> list[str] | None:
    """The paragraphs of a rule."""
    return describe_rule(checked.rule, words) if checked.rule else None


_SHEET_KEYS = (*HEADER_KEYS, "sheet", "verdict", "holds")


class CharacterSheet(NamedTuple):
    """A character sheet; `broken` are its violations, and a sheet without any is legal."""

    chips: list[Chip]
    mark: Markup
    verdict: str
    broken: list[str]


class Turn(NamedTuple):
    """A character in the order of turns, with the values that decide its position."""

    name: str
    values: str


def build_sheet(checked: CheckedBlock, words: Words) -> CharacterSheet | None:
    """The data of a character sheet; None if it could not be checked."""
    if checked.sheet is None or checked.status in ("skipped", "error"):
        return None
    entries = checked.block.entries
    traits = [
        Chip("", f"{_strip_quotes(entry.key_span.text)} {entry.value}")
        for entry in entries
        if entry.key not in _SHEET_KEYS
    ]
    if holds := checked.block.get("holds"):
        traits.append(Chip("", words("told holds", what=holds.value)))
    broken = list(checked.violations)
    sign, verdict = ("bad", "sheet broken") if broken else ("good", "sheet legal")
    return CharacterSheet(traits, draw_mark(sign), words(verdict), broken)


def _strip_quotes(key: str) -> str:
    """A name as written, without quotes."""
    return key.strip("\"'")


def build_order(checked: CheckedBlock, _words: Words) -> list[Turn] | None:
    """The characters in their order, each with the values that decide it."""
    phrases = {entry.name: entry.value for entry in checked.block.entries if entry.key == "side"}
    return [Turn(name, phrases.get(name, "")) for name in checked.acting] or None

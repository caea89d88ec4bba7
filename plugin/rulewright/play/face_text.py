"""Faces and throws of dice as they are recorded, and the tokens of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..game.core import EXPLODE, REROLL, CoreKind, CoreRule

if TYPE_CHECKING:
    from .bound_rule import Transition

SIGNS = {EXPLODE: "+", REROLL: ">"}  # before a throw that adds up, and before one that replaces


def format_throws(kind: CoreKind, throws: Sequence[Transition]) -> str:
    """The throws of one die as they are recorded."""
    text = ""
    for number, transition in enumerate(throws):
        sign = SIGNS[REROLL if throws[number - 1].is_replaced else EXPLODE] if number else ""
        text += sign + format_face(kind, transition.face)
    return text


def format_face(kind: CoreKind, face: int) -> str:
    if not kind.faces:
        return str(face)
    return kind.faces[face].mark


class RecordToken(NamedTuple):
    """A token of a record: a die, a bar, or the name of a kind, with its offsets."""

    token_type: str  # die, bar, kind, or round: a semicolon
    text: str
    start: int
    end: int
    kind: int = -1


def parse_dice(text: str, rule: CoreRule) -> list[RecordToken]:
    """The tokens of a record, in order."""
    return list(_tokenize_record(text, rule))


def kind_pattern(rule: CoreRule) -> re.Pattern[str]:
    """A regex for the name of a kind; longer names come first."""
    names = sorted((kind.name for kind in rule.kinds), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, names))})(?![^\\s,|;\\[\\]])" if names else "(?!)", re.IGNORECASE)


def _token_pattern(rule: CoreRule) -> re.Pattern[str]:
    """A regex for the tokens of a record: names of kinds, bars, dice."""
    return re.compile(
        rf"(?P<kind>{kind_pattern(rule).pattern})|(?P<bar>[|\[\]])|(?P<round>;)|(?P<die>[^\s,|;\[\]]+)", re.IGNORECASE
    )


def _tokenize_record(text: str, rule: CoreRule) -> Iterator[RecordToken]:
    """The tokens in order. Where a kind is called like one of its own faces, its name comes first."""
    faces = {kind.name.lower() for kind in rule.kinds if parse_face(kind, kind.name) is not None and kind.faces}
    matches, named = list(_token_pattern(rule).finditer(text)), ""
    for number, match in enumerate(matches):
        token_type = match.lastgroup or "die"
        word = match[0].lower()
        is_last = number + 1 == len(matches) or matches[number + 1].lastgroup in ("bar", "round")
        if token_type == "kind" and word in faces and (word == named or is_last):
            token_type = "die"
        named = "" if token_type in ("bar", "round") else word if token_type == "kind" else named
        yield RecordToken(
            token_type, match[0].lower() if token_type == "kind" else match[0], match.start(), match.end()
        )


def parse_face(kind: CoreKind, text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if kind.faces:
        marks = (face.mark.replace("−", "-").lower() for face in kind.faces)
        own = sorted(text.split("&"))
        return next((place for place, mark in enumerate(marks) if mark == text or sorted(mark.split("&")) == own), None)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None

"""Faces and throws of dice as they are recorded, and the tokens of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
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


OWN_DICE = "\x1e"  # in a record before the dice of one roll, then what the names of its kinds begin with
_PARTS = re.compile(rf"(?:{OWN_DICE}(\S+) )?[^{OWN_DICE}]*")


class RecordToken(NamedTuple):
    """A token of a record: a die, a bar, or the name of a kind, with its offsets."""

    token_type: str  # die, bar, kind, or round: a semicolon
    text: str
    start: int
    end: int
    lead: str = ""  # of dice of one roll: what the names of its kinds begin with


def parse_dice(text: str, rule: CoreRule) -> list[RecordToken]:
    """The tokens of a record, in order. Where dice of one roll stand apart, its kinds go without the name of the roll;
    those end at a semicolon."""
    tokens = list[RecordToken]()
    for part in _PARTS.finditer(text):
        lead, at = (part[1] or "").lower(), part.end(1) if part[1] else part.start()
        own = rule.cached(("record", lead), partial(_RecordKinds.of_lead, rule, lead))
        tokens += _tokenize_record(part[0][at - part.start() :], own, lead, at)
    return tokens


def kind_pattern(kinds: Iterable[str]) -> re.Pattern[str]:
    """A regex for the name of a kind; longer names come first."""
    names = sorted(kinds, key=len, reverse=True)
    return re.compile(f"({'|'.join(map(re.escape, names))})(?![^\\s,|;\\[\\]])" if names else "(?!)", re.IGNORECASE)


class _RecordKinds(NamedTuple):
    """The kinds of a record by name, the regex for its tokens, names that are faces of their own kind, or of any."""

    kinds: Mapping[str, CoreKind]
    tokens: re.Pattern[str]
    own: frozenset[str]
    faces: frozenset[str]

    @classmethod
    def of_lead(cls, rule: CoreRule, lead: str) -> _RecordKinds:
        """The kinds of one roll, without its name; of no name all kinds."""
        named = {kind.name.lower(): kind for kind in rule.kinds}
        kinds = {name.removeprefix(lead): kind for name, kind in named.items() if name.startswith(lead)}
        pattern = rf"(?P<kind>{kind_pattern(kinds).pattern})|(?P<bar>[|\[\]])|(?P<round>;)|(?P<die>[^\s,|;\[\]]+)"
        shown = {
            (name, own)
            for name in kinds
            for own, kind in kinds.items()
            if kind.faces and parse_face(kind, name) is not None
        }
        own, faces = frozenset(name for name, kind in shown if name == kind), frozenset(name for name, _ in shown)
        return cls(kinds, re.compile(pattern, re.IGNORECASE), own, faces)


def _tokenize_record(text: str, kinds: _RecordKinds, lead: str, at: int) -> Iterator[RecordToken]:
    """The tokens in order. Where a kind is called like one of its own faces, its name comes first; where like one of
    another kind, its name begins a group, and a face of it follows."""
    matches, named, end = list(kinds.tokens.finditer(text)), "", 0
    for number, match in enumerate(matches):
        token_type, word = match.lastgroup or "die", match[0]
        if token_type == "kind":
            word = word.lower()
            after = matches[number + 1] if number + 1 < len(matches) else None
            is_last = after is None or after.lastgroup in ("bar", "round")
            if word in kinds.own and (word == named or is_last):
                token_type = "die"
            elif word in kinds.faces - kinds.own:
                gap, before = text[end : match.start()], matches[number - 1].lastgroup if number else "bar"
                has_face = after is not None and not is_last and parse_throws(kinds.kinds[word], after[0]) is not None
                is_other = bool(named) and parse_face(kinds.kinds[named], word) is None
                begins = before in ("bar", "round") or "," in gap or is_other
                token_type = "kind" if has_face and begins else "die"
        named = "" if token_type in ("bar", "round") else word if token_type == "kind" else named
        end = match.end()
        lead = "" if token_type == "round" else lead
        shown = lead + word if token_type == "kind" else match[0]
        yield RecordToken(token_type, shown, at + match.start(), at + end, lead)


def parse_face(kind: CoreKind, text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if kind.faces:
        marks = (face.mark.replace("−", "-").lower() for face in kind.faces)
        own = sorted(text.split("&"))
        return next((place for place, mark in enumerate(marks) if mark == text or sorted(mark.split("&")) == own), None)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def parse_throws(kind: CoreKind, text: str) -> list[int] | None:
    """Parse the faces of one die; None if one is not a face of the kind."""
    if not kind.faces and text.isdigit() and text.isascii() and len(text) < 9:  # fast path for most dice
        return [int(text)]
    faces = [parse_face(kind, part) for part in split_throws(kind, text)]
    return None if None in faces else [face for face in faces if face is not None]


def find_signs(kind: CoreKind) -> str:
    """The signs between throws of one die; elsewhere they can belong to a face."""
    return "".join(sorted({SIGNS[entry.roll] for entry in kind.again if entry.roll in SIGNS}))


def split_throws(kind: CoreKind, text: str) -> list[str]:
    """The throws of one die, such as 6+4 or 1>3."""
    signs = find_signs(kind)
    return re.split(f"[{signs}]", text) if signs else [text]

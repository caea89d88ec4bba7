"""Dice of rolls that a rule makes: `attack.dice: weapon 5, d6 3` becomes part of the record of the whole rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..game.lower import lower_rule
from ..game.model import Roll, Rule
from ..source import Source, Span
from .scene import StatedValue

DICE = "dice"


class _Piece(NamedTuple):
    """A part of the whole record that an author wrote: where it begins there, and where it stands."""

    at: int
    text: str
    value: StatedValue
    start: int


class JoinedRecord(NamedTuple):
    """The record of a rule with all its rolls."""

    text: str
    pieces: tuple[_Piece, ...]

    def locate(self, start: int, end: int) -> Span | None:
        """The span of a part of the record, in the entry that it stands in."""
        piece = next((one for one in reversed(self.pieces) if one.at <= start), None) or next(iter(self.pieces), None)
        if piece is None:
            return None
        whole = piece.value.span
        first = piece.start + min(max(start - piece.at, 0), len(piece.text))
        last = piece.start + min(max(end - piece.at, 0), len(piece.text))
        return (
            whole if last <= first and not first else whole.subspan(first, min(max(last, first + 1), len(whole.text)))
        )


def roll_keys(rule: Rule) -> list[str]:
    """The keys for the dice of the rolls of a rule."""
    return [f"{roll.name}.{DICE}" for roll in rule.rolls if any(roll.kinds)]


def join_texts(rule: Rule, texts: Mapping[str, str]) -> dict[str, str]:
    """The keys of a record with one record of all dice."""
    stated = {key: StatedValue(text, Span(Source("", text), 0, len(text))) for key, text in texts.items()}
    joined = join_records(rule, stated)
    if joined is None:
        return dict(texts)
    return {DICE: joined.text, **{key: text for key, text in texts.items() if key not in (DICE, *roll_keys(rule))}}


def join_records(rule: Rule, stated: Mapping[str, StatedValue]) -> JoinedRecord | None:
    """The record of a rule from its own dice and those of its rolls; None if no roll has dice of its own key."""
    if not any(key in stated for key in roll_keys(rule)):
        return None
    text, pieces = "", list[_Piece]()
    for bar, words, value, start in _list_pieces(rule, stated):
        text += bar
        pieces.append(_Piece(len(text), words, value, start))
        text += words
    return JoinedRecord(text, tuple(pieces))


def _list_pieces(rule: Rule, stated: Mapping[str, StatedValue]) -> Iterator[tuple[str, str, StatedValue, int]]:
    """What stands before each piece, and the piece: its text, its entry, and where it begins in that."""
    bar = ""
    for roll in _list_in_order(rule):
        value = stated.get(f"{roll.name}.{DICE}" if roll else DICE)
        if value and roll is None:
            yield bar, value.text, value, 0
            bar = " | "
        at = 0
        for number, part in enumerate(value.text.split(";") if value and roll else ()):
            assert value
            assert roll
            for before, words, start in _name_kinds(roll, number, part):
                yield bar + before, words, value, at + start
                bar = ""
            bar = " | "
            at += len(part) + 1


def _list_in_order(rule: Rule) -> list[Roll | None]:
    """The rolls of a rule and its own dice (None), as they are rolled."""
    waves = [stage.of for stage in lower_rule(rule).order if stage.what == DICE]
    places = {rule.dice[kind].name: wave for wave, kinds in enumerate(waves) for kind in kinds if isinstance(kind, int)}
    of_rolls = {kind for roll in rule.rolls for kinds in roll.kinds for kind in kinds}
    own = min((wave for name, wave in places.items() if name not in of_rolls), default=0)
    first = {roll.name: min((places[kind] for kinds in roll.kinds for kind in kinds), default=0) for roll in rule.rolls}
    return sorted([None, *rule.rolls], key=lambda roll: first[roll.name] if roll else own)


def _name_kinds(roll: Roll, number: int, text: str) -> Iterator[tuple[str, str, int]]:
    """A record of one time, cut before each name of a kind, which gets its prefix."""
    kinds = roll.kinds[min(number, len(roll.kinds) - 1)] if roll.kinds else ()
    prefix = kinds[0].partition(".")[0] + "." if kinds else ""
    names = sorted((kind.removeprefix(prefix) for kind in kinds), key=len, reverse=True)
    pattern = re.compile(
        rf"(?<![^\s,|\[\]])(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?![^\s,|\[\]])", re.IGNORECASE
    )
    cuts = [0, *(match.start() for match in pattern.finditer(text) if match.start())]
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        part = text[start:end]
        yield prefix if pattern.match(part) else "", part, start

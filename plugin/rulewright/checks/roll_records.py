"""Dice of rolls that a rule makes: `attack.dice: weapon 5, d6 3` becomes part of the record of the whole rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..game.model import Rule
from ..play.face_text import OWN_DICE
from ..play.record import DICE, RECORDS, REROLLED, TURNED
from ..source import Source, Span
from .scene import StatedValue


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


def record_of(value: StatedValue) -> JoinedRecord:
    return JoinedRecord(value.text, (_Piece(0, value.text, value, 0),))


def roll_keys(rule: Rule, *records: str) -> list[str]:
    """The keys for the dice of the rolls of a rule, or for these records of theirs."""
    return [f"{roll.name}.{key}" for key in records or (DICE,) for roll in rule.rolls if any(roll.kinds)]


def join_texts(rule: Rule, texts: Mapping[str, str]) -> dict[str, str]:
    """The keys of a record with one record of all dice."""
    stated = {key: StatedValue(text, Span(Source("", text), 0, len(text))) for key, text in texts.items()}
    found = {key: joined.text for key in RECORDS if (joined := join_records(rule, stated, key))}
    return {**{key: text for key, text in texts.items() if key not in roll_keys(rule, *RECORDS)}, **found}


def join_records(rule: Rule, stated: Mapping[str, StatedValue], key: str = DICE) -> JoinedRecord | None:
    """The record of a rule from its own dice and those of its rolls, or from what was rerolled or turned; None if
    no roll has one of its own."""
    if not any(own in stated for own in roll_keys(rule, key)):
        return None
    text, pieces, last = "", list[_Piece](), 0
    for (turn, _), lead, words, value, start in sorted(_list_parts(rule, stated, key), key=lambda part: part[0]):
        text += ";" * (turn - last) + (f"{OWN_DICE}{lead} " if lead else "")
        pieces.append(_Piece(len(text), words, value, start))
        text, last = text + words, turn
    return JoinedRecord(text, tuple(pieces))


def _list_parts(
    rule: Rule, stated: Mapping[str, StatedValue], key: str
) -> Iterator[tuple[tuple[int, int], str, str, StatedValue, int]]:
    """The parts of a record: the round and place of each, what the names of its kinds begin with, and where it is."""
    for place, roll in enumerate((None, *rule.rolls)):
        value = stated.get(f"{roll.name}.{key}" if roll else key)
        times = len(roll.prefixes) if roll else 1
        for number, words, at in _cut_times(value.text, bool(roll) or rule.has_rounds) if value else ():
            turn, time = divmod(number, times) if rule.has_rounds and times else (0, number)
            lead = f"{roll.prefixes[min(time, times - 1)]}." if roll and times else ""
            if value and (words.strip() or not roll):
                yield (turn, place), lead, words, value, at


def _cut_times(text: str, is_cut: bool) -> Iterator[tuple[int, str, int]]:
    """The parts of a record between its semicolons, numbered, and where each begins."""
    at = 0
    for number, part in enumerate(text.split(";") if is_cut else [text]):
        yield number, part, at
        at += len(part) + 1


def find_again(rule: Rule, stated: Mapping[str, StatedValue]) -> dict[str, JoinedRecord]:
    """What was rerolled or turned, also in rolls."""
    found: dict[str, JoinedRecord] = {}
    for key in (REROLLED, TURNED):
        item = stated.get(key)
        if record := join_records(rule, stated, key) or (record_of(item) if item else None):
            found[key] = record
    return found


def texts_of(records: Mapping[str, JoinedRecord]) -> dict[str, str]:
    return {key: record.text for key, record in records.items()}

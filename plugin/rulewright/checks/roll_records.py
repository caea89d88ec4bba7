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


def record_of(value: StatedValue) -> JoinedRecord:
    return JoinedRecord(value.text, (_Piece(0, value.text, value, 0),))


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


def join_records(rule: Rule, stated: Mapping[str, StatedValue], names_kinds: bool = False) -> JoinedRecord | None:
    """The record of a rule from its own dice and those of its rolls; None if no roll has dice of its own key. It may
    name the kind of dice of a roll that has but one."""
    if not any(key in stated for key in roll_keys(rule)):
        return None
    text, pieces = "", list[_Piece]()
    for bar, words, value, start in _list_pieces(rule, stated, names_kinds):
        text += bar
        pieces.append(_Piece(len(text), words, value, start))
        text += words
    return JoinedRecord(text, tuple(pieces))


def _list_pieces(
    rule: Rule, stated: Mapping[str, StatedValue], names_kinds: bool
) -> Iterator[tuple[str, str, StatedValue, int]]:
    """What stands before each piece, and the piece: its text, its entry, and where it begins in that. Pieces stand in
    the order of rounds and waves, and in a wave in that of the rolls, after the rule's own dice."""
    waves = _find_waves(rule)
    own = min((wave for name, wave in waves.items() if name not in _kinds_of_rolls(rule)), default=0)
    pieces = list[tuple[tuple[int, int, int], tuple[str, str, StatedValue, int]]]()
    for place, roll in enumerate((None, *rule.rolls)):
        value = stated.get(f"{roll.name}.{DICE}" if roll else DICE)
        if value is None:
            continue
        for number, part, at in _cut_times(value.text, bool(roll) or rule.has_rounds):
            times = len(roll.kinds) if roll else 1
            turn, time = divmod(number, times) if rule.has_rounds and times else (0, number)
            lone = f"{roll.kinds[0][0]} " if roll and names_kinds and {*map(len, roll.kinds)} == {1} else ""
            cuts = _cut_waves(roll, time, part, waves) if roll else [(own, "", part, 0)]
            pieces += [
                ((turn, wave, place), (before or lone, words, value, at + start)) for wave, before, words, start in cuts
            ]
    bar, last = "", 0
    for (turn, _, _), (before, words, value, start) in sorted(pieces, key=lambda piece: piece[0]):
        yield (";" * (turn - last) or bar) + before, words, value, start
        bar, last = " | ", turn


def _cut_times(text: str, is_cut: bool) -> Iterator[tuple[int, str, int]]:
    """The parts of a record between its semicolons, numbered, and where each begins."""
    at = 0
    for number, part in enumerate(text.split(";") if is_cut else [text]):
        yield number, part, at
        at += len(part) + 1


def _kinds_of_rolls(rule: Rule) -> set[str]:
    return {kind for roll in rule.rolls for kinds in roll.kinds for kind in kinds}


def _find_waves(rule: Rule) -> dict[str, int]:
    """The wave in which each kind of dice is rolled."""
    waves = [stage.of for stage in lower_rule(rule).order if stage.what == DICE]
    return {rule.dice[kind].name: wave for wave, kinds in enumerate(waves) for kind in kinds if isinstance(kind, int)}


def _cut_waves(roll: Roll, number: int, text: str, waves: Mapping[str, int]) -> Iterator[tuple[int, str, str, int]]:
    """A record of one time by waves. A kind that is named begins its wave; a bar ends one of several."""
    kinds = roll.kinds[min(number, len(roll.kinds) - 1)] if roll.kinds else ()
    own = sorted({waves[kind] for kind in kinds if kind in waves}) or [0]
    place = 0
    for named, words, start in _name_kinds(kinds, text):
        if named:
            place = max(place, own.index(waves.get(named, own[place])))
        cuts = [0, *(bar.end() for bar in re.finditer(r"\|", words) if len(own) > 1)]
        for turn, (first, end) in enumerate(zip(cuts, [*cuts[1:], len(words) + 1], strict=True)):
            place = min(place + bool(turn), len(own) - 1)
            piece = words[first : end - 1].rstrip(" ,|")
            if piece.strip():
                yield own[place], _prefix_of(kinds) if named and not turn else "", piece, start + first


def _prefix_of(kinds: tuple[str, ...]) -> str:
    return kinds[0].partition(".")[0] + "." if kinds else ""


def _name_kinds(kinds: tuple[str, ...], text: str) -> Iterator[tuple[str, str, int]]:
    """A record of one time, cut before each name of a kind: the kind if it is named, the text, and its place."""
    prefix = _prefix_of(kinds)
    names = sorted((kind.removeprefix(prefix) for kind in kinds), key=len, reverse=True)
    pattern = re.compile(
        rf"(?<![^\s,|\[\]])(?:{'|'.join(map(re.escape, names)) or '(?!)'})(?![^\s,|\[\]])", re.IGNORECASE
    )
    cuts = [0, *(match.start() for match in pattern.finditer(text) if match.start())]
    for start, end in zip(cuts, [*cuts[1:], len(text)], strict=True):
        named = pattern.match(part := text[start:end])
        yield f"{prefix}{named.group().lower()}" if named else "", part, start

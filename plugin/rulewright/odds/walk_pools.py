"""Dice that are rolled at once, as members of formulas and as sources of chance.

A pool has one of three forms. `counts`: how many dice show each face that formulas tell apart, good for many dice of
few faces; where there are many ways to roll them, each face is a source of its own. `sorted`: one source of all dice,
highest first; good for few dice. `ordered`: each die is a source of its own, in the order rolled; needed where a
formula tells equal dice apart, and simplest for a single die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

from ..game.core import CoreKind
from ..game.formula import Node
from .elimination import Source, face_sources
from .fold import ONE, ZERO, compare, constant, truth_of
from .unroll import Member, Unroller, Words

COUNTS, SORTED, ORDERED = "counts", "sorted", "ordered"
_FEW_ROLLS = 500  # ways to roll dice in one source


class Face(NamedTuple):
    """A face, or several that nothing tells apart: its words, and on how many sides it is."""

    words: tuple[tuple[str, Any], ...]
    weight: int


@dataclass(frozen=True)
class Pool:
    """Dice of a kind that are rolled at once."""

    kind: int
    number: int  # of the pool, for names of variables
    dice: int
    form: str
    faces: tuple[Face, ...]
    since: int = 0  # the stage of the walk in which they are rolled
    present: Node | None = None  # how many of these dice there are after all
    is_deck: bool = False  # cards, drawn without putting them back; the weights of faces are copies

    @property
    def shape(self) -> tuple[object, ...]:
        """What the formulas of its members depend on."""
        faces = tuple([face.words for face in self.faces]) if self.form == COUNTS else ()
        return self.kind, self.number, self.form, self.dice if self.form != COUNTS else 0, faces, self.present

    @property
    def whole(self) -> int:
        """The weight of all ways to roll these dice."""
        sides = sum(face.weight for face in self.faces)
        return comb(sides, self.dice) if self.is_deck and self.form != ORDERED else int(sides**self.dice)

    def variables(self, die: int) -> list[str]:
        return [f"d{self.number}_{die}_{place}" for place in range(len(self.faces[0].words))]

    def members(self, unroller: Unroller, kind: CoreKind, present: Node | None) -> Iterator[Member]:
        sides = sum(face.weight for face in self.faces)
        if self.form == COUNTS:
            for place, face in enumerate(self.faces):
                words = {name: constant(value) for name, value in face.words}
                count = Node("tally", (f"f{self.number}_{place}",))
                own = complete_words(unroller, kind, words, sides)
                yield Member(self.kind, own, count, None, None, self.since, face.weight)
            return
        for die in range(self.dice):
            names = [name for name, _ in self.faces[0].words]
            words = {name: Node("tally", (leaf,)) for name, leaf in zip(names, self.variables(die), strict=True)}
            count = compare(">", present, constant(die)) if present else ONE
            own = complete_words(unroller, kind, words, sides)
            if self.form == ORDERED:
                yield Member(self.kind, own, count, die, None, self.since)
            else:
                yield Member(self.kind, own, count, None, words["face"], self.since)

    def sources(self) -> Iterator[Source]:
        if self.form == COUNTS:
            names = [f"f{self.number}_{place}" for place in range(len(self.faces))]
            if comb(len(self.faces) + self.dice - 1, self.dice) <= _FEW_ROLLS:
                yield self.joint_source(names, list(counted_rolls(self.faces, self.dice, self.is_deck)))
            elif self.is_deck:
                yield from card_sources(self.dice, names, [face.weight for face in self.faces])
            else:
                yield from face_sources(self.dice, names, [face.weight for face in self.faces])
        elif self.form == SORTED:
            names = [name for die in range(self.dice) for name in self.variables(die)]
            yield self.joint_source(names, list(sorted_rolls(self.faces, self.dice, self.is_deck)))
        else:
            points = [(tuple(value for _, value in face.words), face.weight) for face in self.faces]
            for die in range(self.dice):
                yield self.joint_source(self.variables(die), points)

    def joint_source(self, names: Sequence[str], points: Sequence[tuple[tuple[Any, ...], int]]) -> Source:
        ends = zip(*(values for values, _ in points), strict=True)
        ranges = {name: (min(own), max(own)) for name, own in zip(names, ends, strict=True)}
        return Source(tuple(names), points, ranges)


def complete_words(unroller: Unroller, kind: CoreKind, words: Words, sides: int) -> Words:
    """All words of a die that was rolled once: those of its face, and what follows from them."""
    face = words["face"]
    own = {name: constant(value) for name, value in unroller.rule.face_words.items()}
    own |= {"value": face, "first": face, "throw": ONE, "last": ZERO, "sides": constant(sides), **words}
    for name, formula in kind.tests.items():
        own[name] = truth_of(unroller.formula(formula.node, own, {}))
    return own


def sorted_rolls(faces: Sequence[Face], dice: int, is_deck: bool = False) -> Iterator[tuple[tuple[Any, ...], int]]:
    """All rolls of equal dice, each with its faces in the order given, and its weight."""
    if not dice:
        yield (), 1
        return
    if not faces:
        return
    values = tuple(value for _, value in faces[0].words)
    for times in range(dice, -1, -1):
        share = _count_ways(faces[0], times, dice, is_deck)
        for rest, weight in sorted_rolls(faces[1:], dice - times, is_deck) if share else ():
            yield values * times + rest, share * weight


def counted_rolls(faces: Sequence[Face], dice: int, is_deck: bool = False) -> Iterator[tuple[tuple[Any, ...], int]]:
    """How many of some dice show each face, in all ways, with weights."""
    if len(faces) == 1:
        share = _count_ways(faces[0], dice, dice, is_deck)
        yield from [((dice,), share)] if share else []
        return
    for times in range(dice, -1, -1):
        share = _count_ways(faces[0], times, dice, is_deck)
        for rest, weight in counted_rolls(faces[1:], dice - times, is_deck) if share else ():
            yield (times, *rest), share * weight


def _count_ways(face: Face, times: int, dice: int, is_deck: bool) -> int:
    """In how many ways so many of these dice, or of the cards of a deck, show a face."""
    return comb(face.weight, times) if is_deck else int(comb(dice, times) * face.weight**times)


def card_sources(dice: int, names: Sequence[str], copies: Sequence[int]) -> Iterator[Source]:
    """Cards as one source for each face: how many of those drawn show it. The last face is on all that are left.

    The range of the first source says how many are drawn."""
    for number, (name, own) in enumerate(zip(names, copies, strict=True)):
        rest, after = tuple(names[number + 1 :]), sum(copies[number + 1 :])
        points = [
            [((times,), comb(own, times)) for times in range(max(left - after, 0), min(left, own) + 1)]
            for left in range(dice + 1)
        ]
        yield Source((name,), points if number else points[dice], {name: (0, min(dice, own) if number else dice)}, rest)


def merge_faces(unroller: Unroller, kind: CoreKind, number: int, faces: Sequence[Face]) -> tuple[Face, ...]:
    """Faces that nothing tells apart become one; `unroller` knows what is asked about this kind."""
    sides = sum(face.weight for face in faces)
    merged: dict[tuple[Node, ...], Face] = {}
    for face in faces:
        words = complete_words(unroller, kind, {name: constant(value) for name, value in face.words}, sides)
        key = tuple(unroller.formula(asked, words, {}) for asked in unroller.asked[number])
        old = merged.get(key)
        merged[key] = Face(face.words, face.weight + (old.weight if old else 0)) if old else face
    return tuple(merged.values())


def choose_form(dice: int, faces: Sequence[Face], merged: Sequence[Face]) -> str:
    """The form that has the fewest states."""
    if any(len(face.words) > 1 for face in faces):
        return COUNTS
    if dice <= 1:
        return ORDERED
    is_short = 2 * dice <= len(merged) and comb(len(faces) + dice - 1, dice) <= _FEW_ROLLS
    return SORTED if is_short else COUNTS


def face_values(faces: Sequence[Face]) -> Mapping[str, Sequence[int | str]]:
    """The values that faces can show, by word."""
    found: dict[str, dict[int | str, None]] = {}
    for face in faces:
        for name, value in face.words:
            found.setdefault(name, {})[value] = None
    return {name: tuple(values) for name, values in found.items()}

"""Dice that are rolled at once, as members of formulas and as sources of chance.

A pool has one of three forms. `counts`: how many dice show each face that formulas tell apart, good for many dice of
few faces; where there are many ways to roll them, each face is a source of its own. `sorted`: one source of all dice,
highest first; good for few dice. `ordered`: each die is a source of its own, in the order rolled; needed where a
formula tells equal dice apart, and simplest for a single die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import comb, inf, prod
from operator import mul
from typing import Any, NamedTuple

from ..game.core import MARK, CoreKind
from ..game.formula import Node
from ..game.model import MAX_SIDES
from ..play.bound_rule import MAX_DICE, BoundRule, RollError
from .elimination import Source, face_sources
from .fold import ONE, ZERO, compare, constant, truth_of
from .open_values import high_of, low_of, rename
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
    drawn: int = 0  # cards that are gone from the deck
    blocks: tuple[int, ...] = ()  # of cards in the order drawn
    size: int = 0  # of the whole deck, if formulas ask for it
    thrown: tuple[Face, ...] = ()  # of dice that go on: the faces of one throw; `faces` are those of all throws
    base: int = 0  # of dice that go on: the weight of all that one of them may show

    @property
    def sides(self) -> int:
        """How many sides a die has."""
        return sum(face.weight for face in self.thrown or self.faces) + self.drawn

    @property
    def domain(self) -> Mapping[str, Sequence[int | str]]:
        """The values that the faces of a throw can show, by word."""
        return face_values(self.thrown or self.faces)

    @property
    def shape(self) -> tuple[object, ...]:
        """What the formulas of its members depend on."""
        faces: tuple[object, ...] = tuple([face.words for face in self.faces]) if self.form == COUNTS else ()
        if self.thrown and self.form == ORDERED:
            faces = tuple([name for name, _ in self.faces[0].words])
        dice = self.dice if self.form != COUNTS else self.blocks
        size = self.size if self.is_deck else self.sides
        return self.kind, self.number, self.form, dice, faces, size, self.present

    @property
    def whole(self) -> int:
        """The weight of all ways to roll these dice."""
        sides = self.base or sum(face.weight for face in self.faces)
        if not self.is_deck:
            return int(sides**self.dice)
        return _deal(sides, self.blocks or (self.dice,))

    @property
    def size_of_form(self) -> int:
        """How many members there are."""
        return len(self.faces) * max(len(self.blocks), 1) if self.form == COUNTS else self.dice

    @property
    def is_by_faces(self) -> bool:
        """Whether each face can be a source of its own."""
        return self.form == COUNTS and not self.blocks and self.dice > 1

    def variables(self, die: int) -> list[str]:
        return [f"d{self.number}_{die}_{place}" for place in range(len(self.faces[0].words))]

    def members(self, unroller: Unroller, kind: CoreKind, present: Node | None) -> Iterator[Member]:
        sides = self.sides
        if self.form == COUNTS:
            ends = [sum(self.blocks[:number]) for number in range(len(self.blocks) + 1)]
            blocks: list[tuple[int, int] | None] = [*pairwise(ends)] or [None]
            for number, block in enumerate(blocks):
                single = number if block and len(self.blocks) == self.dice else None
                for place, face in enumerate(self.faces):
                    words = {name: constant(value) for name, value in face.words}
                    own = complete_words(unroller, kind, words, sides)
                    count = Node("tally", (self.counter(place, number),))
                    yield Member(self.kind, own, count, single, None, self.since, face.weight, face.words, block)
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

    def counter(self, place: int, block: int = 0) -> str:
        """The variable for how many dice show a face, of cards those in one block."""
        return f"f{self.number}_{place}" + (f"_{block}" if self.blocks else "")

    def sources(self) -> Iterator[Source]:
        if self.blocks:
            yield from self.block_sources()
        elif self.form == COUNTS:
            names = [f"f{self.number}_{place}" for place in range(len(self.faces))]
            if comb(len(self.faces) + self.dice - 1, self.dice) <= _FEW_ROLLS:
                yield self.joint_source(names, list(counted_rolls(self.faces, self.dice, self.is_deck)))
            else:
                yield from (source for _, source in self.face_sources())
        elif self.form == SORTED:
            names = [name for die in range(self.dice) for name in self.variables(die)]
            yield self.joint_source(names, list(sorted_rolls(self.faces, self.dice, self.is_deck)))
        else:
            points = [(tuple([value for _, value in face.words]), face.weight) for face in self.faces]
            for die in range(self.dice):
                own = [(tuple([rename(value, f"{die} ") for value in values]), weight) for values, weight in points]
                yield self.joint_source(self.variables(die), own if self.thrown else points)

    def face_sources(self) -> Iterator[tuple[float, Source]]:
        """A source for each face, with the value of the face; words come first."""
        names = [f"f{self.number}_{place}" for place in range(len(self.faces))]
        make = card_sources if self.is_deck else face_sources
        for face, source in zip(self.faces, make(self.dice, names, [face.weight for face in self.faces]), strict=True):
            value = face.words[0][1]
            yield (inf if isinstance(value, str) else value), source

    def block_sources(self) -> Iterator[Source]:
        """Cards in blocks as one source for each face: how many of each block show it. One number counts the cards that
        are left of all blocks, digit by digit."""
        steps = [prod(size + 1 for size in self.blocks[number + 1 :]) for number in range(len(self.blocks))]
        every = list(product(*(range(size + 1) for size in self.blocks)))
        names = [f"b{self.number}_{place}" for place in range(len(self.faces))]
        after = sum(face.weight for face in self.faces)
        for place, (name, face) in enumerate(zip(names, self.faces, strict=True)):
            after -= face.weight
            points = [
                [
                    ((sum(map(mul, taken, steps)), *taken), _deal(face.weight, taken))
                    for taken in product(*(range(min(size, face.weight) + 1) for size in left))
                    if sum(taken) <= face.weight and sum(left) - sum(taken) <= after
                ]
                for left in every
            ]
            counters = [self.counter(place, block) for block in range(len(self.blocks))]
            ranges = {own: (0, min(size, face.weight)) for own, size in zip(counters, self.blocks, strict=True)}
            ranges[name] = (0, len(every) - 1)
            share, blocks = [_deal(after, left) for left in every], range(len(self.blocks))
            later = [self.counter(face, block) for face in range(place + 1, len(self.faces)) for block in blocks]
            rest = (*names[place + 1 :], *later)
            yield Source((name, *counters), points if place else points[-1], ranges, rest, names[0], share)

    def joint_source(self, names: Sequence[str], points: Sequence[tuple[tuple[Any, ...], int]]) -> Source:
        ends = zip(*(values for values, _ in points), strict=True)
        ranges = {name: (min(map(low_of, own)), max(map(high_of, own))) for name, own in zip(names, ends, strict=True)}
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


def _deal(cards: int, hands: Sequence[int]) -> int:
    """In how many ways cards can be dealt to hands of these sizes."""
    ways = 1
    for size in hands:
        ways *= comb(max(cards, 0), size)
        cards -= size
    return ways


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
        left = [comb(after, dice_left) for dice_left in range(dice + 1)]
        ranges = {name: (0, min(dice, own) if number else dice)}
        yield Source((name,), points if number else points[dice], ranges, rest, names[0], left)


def merge_faces(unroller: Unroller, kinds: Sequence[int], faces: Sequence[Face]) -> tuple[Face, ...]:
    """Faces that nothing tells apart become one; `unroller` knows what is asked about these kinds, which have them."""
    sides = sum(face.weight for face in faces)
    merged: dict[tuple[Node, ...], Face] = {}
    for face in faces:
        own, key = {name: constant(value) for name, value in face.words}, tuple[Node, ...]()
        for kind in kinds:
            words = complete_words(unroller, unroller.rule.kinds[kind], own, sides)
            key += tuple(unroller.formula(asked, words, {}) for asked in unroller.asked[kind])
        old = merged.get(key)
        merged[key] = Face(face.words, face.weight + (old.weight if old else 0)) if old else face
    return tuple(merged.values())


def order_faces(faces: Sequence[Face]) -> tuple[Face, ...]:
    """The highest first, so that what is picked is known early."""
    return tuple(
        sorted(faces, key=lambda face: [(isinstance(value, str), value) for _, value in face.words], reverse=True)
    )


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


def check_count(setting: BoundRule, kind: int, count: int) -> int:
    own = setting.rule.kinds[kind]
    if count < 0:
        raise RollError(f"there would be {count} {own.name} dice; write max(…, 0) if none is meant")
    if count > MAX_DICE:
        raise RollError(f"{count:,} dice are more than the {MAX_DICE:,} that can be rolled at once")
    return count


def list_faces(setting: BoundRule, kind: int, sides: int, copies: Sequence[int] = ()) -> tuple[Face, ...]:
    """The faces of a die, each with its words; of a deck, so many copies of each."""
    own = setting.rule.kinds[kind]
    if own.faces:
        names = ("face", MARK, *dict.fromkeys(word for face in own.faces for word in face.words))
        words = [{**setting.rule.face_words, **setting.rule.words_on(kind, face)} for face in range(len(own.faces))]
        return tuple(
            Face(tuple([(name, of[name]) for name in names]), number)
            for of, number in zip(words, copies or [face.copies for face in own.faces], strict=True)
            if number
        )
    if not 1 <= sides <= MAX_SIDES:
        raise RollError(f"a {own.name} die would have {sides} sides")
    return tuple(Face((("face", number),), 1) for number in range(1, sides + 1))

"""Throws that go on after the first faces: dice that are earned, thrown on or thrown anew, under both editions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement, islice, product
from math import comb, prod
from typing import Any

from ..game.model import Rule
from ..game.program import program
from ..game.setting import Ready, Refused, Setting
from .script import FIRST, Alike, Both, Key, Labels, Search, labels
from .throws import Table, looks_at_faces

MOST_FURTHER = 2  # faces, after the first of all dice
MOST_TRIALS = 3_000  # that are worked out

Hand = tuple[tuple[Alike, ...], ...]


@dataclass(frozen=True, eq=False)
class Going:
    """A setting whose throws may go on."""

    table: Table
    labels: Labels

    @property
    def settings(self) -> tuple[Setting, Setting]:
        return self.table.old, self.table.new

    @cached_property
    def apart(self) -> bool:
        """Is each face of its own? Where dice are thrown on or anew, it matters which one fell."""
        kinds = [ready for setting in self.settings for ready in setting.kinds]
        return self.table.anew or any(ready.kind.explode or looks_at_faces(ready) for ready in kinds)

    @cached_property
    def groups(self) -> dict[str, dict[object, list[int]]]:
        """By the label of each kind the faces that both editions treat alike."""
        return {label: self.grouped(label) for label in dict.fromkeys((*self.labels.old, *self.labels.new))}

    def grouped(self, label: str) -> dict[object, list[int]]:
        """Nothing where a die has no sides as yet, or others in the other edition."""
        found: dict[object, list[int]] = defaultdict(list)
        try:
            called = [*self.called(label)]
            for face in sorted(called[0].face_set):
                lands = tuple(ready.land(face)._replace(face=0) for ready in called)
                found[(lands, face if self.apart else 0)].append(face)
            return found if all(ready.face_set == called[0].face_set for ready in called) else {}
        except Refused:
            return {}

    def called(self, label: str) -> Iterator[Ready]:
        for setting, own in zip(self.settings, self.labels, strict=True):
            yield from (ready for ready in setting.kinds if own[ready.number] == label)

    @cached_property
    def alike(self) -> dict[str, list[Alike]]:
        return {label: [Alike(own[0], len(own)) for own in found.values()] for label, found in self.groups.items()}

    @cached_property
    def signature(self) -> object:
        """Settings that have it in common go on alike."""
        if self.apart:
            return tuple(self.table.inputs.values())
        needs = program(self.table.old.rule).needs | program(self.table.new.rule).needs
        known = {name: value for setting in self.settings for name, value in setting.known.items()}
        faces = tuple((label, repr([*found.items()])) for label, found in self.groups.items())
        counts = tuple(old.count for old, _ in self.table.kinds)
        return counts, faces, tuple((name, known[name]) for name in sorted(needs & known.keys()))

    def hands(self) -> Iterator[Hand]:
        """The first faces that do not end a throw."""
        kinds = [self.labels.old[old.number] for old, _ in self.table.kinds]
        every = (
            combinations_with_replacement(self.alike[label], old.count)
            for label, (old, _) in zip(kinds, self.table.kinds, strict=True)
        )
        for hand in product(*every):
            if self.table.anew or any(self.goes_on(*one) for one in zip(kinds, hand, strict=True)):
                yield hand

    def goes_on(self, label: str, faces: Sequence[Alike]) -> bool:
        lands = (ready.land(one.face) for ready in self.called(label) for one in faces)
        return any(one.explodes or one.earns for one in lands)

    def throws(self) -> Iterator[Both | None]:
        search = Search(*self.settings, self.labels, self.alike, MOST_FURTHER)
        kinds = [self.labels.old[old.number] for old, _ in self.table.kinds]
        for hand in self.hands():
            given: dict[Key, Any] = {
                (FIRST, label, number, 1): one.face
                for label, own in zip(kinds, hand, strict=True)
                for number, one in enumerate(own)
            }
            yield from search.throws(given, prod(map(ways, hand)))


def ways(own: Sequence[Alike]) -> int:
    """How many sets of faces these stand for."""
    return prod(comb(one.times + own.count(one) - 1, own.count(one)) for one in set(own))


@dataclass(frozen=True, eq=False)
class Onward:
    """Settings with all their throws, whether these were all settings, and whether any throw is longer."""

    chosen: tuple[Table, ...]
    throws: tuple[tuple[Table, Both], ...]
    complete: bool
    longer: bool

    @property
    def tried(self) -> int:
        return sum(one.ways for _, one in self.throws)


def order(table: Table) -> tuple[bool, int, int]:
    """Settings that are known to matter, then those with few dice, the usual ones first."""
    return table.rank >= 0, table.dice, table.rank


def went_on(one: Both) -> bool:
    return bool(one.further or one.old.throw.rerolls or one.new.throw.rerolls)


def onward(old: Rule, new: Rule, possible: Sequence[Table]) -> Onward | None:
    """Few dice first, as many settings as can be looked at; nothing where no throw goes on."""
    own = labels(old, new)
    groups: dict[object, list[Going]] = defaultdict(list)
    for table in possible:
        if table.goes_on:
            going = Going(table, own)
            groups[going.signature].append(going)
    if not groups:
        return None
    chosen, throws, longer = list[Table](), list[tuple[Table, Both]](), False
    for alike in sorted(groups.values(), key=lambda one: order(one[0].table)):
        left = MOST_TRIALS - len(throws)
        found = [*islice(alike[0].throws(), left + 1)]
        if len(found) > left:
            return Onward(tuple(chosen), tuple(throws), False, longer)
        chosen += [one.table for one in alike]
        times = len(alike)
        throws += [(alike[0].table, one._replace(ways=one.ways * times)) for one in found if one and went_on(one)]
        longer = longer or None in found
    return Onward(tuple(chosen), tuple(throws), True, longer)

"""States of dice during a roll: final states of one die, dice kept so far, and dice that are still to be rolled."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from ..game.model import Reroll
from ..play.automaton import Branch, Machine, Place
from ..play.bound_rule import Setting
from ..play.compiled_rule import throw_tallies, value_tallies
from .generating_function import Values
from .plan import TooMuch

MOST_RESTS = 20_000
UNLIKELY = Fraction(1, 10**20)  # rarer branches are not followed; they count as missing
Children = tuple[tuple[Place, int], ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """The final state of a die: its value, what each tally counts on it, and the dice it earns."""

    kind: int
    value: int
    gives: Values
    children: Children

    @property
    def key(self) -> tuple[int, int, Values, Children]:
        return self.kind, self.value, self.gives, self.children


Ways = dict[Rest, int]
Rolling = tuple[Place, int, Values, Children]  # a die before its next throw: place, value, counts, earned dice


class Rests:
    """The final states of each kind of die, with weights.

    Tallies that no question needs are left out, and so are dice that only affect such tallies."""

    def __init__(self, machine: Machine, asked: frozenset[int] | None = None) -> None:
        self.machine, self.setting = machine, machine.setting
        tallies = self.setting.program.tallies
        self.asked = frozenset(range(len(tallies))) if asked is None else asked
        self.ways: dict[int, Ways] = {}
        self.wholes: dict[int, int] = {}
        self.lossy = False  # whether some branches were too unlikely to follow

    @cached_property
    def seen(self) -> set[int]:
        """The kinds of dice that affect a needed tally, directly or through dice that they earn."""
        tallies = self.setting.program.tallies
        seen = {tallies[number].kind for number in self.asked}
        for _ in self.setting.kinds:
            seen |= {ready.number for ready in self.setting.kinds if self.machine.roll(ready.number) in seen}
        return seen

    def of(self, kind: int) -> Ways:
        """All final states of a die of this kind, with integer weights."""
        if kind not in self.ways:
            found = self.endings(kind)
            self.wholes[kind] = lcm(*(share.denominator for share in found.values()))
            self.ways[kind] = {rest: int(share * self.wholes[kind]) for rest, share in found.items()}
            self.lossy = self.lossy or sum(found.values()) < 1
        return self.ways[kind]

    def endings(self, kind: int) -> dict[Rest, Fraction]:
        """The distribution of the final states, throw by throw; equal intermediate states are merged."""
        found: dict[Rest, Fraction] = {}
        nothing = (0,) * len(self.setting.program.tallies)
        waiting: dict[Rolling, Fraction] = {(Place(kind), 0, nothing, ()): Fraction(1)}
        while waiting:
            after: dict[Rolling, Fraction] = {}
            for (place, value, gives, children), share in waiting.items():
                for branch in self.machine.branches(place):
                    part = share * branch.weight / self.machine.sides(place)
                    now, total = self.given(kind, branch, gives), value + branch.landing.face
                    earned = together(children, self.earned(kind, branch))
                    if branch.onward is None:
                        rest = self.rest(kind, total, now, earned)
                        found[rest] = found.get(rest, Fraction(0)) + part
                    elif part > UNLIKELY:
                        key = (branch.onward, total, now, earned)
                        after[key] = after.get(key, Fraction(0)) + part
            waiting = after
            if len(found) + len(waiting) > MOST_RESTS:
                raise TooMuch
        return found

    def given(self, kind: int, branch: Branch, gives: Values) -> Values:
        """The counts of the tallies after one more throw."""
        found = list(gives)
        for number, hit in zip(throw_tallies(self.setting.program, kind), branch.landing.hits, strict=True):
            found[number] += hit if number in self.asked else 0
        return tuple(found)

    def earned(self, kind: int, branch: Branch) -> Children:
        roll = self.machine.roll(kind)
        return ((Place(roll), branch.earned),) if branch.earned and roll is not None and roll in self.seen else ()

    def rest(self, kind: int, value: int, gives: Values, children: Children) -> Rest:
        """The final state of a die with this value and these counts from its throws."""
        found, made = list(gives), self.setting.program
        for order, number in enumerate(value_tallies(made, kind)):
            found[number] = self.setting.kinds[kind].value_tests[order](value) if number in self.asked else 0
        for number, tally in enumerate(made.tallies):
            if tally.kind == kind and tally.test is None and number in self.asked:
                found[number] = 1 if tally.function == "count" else value
        return Rest(kind, value, tuple(found), children)

    def rethrown(self, kind: int, rounds: Sequence[Reroll]) -> tuple[Ways, int]:
        """The final states after rounds in which every die that meets a condition is rerolled, and the total weight."""
        fresh, found, size = self.of(kind), dict(self.of(kind)), self.wholes[kind]
        whole = size
        for reroll in rounds:
            after: Ways = {}
            for old, weight in found.items():
                meets = self.setting.meets(reroll, kind, old.value)
                for new, share in fresh.items() if meets else ((old, size),):
                    rest = stays(reroll, old, new)
                    after[rest] = after.get(rest, 0) + weight * share
            found, whole = after, whole * size
        return found, whole


def together(children: Children, more: Children) -> Children:
    """Adds up earned dice; a die earns dice of one kind only."""
    return ((more[0][0], children[0][1] + more[0][1]),) if children and more else children or more


def stays(reroll: Reroll, old: Rest, new: Rest) -> Rest:
    """The die that counts after a reroll: the old or the new one."""
    if reroll.keep == "new" or (old.value < new.value if reroll.keep == "higher" else old.value > new.value):
        return new
    return old


Lying = tuple[Rest, ...]  # the final states of the rolled dice, by kind and value
Part = tuple[dict[Lying, int], dict[Lying, int]]  # two independent sets of dice, each with weights by state
Kept = tuple[tuple[int, int, Rest], ...]  # the dice kept so far, by kind and rank, the best first
Waiting = tuple[tuple[int, Place, int], ...]  # dice to be rolled, the last one first: turn, place and number


class Room(NamedTuple):
    """The dice kept so far and the dice to be rolled: what decides how a roll continues."""

    kept: Kept
    waiting: Waiting


class Table(NamedTuple):
    """A state during a roll: the counts so far, the dice kept so far, and the dice to be rolled."""

    values: Values
    kept: Kept
    waiting: Waiting


def with_kept(setting: Setting, kept: Kept, rest: Rest) -> Kept:
    """The kept dice with one more; among equals, dice rolled earlier stay."""
    ready = setting.kinds[rest.kind]
    assert ready.kind.keep
    rank = -rest.value if ready.kind.keep.highest else rest.value
    own = [one for one in kept if one[0] == rest.kind]
    at = sum(one[1] <= rank for one in own)
    own = [*own[:at], (rest.kind, rank, rest), *own[at:]][: ready.keep]
    return tuple(sorted([one for one in kept if one[0] != rest.kind] + own, key=lambda one: one[:2]))


def queued(setting: Setting, waiting: Waiting, dice: Iterable[tuple[Place, int]]) -> Waiting:
    """Adds dice to the queue. Kinds with `keep` are rolled last: they earn nothing, so their order does not matter."""
    found = list(waiting)
    for place, number in dice:
        if number:
            kept = setting.kinds[place.kind].keep is not None
            turn = 2 if not kept else 0 if place.throw else 1  # kept dice with rerolls before those without
            at = bisect_left(found, (turn, place, 0))
            if at < len(found) and found[at][:2] == (turn, place):
                found[at] = (turn, place, found[at][2] + number)
            else:
                found.insert(at, (turn, place, number))
    return tuple(found)


def breeds(machine: Machine, kind: int) -> bool:
    """Whether a die can lead, through the dice that it earns, to a die of the same kind."""
    child = earns(machine, kind)
    for _ in machine.setting.kinds:
        if child is None or child == kind:
            break
        child = earns(machine, child)
    return child == kind


def earns(machine: Machine, kind: int) -> int | None:
    """The kind of dice that a kind earns, if any of its faces earns dice."""
    places = [place for place in machine.reach([Place(kind)]) if place.kind == kind]
    earning = any(branch.earned for place in places for branch in machine.branches(place))
    return machine.roll(kind) if earning else None

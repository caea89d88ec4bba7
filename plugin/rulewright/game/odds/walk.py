"""The slow road that goes everywhere: dice followed one after the other, state by state.

It takes what generating functions cannot: dice picked for a reroll, highest and lowest among earned dice,
two open axes at once. States that are alike are one. What is too unlikely to follow is counted as missing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from ..nodes import Machine, Place
from .effect import Values
from .group import StateGroup
from .limits import TooMuch
from .rests import Children, Rest, Rests, Ways

if TYPE_CHECKING:
    from .plan import Coordinate

__all__ = ["Lying", "Rest", "Table", "Walk", "placed"]

MOST_WALKED = 120_000  # states that are looked at
MOST_STEPS = 500_000  # ways from one state to the next
UNLIKELY = 10**20  # one in so many is not followed where dice could breed for ever
NONE = -(2**50)  # stands for the highest of no dice

Lying = tuple[Rest, ...]  # the dice on the table, kind by kind, each kind by value
Kept = tuple[tuple[int, int, Rest], ...]  # kind by kind the dice kept so far, each with its rank, the best first
Waiting = tuple[tuple[int, Place, int], ...]  # dice to be thrown, the last first: their turn, place and number


class Table(NamedTuple):
    """Dice in the middle of a roll: what is counted so far, what is kept so far, what is still to be thrown."""

    values: Values
    kept: Kept
    waiting: Waiting


@dataclass(frozen=True, slots=True)
class Fall:
    """How a die can come to rest, as far as it matters."""

    values: Values
    kept: Rest | None
    children: Children


class Walk:
    """Follows the dice of a group until nothing is left to throw."""

    def __init__(
        self, machine: Machine, coordinates: Sequence[Coordinate], asked: frozenset[int] | None = None
    ) -> None:
        self.machine, self.setting, self.coordinates = machine, machine.setting, coordinates
        self.rests = Rests(machine, asked)
        self.rest = self.rests.rest
        self.plain = not any(coordinate.extreme for coordinate in coordinates)
        self.nothing = tuple(NONE if coordinate.extreme else 0 for coordinate in coordinates)
        self.falls: dict[Place, tuple[list[tuple[Fall, int]], int]] = {}
        self.known: dict[Rest, Fall] = {}
        self.left = MOST_STEPS

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooMuch

    def thrown(self, kinds: Sequence[int]) -> StateGroup:
        """All dice of these kinds, thrown freely."""
        dice = [(self.machine.start(kind), self.setting.kinds[kind].count) for kind in kinds]
        return self.group({Table(self.nothing, (), self.queued((), dice)): 1}, 1)

    def lying(self, states: dict[Lying, int], whole: int) -> StateGroup:
        """Dice that lie on the table, with all dice that they earn."""
        tables: dict[Table, int] = {}
        for state, weight in states.items():
            table = self.table(state)
            tables[table] = tables.get(table, 0) + weight
        return self.group(tables, whole)

    def table(self, state: Iterable[Rest]) -> Table:
        table = Table(self.nothing, (), ())
        for rest in state:
            table = self.after(table, self.fall(rest))
        return table

    def group(self, tables: dict[Table, int], whole: int) -> StateGroup:
        done = self.follow(tables, whole)
        size = lcm(*(share.denominator for share in done.values())) if done else 1
        found: dict[Values, int] = {}
        for values, share in done.items():
            shown = tuple(0 if value == NONE else value for value in values)
            found[shown] = found.get(shown, 0) + int(share * size)
        return StateGroup(found, size, len(self.coordinates), 1 - sum(done.values(), Fraction(0)))

    def follow(self, tables: dict[Table, int], whole: int) -> dict[Values, Fraction]:
        """Throws the dice that are waiting, one a state at a time, until none is worth following."""
        done: dict[Values, Fraction] = {}
        walked = 0
        while tables:
            for table in [table for table in tables if not table.waiting]:
                values = self.finished(table)
                done[values] = done.get(values, Fraction(0)) + Fraction(tables.pop(table), whole)
            walked += len(tables)
            size = lcm(*{self.ways(table.waiting[-1][1])[1] for table in tables})
            after = self.next_throw(tables, whole, size)
            if after is None or walked > MOST_WALKED:
                break
            tables, whole = after, whole * size
        if not all(any(self.breeds(place.kind) for _, place, _ in table.waiting) for table in tables):
            raise TooMuch
        return done

    def next_throw(self, tables: dict[Table, int], whole: int, size: int) -> dict[Table, int] | None:
        """Where one more die leads; None where that is too much to follow."""
        after: dict[Table, int] = {}
        for table, weight in tables.items():
            if weight * UNLIKELY > whole or not self.breeds(table.waiting[-1][1].kind):
                for key, part in self.throw(table, weight * size):
                    after[key] = after.get(key, 0) + part
                if self.left < 0:
                    return None
        return after

    def breeds(self, kind: int) -> bool:
        """Whether such a die can lead to dice like itself."""
        child = self.machine.roll(kind)
        for _ in self.setting.kinds:
            if child is None or child == kind:
                break
            child = self.machine.roll(child)
        return child == kind

    def throw(self, table: Table, weight: int) -> Iterator[tuple[Table, int]]:
        turn, place, number = table.waiting[-1]
        left = table.waiting[:-1] if number == 1 else (*table.waiting[:-1], (turn, place, number - 1))
        ways, whole = self.ways(place)
        self.left -= len(ways)
        rest = Table(table.values, table.kept, left)
        for fall, part in ways:
            yield self.after(rest, fall), weight // whole * part

    def ways(self, place: Place) -> tuple[list[tuple[Fall, int]], int]:
        """How a die about to be thrown can fall; those that come to the same are one."""
        if place not in self.falls:
            ways, whole = self.endings(place)
            found: dict[Fall, int] = {}
            for rest, weight in ways.items():
                fall = self.fall(rest)
                found[fall] = found.get(fall, 0) + weight
            self.falls[place] = (list(found.items()), whole)
        return self.falls[place]

    def endings(self, place: Place) -> tuple[Ways, int]:
        if place.throw:
            return self.rests.of(place.kind), self.rests.wholes[place.kind]
        return self.rests.rethrown(place.kind, list(self.machine.rounds(place.kind)))

    def fall(self, rest: Rest) -> Fall:
        found = self.known.get(rest)
        if found is None:
            kept = self.setting.kinds[rest.kind].keep is not None
            fall = Fall(self.nothing if kept else self.counted(rest), rest if kept else None, rest.children)
            found = self.known[rest] = fall
        return found

    def counted(self, rest: Rest) -> Values:
        """What one die adds to each coordinate."""
        return tuple(
            sum(times * rest.gives[int(name[1:])] for name, times in coordinate.form)
            if not coordinate.extreme
            else rest.value
            if self.setting.program.tallies[int(coordinate.form[0][0][1:])].kind == rest.kind
            else NONE
            for coordinate in self.coordinates
        )

    def after(self, table: Table, fall: Fall) -> Table:
        values, kept, waiting = table
        if fall.kept:
            kept = self.with_kept(kept, fall.kept)
        else:
            values = self.joined(values, fall.values)
        return Table(values, kept, self.queued(waiting, fall.children) if fall.children else waiting)

    def with_kept(self, kept: Kept, rest: Rest) -> Kept:
        """The kept dice with one more; of equal ones those thrown first stay."""
        ready = self.setting.kinds[rest.kind]
        assert ready.kind.keep
        rank = -rest.value if ready.kind.keep.highest else rest.value
        own = [one for one in kept if one[0] == rest.kind]
        at = sum(one[1] <= rank for one in own)
        own = [*own[:at], (rest.kind, rank, rest), *own[at:]][: ready.keep]
        return tuple(sorted([one for one in kept if one[0] != rest.kind] + own, key=lambda one: one[:2]))

    def queued(self, waiting: Waiting, dice: Iterable[tuple[Place, int]]) -> Waiting:
        """More dice to throw. Kept ones come last: they earn nothing, and it does not matter who is thrown first."""
        found = list(waiting)
        for place, number in dice:
            if number:
                kept = self.setting.kinds[place.kind].keep is not None
                turn = 2 if not kept else 0 if place.throw else 1  # of the kept ones, those with rerolls lay before
                at = bisect_left(found, (turn, place, 0))
                if at < len(found) and found[at][:2] == (turn, place):
                    found[at] = (turn, place, found[at][2] + number)
                else:
                    found.insert(at, (turn, place, number))
        return tuple(found)

    def finished(self, table: Table) -> Values:
        values = table.values
        for _, _, rest in table.kept:
            values = self.joined(values, self.counted(rest))
        return values

    def joined(self, left: Values, right: Values) -> Values:
        if self.plain:
            return tuple(map(add, left, right))
        return tuple(map(join, self.coordinates, left, right))


def join(coordinate: Coordinate, left: int, right: int) -> int:
    if not coordinate.extreme:
        return left + right
    if NONE in (left, right):
        return left if right == NONE else right
    return max(left, right) if coordinate.extreme == "highest" else min(left, right)


def placed(state: Lying, rest: Rest) -> Lying:
    """The state with one more die, in its place."""
    for number, other in enumerate(state):
        if other.key >= rest.key:
            return (*state[:number], rest, *state[number:])
    return (*state, rest)

"""State search: rolls dice one after the other, state by state, and merges equal states.

Slow but general. It handles what generating functions cannot: dice that are picked for a reroll, the highest and lowest
of earned dice, two infinite axes at once. States that are too unlikely to follow count as missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from operator import add, itemgetter
from typing import TYPE_CHECKING

from ..play.automaton import Machine, Place
from .die_states import Children, Kept, Lying, Part, Rest, Rests, Room, Table, Waiting, Ways, breeds, queued, with_kept
from .generating_function import Values
from .group import StateGroup
from .plan import TooMuch

if TYPE_CHECKING:
    from .plan import Coordinate

NONE = -(2**50)  # the highest of no dice
MOST_PAIRS = 300_000  # states of some dice with states of others
DIGITS = 300  # bits of rounded probabilities
UNLIKELY = Fraction(1, 10**20)
ZERO = Fraction(0)

Chances = dict[Values, Fraction]  # by state; what is missing from 1 was not followed


class Joiner:
    """Combines coordinates: adds them up, or takes the highest or lowest."""

    def __init__(self, coordinates: Sequence[Coordinate]) -> None:
        self.coordinates = coordinates
        self.plain = not any(coordinate.extreme for coordinate in coordinates)
        self.nothing = tuple(NONE if coordinate.extreme else 0 for coordinate in coordinates)
        self.pairs = 0

    def joined(self, left: Values, right: Values) -> Values:
        if self.plain:
            return tuple(map(add, left, right))
        return tuple(map(join, self.coordinates, left, right))

    def both(self, left: Chances, right: Chances) -> Chances:
        """The convolution of two distributions. If probability is missing anyway, unlikely states are dropped too."""
        self.pairs += len(left) * len(right)
        if self.pairs > MOST_PAIRS:
            raise TooMuch
        found: Chances = {}
        for (one, chance), (other, share) in product(left.items(), right.items()):
            key = self.joined(one, other)
            found[key] = found.get(key, ZERO) + chance * share
        if sum(found.values()) == 1:
            return found
        return {
            values: Fraction(int(chance * 2**DIGITS), 2**DIGITS)
            for values, chance in found.items()
            if chance > UNLIKELY
        }

    def many(self, one: Chances, number: int) -> Chances:
        """The distribution of equal dice, by repeated doubling."""
        if number == 1:
            return one
        half = self.many(one, number // 2)
        double = self.both(half, half)
        return self.both(double, one) if number % 2 else double


def join(coordinate: Coordinate, left: int, right: int) -> int:
    if not coordinate.extreme:
        return left + right
    if NONE in (left, right):
        return left if right == NONE else right
    return max(left, right) if coordinate.extreme == "highest" else min(left, right)


MOST_STEPS = 1_000_000  # transitions between states
ROOM = 10  # the cost of a room, in steps
MOST_MISSING = Fraction(1, 10)  # wider bounds are useless
Rooms = dict[Room, dict[Values, int]]  # weights of the counts so far, by kept and waiting dice


@dataclass(frozen=True, slots=True)
class Fall:
    """A final state of a die, reduced to what matters for a question."""

    values: Values
    kept: Rest | None
    children: Children


class Walk:
    """Follows the dice of a group until none is left to roll."""

    def __init__(
        self, machine: Machine, coordinates: Sequence[Coordinate], asked: frozenset[int] | None = None
    ) -> None:
        self.machine, self.setting, self.coordinates = machine, machine.setting, coordinates
        self.rests = Rests(machine, asked)
        self.rest = self.rests.rest
        self.joiner = Joiner(coordinates)
        self.joined, self.nothing = self.joiner.joined, self.joiner.nothing
        self.falls: dict[Place, tuple[list[tuple[Fall, int]], int]] = {}
        self.known: dict[Rest, Fall] = {}
        self.breeding: dict[int, bool] = {}
        self.left = MOST_STEPS

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooMuch

    def thrown(self, kinds: Sequence[int]) -> StateGroup:
        """The distribution of all dice of these kinds, without picked rerolls."""
        dice = [(self.machine.start(kind), self.setting.kinds[kind].count) for kind in kinds]
        if any(self.setting.kinds[kind].keep is not None for kind in kinds):
            return self.group({Table(self.nothing, (), queued(self.setting, (), dice)): 1}, 1)
        found: Chances = {self.nothing: Fraction(1)}
        for place, number in dice:
            if number:
                one = self.follow({Room((), queued(self.setting, (), [(place, 1)])): {self.nothing: 1}}, 1)
                found = self.joiner.both(found, self.joiner.many(one, number))
        return self.shown(found)

    def lying(self, parts: Iterable[Part], whole: int, kinds: Sequence[int]) -> StateGroup:
        """The distribution of rolled dice, dice that are still to be rolled, and all dice that they earn."""
        dice = [(self.machine.start(kind), self.setting.kinds[kind].count) for kind in kinds]
        waiting = queued(self.setting, (), dice)
        tables: dict[Table, int] = {}
        for first, second in parts:
            left, right = self.tables(first), self.tables(second)
            self.spend(4 * len(left) * len(right))
            for (one, weight), (other, share) in product(left.items(), right.items()):
                table = Table(
                    self.joined(one.values, other.values),
                    tuple(sorted((*one.kept, *other.kept), key=itemgetter(0))),
                    queued(self.setting, waiting, (two[1:] for two in (*one.waiting, *other.waiting))),
                )
                tables[table] = tables.get(table, 0) + weight * share
        return self.group(tables, whole)

    def tables(self, states: Mapping[Lying, int]) -> dict[Table, int]:
        found: dict[Table, int] = {}
        for state, weight in states.items():
            table = self.table(state)
            found[table] = found.get(table, 0) + weight
        return found

    def table(self, state: Iterable[Rest]) -> Table:
        values, room = self.nothing, Room((), ())
        for fall in map(self.fall, state):
            values = self.joined(values, fall.values)
            room = self.next_room(*room, fall) if fall.kept or fall.children else room
        return Table(values, *room)

    def group(self, tables: Mapping[Table, int], whole: int) -> StateGroup:
        if not any(table.waiting for table in tables):
            return self.settled(tables, whole)
        rooms: Rooms = {}
        for table, weight in tables.items():
            values, inside = table.values, rooms.setdefault(Room(table.kept, table.waiting), {})
            inside[values] = inside.get(values, 0) + weight
        return self.shown(self.follow(rooms, whole))

    def settled(self, tables: Mapping[Table, int], whole: int) -> StateGroup:
        """The distribution if no die is left to roll."""
        found: dict[Values, int] = {}
        for table, weight in tables.items():
            values = self.countable(self.finished(table.values, table.kept))
            found[values] = found.get(values, 0) + weight
        return StateGroup(found, whole, len(self.coordinates))

    def countable(self, values: Values) -> Values:
        """Shows the highest of no dice as 0."""
        return tuple(0 if value == NONE else value for value in values)

    def shown(self, done: Chances) -> StateGroup:
        """The distribution as a group, with integer weights."""
        missing = 1 - sum(done.values(), ZERO)
        if missing > MOST_MISSING:
            raise TooMuch
        size = lcm(*(share.denominator for share in done.values())) if done else 1
        found: dict[Values, int] = {}
        for values, share in done.items():
            shown = self.countable(values)
            found[shown] = found.get(shown, 0) + int(share * size)
        return StateGroup(found, size, len(self.coordinates), missing)

    def follow(self, rooms: Rooms, whole: int) -> Chances:
        """Rolls the waiting dice, one per state at a time, until none is worth following."""
        done: Chances = {}
        while rooms:
            for kept, waiting in [room for room in rooms if not room[1]]:
                for values, weight in rooms.pop(Room(kept, waiting)).items():
                    finished = self.finished(values, kept)
                    done[finished] = done.get(finished, ZERO) + Fraction(weight, whole)
            size = lcm(*{self.ways(waiting[-1][1])[1] for _, waiting in rooms})
            after = self.next_throw(rooms, whole, size)
            if after is None:
                break
            rooms, whole = self.rounded(after, whole * size)
        if not all(any(self.breeds(place.kind) for _, place, _ in waiting) for _, waiting in rooms):
            raise TooMuch
        return done

    def rounded(self, rooms: Rooms, whole: int) -> tuple[Rooms, int]:
        """Rounds down weights that grow too long, if some probability is missing anyway."""
        if whole.bit_length() < 2 * DIGITS or not any(
            self.open(waiting[-1][1].kind) for _, waiting in rooms if waiting
        ):
            return rooms, whole
        after = {
            room: {values: (weight << DIGITS) // whole for values, weight in inside.items()}
            for room, inside in rooms.items()
        }
        return after, 1 << DIGITS

    def open(self, kind: int) -> bool:
        """Whether not all dice that such a die leads to can be followed to the end."""
        return self.rests.lossy or self.breeds(kind)

    def breeds(self, kind: int) -> bool:
        if kind not in self.breeding:
            self.breeding[kind] = breeds(self.machine, kind)
        return self.breeding[kind]

    def next_throw(self, rooms: Rooms, whole: int, size: int) -> Rooms | None:
        """The states after one more die; None if that is too much to follow."""
        after: Rooms = {}
        for (kept, waiting), inside in rooms.items():
            turn, place, number = waiting[-1]
            left = waiting[:-1] if number == 1 else (*waiting[:-1], (turn, place, number - 1))
            ways, sides = self.ways(place)
            likely = self.likely(inside, whole, place.kind)
            self.left -= len(ways) * (len(likely) + ROOM)
            if self.left < 0:
                return None
            for fall, part in ways:
                self.enter(after, self.next_room(kept, left, fall), likely, fall.values, part * (size // sides))
        return after

    def likely(self, inside: dict[Values, int], whole: int, kind: int) -> dict[Values, int]:
        """The states worth following: not all if dice could go on forever, or were not followed to the end."""
        if not self.open(kind):
            return inside
        least = int(whole * UNLIKELY)
        return {values: weight for values, weight in inside.items() if weight > least}

    def enter(self, rooms: Rooms, room: Room, inside: dict[Values, int], adds: Values, part: int) -> None:
        found = rooms.setdefault(room, {})
        for values, weight in inside.items():
            key = self.joined(values, adds)
            found[key] = found.get(key, 0) + weight * part

    def next_room(self, kept: Kept, left: Waiting, fall: Fall) -> Room:
        if fall.kept:
            kept = with_kept(self.setting, kept, fall.kept)
        return Room(kept, queued(self.setting, left, fall.children) if fall.children else left)

    def ways(self, place: Place) -> tuple[list[tuple[Fall, int]], int]:
        """The final states of a die to be rolled, merged where the question does not distinguish them."""
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

    def finished(self, values: Values, kept: Kept) -> Values:
        for _, _, rest in kept:
            values = self.joined(values, self.counted(rest))
        return values

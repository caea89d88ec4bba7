"""State search: rolls dice one after the other, state by state, and merges equal states.

Slow but general. It handles what generating functions cannot: dice that are picked for a reroll, the highest and lowest
of earned dice, two infinite axes at once. States that are too unlikely to follow count as missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from operator import add, itemgetter
from typing import TYPE_CHECKING

from ..play.automaton import Automaton, DieState
from .budget import Budget, BudgetError
from .die_states import (
    Children,
    FinalState,
    FinalStates,
    IndependentParts,
    Kept,
    Pending,
    RolledDice,
    RollState,
    StateWeights,
    Waiting,
    add_to_queue,
    earns_own_kind,
    keep_die,
)
from .follow_up_dice import Values
from .group import StateGroup

if TYPE_CHECKING:
    from .plan import Coordinate

_NO_DICE = -(2**50)  # the highest of no dice
_FOR_SUMS = 1 / 10  # of the budget is kept to add up dice that were followed one by one
_ROUNDED_BITS = 300  # bits of rounded probabilities
_LIKELY = 10**20  # a probability of less than one in so many is not followed

_Weights = dict[Values, int]
_Weighted = tuple[_Weights, int]  # weights by state, and that of everything; what is missing was not followed


class _CoordinateSums:
    """Combines coordinates: adds them up, or takes the highest or lowest."""

    def __init__(self, coordinates: Sequence[Coordinate], budget: Budget) -> None:
        self.coordinates, self.budget = coordinates, budget
        self.plain = not any(coordinate.extreme for coordinate in coordinates)
        self.neutral = tuple(_NO_DICE if coordinate.extreme else 0 for coordinate in coordinates)

    def combine(self, left: Values, right: Values) -> Values:
        if self.plain:
            return tuple(map(add, left, right))
        return tuple(map(_combine_coordinate, self.coordinates, left, right))

    def convolve(self, left: _Weighted, right: _Weighted) -> _Weighted:
        """The convolution of two distributions. If probability is missing anyway, unlikely states are dropped too."""
        weights: _Weights = {}
        whole = left[1] * right[1]
        self.budget.spend(2 * len(left[0]) * len(right[0]))
        for values, weight in left[0].items():
            for other, share in right[0].items():
                key = self.combine(values, other)
                weights[key] = weights.get(key, 0) + weight * share
        if sum(weights.values()) == whole:
            return weights, whole
        least = whole // _LIKELY
        return round_down({values: weight for values, weight in weights.items() if weight > least}, whole)

    def convolve_equal(self, single: _Weighted, number: int) -> _Weighted:
        """The distribution of equal dice, by repeated doubling."""
        if number == 1:
            return single
        half = self.convolve_equal(single, number // 2)
        double = self.convolve(half, half)
        return self.convolve(double, single) if number % 2 else double


def round_down(weights: _Weights, whole: int) -> _Weighted:
    """Rounds down weights that grow too long."""
    if whole.bit_length() < 2 * _ROUNDED_BITS:
        return weights, whole
    return {values: (weight << _ROUNDED_BITS) // whole for values, weight in weights.items()}, 1 << _ROUNDED_BITS


def _combine_coordinate(coordinate: Coordinate, left: int, right: int) -> int:
    if not coordinate.extreme:
        return left + right
    if _NO_DICE in (left, right):
        return left if right == _NO_DICE else right
    return max(left, right) if coordinate.extreme == "highest" else min(left, right)


_PENDING_COST = 10  # the cost of a room, in steps
MOST_MISSING = Fraction(1, 10)  # wider bounds are useless
_PendingWeights = dict[Pending, dict[Values, int]]  # weights of the counts so far, by kept and waiting dice


@dataclass(frozen=True, slots=True)
class _ReducedState:
    """A final state of a die, reduced to what matters for a question."""

    values: Values
    kept: FinalState | None
    children: Children


class StateSearch:
    """Follows the dice of a group until none is left to roll."""

    def __init__(
        self,
        machine: Automaton,
        coordinates: Sequence[Coordinate],
        budget: Budget,
        needed_tallies: frozenset[int] | None = None,
    ) -> None:
        self.machine, self.setting, self.coordinates = machine, machine.setting, coordinates
        self.final_states = FinalStates(machine, budget, needed_tallies)
        self.final_state = self.final_states.final_state
        self.sums = _CoordinateSums(coordinates, budget)
        self.combine, self.neutral = self.sums.combine, self.sums.neutral
        self.reduced_by_place: dict[DieState, tuple[list[tuple[_ReducedState, int]], int]] = {}
        self.known_reduced: dict[FinalState, _ReducedState] = {}
        self.earning_own_kind: dict[int, bool] = {}
        self.budget = budget

    def spend(self, steps: int) -> None:
        self.budget.spend(2 * steps)

    def roll_kinds(self, kinds: Sequence[int]) -> StateGroup:
        """The distribution of all dice of these kinds, without picked rerolls."""
        dice = [(self.machine.initial_state(kind), self.setting.kinds[kind].count) for kind in kinds]
        if any(self.setting.kinds[kind].keep_count is not None for kind in kinds):
            return self.finish_states({RollState(self.neutral, (), add_to_queue(self.setting, (), dice)): 1}, 1)
        weighted: _Weighted = {self.neutral: 1}, 1
        for place, number in dice:
            if number:
                with self.budget.keeping(_FOR_SUMS):
                    rooms = {Pending((), add_to_queue(self.setting, (), [(place, 1)])): {self.neutral: 1}}
                    single = self.follow(rooms, 1)
                weighted = self.sums.convolve(weighted, self.sums.convolve_equal(single, number))
        return self.to_group(*weighted)

    def continue_from(self, parts: Iterable[IndependentParts], whole: int, kinds: Sequence[int]) -> StateGroup:
        """The distribution of rolled dice, dice that are still to be rolled, and all dice that they earn."""
        dice = [(self.machine.initial_state(kind), self.setting.kinds[kind].count) for kind in kinds]
        waiting = add_to_queue(self.setting, (), dice)
        tables: dict[RollState, int] = {}
        for first, second in parts:
            left, right = self.merge_states(first), self.merge_states(second)
            self.spend(4 * len(left) * len(right))
            for (first_state, weight), (other, share) in product(left.items(), right.items()):
                table = RollState(
                    self.combine(first_state.values, other.values),
                    tuple(sorted((*first_state.kept, *other.kept), key=itemgetter(0))),
                    add_to_queue(
                        self.setting, waiting, (entry[1:] for entry in (*first_state.waiting, *other.waiting))
                    ),
                )
                tables[table] = tables.get(table, 0) + weight * share
        return self.finish_states(tables, whole)

    def merge_states(self, states: Mapping[RolledDice, int]) -> dict[RollState, int]:
        weights: dict[RollState, int] = {}
        for state, weight in states.items():
            table = self.to_state(state)
            weights[table] = weights.get(table, 0) + weight
        return weights

    def to_state(self, state: Iterable[FinalState]) -> RollState:
        values, room = self.neutral, Pending((), ())
        for fall in map(self.reduce_state, state):
            values = self.combine(values, fall.values)
            room = self.next_pending(*room, fall) if fall.kept or fall.children else room
        return RollState(values, *room)

    def finish_states(self, tables: Mapping[RollState, int], whole: int) -> StateGroup:
        if not any(table.waiting for table in tables):
            return self.without_waiting(tables, whole)
        rooms: _PendingWeights = {}
        for table, weight in tables.items():
            values, inside = table.values, rooms.setdefault(Pending(table.kept, table.waiting), {})
            inside[values] = inside.get(values, 0) + weight
        return self.to_group(*self.follow(rooms, whole))

    def without_waiting(self, tables: Mapping[RollState, int], whole: int) -> StateGroup:
        """The distribution if no die is left to roll."""
        weights: dict[Values, int] = {}
        for table, weight in tables.items():
            values = self.without_no_dice(self.add_kept_dice(table.values, table.kept))
            weights[values] = weights.get(values, 0) + weight
        return StateGroup(weights, whole)

    def without_no_dice(self, values: Values) -> Values:
        """Shows the highest of no dice as 0."""
        return tuple(0 if value == _NO_DICE else value for value in values)

    def to_group(self, done: _Weights, whole: int) -> StateGroup:
        """The distribution as a group."""
        missing = Fraction(whole - sum(done.values()), whole)
        if missing > MOST_MISSING:
            raise BudgetError
        common = gcd(whole, *done.values())
        weights: _Weights = {}
        for values, weight in done.items():
            coordinates = self.without_no_dice(values)
            weights[coordinates] = weights.get(coordinates, 0) + weight // common
        return StateGroup(weights, whole // common, missing)

    def follow(self, rooms: _PendingWeights, whole: int) -> _Weighted:
        """Rolls the waiting dice, one per state at a time, until none is worth following."""
        done: _Weights = {}
        done_whole = whole
        while rooms:
            ended = [room for room in rooms if not room.waiting]
            if ended:
                done = {values: weight * whole // done_whole for values, weight in done.items()}
                done_whole = whole
            for room in ended:
                for values, weight in rooms.pop(room).items():
                    finished = self.add_kept_dice(values, room.kept)
                    done[finished] = done.get(finished, 0) + weight
            size = lcm(*{self.reduced_states(waiting[-1][1])[1] for _, waiting in rooms})
            after = self.roll_next(rooms, whole, size)
            if after is None:
                break
            rooms, whole = self.round_down(after, whole * size)
        if not all(any(self.earns_own_kind(place.kind) for _, place, _ in waiting) for _, waiting in rooms):
            raise BudgetError
        return done, done_whole

    def round_down(self, rooms: _PendingWeights, whole: int) -> tuple[_PendingWeights, int]:
        """Rounds down weights that grow too long, if some probability is missing anyway."""
        if whole.bit_length() < 2 * _ROUNDED_BITS or not any(
            self.may_be_lossy(waiting[-1][1].kind) for _, waiting in rooms if waiting
        ):
            return rooms, whole
        return {room: round_down(inside, whole)[0] for room, inside in rooms.items()}, 1 << _ROUNDED_BITS

    def may_be_lossy(self, kind: int) -> bool:
        """Whether not all dice that such a die leads to can be followed to the end."""
        return self.final_states.lossy or self.earns_own_kind(kind)

    def earns_own_kind(self, kind: int) -> bool:
        if kind not in self.earning_own_kind:
            self.earning_own_kind[kind] = earns_own_kind(self.machine, kind)
        return self.earning_own_kind[kind]

    def roll_next(self, rooms: _PendingWeights, whole: int, size: int) -> _PendingWeights | None:
        """The states after one more die; None if that is too much to follow."""
        after: _PendingWeights = {}
        for (kept, waiting), inside in rooms.items():
            turn, place, number = waiting[-1]
            left = waiting[:-1] if number == 1 else (*waiting[:-1], (turn, place, number - 1))
            ways, sides = self.reduced_states(place)
            likely = self.likely_states(inside, whole, place.kind)
            if not likely:
                continue
            try:
                self.budget.spend(len(ways) * (len(likely) + _PENDING_COST))
            except BudgetError:
                return None
            for fall, part in ways:
                self.add_weights(
                    after, self.next_pending(kept, left, fall), likely, fall.values, part * (size // sides)
                )
        return after

    def likely_states(self, inside: dict[Values, int], whole: int, kind: int) -> dict[Values, int]:
        """The states worth following: not all if dice could go on forever, or were not followed to the end."""
        if not self.may_be_lossy(kind):
            return inside
        least = whole // _LIKELY
        return {values: weight for values, weight in inside.items() if weight > least}

    def add_weights(
        self, rooms: _PendingWeights, room: Pending, inside: dict[Values, int], adds: Values, part: int
    ) -> None:
        weights = rooms.setdefault(room, {})
        for values, weight in inside.items():
            key = self.combine(values, adds)
            weights[key] = weights.get(key, 0) + weight * part

    def next_pending(self, kept: Kept, left: Waiting, fall: _ReducedState) -> Pending:
        if fall.kept:
            kept = keep_die(self.setting, kept, fall.kept)
        return Pending(kept, add_to_queue(self.setting, left, fall.children) if fall.children else left)

    def reduced_states(self, place: DieState) -> tuple[list[tuple[_ReducedState, int]], int]:
        """The final states of a die to be rolled, merged where the question does not distinguish them."""
        if place not in self.reduced_by_place:
            ways, whole = self.final_weights(place)
            weights: dict[_ReducedState, int] = {}
            for rest, weight in ways.items():
                fall = self.reduce_state(rest)
                weights[fall] = weights.get(fall, 0) + weight
            self.reduced_by_place[place] = (list(weights.items()), whole)
        return self.reduced_by_place[place]

    def final_weights(self, place: DieState) -> tuple[StateWeights, int]:
        if place.throw:
            return self.final_states.of_kind(place.kind), self.final_states.totals[place.kind]
        return self.final_states.after_rerolls(place.kind, list(self.machine.reroll_rounds(place.kind)))

    def reduce_state(self, rest: FinalState) -> _ReducedState:
        reduced = self.known_reduced.get(rest)
        if reduced is None:
            kept = self.setting.kinds[rest.kind].keep_count is not None
            fall = _ReducedState(self.neutral if kept else self.count_die(rest), rest if kept else None, rest.children)
            reduced = self.known_reduced[rest] = fall
        return reduced

    def count_die(self, rest: FinalState) -> Values:
        """What one die adds to each coordinate."""
        return tuple(
            sum(times * rest.counts[int(name[1:])] for name, times in coordinate.form)
            if not coordinate.extreme
            else rest.value
            if self.setting.program.tallies[int(coordinate.form[0][0][1:])].kind == rest.kind
            else _NO_DICE
            for coordinate in self.coordinates
        )

    def add_kept_dice(self, values: Values, kept: Kept) -> Values:
        for _, _, rest in kept:
            values = self.combine(values, self.count_die(rest))
        return values

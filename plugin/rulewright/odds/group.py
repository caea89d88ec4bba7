"""Groups of dice that depend on each other: their distribution from generating functions or from a state search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, lcm
from typing import Protocol

from ..play.automaton import Automaton, Branch, DieState
from .generating_function import Family, Values
from .plan import MOST_STATES, BudgetError
from .pool import Powers, Row, find_power_recurrence, join_moments, pool_moments

_FEW_DICE = 24
WeightedStates = tuple[list[tuple[Values, int]], int]  # states with their weights, and the total weight


class Group(Protocol):
    """The joint distribution of a group's coordinates."""

    size: int
    axis: int
    is_infinite: bool
    missing: Fraction

    @property
    def tail_key(self) -> tuple[float, ...]:
        """What the tail depends on besides the ranges: groups that agree in both can use the same end."""

    def ranges(self) -> list[tuple[float, float]]:
        """The minimum and the maximum of each coordinate."""

    def tail_ranges(self, end: int) -> list[tuple[float, float]]:
        """The ranges of the coordinates in the tail, where the axis has reached `end`."""

    def weighted_states(self, end: int) -> WeightedStates:
        """All states whose axis is before `end` (all states of a finite group), and the total weight."""

    def means(self) -> list[Fraction]:
        """The mean of each coordinate."""

    def class_moments(self) -> dict[Values, tuple[Fraction, Fraction]]:
        """For the values of the coordinates other than the axis: probability, and mean of the axis times that."""


@dataclass
class PoolGroup:
    """Independent dice of one or more kinds, computed with generating functions."""

    family: Family
    starts: Sequence[tuple[DieState, int]]
    known_powers: dict[tuple[DieState, int], Powers] = field(default_factory=dict)
    missing: Fraction = Fraction(0)
    least_length: int = 0  # the least number of coefficients, so that pools of several sizes share their powers

    def __post_init__(self) -> None:
        self.size = len(self.family.coordinates)
        self.axis, self.sign = self.family.axis, self.family.sign
        self.is_infinite = any(
            max(abs(end[place]) for end in (self.family.low[self.axis], self.family.high[self.axis])) == inf
            for place, _ in self.starts
        )
        self.low = sum(self.family.axis_low(place) * dice for place, dice in self.starts)

    def ranges(self) -> list[tuple[float, float]]:
        ends = zip(self.family.low, self.family.high, strict=True)
        return [tuple(sum(end[place] * dice for place, dice in self.starts) for end in pair) for pair in ends]  # type: ignore[misc]

    @property
    def tail_key(self) -> tuple[float, ...]:
        return (self.axis, self.sign)

    def tail_ranges(self, end: int) -> list[tuple[float, float]]:
        ranges = self.ranges()
        ranges[self.axis] = (end, inf) if self.sign > 0 else (-inf, -end)
        return ranges

    def axis_length(self, end: int) -> int:
        """The number of coefficients before an end; all of them if the axis is finite."""
        if self.is_infinite:
            cut = max(end - self.low, 1, self.least_length)  # in the direction of the axis
        else:
            cut = max(sum((self.family.span(place) - 1) * dice for place, dice in self.starts) + 1, self.least_length)
        if cut > MOST_STATES:
            raise BudgetError
        return cut

    def powers(self, place: DieState, cut: int, dice: int) -> Powers:
        """Small pools multiply series; for large ones the recurrence is worth its longer series."""
        powers = self.known_powers.get((place, cut))
        if powers is None or (powers.power_recurrence and powers.most_dice < dice):
            law = find_power_recurrence(self.family, place) if dice > _FEW_DICE and self.is_infinite else None
            die = self.family.expand_die(place, cut + law.shift * dice if law else cut)
            powers = self.known_powers[place, cut] = Powers(die, cut, law, dice)
        return powers

    def single_pool(self, end: int) -> tuple[Powers, int] | None:
        """The powers and the number of dice, if the group is a single pool."""
        if len(self.starts) != 1:
            return None
        place, dice = self.starts[0]
        return self.powers(place, self.axis_length(end), dice), dice

    def rows(self, end: int) -> tuple[list[Row], int]:
        single = self.single_pool(end)
        assert single
        powers, dice = single
        powers.check_budget(dice)
        return list(powers.rows(dice)), powers.total_weight(dice)

    def weighted_states(self, end: int) -> WeightedStates:
        cut = self.axis_length(end)
        parts = [self.pool_weights(place, dice, cut) for place, dice in self.starts]
        weights, whole = parts[0]
        for more, weight in parts[1:]:
            weights, whole = _convolve(weights, more, cut), whole * weight
        if len(weights) > MOST_STATES:
            raise BudgetError
        return [(self.to_coordinates(others, place), weight) for (others, place), weight in weights.items()], whole

    def pool_weights(self, place: DieState, dice: int, cut: int) -> tuple[dict[tuple[Values, int], int], int]:
        powers = self.powers(place, cut, dice)
        powers.check_budget(dice)
        weights: dict[tuple[Values, int], int] = {}
        for row in powers.rows(dice):
            before = 0
            for at, upto in enumerate(row.sums[: cut - row.shift]):
                if upto != before:
                    key = (row.others, at + row.shift)
                    weights[key] = weights.get(key, 0) + row.factor * (upto - before)
                    before = upto
        return weights, powers.total_weight(dice)

    def to_coordinates(self, others: Values, place: int) -> Values:
        """The coordinates in order; a negated axis is negated back."""
        value = self.sign * (self.low + place)
        return (*others[: self.axis], value, *others[self.axis :])

    def means(self) -> list[Fraction]:
        means = [self.family.mean(number) for number in range(self.size)]
        return [sum((mean[place] * dice for place, dice in self.starts), Fraction(0)) for mean in means]

    def class_moments(self) -> dict[Values, tuple[Fraction, Fraction]]:
        parts = [pool_moments(self.family.marginals(place), dice) for place, dice in self.starts]
        moments = parts[0]
        for more in parts[1:]:
            moments = join_moments(moments, more)
        return {values: (chance, self.sign * mean) for values, (chance, mean) in moments.items()}


def _convolve(
    left: dict[tuple[Values, int], int], right: dict[tuple[Values, int], int], cut: int
) -> dict[tuple[Values, int], int]:
    """The convolution of two distributions up to a cut."""
    if len(left) * len(right) > 4 * MOST_STATES:
        raise BudgetError
    weights: dict[tuple[Values, int], int] = {}
    for (others, place), weight in left.items():
        for (more, further), other in right.items():
            if place + further < cut:
                key = (tuple(a + b for a, b in zip(others, more, strict=True)), place + further)
                weights[key] = weights.get(key, 0) + weight * other
    return weights


@dataclass
class StateGroup:
    """A distribution from the state search; `missing` is the probability of states that were not followed."""

    weights: dict[Values, int]
    total: int
    size: int
    missing: Fraction = Fraction(0)
    axis: int = 0
    is_infinite: bool = False

    def ranges(self) -> list[tuple[float, float]]:
        return [(min(values), max(values)) for values in zip(*self.weights, strict=True)]

    def weighted_states(self, _end: int) -> WeightedStates:
        return list(self.weights.items()), self.total

    @property
    def tail_key(self) -> tuple[float, ...]:
        return ()

    def tail_ranges(self, end: int) -> list[tuple[float, float]]:
        raise NotImplementedError

    @cached_property
    def mean_values(self) -> list[Fraction]:
        return [
            Fraction(sum(values[number] * weight for values, weight in self.weights.items()), self.total)
            for number in range(self.size)
        ]

    def means(self) -> list[Fraction]:
        return self.mean_values

    def class_moments(self) -> dict[Values, tuple[Fraction, Fraction]]:
        raise NotImplementedError


class UndecidedMachine(Automaton):
    """Every decision branches both ways. Only what can happen has a meaning here, not how likely it is."""

    def explore(self, place: DieState) -> Iterator[Branch]:
        parts = self.option_denominator(place)
        for branch in super().explore(place):
            ways = list(self.options(branch))
            for onward, earned in ways:
                yield Branch(branch.weight * parts // len(ways), branch.transition, onward, earned)

    def options(self, branch: Branch) -> Iterator[tuple[DieState | None, int]]:
        landing = branch.transition
        for onward in dict.fromkeys((branch.next_state, None if landing.may_stop else branch.next_state)):
            for earned in range(0 if landing.may_decline else branch.earned_count, branch.earned_count + 1):
                yield onward, earned

    def option_denominator(self, place: DieState) -> int:
        """A factor for the weights, so that each branch gets an integer."""
        return lcm(*(len(list(self.options(branch))) for branch in super().explore(place)))

    def sides(self, place: DieState) -> int:
        return super().sides(place) * self.option_denominator(place)

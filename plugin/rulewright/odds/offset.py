"""Two groups of dice without end that offset each other, as in `sum(plus) - sum(minus)`: exact chances of outcomes.

From some value on it does not matter if both grow alike; and where one is that small, growth of the other does not
matter. So what an outcome gains where the limit for both groups grows by 1 is a sum of chances of values next to the
limit, each times a constant, or a chance of the other group at most so far away. All of these follow linear
recurrences that are known, and so does their sum: what is gained without end is added up exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Any

from .budget import Budget
from .distribution import Solution
from .generating_function import recurrence_of_die
from .group import Group, Points
from .plan import Plan
from .pool import PoolGroup
from .recurrence import Recurrence, multiply, recurrence_of_products, recurrence_step, sum_row
from .settle import TailCase, find_end, follow_question

_CONSTANT: Recurrence = [Fraction(1), Fraction(-1)]
_SHIFT = "both"  # by how much both groups grow
AddUp = Callable[[Sequence[Points]], tuple[Sequence[int], int]]


def count_offset(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], add_up: AddUp, budget: Budget
) -> Solution | None:
    """The probability of each outcome; None if this is not the shape of the question."""
    pair = [number for number, group in enumerate(groups) if group.is_infinite]
    pools = [group for group in groups if isinstance(group, PoolGroup) and group.is_infinite]
    if len(pair) != 2 or len(pools) != 2 or plan.question.values:
        return None
    if not all(pool.sign > 0 and pool.family.is_linear() for pool in pools):
        return None
    begin = _Tails(plan, known, groups, pair).find_begin()
    if begin is None:
        return None
    step, rule = _find_rule(pools, budget)
    end = begin + step * (len(rule) - 1)
    listed = [group.points(end if number in pair else 0) for number, group in enumerate(groups)]

    def gain(*limits: range) -> list[Fraction]:
        """The chances of all outcomes where both groups are within limits."""
        points = list(listed)
        for number, pool, limit in zip(pair, pools, limits, strict=True):
            values, whole = listed[number]
            points[number] = [point for point in values if point[0][pool.axis] in limit], whole
        weights, whole = add_up(points)
        return [Fraction(weight, whole) for weight in weights]

    least = min(pool.least_end for pool in pools)
    chances = gain(range(least, begin), range(least, begin))
    rows = []
    for at in range(begin, end):
        first, second = gain(range(at, at + 1), range(least, at + 1)), gain(range(least, at), range(at, at + 1))
        rows.append([a + b for a, b in zip(first, second, strict=True)])
    for number, row in enumerate(zip(*rows, strict=True)):
        chances[number] += sum((sum_row(row[place::step], rule) for place in range(step)), Fraction(0))
    return Solution({(number,): chance for number, chance in enumerate(chances)}) if sum(chances) == 1 else None


class _Tails:
    """Where two groups begin to offset each other."""

    def __init__(self, plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], pair: Sequence[int]) -> None:
        self.plan, self.known, self.groups, self.pair = plan, known, groups, pair
        self.names = [plan.names[number] for number in plan.active]

    def case(self, number: int, low: float, high: float, moving: str = "") -> TailCase:
        """A group whose axis is within bounds; it moves by itself, or with the other group."""
        group, own = self.groups[number], self.names[number]
        variables = dict(zip(own, group.ranges(), strict=True))
        coordinates = {name: {name: 1} for name in own}
        if number in self.pair:
            axis = own[group.axis]  # type: ignore[attr-defined]
            variables[axis] = (low, high)
            if moving == _SHIFT:
                variables[_SHIFT], coordinates[axis] = (0, inf), {axis: 1, _SHIFT: 1}
        name = moving and (moving if moving == _SHIFT else axis)
        return TailCase(variables, coordinates, frozenset([name] if name else []))

    def stays(self, cases: Mapping[int, TailCase]) -> bool:
        others = [cases.get(number) or self.case(number, 0, 0) for number in range(len(self.groups))]
        return follow_question(self.plan, self.known, others).outcome_stays

    def find_begin(self) -> int | None:
        """The value from which on all that the limit gains follows the recurrences."""
        a, b = self.pair
        least = max(self.groups[number].least_end for number in self.pair)
        near = find_end(
            lambda end: self.stays({a: self.case(a, end, inf, _SHIFT), b: self.case(b, end, inf, _SHIFT)}), least, 0
        )
        if near is None:
            return None

        def is_far(end: int) -> bool:
            return all(
                self.stays(
                    {one: self.case(one, end, inf, "axis"), other: self.case(other, self.groups[other].least_end, near)}
                )
                for one, other in ((a, b), (b, a))
            )

        far = find_end(is_far, near, 0)
        if far is None:
            return None
        starts = []
        for number in self.pair:
            pool = self.groups[number]
            assert isinstance(pool, PoolGroup)
            starts.append(pool.least_end + sum(dice for _, dice in pool.starts) * pool.family.recurrence_order())
        return max(far, *starts) + far - near + 1


def _find_rule(pools: Sequence[PoolGroup], budget: Budget) -> tuple[int, Sequence[int]]:
    """What follows the chances of either group and their products, in steps."""
    first, second = (
        [(recurrence_of_die(pool.family, place, budget), times) for place, times in pool.starts] for pool in pools
    )
    step = lcm(*(recurrence_step(rule) for rule, _ in (*first, *second)))
    alone = [recurrence_of_products(own, [(_CONSTANT, 1)], step, budget) for own in (first, second)]
    return step, multiply(multiply(alone[0], alone[1]), recurrence_of_products(first, second, step, budget))

"""Pools of independent dice: the powers of the generating function of one die.

Sums with few values far apart are kept as they are, and doubled; others are packed into integers, which Python
multiplies fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, inf, lcm
from operator import add
from typing import Any

from ..play.automaton import DieState
from .budget import Budget
from .follow_up_dice import Family, Values
from .generating_function import DieSeries, expand_die
from .group import Group, Points
from .settle import TailCase

_Weights = dict[Values, int]  # by the exponent of the axis and the values of the other coordinates
_SPARSE = 16  # slots for each value that may occur, from which on a packed integer would be mostly empty
_NO_CUT = 2**60
_MOMENT_COST = 16  # of a pair of classes, whose chances and means are long fractions
_MOST_ROWS = 20_000  # combinations of classes
_PRODUCT_COST, _PRODUCT_GROWTH = 5e-6, 1.585  # steps of a product of long integers, by their bits


def raise_to_power(
    series: Sequence[int], times: int, cut: int, divisor: Sequence[tuple[int, int]] = ((0, 1),)
) -> list[int]:
    """A power in one pass. The series is N / D, where D is the divisor: with A = N·D and B = times·(N'·D - N·D'),
    k·a[0]·c[k] = sum over j of (b[j-1] - (k - j)·a[j])·c[k-j]."""
    if times == 1:
        return list(series[:cut])
    lead = next((place for place, part in enumerate(series) if part), 0)
    own, shift = series[lead:], lead * times
    length = min((len(own) - 1) * times + 1, cut - shift)
    if length < 1:
        return [0]
    joined: dict[int, tuple[int, int]] = {}
    for k in range(len(own)):
        if part := sum([share * own[k - back] for back, share in divisor if back <= k]):
            for back, share in divisor:
                a, b = joined.get(k + back, (0, 0))
                joined[k + back] = a + part * share, b + times * (k - back) * part * share
    first, *terms = [(j, a, b) for j, (a, b) in sorted(joined.items()) if a or b]
    coefficients = [own[0] ** times]
    for k in range(1, length):
        total = sum([(b - (k - j) * a) * coefficients[k - j] for j, a, b in terms if j <= k])
        coefficients.append(total // (k * first[1]))
    return [0] * shift + coefficients


class Powers:
    """The powers of the series of one die, up to an exponent of the axis.

    The series of each class (values of the other coordinates) is packed into one integer, a slot for each exponent: a
    pool is a sum over how many of its dice are of which class, of products of powers of these integers."""

    def __init__(self, die: DieSeries, cut: int, budget: Budget) -> None:
        self.die, self.cut, self.budget = die, cut, budget
        self.length = max(place for _, place in die.terms) + 1
        self.classes: dict[Values, dict[int, int]] = {}
        for (others, place), weight in die.terms.items():
            if place < cut:
                self.classes.setdefault(others, {})[place] = weight
        self.order = sorted(self.classes, key=lambda others: len(self.classes[others]))
        self.known: dict[int, _Weights] = {}
        self.most = self.width = 0  # dice, and bytes of a slot

    def weights(self, dice: int) -> _Weights:
        """The weights of a pool."""
        if dice not in self.known:
            self.known[dice] = self.compute(dice)
        return self.known[dice]

    def compute(self, dice: int) -> _Weights:
        cut, classes = min((self.length - 1) * dice + 1, self.cut), len(self.classes)
        bits = dice * self.die.base.bit_length() + cut * (self.die.growth - 1).bit_length() + 8
        dense = cut <= _SPARSE * len(self.die.terms) * dice
        if not self.order:
            return {}
        if classes == 1 and dense:
            self.budget.spend(cut * min(len(self.die.terms) / 4, self.die.width), bits)
            others, series = next(iter(self.classes.items()))
            length = max(series) + 1 if self.die.width == inf else self.cut
            row = raise_to_power([series.get(k, 0) for k in range(length)], dice, self.cut, self.die.divisor)
            values = tuple([value * dice for value in others])
            return {(k, *values): weight for k, weight in enumerate(row) if weight}
        rows = comb(dice + classes - 1, dice)
        if not dense or rows > _MOST_ROWS:
            return self.double(dice)
        self.budget.spend(2 * rows * cut, bits)
        self.budget.spend((rows + dice * classes) * _PRODUCT_COST * (cut * bits) ** _PRODUCT_GROWTH)
        if dice > self.most:
            self.most, self.width = dice, bits // 8 + 1
            self.mask = (1 << 8 * self.width * cut) - 1
            self.packed = [
                [1, sum(part << 8 * self.width * place for place, part in self.classes[others].items())]
                for others in self.order
            ]
            self.joined: dict[tuple[int, int], dict[Values, int]] = {}
        return self.unpack(self.join(0, dice))

    def double(self, dice: int) -> _Weights:
        """Sparse powers by doubling."""
        if dice == 1:
            return {(place, *others): weight for (others, place), weight in self.die.terms.items() if place < self.cut}
        half = self.weights(dice // 2)
        whole = convolve(half, half, self.cut, self.budget)
        return convolve(whole, self.weights(1), self.cut, self.budget) if dice % 2 else whole

    def power(self, number: int, times: int) -> int:
        """A power of the series of one class."""
        known, mask = self.packed[number], self.mask
        while len(known) <= times:
            known.append(known[-1] * known[1] & mask)
        return known[times]

    def join(self, number: int, dice: int) -> dict[Values, int]:
        """The series of a pool of dice of this class and those after it, by the values of the other coordinates."""
        others = self.order[number]
        if number == len(self.order) - 1:
            return {tuple([value * dice for value in others]): self.power(number, dice)}
        if (number, dice) not in self.joined:
            joined: dict[Values, int] = {}
            mask = self.mask
            for times in range(dice + 1):
                factor = comb(dice, times) * self.power(number, times)
                for values, series in self.join(number + 1, dice - times).items():
                    key = tuple([value + own * times for value, own in zip(values, others, strict=True)])
                    joined[key] = joined.get(key, 0) + (factor * series & mask)
            self.joined[number, dice] = joined
        return self.joined[number, dice]

    def unpack(self, joined: Mapping[Values, int]) -> _Weights:
        weights: _Weights = {}
        width, from_bytes = self.width, int.from_bytes
        for others, series in joined.items():
            digits = series.to_bytes((series.bit_length() + 7) // 8, "little")
            for place, at in enumerate(range(0, len(digits), width)):
                if weight := from_bytes(digits[at : at + width], "little"):
                    weights[(place, *others)] = weight
        return weights

    @cached_property
    def heights(self) -> list[int]:
        """What the weight of each place is multiplied by, to have one denominator for all."""
        heights = [1]
        for _ in range(self.cut - 1):
            heights.append(heights[-1] * self.die.growth)
        return heights[::-1]


def convolve(left: _Weights, right: _Weights, cut: int, budget: Budget) -> _Weights:
    """The convolution of two distributions up to a cut."""
    budget.spend(len(left) * len(right))
    weights: _Weights = {}
    for values, weight in left.items():
        for more, other in right.items():
            if values[0] + more[0] < cut:
                key = tuple(map(add, values, more))
                weights[key] = weights.get(key, 0) + weight * other
    return weights


@dataclass
class PoolGroup(Group):
    """Independent dice of one or more kinds, computed with generating functions."""

    budget: Budget
    family: Family
    starts: Sequence[tuple[DieState, int]]
    known_powers: dict[tuple[DieState, int], Powers] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.missing = Fraction(0)
        self.axis, self.sign = self.family.axis, self.family.sign
        ends = self.family.low[self.axis], self.family.high[self.axis]
        self.is_infinite = any(inf in (-ends[0][place], ends[1][place]) for place, _ in self.starts)
        self.least_end = sum(self.family.axis_low(place) * dice for place, dice in self.starts)

    @property
    def tail_key(self) -> tuple[Any, ...]:
        return "axis", self.axis, self.sign

    def ranges(self) -> list[tuple[float, float]]:
        return list(self.extent)

    @cached_property
    def extent(self) -> list[tuple[float, float]]:
        ends = zip(self.family.low, self.family.high, strict=True)
        return [tuple(sum(end[place] * dice for place, dice in self.starts) for end in pair) for pair in ends]  # type: ignore[misc]

    def tail_cases(self, names: Sequence[str], end: int, by_class: bool) -> list[TailCase]:
        ranges = self.ranges()
        ranges[self.axis] = (end, inf) if self.sign > 0 else (-inf, -end)
        moving = frozenset([names[self.axis]] if by_class else names)
        return [TailCase(dict(zip(names, ranges, strict=True)), {name: {name: 1} for name in names}, moving)]

    def points(self, end: int) -> Points:
        weights, whole = self.weights(end)
        self.budget.spend(len(weights))
        low, sign, axis = self.least_end, self.sign, self.axis
        if not low and not axis and sign > 0:
            return list(weights.items()), whole
        return [
            ((*others[:axis], sign * (low + place), *others[axis:]), weight)
            for (place, *others), weight in weights.items()
        ], whole

    def weights(self, end: int) -> tuple[_Weights, int]:
        """The weights before an end over a common denominator."""
        cut = max(end - self.least_end, 1) if self.is_infinite else _NO_CUT
        parts = [self.pool_weights(place, dice, cut) for place, dice in self.starts]
        weights, whole = parts[0]
        for more, weight in parts[1:]:
            weights, whole = convolve(weights, more, cut, self.budget), whole * weight
        return weights, whole

    def pool_weights(self, place: DieState, dice: int, cut: int) -> tuple[_Weights, int]:
        powers = self.known_powers.get((place, cut))
        if powers is None:
            powers = self.known_powers[place, cut] = Powers(
                expand_die(self.family, place, cut, self.budget), cut, self.budget
            )
        raw, whole = powers.weights(dice), powers.die.base**dice
        if powers.die.growth > 1:
            heights = powers.heights
            raw, whole = {key: weight * heights[key[0]] for key, weight in raw.items()}, whole * heights[0]
        return raw, whole

    def means(self) -> list[Fraction]:
        means = [self.family.mean(number) for number in range(len(self.family.low))]
        return [sum((mean[place] * dice for place, dice in self.starts), Fraction(0)) for mean in means]

    def has_classes(self) -> bool:
        return self.family.is_linear()

    def class_moments(self) -> Mapping[Values, tuple[Fraction, Fraction]]:
        """For the values of the coordinates other than the axis: probability, and mean of the axis times that."""
        return self.known_moments

    @cached_property
    def known_moments(self) -> Mapping[Values, tuple[Fraction, Fraction]]:
        parts = [pool_moments(self.family.marginals(place), dice, self.budget) for place, dice in self.starts]
        moments = parts[0]
        for more in parts[1:]:
            moments = _join_moments(moments, more, self.budget)
        return {values: (chance, self.sign * mean) for values, (chance, mean) in moments.items()}

    def closed_points(self, end: int, by_class: bool, with_means: bool, shift: int) -> Points:
        before, whole = self.points(end)
        if not self.is_infinite:
            return before, whole
        tail = self.tail_points((before, whole), self.sign * (end + shift), by_class, with_means)
        scale = lcm(*(share.denominator for _, share in tail)) if tail else 1
        scale //= gcd(scale, whole)
        scaled = [(values, weight * scale) for values, weight in before]
        return [*scaled, *((values, int(share * whole * scale)) for values, share in tail)], whole * scale

    def tail_points(self, before: Points, edge: int, by_class: bool, with_means: bool) -> list[tuple[Values, Fraction]]:
        """The tail as weighted points: with the same chance, and the same mean of everything that follows in a line."""
        points, whole = before
        if not by_class:
            base = [edge if place == self.axis else int(low) for place, (low, _) in enumerate(self.ranges())]
            chance = 1 - Fraction(sum(weight for _, weight in points), whole)
            if not with_means:
                return [(tuple(base), chance)]
            tail, left = [], chance
            for number, mean in enumerate(self.means()):
                listed = Fraction(sum(values[number] * weight for values, weight in points), whole)
                step = self.sign if number == self.axis else 1
                share = (mean - listed - chance * base[number]) * step
                moved = [value + step * (place == number) for place, value in enumerate(base)]
                tail.append((tuple(moved), share))
                left -= share
            return [*tail, (tuple(base), left)]
        counted_moments: dict[Values, tuple[int, int]] = {}
        for values, weight in points:
            others = (*values[: self.axis], *values[self.axis + 1 :])
            sums = counted_moments.get(others, (0, 0))
            counted_moments[others] = (sums[0] + weight, sums[1] + weight * values[self.axis])
        tail = []
        for others, (total, mean) in self.class_moments().items():
            counted, sum_before = counted_moments.get(others, (0, 0))
            chance, share = total - Fraction(counted, whole), Fraction(0)
            if with_means:
                share = (mean - Fraction(sum_before, whole) - chance * edge) * self.sign
            for step, part in ((0, chance - share), (self.sign, share)):
                if part:
                    tail.append(((*others[: self.axis], edge + step, *others[self.axis :]), part))
        return tail


def pool_moments(
    die: Mapping[Values, tuple[Fraction, Fraction]], dice: int, budget: Budget
) -> Mapping[Values, tuple[Fraction, Fraction]]:
    """Probability and mean of the classes of a pool, from those of one die."""
    if dice == 1:
        return die
    half = pool_moments(die, dice // 2, budget)
    whole = _join_moments(half, half, budget)
    return _join_moments(whole, die, budget) if dice % 2 else whole


def _join_moments(
    left: Mapping[Values, tuple[Fraction, Fraction]], right: Mapping[Values, tuple[Fraction, Fraction]], budget: Budget
) -> Mapping[Values, tuple[Fraction, Fraction]]:
    bits = max(number.denominator.bit_length() for one in (left, right) for number in next(iter(one.values())))
    budget.spend(_MOMENT_COST * len(left) * len(right), bits)
    moments: dict[Values, tuple[Fraction, Fraction]] = {}
    for values, (chance, mean) in left.items():
        for more, (other_chance, other_mean) in right.items():
            key = tuple(a + b for a, b in zip(values, more, strict=True))
            before = moments.get(key, (Fraction(0), Fraction(0)))
            moments[key] = (before[0] + chance * other_chance, before[1] + mean * other_chance + chance * other_mean)
    return moments

"""The coefficients of a family, one after the other along the axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import gcd, lcm, prod
from operator import mul
from typing import NamedTuple

from ..nodes import Place
from .family import DieSeries, Effect, Family, NotExact, Values
from .limits import MOST_DIGITS, TooMuch
from .series import root_multiple


@dataclass
class Chain:
    """The product of some series, known as far as its factors are."""

    factors: list[list[int]]
    partial: list[list[int]] = field(default_factory=list)

    def at(self, place: int) -> int:
        if not self.factors:
            return int(place == 0)
        left = self.factors[0]
        for number, right in enumerate(self.factors[1:]):
            if number == len(self.partial):
                self.partial.append([])
            known = self.partial[number]
            for k in range(len(known), place + 1):
                known.append(sum(map(mul, left[: k + 1], right[k::-1])))
            left = known
        value: int = left[place]
        return value


class Term(NamedTuple):
    """One effect, ready to be added up: its whole factor, its power of x, its shift among the other coordinates."""

    factor: int
    exponent: int
    shift: int
    chain: Chain


class Expansion:
    """All series of a family up to a cut."""

    def __init__(self, family: Family, cut: int) -> None:
        self.family, self.cut = family, cut
        self.order = self.arrange()
        self.base = self.bases()
        self.growth = self.find_growth()
        self.spans = [1 + max(int(family.high[n][p] - family.low[n][p]) for p in family.effects) for n in family.others]
        self.bits = (max(self.base.values()) * self.growth**cut).bit_length() + 1
        if cut * cut * self.bits > 16 * MOST_DIGITS:
            raise TooMuch
        self.strides = [self.bits * prod(self.spans[:number]) for number in range(len(self.spans))]
        self.coefficients: dict[Place, list[int]] = {place: [] for place in family.effects}
        self.expand()

    def arrange(self) -> list[Place]:
        """Places such that each comes after those it needs at the same power of x."""
        family, sorter = self.family, TopologicalSorter[Place]()
        for place, effects in family.effects.items():
            sorter.add(place)
            for effect in effects:
                if family.exponent(place, effect) == 0:
                    sorter.add(place, *(child for child, _ in effect.children))
        try:
            return list(sorter.static_order())
        except CycleError:
            raise NotExact from None

    def bases(self) -> dict[Place, int]:
        base = dict(self.family.size)
        for place in self.order:
            for effect in self.family.effects[place]:
                if self.family.exponent(place, effect) == 0:
                    base[place] = lcm(base[place], self.size(place, effect, base))
        return base

    def size(self, place: Place, effect: Effect, base: dict[Place, int]) -> int:
        """The denominator of an effect without any power of the growth."""
        children: int = prod(base[child] ** times for child, times in effect.children)
        return self.family.size[place] * children

    def find_growth(self) -> int:
        growth = 1
        for place, effects in self.family.effects.items():
            for effect in effects:
                exponent, size = self.family.exponent(place, effect), self.size(place, effect, self.base)
                if exponent:
                    growth = lcm(growth, root_multiple(size // gcd(size, self.base[place]), exponent))
        return growth

    def term(self, place: Place, effect: Effect) -> Term:
        exponent = self.family.exponent(place, effect)
        factor = effect.weight * self.base[place] * self.growth**exponent // self.size(place, effect, self.base)
        values = self.family.others_of(place, effect)
        shift = sum(map(mul, values, self.strides))
        chain = Chain([self.coefficients[child] for child, times in effect.children for _ in range(times)])
        return Term(factor, exponent, shift, chain)

    def expand(self) -> None:
        terms = {
            place: [self.term(place, effect) for effect in effects] for place, effects in self.family.effects.items()
        }
        for k in range(self.cut):
            for place in self.order:
                total = 0
                for term in terms[place]:
                    if k >= term.exponent:
                        total += term.factor * term.chain.at(k - term.exponent) << term.shift
                self.coefficients[place].append(total)

    def die(self, start: Place) -> DieSeries:
        family = self.family
        lows = [int(family.low[number][start]) for number in family.others]
        classes: dict[Values, list[int]] = {}
        mask = (1 << self.bits) - 1
        for values in product(*map(range, self.spans)):
            shift = sum(map(mul, values, self.strides))
            series = [part >> shift & mask for part in self.coefficients[start]]
            if any(series):
                classes[tuple(value + low for value, low in zip(values, lows, strict=True))] = trimmed(series)
        return DieSeries(classes, self.base[start], self.growth, family.axis_low(start))


def trimmed(series: list[int]) -> list[int]:
    while len(series) > 1 and not series[-1]:
        series = series[:-1]
    return series

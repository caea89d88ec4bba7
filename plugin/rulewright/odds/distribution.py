"""Chances and distributions as data: exact fractions, or the bounds they lie between."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple


class Chance(NamedTuple):
    """A chance as a fraction; where it has none, or none was found, the bounds it lies between."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> Fraction | None:
        return self.low if self.low is self.high or self.low == self.high else None  # mostly it is one object

    def __float__(self) -> float:
        return float((self.low + self.high) / 2 if self.exact is None else self.low)


BEYOND, BELOW, AROUND = "beyond", "below", "around"  # the values of a distribution that are not listed


class Spread(NamedTuple):
    """A distribution: values with their chances, and the chance of all others; `rest` says on which side these lie."""

    values: Mapping[Any, Fraction]
    beyond: Fraction
    unknown: Fraction
    rest: str = BEYOND

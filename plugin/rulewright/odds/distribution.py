"""Probabilities and distributions: exact fractions, or bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple


class Chance(NamedTuple):
    """A probability as a lower and an upper bound; the bounds are equal if it is exact.

    An estimate from some rolls proves nothing: its bounds are 0 and 1."""

    low: Fraction
    high: Fraction
    estimate: Fraction | None = None
    rolls: int = 0

    @property
    def exact(self) -> Fraction | None:
        if self.estimate is not None:
            return None
        return self.low if self.low is self.high or self.low == self.high else None  # usually both are the same object

    @property
    def likely(self) -> Fraction:
        """The one number that is shown: the exact chance, the estimate, or the middle of the bounds."""
        if self.estimate is not None:
            return self.estimate
        return self.low if self.low is self.high else (self.low + self.high) / 2

    def __float__(self) -> float:
        return float(self.likely)


TAIL_ABOVE, TAIL_BELOW, TAIL_ON_BOTH_SIDES = "beyond", "below", "around"  # where the tail of a distribution is


class Distribution(NamedTuple):
    """The distribution of a step: values with their probabilities, the probability of the tail, and what is unknown.

    The last field says on which side of the values the tail is."""

    values: Mapping[Any, Fraction]
    tail: Fraction
    unknown: Fraction
    tail_side: str = TAIL_ABOVE


@dataclass
class Solution:
    """Probabilities by key, where a key begins with the number of the outcome; an open tail; and what is unknown.

    The tail has values within `open_ends`, which are not listed one by one."""

    weights: dict[tuple[Any, ...], Fraction] = field(default_factory=dict)
    tail: Fraction = Fraction(0)
    open_ends: list[tuple[float, float]] = field(default_factory=list)
    unknown: Fraction = Fraction(0)

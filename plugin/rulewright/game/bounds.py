"""What is known of a value: a number between bounds, or one of some words.

A number is kept as an affine form, const + a·x + b·y …, over variables with bounds, as long as that is exact:
so `s - s` is 0 although s is open above. Where it is not, bounds remain. Words are sets of possible words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from .model import Table
from .rounding import Bound
from .tree import LARGEST

HUGE = 2**64  # beyond it a value cannot come back among the numbers that are allowed


@dataclass(frozen=True, slots=True)
class Range:
    """A number between two bounds; `terms` and `const` say how it depends on the variables, if known."""

    low: Bound
    high: Bound
    terms: Mapping[str, int] | None = field(default_factory=dict)
    const: int = 0

    @property
    def certain(self) -> bool:
        return self.low == self.high

    @property
    def truth(self) -> bool | None:
        if self.low > 0 or self.high < 0:
            return True
        return False if self.certain else None


Worth = Range | frozenset[str]
BOTH = Range(0, 1, None)
ANY = Range(-inf, inf, None)


@dataclass(frozen=True)
class Bounds:
    """The variables of an affine form with their bounds, and the values that names have."""

    variables: Mapping[str, tuple[Bound, Bound]]
    values: Mapping[str, Worth]
    tables: Mapping[str, Table] = field(default_factory=dict)

    def affine(self, const: int, terms: Mapping[str, int]) -> Range:
        terms = {name: times for name, times in terms.items() if times}
        if max(map(abs, (const, *terms.values()))) > HUGE:
            return ANY
        low: Bound = const
        high: Bound = const
        for name, times in terms.items():
            ends = [end * times for end in self.variables[name]]
            low, high = low + min(ends), high + max(ends)
        return Range(low, high, terms, const)

    def variable(self, name: str) -> Range:
        return self.affine(0, {name: 1})

    def with_value(self, name: str, worth: Worth) -> Bounds:
        return Bounds(self.variables, {**self.values, name: worth}, self.tables)


def exactly(value: Any) -> Worth:
    return frozenset((value,)) if isinstance(value, str) else Range(int(value), int(value), {}, int(value))


def between(low: Bound, high: Bound) -> Range:
    """A range of which only the bounds are known; beyond the largest number they are not told apart."""
    low = -inf if low < -LARGEST else min(low, LARGEST)
    high = inf if high > LARGEST else max(high, -LARGEST)
    return Range(low, high, None) if low != high else Range(low, high, {}, int(low))


def truth(value: bool) -> Range:
    return between(int(value), int(value))

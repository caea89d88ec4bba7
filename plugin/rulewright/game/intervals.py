"""Interval arithmetic: bounds of a formula whose variables are only known within bounds.

Values that are affine in the variables keep their coefficients, so that `a - a` is exactly 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from operator import ge, gt, le, lt
from typing import Any

from .formula import LARGEST, Node
from .model import Table
from .scope import column_of

Bound = float  # an int, or plus or minus infinity


def divide(way: str, over: int, under: int) -> int:
    """Divide and round: down and up towards minus and plus infinity, near with halves up."""
    if way == "down":
        return over // under
    if way == "up":
        return -(-over // under)
    return (2 * over + under) // (2 * under)


def divided(way: str, over: Bound, under: Bound) -> Bound:
    """The rounded quotient of two bounds, one or both of which may be infinite.

    A finite number divided by an infinite one approaches 0 from the side of its sign. For two infinite ones any
    limit will do, because the finite end of the divisors yields the outer bound."""
    if abs(under) == inf:
        positive = (over > 0) == (under > 0)
        if way == "down":
            return 0 if over == 0 or positive else -1
        return 1 if way == "up" and over != 0 and positive else 0
    if abs(over) == inf:
        return over if under > 0 else -over
    return divide(way, int(over), int(under))


HUGE = 2**64  # coefficients beyond this cannot cancel to an allowed number


@dataclass(frozen=True, slots=True)
class Range:
    """A number between two inclusive bounds; if `terms` is known, it equals their sum plus `const`."""

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
    """The environment of `evaluate`: bounds of the variables of affine forms, and the values of names."""

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
    """A range of which only the bounds are known; a bound beyond the largest allowed number becomes infinite."""
    low = -inf if low < -LARGEST else min(low, LARGEST)
    high = inf if high > LARGEST else max(high, -LARGEST)
    return Range(low, high, None) if low != high else Range(low, high, {}, int(low))


def truth(value: bool) -> Range:
    return between(int(value), int(value))


def evaluate(node: Node, bounds: Bounds) -> Worth:
    """The bounds of a formula, or the set of words that it can yield."""
    if node.op in ("number", "word"):
        return exactly(node.args[0])
    if node.op in ("name", "tally"):
        return bounds.values[node.args[0]]
    if node.op == "lookup":
        return cells(bounds.tables[node.args[0]], evaluate(node.args[1], bounds), node.args[2])
    if node.op == "if":
        return chosen(node, bounds)
    if node.op in ("=", "!="):
        return equal(node, bounds)
    values = [number(arg, bounds) for arg in node.args]
    return PLAIN[node.op](values) if node.op in PLAIN else AFFINE[node.op](values, bounds)


def number(node: Node, bounds: Bounds) -> Range:
    found = evaluate(node, bounds)
    return found if isinstance(found, Range) else ANY


def total(values: list[Range], bounds: Bounds) -> Range:
    if any(value.terms is None for value in values):
        return between(sum(value.low for value in values), sum(value.high for value in values))
    terms: dict[str, int] = {}
    for value in values:
        for name, times in (value.terms or {}).items():
            terms[name] = terms.get(name, 0) + times
    return bounds.affine(sum(value.const for value in values), terms)


def scaled(value: Range, times: int, bounds: Bounds) -> Range:
    if value.terms is None:
        ends = [product(value.low, times), product(value.high, times)]
        return between(min(ends), max(ends))
    return bounds.affine(value.const * times, {name: count * times for name, count in value.terms.items()})


def multiplied(values: list[Range], bounds: Bounds) -> Range:
    result = values[0]
    for value in values[1:]:
        if value.certain:
            result = scaled(result, int(value.low), bounds)
        elif result.certain:
            result = scaled(value, int(result.low), bounds)
        else:
            ends = [product(a, b) for a in (result.low, result.high) for b in (value.low, value.high)]
            result = between(min(ends), max(ends))
    return result


def product(left: Bound, right: Bound) -> Bound:
    return 0 if left == 0 or right == 0 else left * right


def difference(values: list[Range], bounds: Bounds) -> Range:
    return total([values[0], scaled(values[1], -1, bounds)], bounds)


def compared(holds: Callable[[Bound, Bound], bool], values: list[Range], bounds: Bounds) -> Range:
    """Compare a with b: decided if both ends of a - b agree."""
    gap = difference(values, bounds)
    ends = {holds(gap.low, 0), holds(gap.high, 0)}
    return BOTH if len(ends) == 2 else truth(ends.pop())


def equal(node: Node, bounds: Bounds) -> Range:
    left, right = (evaluate(arg, bounds) for arg in node.args)
    same: bool | None = None
    if isinstance(left, Range) and isinstance(right, Range):
        gap = difference([left, right], bounds)
        same = True if gap.low == gap.high == 0 else None if gap.low <= 0 <= gap.high else False
    elif isinstance(left, frozenset) and isinstance(right, frozenset):
        words = [{word.lower() for word in side} for side in (left, right)]
        same = False if not words[0] & words[1] else True if len(words[0] | words[1]) == 1 else None
    return BOTH if same is None else truth(same is (node.op == "="))


def extreme(sign: int, values: list[Range], bounds: Bounds) -> Range:
    """max for sign 1, min for sign -1; an operand that always wins keeps its coefficients."""
    result = values[0]
    for value in values[1:]:
        gap = scaled(difference([result, value], bounds), sign, bounds)
        if gap.high <= 0:
            result = value
        elif gap.low < 0:
            pick = max if sign > 0 else min
            result = between(pick(result.low, value.low), pick(result.high, value.high))
    return result


def absolute(values: list[Range], bounds: Bounds) -> Range:
    found = extreme(1, [values[0], scaled(values[0], -1, bounds)], bounds)
    return found if found.terms is not None else between(max(found.low, 0), found.high)


def joined(decides: bool, values: list[Range]) -> Range:
    """`and` and `or`: one operand that is `decides` settles the result."""
    truths = [value.truth for value in values]
    return truth(decides) if decides in truths else BOTH if None in truths else truth(not decides)


def negation(values: list[Range]) -> Range:
    found = values[0].truth
    return BOTH if found is None else truth(not found)


def rounded(way: str, values: list[Range]) -> Range:
    """A rounded division. Dividing by 0 is an error, so the divisors closest to 0 are 1 and -1."""
    over, under = values
    if under.certain and under.low == 1:
        return over
    divisors = [end for end in {under.low, under.high, -1, 1} if end and under.low <= end <= under.high]
    ends = [divided(way, end, divisor) for end in (over.low, over.high) for divisor in divisors]
    return between(min(ends), max(ends)) if ends else ANY


def chosen(node: Node, bounds: Bounds) -> Worth:
    truth = number(node.args[0], bounds).truth
    if truth is not None:
        return evaluate(node.args[1 if truth else 2], bounds)
    return either([evaluate(arg, bounds) for arg in node.args[1:]])


def either(found: list[Worth]) -> Worth:
    words = [value for value in found if isinstance(value, frozenset)]
    numbers = [value for value in found if isinstance(value, Range)]
    if words:
        return frozenset().union(*words) if not numbers else ANY
    if all(value == numbers[0] for value in numbers):
        return numbers[0]
    return between(min(value.low for value in numbers), max(value.high for value in numbers))


def cells(table: Table, row: Worth, column: str) -> Worth:
    """The cells of the rows that may match; of all rows if none does."""
    place = table.columns.index(column)
    if isinstance(row, frozenset):
        words = {word.lower() for word in row}
        fitting = [found[place] for name, found in table.rows.items() if name.lower() in words]
    else:
        fitting = [
            found[place]
            for low, high, found in table.ranges
            if (low is None or low <= row.high) and (high is None or row.low <= high)
        ]
    return any_of(set(fitting) or set(column_of(table, column)))


def any_of(found: set[int | str]) -> Worth:
    words = {cell for cell in found if isinstance(cell, str)}
    numbers = {cell for cell in found if isinstance(cell, int)}
    if words:
        return ANY if numbers else frozenset(words)
    return between(min(numbers), max(numbers))


PLAIN: dict[str, Callable[[list[Range]], Range]] = {
    "and": partial(joined, False),
    "or": partial(joined, True),
    "not": negation,
    "down": partial(rounded, "down"),
    "up": partial(rounded, "up"),
    "near": partial(rounded, "near"),
}
AFFINE: dict[str, Callable[[list[Range], Bounds], Range]] = {
    "+": total,
    "*": multiplied,
    "neg": lambda values, bounds: scaled(values[0], -1, bounds),
    "<": partial(compared, lt),
    "<=": partial(compared, le),
    ">": partial(compared, gt),
    ">=": partial(compared, ge),
    "min": partial(extreme, -1),
    "max": partial(extreme, 1),
    "abs": absolute,
}

"""Interval arithmetic: bounds of a formula whose variables are only known within bounds.

Values that are affine in the variables keep their coefficients, so that `a - a` is exactly 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from operator import ge, gt, le, lt
from typing import Any

from .core import CoreTable
from .formula import MAX_NUMBER, Node

_Endpoint = float  # an int, or plus or minus infinity


def divide_rounded(rounding: str, dividend: int, divisor: int) -> int:
    """Divide and round: down and up towards minus and plus infinity, near with halves up."""
    if rounding == "down":
        return dividend // divisor
    if rounding == "up":
        return -(-dividend // divisor)
    if rounding == "rest":
        return dividend - divisor * (dividend // divisor)
    return (2 * dividend + divisor) // (2 * divisor)


def divide_endpoints(rounding: str, dividend: _Endpoint, divisor: _Endpoint) -> _Endpoint:
    """The rounded quotient of two bounds, one or both of which may be infinite.

    A finite number divided by an infinite one approaches 0 from the side of its sign. For two infinite ones any
    limit will do, because the finite end of the divisors yields the outer bound."""
    if abs(divisor) == inf:
        positive = (dividend > 0) == (divisor > 0)
        if rounding == "down":
            return 0 if dividend == 0 or positive else -1
        return 1 if rounding == "up" and dividend != 0 and positive else 0
    if abs(dividend) == inf:
        return dividend if divisor > 0 else -dividend
    return divide_rounded(rounding, int(dividend), int(divisor))


_MAX_COEFFICIENT = 2**64  # coefficients beyond this cannot cancel to an allowed number


@dataclass(frozen=True, slots=True)
class Interval:
    """A number between two inclusive bounds; if `terms` is known, it equals their sum plus `const`."""

    low: _Endpoint
    high: _Endpoint
    terms: Mapping[str, int] | None = field(default_factory=dict)
    const: int = 0

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def truth(self) -> bool | None:
        if self.low > 0 or self.high < 0:
            return True
        return False if self.is_exact else None


ValueSet = Interval | frozenset[str]
EITHER_TRUTH = Interval(0, 1, None)
ANY_NUMBER = Interval(-inf, inf, None)


@dataclass(frozen=True)
class Bounds:
    """The environment of `evaluate`: bounds of the variables of affine forms, and the values of names."""

    variables: Mapping[str, tuple[_Endpoint, _Endpoint]]
    values: Mapping[str, ValueSet]
    tables: Mapping[str, CoreTable] = field(default_factory=dict)

    def evaluate_affine(self, const: int, terms: Mapping[str, int]) -> Interval:
        terms = {name: times for name, times in terms.items() if times}
        if max(map(abs, (const, *terms.values()))) > _MAX_COEFFICIENT:
            return ANY_NUMBER
        low: _Endpoint = const
        high: _Endpoint = const
        for name, times in terms.items():
            ends = [end * times for end in self.variables[name]]
            low, high = low + min(ends), high + max(ends)
        return Interval(low, high, terms, const)

    def variable_interval(self, name: str) -> Interval:
        return self.evaluate_affine(0, {name: 1})

    def with_value(self, name: str, value: ValueSet) -> Bounds:
        return Bounds(self.variables, {**self.values, name: value}, self.tables)


def exact_value(value: Any) -> ValueSet:
    return frozenset((value,)) if isinstance(value, str) else Interval(int(value), int(value), {}, int(value))


def interval_between(low: _Endpoint, high: _Endpoint) -> Interval:
    """A range of which only the bounds are known; a bound beyond the largest allowed number becomes infinite."""
    low = -inf if low < -MAX_NUMBER else min(low, MAX_NUMBER)
    high = inf if high > MAX_NUMBER else max(high, -MAX_NUMBER)
    return Interval(low, high, None) if low != high else Interval(low, high, {}, int(low))


def _truth_interval(value: bool) -> Interval:
    return interval_between(int(value), int(value))


def evaluate_bounds(node: Node, bounds: Bounds) -> ValueSet:
    """The bounds of a formula, or the set of words that it can yield."""
    if node.op in ("number", "word"):
        return exact_value(node.args[0])
    if node.op in ("name", "tally"):
        return bounds.values[node.args[0]]
    if node.op == "lookup":
        table, row, column = node.args
        if isinstance(column, Node):  # only in formulas that are not lowered
            row_cells = evaluate_bounds(row, bounds)
            known = bounds.tables[table]
            return join_values([look_up_cells(known, row_cells, own) for own in known.columns])
        return look_up_cells(bounds.tables[table], evaluate_bounds(row, bounds), column)
    if node.op == "if":
        return _evaluate_branches(node, bounds)
    if node.op in ("=", "!="):
        return _compare_equal(node, bounds)
    return apply_operation(node.op, [_evaluate_number(arg, bounds) for arg in node.args], bounds)


def apply_operation(op: str, values: list[Interval], bounds: Bounds) -> Interval:
    """The bounds of an operation on numbers within bounds; = and != are compared elsewhere, because of words."""
    return _NUMBER_OPS[op](values) if op in _NUMBER_OPS else _AFFINE_OPS[op](values, bounds)


def _evaluate_number(node: Node, bounds: Bounds) -> Interval:
    value = evaluate_bounds(node, bounds)
    return value if isinstance(value, Interval) else ANY_NUMBER


def _add_intervals(values: list[Interval], bounds: Bounds) -> Interval:
    if any(value.terms is None for value in values):
        return interval_between(sum(value.low for value in values), sum(value.high for value in values))
    terms: dict[str, int] = {}
    for value in values:
        for name, times in (value.terms or {}).items():
            terms[name] = terms.get(name, 0) + times
    return bounds.evaluate_affine(sum(value.const for value in values), terms)


def _scale_interval(value: Interval, times: int, bounds: Bounds) -> Interval:
    if value.terms is None:
        ends = [_multiply_endpoints(value.low, times), _multiply_endpoints(value.high, times)]
        return interval_between(min(ends), max(ends))
    return bounds.evaluate_affine(value.const * times, {name: count * times for name, count in value.terms.items()})


def _multiply_intervals(values: list[Interval], bounds: Bounds) -> Interval:
    result = values[0]
    for value in values[1:]:
        if value.is_exact:
            result = _scale_interval(result, int(value.low), bounds)
        elif result.is_exact:
            result = _scale_interval(value, int(result.low), bounds)
        else:
            ends = [_multiply_endpoints(a, b) for a in (result.low, result.high) for b in (value.low, value.high)]
            result = interval_between(min(ends), max(ends))
    return result


def _multiply_endpoints(left: _Endpoint, right: _Endpoint) -> _Endpoint:
    return 0 if left == 0 or right == 0 else left * right


def _subtract_intervals(values: list[Interval], bounds: Bounds) -> Interval:
    return _add_intervals([values[0], _scale_interval(values[1], -1, bounds)], bounds)


def _compare_intervals(
    holds: Callable[[_Endpoint, _Endpoint], bool], values: list[Interval], bounds: Bounds
) -> Interval:
    """Compare a with b: decided if both ends of a - b agree."""
    difference_interval = _subtract_intervals(values, bounds)
    ends = {holds(difference_interval.low, 0), holds(difference_interval.high, 0)}
    return EITHER_TRUTH if len(ends) == 2 else _truth_interval(ends.pop())


def _compare_equal(node: Node, bounds: Bounds) -> Interval:
    left, right = (evaluate_bounds(arg, bounds) for arg in node.args)
    same: bool | None = None
    if isinstance(left, Interval) and isinstance(right, Interval):
        difference_interval = _subtract_intervals([left, right], bounds)
        same = (
            True
            if difference_interval.low == difference_interval.high == 0
            else None
            if difference_interval.low <= 0 <= difference_interval.high
            else False
        )
    elif isinstance(left, frozenset) and isinstance(right, frozenset):
        words = [{word.lower() for word in side} for side in (left, right)]
        same = False if not words[0] & words[1] else True if len(words[0] | words[1]) == 1 else None
    return EITHER_TRUTH if same is None else _truth_interval(same is (node.op == "="))


def _min_max(sign: int, values: list[Interval], bounds: Bounds) -> Interval:
    """max for sign 1, min for sign -1; an operand that always wins keeps its coefficients."""
    result = values[0]
    for value in values[1:]:
        difference_interval = _scale_interval(_subtract_intervals([result, value], bounds), sign, bounds)
        if difference_interval.high <= 0:
            result = value
        elif difference_interval.low < 0:
            pick = max if sign > 0 else min
            result = interval_between(pick(result.low, value.low), pick(result.high, value.high))
    return result


def _absolute_value(values: list[Interval], bounds: Bounds) -> Interval:
    result = _min_max(1, [values[0], _scale_interval(values[0], -1, bounds)], bounds)
    return result if result.terms is not None else interval_between(max(result.low, 0), result.high)


def _combine_truths(decides: bool, values: list[Interval]) -> Interval:
    """`and` and `or`: one operand that is `decides` settles the result."""
    truths = [value.truth for value in values]
    return (
        _truth_interval(decides)
        if decides in truths
        else EITHER_TRUTH
        if None in truths
        else _truth_interval(not decides)
    )


def _negate_truth(values: list[Interval]) -> Interval:
    value_truth = values[0].truth
    return EITHER_TRUTH if value_truth is None else _truth_interval(not value_truth)


def _divide_intervals(rounding: str, values: list[Interval]) -> Interval:
    """A rounded division. Dividing by 0 is an error, so the divisors closest to 0 are 1 and -1."""
    dividends, divisor_range = values
    if divisor_range.is_exact and divisor_range.low == 1:
        return dividends
    divisors = [
        end
        for end in {divisor_range.low, divisor_range.high, -1, 1}
        if end and divisor_range.low <= end <= divisor_range.high
    ]
    ends = [divide_endpoints(rounding, end, divisor) for end in (dividends.low, dividends.high) for divisor in divisors]
    return interval_between(min(ends), max(ends)) if ends else ANY_NUMBER


def _find_rest(divisor: Interval) -> Interval:
    """The rest of a division: from 0 on for a positive divisor, up to 0 for a negative one."""
    return interval_between(min(divisor.low + 1, 0), max(divisor.high - 1, 0))


def _evaluate_branches(node: Node, bounds: Bounds) -> ValueSet:
    truth = _evaluate_number(node.args[0], bounds).truth
    if truth is not None:
        return evaluate_bounds(node.args[1 if truth else 2], bounds)
    return join_values([evaluate_bounds(arg, bounds) for arg in node.args[1:]])


def join_values(values: list[ValueSet]) -> ValueSet:
    words = [value for value in values if isinstance(value, frozenset)]
    numbers = [value for value in values if isinstance(value, Interval)]
    if words:
        return frozenset().union(*words) if not numbers else ANY_NUMBER
    if all(value == numbers[0] for value in numbers):
        return numbers[0]
    return interval_between(min(value.low for value in numbers), max(value.high for value in numbers))


def look_up_cells(table: CoreTable, row: ValueSet, column: str) -> ValueSet:
    """The cells of the rows that may match; of all rows if none does."""
    column_index = table.columns.index(column)
    if isinstance(row, frozenset):
        words = {word.lower() for word in row}
        matching_cells = [row_cells[column_index] for name, row_cells in table.rows.items() if name.lower() in words]
    else:
        matching_cells = [
            row_cells[column_index]
            for low, high, row_cells in table.ranges
            if (low is None or low <= row.high) and (high is None or row.low <= high)
        ]
    return _cell_values(set(matching_cells) or set(table.column_cells(column)))


def _cell_values(cell_set: set[int | str]) -> ValueSet:
    words = {cell for cell in cell_set if isinstance(cell, str)}
    numbers = {cell for cell in cell_set if isinstance(cell, int)}
    if words:
        return ANY_NUMBER if numbers else frozenset(words)
    return interval_between(min(numbers), max(numbers))


_NUMBER_OPS: dict[str, Callable[[list[Interval]], Interval]] = {
    "and": partial(_combine_truths, False),
    "or": partial(_combine_truths, True),
    "not": _negate_truth,
    "groups": lambda _values: Interval(0, inf, None),
    "down": partial(_divide_intervals, "down"),
    "up": partial(_divide_intervals, "up"),
    "near": partial(_divide_intervals, "near"),
    "rest": lambda values: _find_rest(values[1]),
}
_AFFINE_OPS: dict[str, Callable[[list[Interval], Bounds], Interval]] = {
    "+": _add_intervals,
    "*": _multiply_intervals,
    "neg": lambda values, bounds: _scale_interval(values[0], -1, bounds),
    "<": partial(_compare_intervals, lt),
    "<=": partial(_compare_intervals, le),
    ">": partial(_compare_intervals, gt),
    ">=": partial(_compare_intervals, ge),
    "min": partial(_min_max, -1),
    "max": partial(_min_max, 1),
    "abs": _absolute_value,
}

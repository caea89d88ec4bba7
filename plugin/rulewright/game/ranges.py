"""What a formula can yield when some of its values are only known to lie between bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import ge, gt, le, lt

from .bounds import ANY, BOTH, Bounds, Range, Worth, between, exactly, truth
from .model import Table
from .names import column_of
from .rounding import Bound, divided
from .tree import Node

__all__ = ["ANY", "BOTH", "Bounds", "Range", "Worth", "between", "evaluate", "exactly"]


def evaluate(node: Node, bounds: Bounds) -> Worth:
    """All that the formula can yield."""
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
    """A comparison of a with b looks at the ends of a - b."""
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
    """max for sign 1, min for sign -1: the greater one where that is certain."""
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
    """«and» is decided by one value that does not hold, «or» by one that does."""
    truths = [value.truth for value in values]
    return truth(decides) if decides in truths else BOTH if None in truths else truth(not decides)


def negation(values: list[Range]) -> Range:
    found = values[0].truth
    return BOTH if found is None else truth(not found)


def rounded(way: str, values: list[Range]) -> Range:
    """Nothing is divided by 0, so the smallest divisors are 1 and -1."""
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
    """What the rows that may be meant say; all rows where none is."""
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

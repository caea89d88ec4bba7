"""Numbers that dice without end leave open: what a die shows that is still rolled on when the walk stops counting.

An open number lies within bounds and, where it follows from the dice in a straight line, is a sum of multiples of
**excesses**: what lies beyond, of which only bounds and the mean are known. It is worked with as any other number.
Comparisons that its bounds decide are true of all that it may be; so chances stay exact, and means of straight lines
too. What its bounds do not decide ends the attempt: UndecidedError."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from ..game.core import CoreTable, Expression
from ..game.formula import Node
from ..game.intervals import evaluate_bounds
from ..play.table import pile_dice
from .budget import NotExactError
from .fold import DiceWriter


class UndecidedError(NotExactError):
    """A question depends on what an open number is."""


class Excess(NamedTuple):
    """What a die may show beyond what is counted: its bounds, and its mean if that is known."""

    name: str
    low: float
    high: float
    mean: Fraction | None


class Open:
    """An open number; `terms` has excesses with factors, or is None where only bounds are known."""

    __slots__ = ("const", "high", "key", "low", "terms")

    def __init__(self, low: float, high: float, const: int = 0, terms: Mapping[Excess, int] | None = None) -> None:
        self.low, self.high, self.const, self.terms = low, high, const, terms
        self.key = (low, high, const, None if terms is None else frozenset(terms.items()))

    def __eq__(self, other: object) -> bool:
        """Whether nothing tells these numbers apart; whether they are equal is what `is_same` asks."""
        return isinstance(other, Open) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Open):
            if self.terms is None:
                return between(self.low + other, self.high + other)
            return make_sum(self.const + int(other), self.terms)
        if self.terms is None or other.terms is None:
            return between(self.low + other.low, self.high + other.high)
        terms = dict(self.terms)
        for excess, times in other.terms.items():
            terms[excess] = terms.get(excess, 0) + times
        return make_sum(self.const + other.const, terms)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, Open):
            ends = [_times(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
            return between(min(ends), max(ends))
        if not other:
            return 0
        if self.terms is None:
            ends = [self.low * other, self.high * other]
            return between(min(ends), max(ends))
        return make_sum(self.const * int(other), {excess: times * int(other) for excess, times in self.terms.items()})

    __rmul__ = __mul__

    def __abs__(self) -> Any:
        return self if self.low >= 0 else -self if self.high <= 0 else between(0, max(-self.low, self.high))

    def __lt__(self, other: Any) -> bool:
        return _is_positive(other - self)

    def __gt__(self, other: Any) -> bool:
        return _is_positive(self - other)

    def __le__(self, other: Any) -> bool:
        return not _is_positive(self - other)

    def __ge__(self, other: Any) -> bool:
        return not _is_positive(other - self)

    def __bool__(self) -> bool:
        return not is_same(self, 0)


def make_sum(const: int, terms: Mapping[Excess, int]) -> Any:
    """A number and multiples of excesses."""
    own = {excess: times for excess, times in terms.items() if times}
    if not own:
        return const
    low: float = const
    high: float = const
    for excess, times in own.items():
        ends = sorted((excess.low * times, excess.high * times))
        low, high = low + ends[0], high + ends[1]
    return Open(low, high, const, own)


def between(low: float, high: float) -> Any:
    """A number of which only bounds are known."""
    return int(low) if low == high else Open(low, high)


def _times(left: float, right: float) -> float:
    return left * right if left and right else 0


def _is_positive(value: Any) -> bool:
    if not isinstance(value, Open):
        return bool(value > 0)
    if value.low <= 0 < value.high:
        raise UndecidedError
    return value.low > 0


def low_of(value: Any) -> Any:
    return value.low if isinstance(value, Open) else value


def high_of(value: Any) -> Any:
    return value.high if isinstance(value, Open) else value


def close_value(value: Any) -> Any:
    """A number that an open number may be."""
    ends = [int(end) for end in (low_of(value), high_of(value)) if abs(end) < inf] if isinstance(value, Open) else []
    return (ends or [0])[0] if isinstance(value, Open) else value


def rename(value: Any, name: str) -> Any:
    """The same of another die."""
    if not isinstance(value, Open) or not value.terms:
        return value
    terms = {excess._replace(name=name + excess.name): times for excess, times in value.terms.items()}
    return make_sum(value.const, terms)


def mean_of(value: Any) -> Fraction:
    """The mean of a number; that of one of which only bounds are known is not decided."""
    if not isinstance(value, Open):
        return Fraction(int(value))
    means = [excess.mean for excess in value.terms or {}]
    if value.terms is None or None in means:
        raise UndecidedError
    parts = (times * (excess.mean or Fraction(0)) for excess, times in value.terms.items())
    return sum(parts, Fraction(value.const))


def weigh(values: Iterable[tuple[Any, int]]) -> Fraction:
    """The sum of numbers times their weights."""
    plain, rest = 0, Fraction(0)
    for value, weight in values:
        if isinstance(value, Open):
            rest += mean_of(value) * weight
        else:
            plain += int(value) * weight
    return rest + plain


def is_same(left: Any, right: Any) -> bool:
    gap = left - right
    if not isinstance(gap, Open):
        return bool(gap == 0)
    if gap.low <= 0 <= gap.high:
        raise UndecidedError
    return False


def find_largest(values: Iterable[Any]) -> Any:
    """The largest number; of two that may be larger only bounds are known."""
    best, *others = values
    for value in others:
        gap = best - value
        if high_of(gap) <= 0:
            best = value
        elif low_of(gap) < 0:
            best = between(max(low_of(best), low_of(value)), max(high_of(best), high_of(value)))
    return best


def pick_largest(*values: Any) -> Any:
    return find_largest(values)


def pick_least(*values: Any) -> Any:
    return -find_largest(-value for value in values)


class OpenWriter(DiceWriter):
    """Writes formulas whose numbers may be open."""

    def __init__(self, bounds: Any, tables: Mapping[str, CoreTable]) -> None:
        super().__init__(bounds, tables)
        plain = dict(self.helpers)

        def inside(value: Any, formula: Expression) -> Any:
            return value if isinstance(value, Open) else plain["inside"](value, formula)

        def divide(rounding: str, dividend: Any, divisor: Any, formula: Expression) -> Any:
            if isinstance(divisor, Open):
                raise UndecidedError
            if not isinstance(dividend, Open) or not divisor:
                return plain["divide"](rounding, dividend, divisor, formula)
            if rounding == "rest":
                return between(min(divisor + 1, 0), max(divisor - 1, 0))
            over = dividend if divisor > 0 else -dividend
            ends = [
                end if abs(end) == inf else plain["divide"](rounding, end, abs(divisor), formula)
                for end in (over.low, over.high)
            ]
            return between(ends[0], ends[1])

        def cell(table: CoreTable, row: Any, column: int, formula: Expression) -> Any:
            if not isinstance(row, Open):
                return plain["cell"](table, row, column, formula)
            for low, high, cells in table.ranges:
                if (low is None or low <= row.low) and (high is None or row.high <= high):
                    return cells[column]
            raise UndecidedError

        self.helpers |= {"inside": inside, "divide": divide, "cell": cell}
        self.helpers |= {"same": is_same, "largest": pick_largest, "least": pick_least, "low": low_of, "high": high_of}

    @staticmethod
    def pile_dice(goal: Any, pile: Any, values: Iterable[Any]) -> tuple[int, ...]:
        dice = list(values)
        if any(isinstance(value, Open) for value in (*dice, goal)):
            raise UndecidedError
        return pile_dice(goal, pile, dice)

    @staticmethod
    def write_ends(code: str) -> tuple[str, str]:
        return f"low({code})", f"high({code})"

    def write_min_max(self, node: Node) -> str:
        name = "largest" if node.op == "max" else "least"
        return f"{name}({', '.join(map(self.write_value, node.args))})"

    def write_condition(self, node: Node) -> str:
        if node.op in ("=", "!=") and not any(
            isinstance(evaluate_bounds(arg, self.bounds), frozenset) for arg in node.args
        ):
            left, right = map(self.write_value, node.args)
            return f"({'not ' if node.op == '!=' else ''}same({left}, {right}))"
        return super().write_condition(node)

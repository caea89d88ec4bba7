"""Contests: the probability that one side has the higher value, with ties rolled again or decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from ..game.model import CONTEST_SIDES, Contest
from ..play.bound_rule import MissingInputError, RollError
from .group import PoolGroup
from .plan import Question
from .power_series import find_recurrence, infinite_sum
from .solve import Solution, Solver
from .tail import Cutoff

_Values = dict[int, Fraction]


@dataclass(frozen=True)
class _Side:
    """The distribution of the value that a side compares: values below `end`, then a tail with a linear recurrence.

    `tail` begins at `end`; `unknown` is the probability of values that neither of them contains."""

    values: _Values
    end: int
    tail: list[Fraction]
    coefficients: list[Fraction]
    unknown: Fraction

    @property
    def tail_probability(self) -> Fraction:
        return 1 - sum(self.values.values()) - self.unknown


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Probabilities that the first side has the higher, the same or the lower value, and how much is unknown."""

    more: Fraction
    equal: Fraction
    less: Fraction
    unknown: Fraction


def split_inputs_by_side(inputs: Mapping[str, object]) -> tuple[list[dict[str, object]], list[tuple[str, str]]]:
    """Splits inputs such as `first.die` and `second.die` by side; the second result is complaints."""
    sides: list[dict[str, object]] = [{}, {}]
    complaints = []
    for name, value in inputs.items():
        side, dot, own = name.partition(".")
        if not dot or side.lower() not in CONTEST_SIDES:
            plain = name.split(".")[-1]
            complaints.append((name, f"in a contest an input belongs to a side: write first.{plain} or second.{plain}"))
        else:
            sides[CONTEST_SIDES.index(side.lower())][own] = value
    return sides, complaints


def compare_sides(contest: Contest, solvers: Sequence[Solver]) -> _Comparison:
    """The probabilities that the first side has more than, as much as, and less than the second."""
    first, second = _align_tails(
        [_find_named_side(name, solver, contest.compare) for name, solver in zip(CONTEST_SIDES, solvers, strict=True)]
    )
    equal = _probability_of_equal(first, second.values, second)
    less = _probability_of_more(second, first)
    more = 1 - equal - less - first.unknown - second.unknown
    return _Comparison(max(more, Fraction(0)), equal, less, min(first.unknown + second.unknown, Fraction(1)))


def decide_winner(contest: Contest, comparison: _Comparison) -> dict[str, tuple[Fraction, Fraction]]:
    """Bounds for the chances of first, second and none, by the rule for ties of the contest."""
    more, equal, less, unknown = comparison.more, comparison.equal, comparison.less, comparison.unknown
    none = Fraction(0)
    if contest.ties == "again":
        if equal == 1:
            raise RollError("both sides always yield the same, so this contest would never end")
        more, less = more / (1 - equal), less / (1 - equal)
        unknown = unknown / (1 - equal)
    elif contest.ties == "first":
        more += equal
    elif contest.ties == "second":
        less += equal
    else:
        none = equal
    return {
        name: (low, min(low + unknown, Fraction(1)))
        for name, low in zip(("first", "second", "none"), (more, less, none), strict=True)
    }


def _find_named_side(name: str, solver: Solver, step: str) -> _Side:
    """The distribution of a side; an error about missing inputs names the side."""
    try:
        return _find_side(solver, step)
    except MissingInputError as error:
        raise MissingInputError([f"{name}.{own}" for own in error.names]) from None


def _find_side(solver: Solver, step: str) -> _Side:
    """The distribution of a side, from the cache if it is there."""
    known, setting = solver.cache.contest_sides, solver.setting
    key = (setting.program, step, tuple(setting.known.items()), solver.machine.eager, solver.policy)
    if key not in known:
        known[key] = _compute_side(solver, step)
    distribution: _Side = known[key]
    return distribution


def _compute_side(solver: Solver, step: str) -> _Side:
    """The distribution of a side: with a tail where it has a recurrence."""
    question = Question((), (solver.setting.program.formulas[step],))
    plan = solver.plan(question)
    groups, cutoff = solver.groups(plan)
    endless = [group for group in groups if group.is_infinite]
    single = endless[0] if len(endless) == 1 else None
    if cutoff is None or not isinstance(single, PoolGroup) or not single.family.is_linear():
        return _finite_side(solver.gather(question))
    growing = [tail_answer.values[0] for tail_answer in cutoff.answers if tail_answer.values[0].terms]
    axis = plan.coordinates[plan.active[groups.index(single)]][single.axis].name
    if not growing or not all(value.terms and value.terms.get(axis) == single.sign == 1 for value in growing):
        return _finite_side(solver.gather(question))
    box = {
        coordinate.name: ends
        for number, group in zip(plan.active, groups, strict=True)
        for coordinate, ends in zip(plan.coordinates[number], group.ranges(), strict=True)
    }
    spans = [
        sum(abs(times) * (box[name][1] - box[name][0]) for name, times in (value.terms or {}).items() if name != axis)
        for value in growing
    ]
    return _infinite_side(solver, question, cutoff, single, int(max(spans, default=0)))


def _finite_side(solution: Solution) -> _Side:
    """A side without a recurrence: a tail with varying values counts as unknown."""
    values = _with_constant_tail(solution)
    unknown = solution.unknown + sum((part.chance for part in solution.tail if part.constant is None), Fraction(0))
    return _Side(values, max(values, default=0) + 1, [], [], unknown)


def _sum_by_value(solution: Solution) -> _Values:
    values: _Values = {}
    for (_, value), weight in solution.weights.items():
        if isinstance(value, str):
            raise RollError("words cannot be compared in a contest")
        values[int(value)] = values.get(int(value), Fraction(0)) + weight
    return values


def _infinite_side(solver: Solver, question: Question, cutoff: Cutoff, group: PoolGroup, span: int) -> _Side:
    """A side with an infinite tail, expanded far enough to determine the recurrence of the tail.

    The order of the recurrence is at most `degree`; it holds from where the other dice (`span`) make no difference."""
    degree = sum(group.family.recurrence_order() * dice for _, dice in group.starts)
    length = 2 * degree + 2
    more = span + 2 * degree + length
    solution = solver.gather(question, cutoff.end + more)
    values = _with_constant_tail(solution)
    top = int(min(tail_answer.values[0].low for tail_answer in cutoff.answers if tail_answer.values[0].terms)) + more
    begin = top - length
    tail = [values.get(begin + place, Fraction(0)) for place in range(length)]
    rule = find_recurrence(tail)
    if rule is None:
        return _finite_side(solution)
    return _Side({value: share for value, share in values.items() if value < begin}, begin, tail, rule, Fraction(0))


def _with_constant_tail(solution: Solution) -> _Values:
    """All values with their probabilities, including the parts of the tail with a constant value."""
    values = _sum_by_value(solution)
    for part in solution.tail:
        if part.constant is not None:
            values[part.constant] = values.get(part.constant, Fraction(0)) + part.chance
    return values


def _align_tails(sides: list[_Side]) -> list[_Side]:
    """Extends the sides so that both tails begin at the same value; a finite side has an empty tail."""
    end = max(side.end for side in sides)
    return [_extend_side(side, end) for side in sides]


def _extend_side(side: _Side, end: int) -> _Side:
    if not side.coefficients:
        return _Side(side.values, end, [], [], side.unknown)
    row = _extend_by_recurrence(side.tail, side.coefficients, end - side.end + len(side.coefficients))
    more = {side.end + place: share for place, share in enumerate(row[: end - side.end])}
    return _Side({**side.values, **more}, end, row[end - side.end :], side.coefficients, side.unknown)


def _extend_by_recurrence(row: list[Fraction], rule: list[Fraction], length: int) -> list[Fraction]:
    row = list(row)
    while len(row) < length:
        row.append(-sum((rule[back] * row[-back] for back in range(1, len(rule))), Fraction(0)))
    return row


def _probability_of_equal(first: _Side, values: _Values, second: _Side) -> Fraction:
    """The probability that both sides have the same value."""
    within = sum((share * values.get(value, Fraction(0)) for value, share in first.values.items()), Fraction(0))
    return within + infinite_sum(first.tail, first.coefficients, second.tail, second.coefficients)


def _probability_of_more(first: _Side, second: _Side) -> Fraction:
    """The probability that the first side has the higher value."""
    order = sorted(second.values)
    below = dict(zip(order, accumulate(second.values[value] for value in order), strict=True))
    probability, at, below_value = Fraction(0), 0, Fraction(0)
    for value in sorted(first.values):
        while at < len(order) and order[at] < value:
            below_value = below[order[at]]
            at += 1
        probability += first.values[value] * below_value
    known = below[order[-1]] if order else Fraction(0)
    above = first.tail_probability if first.coefficients else Fraction(0)
    return probability + above * known + _probability_in_tails(first, second)


def _probability_in_tails(first: _Side, second: _Side) -> Fraction:
    """The probability that both values are in the tails and the first is higher."""
    if not first.coefficients or not second.coefficients:
        return Fraction(0)
    reaching = list(accumulate(second.tail[:-1], lambda left, share: left - share, initial=second.tail_probability))
    return first.tail_probability * second.tail_probability - infinite_sum(
        first.tail, first.coefficients, reaching, second.coefficients
    )

"""Contests: the probability that one side has the higher value, with ties rolled again or decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from ..game.model import SIDES, Contest
from ..play.bound_rule import Missing, Refused
from .group import PoolGroup
from .plan import Question
from .power_series import endless_sum, recurrence
from .solve import Found, Solver
from .tail import Settled

Values = dict[int, Fraction]


@dataclass(frozen=True)
class Side:
    """The distribution of the value that a side compares: values below `end`, then a tail with a linear recurrence.

    `tail` begins at `end`; `unknown` is the probability of values that neither of them contains."""

    values: Values
    end: int
    tail: list[Fraction]
    rule: list[Fraction]
    unknown: Fraction

    @property
    def beyond(self) -> Fraction:
        return 1 - sum(self.values.values()) - self.unknown


@dataclass(frozen=True, slots=True)
class Bounds:
    """Probabilities that the first side has the higher, the same or the lower value, and how much is unknown."""

    more: Fraction
    equal: Fraction
    less: Fraction
    unknown: Fraction


def split_inputs(inputs: Mapping[str, object]) -> tuple[list[dict[str, object]], list[tuple[str, str]]]:
    """Splits inputs such as `first.die` and `second.die` by side; the second result is complaints."""
    sides: list[dict[str, object]] = [{}, {}]
    complaints = []
    for name, value in inputs.items():
        side, dot, own = name.partition(".")
        if not dot or side.lower() not in SIDES:
            plain = name.split(".")[-1]
            complaints.append((name, f"in a contest an input belongs to a side: write first.{plain} or second.{plain}"))
        else:
            sides[SIDES.index(side.lower())][own] = value
    return sides, complaints


def compare(contest: Contest, solvers: Sequence[Solver]) -> Bounds:
    """The probabilities that the first side has more than, as much as, and less than the second."""
    first, second = level(
        [named_side(name, solver, contest.compare) for name, solver in zip(SIDES, solvers, strict=True)]
    )
    equal = dot(first, second.values, second)
    less = cross(second, first)
    more = 1 - equal - less - first.unknown - second.unknown
    return Bounds(max(more, Fraction(0)), equal, less, min(first.unknown + second.unknown, Fraction(1)))


def verdict(contest: Contest, found: Bounds) -> dict[str, tuple[Fraction, Fraction]]:
    """Bounds for the chances of first, second and none, by the rule for ties of the contest."""
    more, equal, less, unknown = found.more, found.equal, found.less, found.unknown
    none = Fraction(0)
    if contest.ties == "again":
        if equal == 1:
            raise Refused("both sides always yield the same, so this contest would never end")
        more, less = more / (1 - equal), less / (1 - equal)
        unknown = unknown / (1 - equal)
    elif contest.ties == "first":
        more += equal
    elif contest.ties == "second":
        less += equal
    else:
        none = equal
    return {
        name: (low, low + unknown) for name, low in zip(("first", "second", "none"), (more, less, none), strict=True)
    }


def named_side(name: str, solver: Solver, step: str) -> Side:
    """The distribution of a side; an error about missing inputs names the side."""
    try:
        return side(solver, step)
    except Missing as error:
        raise Missing([f"{name}.{own}" for own in error.names]) from None


def side(solver: Solver, step: str) -> Side:
    """The distribution of a side, from the cache if it is there."""
    known, setting = solver.memory.sides, solver.setting
    key = (setting.program, step, tuple(setting.known.items()), solver.machine.eager, solver.policy)
    if key not in known:
        known[key] = found_side(solver, step)
    found: Side = known[key]
    return found


def found_side(solver: Solver, step: str) -> Side:
    """The distribution of a side: with a tail where it has a recurrence."""
    question = Question((), (solver.setting.program.formulas[step],))
    plan = solver.plan(question)
    groups, settled = solver.groups(plan)
    endless = [group for group in groups if group.endless]
    single = endless[0] if len(endless) == 1 else None
    if settled is None or not isinstance(single, PoolGroup) or not single.family.linear():
        return closed(solver.gather(question))
    growing = [beyond.values[0] for beyond in settled.beyond if beyond.values[0].terms]
    axis = plan.coordinates[plan.active[groups.index(single)]][single.axis].name
    if not growing or not all(value.terms and value.terms.get(axis) == single.sign == 1 for value in growing):
        return closed(solver.gather(question))
    box = {
        one.name: ends
        for number, group in zip(plan.active, groups, strict=True)
        for one, ends in zip(plan.coordinates[number], group.ranges(), strict=True)
    }
    spans = [
        sum(abs(times) * (box[name][1] - box[name][0]) for name, times in (value.terms or {}).items() if name != axis)
        for value in growing
    ]
    return opened(solver, question, settled, single, int(max(spans, default=0)))


def closed(found: Found) -> Side:
    """A side without a recurrence: a tail with varying values counts as unknown."""
    values = with_fixed(found)
    unknown = found.unknown + sum((far.chance for far in found.beyond if far.fixed is None), Fraction(0))
    return Side(values, max(values, default=0) + 1, [], [], unknown)


def sums(found: Found) -> Values:
    values: Values = {}
    for (_, value), weight in found.weights.items():
        if isinstance(value, str):
            raise Refused("words cannot be compared in a contest")
        values[int(value)] = values.get(int(value), Fraction(0)) + weight
    return values


def opened(solver: Solver, question: Question, settled: Settled, group: PoolGroup, span: int) -> Side:
    """A side with an infinite tail, expanded far enough to determine the recurrence of the tail.

    The order of the recurrence is at most `degree`; it holds from where the other dice (`span`) make no difference."""
    degree = sum(group.family.degree() * dice for _, dice in group.starts)
    length = 2 * degree + 2
    more = span + 2 * degree + length
    found = solver.gather(question, settled.end + more)
    values = with_fixed(found)
    top = int(min(beyond.values[0].low for beyond in settled.beyond if beyond.values[0].terms)) + more
    begin = top - length
    tail = [values.get(begin + place, Fraction(0)) for place in range(length)]
    rule = recurrence(tail)
    if rule is None:
        return closed(found)
    return Side({value: share for value, share in values.items() if value < begin}, begin, tail, rule, Fraction(0))


def with_fixed(found: Found) -> Values:
    """All values with their probabilities, including the parts of the tail with a constant value."""
    values = sums(found)
    for far in found.beyond:
        if far.fixed is not None:
            values[far.fixed] = values.get(far.fixed, Fraction(0)) + far.chance
    return values


def level(sides: list[Side]) -> list[Side]:
    """Extends the sides so that both tails begin at the same value; a finite side has an empty tail."""
    end = max(one.end for one in sides)
    return [raised(one, end) for one in sides]


def raised(one: Side, end: int) -> Side:
    if not one.rule:
        return Side(one.values, end, [], [], one.unknown)
    row = extend(one.tail, one.rule, end - one.end + len(one.rule))
    more = {one.end + place: share for place, share in enumerate(row[: end - one.end])}
    return Side({**one.values, **more}, end, row[end - one.end :], one.rule, one.unknown)


def extend(row: list[Fraction], rule: list[Fraction], length: int) -> list[Fraction]:
    row = list(row)
    while len(row) < length:
        row.append(-sum((rule[back] * row[-back] for back in range(1, len(rule))), Fraction(0)))
    return row


def dot(first: Side, values: Values, second: Side) -> Fraction:
    """The probability that both sides have the same value."""
    found = sum((share * values.get(value, Fraction(0)) for value, share in first.values.items()), Fraction(0))
    return found + endless_sum(first.tail, first.rule, second.tail, second.rule)


def cross(first: Side, second: Side) -> Fraction:
    """The probability that the first side has the higher value."""
    order = sorted(second.values)
    below = dict(zip(order, accumulate(second.values[value] for value in order), strict=True))
    found, at, so_far = Fraction(0), 0, Fraction(0)
    for value in sorted(first.values):
        while at < len(order) and order[at] < value:
            so_far = below[order[at]]
            at += 1
        found += first.values[value] * so_far
    known = below[order[-1]] if order else Fraction(0)
    above = first.beyond if first.rule else Fraction(0)
    return found + above * known + tails(first, second)


def tails(first: Side, second: Side) -> Fraction:
    """The probability that both values are in the tails and the first is higher."""
    if not first.rule or not second.rule:
        return Fraction(0)
    reaching = list(accumulate(second.tail[:-1], lambda left, share: left - share, initial=second.beyond))
    return first.beyond * second.beyond - endless_sum(first.tail, first.rule, reaching, second.rule)

"""Contests: the probability that one side has the higher value, with ties rolled again or decided.

Values without end follow a linear recurrence from some value on, and so do the products of two of them: that gives the
sum of all products exactly, from as many of them as the recurrence is long."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm
from operator import sub
from typing import Any

from ..game.core import AIM, CoreContest, CoreRule
from ..game.model import CONTEST_SIDES, Rule
from ..play.bound_rule import MissingInputError, RollError
from .budget import FOR_LATER, BudgetError
from .generating_function import recurrence_of_die
from .plan import Question
from .pool import PoolGroup
from .recurrence import Recurrence, recurrence_of_products, recurrence_step, sum_row
from .solve import Solver

_Values = dict[int, Fraction]
_MOST_LEFT = Fraction(1, 10**12)  # of the values of a side without a recurrence
_FAR = 2**40 + 1


@dataclass(frozen=True)
class _Recurrence:
    """The recurrence of the values of a side from `begin` on: that of each die, and how many there are."""

    begin: int
    offset: int  # of the values from the dice
    dice: tuple[tuple[Recurrence, int], ...]


@dataclass(frozen=True)
class _Side:
    """The values of a side with their probabilities, all of those before an end; and what is unknown."""

    values: _Values
    unknown: Fraction


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


def find_side_aim(rule: CoreRule | Rule, inputs: dict[str, object], aim: str) -> str:
    """What a side chooses for; taken from its inputs, unless the rule has an input of that name."""
    return str(inputs.pop(AIM, aim)) if all(entry.name != AIM for entry in rule.inputs) else aim


def compare_sides(contest: CoreContest, solvers: Sequence[Solver]) -> _Comparison:
    """The probabilities that the first side has more than, as much as, and less than the second."""
    with solvers[0].budget.question():
        return _compare_sides(contest, solvers)


def _compare_sides(contest: CoreContest, solvers: Sequence[Solver]) -> _Comparison:
    named, budget = list(zip(CONTEST_SIDES, solvers, strict=True)), solvers[0].budget
    for name, solver in named:
        with _naming_side(name):
            solver.groups(solver.plan(_question(solver, contest.compare)))
    step, joint, length = 1, [1], 0
    try:
        with budget.keeping():
            rules = [_find_recurrence_of(name, solver, contest.compare) for name, solver in named]
            if rules[0] and rules[1]:
                step = lcm(*(recurrence_step(own) for rule in rules if rule for own, _ in rule.dice))
                joint = recurrence_of_products(rules[0].dice, rules[1].dice, step, budget)
                length = step * (len(joint) - 1)
        with budget.keeping(FOR_LATER * any(rules)):
            begin, (first, second) = _list_sides(contest.compare, solvers, rules, length)
    except BudgetError:
        begin, (first, second) = _list_sides(contest.compare, solvers, [None, None], 0)
        length = 0
    order = sorted(value for value in second.values if value < begin)
    upto = list(accumulate((second.values[value] for value in order), initial=Fraction(0)))
    equal = more = Fraction(0)
    for value, share in first.values.items():
        if value < begin:
            at = bisect_left(order, value)
            more += share * upto[at]
            equal += share * second.values.get(value, Fraction(0))
    tails = [
        1 - side.unknown - sum((share for value, share in side.values.items() if value < begin), Fraction(0))
        for side in (first, second)
    ]
    more += tails[0] * upto[-1]
    unknown = min(first.unknown + second.unknown, Fraction(1))
    if all(tails) and length:
        left = [first.values.get(begin + place, Fraction(0)) for place in range(length)]
        right = [second.values.get(begin + place, Fraction(0)) for place in range(length)]
        reaching = list(accumulate(right[:-1], sub, initial=tails[1]))  # the chance of that value or more
        equal += _sum_products(left, right, step, joint)
        more += tails[0] * tails[1] - _sum_products(left, reaching, step, joint)
    less = 1 - unknown - equal - more
    return _Comparison(max(more, Fraction(0)), equal, max(less, Fraction(0)), unknown)


def _sum_products(left: Sequence[Fraction], right: Sequence[Fraction], step: int, rule: Sequence[int]) -> Fraction:
    """The sum of all left[k]·right[k] without end; their products in steps follow the recurrence."""
    products = [a * b for a, b in zip(left, right, strict=True)]
    return sum((sum_row(products[place::step], rule) for place in range(step)), Fraction(0))


def decide_winner(contest: CoreContest, comparison: _Comparison) -> dict[str, tuple[Fraction, Fraction]]:
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


@contextmanager
def _naming_side(name: str) -> Iterator[None]:
    """A message about missing inputs names the side."""
    try:
        yield
    except MissingInputError as error:
        raise MissingInputError([f"{name}.{own}" for own in error.names]) from None


def _find_recurrence_of(name: str, solver: Solver, step: str) -> _Recurrence | None:
    """The recurrence of the values of a side; None if they end, or follow none that is known."""
    with _naming_side(name):
        groups, cutoff = solver.groups(solver.plan(_question(solver, step)))
    endless = [group for group in groups if group.is_infinite]
    single = endless[0] if len(endless) == 1 else None
    if cutoff is None or not cutoff.in_line or not isinstance(single, PoolGroup) or not single.family.is_linear():
        return None
    begin = _begin_of_growth(solver, step, cutoff.end)
    if begin is None or single.sign < 0:
        return None
    number, order = sum(times for _, times in single.starts), single.family.recurrence_order()
    spans = [high - low for group in groups if group is not single for low, high in group.ranges()]
    spans += [high - low for number, (low, high) in enumerate(single.ranges()) if number != single.axis]
    dice = tuple((recurrence_of_die(single.family, place, solver.budget), times) for place, times in single.starts)
    return _Recurrence(begin + int(sum(spans)) + number * order, begin - cutoff.end, dice)


def _question(solver: Solver, step: str) -> Question:
    return Question((), (solver.setting.program.formulas[step],))


def _begin_of_growth(solver: Solver, step: str, end: int) -> int | None:
    """The least value that grows in the tail; None if none does, or any grows by something other than 1."""
    plan = solver.plan(_question(solver, step))
    groups, cutoff = solver.groups(plan)
    assert cutoff
    listed = solver.list_before(end, plan, groups, None)
    near, following, far = (solver.tail_weights(listed, end, plan, groups, cutoff, shift) for shift in (0, 1, _FAR))
    constant = {key: min(share, far.get(key, Fraction(0))) for key, share in near.items()}
    if any(constant.values()) and not solver.has_one_line(plan, groups, cutoff):
        return None
    expected: dict[tuple[Any, ...], Fraction] = {key: share for key, share in constant.items() if share}
    growing = {key: share - constant[key] for key, share in near.items() if share != constant[key]}
    for (number, value), share in growing.items():
        if isinstance(value, str):
            return None
        expected[number, value + 1] = expected.get((number, value + 1), Fraction(0)) + share
    return min((int(value) for _, value in growing), default=None) if expected == following else None


def _list_sides(
    step: str, solvers: Sequence[Solver], rules: Sequence[_Recurrence | None], length: int
) -> tuple[int, list[_Side]]:
    """Both sides, with all values up to so many beyond the one from which on both follow their recurrences."""
    finite = {
        number: _list_side(solver, step, 0, None)
        for number, (solver, rule) in enumerate(zip(solvers, rules, strict=True))
        if rule is None
    }
    ends = [max(side.values, default=0) + 1 for side in finite.values()]
    begin = max([*ends, *(rule.begin for rule in rules if rule)])
    sides = [
        _list_side(solver, step, begin + length - rule.offset, rule) if rule else finite[number]
        for number, (solver, rule) in enumerate(zip(solvers, rules, strict=True))
    ]
    return begin, sides


def _list_side(solver: Solver, step: str, end: int, rule: _Recurrence | None) -> _Side:
    """The distribution of a side, from the cache if it is there; without a recurrence, all likely values."""
    known, setting = solver.cache.contest_sides, solver.setting
    key = (setting.program, step, tuple(setting.known.items()), solver.aims, end, rule is None)
    if key not in known:
        question = _question(solver, step)
        solution = solver.list_values(question, end) if rule else solver.list_most(question, _MOST_LEFT)
        values: _Values = {}
        for (_, value), weight in solution.weights.items():
            if isinstance(value, str):
                raise RollError("words cannot be compared in a contest")
            values[int(value)] = values.get(int(value), Fraction(0)) + weight
        known[key] = _Side(values, solution.unknown + (Fraction(0) if rule else solution.tail))
    side: _Side = known[key]
    return side

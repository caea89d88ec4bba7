"""Tails of infinite distributions: where they begin, their probability and their means.

In a tail each question has one outcome, and its values are linear in the coordinates. So its chances and means follow
from those of the whole distribution and of the states before it. Also adds up the weights of these states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game.formula import collect_names
from ..game.intervals import Bounds, Interval, exact_value
from ..play.automaton import Automaton, DieState
from ..play.bound_rule import BoundRule
from ..play.compiled_rule import CompiledRule, throw_formulas
from .generating_function import Family, NotExactError, Values
from .group import Group, PoolGroup, WeightedStates
from .plan import MOST_STATES, BudgetError, Coordinate, Plan
from .pool import Powers

if TYPE_CHECKING:
    from .ordered import OrderedGroup

_FAR_END = 2**44
_Box = list[list[tuple[float, float]]]


class _TailAnswer(NamedTuple):
    """The answer in the tail: outcome and values, for one class of states or for all."""

    others: Values | None
    outcome: int
    values: list[Interval]


class Cutoff(NamedTuple):
    """Where the tail begins, and the answers in it."""

    end: int
    answers: list[_TailAnswer]


def find_cutoff(plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], cache: OddsCache) -> Cutoff | None:
    """The nearest end from which every question has one answer; None if there is none."""
    endless = [number for number, group in enumerate(groups) if group.is_infinite]
    if not endless:
        return Cutoff(0, [])
    box = [group.ranges() for group in groups]
    key = (plan, plan.input_values(known), *(group.tail_key for group in groups))
    known_cutoffs = cache.cutoffs.setdefault(key, [])
    for larger, known_cutoff in known_cutoffs:  # an end for a larger box is valid for a smaller one
        if all(_contains_box(a, b) for a, b in zip(larger, box, strict=True)):
            return known_cutoff
    hint = cache.hints.get(plan, 0)
    cutoff = _find_common_cutoff(plan, known, groups, box, endless, hint) or _find_class_cutoff(
        plan, known, groups, box, endless, hint
    )
    if cutoff:
        cache.hints[plan] = cutoff.end
        known_cutoffs.append((box, cutoff))
    return cutoff


def _contains_box(larger: list[tuple[float, float]], smaller: list[tuple[float, float]]) -> bool:
    return all(a[0] <= b[0] and a[1] >= b[1] for a, b in zip(larger, smaller, strict=True))


def _find_common_cutoff(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], box: _Box, endless: list[int], hint: int
) -> Cutoff | None:
    """One answer for the whole tail, whichever axis it is on."""

    def look(end: int) -> _TailAnswer | None:
        answers = [_answer_in_box(plan, known, _crop_to_tail(groups, box, number, end), None) for number in endless]
        same = all(
            other and answers[0] and other.outcome == answers[0].outcome and _has_same_values(other, answers[0])
            for other in answers
        )
        return answers[0] if same else None

    return _search_cutoff(look, _lowest_end(groups, endless), hint)


def _find_class_cutoff(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], box: _Box, endless: list[int], hint: int
) -> Cutoff | None:
    """One answer for each class of the only infinite group."""
    group = groups[endless[0]]
    if len(endless) > 1 or not isinstance(group, PoolGroup):
        return None
    try:
        classes = list(group.class_moments())
    except NotExactError:
        return None
    cutoffs: list[Cutoff] = []
    for others in classes:

        def look(end: int, others: Values = others) -> _TailAnswer | None:
            return _answer_in_box(
                plan,
                known,
                _fix_coordinates(groups, _crop_to_tail(groups, box, endless[0], end), endless[0], others),
                others,
            )

        cutoff = _search_cutoff(look, _lowest_end(groups, endless), hint)
        if cutoff is None:
            return None
        cutoffs.append(cutoff)
    end = max(cutoff.end for cutoff in cutoffs)
    return Cutoff(end, [cutoff.answers[0] for cutoff in cutoffs])


def _lowest_end(groups: Sequence[Group], endless: list[int]) -> int:
    group = groups[endless[0]]
    return group.low if isinstance(group, PoolGroup) else 0


def _search_cutoff(answer_at: Callable[[int], _TailAnswer | None], least: int, hint: int) -> Cutoff | None:
    """The least end with an answer: first doubling from a guess, then bisection."""
    low, high = least, max(hint, least)
    answer_there = answer_at(high)
    if answer_there is None:
        if answer_at(_FAR_END) is None:
            return None
        step = 1
        while answer_there is None:
            low, high, step = high + 1, high + step, 2 * step
            answer_there = answer_at(high)
    while low < high:
        middle = high - 1 if high == hint else (low + high) // 2
        better = answer_at(middle)
        if better:
            high, answer_there = middle, better
        else:
            low = middle + 1
    return Cutoff(high, [answer_there])


def _crop_to_tail(groups: Sequence[Group], box: _Box, number: int, end: int) -> _Box:
    """The box with one axis restricted to the tail."""
    return [*box[:number], groups[number].tail_ranges(end), *box[number + 1 :]]


def _fix_coordinates(groups: Sequence[Group], box: _Box, number: int, others: Values) -> _Box:
    """The box with the other coordinates of one group set to single values."""
    axis = groups[number].axis
    ranges = [(float(value), float(value)) for value in others]
    ranges.insert(axis, box[number][axis])
    return [*box[:number], ranges, *box[number + 1 :]]


def _answer_in_box(plan: Plan, known: Mapping[str, Any], box: _Box, others: Values | None) -> _TailAnswer | None:
    """Outcome and values if they are the same throughout the box, or linear; otherwise None."""
    variables, exact = {}, {}
    for group, ranges in zip(plan.active, box, strict=True):
        for coordinate, (low, high) in zip(plan.coordinates[group], ranges, strict=True):
            if low == high:
                exact[coordinate.name] = exact_value(int(low))
            else:
                variables[coordinate.name] = (low, high)
    bounds = Bounds(variables, {**plan.bounds.values, **exact}, plan.bounds.tables)
    for name in variables:
        bounds = bounds.with_value(name, bounds.variable_interval(name))
    outcome, values = plan.evaluate_in_ranges(known, bounds)
    if outcome is None or not all(isinstance(value, Interval) and value.terms is not None for value in values):
        return None
    return _TailAnswer(others, outcome, values)


def move_cutoff(
    cutoff: Cutoff, end: int, plan: Plan, known: Mapping[str, Any], groups: Sequence[Group]
) -> Cutoff | None:
    """The same answers from a later end on, with the ranges that their values have there."""
    endless = [number for number, group in enumerate(groups) if group.is_infinite]
    box, answers = [group.ranges() for group in groups], []
    for tail_answer in cutoff.answers:
        others = tail_answer.others
        boxes = [_crop_to_tail(groups, box, number, end) for number in endless]
        if others is not None:
            boxes = [_fix_coordinates(groups, boxes[0], endless[0], others)]
        moved = [answer.values for cropped in boxes if (answer := _answer_in_box(plan, known, cropped, others))]
        if len(moved) < len(boxes):
            return None
        values = [
            replace(value, low=min(own.low for own in same), high=max(own.high for own in same))
            for value, *same in zip(tail_answer.values, *moved, strict=True)
        ]
        answers.append(tail_answer._replace(values=values))
    return Cutoff(end, answers)


def _has_same_values(first: _TailAnswer, other: _TailAnswer) -> bool:
    return all(a.terms == b.terms and a.const == b.const for a, b in zip(first.values, other.values, strict=True))


class OddsCache:
    """Cache of what questions about one rule have in common."""

    def __init__(self) -> None:
        self.plans: dict[tuple[Any, ...], Plan] = {}  # of questions that name formulas of their own
        self.families: dict[tuple[Any, ...], tuple[Family, dict[tuple[DieState, int], Powers]]] = {}
        self.dice_inputs: dict[CompiledRule, tuple[str, ...]] = {}
        self.cutoffs: dict[tuple[Any, ...], list[tuple[_Box, Cutoff]]] = {}
        self.hints: dict[Plan, int] = {}
        self.table_parts: dict[tuple[Any, ...], Any] = {}
        self.groups: dict[tuple[Any, ...], OrderedGroup] = {}
        self.contest_sides: dict[tuple[Any, ...], Any] = {}  # distributions of the sides of contests
        self.runs: dict[tuple[Any, ...], list[tuple[int, int]]] = {}

    def pool_group(self, plan: Plan, number: int, machine: Automaton) -> PoolGroup:
        """A group of a plan as a pool of independent dice."""
        starts = [(machine.initial_state(kind), machine.setting.kinds[kind].count) for kind in plan.groups[number]]
        thrown = [(place, dice) for place, dice in starts if dice]
        key = (plan, number, machine.eager, tuple(place for place, _ in thrown), self.dice_values(machine.setting))
        if key not in self.families:
            family = Family(machine, [place for place, _ in thrown], plan.coordinates[number])
            self.families[key] = (family, {})
        family, powers = self.families[key]
        return PoolGroup(family, thrown, powers)

    def ordered_group(self, machine: Automaton, kind: int, coordinates: Sequence[Coordinate]) -> OrderedGroup:
        """A pool of one kind as a group that depends on the order of its dice."""
        from .ordered import OrderedGroup  # most games only count their dice

        ready, compiled = machine.setting.kinds[kind], machine.setting.program
        key = (
            compiled,
            kind,
            tuple(coordinates),
            machine.eager,
            ready.count,
            ready.keep_count,
            self.dice_values(machine.setting),
        )
        if key not in self.groups:
            highest = not ready.kind.keep or ready.kind.keep.highest
            self.groups[key] = OrderedGroup(machine, kind, coordinates, ready.count, ready.keep_count, highest)
        self.groups[key].cost_in_bits = 0  # each question has a budget of its own
        return self.groups[key]

    def dice_values(self, setting: BoundRule) -> Sequence[Any]:
        """The values of the inputs that affect single dice, not how many of them there are."""
        compiled = setting.program
        if compiled not in self.dice_inputs:
            self.dice_inputs[compiled] = tuple(sorted(dice_names(compiled)))
        return tuple(setting.known.get(name) for name in self.dice_inputs[compiled])


def dice_names(compiled: CompiledRule) -> set[str]:
    """The names that the formulas of dice and rerolls use, other than the number of dice."""
    names: set[str] = set()
    for number, kind in enumerate(compiled.rule.dice):
        formulas = (
            [formula.node for formula in throw_formulas(kind).values()]
            + compiled.kinds[number].collect_throw_tests()
            + compiled.kinds[number].collect_value_tests()
        )
        for node in [*formulas, *([kind.sides.node] if kind.sides else [])]:
            names |= collect_names(node)
    for reroll in compiled.rule.rerolls:
        for formula in (reroll.times, reroll.when):
            names |= collect_names(formula.node) if formula else set()
    return names


_ZERO = Fraction(0)
_Means = list[list[Fraction]]  # by group and coordinate, each times the probability of its part


class TailPart(NamedTuple):
    """A part of the tail: probability, outcome, for each value the mean times that probability, and its bounds."""

    chance: Fraction
    outcome: int
    weighted_means: tuple[Fraction, ...] = ()
    bounds: tuple[tuple[float, float], ...] = ()

    @property
    def constant(self) -> int | None:
        """The first value if it is constant in this part."""
        low, high = self.bounds[0]
        return int(low) if low == high else None


def _counted_share(states: WeightedStates) -> Fraction:
    weights, whole = states
    return Fraction(sum(weight for _, weight in weights), whole)


def tail_chances(groups: Sequence[Group], cutoff: Cutoff, counted: dict[Values, Fraction]) -> Iterator[TailPart]:
    """The parts of the tail; `counted` has the probability of each class before the end."""
    first = cutoff.answers[0]
    if first.others is None:
        yield TailPart(1 - sum(counted.values(), _ZERO), first.outcome)
        return
    classes = next(group for group in groups if group.is_infinite).class_moments()
    for tail_answer in cutoff.answers:
        assert tail_answer.others is not None
        chance, _ = classes.get(tail_answer.others, (_ZERO, _ZERO))  # a larger pool may have more classes
        yield TailPart(chance - counted.get(tail_answer.others, _ZERO), tail_answer.outcome)


def tail_means(
    plan: Plan, groups: Sequence[Group], states: Sequence[WeightedStates], cutoff: Cutoff
) -> Iterator[TailPart]:
    """The parts of the tail with means: linear values need only the means of the coordinates."""
    for tail_answer in cutoff.answers:
        chance, means = _tail_means_of(groups, states, tail_answer)
        flat: dict[str, Fraction] = {}
        for number, part in zip(plan.active, means, strict=True):
            flat.update(zip((coordinate.name for coordinate in plan.coordinates[number]), part, strict=True))
        sums = [
            value.const * chance + sum((times * flat[name] for name, times in (value.terms or {}).items()), _ZERO)
            for value in tail_answer.values
        ]
        if chance:
            yield TailPart(
                chance, tail_answer.outcome, tuple(sums), tuple((value.low, value.high) for value in tail_answer.values)
            )


def _tail_means_of(
    groups: Sequence[Group], states: Sequence[WeightedStates], tail_answer: _TailAnswer
) -> tuple[Fraction, _Means]:
    if tail_answer.others is None:
        return _means_of_whole_tail(groups, states)
    number = next(number for number, group in enumerate(groups) if group.is_infinite)
    return _means_of_class(groups, states, number, tail_answer.others)


def _means_of_whole_tail(groups: Sequence[Group], states: Sequence[WeightedStates]) -> tuple[Fraction, _Means]:
    """The probability of the tail, and the mean of each coordinate in it times that probability."""
    shares = [_counted_share(group_states) for group_states in states]
    means = []
    for place, (group, group_states) in enumerate(zip(groups, states, strict=True)):
        rest = prod((part for other, part in enumerate(shares) if other != place), start=Fraction(1))
        means.append([mean - rest * _mean_of(group_states, number) for number, mean in enumerate(group.means())])
    return 1 - prod(shares, start=Fraction(1)), means


def _mean_of(states: WeightedStates, number: int) -> Fraction:
    weights, whole = states
    return Fraction(sum(values[number] * weight for values, weight in weights), whole)


def _means_of_class(
    groups: Sequence[Group], states: Sequence[WeightedStates], number: int, others: Values
) -> tuple[Fraction, _Means]:
    """The same for one class of the infinite group; the other groups are independent of it."""
    group, (weights, whole) = groups[number], states[number]
    chance, mean = group.class_moments().get(others, (_ZERO, _ZERO))
    axis = group.axis
    own = [(values, weight) for values, weight in weights if (*values[:axis], *values[axis + 1 :]) == others]
    chance -= _counted_share((own, whole))
    mean -= _mean_of((own, whole), axis)
    means = [
        [chance * mean_value for mean_value in other.means()] if place != number else []
        for place, other in enumerate(groups)
    ]
    means[number] = [chance * value for value in others]
    means[number].insert(axis, mean)
    return chance, means


_NEGLIGIBLE = Fraction(1, 10**15)
_Weights = dict[Values, list[int]]  # by class of the states, the weight of each outcome


def count_rows(
    plan: Plan, known: Mapping[str, Any], group: PoolGroup, end: int, cache: OddsCache
) -> tuple[_Weights, int]:
    """For a single pool: the outcome changes at few places along a row, and cumulative sums up to them are known."""
    rows, whole = group.rows(end)
    cut, size = group.axis_length(end), len(plan.question.conditions) + 1
    by_class: _Weights = {}
    for row in rows:
        weights = by_class.setdefault(row.others, [0] * size)
        before, sums, shift, factor = 0, row.sums, row.shift, row.factor
        for upto, outcome in outcome_runs(plan, known, group, row.others, cut, cache):
            if upto > shift:
                total = sums[upto - shift - 1]
                weights[outcome] += factor * (total - before)
                before = total
    return by_class, whole


def outcome_runs(
    plan: Plan, known: Mapping[str, Any], group: PoolGroup, others: Values, cut: int, cache: OddsCache
) -> list[tuple[int, int]]:
    """The outcomes along a row, run-length encoded: end and outcome of each run."""
    key = (plan, plan.input_values(known), others, group.low, group.sign, cut)
    known_runs = cache.runs.get(key)
    if known_runs is None:
        outcomes = plan.code.classify(known, [group.to_coordinates(others, place) for place in range(cut)])
        changes = [place for place in range(1, cut) if outcomes[place] != outcomes[place - 1]]
        known_runs = cache.runs[key] = [(place, outcomes[place - 1]) for place in (*changes, cut)]
    return known_runs


def count_states(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], end: int, cutoff: Cutoff | None
) -> tuple[_Weights, int]:
    """For any groups: every combination of their states, by class if the classes have different tails."""
    states = [group.weighted_states(end) for group in groups]
    whole = prod(weight for _, weight in states)
    lists = [weighted for weighted, _ in states]
    check_budget(lists)
    if not cutoff or not cutoff.answers or cutoff.answers[0].others is None:
        return {(): plan.code.count(known, lists)}, whole
    number = next(number for number, group in enumerate(groups) if group.is_infinite)
    axis = groups[number].axis
    parts: dict[Values, list[Any]] = {}
    for values, weight in lists[number]:
        parts.setdefault((*values[:axis], *values[axis + 1 :]), []).append((values, weight))
    ways = {others: [*lists[:number], part, *lists[number + 1 :]] for others, part in parts.items()}
    return {others: plan.code.count(known, way) for others, way in ways.items()}, whole


def check_budget(lists: Sequence[Sequence[Any]]) -> None:
    if prod(map(len, lists)) > MOST_STATES:
        raise BudgetError


def practical_end(groups: Sequence[Group]) -> int:
    """An end for distributions without a known tail: where hardly anything is left, or the budget is used up."""
    end = 16
    try:
        while end < 4096 and any(
            1 - _counted_share(group.weighted_states(end)) > _NEGLIGIBLE for group in groups if group.is_infinite
        ):
            end *= 2
    except BudgetError:
        return end // 2
    return end

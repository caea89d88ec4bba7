"""Tails of infinite distributions: where they begin, their probability and their means.

In a tail each question has one outcome, and its values are linear in the coordinates. So its chances and means follow
from those of the whole distribution and of the states before it. Also adds up the weights of these states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game.formula import names_in
from ..game.intervals import Bounds, Range, exactly
from ..play.automaton import Machine, Place
from ..play.bound_rule import Setting
from ..play.compiled_rule import Program, test_functions, throw_tests, value_tests
from .generating_function import Family, NotExact, Values
from .group import Group, PoolGroup, States
from .plan import MOST_STATES, Coordinate, Plan, TooMuch
from .pool import Powers

if TYPE_CHECKING:
    from .ordered import OrderedGroup

FAR = 2**44
Box = list[list[tuple[float, float]]]


class Beyond(NamedTuple):
    """The answer in the tail: outcome and values, for one class of states or for all."""

    others: Values | None
    outcome: int
    values: list[Range]


class Settled(NamedTuple):
    """Where the tail begins, and the answers in it."""

    end: int
    beyond: list[Beyond]


def settle(plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], memory: Memory) -> Settled | None:
    """The nearest end from which every question has one answer; None if there is none."""
    endless = [number for number, group in enumerate(groups) if group.endless]
    if not endless:
        return Settled(0, [])
    box = [group.ranges() for group in groups]
    key = (plan, plan.values(known), *(group.past for group in groups))
    remembered = memory.settled.setdefault(key, [])
    for larger, found in remembered:  # an end for a larger box is valid for a smaller one
        if all(covers(a, b) for a, b in zip(larger, box, strict=True)):
            return found
    hint = memory.hints.get(plan, 0)
    settled = settle_all(plan, known, groups, box, endless, hint) or settle_classes(
        plan, known, groups, box, endless, hint
    )
    if settled:
        memory.hints[plan] = settled.end
        remembered.append((box, settled))
    return settled


def covers(larger: list[tuple[float, float]], smaller: list[tuple[float, float]]) -> bool:
    return all(a[0] <= b[0] and a[1] >= b[1] for a, b in zip(larger, smaller, strict=True))


def settle_all(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], box: Box, endless: list[int], hint: int
) -> Settled | None:
    """One answer for the whole tail, whichever axis it is on."""

    def look(end: int) -> Beyond | None:
        found = [answer(plan, known, cropped(groups, box, number, end), None) for number in endless]
        same = all(one and found[0] and one.outcome == found[0].outcome and alike(one, found[0]) for one in found)
        return found[0] if same else None

    return nearest(look, start(groups, endless), hint)


def settle_classes(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], box: Box, endless: list[int], hint: int
) -> Settled | None:
    """One answer for each class of the only infinite group."""
    group = groups[endless[0]]
    if len(endless) > 1 or not isinstance(group, PoolGroup):
        return None
    try:
        classes = list(group.classes())
    except NotExact:
        return None
    found: list[Settled] = []
    for others in classes:

        def look(end: int, others: Values = others) -> Beyond | None:
            return answer(plan, known, fixed(groups, cropped(groups, box, endless[0], end), endless[0], others), others)

        one = nearest(look, start(groups, endless), hint)
        if one is None:
            return None
        found.append(one)
    end = max(one.end for one in found)
    return Settled(end, [one.beyond[0] for one in found])


def start(groups: Sequence[Group], endless: list[int]) -> int:
    group = groups[endless[0]]
    return group.low if isinstance(group, PoolGroup) else 0


def nearest(look: Callable[[int], Beyond | None], least: int, hint: int) -> Settled | None:
    """The least end with an answer: first doubling from a guess, then bisection."""
    low, high = least, max(hint, least)
    found = look(high)
    if found is None:
        if look(FAR) is None:
            return None
        step = 1
        while found is None:
            low, high, step = high + 1, high + step, 2 * step
            found = look(high)
    while low < high:
        middle = high - 1 if high == hint else (low + high) // 2
        better = look(middle)
        if better:
            high, found = middle, better
        else:
            low = middle + 1
    return Settled(high, [found])


def cropped(groups: Sequence[Group], box: Box, number: int, end: int) -> Box:
    """The box with one axis restricted to the tail."""
    return [*box[:number], groups[number].beyond(end), *box[number + 1 :]]


def fixed(groups: Sequence[Group], box: Box, number: int, others: Values) -> Box:
    """The box with the other coordinates of one group set to single values."""
    axis = groups[number].axis
    ranges = [(float(value), float(value)) for value in others]
    ranges.insert(axis, box[number][axis])
    return [*box[:number], ranges, *box[number + 1 :]]


def answer(plan: Plan, known: Mapping[str, Any], box: Box, others: Values | None) -> Beyond | None:
    """Outcome and values if they are the same throughout the box, or linear; otherwise None."""
    variables, exact = {}, {}
    for group, ranges in zip(plan.active, box, strict=True):
        for coordinate, (low, high) in zip(plan.coordinates[group], ranges, strict=True):
            if low == high:
                exact[coordinate.name] = exactly(int(low))
            else:
                variables[coordinate.name] = (low, high)
    bounds = Bounds(variables, {**plan.bounds.values, **exact}, plan.bounds.tables)
    for name in variables:
        bounds = bounds.with_value(name, bounds.variable(name))
    outcome, values = plan.outline(known, bounds)
    if outcome is None or not all(isinstance(value, Range) and value.terms is not None for value in values):
        return None
    return Beyond(others, outcome, values)


def alike(one: Beyond, other: Beyond) -> bool:
    return all(a.terms == b.terms and a.const == b.const for a, b in zip(one.values, other.values, strict=True))


class Memory:
    """Cache of what questions about one rule have in common."""

    def __init__(self) -> None:
        self.families: dict[tuple[Any, ...], tuple[Family, dict[tuple[Place, int], Powers]]] = {}
        self.names: dict[Program, tuple[str, ...]] = {}
        self.settled: dict[tuple[Any, ...], list[tuple[Box, Settled]]] = {}
        self.hints: dict[Plan, int] = {}
        self.parts: dict[tuple[Any, ...], Any] = {}
        self.groups: dict[tuple[Any, ...], OrderedGroup] = {}
        self.sides: dict[tuple[Any, ...], Any] = {}  # distributions of the sides of contests
        self.runs: dict[tuple[Any, ...], list[tuple[int, int]]] = {}

    def pool(self, plan: Plan, number: int, machine: Machine) -> PoolGroup:
        """A group of a plan as a pool of independent dice."""
        starts = [(machine.start(kind), machine.setting.kinds[kind].count) for kind in plan.groups[number]]
        thrown = [(place, dice) for place, dice in starts if dice]
        key = (plan, number, machine.eager, tuple(place for place, _ in thrown), self.values(machine.setting))
        if key not in self.families:
            family = Family(machine, [place for place, _ in thrown], plan.coordinates[number])
            self.families[key] = (family, {})
        family, powers = self.families[key]
        return PoolGroup(family, thrown, powers)

    def ordered(self, machine: Machine, kind: int, coordinates: Sequence[Coordinate]) -> OrderedGroup:
        """A pool of one kind as a group that depends on the order of its dice."""
        from .ordered import OrderedGroup  # most games only count their dice

        ready, made = machine.setting.kinds[kind], machine.setting.program
        key = (made, kind, tuple(coordinates), machine.eager, ready.count, ready.keep, self.values(machine.setting))
        if key not in self.groups:
            highest = not ready.kind.keep or ready.kind.keep.highest
            self.groups[key] = OrderedGroup(machine, kind, coordinates, ready.count, ready.keep, highest)
        self.groups[key].digits = 0  # each question has a budget of its own
        return self.groups[key]

    def values(self, setting: Setting) -> Sequence[Any]:
        """The values of the inputs that affect single dice, not how many of them there are."""
        made = setting.program
        if made not in self.names:
            self.names[made] = tuple(sorted(dice_names(made)))
        return tuple(setting.known.get(name) for name in self.names[made])


def dice_names(made: Program) -> set[str]:
    """The names that the formulas of dice and rerolls use, other than the number of dice."""
    names: set[str] = set()
    for number, kind in enumerate(made.rule.dice):
        formulas = (
            [formula.node for formula in test_functions(kind).values()]
            + throw_tests(made, number)
            + value_tests(made, number)
        )
        for node in [*formulas, *([kind.sides.node] if kind.sides else [])]:
            names |= names_in(node)
    for reroll in made.rule.rerolls:
        for formula in (reroll.times, reroll.when):
            names |= names_in(formula.node) if formula else set()
    return names


ZERO = Fraction(0)
Means = list[list[Fraction]]  # by group and coordinate, each times the probability of its part


class Far(NamedTuple):
    """A part of the tail: probability, outcome, for each value the mean times that probability, and its bounds."""

    chance: Fraction
    outcome: int
    sums: tuple[Fraction, ...] = ()
    bounds: tuple[tuple[float, float], ...] = ()

    @property
    def fixed(self) -> int | None:
        """The first value if it is constant in this part."""
        low, high = self.bounds[0]
        return int(low) if low == high else None


def share(states: States) -> Fraction:
    found, whole = states
    return Fraction(sum(weight for _, weight in found), whole)


def far_chances(groups: Sequence[Group], settled: Settled, counted: dict[Values, Fraction]) -> Iterator[Far]:
    """The parts of the tail; `counted` has the probability of each class before the end."""
    first = settled.beyond[0]
    if first.others is None:
        yield Far(1 - sum(counted.values(), ZERO), first.outcome)
        return
    classes = next(group for group in groups if group.endless).classes()
    for beyond in settled.beyond:
        assert beyond.others is not None
        chance, _ = classes.get(beyond.others, (ZERO, ZERO))  # a larger pool may have more classes
        yield Far(chance - counted.get(beyond.others, ZERO), beyond.outcome)


def far_values(plan: Plan, groups: Sequence[Group], states: Sequence[States], settled: Settled) -> Iterator[Far]:
    """The parts of the tail with means: linear values need only the means of the coordinates."""
    for beyond in settled.beyond:
        chance, means = means_of(groups, states, beyond)
        flat: dict[str, Fraction] = {}
        for number, part in zip(plan.active, means, strict=True):
            flat.update(zip((one.name for one in plan.coordinates[number]), part, strict=True))
        sums = [
            value.const * chance + sum((times * flat[name] for name, times in (value.terms or {}).items()), ZERO)
            for value in beyond.values
        ]
        if chance:
            yield Far(chance, beyond.outcome, tuple(sums), tuple((value.low, value.high) for value in beyond.values))


def means_of(groups: Sequence[Group], states: Sequence[States], beyond: Beyond) -> tuple[Fraction, Means]:
    if beyond.others is None:
        return means_of_all(groups, states)
    number = next(number for number, group in enumerate(groups) if group.endless)
    return means_of_class(groups, states, number, beyond.others)


def means_of_all(groups: Sequence[Group], states: Sequence[States]) -> tuple[Fraction, Means]:
    """The probability of the tail, and the mean of each coordinate in it times that probability."""
    shares = [share(one) for one in states]
    means = []
    for place, (group, one) in enumerate(zip(groups, states, strict=True)):
        rest = prod((part for other, part in enumerate(shares) if other != place), start=Fraction(1))
        means.append([mean - rest * mean_of(one, number) for number, mean in enumerate(group.means())])
    return 1 - prod(shares, start=Fraction(1)), means


def mean_of(states: States, number: int) -> Fraction:
    found, whole = states
    return Fraction(sum(values[number] * weight for values, weight in found), whole)


def means_of_class(
    groups: Sequence[Group], states: Sequence[States], number: int, others: Values
) -> tuple[Fraction, Means]:
    """The same for one class of the infinite group; the other groups are independent of it."""
    group, (found, whole) = groups[number], states[number]
    chance, mean = group.classes().get(others, (ZERO, ZERO))
    axis = group.axis
    own = [(values, weight) for values, weight in found if (*values[:axis], *values[axis + 1 :]) == others]
    chance -= share((own, whole))
    mean -= mean_of((own, whole), axis)
    means = [[chance * one for one in other.means()] if place != number else [] for place, other in enumerate(groups)]
    means[number] = [chance * value for value in others]
    means[number].insert(axis, mean)
    return chance, means


NEAR_ALL = Fraction(1, 10**15)
Weights = dict[Values, list[int]]  # by class of the states, the weight of each outcome


def count_rows(plan: Plan, known: Mapping[str, Any], group: PoolGroup, end: int, memory: Memory) -> tuple[Weights, int]:
    """For a single pool: the outcome changes at few places along a row, and cumulative sums up to them are known."""
    rows, whole = group.rows(end)
    cut, size = group.cut(end), len(plan.question.whens) + 1
    found: Weights = {}
    for row in rows:
        weights = found.setdefault(row.others, [0] * size)
        before, sums, shift, factor = 0, row.sums, row.shift, row.factor
        for upto, outcome in runs(plan, known, group, row.others, cut, memory):
            if upto > shift:
                total = sums[upto - shift - 1]
                weights[outcome] += factor * (total - before)
                before = total
    return found, whole


def runs(
    plan: Plan, known: Mapping[str, Any], group: PoolGroup, others: Values, cut: int, memory: Memory
) -> list[tuple[int, int]]:
    """The outcomes along a row, run-length encoded: end and outcome of each run."""
    key = (plan, plan.values(known), others, group.low, group.sign, cut)
    found = memory.runs.get(key)
    if found is None:
        outcomes = plan.code.classify(known, [group.placed(others, place) for place in range(cut)])
        changes = [place for place in range(1, cut) if outcomes[place] != outcomes[place - 1]]
        found = memory.runs[key] = [(place, outcomes[place - 1]) for place in (*changes, cut)]
    return found


def count_states(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], end: int, settled: Settled | None
) -> tuple[Weights, int]:
    """For any groups: every combination of their states, by class if the classes have different tails."""
    states = [group.states(end) for group in groups]
    whole = prod(weight for _, weight in states)
    lists = [found for found, _ in states]
    budget(lists)
    if not settled or not settled.beyond or settled.beyond[0].others is None:
        return {(): plan.code.count(known, lists)}, whole
    number = next(number for number, group in enumerate(groups) if group.endless)
    axis = groups[number].axis
    parts: dict[Values, list[Any]] = {}
    for values, weight in lists[number]:
        parts.setdefault((*values[:axis], *values[axis + 1 :]), []).append((values, weight))
    ways = {others: [*lists[:number], part, *lists[number + 1 :]] for others, part in parts.items()}
    return {others: plan.code.count(known, way) for others, way in ways.items()}, whole


def budget(lists: Sequence[Sequence[Any]]) -> None:
    if prod(map(len, lists)) > MOST_STATES:
        raise TooMuch


def far_enough(groups: Sequence[Group]) -> int:
    """An end for distributions without a known tail: where hardly anything is left."""
    end = 16
    while end < 4096 and any(1 - share(group.states(end)) > NEAR_ALL for group in groups if group.endless):
        end *= 2
    return end

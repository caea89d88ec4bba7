"""Solves questions about a bound rule: selects a method for each group of dice, then adds up their distributions.

Where dice without end stop to matter, their tails become points (settle.py); all that is left are finite sums, which
elimination.py adds up group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import comb, inf, prod
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..game.codegen import EvaluationError
from ..game.formula import Node
from ..play.automaton import Automaton
from ..play.bound_rule import BoundRule
from .aims import Aims
from .budget import FOR_LATER, BudgetError, NotExactError
from .cache import Cutoff, OddsCache
from .dice_groups import drops_dice, find_groups, needed_tallies, needs_state_search, needs_value, rolled_kinds
from .die_states import IndependentParts, RolledDice, RollState
from .distribution import Solution
from .elimination import Source, eliminate, face_sources
from .group import Group, Points, StateGroup
from .plan import Plan, Question
from .pool import PoolGroup
from .rerolls import Rerolls, make_turns
from .settle import SETTLED_VALUES, TailAnswer, TailCase, find_end, follow_question
from .state_search import MOST_MISSING, StateSearch

_NEGLIGIBLE = Fraction(1, 10**15)
_DECKS = "the odds of cards drawn from a deck are not worked out yet"
_WAVES = "the odds of dice that wait for other dice are not worked out yet"
_FOR_OFFSET = 1 / 3  # of the budget
_MANY_POOL_STATES = 20_000  # of a pool with several coordinates: from here on a walk over its faces is shorter


_FIRST_STEP, _LAST_STEP = 8, 2048  # how far the values of infinite dice are listed at first, and at most


_Asked = TypeVar("_Asked")
_P = ParamSpec("_P")


def _one_question(answer: Callable[Concatenate[Solver, _P], _Asked]) -> Callable[Concatenate[Solver, _P], _Asked]:
    """All that an answer costs comes from one budget."""

    def run(solver: Solver, /, *args: _P.args, **named: _P.kwargs) -> _Asked:
        with solver.budget.question():
            return answer(solver, *args, **named)

    return run


class Solver:
    """Answers questions about one bound rule, whose choices follow its aims."""

    def __init__(self, setting: BoundRule, aims: Aims, cache: OddsCache | None = None) -> None:
        if not setting.rule.is_one_wave:
            raise BudgetError(_WAVES)
        if any(kind.deck for kind in setting.rule.kinds):
            raise BudgetError(_DECKS)
        self.setting, self.aims, self.cache = setting, aims, cache or OddsCache()
        self.budget = self.cache.budget
        self.machine = Automaton(setting, aims.takes)
        self.kind_groups = find_groups(setting)
        self.rerolled: dict[tuple[int, frozenset[int], frozenset[int]], tuple[list[IndependentParts], int]] = {}
        self.searched: dict[tuple[Any, ...], StateGroup] = {}
        self.switches = tuple(
            (entry.name, setting.known[entry.name])
            for entry in setting.rule.inputs
            if entry.form in ("flag", "choice") and not entry.asked and entry.name in setting.known
        )

    def plan(self, question: Question) -> Plan:
        """The plan of a question: the rule keeps it if all formulas are its own, or they would pile up there."""
        program = self.setting.program
        is_own = program.own_formulas.issuperset((*question.conditions, *question.values))
        plans = self.setting.rule.cached(("plans",), dict[tuple[Any, ...], Plan]) if is_own else self.cache.plans
        key = (program, self.switches, question, self.kind_groups)
        if key not in plans:
            plans[key] = Plan(*key)
        self.setting.require(plans[key].inputs)
        return plans[key]

    def group(self, plan: Plan, number: int) -> Group:
        """The distribution of one group of dice, by the method that suits it."""
        if not any(self.setting.kinds[kind].count for kind in plan.groups[number]):
            nothing = tuple(0 for _ in plan.coordinates[number])
            return StateGroup({nothing: 1}, 1)
        return _ordered_or_searched_group(self, plan, number) or self.cache.pool_group(plan, number, self.machine)

    def dice_after_rerolls(
        self, number: int, tallies: frozenset[int], kinds: frozenset[int]
    ) -> tuple[list[IndependentParts], int]:
        """The distribution of the dice of some kinds after all rerolls, which several questions share."""
        key = (number, tallies, kinds)
        if key not in self.rerolled:
            search = StateSearch(self.machine, (), self.budget, tallies)
            self.rerolled[key] = Rerolls(search, make_score(self, number), sorted(kinds)).all_parts()
        return self.rerolled[key]

    def groups(self, plan: Plan) -> tuple[Sequence[Group], Cutoff | None]:
        """The groups that a plan needs, and where their tails begin; None if that cannot be known."""
        try:
            groups = [self.group(plan, number) for number in plan.active]
            return groups, self.find_cutoff(plan, groups)
        except NotExactError:
            return _search_groups(self, plan), None

    def find_cutoff(
        self, plan: Plan, groups: Sequence[Group], setting: BoundRule | None = None, found: Cutoff | None = None
    ) -> Cutoff | None:
        """The nearest end from which on nothing changes the outcome, for each group with a tail; or the one that was
        found for another setting, if it is far enough."""
        endless = [number for number, group in enumerate(groups) if group.is_infinite]
        if not endless:
            return None
        box, known = [group.ranges() for group in groups], (setting or self.setting).known
        key = (plan, plan.input_values(known), *(group.tail_key for group in groups))
        known_cutoffs = self.cache.cutoffs.setdefault(key, [])
        for larger, known_cutoff in known_cutoffs:  # an end for a larger box is valid for a smaller one
            if all(_contains_box(a, b) for a, b in zip(larger, box, strict=True)):
                return known_cutoff
        if found and all(self.is_settled(plan, known, groups, number, found) for number in endless):
            known_cutoffs.append((box, found))
            return found
        for in_line in (True, False) if plan.question.values else (False,):
            for by_class in (False, True):
                if by_class and not all(groups[number].has_classes() for number in endless):
                    continue
                ends = [self.find_end(plan, known, groups, number, by_class, in_line) for number in endless]
                if all(end is not None for end in ends):
                    cutoff = Cutoff(max(end for end in ends if end is not None), by_class, in_line)
                    self.cache.hints[plan] = cutoff.end
                    known_cutoffs.append((box, cutoff))
                    return cutoff
        return None

    def find_end(
        self, plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], number: int, by_class: bool, in_line: bool
    ) -> int | None:
        """The end from which on a group does not change the outcome, whatever the others do."""
        return find_end(
            lambda end: self.is_settled(plan, known, groups, number, Cutoff(end, by_class, in_line)),
            groups[number].least_end,
            self.cache.hints.get(plan, 0),
        )

    def is_settled(
        self, plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], number: int, cutoff: Cutoff
    ) -> bool:
        """Whether a group does not change the outcome from an end on, whatever the others do."""
        needed = SETTLED_VALUES[groups[number].has_lines] if cutoff.in_line else None
        return all(
            answer.outcome_stays and (needed is None or answer.follows <= needed)
            for answer in self.follow_tail(plan, known, groups, number, cutoff.end, cutoff.by_class)
        )

    def follow_tail(
        self, plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], number: int, end: int, by_class: bool
    ) -> Iterator[TailAnswer]:
        """What a question does in the tail of one group, case by case."""
        names = [plan.names[group] for group in plan.active]
        others = [
            TailCase(dict(zip(own, group.ranges(), strict=True)), {name: {name: 1} for name in own}, frozenset())
            for place, (own, group) in enumerate(zip(names, groups, strict=True))
            if place != number
        ]
        for case in groups[number].tail_cases(names[number], end, by_class):
            yield follow_question(plan, known, [*others, case])

    def add_up(self, plan: Plan, groups: Sequence[Group], points: Sequence[Points], gathering: bool) -> tuple[Any, int]:
        """The weights of all outcomes (or of outcomes with values), and the weight of everything."""
        sources, whole = self.make_sources(plan, groups, points), prod(weight for _, weight in points)
        return eliminate(plan, sources).run(self.setting.known, sources, gathering, self.budget), whole

    def make_sources(self, plan: Plan, groups: Sequence[Group], points: Sequence[Points]) -> list[Source]:
        sources = []
        for number, group, (values, _) in zip(plan.active, groups, points, strict=True):
            names = plan.names[number]
            ranges = dict(zip(names, group.ranges(), strict=True)) if len(groups) > 1 else {}
            sources.append(Source(names, values, ranges))
        return sources

    def add_up_faces(self, plan: Plan, groups: Sequence[Group], gathering: bool) -> tuple[Any, int] | None:
        """The same by a walk over the faces of a pool, if the question is about one with too many states."""
        group = groups[0] if len(groups) == 1 and len(plan.coordinates[plan.active[0]]) > 2 else None
        if not isinstance(group, PoolGroup) or group.is_infinite or len(group.starts) != 1:
            return None
        (place, dice), family = group.starts[0], group.family
        effects = family.effects[place]
        if any(effect.children for effect in effects):
            return None
        if comb(dice + len(effects) - 1, dice) < _MANY_POOL_STATES:
            return None
        names = [f"f{number}" for number in range(len(effects))]
        replaced = {}
        for number, coordinate in enumerate(plan.coordinates[plan.active[0]]):
            terms = [
                Node("tally", (name,)) if effect.adds[number] == 1 else
                Node("*", (Node("number", (effect.adds[number],)), Node("tally", (name,))))
                for name, effect in zip(names, effects, strict=True) if effect.adds[number]
            ]  # fmt: skip
            zero = Node("number", (0,))
            replaced[coordinate.name] = Node("+", tuple(terms)) if len(terms) > 1 else terms[0] if terms else zero
        sources = list(face_sources(dice, names, [effect.weight for effect in effects]))
        run = eliminate(plan, sources, replaced, tuple(effect.adds for effect in effects)).run
        return run(self.setting.known, sources, gathering, self.budget), family.size[place] ** dice

    @_one_question
    def count(self, question: Question) -> Solution:
        """The probability of each outcome; of infinite dice that exceed the budget, only of their likely values."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        if walked := self.add_up_faces(plan, groups, False):
            return _to_solution(*walked)
        is_infinite, end = any(group.is_infinite for group in groups), cutoff.end if cutoff else practical_end(groups)

        def compute(end: int) -> Solution:
            return _to_solution(*self.add_up(plan, groups, finite_points(groups, end), False))

        if is_infinite and not cutoff and (found := self.count_offset(plan, groups)):
            return found
        with suppress(BudgetError), self.budget.keeping(FOR_LATER * is_infinite):
            if not cutoff:
                return compute(end)
            return _to_solution(*self.add_up(plan, groups, closed_points(groups, end, cutoff, False), False))
        return self.within_budget(compute, end if is_infinite else 0)

    def count_offset(self, plan: Plan, groups: Sequence[Group]) -> Solution | None:
        """The same of two groups without end that offset each other; None if that is not so, or costs too much."""
        left = self.budget.left
        with suppress(BudgetError, NotExactError), self.budget.keeping(1 - _FOR_OFFSET):
            from .offset import count_offset  # few rules have such dice

            def add_up(points: Sequence[Points]) -> tuple[Any, int]:
                return self.add_up(plan, groups, points, False)

            return count_offset(plan, self.setting.known, groups, add_up, self.budget)
        self.budget.left = left
        return None

    def count_each(self, question: Question, settings: Sequence[BoundRule]) -> list[Solution] | None:
        """The same for settings that roll the same dice but ask something else; None if they have no points in common.

        One end is found for all of them."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        if any(group.missing for group in groups) or self.add_up_faces(plan, groups, False):
            return None
        for setting in settings if cutoff else ():
            other = self.find_cutoff(plan, groups, setting, cutoff)
            if other is None or cutoff is None:
                return None
            cutoff = Cutoff(max(cutoff.end, other.end), cutoff.by_class or other.by_class, False)
        if cutoff is None and any(group.is_infinite for group in groups):
            return None
        points = closed_points(groups, cutoff.end, cutoff, False) if cutoff else finite_points(groups, 0)
        sources = self.make_sources(plan, groups, points)
        whole, run = prod(weight for _, weight in points), eliminate(plan, sources).run
        solutions = []
        for setting in settings:
            self.budget.fill()
            solutions.append(_to_solution(run(setting.known, sources, False, self.budget), whole))
        return solutions

    @_one_question
    def mean(self, question: Question) -> Fraction | None:
        """The mean of the value of a question; None for words, or if it is not exact."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        found = self.add_up_faces(plan, groups, True)
        if not found:
            if any(group.missing for group in groups):
                return None
            if any(group.is_infinite for group in groups):
                if not cutoff or not cutoff.in_line:
                    return None
                found = self.add_up(plan, groups, closed_points(groups, cutoff.end, cutoff, True), True)
            else:
                found = self.add_up(plan, groups, finite_points(groups, 0), True)
        weights, whole = found
        if any(isinstance(value, str) for _, value in weights):
            return None
        return Fraction(sum(int(value) * weight for (_, value), weight in weights.items()), whole)

    @_one_question
    def list_values(self, question: Question, least: int = 0) -> Solution:
        """Probabilities by outcome and values, for all values of infinite dice before an end, and the tail."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        end = max(cutoff.end, least) if cutoff else practical_end(groups)
        return self.list_before(end, plan, groups, cutoff)

    @_one_question
    def list_most(self, question: Question, most_left: Fraction) -> Solution:
        """The same, with as many values of infinite dice as leave `most_left` or less for the tail and what is unknown.

        More is left if the budget does not allow it, or if dice earn dice without end."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        if walked := self.add_up_faces(plan, groups, True):
            return Solution({key: Fraction(weight, walked[1]) for key, weight in walked[0].items()})
        is_infinite, end = any(group.is_infinite for group in groups), cutoff.end if cutoff else practical_end(groups)
        try:
            with self.budget.keeping(FOR_LATER * is_infinite):
                solution = self.list_before(end, plan, groups, cutoff)
        except BudgetError:
            return self.within_budget(lambda end: self.list_before(end, plan, groups, None), end if is_infinite else 0)
        step = _FIRST_STEP
        with suppress(BudgetError):
            while solution.unknown + solution.tail > most_left and step < _LAST_STEP and is_infinite:
                solution = self.list_before(end + step, plan, groups, cutoff)
                step *= 2
        return solution

    def within_budget(self, compute: Callable[[int], Solution], end: int) -> Solution:
        """A solution with bounds: infinite dice are cut off nearer than at an end that costs too much.

        What fails has cost most of its price. So the nearest ends come first."""
        ends, found = [end], Solution(unknown=Fraction(1))
        while ends[-1] > 1:
            ends.append(ends[-1] * 3 // 4)
        with suppress(BudgetError):
            for near in reversed(ends[1:]):
                found = compute(near)
        if found.unknown > MOST_MISSING:
            raise BudgetError
        return found

    def list_before(self, end: int, plan: Plan, groups: Sequence[Group], cutoff: Cutoff | None) -> Solution:
        weights, whole = self.add_up(plan, groups, finite_points(groups, end), True)
        solution = Solution({key: Fraction(weight, whole) for key, weight in weights.items()})
        solution.unknown = 1 - sum(solution.weights.values(), Fraction(0))
        if solution.unknown and cutoff and not any(group.missing for group in groups):
            self.list_tail(solution, end, plan, groups, cutoff)
        return solution

    def list_tail(self, solution: Solution, end: int, plan: Plan, groups: Sequence[Group], cutoff: Cutoff) -> None:
        """Adds what has the same value throughout the tail, wherever its points are; the rest is open."""
        near = self.tail_weights(solution, end, plan, groups, cutoff, 0)  # far away only lines stay within the numbers
        try:
            far = self.tail_weights(solution, end, plan, groups, cutoff, 2**40 + 1) if cutoff.in_line else {}
        except EvaluationError:  # products of such values leave the numbers: nothing is known to be the same there
            far = {}
        is_line = cutoff.in_line and self.has_one_line(plan, groups, cutoff)
        answers = [] if is_line else self.answers_in_tails(plan, groups, cutoff, end)
        is_known = is_line or (cutoff.in_line and not any(answer.follows for answer in answers))
        for key, chance in near.items():
            constant = min(chance, far.get(key, Fraction(0))) if is_known else Fraction(0)
            solution.tail += chance - constant
            if constant:
                solution.weights[key] = solution.weights.get(key, Fraction(0)) + constant
        solution.unknown -= sum(near.values())  # what is left are states too unlikely to follow
        if not solution.tail:
            return
        if is_line and far:  # the points have the least values
            starts, ends = (
                [value for key, share in one.items() if share > other.get(key, 0) for value in key[1:]]
                for one, other in ((near, far), (far, near))
            )
            below = -inf if min(ends) < min(starts) else min(starts)
            solution.open_ends = [(below, inf if max(ends) > max(starts) else max(starts))]
        else:
            answers = answers or self.answers_in_tails(plan, groups, cutoff, end)
            solution.open_ends = [answer.values[0] for answer in answers if answer.follows or not cutoff.in_line]

    def has_one_line(self, plan: Plan, groups: Sequence[Group], cutoff: Cutoff) -> bool:
        """Whether only the axis of a group moves in its tail: then the points of tails show all that moves there."""
        lines = [len(plan.names[number]) for number, group in zip(plan.active, groups, strict=True) if group.has_lines]
        return cutoff.by_class or max(lines, default=1) == 1

    def answers_in_tails(self, plan: Plan, groups: Sequence[Group], cutoff: Cutoff, end: int) -> list[TailAnswer]:
        endless = [number for number, group in enumerate(groups) if group.is_infinite]
        known, by_class = self.setting.known, cutoff.by_class
        return [answer for one in endless for answer in self.follow_tail(plan, known, groups, one, end, by_class)]

    def tail_weights(
        self, solution: Solution, end: int, plan: Plan, groups: Sequence[Group], cutoff: Cutoff, shift: int
    ) -> dict[tuple[Any, ...], Fraction]:
        """The weights of the points of the tail: those of all points without those before the end."""
        weights, whole = self.add_up(plan, groups, closed_points(groups, end, cutoff, False, shift), True)
        shares = {key: Fraction(weight, whole) - solution.weights.get(key, 0) for key, weight in weights.items()}
        return {key: share for key, share in shares.items() if share}


def _to_solution(weights: Sequence[int], whole: int) -> Solution:
    """The probability of each outcome from their weights; what is missing from the whole is unknown."""
    missing = whole - sum(weights)
    chances: dict[tuple[Any, ...], Fraction] = {
        (number,): Fraction(weight, whole) for number, weight in enumerate(weights)
    }
    return Solution(chances, unknown=Fraction(missing, whole) if missing else Fraction(0))


def closed_points(groups: Sequence[Group], end: int, cutoff: Cutoff, with_means: bool, shift: int = 0) -> list[Points]:
    """The points of all groups, with those that replace tails; `shift` moves these on."""
    return [group.closed_points(end, cutoff.by_class, with_means, shift) for group in groups]


def finite_points(groups: Sequence[Group], end: int) -> list[Points]:
    return [group.points(end) for group in groups]


def practical_end(groups: Sequence[Group]) -> int:
    """An end for distributions without a known tail: where hardly anything is left, or the budget is used up."""
    end = 16
    try:
        while end < 4096:
            points = [group.points(end) for group in groups if group.is_infinite]
            if all(1 - Fraction(sum(weight for _, weight in own), whole) <= _NEGLIGIBLE for own, whole in points):
                break
            end *= 2
    except BudgetError:
        return end // 2
    return end


def _contains_box(larger: Sequence[tuple[float, float]], smaller: Sequence[tuple[float, float]]) -> bool:
    return all(a[0] <= b[0] and a[1] >= b[1] for a, b in zip(larger, smaller, strict=True))


def _search_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    """A group of dice by state search, which several questions share."""
    key = (number, *((coordinate.form, coordinate.extreme) for coordinate in plan.coordinates[number]))
    if key not in solver.searched:
        with solver.budget.keeping():  # a search without end takes all it gets
            solver.searched[key] = _search_new_group(solver, plan, number)
    return solver.searched[key]


def _search_new_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    """First all rerolls, if dice are picked for them, then all earned dice."""
    kinds, tallies = plan.groups[number], needed_tallies(plan, number)
    turns = list(make_turns(solver.setting, rolled_kinds(solver.setting, kinds)))
    if not any(turn.reroll.pick != "all" for turn in turns):
        return StateSearch(solver.machine, plan.coordinates[number], solver.budget, tallies).roll_kinds(kinds)
    choosing = any(turn.reroll.pick == "any" for turn in turns)
    followed_kinds = set(kinds) if choosing else {kind for turn in turns for kind in turn.kinds}
    tallies |= needed_tallies(_score_plan(solver), number) if choosing else frozenset()
    parts, whole = solver.dice_after_rerolls(number, tallies, frozenset(followed_kinds))
    search = StateSearch(solver.machine, plan.coordinates[number], solver.budget, tallies)
    return search.continue_from(parts, whole, [kind for kind in kinds if kind not in followed_kinds])


def _score_plan(solver: Solver) -> Plan:
    """The question that choices maximize."""
    goal = solver.aims.goal
    formulas = (goal.formula,) if goal.formula else ()
    return solver.plan(Question(formulas) if goal.what == "chance" else Question((), formulas))


def make_score(solver: Solver, number: int) -> Callable[[RolledDice], Fraction]:
    """A function for the expected result of given dice."""
    plan = _score_plan(solver)
    search = StateSearch(solver.machine, plan.coordinates[number], solver.budget)
    known: dict[RollState, Fraction] = {}

    def score(state: RolledDice) -> Fraction:
        table = search.to_state(state)
        if table not in known:
            known[table] = _expected_result(solver, plan, number, search.finish_states({table: 1}, 1))
        return known[table]

    return score


def _expected_result(solver: Solver, plan: Plan, number: int, group: StateGroup) -> Fraction:
    """The expected result of given dice. No other group has dice: a player who picks has seen all of them."""
    groups = [group if active == number else solver.group(plan, active) for active in plan.active]
    weights, whole = solver.add_up(plan, groups, [other.points(0) for other in groups], True)
    if solver.aims.goal.what == "chance":
        return Fraction(sum(weight for key, weight in weights.items() if key[0] == 0), whole)
    numbers = ((key[1], weight) for key, weight in weights.items() if len(key) > 1 and not isinstance(key[1], str))
    return Fraction(sum(int(value) * weight for value, weight in numbers), whole)


def _ordered_or_searched_group(solver: Solver, plan: Plan, number: int) -> Group | None:
    """A group that needs order statistics or a state search; None for a free pool."""
    setting, kinds = solver.setting, plan.groups[number]
    if needs_state_search(setting, kinds):
        return _search_group(solver, plan, number)
    ordered = any(coordinate.extreme for coordinate in plan.coordinates[number]) or any(
        drops_dice(setting, kind) or needs_value(setting, plan, kind) for kind in kinds
    )
    if not ordered:
        return None
    if len(kinds) == 1 and not setting.rule.kinds[kinds[0]].earned_kinds:
        if setting.kinds[kinds[0]].keep_count == 0:
            return StateGroup({(0,) * len(plan.coordinates[number]): 1}, 1)
        return solver.cache.ordered_group(solver.machine, kinds[0], plan.coordinates[number])
    return _search_group(solver, plan, number)


def _search_groups(solver: Solver, plan: Plan) -> list[Group]:
    """All groups of a plan by state search."""
    return [_search_group(solver, plan, number) for number in plan.active]

"""Solves questions about a bound rule: selects a method for each group of dice, then adds up their distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from ..game.codegen import EvaluationError
from ..play.automaton import Automaton
from ..play.bound_rule import BoundRule
from .die_states import IndependentParts, RolledDice, RollState
from .generating_function import NotExactError
from .group import Group, PoolGroup, StateGroup
from .plan import BudgetError, Groups, Plan, Question
from .rerolls import Rerolls, make_turns
from .state_search import MOST_MISSING, StateSearch
from .tail import (
    Cutoff,
    OddsCache,
    TailPart,
    check_budget,
    count_rows,
    count_states,
    find_cutoff,
    move_cutoff,
    practical_end,
    tail_chances,
    tail_means,
)


def _search_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    """A group of dice by state search: first all rerolls, if dice are picked for them, then all earned dice."""
    kinds, tallies = plan.groups[number], _needed_tallies(plan, number)
    turns = list(make_turns(solver.setting, _rolled_kinds(solver.setting, kinds)))
    if not any(turn.reroll.pick != "all" for turn in turns):
        return StateSearch(solver.machine, plan.coordinates[number], tallies).roll_kinds(kinds)
    choosing = any(turn.reroll.pick == "any" for turn in turns)
    followed_kinds = set(kinds) if choosing else {kind for turn in turns for kind in turn.kinds}
    tallies |= _needed_tallies(_score_plan(solver), number) if choosing else frozenset()
    parts, whole = solver.dice_after_rerolls(number, tallies, frozenset(followed_kinds))
    search = StateSearch(solver.machine, plan.coordinates[number], tallies)
    return search.continue_from(parts, whole, [kind for kind in kinds if kind not in followed_kinds])


def _rolled_kinds(setting: BoundRule, kinds: Sequence[int]) -> list[int]:
    """The kinds of which any dice are rolled, not counting earned dice."""
    return [kind for kind in kinds if setting.kinds[kind].count]


def _needed_tallies(plan: Plan, number: int) -> frozenset[int]:
    """The numbers of the tallies that a plan needs from a group of dice."""
    return frozenset(int(name[1:]) for coordinate in plan.coordinates[number] for name, _ in coordinate.form)


def _score_plan(solver: Solver) -> Plan:
    """The question that choices maximize: the mean of the last step, or the chance of the first outcome."""
    rule = solver.setting.rule
    if _maximizes_chance(solver) and rule.outcomes[0].when:
        return solver.plan(Question((rule.outcomes[0].when,)))
    return solver.plan(Question((), (rule.steps[-1].formula,)) if rule.steps else Question())


def _maximizes_chance(solver: Solver) -> bool:
    rule = solver.setting.rule
    return solver.policy == "best chance" and bool(rule.outcomes) and rule.outcomes[0].when is not None


def make_score(solver: Solver, number: int) -> Callable[[RolledDice], Fraction]:
    """A function for the expected result of given dice."""
    plan = _score_plan(solver)
    search = StateSearch(solver.machine, plan.coordinates[number])
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
    states = [other.weighted_states(0) for other in groups]
    weights = plan.code.gather(solver.setting.known, [states_of_group for states_of_group, _ in states])
    whole = prod(weight for _, weight in states)
    if _maximizes_chance(solver):
        return Fraction(sum(weight for key, weight in weights.items() if key[0] == 0), whole)
    numbers = ((key[1], weight) for key, weight in weights.items() if len(key) > 1 and not isinstance(key[1], str))
    return Fraction(sum(int(value) * weight for value, weight in numbers), whole)


def _ordered_or_searched_group(solver: Solver, plan: Plan, number: int) -> Group | None:
    """A group that needs order statistics or a state search; None for a free pool."""
    setting, kinds = solver.setting, plan.groups[number]
    if _needs_state_search(setting, kinds):
        return _search_group(solver, plan, number)
    ordered = any(coordinate.extreme for coordinate in plan.coordinates[number]) or any(
        _drops_dice(setting, kind) or _needs_value(setting, plan, kind) for kind in kinds
    )
    if not ordered:
        return None
    if len(kinds) == 1 and not setting.rule.dice[kinds[0]].again:
        if setting.kinds[kinds[0]].keep_count == 0:
            return StateGroup({(0,) * len(plan.coordinates[number]): 1}, 1, len(plan.coordinates[number]))
        return solver.cache.ordered_group(solver.machine, kinds[0], plan.coordinates[number])
    return _search_group(solver, plan, number)


def _drops_dice(setting: BoundRule, kind: int) -> bool:
    """Whether not all dice of a kind are kept. Dice that are earned may change how many there are."""
    ready, rule = setting.kinds[kind], setting.rule
    if ready.keep_count is None:
        return False
    is_earned = any(other.again and other.again.roll == rule.dice[kind].name for other in rule.dice)
    return is_earned or ready.keep_count < ready.count


def _search_groups(solver: Solver, plan: Plan) -> list[StateGroup]:
    """All groups of a plan by state search."""
    return [_search_group(solver, plan, number) for number in plan.active]


def _needs_state_search(setting: BoundRule, kinds: tuple[int, ...]) -> bool:
    """Whether a reroll picks among these dice, or applies to dice that explode."""
    for reroll in setting.rule.rerolls:
        own = [name for name in reroll.among if setting.rule.kind_indices[name] in kinds]
        explode = any(setting.rule.dice[setting.rule.kind_indices[name]].explode for name in own)
        if own and setting.evaluate(reroll.times) > 0 and (reroll.pick != "all" or explode):
            return True
    return False


def _needs_value(setting: BoundRule, plan: Plan, kind: int) -> bool:
    """Whether a question uses the value of a die that explodes."""
    if not setting.rule.dice[kind].explode:
        return False
    names = {name for coordinate in plan.coordinates[plan.group_of[kind]] for name, _ in coordinate.form}
    return any(
        setting.program.tallies[place].name in names for place in setting.program.kinds[kind].value_tally_indices
    )


_FIRST_STEP, _LAST_STEP = 8, 2048  # how far the values of infinite dice are listed at first, and at most


@dataclass
class Solution:
    """Probabilities by key, where a key begins with the number of the outcome; the tail; and what is unknown."""

    weights: dict[tuple[Any, ...], Fraction] = field(default_factory=dict)
    tail: list[TailPart] = field(default_factory=list)
    unknown: Fraction = Fraction(0)

    @property
    def left(self) -> Fraction:
        """What is not listed by value: the unknown, and the tail without its constant parts."""
        return self.unknown + sum((part.chance for part in self.tail if part.constant is None), Fraction(0))


class Solver:
    """Answers questions about one bound rule; optional dice are taken (eager) or not."""

    def __init__(self, setting: BoundRule, eager: bool, policy: str, cache: OddsCache | None = None) -> None:
        self.setting, self.policy, self.cache = setting, policy, cache or OddsCache()
        self.machine = Automaton(setting, eager)
        self.kind_groups = _find_groups(setting)
        self.rerolled: dict[tuple[int, frozenset[int], frozenset[int]], tuple[list[IndependentParts], int]] = {}
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
            return StateGroup({nothing: 1}, 1, len(nothing))
        return _ordered_or_searched_group(self, plan, number) or self.cache.pool_group(plan, number, self.machine)

    def dice_after_rerolls(
        self, number: int, tallies: frozenset[int], kinds: frozenset[int]
    ) -> tuple[list[IndependentParts], int]:
        """The distribution of the dice of some kinds after all rerolls, which several questions share."""
        key = (number, tallies, kinds)
        if key not in self.rerolled:
            search = StateSearch(self.machine, (), tallies)
            self.rerolled[key] = Rerolls(search, make_score(self, number), sorted(kinds)).all_parts()
        return self.rerolled[key]

    def groups(self, plan: Plan) -> tuple[Sequence[Group], Cutoff | None]:
        """The groups that a plan needs, and where infinite axes can be cut off."""
        try:
            groups = [self.group(plan, number) for number in plan.active]
            return groups, find_cutoff(plan, self.setting.known, groups, self.cache)
        except NotExactError:
            return _search_groups(self, plan), Cutoff(0, [])

    def count(self, question: Question) -> Solution:
        """The probability of each outcome; of infinite dice that exceed the budget, only of their likely values."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        end = cutoff.end if cutoff else practical_end(groups)
        return _compute_within_budget(self.count_before, end, plan, groups, cutoff)

    def count_before(self, end: int, plan: Plan, groups: Sequence[Group], cutoff: Cutoff | None) -> Solution:
        known, single = self.setting.known, groups[0] if len(groups) == 1 else None
        rows = None
        if isinstance(single, PoolGroup) and single.single_pool(end):
            with suppress(EvaluationError):  # perhaps only at a total that no dice have, between those that they have
                rows = count_rows(plan, known, single, end, self.cache)
        by_class, whole = rows or count_states(plan, known, groups, end, cutoff)
        columns = zip(*by_class.values(), strict=True)
        solution = Solution({(number,): Fraction(sum(column), whole) for number, column in enumerate(columns)})
        rest = 1 - sum(solution.weights.values(), Fraction(0))
        if rest and _is_tail_known(groups, cutoff):
            counted = {key: Fraction(sum(weights), whole) for key, weights in by_class.items()}
            solution.tail = list(tail_chances(groups, cutoff, counted)) if cutoff else []
        else:
            solution.unknown = rest
        return solution

    def gather(self, question: Question, least: int = 0) -> Solution:
        """Probabilities by outcome and values, with the means of the values in the tail."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        end = max(cutoff.end, least) if cutoff else practical_end(groups)
        return self.gather_before(end, plan, groups, cutoff)

    def gather_most(self, question: Question, most_left: Fraction) -> Solution:
        """The same, with as many values of infinite dice as leave `most_left` or less for the tail and what is unknown.

        More is left if the budget does not allow it, or if dice earn dice without end."""
        plan = self.plan(question)
        groups, cutoff = self.groups(plan)
        end = cutoff.end if cutoff else practical_end(groups)
        solution, step = _compute_within_budget(self.gather_before, end, plan, groups, cutoff), _FIRST_STEP
        with suppress(BudgetError):
            while solution.left > most_left and step < _LAST_STEP and any(group.is_infinite for group in groups):
                solution = self.gather_before(end + step, plan, groups, cutoff)
                step *= 2
        return solution

    def gather_before(self, end: int, plan: Plan, groups: Sequence[Group], cutoff: Cutoff | None) -> Solution:
        states = [group.weighted_states(end) for group in groups]
        check_budget([solution for solution, _ in states])
        whole = prod(weight for _, weight in states)
        weights = plan.code.gather(self.setting.known, [solution for solution, _ in states])
        solution = Solution({key: Fraction(weight, whole) for key, weight in weights.items()})
        solution.unknown = 1 - sum(solution.weights.values(), Fraction(0))
        if solution.unknown and cutoff and _is_tail_known(groups, cutoff):
            moved = move_cutoff(cutoff, end, plan, self.setting.known, groups)
            try:
                solution.tail = list(tail_means(plan, groups, states, moved or cutoff))
                solution.unknown = Fraction(0)
            except NotExactError:
                solution.tail = []
        return solution


def _compute_within_budget(
    compute: Callable[[int, Plan, Sequence[Group], Cutoff | None], Solution],
    end: int,
    plan: Plan,
    groups: Sequence[Group],
    cutoff: Cutoff | None,
) -> Solution:
    """A solution, or one with bounds: infinite dice are cut off at the farthest end that the budget allows."""
    try:
        return compute(end, plan, groups, cutoff)
    except BudgetError:
        while end > 1 and any(group.is_infinite for group in groups):
            end = end * 3 // 4
            with suppress(BudgetError):
                solution = compute(end, plan, groups, None)
                if solution.unknown <= MOST_MISSING:
                    return solution
                break
        raise


def _is_tail_known(groups: Sequence[Group], cutoff: Cutoff | None) -> bool:
    """Whether everything that was not counted is in a tail with a known outcome."""
    return bool(cutoff and cutoff.answers) and not any(group.missing for group in groups)


def _find_groups(setting: BoundRule) -> Groups:
    """Groups of kinds that depend on each other: through dice they earn, or rerolls over several kinds."""
    rule = setting.rule
    active = [reroll for reroll in rule.rerolls if reroll.pick != "all" and setting.evaluate(reroll.times) > 0]
    links = [{rule.kind_indices[kind.name], rule.kind_indices[kind.again.roll]} for kind in rule.dice if kind.again]
    links += [{rule.kind_indices[name] for name in reroll.among} for reroll in active]
    if any(reroll.pick == "any" for reroll in active):  # a player who picks a die has seen all of them
        links.append({ready.number for ready in setting.kinds if ready.count})
    groups: list[set[int]] = []
    for number in range(len(rule.dice)):
        joined = {number}.union(*(link for link in links if number in link))
        touching = [group for group in groups if group & joined]
        groups = [group for group in groups if not group & joined] + [joined.union(*touching)]
    return tuple(tuple(sorted(group)) for group in groups)

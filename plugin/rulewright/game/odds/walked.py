"""A group of dice by the slow road, and how good dice are that lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

from ..setting import Setting
from .choice import Rerolls
from .group import StateGroup
from .plan import Plan, Question
from .turns import make_turns
from .walk import Lying, Part, Table, Walk

if TYPE_CHECKING:
    from .solve import Solver


def walk_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    """A group of dice by the slow road: first all rerolls, if dice are picked for them, then all that is earned."""
    kinds, asked = plan.groups[number], tallies_of(plan, number)
    turns = list(make_turns(solver.setting, thrown(solver.setting, kinds)))
    if not any(turn.reroll.pick != "all" for turn in turns):
        return Walk(solver.machine, plan.coordinates[number], asked).thrown(kinds)
    choosing = any(turn.reroll.pick == "any" for turn in turns)
    seen = set(kinds) if choosing else {kind for turn in turns for kind in turn.kinds}
    asked |= tallies_of(score_plan(solver), number) if choosing else frozenset()
    parts, whole = rerolled(solver, number, asked, frozenset(seen))
    walk = Walk(solver.machine, plan.coordinates[number], asked)
    return walk.lying(parts, whole, [kind for kind in kinds if kind not in seen])


@lru_cache(maxsize=4)  # several questions to one setting
def rerolled(solver: Solver, number: int, asked: frozenset[int], kinds: frozenset[int]) -> tuple[list[Part], int]:
    """How the dice of some kinds lie once all rerolls are behind them."""
    walk = Walk(solver.machine, (), asked)
    return Rerolls(walk, scorer(solver, number), sorted(kinds)).all()


def thrown(setting: Setting, kinds: Sequence[int]) -> list[int]:
    """The kinds of which there are dice at all before any is earned."""
    return [kind for kind in kinds if setting.kinds[kind].count]


def tallies_of(plan: Plan, number: int) -> frozenset[int]:
    """The numbers of the tallies that a plan asks of a group of dice."""
    return frozenset(int(name[1:]) for coordinate in plan.coordinates[number] for name, _ in coordinate.form)


def score_plan(solver: Solver) -> Plan:
    """The question by which choices are made: the mean of the last step, or the chance of the first outcome."""
    rule = solver.setting.rule
    if by_chance(solver) and rule.outcomes[0].when:
        return solver.plan(Question((rule.outcomes[0].when,)))
    return solver.plan(Question((), (rule.steps[-1].formula,)) if rule.steps else Question())


def by_chance(solver: Solver) -> bool:
    rule = solver.setting.rule
    return solver.policy == "best chance" and bool(rule.outcomes) and rule.outcomes[0].when is not None


def scorer(solver: Solver, number: int) -> Callable[[Lying], Fraction]:
    """How good dice are that lie."""
    plan = score_plan(solver)
    walk = Walk(solver.machine, plan.coordinates[number])
    known: dict[Table, Fraction] = {}

    def score(state: Lying) -> Fraction:
        table = walk.table(state)
        if table not in known:
            known[table] = worth(solver, plan, number, walk.group({table: 1}, 1))
        return known[table]

    return score


def worth(solver: Solver, plan: Plan, number: int, group: StateGroup) -> Fraction:
    """What such dice promise; no other group has dice, because who picks has seen all that were thrown."""
    groups = [group if active == number else solver.group(plan, active) for active in plan.active]
    states = [one.states(0) for one in groups]
    got = plan.code.gather(solver.setting.known, [found for found, _ in states])
    whole = prod(weight for _, weight in states)
    if by_chance(solver):
        return Fraction(sum(weight for key, weight in got.items() if key[0] == 0), whole)
    numbers = ((key[1], weight) for key, weight in got.items() if len(key) > 1 and not isinstance(key[1], str))
    return Fraction(sum(int(value) * weight for value, weight in numbers), whole)

"""Which road a group of dice takes: the walk, the ordered count, or (None) generating functions."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from ..setting import Setting
from ..throws import value_tallies
from .choice import Rerolls
from .group import Group, StateGroup
from .ordered import OrderedGroup, ordered_group
from .plan import Plan, Question
from .walk import Lying, Walk

if TYPE_CHECKING:
    from .solve import Solver


def special_group(solver: Solver, plan: Plan, number: int) -> Group | None:
    setting, kinds = solver.setting, plan.groups[number]
    if rerolls_pick(setting, kinds):
        return walk_group(solver, plan, number)
    ordered = any(coordinate.extreme for coordinate in plan.coordinates[number]) or any(
        setting.kinds[kind].keep is not None or needs_value(setting, kind) for kind in kinds
    )
    if not ordered:
        return None
    if len(kinds) == 1 and not setting.rule.dice[kinds[0]].again:
        found: OrderedGroup = ordered_group(solver.machine, kinds[0], plan.coordinates[number])
        return found
    return walk_group(solver, plan, number)


def walked_groups(solver: Solver, plan: Plan) -> list[StateGroup]:
    """All groups of a plan by the slow road."""
    return [walk_group(solver, plan, number) for number in plan.active]


def rerolls_pick(setting: Setting, kinds: tuple[int, ...]) -> bool:
    """Whether a reroll looks at several of these dice, or at dice that explode."""
    for reroll in setting.rule.rerolls:
        own = [name for name in reroll.among if setting.rule.kind_numbers[name] in kinds]
        explode = any(setting.rule.dice[setting.rule.kind_numbers[name]].explode for name in own)
        if own and setting.of(reroll.times) > 0 and (reroll.pick != "all" or explode):
            return True
    return False


def needs_value(setting: Setting, kind: int) -> bool:
    """Whether a tally asks for the value of a die that adds up several throws."""
    return bool(setting.rule.dice[kind].explode and value_tallies(setting.program, kind))


def walk_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    walk = Walk(solver.machine, plan.coordinates[number])
    states, whole = walk.first(plan.groups[number])
    if any(solver.setting.of(reroll.times) > 0 for reroll in solver.setting.rule.rerolls):
        states, whole = Rerolls(walk, scorer(solver, number)).all(states, whole)
    return walk.group(states, whole)


def scorer(solver: Solver, number: int) -> Callable[[Lying], Fraction]:
    """How good dice are that lie: by the mean of the last step, or by the chance of the first outcome."""
    rule = solver.setting.rule
    by_chance = solver.policy == "best chance" and rule.outcomes and rule.outcomes[0].when
    if by_chance and rule.outcomes[0].when:
        question = Question((rule.outcomes[0].when,))
    else:
        question = Question((), (rule.steps[-1].formula,)) if rule.steps else Question()
    plan = solver.plan(question)
    known: dict[object, Fraction] = {}

    def score(state: Lying) -> Fraction:
        walk = Walk(solver.machine, plan.coordinates[number])
        key = (walk.values(state), tuple(rest.children for rest in state if rest.children))
        if key not in known:
            known[key] = worth(solver, plan, number, walk.group({state: 1}, 1), bool(by_chance))
        return known[key]

    return score


def worth(solver: Solver, plan: Plan, number: int, group: StateGroup, by_chance: bool) -> Fraction:
    groups = [group if active == number else solver.group(plan, active) for active in plan.active]
    states = [one.states(0) for one in groups]
    got = plan.code.gather(solver.setting.known, [found for found, _ in states])
    whole = 1
    for _, weight in states:
        whole *= weight
    if by_chance:
        return Fraction(sum(weight for key, weight in got.items() if key[0] == 0), whole)
    return sum(
        (
            Fraction(int(key[1]) * weight, whole)
            for key, weight in got.items()
            if len(key) > 1 and not isinstance(key[1], str)
        ),
        Fraction(0),
    )

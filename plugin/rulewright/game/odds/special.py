"""Which road a group of dice takes: the walk, the ordered count, or (None) generating functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..setting import Setting
from ..throws import value_tallies
from .group import Group, StateGroup
from .plan import Plan

if TYPE_CHECKING:
    from .solve import Solver


def special_group(solver: Solver, plan: Plan, number: int) -> Group | None:
    setting, kinds = solver.setting, plan.groups[number]
    if rerolls_pick(setting, kinds):
        return walk_group(solver, plan, number)
    ordered = any(coordinate.extreme for coordinate in plan.coordinates[number]) or any(
        setting.kinds[kind].keep is not None or needs_value(setting, plan, kind) for kind in kinds
    )
    if not ordered:
        return None
    if len(kinds) == 1 and not setting.rule.dice[kinds[0]].again:
        if setting.kinds[kinds[0]].keep == 0:
            return StateGroup({(0,) * len(plan.coordinates[number]): 1}, 1, len(plan.coordinates[number]))
        return solver.memory.ordered(solver.machine, kinds[0], plan.coordinates[number])
    return walk_group(solver, plan, number)


def walked_groups(solver: Solver, plan: Plan) -> list[StateGroup]:
    """All groups of a plan by the slow road."""
    return [walk_group(solver, plan, number) for number in plan.active]


def walk_group(solver: Solver, plan: Plan, number: int) -> StateGroup:
    from .walked import walk_group as walk  # few games have dice that go this way

    return walk(solver, plan, number)


def rerolls_pick(setting: Setting, kinds: tuple[int, ...]) -> bool:
    """Whether a reroll looks at several of these dice, or at dice that explode."""
    for reroll in setting.rule.rerolls:
        own = [name for name in reroll.among if setting.rule.kind_numbers[name] in kinds]
        explode = any(setting.rule.dice[setting.rule.kind_numbers[name]].explode for name in own)
        if own and setting.of(reroll.times) > 0 and (reroll.pick != "all" or explode):
            return True
    return False


def needs_value(setting: Setting, plan: Plan, kind: int) -> bool:
    """Whether a question asks for the value of a die that adds up several throws; other questions do not matter."""
    if not setting.rule.dice[kind].explode:
        return False
    asked = {name for coordinate in plan.coordinates[plan.group_of[kind]] for name, _ in coordinate.form}
    return any(setting.program.tallies[place].name in asked for place in value_tallies(setting.program, kind))

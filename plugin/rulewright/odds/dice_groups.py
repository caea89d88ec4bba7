"""Which kinds of dice depend on each other, and what decides the method for such a group."""

from __future__ import annotations

from collections.abc import Sequence

from ..game.core import CoreRule
from ..play.bound_rule import BoundRule
from .plan import Groups, Plan


def rolled_kinds(setting: BoundRule, kinds: Sequence[int]) -> list[int]:
    """The kinds of which any dice are rolled, not counting earned dice."""
    return [kind for kind in kinds if setting.kinds[kind].count]


def needed_tallies(plan: Plan, number: int) -> frozenset[int]:
    """The numbers of the tallies that a plan needs from a group of dice."""
    return frozenset(int(name[1:]) for coordinate in plan.coordinates[number] for name, _ in coordinate.form)


def drops_dice(setting: BoundRule, kind: int) -> bool:
    """Whether not all dice of a kind are kept. Dice that are earned may change how many there are."""
    ready, rule = setting.kinds[kind], setting.rule
    if ready.keep_count is None:
        return False
    is_earned = any(kind in other.earned_kinds for other in rule.kinds)
    return is_earned or ready.keep_count < ready.count


def needs_state_search(setting: BoundRule, kinds: tuple[int, ...]) -> bool:
    """Whether a reroll picks among these dice, or keeps the better of two dice that explode."""
    for reroll in setting.rule.again:
        own = [kind for kind in setting.rule.kinds_of(reroll.of) if kind in kinds]
        explode = any(setting.rule.kinds[kind].rolls_on for kind in own)
        if own and setting.evaluate(reroll.times) > 0 and (reroll.pick != "all" or (explode and reroll.keep != "new")):
            return True
    return False


def needs_value(setting: BoundRule, plan: Plan, kind: int) -> bool:
    """Whether a question uses the value of a die that explodes."""
    if not setting.rule.kinds[kind].explodes:
        return False
    names = {name for coordinate in plan.coordinates[plan.group_of[kind]] for name, _ in coordinate.form}
    return any(
        setting.program.tallies[place].name in names for place in setting.program.kinds[kind].value_tally_indices
    )


def find_groups(setting: BoundRule) -> Groups:
    """Groups of kinds that depend on each other: through dice they earn, or rerolls over several kinds."""
    rule = setting.rule
    picked = [number for number, reroll in enumerate(rule.again) if reroll.pick != "all"]
    active = tuple(number for number in picked if setting.evaluate(rule.again[number].times) > 0)
    rolled = tuple(rolled_kinds(setting, range(len(setting.kinds)))) if active else ()
    return rule.cached(("groups", active, rolled), lambda: _join_kinds(rule, active, rolled))


def _join_kinds(rule: CoreRule, picked: Sequence[int], rolled: Sequence[int]) -> Groups:
    active = [rule.again[number] for number in picked]
    links = [{number, *own.earned_kinds} for number, own in enumerate(rule.kinds) if own.earned_kinds]
    links += [set(rule.kinds_of(reroll.of)) for reroll in active]
    if any(reroll.pick == "any" for reroll in active):  # a player who picks a die has seen all of them
        links.append(set(rolled))
    groups: list[set[int]] = []
    for number in range(len(rule.kinds)):
        joined = {number}.union(*(link for link in links if number in link))
        touching = [group for group in groups if group & joined]
        groups = [group for group in groups if not group & joined] + [joined.union(*touching)]
    return tuple(tuple(sorted(group)) for group in groups)

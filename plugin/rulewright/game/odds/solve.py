"""Questions about a setting, answered from the distributions of its dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from ..nodes import Machine
from ..setting import Setting
from .beyond import Far, far_chances, far_values
from .count import budget, count_rows, count_states, far_enough
from .family import NotExact
from .group import Group, PoolGroup, StateGroup
from .memory import Memory
from .plan import Groups, Plan, Question, make_plan
from .special import special_group, walked_groups
from .tail import Settled, settle


@dataclass
class Found:
    """Chances by key, where a key begins with the number of the outcome; what lies beyond; what is not known."""

    weights: dict[tuple[Any, ...], Fraction] = field(default_factory=dict)
    beyond: list[Far] = field(default_factory=list)
    unknown: Fraction = Fraction(0)


class Solver:
    """Answers questions about one setting; optional dice are taken (eager) or not."""

    def __init__(self, setting: Setting, eager: bool, policy: str, memory: Memory | None = None) -> None:
        self.setting, self.policy, self.memory = setting, policy, memory or Memory()
        self.machine = Machine(setting, eager)
        self.groups_of_kinds = connected(setting)
        self.switches = tuple(
            (entry.name, setting.known[entry.name])
            for entry in setting.rule.inputs
            if entry.form in ("flag", "choice") and not entry.asked and entry.name in setting.known
        )

    def plan(self, question: Question) -> Plan:
        plan = make_plan(self.setting.program, self.switches, question, self.groups_of_kinds)
        self.setting.demand(plan.inputs)
        return plan

    def group(self, plan: Plan, number: int) -> Group:
        """One group of dice, by the road that suits it."""
        if not any(self.setting.kinds[kind].count for kind in plan.groups[number]):
            nothing = tuple(0 for _ in plan.coordinates[number])
            return StateGroup({nothing: 1}, 1, len(nothing))
        return special_group(self, plan, number) or self.memory.pool(plan, number, self.machine)

    def groups(self, plan: Plan) -> tuple[Sequence[Group], Settled | None]:
        """The groups that a plan needs, and where their open ends may be cut off."""
        try:
            groups = [self.group(plan, number) for number in plan.active]
            return groups, settle(plan, self.setting.known, groups, self.memory)
        except NotExact:
            return walked_groups(self, plan), Settled(0, [])

    def count(self, question: Question) -> Found:
        """The chance of each outcome."""
        plan, known = self.plan(question), self.setting.known
        groups, settled = self.groups(plan)
        end = settled.end if settled else far_enough(groups)
        single = groups[0] if len(groups) == 1 else None
        if isinstance(single, PoolGroup) and single.single(end):
            by_class, whole = count_rows(plan, known, single, end, self.memory)
        else:
            by_class, whole = count_states(plan, known, groups, end, settled)
        columns = zip(*by_class.values(), strict=True)
        found = Found({(number,): Fraction(sum(column), whole) for number, column in enumerate(columns)})
        rest = 1 - sum(found.weights.values(), Fraction(0))
        if rest and known_beyond(groups, settled):
            counted = {key: Fraction(sum(weights), whole) for key, weights in by_class.items()}
            found.beyond = list(far_chances(groups, settled, counted)) if settled else []
        else:
            found.unknown = rest
        return found

    def gather(self, question: Question, least: int = 0) -> Found:
        """Chances by outcome and values, with the means of the values beyond the end."""
        plan = self.plan(question)
        groups, settled = self.groups(plan)
        end = max(settled.end, least) if settled else far_enough(groups)
        states = [group.states(end) for group in groups]
        budget([found for found, _ in states])
        whole = prod(weight for _, weight in states)
        got = plan.code.gather(self.setting.known, [found for found, _ in states])
        found = Found({key: Fraction(weight, whole) for key, weight in got.items()})
        found.unknown = 1 - sum(found.weights.values(), Fraction(0))
        if found.unknown and settled and known_beyond(groups, settled):
            try:
                found.beyond = list(far_values(plan, groups, states, settled))
                found.unknown = Fraction(0)
            except NotExact:
                found.beyond = []
        return found


def known_beyond(groups: Sequence[Group], settled: Settled | None) -> bool:
    """Whether all that was not counted lies beyond an end with one answer."""
    return bool(settled and settled.beyond) and not any(group.missing for group in groups)


def connected(setting: Setting) -> Groups:
    """Kinds that depend on each other: through dice they earn, or rerolls that look at several."""
    rule = setting.rule
    active = [reroll for reroll in rule.rerolls if reroll.pick != "all" and setting.of(reroll.times) > 0]
    links = [{rule.kind_numbers[kind.name], rule.kind_numbers[kind.again.roll]} for kind in rule.dice if kind.again]
    links += [{rule.kind_numbers[name] for name in reroll.among} for reroll in active]
    if any(reroll.pick == "any" for reroll in active):  # who picks a die has seen all of them
        links.append({ready.number for ready in setting.kinds if ready.count})
    groups: list[set[int]] = []
    for number in range(len(rule.dice)):
        joined = {number}.union(*(link for link in links if number in link))
        touching = [group for group in groups if group & joined]
        groups = [group for group in groups if not group & joined] + [joined.union(*touching)]
    return tuple(tuple(sorted(group)) for group in groups)

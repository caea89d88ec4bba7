"""Questions about a setting, answered from the distributions of its dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from ..nodes import Machine
from ..setting import Refused, Setting
from .family import NotExact, Values
from .group import Group, PoolGroup, StateGroup
from .limits import MOST_STATES, TooMuch
from .memory import Memory
from .plan import Groups, Plan, Question, make_plan
from .tail import Settled, settle

NEAR_ALL = Fraction(1, 10**15)


@dataclass(frozen=True, slots=True)
class Far:
    """What lies beyond the end: its chance, its outcome, each value's mean times that chance, and the value if fixed."""

    chance: Fraction
    outcome: int
    sums: list[Fraction]
    fixed: bool = False


@dataclass
class Found:
    """Weights by key, where a key begins with the number of the outcome; what lies beyond; what is not known."""

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
        missing = [name for name in plan.inputs if name not in self.setting.known]
        if missing:
            raise Refused(f"{', '.join(missing)} must be given")
        return plan

    def groups(self, plan: Plan) -> list[Group]:
        return [self.group(plan, number) for number in plan.active]

    def group(self, plan: Plan, number: int) -> Group:
        from .special import special_group

        coordinates, kinds = plan.coordinates[number], plan.groups[number]
        if not any(self.setting.kinds[kind].count for kind in kinds):
            return StateGroup({tuple(0 for _ in coordinates): 1}, 1, len(coordinates))
        special = special_group(self, plan, number)
        if special:
            return special
        return self.memory.pool(plan, number, self.machine)

    def count(self, question: Question) -> Found:
        """The chance of each outcome."""
        plan = self.plan(question)
        groups = self.settled_groups(plan)
        groups, settled = groups
        return self.count_all(plan, groups, settled)

    def settled_groups(self, plan: Plan) -> tuple[list[Group], Settled | None]:
        try:
            groups = self.groups(plan)
            return groups, settle(plan, self.setting.known, groups, self.memory)
        except NotExact:
            from .walk import walked_groups

            return walked_groups(self, plan), Settled(0, [])

    def count_all(self, plan: Plan, groups: list[Group], settled: Settled | None) -> Found:
        end = settled.end if settled else far_enough(groups)
        if len(groups) == 1 and isinstance(groups[0], PoolGroup) and groups[0].single(end):
            by_class, whole = count_rows(plan, self.setting, groups[0], end, self.memory)
        else:
            by_class, whole = count_states(plan, self.setting, groups, end, settled)
        totals = [sum(weights[number] for weights in by_class.values()) for number in range(len(plan.question.whens) + 1)]
        found = Found({(number,): Fraction(total, whole) for number, total in enumerate(totals)})
        self.add_beyond(found, plan, groups, settled, {key: Fraction(sum(weights), whole) for key, weights in by_class.items()}, sum(totals), whole)
        return found

    def add_beyond(
        self, found: Found, plan: Plan, groups: list[Group], settled: Settled | None, by_class: dict[Values, Fraction], total: int, whole: int
    ) -> None:
        rest = 1 - Fraction(total, whole) if total != whole else Fraction(0)
        if not rest:
            return
        if settled is None or not settled.beyond:
            found.unknown = rest
            return
        if settled.beyond[0].others is None:
            found.beyond.append(Far(rest, settled.beyond[0].outcome, []))
            return
        group = next(group for group in groups if group.endless)
        classes = group.classes()
        for beyond in settled.beyond:
            assert beyond.others is not None
            chance = classes[beyond.others][0] - by_class.get(beyond.others, Fraction(0))
            found.beyond.append(Far(chance, beyond.outcome, []))

    def gather(self, question: Question, least: int = 0) -> Found:
        """Chances by outcome and values, with the sums of the values beyond the end."""
        plan = self.plan(question)
        groups, settled = self.settled_groups(plan)
        end = max(settled.end, least) if settled else far_enough(groups)
        states = [group.states(end) for group in groups]
        budget([found for found, _ in states])
        whole = prod(weight for _, weight in states)
        got = plan.gather(self.setting.known, [found for found, _ in states])
        found = Found({key: Fraction(weight, whole) for key, weight in got.items()})
        rest = 1 - sum(found.weights.values())
        if rest and (settled is None or not settled.beyond):
            found.unknown = rest
        elif rest and settled:
            try:
                found.beyond = list(self.beyond_values(plan, groups, states, settled))
            except NotExact:
                found.unknown = rest
        return found

    def beyond_values(self, plan: Plan, groups: list[Group], states: Any, settled: Settled) -> Any:
        """Beyond the end values are sums of coordinates, so their means are those of all minus those before it."""
        names = [[one.name for one in plan.coordinates[number]] for number in plan.active]
        number = next(number for number, group in enumerate(groups) if group.endless)
        for beyond in settled.beyond:
            if beyond.others is None:
                mass, means = beyond_all(groups, states)
            else:
                mass, means = beyond_class(groups, states, number, beyond.others)
            flat = {name: mean for own, part in zip(names, means, strict=True) for name, mean in zip(own, part, strict=True)}
            sums = [value.const * mass + sum(times * flat[name] for name, times in (value.terms or {}).items()) for value in beyond.values]
            if mass:
                yield Far(mass, beyond.outcome, sums, not any(value.terms for value in beyond.values))


def beyond_all(groups: Sequence[Group], states: Any) -> tuple[Fraction, list[list[Fraction]]]:
    """The chance of everything beyond, and the mean of each coordinate there times that chance."""
    shares = [Fraction(sum(weight for _, weight in found), whole) for found, whole in states]
    mass = 1 - prod(shares)
    means = []
    for place, (group, (found, whole)) in enumerate(zip(groups, states, strict=True)):
        rest = prod(share for other, share in enumerate(shares) if other != place)
        means.append([mean - rest * Fraction(sum(values[k] * weight for values, weight in found), whole) for k, mean in enumerate(group.means())])
    return mass, means


def beyond_class(groups: Sequence[Group], states: Any, number: int, others: Values) -> tuple[Fraction, list[list[Fraction]]]:
    group = groups[number]
    chance, mean = group.classes()[others]
    found, whole = states[number]
    axis = group.axis
    own = [(values[axis], weight) for values, weight in found if (*values[:axis], *values[axis + 1 :]) == others]
    mass = chance - Fraction(sum(weight for _, weight in own), whole)
    along = mean - Fraction(sum(value * weight for value, weight in own), whole)
    means = [[mass * mean for mean in other.means()] if place != number else [] for place, other in enumerate(groups)]
    means[number] = [mass * value for value in others]
    means[number].insert(axis, along)
    return mass, means


def count_rows(
    plan: Plan, setting: Setting, group: PoolGroup, end: int, memory: Memory
) -> tuple[dict[Values, list[int]], int]:
    """For one pool: along each row the outcome changes at a few places, and sums up to them are known."""
    rows, whole = group.rows(end)
    cut, found = group.cut(end), {}
    size = len(plan.question.whens) + 1
    for row in rows:
        weights = found.setdefault(row.others, [0] * size)
        before, sums, shift, factor = 0, row.sums, row.shift, row.factor
        for upto, outcome in runs(plan, setting.known, group, row.others, cut, memory):
            if upto > shift:
                total = sums[upto - shift - 1]
                weights[outcome] += factor * (total - before)
                before = total
    return found, whole


def runs(
    plan: Plan, known: Mapping[str, Any], group: PoolGroup, others: Values, cut: int, memory: Memory
) -> list[tuple[int, int]]:
    """The outcome along a row: up to which place it is which."""
    key = (plan, plan.values(known), others, group.low, group.sign, cut)
    found = memory.runs.get(key)
    if found is None:
        outcomes = plan.classify(known, [group.placed(others, place) for place in range(cut)])
        changes = [place for place in range(1, cut) if outcomes[place] != outcomes[place - 1]]
        found = memory.runs[key] = [(place, outcomes[place - 1]) for place in (*changes, cut)]
    return found


def count_states(
    plan: Plan, setting: Setting, groups: list[Group], end: int, settled: Settled | None
) -> tuple[dict[Values, list[int]], int]:
    states = [group.states(end) for group in groups]
    whole = prod(weight for _, weight in states)
    lists = [found for found, _ in states]
    budget(lists)
    if not settled or not settled.beyond or settled.beyond[0].others is None:
        return {(): plan.count_outcomes(setting.known, lists)}, whole
    number = next(number for number, group in enumerate(groups) if group.endless)
    axis = groups[number].axis
    parts: dict[Values, list[Any]] = {}
    for values, weight in lists[number]:
        parts.setdefault((*values[:axis], *values[axis + 1 :]), []).append((values, weight))
    return {others: plan.count_outcomes(setting.known, [*lists[:number], part, *lists[number + 1 :]]) for others, part in parts.items()}, whole


def budget(lists: Sequence[Sequence[Any]]) -> None:
    if prod(map(len, lists)) > MOST_STATES:
        raise TooMuch


def far_enough(groups: Sequence[Group]) -> int:
    """Without an end of its own, a count stops where hardly anything is left."""
    end = 16
    while end < 4096 and any(left_after(group, end) > NEAR_ALL for group in groups if group.endless):
        end *= 2
    return end


def left_after(group: Group, end: int) -> Fraction:
    found, whole = group.states(end)
    return 1 - Fraction(sum(weight for _, weight in found), whole)


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
        joined = {number}
        for link in links:
            if joined & link:
                joined |= link
        touching = [group for group in groups if group & joined]
        groups = [group for group in groups if not group & joined] + [joined.union(*touching)]
    return tuple(tuple(sorted(group)) for group in groups)



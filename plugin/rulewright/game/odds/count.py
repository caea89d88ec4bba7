"""Weights of the outcomes, added up over the states of all groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from .beyond import share
from .family import Values
from .group import Group, PoolGroup
from .limits import MOST_STATES, TooMuch
from .memory import Memory
from .plan import Plan
from .tail import Settled

NEAR_ALL = Fraction(1, 10**15)
Weights = dict[Values, list[int]]  # by class of the states, the weight of each outcome


def count_rows(plan: Plan, known: Mapping[str, Any], group: PoolGroup, end: int, memory: Memory) -> tuple[Weights, int]:
    """For one pool: along each row the outcome changes at a few places, and sums up to them are known."""
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
    """The outcome along a row: up to which place it is which."""
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
    """For any groups: every combination of their states, class by class where classes end differently."""
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
    """Without an end of its own, a count stops where hardly anything is left."""
    end = 16
    while end < 4096 and any(1 - share(group.states(end)) > NEAR_ALL for group in groups if group.endless):
        end *= 2
    return end

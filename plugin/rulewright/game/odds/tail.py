"""How far to count, and what holds beyond: from some place on, an open axis changes nothing any more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ranges import Bounds, Range, exactly
from .family import NotExact, Values
from .group import Group, PoolGroup
from .plan import Plan

if TYPE_CHECKING:
    from .memory import Memory

FAR = 2**44
Box = list[list[tuple[float, float]]]


class Beyond(NamedTuple):
    """What is so on the far side of an end; `others` says for which class of states, None for all."""

    others: Values | None
    outcome: int
    values: list[Range]


class Settled(NamedTuple):
    end: int
    beyond: list[Beyond]


def settle(plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], memory: Memory) -> Settled | None:
    """The nearest end beyond which every question has one answer; None where there is none."""
    endless = [number for number, group in enumerate(groups) if group.endless]
    if not endless:
        return Settled(0, [])
    box = [group.ranges() for group in groups]
    key = (plan, plan.values(known), *(group.past for group in groups))
    remembered = memory.settled.setdefault(key, [])
    for larger, found in remembered:  # what was settled for a larger box holds for a smaller one too
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
    """One answer for all that lies beyond, whichever axis it is."""

    def look(end: int) -> Beyond | None:
        found = [answer(plan, known, cropped(groups, box, number, end), None) for number in endless]
        same = all(one and found[0] and one.outcome == found[0].outcome and alike(one, found[0]) for one in found)
        return found[0] if same else None

    return nearest(look, start(groups, endless), hint)


def settle_classes(
    plan: Plan, known: Mapping[str, Any], groups: Sequence[Group], box: Box, endless: list[int], hint: int
) -> Settled | None:
    """One answer for each class of the one group that is open."""
    group = groups[endless[0]]
    if len(endless) > 1 or not isinstance(group, PoolGroup):
        return None
    try:
        classes = list(group.classes())
    except NotExact:
        return None
    found = []
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
    """The least end at which there is an answer: from a guess by doubling, then by halving."""
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
    """The box with one axis restricted to what lies beyond the end."""
    return [*box[:number], groups[number].beyond(end), *box[number + 1 :]]


def fixed(groups: Sequence[Group], box: Box, number: int, others: Values) -> Box:
    axis = groups[number].axis
    ranges = [(float(value), float(value)) for value in others]
    ranges.insert(axis, box[number][axis])
    return [*box[:number], ranges, *box[number + 1 :]]


def answer(plan: Plan, known: Mapping[str, Any], box: Box, others: Values | None) -> Beyond | None:
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

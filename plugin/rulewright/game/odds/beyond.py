"""What lies beyond the end of a count: everything there is, less what was counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod
from typing import NamedTuple

from .family import Values
from .group import Group, States
from .plan import Plan
from .tail import Beyond, Settled

ZERO = Fraction(0)
Means = list[list[Fraction]]  # by group and coordinate, each times the chance of the part they belong to


class Far(NamedTuple):
    """A part beyond the end: its chance, its outcome, of each value the mean times that chance, and its bounds."""

    chance: Fraction
    outcome: int
    sums: tuple[Fraction, ...] = ()
    bounds: tuple[tuple[float, float], ...] = ()

    @property
    def fixed(self) -> int | None:
        """The first value, where it is the same throughout the part."""
        low, high = self.bounds[0]
        return int(low) if low == high else None


def share(states: States) -> Fraction:
    found, whole = states
    return Fraction(sum(weight for _, weight in found), whole)


def far_chances(groups: Sequence[Group], settled: Settled, counted: dict[Values, Fraction]) -> Iterator[Far]:
    """The parts beyond the end with their chances; `counted` is what each class of states has before it."""
    first = settled.beyond[0]
    if first.others is None:
        yield Far(1 - sum(counted.values(), ZERO), first.outcome)
        return
    classes = next(group for group in groups if group.endless).classes()
    for beyond in settled.beyond:
        assert beyond.others is not None
        chance, _ = classes.get(beyond.others, (ZERO, ZERO))  # a larger pool may have settled classes we do not have
        yield Far(chance - counted.get(beyond.others, ZERO), beyond.outcome)


def far_values(plan: Plan, groups: Sequence[Group], states: Sequence[States], settled: Settled) -> Iterator[Far]:
    """The same with means: values are sums of coordinates there, so they need the means of these alone."""
    for beyond in settled.beyond:
        chance, means = means_of(groups, states, beyond)
        flat: dict[str, Fraction] = {}
        for number, part in zip(plan.active, means, strict=True):
            flat.update(zip((one.name for one in plan.coordinates[number]), part, strict=True))
        sums = [
            value.const * chance + sum((times * flat[name] for name, times in (value.terms or {}).items()), ZERO)
            for value in beyond.values
        ]
        if chance:
            yield Far(chance, beyond.outcome, tuple(sums), tuple((value.low, value.high) for value in beyond.values))


def means_of(groups: Sequence[Group], states: Sequence[States], beyond: Beyond) -> tuple[Fraction, Means]:
    if beyond.others is None:
        return means_of_all(groups, states)
    number = next(number for number, group in enumerate(groups) if group.endless)
    return means_of_class(groups, states, number, beyond.others)


def means_of_all(groups: Sequence[Group], states: Sequence[States]) -> tuple[Fraction, Means]:
    """The chance of everything beyond, and the mean of each coordinate there times that chance."""
    shares = [share(one) for one in states]
    means = []
    for place, (group, one) in enumerate(zip(groups, states, strict=True)):
        rest = prod((part for other, part in enumerate(shares) if other != place), start=Fraction(1))
        means.append([mean - rest * mean_of(one, number) for number, mean in enumerate(group.means())])
    return 1 - prod(shares, start=Fraction(1)), means


def mean_of(states: States, number: int) -> Fraction:
    found, whole = states
    return Fraction(sum(values[number] * weight for values, weight in found), whole)


def means_of_class(
    groups: Sequence[Group], states: Sequence[States], number: int, others: Values
) -> tuple[Fraction, Means]:
    """The same for one class of the open group; other groups do not care."""
    group, (found, whole) = groups[number], states[number]
    chance, mean = group.classes().get(others, (ZERO, ZERO))
    axis = group.axis
    own = [(values, weight) for values, weight in found if (*values[:axis], *values[axis + 1 :]) == others]
    chance -= share((own, whole))
    mean -= mean_of((own, whole), axis)
    means = [[chance * one for one in other.means()] if place != number else [] for place, other in enumerate(groups)]
    means[number] = [chance * value for value in others]
    means[number].insert(axis, mean)
    return chance, means

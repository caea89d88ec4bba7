"""Groups of dice that depend on each other: the joint distribution of what they add to the coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any

from ..play.automaton import Automaton, Branch, DieState, add_dice
from .budget import NotExactError
from .follow_up_dice import Values
from .settle import TailCase

Points = tuple[Sequence[tuple[Values, int]], int]  # the values of the coordinates with their weights; the total weight


class Group:
    """The joint distribution of a group's coordinates. This one is finite; dice without end have a tail as well.

    A tail is where dice reach an end. It is replaced by points with the same chance, and where values follow the dice
    in a line, with the same mean (see settle.py)."""

    is_infinite = False
    missing = Fraction(0)  # the probability of states that were not followed
    least_end = 0
    has_lines = True  # whether points can replace a tail that values follow in a line

    def has_classes(self) -> bool:
        """Whether the chance of each class of the tail is known: of the values of the coordinates that are bounded."""
        try:
            return bool(self.class_moments())
        except NotExactError:
            return False

    @property
    def tail_key(self) -> tuple[Any, ...]:
        """What the meaning of an end depends on: groups that agree can use the same end."""
        return ()

    def ranges(self) -> list[tuple[float, float]]:
        """The minimum and the maximum of each coordinate."""
        raise NotImplementedError

    def points(self, end: int) -> Points:
        """All values before an end; of a finite group, all."""
        raise NotImplementedError

    def tail_cases(self, names: Sequence[str], end: int, by_class: bool) -> list[TailCase]:  # noqa: ARG002
        """What can happen in the tail, as variables that move; for coordinates with these names."""
        raise NotExactError

    def closed_points(self, end: int, by_class: bool, with_means: bool, shift: int) -> Points:  # noqa: ARG002
        """All values before an end, and points that replace the tail; `shift` moves these on."""
        return self.points(end)

    def class_moments(self) -> Mapping[Values, tuple[Fraction, Fraction]]:
        raise NotExactError


class StateGroup(Group):
    """A distribution that is known state by state; `missing` is the probability of states that were not followed."""

    has_lines = False

    def __init__(self, weights: Mapping[Values, int], total: int, missing: Fraction = Fraction(0)) -> None:
        self.weights, self.total, self.missing = weights, total, missing

    @cached_property
    def extent(self) -> list[tuple[float, float]]:
        return [(min(values), max(values)) for values in zip(*self.weights, strict=True)]

    def ranges(self) -> list[tuple[float, float]]:
        return self.extent

    def points(self, end: int) -> Points:  # noqa: ARG002
        return list(self.weights.items()), self.total


class UndecidedMachine(Automaton):
    """Every decision branches both ways. Only what can happen has a meaning here, not how likely it is."""

    def explore(self, place: DieState) -> Iterator[Branch]:
        parts = self.option_denominator(place)
        for branch in super().explore(place):
            ways = list(self.options(branch))
            for onward, earned in ways:
                yield Branch(branch.weight * parts // len(ways), branch.transition, onward, earned)

    def options(self, branch: Branch) -> Iterator[tuple[DieState | None, tuple[tuple[DieState, int], ...]]]:
        landing = branch.transition
        may_stop = 2 in (landing.explodes, landing.rerolls)
        offers = [range(0 if optional else number, number + 1) for _, number, optional in landing.earned]
        for onward in dict.fromkeys((branch.next_state, None if may_stop else branch.next_state)):
            for numbers in product(*offers):
                kinds = (DieState(kind) for kind, _, _ in landing.earned)
                yield onward, add_dice(zip(kinds, numbers, strict=True))

    def option_denominator(self, place: DieState) -> int:
        """A factor for the weights, so that each branch gets an integer."""
        return lcm(*(len(list(self.options(branch))) for branch in super().explore(place)))

    def sides(self, place: DieState) -> int:
        return super().sides(place) * self.option_denominator(place)

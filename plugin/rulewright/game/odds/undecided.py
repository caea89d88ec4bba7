"""Dice whose optional throws may be taken or not, each on its own: what such dice can come to at all."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from ..nodes import Branch, Machine, Place


class Undecided(Machine):
    """Both ways of every decision are branches; how likely they are means nothing, only that they can be."""

    def explore(self, place: Place) -> Iterator[Branch]:
        parts = self.parts(place)
        for branch in super().explore(place):
            ways = list(self.ways(branch))
            for onward, earned in ways:
                yield Branch(branch.weight * parts // len(ways), branch.landing, onward, earned)

    def ways(self, branch: Branch) -> Iterator[tuple[Place | None, int]]:
        landing = branch.landing
        for onward in dict.fromkeys((branch.onward, None if landing.may_stop else branch.onward)):
            for earned in range(0 if landing.may_decline else branch.earned, branch.earned + 1):
                yield onward, earned

    def parts(self, place: Place) -> int:
        """Into how many each side is cut, so that every way has a whole number of them."""
        return lcm(*(len(list(self.ways(branch))) for branch in super().explore(place)))

    def sides(self, place: Place) -> int:
        return super().sides(place) * self.parts(place)

"""Dice of which only the highest or lowest are kept: counted value by value, from the side that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from operator import add

from .effect import Values
from .limits import MOST_STATES, TooMuch
from .ways import Way

MOST_STEPS = 500_000
State = tuple[int, int, Values, int, int]  # dice left, dice still to keep, what is counted, best and last value kept
End = tuple[Values, int, int]  # what is counted, best and last value kept


@dataclass
class Keeper:
    """How many dice there are, how many are kept, and which of the two ends of the kept ones somebody asks for."""

    dice: int
    kept: int
    size: int
    best: bool
    last: bool
    steps: int = 0

    def ends(self, ways: Sequence[Way], far: int) -> Iterator[tuple[End, int]]:
        """All ways to fall, with weights; `far` is the weight of values beyond all others, that may not be kept."""
        states: dict[State, int] = {(self.dice, self.kept, (0,) * self.size, 0, 0): 1}
        for value, own in groupby(ways, key=lambda way: way.value):
            states = self.with_value(states, value, list(own))
        for (left, kept, adds, best, last), weight in states.items():
            if left == 0 or (far and kept == 0):
                yield (adds, best, last), weight * far**left

    def with_value(self, states: dict[State, int], value: int, own: list[Way]) -> dict[State, int]:
        """The next value: so many dice show it, and so many of these are kept."""
        total = sum(way.weight for way in own)
        sums = self.sums(own)
        found: dict[State, int] = {}
        for (left, kept, adds, best, last), weight in states.items():
            for showing in range(left + 1):
                counted = min(showing, kept)
                factor = weight * comb(left, showing) * total ** (showing - counted)
                ends = self.marked(value, kept == self.kept, best, last) if counted else (best, last)
                for more, share in sums[counted].items():
                    key = (left - showing, kept - counted, tuple(map(add, adds, more)), *ends)
                    found[key] = found.get(key, 0) + factor * share
                self.steps += len(sums[counted])
            if self.steps > MOST_STEPS or len(found) > MOST_STATES // 8:
                raise TooMuch
        return found

    def marked(self, value: int, fresh: bool, best: int, last: int) -> tuple[int, int]:
        return value if self.best and fresh else best, value if self.last else last

    def sums(self, own: list[Way]) -> list[dict[Values, int]]:
        """What no, one, two … kept dice that show the same value add up to."""
        found: list[dict[Values, int]] = [{(0,) * self.size: 1}]
        for _ in range(self.kept):
            after: dict[Values, int] = {}
            for adds, weight in found[-1].items():
                for way in own:
                    key = tuple(map(add, adds, way.adds))
                    after[key] = after.get(key, 0) + weight * way.weight
            self.steps += len(found[-1]) * len(own)
            found.append(after)
        return found

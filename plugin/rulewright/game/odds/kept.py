"""Dice of which only the highest or lowest are kept: counted value by value, from the side that is kept.

As long as dice are still to be kept, every die seen so far is kept; so the number of dice left needs no counting. With
the last one that is kept all is settled: the other dice show that value, or one that has not come yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb
from operator import add

from .effect import Values
from .limits import TooMuch
from .ways import Way

MOST_STEPS = 300_000
LONG, VERY_LONG = 2_000, 500_000  # binary digits of a weight that make a step cost twice as much, and that twice more
POWER = 12  # steps that a power costs
State = tuple[int, Values, int, int]  # dice still to keep, what is counted, best and last value kept
End = tuple[Values, int, int]  # what is counted, best and last value kept


@dataclass
class Keeper:
    """How many dice there are, how many are kept, and which of the two ends of the kept ones somebody asks for."""

    dice: int
    kept: int
    size: int
    best: bool
    last: bool
    steps: float = 0

    def ends(self, ways: Sequence[Way], far: int) -> Iterator[tuple[End, int]]:
        """All ways to fall, with weights; `far` is the weight of values beyond all others, that are not kept."""
        rest = far + sum(way.weight for way in ways)
        digits = self.dice * rest.bit_length()
        cost = 1 + digits / LONG * (1 + digits / VERY_LONG)
        self.spend(cost * self.kept)
        states: dict[State, int] = {(self.kept, (0,) * self.size, 0, 0): 1}
        for value, group in groupby(ways, key=lambda way: way.value):
            own = list(group)
            total = sum(way.weight for way in own)
            rest -= total
            sums = self.sums(own, cost)
            self.spend(cost * (self.kept + 1) * (self.kept + POWER))
            ended = [self.settled(kept, total, rest) for kept in range(self.kept + 1)]
            after: dict[State, int] = {}
            for (kept, adds, *marks), weight in states.items():
                self.spend(cost * sum(map(len, sums[: kept + 1])))
                for more, share in sums[kept].items():
                    yield (tuple(map(add, adds, more)), *self.marked(value, kept, marks)), weight * share * ended[kept]
                for shown in range(kept):
                    factor = weight * comb(self.dice - self.kept + kept, shown)
                    ends = self.marked(value, kept, marks) if shown else marks
                    for more, share in sums[shown].items():
                        key = (kept - shown, tuple(map(add, adds, more)), ends[0], ends[1])
                        after[key] = after.get(key, 0) + factor * share
            states = after

    def spend(self, steps: float) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise TooMuch

    def settled(self, kept: int, total: int, rest: int) -> int:
        """The weight of the dice that are not kept, if the last of those kept show a value; `rest` is what follows it.

        Of the dice left, n, at least `kept` show the value: the sum of C(n, s) · total^(s - kept) · rest^(n - s)."""
        left = self.dice - self.kept + kept
        fewer = sum(comb(left, shown) * total**shown * rest ** (left - shown) for shown in range(kept))
        settled: int = ((total + rest) ** left - fewer) // total**kept
        return settled

    def marked(self, value: int, kept: int, marks: Sequence[int]) -> tuple[int, int]:
        """The best and the last value kept, once this one is."""
        best, last = marks
        return value if self.best and kept == self.kept else best, value if self.last else last

    def sums(self, own: list[Way], cost: float) -> list[dict[Values, int]]:
        """What no, one, two … kept dice that show the same value add up to."""
        found: list[dict[Values, int]] = [{(0,) * self.size: 1}]
        for _ in range(self.kept):
            after: dict[Values, int] = {}
            for adds, weight in found[-1].items():
                for way in own:
                    key = tuple(map(add, adds, way.adds))
                    after[key] = after.get(key, 0) + weight * way.weight
            self.spend(cost * len(found[-1]) * len(own))
            found.append(after)
        return found

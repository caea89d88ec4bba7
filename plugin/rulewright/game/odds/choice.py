"""Dice thrown anew: which die is picked, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from ..model import Reroll
from .limits import TooMuch
from .walk import MOST_WALKED, Lying, Rest, Walk, placed

Score = Callable[[Lying], Fraction]


@dataclass
class Rerolls:
    """The active rerolls of a setting, applied to states of dice that lie."""

    walk: Walk
    score: Score
    best: dict[tuple[Lying, int, int], tuple[Fraction, Rest | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        setting = self.walk.setting
        self.entries = [(reroll, max(setting.of(reroll.times), 0)) for reroll in setting.rule.rerolls]

    def all(self, states: dict[Lying, int], whole: int) -> tuple[dict[Lying, int], int]:
        for number, (reroll, times) in enumerate(self.entries):
            for left in range(times, 0, -1):
                states, whole = self.once(states, whole, number, reroll, left)
        return states, whole

    def once(
        self, states: dict[Lying, int], whole: int, number: int, reroll: Reroll, left: int
    ) -> tuple[dict[Lying, int], int]:
        if reroll.pick == "all":
            return self.every(states, whole, reroll)
        size = lcm(*(self.walk.wholes[kind] for kind in self.kinds(reroll) if self.walk.rests(kind)))
        found: dict[Lying, int] = {}
        for state, weight in states.items():
            for after, share in self.moves(state, number, reroll, left, size):
                found[after] = found.get(after, 0) + weight * share
        return found, whole * size

    def moves(self, state: Lying, number: int, reroll: Reroll, left: int, size: int) -> Iterator[tuple[Lying, int]]:
        picked = self.pick(state, number, reroll, left)
        if picked is None:
            yield state, size
            return
        for after, weight in self.thrown(state, picked, reroll):
            yield after, weight * (size // self.walk.wholes[picked.kind])

    def pick(self, state: Lying, number: int, reroll: Reroll, left: int) -> Rest | None:
        if reroll.pick == "any":
            return self.value(state, number, left)[1]
        dice = self.candidates(state, reroll)
        if not dice:
            return None
        return (
            max(dice, key=lambda rest: rest.value)
            if reroll.pick == "highest"
            else min(dice, key=lambda rest: rest.value)
        )

    def kinds(self, reroll: Reroll) -> list[int]:
        """The kinds it may pick from, as far as any of them were thrown."""
        setting = self.walk.setting
        numbers = [setting.rule.kind_numbers[name] for name in reroll.among]
        return [number for number in numbers if setting.kinds[number].count]

    def candidates(self, state: Lying, reroll: Reroll) -> list[Rest]:
        """The dice that may be picked, in the order in which the first of equal ones is meant."""
        return [rest for kind in self.kinds(reroll) for rest in state if rest.kind == kind]

    def thrown(self, state: Lying, picked: Rest, reroll: Reroll) -> Iterator[tuple[Lying, int]]:
        at = state.index(picked)
        others = (*state[:at], *state[at + 1 :])
        for rest, weight in self.walk.rests(picked.kind):
            yield placed(others, stays(reroll, picked, rest)), weight

    def every(self, states: dict[Lying, int], whole: int, reroll: Reroll) -> tuple[dict[Lying, int], int]:
        """A round over every die that shows a face that is thrown anew; a die that stays counts with full weight."""
        kinds = set(self.kinds(reroll))
        for kind in sorted(kinds):
            self.walk.rests(kind)
        size = 1
        dice = max((sum(rest.kind in kinds for rest in state) for state in states), default=0)
        largest = lcm(*(self.walk.wholes[kind] for kind in kinds))
        found: dict[Lying, int] = {}
        for state, weight in states.items():
            waiting: dict[Lying, int] = {tuple(rest for rest in state if rest.kind not in kinds): weight}
            own = [rest for rest in state if rest.kind in kinds]
            for rest in own:
                waiting = self.maybe(waiting, rest, reroll, largest)
            for after, share in waiting.items():
                found[after] = found.get(after, 0) + share * largest ** (dice - len(own))
        size = largest**dice
        if len(found) > MOST_WALKED:
            raise TooMuch
        return found, whole * size

    def maybe(self, states: dict[Lying, int], rest: Rest, reroll: Reroll, size: int) -> dict[Lying, int]:
        ways = [(rest, size)]
        if self.walk.setting.meets(reroll, rest.kind, rest.value):
            step = size // self.walk.wholes[rest.kind]
            ways = [(stays(reroll, rest, new), weight * step) for new, weight in self.walk.rests(rest.kind)]
        return self.walk.one_more(states, ways)

    def value(self, state: Lying, number: int, left: int) -> tuple[Fraction, Rest | None]:
        """The best that can still be made of dice, and the die to pick for it; the first of equally good ones."""
        key = (state, number, left)
        found = self.best.get(key)
        if found is None:
            if len(self.best) > 4 * MOST_WALKED:
                raise TooMuch
            found = self.best[key] = self.weigh(state, number, left)
        return found

    def weigh(self, state: Lying, number: int, left: int) -> tuple[Fraction, Rest | None]:
        if number == len(self.entries):
            return self.score(state), None
        reroll, times = self.entries[number]
        if left == 0 or times == 0:
            following = self.entries[number + 1][1] if number + 1 < len(self.entries) else 0
            return self.value(state, number + 1, following)[0], None
        if reroll.pick != "any":
            return self.mean(self.forced(state, number, reroll, left), number, left), None
        best, chosen = self.value(state, number, 0)[0], None
        for rest in dict.fromkeys(self.candidates(state, reroll)):
            mean = self.mean([(after, weight) for after, weight in self.thrown(state, rest, reroll)], number, left)
            if mean > best or (mean == best and chosen is None):
                best, chosen = mean, rest
        return best, chosen

    def forced(self, state: Lying, number: int, reroll: Reroll, left: int) -> list[tuple[Lying, int]]:
        return list(self.once({state: 1}, 1, number, reroll, left)[0].items())

    def mean(self, ways: list[tuple[Lying, int]], number: int, left: int) -> Fraction:
        whole = sum(weight for _, weight in ways)
        return sum((self.value(after, number, left - 1)[0] * weight for after, weight in ways), Fraction(0)) / whole


def stays(reroll: Reroll, old: Rest, new: Rest) -> Rest:
    if reroll.keep == "new" or (old.value < new.value if reroll.keep == "higher" else old.value > new.value):
        return new
    return old

"""Choices of a walk: what leads to the best mean of a value of a question, knowing all that is on the table.

Results that differ by less than one part in ALIKE are equal; of equal choices the first is made. So both engines choose
alike, though one counts with fractions and one does not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, NamedTuple, TypeVar

from ..game.core import CoreKind, Reroll
from ..play.bound_rule import NoFaceError, keeps_old
from .budget import Budget, NotExactError
from .open_values import weigh
from .walk_again import Able, Counts, DiceClass, spread
from .walk_frames import Weights

_ALIKE = 10**12
_T = TypeVar("_T")
_Mean = tuple[int, int]  # numerator and denominator
Worth = Callable[[tuple[Any, ...]], Fraction]  # of the outcome and the values of a question
Goal = Worth | int  # what choices make the most of: a worth, or the value at this place of a result
LAST = -1


class Walked(NamedTuple):
    """Where a walk leads to: weights by outcome and values, and the weight of everything."""

    weights: Weights
    whole: int

    def without_last(self, number: int) -> Walked:
        """Without so many of the last values, which are only what choices are made for."""
        if not number:
            return self
        weights: Weights = {}
        for key, weight in self.weights.items():
            weights[key[:-number]] = weights.get(key[:-number], 0) + weight
        return Walked(weights, self.whole)

    def mean(self, goal: Goal) -> _Mean:
        """The mean of what results are worth, as a ratio."""
        if isinstance(goal, int):
            return (weigh((key[goal], weight) for key, weight in self.weights.items()) / self.whole).as_integer_ratio()
        total = sum((goal(key) * weight for key, weight in self.weights.items()), Fraction(0))
        return (total / self.whole).as_integer_ratio()


def join_walked(found: Mapping[int, Weights], whole: int) -> Walked:
    """What states lead to, over one denominator; weights by the weight of everything after these states."""
    common = lcm(*found)
    weights: Weights = {}
    for after, own in found.items():
        for key, weight in own.items():
            weights[key] = weights.get(key, 0) + weight * (common // after)
    return Walked(weights, whole * common)


def pick_best(options: Iterable[tuple[_T, Callable[[], Walked]]], goal: Goal = LAST) -> tuple[_T, Walked]:
    """The option that leads to the best; of equal ones the first."""
    (chosen, best), *others = [(option, follow()) for option, follow in options]
    most = best.mean(goal) if others else (0, 1)
    for option, walked in others:
        own = walked.mean(goal)
        if is_better(own, most):
            chosen, best, most = option, walked, own
    return chosen, best


def is_better(value: _Mean, than: _Mean) -> bool:
    (own, whole), (other, common) = value, than
    return (own * common - other * whole) * _ALIKE > max(common, abs(other)) * whole


class Move(NamedTuple):
    """What is done in one pick: so many dice of each class are rolled again, or turned to faces that are chosen."""

    taken: Counts
    turned: Counts | None = None


class RerollPlan:
    """Dice that a player rolls again or turns, some or one at a time; a state says how many dice show each face."""

    def __init__(
        self,
        entry: Reroll,
        classes: Sequence[DiceClass],
        end: Callable[[Counts], Walked],
        budget: Budget,
        goal: Goal = LAST,
        able: Able | None = None,
        all_kinds: Sequence[CoreKind] = (),
    ) -> None:
        self.kinds = all_kinds
        self.entry, self.classes, self.end, self.budget, self.goal = entry, classes, end, budget, goal
        self.able = able or (lambda counts: counts)
        kinds = list(dict.fromkeys(own.group[0] for own in classes))
        numbered = [place for place, own in enumerate(classes) if own.meets]
        self.places = sorted(numbered, key=lambda place: (kinds.index(classes[place].group[0]), classes[place].value))
        self.sides: dict[Any, int] = {}
        for own in classes:
            self.sides[own.group] = 1 if entry.turn else self.sides.get(own.group, 0) + own.weight
        self.forgets = entry.keep == "new" and not entry.turn  # what dice showed before does not matter
        self.found: dict[tuple[int, Counts], tuple[Move | None, Walked]] = {}
        self.rolled: dict[tuple[int, Counts, Counts], Walked] = {}
        self.turned: dict[tuple[int, Counts, Counts], tuple[Counts, Walked]] = {}
        self.rolls: dict[Counts, dict[Counts, int]] = {}

    def best(self, left: int, counts: Counts) -> tuple[Move | None, Walked]:
        """The dice to roll or turn next, as numbers by class, and where that leads to; None to stop."""
        if (left, counts) not in self.found:
            options = self.options(left, counts)
            self.found[left, counts] = pick_best(options, self.goal) if left > 0 else (None, self.end(counts))
        return self.found[left, counts]

    def options(self, left: int, counts: Counts) -> Iterator[tuple[Move | None, Callable[[], Walked]]]:
        """What can be done, the first of equals first: rather more dice than fewer, of these the first kind, and the
        lowest; dice are turned to the lowest faces."""
        picks = list(self.list_taken(counts))
        for taken in picks:
            if not self.entry.chooses_face:
                yield Move(taken), partial(self.roll, left, counts, taken)
                continue
            turned, walked = self.best_faces(left - 1, _subtract(counts, taken), self.count_groups(taken))
            yield Move(taken, turned), partial(_followed, walked)
        if self.entry.pick in ("any", "some") or not picks:
            yield None, lambda: self.best(0, counts)[1]

    def list_taken(self, counts: Counts) -> Iterator[Counts]:
        able = self.able(counts)
        there = [place for place in self.places if able[place]]
        if self.entry.pick == "some":
            yield from (taken for taken in list_picks(able, sum(able), there) if any(taken))
        elif self.entry.pick == "all":
            yield self.to_counts((place, able[place]) for place in there)
        elif self.entry.pick == "any":
            yield from (self.to_counts([(place, 1)]) for place in there)
        elif there:
            best = max if self.entry.pick == "highest" else min
            picked = best(there, key=lambda place: self.classes[place].value)
            if any(place != picked and self.classes[place].is_like(self.classes[picked]) for place in there):
                raise NotExactError("equal dice of a kind are told apart")
            yield self.to_counts([(picked, 1)])

    def best_faces(self, left: int, rest: Counts, taken: Counts) -> tuple[Counts, Walked]:
        """The best faces for so many dice of each group, beside the dice that stay."""
        key = (left, rest, taken)
        if key not in self.turned:
            ways = self.list_turned(taken)
            self.turned[key] = pick_best(
                ((way, partial(self.follow, left, _add(rest, way))) for way in ways), self.goal
            )
        return self.turned[key]

    def list_turned(self, taken: Counts) -> list[Counts]:
        """What so many dice of each group can show once they have been turned; each costs before it is there."""
        ways = [tuple([0] * len(self.classes))]
        for group, dice in zip(self.sides, taken, strict=True):
            own = [place for place, each in enumerate(self.classes) if each.group == group]
            own.sort(key=lambda place: self.classes[place].value)
            shown: list[Counts] = []
            for numbers in _list_picks([dice] * len(own), dice):
                self.budget.spend(4)
                shown.append(self.to_counts(zip(own, numbers, strict=True)))
            self.budget.spend(len(ways) * len(shown))
            ways = [_add(way, more) for way in ways for more in shown]
        return ways

    def follow(self, left: int, counts: Counts) -> Walked:
        return self.best(left, counts)[1]

    def to_counts(self, taken: Iterable[tuple[int, int]]) -> Counts:
        counts = [0] * len(self.classes)
        for place, number in taken:
            counts[place] = number
        return tuple(counts)

    def roll(self, left: int, counts: Counts, taken: Counts) -> Walked:
        """Roll these dice again, and follow the best plan from there."""
        key = (left, counts, taken)
        if self.forgets:
            key = (left, _subtract(counts, taken), self.count_groups(taken))
        if key not in self.rolled:
            self.rolled[key] = self.add_up(left, counts, taken)
        return self.rolled[key]

    def count_groups(self, taken: Counts) -> Counts:
        groups = dict.fromkeys(self.sides, 0)
        for own, number in zip(self.classes, taken, strict=True):
            groups[own.group] += number
        return tuple(groups.values())

    def add_up(self, left: int, counts: Counts, taken: Counts) -> Walked:
        found: dict[int, Weights] = {}
        whole = 1
        for own, number in zip(self.classes, taken, strict=True):
            whole *= self.sides[own.group] ** number
        rest = _subtract(counts, taken)
        key = self.count_groups(taken) if self.forgets else taken
        if key not in self.rolls:
            self.rolls[key] = self.list_rolls(taken)
        for new, weight in self.rolls[key].items():
            self.budget.spend(4)
            after = _add(rest, new)
            keeps = self.entry.keep == "better"
            walked = self.better(left - 1, after, counts)[1] if keeps else self.best(left - 1, after)[1]
            own_weights = found.setdefault(walked.whole, {})
            for end, share in walked.weights.items():
                own_weights[end] = own_weights.get(end, 0) + weight * share
        return join_walked(found, whole)

    def better(self, left: int, new: Counts, old: Counts) -> tuple[Counts, Walked]:
        """The better of two states, and where it leads to; of equal ones the new one."""
        after_new, after_old = self.best(left, new)[1], self.best(left, old)[1]
        gains = is_better(after_old.mean(self.goal), after_new.mean(self.goal))
        return (old, after_old) if gains else (new, after_new)

    def list_rolls(self, taken: Counts) -> dict[Counts, int]:
        """What these dice can show afterwards, with weights."""
        states: dict[Counts, int] = {tuple([0] * len(self.classes)): 1}
        for number, (own, dice) in enumerate(zip(self.classes, taken, strict=True)):
            if not dice:
                continue
            shares = [0] * len(self.classes)
            if own.turn is not None:
                shares[self.find_turned(own)] = 1
            for place, new in enumerate(self.classes if own.turn is None else ()):
                if new.group == own.group:
                    shares[number if keeps_old(self.entry, own.value, new.value) else place] += new.weight
            after: dict[Counts, int] = {}
            for more, share in spread(dice, shares):
                for old, weight in states.items():
                    key = _add(old, more)
                    after[key] = after.get(key, 0) + weight * share
            states = after
        return states

    def find_turned(self, own: DiceClass) -> int:
        """The place of the face that dice of a class are turned to."""
        likes = (place for place, new in enumerate(self.classes) if (new.group, new.value) == (own.group, own.turn))
        if (found := next(likes, None)) is None:
            raise NoFaceError(self.kinds[own.group[0]], own.turn or 0)
        return found


def _followed(walked: Walked) -> Walked:
    return walked


def _add(counts: Counts, more: Counts) -> Counts:
    return tuple([a + b for a, b in zip(counts, more, strict=True)])


def _subtract(counts: Counts, taken: Counts) -> Counts:
    return tuple([a - b for a, b in zip(counts, taken, strict=True)])


def list_picks(sizes: Sequence[int], most: int, places: Sequence[int]) -> Iterator[Counts]:
    """All ways to pick up to so many dice of classes of these sizes: more dice first, and of the first places."""
    there = [place for place in places if sizes[place]]
    own = [sizes[place] for place in there]
    for number in range(min(max(most, 0), sum(own)), -1, -1):
        for counts in _list_picks(own, number):
            found = [0] * len(sizes)
            for place, count in zip(there, counts, strict=True):
                found[place] = count
            yield tuple(found)


def _list_picks(sizes: Sequence[int], number: int) -> Iterator[Counts]:
    if not sizes or not number:
        yield (0,) * len(sizes)
        return
    rest = sum(sizes[1:])
    for first in range(min(sizes[0], number), max(number - rest, 0) - 1, -1):
        yield from ((first, *others) for others in _list_picks(sizes[1:], number - first))

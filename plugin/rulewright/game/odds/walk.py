"""The slow road that goes everywhere: dice followed state by state.

It takes what generating functions cannot: dice picked for a reroll, highest and lowest among earned dice,
two open axes at once. States that are alike are one. What is too unlikely to follow is counted as missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm

from ..nodes import Branch, Machine, Place
from ..setting import Setting
from ..throws import throw_tallies, value_tallies
from .family import Values
from .group import StateGroup
from .limits import TooMuch
from .plan import Coordinate

MOST_WALKED = 120_000
UNLIKELY = Fraction(1, 10**20)


@dataclass(frozen=True, slots=True)
class Rest:
    """A die that has come to rest: its value, what each tally of its kind counts on it, and the dice it earns."""

    kind: int
    value: int
    gives: Values
    children: tuple[tuple[Place, int], ...]


Lying = tuple[Rest, ...]  # the dice on the table, kind by kind, each kind by value


class Walk:
    """Follows the dice of a group; weights are whole numbers over `whole`."""

    def __init__(self, machine: Machine, coordinates: Sequence[Coordinate]) -> None:
        self.machine, self.setting, self.coordinates = machine, machine.setting, coordinates
        self.ways: dict[int, list[tuple[Rest, int]]] = {}
        self.wholes: dict[int, int] = {}

    def rests(self, kind: int) -> list[tuple[Rest, int]]:
        """All ways in which a die of a kind can come to rest, with weights over `wholes`."""
        if kind not in self.ways:
            found = dict(self.endings(Place(kind), 0, (0,) * len(self.setting.program.tallies), (), Fraction(1)))
            self.wholes[kind] = lcm(*(share.denominator for share in found.values()))
            self.ways[kind] = [(rest, int(share * self.wholes[kind])) for rest, share in found.items()]
        return self.ways[kind]

    def endings(
        self, place: Place, value: int, gives: Values, children: tuple[tuple[Place, int], ...], share: Fraction
    ) -> Iterator[tuple[Rest, Fraction]]:
        found: Counter[Rest] = Counter()
        waiting = [(place, value, gives, children, share)]
        while waiting:
            place, value, gives, children, share = waiting.pop()
            for branch in self.machine.branches(place):
                part = share * branch.weight / self.machine.sides(place)
                now, total = self.given(place, branch, gives), value + branch.landing.face
                roll = self.machine.roll(place.kind)
                earned = ((Place(roll), branch.earned),) if branch.earned and roll is not None else ()
                if branch.onward is None:
                    found[self.rest(place.kind, total, now, (*children, *earned))] += part  # type: ignore[assignment]
                elif part > UNLIKELY:
                    waiting.append((branch.onward, total, now, (*children, *earned), part))
            if len(found) > MOST_WALKED:
                raise TooMuch
        yield from found.items()  # type: ignore[misc]

    def given(self, place: Place, branch: Branch, gives: Values) -> Values:
        found = list(gives)
        for number, hit in zip(throw_tallies(self.setting.program, place.kind), branch.landing.hits, strict=True):
            found[number] += hit
        return tuple(found)

    def rest(self, kind: int, value: int, gives: Values, children: tuple[tuple[Place, int], ...]) -> Rest:
        found, made = list(gives), self.setting.program
        for order, number in enumerate(value_tallies(made, kind)):
            found[number] = self.setting.kinds[kind].value_tests[order](value)
        for number, tally in enumerate(made.tallies):
            if tally.kind == kind and tally.test is None:
                found[number] = 1 if tally.function == "count" else value
        return Rest(kind, value, tuple(found), children)

    def first(self, kinds: Sequence[int]) -> tuple[dict[Lying, int], int]:
        """The dice of the first round, before any reroll."""
        states: dict[Lying, int] = {(): 1}
        whole = 1
        for kind in kinds:
            for _ in range(self.setting.kinds[kind].count):
                states = self.one_more(states, self.rests(kind))
                whole *= self.wholes[kind]
        return states, whole

    def one_more(self, states: dict[Lying, int], ways: list[tuple[Rest, int]]) -> dict[Lying, int]:
        if len(states) * len(ways) > 40 * MOST_WALKED:
            raise TooMuch
        found: dict[Lying, int] = {}
        for state, weight in states.items():
            for rest, share in ways:
                after = placed(state, rest)
                found[after] = found.get(after, 0) + weight * share
        if len(found) > MOST_WALKED:
            raise TooMuch
        return found

    def group(self, states: dict[Lying, int], whole: int) -> StateGroup:
        """The coordinates of dice that lie, with all dice that they earn."""
        found: dict[tuple[Values, tuple[Place, ...]], Fraction] = {}
        for state, weight in states.items():
            key = (
                self.values(state),
                tuple(place for rest in state for place, times in rest.children for _ in range(times)),
            )
            found[key] = found.get(key, Fraction(0)) + Fraction(weight, whole)
        done = self.follow(found)
        size = lcm(*(share.denominator for share in done.values())) if done else 1
        missing = 1 - sum(done.values(), Fraction(0))
        values = {self.visible(values): int(share * size) for values, share in merged(done, self.visible).items()}
        return StateGroup(values, size, len(self.coordinates), missing)

    def values(self, state: Lying) -> Values:
        """Each coordinate of dice that lie; the highest of no dice is nothing yet."""
        kept = [
            rest
            for kind, group in groupby(state, key=lambda rest: rest.kind)
            for rest in kept_of(self.setting, kind, list(group))
        ]
        return tuple(self.value(coordinate, kept) for coordinate in self.coordinates)

    def value(self, coordinate: Coordinate, kept: list[Rest]) -> int:
        made = self.setting.program
        numbers = [(int(name[1:]), times) for name, times in coordinate.form]
        if not coordinate.extreme:
            return sum(
                times * rest.gives[number]
                for number, times in numbers
                for rest in kept
                if rest.kind == made.tallies[number].kind
            )
        values = [rest.value for rest in kept if rest.kind == made.tallies[numbers[0][0]].kind]
        if not values:
            return NONE
        return max(values) if coordinate.extreme == "highest" else min(values)

    def visible(self, values: Values) -> Values:
        return tuple(0 if value == NONE else value for value in values)

    def follow(self, states: dict[tuple[Values, tuple[Place, ...]], Fraction]) -> dict[Values, Fraction]:
        """Throws the dice that are waiting, one a state at a time, until none is worth following."""
        done: dict[Values, Fraction] = {}
        walked = 0
        while states:
            after: dict[tuple[Values, tuple[Place, ...]], Fraction] = {}
            for (values, waiting), share in states.items():
                if not waiting:
                    done[values] = done.get(values, Fraction(0)) + share
                elif share > UNLIKELY:
                    for key, part in self.throw(values, waiting, share):
                        after[key] = after.get(key, Fraction(0)) + part
            states, walked = after, walked + len(after)
            if walked > MOST_WALKED:
                break
        return done

    def throw(
        self, values: Values, waiting: tuple[Place, ...], share: Fraction
    ) -> Iterator[tuple[tuple[Values, tuple[Place, ...]], Fraction]]:
        place, rest = waiting[-1], waiting[:-1]
        for ending, weight in self.rests(place.kind):
            more = tuple(child for child, times in ending.children for _ in range(times))
            after = tuple(sorted((*rest, *more)))
            yield (self.joined(values, self.values((ending,))), after), share * weight / self.wholes[place.kind]

    def joined(self, left: Values, right: Values) -> Values:
        return tuple(map(join, self.coordinates, left, right))


NONE = -(2**50)  # stands for the highest of no dice


def join(coordinate: Coordinate, left: int, right: int) -> int:
    if not coordinate.extreme:
        return left + right
    if NONE in (left, right):
        return left if right == NONE else right
    return max(left, right) if coordinate.extreme == "highest" else min(left, right)


def merged(done: dict[Values, Fraction], visible: object) -> dict[Values, Fraction]:
    found: dict[Values, Fraction] = {}
    for values, share in done.items():
        key = visible(values)  # type: ignore[operator]
        found[key] = found.get(key, Fraction(0)) + share
    return found


def placed(state: Lying, rest: Rest) -> Lying:
    """The state with one more die, in its place."""
    key = (rest.kind, rest.value, rest.gives, rest.children)
    for number, other in enumerate(state):
        if (other.kind, other.value, other.gives, other.children) >= key:
            return (*state[:number], rest, *state[number:])
    return (*state, rest)


def kept_of(setting: Setting, kind: int, rests: list[Rest]) -> list[Rest]:
    ready = setting.kinds[kind]
    if ready.keep is None or not ready.kind.keep:
        return rests
    return sorted(rests, key=lambda rest: rest.value, reverse=ready.kind.keep.highest)[: ready.keep]

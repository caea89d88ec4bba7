"""A die as a small machine: where it stands, what each face does there, and which dice it leads to.

A node is a die about to be thrown: its kind, the face it showed last, and how often it was thrown.
Throws beyond the last one that a formula tells apart are the same node, so there are finitely many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from .alike import told_apart
from .model import Reroll
from .setting import Landing, Refused, Setting

MOST_ROUNDS = 100
MOST_BRANCHES = 100_000


class Place(NamedTuple):
    """A die about to be thrown. Throw 0 is the first throw with all rerolls of such faces behind it."""

    kind: int
    last: int = 0
    throw: int = 1


class Branch(NamedTuple):
    """What some of the faces of a die do: `weight` of them, all in the same way."""

    weight: int
    landing: Landing
    onward: Place | None
    earned: int  # dice of the kind that `again` names

    def children(self, roll: int | None) -> Iterator[tuple[Place, int]]:
        if self.onward:
            yield self.onward, 1
        if self.earned and roll is not None:
            yield Place(roll), self.earned


class Machine:
    """The branches of every place that can be reached, for one setting and one way with optional dice."""

    def __init__(self, setting: Setting, eager: bool = True) -> None:
        self.setting, self.eager = setting, eager
        self.found: dict[Place, list[Branch]] = {}
        self.shown: dict[tuple[int, bool], dict[int, int]] = {}

    def branches(self, place: Place) -> list[Branch]:
        if place not in self.found:
            self.found[place] = list(self.explore(place))
        return self.found[place]

    def explore(self, place: Place) -> Iterator[Branch]:
        ready = self.setting.kinds[place.kind]
        for face, weight in sorted(self.weights(place).items()):
            landing = ready.land(face, place.last, max(place.throw, 1))
            explodes = landing.explodes and (self.eager or not landing.may_stop)
            earned = landing.earns if self.eager or not landing.may_decline else 0
            yield Branch(weight, landing, self.onward(place, face) if explodes else None, earned)

    def onward(self, place: Place, face: int) -> Place:
        last, furthest = told_apart(self.setting, place.kind)
        return Place(place.kind, face if last else 0, min(max(place.throw, 1) + 1, furthest))

    def weights(self, place: Place) -> dict[int, int]:
        """How many sides show each number, or stand for it after rerolls."""
        key = (place.kind, place.throw > 0)
        if key not in self.shown:
            plain = dict(Counter(self.setting.kinds[place.kind].faces))
            self.shown[key] = plain if place.throw else self.rerolled(place.kind, plain)
        return self.shown[key]

    def sides(self, place: Place) -> int:
        return sum(self.weights(place).values()) if not place.throw else len(self.setting.kinds[place.kind].faces)

    def start(self, kind: int) -> Place:
        """A die of the first round."""
        return Place(kind, 0, 0 if any(self.rounds(kind)) else 1)

    def rounds(self, kind: int) -> Iterator[Reroll]:
        """Each round in which all dice of some faces are thrown anew."""
        rule = self.setting.rule
        for reroll in rule.rerolls:
            if reroll.pick == "all" and rule.dice[kind].name in reroll.among:
                times = max(self.setting.of(reroll.times), 0)
                if times > MOST_ROUNDS:
                    raise Refused(f"{times:,} rounds of rerolls are more than the {MOST_ROUNDS} that odds can follow")
                yield from [reroll] * times

    def rerolled(self, kind: int, plain: dict[int, int]) -> dict[int, int]:
        found, sides = plain, sum(plain.values())
        for reroll in self.rounds(kind):
            after: dict[int, int] = {}
            for face, weight in found.items():
                again = self.setting.meets(reroll, kind, face)
                for new, share in plain.items() if again else ((face, sides),):
                    stays = {"higher": max(face, new), "lower": min(face, new), "new": new}[reroll.keep]
                    after[stays] = after.get(stays, 0) + weight * share
            found = after
        return found

    def roll(self, kind: int) -> int | None:
        """The kind of dice that a kind earns."""
        rule = self.setting.rule
        again = rule.dice[kind].again
        return rule.kind_numbers[again.roll] if again else None

    def children(self, place: Place, branch: Branch) -> Iterator[tuple[Place, int]]:
        return branch.children(self.roll(place.kind))

    def reach(self, starts: Sequence[Place]) -> list[Place]:
        """All places that these dice can lead to, themselves first."""
        reached = dict.fromkeys(starts)
        waiting = list(starts)
        while waiting:
            place = waiting.pop()
            for branch in self.branches(place):
                for child, _ in self.children(place, branch):
                    if child not in reached:
                        reached[child] = None
                        waiting.append(child)
            if sum(map(len, self.found.values())) > MOST_BRANCHES:
                raise Refused("these dice tell too many faces apart that may lie before a throw")
        return list(reached)

    def offspring(self, place: Place) -> dict[Place, Fraction]:
        """How many dice of each place a throw leads to on average."""
        found: dict[Place, Fraction] = {}
        for branch in self.branches(place):
            for child, times in self.children(place, branch):
                found[child] = found.get(child, Fraction(0)) + Fraction(branch.weight * times, self.sides(place))
        return found

    def ends(self, places: Sequence[Place]) -> bool:
        """Whether these dice lead to finitely many throws on average."""
        rows = {place: self.offspring(place) for place in places}
        throws = solve(rows, dict.fromkeys(places, Fraction(1)))
        return throws is not None and all(number > 0 for number in throws.values())


def solve(
    rows: Mapping[Place, Mapping[Place, Fraction]], right: Mapping[Place, Fraction]
) -> dict[Place, Fraction] | None:
    """The x with x = rows·x + right, by elimination; None where there is no single answer."""
    system = {}
    for place, row in rows.items():
        line = {other: -share for other, share in row.items() if share}
        line[place] = line.get(place, Fraction(0)) + 1
        system[place] = (line, right[place])
    order = list(system)
    for number, pivot in enumerate(order):
        line, value = system[pivot]
        if not line.get(pivot):
            return None
        for other in order[:number] + order[number + 1 :]:
            system[other] = cleared(system[other], pivot, line, value)
    return {place: value / line[place] for place, (line, value) in system.items()}


def cleared(
    row: tuple[dict[Place, Fraction], Fraction], pivot: Place, line: Mapping[Place, Fraction], value: Fraction
) -> tuple[dict[Place, Fraction], Fraction]:
    own, right = row
    if not own.get(pivot):
        return row
    times = own[pivot] / line[pivot]
    mixed = dict(own)
    for name, share in line.items():
        mixed[name] = mixed[name] - times * share if name in mixed else -times * share
    return {name: share for name, share in mixed.items() if share and name != pivot}, right - times * value

"""Finite automaton of one die: its states, the transition for each face, and the dice that it earns.

A state is a die about to be rolled: its kind, its last face, and the number of the throw. Throws that no formula can
distinguish share one state, so the automaton is finite."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any, NamedTuple

from ..game.formula import Node, names_in
from ..game.intervals import Bounds, Range, between, evaluate, exactly
from ..game.model import Reroll
from .bound_rule import Landing, Refused, Setting
from .compiled_rule import Program, test_functions, throw_tests

FURTHEST = 64  # throws that formulas may distinguish
MOST_LOOKS = 10_000  # pairs of a face and the face before it
NOTHING = Node("number", (0,))


class Questions(NamedTuple):
    """The tests of a kind of dice on each throw, with good and bad replaced by their formulas."""

    tests: Mapping[str, Node]
    names: frozenset[str]

    @property
    def telling(self) -> dict[str, Node]:
        """The tests that can depend on the number of the throw."""
        return {name: node for name, node in self.tests.items() if "throw" in names_in(node)}


def told_apart(setting: Setting, kind: int) -> tuple[bool, int]:
    """Whether the previous face matters, and the throw from which on all throws are equivalent."""
    asked = questions(setting.program, kind)
    if "throw" not in asked.names:
        return "last" in asked.names, 1
    known = tuple(sorted((name, setting.known[name]) for name in asked.names & setting.known.keys()))
    found = furthest(setting.program, kind, tuple(sorted(set(setting.kinds[kind].faces))), known)
    if found is None:
        raise Refused(f"the {setting.rule.dice[kind].name} dice tell more than {FURTHEST} throws apart")
    return "last" in asked.names, found


@lru_cache(maxsize=1024)
def questions(made: Program, kind: int) -> Questions:
    asked = {name: formula.node for name, formula in test_functions(made.rule.dice[kind]).items()}
    words = {name: Node("!=", (asked.pop(name, NOTHING), NOTHING)) for name in ("good", "bad")}
    tests = {name: written_out(node, words) for name, node in asked.items()}
    tests |= {f"hit {number}": written_out(node, words) for number, node in enumerate(throw_tests(made, kind))}
    return Questions(tests, frozenset().union(*map(names_in, tests.values())))


def written_out(node: Node, words: Mapping[str, Node]) -> Node:
    if node.op == "name":
        return words.get(node.args[0], node)
    return Node(node.op, tuple(written_out(arg, words) if isinstance(arg, Node) else arg for arg in node.args))


@lru_cache(maxsize=1024)
def furthest(made: Program, kind: int, faces: tuple[int, ...], known: tuple[tuple[str, Any], ...]) -> int | None:
    """The throw from which on all throws are equivalent; None if it is not below MAX_DISTINCT_THROWS."""
    asked, bounds = questions(made, kind), made.bounds
    sides = len(faces) if not made.rule.dice[kind].faces else len(made.rule.dice[kind].faces)
    for name, value in (*known, ("sides", sides)):
        bounds = bounds.with_value(name, exactly(value))
    throw = 1
    for face, last in looks(asked, faces, bounds):  # equivalence from one throw on holds for later throws too
        while not alike(asked, bounds, throw, face, last):
            throw += 1
            if throw == FURTHEST:
                return None
    return throw


def looks(asked: Questions, faces: tuple[int, ...], bounds: Bounds) -> Iterator[tuple[int, int]]:
    """Each face with each possible previous face; 0 if the previous face does not matter."""
    before = [0]
    if "explode" not in asked.tests:
        before = []
    elif "last" in asked.names:
        wide = since(bounds, 1).with_value("last", between(min(0, *faces), max(0, *faces)))
        before = [face for face in faces if may_hold(asked.tests["explode"], wide.with_value("face", exactly(face)))]
    if len(before) * len(faces) > MOST_LOOKS:
        raise Refused(f"dice that tell throws apart cannot have {len(faces):,} faces")
    return product(faces, before)


def since(bounds: Bounds, throw: int) -> Bounds:
    """The bounds for all throws from this one on."""
    later = Bounds({"throw": (throw, inf)}, bounds.values, bounds.tables)
    return later.with_value("throw", later.variable("throw"))


def may_hold(node: Node, bounds: Bounds) -> bool:
    found = evaluate(node, bounds)
    return not isinstance(found, Range) or found.truth is not False


def alike(asked: Questions, bounds: Bounds, throw: int, face: int, last: int) -> bool:
    """Whether this face after `last` has the same effect on this throw and all later ones."""
    known = since(bounds, throw).with_value("face", exactly(face)).with_value("last", exactly(last))
    found = {name: evaluate(node, known) for name, node in asked.telling.items()}
    if "times" in found and not may_hold(asked.tests["earn"], known):
        del found["times"]  # no dice are earned, so their number does not matter
    return all(
        isinstance(one, Range) and (one.certain if name == "times" else one.truth is not None)
        for name, one in found.items()
    )


MOST_ROUNDS = 100
MOST_BRANCHES = 100_000


class Place(NamedTuple):
    """A state: a die about to be rolled. Throw 0 is the first throw including its rerolls."""

    kind: int
    last: int = 0
    throw: int = 1


class Branch(NamedTuple):
    """The transition of one face, which is on `weight` sides of the die."""

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
    """The automaton of the dice of a bound rule; `eager` decides whether optional dice are rolled."""

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
        """The number of sides, or of combinations after rerolls, for each face."""
        key = (place.kind, place.throw > 0)
        if key not in self.shown:
            plain = dict(Counter(self.setting.kinds[place.kind].faces))
            self.shown[key] = plain if place.throw else self.rerolled(place.kind, plain)
        return self.shown[key]

    def sides(self, place: Place) -> int:
        return sum(self.weights(place).values()) if not place.throw else len(self.setting.kinds[place.kind].faces)

    def start(self, kind: int) -> Place:
        """The initial state of a die of the first round."""
        return Place(kind, 0, 0 if any(self.rounds(kind)) else 1)

    def rounds(self, kind: int) -> Iterator[Reroll]:
        """The rerolls of all matching dice, once for each round."""
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
        """The kind of dice that a kind earns; None if it earns none."""
        rule = self.setting.rule
        again = rule.dice[kind].again
        return rule.kind_numbers[again.roll] if again else None

    def children(self, place: Place, branch: Branch) -> Iterator[tuple[Place, int]]:
        return branch.children(self.roll(place.kind))

    def reach(self, starts: Sequence[Place]) -> list[Place]:
        """All reachable states, the starts first."""
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
        """The average number of dice in each state after one throw."""
        found: dict[Place, Fraction] = {}
        for branch in self.branches(place):
            for child, times in self.children(place, branch):
                found[child] = found.get(child, Fraction(0)) + Fraction(branch.weight * times, self.sides(place))
        return found

    def ends(self, places: Sequence[Place]) -> bool:
        """Whether the average number of throws is finite."""
        rows = {place: self.offspring(place) for place in places}
        throws = solve(rows, dict.fromkeys(places, Fraction(1)))
        return throws is not None and all(number > 0 for number in throws.values())


def solve(
    rows: Mapping[Place, Mapping[Place, Fraction]], right: Mapping[Place, Fraction]
) -> dict[Place, Fraction] | None:
    """Solve x = rows·x + right by elimination; None if the solution is not unique."""
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

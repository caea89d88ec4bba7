"""How one die can come to rest: with which value, what is counted on it, and which dice it earns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from ..model import Reroll
from ..nodes import Branch, Machine, Place
from ..throws import throw_tallies, value_tallies
from .effect import Values
from .limits import TooMuch

MOST_RESTS = 20_000
UNLIKELY = Fraction(1, 10**20)  # what is rarer is not followed; it counts as missing
Children = tuple[tuple[Place, int], ...]


@dataclass(frozen=True, slots=True)
class Rest:
    """A die that has come to rest: its value, what each tally of its kind counts on it, and the dice it earns."""

    kind: int
    value: int
    gives: Values
    children: Children

    @property
    def key(self) -> tuple[int, int, Values, Children]:
        return self.kind, self.value, self.gives, self.children


Ways = dict[Rest, int]
Rolling = tuple[Place, int, Values, Children]  # a die about to be thrown on, and what its throws have brought so far


class Rests:
    """The ways of a kind's dice; tallies that nobody asks for, and dice that only such tallies see, are left out."""

    def __init__(self, machine: Machine, asked: frozenset[int] | None = None) -> None:
        self.machine, self.setting = machine, machine.setting
        tallies = self.setting.program.tallies
        self.asked = frozenset(range(len(tallies))) if asked is None else asked
        self.ways: dict[int, Ways] = {}
        self.wholes: dict[int, int] = {}
        self.lossy = False  # whether some ways were too unlikely to follow

    @cached_property
    def seen(self) -> set[int]:
        """The kinds on which something is counted, and those that earn such dice."""
        tallies = self.setting.program.tallies
        seen = {tallies[number].kind for number in self.asked}
        for _ in self.setting.kinds:
            seen |= {ready.number for ready in self.setting.kinds if self.machine.roll(ready.number) in seen}
        return seen

    def of(self, kind: int) -> Ways:
        """All ways in which a die of a kind can come to rest, with weights over `wholes`."""
        if kind not in self.ways:
            found = self.endings(kind)
            self.wholes[kind] = lcm(*(share.denominator for share in found.values()))
            self.ways[kind] = {rest: int(share * self.wholes[kind]) for rest, share in found.items()}
            self.lossy = self.lossy or sum(found.values()) < 1
        return self.ways[kind]

    def endings(self, kind: int) -> dict[Rest, Fraction]:
        """Throw after throw; dice that stand alike after a throw are followed as one."""
        found: dict[Rest, Fraction] = {}
        nothing = (0,) * len(self.setting.program.tallies)
        waiting: dict[Rolling, Fraction] = {(Place(kind), 0, nothing, ()): Fraction(1)}
        while waiting:
            after: dict[Rolling, Fraction] = {}
            for (place, value, gives, children), share in waiting.items():
                for branch in self.machine.branches(place):
                    part = share * branch.weight / self.machine.sides(place)
                    now, total = self.given(kind, branch, gives), value + branch.landing.face
                    earned = together(children, self.earned(kind, branch))
                    if branch.onward is None:
                        rest = self.rest(kind, total, now, earned)
                        found[rest] = found.get(rest, Fraction(0)) + part
                    elif part > UNLIKELY:
                        key = (branch.onward, total, now, earned)
                        after[key] = after.get(key, Fraction(0)) + part
            waiting = after
            if len(found) + len(waiting) > MOST_RESTS:
                raise TooMuch
        return found

    def given(self, kind: int, branch: Branch, gives: Values) -> Values:
        """What is counted, with one more throw."""
        found = list(gives)
        for number, hit in zip(throw_tallies(self.setting.program, kind), branch.landing.hits, strict=True):
            found[number] += hit if number in self.asked else 0
        return tuple(found)

    def earned(self, kind: int, branch: Branch) -> Children:
        roll = self.machine.roll(kind)
        return ((Place(roll), branch.earned),) if branch.earned and roll is not None and roll in self.seen else ()

    def rest(self, kind: int, value: int, gives: Values, children: Children) -> Rest:
        """A die with this value, and with what its throws have counted."""
        found, made = list(gives), self.setting.program
        for order, number in enumerate(value_tallies(made, kind)):
            found[number] = self.setting.kinds[kind].value_tests[order](value) if number in self.asked else 0
        for number, tally in enumerate(made.tallies):
            if tally.kind == kind and tally.test is None and number in self.asked:
                found[number] = 1 if tally.function == "count" else value
        return Rest(kind, value, tuple(found), children)

    def rethrown(self, kind: int, rounds: Sequence[Reroll]) -> tuple[Ways, int]:
        """The same after rounds in which every die that meets a test is thrown anew."""
        fresh, found, size = self.of(kind), dict(self.of(kind)), self.wholes[kind]
        whole = size
        for reroll in rounds:
            after: Ways = {}
            for old, weight in found.items():
                meets = self.setting.meets(reroll, kind, old.value)
                for new, share in fresh.items() if meets else ((old, size),):
                    rest = stays(reroll, old, new)
                    after[rest] = after.get(rest, 0) + weight * share
            found, whole = after, whole * size
        return found, whole


def together(children: Children, more: Children) -> Children:
    """A die earns dice of one kind only, so their numbers add up."""
    return ((more[0][0], children[0][1] + more[0][1]),) if children and more else children or more


def stays(reroll: Reroll, old: Rest, new: Rest) -> Rest:
    """The die that remains of an old and a new one."""
    if reroll.keep == "new" or (old.value < new.value if reroll.keep == "higher" else old.value > new.value):
        return new
    return old

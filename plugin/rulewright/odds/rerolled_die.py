"""Dice that explode and are rerolled as a whole while a test of their value holds, as states of one die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf

from ..game.formula import Node
from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value, interval_between
from ..play.automaton import Automaton, Branch, DieState, inline_tests
from .budget import NotExactError

_FAR_VALUE = 2**40
_MOST_VALUES = 1_000


def constant_from(machine: Automaton, kind: int, tests: Sequence[Node], name: str) -> int | None:
    """The least number from which all tests have the same answer; None if there is none."""
    setting = machine.setting
    known = {known_name: exact_value(value) for known_name, value in setting.known.items()}
    known["sides"] = exact_value(len(setting.kinds[kind].faces))

    def is_constant(number: int) -> bool:
        bounds = Bounds({}, {**known, name: interval_between(number, inf)}, setting.program.rule.tables)
        results = [evaluate_bounds(test, bounds) for test in tests]
        return all(isinstance(result, Interval) and result.truth is not None for result in results)

    if not is_constant(_FAR_VALUE):
        return None
    low, high = -_FAR_VALUE, _FAR_VALUE
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if is_constant(middle) else (middle, high)
    return high


Children = tuple[tuple[DieState, int], ...]
Share = tuple[Fraction, Branch | None, Children]


class RerolledDie:
    """A die that explodes and is rerolled as a whole while a test of its value holds, for some rounds.

    What an attempt that does not count has added must be forgotten. So whether it counts is decided before its first
    face: an attempt that counts has the faces of all attempts that do, with their chances among these."""

    def __init__(self, machine: Automaton, kind: int) -> None:
        self.machine, self.kind = machine, kind
        self.rounds = list(machine.reroll_rounds(kind))
        if any(reroll.keep != "new" for reroll in self.rounds) or machine.setting.kinds[kind].least_value < 1:
            raise NotExactError
        own = machine.setting.rule.kinds[kind]
        tests = [inline_tests(own, reroll.when.node) for reroll in self.rounds if reroll.when]
        constant = constant_from(machine, kind, tests, "face")
        if constant is None or constant > _MOST_VALUES:
            raise NotExactError
        self.constant = max(constant, 1)  # the value from which on the test has one answer
        self.known: dict[DieState, Fraction] = {}
        self.open: set[DieState] = set()  # places whose chance is being found

    def branches(self, place: DieState) -> Iterator[Share]:
        """The faces of an attempt that counts, with their chances; at its beginning, a new attempt instead."""
        rows = list(self.counting_branches(place))
        counting = sum((share for share, _, _ in rows), Fraction(0))
        if place.throw:
            yield from ((share / counting, branch, children) for share, branch, children in rows)
            return
        yield from rows
        again = place.attempt[1] + 1 if place.attempt else 1
        new = DieState(self.kind, 0, 0, (0, again)) if again < len(self.rounds) else DieState(self.kind)
        yield 1 - counting, None, ((new, 1),)

    def counting_branches(self, place: DieState) -> Iterator[Share]:
        """The faces, each with the chance that it falls and the attempt counts in the end."""
        value, number = place.attempt or (0, 0)
        plain = place._replace(throw=max(place.throw, 1), attempt=None)
        for branch in self.machine.find_branches(plain):
            children = list(branch.child_states)
            total, chance = value + branch.transition.value, Fraction(1)
            if branch.next_state is None:
                chance = Fraction(not self.is_rerolled(number, total))
            elif total < self.constant:
                children[0] = (branch.next_state._replace(attempt=(total, number)), 1)
                chance = self.chance_to_count(children[0][0])
            else:  # every value from here on has the same answer
                chance = Fraction(not self.is_rerolled(number, self.constant))
            if chance:
                yield chance * Fraction(branch.weight, self.machine.sides(plain)), branch, tuple(children)

    def chance_to_count(self, place: DieState) -> Fraction:
        if place not in self.known:
            if place in self.open:  # it can come back without a change of its value
                raise NotExactError
            self.open.add(place)
            self.known[place] = sum((share for share, _, _ in self.counting_branches(place)), Fraction(0))
        return self.known[place]

    def is_rerolled(self, number: int, value: int) -> bool:
        return self.machine.setting.is_rerolled(self.rounds[number], self.kind, value)

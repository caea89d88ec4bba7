"""How one die of an ordered pool can come to rest, and small sums over such ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from ..bounds import Bounds, Range, between, exactly
from ..nodes import Machine
from ..ranges import evaluate
from ..throws import value_tallies
from .family import Values
from .plan import Coordinate

FAR = 2**40


@dataclass(frozen=True, slots=True)
class Way:
    """Some of the ways in which one die comes to rest: its value, what it adds to each coordinate, how likely."""

    value: int
    adds: Values
    weight: int


def corners(values: list[int], low: int, high: int, lows: bool, highs: bool) -> Iterator[tuple[int, int, int]]:
    """Exactly this lowest and highest, as a sum of «between» with signs."""
    below = [value for value in values if value < high]
    above = [value for value in values if value > low]
    yield 1, low, high
    if highs and below:
        yield -1, low, below[-1]
    if lows and above:
        yield -1, above[0], high
    if highs and lows and below and above:
        yield 1, above[0], below[-1]


def widest(ways: list[Way]) -> int:
    spans = [max(column) - min(column) for column in zip(*(way.adds for way in ways), strict=True)]
    return spans.index(max(spans))


def value_coordinate(kind: int) -> Coordinate:
    """The value of a die, whether or not the rule counts it."""
    return Coordinate("value", ((f"value of {kind}", 1),), "")


def throw_part(machine: Machine, coordinate: Coordinate) -> Coordinate:
    """The part of a coordinate that is counted throw by throw; the rest follows from the value of a die."""
    made = machine.setting.program
    form = tuple((name, times) for name, times in coordinate.form if made.tallies[int(name[1:])].per_throw)
    return Coordinate(coordinate.name, form, "")


def by_value(machine: Machine, kind: int, coordinate: Coordinate, value: int) -> int:
    """What a die of this value adds to a coordinate, beside what its throws add."""
    made, total = machine.setting.program, 0
    asking = {number: order for order, number in enumerate(value_tallies(made, kind))}
    for name, times in coordinate.form:
        tally = made.tallies[int(name[1:])]
        if int(name[1:]) in asking:
            total += times * machine.setting.kinds[kind].value_tests[asking[int(name[1:])]](value)
        elif tally.test is None:
            total += times * (value if tally.function == "sum" else 1)
    return total


def flat_from(machine: Machine, kind: int, coordinates: Sequence[Coordinate]) -> int | None:
    """The least value from which on all values of a die count alike; None where one counts by itself."""
    made, setting = machine.setting.program, machine.setting
    tallies = [made.tallies[int(name[1:])] for one in coordinates for name, _ in one.form]
    if any(tally.function != "count" for tally in tallies):
        return None
    known = {name: exactly(value) for name, value in setting.known.items()} | {
        "sides": exactly(len(setting.kinds[kind].faces))
    }
    tests = [tally.test for tally in tallies if tally.test is not None and not tally.per_throw]

    def flat(value: int) -> bool:
        bounds = Bounds({}, {**known, "value": between(value, inf)}, made.rule.tables)
        found = [evaluate(test, bounds) for test in tests]
        return all(isinstance(one, Range) and one.truth is not None for one in found)

    if not flat(FAR):
        return None
    low, high = -FAR, FAR
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if flat(middle) else (middle, high)
    return high

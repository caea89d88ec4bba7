"""Order statistics of a pool: the highest and the lowest die, and what the kept dice add up to.

The values of a die that explodes are infinite; those from some end on belong to the tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, gcd, inf, lcm
from operator import add
from typing import Any

from ..play.automaton import Automaton, DieState
from .budget import Budget, NotExactError
from .follow_up_dice import Family, Values
from .generating_function import DieSeries, expand_die
from .group import Group, Points
from .plan import Coordinate
from .pool import Powers
from .rerolled_die import constant_from
from .settle import TailCase


@dataclass(frozen=True, slots=True)
class _DieResult:
    """Some final states of one die: its value, what it adds to each coordinate, and the weight."""

    value: int
    adds: Values
    weight: int


def _widest_coordinate(ways: list[_DieResult]) -> int:
    spans = [max(column) - min(column) for column in zip(*(way.adds for way in ways), strict=True)]
    return spans.index(max(spans))


def _value_coordinate(kind: int) -> Coordinate:
    """The value of a die, whether or not the rule counts it."""
    return Coordinate("value", ((f"value of {kind}", 1),), "")


def _per_throw_part(machine: Automaton, coordinate: Coordinate) -> Coordinate:
    """The part of a coordinate that is counted per throw; the rest follows from the value of a die."""
    compiled = machine.setting.program
    form = tuple((name, times) for name, times in coordinate.form if compiled.tallies[int(name[1:])].is_per_throw)
    return Coordinate(coordinate.name, form, "")


def _adds_by_value(machine: Automaton, kind: int, coordinate: Coordinate, value: int) -> int:
    """What a die of this value adds to a coordinate, without the part that is counted per throw."""
    compiled, total = machine.setting.program, 0
    asking = {number: order for order, number in enumerate(compiled.kinds[kind].value_tally_indices)}
    for name, times in coordinate.form:
        tally = compiled.tallies[int(name[1:])]
        if int(name[1:]) in asking:
            total += times * machine.setting.kinds[kind].value_tests[asking[int(name[1:])]](value)
        elif tally.body is None:
            total += times * (value if tally.function == "sum" else 1)
    return total


_KeepState = tuple[int, Values, int, int]  # dice still to keep, counts, best and last kept value


@dataclass
class _KeptDice:
    """The distribution of the kept dice of a pool: a walk over the values, the best first.

    `best` and `last` say which of their extreme values are needed."""

    dice: int
    kept: int
    size: int
    best: bool
    last: bool
    budget: Budget

    def all_results(self, ways: Sequence[_DieResult], far: int) -> Iterator[tuple[tuple[Values, int, int], int]]:
        """Counts, best and last value of the kept dice, with weights; dice in the tail (`far`) are not kept."""
        rest = far + sum(way.weight for way in ways)
        self.bits = self.dice * rest.bit_length()
        states: dict[_KeepState, int] = {(self.kept, (0,) * self.size, 0, 0): 1}
        for value, group in groupby(ways, key=lambda way: way.value):
            own = list(group)
            total = sum(way.weight for way in own)
            rest -= total
            sums = self.sums_by_count(own)
            self.spend((self.kept + 1) * (self.kept + 12))
            ended = [self.weight_of_dropped(kept, total, rest) for kept in range(self.kept + 1)]
            after: dict[_KeepState, int] = {}
            for (kept, adds, best, last), weight in states.items():
                first = value if self.best and kept == self.kept else best
                end = value if self.last else last
                self.spend(sum(map(len, sums[: kept + 1])))
                for more, share in sums[kept].items():
                    yield (tuple(map(add, adds, more)), first, end), weight * share * ended[kept]
                for count in range(kept):
                    factor = weight * comb(self.dice - self.kept + kept, count)
                    for more, share in sums[count].items():
                        marks = (first, end) if count else (best, last)
                        key = (kept - count, tuple(map(add, adds, more)), *marks)
                        after[key] = after.get(key, 0) + factor * share
            states = after

    def spend(self, steps: int) -> None:
        self.budget.spend(6 * steps, 5 * self.bits)

    def weight_of_dropped(self, kept: int, total: int, rest: int) -> int:
        """The weight of the dice that are not kept, if the last kept dice show a value; `rest` belongs to later values.

        Of the n dice left, at least `kept` show the value: the sum of C(n, s) · total^(s - kept) · rest^(n - s)."""
        left = self.dice - self.kept + kept
        fewer = sum(comb(left, count) * total**count * rest ** (left - count) for count in range(kept))
        weight: int = ((total + rest) ** left - fewer) // total**kept
        return weight

    def sums_by_count(self, own: list[_DieResult]) -> list[dict[Values, int]]:
        """What 0, 1, 2, ... kept dice that show the same value add up to, with weights."""
        sums: list[dict[Values, int]] = [{(0,) * self.size: 1}]
        for _ in range(self.kept):
            after: dict[Values, int] = {}
            for adds, weight in sums[-1].items():
                for way in own:
                    key = tuple(map(add, adds, way.adds))
                    after[key] = after.get(key, 0) + weight * way.weight
            self.spend(len(sums[-1]) * len(own))
            sums.append(after)
        return sums


@dataclass
class OrderedGroup(Group):
    """A pool whose coordinates depend on the order of its dice.

    The tail of an infinite pool: all dice with values from an end on have that value instead. What a question does
    there is followed for the lowest die, the highest, and the sum of those between."""

    budget: Budget
    machine: Automaton
    kind: int
    coordinates: Sequence[Coordinate]
    dice: int
    kept: int | None
    highest: bool

    has_lines = False

    def __post_init__(self) -> None:
        self.size = len(self.coordinates)
        self.is_infinite = self.machine.setting.rule.kinds[self.kind].explodes and self.has_infinite_values()
        self.sum_coordinates = [coordinate for coordinate in self.coordinates if not coordinate.extreme]
        plain = [_per_throw_part(self.machine, coordinate) for coordinate in self.sum_coordinates]
        self.family = Family(self.machine, [self.start], [_value_coordinate(self.kind), *plain], self.budget, 0)
        self.known_points: dict[tuple[int, int | None], tuple[list[tuple[Values, int]], int]] = {}
        self.least = self.least_end = self.family.axis_low(self.start)
        if self.is_infinite:
            every = self.machine.setting.program.tallies
            tallies = [every[int(name[1:])] for coordinate in self.coordinates for name, _ in coordinate.form]
            tests = [tally.body for tally in tallies if tally.body is not None and not tally.is_per_throw]
            flat = constant_from(self.machine, self.kind, tests, "value")
            if flat is None:
                raise NotExactError
            self.least_end = max(self.least, flat)

    def has_infinite_values(self) -> bool:
        family = Family(self.machine, [self.start], [_value_coordinate(self.kind)], self.budget)
        if family.low[0][self.start] == -inf:
            raise NotExactError
        return bool(family.high[0][self.start] == inf)

    @property
    def tail_key(self) -> tuple[Any, ...]:
        return "ordered", self.counted_dice, self.least_end

    @property
    def start(self) -> DieState:
        return self.machine.initial_state(self.kind)

    @property
    def counted_dice(self) -> int:
        """How many dice count."""
        return self.dice if self.kept is None else min(self.kept, self.dice)

    @property
    def counts_only_lowest(self) -> bool:
        return self.kept is None and all(coordinate.extreme == "lowest" for coordinate in self.coordinates)

    def ranges(self) -> list[tuple[float, float]]:
        """The bounds of each coordinate."""
        if not self.is_infinite:
            points, _ = self.points(0)
            return [(min(values), max(values)) for values in zip(*(values for values, _ in points), strict=True)]
        variables = self.variables("", -1)
        return [
            (
                sum(min(times * end for end in variables[name]) for name, times in form.items()),
                sum(max(times * end for end in variables[name]) for name, times in form.items()),
            )
            for form in (self.form(coordinate, "") for coordinate in self.coordinates)
        ]

    def variables(self, prefix: str, moved: int, end: int = 0) -> dict[str, tuple[float, float]]:
        """The bounds of lowest, middle and highest, one of them from an end on; and those of all counts."""
        least, between = self.least, self.counted_dice - 2
        floors = [least, least * between, least]
        if moved >= 0:
            floors[moved] = end + least * (between - 1) if moved == 1 else end
        ranges: dict[str, tuple[float, float]] = {
            f"{prefix}{name}": (floor, inf) for name, floor in zip(("low", "mid", "high"), floors, strict=True)
        }
        plain = [number for number, coordinate in enumerate(self.coordinates) if not coordinate.extreme]
        for number, place in enumerate(plain):
            ends = [self.family.low[number + 1][self.start], self.family.high[number + 1][self.start]]
            for name, times in self.coordinates[place].form:
                tally = self.machine.setting.program.tallies[int(name[1:])]
                if tally.function == "count" and not tally.is_per_throw:
                    ends = [ends[0] + min(times, 0), ends[1] + max(times, 0)]
            ranges[f"{prefix}counts {place}"] = (ends[0] * self.counted_dice, ends[1] * self.counted_dice)
        return ranges

    def form(self, coordinate: Coordinate, prefix: str) -> dict[str, int]:
        """A coordinate as a sum of these variables."""
        single = self.counted_dice == 1
        if coordinate.extreme:
            return {f"{prefix}{'high' if coordinate.extreme == 'highest' or single else 'low'}": 1}
        form = {f"{prefix}counts {list(self.coordinates).index(coordinate)}": 1}
        for name, times in coordinate.form:
            if self.machine.setting.program.tallies[int(name[1:])].function == "sum":
                form[f"{prefix}high"] = times
                if not single:
                    form[f"{prefix}low"] = times
                if self.counted_dice > 2:
                    form[f"{prefix}mid"] = times
        return form

    def tail_cases(self, names: Sequence[str], end: int, by_class: bool) -> list[TailCase]:  # noqa: ARG002
        prefix = f"{names[0]} "
        forms = {name: self.form(coordinate, prefix) for name, coordinate in zip(names, self.coordinates, strict=True)}
        growing = [
            (number, f"{prefix}{name}")
            for number, name in enumerate(("low", "mid", "high"))
            if any(f"{prefix}{name}" in form for form in forms.values())
        ]
        if not growing:  # dice get there all the same, and other groups have any value then
            return [TailCase(self.variables(prefix, 0, end), forms, frozenset())]
        return [TailCase(self.variables(prefix, number, end), forms, frozenset([name])) for number, name in growing]

    def points(self, end: int) -> tuple[list[tuple[Values, int]], int]:
        return self.points_up_to(end, None)

    def points_up_to(self, end: int, cap: int | None) -> tuple[list[tuple[Values, int]], int]:
        """All values of kept dice before an end; with a cap, those from the end on too, which have its value."""
        if not self.is_infinite:
            end, cap = 0, None
        if (end, cap) not in self.known_points:
            ways, whole = self.die_results(end, cap)
            weights: dict[Values, int] = {}
            far = whole - sum(way.weight for way in ways)
            for values, weight in (
                self.states_without_keep(ways, far) if self.kept is None else self.states_with_keep(ways, far)
            ):
                weights[values] = weights.get(values, 0) + weight
            self.known_points[end, cap] = (
                [(values, weight) for values, weight in weights.items() if weight],
                whole**self.dice,
            )
        return self.known_points[end, cap]

    def closed_points(self, end: int, by_class: bool, with_means: bool, shift: int) -> Points:  # noqa: ARG002
        return self.points_up_to(end, end + shift)

    def die_results(self, end: int, cap: int | None) -> tuple[list[_DieResult], int]:
        """The final states of one die with a value before the end, and the total weight."""
        family = self.family
        cut = max(end - family.axis_low(self.start), 1) if self.is_infinite else family.span(self.start)
        die = expand_die(family, self.start, cut, self.budget)
        whole, heights = die.base * die.growth ** (cut - 1), [1]
        while die.growth > 1 and len(heights) < cut:
            heights.append(heights[-1] * die.growth)
        results = [
            self.die_result(die.low + place, others, part * (heights[-1 - place] if die.growth > 1 else 1))
            for (others, place), part in die.terms.items()
        ]
        if cap is not None and self.is_infinite:
            counted: dict[Values, int] = {}
            for (others, place), part in die.terms.items():
                counted[others] = counted.get(others, 0) + part * (heights[-1 - place] if die.growth > 1 else 1)
            rest = {
                others: chance - Fraction(counted.get(others, 0), whole)
                for others, (chance, _) in family.marginals(self.start).items()
            }
            scale = lcm(*(share.denominator // gcd(share.denominator, whole) for share in rest.values()))
            results = [_DieResult(way.value, way.adds, way.weight * scale) for way in results]
            whole *= scale
            results += [self.die_result(cap, others, int(share * whole)) for others, share in rest.items() if share]
        return sorted(results, key=lambda way: way.value, reverse=self.highest), whole

    def die_result(self, value: int, others: Values, weight: int) -> _DieResult:
        adds = tuple(
            other + _adds_by_value(self.machine, self.kind, coordinate, value)
            for other, coordinate in zip(others, self.sum_coordinates, strict=True)
        )
        return _DieResult(value, self.fill_extremes(adds), weight)

    def fill_extremes(self, adds: Values) -> Values:
        """Fills in 0 for the coordinates that are extremes."""
        left = iter(adds)
        return tuple(0 if coordinate.extreme else next(left) for coordinate in self.coordinates)

    def states_with_keep(self, ways: list[_DieResult], far: int) -> Iterator[tuple[Values, int]]:
        """The states of the kept dice; the other dice may have any value, even one in the tail."""
        extremes = {coordinate.extreme for coordinate in self.coordinates}
        best, last = ("highest", "lowest") if self.highest else ("lowest", "highest")
        keeper = _KeptDice(self.dice, self.counted_dice, self.size, best in extremes, last in extremes, self.budget)
        for (adds, first, end), weight in keeper.all_results(ways, 0 if self.highest else far):
            high, low = (first, end) if self.highest else (end, first)
            yield self.with_extremes(adds, high, low), weight

    def states_without_keep(self, ways: list[_DieResult], far: int) -> Iterator[tuple[Values, int]]:
        """The states without `keep`, by the ranges between the lowest and the highest die.

        Exactly these extremes: all dice within the range, but not all above its lowest or below its highest value."""
        values = sorted({way.value for way in ways})
        if self.counts_only_lowest:  # the others may be in the tail, but not all of them
            above = far + sum(way.weight for way in ways)
            for value in values:
                left = above - sum(way.weight for way in ways if way.value == value)
                yield (value,) * self.size, above**self.dice - left**self.dice
                above = left
            return
        extremes = {coordinate.extreme for coordinate in self.coordinates}
        tops = range(len(values)) if "highest" in extremes else [len(values) - 1]
        spans = [max(column) - min(column) for column in zip(*(way.adds for way in ways), strict=True)]
        pools = len(tops) * (len(values) / 2 if "lowest" in extremes else 1)
        bits = self.dice * sum(way.weight for way in ways).bit_length()
        results = min(max(spans, default=0) * self.dice + 1, comb(len(ways) + self.dice - 1, self.dice))
        self.budget.spend(pools * len(values) * results / 4, bits)
        sums: dict[tuple[int, int], list[tuple[Values, int]]] = {}
        for top in tops if values else ():
            for bottom in range(top + 1) if "lowest" in extremes else [0]:
                for less, more in product(
                    (0, 1) if "highest" in extremes else (0,), (0, 1) if "lowest" in extremes else (0,)
                ):
                    ends = bottom + more, top - less
                    if ends not in sums:
                        inside = set(values[ends[0] : ends[1] + 1])
                        sums[ends] = list(self.sum_results([way for way in ways if way.value in inside]))
                    for adds, weight in sums[ends]:
                        yield self.with_extremes(adds, values[top], values[bottom]), weight * (-1) ** (less + more)

    def sum_results(self, ways: list[_DieResult]) -> Iterator[tuple[Values, int]]:
        """The distribution of the sums of dice with these final states."""
        if not ways:
            return
        if not self.sum_coordinates:
            yield (0,) * self.size, sum(way.weight for way in ways) ** self.dice
            return
        axis = _widest_coordinate(ways)
        least = min(way.adds[axis] for way in ways)
        terms: dict[tuple[Values, int], int] = {}
        for way in ways:
            key = ((*way.adds[:axis], *way.adds[axis + 1 :]), way.adds[axis] - least)
            terms[key] = terms.get(key, 0) + way.weight
        cut = max(place for _, place in terms) * self.dice + 1
        base = sum(way.weight for way in ways)
        series = DieSeries(terms, base, 1, 0)
        for (place, *others), weight in Powers(series, cut, self.budget).weights(self.dice).items():
            yield (*others[:axis], place + least * self.dice, *others[axis:]), weight

    def with_extremes(self, adds: Values, high: int, low: int) -> Values:
        return tuple(
            {"highest": high, "lowest": low}.get(coordinate.extreme, add)
            for coordinate, add in zip(self.coordinates, adds, strict=True)
        )

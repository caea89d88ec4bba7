"""Order statistics of a pool: the highest and the lowest die, and what the kept dice add up to.

The values of a die that explodes are infinite; those from some end on belong to the tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import comb, gcd, inf, lcm
from operator import add

from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value, interval_between
from ..play.automaton import Automaton, DieState
from .generating_function import DieSeries, Family, NotExactError, Values
from .plan import MOST_STATES, BudgetError, Coordinate
from .pool import Powers

_FAR_VALUE = 2**40


@dataclass(frozen=True, slots=True)
class _DieResult:
    """Some final states of one die: its value, what it adds to each coordinate, and the weight."""

    value: int
    adds: Values
    weight: int


def _split_by_extremes(
    values: list[int], low: int, high: int, lows: bool, highs: bool
) -> Iterator[tuple[int, int, int]]:
    """Inclusion and exclusion: exactly this lowest and highest value, as a signed sum of ranges."""
    below = [value for value in values if value < high]
    above = [value for value in values if value > low]
    yield 1, low, high
    if highs and below:
        yield -1, low, below[-1]
    if lows and above:
        yield -1, above[0], high
    if highs and lows and below and above:
        yield 1, above[0], below[-1]


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
        elif tally.test is None:
            total += times * (value if tally.function == "sum" else 1)
    return total


def _constant_from(machine: Automaton, kind: int, coordinates: Sequence[Coordinate]) -> int | None:
    """The least value from which all values of a die count the same; None if there is none."""
    compiled, setting = machine.setting.program, machine.setting
    tallies = [compiled.tallies[int(name[1:])] for coordinate in coordinates for name, _ in coordinate.form]
    if any(tally.function != "count" for tally in tallies):
        return None
    known = {name: exact_value(value) for name, value in setting.known.items()} | {
        "sides": exact_value(len(setting.kinds[kind].faces))
    }
    tests = [tally.test for tally in tallies if tally.test is not None and not tally.is_per_throw]

    def flat(value: int) -> bool:
        bounds = Bounds({}, {**known, "value": interval_between(value, inf)}, compiled.rule.tables)
        results = [evaluate_bounds(test, bounds) for test in tests]
        return all(isinstance(result, Interval) and result.truth is not None for result in results)

    if not flat(_FAR_VALUE):
        return None
    low, high = -_FAR_VALUE, _FAR_VALUE
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if flat(middle) else (middle, high)
    return high


_MOST_STEPS = 300_000
_LONG, _VERY_LONG = 2_000, 500_000  # bits of a weight that double the cost of a step, once and twice
_POWER_COST = 12  # the cost of a power, in steps
_KeepState = tuple[int, Values, int, int]  # dice still to keep, counts, best and last kept value
_KeptResult = tuple[Values, int, int]  # counts, best and last kept value


@dataclass
class _KeptDice:
    """The distribution of the kept dice of a pool; `best` and `last` say which of their extreme values are needed."""

    dice: int
    kept: int
    size: int
    best: bool
    last: bool
    steps: float = 0

    def all_results(self, ways: Sequence[_DieResult], far: int) -> Iterator[tuple[_KeptResult, int]]:
        """All results of the kept dice, with weights; `far` is the weight of values in the tail, which are not kept."""
        rest = far + sum(way.weight for way in ways)
        digits = self.dice * rest.bit_length()
        cost = 1 + digits / _LONG * (1 + digits / _VERY_LONG)
        self.spend(cost * self.kept)
        states: dict[_KeepState, int] = {(self.kept, (0,) * self.size, 0, 0): 1}
        for value, group in groupby(ways, key=lambda way: way.value):
            own = list(group)
            total = sum(way.weight for way in own)
            rest -= total
            sums = self.sums_by_count(own, cost)
            self.spend(cost * (self.kept + 1) * (self.kept + _POWER_COST))
            ended = [self.weight_of_dropped(kept, total, rest) for kept in range(self.kept + 1)]
            after: dict[_KeepState, int] = {}
            for (kept, adds, *marks), weight in states.items():
                self.spend(cost * sum(map(len, sums[: kept + 1])))
                for more, share in sums[kept].items():
                    yield (
                        (tuple(map(add, adds, more)), *self.extremes_after(value, kept, marks)),
                        weight * share * ended[kept],
                    )
                for count in range(kept):
                    factor = weight * comb(self.dice - self.kept + kept, count)
                    ends = self.extremes_after(value, kept, marks) if count else marks
                    for more, share in sums[count].items():
                        key = (kept - count, tuple(map(add, adds, more)), ends[0], ends[1])
                        after[key] = after.get(key, 0) + factor * share
            states = after

    def spend(self, steps: float) -> None:
        self.steps += steps
        if self.steps > _MOST_STEPS:
            raise BudgetError

    def weight_of_dropped(self, kept: int, total: int, rest: int) -> int:
        """The weight of the dice that are not kept, if the last kept dice show a value; `rest` belongs to later values.

        Of the n dice left, at least `kept` show the value: the sum of C(n, s) · total^(s - kept) · rest^(n - s)."""
        left = self.dice - self.kept + kept
        fewer = sum(comb(left, count) * total**count * rest ** (left - count) for count in range(kept))
        weight: int = ((total + rest) ** left - fewer) // total**kept
        return weight

    def extremes_after(self, value: int, kept: int, marks: Sequence[int]) -> tuple[int, int]:
        """The best and the last kept value after keeping this one."""
        best, last = marks
        return value if self.best and kept == self.kept else best, value if self.last else last

    def sums_by_count(self, own: list[_DieResult], cost: float) -> list[dict[Values, int]]:
        """What 0, 1, 2, ... kept dice that show the same value add up to, with weights."""
        sums: list[dict[Values, int]] = [{(0,) * self.size: 1}]
        for _ in range(self.kept):
            after: dict[Values, int] = {}
            for adds, weight in sums[-1].items():
                for way in own:
                    key = tuple(map(add, adds, way.adds))
                    after[key] = after.get(key, 0) + weight * way.weight
            self.spend(cost * len(sums[-1]) * len(own))
            sums.append(after)
        return sums


_MOST_LONG = 2_000_000_000  # coefficients times their bits


@dataclass
class OrderedGroup:
    """A pool whose coordinates depend on the order of its dice."""

    machine: Automaton
    kind: int
    coordinates: Sequence[Coordinate]
    dice: int
    kept: int | None
    highest: bool

    def __post_init__(self) -> None:
        self.size = len(self.coordinates)
        self.axis = 0
        self.missing = Fraction(0)
        self.cost_in_bits = 0  # the cost of all powers of this pool
        self.is_infinite = bool(self.machine.setting.rule.dice[self.kind].explode) and self.has_infinite_values()
        self.sum_coordinates = [coordinate for coordinate in self.coordinates if not coordinate.extreme]
        plain = [_per_throw_part(self.machine, coordinate) for coordinate in self.sum_coordinates]
        self.family = Family(self.machine, [self.start], [_value_coordinate(self.kind), *plain], axis=0)
        self.known_states: dict[int, tuple[list[tuple[Values, int]], int]] = {}
        self.cap = (
            _constant_from(self.machine, self.kind, self.coordinates)
            if self.is_infinite and self.ignores_order_above()
            else None
        )
        self.is_infinite = self.is_infinite and self.cap is None

    def ignores_order_above(self) -> bool:
        """Whether the order of dice above the cap does not matter: all are kept, or all count the same."""
        family, others = self.family, self.family.others
        return self.kept is None or all(
            family.low[number][self.start] == family.high[number][self.start] for number in others
        )

    def has_infinite_values(self) -> bool:
        family = Family(self.machine, [self.start], [_value_coordinate(self.kind)])
        if family.low[0][self.start] == -inf:
            raise NotExactError
        return bool(family.high[0][self.start] == inf)

    @property
    def start(self) -> DieState:
        return self.machine.initial_state(self.kind)

    def ranges(self) -> list[tuple[float, float]]:
        """The bounds of each coordinate; in an infinite pool only a count of dice is bounded."""
        if self.is_infinite:
            return [self.infinite_range(coordinate) for coordinate in self.coordinates]
        states, _ = self.weighted_states(0)
        return [(min(values), max(values)) for values in zip(*(values for values, _ in states), strict=True)]

    def infinite_range(self, coordinate: Coordinate) -> tuple[float, float]:
        least = self.family.axis_low(self.start)
        if coordinate.extreme:
            return least, inf
        return (0, self.dice) if self.is_count(coordinate) else (-inf, inf)

    def is_count(self, coordinate: Coordinate) -> bool:
        compiled = self.machine.setting.program
        tallies = [compiled.tallies[int(name[1:])] for name, _ in coordinate.form]
        return len(tallies) == 1 and tallies[0].function == "count" and not tallies[0].is_per_throw

    @property
    def tail_key(self) -> tuple[float, ...]:
        """The minimum of the other dice; and whether the only die that counts is beyond the end, or all dice are."""
        return (self.counted_dice - 1) * self.family.axis_low(
            self.start
        ), self.counted_dice == 1 or self.counts_only_lowest

    def tail_ranges(self, end: int) -> list[tuple[float, float]]:
        """The ranges if a die that counts is beyond the end; where only the lowest counts, all dice are."""
        others, single = self.tail_key
        return [
            (float(end + others), inf)
            if self.is_sum(coordinate)
            else (float(end), inf)
            if coordinate.extreme == "highest" or (coordinate.extreme and single)
            else ends
            for coordinate, ends in zip(self.coordinates, self.ranges(), strict=True)
        ]

    @property
    def counted_dice(self) -> int:
        """How many dice count."""
        return self.dice if self.kept is None else min(self.kept, self.dice)

    @property
    def counts_only_lowest(self) -> bool:
        return self.kept is None and all(coordinate.extreme == "lowest" for coordinate in self.coordinates)

    def is_sum(self, coordinate: Coordinate) -> bool:
        """Whether a coordinate is the sum of the values."""
        compiled = self.machine.setting.program
        return [(compiled.tallies[int(name[1:])].function, times) for name, times in coordinate.form] == [("sum", 1)]

    def weighted_states(self, end: int) -> tuple[list[tuple[Values, int]], int]:
        if end not in self.known_states:
            ways, whole = self.die_results(end)
            weights: dict[Values, int] = {}
            far = whole - sum(way.weight for way in ways)
            for values, weight in (
                self.states_without_keep(ways, far) if self.kept is None else self.states_with_keep(ways, far)
            ):
                weights[values] = weights.get(values, 0) + weight
                if len(weights) > MOST_STATES:
                    raise BudgetError
            self.known_states[end] = (
                [(values, weight) for values, weight in weights.items() if weight],
                whole**self.dice,
            )
        return self.known_states[end]

    def means(self) -> list[Fraction]:
        if self.is_infinite:
            raise NotExactError
        states, whole = self.weighted_states(0)
        return [Fraction(sum(values[k] * weight for values, weight in states), whole) for k in range(self.size)]

    def class_moments(self) -> dict[Values, tuple[Fraction, Fraction]]:
        raise NotExactError

    def die_results(self, end: int) -> tuple[list[_DieResult], int]:
        """The final states of one die with a value before the end, and the total weight."""
        own, family = self.sum_coordinates, self.family
        if self.is_infinite or self.cap is not None:
            cut = max((end if self.cap is None else self.cap) - family.axis_low(self.start), 1)
        else:
            cut = family.span(self.start)
        die = family.expand_die(self.start, cut)
        whole = die.base * die.growth ** (cut - 1)
        results = []
        for others, series in die.classes.items():
            for place, part in enumerate(series):
                if part:
                    value = die.low + place
                    adds = tuple(
                        other + _adds_by_value(self.machine, self.kind, coordinate, value)
                        for other, coordinate in zip(others, own, strict=True)
                    )
                    results.append(_DieResult(value, self.fill_extremes(adds), part * die.growth ** (cut - 1 - place)))
        if self.cap is not None:
            results, whole = self.merge_above_cap(die, results, whole, cut)
        return sorted(results, key=lambda way: way.value, reverse=self.highest), whole

    def merge_above_cap(
        self, die: DieSeries, results: list[_DieResult], whole: int, cut: int
    ) -> tuple[list[_DieResult], int]:
        """Merges all values from the cap on, because they count the same: the remaining weight of each class."""
        counted = {
            others: sum(part * die.growth ** (cut - 1 - place) for place, part in enumerate(series))
            for others, series in die.classes.items()
        }
        rest = {
            others: chance - Fraction(counted.get(others, 0), whole)
            for others, (chance, _) in self.family.marginals(self.start).items()
        }
        scale = lcm(*(share.denominator // gcd(share.denominator, whole) for share in rest.values()))
        ways = [_DieResult(way.value, way.adds, way.weight * scale) for way in results]
        assert self.cap is not None
        for others, share in rest.items():
            if share:
                adds = tuple(
                    other + _adds_by_value(self.machine, self.kind, coordinate, self.cap)
                    for other, coordinate in zip(others, self.sum_coordinates, strict=True)
                )
                ways.append(_DieResult(self.cap, self.fill_extremes(adds), int(share * whole * scale)))
        return ways, whole * scale

    def fill_extremes(self, adds: Values) -> Values:
        """Fills in 0 for the coordinates that are extremes."""
        left = iter(adds)
        return tuple(0 if coordinate.extreme else next(left) for coordinate in self.coordinates)

    def states_with_keep(self, ways: list[_DieResult], far: int) -> Iterator[tuple[Values, int]]:
        """The states of the kept dice; the other dice may have any value, even one in the tail."""
        extremes = {coordinate.extreme for coordinate in self.coordinates}
        best, last = ("highest", "lowest") if self.highest else ("lowest", "highest")
        keeper = _KeptDice(self.dice, self.counted_dice, self.size, best in extremes, last in extremes)
        for (adds, first, end), weight in keeper.all_results(ways, 0 if self.highest else far):
            high, low = (first, end) if self.highest else (end, first)
            yield self.with_extremes(adds, high, low), weight

    def lowest_states(self, ways: list[_DieResult], far: int) -> Iterator[tuple[Values, int]]:
        """The lowest value, if some of the dice may be in the tail but not all of them."""
        above = far + sum(way.weight for way in ways)
        for value in sorted({way.value for way in ways}):
            left = above - sum(way.weight for way in ways if way.value == value)
            yield (value,) * self.size, above**self.dice - left**self.dice
            above = left

    def states_without_keep(self, ways: list[_DieResult], far: int) -> Iterator[tuple[Values, int]]:
        """The states without `keep`: the highest is v if all dice are at most v, but not all are below v."""
        if self.counts_only_lowest:
            yield from self.lowest_states(ways, far)
            return
        extremes = {coordinate.extreme for coordinate in self.coordinates}
        values = sorted({way.value for way in ways})
        tops = values if "highest" in extremes else values[-1:]
        bottoms = values if "lowest" in extremes else values[:1]
        for low in bottoms:
            for high in tops:
                if low > high:
                    continue
                for sign, least, most in _split_by_extremes(
                    values, low, high, "lowest" in extremes, "highest" in extremes
                ):
                    for adds, weight in self.sum_results([way for way in ways if least <= way.value <= most]):
                        yield self.with_extremes(adds, high, low), sign * weight

    def sum_results(self, ways: list[_DieResult]) -> Iterator[tuple[Values, int]]:
        """The distribution of the sums of dice with these final states."""
        if not ways:
            return
        axis = _widest_coordinate(ways)
        least = min(way.adds[axis] for way in ways)
        classes: dict[Values, list[int]] = {}
        length = max(way.adds[axis] for way in ways) - least + 1
        for way in ways:
            series = classes.setdefault((*way.adds[:axis], *way.adds[axis + 1 :]), [0] * length)
            series[way.adds[axis] - least] += way.weight
        cut = (length - 1) * self.dice + 1
        base = sum(way.weight for way in ways)
        self.cost_in_bits += cut * self.dice * base.bit_length()
        if self.cost_in_bits > _MOST_LONG:
            raise BudgetError
        powers = Powers(DieSeries(classes, base, 1, 0), cut)
        powers.check_budget(self.dice)
        for row in powers.rows(self.dice):
            before = 0
            for place, upto in enumerate(row.sums[: cut - row.shift]):
                if upto != before:
                    value = place + row.shift + least * self.dice
                    yield (*row.others[:axis], value, *row.others[axis:]), row.factor * (upto - before)
                    before = upto

    def with_extremes(self, adds: Values, high: int, low: int) -> Values:
        return tuple(
            {"highest": high, "lowest": low}.get(coordinate.extreme, add)
            for coordinate, add in zip(self.coordinates, adds, strict=True)
        )

"""Dice of one kind that are put in order: the highest, the lowest, and those that are kept.

A die that explodes has values without end; those from some value on are left to the far side of the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, inf, lcm

from ..nodes import Machine, Place
from .family import DieSeries, Family, NotExact, Values
from .kept import Keeper
from .limits import MOST_STATES, TooMuch
from .plan import Coordinate
from .pool import Powers
from .ways import Way, by_value, corners, flat_from, throw_part, value_coordinate, widest

MOST_LONG = 2_000_000_000  # places times the binary digits of their weights


@dataclass
class OrderedGroup:
    """A pool whose coordinates look at the order of its dice."""

    machine: Machine
    kind: int
    coordinates: Sequence[Coordinate]
    dice: int
    kept: int | None
    highest: bool

    def __post_init__(self) -> None:
        self.size = len(self.coordinates)
        self.axis = 0
        self.missing = Fraction(0)
        self.digits = 0  # what all powers of this pool have cost
        self.endless = bool(self.machine.setting.rule.dice[self.kind].explode) and self.open_above()
        self.own = [coordinate for coordinate in self.coordinates if not coordinate.extreme]
        plain = [throw_part(self.machine, coordinate) for coordinate in self.own]
        self.family = Family(self.machine, [self.start], [value_coordinate(self.kind), *plain], axis=0)
        self.known: dict[int, tuple[list[tuple[Values, int]], int]] = {}
        self.cap = flat_from(self.machine, self.kind, self.coordinates) if self.endless and self.orderly() else None
        self.endless = self.endless and self.cap is None

    def orderly(self) -> bool:
        """Whether dice beyond a cap need no order among themselves: all are kept, or all count alike."""
        family, others = self.family, self.family.others
        return self.kept is None or all(family.low[one][self.start] == family.high[one][self.start] for one in others)

    def open_above(self) -> bool:
        family = Family(self.machine, [self.start], [value_coordinate(self.kind)])
        if family.low[0][self.start] == -inf:
            raise NotExact
        return bool(family.high[0][self.start] == inf)

    @property
    def start(self) -> Place:
        return self.machine.start(self.kind)

    def ranges(self) -> list[tuple[float, float]]:
        """Bounds of every coordinate; with an open end only a count of dice stays bounded."""
        if self.endless:
            return [self.open_range(one) for one in self.coordinates]
        states, _ = self.states(0)
        return [(min(values), max(values)) for values in zip(*(values for values, _ in states), strict=True)]

    def open_range(self, coordinate: Coordinate) -> tuple[float, float]:
        least = self.family.axis_low(self.start)
        if coordinate.extreme:
            return least, inf
        return (0, self.dice) if self.bounded(coordinate) else (-inf, inf)

    def bounded(self, coordinate: Coordinate) -> bool:
        made = self.machine.setting.program
        tallies = [made.tallies[int(name[1:])] for name, _ in coordinate.form]
        return len(tallies) == 1 and tallies[0].function == "count" and not tallies[0].per_throw

    @property
    def past(self) -> tuple[float, ...]:
        """The least that the other dice add; and whether the only die that counts has passed, or all dice have."""
        return (self.counting - 1) * self.family.axis_low(self.start), self.counting == 1 or self.only_lowest

    def beyond(self, end: int) -> list[tuple[float, float]]:
        """What holds when a die that counts has a value beyond the end; where only the lowest does, all dice have."""
        others, single = self.past
        return [
            (float(end + others), inf)
            if self.sums(coordinate)
            else (float(end), inf)
            if coordinate.extreme == "highest" or (coordinate.extreme and single)
            else ends
            for coordinate, ends in zip(self.coordinates, self.ranges(), strict=True)
        ]

    @property
    def counting(self) -> int:
        """How many dice count."""
        return self.dice if self.kept is None else min(self.kept, self.dice)

    @property
    def only_lowest(self) -> bool:
        return self.kept is None and all(coordinate.extreme == "lowest" for coordinate in self.coordinates)

    def sums(self, coordinate: Coordinate) -> bool:
        """Whether a coordinate is the sum of the values."""
        made = self.machine.setting.program
        return [(made.tallies[int(name[1:])].function, times) for name, times in coordinate.form] == [("sum", 1)]

    def states(self, end: int) -> tuple[list[tuple[Values, int]], int]:
        if end not in self.known:
            ways, whole = self.ways(end)
            found: dict[Values, int] = {}
            far = whole - sum(way.weight for way in ways)
            for values, weight in self.free_states(ways, far) if self.kept is None else self.kept_states(ways, far):
                found[values] = found.get(values, 0) + weight
                if len(found) > MOST_STATES:
                    raise TooMuch
            self.known[end] = ([(values, weight) for values, weight in found.items() if weight], whole**self.dice)
        return self.known[end]

    def means(self) -> list[Fraction]:
        if self.endless:
            raise NotExact
        states, whole = self.states(0)
        return [Fraction(sum(values[k] * weight for values, weight in states), whole) for k in range(self.size)]

    def classes(self) -> dict[Values, tuple[Fraction, Fraction]]:
        raise NotExact

    def ways(self, end: int) -> tuple[list[Way], int]:
        """How one die can come to rest with a value before the end."""
        own, family = self.own, self.family
        if self.endless or self.cap is not None:
            cut = max((end if self.cap is None else self.cap) - family.axis_low(self.start), 1)
        else:
            cut = family.span(self.start)
        die = family.die(self.start, cut)
        whole = die.base * die.growth ** (cut - 1)
        found = []
        for others, series in die.classes.items():
            for place, part in enumerate(series):
                if part:
                    value = die.low + place
                    adds = tuple(
                        other + by_value(self.machine, self.kind, coordinate, value)
                        for other, coordinate in zip(others, own, strict=True)
                    )
                    found.append(Way(value, self.spread_out(adds), part * die.growth ** (cut - 1 - place)))
        if self.cap is not None:
            found, whole = self.with_rest(die, found, whole, cut)
        return sorted(found, key=lambda way: way.value, reverse=self.highest), whole

    def with_rest(self, die: DieSeries, found: list[Way], whole: int, cut: int) -> tuple[list[Way], int]:
        """From the cap on all values count alike, so they are one way: what is left of each class."""
        counted = {
            others: sum(part * die.growth ** (cut - 1 - place) for place, part in enumerate(series))
            for others, series in die.classes.items()
        }
        rest = {
            others: chance - Fraction(counted.get(others, 0), whole)
            for others, (chance, _) in self.family.marginals(self.start).items()
        }
        scale = lcm(*(share.denominator // gcd(share.denominator, whole) for share in rest.values()))
        ways = [Way(way.value, way.adds, way.weight * scale) for way in found]
        assert self.cap is not None
        for others, share in rest.items():
            if share:
                adds = tuple(
                    other + by_value(self.machine, self.kind, coordinate, self.cap)
                    for other, coordinate in zip(others, self.own, strict=True)
                )
                ways.append(Way(self.cap, self.spread_out(adds), int(share * whole * scale)))
        return ways, whole * scale

    def spread_out(self, adds: Values) -> Values:
        """Adds for all coordinates, with 0 in the places of the extremes."""
        left = iter(adds)
        return tuple(0 if coordinate.extreme else next(left) for coordinate in self.coordinates)

    def kept_states(self, ways: list[Way], far: int) -> Iterator[tuple[Values, int]]:
        """Dice that are not kept may have any value, also one beyond the end."""
        extremes = {coordinate.extreme for coordinate in self.coordinates}
        best, last = ("highest", "lowest") if self.highest else ("lowest", "highest")
        keeper = Keeper(self.dice, self.counting, self.size, best in extremes, last in extremes)
        for (adds, first, end), weight in keeper.ends(ways, 0 if self.highest else far):
            high, low = (first, end) if self.highest else (end, first)
            yield self.filled(adds, high, low), weight

    def lowest_states(self, ways: list[Way], far: int) -> Iterator[tuple[Values, int]]:
        """The lowest of dice that may have values beyond the end, but not all of them."""
        above = far + sum(way.weight for way in ways)
        for value in sorted({way.value for way in ways}):
            left = above - sum(way.weight for way in ways if way.value == value)
            yield (value,) * self.size, above**self.dice - left**self.dice
            above = left

    def free_states(self, ways: list[Way], far: int) -> Iterator[tuple[Values, int]]:
        """The highest is v when all dice are at most v but not all below; likewise the lowest."""
        if self.only_lowest:
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
                for sign, least, most in corners(values, low, high, "lowest" in extremes, "highest" in extremes):
                    for adds, weight in self.pool([way for way in ways if least <= way.value <= most]):
                        yield self.filled(adds, high, low), sign * weight

    def pool(self, ways: list[Way]) -> Iterator[tuple[Values, int]]:
        """All sums of the adds of dice that come to rest in one of these ways."""
        if not ways:
            return
        axis = widest(ways)
        least = min(way.adds[axis] for way in ways)
        classes: dict[Values, list[int]] = {}
        length = max(way.adds[axis] for way in ways) - least + 1
        for way in ways:
            series = classes.setdefault((*way.adds[:axis], *way.adds[axis + 1 :]), [0] * length)
            series[way.adds[axis] - least] += way.weight
        cut = (length - 1) * self.dice + 1
        base = sum(way.weight for way in ways)
        self.digits += cut * self.dice * base.bit_length()
        if self.digits > MOST_LONG:
            raise TooMuch
        powers = Powers(DieSeries(classes, base, 1, 0), cut)
        powers.afford(self.dice)
        for row in powers.rows(self.dice):
            before = 0
            for place, upto in enumerate(row.sums[: cut - row.shift]):
                if upto != before:
                    value = place + row.shift + least * self.dice
                    yield (*row.others[:axis], value, *row.others[axis:]), row.factor * (upto - before)
                    before = upto

    def filled(self, adds: Values, high: int, low: int) -> Values:
        return tuple(
            {"highest": high, "lowest": low}.get(coordinate.extreme, add)
            for coordinate, add in zip(self.coordinates, adds, strict=True)
        )

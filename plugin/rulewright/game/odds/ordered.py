"""Dice of one kind that are put in order: the highest, the lowest, and those that are kept.

A die that explodes has values without end; those from some value on are left to the far side of the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd, inf, lcm

from ..nodes import Machine, Place
from ..throws import value_tallies
from .family import DieSeries, Family, NotExact, Values
from .limits import MOST_STATES, TooMuch
from .plan import Coordinate
from .pool import Powers
from .ways import Way, corners, flat_from, throw_part, value_coordinate, widest


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
            return [(0, self.dice) if self.bounded(one) else (-inf, inf) for one in self.coordinates]
        states, _ = self.states(0)
        return [(min(values), max(values)) for values in zip(*(values for values, _ in states), strict=True)]

    def bounded(self, coordinate: Coordinate) -> bool:
        made = self.machine.setting.program
        tallies = [made.tallies[int(name[1:])] for name, _ in coordinate.form]
        return len(tallies) == 1 and tallies[0].function == "count" and not tallies[0].per_throw

    def beyond(self, end: int) -> list[tuple[float, float]]:
        """What holds when at least one die has a value beyond the end."""
        found = []
        for coordinate, ends in zip(self.coordinates, self.ranges(), strict=True):
            grows = coordinate.extreme == "highest" or (
                not coordinate.extreme and self.sums(coordinate) and self.kept is None
            )
            least = end + (self.dice - 1 if not coordinate.extreme else 0)
            found.append((float(least), inf) if grows else ends)
        return found

    def sums(self, coordinate: Coordinate) -> bool:
        made = self.machine.setting.program
        return all(made.tallies[int(name[1:])].function == "sum" and times > 0 for name, times in coordinate.form)

    def states(self, end: int) -> tuple[list[tuple[Values, int]], int]:
        if end not in self.known:
            ways, whole = self.ways(end)
            found: dict[Values, int] = {}
            for values, weight in self.kept_states(ways) if self.kept is not None else self.free_states(ways):
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
                        other + self.by_value(coordinate, value) for other, coordinate in zip(others, own, strict=True)
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
                    other + self.by_value(coordinate, self.cap)
                    for other, coordinate in zip(others, self.own, strict=True)
                )
                ways.append(Way(self.cap, self.spread_out(adds), int(share * whole * scale)))
        return ways, whole * scale

    def by_value(self, coordinate: Coordinate, value: int) -> int:
        """What the value of a die adds to a coordinate, beside what its throws add."""
        made, total = self.machine.setting.program, 0
        asking = {number: order for order, number in enumerate(value_tallies(made, self.kind))}
        for name, times in coordinate.form:
            number = int(name[1:])
            if number in asking:
                total += times * self.machine.setting.kinds[self.kind].value_tests[asking[number]](value)
        return total

    def spread_out(self, adds: Values) -> Values:
        """Adds for all coordinates, with 0 in the places of the extremes."""
        left = iter(adds)
        return tuple(0 if coordinate.extreme else next(left) for coordinate in self.coordinates)

    def free_states(self, ways: list[Way]) -> Iterator[tuple[Values, int]]:
        """The highest is v when all dice are at most v but not all below; likewise the lowest."""
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
        powers = Powers(DieSeries(classes, 1, 1, 0), cut)
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

    def kept_states(self, ways: list[Way]) -> Iterator[tuple[Values, int]]:
        """Value by value from the side that is kept: how many dice show it, and how many of these still count."""
        assert self.kept is not None
        zero = (0,) * self.size
        states: dict[tuple[int, int, Values, int, int], int] = {(self.dice, min(self.kept, self.dice), zero, 0, 0): 1}
        for value in dict.fromkeys(way.value for way in ways):
            own = [way for way in ways if way.value == value]
            states = self.next_value(states, value, own)
            if len(states) > MOST_STATES // 8:
                raise TooMuch
        for (left, _, adds, first, last), weight in states.items():
            if not left:
                high, low = (first, last) if self.highest else (last, first)
                yield self.filled(adds, high, low), weight

    def next_value(
        self, states: dict[tuple[int, int, Values, int, int], int], value: int, own: list[Way]
    ) -> dict[tuple[int, int, Values, int, int], int]:
        total = sum(way.weight for way in own)
        sums = self.sums_of(own, max((kept for _, kept, *_ in states), default=0))
        found: dict[tuple[int, int, Values, int, int], int] = {}
        for (left, kept, adds, first, last), weight in states.items():
            fresh = kept == min(self.kept or 0, self.dice)
            for showing in range(left + 1):
                counted = min(showing, kept)
                factor = weight * comb(left, showing) * total ** (showing - counted)
                ends = (first, last) if not counted else (value if fresh else first, value)
                for more, share in sums[counted].items():
                    key = (left - showing, kept - counted, tuple(map(sum, zip(adds, more, strict=True))), *ends)
                    found[key] = found.get(key, 0) + factor * share
        return found

    def sums_of(self, own: list[Way], most: int) -> list[dict[Values, int]]:
        """The sums of the adds of no, one, two … dice that show the same value."""
        found: list[dict[Values, int]] = [{(0,) * self.size: 1}]
        for _ in range(most):
            after: dict[Values, int] = {}
            for adds, weight in found[-1].items():
                for way in own:
                    key = tuple(map(sum, zip(adds, way.adds, strict=True)))
                    after[key] = after.get(key, 0) + weight * way.weight
            found.append(after)
        return found

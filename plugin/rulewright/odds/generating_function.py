"""Generating functions of dice: what a die and its follow-up dice add to the coordinates of a group, as power series.

One coordinate, the axis, is the exponent of x; there is a series for each combination of the other coordinates. Cycles
of throws that add nothing are eliminated first, by solving linear equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import product
from math import gcd, inf, lcm, prod
from operator import mul
from typing import NamedTuple

from ..play.automaton import Automaton, Branch, DieState, solve_linear
from ..play.compiled_rule import CompiledRule
from .plan import MOST_DIGITS, BudgetError, Coordinate
from .power_series import root_multiple

Values = tuple[int, ...]


class NotExactError(Exception):
    """Generating functions cannot answer this question; the state search can."""


class Effect(NamedTuple):
    """What some faces of a die add to the coordinates, and the dice that they lead to."""

    weight: int
    adds: Values
    children: tuple[tuple[DieState, int], ...]


class DieSeries(NamedTuple):
    """The generating function of one die: the coefficients along the axis, by the values of the other coordinates."""

    classes: dict[Values, list[int]]
    base: int
    growth: int
    low: int  # the value of the first coefficient


_Effects = dict[DieState, list[Effect]]


def _eliminate_zero_cycles(family: Family) -> tuple[_Effects, dict[DieState, int]]:
    """Eliminates cycles of throws that add nothing; returns the effects and the sizes that remain."""
    still = {
        place: [effect for effect in effects if effect.children and _adds_nothing(family, place, effect)]
        for place, effects in family.effects.items()
    }
    cycle = _find_cycles(
        {place: [child for effect in zero for child, _ in effect.children] for place, zero in still.items()}
    )
    if not cycle:
        return family.effects, family.size
    if any(_branches_on_cycle(effect, cycle) for place in cycle for effect in still[place]):
        raise NotExactError
    rows = {place: _transitions_within(still[place], cycle, family.size[place]) for place in cycle}
    leaving = {
        place: [effect for effect in family.effects[place] if _leaves_cycle(effect, still[place], cycle)]
        for place in cycle
    }
    effects, size = dict(family.effects), dict(family.size)
    for place in cycle:
        effects[place], size[place] = _effects_out_of_cycle(family, place, _expected_visits(rows, place), leaving)
    return effects, size


def _adds_nothing(family: Family, place: DieState, effect: Effect) -> bool:
    """Whether an effect adds no more than the minimum of its place."""
    return family.exponent(place, effect) == 0 and not any(family.other_adds(place, effect))


def _find_cycles(links: Mapping[DieState, Sequence[DieState]]) -> set[DieState]:
    """The places that are on a cycle."""
    reached = {place: set(after) for place, after in links.items() if after}
    for middle in list(reached):
        for successors in reached.values():
            if middle in successors:
                successors.update(reached[middle])
    return {place for place, successors in reached.items() if place in successors}


def _branches_on_cycle(effect: Effect, cycle: set[DieState]) -> bool:
    """Whether an effect leads to several dice, one of them on the cycle: such probabilities can be irrational."""
    return sum(times for _, times in effect.children) > 1 and any(child in cycle for child, _ in effect.children)


def _leaves_cycle(effect: Effect, still: Sequence[Effect], cycle: set[DieState]) -> bool:
    """Whether an effect leads out of the cycle."""
    return effect not in still or effect.children[0][0] not in cycle


def _transitions_within(still: Sequence[Effect], cycle: set[DieState], size: int) -> dict[DieState, Fraction]:
    """The transition probabilities from a place to the places of the cycle."""
    transitions: dict[DieState, Fraction] = {}
    for effect in still:
        child = effect.children[0][0]
        if child in cycle:
            transitions[child] = transitions.get(child, Fraction(0)) + Fraction(effect.weight, size)
    return transitions


def _expected_visits(rows: Mapping[DieState, Mapping[DieState, Fraction]], start: DieState) -> dict[DieState, Fraction]:
    """The expected number of visits to each place of the cycle, starting from one of them."""
    turned: dict[DieState, dict[DieState, Fraction]] = {place: {} for place in rows}
    for place, row in rows.items():
        for child, share in row.items():
            turned[child][place] = share
    solution = solve_linear(turned, {place: Fraction(int(place == start)) for place in rows})
    assert solution is not None
    return solution


def _effects_out_of_cycle(
    family: Family, place: DieState, ways: Mapping[DieState, Fraction], leaving: Mapping[DieState, list[Effect]]
) -> tuple[list[Effect], int]:
    """The effects that lead out of a cycle, weighted by the expected number of visits."""
    weighted = list(_find_exits(family, place, ways, leaving))
    size = lcm(*(share.denominator for share, _ in weighted))
    return [Effect(int(share * size), effect.adds, effect.children) for share, effect in weighted], size


def _find_exits(
    family: Family, place: DieState, ways: Mapping[DieState, Fraction], leaving: Mapping[DieState, list[Effect]]
) -> Iterator[tuple[Fraction, Effect]]:
    """Each effect that leads out, with its probability; the differences of the minimums are added on the way."""
    for other in (other for other, visited in ways.items() if visited):
        moved = [0 if number == family.axis else int(low[place] - low[other]) for number, low in enumerate(family.low)]
        moved[family.axis] = family.sign * (family.axis_low(place) - family.axis_low(other))
        for effect in leaving[other]:
            adds = tuple(add + move for add, move in zip(effect.adds, moved, strict=True))
            yield ways[other] * Fraction(effect.weight, family.size[other]), Effect(0, adds, effect.children)


_ChanceAndMean = tuple[Fraction, Fraction]  # a chance, and a mean times that chance
_Marginals = dict[Values, _ChanceAndMean]
_NO_PAIR = (Fraction(0), Fraction(0))


def _compute_marginals(family: Family, start: DieState) -> _Marginals:
    """The marginal distribution of the other coordinates, in a family where each die leads to at most one other."""
    spans = [range(max(int(family.high[n][p] - family.low[n][p]) for p in family.effects) + 1) for n in family.others]
    by_place: dict[DieState, _Marginals] = {place: {} for place in family.effects}
    for values in sorted(product(*spans), key=sum):
        _MarginalEquations(family, values, by_place).solve()
    lows = [int(family.low[number][start]) for number in family.others]
    return {
        tuple(value + low for value, low in zip(values, lows, strict=True)): pair
        for values, pair in by_place[start].items()
        if pair[0]
    }


@dataclass
class _MarginalEquations:
    """The linear equations of one class (values of the other coordinates) over all places."""

    family: Family
    values: Values
    by_place: dict[DieState, _Marginals]
    rows: dict[DieState, dict[DieState, Fraction]] = field(default_factory=dict)
    known: dict[DieState, _ChanceAndMean] = field(default_factory=dict)
    drift: list[tuple[DieState, DieState, Fraction]] = field(default_factory=list)  # added to the mean within the class

    def solve(self) -> None:
        for place, effects in self.family.effects.items():
            self.rows[place], self.known[place] = {}, _NO_PAIR
            for effect in effects:
                self.add_effect(place, effect)
        chances = solve_linear(self.rows, {place: pair[0] for place, pair in self.known.items()})
        assert chances is not None
        right = {place: pair[1] for place, pair in self.known.items()}
        for place, child, share in self.drift:
            right[place] += share * chances[child]
        means = solve_linear(self.rows, right)
        assert means is not None
        for place in self.rows:
            self.by_place[place][self.values] = (chances[place], means[place])

    def add_effect(self, place: DieState, effect: Effect) -> None:
        family, chance, mean = self.family, *self.known[place]
        share, step = Fraction(effect.weight, family.size[place]), family.sign * effect.adds[family.axis]
        left = tuple(value - add for value, add in zip(self.values, family.other_adds(place, effect), strict=True))
        if not effect.children:
            if not any(left):
                self.known[place] = (chance + share, mean + share * step)
        elif left == self.values:
            child, row = effect.children[0][0], self.rows[place]
            row[child] = row.get(child, Fraction(0)) + share
            self.drift.append((place, child, share * step))
        else:
            part = self.by_place[effect.children[0][0]].get(left, _NO_PAIR)
            self.known[place] = (chance + share * part[0], mean + share * (part[1] + step * part[0]))


class Family:
    """The kinds of dice of a group with their follow-up dice, and what each face adds to the coordinates."""

    def __init__(
        self, machine: Automaton, starts: Sequence[DieState], coordinates: Sequence[Coordinate], axis: int | None = None
    ) -> None:
        self.machine, self.coordinates = machine, coordinates
        self.effects = {place: self.merge_branches(place) for place in machine.find_reachable(starts)}
        self.size = {place: machine.sides(place) for place in self.effects}
        self.low = [self.find_bounds(number, min) for number in range(len(coordinates))]
        self.high = [self.find_bounds(number, max) for number in range(len(coordinates))]
        self.drop_idle_dice()
        self.axis, self.sign = self.choose_axis_and_sign(axis)
        self.others = [number for number in range(len(coordinates)) if number != self.axis]
        self.effects, self.size = _eliminate_zero_cycles(self)

    def merge_branches(self, place: DieState) -> list[Effect]:
        weights: dict[tuple[Values, tuple[tuple[DieState, int], ...]], int] = {}
        for branch in self.machine.find_branches(place):
            key = (self.adds(place, branch), tuple(self.machine.child_states(place, branch)))
            weights[key] = weights.get(key, 0) + branch.weight
        return [Effect(weight, adds, children) for (adds, children), weight in weights.items()]

    def adds(self, place: DieState, branch: Branch) -> Values:
        compiled = self.machine.setting.program
        gives = _count_throw(compiled, self.machine, place, branch)
        return tuple(
            sum(times * gives.get(name, 0) for name, times in coordinate.form) for coordinate in self.coordinates
        )

    def find_bounds(self, number: int, pick: Callable[[Iterable[float]], float]) -> dict[DieState, float]:
        """The minimum or maximum that a die adds to a coordinate, including all follow-up dice."""
        unknown = pick((-inf, inf)) * -1
        bounds: dict[DieState, float] = dict.fromkeys(self.effects, unknown)
        for again in range(3 * len(self.effects)):
            for place, effects in self.effects.items():
                best = pick(_bound_of_effect(effect, number, bounds) for effect in effects)
                if best != bounds[place]:  # still growing after a round for every place: infinite
                    bounds[place] = best if again < len(self.effects) else -unknown
        return bounds

    def drop_idle_dice(self) -> None:
        """Leaves out dice that add nothing to any coordinate."""
        idle = {place for place in self.effects if all(ends[place] == 0 for ends in (*self.low, *self.high))}
        for place, effects in self.effects.items():
            kept = [
                Effect(
                    effect.weight,
                    effect.adds,
                    tuple((child, times) for child, times in effect.children if child not in idle),
                )
                for effect in effects
            ]
            self.effects[place] = kept

    def choose_axis_and_sign(self, wanted: int | None) -> tuple[int, int]:
        """The infinite coordinate, negated if it has no minimum; otherwise the one with the most values."""
        spans = [
            max(high[place] - low[place] for place in self.effects)
            for low, high in zip(self.low, self.high, strict=True)
        ]
        endless = [number for number, span in enumerate(spans) if span == inf]
        if len(endless) > 1 or (endless and wanted not in (None, endless[0])):
            raise NotExactError
        axis = endless[0] if endless else spans.index(max(spans)) if wanted is None else wanted
        up, down = max(self.high[axis].values()) == inf, min(self.low[axis].values()) == -inf
        if up and down:
            raise NotExactError
        return axis, -1 if down else 1

    @property
    def is_infinite(self) -> bool:
        return max(self.high[self.axis].values()) == inf or min(self.low[self.axis].values()) == -inf

    def axis_low(self, place: DieState) -> int:
        return int(self.low[self.axis][place] if self.sign > 0 else -self.high[self.axis][place])

    def span(self, start: DieState) -> int:
        """The number of values of the axis for one die, if it is finite."""
        return int(self.high[self.axis][start] - self.low[self.axis][start]) + 1

    def exponent(self, place: DieState, effect: Effect) -> int:
        """The power of x of an effect, counted from the minimum of its place."""
        children = sum(self.axis_low(child) * times for child, times in effect.children)
        return self.sign * effect.adds[self.axis] + children - self.axis_low(place)

    def other_adds(self, place: DieState, effect: Effect) -> Values:
        """What an effect adds to the other coordinates, counted from the minimum of its place."""
        return tuple(
            effect.adds[number]
            + sum(int(self.low[number][child]) * times for child, times in effect.children)
            - int(self.low[number][place])
            for number in self.others
        )

    def expand_die(self, start: DieState, cut: int) -> DieSeries:
        return _Expansion(self, cut).extract_die(start)

    def is_linear(self) -> bool:
        """Whether each die leads to at most one other, so that its generating function is rational."""
        return all(
            sum(times for _, times in effect.children) <= 1 for effects in self.effects.values() for effect in effects
        )

    def recurrence_order(self) -> int:
        """An upper bound for the order of the recurrence of the coefficients."""
        return sum(max(self.exponent(place, effect) for effect in effects) for place, effects in self.effects.items())

    def marginals(self, start: DieState) -> _Marginals:
        """The probability of each class, and the mean of the axis times that probability."""
        if not self.is_linear():
            raise NotExactError
        return _compute_marginals(self, start)

    def mean(self, number: int) -> dict[DieState, Fraction]:
        """The mean that a die adds to a coordinate, by place."""
        rows, right = {}, {}
        for place, effects in self.effects.items():
            row: dict[DieState, Fraction] = {}
            for effect in effects:
                for child, times in effect.children:
                    row[child] = row.get(child, Fraction(0)) + Fraction(effect.weight * times, self.size[place])
            rows[place] = row
            right[place] = Fraction(sum(effect.weight * effect.adds[number] for effect in effects), self.size[place])
        means = solve_linear(rows, right)
        if means is None:
            raise NotExactError
        return means


def _bound_of_effect(effect: Effect, number: int, ends: Mapping[DieState, float]) -> float:
    own = effect.adds[number]
    return own + sum(ends[child] * times for child, times in effect.children) if effect.children else own


def _count_throw(compiled: CompiledRule, machine: Automaton, place: DieState, branch: Branch) -> dict[str, int]:
    """What a throw adds to each tally; a die counts on its last throw."""
    counts: dict[str, int] = {}
    ready = machine.setting.kinds[place.kind]
    for number, at in zip(compiled.kinds[place.kind].throw_tally_indices, branch.transition.hits, strict=True):
        counts[compiled.tallies[number].name] = at
    for order, number in enumerate(compiled.kinds[place.kind].value_tally_indices):
        if ready.kind.explode is None:
            counts[compiled.tallies[number].name] = ready.value_tests[order](branch.transition.face)
    for tally in compiled.tallies:
        if tally.kind == place.kind and tally.test is None and tally.is_additive:
            counts[tally.name] = branch.transition.face if tally.function == "sum" else int(branch.next_state is None)
    counts[f"value of {place.kind}"] = branch.transition.face
    return counts


@dataclass
class _SeriesProduct:
    """A product of power series, expanded as far as its factors are known."""

    factors: list[list[int]]
    partial_products: list[list[int]] = field(default_factory=list)

    def coefficient(self, place: int) -> int:
        if not self.factors:
            return int(place == 0)
        left = self.factors[0]
        for number, right in enumerate(self.factors[1:]):
            if number == len(self.partial_products):
                self.partial_products.append([])
            known = self.partial_products[number]
            for k in range(len(known), place + 1):
                known.append(sum(map(mul, left[: k + 1], right[k::-1])))
            left = known
        value: int = left[place]
        return value


class _Term(NamedTuple):
    """One effect in the expansion: its integer factor, its power of x, and its shift for the other coordinates."""

    factor: int
    exponent: int
    shift: int
    chain: _SeriesProduct


class _Expansion:
    """Expands the generating functions of a family up to a cut.

    The coefficients of all classes are packed into one integer, each with the same number of bits."""

    def __init__(self, family: Family, cut: int) -> None:
        self.family, self.cut = family, cut
        self.order = self.order_places()
        self.base = self.find_bases()
        self.growth = self.find_growth()
        self.spans = [1 + max(int(family.high[n][p] - family.low[n][p]) for p in family.effects) for n in family.others]
        self.bits = (max(self.base.values()) * self.growth**cut).bit_length() + 1
        if cut * cut * self.bits > 16 * MOST_DIGITS:
            raise BudgetError
        self.strides = [self.bits * prod(self.spans[:number]) for number in range(len(self.spans))]
        self.coefficients: dict[DieState, list[int]] = {place: [] for place in family.effects}
        self.expand()

    def order_places(self) -> list[DieState]:
        """A topological order: each place after those that it needs at the same power of x."""
        family, sorter = self.family, TopologicalSorter[DieState]()
        for place, effects in family.effects.items():
            sorter.add(place)
            for effect in effects:
                if family.exponent(place, effect) == 0:
                    sorter.add(place, *(child for child, _ in effect.children))
        try:
            return list(sorter.static_order())
        except CycleError:
            raise NotExactError from None

    def find_bases(self) -> dict[DieState, int]:
        base = dict(self.family.size)
        for place in self.order:
            for effect in self.family.effects[place]:
                if self.family.exponent(place, effect) == 0:
                    base[place] = lcm(base[place], self.effect_size(place, effect, base))
        return base

    def effect_size(self, place: DieState, effect: Effect, base: dict[DieState, int]) -> int:
        """The denominator of an effect without powers of the growth."""
        children: int = prod(base[child] ** times for child, times in effect.children)
        return self.family.size[place] * children

    def find_growth(self) -> int:
        growth = 1
        for place, effects in self.family.effects.items():
            for effect in effects:
                exponent, size = self.family.exponent(place, effect), self.effect_size(place, effect, self.base)
                if exponent:
                    growth = lcm(growth, root_multiple(size // gcd(size, self.base[place]), exponent))
        return growth

    def make_term(self, place: DieState, effect: Effect) -> _Term:
        exponent = self.family.exponent(place, effect)
        factor = effect.weight * self.base[place] * self.growth**exponent // self.effect_size(place, effect, self.base)
        values = self.family.other_adds(place, effect)
        shift = sum(map(mul, values, self.strides))
        chain = _SeriesProduct([self.coefficients[child] for child, times in effect.children for _ in range(times)])
        return _Term(factor, exponent, shift, chain)

    def expand(self) -> None:
        terms = {
            place: [self.make_term(place, effect) for effect in effects]
            for place, effects in self.family.effects.items()
        }
        for k in range(self.cut):
            for place in self.order:
                total = 0
                for term in terms[place]:
                    if k >= term.exponent:
                        total += term.factor * term.chain.coefficient(k - term.exponent) << term.shift
                self.coefficients[place].append(total)

    def extract_die(self, start: DieState) -> DieSeries:
        family = self.family
        lows = [int(family.low[number][start]) for number in family.others]
        classes: dict[Values, list[int]] = {}
        mask = (1 << self.bits) - 1
        for values in product(*map(range, self.spans)):
            shift = sum(map(mul, values, self.strides))
            series = [part >> shift & mask for part in self.coefficients[start]]
            if any(series):
                classes[tuple(value + low for value, low in zip(values, lows, strict=True))] = _trim_zeros(series)
        return DieSeries(classes, self.base[start], self.growth, family.axis_low(start))


def _trim_zeros(series: list[int]) -> list[int]:
    while len(series) > 1 and not series[-1]:
        series = series[:-1]
    return series

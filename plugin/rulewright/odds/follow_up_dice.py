"""Dice with their follow-up dice: what each face adds to the coordinates of a group, and the dice it leads to.

One coordinate, the axis, may grow without end. Cycles of throws that add nothing are eliminated by linear equations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf, lcm
from typing import NamedTuple

from ..play.automaton import Automaton, Branch, DieState, solve_linear
from ..play.compiled_rule import CompiledRule
from .budget import Budget, NotExactError
from .plan import Coordinate
from .rerolled_die import Children, RerolledDie, Share

Values = tuple[int, ...]


class Effect(NamedTuple):
    """What some faces of a die add to the coordinates, and the dice that they lead to."""

    weight: int
    adds: Values
    children: tuple[tuple[DieState, int], ...]


_Effects = dict[DieState, list[Effect]]


def _eliminate_zero_cycles(family: Family) -> None:
    """Replaces throws that add nothing and lead back to where they came from by the throws that lead out."""
    still = {
        place: [effect for effect in effects if effect.children and family.adds_nothing(place, effect)]
        for place, effects in family.effects.items()
    }
    cycle = _find_cycles({p: {child for effect in zero for child, _ in effect.children} for p, zero in still.items()})
    visits: dict[DieState, dict[DieState, Fraction]] = {place: {} for place in cycle}  # by place, and place before it
    leaving: dict[DieState, list[Effect]] = {place: [] for place in cycle}
    for place in cycle:
        for effect in family.effects[place]:
            within = [child for child, _ in effect.children if child in cycle] if effect in still[place] else []
            if within and sum(times for _, times in effect.children) > 1:
                raise NotExactError  # several dice, one of them on the cycle: such probabilities can be irrational
            share = Fraction(effect.weight, family.size[place])
            for child in within:
                visits[child][place] = visits[child].get(place, Fraction(0)) + share
            leaving[place] += [] if within else [effect]
    effects, size = dict(family.effects), dict(family.size)
    for place in cycle:
        expected = solve_linear(visits, {other: Fraction(other == place) for other in cycle})
        assert expected is not None
        exits = []
        for other in (other for other, times in expected.items() if times):
            moved = [int(low[place] - low[other]) if low[place] > -inf else 0 for low in family.low]
            moved[family.axis] = family.sign * (family.axis_low(place) - family.axis_low(other))
            for effect in leaving[other]:
                adds = tuple(add + move for add, move in zip(effect.adds, moved, strict=True))
                exits.append((expected[other] * Fraction(effect.weight, family.size[other]), adds, effect.children))
        size[place] = lcm(*(share.denominator for share, _, _ in exits))
        effects[place] = [Effect(int(share * size[place]), adds, children) for share, adds, children in exits]
    family.effects, family.size = effects, size


def _find_cycles(links: Mapping[DieState, set[DieState]]) -> set[DieState]:
    """The places that are on a cycle."""
    reached = {place: set(after) for place, after in links.items() if after}
    for middle in list(reached):
        for successors in reached.values():
            if middle in successors:
                successors.update(reached[middle])
    return {place for place, successors in reached.items() if place in successors}


_ChanceAndMean = tuple[Fraction, Fraction]  # a chance, and a mean times that chance
_Marginals = dict[Values, _ChanceAndMean]


def _compute_marginals(family: Family, start: DieState) -> _Marginals:
    """The marginal distribution of the other coordinates, in a family where each die leads to at most one other.

    For each class (values of the other coordinates) these are linear equations over all places."""
    spans = [range(max(int(family.high[n][p] - family.low[n][p]) for p in family.effects) + 1) for n in family.others]
    by_place: dict[DieState, _Marginals] = {place: {} for place in family.effects}
    for values in sorted(product(*spans), key=sum):
        family.budget.spend(10 * sum(map(len, family.effects.values())))
        rows: dict[DieState, dict[DieState, Fraction]] = {place: {} for place in family.effects}
        chances, means = dict.fromkeys(rows, Fraction(0)), dict.fromkeys(rows, Fraction(0))
        drift = []  # what is added to the mean within the class
        for place, effect in ((place, effect) for place, effects in family.effects.items() for effect in effects):
            share, step = Fraction(effect.weight, family.size[place]), family.sign * effect.adds[family.axis]
            left = tuple(value - add for value, add in zip(values, family.other_adds(place, effect), strict=True))
            child = effect.children[0][0] if effect.children else None
            if child and left == values:
                rows[place][child] = rows[place].get(child, Fraction(0)) + share
                drift.append((place, child, share * step))
            else:
                end = (Fraction(not any(left)), Fraction(0))
                chance, mean = by_place[child].get(left, (Fraction(0), Fraction(0))) if child else end
                chances[place] += share * chance
                means[place] += share * (mean + step * chance)
        solved = solve_linear(rows, chances)
        assert solved is not None
        for place, child, moved in drift:
            means[place] += moved * solved[child]
        solved_means = solve_linear(rows, means)
        assert solved_means is not None
        for place in rows:
            by_place[place][values] = (solved[place], solved_means[place])
    lows = [int(family.low[number][start]) for number in family.others]
    return {
        tuple(value + low for value, low in zip(values, lows, strict=True)): pair
        for values, pair in by_place[start].items()
        if pair[0]
    }


class Family:
    """The kinds of dice of a group with their follow-up dice, and what each face adds to the coordinates."""

    def __init__(
        self,
        machine: Automaton,
        starts: Sequence[DieState],
        coordinates: Sequence[Coordinate],
        budget: Budget,
        axis: int | None = None,
    ) -> None:
        self.machine, self.coordinates, self.budget = machine, coordinates, budget
        self.effects: _Effects = {}
        self.size: dict[DieState, int] = {}
        self.find_effects(starts)
        self.low = [self.find_bounds(number, min) for number in range(len(coordinates))]
        self.high = [self.find_bounds(number, max) for number in range(len(coordinates))]
        if any(inf in low.values() or -inf in high.values() for low, high in zip(self.low, self.high, strict=True)):
            raise NotExactError  # dice that always lead to more dice
        self.drop_idle_dice()
        self.axis, self.sign = self.choose_axis_and_sign(axis)
        self.others = [number for number in range(len(coordinates)) if number != self.axis]
        self.known_marginals: dict[DieState, _Marginals] = {}
        _eliminate_zero_cycles(self)

    def find_effects(self, starts: Sequence[DieState]) -> None:
        """The effects of all places that can be reached."""
        rerolled: dict[int, RerolledDie] = {}
        waiting = list(starts)
        while waiting:
            place = waiting.pop()
            if place in self.effects:
                continue
            self.budget.spend(15 * len(self.machine.setting.kinds[place.kind].faces))
            if place.attempt or (not place.throw and self.machine.setting.rule.kinds[place.kind].rolls_on):
                if place.kind not in rerolled:
                    rerolled[place.kind] = RerolledDie(self.machine, place.kind)
                self.effects[place], self.size[place] = self.merge_shares(place, rerolled[place.kind].branches(place))
            else:
                self.effects[place], self.size[place] = self.merge_branches(place), self.machine.sides(place)
            waiting += [child for effect in self.effects[place] for child, _ in effect.children]

    def merge_shares(self, place: DieState, rows: Iterable[Share]) -> tuple[list[Effect], int]:
        """Faces with their chances as effects; a new attempt adds nothing."""
        shares: dict[tuple[Values, Children], Fraction] = {}
        for share, branch, children in rows:
            nothing = (0,) * len(self.coordinates)
            key = (self.adds(place, branch) if branch else nothing, children)
            shares[key] = shares.get(key, Fraction(0)) + share
        size = lcm(*(share.denominator for share in shares.values()))
        return [Effect(int(share * size), adds, children) for (adds, children), share in shares.items() if share], size

    def merge_branches(self, place: DieState) -> list[Effect]:
        weights: dict[tuple[Values, tuple[tuple[DieState, int], ...]], int] = {}
        for branch in self.machine.find_branches(place):
            key = (self.adds(place, branch), branch.child_states)
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
            self.budget.spend(sum(map(len, self.effects.values())))
            before = dict(bounds)
            for place, effects in self.effects.items():
                best = pick(
                    effect.adds[number] + sum(bounds[child] * times for child, times in effect.children)
                    for effect in effects
                )
                if best != bounds[place]:  # still growing after a round for every place: infinite
                    bounds[place] = best if again < len(self.effects) else -unknown
            if bounds == before:
                break
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

    def adds_nothing(self, place: DieState, effect: Effect) -> bool:
        """Whether an effect adds no more than the minimum of its place."""
        return self.exponent(place, effect) == 0 and not any(self.other_adds(place, effect))

    def is_linear(self) -> bool:
        """Whether each die leads to at most one other, so that its generating function is rational."""
        return all(
            sum(times for _, times in effect.children) <= 1 for effects in self.effects.values() for effect in effects
        )

    def loop_width(self, place: DieState) -> float:
        """How many terms decide those of a die that only leads to itself; infinite if it leads to other dice."""
        loops = [effect.children for effect in self.effects[place] if effect.children]
        return len(self.effects[place]) * (1 + len(loops)) if loops and {*loops} == {((place, 1),)} else inf

    def recurrence_order(self) -> int:
        """An upper bound for the order of the recurrence of the coefficients."""
        return sum(max(self.exponent(place, effect) for effect in effects) for place, effects in self.effects.items())

    def marginals(self, start: DieState) -> _Marginals:
        """The probability of each class, and the mean of the axis times that probability."""
        if not self.is_linear():
            raise NotExactError
        if start not in self.known_marginals:
            self.known_marginals[start] = _compute_marginals(self, start)
        return self.known_marginals[start]

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


def _count_throw(compiled: CompiledRule, machine: Automaton, place: DieState, branch: Branch) -> dict[str, int]:
    """What a throw adds to each tally; a die counts on its last throw."""
    counts: dict[str, int] = {}
    ready = machine.setting.kinds[place.kind]
    for number, at in zip(compiled.kinds[place.kind].throw_tally_indices, branch.transition.hits, strict=True):
        counts[compiled.tallies[number].name] = at
    for order, number in enumerate(compiled.kinds[place.kind].value_tally_indices):
        if not ready.kind.explodes and not branch.transition.is_replaced:
            counts[compiled.tallies[number].name] = ready.value_tests[order](branch.transition.value)
    for tally in compiled.tallies:
        if tally.kind == place.kind and tally.body is None and tally.is_additive:
            counts[tally.name] = branch.transition.value if tally.function == "sum" else int(branch.next_state is None)
    counts[f"value of {place.kind}"] = branch.transition.value
    return counts

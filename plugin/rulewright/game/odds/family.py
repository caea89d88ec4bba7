"""Generating functions: how likely a die, with all dice it leads to, adds up to what.

One coordinate may be open above; it is the axis, the power of x. The others have few values and are packed
into the coefficients. Coefficients are whole numbers: the k-th stands for c / (base * growth**k)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf

from ..nodes import Branch, Machine, Place, solve
from ..program import Program
from ..throws import throw_tallies, value_tallies
from .circles import without_circles
from .effect import DieSeries, Effect, NotExact, Values
from .marginals import Marginals, marginals
from .plan import Coordinate

__all__ = ["DieSeries", "Effect", "Family", "NotExact", "Values", "contributions"]


class Family:
    """The dice of a group and what they add to its coordinates."""

    def __init__(
        self, machine: Machine, starts: Sequence[Place], coordinates: Sequence[Coordinate], axis: int | None = None
    ) -> None:
        self.machine, self.coordinates = machine, coordinates
        self.effects = {place: self.merged(place) for place in machine.reach(starts)}
        self.size = {place: machine.sides(place) for place in self.effects}
        self.low = [self.ends(number, min) for number in range(len(coordinates))]
        self.high = [self.ends(number, max) for number in range(len(coordinates))]
        self.without_idle()
        self.axis, self.sign = self.choose_axis(axis)
        self.others = [number for number in range(len(coordinates)) if number != self.axis]
        self.effects, self.size = without_circles(self)

    def merged(self, place: Place) -> list[Effect]:
        found: dict[tuple[Values, tuple[tuple[Place, int], ...]], int] = {}
        for branch in self.machine.branches(place):
            key = (self.adds(place, branch), tuple(self.machine.children(place, branch)))
            found[key] = found.get(key, 0) + branch.weight
        return [Effect(weight, adds, children) for (adds, children), weight in found.items()]

    def adds(self, place: Place, branch: Branch) -> Values:
        made = self.machine.setting.program
        gives = contributions(made, self.machine, place, branch)
        return tuple(sum(times * gives.get(name, 0) for name, times in one.form) for one in self.coordinates)

    def ends(self, number: int, pick: Callable[[Iterable[float]], float]) -> dict[Place, float]:
        """The least or greatest that a die can add to a coordinate, with all that follows it."""
        unknown = pick((-inf, inf)) * -1
        found: dict[Place, float] = dict.fromkeys(self.effects, unknown)
        for again in range(3 * len(self.effects)):
            for place, effects in self.effects.items():
                best = pick(total(effect, number, found) for effect in effects)
                if best != found[place]:  # what still grows after every place had its turn grows for ever
                    found[place] = best if again < len(self.effects) else -unknown
        return found

    def without_idle(self) -> None:
        """Dice that can add nothing to any coordinate are left out."""
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

    def choose_axis(self, wanted: int | None) -> tuple[int, int]:
        """The coordinate without an end, turned round if it has no end below; else the one with most values."""
        spans = [
            max(high[place] - low[place] for place in self.effects)
            for low, high in zip(self.low, self.high, strict=True)
        ]
        endless = [number for number, span in enumerate(spans) if span == inf]
        if len(endless) > 1 or (endless and wanted not in (None, endless[0])):
            raise NotExact
        axis = endless[0] if endless else spans.index(max(spans)) if wanted is None else wanted
        up, down = max(self.high[axis].values()) == inf, min(self.low[axis].values()) == -inf
        if up and down:
            raise NotExact
        return axis, -1 if down else 1

    @property
    def endless(self) -> bool:
        return max(self.high[self.axis].values()) == inf or min(self.low[self.axis].values()) == -inf

    def axis_low(self, place: Place) -> int:
        return int(self.low[self.axis][place] if self.sign > 0 else -self.high[self.axis][place])

    def span(self, start: Place) -> int:
        """How many values the axis has for one die, when it has an end."""
        return int(self.high[self.axis][start] - self.low[self.axis][start]) + 1

    def exponent(self, place: Place, effect: Effect) -> int:
        children = sum(self.axis_low(child) * times for child, times in effect.children)
        return self.sign * effect.adds[self.axis] + children - self.axis_low(place)

    def others_of(self, place: Place, effect: Effect) -> Values:
        """What an effect adds to the other coordinates, counted from the least that is possible."""
        return tuple(
            effect.adds[number]
            + sum(int(self.low[number][child]) * times for child, times in effect.children)
            - int(self.low[number][place])
            for number in self.others
        )

    def die(self, start: Place, cut: int) -> DieSeries:
        from .expansion import Expansion

        return Expansion(self, cut).die(start)

    def linear(self) -> bool:
        """Whether each die leads to at most one other, so that its series is a quotient of polynomials."""
        return all(
            sum(times for _, times in effect.children) <= 1 for effects in self.effects.values() for effect in effects
        )

    def degree(self) -> int:
        """The most by which that quotient can reach back along the axis."""
        return sum(max(self.exponent(place, effect) for effect in effects) for place, effects in self.effects.items())

    def marginals(self, start: Place) -> Marginals:
        """For the values of the other coordinates: how likely, and the mean of the axis where it is so (times that)."""
        if not self.linear():
            raise NotExact
        return marginals(self, start)

    def mean(self, number: int) -> dict[Place, Fraction]:
        """The mean that a die adds to a coordinate, by place."""
        rows, right = {}, {}
        for place, effects in self.effects.items():
            row: dict[Place, Fraction] = {}
            for effect in effects:
                for child, times in effect.children:
                    row[child] = row.get(child, Fraction(0)) + Fraction(effect.weight * times, self.size[place])
            rows[place] = row
            right[place] = Fraction(sum(effect.weight * effect.adds[number] for effect in effects), self.size[place])
        found = solve(rows, right)
        if found is None:
            raise NotExact
        return found


def total(effect: Effect, number: int, ends: Mapping[Place, float]) -> float:
    own = effect.adds[number]
    return own + sum(ends[child] * times for child, times in effect.children) if effect.children else own


def contributions(made: Program, machine: Machine, place: Place, branch: Branch) -> dict[str, int]:
    """What a throw adds to each tally; a die is counted when it comes to rest."""
    found: dict[str, int] = {}
    ready = machine.setting.kinds[place.kind]
    for number, at in zip(throw_tallies(made, place.kind), branch.landing.hits, strict=True):
        found[made.tallies[number].name] = at
    for order, number in enumerate(value_tallies(made, place.kind)):
        if ready.kind.explode is None:
            found[made.tallies[number].name] = ready.value_tests[order](branch.landing.face)
    for tally in made.tallies:
        if tally.kind == place.kind and tally.test is None and tally.additive:
            found[tally.name] = branch.landing.face if tally.function == "sum" else int(branch.onward is None)
    found[f"value of {place.kind}"] = branch.landing.face
    return found

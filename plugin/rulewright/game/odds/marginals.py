"""How likely each class of a die is, whatever its axis, and the mean of the axis there.

A class is a value of the coordinates beside the axis. Throws that add nothing to them lead from a class to itself,
so the places of one class make a system of equations."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

from ..nodes import Place, solve
from .effect import Effect, Values

if TYPE_CHECKING:
    from .family import Family

Pair = tuple[Fraction, Fraction]  # a chance, and a mean times that chance
Marginals = dict[Values, Pair]
NOTHING = (Fraction(0), Fraction(0))


def marginals(family: Family, start: Place) -> Marginals:
    """The classes of a die in a family where each die leads to at most one other."""
    spans = [range(max(int(family.high[n][p] - family.low[n][p]) for p in family.effects) + 1) for n in family.others]
    found: dict[Place, Marginals] = {place: {} for place in family.effects}
    for values in sorted(product(*spans), key=sum):
        System(family, values, found).solve()
    lows = [int(family.low[number][start]) for number in family.others]
    return {
        tuple(value + low for value, low in zip(values, lows, strict=True)): pair
        for values, pair in found[start].items()
        if pair[0]
    }


@dataclass
class System:
    """One class of all places: what is known already, and the throws that stay in the class."""

    family: Family
    values: Values
    found: dict[Place, Marginals]
    rows: dict[Place, dict[Place, Fraction]] = field(default_factory=dict)
    known: dict[Place, Pair] = field(default_factory=dict)
    drift: list[tuple[Place, Place, Fraction]] = field(default_factory=list)  # what staying adds to the mean

    def solve(self) -> None:
        for place, effects in self.family.effects.items():
            self.rows[place], self.known[place] = {}, NOTHING
            for effect in effects:
                self.take(place, effect)
        chances = solve(self.rows, {place: pair[0] for place, pair in self.known.items()})
        assert chances is not None
        right = {place: pair[1] for place, pair in self.known.items()}
        for place, child, share in self.drift:
            right[place] += share * chances[child]
        means = solve(self.rows, right)
        assert means is not None
        for place in self.rows:
            self.found[place][self.values] = (chances[place], means[place])

    def take(self, place: Place, effect: Effect) -> None:
        family, chance, mean = self.family, *self.known[place]
        share, step = Fraction(effect.weight, family.size[place]), family.sign * effect.adds[family.axis]
        left = tuple(value - add for value, add in zip(self.values, family.others_of(place, effect), strict=True))
        if not effect.children:
            if not any(left):
                self.known[place] = (chance + share, mean + share * step)
        elif left == self.values:
            child, row = effect.children[0][0], self.rows[place]
            row[child] = row.get(child, Fraction(0)) + share
            self.drift.append((place, child, share * step))
        else:
            part = self.found[effect.children[0][0]].get(left, NOTHING)
            self.known[place] = (chance + share * part[0], mean + share * (part[1] + step * part[0]))

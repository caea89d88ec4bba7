"""Dice that do not look at each other: what they count together, and how likely that is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from operator import add
from typing import TYPE_CHECKING

from .effect import Values
from .limits import TooMuch

if TYPE_CHECKING:
    from .plan import Coordinate

NONE = -(2**50)  # stands for the highest of no dice
MOST_PAIRS = 300_000  # states of some dice with states of others
DIGITS = 300  # binary digits of chances that were rounded
UNLIKELY = Fraction(1, 10**20)
ZERO = Fraction(0)

Chances = dict[Values, Fraction]  # of each state; what is missing in them was not followed


class Joiner:
    """Adds up coordinates, and keeps the highest and lowest."""

    def __init__(self, coordinates: Sequence[Coordinate]) -> None:
        self.coordinates = coordinates
        self.plain = not any(coordinate.extreme for coordinate in coordinates)
        self.nothing = tuple(NONE if coordinate.extreme else 0 for coordinate in coordinates)
        self.pairs = 0

    def joined(self, left: Values, right: Values) -> Values:
        if self.plain:
            return tuple(map(add, left, right))
        return tuple(map(join, self.coordinates, left, right))

    def both(self, left: Chances, right: Chances) -> Chances:
        """Two lots of dice. Where something is missing anyway, what is hardly likely is left out too."""
        self.pairs += len(left) * len(right)
        if self.pairs > MOST_PAIRS:
            raise TooMuch
        found: Chances = {}
        for (one, chance), (other, share) in product(left.items(), right.items()):
            key = self.joined(one, other)
            found[key] = found.get(key, ZERO) + chance * share
        if sum(found.values()) == 1:
            return found
        return {
            values: Fraction(int(chance * 2**DIGITS), 2**DIGITS)
            for values, chance in found.items()
            if chance > UNLIKELY
        }

    def many(self, one: Chances, number: int) -> Chances:
        """Dice that are all alike, by repeated doubling."""
        if number == 1:
            return one
        half = self.many(one, number // 2)
        double = self.both(half, half)
        return self.both(double, one) if number % 2 else double


def join(coordinate: Coordinate, left: int, right: int) -> int:
    if not coordinate.extreme:
        return left + right
    if NONE in (left, right):
        return left if right == NONE else right
    return max(left, right) if coordinate.extreme == "highest" else min(left, right)

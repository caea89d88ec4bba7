"""Dice that breed dice like themselves obey a law that makes each power of their series from the ones before.

Let B = P + w·x^f·B^t be the series of a die that earns t dice of its own sort, and H = R + k·x^f·B^t that of the
die that started it. Then H = S + u·B with u = k/w and S = R - u·P, and with t = 1 or 2
    (1 - w·x^f) H = (1 - w·x^f) S + u·P                                (t = 1)
    w·x^f H² = (u + 2w·x^f S) H - (w·x^f S² + u·S + u²·P)              (t = 2)
so that H^(m+1) follows from H^m and H^(m-1) with a few products for each coefficient."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from ..nodes import Place
from .family import Effect, Family

Polynomial = dict[int, Fraction]


class Law(NamedTuple):
    """H^(m+1) from `one` times H^m and `two` times H^(m-1), shifted by `lost` places; or divided by 1 - own."""

    one: Polynomial
    two: Polynomial
    own: Polynomial
    lost: int

    def powers(self, series: Sequence[int], base: int, growth: int, times: int, cut: int) -> list[list[int]]:
        """All powers up to one, as whole numbers: the k-th coefficient of H^m stands over base^m · growth^k."""
        first, second, own = (
            self.whole(part, base**order, growth) for part, order in ((self.one, 1), (self.two, 2), (self.own, 0))
        )
        share = lcm(*(factor.denominator for part in (first, second) for factor in part.values()))
        length = cut + self.lost * times
        known = [[1] + [0] * (length - 1), [*series, *[0] * length][: length - self.lost]]
        while len(known) <= times:
            length = len(known[-1]) - self.lost
            found = [0] * length
            for part, before in ((first, known[-1]), (second, known[-2])):
                for place, factor in part.items():
                    add(found, before, place - self.lost, int(factor * share))
            if share != 1:
                found = [value // share for value in found]
            known.append(divided(found, {place: int(factor) for place, factor in own.items()}))
        return [row[:cut] for row in known]

    def whole(self, part: Polynomial, base: int, growth: int) -> Polynomial:
        return {place: factor * base * Fraction(growth) ** (place - self.lost) for place, factor in part.items()}


def add(found: list[int], row: Sequence[int], shift: int, factor: int) -> None:
    """found += factor · x^shift · row, as far as found goes."""
    if shift >= 0:
        found[shift:] = [old + factor * part for old, part in zip(found[shift:], row, strict=False)]
    else:
        found[:] = [old + factor * part for old, part in zip(found, row[-shift:], strict=False)]


def divided(row: list[int], own: dict[int, int]) -> list[int]:
    """row / (1 - own)."""
    for place in range(len(row)) if own else ():
        for back, factor in own.items():
            if back <= place:
                row[place] += factor * row[place - back]
    return row


def law_of(family: Family, start: Place) -> Law | None:
    """The law that the dice of a place obey, if they are of that sort."""
    breeding = [effect for effect in family.effects[start] if effect.children]
    if len(breeding) != 1 or len(breeding[0].children) != 1 or any(family.others_of(start, breeding[0])):
        return None
    child, times = breeding[0].children[0]
    again = [effect for effect in family.effects[child] if effect.children]
    if times > 2 or len(again) != 1 or again[0].children != ((child, times),):
        return None
    power = family.exponent(child, again[0])
    if (
        power < 1
        or family.exponent(start, breeding[0]) != power
        or any(any(family.others_of(child, one)) for one in family.effects[child])
    ):
        return None
    return make_law(family, start, child, breeding[0], again[0], times)


def make_law(family: Family, start: Place, child: Place, first: Effect, again: Effect, times: int) -> Law:
    power = family.exponent(child, again)
    leaves = polynomial(family, child)
    w = Fraction(again.weight, family.size[child])
    u = Fraction(first.weight, family.size[start]) / w
    rest = plus(polynomial(family, start), scaled(leaves, -u))
    breed = {power: w}
    if times == 1:
        return Law(plus(rest, scaled(product(breed, rest), Fraction(-1)), scaled(leaves, u)), {}, breed, 0)
    one = plus({0: u}, scaled(product(breed, rest), Fraction(2)))
    two = scaled(plus(product(breed, product(rest, rest)), scaled(rest, u), scaled(leaves, u * u)), Fraction(-1))
    return Law(scaled(one, 1 / w), scaled(two, 1 / w), {}, power)


def polynomial(family: Family, place: Place) -> Polynomial:
    """The faces of a die that lead to no other and add nothing beside the axis."""
    found: Polynomial = {}
    for effect in family.effects[place]:
        if not effect.children and not any(family.others_of(place, effect)):
            found = plus(found, {family.exponent(place, effect): Fraction(effect.weight, family.size[place])})
    return found


def plus(*parts: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for part in parts:
        for place, factor in part.items():
            found[place] = found.get(place, Fraction(0)) + factor
    return {place: factor for place, factor in found.items() if factor}


def scaled(part: Polynomial, factor: Fraction) -> Polynomial:
    return {place: own * factor for place, own in part.items()}


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    return plus(*({place + further: own * other for further, other in right.items()} for place, own in left.items()))

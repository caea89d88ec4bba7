"""Throws that add nothing and lead back to where they came from: solved once and for all.

What a die adds in such a circle is known, however often it goes round, so only the ways out of it are kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from ..nodes import Place, solve
from .effect import Effect, NotExact

if TYPE_CHECKING:
    from .family import Family

Effects = dict[Place, list[Effect]]


def without_circles(family: Family) -> tuple[Effects, dict[Place, int]]:
    """The effects and sizes of a family in which each way leads on."""
    still = {
        place: [effect for effect in effects if effect.children and adds_nothing(family, place, effect)]
        for place, effects in family.effects.items()
    }
    circle = circling(
        {place: [child for effect in found for child, _ in effect.children] for place, found in still.items()}
    )
    if not circle:
        return family.effects, family.size
    if any(branches(effect, circle) for place in circle for effect in still[place]):
        raise NotExact
    rows = {place: inside(still[place], circle, family.size[place]) for place in circle}
    leaving = {
        place: [effect for effect in family.effects[place] if leaves(effect, still[place], circle)] for place in circle
    }
    effects, size = dict(family.effects), dict(family.size)
    for place in circle:
        effects[place], size[place] = shortcut(family, place, visits(rows, place), leaving)
    return effects, size


def adds_nothing(family: Family, place: Place, effect: Effect) -> bool:
    """Whether an effect adds no more than what is certain anyway."""
    return family.exponent(place, effect) == 0 and not any(family.others_of(place, effect))


def circling(links: Mapping[Place, Sequence[Place]]) -> set[Place]:
    """The places from which the links lead back to themselves."""
    reached = {place: set(after) for place, after in links.items() if after}
    for middle in list(reached):
        for found in reached.values():
            if middle in found:
                found.update(reached[middle])
    return {place for place, found in reached.items() if place in found}


def branches(effect: Effect, circle: set[Place]) -> bool:
    """Whether more than one die leads on, one of them round the circle: such chances can be irrational."""
    return sum(times for _, times in effect.children) > 1 and any(child in circle for child, _ in effect.children)


def leaves(effect: Effect, still: Sequence[Effect], circle: set[Place]) -> bool:
    return effect not in still or effect.children[0][0] not in circle


def inside(still: Sequence[Effect], circle: set[Place], size: int) -> dict[Place, Fraction]:
    """How likely the next throw is at each place of the circle."""
    found: dict[Place, Fraction] = {}
    for effect in still:
        child = effect.children[0][0]
        if child in circle:
            found[child] = found.get(child, Fraction(0)) + Fraction(effect.weight, size)
    return found


def visits(rows: Mapping[Place, Mapping[Place, Fraction]], start: Place) -> dict[Place, Fraction]:
    """How often each place of the circle is visited on average, from one of them on."""
    turned: dict[Place, dict[Place, Fraction]] = {place: {} for place in rows}
    for place, row in rows.items():
        for child, share in row.items():
            turned[child][place] = share
    found = solve(turned, {place: Fraction(int(place == start)) for place in rows})
    assert found is not None
    return found


def shortcut(
    family: Family, place: Place, ways: Mapping[Place, Fraction], leaving: Mapping[Place, list[Effect]]
) -> tuple[list[Effect], int]:
    """The effects by which a die leaves its circle, with the mean number of visits as weight."""
    found = list(exits(family, place, ways, leaving))
    size = lcm(*(share.denominator for share, _ in found))
    return [Effect(int(share * size), effect.adds, effect.children) for share, effect in found], size


def exits(
    family: Family, place: Place, ways: Mapping[Place, Fraction], leaving: Mapping[Place, list[Effect]]
) -> Iterator[tuple[Fraction, Effect]]:
    """Each way out with its chance; what was added on the way there is the gap between the lows."""
    for other in (other for other, visited in ways.items() if visited):
        moved = [0 if number == family.axis else int(low[place] - low[other]) for number, low in enumerate(family.low)]
        moved[family.axis] = family.sign * (family.axis_low(place) - family.axis_low(other))
        for effect in leaving[other]:
            adds = tuple(add + move for add, move in zip(effect.adds, moved, strict=True))
            yield ways[other] * Fraction(effect.weight, family.size[other]), Effect(0, adds, effect.children)

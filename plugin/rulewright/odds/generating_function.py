"""Generating functions of dice: what a die and its follow-up dice add to the coordinates of a group, as power series.

The axis is the exponent of x; each coefficient is a distribution of the other coordinates. A die is the sum of its
faces, each times the series of the dice that follow it, so every coefficient follows from earlier ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate
from math import gcd, inf, lcm
from operator import mul
from typing import NamedTuple

from ..play.automaton import DieState
from .budget import Budget, NotExactError
from .follow_up_dice import Family, Values
from .recurrence import Recurrence, find_recurrence, multiply

_Coefficient = dict[Values, Fraction]
_Series = Callable[[int], _Coefficient]


class DieSeries(NamedTuple):
    """The generating function of one die: weights by the values of the other coordinates and the exponent of the axis.

    The weights of exponent k have the denominator base · growth^k; exponent 0 stands for the value `low`. The series of
    a die that only leads to itself is a quotient with this `divisor`, a polynomial by exponents; `width` is how many
    terms decide it."""

    terms: dict[tuple[Values, int], int]
    base: int
    growth: int
    low: int
    divisor: tuple[tuple[int, int], ...] = ((0, 1),)
    width: float = inf


def expand_die(family: Family, start: DieState, cut: int, budget: Budget) -> DieSeries:
    """The series of a die, as far as its exponents are below the cut."""
    if not any(effect.children for effect in family.effects[start]):
        terms: dict[tuple[Values, int], int] = {}
        for effect in family.effects[start]:
            key = tuple([effect.adds[number] for number in family.others]), family.exponent(start, effect)
            terms[key] = terms.get(key, 0) + effect.weight
        return DieSeries(terms, family.size[start], 1, family.axis_low(start))
    ends = [(low[start], high[start]) for low, high in zip(family.low, family.high, strict=True)]
    is_finite = all(high - low < inf for low, high in ends)
    length = family.span(start) if is_finite else cut
    row = _expand(family, length, budget)[start]
    lows = [int(family.low[number][start]) for number in family.others]
    shares = {
        (tuple([value + low for value, low in zip(values, lows, strict=True)]), place): share
        for place, coefficient in enumerate(row)
        for values, share in coefficient.items()
    }
    base, growth = _find_denominators([[share.denominator for share in part.values()] for part in row], is_finite)
    wholes = list(accumulate([growth] * len(row), mul, initial=base))
    terms = {key: share.numerator * (wholes[key[1]] // share.denominator) for key, share in shares.items() if share}
    width, divisor = family.loop_width(start), dict[int, int]()
    for effect in family.effects[start] if width < inf else ():
        if effect.children:
            back = family.exponent(start, effect)
            divisor[back] = divisor.get(back, 0) - effect.weight * growth**back
    divisor[0] = divisor.get(0, 0) + (family.size[start] if divisor else 1)
    return DieSeries(terms, base, growth, family.axis_low(start), tuple(divisor.items()), width)


def _find_denominators(rows: list[list[int]], is_finite: bool) -> tuple[int, int]:
    """A base and a growth, so that base · growth^k is a common denominator of the coefficients of exponent k."""
    if is_finite:
        return lcm(*(size for row in rows for size in row)), 1
    base, growth, power = 1, 1, 1
    for k, row in enumerate(rows):
        power = growth**k if k < 2 else power * growth
        size = lcm(*row)
        rest = size // gcd(size, base * power) if base * power % size else 1
        if rest > 1 and k:
            growth *= _root_multiple(rest, k)
            power = growth**k
        base *= rest if not k else 1
    return base, growth


def _root_multiple(number: int, degree: int) -> int:
    """The least m such that number divides m**degree."""
    multiple, prime = 1, 2
    while number > 1:
        times = 0
        while number % prime == 0:
            number //= prime
            times += 1
        multiple *= prime ** -(-times // degree)
        prime += 1
        if prime * prime > number > 1:
            prime = number
    return multiple


def _expand(family: Family, cut: int, budget: Budget) -> dict[DieState, list[_Coefficient]]:
    """The coefficients of all dice of a family; values are counted from the minimum of their place."""
    rows: dict[DieState, list[_Coefficient]] = {place: [] for place in family.effects}
    ended: dict[DieState, list[_Coefficient]] = {place: [{} for _ in range(cut)] for place in family.effects}
    terms: dict[DieState, list[tuple[int, Values, Fraction, _Series]]] = {place: [] for place in family.effects}
    for place, effects in family.effects.items():
        for effect in effects:
            exponent, adds = family.exponent(place, effect), family.other_adds(place, effect)
            share = Fraction(effect.weight, family.size[place])
            if effect.children:
                series: list[_Series] = [
                    rows[child].__getitem__ for child, times in effect.children for _ in range(times)
                ]
                terms[place].append((exponent, adds, share, _multiply(series)))
            elif exponent < cut:
                coefficient = ended[place][exponent]
                coefficient[adds] = coefficient[adds] + share if adds in coefficient else share
    most = max(sum(times for _, times in effect.children) for effects in family.effects.values() for effect in effects)
    budget.spend(cut * sum(len(own) for own in terms.values()) * (cut if most > 1 else 1))
    order = _order_places(family)
    for k in range(cut):
        for place in order:
            total = ended[place][k]
            for exponent, adds, share, product in terms[place]:
                for values, part in product(k - exponent).items() if k >= exponent else ():
                    key = tuple([value + more for value, more in zip(values, adds, strict=True)])
                    total[key] = total[key] + share * part if key in total else share * part
            rows[place].append(total)
    return rows


def _order_places(family: Family) -> list[DieState]:
    """A topological order: each place after those that it needs at the same power of x."""
    sorter = TopologicalSorter[DieState]()
    for place, effects in family.effects.items():
        sorter.add(place)
        for effect in effects:
            if family.exponent(place, effect) == 0:
                sorter.add(place, *(child for child, _ in effect.children))
    try:
        return list(sorter.static_order())
    except CycleError:
        raise NotExactError from None


def _multiply(factors: list[_Series]) -> _Series:
    """The product of some series, coefficient by coefficient, as far as its factors are known."""
    *others, last = factors
    if not others:
        return last
    left, known = _multiply(others), list[_Coefficient]()

    def coefficient(k: int) -> _Coefficient:
        for number in range(len(known), k + 1):
            total: _Coefficient = {}
            for place in range(number + 1):
                for values, share in left(place).items():
                    for more, part in last(number - place).items():
                        key = tuple([a + b for a, b in zip(values, more, strict=True)])
                        total[key] = total[key] + share * part if key in total else share * part
            known.append(total)
        return known[k]

    return coefficient


def recurrence_of_die(family: Family, place: DieState, budget: Budget) -> Recurrence:
    """What the chances of one die follow, whatever its other coordinates are."""
    order = family.recurrence_order()
    die = expand_die(family, place, 3 * order + 2, budget)
    rows: dict[Values, list[Fraction]] = {}
    for (others, exponent), weight in die.terms.items():
        row = rows.setdefault(others, [Fraction(0)] * (3 * order + 2))
        row[exponent] += Fraction(weight, die.growth**exponent)
    rules = {tuple(find_recurrence(row[order:]) or (Fraction(1),)) for row in rows.values()}
    joint = [Fraction(1)]
    for rule in rules:
        joint = multiply(joint, rule)
    return joint

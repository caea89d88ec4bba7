"""Powers of the generating function of one die: the distribution of a pool of equal dice, shared by all pool sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import comb, lcm
from typing import NamedTuple

from ..play.automaton import DieState
from .generating_function import DieSeries, Effect, Family, Values
from .plan import MOST_DIGITS, MOST_STATES, BudgetError
from .power_series import multiply, raise_to_power

_Polynomial = dict[int, Fraction]


class _PowerRecurrence(NamedTuple):
    """The recurrence of the powers of a series H: H^(m+1) from H^m and H^(m-1).

    The fields are the factor of H^m, the factor of H^(m-1), the p of a divisor 1 - p, and the shift of the result."""

    first_factor: _Polynomial
    second_factor: _Polynomial
    divisor: _Polynomial
    shift: int

    def powers(self, series: Sequence[int], base: int, growth: int, times: int, cut: int) -> list[list[int]]:
        """All powers up to one, as integers: coefficient k of H^m has the denominator base^m · growth^k."""
        first, second, own = (
            self.to_integers(part, base**order, growth)
            for part, order in ((self.first_factor, 1), (self.second_factor, 2), (self.divisor, 0))
        )
        share = lcm(*(factor.denominator for part in (first, second) for factor in part.values()))
        length = cut + self.shift * times
        known = [[1] + [0] * (length - 1), [*series, *[0] * length][: length - self.shift]]
        while len(known) <= times:
            length = len(known[-1]) - self.shift
            coefficients = [0] * length
            for part, before in ((first, known[-1]), (second, known[-2])):
                for place, factor in part.items():
                    _add_shifted(coefficients, before, place - self.shift, int(factor * share))
            if share != 1:
                coefficients = [value // share for value in coefficients]
            known.append(_divide_series(coefficients, {place: int(factor) for place, factor in own.items()}))
        return [row[:cut] for row in known]

    def to_integers(self, part: _Polynomial, base: int, growth: int) -> _Polynomial:
        return {place: factor * base * Fraction(growth) ** (place - self.shift) for place, factor in part.items()}


def _add_shifted(target: list[int], row: Sequence[int], shift: int, factor: int) -> None:
    """found += factor · x^shift · row, as far as found goes."""
    if shift >= 0:
        target[shift:] = [old + factor * part for old, part in zip(target[shift:], row, strict=False)]
    else:
        target[:] = [old + factor * part for old, part in zip(target, row[-shift:], strict=False)]


def _divide_series(row: list[int], own: dict[int, int]) -> list[int]:
    """row / (1 - own)."""
    for place in range(len(row)) if own else ():
        for back, factor in own.items():
            if back <= place:
                row[place] += factor * row[place - back]
    return row


def find_power_recurrence(family: Family, start: DieState) -> _PowerRecurrence | None:
    """The recurrence for the dice of a place, if they have one."""
    breeding = [effect for effect in family.effects[start] if effect.children]
    if len(breeding) != 1 or len(breeding[0].children) != 1 or any(family.other_adds(start, breeding[0])):
        return None
    child, times = breeding[0].children[0]
    again = [effect for effect in family.effects[child] if effect.children]
    if times > 2 or len(again) != 1 or again[0].children != ((child, times),):
        return None
    power = family.exponent(child, again[0])
    if (
        power < 1
        or family.exponent(start, breeding[0]) != power
        or any(any(family.other_adds(child, effect)) for effect in family.effects[child])
    ):
        return None
    return _make_power_recurrence(family, start, child, breeding[0], again[0], times)


def _make_power_recurrence(
    family: Family, start: DieState, child: DieState, first: Effect, again: Effect, times: int
) -> _PowerRecurrence:
    power = family.exponent(child, again)
    leaves = _polynomial_of_faces(family, child)
    w = Fraction(again.weight, family.size[child])
    u = Fraction(first.weight, family.size[start]) / w
    rest = _add_polynomials(_polynomial_of_faces(family, start), _scale_polynomial(leaves, -u))
    breed = {power: w}
    if times == 1:
        return _PowerRecurrence(
            _add_polynomials(
                rest, _scale_polynomial(_multiply_polynomials(breed, rest), Fraction(-1)), _scale_polynomial(leaves, u)
            ),
            {},
            breed,
            0,
        )
    first_factor = _add_polynomials({0: u}, _scale_polynomial(_multiply_polynomials(breed, rest), Fraction(2)))
    second_factor = _scale_polynomial(
        _add_polynomials(
            _multiply_polynomials(breed, _multiply_polynomials(rest, rest)),
            _scale_polynomial(rest, u),
            _scale_polynomial(leaves, u * u),
        ),
        Fraction(-1),
    )
    return _PowerRecurrence(_scale_polynomial(first_factor, 1 / w), _scale_polynomial(second_factor, 1 / w), {}, power)


def _polynomial_of_faces(family: Family, place: DieState) -> _Polynomial:
    """The faces of a die that lead to no other die and add nothing to the other coordinates."""
    terms: _Polynomial = {}
    for effect in family.effects[place]:
        if not effect.children and not any(family.other_adds(place, effect)):
            terms = _add_polynomials(
                terms, {family.exponent(place, effect): Fraction(effect.weight, family.size[place])}
            )
    return terms


def _add_polynomials(*parts: _Polynomial) -> _Polynomial:
    terms: _Polynomial = {}
    for part in parts:
        for place, factor in part.items():
            terms[place] = terms.get(place, Fraction(0)) + factor
    return {place: factor for place, factor in terms.items() if factor}


def _scale_polynomial(part: _Polynomial, factor: Fraction) -> _Polynomial:
    return {place: own * factor for place, own in part.items()}


def _multiply_polynomials(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    return _add_polynomials(
        *({place + further: own * other for further, other in right.items()} for place, own in left.items())
    )


class Row(NamedTuple):
    """The states of a pool with the same other coordinates: `factor` times the cumulative sums along the axis."""

    others: Values
    factor: int
    shift: int
    sums: list[int]  # sums[k]: the weight of all places of the axis below k + 1 - shift


class Powers:
    """The powers of the series of one die."""

    def __init__(
        self, die: DieSeries, cut: int, power_recurrence: _PowerRecurrence | None = None, most: int = 0
    ) -> None:
        self.die, self.cut, self.power_recurrence, self.most_dice = die, cut, power_recurrence, most
        ordered = sorted(die.classes.items(), key=lambda item: sum(1 for part in item[1] if part))
        *small, (self.others, self.series) = ordered
        self.small = [
            (others, *_single_term(series)) for others, series in small if sum(1 for part in series if part) == 1
        ]
        self.mixed = [(others, series) for others, series in small if sum(1 for part in series if part) > 1]
        self.known_powers: list[list[int]] = [[1]]
        self.needed_lengths: list[int] = []  # if known: how many coefficients of each power are needed
        self.sums: dict[int, list[int]] = {}

    def check_budget(self, dice: int) -> None:
        """Raises an error for too many states, or weights that are too long."""
        classes = len(self.small) + len(self.mixed)
        rows = comb(dice + classes, classes) if dice < 10_000 else dice ** min(classes, 3)
        length = (dice * self.die.base.bit_length() + self.cut * self.die.growth.bit_length()) // 4
        if rows * self.cut > 4 * MOST_STATES or rows * self.cut * length > 8 * MOST_DIGITS:
            raise BudgetError

    def power(self, times: int) -> list[int]:
        if not self.small and not self.mixed:
            return raise_to_power(self.series, times, self.cut)
        if self.power_recurrence and len(self.known_powers) <= times:
            self.known_powers = self.power_recurrence.powers(
                self.series, self.die.base, self.die.growth, self.most_dice, self.cut
            )
        while len(self.known_powers) <= times:
            cut = self.needed_lengths[len(self.known_powers)] if self.needed_lengths else self.cut
            self.known_powers.append(multiply(self.known_powers[-1], self.series, cut))
        return self.known_powers[times]

    @cached_property
    def growth_powers(self) -> list[int]:
        growth = self.die.growth
        heights = [1]
        for _ in range(self.cut - 1 if growth > 1 else 0):
            heights.append(heights[-1] * growth)
        return heights[::-1] if growth > 1 else [1] * self.cut

    def cumulative(self, series: list[int]) -> list[int]:
        """Cumulative sums over the common denominator of all coefficients."""
        level = (
            series
            if self.die.growth == 1
            else [part * height for part, height in zip(series, self.growth_powers, strict=False)]
        )
        sums = list(accumulate(level))
        return sums + [sums[-1]] * (self.cut - len(sums))

    def shift_sums(self, sums: list[int], shift: int) -> list[int]:
        """Sums for a shifted row: its coefficients have higher powers of the growth as denominator."""
        divisor = self.die.growth**shift
        return [part // divisor for part in sums[: self.cut - shift]] if divisor > 1 else sums

    def sums_of_power(self, times: int) -> list[int]:
        if times not in self.sums:
            self.sums[times] = self.cumulative(self.power(times))
        return self.sums[times]

    def total_weight(self, dice: int) -> int:
        """The total weight, including the tail."""
        return int(self.die.base**dice * (self.die.growth ** (self.cut - 1)))

    def row_shape(self, dice: int) -> Iterator[tuple[Values, int]]:
        """The other coordinates and the shift of each row."""
        if self.is_pair:
            return self.pair_shape(dice)
        return ((row.others, row.shift) for row in self.rows(dice))

    def rows(self, dice: int) -> Iterator[Row]:
        if self.is_pair:
            shape = self.pair_shape(dice)
            return (
                Row(others, factor, shift, sums)
                for (others, shift), factor, sums in zip(shape, *self.pair_weights(dice), strict=True)
            )
        return self.split_single_terms(0, dice, tuple(0 for _ in self.others), 1, 0)

    @property
    def is_pair(self) -> bool:
        """The common case: one class with a single term, and one with several."""
        return len(self.small) == 1 and not self.mixed

    def pair_shape(self, dice: int) -> Iterator[tuple[Values, int]]:
        """The other coordinates and the shift of each row of a pair: first no die of the small class, then one, ..."""
        values, exponent, _ = self.small[0]
        for taken in range(self.pair_rows(dice)):
            others = tuple(
                [value * taken + other * (dice - taken) for value, other in zip(values, self.others, strict=True)]
            )
            yield others, exponent * taken

    def pair_rows(self, dice: int) -> int:
        exponent = self.small[0][1]
        return 1 + (min(dice, (self.cut - 1) // exponent) if exponent else dice)

    def pair_weights(self, dice: int) -> tuple[list[int], list[list[int]]]:
        """The factors and the sums of the rows of a pair."""
        weight, factor, factors = self.small[0][2], 1, []
        for taken in range(self.pair_rows(dice)):
            factors.append(factor)
            factor = factor * (dice - taken) * weight // (taken + 1)
        known, exponent = self.sums, self.small[0][1]
        sums = [known.get(left) or self.sums_of_power(left) for left in range(dice, dice - len(factors), -1)]
        if exponent and self.die.growth > 1:
            sums = [self.shift_sums(series, exponent * taken) for taken, series in enumerate(sums)]
        return factors, sums

    def split_single_terms(self, number: int, left: int, others: Values, factor: int, shift: int) -> Iterator[Row]:
        """Distributes the dice over the classes with a single term; the rest goes to the other classes."""
        if number == len(self.small):
            yield from self.split_series(0, left, others, factor, shift, None)
            return
        values, exponent, weight = self.small[number]
        for taken in range(left + 1):
            if shift + exponent * taken >= self.cut:
                break
            yield from self.split_single_terms(
                number + 1,
                left - taken,
                _add_values(others, values, taken),
                factor * comb(left, taken) * weight**taken,
                shift + exponent * taken,
            )

    def split_series(
        self, number: int, left: int, others: Values, factor: int, shift: int, series: list[int] | None
    ) -> Iterator[Row]:
        """Distributes the dice over the classes with several terms."""
        if number == len(self.mixed):
            sums = (
                self.sums_of_power(left)
                if series is None
                else self.cumulative(multiply(series, self.power(left), self.cut))
            )
            yield Row(_add_values(others, self.others, left), factor, shift, self.shift_sums(sums, shift))
            return
        values, own = self.mixed[number]
        product = series
        for taken in range(left + 1):
            yield from self.split_series(
                number + 1, left - taken, _add_values(others, values, taken), factor * comb(left, taken), shift, product
            )
            product = multiply(product or [1], own, self.cut)


def _add_values(others: Values, values: Values, times: int) -> Values:
    if not times:
        return others
    return tuple(other + value * times for other, value in zip(others, values, strict=True))


def _single_term(series: list[int]) -> tuple[int, int]:
    return next((place, part) for place, part in enumerate(series) if part)


def pool_moments(die: dict[Values, tuple[Fraction, Fraction]], dice: int) -> dict[Values, tuple[Fraction, Fraction]]:
    """Probability and mean of the classes of a pool, from those of one die."""
    zero = tuple(0 for _ in next(iter(die)))
    moments = {zero: (Fraction(1), Fraction(0))}
    for _ in range(dice):
        moments = join_moments(moments, die)
    return moments


def join_moments(
    left: dict[Values, tuple[Fraction, Fraction]], right: dict[Values, tuple[Fraction, Fraction]]
) -> dict[Values, tuple[Fraction, Fraction]]:
    moments: dict[Values, tuple[Fraction, Fraction]] = {}
    for values, (chance, mean) in left.items():
        for more, (other_chance, other_mean) in right.items():
            key = _add_values(values, more, 1)
            before = moments.get(key, (Fraction(0), Fraction(0)))
            moments[key] = (before[0] + chance * other_chance, before[1] + mean * other_chance + chance * other_mean)
    return moments

"""Recurrences of products, against rows that are multiplied term by term."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random

import pytest

from rulewright.odds.budget import Budget
from rulewright.odds.pool import raise_to_power
from rulewright.odds.recurrence import recurrence_of_products, recurrence_step


def row_of(rule: list[Fraction], length: int) -> list[Fraction]:
    """The row 1 / C(x)."""
    row = [Fraction(1)]
    while len(row) < length:
        earlier = zip(rule[1:], reversed(row), strict=False)
        row.append(-sum((share * number for share, number in earlier), Fraction(0)))
    return row


def random_rule(random: Random) -> list[Fraction]:
    """Some steps apart, with roots that may coincide."""
    step, order = random.choice([1, 1, 2, 3]), random.randint(1, 3)
    rule = [Fraction(1)] + [Fraction(0)] * (step * order)
    for number in range(1, order + 1):
        rule[number * step] = Fraction(random.randint(-3, 3), random.choice([1, 2, 3, 6]))
    rule[-1] = rule[-1] or Fraction(1, 5)
    return rule


@pytest.mark.parametrize("seed", range(40))
def test_products_follow_their_recurrence(seed: int) -> None:
    random = Random(seed)
    first = random_rule(random)
    second = first if seed % 4 == 0 else random_rule(random)
    step = lcm(recurrence_step(first), recurrence_step(second))
    rule = recurrence_of_products([(first, 1)], [(second, 1)], step, Budget())
    rows = [row_of(own, step * 3 * len(rule))[::step] for own in (first, second)]
    products = [left * right for left, right in zip(*rows, strict=True)]
    for place in range(len(rule) - 1, len(products)):
        assert sum(share * products[place - back] for back, share in enumerate(rule)) == 0


@pytest.mark.parametrize(("sides", "dice"), [(2, 5), (6, 1), (6, 4), (10, 3), (20, 2)])
def test_a_power_of_a_series_without_end_is_that_of_its_quotient(sides: int, dice: int) -> None:
    """A die that explodes: its faces over 1 - x^sides / sides. Multiplied out, the same comes of it."""
    cut = 3 * sides + 2
    faces = [Fraction(1, sides) if 0 < value < sides else Fraction(0) for value in range(cut)]
    one = list[Fraction]()
    for value in range(cut):
        one.append(faces[value] + (one[value - sides] / sides if value >= sides else 0))
    power = [Fraction(1), *[Fraction(0)] * (cut - 1)]
    for _ in range(dice):
        power = [sum((power[k] * one[total - k] for k in range(total + 1)), Fraction(0)) for total in range(cut)]
    series = [int(share * sides ** (value + 1)) for value, share in enumerate(one)]
    found = raise_to_power(series, dice, cut, ((0, sides), (sides, -(sides**sides))))
    assert [Fraction(share, sides ** (value + dice)) for value, share in enumerate(found)] == power

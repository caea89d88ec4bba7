"""Distributions of dice that may explode forever, contests between them, and bounds where the budget is too small."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import pytest

from rulewright import Game

GALLERY = Path(__file__).parent.parent / "plugin" / "rulewright" / "gallery"
TINY = Fraction(1, 10**9)
_Shares = dict[int, Fraction]

DUEL = """\
title = "Duel"
[rules.roll.inputs]
n = { min = 1, max = 12, default = 2 }
[rules.roll.dice]
d = { count = "n", sides = 6, again = { when = "face = 6", roll = "explode" } }
e = { count = 1, sides = 8, again = { when = "face = 8", roll = "explode" } }
[rules.roll.steps]
total = "STEP"
[rules.roll.outcomes]
high = { when = "total > 9" }
low = {}
[rules.duel]
contest = { of = "roll", compare = "total", ties = "again" }
"""


def exploding(sides: int, rounds: int = 16) -> _Shares:
    """A die that explodes on its highest face, followed for some rounds; what is left out is below 6⁻¹⁶."""
    return {sides * past + face: Fraction(1, sides ** (past + 1)) for past in range(rounds) for face in range(1, sides)}


def combine(left: _Shares, right: _Shares, join: Callable[[int, int], int]) -> _Shares:
    shares: _Shares = {}
    for a, p in left.items():
        for b, q in right.items():
            shares[join(a, b)] = shares.get(join(a, b), Fraction(0)) + p * q
    return shares


def add(a: int, b: int) -> int:
    return a + b


def second_highest_kept(dice: int) -> _Shares:
    """The sum of the two highest of some exploding d6, from pairs (highest, second)."""
    die, pairs = exploding(6, 11), {(0, 0): Fraction(1)}
    for _ in range(dice):
        after: dict[tuple[int, int], Fraction] = {}
        for (high, second), share in pairs.items():
            for value, part in die.items():
                top = sorted((high, second, value))[:0:-1]
                after[top[0], top[1]] = after.get((top[0], top[1]), Fraction(0)) + share * part
        pairs = after
    shares: _Shares = {}
    for (high, second), share in pairs.items():
        shares[high + second] = shares.get(high + second, Fraction(0)) + share
    return shares


def pool(dice: int) -> _Shares:
    return combine(exploding(6), pool(dice - 1), add) if dice > 1 else exploding(6)


def highest(dice: int) -> _Shares:
    """The highest of some exploding d6 and an exploding d8."""
    return combine(highest(dice - 1), exploding(6), max) if dice else exploding(8)


def wins(first: _Shares, second: _Shares) -> Fraction:
    """The chance that the first side wins if ties are rolled again."""
    shared = sorted({*first, *second})
    below = dict(
        zip(shared, accumulate((second.get(v, Fraction(0)) for v in shared), initial=Fraction(0)), strict=False)
    )
    more = sum((share * below[value] for value, share in first.items()), Fraction(0))
    equal = sum((share * second.get(value, Fraction(0)) for value, share in first.items()), Fraction(0))
    return more / (1 - equal)


@pytest.mark.parametrize(
    ("name", "inputs", "step", "some"),
    [
        ("d6-pool", {"pool": 1}, "hits", {0: Fraction(2, 3), 1: Fraction(5, 18)}),
        ("trait-and-wild", {"trait": "d4", "wild": False}, "best", {1: Fraction(1, 4), 5: Fraction(1, 16)}),
        ("trait-and-wild", {"trait": "d4", "wild": False}, "total", {3: Fraction(1, 4), 7: Fraction(1, 16)}),
        ("trait-and-wild", {"trait": "d4"}, "best", {1: Fraction(1, 24), 2: Fraction(1, 8)}),
        ("exploding-damage", {}, "hurt", {2: Fraction(1, 36), 8: pool(2)[8]}),
        ("roll-and-keep", {"rolled": 1, "kept": 1}, "total", {9: Fraction(1, 10), 19: Fraction(1, 100)}),
    ],
)
def test_values_are_listed_until_hardly_anything_is_left(
    name: str, inputs: Mapping[str, object], step: str, some: _Shares
) -> None:
    game = Game.load(GALLERY / name)
    values = game.odds(next(iter(game.rules)), inputs=inputs).distribution(step)
    assert {value: values[value] for value in some} == some
    assert 0 < values.tail + values.unknown < TINY
    assert sum(values.values()) + values.tail + values.unknown == 1


def test_every_listed_value_of_a_tail_is_exact() -> None:
    total = Game.load(GALLERY / "exploding-damage").odds("damage", strength=3).distribution("hurt")
    counted = pool(3)
    assert total.tail > 0 == total.unknown
    assert all(share == counted[int(value)] for value, share in total.items() if int(value) <= 80)


@pytest.mark.parametrize(
    ("step", "count"),
    [
        ("sum(d) + sum(e)", lambda dice: combine(pool(dice), exploding(8), add)),
        ("max(highest(d), highest(e))", highest),
        ("sum(highest 2 of d)", second_highest_kept),
    ],
)
def test_contests_of_exploding_dice_have_narrow_bounds(step: str, count: Callable[[int], _Shares]) -> None:
    """Against an enumeration that follows each die for some rounds only."""
    game = Game.from_text(DUEL.replace("STEP", step))
    low, high = game.odds("duel", first={"n": 4}, second={"n": 3}).bounds("first")
    counted = wins(count(4), count(3))
    assert 0 <= high - low < TINY
    assert low - 100 * TINY < counted < high + 100 * TINY


def test_keeping_all_dice_is_adding_them_up() -> None:
    game = Game.load(GALLERY / "roll-and-keep")
    odds = game.odds("check", rolled=10, kept=10, target=55)
    assert odds.exact
    rows = [game.odds("check", rolled=3, kept=kept, target=20)["success"] for kept in (2, 3, 4)]
    assert rows[0] < rows[1] == rows[2]
    three = combine(combine(exploding(10), exploding(10), add), exploding(10), add)
    assert rows[1] == 1 - sum(share for value, share in three.items() if value < 20)


def test_bounds_where_an_exact_answer_exceeds_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DUEL.replace("STEP", "sum(highest 2 of d)").replace("> 9", "> 40")
    exact = Game.from_text(text).odds("roll", n=3)["high"]
    monkeypatch.setattr("rulewright.odds.budget._MOST_STEPS", 30_000)
    odds = Game.from_text(text).odds("roll", n=3)
    low, high = odds.bounds("high")
    assert not odds.exact
    assert low <= exact <= high
    assert high - low < Fraction(1, 10)


def test_products_of_dice_without_end_stay_within_the_numbers() -> None:
    """Nobody asks what a product is worth where the dice come to 2⁴⁰."""
    game = Game.from_text(DUEL.replace("STEP", "sum(d) * lowest(d)").replace("KEEP", ""))
    low, high = game.odds("duel", first={"n": 2}, second={"n": 2}).bounds("first")
    assert low < Fraction(1, 2) < high
    assert high - low < 100 * TINY


BREEDING = """\
title = "Breeding"
[rules.roll.dice]
blue = { count = 1, sides = 6, again = { when = "face = 6", roll = "blue", count = 2 } }
red = { count = 3, sides = 4, again = { when = "face > sides", roll = "blue", count = 1 } }
[rules.roll.steps]
step = "min(sum(blue), 5 - sum(red))"
[rules.roll.outcomes]
low = { when = "step < 2" }
high = {}
[rules.duel]
contest = { of = "roll", compare = "step", ties = "none" }
"""


@pytest.mark.long
def test_a_tail_that_caps_a_value_is_not_one_value() -> None:
    """However many blue dice there are, the value follows the red ones: it is 2 at most where these show 1, 1 and 1."""
    game = Game.from_text(BREEDING)
    assert game.odds("roll").distribution("step").get(2, 0) <= Fraction(1, 4) ** 3
    red = {face: Fraction(1, 4) for face in range(1, 5)}
    reds = combine(combine(red, red, add), red, add)
    low, high = game.odds("duel").bounds("none")
    assert low >= sum(share**2 for value, share in reds.items() if value > 4)  # there blue dice do not matter
    assert high <= sum(share**2 for value, share in reds.items() if value > 3) + Fraction(1, 4) ** 3

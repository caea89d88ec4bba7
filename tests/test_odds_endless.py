"""Dice without end in rules that are walked: waves, sets, rules that use rules. By counting, in both engines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from engine_cases import odds_case, require_same
from example_counts import sample
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

F = Fraction
FOLDER = Path(__file__).parent / "mechanics"
LITTLE = F(1, 10**18)


def write_game(dice: str, steps: str, good: str, more: str = "") -> str:
    return (
        f'title = "Endless"\n[rules.roll]\n{more}\n'
        "[rules.roll.inputs]\ntarget = { min = 1, max = 99, default = 12 }\n"
        f"[rules.roll.dice]\n{dice}\n[rules.roll.steps]\n{steps}\n"
        f'[rules.roll.outcomes]\ngood = {{ when = "{good}" }}\nbad = {{}}\n'
    )


def work_out(text: str, **inputs: str) -> Odds:
    """The odds in Python; those in JavaScript are the same."""
    game, problems = load_game_text(text)
    assert game, problems
    found, complaints = compute_odds(game.rules["roll"], inputs)
    assert isinstance(found, Odds), complaints
    require_same(game, "roll", inputs)
    return found


def exploding(sides: int, most: int = 400) -> dict[int, Fraction]:
    """The values of a die that explodes on its highest face, by counting."""
    values: dict[int, Fraction] = {}
    share, before = F(1), 0
    while before < most:
        for face in range(1, sides):
            values[before + face] = share / sides
        share, before = share / sides, before + sides
    return values


def test_bonus_dice_wait_for_an_exploding_die() -> None:
    """A d6 that explodes; 8 or more earns a roll of an exploding d4, which is taken away below 3."""
    text = write_game(
        'd6 = { sides = 6, again = { when = "face = 6", roll = "explode" } }\n'
        'd4 = { count = "sum(d6) >= 8", sides = 4, again = { when = "face = 4", roll = "explode" } }',
        'bonus = "if(sum(d4) < 3, -sum(d4), sum(d4))"\ntotal = "sum(d6) + bonus"',
        "total >= target",
    )
    odds = work_out(text, target="13")
    good = mean = F(0)
    for one, share in exploding(6).items():
        for two, part in exploding(4).items() if one >= 8 else [(0, F(1))]:
            good += share * part * (one + (-two if two < 3 else two) >= 13)
            mean += share * part * (one + (-two if two < 3 else two))
    chance = odds.chances["good"].exact
    assert chance is not None
    assert 0 <= chance - good < LITTLE
    assert chance.denominator < 10**6
    found = odds.mean("total")
    assert found is not None
    assert abs(found - mean) < LITTLE
    assert found.denominator < 10**6


def test_the_highest_of_several_exploding_dice() -> None:
    text = write_game(
        'd6 = { count = 3, sides = 6, again = { when = "face = 6", roll = "explode" } }',
        'total = "sum(highest 2 of d6)"\nsixes = "count(d6: face = 6)"',
        "total >= target",
    )
    odds = work_out(text)
    values = {**exploding(6, 12), 12: F(1, 36)}  # 12 or more
    good = sum(
        a * b * c for (x, a), (y, b), (z, c) in product(values.items(), repeat=3) if x + y + z - min(x, y, z) >= 12
    )
    chance = odds.chances["good"]
    assert chance.low <= good <= chance.high
    assert chance.high - chance.low < F(1, 100)
    assert odds.mean("sixes") == F(3, 5)
    assert odds.mean("total") is None  # the highest of dice without end have no mean that is known


def test_two_exploding_dice_that_are_compared_have_bounds() -> None:
    text = write_game(
        'mine = { sides = 4, again = { when = "face = 4", roll = "explode" } }\n'
        'theirs = { count = "if(sum(mine) > 2, 1, 1)", sides = 6, again = { when = "face = 6", roll = "explode" } }',
        'lead = "sum(mine) - sum(theirs)"',
        "lead > 0",
    )
    odds = work_out(text)
    chance = odds.chances["good"]
    good = sum(a * b * (x > y) for x, a in exploding(4).items() for y, b in exploding(6).items())
    assert chance.exact is None
    assert chance.high - chance.low < LITTLE
    assert chance.low <= good + LITTLE
    assert good <= chance.high + LITTLE
    assert odds.mean("lead") == F(10, 3) - F(21, 5)


def test_dice_that_are_rolled_again_at_once_without_end() -> None:
    """2d6 where every 1 is rolled again and every 6 explodes: as a die with the faces 2 to 6."""
    text = write_game(
        'd6 = { count = 2, sides = 6, again = [{ when = "face = 1", roll = "reroll" }, '
        '{ when = "face = 6", roll = "explode" }] }\n'
        'extra = { count = "sum(d6) >= 10", sides = 4 }',
        'total = "sum(d6) + sum(extra)"',
        "total >= target",
    )
    odds = work_out(text)
    one: dict[int, Fraction] = {}
    share, before = F(1), 0
    while before < 240:
        for face in range(2, 6):
            one[before + face] = share / 5
        share, before = share / 5, before + 6
    good = mean = F(0)
    for x, a in one.items():
        for y, b in one.items():
            for z, c in [(z, F(1, 4)) for z in range(1, 5)] if x + y >= 10 else [(0, F(1))]:
                good += a * b * c * (x + y + z >= 12)
                mean += a * b * c * (x + y + z)
    chance, found = odds.chances["good"].exact, odds.mean("total")
    assert chance is not None
    assert found is not None
    assert abs(chance - good) < LITTLE
    assert abs(found - mean) < LITTLE


def test_dice_earn_dice_of_their_own_kind() -> None:
    """Every 6 earns another d6; six or more in all earn a d4."""
    text = write_game(
        'd6 = { count = 2, sides = 6, again = { when = "face = 6", roll = "d6" } }\n'
        'd4 = { count = "count(d6) >= 6", sides = 4 }',
        'fives = "count(d6: face >= 5)"\ntotal = "sum(d6) + count(d6) + count(d4)"',
        "fives >= 3",
    )
    odds = work_out(text)
    one: dict[int, Fraction] = {}  # how many of the dice of one family show 5 or 6
    share = F(1)
    for sixes in range(40):
        one[sixes] = one.get(sixes, F(0)) + share * F(4, 6)
        one[sixes + 1] = one.get(sixes + 1, F(0)) + share * F(1, 6)
        share /= 6
    good = 1 - sum(a * b for x, a in one.items() for y, b in one.items() if x + y < 3)
    chance = odds.chances["good"].exact
    assert chance is not None
    assert abs(chance - good) < LITTLE
    assert odds.mean("fives") == 2 * F(1, 3) * F(6, 5)
    six = 1 - sum((F(n + 1) * F(5, 6) ** 2 * F(1, 6) ** n for n in range(4)), F(0))  # at least four of them earned
    assert odds.mean("total") == 2 * F(7, 2) * F(6, 5) + 2 * F(6, 5) + six


def test_a_choice_between_results_without_end() -> None:
    """Roll an exploding die, keep it or roll it once more; below the mean of 21/5 it is rolled again."""
    text = write_game(
        'a = { sides = 6, again = { when = "face = 6", roll = "explode" } }\n'
        'b = { count = "more", sides = 6, again = { when = "face = 6", roll = "explode" } }',
        'total = "if(more, sum(b), sum(a))"',
        "total >= target",
        'aim = "mean(total)"',
    ).replace("[rules.roll.dice]", 'more = { flag = true, asked = "sum(a) > 0" }\n[rules.roll.dice]')
    odds = work_out(text)
    assert odds.mean("total") == F(4, 6) * F(21, 5) + F(1, 6) * 5 + F(1, 6) * (6 + F(21, 5))


@pytest.mark.parametrize(
    ("dice", "steps", "good", "truth", "mean"),
    [
        (  # dice of the first wave that only a later formula looks at
            'a = { count = 3, sides = 6 }\nb = { count = "count(a: face = 6)", sides = 8 }',
            'top = "highest(a, b)"',
            "top >= 5",
            F(19, 27),
            F(21051, 4096),
        ),
        (  # dice that are earned belong to sets of their kind
            'a = { count = 2, sides = 6, again = { when = "face = 6", roll = "b" } }\nb = { count = 0, sides = 6 }',
            'top = "highest(a, b) + sum(a, b where value > 3)"',
            "top >= 11",
            F(5, 12),
            F(371, 36),
        ),
        (  # dice whose number of sides other dice decide
            'x = { sides = 2 }\na = { sides = "if(sum(x) = 1, 6, 8)" }',
            'top = "sum(a: if(face = sides, 1, 0))"',
            "top >= 1",
            F(7, 48),
            F(7, 48),
        ),
    ],
)
def test_dice_that_wait_for_others(dice: str, steps: str, good: str, truth: Fraction, mean: Fraction) -> None:
    odds = work_out(write_game(dice, steps, good))
    assert odds.chances["good"].exact == truth
    assert odds.mean("top") == mean


@pytest.mark.parametrize(
    "name", sample(["ars-magica stress", "earthdawn test", "rolemaster maneuver", "witcher check", "benny benny"], 3)
)
def test_published_mechanics_are_the_same_in_both_languages(name: str) -> None:
    folder, rule = name.split()
    text = (FOLDER / folder / "game.toml").read_text("utf-8")
    game, _ = load_game_text(text)
    assert game
    settings: dict[str, list[dict[str, Any]]] = {
        "ars-magica": [{}, {"risk": "3", "ease": "40"}],
        "earthdawn": [{"step": "9"}, {"step": "10", "target": "20"}],
        "rolemaster": [{"bonus": "40"}],
        "witcher": [{"base": "10", "dc": "22"}],
        "benny": [{"trait": "8"}],
    }
    for inputs in settings[folder]:
        question, expected = odds_case(game.rules[rule], inputs, "")
        (answer,) = shared_engine().ask_once(game, rule, [question])
        assert expected["odds"]
        assert not find_odds_differences(expected["odds"], answer["odds"])


@pytest.mark.parametrize(
    ("plus", "minus", "least", "good"),
    [(6, 6, 1, F(3, 7)), (2, 2, 1, F(1, 3)), (2, 2, 3, F(1, 6)), (4, 6, 0, None), (6, 4, -2, None)],
)
def test_two_kinds_of_exploding_dice_that_are_subtracted(plus: int, minus: int, least: int, good: F | None) -> None:
    """Exactly, for one die each by hand: where both explode, all is as before."""
    again = 'again = { when = "face = sides", roll = "explode" }'
    text = write_game(
        f"plus = {{ sides = {plus}, {again} }}\nminus = {{ sides = {minus}, {again} }}",
        'lead = "sum(plus) - sum(minus)"',
        f"lead >= {least}",
    )
    chance = work_out(text).chances["good"]
    listed = sum(a * b for x, a in exploding(plus).items() for y, b in exploding(minus).items() if x - y >= least)
    assert chance.exact is not None
    assert abs(chance.exact - listed) < LITTLE
    assert good is None or chance.exact == good

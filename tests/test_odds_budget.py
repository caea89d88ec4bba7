"""Formulas that would grow if the steps that they name were written out: sums of dice are added up instead."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from odds_helpers import make_formula, make_rule, odds_complaints, rule_odds
from rulewright.game.model import Rule
from rulewright.odds.advise import make_player
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import check_roll, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator


def chain(steps: int, step: str, *more: str, first: str = "sum(d6)", inputs: str = "") -> Rule:
    """A rule whose steps each name the one before as `x`."""
    formulas = [re.sub(r"\bx\b", f"s{number}", step) for number in range(steps)]
    lines = [f's{number} = "{text}"' for number, text in enumerate(formulas, 1)]
    return make_rule(
        "[rules.roll.dice]",
        "d6 = { count = 2, sides = 6 }",
        *more,
        "[rules.roll.steps]",
        f's0 = "{first}"',
        *lines,
        "[rules.roll.outcomes]",
        f'high = {{ when = "s{steps} > 7" }}',
        "low = {}",
        inputs=inputs,
    )


@pytest.mark.parametrize(
    ("step", "mean"),
    [
        ("x + x", 7 * 2**30),
        ("x - -x", 7 * 2**30),
        ("x + n + x", 7 * 2**30 + 2**30 - 1),
        ("2 * x + (x + 1)", 7 * 3**30 + (3**30 - 1) // 2),
    ],
)
def test_steps_that_double_are_sums_of_dice(step: str, mean: int) -> None:
    rule = chain(30, step, inputs="n = { min = 0, max = 3, default = 1 }")
    assert rule_odds(rule).mean("s30") == mean


@pytest.mark.parametrize("step", ["x + x", "x - -x", "x + n + x", "2 * x + (x + 1)"])
def test_steps_that_leave_the_numbers_are_refused(step: str) -> None:
    rule = chain(190, step, inputs="n = { min = 0, max = 3, default = 1 }")
    assert "leaves the numbers" in odds_complaints(rule, {})


def test_questions_that_do_not_need_long_steps_are_answered() -> None:
    found = rule_odds(chain(0, ""), {})
    assert found.mean("s0") == 7
    rule = chain(30, "x + x")
    long, complaints = compute_odds(rule, {}, compute_now=False)
    assert isinstance(long, Odds), complaints
    assert long.mean("s10") == 7 * 2**10
    assert long.chance(make_formula("s3 > 56")).exact == Fraction(15, 36)


def test_rolls_and_recorded_dice_work_all_the_same() -> None:
    rule = chain(30, "x + x")
    thrown, complaints = roll_dice(rule, {}, RandomFaces(RandomGenerator(7)))
    assert thrown, complaints
    recorded, complaints = check_roll(rule, {}, "3 4")
    assert recorded, complaints
    assert recorded.steps["s30"] == 7 * 2**30
    assert recorded.outcome
    assert recorded.outcome.name == "high"


def test_dice_are_picked_for_rerolls_without_odds() -> None:
    rule = chain(30, "x + x", "[[rules.roll.again]]", 'roll = "reroll"', 'pick = "any"', 'keep = "higher"')
    thrown, complaints = roll_dice(rule, {}, make_player(rule, RandomGenerator(7)))
    assert thrown, complaints
    assert thrown.steps["s30"] == thrown.steps["s0"] * 2**30


@pytest.mark.parametrize(
    ("step", "mean"),
    [("x + 1", 7 + 190), ("-(-x + 1)", 7 - 190), ("-(-(-(-x + 1)))", 7 - 190), ("x + n - 2", 7 + 190 * (3 - 2))],
)
def test_long_chains_that_name_each_step_once_are_answered(step: str, mean: int) -> None:
    rule = chain(190, step, inputs="n = { min = 0, max = 3, default = 3 }")
    assert rule_odds(rule).mean("s190") == mean


def test_equal_terms_of_a_sum_are_added_up() -> None:
    rule = chain(13, "s0 + x + n + x + 1", inputs="n = { min = 0, max = 3, default = 3 }")
    assert rule_odds(rule).mean("s13") == 7 * (2**14 - 1) + 4 * (2**13 - 1)


def test_steps_that_are_no_sums_keep_their_names() -> None:
    for step in ("max(x, x)", "x * x - x * x + x", "if(x > 3, x, x + x)", "abs(x + x) - abs(x)"):
        found = rule_odds(chain(60, step, first="min(sum(d6), 1)"))
        assert found.chances["low"].exact in (0, 1)


@pytest.mark.parametrize(("divisor", "refused"), [(0, True), (1, False)])
def test_terms_that_cancel_may_still_divide_by_zero(divisor: int, refused: bool) -> None:
    rule = chain(1, "x + down(6 / n) - down(6 / n)", inputs="n = { min = 0, max = 3 }")
    if refused:
        assert "this divides by 0" in odds_complaints(rule, {"n": divisor})
    else:
        assert rule_odds(rule, {"n": divisor}).mean("s1") == 7


def test_dice_with_many_sides_that_are_picked_from_are_refused_at_once() -> None:
    """Telling which of 3,000 faces is the highest costs more than any answer may."""
    rule = make_rule(
        'aim = "mean(best)"',
        "[rules.roll.dice]",
        *(f"{kind} = {{ count = 2, sides = 1000 }}" for kind in "abc"),
        "[[rules.roll.again]]",
        'pick = "any"',
        'roll = "reroll"',
        "[rules.roll.steps]",
        'best = "max(sum(highest 2 of a), sum(highest 2 of b), sum(highest 2 of c))"',
        "[rules.roll.outcomes]",
        'win = { when = "best > 1900" }',
        "lose = {}",
    )
    assert "too many states" in odds_complaints(rule, {})
    result, _ = roll_dice(rule, {}, make_player(rule, RandomGenerator(5)))
    assert result

"""Dice that are rolled once other dice are known: the order of a roll, its records, and what waits for itself."""

from __future__ import annotations

from collections import Counter

import pytest

from games import made_game
from rulewright.game.core import Stage
from rulewright.game.lower import lower_rule
from rulewright.game.model import Rule
from rulewright.play.result import check_roll, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator

ATTACK = """
inputs.bonus = { min = 0, max = 20, default = 5 }
inputs.ac = { min = 0, max = 30, default = 15 }
inputs.amount = { min = 1, max = 9, default = 1 }
dice.d20 = { sides = 20 }
dice.damage = { count = "if(hit, if(crit, 2 * amount, amount), 0)", sides = 8 }
steps.crit = "sum(d20) = 20"
steps.hit = "crit or (sum(d20) > 1 and sum(d20) + bonus >= ac)"
steps.harm = "sum(damage)"
"""


def load(text: str) -> Rule:
    return made_game(f"[rules.check]\n{text}").rules["check"]


def order(text: str) -> list[tuple[str, tuple[str | int, ...]]]:
    return [(stage.what, stage.of) for stage in lower_rule(load(text)).order]


def test_damage_waits_for_the_hit() -> None:
    assert order(ATTACK) == [
        ("dice", (0,)), ("values", ("crit", "hit")), ("dice", (1,)), ("values", ("harm",)),
    ]  # fmt: skip
    result, problems = check_roll(load(ATTACK), {}, "d20 20 | damage 5 8")
    assert result
    assert not problems
    assert result.steps == {"crit": 1, "hit": 1, "harm": 13}
    assert result.dice == "d20 20 | damage 5 8"
    assert not any(die.earned for die in result.roll.dice)


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ("20 | 5", "the rule rolls 2 damage dice (amount 1), but only 1 is written here"),
        ("20 | 5 8 1", "nothing calls for this die: the rule rolls 1 d20 die and 2 damage dice (amount 1)"),
        ("2 | 5", "nothing calls for this die: the rule rolls 1 d20 die"),
        ("20 | 5 9", 'no damage die shows "9": its faces go from 1 to 8'),
    ],
)
def test_what_does_not_fit_is_said(dice: str, message: str) -> None:
    _, problems = check_roll(load(ATTACK), {}, dice)
    assert [problem.message for problem in problems] == [message]


def test_what_is_not_rolled_needs_no_sides() -> None:
    rule = load(
        'dice.first = { sides = 6 }\ndice.second = { count = "up((sum(first) - 1) / 9)", sides = "sum(first) - 1" }'
    )
    assert check_roll(rule, {}, "1")[1] == []
    assert check_roll(rule, {}, "3 | 2")[1] == []
    assert [problem.message for problem in check_roll(rule, {}, "3 | 3")[1]] == [
        'no second die shows "3": its faces go from 1 to 2'
    ]


def test_entries_and_earned_dice_come_before_the_next_wave() -> None:
    text = """
    dice.first = { count = 2, sides = 6, again = { when = "face = 6", roll = "more" } }
    dice.more = { count = 0, sides = 6 }
    dice.last = { count = "count(more)", sides = "highest(first)" }
    again = { roll = "reroll", of = "first", pick = "all", when = "face = 1", keep = "new" }
    """
    assert order(text) == [("dice", (0, 1)), ("again", (0,)), ("earned", (1,)), ("dice", (2,))]
    result, problems = check_roll(load(text), {}, "1 6 | 2 5 | 6 3", rerolled="first 1 -> 6")
    assert result
    assert not problems
    assert [die.round for die in result.roll.dice] == [1, 1, 2, 2, 3, 3]
    assert [die.earned for die in result.roll.dice] == [False, False, True, True, False, False]


def test_a_step_is_worked_out_again_when_dice_have_changed() -> None:
    """The second reroll sees what the first has changed; the step that readers see has the last dice."""
    text = """
    dice.one = { sides = 6 }
    dice.two = { sides = "6 + ones" }
    steps.ones = "count(one: face = 1)"
    again = [{ roll = "reroll", pick = "all", of = ["one", "two"], when = "face = 1", keep = "new" }]
    """
    stages = lower_rule(load(text)).order
    before = (Stage("dice", (0,)), Stage("values", ("ones",)), Stage("dice", (1,)))
    assert stages == (*before, Stage("again", (0,)), Stage("values", ("ones",)))
    result, problems = check_roll(load(text), {}, "1 | 7", rerolled="one 1 -> 4")
    assert result
    assert not problems
    assert result.steps == {"ones": 0}


def test_steps_stand_in_any_order() -> None:
    rule = load('dice.d6 = { sides = 6 }\nsteps.twice = "2 * once"\nsteps.once = "sum(d6)"')
    result, _ = check_roll(rule, {}, "4")
    assert result
    assert result.steps == {"twice": 8, "once": 4}
    assert list(result.steps) == ["twice", "once"]


def test_missiles_are_as_many_as_the_first_die_shows() -> None:
    rule = load('dice.missiles = { sides = 6 }\ndice.harm = { count = "sum(missiles)", sides = 4 }')
    counts = Counter[int]()
    for seed in range(600):
        result, _ = roll_dice(rule, {}, RandomFaces(RandomGenerator(seed)))
        assert result
        first, *others = result.roll.dice
        assert len(others) == first.value
        counts[first.value] += 1
    assert set(counts) == {1, 2, 3, 4, 5, 6}

"""`Game.read_settings`: inputs as players write them."""

from __future__ import annotations

import pytest

from rulewright import Game, RulewrightError

COINS = Game.from_text("""
title = "Coins"
[rules.toss.inputs]
coins = { label = "Number of coins", also = ["pennies"], min = 1, max = 20 }
bonus = { min = 0, max = 5, default = 0 }
mood  = { label = "Mood", choice = ["calm", "very angry"], default = "calm" }
luck  = { label = "With luck", flag = true, default = false }
[rules.toss.dice]
coin = { sides = 2, count = "coins" }
[rules.toss.steps]
heads = "count(coin: face = 2) + bonus"
[rules.toss.outcomes]
win = { when = "heads >= 2" }
loss = {}
[rules.duel]
contest = { of = "toss", compare = "heads", ties = "none" }
""")


def test_values_of_several_words_and_sides() -> None:
    assert COINS.read_settings("toss", "mood very angry, coins 3") == {"mood": "very angry", "coins": "3"}
    assert COINS.read_settings("toss", "") == {}
    sides = COINS.read_settings("duel", "first.coins 4, second.pennies=2, second.bonus 1")
    assert sides == {"first.coins": "4", "second.coins": "2", "second.bonus": "1"}
    assert COINS.roll("duel", inputs=sides, seed=1).outcome in ("first", "second", "none")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("coin 5", 'toss has no input "coin"; did you mean coins? Known here: coins, bonus, mood, luck'),
        ("coins 99", "coins goes from 1 to 20, not 99"),
        ("coins 5, coins 4", "coins is set twice; keep one of the two"),
        ("5", "a setting begins with its name; write coins 5 or bonus 5"),
        ("coins 5 vs 12", 'toss has no input "vs"; known here: coins, bonus, mood, luck'),
        ("coins 5; difficulty 6", 'toss has no input "difficulty"; known here: coins, bonus, mood, luck'),
        ("coins bonus 2", "coins needs a value after its name"),
        ("coins 5 6", "a setting begins with its name; write coins 6"),
        ("coins of 5, bonus 2", 'coins is a number from 1 to 20, not "of 5"'),
        ("luck=perhaps", 'luck is yes or no, not "perhaps"'),
        ("coins 2 dice=2 2", 'toss has no input "dice"'),  # a player chooses neither dice nor seed nor aim
        ("coins 2, seed 3", 'toss has no input "seed"'),
        ("coins 2, aim most", 'toss has no input "aim"'),
        ("coins 2, rule duel", 'toss has no input "rule"'),
        ("x" * 9_999, f'toss has no input "{"x" * 40}…"; known here'),
        ("coins " + "of five " * 20, 'coins is a number from 1 to 20, not "of five of five of five of five of five …"'),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(RulewrightError) as raised:
        COINS.read_settings("toss", text)
    assert str(raised.value).startswith(message)
    assert len(str(raised.value)) < 200


NIGHT = Game.from_text("""
title = "Night"
[rules.watch.inputs]
light        = { label = "Light dice", min = 1, max = 10 }
draught      = { label = "Draught", flag = true, default = false }
draught_dice = { label = "Draught dice", min = 0, max = 5, default = 0 }
moon         = { label = "Moon", choice = ["new", "half full", "full"], default = "new" }
[rules.watch.dice]
d6 = { sides = 6, count = "light + draught_dice" }
[rules.watch.steps]
sparks = "count(d6: face >= 5) - draught - (moon = 'new')"
""")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("light dice 5 draught dice 2", {"light": "5", "draught_dice": "2"}),
        ("draught draught dice 2 light 5", {"draught": "yes", "draught_dice": "2", "light": "5"}),
        ("light 5 half full", {"light": "5", "moon": "half full"}),
        ("full, light dice: 5 draught", {"light": "5", "moon": "full", "draught": "yes"}),
    ],
)
def test_the_longest_name_and_a_choice_by_its_value_alone(text: str, expected: dict[str, str]) -> None:
    assert NIGHT.read_settings("watch", text) == expected


def test_a_rule_that_does_not_exist() -> None:
    with pytest.raises(RulewrightError, match="no rule"):
        COINS.read_settings("tos", "coins 5")


def test_the_gallery() -> None:
    assert Game.gallery("d20").title == "A d20 over a target"
    with pytest.raises(RulewrightError, match="did you mean d20"):
        Game.gallery("d2")

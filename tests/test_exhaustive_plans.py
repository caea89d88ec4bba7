"""Choices for the best mean and the best chance, held to all plans of tiny games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from exhaustive_plans import Table, TinyGame
from odds_helpers import exact_chance, rule_odds
from rulewright.play.validate import load_game_text

SCORES: dict[str, Callable[[Table], int]] = {
    "sum(d)": sum,
    "-sum(d)": lambda table: -sum(table),
    "abs(sum(d) - 3)": lambda table: abs(sum(table) - 3),
    "highest(d) - lowest(d)": lambda table: max(table) - min(table),
    "3 * count(d: face = 1) - sum(d)": lambda table: 3 * table.count(1) - sum(table),
    "if(sum(d) = 2, 5, highest(d))": lambda table: 5 if sum(table) == 2 else max(table),
}
SIZES = [(1, 2, 2), (1, 3, 2), (1, 4, 1), (1, 2, 3), (2, 2, 1), (1, 3, 1)]  # dice, faces, rerolls


@pytest.mark.parametrize("seed", range(60))
def test_no_plan_is_better(seed: int) -> None:
    random = Random(seed)
    dice, sides, rerolls = random.choice(SIZES)
    faces = tuple(random.randint(-1, 4) for _ in range(sides))
    tiny = TinyGame(faces, dice, rerolls, random.choice(("new", "higher", "lower")))
    score, value = random.choice(list(SCORES.items()))
    limit = random.randint(-1, 4)
    for aim, worth in (("mean(score)", value), ("chance(good)", lambda table: int(value(table) >= limit))):
        game, problems = load_game_text(tiny.text(score, f"score >= {limit}", aim))
        assert game, problems
        found = rule_odds(game.rules["roll"])
        reached = found.mean("score") if aim == "mean(score)" else exact_chance(found.chances["good"])
        assert reached == tiny.best(worth), game


OPTIONAL = """\
title = "Tiny"
[rules.roll]
aim = "{aim}"
[rules.roll.dice]
d = {{ count = {dice}, sides = {sides}, again = {{ when = "face = {face}", roll = "e", optional = true }} }}
e = {{ count = 0, sides = 2 }}
[rules.roll.steps]
total = "sum(d) + sum(e)"
"""


@pytest.mark.parametrize("aim", ["always", "never"])
@pytest.mark.parametrize(("dice", "sides", "face"), [(1, 2, 1), (2, 3, 3), (3, 2, 2)])
def test_optional_dice_are_always_or_never_rolled(aim: str, dice: int, sides: int, face: int) -> None:
    game, problems = load_game_text(OPTIONAL.format(aim=aim, dice=dice, sides=sides, face=face))
    assert game, problems
    own = TinyGame(tuple(range(1, sides + 1)), dice, 0, "new")
    earned = TinyGame((1, 2), 1, 0, "new").best(sum) if aim == "always" else 0
    expected = sum(chance * (sum(table) + earned * table.count(face)) for table, chance in own.ends({}).items())
    assert rule_odds(game.rules["roll"]).mean("total") == expected

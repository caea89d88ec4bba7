"""The engine as the bench calls it: the only module here that knows its interface.

What is timed must not be answered from memory: `ours_table` computes anew at every call, and the other two hand back a
question that was not asked before. Everything that a running program has done already may be done beforehand: imports,
reading the game, compiling the formulas of its rules.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

from rulewright.game.model import Rule
from rulewright.odds.rule_odds import compute_odds
from rulewright.odds.table import compute_odds_table
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game

from .table import DIFFICULTIES, POOLS, THRESHOLDS, Table

GAME = Path(__file__).parents[2] / "rules" / "maelstrom" / "game.toml"


@cache
def action() -> Rule:
    game, problems = load_game(GAME)
    assert game, problems
    return game.rules["action"]


def ours_table(specialty: bool) -> Table:
    """All 720 settings, computed anew: the engine keeps nothing between two tables."""
    axes = {"pool": POOLS, "difficulty": DIFFICULTIES, "threshold": THRESHOLDS}
    table, complaints = compute_odds_table(action(), {"specialty": specialty}, axes)
    assert not complaints, complaints
    return {(*cells,): {name: chance.low for name, chance in chances.items()} for cells, chances in table.items()}


def cold_answer(pool: int, specialty: bool) -> Callable[[], dict[str, Fraction]]:
    """A question about one action (difficulty 6, no threshold) to an engine that keeps nothing from others."""
    rule = action()
    compute_odds(rule, {"pool": 1, "specialty": specialty})  # compiles the formulas

    def ask() -> dict[str, Fraction]:
        found, complaints = compute_odds(rule, {"pool": pool, "difficulty": 6, "specialty": specialty})
        assert found, complaints
        return {name: chance.low for name, chance in found.chances.items()}

    return ask


def recorded_roll() -> Callable[[], object]:
    """A check of one recorded action: pool 4, difficulty 8, a specialty, dice 1 4 7 10 | 1 10 | 4 8."""
    rule = action()
    inputs = {"pool": "4", "difficulty": "8", "specialty": "yes"}
    return lambda: check_roll(rule, inputs, "1 4 7 10 | 1 10 | 4 8")

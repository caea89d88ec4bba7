"""The five games of this repository, each loaded once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright.game.model import Game, Rule
from rulewright.play.validate import load_game

RULES = Path(__file__).parent.parent / "rules"
GAMES = ("maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity")


@cache
def load_shipped_game(name: str) -> Game:
    loaded, problems = load_game(RULES / name / "game.toml", f"rules/{name}/game.toml")
    assert loaded, problems
    return loaded


def load_shipped_rule(name: str) -> Rule:
    """A rule by `game/rule`."""
    folder, _, own = name.partition("/")
    return load_shipped_game(folder).rules[own]


def rules_with_dice() -> list[str]:
    """Every rule that rolls dice, as `game/rule`."""
    return [
        f"{folder}/{name}" for folder in GAMES for name, rule in load_shipped_game(folder).rules.items() if rule.dice
    ]

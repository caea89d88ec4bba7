"""Games for tests: the five of this repository, each loaded once, and those made up on the spot."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulewright.game.model import Game, Rule
from rulewright.play.validate import load_game, load_game_text

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


def made_game(text: str, title: str = "Made up") -> Game:
    """The game in this text; it may leave out its title."""
    whole = text if text.lstrip().startswith("title") else f'title = "{title}"\n{text}'
    game, problems = load_game_text(whole, "game.toml")
    assert game, [problem.message for problem in problems]
    return game

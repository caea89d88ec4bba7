"""One small file for each kind of mistake in a game, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.compile.game_tables import open_game
from rulewright.play.validate import load_game_text
from rulewright.render.reports import format_problems

FOLDER = Path(__file__).parent / "games_wrong"
FILES = sorted(file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.toml"))
RIGHT = {"extends-missing/there/game.toml", "extends-wrong-merge/base/game.toml", "extends-wrong-type/base/game.toml"}


@pytest.mark.parametrize("name", FILES)
def test_what_is_said(name: str, golden: Callable[[str, str], None]) -> None:
    game, problems = open_game(FOLDER / name, name)
    if name in RIGHT:
        assert game, format_problems(problems)
        return
    assert game is None
    golden(f"games_wrong/{name.removesuffix('.toml')}.txt", format_problems(problems) + "\n")


def test_the_words_of_a_test_are_listed_in_order() -> None:
    """They once came in an order that changed from run to run."""
    _, problems = load_game_text('title = "x"\n[rules.a.dice]\nk = { sides = 6, tests.good = "nothing" }')
    assert [problem.message for problem in problems] == [
        'there is no input or step "nothing"; known here: face, last, throw, sides'
    ]

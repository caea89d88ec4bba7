"""One small file for each kind of mistake in a game, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.compile.page_tables import open_game
from rulewright.publish.reports import text

FOLDER = Path(__file__).parent / "games_wrong"
FILES = sorted(file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.toml"))
RIGHT = {"extends-missing/there/game.toml", "extends-wrong-merge/base/game.toml", "extends-wrong-type/base/game.toml"}


@pytest.mark.parametrize("name", FILES)
def test_what_is_said(name: str, golden: Callable[[str, str], None]) -> None:
    game, problems = open_game(FOLDER / name, name)
    if name in RIGHT:
        assert game, text(problems)
        return
    assert game is None
    golden(f"games_wrong/{name.removesuffix('.toml')}.txt", text(problems) + "\n")

"""Mechanics that need more than one sum: exact chances and means, worked out in another way."""

from __future__ import annotations

import pytest

from odds_helpers import any_odds, exact_chance
from odds_mechanics import MECHANICS, Mechanic
from rulewright.odds.rule_odds import Odds
from rulewright.play.validate import load_game_text


@pytest.mark.parametrize("mechanic", MECHANICS, ids=lambda mechanic: mechanic.name)
def test_chances_and_means_are_exact(mechanic: Mechanic) -> None:
    game, problems = load_game_text(f'title = "Made up"\n{mechanic.text}')
    assert game, problems
    found = any_odds(game.rules["roll"], {})
    expected = mechanic.chances()
    assert {name: exact_chance(chance) for name, chance in found.chances.items()} == {
        name: expected.get(name, 0) for name in found.chances
    }
    assert sum(expected.values()) == 1
    for step, mean in mechanic.means().items():
        assert isinstance(found, Odds)
        assert found.mean(step) == mean

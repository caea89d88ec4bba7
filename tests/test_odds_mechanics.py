"""Mechanics that need more than one sum: exact chances and means, worked out in another way."""

from __future__ import annotations

import pytest

from js_engine import shared_engine
from odds_helpers import any_odds, exact_chance
from odds_mechanics import MECHANICS, Mechanic
from rulewright.odds.rule_odds import Odds
from rulewright.play.validate import load_game_text

ALIKE = 1e-9  # in doubles


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


@pytest.mark.parametrize("mechanic", MECHANICS, ids=lambda mechanic: mechanic.name)
def test_the_browser_answers_them_too(mechanic: Mechanic) -> None:
    game, problems = load_game_text(f'title = "Made up"\n{mechanic.text}')
    assert game, problems
    question = {"door": "odds", "inputs": {}, "aim": "", "whole": not game.rules["roll"].contest}
    (found,) = shared_engine().ask_once(game, "roll", [question])
    expected = mechanic.chances()
    assert found["odds"], found["complaints"]
    assert not found["odds"]["unknown"]
    for name, chance in found["odds"]["chances"].items():
        assert abs(chance - expected.get(name, 0)) < ALIKE, name
    for step, mean in mechanic.means().items():
        assert found["odds"]["means"][step] == pytest.approx(float(mean), rel=ALIKE, abs=ALIKE), step

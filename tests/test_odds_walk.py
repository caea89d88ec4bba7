"""The walk against plain enumeration, in games over sets of dice that nobody thought of (made_set_games.py)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine_cases import odds_case
from js_engine import shared_engine
from made_set_games import SetGame
from result_data import find_odds_differences
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

IN_ONE_TEST = 25


def compare_game(seed: int, events: Counter[str]) -> None:
    made = SetGame(seed)
    game, problems = load_game_text(made.text)
    if not game:
        events["no game"] += 1
        events[problems[0].message] += 1
        return
    odds, complaints = compute_odds(game.rules["roll"], made.inputs)
    assert isinstance(odds, Odds), complaints
    outcomes, steps = made.chances()
    assert {name: chance.exact for name, chance in odds.chances.items()} == outcomes
    for name, shares in steps.items():
        assert odds.distribution(name).values == dict(sorted(shares.items())), name
        assert odds.mean(name) == sum((value * share for value, share in shares.items()), Fraction(0)), name
    events["compared"] += 1
    events["waves"] += bool(made.late)


@pytest.mark.parametrize("first", range(0, 200, IN_ONE_TEST))
def test_made_games(first: int) -> None:
    events = Counter[str]()
    for seed in range(first, first + IN_ONE_TEST):
        try:
            compare_game(seed, events)
        except Exception as error:
            raise AssertionError(f"game {seed}:\n{SetGame(seed).text}") from error
    if events["this cannot be worked out yet"]:
        pytest.skip("games with sets are not loaded yet")
    assert events["compared"] >= IN_ONE_TEST * 0.9, events


@pytest.mark.parametrize("first", range(0, 100, IN_ONE_TEST))
def test_both_engines_walk_alike(first: int) -> None:
    for seed in range(first, first + IN_ONE_TEST):
        made = SetGame(seed)
        game, _ = load_game_text(made.text)
        if not game:
            continue
        inputs = {"n": str(made.inputs["n"]), "flag": "yes" if made.inputs["flag"] else "no"}
        question, expected = odds_case(game.rules["roll"], inputs, "", whole=True)
        (answer,) = shared_engine().ask_once(game, "roll", [question])
        assert answer["complaints"] == expected["complaints"], made.text
        assert not find_odds_differences(expected["odds"], answer["odds"]), made.text

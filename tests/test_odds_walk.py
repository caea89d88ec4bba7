"""The walk against plain enumeration, in games over sets of dice that nobody thought of (made_set_games.py)."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_cases import odds_case
from example_counts import sample
from js_engine import shared_engine
from made_set_games import SetGame
from result_data import find_odds_differences
from rulewright.odds.budget import Budget, BudgetError
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.odds.walk_frames import Segment, SegmentPlan
from rulewright.play.table import count_groups, pile_dice
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


@pytest.mark.parametrize("first", sample(range(0, 200, IN_ONE_TEST), 4))
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


def test_pools_that_are_rolled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where each pool by itself would cost too much."""
    add_up, tried = Segment.add_up, Counter[bool]()

    def add_up_together(self: Segment, plan: SegmentPlan, known: Any, sources: Any, budget: Budget) -> Any:
        pools = {source.pool for source in sources if source.pool}
        tried[plan is not self.plan] += 1
        if plan is self.plan and (len(pools) > 1 or len(sources) > 1):
            raise BudgetError
        return add_up(self, plan, known, sources, budget)

    monkeypatch.setattr(Segment, "add_up", add_up_together)
    for seed in range(40):
        with suppress(BudgetError):  # pools that cannot be rolled by faces
            try:
                compare_game(seed, Counter())
            except AssertionError as error:
                if "too many states" not in str(error):
                    raise AssertionError(f"game {seed}:\n{SetGame(seed).text}") from error
    assert tried[True] > 10


DICE = st.lists(st.integers(-1, 9), max_size=7)


@given(st.integers(-1, 12), DICE, DICE)
def test_piles_of_dice(goal: int, first: list[int], second: list[int]) -> None:
    """What is certain before all dice lie, and the most groups in the end."""

    @cache
    def most(dice: tuple[int, ...]) -> int:
        found = 0
        for size in range(1, len(dice) + 1):
            for others in combinations(range(1, len(dice)), size - 1):
                if dice[0] + sum(dice[place] for place in others) >= goal:
                    rest = tuple(value for place, value in enumerate(dice) if place and place not in others)
                    found = max(found, 1 + most(rest))
        return max(found, most(dice[1:])) if dice else 0

    dice = tuple(sorted((value for value in (*first, *second) if value > 0), reverse=True))[:9]
    groups, *left = pile_dice(goal, pile_dice(goal, 0, dice[::2]), dice[1::2])
    assert groups + count_groups(left, goal) == count_groups(dice, goal) == (most(dice) if goal > 0 else len(dice))


@pytest.mark.parametrize("first", sample(range(0, 100, IN_ONE_TEST), 4))
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

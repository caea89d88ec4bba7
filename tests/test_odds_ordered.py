"""Odds of dice counted by value: exploding pools against a target, kept dice, tables of them."""

from fractions import Fraction

import pytest

from games import made_game
from rulewright.game.model import Rule
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.odds.table import compute_odds_table

HIT = Fraction(5, 36)  # an exploding d6 of 8 or more: a six, and no one after it


def rule(text: str) -> Rule:
    return made_game(text).rules["roll"]


def pool(count: int, dice: str = "d") -> Rule:
    return rule(
        f"""
        [rules.roll.dice]
        d = {{ count = {count}, sides = 6, again = {{ when = "face = 6", roll = "explode" }} }}
        [rules.roll.steps]
        hits = "count({dice}: value >= 8)"
        [rules.roll.outcomes]
        yes = {{ when = "hits >= 1" }}
        no = {{}}
        """
    )


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("kept", ["d", "highest 1 of d", "highest 2 of d"])
def test_an_exploding_pool_against_a_target_is_exact(count: int, kept: str) -> None:
    found, _ = compute_odds(pool(count, kept), {})
    assert found
    assert found.chances["yes"].exact == 1 - (1 - HIT) ** count


def test_only_the_lowest_counts() -> None:
    found, _ = compute_odds(pool(3, "lowest 1 of d"), {})
    assert found
    assert found.chances["yes"].exact == HIT**3


def test_the_mean_of_hits_is_exact() -> None:
    found, _ = compute_odds(pool(4), {})
    assert isinstance(found, Odds)
    assert found.mean("hits") == 4 * HIT


def test_tables_settle_classes_for_every_size_of_the_pool() -> None:
    mixed = rule(
        """
        [rules.roll.inputs]
        pool = { min = 1, max = 8 }
        [rules.roll.dice]
        d = { count = "pool", sides = 6, again = { when = "face = 6", roll = "explode" } }
        [rules.roll.steps]
        ones = "count(d: face = 1)"
        total = "count(d: face >= 5)"
        [rules.roll.outcomes]
        bad = { when = "total >= 4 and ones > 1" }
        yes = { when = "total >= 2" }
        no = {}
        """
    )
    table, complaints = compute_odds_table(mixed, {}, {"pool": [1, 2, 5, 8]})
    assert not complaints
    for (size,), chances in table.items():
        single, _ = compute_odds(mixed, {"pool": size})
        assert single
        assert single.chances == chances

"""Choices that cannot arise with the given inputs: the odds are those of a rule without them, exact where that is."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine_cases import odds_case, roll_case
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.odds.table import compute_odds_table
from test_rolled_choices import load

DICE = """
pool = { count = "pool", sides = 6, tests.good = "face >= 4", again = { when = "face = 6 and open", roll = "more" } }
more = { count = 0, sides = 6, tests = { good = "face >= 4" }, again = { when = "face = 6", roll = "more" } }
"""
PLAIN = f"""
title = "T"
[rules.test]
[rules.test.inputs]
pool = {{ min = 1, max = 30 }}
need = {{ min = 1, max = 30 }}
open = {{ flag = true, default = false }}
[rules.test.dice]
{DICE}
[rules.test.steps]
hits = "count(pool, more: good)"
[rules.test.outcomes]
success = {{ when = "hits >= need", degree = "hits - need" }}
failure = {{}}
"""
ASKED = PLAIN.replace("[rules.test]\n", '[rules.test]\naim = "chance(success)"\n').replace(
    "[rules.test.dice]",
    """luck = { min = 0, max = 9, default = 0 }
spend = { flag = true, asked = "luck > 0 and not open and hits < need" }
more_luck = { min = 0, max = 2, asked = "luck > 1 and hits < need" }
[[rules.test.again]]
of = "pool"
times = "spend + more_luck * spend"
when = "not good"
roll = "reroll"
[rules.test.dice]""",
)


def ask(text: str, inputs: dict[str, str]) -> Odds:
    rule = load(text).rules["test"]
    odds, complaints = compute_odds(rule, inputs)
    assert isinstance(odds, Odds), complaints
    return odds


@pytest.mark.parametrize("opens", ["yes", "no"])
@pytest.mark.parametrize("pool", ["2", "25"])
def test_a_rule_without_luck_is_one_without_its_choices(pool: str, opens: str) -> None:
    inputs = {"pool": pool, "need": "7", "open": opens}
    odds, plain = ask(ASKED, inputs), ask(PLAIN, inputs)
    assert odds.chances == plain.chances
    assert odds.chances["success"].exact is not None
    assert odds.mean("hits") == plain.mean("hits")
    assert odds.mean_degree("success") == plain.mean_degree("success")
    assert odds.aim == ""
    game = load(ASKED)
    question, expected = odds_case(game.rules["test"], inputs, "")
    (answer,) = shared_engine().ask(game, "test", [question])
    assert not find_odds_differences(expected["odds"], answer["odds"])


def test_the_choice_counts_where_it_arises() -> None:
    inputs = {"pool": "1", "need": "1", "luck": "1"}
    assert ask(ASKED, inputs).chances["success"].exact == Fraction(3, 4)
    assert ask(ASKED, inputs).aim == "chance(success)"
    assert ask(ASKED, {**inputs, "open": "yes"}).chances["success"].exact == Fraction(1, 2)
    game = load(ASKED)
    for more in ({}, {"open": "yes"}, {"luck": "2"}, {"luck": "2", "open": "yes"}, {"luck": "0", "spend": "yes"}):
        question, expected = odds_case(game.rules["test"], {**inputs, **more}, "")
        (answer,) = shared_engine().ask(game, "test", [question])
        assert not find_odds_differences(expected["odds"], answer["odds"]), more


def test_tables_over_what_makes_it_arise() -> None:
    rule = load(ASKED).rules["test"]
    axes = {"luck": ["0", "1"], "open": ["no", "yes"], "pool": ["1", "3"]}
    table, complaints = compute_odds_table(rule, {"need": "2"}, axes)
    assert not complaints
    assert len(table) == 8
    for (luck, opens, pool), chances in table.items():
        assert chances == ask(ASKED, {"need": "2", "luck": luck, "open": opens, "pool": pool}).chances


@pytest.mark.parametrize("seed", range(4))
def test_rolls_are_as_before(seed: int) -> None:
    game = load(ASKED)
    question, expected, _ = roll_case(game.rules["test"], {"pool": "3", "need": "2", "luck": "2"}, Random(seed), True)
    (answer,) = shared_engine().ask(game, "test", [question])
    assert answer == expected

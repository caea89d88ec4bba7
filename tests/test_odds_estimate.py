"""Estimates from seeded rolls: near the exact chance where that is known, equal in both engines, and never a proof."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from example_counts import sample
from expensive_games import ExpensiveGame
from js_engine import shared_engine
from odds_helpers import make_rule, odds_complaints
from result_data import complaint_data
from rulewright import Game as LibraryGame
from rulewright.api.request import RulewrightError
from rulewright.cli import main
from rulewright.game.model import Rule
from rulewright.odds.budget import BudgetError
from rulewright.odds.estimate import MOST_ROLLS, NEEDS_PLAN, TOO_FEW_ROLLS
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

DEAR = """title = "Dear"
[rules.roll]
inputs.n = { min = 1, max = 1000, default = 20 }
[rules.roll.dice]
a = { count = "n", sides = 100, again = { when = "face = 100", roll = "explode" } }
b = { count = "n", sides = 100, again = { when = "face = 100", roll = "explode" } }
c = { count = "n", sides = 100, again = { when = "face = 100", roll = "explode" } }
[rules.roll.steps]
ones = "count(a: face = 1)"
best = "max(sum(a), sum(b), sum(c))"
[rules.roll.outcomes]
high = { when = "best > 1100 + ones", degree = "best - 1100" }
low = {}
"""
WAVES = """title = "Waves"
[rules.roll.dice]
a = { count = 30, sides = 100 }
b = { count = "count(a: face > 50) + highest(a)", sides = 20 }
[rules.roll.steps]
t = "sum(b) - lowest(b) * highest(b) + 7 * count(a: face = 3) * lowest(a)"
[rules.roll.outcomes]
yes = { when = "t > 1000" }
no = {}
"""
PUSH = 'push = { flag = true, asked = "sum(d) < 6" }'
DUEL = '[rules.duel]\ncontest = { of = "roll", compare = "best", ties = "again" }\n'


def dear_rule(name: str = "roll") -> Rule:
    game, problems = load_game_text(DEAR + DUEL)
    assert game, problems
    return game.rules[name]


def estimate(rule: Rule, inputs: dict[str, Any] | None = None) -> Any:
    found, complaints = compute_odds(rule, inputs or {}, estimating=True)
    assert found, complaints
    return found


SIMPLE = [
    ("sum(d) >= 9", "d = { count = 2, sides = 6 }"),
    ("count(d: face >= 6) > 1", "d = { count = 5, sides = 10, again = { when = 'face = 10', roll = 'explode' } }"),
    ("highest(d) > 15", "d = { count = 2, sides = 20 }"),
    ("sum(highest 3 of d) > 14", "d = { count = 4, sides = 6 }"),
    ("sum(d) > 10", "d = { count = 1, sides = 6, again = { when = 'face > 4', roll = 'd', count = 2 } }"),
]


@pytest.mark.parametrize(("event", "dice"), SIMPLE)
def test_an_estimate_is_within_three_standard_errors(event: str, dice: str) -> None:
    lines = ("[rules.roll.dice]", dice, f"[rules.roll.outcomes]\nyes = {{ when = '{event}' }}\nno = {{}}")
    if "again" in dice:
        lines = (lines[0], dice.replace("times = 2", "times = 1"), lines[2])
    odds = estimate(make_rule(*lines))
    exact, guess = odds.chances["yes"], odds.estimate_chances()["yes"]
    assert guess.rolls == MOST_ROLLS
    assert (guess.low, guess.high, guess.exact) == (0, 1, None)
    error = math.sqrt(exact.exact * (1 - exact.exact) / MOST_ROLLS)
    assert abs(float(guess) - exact.exact) <= 3 * error


def test_means_are_near_the_exact_ones() -> None:
    odds = estimate(
        make_rule("[rules.roll.dice]", "d = { count = 3, sides = 6 }", "[rules.roll.steps]", "s = 'sum(d)'")
    )
    assert odds.mean("s") == Fraction(21, 2)
    assert abs(odds.sample.mean("s") - 10.5) < 3 * math.sqrt(3 * 35 / 12 / MOST_ROLLS)


def test_nobody_gets_an_estimate_who_does_not_ask() -> None:
    assert "too many states" in odds_complaints(dear_rule(), {})
    odds = estimate(dear_rule())
    assert isinstance(odds, Odds)
    assert odds.chances["high"].rolls == MOST_ROLLS
    assert sum(chance.likely for chance in odds.chances.values()) == 1
    assert 1100 < (odds.estimated_mean("best") or 0) < 1250
    assert odds.estimated_mean("ones") is None  # its exact mean is known


def test_a_contest_is_estimated_from_pairs() -> None:
    chances = estimate(dear_rule("duel")).chances
    assert 0.45 < float(chances["first"]) < 0.55
    assert chances["first"].rolls > MOST_ROLLS / 3


def test_too_many_dice_are_declined() -> None:
    odds, complaints = compute_odds(dear_rule(), {}, compute_now=False)
    assert isinstance(odds, Odds), complaints
    with pytest.raises(BudgetError, match=TOO_FEW_ROLLS):
        odds.roll_sample(1, 20_000)


def test_where_a_player_chooses_there_is_no_estimate() -> None:
    reroll = '[[rules.roll.again]]\nroll = "reroll"\npick = "any"\nkeep = "new"\ntimes = 1\n'
    game, problems = load_game_text(DEAR + reroll)
    assert game, problems
    found, complaints = compute_odds(game.rules["roll"], {}, estimating=True)
    assert not found
    assert complaints[0].message == NEEDS_PLAN


def test_where_a_player_decides_during_the_roll_there_is_none_either() -> None:
    lines = (
        "aim = 'mean(s)'",
        "[rules.roll.dice]",
        "d = { count = 2, sides = 6 }",
        "[rules.roll.steps]",
        "s = 'sum(d) + push'",
    )
    odds, complaints = compute_odds(make_rule(*lines, inputs=PUSH), {}, compute_now=False)
    assert isinstance(odds, Odds), complaints
    with pytest.raises(BudgetError, match="a plan for what to choose"):
        odds.roll_sample(1, 1_000_000)


@pytest.mark.long
def test_dice_that_wait_for_dice_are_estimated_too() -> None:
    """The walk over their states costs too much; both engines stop at the same roll."""
    game, problems = load_game_text(WAVES)
    assert game, problems
    chances = estimate(game.rules["roll"]).chances
    question = {"door": "odds", "inputs": {}, "aim": "", "whole": False, "estimating": True}
    (answer,) = shared_engine().ask_once(game, "roll", [question])
    assert answer["odds"]["rolls"] == chances["yes"].rolls > 1_000
    assert answer["odds"]["chances"]["yes"] == pytest.approx(float(chances["yes"]), abs=1e-12)


@pytest.mark.parametrize("seed", sample([0, 5, 7, 16, 39, 46, 53, 54], 8))
@pytest.mark.parametrize("name", ["roll", "duel"])
def test_both_engines_estimate_the_same(seed: int, name: str) -> None:
    game, _ = load_game_text(ExpensiveGame(seed).write())
    assert game
    found, complaints = compute_odds(game.rules[name], {}, estimating=True)
    question = {"door": "odds", "inputs": {}, "aim": "", "whole": False, "estimating": True}
    (answer,) = shared_engine().ask_once(game, name, [question])
    assert answer["complaints"] == [complaint_data(complaint) for complaint in complaints]
    assert bool(found) == bool(answer["odds"])
    if found:
        assert answer["odds"]["rolls"] == max(chance.rolls for chance in found.chances.values())
        for outcome, chance in found.chances.items():
            assert abs(float(chance) - answer["odds"]["chances"][outcome]) < (1e-12 if chance.rolls else 0.1)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    (tmp_path / "game.toml").write_text(DEAR, encoding="utf-8")
    return tmp_path


def test_the_library_says_what_is_estimated(book: Path) -> None:
    odds = LibraryGame.load(book / "game.toml").odds("roll")
    assert odds.rolls == MOST_ROLLS
    assert not odds.exact
    assert odds.bounds("high") == (Fraction(0), Fraction(1))
    assert "estimate" in odds.why("high")
    guess, mean = odds.estimate("high"), odds.estimate("best")
    assert guess is not None
    assert mean is not None
    assert str(odds).splitlines()[0].startswith(f"high  about {guess:.0%}")
    assert 1100 < mean < 1250
    with pytest.raises(RulewrightError, match=r"use estimate\('high'\)"):
        odds["high"]


def test_the_command_line_says_it_too(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book)
    assert main(["odds", "roll"]) == 0
    text = capsys.readouterr().out
    assert "high  about " in text
    assert f"an estimate from {MOST_ROLLS:,} rolls, rarely" in " ".join(text.split())
    assert "best  about 11" in text
    assert main(["odds", "roll", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    high = data["outcomes"][0]
    assert (high["estimate"], high["rolls"], high["exact"]) == (True, MOST_ROLLS, None)
    assert data["steps"]["best"] is None
    assert 1100 < data["estimates"]["best"] < 1250


def test_a_block_shows_estimates_and_a_claim_refuses_them(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odds = "```odds\nrule: roll\nrows: n 1, 20\ncolumns: outcomes\n```\n"
    claim = "```claim\nrule: roll\nchance(high; n 20) < 1\n```\n"
    (book / "page.md").write_text(f"# Page\n\n{odds}\n{claim}", encoding="utf-8")
    monkeypatch.chdir(book)
    assert main(["check", "page.md", "--format", "json"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    (problem,) = [problem for problem in problems if problem["severity"] == "error"]
    assert problem["code"] == "block-claim"
    assert problem["line"] == 11
    reason, note = problem["notes"]
    assert reason.startswith('the step best, which "high" asks for, makes the odds of roll too expensive, because a, b')
    assert note == "an estimate would be possible, but it proves nothing"

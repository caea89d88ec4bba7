"""Each rule proves its odds on a small setting: with all rolls, one by one, through the roller."""

from __future__ import annotations

from fractions import Fraction

import pytest

from example_counts import sample
from generated_games import GameWriter
from odds_helpers import make_rule
from rulewright.game.model import Game, Rule
from rulewright.odds import proof, solve
from rulewright.odds.aims import choose_aims
from rulewright.odds.distribution import Chance
from rulewright.odds.proof import find_false_odds, prove_rule
from rulewright.odds.rule_odds import Odds
from rulewright.play.validate import load_game_text


def turns() -> Rule:
    return make_rule(
        "[rules.roll.dice]",
        "wild = { count = 'n', sides = 6, again = { when = 'face = 6', roll = 'explode' } }",
        "[rules.roll.steps]",
        "turns = 'down(12 / sum(wild))'",
        "[rules.roll.outcomes]",
        "some = { when = 'turns >= 1' }",
        "none = {}",
        inputs="n = { min = 1, max = 9 }",
    )


def test_true_odds_are_silent() -> None:
    assert not prove_rule(turns())


def test_a_tail_that_begins_too_early_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "find_end", lambda _test, least, _hint: least)
    rule = turns()
    assert prove_rule(rule).startswith("the odds of roll with n 2 are wrong: some has 100.00 % by the odds, and ")
    problems = list(find_false_odds(Game("", "Made up", {"roll": rule}, {}, {})))
    assert [(problem.code, problem.severity, problem.span) for problem in problems] == [
        ("odds-proof", "error", rule.span)
    ]
    assert "please report it" in problems[0].message


def test_false_values_of_the_last_step_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    true = Odds.distribution
    shifted = lambda odds, step: true(odds, step)._replace(values={99: Fraction(1)}, tail=Fraction(0))  # noqa: E731
    monkeypatch.setattr(Odds, "distribution", shifted)
    assert "turns 99 has 100.00 % by the odds, and 0.00 %" in prove_rule(turns())


def test_a_choice_that_is_not_the_best_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = make_rule(
        "[rules.roll.dice]",
        "d = { count = 2, sides = 4 }",
        "[[rules.roll.again]]",
        'roll = "reroll"',
        "pick = 'any'",
        "keep = 'new'",
        "[rules.roll.steps]",
        "total = 'sum(d)'",
        "[rules.roll.outcomes]",
        "high = { when = 'total > 5' }",
        "low = {}",
    )
    assert not prove_rule(rule)
    rule.cache.clear()
    monkeypatch.setattr(proof, "choose_aims", lambda rule, _aim: choose_aims(rule, f"chance({rule.outcomes[0].name})"))
    assert "the odds of roll are wrong" in prove_rule(rule)


def test_a_proof_follows_a_limited_number_of_rolls(monkeypatch: pytest.MonkeyPatch) -> None:
    followed = []
    advance = proof._AllRolls.advance

    def count(rolls: proof._AllRolls) -> bool:
        followed.append(rolls)
        return advance(rolls)

    monkeypatch.setattr(proof._AllRolls, "advance", count)
    for sides, number in ((30, proof.MOST_ROLLS), (100, 0)):  # of a million hardly any would be followed
        dice = f"d = {{ count = 3, sides = {sides}, again = {{ when = 'face > 28', roll = 'explode' }} }}"
        followed.clear()
        assert not prove_rule(make_rule("[rules.roll.dice]", dice, "[rules.roll.steps]", "total = 'sum(d)'"))
        assert len(followed) == number


@pytest.mark.parametrize("first", sample(range(0, 60, 10), 6))
def test_generated_games_prove_themselves(first: int) -> None:
    for seed in range(first, first + 10):
        text = GameWriter(seed).write()
        game, _ = load_game_text(text)
        assert game is None or not list(find_false_odds(game)), text


def test_bounds_that_hold_are_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = {"some": Chance(Fraction(0), Fraction(1)), "none": Chance(Fraction(0), Fraction(1))}
    monkeypatch.setattr(Odds, "chances", wide)
    assert not prove_rule(turns())

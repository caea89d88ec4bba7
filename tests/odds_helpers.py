"""Helpers for tests of odds: the odds of a rule, chances of events by name, and games from a few lines."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulewright.game.formula_parser import parse_formula
from rulewright.game.model import Formula, Rule
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import ContestOdds, Odds, compute_odds
from rulewright.play.validate import load_game_text
from rulewright.source import Source, Span

Inputs = Mapping[str, Any]


def make_formula(text: str) -> Formula:
    return Formula(text, parse_formula(text), Span(Source("a test", text), 0, len(text)))


def make_rule(*lines: str, inputs: str = "") -> Rule:
    """The rule of a game with these lines, below its inputs."""
    text = "\n".join(['title = "Made up"', "[rules.roll.inputs]", inputs, "[rules.roll]", *lines])
    game, problems = load_game_text(text)
    assert game, [(problem.span.text, problem.message) for problem in problems]
    return game.rules["roll"]


def any_odds(rule: Rule, inputs: Inputs, aim: str = "") -> Odds | ContestOdds:
    odds_or_none, complaints = compute_odds(rule, inputs, aim)
    assert odds_or_none, complaints
    assert not complaints
    return odds_or_none


def rule_odds(rule: Rule, inputs: Inputs | None = None, aim: str = "") -> Odds:
    rule_or_contest = any_odds(rule, inputs or {}, aim)
    assert isinstance(rule_or_contest, Odds)
    return rule_or_contest


def odds_complaints(rule: Rule, inputs: Inputs, aim: str = "") -> str:
    """The complaints about a question without odds."""
    result, complaints = compute_odds(rule, inputs, aim)
    assert result is None
    return "; ".join(f"{complaint.part}: {complaint.message}" for complaint in complaints)


def exact_chance(chance: Chance) -> Fraction:
    assert chance.exact is not None, f"only bounds: {float(chance.low)} to {float(chance.high)}"
    return chance.exact


def event_chance(odds: Odds, event: str, given: str = "") -> Chance:
    """The chance of an event as books name it: outcomes joined by "or", or a formula over inputs and steps."""
    outcomes = event.split(" or ")
    if not given and all(name in odds.chances for name in outcomes):
        parts = [odds.chances[name] for name in outcomes]
        low = sum((part.low for part in parts), Fraction(0))
        return Chance(low, low + max(part.high - part.low for part in parts))
    return odds.chance(make_formula(event), make_formula(given) if given else None)

"""Helpers for tests of odds: the odds of a rule, chances of events by name, and games from a few lines."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulewright.game.formula import parse
from rulewright.game.model import Formula, Rule
from rulewright.odds.answer import ContestOdds, Odds, odds
from rulewright.odds.distribution import Chance
from rulewright.play.validate import load_game_text
from rulewright.source import Source, Span

Inputs = Mapping[str, Any]


def formula(text: str) -> Formula:
    return Formula(text, parse(text), Span(Source("a test", text), 0, len(text)))


def made(*lines: str, inputs: str = "") -> Rule:
    """The rule of a game with these lines, below its inputs."""
    text = "\n".join(['title = "Made up"', "[rules.roll.inputs]", inputs, "[rules.roll]", *lines])
    game, problems = load_game_text(text)
    assert game, [(problem.span.text, problem.message) for problem in problems]
    return game.rules["roll"]


def either_odds(rule: Rule, inputs: Inputs, policy: str = "") -> Odds | ContestOdds:
    found, complaints = odds(rule, inputs, policy)
    assert found, complaints
    assert not complaints
    return found


def odds_of(rule: Rule, inputs: Inputs | None = None, policy: str = "") -> Odds:
    found = either_odds(rule, inputs or {}, policy)
    assert isinstance(found, Odds)
    return found


def refusal(rule: Rule, inputs: Inputs, policy: str = "") -> str:
    """The complaints about a question without odds."""
    found, complaints = odds(rule, inputs, policy)
    assert found is None
    return "; ".join(f"{complaint.part}: {complaint.message}" for complaint in complaints)


def exact(chance: Chance) -> Fraction:
    assert chance.exact is not None, f"only bounds: {float(chance.low)} to {float(chance.high)}"
    return chance.exact


def chance_of(found: Odds, said: str, given: str = "") -> Chance:
    """The chance of an event as books name it: outcomes joined by "or", or a formula over inputs and steps."""
    outcomes = said.split(" or ")
    if not given and all(name in found.chances for name in outcomes):
        parts = [found.chances[name] for name in outcomes]
        low = sum((part.low for part in parts), Fraction(0))
        return Chance(low, low + max(part.high - part.low for part in parts))
    return found.chance(formula(said), formula(given) if given else None)

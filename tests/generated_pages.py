"""Pages about games that nobody thought of, and what is so there by counting all ways the dice can fall."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import assume

from oracle import FAILED, ZERO, Enumerated, RollResult, TooManyRollsError, enumerate_rule
from rulewright.book.parser import read_page
from rulewright.checks.claim import check_claim
from rulewright.checks.example import check_example
from rulewright.checks.model import BlockContext, CheckedBlock
from rulewright.checks.odds_block import check_odds
from rulewright.game.inputs import bind_inputs, to_variables
from rulewright.game.model import Game, Rule
from rulewright.source import Source
from strategies import GeneratedGame

CHECKS = {"claim": check_claim, "odds": check_odds, "example": check_example}
FUNCTIONS = {
    "if_": lambda test, then, other: then if test else other,
    "down": lambda value: value.__floor__(),
    "up": lambda value: value.__ceil__(),
    "near": lambda value: (value + Fraction(1, 2)).__floor__(),
    "min": min,
    "max": max,
    "abs": abs,
}


def page_of(game: Game, kind: str, *lines: str) -> BlockContext:
    text = "\n".join(["# Page", "", f"```{kind}", *lines, "```", ""])
    return BlockContext(read_page(Source("page.md", text)), game, {})


def checked(game: Game, kind: str, *lines: str) -> CheckedBlock:
    """One block on a page of its own."""
    around = page_of(game, kind, *lines)
    return CHECKS[kind](around.page.blocks[0], around)


def set_to(inputs: Mapping[str, str]) -> list[str]:
    return [f"{name}: {value}" for name, value in inputs.items()]


def value_of(formula: str, values: Mapping[str, Any]) -> Any:
    """A formula without dice, by Python's own reckoning; whole numbers are fractions, so that / loses nothing."""
    text = re.sub(r"(?<![<>!])=", "==", re.sub(r"\bif\(", "if_(", formula))
    exact = {name: Fraction(value) if isinstance(value, int) else value for name, value in values.items()}
    return eval(text, {"__builtins__": {}}, {**FUNCTIONS, **exact})  # noqa: S307


@dataclass(frozen=True)
class Counted:
    """All ways a roll can end under some inputs, and what a formula is worth at each of them."""

    rule: Rule
    inputs: Mapping[str, str]
    ends: Enumerated

    def holds(self, formula: str, end: RollResult) -> bool:
        known = to_variables(self.rule, bind_inputs(self.rule, self.inputs)[0]) | dict(end.steps)
        for entry in self.rule.inputs:
            if entry.asked and not value_of(entry.asked.text, known):
                known[entry.name] = entry.default
        return bool(value_of(formula, known))

    def chance(self, what: str, given: str = "") -> Fraction | None:
        """The chance of outcomes joined by "or", or of a formula; None where the condition never holds."""
        both, whole = ZERO, ZERO
        for end, chance in self.ends.results.items():
            if not given or self.happens(given, end):
                whole += chance
                both += chance if self.happens(what, end) else ZERO
        return both / whole if whole else None

    def happens(self, what: str, end: RollResult) -> bool:
        pieces = what.split(" or ")
        if all(piece in {outcome.name for outcome in self.rule.outcomes} for piece in pieces):
            return end.outcome in pieces
        return self.holds(what, end)

    def mean(self, step: str) -> Fraction:
        return self.ends.mean(lambda end: end.value(step))

    def mean_degree(self, outcome: str) -> Fraction:
        return self.ends.mean(lambda end: end.degree or 0 if end.outcome == outcome else 0)


def count_cell(made: GeneratedGame, inputs: Mapping[str, str], aim: str, unlikely: Fraction) -> Counted | None:
    """None where nothing can be thrown; what cannot be counted here is left aside."""
    try:
        ends = enumerate_rule(made.text, "roll", inputs, aim, unlikely)
    except TooManyRollsError:
        assume(False)
    assume(ends.complete and not ends.missing)
    if any(FAILED in (end.outcome, *dict(end.steps).values()) for end in ends.results):
        return None
    return Counted(made.rule, inputs, ends)


def count_thrown(made: GeneratedGame, inputs: Mapping[str, str], aim: str, unlikely: Fraction) -> Counted:
    """And what cannot be thrown is left aside too."""
    counted = count_cell(made, inputs, aim, unlikely)
    assume(counted is not None)
    assert counted
    return counted

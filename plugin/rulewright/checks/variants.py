"""A rule with other outcomes, so that any question becomes a question about outcomes."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..game.model import Formula, Outcome, Rule
from ..game.odds.answer import both
from ..game.tree import Node
from .events import Quantity, as_formula

EVENTS = ("event", "given")


@lru_cache(maxsize=256)
def asking(rule: Rule, quantity: Quantity) -> Rule:
    """The events of a question as outcomes, unless they are outcomes already."""
    event, given = quantity.event, quantity.given
    assert event
    if given is None and event.formula is None:
        return rule
    whens = [as_formula(rule, event)]
    if given:
        condition = as_formula(rule, given)
        whens = [both(whens[0], condition), condition]
    return with_outcomes(rule, dict(zip(EVENTS, whens, strict=False)))


@lru_cache(maxsize=64)
def without_outcomes(rule: Rule) -> Rule:
    return replace(rule, outcomes=())


@lru_cache(maxsize=256)
def by_value(rule: Rule, step: str, values: tuple[int, ...]) -> Rule:
    """The same rule where each value of a step is an outcome."""
    return with_outcomes(rule, {str(value): equals(rule, step, value) for value in values})


def with_outcomes(rule: Rule, whens: dict[str, Formula]) -> Rule:
    outcomes = [Outcome(name, when, None, "", "", rule.span, rule.span) for name, when in whens.items()]
    return replace(rule, outcomes=(*outcomes, Outcome("none of these", None, None, "", "", rule.span, rule.span)))


def equals(rule: Rule, step: str, value: int) -> Formula:
    number = Node("number", (abs(value),))
    node = Node("=", (Node("name", (step,)), number if value >= 0 else Node("neg", (number,))))
    return Formula(f"{step} = {value}", node, rule.span)

"""What many questions about a rule have in common is remembered, and never changes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from asking import formula, made, odds_of
from exploring import examples
from rulewright.checks.questions import Answers, Event, Quantity, Refusal, Setup
from rulewright.checks.settings import policies_of
from rulewright.odds.answer import Odds, chances, odds
from rulewright.odds.distribution import Chance
from rulewright.odds.generating_function import NotExact
from strategies import Made, games, inputs_of

EXAMPLES = settings(max_examples=examples(10), deadline=None, suppress_health_check=list(HealthCheck))


def fresh(made: Made, inputs: Mapping[str, str], policy: str) -> Odds | None:
    found, _ = odds(made.rule, inputs, policy)
    assert found is None or isinstance(found, Odds)
    return found


def questions(made: Made) -> list[Quantity]:
    rule = made.rule
    asked = [Quantity("chance", Event((outcome.name,))) for outcome in rule.outcomes]
    asked += [Quantity("mean", name=step.name) for step in rule.steps]
    return asked + [Quantity("degree", name=outcome.name) for outcome in rule.outcomes if outcome.degree]


def answered(found: Odds, quantity: Quantity) -> Any:
    if quantity.event:
        return found.chances[quantity.event.outcomes[0]]
    return found.mean(quantity.name) if quantity.show == "mean" else found.mean_degree(quantity.name)


@EXAMPLES
@given(games(), st.data())
def test_one_after_the_other_or_alone(made: Made, data: st.DataObject) -> None:
    """The same rule with other inputs, other policies, other questions, in any order."""
    answers, asked = Answers(), questions(made)
    for _ in range(6):
        inputs, policy = data.draw(inputs_of(made.rule)), data.draw(st.sampled_from(("", *policies_of(made.rule))))
        alone = fresh(made, inputs, policy)
        event("answered" if alone else "refused")
        remembered = chances(made.rule, inputs, policy)
        assert remembered == (alone.chances if alone else {})
        quantity = data.draw(st.sampled_from(asked))
        found = answers.single(quantity, Setup(made.rule, inputs, policy))
        if alone is None or isinstance(found, Refusal):
            continue
        try:
            wanted = answered(alone, quantity)
        except NotExact:
            continue
        assert found == wanted if quantity.event else found.exact == wanted


@pytest.mark.parametrize("test", ["0 = 0", "sides > 0", "face >= 1", "value > 0"])
def test_a_mean_does_not_depend_on_what_outcomes_ask_of_the_dice(test: str) -> None:
    """The first test looks at no die. Games cannot say so, but the engine still answers it."""
    rule = made(
        "[rules.roll.dice]",
        'red = { sides = 2, explode = "face = sides" }',
        "[rules.roll.steps]",
        "twice = \"-2 * sum('red')\"",
        "[rules.roll.outcomes]",
        "never = { when = \"0 = count('red')\" }",
        "always = {}",
    )
    never, always = rule.outcomes
    rule = replace(rule, outcomes=(replace(never, when=formula(f"0 = count('red', {test})")), always))
    alone = odds_of(rule)
    assert alone.mean("twice") == -6
    assert Answers().single(Quantity("mean", name="twice"), Setup(rule, {})) == Chance(Fraction(-6), Fraction(-6))
    assert {name: chance.exact for name, chance in alone.chances.items()} == {"never": 0, "always": 1}


def test_values_that_a_question_asks_for_are_still_told_apart() -> None:
    rule = made(
        "[rules.roll.dice]",
        'red = { count = 2, sides = 4, explode = "face = sides" }',
        "[rules.roll.steps]",
        'total = "sum(red)"',
        'high = "count(red, value >= 7)"',
        "[rules.roll.outcomes]",
        'both = { when = "high = 2" }',
        "small = {}",
    )
    found, seven = odds_of(rule), Fraction(1, 8)  # a 4, then a 3 or a 4
    assert found.mean("total") == Fraction(20, 3)
    assert found.mean("high") == 2 * seven
    assert found.chances["both"].exact == seven**2
    spread = found.spread("high")
    assert spread.values == {0: (1 - seven) ** 2, 1: 2 * seven * (1 - seven), 2: seven**2}

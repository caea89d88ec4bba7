"""What questions about a rule share is cached, and never changes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from odds_helpers import make_formula, make_rule, rule_odds
from rulewright.checks.answers import Answers, Refusal, Setup
from rulewright.checks.quantities import Event, Quantity
from rulewright.odds.budget import NotExactError
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import Odds, compute_chances, compute_odds
from strategies import GeneratedGame, aims_of, games, inputs_of

EXAMPLES = settings(max_examples=scale_examples(10), deadline=None, suppress_health_check=list(HealthCheck))


def fresh(made: GeneratedGame, inputs: Mapping[str, str], aim: str) -> Odds | None:
    found, _ = compute_odds(made.rule, inputs, aim, estimating=True)
    assert found is None or isinstance(found, Odds)
    return found


def questions(made: GeneratedGame) -> list[Quantity]:
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
def test_one_after_the_other_or_alone(made: GeneratedGame, data: st.DataObject) -> None:
    """The same rule with other inputs, other aims, other questions, in any order."""
    answers, asked = Answers(), questions(made)
    for _ in range(6):
        inputs, aim = (data.draw(inputs_of(made.rule)), data.draw(aims_of(made.rule)))
        alone = fresh(made, inputs, aim)
        event("answered" if alone else "refused")
        remembered = compute_chances(made.rule, inputs, aim)
        assert remembered == (alone.chances if alone else {})
        quantity = data.draw(st.sampled_from(asked))
        found = answers.get_single(quantity, Setup(made.rule, inputs, aim))
        if alone is None or isinstance(found, Refusal) or any(one.rolls for one in alone.chances.values()):
            continue
        try:
            wanted = answered(alone, quantity)
        except NotExactError:
            continue
        assert found == wanted if quantity.event else found.exact == wanted


def test_an_aim_may_name_an_outcome_that_counts_dice() -> None:
    rule = make_rule(
        "[rules.roll.dice]",
        "d = { count = 2, sides = 6 }",
        "[[rules.roll.again]]",
        'pick = "any"',
        'roll = "reroll"',
        "[rules.roll.outcomes]",
        'hit = { when = "count(d: face >= 5) > 0" }',
        "miss = {}",
    )
    found = Answers().get_single(Quantity("chance", Event(("hit",))), Setup(rule, {}, "chance(hit)"))
    assert found == Chance(Fraction(19, 27), Fraction(19, 27))  # two misses, then one more die


@pytest.mark.parametrize("test", ["0 = 0", "sides > 0", "face >= 1", "value > 0"])
def test_a_mean_does_not_depend_on_what_outcomes_ask_of_the_dice(test: str) -> None:
    """The first test looks at no die. Games cannot say so, but the engine still answers it."""
    rule = make_rule(
        "[rules.roll.dice]",
        'red = { sides = 2, again = { when = "face = sides", roll = "explode" } }',
        "[rules.roll.steps]",
        "twice = \"-2 * sum('red')\"",
        "[rules.roll.outcomes]",
        "never = { when = \"0 = count('red')\" }",
        "always = {}",
    )
    never, always = rule.outcomes
    rule = replace(rule, outcomes=(replace(never, when=make_formula(f"0 = count('red': {test})")), always))
    alone = rule_odds(rule)
    assert alone.mean("twice") == -6
    assert Answers().get_single(Quantity("mean", name="twice"), Setup(rule, {})) == Chance(Fraction(-6), Fraction(-6))
    assert {name: chance.exact for name, chance in alone.chances.items()} == {"never": 0, "always": 1}


def test_values_that_a_question_asks_for_are_still_told_apart() -> None:
    rule = make_rule(
        "[rules.roll.dice]",
        'red = { count = 2, sides = 4, again = { when = "face = sides", roll = "explode" } }',
        "[rules.roll.steps]",
        'total = "sum(red)"',
        'high = "count(red: value >= 7)"',
        "[rules.roll.outcomes]",
        'both = { when = "high = 2" }',
        "small = {}",
    )
    found, seven = rule_odds(rule), Fraction(1, 8)  # a 4, then a 3 or a 4
    assert found.mean("total") == Fraction(20, 3)
    assert found.mean("high") == 2 * seven
    assert found.chances["both"].exact == seven**2
    spread = found.distribution("high")
    assert spread.values == {0: (1 - seven) ** 2, 1: 2 * seven * (1 - seven), 2: seven**2}

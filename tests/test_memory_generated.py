"""What many questions about a rule have in common is remembered, and never changes an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from exploring import examples
from rulewright.checks.answers import Answers, Refusal, Setup
from rulewright.checks.events import Event, Quantity
from rulewright.checks.settings import policies_of
from rulewright.game.odds.answer import Odds, odds
from rulewright.game.odds.family import NotExact
from rulewright.game.odds.remembered import chances
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

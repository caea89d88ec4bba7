"""Odds of games that nobody thought of, against all ways their dice can fall."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from brute_force import Enumerated, RollResult, enumerate_rule
from call_counts import hang_guard
from example_counts import scale_examples
from odds_helpers import make_formula
from rulewright.game.inputs import bind_inputs
from rulewright.game.model import Rule
from rulewright.odds.answer import Odds, compute_odds
from rulewright.odds.distribution import Chance
from rulewright.odds.plan import BudgetError
from strategies import GeneratedGame, games, inputs_of

SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
EXAMPLES = settings(max_examples=scale_examples(50), deadline=None, suppress_health_check=SLOW)
MANY = settings(EXAMPLES, max_examples=3000)
POLICIES = ("always", "never", "best mean", "best chance")
UNLIKELY = Fraction(1, 3000)


def guarded_odds(rule: Rule, inputs: dict[str, str], policy: str) -> Odds | None:
    """The odds, or None where they are refused with a plain message."""
    with hang_guard():
        found, complaints = compute_odds(rule, inputs, policy)
    assert bool(found) != bool(complaints)
    assert all(complaint.message and "\n" not in complaint.message for complaint in complaints)
    assert found is None or isinstance(found, Odds)
    event("refused" if complaints else "answered")
    return found


def assert_between(found: Chance, counted: Enumerated, holds: Callable[[RollResult], bool]) -> None:
    """The engine's bounds and those of the enumeration overlap; where both are exact they are equal."""
    low = counted.chance(holds)
    assert 0 <= found.low <= found.high <= 1
    assert counted.missing or found.exact is not None
    assert found.low <= low + counted.missing
    assert low <= found.high


def assert_outcomes(found: Odds, counted: Enumerated) -> None:
    assert (
        sum(chance.low for chance in found.chances.values())
        <= 1
        <= sum(chance.high for chance in found.chances.values())
    )
    if all(chance.exact is not None for chance in found.chances.values()):
        assert sum(chance.low for chance in found.chances.values()) == 1
    for name, chance in found.chances.items():
        assert_between(chance, counted, lambda end, name=name: end.outcome == name)  # type: ignore[misc]


def assert_values(found: Odds, counted: Enumerated, step: str) -> None:
    """Every value that is listed has its whole chance."""
    spread = found.distribution(step)
    assert sum(spread.values.values()) + spread.tail + spread.unknown == 1
    listed = counted.distribution(lambda end: end.value(step))
    for value, chance in spread.values.items():
        low = listed.get(value, Fraction(0))
        assert chance <= low + counted.missing
        assert low <= chance + spread.unknown
    if not counted.missing and not spread.unknown and not spread.tail:
        assert spread.values == listed


def assert_means(found: Odds, counted: Enumerated) -> None:
    """Where everything was enumerated, means are equal."""
    assert not counted.missing
    for step in found.rule.steps:
        words = any(isinstance(end.value(step.name), str) for end in counted.results)
        assert found.mean(step.name) == (None if words else counted.mean(lambda end, name=step.name: end.value(name)))  # type: ignore[misc]
    for outcome in found.rule.outcomes:
        if outcome.degree:

            def degree(end: RollResult, name: str = outcome.name) -> int:
                return end.degree or 0 if end.outcome == name else 0

            assert found.mean_degree(outcome.name) == counted.mean(degree)


def compare(rule: Rule, inputs: dict[str, str], policy: str) -> None:
    found = guarded_odds(rule, inputs, policy)
    if not found:
        return
    counted = enumerate_rule(rule, bind_inputs(rule, inputs)[0], policy != "never", policy == "best chance", UNLIKELY)
    chooses = "choosing" in found.policies
    event("enumerated" if not counted.missing else "chosen" if chooses else "enumerated in part")
    if chooses and not counted.complete:
        return  # what is best is not known before everything is
    assert_outcomes(found, counted)
    try:
        assert_steps(found, counted)
    except BudgetError:  # some steps rest on more than the outcomes do
        event("too many states")


def assert_steps(found: Odds, counted: Enumerated) -> None:
    number = found.rule.steps[0].name
    assert_between(found.chance(make_formula(f"{number} > 0")), counted, lambda end: end.value(number) > 0)
    for step in found.rule.steps:
        assert_values(found, counted, step.name)
    if not counted.missing:
        assert_means(found, counted)


@EXAMPLES
@given(games(), st.data())
def test_odds_agree_with_all_ways_the_dice_fall(made: GeneratedGame, data: st.DataObject) -> None:
    compare(made.rule, data.draw(inputs_of(made.rule)), data.draw(st.sampled_from(POLICIES)))


@pytest.mark.long
@MANY
@given(games(), st.data())
def test_odds_agree_in_many_more_games(made: GeneratedGame, data: st.DataObject) -> None:
    compare(made.rule, data.draw(inputs_of(made.rule)), data.draw(st.sampled_from(POLICIES)))

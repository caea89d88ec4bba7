"""Every recorded figure of the five games against the engine; chances and means are equal as fractions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from games import load_shipped_rule
from odds_helpers import event_chance, exact_chance, make_formula, odds_complaints, rule_odds
from rulewright.game.inputs import bind_inputs
from rulewright.game.intervals import exact_value
from rulewright.game.model import Rule, Step
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.bound_rule import BoundRule, Evaluation, evaluate_partially
from rulewright.play.result import check_roll
from rulewright.play.roll import Die, count_tallies

Record = dict[str, Any]
RECORDS: list[Record] = json.loads((Path(__file__).parent / "data/vectors.json").read_text(encoding="utf-8"))


def of_kind(*kinds: str) -> list[Any]:
    return [pytest.param(record, id=record["id"]) for record in RECORDS if record["kind"] in kinds]


def rule_of(record: Record) -> Rule:
    return load_shipped_rule(f"{record['game']}/{record['rule']}")


def complete(rule: Rule, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """An input that stays untold because the question does not rest on it stands at its least value."""
    told = bind_inputs(rule, inputs)[0]
    return {**inputs, **{entry.name: entry.least for entry in rule.inputs if entry.name not in told}}


def odds_for(record: Record) -> Odds:
    return rule_odds(rule_of(record), complete(rule_of(record), record["inputs"]), record.get("aim", ""))


def expected(worked: Evaluation, expect: Mapping[str, Any]) -> dict[str, Any]:
    known = {**worked.steps, "outcome": worked.outcome.name if worked.outcome else None, "degree": worked.degree}
    return {name: known[name] for name in expect}


@pytest.mark.parametrize("record", of_kind("roll"))
def test_roll(record: Record) -> None:
    result, complaints = check_roll(rule_of(record), record["inputs"], record["dice"], record.get("declined", 0))
    assert result
    assert not complaints
    assert expected(result.evaluation, record["expect"]) == record["expect"]


def given(record: Record) -> Evaluation:
    """What follows from the steps that are told, and from the dice that are shown beside them."""
    values, complaints = bind_inputs(rule_of(record), record["inputs"])
    assert not complaints
    setting, shown = BoundRule(rule_of(record), values), {}
    if "dice" in record:
        kind, face = record["dice"].split()
        ready = next(own for own in setting.kinds if own.kind.name == kind)
        counts = count_tallies(setting, (Die(ready.number, (ready.get_transition(int(face)),)),))
        tallies = zip(setting.program.tallies, counts, strict=True)
        shown = {tally.name: exact_value(count) for tally, count in tallies if tally.kind == ready.number}
    return evaluate_partially(setting, shown, record["given"])


@pytest.mark.parametrize("record", of_kind("given"))
def test_given(record: Record) -> None:
    assert expected(given(record), record["expect"]) == record["expect"]


@pytest.mark.parametrize("record", of_kind("problem"))
def test_problem(record: Record) -> None:
    if "dice" in record:
        assert check_roll(rule_of(record), record["inputs"], record["dice"])[1]
    elif "given" in record:  # an input that is not asked has its default, whatever is stated
        assert given(record) == given({**record, "inputs": {**record["inputs"], "spend": False}})
    else:
        assert odds_complaints(rule_of(record), record["inputs"])


@pytest.mark.parametrize("record", of_kind("chance"))
def test_chance(record: Record) -> None:
    found = odds_for(record)
    for said, text in record["expect"].items():
        assert exact_chance(event_chance(found, said)) == Fraction(text), said


@pytest.mark.parametrize("record", of_kind("mean"))
def test_mean(record: Record) -> None:
    found, of = odds_for(record), record["of"].removeprefix("degree of ")
    mean = found.mean(of) if of == record["of"] else found.mean_degree(of)
    assert mean == Fraction(record["expect"])


UNTOLD = [record for record in RECORDS if record["id"] in ("002-003/2", "002-016/2/complication")]


@pytest.mark.parametrize("record", UNTOLD, ids=lambda record: record["id"])
def test_an_input_that_the_question_does_not_rest_on_may_stay_untold(record: Record) -> None:
    found, complaints = compute_odds(rule_of(record), record["inputs"], compute_now=False)
    assert isinstance(found, Odds)
    assert not complaints
    assert exact_chance(found.chance(make_formula("critical_success"))) == Fraction(1, 6)
    assert found.mean("total") == Fraction(77, 10)


def opened(rule: Rule, dice: str) -> Rule:
    """The rule with one more step, which says whether these throws of its first kind of dice lie."""
    faces = dice.split("+")
    kind = rule.dice[0].name
    shown = " or ".join(f"(throw = {throw} and face = {face})" for throw, face in enumerate(faces, 1))
    opening = Step("opening", make_formula(f"count({kind}: {shown}) = {len(faces)}"))
    return replace(rule, steps=(*rule.steps, opening))


@pytest.mark.parametrize("record", of_kind("after"))
def test_after(record: Record) -> None:
    rule = opened(rule_of(record), record["dice"])
    found = rule_odds(rule, record["inputs"], record["aim"])
    whens = {outcome.name: outcome.when.text for outcome in rule.outcomes if outcome.when}
    for outcome, text in record["expect"].items():
        earlier = [
            f"not ({when})" for name, when in whens.items() if list(whens).index(name) < list(whens).index(outcome)
        ]
        event = " and ".join([*earlier, f"({whens[outcome]})"])
        assert exact_chance(event_chance(found, event, "opening")) == Fraction(text), outcome


def totals(record: Record, side: Record) -> list[int]:
    """What a side yields in each of its throws."""
    contest = rule_of(record).contest
    assert contest
    if "given" in side:
        return [side["given"][contest.compare]]
    results = [check_roll(contest.of[0], side["inputs"], dice)[0] for dice in side["dice"]]
    return [result.steps[contest.compare] for result in results if result]


@pytest.mark.parametrize("record", of_kind("contest"))
def test_contest(record: Record) -> None:
    contest = rule_of(record).contest
    assert contest
    throws = list(zip(*(totals(record, side) for side in record["sides"]), strict=True))
    ties = [first == second for first, second in throws]
    first, second = throws[-1]
    winner = contest.ties if first == second else "first" if first > second else "second"
    assert winner == record["expect"]["winner"]
    assert ties[:-1] == [contest.ties == "again"] * (len(throws) - 1)


@pytest.mark.parametrize("record", of_kind("names"))
def test_names(record: Record) -> None:
    entry = next(entry for entry in rule_of(record).inputs if entry.name == record["input"])
    assert entry.names
    assert entry.names.named_numbers == record["expect"]

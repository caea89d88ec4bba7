"""The automaton of one die: which rolls it distinguishes, and which states it reaches."""

from __future__ import annotations

import pytest

from games import load_shipped_rule
from odds_helpers import make_rule
from rulewright.game.inputs import bind_inputs
from rulewright.play.automaton import Automaton, find_distinctions
from rulewright.play.bound_rule import BoundRule, RollError


def setting_of(explode: str, step: str = "sum(die)", more: str = "", inputs: str = "") -> BoundRule:
    explodes = f'{{ when = "{explode}", roll = "explode" }}'
    again = f"again = [{explodes}, {more}]" if more.startswith("{") else f"again = {explodes}\n{more}"
    found = make_rule(
        "[rules.roll.dice.die]", "sides = 6", again, "[rules.roll.steps]", f'total = "{step}"', inputs=inputs,
    )  # fmt: skip
    return BoundRule(found, bind_inputs(found, {})[0])


@pytest.mark.parametrize(
    ("explode", "step", "told"),
    [
        ("face = 6", "sum(die)", (False, 1)),
        ("face = 6 and throw < 3", "sum(die)", (False, 3)),
        ("face = 6", "count(die: face = 6 and throw > 4)", (False, 5)),
        ("face = 6", "count(die: throw - throw = 0)", (False, 1)),
        ("face = 6 and last != 6", "sum(die)", (True, 1)),
        ("face > 4 and throw + last < 9", "sum(die)", (True, 4)),
        ("face = 6 and throw * 0 = 0", "sum(die)", (False, 1)),
        ("face = 6 and (throw < 2 or throw > 9)", "sum(die)", (False, 10)),
    ],
)
def test_told_apart(explode: str, step: str, told: tuple[bool, int]) -> None:
    assert find_distinctions(setting_of(explode, step), 0) == told


def test_good_matters_only_where_it_is_asked() -> None:
    assert find_distinctions(setting_of("face = 6", "sum(die)", 'tests.good = "throw < 4"'), 0) == (False, 1)
    assert find_distinctions(setting_of("face = 6", "count(die: good)", 'tests.good = "throw < 4"'), 0) == (False, 4)


def test_how_many_dice_are_earned_may_depend_on_the_throw() -> None:
    earn = '{ when = "face = 1", roll = "die", count = "min(throw, 3)" }'
    assert find_distinctions(setting_of("face = 6", "sum(die)", earn), 0) == (False, 3)
    never = '{ when = "face > sides", roll = "die", count = "min(throw, 3)" }'
    assert find_distinctions(setting_of("face = 6", "sum(die)", never), 0) == (False, 1)


def test_inputs_decide() -> None:
    step = "count(die: long = 'yes' and throw = 7)"
    for default, told in (("no", 1), ("yes", 8)):
        long = f'long = {{ choice = ["no", "yes"], default = "{default}" }}'
        assert find_distinctions(setting_of("face = 6", step, inputs=long), 0) == (False, told)


def test_throws_without_end_are_refused() -> None:
    with pytest.raises(RollError, match="more than 64 throws"):
        find_distinctions(setting_of("face = 6", "count(die: throw = 100)"), 0)


def test_only_faces_that_are_thrown_on_lie_before_a_throw() -> None:
    found = load_shipped_rule("step-dice/check")
    machine = Automaton(BoundRule(found, bind_inputs(found, {"die": "d12", "ones": "at the start"})[0]))
    assert sorted(place[1:3] for place in machine.find_reachable([machine.initial_state(0)])) == [
        (0, 1),
        (1, 2),
        (1, 3),
        (12, 2),
        (12, 3),
    ]


def test_too_many_places_are_refused() -> None:
    found = make_rule(
        "[rules.roll.dice.die]", "sides = 2000", 'again = { when = "face > last and face > 999", roll = "explode" }'
    )
    with pytest.raises(RollError, match="too many faces"):
        Automaton(BoundRule(found, {})).find_reachable([Automaton(BoundRule(found, {})).initial_state(0)])

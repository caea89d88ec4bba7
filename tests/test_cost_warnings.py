"""Rules whose odds are too expensive get a warning at the step that makes them so."""

from __future__ import annotations

from pathlib import Path

import pytest

from odds_helpers import make_rule
from rulewright import Game as Library
from rulewright import RulewrightError
from rulewright.cli import main
from rulewright.game.model import Game, Rule
from rulewright.odds.budget import NO_ANSWER, Budget, BudgetError
from rulewright.odds.cost_warnings import find_expensive_odds
from rulewright.odds.distribution import Solution
from rulewright.odds.rounds import RoundsSolver
from rulewright.odds.walk_solver import WalkSolver
from rulewright.source import Problem


def dear(inputs: str, dice: str) -> Rule:
    kinds = [
        f"{kind} = {{ count = '{dice}', sides = 1000, again = {{ when = 'face = 1000', roll = 'explode' }} }}"
        for kind in "abc"
    ]
    return make_rule(
        "[rules.roll.dice]",
        *kinds,
        "[rules.roll.steps]",
        "ones = 'count(a: face = 1)'",
        "best = 'max(sum(a), sum(b), sum(c))'",
        "[rules.roll.outcomes]",
        "high = { when = 'best > 2000 + ones' }",
        "low = {}",
        inputs=inputs,
    )


def warnings(rule: Rule) -> list[Problem]:
    return list(find_expensive_odds(Game("", "Made up", {"roll": rule}, {}, {})))


def test_the_step_is_named() -> None:
    (problem,) = warnings(dear("n = { min = 2, max = 20, default = 3 }", "n"))
    assert problem.severity == "warning"
    assert problem.span.text.strip("'") == "max(sum(a), sum(b), sum(c))"
    assert problem.message.startswith(
        'the step best, which "high" asks for, makes the odds of roll too expensive with n 3, '
        "because a, b and c dice have no end, and are looked at together; "
    )


@pytest.mark.parametrize(
    ("dice", "step", "reason"),
    [
        ("d = { count = 14, sides = 20 }", "groups(d, 25)", "because `groups` has to know each die; fewer dice"),
        pytest.param(
         "d = { count = 20, sides = 20 }\ne = { count = 20, sides = 20 }",
         "max(f of d: if(count(d: face = f) > count(e: face = f), f * count(d: face > f) - sum(e), 0))",
         "because a word over faces has to know how many dice show each face; ask for less at once",
         marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_the_construction_is_named(dice: str, step: str, reason: str) -> None:
    lines = ("[rules.roll.dice]", *dice.split("\n"), "[rules.roll.steps]", f"n = '{step}'")
    (problem,) = warnings(make_rule(*lines, "[rules.roll.outcomes]", "high = { when = 'n > 2' }", "low = {}"))
    assert problem.message.startswith(f"the step n makes the odds of roll too expensive, {reason}")


def test_bounds_are_a_remark() -> None:
    kinds = [f"{kind} = {{ sides = 6, again = {{ when = 'face = 6', roll = 'explode' }} }}" for kind in "abc"]
    outcomes = ("[rules.roll.outcomes]", "high = { when = 'one > two and one > sum(c)' }", "low = {}")
    steps = ("[rules.roll.steps]", "one = 'sum(a)'", "two = 'sum(b)'")
    (problem,) = warnings(make_rule("[rules.roll.dice]", *kinds, *steps, *outcomes))
    assert problem.severity == "info"
    reason = "because a, b and c dice have no end, and are looked at together"
    assert problem.message == f'the outcome "high" makes the odds of roll bounds instead of fractions, {reason}'


def test_a_reroll_that_makes_every_step_expensive_is_named() -> None:
    rule = make_rule(
        "[rules.roll.dice]",
        "d = { count = 'n', sides = 8 }",
        "[[rules.roll.again]]",
        'roll = "reroll"',
        "of = 'd'\ntimes = 2\npick = 'lowest'\nkeep = 'new'",
        "[rules.roll.steps]",
        "flames = 'count(d: face >= 6) + count(d: face = 8)'",
        "[rules.roll.outcomes]",
        "high = { when = 'flames > 2' }",
        "low = {}",
        inputs="n = { min = 1, max = 12, default = 12 }",
    )
    (problem,) = warnings(rule)
    assert problem.message.startswith('the reroll with pick = "lowest" makes the odds of roll too expensive')


def test_what_is_not_known_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Solution:
        raise BudgetError(NO_ANSWER)

    lines = ("[rules.roll.dice]", "d = { sides = 6 }", "e = { count = 'sum(d)', sides = 6 }", "[rules.roll.steps]")
    rule = make_rule(*lines, "all = 'sum(e)'")
    assert not warnings(rule)
    monkeypatch.setattr(WalkSolver, "list_values", refuse)
    monkeypatch.setattr(WalkSolver, "mean", refuse)
    (problem,) = warnings(make_rule(*lines, "all = 'sum(e)'"))
    assert problem.message.startswith("no exact odds of roll are known, because of the step all; ")


def test_rounds_that_carry_too_much_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Solution:
        raise BudgetError

    monkeypatch.setattr(RoundsSolver, "count", refuse)
    rule = make_rule(
        "until = 'total > 5'", "[rules.roll.dice]", "d = { sides = 6 }",
        "[rules.roll.steps]", "total = 'sum(d)'", "[rules.roll.outcomes]", "high = {}",
    )  # fmt: skip
    (problem,) = warnings(rule)
    assert problem.span.text.strip("'") == "total > 5"
    assert problem.message.startswith("the rounds make the odds of roll too expensive; ")


def test_what_the_walk_answers_is_not_expensive() -> None:
    """Waves, picked dice and rounds have exact odds."""
    rule = make_rule(
        "carry = { held = 'min(best + held, 30)' }", "until = 'held >= 20'",
        "[rules.roll.dice]", "d = { count = 3, sides = 6 }", "e = { count = 'count(d: face > 4)', sides = 8 }",
        "[rules.roll.steps]", "best = 'sum(highest 2 of d, e)'",
        "[rules.roll.outcomes]", "high = { when = 'best > 12' }", "low = {}",
        inputs="held = { min = 0, max = 30, default = 0 }",
    )  # fmt: skip
    assert not warnings(rule)


def test_absurd_settings_may_be_expensive() -> None:
    assert not warnings(dear("n = { min = 1, max = 400, default = 1 }", "if(n > 100, 3, 0)"))


def test_a_budget_is_filled_once_for_a_question_and_all_its_parts() -> None:
    budget = Budget()
    with budget.question():
        full = budget.left
        budget.spend(full / 2)
        with budget.question(), budget.keeping(1 / 2):
            assert budget.left == full / 4
        assert budget.left == full / 2
    with budget.question():
        assert budget.left == full


def test_a_refusal_on_the_command_line_names_the_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = """title = "Dear"
[rules.pool]
aim = "mean(total)"
[rules.pool.outcomes]
win  = { when = "total > 30" }
lose = {}
[rules.pool.dice]
d10 = { count = 40, sides = 10 }
[rules.pool.steps]
threes = "count(d10: face = 3)"
kept   = "any 5 of d10"
total  = "sum(kept) - max(f of d10: count(d10: face = f))"
"""
    monkeypatch.chdir(tmp_path)
    for own in (text, text.partition("[rules.pool.outcomes]")[0] + text.partition("lose = {}\n")[2]):
        (tmp_path / "game.toml").write_text(own, "utf-8")
        assert main(["odds", "pool"]) == 1
        error = capsys.readouterr().err
        assert "the step kept makes the odds of pool too expensive; ask for less at once: " in error
    (tmp_path / "game.toml").write_text(text, "utf-8")
    with pytest.raises(RulewrightError, match="the step kept makes the odds of pool too expensive"):
        Library.load(tmp_path).odds("pool")

"""Tests that no die can meet are warnings, dice that may be fewer than 0 remarks; what may be right is neither."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.checks.doubtful_dice import find_doubtful_dice
from rulewright.play.validate import load_game_text

Ran = Callable[..., tuple[int, str, str]]


def warnings(*lines: str) -> list[tuple[str, str]]:
    game, problems = load_game_text("\n".join(['title = "T"', "[rules.check]", *lines, ""]))
    assert game, problems
    found = list(find_doubtful_dice(game))
    severities = {"warning" if "meet" in problem.message else "info" for problem in found}
    assert {(problem.code, problem.severity) for problem in found} == {("dice", severity) for severity in severities}
    return [(problem.span.text.strip('"'), problem.message) for problem in found]


D6, FROM_1_TO_6 = "dice.d6 = { count = 3, sides = 6 }", "no d6 die can meet this test; their faces go from 1 to 6"
TN = "inputs.tn = { min = 7, max = 12 }"
DIE = "inputs.die = { die = [4, 6, 8] }"


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        ((D6, 'steps.hits = "1 + count(d6: face > 6)"'), "count(d6: face > 6)"),
        ((D6, 'steps.hits = "count(d6: value = 0)"'), "count(d6: value = 0)"),
        ((D6, TN, 'steps.hits = "count(d6: face >= tn)"'), "count(d6: face >= tn)"),
        ((D6, 'steps.best = "d6 where face = 7"'), "d6 where face = 7"),
        ((D6, 'steps.best = "sum(highest 2 of d6 where value > 6)"'), "sum(highest 2 of d6 where value > 6)"),
        ((D6, 'outcomes = { a = { when = "count(d6: face = 0) > 1" }, b = {} }'), "count(d6: face = 0)"),
        (('dice.d6 = { sides = 6, tests = { hit = "face > 6" } }', 'steps.hits = "count(d6: hit)"'), "face > 6"),
        (('dice.d6 = { sides = 6, again = { when = "face >= 10", roll = "explode" } }', 'steps.all = "sum(d6)"'),
         "face >= 10"),
        ((D6, 'again = { pick = "all", roll = "reroll", when = "face < 1" }', 'steps.all = "sum(d6)"'), "face < 1"),
    ],
)  # fmt: skip
def test_no_die_can_meet_it(lines: tuple[str, ...], place: str) -> None:
    assert warnings(*lines) == [(place, FROM_1_TO_6)]


def test_dice_that_differ() -> None:
    """The sides of the largest die count; of several kinds one suffices."""
    dice = 'dice.a = { sides = "die" }', "dice.b = { sides = 4 }"
    assert warnings(DIE, *dice, 'steps.x = "count(a, b: face > 7)"') == []
    message = "no a or b die can meet this test; their faces go from 1 to 8"
    assert warnings(DIE, *dice, 'steps.x = "count(a, b: face > 8)"') == [("count(a, b: face > 8)", message)]
    assert warnings("dice.a = { sides = 10000 }", 'steps.x = "count(a: face = 9999)"') == []
    assert warnings("dice.a = { sides = 1000 }", 'steps.x = "count(a: face = 9999)"')


@pytest.mark.parametrize(
    "lines",
    [
        (D6, 'steps.hits = "count(d6: face = 6)"'),
        (D6, "inputs.tn = { min = 6, max = 12 }", 'steps.hits = "count(d6: face >= tn)"'),
        ('dice.d6 = { sides = 6, again = { when = "face = 6", roll = "explode" } }',
         'steps.x = "count(d6: value > 99)"'),
        (D6, 'steps.most = "max(f of d6: count(d6: face = f + 5))"'),
        (D6, 'steps.later = "count(d6: throw = 3 and last = 2)"'),
        (D6, 'steps.off = "count(d6: first = face)"'),
        ('dice.d6 = { sides = 6, again = { when = false, roll = "explode" } }', 'steps.all = "sum(d6)"'),
        ('dice.k = { faces = ["-", "s", "s&a"], tests = { two = "s and a" } }',
         'steps.x = "count(k: two) + count(k: s)"'),
        ('dice.k = { faces = { miss = 0, hit = 2 } }', "steps.x = \"count(k: face = 'hit') + count(k: face = 2)\""),
        ('dice.c = { count = 5, deck = { rank = "1..13", suit = ["a", "b"] } }',
         "steps.x = \"count(c: rank = 13 and suit = 'b')\""),
    ],
)  # fmt: skip
def test_some_die_may_meet_it(lines: tuple[str, ...]) -> None:
    assert warnings(*lines) == []


@pytest.mark.parametrize(
    ("inputs", "count", "message"),
    [
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3 }", "a - b",
         "with a 1, b 2 there would be -1 d6 dice; write max(a - b, 0)"),
        ("a = { min = 0, max = 5, default = 3 }, b = { min = -9, max = 9, default = 0 }", "a + b",
         "with a 3, b -4 there would be -1 d6 dice; write max(a + b, 0)"),
        ("a = { min = 1, max = 5 }, hurt = { flag = true }", "a - 2 * hurt",
         "with a 1, hurt yes there would be -1 d6 dice; write max(a - 2 * hurt, 0)"),
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3 }", "pool",
         "with a 1, b 2 there would be -1 d6 dice; write max(pool, 0)"),
    ],
)  # fmt: skip
def test_fewer_than_0_dice(inputs: str, count: str, message: str) -> None:
    lines = (f"inputs = {{ {inputs} }}", f'dice.d6 = {{ count = "{count}", sides = 6 }}')
    steps = ('steps.pool = "a - b"',) if count == "pool" else ()
    assert warnings(*lines, *steps, 'steps.all = "sum(d6)"') == [(count, message)]


@pytest.mark.parametrize(
    ("inputs", "count", "others"),
    [
        ("a = { min = 3, max = 5 }, b = { min = 0, max = 3 }", "a - b", ()),
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3 }", "max(a - b, 0)", ()),
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3 }", "if(a > b, a - b, 0)", ()),
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3, default = 0, asked = 'a > 3' }", "a - b", ()),
        ("a = { min = 1, max = 5, default = 5 }, b = { min = 0, max = 3 }", "a - b",  # rounds decide
         ('carry = { a = "max(a - b, 1)" }', 'until = "sum(d6) > 5"', "most = 4")),
        ("a = { min = 1, max = 5 }, b = { min = 0, max = 3 }", "max(sum(die), 3) - b", ("dice.die = { sides = 6 }",)),
    ],
)  # fmt: skip
def test_never_fewer_than_0_dice(inputs: str, count: str, others: tuple[str, ...]) -> None:
    lines = (*others, f"inputs = {{ {inputs} }}", f'dice.d6 = {{ count = "{count}", sides = 6 }}')
    assert warnings(*lines, 'steps.all = "sum(d6)"') == []


def test_one_input_alone_is_an_error() -> None:
    text = (
        '[rules.check]\ninputs.a = { min = 1, max = 9 }\nsteps.pool = "a - 3"\ndice.d6 = { count = "pool", sides = 6 }'
    )
    game, problems = load_game_text(f'title = "T"\n{text}\n')
    assert game is None
    assert [problem.message for problem in problems] == ["with a 1 there would be -2 d6 dice; write max(pool, 0)"]


def test_it_is_reported_with_its_place(tmp_path: Path, ran: Ran) -> None:
    lines = ['title = "T"', "[rules.check]", D6, 'steps.hits = "count(d6: face > 6)"', ""]
    (tmp_path / "game.toml").write_text("\n".join(lines), "utf-8")
    status, out, _ = ran("check", str(tmp_path))
    assert (status, out.count("warning[")) == (0, 1)
    assert f"game.toml:4:15: warning[dice] {FROM_1_TO_6}\n" in out

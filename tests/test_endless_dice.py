"""Dice that would never stop exploding or earning dice are reported when the game is loaded, and no others."""

from __future__ import annotations

import pytest

from rulewright.play.validate import load_game_text


def explodes(when: str, die: str = "sides = 6") -> str:
    return f'dice.k = {{ {die}, again = {{ when = "{when}", roll = "explode" }} }}'


ENDLESS = {
    explodes("face >= 1"): "a k die explodes on every face, so it would never come to rest",
    explodes("face = sides", "sides = 1"): "a k die explodes on every face",
    explodes("abs(face) = 1", "faces = { a = -1, b = 1 }"): "a k die explodes on every face",
    'dice.k = { sides = 6, again = { when = "face > 3", roll = "k", count = 2 } }': "one new throw or more on average",
    'dice.k = { sides = 6, tests = { g = "face > 1" }, again = { when = "g", roll = "k", count = "face" } }': "each k",
    'dice.k = { sides = 6, again = { when = true, roll = "k", optional = true } }': "each k die",
    'dice.k = { sides = 6, again = [{when = "face > 3", roll = "explode"}, {when = "face < 4", roll = "k"}] }': "each",
    'inputs.n = { min = 1, max = 30 }\n' + explodes("face >= n"): "(with n 1)",
    'inputs.n = { min = 1, max = 30 }\n' + explodes("face > n - 17 and n < 18"): "(with n 17)",
    'inputs.s = { flag = true }\ninputs.m = { choice = ["calm", "wild"] }\n'
    + explodes("s and m = 'wild'"): "(with s yes, m wild)",
    'inputs.d = { die = [0, 1, 6] }\n' + explodes("face = sides", 'count = 0, sides = "d"'): "(with d d1)",
    'inputs.c = { code = ["d", "p"], min = 1, max = 9 }\n' + explodes("face > p"): "(with c 9D)",
    'dice.a = { sides = 6, again = { when = "face > 3", roll = "b" } }\n'
    'dice.b = { sides = 4, again = { when = "face > 2", roll = "a", count = 4 } }': "each a die",
    explodes("throw > 5 or face > 3"): "each k die",
    'inputs.n = { min = -3, max = 0 }\nsteps.x = "down(1 / n)"\n' + explodes("face"): "every face",
}  # fmt: skip
ENDING = (
    explodes("face > 1"),
    explodes("face > 1 and throw < 20"),
    explodes("face > 1 or throw < 5"),
    explodes("last < 3"),
    explodes("face = 6 or last = 6"),
    'dice.k = { sides = 6, again = { when = "face > 3", roll = "k" } }\n',
    'dice.k = { sides = 6, again = { when = "face > 3", roll = "other", count = 9 } }\ndice.other = { sides = 6 }',
    'dice.k = { sides = 6, again = { when = "face = 6", roll = "k", count = 5 } }',
    'inputs.n = { min = 2, max = 30 }\n' + explodes("face >= n"),
    'inputs.n = { min = 0, max = 5 }\nsteps.x = "up(9 / n)"\n' + explodes("face>1", 'sides = "down(9 / n)"'),
    explodes("face > 2") + '\nsteps.x = "count(k: throw > 50)"',
)  # fmt: skip


@pytest.mark.parametrize("rule", ENDLESS)
def test_endless_dice_are_a_problem(rule: str) -> None:
    game, problems = load_game_text(f'title = "Endless"\n[rules.a]\n{rule}\n')
    assert game is None
    assert [problem.code for problem in problems] == ["endless-dice"]
    assert ENDLESS[rule] in problems[0].message


@pytest.mark.parametrize("rule", ENDING)
def test_dice_that_end_are_none(rule: str) -> None:
    game, problems = load_game_text(f'title = "Ending"\n[rules.a]\n{rule}\n')
    assert game, problems

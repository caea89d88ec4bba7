"""A question that looks at no dice is answered before the roll: a warning where players would see dice first."""

from __future__ import annotations

import pytest

from rulewright.checks.early_questions import find_early_questions
from rulewright.play.validate import load_game_text

BEFORE = "is answered before any dice are rolled, because `asked` looks at none; to let players see dice first, "
AFTER = "; if it is decided before, leave `asked` out, so that stay is an ordinary input"
ALWAYS = "stay = { flag = true, asked = true }"


@pytest.mark.parametrize(
    ("inputs", "dice", "step", "repair"),
    [
        (ALWAYS, "d6 = { sides = 6 }", "if(stay, 4, sum(d6))", "count(d6) > 0"),
        ("pool = { min = 0, max = 3, default = 1 }\nstay = { flag = true, asked = 'pool > 1' }",
         "d6 = { count = 'pool', sides = 6 }", "if(stay, 4, sum(d6))", "count(d6) > 0 and pool > 1"),
        ("pool = { min = 0, max = 3, default = 1 }\nstay = { flag = true, asked = 'pool > 1 or pool = 0' }",
         "'big one' = { sides = 6 }", "if(stay, 4, sum('big one') + pool)",
         "count('big one') > 0 and (pool > 1 or pool = 0)"),
        # the second wave waits for the answer, the first does not
        (ALWAYS, "d6 = { sides = 6 }\nmore = { count = 'if(stay, 0, sum(d6))', sides = 2 }", "sum(d6) + sum(more)",
         "count(d6) > 0"),
        (ALWAYS, "d6 = { count = 'if(stay, 1, 2)', sides = 6 }", "sum(d6)", ""),
        (ALWAYS, "d6 = { count = 'number', sides = 6 }", "sum(d6)", ""),
        (ALWAYS, "d6 = { sides = 6, again = { when = 'face = 6 and not stay', roll = 'explode' } }", "sum(d6)", ""),
        ("stay = { flag = true, asked = 'sum(d6) > 2' }", "d6 = { sides = 6 }", "if(stay, 4, sum(d6))", ""),
        ("stay = { flag = true, asked = 'total > 2' }", "d6 = { sides = 6 }", "if(stay, 4, sum(d6))", ""),
        ("stay = { flag = true, asked = true, default = false }", "d6 = { sides = 6 }", "if(stay, 4, sum(d6))", ""),
        ("stay = { flag = true, default = false }", "d6 = { sides = 6 }", "if(stay, 4, sum(d6))", ""),
    ],
)  # fmt: skip
def test_questions_before_the_roll(inputs: str, dice: str, step: str, repair: str) -> None:
    kind = dice.partition(" = ")[0]
    total = (
        f'total = "sum({kind})"\nnumber = "if(1 = 2, 0, 1)"' if "number" not in dice else 'number = "if(stay, 1, 2)"'
    )
    text = f"""
title = "T"
[rules.race]
aim = "mean(result)"
[rules.race.inputs]
{inputs}
[rules.race.dice]
{dice}
[rules.race.steps]
{total}
result = "{step}"
"""
    game, problems = load_game_text(text)
    assert game, problems
    found = [(problem.code, problem.severity, problem.message) for problem in find_early_questions(game)]
    assert found == ([("input", "warning", f'stay {BEFORE}write asked = "{repair}"{AFTER}')] if repair else [])


def test_rolls_of_rules() -> None:
    game, _ = load_game_text("""
title = "T"
[rules.one]
dice.d6 = { sides = 6 }
steps.total = "sum(d6)"
[rules.race]
aim = "mean(result)"
inputs.stay = { flag = true, asked = true }
rolls.try = { rule = "one" }
steps.result = "if(stay, 4, try.total)"
""")
    assert game
    found = [problem.message for problem in find_early_questions(game)]
    assert found == [f"stay {BEFORE}name a result of these rolls in `asked`{AFTER}"]

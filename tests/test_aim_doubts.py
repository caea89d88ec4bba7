"""A choice about dice without an aim that decides it is a warning; where the aim decides, nothing is said."""

from __future__ import annotations

import pytest

from rulewright.game.rule_choices import find_aim_doubts
from rulewright.play.validate import load_game_text

OPTIONAL = 'dice.d6 = { sides = 6, again = { when = "face = 6", roll = "explode", optional = true } }'
PICKED = 'dice.d6 = { count = 2, sides = 6 }\nagain = { pick = "any", roll = "reroll" }'
REST = 'steps.total = "sum(d6)"\noutcomes = { win = { when = "total > 5" }, lose = {} }'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (OPTIONAL, "Race lets players choose whether d6 dice roll on; write what for in aim, such as always or never"),
        (PICKED,
         "Race lets players choose which die is picked; write what for in aim, such as chance(OUTCOME) or mean(STEP)"),
        (f'aim = "chance(win)"\n{OPTIONAL}',
         "`chance(win)` does not decide whether d6 dice roll on, which odds take for yes; write always or never"),
        (f'aim = "always"\n{OPTIONAL}', ""),
        (f'aim = "never"\n{OPTIONAL}', ""),
        (f'aim = "mean(total)"\n{PICKED}', ""),
        ("dice.d6 = { sides = 6, again = { when = \"face = 6\", roll = \"explode\" } }", ""),
        ("dice.d6 = { count = 2, sides = 6 }\nagain = { pick = \"lowest\", roll = \"reroll\" }", ""),
    ],
)  # fmt: skip
def test_doubts(lines: str, message: str) -> None:
    game, problems = load_game_text(f'title = "T"\n[rules.race]\n{lines}\n{REST}\n')
    assert game, problems
    found = list(find_aim_doubts(game))
    assert [(problem.code, problem.severity, problem.message) for problem in found] == (
        [("aim", "warning", message)] if message else []
    )
    assert all(problem.span.text == "race" for problem in found)

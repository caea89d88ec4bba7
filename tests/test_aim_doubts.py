"""Choices without an aim are an error that shows the line to write; where an aim does not decide all, a warning."""

from __future__ import annotations

import pytest

from rulewright.game.rule_choices import find_aim_doubts
from rulewright.play.validate import load_game_text

OPTIONAL = 'dice.d6 = { sides = 6, again = { when = "face = 6", roll = "explode", optional = true } }'
PICKED = 'dice.d6 = { count = 2, sides = 6 }\nagain = { pick = "any", roll = "reroll" }'
ASKED = 'dice.d6 = { count = 2, sides = 6 }\ninputs.stay = { flag = true, asked = "sum(d6) > 3" }'
REST = 'steps.total = "sum(d6)"\noutcomes = { win = { when = "total > 5" }, lose = {} }'
STEPS = 'steps = { total = "sum(d6)", rank = { is = "if(total = 2, 0, total)", label = "" } }'


def _missing(choice: str, aim: str) -> str:
    return f'Race lets players choose {choice}, and does not say what for; write aim = "{aim}", for example'


@pytest.mark.parametrize(
    ("lines", "severity", "message"),
    [
        (OPTIONAL + "\n" + REST, "error", _missing("whether d6 dice roll on", "always")),
        (PICKED + "\n" + REST, "error", _missing("which die is picked", "chance(win)")),
        (PICKED + "\n" + STEPS, "error", _missing("which die is picked", "mean(total)")),
        (ASKED + "\n" + REST, "error", _missing("`stay`", "chance(win)")),
        (ASKED + "\n" + STEPS, "error", _missing("`stay`", "mean(total)")),
        (f'aim = "chance(win)"\n{OPTIONAL}\n{REST}', "warning",
         "`chance(win)` does not decide whether d6 dice roll on, which odds take for yes; write always or never"),
        (f'aim = "always"\n{OPTIONAL}\n{REST}', "", ""),
        (f'aim = "never"\n{OPTIONAL}\n{REST}', "", ""),
        (f'aim = "mean(total)"\n{PICKED}\n{REST}', "", ""),
        (f'aim = "mean(total)"\n{ASKED}\n{STEPS}', "", ""),
        (f'dice.d6 = {{ sides = 6, again = {{ when = "face = 6", roll = "explode" }} }}\n{REST}', "", ""),
        (f'dice.d6 = {{ count = 2, sides = 6 }}\nagain = {{ pick = "lowest", roll = "reroll" }}\n{REST}', "", ""),
    ],
)  # fmt: skip
def test_doubts(lines: str, severity: str, message: str) -> None:
    game, problems = load_game_text(f'title = "T"\n[rules.race]\n{lines}\n')
    found = [*problems, *(find_aim_doubts(game) if game else ())]
    assert [(problem.code, problem.severity, problem.message) for problem in found] == (
        [("aim", severity, message)] if message else []
    )
    assert all(problem.span.text == "race" for problem in found)

"""`side NAME:` and `winner:` of a rule that rolls two others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main

GAME = """
title = "Fights"
[rules.skill.inputs]
skill = { min = 1, max = 100, default = 50 }
[rules.skill.dice]
d100 = { sides = 100 }
[rules.skill.steps]
level = "if(sum(d100) <= down(skill / 10), 2, sum(d100) <= skill)"
[rules.fight.rolls]
attack  = { rule = "skill" }
defence = { rule = "skill" }
[rules.fight.outcomes]
attack  = { when = "attack.level > defence.level", degree = "attack.level - defence.level" }
defence = { when = "attack.level < defence.level" }
draw    = {}
"""

RIGHT = """
side Arn: skill 60, dice 5
side Bryn: skill 45, dice 70
winner: Arn
degree: 2

instead:
side Bryn: dice 3
winner: none
outcome: draw

instead:
defence.skill: 80
winner: arn
"""
WRONG = [  # the lines of a block, and what is said
    ("side Arn: dice 40\nside Bryn: dice 70\nwinner: Bryn", "the rules give winner Arn, the example says Bryn"),
    ("side Arn: dice 40\nside Bryn: dice 70\nwinner: Carl", "there is no side «Carl»; known here: Arn, Bryn, none"),
    (
        "side Arn: dice 40, level 2\nside Bryn: dice 70\nwinner: Arn",
        "the rules give attack.level 1, the example says 2",
    ),
    ("side Arn: dice 40\nside Bryn: skil 5, dice 70\nwinner: Arn", "fight has no input or step «defence.skil»"),
    ("side Arn: dice 400\nside Bryn: dice 70\nwinner: Arn", "no attack.d100 die shows «400»"),
    ("side A: dice 4\nside B: dice 7\nside C: dice 7\nwinner: A", "fight has two sides, attack and defence"),
    ("side Arn: dice 40\nwinner: defence", "the rule throws"),
]


def check(folder: Path, lines: str) -> int:
    folder.joinpath("game.toml").write_text(GAME)
    folder.joinpath("page.md").write_text(f"# Fights\n\n```example\nrule: fight\n{lines.strip()}\n```\n")
    return main(["check", str(folder)])


def test_sides_are_rolls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, RIGHT) == 0, capsys.readouterr().out


@pytest.mark.parametrize(("lines", "message"), WRONG)
def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str) -> None:
    assert check(tmp_path, lines) == 1
    assert message in capsys.readouterr().out

"""Inputs, steps, kinds and outcomes: three namespaces, and words of blocks that name inputs and steps."""

from __future__ import annotations

import json
from contextlib import chdir
from pathlib import Path

import pytest

from rulewright.checks.odds_block import ODDS_KEYS
from rulewright.checks.scene import EXAMPLE_KEYS
from rulewright.cli import main
from rulewright.play.validate import load_game_text
from rulewright.render.cards.derivation import explanation_data
from rulewright.render.strings import read_words

ATTACK = """title = "x"
[rules.attack.inputs]
bonus = { min = 0, max = 20, default = 5 }
ac = { min = 0, max = 30, default = 15 }
dice = { min = 1, max = 9, default = 1 }
rule = { min = 0, max = 9, default = 0 }
die = { die = [4, 6, 8], default = 8 }
[rules.attack.dice]
d20 = { sides = 20 }
damage = { count = "if(hit, if(crit, 2 * dice, dice), 0)", sides = "die" }
[rules.attack.steps]
crit = "sum(d20) = 20"
hit = "crit or (sum(d20) > 1 and sum(d20) + bonus >= ac)"
title = "sum(damage) + rule"
damage = "title"
[rules.attack.outcomes]
damage = { when = "hit", degree = "damage" }
dice = {}
"""
EXAMPLE = """# x

```example
input dice: 2
dice: 20 | 5 8 1 1
step title: 15
damage: 15
outcome: damage
instead:
input dice: 1
dice: 14 | 8
input rule: 3
step title: 11
outcome: damage
```

```claim
input rule: 2
chance(damage; input dice 3, input rule 4) = 11/20
chance(damage >= 11; input dice 1, input rule 4) > 0
chance(damage; dice 3, ac 20) = 3/10
mean(title; rule attack, input rule 5) ~ 7.7
chance(damage) = 11/20 for dice 1..3
```

```odds
rows: dice 1..3
show: chance of damage
```

[hits](roll:attack?input+dice=3&ac=12)
"""


def check(folder: Path, page: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    (folder / "game.toml").write_text(ATTACK)
    (folder / "rules.md").write_text(page)
    main(["check", str(folder), "--format", "json"])
    return [problem["message"] for problem in json.loads(capsys.readouterr().out)["problems"]]


def test_words_of_blocks_are_names_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, EXAMPLE, capsys) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("input title: 3", 'attack has no input or step "title"'),
        ("step dice: 3", 'attack has no input or step "dice"'),
        ("step title: 3", "the rules give title 8, the example says 3"),
        ("title: 3\nstep damage: 8\noutcome: dice", "the rules give outcome damage, the example says dice"),
    ],
)
def test_what_is_said(tmp_path: Path, line: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = check(tmp_path, f"```example\ndice: 14 | 8\nhit: yes\n{line}\n```\n", capsys)
    assert [text[: len(message)] for text in found] == [message]


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.toml").write_text(ATTACK)
    with chdir(tmp_path):
        assert main(["roll", "attack", "input dice=2", "dice=14 | 8 7"]) == 0
        assert "damage, degree 15" in capsys.readouterr().out
        assert main(["odds", "attack", "dice=2", "rule=3"]) == 0


@pytest.mark.parametrize("role", ["inputs", "steps"])
@pytest.mark.parametrize("name", ["count", "of", "face", "degree", "outcome"])
def test_words_of_formulas_stay_reserved(name: str, role: str) -> None:
    value = "{ min = 1, max = 2 }" if role == "inputs" else '"1"'
    _, problems = load_game_text(f'title = "x"\n[rules.a]\ndice.d6 = {{ sides = 6 }}\n{role}.{name} = {value}')
    assert [problem.code for problem in problems] == ["name"]


@pytest.mark.parametrize(
    ("steps", "is_right"),
    [
        ('best = "highest 1 of d6"\nhigh = "sum(best)"', True),
        ('d6 = "sum(d6)"', True),
        ('d6 = "highest 1 of other"', False),
        ('pool = "highest 1 of d6"', False),
    ],
)
def test_a_set_shares_its_name_with_an_outcome_only(steps: str, is_right: bool) -> None:
    text = 'title = "x"\n[rules.a]\ninputs.pool = { min = 1, max = 2 }\ndice.d6 = { count = "pool", sides = 6 }\n'
    text += "dice.other = { sides = 6 }\n[rules.a.outcomes]\n"
    text += 'best = { when = "sum(d6) > 3 or sum(other) > 2" }\npool = {}\n'
    game, _ = load_game_text(f"{text}[rules.a.steps]\n{steps}")
    assert (game is not None) == is_right


def test_the_roller_is_told_which_names_are_words_of_examples() -> None:
    game, _ = load_game_text(ATTACK)
    assert game
    assert explanation_data(game.rules["attack"], read_words("en"))["words"] == ["dice", "rule", "title"]
    assert {"dice", "rule", "title"} <= {*EXAMPLE_KEYS}
    assert {"rows", "expect"} <= {*ODDS_KEYS}

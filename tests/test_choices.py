"""Choices: inputs that are asked during a roll and have no default."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.game.core import CoreInput
from rulewright.game.inputs import format_value
from rulewright.game.model import Game
from rulewright.play.result import check_roll, explain_result, roll_dice
from rulewright.play.roll import DiceRoller, Die, RandomFaces, RandomGenerator
from rulewright.play.validate import load_game, load_game_text

GAME = Path(__file__).parent / "games_right" / "choices.toml"


@pytest.fixture(scope="module")
def game() -> Game:
    found, problems = load_game(GAME)
    assert found, problems
    return found


RECORDS = [  # rule, inputs, dice, what follows
    ("push", {}, "5 3", "ones 0, total 8: success, degree 8"),
    ("push", {"push": "yes"}, "2 3 | 1 2", "ones 0, total 8: success, degree 8"),
    ("push", {"push": "no"}, "2 3", "ones 0, total 5: failure"),
    ("spend", {}, "6", "rank 6, left 6: good, degree 6"),
    ("spend", {"spent": "1"}, "3", "rank 4, left 2: bad"),
    ("spend", {"spent": "2", "how": "in haste"}, "3", "rank 6, left 4: good, degree 6"),
    ("before", {"brave": "yes"}, "3 3", "total 6"),
    ("before", {"luck": "1"}, "3", "total 3"),
]


@pytest.mark.parametrize(("rule", "inputs", "dice", "expected"), RECORDS)
def test_a_record_says_what_was_chosen(game: Game, rule: str, inputs: dict[str, str], dice: str, expected: str) -> None:
    result, problems = check_roll(game.rules[rule], inputs, dice)
    assert result
    assert not problems
    assert explain_result(result) == expected


def test_what_rests_on_an_open_choice_is_unknown(game: Game) -> None:
    result, problems = check_roll(game.rules["spend"], {}, "3")
    assert result
    assert not problems
    assert result.steps == {"rank": None, "left": None}
    assert explain_result(result).endswith("outcome not known without spent and how")
    result, _ = check_roll(game.rules["spend"], {"spent": "3"}, "4")
    assert result
    assert result.steps["rank"] is None
    assert result.outcome
    assert result.outcome.name == "good"


@pytest.mark.parametrize(
    ("rule", "inputs", "dice", "message"),
    [
        ("push", {}, "2 3", "push must be given"),
        ("push", {"push": "no"}, "2 3 | 1 1", "nothing calls for these 2 dice"),
        ("push", {"push": "yes"}, "5 3", "push does not come up here: it is asked when sum(red) < 6 and ones = 0"),
        ("spend", {"spent": "4"}, "3", "spent goes from 0 to 3, not 4"),
        ("spend", {"spent": "1", "how": "in haste"}, "3", "how does not come up here"),
    ],
)
def test_wrong_choices(game: Game, rule: str, inputs: dict[str, str], dice: str, message: str) -> None:
    _, problems = check_roll(game.rules[rule], inputs, dice)
    assert [problem.message.partition(":")[0] for problem in problems] == [message.partition(":")[0]]


def test_a_player_is_asked_when_the_answer_is_needed(game: Game) -> None:
    """And sees only the dice that are on the table by then."""
    seen = []

    def answer(_play: DiceRoller, dice: list[Die], entry: CoreInput) -> Any:
        seen.append((entry.name, [die.value for die in dice]))
        return entry.options[-1]

    for seed in range(30):
        for rule in game.rules.values():
            seen.clear()
            result, problems = roll_dice(rule, {}, RandomFaces(RandomGenerator(seed), answerer=answer))
            assert result, problems
            assert {name for name, _ in seen} == result.setting.program.asked.keys() - result.unasked_questions.keys()
            assert all(result.known[name] == rule.inputs[-1].options[-1] for name, _ in seen if name == "how")
            if rule.name == "push" and seen:
                assert len(seen[0][1]) == 2
                assert len(result.roll.dice) == 4
            entries = {entry.name: entry for entry in rule.inputs}
            chosen = {name: format_value(entries[name], result.known[name]) for name, _ in seen}
            again, problems = check_roll(rule, chosen, result.dice)
            assert again, problems
            assert explain_result(again) == explain_result(result)


WRONG = """\
title = "Wrong"
[rules.roll]
{aim}
[rules.roll.inputs]
push   = {{ flag = true, asked = "{asked}" }}
second = {{ choice = ["a", "b"], asked = "push and sum(d) > 3" }}
[rules.roll.dice]
d = {{ sides = 6 }}
more = {{ count = "push", sides = 6 }}
[rules.roll.steps]
total = "sum(d) + sum(more) + (second = 'b')"
"""


@pytest.mark.parametrize(
    ("aim", "asked", "message"),
    [
        ("", "sum(d) > 2", "Roll lets players choose `push` and `second`, and does not say what for; write aim = "),
        ('aim = "always"', "sum(d) > 2", "`always` cannot say what second is"),
        ('aim = "mean(total)"', "total > 2", '"total" cannot be used here; it rests on the answer to push'),
        ('aim = "mean(total)"', "second = 'a'", '"second" cannot be used here; it rests on the answer to push'),
        ('aim = "mean(total)"', "sum(more) > 2", "more"),
    ],
)
def test_choices_that_cannot_be_made(aim: str, asked: str, message: str) -> None:
    game, problems = load_game_text(WRONG.format(aim=aim, asked=asked))
    assert not game
    assert message in problems[0].message

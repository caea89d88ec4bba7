"""Rules that are rolled again and again (`carry`, `until`, `most`): records, stories, odds, both engines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine_cases import odds_case, questions
from js_engine import shared_engine
from result_data import find_odds_differences, result_data
from rulewright.book.parser import read_page
from rulewright.checks.example import check_example
from rulewright.checks.model import BlockContext
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game_text
from rulewright.source import Source

MECHANICS = Path(__file__).parent / "mechanics"
NAMES = ("craps", "dc-heroes", "death-saves", "monopoly-jail", "tunnels-and-trolls", "usage-die")

DYING = (MECHANICS / "death-saves" / "game.toml").read_text("utf-8")
CLIMB = """title = "Climb"
[rules.climb]
carry = { height = "after" }
until = "after >= 6 or slips"
most = "tries"
[rules.climb.inputs]
height = { min = 0, max = 5, default = 0 }
tries = { min = 1, max = 9, default = 4 }
careful = { flag = true, default = false }
[rules.climb.dice]
d6 = { count = 2, sides = 6, again = { when = "face = 6 and not careful", roll = "luck" } }
luck = { count = 0, sides = 4 }
[rules.climb.steps]
slips = "sum(d6) = 2"
after = "height + max(highest(d6) - 3, 0) + sum(luck) * (round = 1)"
[rules.climb.outcomes]
top = { when = "after >= 6", degree = "round" }
fall = { when = "slips" }
tired = { degree = "after" }
"""


def read(text: str) -> Game:
    game, problems = load_game_text(text)
    assert game, problems
    return game


def messages(game: str, text: str) -> list[str]:
    """What is wrong with an example of this game."""
    page, home = read_page(Source("page.md", text)), read(game)
    context = BlockContext(page, home, {"": home})
    return [problem.message for block in page.blocks for problem in check_example(block, context).problems]


def games() -> list[Game]:
    return [read(text) for text in (CLIMB, *((MECHANICS / name / "game.toml").read_text("utf-8") for name in NAMES))]


def all_climbs(tries: int) -> dict[str, Fraction]:
    """The careful climb, counted roll by roll."""
    chances, waiting = dict.fromkeys(("top", "fall", "tired"), Fraction(0)), {0: Fraction(1)}
    for number in range(1, tries + 1):
        after: dict[int, Fraction] = {}
        for height, mass in waiting.items():
            for dice in product(range(1, 7), repeat=2):
                now, share = height + max(max(dice) - 3, 0), mass / 36
                if now >= 6:
                    chances["top"] += share
                elif sum(dice) == 2:
                    chances["fall"] += share
                elif number == tries:
                    chances["tired"] += share
                else:
                    after[now] = after.get(now, Fraction(0)) + share
        waiting = after
    return chances


@pytest.mark.parametrize("tries", [1, 2, 4, 7])
def test_chances_are_those_of_counting(tries: int) -> None:
    odds, problems = compute_odds(read(CLIMB).rules["climb"], {"tries": str(tries), "careful": "yes"})
    assert isinstance(odds, Odds), problems
    assert {name: chance.exact for name, chance in odds.chances.items()} == all_climbs(tries)
    assert odds.mean("round") == sum(value * share for value, share in odds.distribution("round").values.items())


def test_the_number_of_rounds() -> None:
    odds, _ = compute_odds(read(DYING).rules["dying"], {})
    assert isinstance(odds, Odds)
    assert odds.mean("round") == Fraction(1451, 400)
    listed = odds.distribution("round")
    assert listed.values[1] == Fraction(1, 20)
    assert sum(value * share for value, share in listed.values.items()) == Fraction(1451, 400)
    usage, _ = compute_odds(
        read((MECHANICS / "usage-die" / "game.toml").read_text("utf-8")).rules["use"], {"die": "d4"}
    )
    assert isinstance(usage, Odds)
    endless = usage.distribution("round")
    assert endless.values[3] == Fraction(1, 8)
    assert 0 < endless.tail < Fraction(1, 10**6)


RIGHT = """
rule: dying
dice: 12; 4; 20
outcome: up
round: 3
""", """
rule: dying
dice: 12; 4
good_now: 1

then:
bad_now: 2
dice: 3; 20
outcome: up
round: 4

instead:
dice: 3; 2
outcome: dead
""", """
rule: dying
dice: 12
good_now: 1

then:
good: 2
dice: 12
outcome: stable
"""  # fmt: skip


@pytest.mark.parametrize("text", RIGHT)
def test_right(text: str) -> None:
    assert messages(DYING, f"```example{text}```\n") == []


WRONG = {
    "rule: dying\ndice: 12; 20; 3\noutcome: up": "round 2 is the last; leave out what follows it",
    "rule: dying\ndice: 12; 4\noutcome: dead": "outcome cannot be told from what the example gives",
    "rule: dying\ndice: 12; 4 5\ngood_now: 1": "nothing calls for this die: the rule rolls 1 d20 die",
    "rule: dying\ndice: 12; 21\ngood_now: 1": 'no d20 die shows "21"',
    "rule: dying\ndice: 12; 20\nround: 3": "the rules give round 2, the example says 3",
    "rule: dying\ndice: ; 20\noutcome: up": "the rule rolls 1 d20 die, but none is written here",
    "rule: dying\ndice: 12; 4\ngood_now: 1\n\nthen:\ngood: 3\ndice: 2\nbad_now: 2": "good goes from 0 to 2, not 3",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str) -> None:
    found = messages(DYING, f"```example\n{text}\n```\n")
    assert any(WRONG[text] in message for message in found), found


WRONG_GAMES = {
    'until = "sum(d20) = 20 or good_now = 3 or bad_now >= 3"': {
        "": "",
        'most = "round"\nuntil = "bad_now >= 3"': '"round" cannot be used here',
    },
    'carry = { good = "good_now", bad = "bad_now" }': {
        'carry = { good = "good_now", bda = "bad_now" }': 'there is no input "bda"; did you mean bad?',
        "carry = { good = \"'a'\" }": "good is a number, and this is a word",
        'carry = { good = "hood_now" }': 'there is no input or step "hood_now"',
    },
}


@pytest.mark.parametrize(("old", "new"), [(old, new) for old, others in WRONG_GAMES.items() for new in others if new])
def test_wrong_games(old: str, new: str) -> None:
    _, problems = load_game_text(DYING.replace(old, new))
    assert any(WRONG_GAMES[old][new] in problem.message for problem in problems), problems


def test_a_rule_that_is_rolled_once_has_one_round() -> None:
    text = 'title = "One"\n[rules.one.dice]\nd6 = { sides = 6 }\n[rules.one.steps]\ntotal = "sum(d6)"\n'
    _, problems = check_roll(read(text).rules["one"], {}, "3; 4")
    assert [problem.message for problem in problems] == [
        "this rule is rolled once; leave out what follows the semicolon"
    ]


PIG = """title = "Pig"
[rules.turn]
carry = { held = "score" }
until = "bust or stop or score >= 100"
aim = "mean(score)"
[rules.turn.inputs]
held = { min = 0, max = 99, default = 0 }
stop = { flag = true, asked = "not bust" }
[rules.turn.dice]
d6 = { sides = 6 }
[rules.turn.steps]
bust = "sum(d6) = 1"
score = "if(bust, 0, held + sum(d6))"
"""


@pytest.mark.parametrize(
    ("inputs", "dice", "score", "is_over"),
    [
        ({"stop": "no; no; yes"}, "4; 6; 5", 15, True),
        ({"stop": "no"}, "6; 1", 0, True),
        ({"stop": "no; no"}, "4; 6", 10, False),
        ({"stop": "no"}, "4; 6; 3", 13, False),
        ({}, "4", 4, None),
    ],
)
def test_choices_round_by_round(inputs: dict[str, str], dice: str, score: int, is_over: bool | None) -> None:
    game = read(PIG)
    result, problems = check_roll(game.rules["turn"], inputs, dice)
    assert result, problems
    assert (problems, result.steps["score"], result.is_over) == ([], score, is_over)
    question = {"door": "check", "inputs": inputs, "dice": dice, "declined": 0, "rerolled": "", "whole": True}
    assert compare(game, [(question, None)], "turn") == [result_data(result, problems, True)]


def test_a_wrong_choice_is_named() -> None:
    _, problems = check_roll(read(PIG).rules["turn"], {"stop": "no; maybe"}, "4; 6")
    assert [(problem.part, problem.message) for problem in problems] == [("stop", 'stop is yes or no, not "maybe"')]


ENDLESS = """title = "E"
[rules.e]
carry = { n = "if(n = 3, 3, min(n + sum(d6), 9))" }
until = "n + sum(d6) > 9"
[rules.e.inputs]
n = { min = 0, max = 9, default = 0 }
[rules.e.dice]
d6 = { count = "if(n = 3, 0, 1)", sides = 6 }
[rules.e.outcomes]
over = {}
"""


def test_states_that_cannot_go_on_are_named() -> None:
    _, problems = compute_odds(read(ENDLESS).rules["e"], {})
    assert problems[0].message == "this never ends from n 3 on; write most = … beside until"
    far = ENDLESS.replace("min(n + sum(d6), 9)", "n + sum(d6) + 4")
    _, problems = compute_odds(read(far).rules["e"], {})
    assert problems[0].message == "the next round cannot begin: n goes from 0 to 9, not 10"


def compare(game: Game, pairs: list[tuple[dict[str, Any], Any]], rule: str) -> list[Any]:
    found: list[Any] = shared_engine().ask(game, rule, [question for question, _ in pairs])
    return found


def test_rolls_are_the_same_in_both_languages() -> None:
    for game in games():
        for rule in game.rules.values():
            pairs = [*questions(rule, Random(5), 60)]
            for (question, expected), answer in zip(pairs, compare(game, pairs, rule.name), strict=True):
                assert answer == expected, (game.title, question)


def test_odds_are_the_same_in_both_languages() -> None:
    for game in [*games(), read(ENDLESS)]:
        for rule in game.rules.values():
            required = {
                entry.name: str(entry.dice[1] if entry.dice else 12) for entry in rule.inputs if entry.default is None
            }
            pairs = [odds_case(rule, required, "")]
            (answer,), (_, expected) = compare(game, pairs, rule.name), pairs[0]
            assert answer["complaints"] == expected["complaints"]
            if expected["odds"]:
                assert not find_odds_differences(expected["odds"], answer["odds"]), game.title

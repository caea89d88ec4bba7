"""Rules that use rules (`rolls`): records, chances against counting, both engines."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine_cases import odds_case, questions
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright import Game as PublicGame
from rulewright.book.parser import read_page
from rulewright.checks.example import check_example
from rulewright.checks.model import BlockContext
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text
from rulewright.source import Problem, Source

FILE = Path(__file__).parent / "games_right" / "rolls.toml"


def game() -> Game:
    found, problems = load_game_text(FILE.read_text("utf-8"))
    assert found, problems
    return found


def problems_of(text: str) -> list[Problem]:
    page, home = read_page(Source("page.md", text)), game()
    context = BlockContext(page, home, {"": home})
    return [problem for block in page.blocks for problem in check_example(block, context).problems]


def level(roll: int, skill: int) -> int:
    return 2 if roll <= skill // 5 else int(roll <= skill)


def test_chances_are_those_of_counting() -> None:
    odds, problems = compute_odds(game().rules["duel"], {"mine": "40", "second": "yes", "they.skill": "60"})
    assert isinstance(odds, Odds), problems
    wins = Fraction(0)
    mine = [Fraction(sum(level(roll, 45) == wanted for roll in range(1, 101)), 100) for wanted in range(3)]
    again = [Fraction(sum(level(roll, 50) == wanted for roll in range(1, 101)), 100) for wanted in range(3)]
    other = [Fraction(sum(level(roll, 60) == wanted for roll in range(1, 101)), 100) for wanted in range(3)]
    for own, more, they in product(range(3), repeat=3):
        chance = mine[own] * again[more] * other[they]
        wins += chance * (max(own, more if own == 0 else 0) > they)
    assert odds.chances["win"].exact == wins


def test_two_rolls_are_counted_together() -> None:
    odds, problems = compute_odds(game().rules["opposed"], {"you.skill": "45", "they.skill": "60"})
    assert isinstance(odds, Odds), problems
    pairs = [(level(you, 45), level(they, 60)) for you, they in product(range(1, 101), repeat=2)]
    assert odds.chances["win"].exact == Fraction(sum(you > they or they == 0 for you, they in pairs), 10_000)


@pytest.mark.parametrize("many", [0, 1, 3])
def test_results_of_several_times(many: int) -> None:
    odds, problems = compute_odds(game().rules["tries"], {"many": str(many), "try.skill": "30"})
    assert isinstance(odds, Odds), problems
    assert odds.mean("total") == Fraction(101, 2) * many
    assert odds.mean("great") == Fraction(6, 100) * many
    none = Fraction(70, 100) ** many
    assert odds.distribution("best").values.get(0, Fraction(0)) == none
    assert odds.distribution("rolled").values == {many: Fraction(1)}


RIGHT = (
    "rule: duel\nthey.skill: 30\nyou.dice: 9\nthey.dice: 20\noutcome: win\nyou.level: 2\nthey.degree: 10",
    "rule: duel\nsecond: yes\nyou.dice: 90\nthey.dice: d100 70\nmore.dice: 10\noutcome: win\nmore.outcome: great",
    "rule: duel\ndice: 6\nyou.dice: 90\nthey.dice: 1\noutcome: lose\nmargin: 6",
    "rule: tries\nmany: 3\ntry.dice: 5; 60; 100\nbest: 2\nworst: 5\ntotal: 165\n\ninstead:\nmany: 2\ntotal: 65",
    "rule: duel\nyou.dice: 90\nthey.dice: 70\noutcome: lose\n\ninstead:\nyou.dice: 9\noutcome: win",
)


@pytest.mark.parametrize("text", RIGHT)
def test_right(text: str) -> None:
    assert problems_of(f"```example\n{text}\n```\n") == []


WRONG = {
    "rule: duel\nyou.dice: 101\nthey.dice: 20\noutcome: win": ('no you.d100 die shows "101"', "101"),
    "rule: duel\nyou.dice: 10\nthey.dice: 20 30\noutcome: win": ("nothing calls for this die", "30"),
    "rule: duel\nyou.dice: 10\noutcome: win": ("the rule rolls 1 they.d100 die, but none is written here", ""),
    "rule: duel\nyou.dice: 10\nthey.dice: 20\nyou.level: 1": ("the rules give you.level 1", ""),
    "rule: duel\nyou.skil: 10\nthey.dice: 20\noutcome: win": ('duel has no input or step "you.skil"', "you.skil"),
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong(text: str) -> None:
    message, place = WRONG[text]
    found = problems_of(f"```example\n{text}\n```\n")
    if message.startswith("the rules give you.level 1"):
        assert not found or all(message not in problem.message for problem in found)
        return
    assert any(message in problem.message and place in problem.span.text for problem in found), found


def test_dotted_names_everywhere(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FILE.read_text("utf-8"), "utf-8")
    own = PublicGame.load(tmp_path / "game.toml")
    rolled = own.roll("duel", inputs={"they.skill": 30}, seed=1)
    assert "they.level" in rolled.steps
    assert own.odds("opposed", inputs={"they.skill": 30})["win"] > own.odds("opposed", they={"skill": 90})["win"]


CHOICES = """
title = "T"
[rules.bet]
aim = "mean(total)"
[rules.bet.inputs]
more = { flag = true, asked = "low < 5" }
[rules.bet.dice]
d6 = { sides = 6 }
d8 = { count = "more", sides = 8 }
[rules.bet.steps]
low   = "sum(d6)"
total = "low + sum(d8)"
"""


@pytest.mark.parametrize(
    ("rolled", "chance"),
    [
        ("you = { rule = 'bet', with = { more = '0' } }", Fraction(1, 6)),
        ("you = { rule = 'bet', with = { more = '1' } }", Fraction(5, 48)),
        (("you = { rule = 'bet' }\n[rules.duel]\naim = 'chance(win)'\n"
         "[rules.duel.inputs]\nmore = { flag = true, asked = 'you.low < 5' }"), Fraction(1, 4)),
    ],
)  # fmt: skip
def test_the_rule_that_rolls_answers_for_the_used_one(rolled: str, chance: Fraction) -> None:
    duel = f"[rules.duel.outcomes]\nwin = {{ when = 'you.total = 6' }}\nlose = {{}}\n[rules.duel.rolls]\n{rolled}\n"
    found, problems = load_game_text(CHOICES + duel)
    assert found, problems
    odds, complaints = compute_odds(found.rules["duel"], {})
    assert isinstance(odds, Odds), complaints
    assert odds.chances["win"].exact == chance


def test_both_engines_agree() -> None:
    own = game()
    for rule in own.rules.values():
        pairs: list[tuple[dict[str, Any], Any]] = [*questions(rule, Random(7), 40)]
        for (question, expected), answer in zip(
            pairs, shared_engine().ask(own, rule.name, [one for one, _ in pairs]), strict=True
        ):
            assert answer == expected, question
        question, expected = odds_case(rule, {}, "")
        (answer,) = shared_engine().ask(own, rule.name, [question])
        assert answer["complaints"] == expected["complaints"]
        assert not expected["odds"] or not find_odds_differences(expected["odds"], answer["odds"])

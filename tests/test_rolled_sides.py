"""`side NAME:` and `winner:` of a rule that rolls two others; contests with parts of their own are such rules."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine_cases import odds_case, questions
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright import Game as PublicGame
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.odds.rule_odds import ContestOdds, Odds, compute_odds
from rulewright.play.validate import load_game_text
from rulewright.render.cards.card import render_card
from rulewright.render.strings import read_words

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

[rules.check.inputs]
die   = { label = "Die", die = [4, 6, 8] }
bonus = { label = "Bonus", min = 0, max = 3, default = 0 }
[rules.check.dice]
check = { sides = "die" }
[rules.check.steps]
total = "sum(check) + bonus"
[rules.plain]
contest = { of = "check", compare = "total", ties = "again" }
[rules.duel]
contest = { of = "check", compare = "total", ties = "again" }
[rules.duel.steps]
margin = "abs(first.total - second.total)"
[rules.race]
contest = { of = "check", compare = "total", ties = "first" }
[rules.race.outcomes]
first  = { when = "first.total > second.total + 2", degree = "first.total - second.total" }
second = { when = "first.total < second.total" }
none   = { label = "dead heat" }

[rules.test]
aim = "mean(total)"
[rules.test.inputs]
tries = { min = 0, max = 2, default = 1 }
[rules.test.dice]
skill = { sides = 6 }
luck  = { sides = 4 }
[[rules.test.again]]
times = "tries"
pick  = "any"
roll  = "reroll"
keep  = "higher"
[rules.test.steps]
total = "sum(skill, luck)"
[rules.trial]
contest = { of = "test", compare = "total", ties = "again" }
[rules.trial.steps]
lead = "first.total - second.total"
"""

RIGHT = [
    (
        "fight\nside Arn: skill 60, dice 5\nside Bryn: skill 45, dice 70\nwinner: Arn\ndegree: 2\n\n"
        "instead:\nside Bryn: dice 3\nwinner: none\noutcome: draw\n\ninstead:\ndefence.skill: 80\nwinner: arn"
    ),
    "duel\nside Ann: die d6, dice 3, dice 5\nside Bo: die d8, dice 3, dice 2\nwinner: Ann\nmargin: 3\nround: 2",
    "duel\nfirst.die: 6\nsecond.die: 8\nfirst.dice: 3; 5\nsecond.dice: 3; 8\noutcome: second",
    (
        "race\nside Ann: total 8\nside Bo: die d8, dice 5\nwinner: Ann\ndegree: 3\n\n"
        "instead:\nside Bo: total 4\nwinner: Ann\ndegree: 4\n\ninstead:\nside Ann: die d6, dice 2\nwinner: Bo"
    ),
    (
        "trial\nside Ann: tries 2, dice 1 2, rerolled luck 2 -> 4, skill 1 -> 4\n"
        "side Bo: dice 5 1, rerolled skill 5 -> 6\nwinner: Ann\nlead: 1"
    ),
    (
        "trial\nsecond.tries: 0\nfirst.dice: 1 2; 2 2\nsecond.dice: 5 1; 5 3\nlead: -3\n"
        "first.rerolled: skill 1 -> 4; luck 2 -> 3"
    ),
    "trial\nsecond.tries: 0\nfirst.dice: 1 2\nsecond.dice: 3 1\nrerolled: first.skill 1 -> 3\noutcome: first",
    "race\nfirst.die: 6\nsecond.die: 8\ngiven: first.total 3\nsecond.dice: 2\nwinner: none",
    "trial\nside Ann: tries 1, dice skill 1 luck 2, rerolled skill 1 -> 4\nside Bo: total 9\nwinner: Bo\nlead: -3",
    "trial\nside Ann: tries 0, dice 5 3\nside Bo: tries 0, total 7\nwinner: Ann\nlead: 1",  # dice without kinds
    (
        "trial\nside Ann: dice skill 1 luck 2, rerolled skill 1 -> 4\n"
        "side Bo: dice skill 3 luck 4, rerolled skill 3 -> 6\nwinner: Bo\n\ninstead:\nside Ann: total 9\nwinner: Bo"
    ),
]
WRONG = [  # the lines of a block, and what is said
    ("fight\nside Arn: dice 40\nside Bryn: dice 70\nwinner: Bryn", "the rules give winner Arn, the example says Bryn"),
    ("fight\nside Arn: dice 40\nside Bryn: dice 70\nwinner: Carl", 'there is no side "Carl"; known here: Arn, Bryn'),
    (
        "fight\nside Arn: dice 40, level 2\nside Bryn: dice 70\nwinner: Arn",
        "the rules give attack.level 1, the example says 2",
    ),
    ("fight\nside Arn: dice 40\nside Bryn: skil 5, dice 70\nwinner: Arn", 'no input or step "defence.skil"'),
    ("fight\nside Arn: dice 400\nside Bryn: dice 70\nwinner: Arn", 'no attack.d100 die shows "400"'),
    ("fight\nside A: dice 4\nside B: dice 7\nside C: dice 7\nwinner: A", "fight has two sides, attack and defence"),
    ("fight\nside Arn: dice 40\nwinner: defence", "the rule rolls"),
    ("fight\nside Arn: dice 4, dice 5\nside Bryn: dice 7\nwinner: Arn", "nothing calls for this die"),
    ("duel\nside A: die d6, dice 3, dice 5\nside B: die d8, dice 4, dice 2\nwinner: B", "round 1 is the last"),
    ("duel\nside A: die d6, dice 3\nside B: die d8, dice 3\nwinner: none", "round 1 is not the last"),
    ("duel\nside A: die d6, dice 3, dice 7\nside B: die d8, dice 3, dice 4\nwinner: B", 'no first.check die shows "7"'),
    ("trial\nside A: dice 1 2, rerolled luck 3 -> 4\nside B: dice 2 2\nwinner: A", "no die that may be rerolled"),
    (
        "trial\nside A: dice 1 2, rerolled lack 2 -> 4\nside B: dice 2 2\nwinner: A",
        '"lack 2 -> 4" does not say which die is rerolled',
    ),
    ("race\nside A: die d4, total 9\nside B: die d8, dice 6\nwinner: A", "no roll gives first.total 9"),
    ("race\nside A: total 9\nside B: die d8, dice 9\nwinner: A", 'no second.check die shows "9"'),
    ("trial\nside A: tries 0, dice 5 3 1\nside B: total 7\nwinner: A", "die"),
    ("trial\nside A: tries 0, dice 5 3\nside B: tries 0, total 9\nwinner: A", "the rules give winner B"),
]


def write(folder: Path, lines: str, kind: str = "example") -> Path:
    folder.joinpath("game.toml").write_text(GAME)
    folder.joinpath("page.md").write_text(f"# Fights\n\n```{kind}\nrule: {lines.strip()}\n```\n")
    return folder


def check(folder: Path, lines: str, kind: str = "example") -> int:
    return main(["check", str(write(folder, lines, kind))])


@pytest.mark.parametrize("lines", RIGHT)
def test_sides_are_rolls(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str) -> None:
    assert check(tmp_path, lines) == 0, capsys.readouterr().out


@pytest.mark.parametrize(("lines", "message"), WRONG)
def test_mistakes(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str) -> None:
    assert check(tmp_path, lines) == 1
    assert message in capsys.readouterr().out


def test_a_mistake_in_a_later_round_has_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(tmp_path, "duel\nside A: die d6, dice 3, dice 7\nside B: die d8, dice 3, dice 4\nwinner: B")
    assert "page.md:5:30: error" in capsys.readouterr().out


def test_a_card_calls_the_sides_by_their_names(tmp_path: Path) -> None:
    folder = write(tmp_path, RIGHT[1])
    card = render_card(compile_book([folder], folder).blocks[0], read_words("en"))
    text = " ".join(re.sub(r"<[^>]+>", " ", card).split())
    assert "Ann wins" in text
    assert "Ann: die d6" not in text  # the lone first die is d6
    assert "d8 Bo: die" in text
    assert "Ann 36 · Bo 64" in text
    assert "|Ann: total − Bo: total| → |5 − 2| → 3" in text
    assert "Written here" not in text
    assert not re.search(r"\b(first|second)\b", text)


def race(one: int, other: int) -> dict[str, Fraction]:
    """What rolls of dice with these numbers of sides come to, counted."""
    pairs = list(product(range(1, one + 1), range(1, other + 1)))
    first = sum(a > b + 2 for a, b in pairs)
    second = sum(a < b for a, b in pairs)
    counts = {"first": first, "second": second, "none": len(pairs) - first - second}
    return {name: Fraction(count, len(pairs)) for name, count in counts.items()}


@pytest.mark.parametrize(("one", "other"), [(4, 4), (6, 8), (8, 4)])
def test_chances_are_those_of_counting(one: int, other: int) -> None:
    game, problems = load_game_text(GAME)
    assert game, problems
    inputs = {"first.die": str(one), "second.die": str(other)}
    odds = {name: compute_odds(game.rules[name], inputs)[0] for name in ("race", "duel", "plain")}
    assert isinstance(odds["race"], Odds)
    assert isinstance(odds["duel"], Odds)
    assert isinstance(odds["plain"], ContestOdds)
    assert {name: chance.exact for name, chance in odds["race"].chances.items()} == race(one, other)
    assert odds["duel"].chances == odds["plain"].chances
    margins = [abs(a - b) for a, b in product(range(1, one + 1), range(1, other + 1)) if a != b]
    assert odds["duel"].mean("margin") == Fraction(sum(margins), len(margins))
    assert odds["duel"].mean("round") == Fraction(one * other, len(margins))


CLAIMS = "duel\nchance(first; first.die d6, second.die d8) = 5/14\nmean(margin; first.die d6, second.die d8) = 59/21"


def test_claims_and_links_name_the_sides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(tmp_path, CLAIMS, "claim") == 0, capsys.readouterr().out
    page = tmp_path / "page.md"
    page.write_text("# P\n\n[36 %](chance:first?rule=duel&first.die=6&second.die=8) [roll](roll:duel?first.die=6)\n")
    assert main(["check", str(tmp_path)]) == 0, capsys.readouterr().out


def test_json_of_a_block_has_the_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(write(tmp_path, RIGHT[0])), "--format", "json"]) == 0
    (block,) = json.loads(capsys.readouterr().out)["blocks"]
    assert [step["result"]["winner"] for step in block["steps"]] == ["Arn", "none", "Arn"]


def test_json_has_the_winner(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, RIGHT[0])
    game = PublicGame.load(tmp_path / "game.toml")
    dice = {(5, 70): "attack", (3, 2): "none", (70, 5): "defence"}
    for (one, other), winner in dice.items():
        found = game.roll("fight", inputs={"attack.skill": 60}, dice=f"{one} {other}").to_dict()
        assert found["winner"] == winner
    capsys.readouterr()
    name = f"{tmp_path}/duel"
    assert main(["roll", name, "first.die=6", "second.die=8", "--seed", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["winner"] == found["result"]["outcome"]


@pytest.mark.parametrize("name", ["duel", "race"])
def test_both_engines_agree(name: str) -> None:
    game, _ = load_game_text(GAME)
    assert game
    question, expected = odds_case(game.rules[name], {"first.die": "6", "second.die": "8"}, "")
    (answer,) = shared_engine().ask(game, name, [question])
    assert find_odds_differences(expected["odds"], answer["odds"]) == []
    for question, expected in questions(game.rules[name], Random(5), 20):
        (answer,) = shared_engine().ask(game, name, [question])
        assert answer == expected


def test_a_contest_may_roll_more_and_names_must_differ() -> None:
    own = GAME + '[rules.duel.rolls.omen]\nrule = "skill"\n'
    game, problems = load_game_text(own)
    assert game, problems
    assert [roll.name for roll in game.rules["duel"].rolls] == ["omen", "first", "second"]
    times = "[rules.war.rolls]\nhero = { rule = 'check', times = 2 }\nhero_1 = { rule = 'skill' }\n"
    _, problems = load_game_text(GAME + times + "[rules.war.steps]\nbest = 'highest(hero: total) + hero_1.level'\n")
    assert [problem.code for problem in problems if "hero_1 and hero have a name in common" in problem.message] == [
        "roll"
    ]

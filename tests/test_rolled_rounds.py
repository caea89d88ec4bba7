"""A rule rolls rules with rounds, and contests: records, choices, chances against counting, both engines, cards."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine_cases import odds_case, questions
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text
from rulewright.render.cards.card import render_card
from rulewright.render.strings import read_words

GAME = """
title = "Rounds"
[rules.dying]
carry = { good = "good_now", bad = "bad_now" }
until = "sum(d20) = 20 or good_now = 3 or bad_now >= 3"
most  = 5
[rules.dying.inputs]
good = { min = 0, max = 2, default = 0 }
bad  = { min = 0, max = 2, default = 0 }
[rules.dying.dice]
d20 = { sides = 20 }
[rules.dying.steps]
good_now = "good + (sum(d20) >= 10)"
bad_now  = "bad + if(sum(d20) = 1, 2, sum(d20) < 10)"
[rules.dying.outcomes]
up     = { when = "sum(d20) = 20" }
stable = { when = "good_now = 3" }
dead   = {}

[rules.party.inputs]
bad = { min = 0, max = 2, default = 0 }
[rules.party.dice]
d20 = { sides = 20 }
[rules.party.rolls]
hero = { rule = "dying", when = "sum(d20) < 15" }
[rules.party.steps]
long = "hero.round > 3"
[rules.party.outcomes]
unhurt = { when = "hero.outcome = 'none'" }
well   = { when = "hero.outcome != 'dead'", degree = "hero.round" }
grief  = {}

[rules.pig]
carry = { held = "min(score, 20)" }
until = "bust or stop"
most  = "turns"
aim   = "mean(score)"
[rules.pig.inputs]
turns = { min = 1, max = 3, default = 3 }
held  = { min = 0, max = 20, default = 0 }
stop  = { flag = true, asked = "not bust" }
[rules.pig.dice]
d6 = { sides = 6 }
[rules.pig.steps]
bust  = "sum(d6) = 1"
score = "if(bust, 0, held + sum(d6))"
[rules.evening.inputs]
turns = { min = 1, max = 3, default = 3 }
[rules.evening.rolls]
game = { rule = "pig" }
[rules.evening.steps]
coins = "2 * game.score"

[rules.check.inputs]
die = { label = "Die", die = [4, 6, 8], default = "d6" }
[rules.check.dice]
check = { sides = "die" }
[rules.check.steps]
total = "sum(check)"
[rules.plain]
contest = { of = "check", compare = "total", ties = "none" }
[rules.bouts.rolls]
bout = { rule = "plain", times = 2 }
[rules.bouts.outcomes]
first  = { when = "count(bout: outcome = 'first') > count(bout: outcome = 'second')" }
second = { when = "count(bout: outcome = 'first') < count(bout: outcome = 'second')" }
none   = {}
[rules.longer]
contest = { of = "check", compare = "total", ties = "again" }
most = 3
[rules.war.rolls]
clash = { rule = "longer" }
[rules.war.steps]
lead = "clash.first.total - clash.second.total"
[rules.war.outcomes]
won  = { when = "clash.outcome = 'first'", degree = "lead" }
lost = { when = "clash.outcome = 'second'" }
open = {}
"""
RIGHT = (
    "party\ndice: 14\nhero.dice: 12; 4; 20\noutcome: well\ndegree: 3\nlong: no\nhero.good_now: 2",
    "party\nbad: 1\ndice: 1\nhero.dice: 12; 4; 19; 2\noutcome: grief\nhero.round: 4\nhero.bad_now: 3",
    "party\ndice: 15\noutcome: unhurt\nhero.round: 0\nhero.good_now: 0",
    "party\ndice: d20 14 | hero_1.d20 12 | hero_2.d20 20\noutcome: well\ndegree: 2",
    "evening\ngame.dice: 4; 6; 5\ngame.stop: no; no; yes\ncoins: 30",
    "evening\ngame.dice: 4; 6\ngame.stop: no; yes\ncoins: 20\n\ninstead:\ngame.dice: 4; 1\ngame.stop: no\ncoins: 0",
    "bouts\nbout.dice: 3 4; 5 2\noutcome: none",
    "war\nclash.dice: 3 3; 5 2\noutcome: won\ndegree: 3\nclash.round: 2",
    "war\nclash.dice: 3 3; 5 5; 1 1\noutcome: open",
)
WRONG = (
    ("party\ndice: 14\nhero.dice: 12; 4; 20; 3\noutcome: well", "nothing calls for this die", "6:23"),
    (
        "party\ndice: 14\nhero.dice: 12; 4\noutcome: well",
        "the rule rolls 1 hero_3.d20 die, but none is written",
        "6:17",
    ),
    ("party\ndice: 14\nhero.dice: 12; 21\noutcome: well", 'no hero_2.d20 die shows "21"', "6:16"),
    ("party\ndice: 15\nhero.dice: 12\noutcome: unhurt", "nothing calls for this die", "6:12"),
    ("war\nclash.dice: 3 3; 5 5; 1 1; 2 3\noutcome: open", "nothing calls for these 2 dice", "5:28"),
)


def own_game() -> Game:
    found, problems = load_game_text(GAME)
    assert found, problems
    return found


def odds_of(name: str, inputs: Mapping[str, str]) -> Odds:
    odds, problems = compute_odds(own_game().rules[name], inputs)
    assert isinstance(odds, Odds), problems
    return odds


def check(folder: Path, lines: str) -> int:
    folder.joinpath("game.toml").write_text(GAME)
    folder.joinpath("page.md").write_text(f"# Page\n\n```example\nrule: {lines}\n```\n")
    return main(["check", str(folder)])


@pytest.mark.parametrize("lines", RIGHT)
def test_right(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str) -> None:
    assert check(tmp_path, lines) == 0, capsys.readouterr().out


@pytest.mark.parametrize(("lines", "message", "place"), WRONG)
def test_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str, message: str, place: str) -> None:
    assert check(tmp_path, lines) == 1
    said = capsys.readouterr().out
    assert message in said
    assert f"page.md:{place}: error" in said


@cache
def dying(good: int, bad: int) -> dict[tuple[str, int], Fraction]:
    """How it ends from here, and after how many more rounds."""
    found = defaultdict[tuple[str, int], Fraction](Fraction)
    for face in range(1, 21):
        good_now, bad_now = good + (face >= 10), bad + (2 if face == 1 else face < 10)
        end = "up" if face == 20 else "stable" if good_now == 3 else "dead" if bad_now >= 3 else ""
        rest = {(end, 0): Fraction(1)} if end else dying(good_now, bad_now)
        for (name, rounds), chance in rest.items():
            found[name, rounds + 1] += chance / 20
    return dict(found)


@pytest.mark.parametrize("bad", [0, 2])
def test_rounds_are_counted(bad: int) -> None:
    odds, ends, hurt = odds_of("party", {"bad": str(bad)}), dying(0, bad), Fraction(14, 20)
    assert odds.chances["unhurt"].exact == 1 - hurt
    assert odds.chances["grief"].exact == hurt * sum(chance for (name, _), chance in ends.items() if name == "dead")
    assert odds.mean("hero.round") == hurt * sum(rounds * chance for (_, rounds), chance in ends.items())
    assert odds.mean("long") == hurt * sum(chance for (_, rounds), chance in ends.items() if rounds > 3)
    alone = odds_of("dying", {"bad": str(bad)})
    assert alone.chances["dead"].exact == sum(chance for (name, _), chance in ends.items() if name == "dead")


@cache
def best_score(held: int, turns: int) -> Fraction:
    """The mean of the best plan that sees each die."""
    total = Fraction(0)
    for own in range(held + 2, held + 7):
        total += max(Fraction(own), best_score(own, turns - 1) if turns > 1 else Fraction(0))
    return total / 6


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_choices_in_rounds_follow_the_aim_of_their_rule(turns: int) -> None:
    odds = odds_of("evening", {"turns": str(turns)})
    assert odds.mean("coins") == 2 * best_score(0, turns)
    assert odds_of("pig", {"turns": str(turns)}).mean("score") == best_score(0, turns)


def test_contests_are_counted() -> None:
    pairs = list(product(range(1, 7), repeat=2))
    tie = Fraction(1, 6)
    odds = odds_of("war", {})
    assert odds.chances["open"].exact == tie**3
    assert odds.chances["won"].exact == (1 - tie**3) / 2
    margin = Fraction(sum(a - b for a, b in pairs if a > b), 36)
    assert odds.mean("lead") == 0
    assert odds.mean_degree("won") == margin * (1 + tie + tie**2)
    wins = Counter((a > b) - (a < b) for a, b in pairs)
    twice = Counter[int]()
    for (one, n), (other, m) in product(wins.items(), repeat=2):
        twice[one + other] += n * m
    first = sum(weight for lead, weight in twice.items() if lead > 0)
    assert odds_of("bouts", {}).chances["first"].exact == Fraction(first, 36**2)


def test_both_engines_agree() -> None:
    own = own_game()
    for name in ("party", "evening", "bouts", "war"):
        pairs = [*questions(own.rules[name], Random(11), 25)]
        answers = shared_engine().ask(own, name, [question for question, _ in pairs])
        for (question, expected), answer in zip(pairs, answers, strict=True):
            assert answer == expected, question
        question, expected = odds_case(own.rules[name], {}, "")
        (answer,) = shared_engine().ask(own, name, [question])
        assert expected["odds"]
        assert find_odds_differences(expected["odds"], answer["odds"]) == []


def text_of(folder: Path, lines: str, kind: str = "example") -> str:
    check(folder, lines)
    page = folder / "page.md"
    page.write_text(page.read_text().replace("```example", f"```{kind}"))
    card = render_card(compile_book([folder], folder).blocks[0], read_words("en"))
    return " ".join(re.sub(r"<[^>]+>", " ", card).split())


def test_rounds_unfold_below_their_roll(tmp_path: Path) -> None:
    text = text_of(tmp_path, RIGHT[1])
    assert "hero dead hero 1 12 → good now 1, bad now 1" in text
    assert "hero 4 2 → good now 2, bad now 3" in text
    assert "hero 5" not in text
    assert "Hero: Good" not in text


def test_a_rule_says_how_often(tmp_path: Path) -> None:
    text = text_of(tmp_path, "party", "rule")
    assert "Make the hero roll, round after round, at most 5 of them." in text


@pytest.mark.parametrize(
    "change", [("most  = 5\n", "", "go on for ever"), ("most  = 5", "most = 21", "have more than 20 rounds in all")]
)
def test_a_limit_is_needed(change: tuple[str, str, str]) -> None:
    old, new, fact = change
    found, problems = load_game_text(GAME.replace(old, new))
    assert not found or problems
    (problem,) = (one for one in problems if one.severity == "error")
    assert problem.code == "roll"
    assert problem.message.startswith(f'"dying" may {fact}, and here another rule rolls it; write most = ')
    assert problem.message.endswith(" in the rule dying")


CLIMBS = """
title = "Climbs"
[rules.skill.inputs]
bonus = { min = 0, max = 5, default = 0 }
[rules.skill.dice]
d6 = { sides = 6 }
[rules.skill.steps]
total = "sum(d6) + bonus"
[rules.climb]
carry = { height = "now" }
until = "now >= 8"
most = 3
[rules.climb.inputs]
height = { min = 0, max = 30, default = 0 }
bonus  = { min = 0, max = 5, default = 0 }
[rules.climb.rolls]
try = { rule = "skill" }
[rules.climb.steps]
now = "height + try.total"
[rules.climb.outcomes]
top = { when = "now >= 8", degree = "now - 8" }
stuck = {}
[rules.team.inputs]
bonus = { min = 0, max = 5, default = 0 }
size  = { min = 1, max = 2, default = 2 }
[rules.team.rolls]
one = { rule = "climb", times = "size", with = { height = "2" } }
[rules.team.steps]
tops    = "count(one: outcome = 'top')"
longest = "highest(one: round)"
[rules.days]
carry = { tired = "min(tired + 1, 3)" }
until = "one.outcome = 'top'"
most = 3
[rules.days.inputs]
tired = { min = 0, max = 3, default = 3 }
[rules.days.rolls]
one = { rule = "climb", with = { bonus = "3 - tired" } }
[rules.days.outcomes]
up = { when = "one.outcome = 'top'", degree = "round" }
no = {}
"""
CLIMBED = (
    "team\none.dice: 2; 1; 1; 6\ntops: 1\nlongest: 3",
    "team\nbonus: 1\none.dice: 4; 1; ; 1; 1; 2\ntops: 2\nlongest: 3",
    "team\nsize: 1\none.dice: 6\ntops: 1\nlongest: 1",
    "days\none.dice: 1; 2; 1; 1; 1; 1; 3; 3; 3\noutcome: up\nround: 3\ndegree: 3",
    "days\none.dice: 1; 2; 1; 6; 2\noutcome: up\nround: 2",
)


@cache
def climb(height: int, bonus: int, rounds: int) -> dict[tuple[bool, int], Fraction]:
    """Whether the top is reached, and after how many rounds."""
    found = defaultdict[tuple[bool, int], Fraction](Fraction)
    for face in range(1, 7):
        now = height + face + bonus
        rest = {(now >= 8, 0): Fraction(1)} if now >= 8 or rounds == 1 else climb(now, bonus, rounds - 1)
        for (is_up, more), chance in rest.items():
            found[is_up, more + 1] += chance / 6
    return dict(found)


@pytest.mark.parametrize("lines", CLIMBED)
def test_each_time_has_a_place_for_each_round(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str) -> None:
    tmp_path.joinpath("game.toml").write_text(CLIMBS)
    tmp_path.joinpath("page.md").write_text(f"# Page\n\n```example\nrule: {lines}\n```\n")
    assert main(["check", str(tmp_path)]) == 0, capsys.readouterr().out


def test_rounds_in_times_and_in_rounds_are_counted() -> None:
    game, problems = load_game_text(CLIMBS)
    assert game, problems
    one, (team, _) = climb(2, 0, 3), compute_odds(game.rules["team"], {})
    assert isinstance(team, Odds)
    top = sum(chance for (is_up, _), chance in one.items() if is_up)
    assert team.distribution("tops").values == {0: (1 - top) ** 2, 1: 2 * top * (1 - top), 2: top**2}
    longest = sum(max(a, b) * first * second for ((_, a), first), ((_, b), second) in product(one.items(), repeat=2))
    assert team.mean("longest") == longest
    up = sum(chance for (is_up, _), chance in climb(0, 0, 3).items() if is_up)
    days, _ = compute_odds(game.rules["days"], {})
    assert isinstance(days, Odds)
    assert days.chances["no"].exact == (1 - up) ** 3
    assert days.mean("round") == 1 + (1 - up) + (1 - up) ** 2


def test_contests_of_rules_with_rounds_and_of_contests() -> None:
    text = GAME + (
        '\n[rules.showdown]\ncontest = { of = "pig", compare = "score", ties = "none" }'
        '\n[rules.strange]\ncontest = { of = "plain", compare = "first.total", ties = "second" }\n'
    )
    game, problems = load_game_text(text)
    assert game, problems
    inputs = {"first.turns": "2", "second.turns": "1"}
    showdown, why = compute_odds(game.rules["showdown"], inputs)
    assert isinstance(showdown, Odds), why
    one = {face: Fraction(1, 6) for face in (0, 2, 3, 4, 5, 6)}
    two = defaultdict[int, Fraction](Fraction)
    for face, chance in one.items():  # to go on is worth more than any first die
        assert not face or best_score(face, 1) > face
        for more in range(1, 7) if face else ():
            two[face + more if more > 1 else 0] += chance / 6
        two[0] += 0 if face else chance
    wins = sum(first * second for (a, first), (b, second) in product(two.items(), one.items()) if a > b)
    assert showdown.chances["first"].exact == wins
    strange, why = compute_odds(game.rules["strange"], {})
    assert isinstance(strange, Odds), why
    assert strange.chances["first"].exact == Fraction(15, 36)

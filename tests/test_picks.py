"""Dice that a player picks, `any N of S`: all plans of small games tried one by one, and both engines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engine_cases import require_same, roll_case
from example_counts import sample
from games import made_game
from js_engine import shared_engine
from result_data import result_data
from rulewright.cli import main
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game_text


class Die(NamedTuple):
    kind: int  # in the order declared
    value: int
    place: int


Chances = dict[Any, Fraction]
Dice = tuple[Die, ...]


def picks(dice: Sequence[Die], most: int) -> Iterator[Dice]:
    """All ways to pick, of equal ones the first: rather more dice, then the first kind, then the lowest."""
    ordered = sorted(dice, key=lambda die: (die.kind, die.value))
    for number in range(min(most, len(dice)), -1, -1):
        yield from combinations(ordered, number)


def best(ways: Iterator[Any], follow: Callable[[Any], tuple[Fraction, Chances]]) -> tuple[Fraction, Chances]:
    """What the best way leads to: its aim and chances."""
    found: tuple[Fraction, Chances] | None = None
    for way in ways:
        own = follow(way)
        if found is None or own[0] > found[0]:
            found = own
    assert found
    return found


def by_chance(ways: Sequence[tuple[Fraction, Chances]]) -> tuple[Fraction, Chances]:
    chances: Chances = {}
    for _, own in ways:
        for key, chance in own.items():
            chances[key] = chances.get(key, Fraction(0)) + chance / len(ways)
    return sum((aim for aim, _ in ways), Fraction(0)) / len(ways), chances


def rolls(*sides: int | Sequence[int]) -> list[Dice]:
    """All rolls of a die of each kind; several of one kind are given as (kind, sides)."""
    kinds = [own if isinstance(own, tuple) else (kind, own) for kind, own in enumerate(sides)]
    faces = product(*(range(1, size + 1) for _, size in kinds))
    return [tuple(Die(kind, face, at) for at, ((kind, _), face) in enumerate(zip(kinds, row))) for row in faces]  # noqa: B905


def total(dice: Sequence[Die]) -> int:
    return sum(die.value for die in dice)


def end(aim: int, *keys: Any) -> tuple[Fraction, Chances]:
    return Fraction(aim), {key: Fraction(1) for key in keys}


def without(dice: Sequence[Die], others: Sequence[Die]) -> Dice:
    return tuple(die for die in dice if die not in others)


# Games, each with its chances by trying all plans

TIES = """
[rules.r]
aim = "mean(flat)"
[rules.r.dice]
a = { count = 2, sides = 4 }
b = { sides = 6 }
[rules.r.steps]
kept = "any 2 of b, a"
flat = "min(sum(kept), 3)"
[rules.r.outcomes]
two  = { when = "count(kept) = 2 and lowest(kept) = 1" }
low  = { when = "highest(kept) < 4" }
high = {}
"""  # many plans are equal: `b` comes first in `of`


def ties() -> Chances:
    def judge(kept: Dice) -> tuple[Fraction, Chances]:
        low, high = min((die.value for die in kept), default=0), max((die.value for die in kept), default=0)
        return end(min(total(kept), 3), "two" if len(kept) == 2 and low == 1 else "low" if high < 4 else "high")

    every = [
        tuple(Die({0: 1, 1: 0}[die.kind], die.value, die.place) for die in dice)
        for dice in rolls((0, 4), (0, 4), (1, 6))
    ]
    return by_chance([best(picks(dice, 2), judge) for dice in every])[1]


WAVES = """
[rules.r]
aim = "chance(win)"
[rules.r.dice]
d4    = { count = 2, sides = 4 }
d6    = { count = 2, sides = 6 }
bonus = { count = "2 - count(kept)", sides = 4 }
[rules.r.steps]
kept  = "any 2 of (highest 3 of d4, d6)"
score = "sum(kept) + 2 * sum(bonus)"
[rules.r.outcomes]
win  = { when = "score >= 9" }
lose = {}
"""


def waves() -> Chances:
    def follow(kept: Dice) -> tuple[Fraction, Chances]:
        ways = []
        for faces in product(range(1, 5), repeat=2 - len(kept)):
            wins = total(kept) + 2 * sum(faces) >= 9
            ways.append(end(wins, "win" if wins else "lose"))
        return by_chance(ways)

    def able(dice: Dice) -> Dice:
        return tuple(sorted(dice, key=lambda die: (-die.value, die.kind, die.place))[:3])

    every = rolls((0, 4), (0, 4), (1, 6), (1, 6))
    return by_chance([best(picks(able(dice), 2), follow) for dice in every])[1]


TWICE = """
[rules.r]
aim = "-mean(gap)"
[rules.r.dice]
d6   = { count = 3, sides = 6 }
luck = { sides = 3 }
[rules.r.steps]
many   = "sum(luck) - 1"
left   = "any (many) of d6"
right  = "any 1 of (d6 without left)"
others = "d6 without left, right"
gap    = "abs(sum(left) - 2 * sum(right)) + sum(others)"
[rules.r.outcomes]
even = { when = "gap = 0" }
near = { when = "gap < 4" }
far  = {}
"""


def twice() -> Chances:
    def judge(left: Dice, right: Dice, dice: Dice) -> tuple[Fraction, Chances]:
        gap = abs(total(left) - 2 * total(right)) + total(without(dice, (*left, *right)))
        return end(-gap, "even" if gap == 0 else "near" if gap < 4 else "far")

    def follow(dice: Dice, left: Dice) -> tuple[Fraction, Chances]:
        return best(picks(without(dice, left), 1), lambda right: judge(left, right, dice))

    found = []
    for *d6, luck in rolls((0, 6), (0, 6), (0, 6), (1, 3)):
        dice = tuple(d6)
        found.append(best(picks(dice, luck.value - 1), partial(follow, dice)))
    return by_chance(found)[1]


ASKED = """
[rules.r]
aim = "mean(score)"
[rules.r.inputs]
double = { flag = true, asked = "sum(kept) > 3" }
[rules.r.dice]
d6 = { count = 2, sides = 6 }
d4 = { sides = 4 }
[rules.r.steps]
kept  = "any 1 of d6"
other = "d6 without kept"
score = "if(double, 2 * sum(kept) - 3 * sum(d4), sum(other) + sum(d4))"
[rules.r.outcomes]
good = { when = "score > 5" }
bad  = {}
"""


def asked() -> Chances:
    def judge(dice: Dice, kept: Dice, double: bool) -> tuple[Fraction, Chances]:
        *d6, d4 = dice
        score = 2 * total(kept) - 3 * d4.value if double else total(without(d6, kept)) + d4.value
        return end(score, "good" if score > 5 else "bad")

    def follow(dice: Dice, kept: Dice) -> tuple[Fraction, Chances]:
        options = [False, True] if total(kept) > 3 else [False]
        return best(iter(options), lambda double: judge(dice, kept, double))

    found = [best(picks(dice[:2], 1), partial(follow, dice)) for dice in rolls((0, 6), (0, 6), (1, 4))]
    return by_chance(found)[1]


ROUNDS = """
[rules.r]
carry = { bank = "total" }
until = "total >= 6 or count(kept) = 0"
most  = 3
aim   = "-mean(missing)"
[rules.r.inputs]
bank = { min = 0, max = 20, default = 0 }
[rules.r.dice]
d4 = { count = 2, sides = 4 }
[rules.r.steps]
kept    = "any 1 of d4"
total   = "bank + sum(kept)"
missing = "abs(6 - total)"
[rules.r.outcomes]
exact = { when = "total = 6" }
over  = { when = "total > 6" }
under = {}
"""


def rounds() -> Chances:
    @cache
    def play(bank: int, number: int) -> Any:
        def follow(kept: Dice) -> tuple[Fraction, Chances]:
            now = bank + total(kept)
            if now >= 6 or not kept or number == 3:
                return end(-abs(6 - now), "exact" if now == 6 else "over" if now > 6 else "under")
            found: tuple[Fraction, Chances] = play(now, number + 1)
            return found

        return by_chance([best(picks(dice, 1), follow) for dice in rolls((0, 4), (0, 4))])

    chances: Chances = play(0, 1)[1]
    return chances


CARDS = """
[rules.r]
aim = "mean(score)"
[rules.r.dice]
cards = { count = 3, deck = { rank = "1..3", suit = ["clubs", "hearts"] } }
[rules.r.steps]
kept  = "any 2 of cards where suit = 'hearts'"
hand  = "any 2 of cards"
score = "sum(hand: rank) * (1 + (count(hand: suit = 'hearts') = 1))"
[rules.r.outcomes]
mixed = { when = "count(hand: suit = 'hearts') = 1" }
plain = {}
""".replace("kept  = \"any 2 of cards where suit = 'hearts'\"\n", "")


def cards() -> Chances:
    deck = [(rank, suit) for rank in range(1, 4) for suit in ("clubs", "hearts")]

    def judge(hand: Sequence[tuple[int, str]]) -> tuple[Fraction, Chances]:
        mixed = sum(suit == "hearts" for _, suit in hand) == 1
        return end(sum(rank for rank, _ in hand) * (1 + mixed), "mixed" if mixed else "plain")

    ways = [
        best((own for size in (2, 1, 0) for own in combinations(three, size)), judge) for three in combinations(deck, 3)
    ]
    return by_chance(ways)[1]


GAMES = {"ties": (TIES, ties), "waves": (WAVES, waves), "twice": (TWICE, twice), "asked": (ASKED, asked),
         "rounds": (ROUNDS, rounds), "cards": (CARDS, cards)}  # fmt: skip


@cache
def load(name: str) -> Game:
    return made_game(GAMES[name][0])


@pytest.mark.parametrize("name", GAMES)
def test_chances_are_those_of_the_best_plan(name: str) -> None:
    odds, complaints = compute_odds(load(name).rules["r"], {})
    assert isinstance(odds, Odds), complaints
    found = {outcome: chance.low for outcome, chance in odds.chances.items()}
    assert {key: value for key, value in found.items() if value} == GAMES[name][1]()


@pytest.mark.parametrize("name", sample(GAMES, 2))
def test_both_engines_agree(name: str) -> None:
    require_same(load(name), "r", {}, rolls=40, seed=name)


@pytest.mark.parametrize("name", GAMES)
def test_a_roll_is_recorded_with_what_was_picked(name: str) -> None:
    """The record and the answers of a roll give the same result again."""
    game, random = load(name), Random(name)
    rule = game.rules["r"]
    for _ in range(10):
        _, answer, result = roll_case(rule, {}, random, True)
        assert result
        asked_for = [entry.name for entry in rule.inputs if entry.is_choice]
        given = {
            own: "; ".join(str(one.setting.values.get(own, "")) for one in result.rounds)
            for own in asked_for
            if any(one.setting.values.get(own) is not None for one in result.rounds)
        }
        again, complaints = check_roll(rule, given, result.dice)
        assert again
        assert result_data(again, complaints, True) == answer


RECORDS = [  # what is picked, and what comes of it
    ("d6 4", "d4 2 3 | d6 4 1", "kept 4", ""),
    ("4", "d4 2 3 | d6 4 1", "kept 4", ""),
    ("d4 3, d6 4", "d4 2 3 | d6 4 1", "kept 3 4", ""),
    ("D6 4 d4 3", "d4 2 3 | d6 4 1", "kept 3 4", ""),
    ("2 2", "d4 2 1 | d6 2 4", "kept 2 2", ""),
    ("", "d4 2 3 | d6 4 1", "kept ", ""),
    ("none", "d4 2 3 | d6 4 1", "kept ", ""),
    ("5", "d4 2 3 | d6 4 1", "", "none of the dice to pick from shows 5: there is d4 2 3 d6 4"),
    ("d4 4", "d4 2 3 | d6 4 1", "", "none of the dice to pick from shows 4: there is d4 2 3 d6 4"),
    ("1", "d4 2 3 | d6 4 1", "", "none of the dice to pick from shows 1: there is d4 2 3 d6 4"),
    ("2 3 4", "d4 2 3 | d6 4 1", "", "kept takes 2 at most, not 3"),
    ("3", "d4 2 3 | d6 3 1", "", "d4 and d6 dice show 3; write which one is picked: d4 3"),
    ("4 4", "d4 2 3 | d6 4 1", "", "none of the dice to pick from shows 4: there is d4 2 3 d6 4"),
]


@pytest.mark.parametrize(("picked", "dice", "steps", "message"), RECORDS)
def test_records(picked: str, dice: str, steps: str, message: str) -> None:
    game = load("waves")
    bonus = " | bonus" + " 1" * (2 - len([word for word in picked.replace(",", " ").split() if word.isdigit()]))
    written = dice + (bonus if bonus[-1] == "1" else "")
    result, complaints = check_roll(game.rules["r"], {"kept": picked}, written)
    question = {
        "door": "check",
        "inputs": {"kept": picked},
        "dice": written,
        "whole": True,
        "declined": 0,
        "rerolled": "",
    }
    (answer,) = shared_engine().ask_once(game, "r", [question])
    assert answer == result_data(result, complaints, True)
    assert [complaint.message for complaint in complaints] == [message] * bool(message)
    if not message:
        assert result
        assert f"kept {result.steps['kept']}" == steps


def test_a_record_must_say_which() -> None:
    result, complaints = check_roll(load("twice").rules["r"], {}, "d6 1 2 3 | luck 2")
    assert result
    assert not complaints
    assert (result.outcome, result.steps["many"], result.steps["left"], result.steps["gap"]) == (None, 1, None, None)
    assert result.open_picks == ["left"]
    _, complaints = check_roll(load("waves").rules["r"], {}, "d4 2 3 | d6 4 1")
    assert [complaint.message for complaint in complaints] == ["kept must be given"]


def test_what_nobody_can_pick_from_is_not_asked() -> None:
    text = TIES.replace('"any 2 of b, a"', '"any 2 of (b, a where face > 5)"').replace(
        "sum(kept), 3", "sum(kept) + 1, 3"
    )
    game = made_game(text)
    result, complaints = check_roll(game.rules["r"], {}, "a 1 2 | b 3")
    assert result
    assert (complaints, result.steps["kept"], result.outcome and result.outcome.name) == ([], "", "low")
    _, complaints = check_roll(game.rules["r"], {"kept": "3"}, "a 1 2 | b 3")
    assert ["kept does not come up here" in complaint.message for complaint in complaints] == [True]


SMALL = """
title = "Picks"
[rules.r]
aim = "mean(two)"
[rules.r.dice]
d6 = {{ count = 3, sides = 6 }}
[rules.r.steps]
one = {}
two = "2"
"""
WRONG = [  # a step, and what is said
    ('"sum(any 2 of d6)"', "dice that a player picks are a step of their own"),
    ('"d6 without any 1 of d6"', "dice that a player picks are a step of their own"),
    ('"any 2 of d8"', 'there is no kind of dice "d8" here'),
    ('"any of d6"', "`of` and a set of dice are missing here"),
]


@pytest.mark.parametrize(("step", "message"), WRONG)
def test_mistakes(step: str, message: str) -> None:
    text = SMALL.format(step)
    _, problems = load_game_text(text)
    assert any(message in problem.message for problem in problems), problems


def test_a_rule_that_lets_pick_needs_an_aim() -> None:
    text = SMALL.replace('aim = "mean(two)"\n', "").format('"any 1 of d6"')
    _, problems = load_game_text(text)
    assert ["lets players choose `one`" in problem.message for problem in problems] == [True]
    _, problems = load_game_text(SMALL.replace("mean(two)", "always").format('"any 1 of d6"'))
    assert ["`always` cannot say which dice one takes" in problem.message for problem in problems] == [True]


CONTEST = """
title = "Duel"
[rules.r]
aim = "mean(total)"
[rules.r.dice]
d6 = { count = 2, sides = 6 }
[rules.r.steps]
kept  = "any 1 of d6"
total = "sum(kept)"
even  = "rest(total / 2) = 0"
[rules.r.outcomes]
low  = { when = "total < 3" }
high = {}
[rules.duel]
contest = { of = "r", compare = "total", ties = "none" }
"""


def test_each_side_may_have_its_own_aim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, problems = load_game_text(CONTEST)
    assert game, problems
    duel = game.rules["duel"]
    high = Counter(max(dice) for dice in product(range(1, 7), repeat=2))
    low = Counter({0: 36})  # nothing is picked
    for aim, second in {"": high, "-mean(total)": low, "chance(low)": None, "mean(even)": None}.items():
        inputs = {"second.aim": aim} if aim else {}
        odds, complaints = compute_odds(duel, inputs)
        assert odds, complaints
        if second:
            more = sum(high[a] * second[b] for a in high for b in second if a > b)
            assert odds.chances["first"].low == Fraction(more, 36 * 36)
        question = {"door": "odds", "inputs": inputs, "aim": "", "whole": False}
        (answer,) = shared_engine().ask_once(game, "duel", [question])
        assert answer["odds"]["chances"]["first"] == pytest.approx(float(odds.chances["first"].low))
    tmp_path.joinpath("game.toml").write_text(CONTEST)
    claims = "chance(first; second.aim -mean(total)) = 1\nchance(first; first.aim mean(total)) ~ 0.39"
    page = f"# Duel\n\n```claim\nrule: duel\n{claims}\n```\n"
    tmp_path.joinpath("page.md").write_text(page)
    assert main(["check", str(tmp_path)]) == 0, capsys.readouterr().out
    tmp_path.joinpath("page.md").write_text(page.replace("-mean(total)", "-mean(all)"))
    assert main(["check", str(tmp_path)]) == 1
    assert 'second.aim cannot be "-mean(all)"; ' in capsys.readouterr().out
    with chdir(tmp_path):
        assert main(["odds", "duel", "second.aim=-mean(total)", "--json"]) == 0
        assert '"exact": "1"' in capsys.readouterr().out
        assert main(["roll", "duel", "second.aim=-mean(total)", "--seed", "1"]) == 0
        assert main(["roll", "duel", "second.aim=-mean(all)"]) == 2


def test_the_command_takes_and_tells_what_is_picked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.joinpath("game.toml").write_text(CONTEST)
    with chdir(tmp_path):
        assert main(["roll", "r", "dice=5 3", "kept=3"]) == 0
        assert re.search(r"kept +any 1 of d6 → 3\n +total +sum\(kept\) → 3", capsys.readouterr().out)
        assert main(["roll", "r", "dice=5 3"]) == 0
        assert 'kept is to be chosen here: write kept="5"' in capsys.readouterr().out
        assert main(["roll", "r", "--seed", "1"]) == 0
        assert "\n  kept: " in capsys.readouterr().out
        assert main(["roll", "duel", "--seed", "1"]) == 0
        assert re.search(r"side first: kept \d, dice \d \d", capsys.readouterr().out)
        assert main(["odds", "r", "kept=3"]) == 1
        assert "kept says which dice are picked; for odds leave it out" in capsys.readouterr().err


def test_editions_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = "# Rolls\n\n```example\nrule: r\ndice: 2 5\nkept: 2\noutcome: low\n```\n"
    for name, text in (("old", CONTEST), ("new", CONTEST.replace("total < 3", "total < 2"))):
        tmp_path.joinpath(name).mkdir()
        tmp_path.joinpath(name, "game.toml").write_text(text)
        tmp_path.joinpath(name, "page.md").write_text(page)
    assert main(["diff", str(tmp_path / "old"), str(tmp_path / "new")]) == 0
    said = capsys.readouterr().out
    assert "low → high" in said
    assert "examples 1 of 1" in said

"""A rule rolls rules whose dice earn dice: records of each roll, chances against counting, both engines."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

from engine_cases import odds_case, questions
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.cli import main
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

GAME = """
title = "Earned"
[rules.action.inputs]
pool      = { min = 1, max = 9 }
specialty = { flag = true, default = false }
[rules.action.dice]
regular = { count = "pool", sides = 6, tests = { good = "face >= 5" }, again = { \
    when = "face = 6 and specialty", roll = "bonus", count = 2 } }
bonus   = { count = 0, sides = 4, tests = { good = "face >= 3" }, again = { when = "face = 4", roll = "more" } }
more    = { count = 0, sides = 4, tests = { good = "face >= 3" } }
[rules.action.steps]
hits = "count(regular: good) + count(bonus: good) + count(more: good)"
[rules.action.outcomes]
success = { when = "hits > 1", degree = "hits" }
failure = {}

[rules.late.dice]
basic = { count = 2, sides = 4 }
extra = { count = 0, sides = 6 }
[rules.late.again]
when = "face = 4"
roll = "extra"
[rules.late.steps]
total = "sum(basic, extra)"

[rules.duel]
contest = { of = "action", compare = "hits", ties = "first" }
[rules.duel.steps]
margin = "first.hits - second.hits"

[rules.rally.inputs]
many = { min = 0, max = 2 }
[rules.rally.rolls]
try = { rule = "action", times = "many", with = { specialty = "1" } }
[rules.rally.steps]
best = "highest(try: hits)"

[rules.twice.rolls]
one   = { rule = "late" }
other = { rule = "late", when = "one.total < 6" }
[rules.twice.steps]
sum_of_both = "one.total + other.total"
"""

RIGHT = (
    (
        "duel\nside Ann: pool 2, specialty, dice 6 3 | 4 1 | 3\nside Bo: pool 2, specialty, dice 6 6 1 2 4 3 1\n"
        "winner: Bo\nmargin: -1"
    ),
    "rally\nmany: 2\ntry.pool: 2\ntry.dice: 6 3 | bonus 4 1 | more 3; 6 2 4 1 1\nbest: 3",
    (
        "rally\nmany: 2\ntry.pool: 2\nbest: 3\n"
        "dice: try_1.regular 6 3 try_2.regular 6 2 | try_1.bonus 4 1 try_2.bonus 4 1 | try_1.more 3 try_2.more 1"
    ),
    "twice\none.dice: 4 1 | 3\nsum_of_both: 8",
    "twice\none.dice: 1 4 extra 0\nwrong: no such face\nsum_of_both: 5",
    "twice\none.dice: 2 3\nother.dice: 4 4 | 6 1\nsum_of_both: 20",
)
WRONG = (  # a record, what is said, and where
    ("6 3 | bonus 4 1 | more 3; 6 2 4 1", "the dice before earn 1 try_2.more die, but none is written here", 44),
    ("6 3 | bonus 4 5 | more 3; 6 2 4 1 1", 'no try_1.bonus die shows "5"', 25),
    ("6 3 | bonus 4 3 | more 3; 6 2 4 1 1 3", "nothing calls for this die", 47),
    ("6 | bonus 4 3 | more 3; 6 2 4 1 1", "but only 1 is written before this bar", 13),
)


def own_game() -> Game:
    found, problems = load_game_text(GAME)
    assert found, problems
    return found


def check(folder: Path, lines: str) -> int:
    folder.joinpath("game.toml").write_text(GAME)
    folder.joinpath("page.md").write_text(f"# Page\n\n```example\nrule: {lines}\n```\n")
    return main(["check", str(folder)])


@pytest.mark.parametrize("lines", RIGHT)
def test_right(tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: str) -> None:
    assert check(tmp_path, lines) == 0, capsys.readouterr().out


@pytest.mark.parametrize(("dice", "message", "place"), WRONG)
def test_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str], dice: str, message: str, place: int) -> None:
    assert check(tmp_path, f"rally\nmany: 2\ntry.pool: 2\ntry.dice: {dice}\nbest: 3") == 1
    said = capsys.readouterr().out
    assert message in said
    assert f"page.md:7:{place}: error" in said


def bonus_hits() -> Counter[int]:
    """The hits of one bonus die with what it earns, in 16 equal parts."""
    found = Counter[int]()
    for face, more in product(range(1, 5), repeat=2):
        found[(face >= 3) + (face == 4 and more >= 3)] += 1
    return found


def hits(pool: int, has_specialty: bool) -> Counter[int]:
    """The hits of a pool, in equal parts."""
    bonus, found = bonus_hits(), Counter({0: 1})
    for _ in range(pool):
        one = Counter[int]()
        for face, (first, parts), (second, others) in product(range(1, 7), bonus.items(), bonus.items()):
            one[(face >= 5) + (first + second if face == 6 and has_specialty else 0)] += parts * others
        total = Counter[int]()
        for (had, parts), (more, others) in product(found.items(), one.items()):
            total[had + more] += parts * others
        found = total
    return found


@pytest.mark.parametrize(("one", "other"), [((2, True), (2, False)), ((3, True), (3, True)), ((1, False), (2, True))])
def test_a_duel_is_counted(one: tuple[int, bool], other: tuple[int, bool]) -> None:
    inputs = {
        f"{side}.{name}": value
        for side, (pool, flag) in (("first", one), ("second", other))
        for name, value in (("pool", str(pool)), ("specialty", "yes" if flag else "no"))
    }
    odds, problems = compute_odds(own_game().rules["duel"], inputs)
    assert isinstance(odds, Odds), problems
    mine, theirs = hits(*one), hits(*other)
    parts = sum(mine.values()) * sum(theirs.values())
    pairs = [(a - b, n * m) for (a, n), (b, m) in product(mine.items(), theirs.items())]
    assert odds.chances["first"].exact == Fraction(sum(weight for lead, weight in pairs if lead >= 0), parts)
    assert odds.mean("margin") == Fraction(sum(lead * weight for lead, weight in pairs), parts)


def test_several_times_are_counted() -> None:
    odds, problems = compute_odds(own_game().rules["rally"], {"many": "2", "try.pool": "2"})
    assert isinstance(odds, Odds), problems
    one = hits(2, has_specialty=True)
    parts = sum(one.values())
    counts = Counter[int]()
    for (a, n), (b, m) in product(one.items(), repeat=2):
        counts[max(a, b)] += n * m
    assert odds.distribution("best").values == {value: Fraction(own, parts**2) for value, own in counts.items()}


def test_dice_that_the_rule_earns_are_counted() -> None:
    one = dict[int, Fraction]()
    for basic in product(range(1, 5), repeat=2):
        earned = list(product(range(1, 7), repeat=basic.count(4)))
        for extra in earned:
            total = sum(basic) + sum(extra)
            one[total] = one.get(total, Fraction(0)) + Fraction(1, 16 * len(earned))
    mean = sum(total * chance for total, chance in one.items())
    again = sum(chance for total, chance in one.items() if total < 6)
    odds, problems = compute_odds(own_game().rules["twice"], {})
    assert isinstance(odds, Odds), problems
    assert odds.mean("sum_of_both") == mean + again * mean


def test_both_engines_agree() -> None:
    own, inputs = own_game(), {"duel": {"first.pool": "2", "second.pool": "3", "first.specialty": "yes"}}
    inputs |= {"rally": {"many": "2", "try.pool": "2"}, "twice": {}}
    for name, texts in inputs.items():
        pairs = [*questions(own.rules[name], Random(11), 25)]
        answers = shared_engine().ask(own, name, [question for question, _ in pairs])
        for (question, expected), answer in zip(pairs, answers, strict=True):
            assert answer == expected, question
        question, expected = odds_case(own.rules[name], texts, "")
        (answer,) = shared_engine().ask(own, name, [question])
        assert expected["odds"]
        assert find_odds_differences(expected["odds"], answer["odds"]) == []

"""Choices during a roll, held to every plan of tiny games, in both engines. The plans use no code of the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exhaustive_plans import Table, TinyGame
from js_engine import shared_engine
from odds_helpers import exact_chance
from rulewright.game.core_json import core_to_json
from rulewright.game.lower import lower_game, lower_rule
from rulewright.game.model import Game
from rulewright.odds.advise import make_player
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.result import check_roll, roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.play.validate import load_game, load_game_text

SCORES: dict[str, Callable[[Table], int]] = {
    "total": sum,
    "-total": lambda table: -sum(table),
    "abs(total - 5)": lambda table: abs(sum(table) - 5),
    "if(total = 4, 7, max(highest(d), highest(more)))": lambda table: 7 if sum(table) == 4 else max(table),
    "3 * (total > 6) - sum(more)": lambda table: 3 * (sum(table) > 6) - sum(table[2:]),
}
PUSH = """\
title = "Tiny"
[rules.roll]
aim = "{aim}"
[rules.roll.inputs]
push = {{ {form}, asked = "{asked}" }}
[rules.roll.dice]
d    = {{ count = 2, sides = {sides} }}
more = {{ count = "{count}", sides = {sides} }}
[rules.roll.steps]
total = "sum(d) + sum(more)"
score = "{score}"
[rules.roll.outcomes]
good = {{ when = "score >= {limit}", degree = "score" }}
bad = {{}}
"""
ASKED: dict[str, Callable[[Table], bool]] = {
    "sum(d) > 0": lambda _table: True,
    "sum(d) < 4": lambda table: sum(table) < 4,
    "count(d: face = 1) = 0": lambda table: 1 not in table,
}


def best_of(sides: int, most: int, asked: Callable[[Table], bool], worth: Callable[[Table], int]) -> Fraction:
    """The most that a player can get who sees two dice and then says how many more are rolled."""

    def mean(table: Table, more: int) -> Fraction:
        ends = [worth((*table, *rest)) for rest in product(range(1, sides + 1), repeat=more)]
        return Fraction(sum(ends), len(ends))

    tables = list(product(range(1, sides + 1), repeat=2))
    every = [max(mean(table, more) for more in range((most if asked(table) else 0) + 1)) for table in tables]
    return sum(every, Fraction(0)) / len(tables)


def odds_of(game: Game, inputs: Mapping[str, Any] | None = None, aim: str = "", rule: str = "roll") -> Odds:
    odds, complaints = compute_odds(game.rules[rule], inputs or {}, aim)
    assert isinstance(odds, Odds), complaints
    return odds


@cache
def text_game(text: str) -> Game:
    game, problems = load_game_text(text)
    assert game, problems
    return game


def compare_engines(game: Game, inputs: Mapping[str, Any] | None = None, aim: str = "", rule: str = "roll") -> None:
    odds = odds_of(game, inputs, aim, rule)
    question = {"door": "odds", "inputs": inputs or {}, "aim": aim}
    answer = shared_engine().ask(game, rule, [question])[0]
    assert answer["odds"], answer
    for name, chance in odds.chances.items():
        assert answer["odds"]["chances"][name] == pytest.approx(float(chance.low), abs=1e-9)
    assert answer["odds"]["aim"] == odds.aim


LIMITED = """\
title = "Spend"
[rules.roll]
aim = "chance(exact)"
[rules.roll.inputs]
spend = {{ min = 0, max = 3, asked = "count(d: face > 2) > 0" }}
[rules.roll.dice]
d = {{ count = 3, sides = 4 }}
[rules.roll.steps]
paid  = "{paid}"
total = "sum(d) - 2 * paid"
[rules.roll.outcomes]
exact = {{ when = "total = 4" }}
other = {{}}
"""


@pytest.mark.parametrize(
    ("paid", "least"), [("min(spend, count(d: face > 2))", 0), ("max(spend, count(d: face = 4))", 1)]
)
def test_a_limit_of_a_question_may_depend_on_dice(paid: str, least: int) -> None:
    """`max` of an input is a number, so `min` and `max` in a formula keep the answer within what the dice allow."""
    game = text_game(LIMITED.format(paid=paid))
    won = 0
    for table in product(range(1, 5), repeat=3):
        high, fours = sum(face > 2 for face in table), table.count(4)
        answers = range(4) if high else range(1)
        spent = [max(answer, fours) if least else min(answer, high) for answer in answers]
        won += any(sum(table) - 2 * one == 4 for one in spent)
    assert exact_chance(odds_of(game).chances["exact"]) == Fraction(won, 64)
    compare_engines(game)
    result, complaints = check_roll(game.rules["roll"], {"spend": "3"}, "4 1 1")
    assert result, complaints
    assert result.steps["paid"] == (3 if least else 1)
    for seed in range(10):
        result, complaints = roll_dice(game.rules["roll"], {}, make_player(game.rules["roll"], RandomGenerator(seed)))
        assert result, complaints


@pytest.mark.parametrize("seed", range(40))
def test_no_answer_is_better(seed: int) -> None:
    random = Random(seed)
    sides, most, limit = random.choice((2, 3, 4)), random.choice((1, 2, 3)), random.randint(-2, 8)
    score, worth = random.choice(list(SCORES.items()))
    asked, arises = random.choice(list(ASKED.items()))
    form, count = ("flag = true", "push") if most == 1 else (f"min = 0, max = {most}", "push")
    text = PUSH.format(aim="mean(score)", form=form, asked=asked, count=count, sides=sides, score=score, limit=limit)
    game = text_game(text)
    assert odds_of(game).mean("score") == best_of(sides, most, arises, worth)
    best_chance = best_of(sides, most, arises, lambda table: int(worth(table) >= limit))
    assert exact_chance(odds_of(game, aim="chance(good)").chances["good"]) == best_chance
    least = -best_of(sides, most, arises, lambda table: -worth(table))
    assert odds_of(game, aim="-mean(score)").mean("score") == least
    for aim in ("", "chance(good)", "-mean(score)", "mean(degree of good)"):
        compare_engines(game, aim=aim)


REROLL = """\
title = "Tiny"
[rules.roll]
aim = "mean(score)"
[rules.roll.dice]
d = {{ count = {dice}, sides = {sides} }}
[[rules.roll.again]]
roll = "reroll"
times = {times}
pick = "any"
keep = "new"
[rules.roll.steps]
score = "{score}"
[rules.roll.outcomes]
good = {{ when = "score > 4" }}
bad = {{}}
"""
REROLL_SCORES: dict[str, Callable[[Table], int]] = {
    "sum(d)": sum,
    "abs(sum(d) - 4)": lambda table: abs(sum(table) - 4),
    "if(highest(d) = lowest(d), 9, highest(d))": lambda table: 9 if max(table) == min(table) else max(table),
    "4 * (count(d: face = 1) = 1) + highest(d)": lambda table: 4 * (table.count(1) == 1) + max(table),
}


def best_reroll(table: Table, sides: int, left: int, pick: str, keep: str, worth: Callable[[Table], int]) -> Fraction:
    """The most that a player can get by rolling dice again, turn after turn."""
    if not left:
        return Fraction(worth(table))
    places = range(len(table))
    chosen = [[place for place in places if bits >> place & 1] for bits in range(2 ** len(table))]
    if pick == "any":
        chosen = [own for own in chosen if len(own) <= 1]
    best = []
    for own in chosen:
        ends = []
        for faces in product(range(1, sides + 1), repeat=len(own)):
            new = list(table)
            for place, face in zip(own, faces, strict=True):
                new[place] = face
            rest = left - 1 if own else 0
            ways = [tuple(new), table] if keep == "better" else [tuple(new)]
            ends.append(max(best_reroll(way, sides, rest, pick, keep, worth) for way in ways))
        best.append(sum(ends, Fraction(0)) / len(ends))
    return max(best)


@pytest.mark.parametrize("seed", range(30))
def test_no_way_to_roll_again_is_better(seed: int) -> None:
    random = Random(seed)
    dice, sides, times = random.choice([(1, 4, 2), (2, 3, 1), (2, 2, 2), (3, 2, 1), (2, 4, 1)])
    pick, keep = random.choice([("some", "new"), ("any", "better"), ("any", "new")])
    score, worth = random.choice(list(REROLL_SCORES.items()))
    game = text_game(REROLL.format(dice=dice, sides=sides, times=times, score=score))
    rule = lower_rule(game.rules["roll"])
    rule = replace(rule, again=(replace(rule.again[0], pick=pick, keep=keep),))
    tables = list(product(range(1, sides + 1), repeat=dice))
    every = [best_reroll(table, sides, times, pick, keep, worth) for table in tables]
    odds, complaints = compute_odds(rule, {})
    assert isinstance(odds, Odds), complaints
    assert odds.mean("score") == sum(every, Fraction(0)) / len(tables)
    core = core_to_json(lower_game(game))
    core["rules"]["roll"]["again"][0] |= {"pick": pick, "keep": keep}
    asked = {"game": core, "name": "once", "rule": "roll", "many": [{"door": "odds", "inputs": {}, "aim": ""}]}
    found = shared_engine().exchange(asked)[0]["odds"]["chances"]
    assert found["good"] == pytest.approx(float(exact_chance(odds.chances["good"])), abs=1e-9)


def test_always_and_never_answer_every_question() -> None:
    text = PUSH.format(
        aim="always", form="flag = true", asked="sum(d) < 4", count="push", sides=2, score="total", limit=4
    )
    plain = TinyGame((1, 2), 2, 0, "new").best(sum)
    asked = TinyGame((1, 2), 2, 0, "new").best(lambda table: int(sum(table) < 4))
    assert odds_of(text_game(text)).mean("total") == plain + asked * Fraction(3, 2)
    assert odds_of(text_game(text), aim="never").mean("total") == plain
    assert odds_of(text_game(text), {"push": "no"}, "always").mean("total") == plain
    for aim in ("", "never", "mean(total)"):
        compare_engines(text_game(text), aim=aim)


def test_choices_of_every_form() -> None:
    game, problems = load_game(Path(__file__).parent / "games_right" / "choices.toml")
    assert game, problems
    for rule in game.rules.values():
        for aim in ("", "mean(total)" if rule.name != "spend" else "chance(good)"):
            compare_engines(game, {}, aim, rule.name)
    spend = odds_of(game, rule="spend", aim="chance(good)")
    assert spend.mean("rank") == 5  # of equal answers the least


def test_rolls_of_both_engines_choose_alike() -> None:
    game, problems = load_game(Path(__file__).parent / "games_right" / "choices.toml")
    assert game, problems
    for rule in game.rules.values():
        for aim in ("", "mean(total)" if rule.name != "spend" else "chance(good)"):
            asked: dict[str, Any] = {"door": "roll", "inputs": {}, "aim": aim}
            answers = shared_engine().ask(game, rule.name, [{**asked, "seed": seed} for seed in range(30)])
            for seed, answer in enumerate(answers):
                player = make_player(rule, RandomGenerator(seed), aim)
                result, complaints = roll_dice(rule, {}, player)
                assert result, complaints
                assert answer["result"]["steps"] == result.steps
                assert answer["result"]["dice"] == result.dice


def test_a_player_pushes_only_where_that_helps() -> None:
    score = "if(total < 7, total, 0)"
    text = PUSH.format(
        aim="mean(score)", form="flag = true", asked="sum(d) > 0", count="push", sides=4, score=score, limit=1
    )
    rule = text_game(text).rules["roll"]
    for seed in range(60):
        result, complaints = roll_dice(rule, {}, make_player(rule, RandomGenerator(seed)))
        assert result, complaints
        shown = sum(die.value for die in result.roll.dice[:2])
        worth = [total if total < 7 else 0 for total in range(shown, shown + 5)]
        assert bool(result.known["push"]) == (sum(worth[1:]) > 4 * worth[0])


STRESS = """\
title = "Stress"
[rules.roll]
aim = "chance(success or panicked success)"
[rules.roll.inputs]
base   = { min = 1, max = 12, default = 4 }
stress = { min = 0, max = 8, default = 1 }
push   = { flag = true, asked = "count(stress: face = 1) = 0" }
[rules.roll.dice]
base   = { count = "base", sides = 6 }
stress = { count = "stress", sides = 6 }
more   = { count = "push", sides = 6 }
[[rules.roll.again]]
roll = "reroll"
times = "push"
pick  = "all"
of = ["base", "stress"]
when  = "face < 6"
keep  = "new"
[rules.roll.steps]
sixes  = "count(base: face = 6) + count(stress: face = 6) + count(more: face = 6)"
afraid = "count(stress: face = 1) + count(more: face = 1) > 0"
[rules.roll.outcomes]
"panicked success" = { when = "sixes > 0 and afraid" }
success = { when = "sixes > 0" }
panic = { when = "afraid" }
failure = {}
"""


def test_a_question_is_asked_of_the_dice_before_they_are_rolled_again() -> None:
    """As Alien has it; the figures are those of tests/mechanics, from plain counting."""
    game = text_game(STRESS)
    assert exact_chance(odds_of(game).chances["success"]) == Fraction(944105, 1417176)
    assert exact_chance(odds_of(game, {"base": 3, "stress": 0}).chances["failure"]) == Fraction(15625, 69984)
    for inputs in ({}, {"base": 3, "stress": 2}, {"base": 1, "stress": 0}):
        compare_engines(game, inputs)
        compare_engines(game, inputs, "-chance(panic)")
    rule = game.rules["roll"]
    answers = shared_engine().ask(game, "roll", [{"door": "roll", "inputs": {}, "seed": n} for n in range(40)])
    for seed, answer in enumerate(answers):
        result, complaints = roll_dice(rule, {}, make_player(rule, RandomGenerator(seed)))
        assert result, complaints
        assert answer["result"]["steps"] == result.steps
        given = {} if "push" in result.unasked_questions else {"push": "yes" if result.known["push"] else "no"}
        again, problems = check_roll(rule, given, result.dice, rerolled=result.rerolled)
        assert again, problems
        assert not problems
        assert again.steps == result.steps


EARLY = """\
title = "Early"
[rules.roll]
{head}
[rules.roll.inputs]
{entry}
[rules.roll.dice]
a = {{ sides = 6 }}
b = {{ sides = 4 }}
c = {{ count = "{count}", sides = 3 }}
[rules.roll.steps]
now = "sum(a) > sum(b)"
s   = "{s}"
"""
PAIRS = list(product(range(1, 7), range(1, 5)))


def test_what_is_decided_early_hides_no_other_value() -> None:
    """A question that arises whatever the second die shows says nothing of the second die."""
    game = text_game(
        EARLY.format(
            head='aim = "mean(s)"', entry='more = { flag = true, asked = "sum(a) + sum(b) >= 5" }', count="more",
            s="sum(a) - sum(b) + 10 * sum(c)",
        )
    )  # fmt: skip
    truth = sum(Fraction(a - b + (20 if a + b >= 5 else 0), len(PAIRS)) for a, b in PAIRS)
    assert odds_of(game).mean("s") == truth == 16
    compare_engines(game)


def test_whether_a_round_is_the_last_hides_no_other_value() -> None:
    head = 'carry = { held = "now" }\nuntil = "sum(a) + sum(b) >= 5"'
    entry = "held = { min = 0, max = 1, default = 0 }"
    game = text_game(EARLY.format(head=head, entry=entry, count="0", s="held + 10 * (sum(a) - sum(b))"))
    last, others = ([pair for pair in PAIRS if (sum(pair) >= 5) == is_last] for is_last in (True, False))
    again = Fraction(len(others), len(PAIRS)) * Fraction(sum(a > b for a, b in others), len(others))
    truth = Fraction(10 * sum(a - b for a, b in last), len(last)) + again
    assert odds_of(game).mean("s") == truth == Fraction(161, 12)
    compare_engines(game)

"""How often a rule is rolled may depend on dice, up to a limit; a word of a roll that is not made is `none`."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from call_counts import hang_guard
from rulewright import Game
from rulewright.play.validate import load_game_text

MISSILES = """
title = "T"
[tables.hits]
columns = ["place"]
ranges = { "..3" = ["leg"], "4.." = ["arm"] }

[rules.missile]
dice.d4 = { sides = 4 }
steps.harm = "sum(d4)"
steps.place = "lookup(hits, harm, place)"
steps.spot = "place"

[rules.volley]
inputs.extra = { min = 0, max = 2, default = 0 }
dice.d3 = { sides = 3 }
dice.more = { count = 2, sides = 6, again = { when = "face = 6", roll = "explode" } }
rolls.shot = { rule = "missile", times = "TIMES" }
rolls.last = { rule = "missile", when = "sum(d3) = 3" }
steps.number = "sum(d3) + extra"
steps.total = "sum(shot: harm)"
steps.arm = "last.spot = 'arm'"
steps.none = "last.place = 'none'"
"""


@pytest.mark.parametrize("times", ["sum(d3)", "number", "min(sum(d3), 3)", "highest(d3)", "sum(d3) + extra - 0"])
def test_as_many_as_the_dice_say(times: str) -> None:
    expected = Counter[int]()
    for number in (1, 2, 3):
        for faces in product(range(1, 5), repeat=number):
            expected[sum(faces)] += 4 ** (3 - number)
    whole = sum(expected.values())  # 3 * 64
    odds = Game.from_text(MISSILES.replace("TIMES", times)).odds("volley")
    assert odds.distribution("total") == {total: Fraction(ways, whole) for total, ways in expected.items()}
    assert odds.mean("arm") == Fraction(1, 12)
    assert odds.mean("none") == Fraction(2, 3)


def test_a_roll_may_ask_the_results_of_the_rolls_above_it() -> None:
    text = MISSILES.replace("TIMES", "2").replace(
        "sum(d3) = 3", "sum(shot: harm) + 0 > 6 and count(shot: harm = 4) = 1"
    )
    assert Game.from_text(text).odds("volley").mean("none") == 1 - Fraction(2, 16)  # 4 and 3, in any order


@pytest.mark.parametrize(("times", "repair"), [("sum(more)", "write min(sum(more), 20)"), ("21", "write fewer")])
def test_without_a_limit(times: str, repair: str) -> None:
    _, problems = load_game_text(MISSILES.replace("TIMES", times))
    message = "a rule is rolled at most 20 times, and this has no such limit; "
    assert [problem.message for problem in problems] == [message + repair]


@pytest.mark.parametrize("count", ["s", "min(s, 2)"])
def test_steps_and_dice_that_wait_for_each_other_are_a_problem(count: str) -> None:
    text = MISSILES.replace("TIMES", "s").replace("sides = 3 }", f'count = "{count}", sides = 3 }}')
    game, problems = load_game_text(text.replace("steps.number", 'steps.s = "sum(d3)"\nsteps.number'))
    assert game is None
    assert problems


def test_bounds_of_shared_steps_are_found_once() -> None:
    chain = "\n".join(f'steps.s{n + 1} = "s{n} + s{n} - s{n}"' for n in range(40))
    text = MISSILES.replace("TIMES", "min(s40, 3)").replace(
        "steps.number", f'steps.s0 = "sum(d3)"\n{chain}\nsteps.number'
    )
    with hang_guard(20):
        load_game_text(text)

"""Functions over sets of results, such as `sum(highest 3 of stat by total: total)`: all rolls are tried one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from engine_cases import require_same
from games import made_game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

GAME = """
title = "Results"
[rules.stat.dice]
d4 = {{ sides = 4 }}
d3 = {{ sides = 3 }}
[rules.stat.steps]
total = "sum(d4) + sum(d3)"
best  = "highest(d4, d3)"
[rules.many.inputs]
times = {{ min = 0, max = 3, default = 3 }}
[rules.many.rolls]
stat = {{ rule = "stat", times = "times" }}
[rules.many.steps]
found = "{}"
"""


class One(NamedTuple):
    total: int
    best: int


Results = Sequence[One]


def top(results: Results, number: int, key: Callable[[One], int]) -> Results:
    """The highest; of equal ones the first."""
    return sorted(results, key=lambda one: -key(one))[:number]


FORMULAS: dict[str, Callable[[Results], int]] = {
    "sum(highest 2 of stat by total: total)": lambda all: sum(one.total for one in top(all, 2, lambda one: one.total)),
    "sum(lowest 2 of stat by total: best)": lambda all: sum(one.best for one in top(all, 2, lambda one: -one.total)),
    "lowest(highest 2 of stat by total + best: total)": lambda all: min(
        (one.total for one in top(all, 2, lambda one: one.total + one.best)), default=0
    ),
    "count(highest 2 of stat by best: total >= 5)": lambda all: sum(
        one.total >= 5 for one in top(all, 2, lambda one: one.best)
    ),
    "count(stat where total > 4)": lambda all: sum(one.total > 4 for one in all),
    "highest(stat where best = 2: total)": lambda all: max((one.total for one in all if one.best == 2), default=0),
    "sum(first 2 of stat: total)": lambda all: sum(one.total for one in all[:2]),
    "sum(highest (times - 1) of stat by total: total)": lambda all: sum(
        one.total for one in top(all, max(len(all) - 1, 0), lambda one: one.total)
    ),
    "sum(highest 1 of (stat where best > 1) by total: best)": lambda all: sum(
        one.best for one in top([one for one in all if one.best > 1], 1, lambda one: one.total)
    ),
    "highest(stat without (highest 1 of stat by total): total)": lambda all: max(
        (one.total for one in sorted(all, key=lambda one: -one.total)[1:]), default=0
    ),
}


@pytest.mark.parametrize("times", [0, 1, 3])
@pytest.mark.parametrize("formula", FORMULAS)
def test_odds_are_those_of_all_rolls(formula: str, times: int) -> None:
    game = made_game(GAME.format(formula))
    rule, chances = game.rules["many"], dict[int, Fraction]()
    every = list(product([One(a + b, max(a, b)) for a in range(1, 5) for b in range(1, 4)], repeat=times))
    for results in every:
        value = int(FORMULAS[formula](results))
        chances[value] = chances.get(value, Fraction(0)) + Fraction(1, len(every))
    odds, complaints = compute_odds(rule, {"times": str(times)})
    assert isinstance(odds, Odds), complaints
    assert odds.distribution("found").values == chances
    require_same(game, "many", {"times": str(times)}, rolls=5)


def test_six_scores() -> None:
    """What six abilities of the best three of four dice each add up to, of these the best three."""
    game = made_game(
        'title = "Scores"\n[rules.stat.dice]\nd6 = { count = 4, sides = 6 }\n[rules.stat.steps]\n'
        'total = "sum(highest 3 of d6)"\n[rules.six.rolls]\nstat = { rule = "stat", times = 6 }\n'
        '[rules.six.steps]\ntop = "sum(highest 3 of stat by total: total)"\n'
    )
    odds, _ = compute_odds(game.rules["six"], {})
    assert isinstance(odds, Odds)
    one = [0] * 19
    for dice in product(range(1, 7), repeat=4):
        one[sum(dice) - min(dice)] += 1
    states: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(6):
        after: dict[tuple[int, ...], int] = {}
        for state, ways in states.items():
            for value in range(3, 19):
                key = tuple(sorted((*state, value), reverse=True)[:3])
                after[key] = after.get(key, 0) + ways * one[value]
        states = after
    assert odds.mean("top") == Fraction(sum(sum(state) * ways for state, ways in states.items()), 6**24)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("sum(highest 2 of stat: total)", "a result has no value of its own; say what is compared, as in `by total`"),
        ("sum(highest 2 of stat by totl: total)", 'there is no step "totl" of stat'),
        ("sum(any 2 of stat: total)", "dice that a player picks are a step of their own"),
    ],
)
def test_mistakes(formula: str, message: str) -> None:
    _, problems = load_game_text(GAME.format(formula))
    assert [message in problem.message for problem in problems] == [True], problems

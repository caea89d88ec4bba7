"""A player who follows an aim: over all faces, choices at the table lead to the exact odds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest

import games
from example_counts import sample
from oracle import enumerate_rule
from rulewright.odds.advise import RerollAdviser, make_player
from rulewright.odds.aims import choose_aims, relevant_aims
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.bound_rule import BoundKind
from rulewright.play.result import Result, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator
from rulewright.play.validate import load_game, load_game_text


class Tape(RandomFaces):
    """Deals faces from a list, and turns the list to the next that has not been dealt."""

    def __init__(self, taking: str, chooser: RerollAdviser) -> None:
        super().__init__(RandomGenerator(0), taking, chooser)
        self.faces: list[tuple[int, int]] = []  # how far each die is turned, and how far it can be
        self.at = 0

    def face(self, ready: BoundKind, _way: str) -> int:
        if self.at == len(self.faces):
            self.faces.append((0, len(ready.faces)))
        self.at += 1
        return ready.faces[self.faces[self.at - 1][0]]

    @property
    def chance(self) -> Fraction:
        return Fraction(1, prod(sides for _, sides in self.faces))

    def turn(self) -> bool:
        """On to the next list; False when all have been dealt."""
        self.at = 0
        while self.faces and self.faces[-1][0] + 1 == self.faces[-1][1]:
            self.faces.pop()
        if self.faces:
            self.faces[-1] = (self.faces[-1][0] + 1, self.faces[-1][1])
        return bool(self.faces)


def every_roll(name: str, inputs: dict[str, str], aim: str) -> list[tuple[Fraction, Result]]:
    """All ways in which the dice can fall, each with its chance."""
    tape, found = Tape("always", RerollAdviser(choose_aims(games.load_shipped_rule(name), aim))), []
    while True:
        result, complaints = roll_dice(games.load_shipped_rule(name), inputs, tape)
        assert result, complaints
        found.append((tape.chance, result))
        if not tape.turn():
            return found


@pytest.mark.parametrize("aim", ["mean(total)", "chance(success)"])
@pytest.mark.parametrize("advantage", ["1", "2", pytest.param("3", marks=pytest.mark.long)])
@pytest.mark.parametrize("difficulty", sample(["5", "9"], 2))
def test_choices_lead_to_the_exact_odds(aim: str, advantage: str, difficulty: str) -> None:
    inputs = {"attribute": "d4", "skill": "d6", "luck": "no", "advantage": advantage, "difficulty": difficulty}
    rolls = every_roll("ingenuity/test", inputs, aim)
    exact, complaints = compute_odds(games.load_shipped_rule("ingenuity/test"), inputs, aim)
    assert isinstance(exact, Odds), complaints
    assert sum(chance for chance, _ in rolls) == 1
    assert sum(chance * result.steps["total"] for chance, result in rolls) == exact.mean("total")
    won = sum(chance for chance, result in rolls if result.outcome and result.outcome.name == "success")
    assert won == exact.chances["success"].exact


def test_the_aims_differ() -> None:
    inputs = {"attribute": "d4", "skill": "d12", "luck": "no", "advantage": "1", "difficulty": "4"}
    means = [
        sum(chance * result.steps["total"] for chance, result in every_roll("ingenuity/test", inputs, aim))
        for aim in ("mean(total)", "chance(success)")
    ]
    assert means[0] > means[1]


def test_dice_that_earn_others_are_worth_more_than_they_show() -> None:
    """A 1 that earns six dice is better left than thrown anew."""
    text = """title = "Earners"
[rules.test.dice]
main = { sides = 2, again = { when = "face = 1", roll = "extra", count = 6 } }
extra = { count = 0, sides = 2 }
[[rules.test.again]]
roll = "reroll"
times = "1"
pick = "any"
keep = "new"
[rules.test.steps]
total = "sum(main) + sum(extra)"
"""
    game, problems = load_game_text(text)
    assert game, problems
    for seed in range(20):
        result, _ = roll_dice(game.rules["test"], {}, make_player(game.rules["test"], RandomGenerator(seed)))
        assert result
        assert [old.value for old, *_ in result.roll.rerolls] in ([], [2])


def test_where_there_is_too_much_to_weigh_up_the_worst_die_is_thrown_anew() -> None:
    text = """title = "Many"
[rules.test.dice]
main = { count = 40, sides = 100 }
[[rules.test.again]]
roll = "reroll"
times = "3"
pick = "any"
keep = "higher"
[rules.test.steps]
total = "sum(main)"
"""
    game, problems = load_game_text(text)
    assert game, problems
    result, complaints = roll_dice(game.rules["test"], {}, make_player(game.rules["test"], RandomGenerator(7)))
    assert result, complaints
    first = result.roll.rerolls[0][0]
    assert first.value == min(face.tries[0][0].face if face.tries else face.value for face in result.roll.dice)


def test_which_aims_a_rule_leaves_open() -> None:
    assert relevant_aims(games.load_shipped_rule("maelstrom/action")) == ()
    assert relevant_aims(games.load_shipped_rule("maelstrom-first-edition/action")) == ("always", "never")
    assert relevant_aims(games.load_shipped_rule("ingenuity/test")) == ("mean(total)", "chance(success)")


FRESH = {2 * throws - 1: Fraction(1, 2**throws) for throws in range(1, 60)}  # a d2 that is thrown on by its 2
NOTHING = Fraction(1, 2**50)
KEPT: dict[str, Callable[[int, int], int]] = {"higher": max, "lower": min, "new": lambda _, new: new}
AIMS: dict[str, Callable[[int], int]] = {
    "much": lambda total: total,
    "little": lambda total: -total,
    "nothing": lambda _: 7,
    "few throws": lambda total: total < 3,
}


def anew(keep: str, old: int) -> list[tuple[int, Fraction]]:
    return [(KEPT[keep](old, new), share) for new, share in FRESH.items()]


def totals(keep: str, aim: str, times: int) -> dict[int, Fraction]:
    """What one such die shows in the end; who gains nothing and loses nothing by it throws anew."""
    stop = {value: Fraction(AIMS[aim](value)) for value in FRESH}
    hopes, turns = stop, list[set[int]]()
    for _ in range(times):
        thrown = {old: sum((share * hopes[new] for new, share in anew(keep, old)), Fraction(0)) for old in FRESH}
        turns.insert(0, {old for old in FRESH if thrown[old] > stop[old] - NOTHING})
        hopes = {old: max(thrown[old], stop[old]) for old in FRESH}
    found = FRESH
    for wanted in turns:
        after = dict.fromkeys(FRESH, Fraction(0))
        for old, chance in found.items():
            for new, share in anew(keep, old) if old in wanted else [(old, Fraction(1))]:
                after[new] += chance * share
        found = after
    return found


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("keep", KEPT)
def test_what_is_equal_is_equal_for_dice_without_end_too(keep: str, aim: str, times: int) -> None:
    """Rare throws are not followed, and must not make a choice look worse than it is."""
    game, problems = load_game(Path(__file__).parent / "games_right" / "endless.toml")
    assert game, problems
    found, _ = compute_odds(game.rules["fate"], {"keep": keep, "aim": aim, "times": str(times)}, "mean(worth)")
    assert isinstance(found, Odds)
    high, spread = found.chances["high"], found.distribution("total")
    slow = totals(keep, aim, times)
    for own, chance in [
        (high.low, sum(slow[value] for value in FRESH if value > 3)),
        *((spread.values[v], slow[v]) for v in (1, 3, 9)),
    ]:
        assert abs(own - chance) < Fraction(1, 10**16)


ALIKE = """title = "Alike"
[rules.test.dice]
red = { sides = 2, again = { when = "face = 1 and throw < 3", roll = "explode" } }
blue = { count = 2, sides = 2, again = { when = "face = 1 and throw < 3", roll = "explode" } }
[[rules.test.again]]
roll = "reroll"
of = "blue"
pick = "any"
keep = "higher"
[[rules.test.again]]
roll = "reroll"
of = ["red", "blue"]
pick = "lowest"
keep = "higher"
[rules.test.steps]
throws = "count(red: face > 0)"
sorted = "count(blue: face = 1)"
much = "sum(red)"
nothing = "0"
"""


@pytest.mark.parametrize("step", ["throws", "sorted", "much"])
def test_of_equally_good_dice_the_same_is_meant_whatever_is_asked(step: str) -> None:
    """Some questions must know which die was thrown first, others need not: a 3 may be two throws or three."""
    game, problems = load_game_text(ALIKE)
    assert game, problems
    slow, (fast, _) = enumerate_rule(ALIKE, "test", {}), compute_odds(game.rules["test"], {})
    assert slow.complete
    assert isinstance(fast, Odds)
    assert fast.mean(step) == slow.mean(lambda end: int(end.value(step)))

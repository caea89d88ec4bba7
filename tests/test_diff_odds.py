"""Chances before and after, beside counting all throws."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rulewright.diff.chances import OddsChange, compare_odds
from rulewright.diff.rule_pairs import GamePair, pair_rules
from rulewright.game.model import Game
from rulewright.play.validate import load_game_text

GAME = """\
title = "Duel"
[rules.strike.inputs]
die   = {{ die = [4, 6, 8] }}
bonus = {{ min = 0, max = 3, default = 0 }}
need  = {{ min = 1, max = 8, default = {need} }}
[rules.strike.dice]
d = {{ sides = "die" }}
[rules.strike.steps]
total = "sum(d) + bonus{more}"
[rules.strike.outcomes]
{extra}hit = {{ when = "total >= need" }}
miss = {{}}
[rules.duel]
contest = {{ of = "strike", compare = "total", ties = "{ties}" }}
"""


def game(need: int = 4, more: str = "", ties: str = "first", extra: str = "") -> Game:
    return read(GAME.format(need=need, more=more, ties=ties, extra=extra))


def read(text: str) -> Game:
    found, problems = load_game_text(text, "game.toml")
    assert found, [one.message for one in problems]
    return found


def changes(old: Game, new: Game) -> dict[str, OddsChange]:
    return {one.pair.new.name: one for one in compare_odds(pair_rules(GamePair("", old, new)))}


def test_nothing_is_worked_out_where_nothing_changed() -> None:
    assert changes(game(), game()) == {}


def hits(die: int, bonus: int, need: int) -> Fraction:
    return Fraction(sum(face + bonus >= need for face in range(1, die + 1)), die)


def test_the_largest_change_is_the_largest() -> None:
    """Of all settings near the usual ones; the other outcome changes as much, the other way round."""
    found = changes(game(), game(more=" - if(die = 4, 1, 0)"))["strike"]
    assert found.largest
    every = {
        (die, bonus, need): (hits(die, bonus, need), hits(die, bonus - (die == 4), need))
        for die, bonus, need in product((4, 6, 8), range(4), (3, 4, 5))
    }
    assert found.largest.size == max(abs(new - old) for old, new in every.values()) == Fraction(1, 4)
    need = int(found.largest.inputs.get("need", 4))
    for cell in found.cells:
        old, new = every[int(cell.row[1:]), int(cell.column), need]
        assert (cell.old, cell.new) in [(old, new), (1 - old, 1 - new)]


def test_an_outcome_that_is_new_never_happened_before() -> None:
    found = changes(game(), game(extra='graze = { when = "sum(d) = 1" }\n'))["strike"]
    assert found.largest
    assert (found.largest.outcome, found.largest.old) in [("graze", 0), ("miss", Fraction(3, 4)), ("hit", 1)]
    assert found.largest.size == Fraction(1, 4)


@pytest.mark.parametrize(
    ("ties", "wins"), [("second", Fraction(15, 36)), ("none", Fraction(15, 36)), ("again", Fraction(1, 2))]
)
def test_contests(ties: str, wins: Fraction) -> None:
    """Of 36 throws of two six-sided dice six are ties, which went to the first side."""
    found = changes(game(), game(ties=ties))["duel"]
    assert found.largest
    assert (found.rows, found.columns, len(found.cells)) == ("first.die", "second.die", 9)
    cell = next(one for one in found.cells if (one.row, one.column) == ("d6", "d6"))
    if found.largest.outcome == "first":
        assert (cell.old, cell.new) == (Fraction(21, 36), wins)
    else:
        assert (found.largest.outcome, cell.old) == ("second", Fraction(15, 36))
        assert cell.new == (Fraction(21, 36) if ties == "second" else Fraction(1, 2))


def test_a_contest_changes_with_the_rule_it_is_made_of() -> None:
    found = changes(game(), game(more=" + if(die = 8, 1, 0)"))["duel"]
    assert found.largest
    assert "d8" in found.largest.inputs.values()


def test_other_inputs_cannot_be_laid_side_by_side() -> None:
    text = GAME.format(need=4, more=" + luck", ties="first", extra="")
    new = read(text.replace("bonus = {", "luck = { min = 1, max = 3 }\nbonus = {"))
    assert {one.why for one in changes(game(), new).values()} == {"inputs"}

"""The text of a roll has the rows of its card: waves, rolls of other rules, rounds, choices, dice rolled again."""

from __future__ import annotations

import pytest

from rulewright import Game
from rulewright.adopt.gallery import read_gallery
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game_text
from rulewright.render.cards.derivation import Derivation, explain_result
from rulewright.render.explanation_text import explain_in_text
from rulewright.render.strings import read_words

ROLLS = {
    "hit-and-damage": ("attack", {}, "d20 9 | damage 6", ""),
    "ability-scores": ("character", {}, " | ".join(f"ability_{n}.d6 1 2 3 {n}" for n in range(1, 7)), ""),
    "push-your-luck": ("turn", {"stop": "no; yes"}, "4; 6", ""),
    "dying": ("dying", {}, "5; 2; 6", ""),
    "push": ("action", {"base": "2", "gear": "1", "pushed": "yes"}, "base 2 6 | gear 3", "base 2 -> 4, gear 3 -> 6"),
    "effect-die": ("test", {"trait": "d8", "skill": "d6"}, "trait 2, skill 4, help 5", ""),
}


def rows_of(name: str) -> tuple[list[tuple[str, str]], list[Derivation]]:
    rule_name, inputs, dice, rerolled = ROLLS[name]
    game, problems = load_game_text(read_gallery()[name].text)
    assert game, problems
    rule = game.rules[rule_name]
    result, complaints = check_roll(rule, inputs, dice.replace(",", " |"), rerolled=rerolled)
    assert result, complaints
    return explain_in_text(rule, result), explain_result(rule, result, read_words("en"), "")


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("hit-and-damage", ["d20: 9", "total: sum(d20) + bonus → 9 + 5 → 14", "damage: 6", "harm: sum(damage) → 6"]),
        ("ability-scores", ["ability 6: 1 2 3 6 → score 11", "  score: sum(highest 3 of 'ability_6.d6') → 11"]),
        ("push-your-luck", ["Round 1: 4: stop no, held 0 → 4", "Round 2: 6: stop yes, held 4 → 10"]),
        ("dying", ["Round 2: 2: steady 1, fading 0 → 1", "  fading_now: fading + (sum(d6) <= 3) → 0 + (2 <= 3) → 1"]),
        ("push", ["rerolled: base 2 → 4, gear 3 → 6"]),
        ("effect-die", ["best: highest 2 of alive by 100 * value - sides → 4 5"]),
    ],
)
def test_rows(name: str, lines: list[str]) -> None:
    found = [f"{row}: {text}" for row, text in rows_of(name)[0]]
    assert [line for line in lines if line not in found] == [], found


@pytest.mark.parametrize("name", ROLLS)
def test_it_has_the_rows_of_the_card(name: str) -> None:
    """The same kinds of rows in the same order; only names and formulas are those of the game file."""
    text, card = rows_of(name)

    def count(rows: list[Derivation]) -> int:
        return sum(1 + count(list(row.inner)) for row in rows)

    assert len(text) == count(card)
    unfolding = [row.name for row in card if row.what in ("dice", "again", "roll", "round")]
    assert unfolding == [row for row, _ in text if row in unfolding and not row.startswith(" ")][: len(unfolding)]


def test_a_roll_of_the_library_is_explained_so() -> None:
    game = Game.from_text(read_gallery()["hit-and-damage"].text)
    lines = game.roll("attack", dice="d20 9 | damage 6").explain().split("\n")
    assert lines[:3] == ["d20 9 | damage 6", "d20: 9", "total: sum(d20) + bonus → 9 + 5 → 14"]
    assert lines[-1].startswith("hit, degree 6")

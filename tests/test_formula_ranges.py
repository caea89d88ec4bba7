"""A word in a formula runs over 100 numbers at most."""

from __future__ import annotations

import pytest

from rulewright.play.validate import load_game_text

TOO_FAR = ["a word runs over 100 numbers at most, and here over more; write min(…, 100)"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1..100", []),
        ("1..101", TOO_FAR),
        ("-50..49", []),
        ("1..n", TOO_FAR),
        ("1..min(n, 100)", []),
        ("1..half", []),
        ("2..n", TOO_FAR),
    ],
)
def test_numbers_of_a_word(text: str, said: list[str]) -> None:
    game = f"""title = "x"
[rules.a]
inputs.n = {{ min = 1, max = 200 }}
dice.d6 = {{ count = 3, sides = 6 }}
steps.half = "down(n / 2)"
steps.worth = "sum(i of {text}: i * count(d6: face = i))"
"""
    _, problems = load_game_text(game)
    assert [problem.message for problem in problems] == said

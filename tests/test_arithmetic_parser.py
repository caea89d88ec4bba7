"""Dice formulas and sums in running text, against what plain counting and Python's own arithmetic make of them."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from itertools import product

import pytest

from rulewright.lint.arithmetic_parser import longest_prefix, longest_suffix, tokenize
from rulewright.lint.average import FORMULA, parse_formula

FORMULAS = [
    "2d6",
    "d8",
    "3d4 + 2",
    "1d6+1d8-1",
    "2d6 plus 1d4",
    "1d10 − 3",
    "2d4 x 5",
    "3W6",
    "d%",
    "1d6 - 1d4",
    "2d3×10",
]
NOTHING = ["2d6 + 3 × 10", "0d6", "1d1"]


def thrown(text: str) -> list[int]:
    """All that a formula can come to, each way of falling once."""
    plain = text.lower().replace("−", "-").replace("plus", "+").replace("×", "*").replace("x", "*").replace("%", "100")
    groups = [(int(count or 1), int(sides)) for count, sides in re.findall("([0-9]*)[dw]([0-9]+)", plain)]
    reckoning = re.sub("[0-9]*[dw][0-9]+", "{}", plain)
    falls = ([sum(fall) for fall in product(range(1, sides + 1), repeat=count)] for count, sides in groups)
    return [int(eval(reckoning.format(*fall))) for fall in product(*falls)]  # noqa: S307  written above


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_against_all_throws(text: str) -> None:
    found, every = parse_formula(text), thrown(text)
    assert FORMULA.fullmatch(text)
    assert found
    assert found.mean == sum(every) / len(every)


@pytest.mark.parametrize("text", NOTHING)
def test_formulas_that_nobody_can_be_sure_of(text: str) -> None:
    assert parse_formula(text) is None


def random_sum(draw: random.Random, depth: int = 2) -> str:
    def part() -> str:
        if depth and draw.random() < 0.2:
            return f"({random_sum(draw, depth - 1)})"
        return str(draw.randint(1, 99))

    signs = (draw.choice(["+", "-", "*", "/"]) for _ in range(draw.randint(1, 4)))
    return part() + "".join(f" {sign} {part()}" for sign in signs)


@pytest.mark.parametrize("seed", range(150))
def test_sums_against_python(seed: int) -> None:
    text = random_sum(random.Random(seed))
    exact = "".join(f"Fraction({one.text})" if one.kind == "number" else one.text for one in tokenize(text))
    try:
        value = eval(exact, {"Fraction": Fraction})  # noqa: S307  made above
    except ZeroDivisionError:
        return
    for before, behind in (("", ""), ("the dice show ", ""), ("", " in the end")):
        end, begin = longest_suffix(tokenize(before + text)), longest_prefix(tokenize(text + behind))
        assert begin is not None
        assert begin[1].value == value
        assert end is not None
        assert end[1].value == value


@pytest.mark.parametrize("text", ["3 + 4, 5", "2d6 + 3", "3 +", "3 + 4)", "3 4", "+", "", "3 // 4", "1 / 0"])
def test_what_is_no_sum_up_to_its_end(text: str) -> None:
    found = longest_suffix(tokenize(text))
    assert found is None or found[1].operands == 1

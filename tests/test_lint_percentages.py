"""Random tables of percentages: rounding and truncation are accepted, a changed figure is reported."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random

import pytest

from rulewright.book.parser import read_page
from rulewright.lint.interface import LintContext
from rulewright.lint.percentages import CHECK
from rulewright.source import Problem, Source


def near(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def figures(random: Random, digits: int, cut: bool, columns: int) -> list[Fraction]:
    """The shares of a random whole, as percentages of so many digits."""
    parts = [random.randint(1, 50) for _ in range(columns)]
    unit = 10**digits
    exact = [Fraction(100 * part * unit, sum(parts)) for part in parts]
    return [Fraction(floor(one) if cut else near(one), unit) for one in exact]


def table(rows: list[list[Fraction]], digits: int, turned: bool) -> str:
    written = [[f"{float(one):.{digits}f}%" for one in row] for row in rows]
    if turned:
        written = [list(column) for column in zip(*written, strict=True)]
    head = "| x |" + "".join(f" c{number} |" for number in range(len(written[0])))
    body = "".join(f"| r{number} | {' | '.join(row)} |\n" for number, row in enumerate(written))
    return f"{head}\n|{'---|' * (len(written[0]) + 1)}\n{body}"


def told(text: str) -> list[Problem]:
    return list(CHECK.check_page(LintContext(read_page(Source("page.md", text)))).problems)


def made(seed: int) -> tuple[Random, list[list[Fraction]], int, bool]:
    random = Random(seed)
    digits, cut = random.randint(0, 2), random.random() < 0.3
    columns = random.randint(2, 5)
    rows = [figures(random, digits, cut, columns) for _ in range(random.randint(5, 9))]
    return random, rows, digits, random.random() < 0.3


@pytest.mark.parametrize("seed", range(60))
def test_rounding_is_no_mistake(seed: int) -> None:
    _, rows, digits, turned = made(seed)
    assert not told(table(rows, digits, turned))


@pytest.mark.parametrize("seed", range(60))
def test_a_changed_figure_is_found(seed: int) -> None:
    """Further off than rounding or cutting off can go, up or down."""
    random, rows, digits, turned = made(seed)
    row, column = random.randrange(len(rows)), random.randrange(len(rows[0]))
    change = Fraction(2 * len(rows[0]) + random.randint(0, 9), 10**digits)
    rows[row][column] += -change if rows[row][column] > change and random.random() < 0.5 else change
    found = told(table(rows, digits, turned))
    assert len(found) == 1
    assert ("column" if turned else "row") in found[0].message
    assert f"{float(sum(rows[row])):g}%" in found[0].message

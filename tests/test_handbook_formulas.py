"""The handbook page "Formulas": every example in its tables is worked out, and no word of the language is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from formula_world import blocks, over_points, played, result_of
from rulewright.game.formula import COMPARISONS, FUNCTIONS, RESERVED_WORDS, Node
from rulewright.game.formula_parser import parse_formula
from rulewright.game.game_schema import RESERVED_NAMES
from rulewright.game.intervals import exact_value

FILE = Path(__file__).parent.parent / "rules" / "handbook" / "formulas.md"
PAGE = FILE.read_text("utf-8")
TABLE = next(text for _, text in blocks(PAGE, "toml") if text.startswith("title"))
DICE = next(text for _, text in blocks(PAGE, "dice"))
Row = tuple[int, list[str]]


def rows(*header: str) -> list[Row]:
    """The rows of all tables with this header: the line, and the cells."""
    return [row for head, row in tables() if head == list(header)]


def tables() -> Iterator[tuple[list[str], Row]]:
    header: list[str] = []
    for number, line in enumerate(PAGE.splitlines(), 1):
        if not line.startswith("|"):
            header = []
            continue
        cells = [re.sub(r"^`([^`]*)`$", r"\1", cell.strip()) for cell in line.strip("|").split("|")]
        header = header or cells
        if cells != header and not set(cells[0]) <= {"-", " ", "|"}:
            yield header, (number, cells)


def named(row: Row) -> str:
    return f"line {row[0]}: {row[1][0]}"


def inputs(cell: str) -> dict[str, str]:
    return dict([cell.split(" ", 1)]) if cell else {}


def flat(node: Node) -> Node:
    """The same tree without brackets that make no difference, as in (8 - 3) + 2."""
    args = [flat(arg) if isinstance(arg, Node) else arg for arg in node.args]
    if node.op in ("+", "*", "and", "or") and args[0].op == node.op:
        args = [*args[0].args, *args[1:]]
    return Node(node.op, tuple(args))


def test_the_page_has_examples() -> None:
    assert len(rows("formula", "with", "gives")) > 60
    assert len(rows("formula", "is read as", "gives")) >= 5
    assert len(rows("formula", "what is said")) >= 8


@pytest.mark.parametrize("row", rows("formula", "with", "gives"), ids=named)
def test_what_it_gives(row: Row) -> None:
    formula, given, gives = row[1]
    rule, problems, _ = played(formula, TABLE)
    assert rule, problems
    result, complaint = result_of(rule, inputs(given), DICE)
    assert result, complaint
    assert str(result.steps["answer"]) == gives
    assert over_points(result) == exact_value(result.steps["answer"])


@pytest.mark.parametrize("row", rows("formula", "is read as", "gives"), ids=named)
def test_how_it_is_read(row: Row) -> None:
    formula, brackets, gives = row[1]
    assert flat(parse_formula(formula)) == flat(parse_formula(brackets))
    for text in (formula, brackets):
        rule, problems, _ = played(text, TABLE)
        assert rule, problems
        result, complaint = result_of(rule, {}, DICE)
        assert result, complaint
        assert str(result.steps["answer"]) == gives


@pytest.mark.parametrize("row", rows("formula", "with", "stops, because"), ids=named)
def test_why_it_stops(row: Row) -> None:
    formula, given, why = row[1]
    rule, problems, _ = played(formula, TABLE)
    assert rule, problems
    result, complaint = result_of(rule, inputs(given), DICE)
    assert result is None
    assert complaint.startswith(why)


@pytest.mark.parametrize("row", rows("formula", "what is said"), ids=named)
def test_what_is_said(row: Row) -> None:
    formula, said = row[1]
    _, problems, _ = played(formula, TABLE)
    assert [problem.message for problem in problems] == [said]


@pytest.mark.parametrize("word", sorted({*RESERVED_WORDS, *FUNCTIONS, *COMPARISONS, "+", "-", "*"}))
def test_every_word_and_sign_is_shown(word: str) -> None:
    assert f"`{word}`" in PAGE or f"`{word}(" in PAGE


def test_the_reserved_words_are_those_of_the_code() -> None:
    listed = re.search(r"nothing else can be called so: (.*?)\.\n", PAGE, re.DOTALL)
    assert listed
    assert set(re.findall(r"`(\w+)`", listed[1])) == RESERVED_NAMES


def test_the_page_is_linked() -> None:
    assert "(handbook/formulas.md)" in (FILE.parent.parent / "index.md").read_text("utf-8")

"""Checks the last row of a table that is called "Total": what it says and what the rows above add up to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from ..book.tables import Row, Table
from ..source import Problem, Span
from .arithmetic_parser import DIGITS, parse_number

_TOTAL = re.compile(
    r"(?:grand\s)?(?:total|sum)|(?:al)?together|in\sall|summe|zusammen|(?:ins)?gesamt(?:summe)?", re.IGNORECASE
)
_VALUE = re.compile(rf"([+−–-]?)\s?({DIGITS})(?:\s?([^\W\d_]{{1,12}}))?")
_MIN_ROWS = 2  # above the total

Columns = dict[int, list[Fraction]]  # the numbers of the columns that a last row adds up


def is_total(text: str) -> bool:
    """Whether the first cell of a row says that the row adds up the others."""
    return _TOTAL.fullmatch(text.strip(" *_:")) is not None


def find_right_totals(table: Table, columns: Columns) -> Iterator[Span]:
    """The cells that add up to the last row, or are their sum."""
    if columns and all(_is_explained(number, columns) for number in columns):
        yield from (
            cell.span(0, len(cell.text))
            for row in table.rows
            for number in columns
            for cell in row[number : number + 1]
        )


def find_columns(table: Table) -> Columns:
    """The numbers of the columns that a last row adds up."""
    *rows, last = table.rows or [()]
    if len(rows) < _MIN_ROWS or not last or any(is_total(row[0].text) for row in rows):
        return {}
    named = is_total(last[0].text)
    parsed = ((number, _parse_column([*rows, last], number)) for number in range(named, len(last)))
    columns = {number: values for number, values in parsed if values}
    is_sum = len(columns) > 1 and any(sum(values[:-1]) == values[-1] for values in columns.values())
    if named or (is_sum and all(cell.is_emphasized(0, len(cell.text)) for cell in last if cell.text.strip())):
        return columns
    return {}


def find_wrong_totals(table: Table, columns: Columns) -> Iterator[Problem]:
    """The problem of a table with one wrong total; several are no sums, and neither is anything that could be another
    total: of counts times prices, an average, the greatest."""
    last = table.rows[-1] if table.rows else ()
    wrong = [number for number, values in columns.items() if not _is_explained(number, columns)]
    if len(wrong) != 1:
        return
    cell, (*addends, _) = last[wrong[0]], columns[wrong[0]]
    value = sum(addends, Fraction(0))
    text = f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.6g}"
    message = f"the rows above add up to {text}, the total says {cell.text.strip()}"
    notes = (f"write {text}, or correct a row",)
    yield Problem("sum-total", message, cell.span(0, len(cell.text)), "error", notes, table.trail)


def _parse_column(rows: Sequence[Row], number: int) -> list[Fraction]:
    """The numbers of a column, of one unit; empty if a cell has none, or anything else."""
    found = list[re.Match[str]]()
    for row in rows:
        match = _VALUE.fullmatch(row[number].text.strip())
        if not match or (match[3] or "").lower() != ((found or [match])[0][3] or "").lower():
            return []
        found.append(match)
    return [parse_number(match[2]) * (-1 if match[1] and match[1] != "+" else 1) for match in found]


def _is_explained(number: int, columns: Columns) -> bool:
    """Whether the total is the sum, or what else such a row may say."""
    *addends, stated = columns[number]
    others = [values[:-1] for key, values in columns.items() if key != number]
    weighted = (sum(map(prod, zip(addends, other, strict=True)), Fraction(0)) for other in others)
    total = sum(addends, Fraction(0))
    known = {total, total / len(addends), max(addends), min(addends), Fraction(len(addends)), prod(addends), *weighted}
    return stated in known

"""Tables of percentages: if most rows (or columns) add up to 100, report those that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..source import Problem, Span
from .check import Check, Noticed, Reading

MOST_DIGITS = 4
PARTS = 10**MOST_DIGITS
WHOLE = 100 * PARTS
PERCENT = re.compile(rf"([~≈]?)\s?(\d{{1,3}})(?:[.,](\d{{1,{MOST_DIGITS}}}))?\s?(%?)")
TOTALS = re.compile(r"(?:totals?|sum|summe|gesamt|all|average|mean|median|max\w*|min\w*|range)\b", re.IGNORECASE)
NOTHING = {"", "-", "–", "—", "−"}
LONGEST = 16
FEWEST_RIGHT = 3  # lines that must add up to 100 before another one is reported
MOST_GROUPS = 4  # groups of columns next to each other, each adding up to 100


class Share(NamedTuple):
    """A percentage and its smallest decimal unit, both in 1/PARTS of a percent."""

    cell: Passage
    value: int
    unit: int

    @property
    def text(self) -> str:
        return self.cell.text.strip()


class Line(NamedTuple):
    """Shares that should add up to 100%, and the cell with their label."""

    shares: tuple[Share, ...]
    label: Passage

    @property
    def total(self) -> int:
        return sum([share.value for share in self.shares])

    @property
    def slack(self) -> int:
        return sum([share.unit for share in self.shares])

    def fits(self, cut: bool) -> bool:
        """Whether the total is 100% within rounding: half a unit per share, or a whole unit below if truncated."""
        over, slack = self.total - WHOLE, self.slack
        return abs(over) * 2 <= slack or (cut and over <= 0 < over + slack)

    @property
    def tells(self) -> bool:
        """Whether the line is evidence: a single share of 100% is not."""
        return sum(share.value > 0 for share in self.shares) > 1


def look(reading: Reading) -> Noticed:
    judged = [found for table in reading.tables if (found := lines(table))]
    return Noticed(len(judged), tuple(problem for found in judged for problem in problems(found)))


def lines(table: Table) -> list[Line]:
    """The rows of a table if most add up to 100, else its columns if most of them do."""
    grid = shares(table)
    numbers = [number for number, column in enumerate(zip(*grid, strict=True)) if is_percent(column)]
    if len(numbers) == 0:
        return []
    rows = [(row, cells[0]) for row, cells in zip(grid, table.rows, strict=True) if not TOTALS.match(label(cells))]
    for count in range(1, MOST_GROUPS + 1):
        found = list(along_rows(rows, numbers, count))
        if is_sure(found):
            return found
    found = list(down_columns(table, grid, numbers))
    return found if is_sure(found) else []


def label(cells: Row) -> str:
    return cells[0].text.strip()


Grid = list[tuple[Share | None, ...]]


def shares(table: Table) -> Grid:
    percent = ["%" in cell.text for cell in table.header]
    return [tuple(share(cell, bare) for cell, bare in zip(row, percent, strict=True)) for row in table.rows]


def share(cell: Passage, bare: bool) -> Share | None:
    """Parse a cell. The percent sign may be missing below a header that has it; a dash is zero."""
    text = cell.text.strip()
    if text in NOTHING:
        return Share(cell, 0, 0)
    found = PERCENT.fullmatch(text) if len(text) <= LONGEST else None
    if not found or not (found[4] or bare):
        return None
    digits = found[3] or ""
    unit = PARTS // 10 ** len(digits) * (10 if found[1] else 1)
    return Share(cell, int(found[2]) * PARTS + int(digits.ljust(MOST_DIGITS, "0")), unit)


def is_percent(column: Sequence[Share | None]) -> bool:
    return all(column) and any(one and one.unit for one in column)


def along_rows(
    rows: Sequence[tuple[Sequence[Share | None], Passage]], numbers: Sequence[int], count: int
) -> Iterator[Line]:
    """The rows, each split into `count` equal groups of columns."""
    width, rest = divmod(len(numbers), count)
    if rest or width < 2:
        return
    for row, name in rows:
        for start in range(0, len(numbers), width):
            found = tuple(one for number in numbers[start : start + width] if (one := row[number]))
            if any(one.unit for one in found):
                yield Line(found, name)


def down_columns(table: Table, grid: Grid, numbers: Sequence[int]) -> Iterator[Line]:
    """The columns, without a last row of totals."""
    last = len(grid) - bool(TOTALS.match(label(table.rows[-1])))
    for number in numbers:
        found = tuple(one for row in grid[:last] if (one := row[number]))
        if any(one.unit for one in found):
            yield Line(found, table.header[number])


def is_sure(found: Sequence[Line]) -> bool:
    """Whether most lines add up to 100, counting only lines with several shares."""
    cut = is_cut(found)
    right = sum(line.fits(cut) and line.tells for line in found)
    wrong = sum(not line.fits(cut) for line in found)
    return right >= FEWEST_RIGHT and 3 * wrong <= right


def is_cut(found: Sequence[Line]) -> bool:
    """Whether the numbers may be truncated instead of rounded: then no line adds up to more than 100."""
    return not any(0 < (line.total - WHOLE) * 2 <= line.slack for line in found)


def problems(found: Sequence[Line]) -> Iterator[Problem]:
    cut = is_cut(found)
    right = sum(line.fits(cut) for line in found)
    yield from (problem(line, right) for line in found if not line.fits(cut))


def problem(line: Line, right: int) -> Problem:
    named = [one for one in line.shares if one.unit]
    first, last = named[0].cell, named[-1].cell
    same = first.line == last.line
    end = (last if same else first).span(0, len((last if same else first).text)).end
    span = Span(first.page.source, first.span(0, len(first.text)).start, end)
    name = line.label.text.strip()
    message = f"this {'row' if same else 'column'} adds up to {figure(line.total)}%, not to 100%"
    notes = (
        f"{right} others in this table do" + (f", «{name}» does not" if name else ""),
        f"rounding can move {len(named)} such figures by {figure(line.slack, 2)} at most",
        f"one of them is {figure(abs(line.total - WHOLE))} too {'low' if line.total < WHOLE else 'high'}: correct it",
    )
    return Problem("percentages-sum", message, span, "warning", notes, first.trail)


def figure(value: int, share: int = 1) -> str:
    return f"{value / (PARTS * share):.4f}".rstrip("0").rstrip(".")


PERCENTAGES = Check("percentages", "tables of percentages", look)

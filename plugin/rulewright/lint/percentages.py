"""Tables of percentages: if most rows (or columns) add up to 100, report those that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..source import Problem, Span
from .check import Check, LintContext, LintResult

MAX_DIGITS = 4
PARTS = 10**MAX_DIGITS
HUNDRED_PERCENT = 100 * PARTS
PERCENT = re.compile(rf"([~≈]?)\s?(\d{{1,3}})(?:[.,](\d{{1,{MAX_DIGITS}}}))?\s?(%?)")
TOTAL_LABEL = re.compile(r"(?:totals?|sum|summe|gesamt|all|average|mean|median|max\w*|min\w*|range)\b", re.IGNORECASE)
EMPTY_CELLS = {"", "-", "–", "—", "−"}
MAX_LENGTH = 16
MIN_RIGHT = 3  # lines that must add up to 100 before another one is reported
MAX_GROUPS = 4  # groups of columns next to each other, each adding up to 100


class Share(NamedTuple):
    """A percentage and its smallest decimal unit, both in 1/PARTS of a percent."""

    cell: Passage
    value: int
    unit: int

    @property
    def text(self) -> str:
        return self.cell.text.strip()


class PercentLine(NamedTuple):
    """Shares that should add up to 100%, and the cell with their label."""

    shares: tuple[Share, ...]
    label: Passage

    @property
    def total(self) -> int:
        return sum([share.value for share in self.shares])

    @property
    def slack(self) -> int:
        return sum([share.unit for share in self.shares])

    def fits(self, truncated: bool) -> bool:
        """Whether the total is 100% within rounding: half a unit per share, or a whole unit below if truncated."""
        over, slack = self.total - HUNDRED_PERCENT, self.slack
        return abs(over) * 2 <= slack or (truncated and over <= 0 < over + slack)

    @property
    def is_evidence(self) -> bool:
        """Whether the line is evidence: a single share of 100% is not."""
        return sum(share.value > 0 for share in self.shares) > 1


def check_page(context: LintContext) -> LintResult:
    line_groups = [found_lines for table in context.tables if (found_lines := find_lines(table))]
    return LintResult(len(line_groups), tuple(problem for group in line_groups for problem in line_problems(group)))


def find_lines(table: Table) -> list[PercentLine]:
    """The rows of a table if most add up to 100, else its columns if most of them do."""
    grid = parse_shares(table)
    numbers = [number for number, column in enumerate(zip(*grid, strict=True)) if is_percent_column(column)]
    if len(numbers) == 0:
        return []
    rows = [
        (row, cells[0]) for row, cells in zip(grid, table.rows, strict=True) if not TOTAL_LABEL.match(row_label(cells))
    ]
    for count in range(1, MAX_GROUPS + 1):
        candidates = list(lines_of_rows(rows, numbers, count))
        if is_sure(candidates):
            return candidates
    candidates = list(lines_of_columns(table, grid, numbers))
    return candidates if is_sure(candidates) else []


def row_label(cells: Row) -> str:
    return cells[0].text.strip()


Grid = list[tuple[Share | None, ...]]


def parse_shares(table: Table) -> Grid:
    percent = ["%" in cell.text for cell in table.header]
    return [tuple(parse_share(cell, bare) for cell, bare in zip(row, percent, strict=True)) for row in table.rows]


def parse_share(cell: Passage, in_percent_column: bool) -> Share | None:
    """Parse a cell. The percent sign may be missing below a header that has it; a dash is zero."""
    text = cell.text.strip()
    if text in EMPTY_CELLS:
        return Share(cell, 0, 0)
    match = PERCENT.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if not match or not (match[4] or in_percent_column):
        return None
    digits = match[3] or ""
    unit = PARTS // 10 ** len(digits) * (10 if match[1] else 1)
    return Share(cell, int(match[2]) * PARTS + int(digits.ljust(MAX_DIGITS, "0")), unit)


def is_percent_column(column: Sequence[Share | None]) -> bool:
    return all(column) and any(cell_share and cell_share.unit for cell_share in column)


def lines_of_rows(
    rows: Sequence[tuple[Sequence[Share | None], Passage]], numbers: Sequence[int], count: int
) -> Iterator[PercentLine]:
    """The rows, each split into `count` equal groups of columns."""
    width, rest = divmod(len(numbers), count)
    if rest or width < 2:
        return
    for row, name in rows:
        for start in range(0, len(numbers), width):
            row_shares = tuple(cell_share for number in numbers[start : start + width] if (cell_share := row[number]))
            if any(cell_share.unit for cell_share in row_shares):
                yield PercentLine(row_shares, name)


def lines_of_columns(table: Table, grid: Grid, numbers: Sequence[int]) -> Iterator[PercentLine]:
    """The columns, without a last row of totals."""
    last = len(grid) - bool(TOTAL_LABEL.match(row_label(table.rows[-1])))
    for number in numbers:
        column_shares = tuple(cell_share for row in grid[:last] if (cell_share := row[number]))
        if any(cell_share.unit for cell_share in column_shares):
            yield PercentLine(column_shares, table.header[number])


def is_sure(candidates: Sequence[PercentLine]) -> bool:
    """Whether most lines add up to 100, counting only lines with several shares."""
    truncated = is_truncated(candidates)
    right = sum(line.fits(truncated) and line.is_evidence for line in candidates)
    wrong = sum(not line.fits(truncated) for line in candidates)
    return right >= MIN_RIGHT and 3 * wrong <= right


def is_truncated(candidates: Sequence[PercentLine]) -> bool:
    """Whether the numbers may be truncated instead of rounded: then no line adds up to more than 100."""
    return not any(0 < (line.total - HUNDRED_PERCENT) * 2 <= line.slack for line in candidates)


def line_problems(found_lines: Sequence[PercentLine]) -> Iterator[Problem]:
    truncated = is_truncated(found_lines)
    right = sum(line.fits(truncated) for line in found_lines)
    yield from (sum_problem(line, right) for line in found_lines if not line.fits(truncated))


def sum_problem(line: PercentLine, right: int) -> Problem:
    named = [cell_share for cell_share in line.shares if cell_share.unit]
    first, last = named[0].cell, named[-1].cell
    same = first.line == last.line
    end = (last if same else first).span(0, len((last if same else first).text)).end
    span = Span(first.page.source, first.span(0, len(first.text)).start, end)
    name = line.label.text.strip()
    message = f"this {'row' if same else 'column'} adds up to {format_percent(line.total)}%, not to 100%"
    direction = "low" if line.total < HUNDRED_PERCENT else "high"
    notes = (
        f"{right} others in this table do" + (f", «{name}» does not" if name else ""),
        f"rounding can move {len(named)} such figures by {format_percent(line.slack, 2)} at most",
        f"one of them is {format_percent(abs(line.total - HUNDRED_PERCENT))} too {direction}: correct it",
    )
    return Problem("percentages-sum", message, span, "warning", notes, first.trail)


def format_percent(value: int, share: int = 1) -> str:
    return f"{value / (PARTS * share):.4f}".rstrip("0").rstrip(".")


PERCENTAGES = Check("percentages", "tables of percentages", check_page)

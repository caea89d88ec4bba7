"""Tables of percentages: if most rows (or columns) add up to 100, report those that do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..source import Problem, Span
from .interface import Check, LintContext, LintResult

_MAX_DIGITS = 4
_PARTS = 10**_MAX_DIGITS
_HUNDRED_PERCENT = 100 * _PARTS
_PERCENT = re.compile(rf"([~≈]?)\s?(\d{{1,3}})(?:[.,](\d{{1,{_MAX_DIGITS}}}))?\s?(%?)")
_TOTAL_LABEL = re.compile(r"(?:totals?|sum|summe|gesamt|all|average|mean|median|max\w*|min\w*|range)\b", re.IGNORECASE)
_EMPTY_CELLS = {"", "-", "–", "—", "−"}
_MAX_LENGTH = 16
_MIN_RIGHT = 3  # lines that must add up to 100 before another one is reported
_MAX_GROUPS = 4  # groups of columns next to each other, each adding up to 100


class _Share(NamedTuple):
    """A percentage and its smallest decimal unit, both in 1/PARTS of a percent."""

    cell: Passage
    value: int
    unit: int

    @property
    def text(self) -> str:
        return self.cell.text.strip()


class _PercentLine(NamedTuple):
    """Shares that should add up to 100%, and the cell with their label."""

    shares: tuple[_Share, ...]
    label: Passage

    @property
    def total(self) -> int:
        return sum([share.value for share in self.shares])

    @property
    def slack(self) -> int:
        return sum([share.unit for share in self.shares])

    def fits(self, truncated: bool) -> bool:
        """Whether the total is 100% within rounding: half a unit per share, or a whole unit below if truncated."""
        over, slack = self.total - _HUNDRED_PERCENT, self.slack
        return abs(over) * 2 <= slack or (truncated and over <= 0 < over + slack)

    @property
    def is_evidence(self) -> bool:
        """Whether the line is evidence: a single share of 100% is not."""
        return sum(share.value > 0 for share in self.shares) > 1


def _check_page(context: LintContext) -> LintResult:
    line_groups = [found_lines for table in context.tables if (found_lines := _find_lines(table))]
    return LintResult(len(line_groups), tuple(problem for group in line_groups for problem in _line_problems(group)))


def _find_lines(table: Table) -> list[_PercentLine]:
    """The rows of a table if most add up to 100, else its columns if most of them do."""
    grid = _parse_shares(table)
    numbers = [number for number, column in enumerate(zip(*grid, strict=True)) if _is_percent_column(column)]
    if len(numbers) == 0:
        return []
    rows = [
        (row, cells[0])
        for row, cells in zip(grid, table.rows, strict=True)
        if not _TOTAL_LABEL.match(_row_label(cells))
    ]
    for count in range(1, _MAX_GROUPS + 1):
        candidates = list(_lines_of_rows(rows, numbers, count))
        if _is_sure(candidates):
            return candidates
    candidates = list(_lines_of_columns(table, grid, numbers))
    return candidates if _is_sure(candidates) else []


def _row_label(cells: Row) -> str:
    return cells[0].text.strip()


_Grid = list[tuple[_Share | None, ...]]


def _parse_shares(table: Table) -> _Grid:
    percent = ["%" in cell.text for cell in table.header]
    return [tuple(_parse_share(cell, bare) for cell, bare in zip(row, percent, strict=True)) for row in table.rows]


def _parse_share(cell: Passage, in_percent_column: bool) -> _Share | None:
    """Parse a cell. The percent sign may be missing below a header that has it; a dash is zero."""
    text = cell.text.strip()
    if text in _EMPTY_CELLS:
        return _Share(cell, 0, 0)
    match = _PERCENT.fullmatch(text) if len(text) <= _MAX_LENGTH else None
    if not match or not (match[4] or in_percent_column):
        return None
    digits = match[3] or ""
    unit = _PARTS // 10 ** len(digits) * (10 if match[1] else 1)
    return _Share(cell, int(match[2]) * _PARTS + int(digits.ljust(_MAX_DIGITS, "0")), unit)


def _is_percent_column(column: Sequence[_Share | None]) -> bool:
    return all(column) and any(cell_share and cell_share.unit for cell_share in column)


def _lines_of_rows(
    rows: Sequence[tuple[Sequence[_Share | None], Passage]], numbers: Sequence[int], count: int
) -> Iterator[_PercentLine]:
    """The rows, each split into `count` equal groups of columns."""
    width, rest = divmod(len(numbers), count)
    if rest or width < 2:
        return
    for row, name in rows:
        for start in range(0, len(numbers), width):
            row_shares = tuple(cell_share for number in numbers[start : start + width] if (cell_share := row[number]))
            if any(cell_share.unit for cell_share in row_shares):
                yield _PercentLine(row_shares, name)


def _lines_of_columns(table: Table, grid: _Grid, numbers: Sequence[int]) -> Iterator[_PercentLine]:
    """The columns, without a last row of totals."""
    last = len(grid) - bool(_TOTAL_LABEL.match(_row_label(table.rows[-1])))
    for number in numbers:
        column_shares = tuple(cell_share for row in grid[:last] if (cell_share := row[number]))
        if any(cell_share.unit for cell_share in column_shares):
            yield _PercentLine(column_shares, table.header[number])


def _is_sure(candidates: Sequence[_PercentLine]) -> bool:
    """Whether most lines add up to 100, counting only lines with several shares."""
    truncated = _is_truncated(candidates)
    right = sum(line.fits(truncated) and line.is_evidence for line in candidates)
    wrong = sum(not line.fits(truncated) for line in candidates)
    return right >= _MIN_RIGHT and 3 * wrong <= right


def _is_truncated(candidates: Sequence[_PercentLine]) -> bool:
    """Whether the numbers may be truncated instead of rounded: then no line adds up to more than 100."""
    return not any(0 < (line.total - _HUNDRED_PERCENT) * 2 <= line.slack for line in candidates)


def _line_problems(found_lines: Sequence[_PercentLine]) -> Iterator[Problem]:
    truncated = _is_truncated(found_lines)
    right = sum(line.fits(truncated) for line in found_lines)
    yield from (_sum_problem(line, right) for line in found_lines if not line.fits(truncated))


def _sum_problem(line: _PercentLine, right: int) -> Problem:
    named = [cell_share for cell_share in line.shares if cell_share.unit]
    first, last = named[0].cell, named[-1].cell
    same = first.line == last.line
    end = (last if same else first).span(0, len((last if same else first).text)).end
    span = Span(first.page.source, first.span(0, len(first.text)).start, end)
    name = line.label.text.strip()
    message = f"this {'row' if same else 'column'} adds up to {_format_percent(line.total)}%, not to 100%"
    direction = "low" if line.total < _HUNDRED_PERCENT else "high"
    notes = (
        f"{right} others in this table do" + (f', "{name}" does not' if name else ""),
        f"rounding can move {len(named)} such figures by {_format_percent(line.slack, 2)} at most",
        f"one of them is {_format_percent(abs(line.total - _HUNDRED_PERCENT))} too {direction}: correct it",
    )
    return Problem("percentages-sum", message, span, "error", notes, first.trail)


def _format_percent(value: int, share: int = 1) -> str:
    return f"{value / (_PARTS * share):.4f}".rstrip("0").rstrip(".")


CHECK = Check("percentages", "tables of percentages", _check_page)

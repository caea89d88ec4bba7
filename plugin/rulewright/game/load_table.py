"""Loads the tables of a game: rows by name, rows by range of numbers, or named numbers.

The rows may come from a table in a page: `fill` copies them into the data of the game before it is checked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from os.path import normpath
from pathlib import Path as File
from typing import Any, NamedTuple

from ..source import Problem, Span, suggest
from .game_schema import TABLE
from .model import Table
from .schema import KEY, Loader
from .scope import NAMED_NUMBERS_COLUMN
from .toml import Path, SpanIndex

_NUMBER_PATTERN = r"[+−-]?[0-9][0-9,]{0,14}"
_RANGE_SIGN = r"\s*(?:\.\.|…|[-–—]|\bto\b)\s*"
_CLOSED_RANGE = re.compile(rf"({_NUMBER_PATTERN})\s*%?(?:{_RANGE_SIGN}({_NUMBER_PATTERN})\s*%?)?")
_COMPARISON_RANGE = re.compile(
    rf"(?P<below>≤|<=|<|up to )\s*(?P<high>{_NUMBER_PATTERN})\s*%?|(?P<above>≥|>=|>)\s*(?P<low>{_NUMBER_PATTERN})\s*%?"
)
_OPEN_RANGE = re.compile(rf"({_NUMBER_PATTERN})\s*%?\s*(?:\+|\.\.|and (?:more|above|up))")
_NUMBER_WITH_UNIT = re.compile(rf"({_NUMBER_PATTERN})\s*([A-Za-z%]*)")
_PAGE_TABLE_KEYS = {"page", "heading", "columns"}  # the keys of a table that takes its rows from a page
_RANGE_SYNTAX = re.compile(r"\s*([-−]?[0-9]{1,15})?\s*\.\.\s*([-−]?[0-9]{1,15})?\s*|\s*([-−]?[0-9]{1,15})\s*")
_NUMBER_SYNTAX = re.compile(r"[-−]?[0-9]{1,15}")


class PageCell(NamedTuple):
    text: str
    span: Span


class PageTable(NamedTuple):
    """A table in a page, with the heading above it."""

    heading: str
    header: tuple[PageCell, ...]
    rows: tuple[tuple[PageCell, ...], ...]
    counts: tuple[int, ...]  # cells written in each row


_RangeEnds = tuple[int | None, int | None]
_RangeRow = tuple[int | None, int | None, tuple[Any, ...]]
PageReader = Callable[[File], Sequence[PageTable] | Problem | str]  # the tables of a page, or why it cannot be used


def no_pages(_file: File) -> str:
    return "pages are not read here"


def fill_tables(data: dict[str, Any], places: SpanIndex, folder: File | None, pages: PageReader) -> list[Problem]:
    """Copy columns and rows from pages into the tables that refer to one; `folder` is the game's, None in a page."""
    tables = data.get("tables")
    problems: list[Problem] = []
    for name, raw in tables.items() if isinstance(tables, dict) else ():
        if isinstance(raw, dict) and _wants_page(raw):
            filler = _TableFiller(("tables", name), raw, places)
            filler.fill_from_page(folder, pages)
            problems += filler.problems
    return problems


def _wants_page(raw: dict[str, Any]) -> bool:
    """Whether a table takes its rows from a page; one that also has rows is reported later."""
    named = any(isinstance(raw.get(key), str) for key in ("page", "heading"))
    return named and raw.keys() <= _PAGE_TABLE_KEYS


class _TableFiller:
    """Copies the rows of a page into one table of the game."""

    def __init__(self, path: Path, raw: dict[str, Any], places: SpanIndex) -> None:
        self.path, self.raw, self.places = path, raw, places
        self.problems: list[Problem] = []

    def fill_from_page(self, folder: File | None, pages: PageReader) -> None:
        page = self.raw.get("page")
        if folder is None and page is not None:
            self.report_key("page", "a game in a page takes its tables from that page; leave page out")
            return
        if folder is not None and not isinstance(page, str):
            self.report_key("heading", 'say which page has this heading: page = "…"')
            return
        tables = pages(File(normpath(folder / str(page))) if folder else File())
        if isinstance(tables, Problem):
            self.problems.append(tables)
        elif isinstance(tables, str):
            self.report_key("page", f'the page "{page}" cannot be used: {tables}')
        elif grid := self.choose_table(tables):
            self.copy_rows(grid)

    def report_key(self, key: str, message: str) -> None:
        key_path = (*self.path, key)
        span = self.places.values.get(key_path) or self.places.keys.get(self.path)
        self.problems.append(Problem("table", message.rstrip("; "), span or Span(self.places.source, 0, 0)))

    def choose_table(self, grids: Sequence[PageTable]) -> PageTable | None:
        """The only table below the heading; without a heading, the only table of the page."""
        heading = self.raw.get("heading")
        matching = [
            grid
            for grid in grids
            if heading is None or _normalize_heading(grid.heading) == _normalize_heading(str(heading))
        ]
        if len(matching) == 1:
            return matching[0]
        location = f'below the heading "{heading}"' if heading else "on this page"
        if matching:
            note = "give each a heading of its own" if heading else "name one by its heading"
            self.report_key("heading" if heading else "page", f"there are {len(matching)} tables {location}; {note}")
        else:
            known = dict.fromkeys(grid.heading for grid in grids)
            self.report_key(
                "heading" if heading else "page", f"there is no table {location}; {suggest(str(heading), known)}"
            )
        return None

    def copy_rows(self, grid: PageTable) -> None:
        keys = [parse_page_range(row[0].text) for row in grid.rows]
        part = "ranges" if keys and all(keys) else "rows"
        self.set_columns(grid)
        self.check_cell_counts(grid)
        columns = [_column_values(grid, place) for place in range(1, len(grid.header))]
        rows: dict[str, list[int | str]] = {}
        for number, row in enumerate(grid.rows):
            key = keys[number] if part == "ranges" else row[0].text.strip()
            if key in rows:
                message = f'the row "{row[0].text.strip()}" appears twice'
                self.problems.append(Problem("table", message, row[0].span))
            rows[str(key)] = [values[number] for values in columns]
            self.set_spans((*self.path, part, str(key)), row)
        self.raw[part] = rows
        for key in ("page", "heading"):
            self.raw.pop(key, None)

    def check_cell_counts(self, grid: PageTable) -> None:
        """Report rows that are longer or shorter than the header."""
        for row, count in zip(grid.rows, grid.counts, strict=True):
            if count != len(grid.header):
                longer = r"write \| for a bar that is text, or give the header more cells"
                note = longer if count > len(grid.header) else "write what is missing"
                header = _count_cells(len(grid.header))
                message = f'the row "{row[0].text.strip()}" has {_count_cells(count)}, the header has {header}'
                self.problems.append(Problem("table", message, row[0].span, notes=(note,)))

    def set_columns(self, grid: PageTable) -> None:
        """Set the columns: the names in the game, else those in the page."""
        if "columns" not in self.raw:
            self.raw["columns"] = [cell.text.strip() for cell in grid.header[1:]]
            self.set_spans((*self.path, "columns"), grid.header)
        elif isinstance(self.raw["columns"], list) and len(self.raw["columns"]) != len(grid.header) - 1:
            message = (
                f"columns named here: {len(self.raw['columns'])}; after the first of the page: {len(grid.header) - 1}"
            )
            self.report_key("columns", message)

    def set_spans(self, path: Path, cells: Sequence[PageCell]) -> None:
        self.places.keys[path] = self.places.values[path] = cells[0].span
        for number, cell in enumerate(cells[1:]):
            self.places.values[(*path, number)] = cell.span


def _normalize_heading(heading: str) -> str:
    return " ".join(heading.split()).lower()


def _count_cells(count: int) -> str:
    return f"{count} cell{'' if count == 1 else 's'}"


def _column_values(grid: PageTable, column_index: int) -> list[int | str]:
    """The values of a column; a row too short for it gets the first value, so that the column does not look mixed."""
    has_cell = [column_index < count for count in grid.counts]
    present = parse_cells(
        [row[column_index] for row, is_present in zip(grid.rows, has_cell, strict=True) if is_present]
    )
    values, first = iter(present), next(iter(present), "")
    return [next(values) if is_present else first for is_present in has_cell]


def parse_cells(cells: Sequence[PageCell]) -> list[int | str]:
    """The values of cells: numbers if most are numbers in the same unit, else words. Stray words stay words."""
    amounts = [_NUMBER_WITH_UNIT.fullmatch(cell.text.strip()) for cell in cells]
    units = {amount[2] for amount in amounts if amount}
    if 2 * sum(map(bool, amounts)) <= len(amounts) or len(units) != 1:
        return [cell.text.strip() for cell in cells]
    return [
        _parse_integer(amount[1]) if amount else cell.text.strip() for amount, cell in zip(amounts, cells, strict=True)
    ]


def _parse_integer(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


def parse_page_range(text: str) -> str:
    """A range of a page in the notation of game.toml: `66..99`, `7`, `41..`; empty if the text is not a range."""
    text = text.strip()
    if opened := _COMPARISON_RANGE.fullmatch(text):
        if opened["low"]:
            return f"{_parse_integer(opened['low']) + (opened['above'] == '>')}.."
        return f"..{_parse_integer(opened['high']) - (opened['below'] == '<')}"
    if more := _OPEN_RANGE.fullmatch(text):
        return f"{_parse_integer(more[1])}.."
    match = _CLOSED_RANGE.fullmatch(text)
    if not match:
        return ""
    ends = sorted(_parse_integer(end) for end in match.groups() if end)
    return "..".join(str(end) for end in ends)


def load_table(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Table:
    columns = tuple(raw.get("columns", ()))
    named = {key: (value,) for key, value in raw.items() if key not in TABLE.fields}
    if problem := _find_wrong_parts(raw, named):
        loader.report("table", path, f"the table {name} {problem}")
    rows = {
        key: _load_row_cells(loader, (*path, "rows", key), value, columns) for key, value in raw.get("rows", {}).items()
    }
    rows = {key: cells for key, cells in rows.items() if cells}
    ranges = _load_range_rows(loader, path, name, raw.get("ranges", {}), columns)
    loader.check_labels([(key, (*path, *(() if named else ("rows",)), key, KEY)) for key in named or rows], "a row")
    columns = columns or (NAMED_NUMBERS_COLUMN,)
    table = Table(name, columns, named or rows, tuple(row for _, row in ranges), loader.where(path))
    table = replace(table, cell_spans=tuple(_find_cell_spans(loader, path, raw, table, [key for key, _ in ranges])))
    for number, column in enumerate(table.columns):
        if len({type(cell) for cell in table.column_cells(column)}) > 1:
            message = f"the column {column} holds numbers and words; a column holds one or the other"
            loader.report("table", (*path, "columns", number), message)
    return table


def _find_wrong_parts(raw: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    """What a table lacks, or must not combine; empty if it is complete."""
    full = [part for part in ("rows", "ranges") if raw.get(part)]
    if "page" in raw or "heading" in raw:
        return "takes its rows from a page; leave its own rows out"
    if named and any(key in raw for key in TABLE.fields):
        return "mixes named numbers with columns; write each row under rows or ranges"
    if not named and not full:
        return "has no rows; write rows = { … }, ranges = { … }, or a name and a number on each line"
    if len(full) > 1:
        return "has rows and ranges; make two tables of it"
    return "" if named or "columns" in raw else 'has no columns; write columns = ["…"]'


def _load_row_cells(loader: Loader, path: Path, value: Any, columns: tuple[str, ...]) -> tuple[Any, ...]:
    """The cells of a row, one per column: a row of the wrong length is reported and filled up or cut."""
    row = tuple(value) if isinstance(value, list) else (value,)
    if columns and len(row) != len(columns):
        loader.report("table", path, f"cells in this row: {len(row)}; write one for each column: {', '.join(columns)}")
        row = (*row, *row[:1] * len(columns))[: len(columns)]
    return row


def _load_range_rows(
    loader: Loader, path: Path, name: str, raw: Mapping[str, Any], columns: tuple[str, ...]
) -> list[tuple[str, _RangeRow]]:
    """The rows with the text of their range, sorted by number."""
    rows: list[tuple[Path, _RangeRow]] = []
    for key, value in raw.items():
        row_path = (*path, "ranges", key)
        ends = parse_range(loader, (*row_path, KEY), key)
        row = _load_row_cells(loader, row_path, value, columns)
        if ends:
            rows.append(((*row_path, KEY), (*ends, row)))
    rows.sort(key=lambda entry: -(10**16) if entry[1][0] is None else entry[1][0])
    _check_ranges(loader, name, rows)
    return [(str(path[-2]), row) for path, row in rows if row[2]]


def _find_cell_spans(
    loader: Loader, path: Path, raw: Mapping[str, Any], table: Table, keys: Sequence[str]
) -> Iterator[tuple[Span, ...]]:
    """The spans of the cells of each row; a row of one cell without brackets is that cell."""
    part = () if not (raw.get("rows") or raw.get("ranges")) else ("ranges",) if table.ranges else ("rows",)
    for key in keys if table.ranges else table.rows:
        row_path: Path = (*path, *part, key)
        yield tuple(loader.where((*row_path, number)) for number in range(len(table.columns)))


def parse_range(loader: Loader, path: Path, text: str) -> _RangeEnds | None:
    """Parse both ends of "66..99", "7", "41.." or "..0"; report anything else and return None."""
    match = _RANGE_SYNTAX.fullmatch(text)
    low, high, only = (int(end.replace("−", "-")) if end else None for end in match.groups()) if match else [None] * 3
    if low is None and high is None and only is None:
        numbers = _NUMBER_SYNTAX.findall(text)
        written = (
            f"write {numbers[0]}..{numbers[1].lstrip('-')}" if len(numbers) == 2 else "write 66..99, 7, 41.. or ..0"
        )
        loader.report("range", path, f'"{text}" is no range; {written}')
        return None
    if only is not None:
        return only, only
    if low is not None and high is not None and low > high:
        loader.report("range", path, f"the range {text} runs backwards; write {high}..{low}")
        return None
    return low, high


def _check_ranges(loader: Loader, name: str, rows: list[tuple[Path, _RangeRow]]) -> None:
    """Report gaps and overlaps between the ranges of a table."""
    covered: float | None = None
    previous = ""
    has_ranges = any(low != high for _, (low, high, _) in rows)  # a list of single numbers may have gaps, as dice do
    for path, (low, high, _) in rows:
        start, end = (-(10**16) if low is None else low), (10**16 if high is None else high)
        if covered is not None and start <= covered:
            note = f"begin this row with {covered + 1}" if end > covered else "leave one of the rows out"
            loader.report("table", path, f"the table {name} says two things for {_describe_overlap(low, high)}; {note}")
        elif covered is not None and start > covered + 1 and has_ranges:
            gap = f"{covered + 1}" if start == covered + 2 else f"{covered + 1} to {start - 1}"
            note = f"make {previous} or {_row_text(loader, path)} longer, or add the missing row"
            loader.report("table", path, f"the table {name} says nothing for {gap}; {note}")
        previous = _row_text(loader, path)
        covered = end if covered is None else max(covered, end)


def _row_text(loader: Loader, path: Path) -> str:
    """A range as its author wrote it."""
    return loader.where(path).text.strip().strip("\"'")


def _describe_overlap(low: int | None, high: int | None) -> str:
    """The overlap of a range with the one before it, in words."""
    return f"{low}" if low is not None else f"{high} and less" if high is not None else "every number"

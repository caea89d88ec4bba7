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
from .scope import NAMED_NUMBERS, column_of
from .toml import Path, Places

NUMBER = r"[+−-]?[0-9][0-9,]{0,14}"
DASH = r"\s*(?:\.\.|…|[-–—]|\bto\b)\s*"
RANGE = re.compile(rf"({NUMBER})\s*%?(?:{DASH}({NUMBER})\s*%?)?")
OPEN = re.compile(rf"(?P<below>≤|<=|<|up to )\s*(?P<high>{NUMBER})\s*%?|(?P<above>≥|>=|>)\s*(?P<low>{NUMBER})\s*%?")
PLUS = re.compile(rf"({NUMBER})\s*%?\s*(?:\+|\.\.|and (?:more|above|up))")
AMOUNT = re.compile(rf"({NUMBER})\s*([A-Za-z%]*)")
FROM_PAGE = {"page", "heading", "columns"}  # the keys of a table that takes its rows from a page
ENDS = re.compile(r"\s*([-−]?[0-9]{1,15})?\s*\.\.\s*([-−]?[0-9]{1,15})?\s*|\s*([-−]?[0-9]{1,15})\s*")
NUMBERS = re.compile(r"[-−]?[0-9]{1,15}")


class Cell(NamedTuple):
    text: str
    span: Span


class Grid(NamedTuple):
    """A table in a page, with the heading above it."""

    heading: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    counts: tuple[int, ...]  # cells written in each row


Ends = tuple[int | None, int | None]
Row = tuple[int | None, int | None, tuple[Any, ...]]
Pages = Callable[[File], Sequence[Grid] | Problem | str]  # the tables of a page, or why it cannot be used


def no_pages(_file: File) -> str:
    return "pages are not read here"


def fill(data: dict[str, Any], places: Places, folder: File | None, pages: Pages) -> list[Problem]:
    """Copy columns and rows from pages into the tables that refer to one; `folder` is the game's, None in a page."""
    tables = data.get("tables")
    problems: list[Problem] = []
    for name, raw in tables.items() if isinstance(tables, dict) else ():
        if isinstance(raw, dict) and wants_page(raw):
            filling = Filling(("tables", name), raw, places)
            filling.fill(folder, pages)
            problems += filling.problems
    return problems


def wants_page(raw: dict[str, Any]) -> bool:
    """Whether a table takes its rows from a page; one that also has rows is reported later."""
    named = any(isinstance(raw.get(key), str) for key in ("page", "heading"))
    return named and raw.keys() <= FROM_PAGE


class Filling:
    """Copies the rows of a page into one table of the game."""

    def __init__(self, path: Path, raw: dict[str, Any], places: Places) -> None:
        self.path, self.raw, self.places = path, raw, places
        self.problems: list[Problem] = []

    def fill(self, folder: File | None, pages: Pages) -> None:
        page = self.raw.get("page")
        if folder is None and page is not None:
            self.report("page", "a game in a page takes its tables from that page; leave page out")
            return
        if folder is not None and not isinstance(page, str):
            self.report("heading", 'say which page has this heading: page = "…"')
            return
        found = pages(File(normpath(folder / str(page))) if folder else File())
        if isinstance(found, Problem):
            self.problems.append(found)
        elif isinstance(found, str):
            self.report("page", f"the page «{page}» cannot be used: {found}")
        elif grid := self.choose(found):
            self.take(grid)

    def report(self, key: str, message: str) -> None:
        place = (*self.path, key)
        span = self.places.values.get(place) or self.places.keys.get(self.path)
        self.problems.append(Problem("table", message.rstrip("; "), span or Span(self.places.source, 0, 0)))

    def choose(self, grids: Sequence[Grid]) -> Grid | None:
        """The only table below the heading; without a heading, the only table of the page."""
        heading = self.raw.get("heading")
        fitting = [grid for grid in grids if heading is None or tidy(grid.heading) == tidy(str(heading))]
        if len(fitting) == 1:
            return fitting[0]
        where = f"below the heading «{heading}»" if heading else "on this page"
        if fitting:
            note = "give each a heading of its own" if heading else "name one by its heading"
            self.report("heading" if heading else "page", f"there are {len(fitting)} tables {where}; {note}")
        else:
            known = dict.fromkeys(grid.heading for grid in grids)
            self.report("heading" if heading else "page", f"there is no table {where}; {suggest(str(heading), known)}")
        return None

    def take(self, grid: Grid) -> None:
        keys = [written_range(row[0].text) for row in grid.rows]
        part = "ranges" if keys and all(keys) else "rows"
        self.head(grid)
        self.count(grid)
        columns = [whole_column(grid, place) for place in range(1, len(grid.header))]
        rows: dict[str, list[int | str]] = {}
        for number, row in enumerate(grid.rows):
            key = keys[number] if part == "ranges" else row[0].text.strip()
            if key in rows:
                said = f"the row «{row[0].text.strip()}» stands here twice"
                self.problems.append(Problem("table", said, row[0].span))
            rows[str(key)] = [values[number] for values in columns]
            self.note((*self.path, part, str(key)), row)
        self.raw[part] = rows
        for key in ("page", "heading"):
            self.raw.pop(key, None)

    def count(self, grid: Grid) -> None:
        """Report rows that are longer or shorter than the header."""
        for row, count in zip(grid.rows, grid.counts, strict=True):
            if count != len(grid.header):
                note = r"a | within a cell is written \|" if count > len(grid.header) else "write what is missing"
                said = f"the row «{row[0].text.strip()}» has {cells(count)}, the header has {cells(len(grid.header))}"
                self.problems.append(Problem("table", said, row[0].span, notes=(note,)))

    def head(self, grid: Grid) -> None:
        """Set the columns: the names in the game, else those in the page."""
        if "columns" not in self.raw:
            self.raw["columns"] = [cell.text.strip() for cell in grid.header[1:]]
            self.note((*self.path, "columns"), grid.header)
        elif isinstance(self.raw["columns"], list) and len(self.raw["columns"]) != len(grid.header) - 1:
            said = (
                f"columns named here: {len(self.raw['columns'])}; behind the first of the page: {len(grid.header) - 1}"
            )
            self.report("columns", said)

    def note(self, path: Path, cells: Sequence[Cell]) -> None:
        self.places.keys[path] = self.places.values[path] = cells[0].span
        for number, cell in enumerate(cells[1:]):
            self.places.values[(*path, number)] = cell.span


def tidy(heading: str) -> str:
    return " ".join(heading.split()).lower()


def cells(count: int) -> str:
    return f"{count} cell{'' if count == 1 else 's'}"


def whole_column(grid: Grid, place: int) -> list[int | str]:
    """The values of a column; a row too short for it gets the first value, so that the column does not look mixed."""
    given = [place < count for count in grid.counts]
    found = column([row[place] for row, there in zip(grid.rows, given, strict=True) if there])
    values, first = iter(found), next(iter(found), "")
    return [next(values) if there else first for there in given]


def column(cells: Sequence[Cell]) -> list[int | str]:
    """The values of cells: numbers if most are numbers in the same unit, else words. Stray words stay words."""
    found = [AMOUNT.fullmatch(cell.text.strip()) for cell in cells]
    units = {amount[2] for amount in found if amount}
    if 2 * sum(map(bool, found)) <= len(found) or len(units) != 1:
        return [cell.text.strip() for cell in cells]
    return [whole(amount[1]) if amount else cell.text.strip() for amount, cell in zip(found, cells, strict=True)]


def whole(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


def written_range(text: str) -> str:
    """A range of a page in the notation of game.toml: `66..99`, `7`, `41..`; empty if the text is not a range."""
    text = text.strip()
    if opened := OPEN.fullmatch(text):
        if opened["low"]:
            return f"{whole(opened['low']) + (opened['above'] == '>')}.."
        return f"..{whole(opened['high']) - (opened['below'] == '<')}"
    if more := PLUS.fullmatch(text):
        return f"{whole(more[1])}.."
    found = RANGE.fullmatch(text)
    if not found:
        return ""
    ends = sorted(whole(end) for end in found.groups() if end)
    return "..".join(str(end) for end in ends)


def load_table(loader: Loader, path: Path, name: str, raw: Mapping[str, Any]) -> Table:
    columns = tuple(raw.get("columns", ()))
    named = {key: (value,) for key, value in raw.items() if key not in TABLE.fields}
    if problem := wrong_parts(raw, named):
        loader.problem("table", path, f"the table {name} {problem}")
    rows = {key: row_cells(loader, (*path, "rows", key), value, columns) for key, value in raw.get("rows", {}).items()}
    rows = {key: cells for key, cells in rows.items() if cells}
    ranges = range_rows(loader, path, name, raw.get("ranges", {}), columns)
    loader.labels([(key, (*path, *(() if named else ("rows",)), key, KEY)) for key in named or rows], "a row")
    columns = columns or (NAMED_NUMBERS,)
    table = Table(name, columns, named or rows, tuple(row for _, row in ranges), loader.where(path))
    table = replace(table, places=tuple(places(loader, path, raw, table, [key for key, _ in ranges])))
    for number, column in enumerate(table.columns):
        if len({type(cell) for cell in column_of(table, column)}) > 1:
            said = f"the column {column} holds numbers and words; a column holds one or the other"
            loader.problem("table", (*path, "columns", number), said)
    return table


def wrong_parts(raw: Mapping[str, Any], named: Mapping[str, Any]) -> str:
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


def row_cells(loader: Loader, path: Path, value: Any, columns: tuple[str, ...]) -> tuple[Any, ...]:
    """The cells of a row, one per column: a row of the wrong length is reported and filled up or cut."""
    found = tuple(value) if isinstance(value, list) else (value,)
    if columns and len(found) != len(columns):
        loader.problem("table", path, f"cells in this row: {len(found)}; columns of the table: {len(columns)}")
        found = (*found, *found[:1] * len(columns))[: len(columns)]
    return found


def range_rows(
    loader: Loader, path: Path, name: str, raw: Mapping[str, Any], columns: tuple[str, ...]
) -> list[tuple[str, Row]]:
    """The rows with the text of their range, sorted by number."""
    found: list[tuple[Path, Row]] = []
    for key, value in raw.items():
        place = (*path, "ranges", key)
        ends = read_range(loader, (*place, KEY), key)
        row = row_cells(loader, place, value, columns)
        if ends:
            found.append(((*place, KEY), (*ends, row)))
    found.sort(key=lambda entry: -(10**16) if entry[1][0] is None else entry[1][0])
    partition(loader, name, found)
    return [(str(path[-2]), row) for path, row in found if row[2]]


def places(
    loader: Loader, path: Path, raw: Mapping[str, Any], table: Table, keys: Sequence[str]
) -> Iterator[tuple[Span, ...]]:
    """The spans of the cells of each row; a row of one cell without brackets is that cell."""
    part = () if not (raw.get("rows") or raw.get("ranges")) else ("ranges",) if table.ranges else ("rows",)
    for key in keys if table.ranges else table.rows:
        place: Path = (*path, *part, key)
        yield tuple(loader.where((*place, number)) for number in range(len(table.columns)))


def read_range(loader: Loader, path: Path, text: str) -> Ends | None:
    """Parse both ends of "66..99", "7", "41.." or "..0"; report anything else and return None."""
    found = ENDS.fullmatch(text)
    low, high, only = (int(end.replace("−", "-")) if end else None for end in found.groups()) if found else [None] * 3
    if low is None and high is None and only is None:
        numbers = NUMBERS.findall(text)
        written = (
            f"write {numbers[0]}..{numbers[1].lstrip('-')}" if len(numbers) == 2 else "write 66..99, 7, 41.. or ..0"
        )
        loader.problem("range", path, f"«{text}» is no range; {written}")
        return None
    if only is not None:
        return only, only
    if low is not None and high is not None and low > high:
        loader.problem("range", path, f"the range {text} runs backwards; write {high}..{low}")
        return None
    return low, high


def partition(loader: Loader, name: str, found: list[tuple[Path, Row]]) -> None:
    """Report gaps and overlaps between the ranges of a table."""
    covered: float | None = None
    for path, (low, high, _) in found:
        start, end = (-(10**16) if low is None else low), (10**16 if high is None else high)
        if covered is not None and start <= covered:
            loader.problem("table", path, f"the table {name} says two things for {twice(low, high)}")
        elif covered is not None and start > covered + 1:
            gap = f"{covered + 1}" if start == covered + 2 else f"{covered + 1} to {start - 1}"
            loader.problem("table", path, f"the table {name} says nothing for {gap}")
        covered = end if covered is None else max(covered, end)


def twice(low: int | None, high: int | None) -> str:
    """The overlap of a range with the one before it, in words."""
    return f"{low}" if low is not None else f"{high} and less" if high is not None else "every number"

"""Tables of a game whose source is a table in a page: its header, its rows, and where each cell stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os.path import normpath
from pathlib import Path as File
from typing import Any, NamedTuple

from ..text import Problem, Span, suggest
from .places import Path, Places

NUMBER = r"[+−-]?[0-9][0-9,]{0,14}"
DASH = r"\s*(?:\.\.|…|[-–—]|\bto\b)\s*"
RANGE = re.compile(rf"({NUMBER})\s*%?(?:{DASH}({NUMBER})\s*%?)?")
OPEN = re.compile(rf"(?P<below>≤|<=|<|up to )\s*(?P<high>{NUMBER})\s*%?|(?P<above>≥|>=|>)\s*(?P<low>{NUMBER})\s*%?")
PLUS = re.compile(rf"({NUMBER})\s*%?\s*(?:\+|\.\.|and (?:more|above|up))")
AMOUNT = re.compile(rf"({NUMBER})\s*([A-Za-z%]*)")
KEYS = {"page", "heading", "columns"}


class Cell(NamedTuple):
    text: str
    span: Span


class Grid(NamedTuple):
    """A table of a page, with the heading above it."""

    heading: str
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    counts: tuple[int, ...]  # how many cells are written in each row


Pages = Callable[[File], Sequence[Grid] | Problem | str]  # the tables of a page, or why there are none


def no_pages(_file: File) -> str:
    return "pages are not read here"


def fill(data: dict[str, Any], places: Places, folder: File | None, pages: Pages) -> list[Problem]:
    """Puts columns and rows into each table whose source is a page; `folder` is that of the game, if it has one."""
    tables = data.get("tables")
    problems: list[Problem] = []
    for name, raw in tables.items() if isinstance(tables, dict) else ():
        if isinstance(raw, dict) and wants_page(raw):
            filling = Filling(("tables", name), raw, places)
            filling.fill(folder, pages)
            problems += filling.problems
    return problems


def wants_page(raw: dict[str, Any]) -> bool:
    """Whether the rows are to be taken from a page; what has rows as well is complained of later."""
    named = any(isinstance(raw.get(key), str) for key in ("page", "heading"))
    return named and raw.keys() <= KEYS


class Filling:
    """One table while its rows are taken over."""

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
        """The one table below the heading; without a heading the only one of the page."""
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
        """Each row has as many cells as the header."""
        for row, count in zip(grid.rows, grid.counts, strict=True):
            if count != len(grid.header):
                note = r"a | within a cell is written \|" if count > len(grid.header) else "write what is missing"
                said = f"the row «{row[0].text.strip()}» has {cells(count)}, the header has {cells(len(grid.header))}"
                self.problems.append(Problem("table", said, row[0].span, notes=(note,)))

    def head(self, grid: Grid) -> None:
        """The columns, under the names that the game gives them or those of the page."""
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
    """A column; where a row is too short for it, what stands first in it does not make it look mixed."""
    given = [place < count for count in grid.counts]
    found = column([row[place] for row, there in zip(grid.rows, given, strict=True) if there])
    values, first = iter(found), next(iter(found), "")
    return [next(values) if there else first for there in given]


def column(cells: Sequence[Cell]) -> list[int | str]:
    """Numbers where every cell is one, all in the same unit; else words. A few words among numbers stand out."""
    found = [AMOUNT.fullmatch(cell.text.strip()) for cell in cells]
    units = {amount[2] for amount in found if amount}
    if 2 * sum(map(bool, found)) <= len(found) or len(units) != 1:
        return [cell.text.strip() for cell in cells]
    return [whole(amount[1]) if amount else cell.text.strip() for amount, cell in zip(found, cells, strict=True)]


def whole(text: str) -> int:
    return int(text.replace("−", "-").replace(",", ""))


def written_range(text: str) -> str:
    """A range as a game writes it: `66..99`, `7`, `41..`; empty for what is none."""
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

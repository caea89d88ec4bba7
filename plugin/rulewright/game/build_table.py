"""Tables: rows with names, rows for ranges of numbers, or plain named numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..text import Span
from .model import Table
from .names import NAMED_NUMBERS, column_of
from .places import Path
from .shape import KEY

if TYPE_CHECKING:
    from .build import Builder

RANGE = re.compile(r"\s*([-−]?[0-9]{1,15})?\s*\.\.\s*([-−]?[0-9]{1,15})?\s*|\s*([-−]?[0-9]{1,15})\s*")
KEYS = ("columns", "rows", "ranges", "page", "heading")
NUMBERS = re.compile(r"[-−]?[0-9]{1,15}")
Ends = tuple[int | None, int | None]
Row = tuple[int | None, int | None, tuple[Any, ...]]


def build_table(builder: Builder, path: Path, name: str, raw: Mapping[str, Any]) -> Table:
    columns = tuple(raw.get("columns", ()))
    named = {key: (value,) for key, value in raw.items() if key not in KEYS}
    if problem := wrong_parts(raw, named):
        builder.problem("table", path, f"the table {name} {problem}")
    rows = {key: cells(builder, (*path, "rows", key), value, columns) for key, value in raw.get("rows", {}).items()}
    ranges = range_rows(builder, path, name, raw.get("ranges", {}), columns)
    builder.labels([(column, (*path, "columns", number)) for number, column in enumerate(columns)], "a column")
    builder.labels([(key, (*path, *(() if named else ("rows",)), key, KEY)) for key in named or rows], "a row")
    columns = columns or (NAMED_NUMBERS,)
    table = Table(name, columns, named or rows, tuple(row for _, row in ranges), builder.where(path))
    table = replace(table, places=tuple(places(builder, path, raw, table, [key for key, _ in ranges])))
    for number, column in enumerate(table.columns):
        if len({type(cell) for cell in column_of(table, column)}) > 1:
            said = f"the column {column} holds numbers and words; a column holds one or the other"
            builder.problem("table", (*path, "columns", number), said)
    return table


def wrong_parts(raw: Mapping[str, Any], named: Mapping[str, Any]) -> str:
    """What a table lacks, or has too much of."""
    full = [part for part in ("rows", "ranges") if raw.get(part)]
    if "page" in raw or "heading" in raw:
        return "takes its rows from a page; leave its own rows out"
    if named and any(key in raw for key in KEYS):
        return "mixes named numbers with columns; write each row under rows or ranges"
    if not named and not full:
        return "has no rows; write rows = { … }, ranges = { … }, or a name and a number on each line"
    if len(full) > 1:
        return "has rows and ranges; make two tables of it"
    return "" if named or "columns" in raw else 'has no columns; write columns = ["…"]'


def cells(builder: Builder, path: Path, value: Any, columns: tuple[str, ...]) -> tuple[Any, ...]:
    """The cells of a row, one for each column."""
    found = tuple(value) if isinstance(value, list) else (value,)
    if columns and len(found) != len(columns):
        builder.problem("table", path, f"cells in this row: {len(found)}; columns of the table: {len(columns)}")
        found = (*found, *found[:1] * len(columns))[: len(columns)]
    return found


def range_rows(
    builder: Builder, path: Path, name: str, raw: Mapping[str, Any], columns: tuple[str, ...]
) -> list[tuple[str, Row]]:
    """Rows with the text of their range, in the order of the numbers."""
    found: list[tuple[Path, Row]] = []
    for key, value in raw.items():
        place = (*path, "ranges", key)
        ends = read_range(builder, (*place, KEY), key)
        row = cells(builder, place, value, columns)
        if ends:
            found.append(((*place, KEY), (*ends, row)))
    found.sort(key=lambda entry: -(10**16) if entry[1][0] is None else entry[1][0])
    partition(builder, name, found)
    return [(str(path[-2]), row) for path, row in found]


def places(
    builder: Builder, path: Path, raw: Mapping[str, Any], table: Table, keys: Sequence[str]
) -> Iterator[tuple[Span, ...]]:
    """Where the cells of each row stand; where a row has one cell without brackets, that is the cell."""
    part = () if not (raw.get("rows") or raw.get("ranges")) else ("ranges",) if table.ranges else ("rows",)
    for key in keys if table.ranges else table.rows:
        place: Path = (*path, *part, key)
        yield tuple(builder.where((*place, number)) for number in range(len(table.columns)))


def read_range(builder: Builder, path: Path, text: str) -> Ends | None:
    """Both ends of "66..99", "7", "41.." or "..0"; None where they make no sense."""
    found = RANGE.fullmatch(text)
    low, high, only = (int(end.replace("−", "-")) if end else None for end in found.groups()) if found else [None] * 3
    if low is None and high is None and only is None:
        numbers = NUMBERS.findall(text)
        written = (
            f"write {numbers[0]}..{numbers[1].lstrip('-')}" if len(numbers) == 2 else "write 66..99, 7, 41.. or ..0"
        )
        builder.problem("range", path, f"«{text}» is no range; {written}")
        return None
    if only is not None:
        return only, only
    if low is not None and high is not None and low > high:
        builder.problem("range", path, f"the range {text} runs backwards; write {high}..{low}")
        return None
    return low, high


def partition(builder: Builder, name: str, found: list[tuple[Path, Row]]) -> None:
    """Between its first and its last range a table leaves no gap and says nothing twice."""
    covered: float | None = None
    for path, (low, high, _) in found:
        start, end = (-(10**16) if low is None else low), (10**16 if high is None else high)
        if covered is not None and start <= covered:
            builder.problem("table", path, f"the table {name} says two things for {twice(low, high)}")
        elif covered is not None and start > covered + 1:
            gap = f"{covered + 1}" if start == covered + 2 else f"{covered + 1} to {start - 1}"
            builder.problem("table", path, f"the table {name} says nothing for {gap}")
        covered = end if covered is None else max(covered, end)


def twice(low: int | None, high: int | None) -> str:
    """A number that this range and one before it both cover."""
    return f"{low}" if low is not None else f"{high} and less" if high is not None else "every number"

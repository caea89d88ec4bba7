"""Tables of a text that state a table of the game: rows of the same names, and numbers in a column of their own.

Which table a text repeats is chosen by the names of its rows. A column states one of the game if all its rows agree,
or all but one: that one is wrong. The range that leads to a row may be written in many ways; it is wrong if one of its
ends is right and all other rows agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..game.figures import Figure
from .frames import Frame
from .statements import Match
from .stems import stems_of

_LEAST_ROWS = 3  # that are compared before a column says anything
_LEAST_SHARE = 0.6  # of the rows of a text that are rows of the game
_SCORE = 4.0
_PART_END = re.compile(r"[,;:(/–—]")
_WORD = re.compile(r"[^\W\d_]+")

Cells = Sequence[Sequence[Frame]]  # the numbers of each cell of a row


class KnownTable(NamedTuple):
    """A table of the game: its rows by their names, and the figures of each row by column; the key of a range has no
    name."""

    name: str
    rows: Mapping[str, int]
    columns: Mapping[str, Mapping[int, tuple[Figure, ...]]]


class _Compared(NamedTuple):
    """A column of a text beside one of the game, row by row."""

    column: int
    name: str
    pairs: tuple[tuple[Sequence[Frame], tuple[Figure, ...]], ...]
    differing: int
    is_named: bool  # its header is the name


def known_tables(figures: Sequence[Figure]) -> tuple[KnownTable, ...]:
    """The tables of a game that name rows."""
    found: dict[str, tuple[dict[str, int], dict[str, dict[int, tuple[Figure, ...]]]]] = {}
    for figure in figures:
        if figure.cell:
            table, row, column, names = figure.cell
            rows, columns = found.setdefault(table, ({}, {}))
            rows |= {_read_name(name): row for name in names}
            entries = columns.setdefault(column, {})
            entries[row] = (*entries.get(row, ()), figure)
    return tuple(KnownTable(name, rows, columns) for name, (rows, columns) in found.items() if rows)


def match_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[Cells], tables: Sequence[KnownTable]
) -> Iterator[tuple[Frame, Match]]:
    """The numbers of a table of the text that state cells of a table of the game."""
    for table in tables:
        places = [_find_row(cells, table) for cells in rows]
        known = {row for row in places if row is not None}
        if len(known) < max(_LEAST_ROWS, _LEAST_SHARE * len(rows)):
            continue
        compared = [
            entry
            for column in range(len(header))
            for name in table.columns
            if (entry := _compare(column, name, header[column], places, numbers, table))
        ]
        right = {entry.name for entry in compared if not entry.differing}
        for entry in compared:
            is_wrong = entry.name not in right and (_is_alone(entry, compared) if entry.name else _is_half_right(entry))
            if not entry.differing or is_wrong:
                yield from _matches(entry)


def _is_half_right(entry: _Compared) -> bool:
    """Whether all rows have the ranges of the game, but for one end of one of them."""
    values = [
        ({frame.value for frame in frames}, {abs(figure.value) for figure in figures})
        for frames, figures in entry.pairs
    ]
    return len(values) > _LEAST_ROWS and all(
        len(written & known) >= len(known) - 1 > 0 for written, known in values if written != known
    )


def _is_alone(entry: _Compared, compared: Sequence[_Compared]) -> bool:
    return entry.is_named or sum(other.name == entry.name or other.column == entry.column for other in compared) == 1


@lru_cache(maxsize=5_000)
def _read_name(text: str) -> str:
    return " ".join(_WORD.findall(text)).lower()


def _find_row(cells: Sequence[str], table: KnownTable) -> int | None:
    """The row of the game that a row of a text is about."""
    for cell in cells:
        for part in (cell, *_PART_END.split(cell)):
            name = _read_name(part)
            if name in table.rows:
                return table.rows[name]
    return None


def _compare(
    column: int, name: str, header: str, places: Sequence[int | None], numbers: Sequence[Cells], table: KnownTable
) -> _Compared | None:
    """A column of a text beside one of the game; None if they are not the same."""
    figures = table.columns[name]
    pairs = tuple(
        (cells[column], figures[row])
        for row, cells in zip(places, numbers, strict=True)
        if row is not None and row in figures and cells[column] and len(cells[column]) == len(figures[row])
    )
    differing = sum(not _agrees(*pair) for pair in pairs)
    is_varied = len({figure.value for _, known in pairs for figure in known}) > 1
    is_named = bool(name) and stems_of(name) <= stems_of(header)
    if len(pairs) < _LEAST_ROWS or differing > 1 or not (is_varied or is_named):
        return None
    return _Compared(column, name, pairs, differing, is_named)


def _agrees(frames: Sequence[Frame], figures: Sequence[Figure]) -> bool:
    return sorted(frame.value for frame in frames) == sorted(abs(figure.value) for figure in figures)


def _matches(entry: _Compared) -> Iterator[tuple[Frame, Match]]:
    for frames, figures in entry.pairs:
        ordered = sorted(frames, key=lambda frame: frame.value)
        for frame, figure in zip(ordered, sorted(figures, key=lambda figure: abs(figure.value)), strict=True):
            yield frame, Match(figure, _SCORE, frame.value == abs(figure.value), True)

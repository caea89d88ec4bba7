"""Tables of a page: captions, cells as passages, and the position of each cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from markdown_it.token import Token

from ..source import Span
from .inlines import find_pipes, locate_in_row
from .page import LineMap, MappedText, Page, Trail, map_lines
from .text import (
    CONTAINER_TOKENS,
    Grid,
    Opening,
    Passage,
    Piece,
    build_passage,
    read_layout,
    source_text,
    trace_inline,
    visible_text,
)

Row = tuple[Passage, ...]
_LETTER = re.compile(r"[^\W\d_]")


class Table(NamedTuple):
    """A header and rows of the same length; each cell is a passage."""

    trail: Trail  # the headings above
    above: Passage | None  # the paragraph directly above, often a caption
    header: Row
    rows: tuple[Row, ...]
    line: int
    page: Page

    @property
    def cells(self) -> list[Passage]:
        return [cell for row in (self.header, *self.rows) for cell in row]

    @property
    def columns(self) -> list[Row]:
        """The cells below each cell of the header."""
        return list(zip(*self.rows, strict=True)) if self.rows else [() for _ in self.header]

    @property
    def caption(self) -> str:
        return self.above.text if self.above else ""


def read_tables(page: Page) -> Iterator[Table]:
    """All tables of a page."""
    return build_tables(page, map_lines(page.source), read_layout(page).tables)


def build_tables(page: Page, line_map: LineMap, grids: Iterable[Grid]) -> Iterator[Table]:
    """Build tables from the positions of their tokens."""
    for grid in grids:
        header, *rows = (_build_row(page, line_map, grid.trail, cells) for cells in grid.rows)
        line = (page.tokens[grid.number].map or [0])[0] + 1
        yield Table(grid.trail, _caption_passage(page, line_map, grid), header, tuple(rows), line, page)


def _caption_passage(page: Page, line_map: LineMap, grid: Grid) -> Passage | None:
    """The paragraph above, also above a box that begins with the table."""
    tokens, end = page.tokens, grid.number - 1
    while end >= 0 and tokens[end].type in CONTAINER_TOKENS:
        end -= 1
    if end < 2 or tokens[end].type != "paragraph_close":
        return None
    return build_passage(page, line_map, Opening(end - 2, grid.trail, -1), end)


def label_spans(page: Page, line_map: LineMap, grids: Iterable[Grid]) -> Iterator[tuple[Span, Trail]]:
    """Spans of the cells with letters in headers and first columns, which name what a table is about."""
    for grid in grids:
        for row, cells in enumerate(grid.rows):
            line = _RowLine(page, line_map, cells)
            for number, inline in enumerate(line.inlines[: 1 if row else None]):
                if _LETTER.search(inline.content) and visible_text(inline):
                    yield line.span(number), grid.trail


class _RowLine:
    """A row, and the line of the page that contains it."""

    def __init__(self, page: Page, line_map: LineMap, cells: Sequence[int]) -> None:
        self.page, self.line_map, self.cells = page, line_map, cells
        self.inlines = [page.tokens[cell + 1] for cell in cells]
        self.number = (page.tokens[cells[0] - 1].map or [0])[0]

    @cached_property
    def bounds(self) -> list[int]:
        return find_pipes(self.line_map.lines[self.number])

    def locate_cell(self, number: int) -> MappedText:
        """The text of a cell, counted from 0, with its position."""
        first, content = self.inlines[0].content, source_text(self.inlines[number])
        return locate_in_row(self.line_map, self.number, self.bounds, first, number, content)

    def span(self, number: int) -> Span:
        """Span of the whole text of a cell."""
        inline = self.inlines[number]
        if _is_plain_text(inline):
            at = self.locate_cell(number).offsets[0]
            return Span(self.line_map.source, at, at + len(inline.content))
        return self.passage(number, Trail()).span(0, len(visible_text(inline)))

    def map_pieces(self, number: int) -> tuple[Piece, ...]:
        """The map from the plain text of a cell to the page."""
        inline, mapped, pieces = self.inlines[number], self.locate_cell(number), list[Piece]()
        if _is_plain_text(inline):
            at, length = mapped.offsets[0], len(inline.content)
            return (Piece(0, length, at, at + length, False),)
        trace_inline(inline, mapped, 0, pieces)
        return tuple(pieces) or (Piece(0, 0, mapped.at(0), mapped.at(0), False),)

    def passage(self, number: int, trail: Trail) -> Passage:
        cell, build_pieces = self.cells[number], partial(self.map_pieces, number)
        text = visible_text(self.inlines[number])
        return Passage(text, build_pieces, trail, "", "cell", self.number + 1, self.page, cell, cell + 2, -1)


def _is_plain_text(inline: Token) -> bool:
    """True for a cell of text without markup, written as it is read."""
    children = inline.children or []
    plain = len(children) == 1 and children[0].type == "text" and children[0].content == inline.content
    return plain and "|" not in inline.content


def _build_row(page: Page, line_map: LineMap, trail: Trail, cells: Sequence[int]) -> Row:
    line = _RowLine(page, line_map, cells)
    return tuple([line.passage(number, trail) for number in range(len(cells))])


def count_written_cells(row: Row) -> int:
    """Number of cells that the author wrote in a row; the parser drops extra cells and adds missing ones."""
    line = row[0].page.source.line(row[0].line)
    bounds = find_pipes(line)
    begins = _has_leading_pipe(row, line, bounds[1])
    inside = line[bounds[begins] + 1 :].rstrip()
    ends = inside.endswith("|") and not inside.endswith("\\|")
    return len(bounds) - 1 - begins - ends


def _has_leading_pipe(row: Row, line: str, pipe: int) -> bool:
    """True if the first cell comes after the first separator."""
    content = row[0].page.tokens[row[0].first + 1].content
    return not (content and line[:pipe].replace("\\|", "|").rstrip().endswith(content))

"""Tables of a page: captions, cells as passages, and the position of each cell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from markdown_it.token import Token

from ..source import Span
from .inlines import in_row, pipes
from .page import Page, Paper, Text, Trail, paper
from .text import HOLDERS, Grid, Opening, Passage, Piece, given, layout, passage, said, trace

Row = tuple[Passage, ...]


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


def tables(page: Page) -> Iterator[Table]:
    """All tables of a page."""
    return read_all(page, paper(page.source), layout(page).tables)


def read_all(page: Page, sheet: Paper, found: Iterable[Grid]) -> Iterator[Table]:
    """Build tables from the positions of their tokens."""
    for grid in found:
        header, *rows = (row(page, sheet, grid.trail, cells) for cells in grid.rows)
        line = (page.tokens[grid.number].map or [0])[0] + 1
        yield Table(grid.trail, caption(page, sheet, grid), header, tuple(rows), line, page)


def caption(page: Page, sheet: Paper, grid: Grid) -> Passage | None:
    """The paragraph above, also above a box that begins with the table."""
    tokens, end = page.tokens, grid.number - 1
    while end >= 0 and tokens[end].type in HOLDERS:
        end -= 1
    if end < 2 or tokens[end].type != "paragraph_close":
        return None
    return passage(page, sheet, Opening(end - 2, grid.trail, -1), end)


def names(page: Page, sheet: Paper, found: Iterable[Grid]) -> Iterator[tuple[Span, Trail]]:
    """Spans of the cells in headers and first columns, which name what a table is about."""
    for grid in found:
        for row, cells in enumerate(grid.rows):
            line = Line(page, sheet, cells)
            spans = (line.span(number) for number in range(1 if row else len(cells)) if said(line.inlines[number]))
            yield from ((span, grid.trail) for span in spans)


class Line:
    """A row, and the line of the page that contains it."""

    def __init__(self, page: Page, sheet: Paper, cells: Sequence[int]) -> None:
        self.page, self.sheet, self.cells = page, sheet, cells
        self.inlines = [page.tokens[cell + 1] for cell in cells]
        self.number = (page.tokens[cells[0] - 1].map or [0])[0]

    @cached_property
    def bounds(self) -> list[int]:
        return pipes(self.sheet.lines[self.number])

    def standing(self, number: int) -> Text:
        """The text of a cell, counted from 0, with its position."""
        first, content = self.inlines[0].content, given(self.inlines[number])
        return in_row(self.sheet, self.number, self.bounds, first, number, content)

    def span(self, number: int) -> Span:
        """Span of the whole text of a cell."""
        inline = self.inlines[number]
        if is_plain(inline):
            at = self.standing(number).places[0]
            return Span(self.sheet.source, at, at + len(inline.content))
        return self.passage(number, Trail()).span(0, len(said(inline)))

    def way_back(self, number: int) -> tuple[Piece, ...]:
        """The map from the plain text of a cell to the page."""
        inline, standing, pieces = self.inlines[number], self.standing(number), list[Piece]()
        if is_plain(inline):
            at, length = standing.places[0], len(inline.content)
            return (Piece(0, length, at, at + length, False),)
        trace(inline, standing, 0, pieces)
        return tuple(pieces) or (Piece(0, 0, standing.at(0), standing.at(0), False),)

    def passage(self, number: int, trail: Trail) -> Passage:
        cell, way = self.cells[number], partial(self.way_back, number)
        text = said(self.inlines[number])
        return Passage(text, way, trail, "", "cell", self.number + 1, self.page, cell, cell + 2, -1)


def is_plain(inline: Token) -> bool:
    """True for a cell of text without markup, written as it is read."""
    children = inline.children or []
    plain = len(children) == 1 and children[0].type == "text" and children[0].content == inline.content
    return plain and "|" not in inline.content


def row(page: Page, sheet: Paper, trail: Trail, cells: Sequence[int]) -> Row:
    line = Line(page, sheet, cells)
    return tuple([line.passage(number, trail) for number in range(len(cells))])


def written_cells(row: Row) -> int:
    """Number of cells that the author wrote in a row; the parser drops extra cells and adds missing ones."""
    line = row[0].page.source.line(row[0].line)
    bounds = pipes(line)
    begins = bounds[1] if is_blank_before(row, line, bounds[1]) else -1
    inside = line[begins + 1 :].rstrip()
    return len(pipes(inside.removesuffix("|") if not inside.endswith("\\|") else inside)) - 1


def is_blank_before(row: Row, line: str, pipe: int) -> bool:
    """True if the first cell comes after the first separator."""
    content = row[0].page.tokens[row[0].first + 1].content
    return not (content and line[:pipe].replace("\\|", "|").rstrip().endswith(content))

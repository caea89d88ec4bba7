"""The tables of a page: what stands above them, their cells, and where each cell stands in the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from markdown_it.token import Token

from .inlines import in_row, pipes
from .layout import HOLDERS, Grid, Opening, layout
from .model import Page, Trail
from .paper import Paper, paper
from .prose import Passage, Piece, given, passage, said, trace

Row = tuple[Passage, ...]


class Table(NamedTuple):
    """A header and rows of as many cells; a cell is read and traced back like a paragraph."""

    trail: Trail  # the headings above
    above: Passage | None  # the paragraph that stands directly above: often a caption
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
    return read_all(page, paper(page.source), layout(page).tables)


def read_all(page: Page, sheet: Paper, found: Iterable[Grid]) -> Iterator[Table]:
    for grid in found:
        header, *rows = (row(page, sheet, grid.trail, cells) for cells in grid.rows)
        line = (page.tokens[grid.number].map or [0])[0] + 1
        yield Table(grid.trail, caption(page, sheet, grid), header, tuple(rows), line, page)


def caption(page: Page, sheet: Paper, grid: Grid) -> Passage | None:
    """The paragraph above, also above the box that begins with the table."""
    tokens, end = page.tokens, grid.number - 1
    while end >= 0 and tokens[end].type in HOLDERS:
        end -= 1
    if end < 2 or tokens[end].type != "paragraph_close":
        return None
    return passage(page, sheet, Opening(end - 2, grid.trail, -1), end)


class Line:
    """The line of a page in which the cells of a row stand."""

    def __init__(self, sheet: Paper, number: int, cells: Sequence[Token]) -> None:
        self.sheet, self.number, self.cells = sheet, number, cells

    @cached_property
    def bounds(self) -> list[int]:
        return pipes(self.sheet.lines[self.number])

    def way_back(self, number: int) -> tuple[Piece, ...]:
        """From one of the cells, counted from 0, to its place in the line."""
        inline, pieces = self.cells[number], list[Piece]()
        standing = in_row(self.sheet, self.number, self.bounds, self.cells[0].content, number, given(inline))
        if is_plain(inline) and len(standing.places) == 1:
            at, length = standing.places[0], len(inline.content)
            return (Piece(0, length, at, at + length, False),)
        trace(inline, standing, 0, pieces)
        return tuple(pieces) or (Piece(0, 0, standing.at(0), standing.at(0), False),)


def is_plain(inline: Token) -> bool:
    """Nothing but text, written as it is read."""
    children = inline.children or []
    return len(children) == 1 and children[0].type == "text" and children[0].content == inline.content


def row(page: Page, sheet: Paper, trail: Trail, cells: Sequence[int]) -> Row:
    number = (page.tokens[cells[0] - 1].map or [0])[0]
    line = Line(sheet, number, [page.tokens[cell + 1] for cell in cells])
    return tuple(
        Passage(said(inline), partial(line.way_back, at), trail, "", "cell", number + 1, page, cell, cell + 2, -1)
        for at, (cell, inline) in enumerate(zip(cells, line.cells, strict=True))
    )


def written_cells(row: Row) -> int:
    """How many cells a row has in the page: the parser cuts off what the header has no room for, and fills up."""
    line = row[0].page.source.line(row[0].line)
    bounds = pipes(line)
    begins = bounds[1] if is_blank_before(row, line, bounds[1]) else -1
    inside = line[begins + 1 :].rstrip()
    return len(pipes(inside.removesuffix("|") if not inside.endswith("\\|") else inside)) - 1


def is_blank_before(row: Row, line: str, pipe: int) -> bool:
    """Whether the first cell stands behind the first line between cells, and not before it."""
    content = row[0].page.tokens[row[0].first + 1].content
    return not (content and line[:pipe].replace("\\|", "|").rstrip().endswith(content))

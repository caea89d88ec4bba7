"""The tables of a page: what stands above them, their cells, and where each cell stands in the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from markdown_it.token import Token

from .inlines import in_row, pipes
from .model import Page, Trail
from .paper import Paper, Text, paper
from .prose import HOLDERS, Passage, Piece, Trails, passage, read_inline

CELLS = ("th_open", "td_open")

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
    def columns(self) -> list[Row]:
        """The cells below each cell of the header."""
        return list(zip(*self.rows, strict=True)) if self.rows else [() for _ in self.header]

    @property
    def caption(self) -> str:
        return self.above.text if self.above else ""


class Place(NamedTuple):
    """Where a table is read."""

    page: Page
    sheet: Paper
    trail: Trail


def tables(page: Page) -> Iterator[Table]:
    sheet, trails = None, Trails(page)
    for number, token in enumerate(page.tokens):
        if token.type == "table_open":
            sheet = sheet or paper(page.source)
            yield table(Place(page, sheet, trails.at(number)), number)


def table(place: Place, number: int) -> Table:
    token = place.page.tokens[number]
    header, *rows = rows_below(place, number)
    return Table(place.trail, caption(place, number), header, tuple(rows), (token.map or [0])[0] + 1, place.page)


def caption(place: Place, number: int) -> Passage | None:
    """The paragraph above, also above the box that begins with the table."""
    tokens, end = place.page.tokens, number - 1
    while end >= 0 and tokens[end].type in HOLDERS:
        end -= 1
    if end < 2 or tokens[end].type != "paragraph_close":
        return None
    return passage(place.page, place.sheet, place.trail, end - 2, end, -1)


def rows_below(place: Place, number: int) -> Iterator[Row]:
    tokens = place.page.tokens
    while tokens[number].type != "table_close":
        if tokens[number].type == "tr_open":
            last = next(at for at in range(number, len(tokens)) if tokens[at].type == "tr_close")
            yield row(place, number, last)
            number = last
        number += 1


def row(place: Place, first: int, last: int) -> Row:
    tokens = place.page.tokens
    line = (tokens[first].map or [0])[0]
    cells = [number for number in range(first + 1, last) if tokens[number].type in CELLS]
    bounds, opening = pipes(place.sheet.lines[line]), tokens[cells[0] + 1].content
    written = (str(tokens[at + 1].meta.get("whole", tokens[at + 1].content)) for at in cells)
    places = (in_row(place.sheet, line, bounds, opening, at, content) for at, content in enumerate(written))
    return tuple(cell(place, number, line, standing) for number, standing in zip(cells, places, strict=True))


def cell(place: Place, number: int, line: int, standing: Text) -> Passage:
    inline = place.page.tokens[number + 1]
    text, pieces = read_cell(inline, standing)
    return Passage(text, pieces, place.trail, "", "cell", line + 1, place.page, number, number + 2, -1)


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


def read_cell(inline: Token, standing: Text) -> tuple[str, tuple[Piece, ...]]:
    children = inline.children or []
    if not children:
        return "", (Piece(0, 0, standing.at(0), standing.at(0), False),)
    if len(children) == 1 and children[0].content == inline.content and children[0].type == "text":
        place = standing.span(0, len(inline.content))
        if place.end - place.start == len(inline.content):
            return inline.content, (Piece(0, len(inline.content), place.start, place.end, False),)
    pieces: list[Piece] = []
    text = read_inline(inline, standing, 0, pieces)
    return text, tuple(pieces) or (Piece(0, 0, standing.at(0), standing.at(0), False),)

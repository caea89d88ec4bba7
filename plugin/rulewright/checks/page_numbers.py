"""The numbers of a page, each with the place where it stands: a sentence, or a cell of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.page import Page, Trail, map_lines
from ..book.tables import Table, build_tables
from ..book.text import Passage, build_passage, read_layout
from ..prose.frames import Frame, Surroundings, read_frames
from ..prose.mood import is_introduced
from ..prose.stems import stems_of
from ..source import Problem, Span

_MOST_NUMBERS = 5_000  # of a page that are read
_MOST_ITEMS = 12  # of a list whose first line is looked for
_LEAST_COUNTED = 3  # rows that a first column may count
_ONE_OF_THEM = re.compile(  # "keeps the 14", "three in Precision and two in Driving"
    r"\b(?:the|that|this|and|or|der|die|das|und|oder)\s+$", re.IGNORECASE
)
_ADJACENT = re.compile(
    r"[\w’']\s+(?:(?:of|is|are|at|by|von|ist|um)\s+|[:=]\s*)?(?:an?\s+)?[+−–-]?$|^\W*$", re.IGNORECASE
)
_BARE = re.compile(r"[^\w(]*[0-9][0-9.,]*\s?[D%+]?[^\w(]*")


class PageNumber(NamedTuple):
    """A number of a page. Links in `parts` of the page are about it: its sentence, its row, or its column."""

    frame: Frame
    trail: Trail
    group: int  # of its paragraph or table
    parts: tuple[Span, ...]
    label: str = ""  # what a bare number in a cell is: its column
    name: str = ""  # whose it is: the cell before it
    introduces: int = -1  # where what it introduces begins: "With six dice:"


class Beside(NamedTuple):
    """What stands beside a number: something that says the same, or a problem."""

    to: str
    problem: Problem | None = None


class Grid(NamedTuple):
    """A table of a page, with the numbers in each cell of its rows."""

    trail: Trail
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[tuple[tuple[Frame, ...], ...], ...]


class PageNumbers(NamedTuple):
    """All numbers of a page in running text, then those in tables."""

    numbers: list[PageNumber]
    grids: list[Grid]


def read_page_numbers(page: Page) -> PageNumbers:
    """The numbers of a page that are read; a page with very many is not read to its end."""
    line_map, layout = map_lines(page.source), read_layout(page)
    passages = [build_passage(page, line_map, opening, opening.number + 2) for opening in layout.texts]
    found = PageNumbers([], [])
    for place, passage in enumerate(passages):
        if len(found.numbers) < _MOST_NUMBERS:
            found.numbers.extend(_read_passage(passage, place, _intro(passages, place), _term(passage)))
    for number, table in enumerate(build_tables(page, line_map, layout.tables), len(passages)):
        if len(found.numbers) < _MOST_NUMBERS:
            _read_table(table, number, found)
    return found


def _read_passage(passage: Passage, group: int, intro: str, term: str) -> Iterator[PageNumber]:
    around = Surroundings(passage.trail, intro, term, is_doubtful=is_introduced(passage))
    frames = list(read_frames(passage.text, passage.span, around))
    leads = passage.text.rstrip().endswith(":") and frames
    last = frames[-1].sentence_span if leads else None
    for frame in frames:
        introduces = last.end if last and frame.sentence_span == last else -1
        yield PageNumber(frame, passage.trail, group, (frame.sentence_span,), introduces=introduces)


def _read_table(table: Table, group: int, found: PageNumbers) -> None:
    headers = [cell.text for cell in table.header]
    grid = list[tuple[tuple[Frame, ...], ...]]()
    for line, row in enumerate((table.header, *table.rows)):
        spans = [cell.span(0, len(cell.text)) for cell in row]
        extent = (Span(table.page.source, spans[0].start, spans[-1].end),) if spans else ()
        cells = list[tuple[Frame, ...]]()
        for place, cell in enumerate(row):
            beside = f"{table.caption} {row[0].text if place else ''}"
            around = Surroundings(table.trail, row=beside, column=headers[place])
            frames = tuple(read_frames(cell.text, cell.span, around))
            cells.append(frames)
            column = () if line or not frames else tuple(cell.span(0, len(cell.text)) for cell in table.columns[place])
            is_bare = line and _BARE.fullmatch(cell.text)
            label, name = (headers[place], row[place - 1].text if place else "") if is_bare else ("", "")
            parts = column or extent
            found.numbers.extend(PageNumber(frame, table.trail, group, parts, label, name) for frame in frames)
        grid += [tuple(cells)] if line else []
    texts = tuple(tuple(cell.text for cell in row) for row in table.rows)
    found.grids.append(Grid(table.trail, tuple(headers), texts, tuple(grid)))


def row_numbers(grid: Grid) -> tuple[Frame, ...]:
    """The numbers in the first column of a table if they only count its rows: 1, 2, 3 and so on."""
    cells = [row[0] if row else () for row in grid.numbers]
    is_bare = all(row and _BARE.fullmatch(row[0]) for row in grid.rows)
    counts = [cell[0].value for cell in cells if len(cell) == 1 and cell[0].number.form == "digits"]
    is_count = len(cells) >= _LEAST_COUNTED and counts == list(range(1, len(cells) + 1))
    return tuple(cell[0] for cell in cells) if is_bare and is_count else ()


def _intro(passages: Sequence[Passage], place: int) -> str:
    """The paragraph above a list, for an item of it; else nothing."""
    passage = passages[place]
    if not _is_item(passage):
        return ""
    for before in reversed(passages[max(place - _MOST_ITEMS, 0) : place]):
        if not _is_item(before):
            return before.text if before.trail == passage.trail else ""
    return ""


def _term(passage: Passage) -> str:
    """The term that a text defines; else nothing."""
    first, tokens = passage.first, passage.page.tokens
    is_definition = first > 2 and tokens[first - 1].type == "dd_open" and tokens[first - 2].type == "dt_close"
    return tokens[first - 3].content if is_definition else ""


def _is_item(passage: Passage) -> bool:
    token = passage.container_token
    return token >= 0 and passage.page.tokens[token].type == "list_item_open"


def is_named(number: PageNumber, core: frozenset[str]) -> bool:
    """Whether a number is directly called so: "difficulty 7", "six dice", or a column of that name."""
    frame = number.frame
    if number.label:
        return core == stems_of(number.label)
    if frame.noun and frame.noun[0] in core and core <= set(frame.noun):
        return True
    is_next = bool(frame.head) and frame.head[0] in core and core <= set(frame.head[: len(core) + 1])
    return is_next and bool(_ADJACENT.search(frame.before)) and not _ONE_OF_THEM.search(frame.before)

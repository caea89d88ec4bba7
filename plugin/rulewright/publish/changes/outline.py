"""A text before it has a format: sections with lines and small tables; rendered as Markdown or for a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..columns import visible, width


@dataclass(frozen=True)
class Line:
    text: str
    depth: int = 0
    quiet: bool = False  # less important: gray in a terminal


@dataclass(frozen=True)
class Grid:
    """A table; its first row and its first column are headers."""

    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    title: str
    body: tuple[Line | Grid, ...]
    level: int = 1


def make_grid(heads: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> Grid:
    corner = " / ".join(filter(None, heads))
    return Grid(((corner, *columns), *map(tuple, rows)), caption)


MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~^$&]|==|:(?=\w)|^[-+](?=\s)|(?<=^\d)[.)](?=\s))")

WHITESPACE = re.compile(r"[^\S\u00a0]+")  # except no-break spaces


def render_markdown(sections: Iterable[Section], level: int = 2) -> str:
    return "\n".join(line for section in sections for line in _markdown_section(section, level)).rstrip("\n") + "\n"


def _markdown_section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {_escape_markdown(section.title)}"
    yield ""
    listed = False
    for part in section.body:
        if isinstance(part, Grid):
            yield from [""] if listed else []
            yield from _markdown_table(part)
            listed = False
        else:
            yield _markdown_item(part)
            listed = True
    yield from [""] if listed else []


def _markdown_item(line: Line) -> str:
    return f"{'    ' * line.depth}- {_escape_markdown(line.text)}"


def _markdown_table(table: Grid) -> Iterator[str]:
    yield from [_escape_markdown(table.caption), ""] if table.caption else []
    head, *rows = table.rows
    yield _markdown_row(head)
    yield "| " + " | ".join(["---", *["--:"] * (len(head) - 1)]) + " |"
    yield from map(_markdown_row, rows)
    yield ""


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escape_markdown, cells)) + " |"


def _escape_markdown(text: str) -> str:
    return MARKUP.sub(r"\\\1", visible(WHITESPACE.sub(" ", text.strip())))


WIDTH = 80
INDENT = "  "

Paint = Callable[[str, str], str]


def render_text(sections: Iterable[Section], paint: Paint) -> Iterator[str]:
    for number, section in enumerate(sections):
        yield from [""] if number else []
        yield paint(visible(section.title), "title")
        for part in section.body:
            yield from _text_table(part, paint) if isinstance(part, Grid) else _text_line(part, paint)


def _text_line(line: Line, paint: Paint) -> Iterator[str]:
    first = INDENT * (line.depth + 1)
    for number, words in enumerate(_fold_words(visible(line.text), WIDTH - len(first) - len(INDENT))):
        yield paint(first + (INDENT if number else "") + words, "quiet" if line.quiet else "")


def _fold_words(words: str, room: int) -> Iterator[str]:
    """Lines of at most `room` columns, broken at spaces."""
    now = ""
    for word in words.split():
        if now and width(f"{now} {word}") > room:
            yield now
            now = word
        else:
            now = f"{now} {word}".strip()
    yield now


def _text_table(table: Grid, paint: Paint) -> Iterator[str]:
    rooms = [max(width(visible(cell)) for cell in column) for column in zip(*table.rows, strict=True)]
    yield ""
    captions = _fold_words(visible(table.caption), WIDTH - len(INDENT)) if table.caption else ()
    yield from (INDENT + paint(words, "quiet") for words in captions)
    for number, row in enumerate(table.rows):
        cells = [
            _pad_cell(visible(cell), room, place == 0)
            for place, (cell, room) in enumerate(zip(row, rooms, strict=True))
        ]
        yield paint(INDENT * 2 + "  ".join(cells).rstrip(), "" if number else "quiet")


def _pad_cell(cell: str, room: int, left: bool) -> str:
    blanks = " " * (room - width(cell))
    return cell + blanks if left else blanks + cell

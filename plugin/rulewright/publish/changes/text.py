"""An outline for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..columns import visible, width
from .outline import Grid, Line, Section

WIDTH = 80
INDENT = "  "

Paint = Callable[[str, str], str]


def render_text(sections: Iterable[Section], paint: Paint) -> Iterator[str]:
    for number, section in enumerate(sections):
        yield from [""] if number else []
        yield paint(visible(section.title), "title")
        for part in section.body:
            yield from text_table(part, paint) if isinstance(part, Grid) else text_line(part, paint)


def text_line(one: Line, paint: Paint) -> Iterator[str]:
    first = INDENT * (one.depth + 1)
    for number, words in enumerate(fold_words(visible(one.text), WIDTH - len(first) - len(INDENT))):
        yield paint(first + (INDENT if number else "") + words, "quiet" if one.quiet else "")


def fold_words(words: str, room: int) -> Iterator[str]:
    """On as many lines as are needed, broken at blanks."""
    now = ""
    for word in words.split():
        if now and width(f"{now} {word}") > room:
            yield now
            now = word
        else:
            now = f"{now} {word}".strip()
    yield now


def text_table(one: Grid, paint: Paint) -> Iterator[str]:
    rooms = [max(width(visible(cell)) for cell in column) for column in zip(*one.rows, strict=True)]
    yield ""
    captions = fold_words(visible(one.caption), WIDTH - len(INDENT)) if one.caption else ()
    yield from (INDENT + paint(words, "quiet") for words in captions)
    for number, row in enumerate(one.rows):
        cells = [
            pad_cell(visible(cell), room, place == 0) for place, (cell, room) in enumerate(zip(row, rooms, strict=True))
        ]
        yield paint(INDENT * 2 + "  ".join(cells).rstrip(), "" if number else "quiet")


def pad_cell(cell: str, room: int, left: bool) -> str:
    blanks = " " * (room - width(cell))
    return cell + blanks if left else blanks + cell

"""What is put into a page, as a unified difference: the places are known, so that nobody has to look for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..text import LINE_END, Source

CONTEXT = 3


class Insertion(NamedTuple):
    """Whole lines that are put in before a character of the page."""

    at: int
    text: str


class Hunk(NamedTuple):
    """Lines of the page, from one up to another, with all that is put in between."""

    start: int
    end: int
    added: Sequence[tuple[int, list[str]]]  # before which line, and what


def inserted(source: Source, insertions: Sequence[Insertion]) -> Source:
    parts, done = list[str](), 0
    for one in insertions:
        parts += [source.text[done : one.at], one.text]
        done = one.at
    return Source(source.path, "".join([*parts, source.text[done:]]))


def difference(source: Source, insertions: Sequence[Insertion]) -> Iterator[str]:
    """The lines of the difference, insertions in reading order."""
    lines = LINE_END.split(source.text)
    if lines and not lines[-1]:
        lines.pop()
    yield f"--- {source.path}"
    yield f"+++ {source.path}"
    shift = 0
    for hunk in hunks(source, insertions, len(lines)):
        number = sum(len(added) for _, added in hunk.added)
        length = hunk.end - hunk.start
        yield f"@@ -{extent(hunk.start, length)} +{extent(hunk.start + shift, length + number)} @@"
        yield from told(hunk, lines)
        shift += number


def hunks(source: Source, insertions: Sequence[Insertion], length: int) -> Iterator[Hunk]:
    """Insertions with the lines around them; those that are near to each other in one."""
    near: list[tuple[int, list[str]]] = []
    for one in insertions:
        place, added = before_line(source, one, length), lines_of(source, one)
        if near and place - near[-1][0] > 2 * CONTEXT:
            yield hunk(near, length)
            near = []
        near.append((place, added))
    if near:
        yield hunk(near, length)


def hunk(near: list[tuple[int, list[str]]], length: int) -> Hunk:
    return Hunk(max(near[0][0] - CONTEXT, 0), min(near[-1][0] + CONTEXT, length), near)


def before_line(source: Source, one: Insertion, length: int) -> int:
    """The number of the line that comes behind what is put in, counted from 0."""
    return length if one.at >= len(source.text) else source.place(one.at)[0] - 1


def lines_of(source: Source, one: Insertion) -> list[str]:
    """The lines that are put in; behind a page that does not end its last line they begin with that end."""
    lines = LINE_END.split(one.text)
    if one.at and source.text[one.at - 1] not in "\n\r":
        lines = lines[1:]
    return lines[:-1] if not lines[-1] else lines


def extent(start: int, length: int) -> str:
    return f"{start + 1}" if length == 1 else f"{start + (length > 0)},{length}"


def told(one: Hunk, lines: Sequence[str]) -> Iterator[str]:
    at = one.start
    for place, added in one.added:
        yield from (f" {line}" for line in lines[at:place])
        yield from (f"+{line}" for line in added)
        at = place
    yield from (f" {line}" for line in lines[at : one.end])

"""A page as the parser sees it, and the way back from there to the characters of the file."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from ..text import BOM, LINE_END, Source, Span


class Text(NamedTuple):
    """Text cut out of a page, line by line, without the marks of the containers around it."""

    source: Source
    content: str
    starts: tuple[int, ...]  # where each line begins in the content
    places: tuple[int, ...]  # and where that is in the page

    def at(self, offset: int) -> int:
        """The place in the page of a character of the content."""
        line = bisect_right(self.starts, offset) - 1
        return max(self.places[line] + offset - self.starts[line], 0)

    def span(self, start: int, end: int) -> Span:
        first = self.at(start)
        return Span(self.source, first, max(self.at(end - 1) + 1, first) if end > start else first)

    def part(self, start: int, end: int) -> Text:
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end) - 1
        starts = (0, *(begin - start for begin in self.starts[first + 1 : last + 1]))
        places = (self.places[first] + start - self.starts[first], *self.places[first + 1 : last + 1])
        return Text(self.source, self.content[start:end], starts, places)


@dataclass(frozen=True)
class Paper:
    """The lines of a page with LF as their end, and without what the parser shall not see."""

    source: Source
    lines: list[str]
    hidden: int = 0  # so many lines at the top are front matter

    @cached_property
    def text(self) -> str:
        return "\n" * self.hidden + "\n".join(self.lines[self.hidden :])

    @cached_property
    def starts(self) -> list[int]:
        """Where the lines begin in the source; a byte order mark belongs to no line."""
        if "\r" in self.source.text:
            return self.source.starts
        mark = self.source.text.startswith(BOM)
        return list(accumulate((len(line) + 1 for line in self.lines), initial=int(mark)))

    def span(self, line: int, start: int, end: int) -> Span:
        """A stretch of one line, lines counted from 0."""
        return Span(self.source, self.starts[line] + start, self.starts[line] + end)

    def whole(self, line: int) -> Span:
        """A line without the blanks around it."""
        text = self.lines[line]
        start = len(text) - len(text.lstrip())
        return self.span(line, start, max(len(text.rstrip()), start))

    def block(self, first: int, end: int) -> Span:
        """From the first visible character of one line to the last of another."""
        line = self.lines[first]
        start = self.starts[first] + len(line) - len(line.lstrip())
        return Span(self.source, start, max(self.starts[end - 1] + len(self.lines[end - 1].rstrip()), start))

    def cut(self, first: int, content: str) -> Text:
        """Where content stands of which each line is the tail of a line of the page, from `first` on."""
        if self.is_plain(first, content):
            places = self.starts[first : first + content.count("\n") + 1]
            return Text(self.source, content, tuple([place - places[0] for place in places]), tuple(places))
        starts, places, at, number = [], [], 0, first
        for piece in content.split("\n"):
            starts.append(at)
            places.append(self.tail(number, piece))
            at += len(piece) + 1
            number += 1
        return Text(self.source, content, tuple(starts), tuple(places))

    def is_plain(self, first: int, content: str) -> bool:
        """Does content stand in the page as it is, whole lines with LF at their ends?"""
        return "\n" in content and self.source.text.startswith(content, self.starts[first])

    def tail(self, number: int, piece: str) -> int:
        """Where a piece begins that ends its line; blanks behind it may be gone, tabs before it be spread."""
        if number >= len(self.lines):
            return len(self.source.text)
        line = self.lines[number]
        if line.endswith(piece):
            return self.starts[number] + len(line) - len(piece)
        found = line.rfind(piece)
        if found >= 0:
            return self.starts[number] + found
        bare = piece.lstrip(" ")
        return self.starts[number] + max(line.rfind(bare), 0) - (len(piece) - len(bare))


def paper(source: Source) -> Paper:
    text = source.text.removeprefix(BOM).replace("\0", "\ufffd")
    return Paper(source, (LINE_END.sub("\n", text) if "\r" in text else text).split("\n"))

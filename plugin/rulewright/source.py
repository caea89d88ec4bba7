"""Where something stands in a file, and what is wrong there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

LINE_END = re.compile(r"\r\n|\n|\r")
BOM = "\ufeff"


@dataclass(frozen=True)
class Source:
    """One file's text; lines end with LF, CRLF or CR and with nothing else; a byte order mark is in no line."""

    path: str
    text: str = field(repr=False)  # many things point into a source; none of them is told by showing all of it

    @cached_property
    def starts(self) -> list[int]:
        return [int(self.text.startswith(BOM)), *(found.end() for found in LINE_END.finditer(self.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = max(bisect_right(self.starts, offset), 1)
        return line, max(offset - self.starts[line - 1], 0) + 1

    def line(self, number: int) -> str:
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return LINE_END.sub("", self.text[start:end])


class Span(NamedTuple):
    """A stretch of a source, from its first character up to the one after its last."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def part(self, start: int, end: int) -> Span:
        return Span(self.source, self.start + start, self.start + end)


class Fix(NamedTuple):
    """The smallest edit that mends a problem."""

    span: Span
    text: str


class Problem(NamedTuple):
    """Something an author can mend: its place, the fact, and notes that lead to the repair."""

    code: str
    message: str
    span: Span
    severity: str = "error"
    notes: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    fix: Fix | None = None


def in_reading_order(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.span.source.path, problem.span.start, problem.span.end))


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant."""
    from difflib import get_close_matches

    spelled = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), spelled, n=1, cutoff=0.6)
    return spelled[found[0]] if found else None


def suggest(word: str, known: Iterable[str]) -> str:
    """A note to put behind «there is no …»: the nearest word, or the whole choice when it is short."""
    names = list(known)
    found = nearest(word, names)
    if found:
        return f"did you mean {found}?"
    if names and len(names) <= 12:
        return "known here: " + ", ".join(names)
    return ""

"""Source files, spans in them, and the problems reported there."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

LINE_BREAK = re.compile(r"\r\n|\n|\r")
BOM = "\ufeff"


@dataclass(frozen=True)
class Source:
    """The text of one file. Lines end with LF, CRLF or CR only; a byte order mark belongs to no line."""

    path: str
    text: str = field(repr=False)  # spans refer to their source; their repr should not contain the whole file

    @cached_property
    def line_starts(self) -> list[int]:
        return [int(self.text.startswith(BOM)), *(match.end() for match in LINE_BREAK.finditer(self.text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1."""
        line = max(bisect_right(self.line_starts, offset), 1)
        return line, max(offset - self.line_starts[line - 1], 0) + 1

    def line(self, number: int) -> str:
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        return LINE_BREAK.sub("", self.text[start:end])


class Span(NamedTuple):
    """A part of a source: from `start` up to, but not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]

    def subspan(self, start: int, end: int) -> Span:
        return Span(self.source, self.start + start, self.start + end)


class Fix(NamedTuple):
    """The smallest edit that fixes a problem."""

    span: Span
    text: str
    summary: str = ""  # what it does, if its text alone would not say so


class Problem(NamedTuple):
    """Something that an author should fix: a message, its span, and notes that help to fix it."""

    code: str
    message: str
    span: Span
    severity: str = "error"
    notes: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    fix: Fix | None = None
    cause: str = ""  # what other problems share with this one, such as the line of a game that they disagree with

    @property
    def path(self) -> str:
        """The file, relative to the current folder; empty if the problem is not in a file."""
        return self.span.source.path

    @property
    def line(self) -> int:
        return self.span.source.position(self.span.start)[0]

    @property
    def column(self) -> int:
        return self.span.source.position(self.span.start)[1]

    def __str__(self) -> str:
        return f"{self.path or 'text'}:{self.line}:{self.column}: {self.severity}[{self.code}] {self.message}"


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.span.source.path, problem.span.start, problem.span.end))


def find_similar(word: str, known: Iterable[str]) -> str | None:
    """The known word closest to a misspelled one, ignoring case; None if no word is close."""
    from difflib import get_close_matches

    spelled = {name.lower(): name for name in known}
    matches = get_close_matches(word.lower(), spelled, n=1, cutoff=0.6)
    return spelled[matches[0]] if matches else None


def suggest(word: str, known: Iterable[str]) -> str:
    """A note for a message such as "there is no …": the nearest known word, or all of them if there are few."""
    names = list(known)
    similar = find_similar(word, names)
    if similar:
        return f"did you mean {similar}?"
    if names and len(names) <= 12:
        return "known here: " + ", ".join(names)
    return ""

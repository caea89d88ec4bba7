"""A page that others have changed on its way to the site: what is wrong there, at its place in the file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from ..book.front import front_lines
from ..book.model import Page
from ..book.paper import paper
from ..text import Problem, Source, Span

NOT_IN_FILE = "this line is not in the file; something that runs before the page is read has put it there: «{line}»"


def same_text(page: Page, text: str) -> bool:
    """Is this the page without its front matter, as programs hand it on?"""
    return body(page.source) == text.strip("\n")


def body(source: Source) -> str:
    sheet = paper(source)
    return "\n".join(sheet.lines[front_lines(sheet) :]).strip("\n")


@dataclass(frozen=True)
class Origin:
    """Which line of a changed text is which line of the file; both count from 1."""

    file: Source
    lines: dict[int, int]

    def problem(self, problem: Problem) -> Problem:
        span, known = self.span(problem.span)
        fix = None
        if problem.fix and known:
            fixed, known = self.span(problem.fix.span)
            fix = replace(problem.fix, span=fixed) if known else None
        line = problem.span.source.line(problem.span.source.place(problem.span.start)[0]).strip()
        notes = problem.notes if known or not line else (*problem.notes, NOT_IN_FILE.format(line=line))
        return replace(problem, span=span, fix=fix, notes=notes)

    def span(self, span: Span) -> tuple[Span, bool]:
        """The same stretch in the file, or the line above it that is in the file."""
        start, end = self.place(span.source, span.start), self.place(span.source, span.end)
        if start is not None and end is not None:
            return Span(self.file, start, max(start, end)), True
        line = span.source.place(span.start)[0]
        above = next((self.lines[number] for number in range(line, 0, -1) if number in self.lines), 1)
        at = self.file.starts[above - 1]
        return Span(self.file, at, at + len(self.file.line(above))), False

    def place(self, text: Source, offset: int) -> int | None:
        line, column = text.place(offset)
        return self.file.starts[self.lines[line] - 1] + column - 1 if line in self.lines else None


def origin(text: Source, file: Source) -> Origin:
    """Lines belong together that say the same and stand in the same order."""
    new, old = lines(text), lines(file)
    found = SequenceMatcher(None, new, old, autojunk=False).get_matching_blocks()
    return Origin(file, {one.a + n + 1: one.b + n + 1 for one in found for n in range(one.size)})


def lines(source: Source) -> list[str]:
    return [source.line(number) for number in range(1, len(source.starts) + 1)]


def in_file(problems: Iterable[Problem], text: Source, file: Source) -> list[Problem]:
    where = origin(text, file)
    return [where.problem(problem) for problem in problems]

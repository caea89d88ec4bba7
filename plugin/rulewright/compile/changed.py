"""A page that others have changed on its way to the site: what is wrong there, at its place in the file."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

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


class Origin(NamedTuple):
    """Which line of a changed text is which line of the file; both count from 1."""

    file: Source
    lines: dict[int, int]
    near: dict[int, int]  # for the others: the line in whose place they stand, or behind which

    def problem(self, problem: Problem) -> Problem:
        span, known = self.span(problem.span)
        fix = None
        if problem.fix and known:
            fixed, known = self.span(problem.fix.span)
            fix = problem.fix._replace(span=fixed) if known else None
        line = problem.span.source.line(problem.span.source.place(problem.span.start)[0]).strip()
        notes = problem.notes if known or not line else (*problem.notes, NOT_IN_FILE.format(line=line))
        return problem._replace(span=span, fix=fix, notes=notes)

    def span(self, span: Span) -> tuple[Span, bool]:
        """The same stretch in the file, or the line that was changed, or behind which it was put."""
        start, end = self.place(span.source, span.start), self.place(span.source, span.end)
        if start is not None and end is not None:
            return Span(self.file, start, max(start, end)), True
        line = span.source.place(span.start)[0]
        number = self.lines.get(line) or self.near.get(line, 1)
        at = self.file.starts[number - 1]
        return Span(self.file, at, at + len(self.file.line(number))), False

    def place(self, text: Source, offset: int) -> int | None:
        line, column = text.place(offset)
        return self.file.starts[self.lines[line] - 1] + column - 1 if line in self.lines else None


def origin(text: Source, file: Source) -> Origin:
    """Lines belong together that say the same and stand in the same order."""
    same, near = dict[int, int](), dict[int, int]()
    for tag, first, end, start, stop in SequenceMatcher(None, lines(text), lines(file), autojunk=False).get_opcodes():
        for line in range(first, end):
            place = max(min(start + line - first, stop - 1), 0) + 1
            (same if tag == "equal" else near)[line + 1] = place
    return Origin(file, same, near)


def lines(source: Source) -> list[str]:
    return [source.line(number) for number in range(1, len(source.starts) + 1)]


def in_file(problems: Iterable[Problem], text: Source, file: Source) -> list[Problem]:
    where = origin(text, file)
    return [where.problem(problem) for problem in problems]

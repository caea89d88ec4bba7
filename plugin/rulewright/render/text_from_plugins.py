"""Texts of pages that other plugins have changed: their problems are reported at the lines of the files."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import NamedTuple

from ..book.page import Page, map_lines
from ..book.parser import count_front_matter_lines
from ..source import Problem, Source, Span

_NOT_IN_FILE = 'this line is not in the file; something that runs before the page is read has put it there: "{line}"'


def is_same_text(page: Page, text: str) -> bool:
    """Is this text the page without its front matter, as MkDocs passes it on?"""
    line_map = map_lines(page.source)
    body = line_map.lines[count_front_matter_lines(line_map, page.multimarkdown) :]
    return "\n".join(body).strip("\n") == text.strip("\n")


class _LineOrigins(NamedTuple):
    """Maps the lines of a changed text to the lines of its file; both count from 1.

    Other plugins may change a page before it is read, but problems are reported at their positions in the file.
    """

    file: Source
    lines: dict[int, int]
    neighbors: dict[int, int]  # for other lines: the line that they replace or follow

    def map_problem(self, problem: Problem) -> Problem:
        """The problem at its position in the file; its fix is dropped if the line is not in the file."""
        span, known = self.map_span(problem.span)
        fix = None
        if problem.fix and known:
            fixed, known = self.map_span(problem.fix.span)
            fix = problem.fix._replace(span=fixed) if known else None
        line = problem.span.source.line(problem.span.source.position(problem.span.start)[0]).strip()
        notes = problem.notes if known or not line else (*problem.notes, _NOT_IN_FILE.format(line=line))
        return problem._replace(span=span, fix=fix, notes=notes)

    def map_span(self, span: Span) -> tuple[Span, bool]:
        """The same span in the file and True, or the line that was changed or precedes inserted text, and False."""
        start, end = self.map_offset(span.source, span.start), self.map_offset(span.source, span.end)
        if start is not None and end is not None:
            return Span(self.file, start, max(start, end)), True
        line = span.source.position(span.start)[0]
        number = self.lines.get(line) or self.neighbors.get(line, 1)
        at = self.file.line_starts[number - 1]
        return Span(self.file, at, at + len(self.file.line(number))), False

    def map_offset(self, text: Source, offset: int) -> int | None:
        """The offset in the file of an offset in the text; None if the line is not in the file."""
        line, column = text.position(offset)
        return self.file.line_starts[self.lines[line] - 1] + column - 1 if line in self.lines else None


def match_lines(text: Source, file: Source) -> _LineOrigins:
    """Match the lines of both texts with `SequenceMatcher`."""
    same, near = dict[int, int](), dict[int, int]()
    for tag, first, end, start, stop in SequenceMatcher(
        None, _source_lines(text), _source_lines(file), autojunk=False
    ).get_opcodes():
        for line in range(first, end):
            place = max(min(start + line - first, stop - 1), 0) + 1
            (same if tag == "equal" else near)[line + 1] = place
    return _LineOrigins(file, same, near)


def _source_lines(source: Source) -> list[str]:
    return [source.line(number) for number in range(1, len(source.line_starts) + 1)]


def map_problems(problems: Iterable[Problem], text: Source, file: Source) -> list[Problem]:
    """The problems of a changed text at their positions in the file."""
    origins = match_lines(text, file)
    return [origins.map_problem(problem) for problem in problems]

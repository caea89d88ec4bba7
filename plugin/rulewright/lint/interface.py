"""The interface of a lint check, and the text it reads: paragraphs and table cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from ..book.host import HostSettings
from ..book.page import LineMap, Page, map_lines
from ..book.tables import Table, build_tables
from ..book.text import Layout, Paragraph, Passage, build_passage, paragraphs, read_layout
from ..source import Problem, Span

_BETWEEN = "\n\0\n"  # between two passages: in no text, and nothing that a word, a number or a space may cross
_FIGURE = re.compile("[0-9%]")


class _JoinedPassages:
    """Passages of a page, and their text in one piece, so that a pattern reads the page once."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        texts = [passage.text for passage in passages]
        self.text = _BETWEEN.join(texts)
        self.starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))

    def matching(self, *patterns: re.Pattern[str]) -> list[Passage]:
        """The passages in which one of the patterns matches, in order."""
        numbers = set[int]()
        for pattern in patterns:
            match = pattern.search(self.text)
            while match:
                first, last = (bisect_right(self.starts, offset) for offset in match.span())
                numbers.update(range(first - 1, last))
                more = last + 1 < len(self.starts)
                match = pattern.search(self.text, self.starts[last]) if more else None
        return [self.passages[number] for number in sorted(numbers)]


class LintContext:
    """What the checks read on one page. Each part is computed on first use and shared by all checks.

    `host` is None unless the Python-Markdown of a site renders the page.
    """

    def __init__(self, page: Page, host: HostSettings | None = None) -> None:
        self.page, self.host = page, host

    @cached_property
    def source_map(self) -> LineMap:
        return map_lines(self.page.source)

    @cached_property
    def layout(self) -> Layout:
        return read_layout(self.page)

    @cached_property
    def running_text(self) -> tuple[Paragraph, ...]:
        """Every paragraph and box title, including those in lists and quotes."""
        return tuple(paragraphs(self.page, self.layout.texts))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return tuple(
            [
                paragraph
                for paragraph in self.running_text
                if paragraph.token.type == "paragraph_open" and paragraph.token.map
            ]
        )

    def passage(self, paragraph: Paragraph) -> Passage:
        return build_passage(self.page, self.source_map, paragraph.opening, paragraph.opening.number + 2)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(map(self.passage, self.running_text))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple(build_tables(self.page, self.source_map, self.layout.tables))

    @cached_property
    def _joined(self) -> _JoinedPassages:
        """The paragraphs of the page, then the cells of its tables."""
        return _JoinedPassages(list(all_passages(self)))

    @cached_property
    def _joined_with_figures(self) -> _JoinedPassages:
        return _JoinedPassages(self._joined.matching(_FIGURE))

    def passages_with(self, *patterns: re.Pattern[str]) -> list[Passage]:
        r"""The paragraphs, then the cells, in which one of the patterns matches.

        All of them are searched as one text, so no pattern may depend on the border of a passage: `$` at its end, `^`
        or `\A` without MULTILINE, and a lookaround such as `(?<!\s)` at its beginning would miss passages."""
        return self._joined.matching(*patterns)

    def figures_with(self, *patterns: re.Pattern[str]) -> list[Passage]:
        """The same for patterns of dice and numbers in figures: passages without any are not read."""
        return self._joined_with_figures.matching(*patterns)


class LintResult(NamedTuple):
    """The result of one check on one page."""

    checked_count: int = 0  # how many things the check looked at
    problems: tuple[Problem, ...] = ()
    facts: tuple[Any, ...] = ()  # evidence for `check_book`: plain data, because it may come from another process
    compared: tuple[Span, ...] = ()  # text whose numbers agree with each other; a change of one is reported


def no_book_problems(_facts: Sequence[Any]) -> list[Problem]:
    return []


class Check(NamedTuple):
    """A lint check. `check_page` runs on each page; `check_book` runs once, on the facts that all pages returned.

    `name` is the option that switches it and the prefix of its codes; `noun` is what the summary counts, if any; `help`
    explains its codes in Markdown, where the handbook does not.
    """

    name: str
    noun: str
    check_page: Callable[[LintContext], LintResult]
    check_book: Callable[[Sequence[Any]], list[Problem]] = (
        no_book_problems  # gets the facts of all pages, in reading order
    )
    help: str = ""


def all_passages(context: LintContext) -> Iterator[Passage]:
    """The paragraphs of a page, then the cells of its tables."""
    yield from context.passages
    for table in context.tables:
        yield from table.cells

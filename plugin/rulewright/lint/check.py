"""The interface of a lint check, and the text it reads: paragraphs, table cells, the sentence around a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..book.page import LineMap, Page, map_lines
from ..book.tables import Table, build_tables
from ..book.text import Layout, Paragraph, Passage, build_passage, paragraphs, read_layout
from ..source import Problem


class Reading:
    """What the checks read on one page. Each part is computed on first use and shared by all checks."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def sheet(self) -> LineMap:
        return map_lines(self.page.source)

    @cached_property
    def layout(self) -> Layout:
        return read_layout(self.page)

    @cached_property
    def running(self) -> tuple[Paragraph, ...]:
        """Every paragraph and box title, including those in lists and quotes."""
        return tuple(paragraphs(self.page, self.layout.texts))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return tuple([one for one in self.running if one.token.type == "paragraph_open" and one.token.map])

    def passage(self, one: Paragraph) -> Passage:
        return build_passage(self.page, self.sheet, one.opening, one.opening.number + 2)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(map(self.passage, self.running))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple(build_tables(self.page, self.sheet, self.layout.tables))


class Noticed(NamedTuple):
    """The result of one check on one page."""

    looked: int = 0  # how many things the check looked at
    problems: tuple[Problem, ...] = ()
    facts: tuple[Any, ...] = ()  # evidence for `check_book`: plain data, because it may come from another process


def nothing_more(_facts: Sequence[Any]) -> list[Problem]:
    return []


class Check(NamedTuple):
    """A lint check. `check_page` runs on each page; `check_book` runs once, on the facts that all pages returned.

    `name` is the option that switches it and the prefix of its codes; `noun` is what the summary counts, if any.
    """

    name: str
    things: str
    look: Callable[[Reading], Noticed]
    settle: Callable[[Sequence[Any]], list[Problem]] = nothing_more  # gets the facts of all pages, in reading order


SENTENCE = re.compile(r"[.!?](?=[\s\"”’)])|\n|…")
NO_END = re.compile(
    r"(?:\b(?:avg|av|approx|ca|vs|pts?|no|nr|e\.g|i\.e|p|pp|lvl|max|min|dmg)|\s[A-Za-z])$", re.IGNORECASE
)
LONGEST = 240  # characters of a sentence that are read on each side of a match


def texts(reading: Reading) -> Iterator[Passage]:
    """The paragraphs of a page, then the cells of its tables."""
    yield from reading.passages
    for table in reading.tables:
        yield from table.cells


def before(text: str, place: int) -> str:
    """The part of the sentence before an offset."""
    begin = max(place - LONGEST, 0)
    window = text[begin:place]
    ends = [found for found in SENTENCE.finditer(window) if not NO_END.search(window, 0, found.start())]
    return window[ends[-1].end() :] if ends else window


def after(text: str, place: int) -> str:
    """The part of the sentence after an offset."""
    window = text[place : place + LONGEST]
    ends = (found.start() for found in SENTENCE.finditer(window) if not NO_END.search(window, 0, found.start()))
    return window[: next(ends, len(window))]


def around(text: str, start: int, end: int) -> str:
    """The sentence around a range of text, without the range itself."""
    return f"{before(text, start)} … {after(text, end)}"

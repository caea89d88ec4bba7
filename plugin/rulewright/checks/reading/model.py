"""What an attentive reader notices on any page, blocks or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...book.layout import Layout, layout
from ...book.model import Page
from ...book.paper import Paper, paper
from ...book.paragraphs import Paragraph, paragraphs
from ...book.prose import Passage, passage
from ...book.tables import Table, read_all
from ...text import Problem


class Reading:
    """A page opened for reading; what several checks look at is put together once, when the first asks for it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @cached_property
    def sheet(self) -> Paper:
        return paper(self.page.source)

    @cached_property
    def layout(self) -> Layout:
        return layout(self.page)

    @cached_property
    def running(self) -> tuple[Paragraph, ...]:
        """Every paragraph and every title of a box, those of lists and quotes included."""
        return tuple(paragraphs(self.page, self.layout.texts))

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        return tuple([one for one in self.running if one.token.type == "paragraph_open" and one.token.map])

    def passage(self, one: Paragraph) -> Passage:
        return passage(self.page, self.sheet, one.opening, one.opening.number + 2)

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        return tuple(map(self.passage, self.running))

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple(read_all(self.page, self.sheet, self.layout.tables))


class Noticed(NamedTuple):
    """What one check made of one page."""

    looked: int = 0  # so many things there were to judge
    problems: tuple[Problem, ...] = ()
    facts: tuple[Any, ...] = ()  # what only the whole book can judge; plain data that can be sent to another process


def nothing_more(_facts: Sequence[Any]) -> list[Problem]:
    return []


class Check(NamedTuple):
    """One thing to look for: `name` is its option and begins its codes, `things` is what the summary counts, if any."""

    name: str
    things: str
    look: Callable[[Reading], Noticed]
    settle: Callable[[Sequence[Any]], list[Problem]] = nothing_more  # the facts of all pages, in reading order

"""A page on its way to paper: what its text needs to know of the book around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path as File

from ...book.model import Block, Link, Page
from ...text import Problem, Span
from ..words import Words


@dataclass(frozen=True)
class Goal:
    """Where a link leads: a place in this print, or an address elsewhere."""

    label: str = ""
    address: str = ""
    near: bool = False  # on the same page of the book


@dataclass
class Print:
    page: Page
    words: Words
    goal: Callable[[Link], Goal | None]
    card: Callable[[Block], str]
    picture: Callable[[str], File | None]  # the file of an image; nothing for one that cannot be had
    name: str  # begins the labels of this page
    line: int = 78  # so many letters fit on a line
    depth: int = 0  # so many levels its headings stand below those of the book
    level: int = 0  # the level of the heading above
    notes: dict[str, str] = field(default_factory=dict)  # footnotes by their labels
    called: set[str] = field(default_factory=set)  # those that stand in the text already
    placed: set[str] = field(default_factory=set)  # labels that are taken
    problems: list[Problem] = field(default_factory=list)
    in_heading: bool = False

    def label_of(self, anchor: str) -> str:
        return f"{self.name}#{anchor}"

    def warn(self, code: str, message: str, line: int, *notes: str) -> None:
        start = self.page.source.starts[min(line, len(self.page.source.starts)) - 1]
        length = len(self.page.source.line(line))
        self.problems.append(Problem(code, message, Span(self.page.source, start, start + length), "warning", notes))

"""What an attentive reader notices on any page, blocks or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...book.inlines import plain
from ...book.model import Page
from ...book.paragraphs import Paragraph, paragraphs
from ...book.prose import Passage, passages
from ...book.tables import Table, tables
from ...game.lazy import lazy
from ...text import Problem, late

DIGIT = late("[0-9⊞⊟⊡]")
SIGNS = late(r"[+−–-]\s?[,/|]?\s?[+−–-]")


def is_figured(text: str) -> bool:
    """Whether there is a number, signs of Fate dice, or a roll; several quick questions instead of a slow one."""
    small = text.lower()
    return bool(DIGIT.search(text) or SIGNS.search(text) or "roll" in small or "hrow" in small or "hrew" in small)


class Reading:
    """A page opened for reading; what several checks look at is put together once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @lazy
    def passages(self) -> tuple[Passage, ...]:
        """Every paragraph, those of lists, quotes and boxes included."""
        return tuple(passages(self.page))

    @lazy
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The same as plain text, for those who need no place inside them."""
        return tuple(paragraphs(self.page))

    @lazy
    def words(self) -> Mapping[int, str]:
        """Their texts by their first tokens."""
        return {one.number: one.text for one in self.paragraphs}

    def saying(self, what: Callable[[str], bool]) -> tuple[Passage, ...]:
        """The paragraphs whose words are such; the others are not put together."""
        known, tokens = self.words, self.page.tokens

        def wanted(number: int) -> bool:
            return what(known[number] if number in known else plain(tokens[number + 1].children or ()))

        return tuple(passages(self.page, wanted=wanted))

    @lazy
    def figured(self) -> tuple[Passage, ...]:
        """The paragraphs in which something could be reckoned."""
        return self.saying(is_figured)

    @lazy
    def tables(self) -> tuple[Table, ...]:
        return tuple(tables(self.page))


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

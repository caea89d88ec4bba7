"""What all ways to bind a book have in common: its parts, and the title that each page begins with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..book.model import Page
from ..compile.nav import Chapter


class Placed(NamedTuple):
    """A chapter of a book; `part` is named in front of it where no page speaks for that part of the book."""

    chapter: Chapter
    part: str = ""
    depth: int = 0  # so far below the parts of the book


def placed(chapters: Sequence[Chapter]) -> Iterator[Placed]:
    top, above = shared(chapters), ""
    for chapter in chapters:
        part = next(iter(chapter.above[top:]), "")
        opens = bool(part) and part != above and not chapter.is_home
        yield Placed(chapter, part if opens else "", 1 if part and not chapter.is_home else 0)
        above = part


def shared(chapters: Sequence[Chapter]) -> int:
    """So many parts all chapters have in common; they need not be named."""
    alls = [chapter.above for chapter in chapters]
    number = 0
    while alls and all(len(one) > number and one[number] == alls[0][number] for one in alls):
        number += 1
    return number


def start(page: Page) -> str:
    """The id of the title that a page begins with."""
    first = page.headings[0] if page.headings else None
    return first.id if first and first.level == highest(page) else ""


def highest(page: Page) -> int:
    return min((heading.level for heading in page.headings), default=1)

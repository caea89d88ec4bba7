"""Pages seen one by one, each read, looked at and checked; in several processes where a book is large."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as File
from typing import TYPE_CHECKING, NamedTuple

from ..book.model import KINDS, Page
from ..checks.reading.all import Notes
from ..text import Source
from .games import Games
from .processes import processes, shared

if TYPE_CHECKING:
    from .books import CheckedPage

PAYS = 1_000_000  # so many characters of pages keep two processes busy longer than it takes to start them
BLOCKS = re.compile(rf"(?:```|~~~|<!--)\s*(?:{'|'.join(KINDS)})\b|\]\(<?(?:roll|chance|value):", re.IGNORECASE)


class Seen(NamedTuple):
    """What can be said of a page by itself; pages that nobody asked for are not checked."""

    page: Page
    notes: Notes
    checked: CheckedPage | None = None

    @property
    def lean(self) -> Seen:
        """Without the tokens, which take most of the memory and are needed for publishing only."""
        page = replace(self.page, tokens=())
        return Seen(page, self.notes, replace(self.checked, page=page) if self.checked else None)


class Eyes(NamedTuple):
    """How pages are seen, and whether their tokens are kept."""

    see: Callable[[File], Seen]
    games: Games
    lean: bool

    def all(self, sources: Mapping[File, Source]) -> Iterator[Seen]:
        large = self.lean and sum(len(source.text) for source in sources.values()) > PAYS
        count = processes() if large else 1
        if count == 1:
            yield from map(self.here, sources)
        else:
            plain = [file for file, source in sources.items() if not BLOCKS.search(source.text)]
            yield from self.together(list(sources), plain, count)

    def here(self, file: File) -> Seen:
        return self.see(file).lean if self.lean else self.see(file)

    def together(self, files: Sequence[File], plain: Sequence[File], count: int) -> Iterator[Seen]:
        """Pages with blocks are seen here: what their checks find would not travel well."""
        sent, coming = set(plain), shared(self.away, plain, count)
        for file in files:
            seen = next(coming) if file in sent else None
            if seen and seen.checked:
                seen = seen._replace(checked=replace(seen.checked, home=self.games.home(file)))
            yield seen or self.here(file)

    def away(self, file: File) -> Seen | None:
        """A page seen by a copy of this process; nothing where it has blocks after all."""
        seen = self.see(file).lean
        if seen.page.blocks or (seen.checked and seen.checked.links):
            return None
        return seen._replace(checked=seen.checked and replace(seen.checked, home=None))

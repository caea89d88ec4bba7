"""A book that is about to be exported: its chapters in order, and how it is to look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as File

from ..book.atlas import Atlas
from ..book.links import on_disk
from ..compile.books import Compiled
from ..compile.games import shown
from ..compile.nav import Chapter, in_order
from ..game.find import overrides_of
from ..text import Problem
from .words import Words, read_words

Made = tuple[bytes, list[Problem]]  # a file, and what of the book could not go into it as it is written
Watch = Callable[[str], None]  # told the title of each chapter, and nothing when the last is done


class NotMade(Exception):
    """A file that cannot be made of this book; the message says why."""


@dataclass(frozen=True)
class Edition:
    compiled: Compiled
    here: File

    @property
    def root(self) -> File:
        return self.compiled.games.root

    @cached_property
    def chapters(self) -> list[Chapter]:
        return in_order(self.compiled, self.root)

    @cached_property
    def atlas(self) -> Atlas:
        pages = [chapter.page.page for chapter in self.chapters]
        aliases = self.compiled.aliases.found
        root = shown(self.root, self.here)
        return Atlas(pages, root, lambda path: on_disk(str(self.here / path)), aliases=aliases)

    @cached_property
    def words(self) -> Words:
        return read_words(self.compiled.options.language)

    @property
    def title(self) -> str:
        return self.compiled.options.title or self.chapters[0].page.page.title

    @cached_property
    def overrides(self) -> File | None:
        """The folder in which a book keeps what it changes of the look; not used with a link out of the project."""
        folder = overrides_of(self.root)
        return folder if self.compiled.project.is_closed(folder) else None

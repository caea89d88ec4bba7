"""What the pages that nobody writes have in common: the book, its games in order, links, and text that is only text."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from html import escape

from ...book.atlas import Atlas
from ...book.model import Page
from ...compile.books import CheckedPage, Compiled
from ...compile.nav import in_order
from ...game.model import Game
from ..terms import Glossary
from ..words import Words

FOLDER = "reference"
SIGN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~^=:&$\"'])")


@dataclass(frozen=True)
class Shelf:
    compiled: Compiled
    atlas: Atlas
    glossary: Glossary
    words: Words

    @cached_property
    def pages(self) -> list[CheckedPage]:
        """In the order in which the book is read."""
        return [chapter.page for chapter in in_order(self.compiled, self.compiled.games.root)]

    @cached_property
    def games(self) -> dict[str, Game]:
        """By their folders, in the order of their first pages; those of single pages where there are no others."""
        homes = {page.home.folder: page.home for page in self.pages if page.home}
        known = self.compiled.games.found
        return {folder: known[folder] for folder in [*homes, *known] if folder in known} or homes

    def path(self, page: Page) -> str:
        return self.atlas.path(page)

    def title(self, path: str) -> str:
        return self.atlas.anchors[path].page.title

    def link(self, path: str, anchor: str, text: str) -> str:
        """As HTML, from one of these pages into the book."""
        way = posixpath.relpath(path, FOLDER) + (f"#{anchor}" if anchor else "")
        return f'<a href="{escape(way)}">{escape(text)}</a>'


def heading(level: int, text: str) -> str:
    """As Markdown, where no sign of the text means anything."""
    return f"{'#' * level} {SIGN.sub(lambda found: chr(92) + found[1], text)}\n"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def whole(parts: list[str]) -> str:
    """Blank lines between the parts and none inside of HTML, where they would end it."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"

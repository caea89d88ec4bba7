"""One side of a comparison: an edition that lies in a folder, its games and pages read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as File

from ..book.atlas import Atlas
from ..book.disk import on_disk
from ..book.model import Page
from ..book.read import read_page, uncollected
from ..compile.books import open_page, survey
from ..compile.games import Games, folder_name, has_game, home_of, read_games, shown
from ..compile.options import read_options
from ..game.find import SITE_SETTINGS, book_root, common_root
from ..game.model import Game
from ..text import Problem


@dataclass(frozen=True)
class Leaf:
    """A page of a side, by its path from the folder of the side, and the game that its blocks are about."""

    path: str
    file: File
    page: Page
    home: Game | None


@dataclass(frozen=True)
class Side:
    name: str  # as it was asked for
    folder: File
    here: File
    games: Games  # of the whole book, by their folders in it
    leaves: tuple[Leaf, ...]
    others: tuple[Page, ...]  # pages of the book that do not belong to this side

    @property
    def root(self) -> File:
        return self.games.root

    @cached_property
    def own(self) -> dict[str, Game]:
        """The games of this side, by their folders in it; the games of single pages by these pages."""
        files = [file.parent for file in self.games.files if lies_in(file.parent, self.folder)]
        found = {folder_name(one, self.folder): self.games.found.get(folder_name(one, self.root)) for one in files}
        games = {name: game for name, game in found.items() if game}
        known = {id(game) for game in self.games.found.values()}
        paged = {leaf.path: leaf.home for leaf in self.leaves if leaf.home and id(leaf.home) not in known}
        return games | paged

    @cached_property
    def atlas(self) -> Atlas:
        pages = [*(leaf.page for leaf in self.leaves), *self.others]
        return Atlas(pages, shown(self.root, self.here), on_disk)

    def from_root(self, path: str) -> str:
        """A page by its path from the root of the book, as links and the file of old places know it."""
        return os.path.relpath(self.folder / path, self.root).replace(os.sep, "/") if path else ""

    @property
    def broken(self) -> tuple[Problem, ...]:
        return self.games.problems

    @cached_property
    def by_path(self) -> Mapping[str, Leaf]:
        return {leaf.path: leaf for leaf in self.leaves}


def read_side(name: str, folder: File, here: File) -> Side:
    """A folder with the settings of a site stands for the pages of that site."""
    has_settings = any((folder / one).is_file() for one in SITE_SETTINGS)
    return read_folder(name, book_root(folder) if has_settings else folder, here)


def read_folder(name: str, folder: File, here: File) -> Side:
    """A part of a book is read with the whole book: its games may start from others, other pages may link to it."""
    book = survey([folder], read_options(common_root([folder]), here).exclude)
    if not lies_in(folder, book.root):  # another book has its settings above
        book = book._replace(root=folder, games=within(book.games, folder), pages=within(book.pages, folder))
    games = read_games(book.root, book.games, here)
    sources = {file: open_page(file, here)[0] for file in book.pages}
    played = has_game(book.games, (source.text for source in sources.values()))
    with uncollected():
        pages = {file: read_page(source, has_game=played) for file, source in sources.items()}
    leaves = (leaf(file, page, folder, games) for file, page in pages.items() if lies_in(file, folder))
    others = (page for file, page in pages.items() if not lies_in(file, folder))
    return Side(name, folder, here, games, tuple(leaves), tuple(others))


def leaf(file: File, page: Page, folder: File, games: Games) -> Leaf:
    return Leaf(file.relative_to(folder).as_posix(), file, page, home_of(file, page, games))


def within(files: Iterable[File], folder: File) -> tuple[File, ...]:
    return tuple(file for file in files if lies_in(file, folder))


def lies_in(file: File, folder: File) -> bool:
    return file == folder or folder in file.parents

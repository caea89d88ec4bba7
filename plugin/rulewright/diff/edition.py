"""An edition of a book, loaded from a folder: its games and its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as File

from ..book.disk import is_file_on_disk
from ..book.page import Page
from ..book.parser import read_page
from ..book.resolver import LinkResolver
from ..compile.files import deduplicate, open_page, refused_problems, survey_files
from ..compile.games import Games, display_path, folder_name, game_of_page, has_game, read_games
from ..compile.options import read_options, root_of
from ..game.model import Game
from ..paths import relative_path
from ..project import SITE_SETTINGS, find_book_root, find_common_root
from ..root import Root
from ..source import Problem


@dataclass(frozen=True)
class EditionPage:
    """A page of an edition with the game of its blocks; `path` is relative to the folder of the edition."""

    path: str
    file: File
    page: Page
    home: Game | None


@dataclass(frozen=True)
class Edition:
    name: str  # as given on the command line
    folder: File
    here: File
    games: Games  # of the whole book, by their folders in it
    pages: tuple[EditionPage, ...]
    others: tuple[Page, ...]  # pages of the book outside the folder of this edition
    project: Root  # what may be read and written for this edition
    refused: tuple[Problem, ...] = ()  # files and folders that were not read

    @property
    def root(self) -> File:
        return self.games.root

    @cached_property
    def own_games(self) -> dict[str, Game]:
        """The games of this edition by folder, and games declared on a page by that page."""
        files = [file.parent for file in self.games.files if _is_inside(file.parent, self.folder)]
        by_folder = {
            folder_name(file, self.folder): self.games.by_folder.get(folder_name(file, self.root)) for file in files
        }
        games = {name: game for name, game in by_folder.items() if game}
        known = {id(game) for game in self.games.by_folder.values()}
        paged = {page.path: page.home for page in self.pages if page.home and id(page.home) not in known}
        return games | paged

    @cached_property
    def resolver(self) -> LinkResolver:
        pages = [*(page.page for page in self.pages), *self.others]
        return LinkResolver(pages, display_path(self.root, self.here), is_file_on_disk)

    def from_root(self, path: str) -> str:
        """The path of a page from the root of the book, as links and aliases use it."""
        return relative_path(self.folder / path, self.root) if path else ""

    @property
    def game_problems(self) -> tuple[Problem, ...]:
        return tuple(deduplicate([*self.refused, *self.games.problems]))

    @cached_property
    def pages_by_path(self) -> Mapping[str, EditionPage]:
        return {page.path: page for page in self.pages}


def read_edition(name: str, folder: File, here: File) -> Edition:
    """Loads an edition; a folder with the settings of a site means the pages of that site."""
    has_settings = any((folder / name).is_file() for name in SITE_SETTINGS)
    return _read_part(name, find_book_root(folder) if has_settings else folder, here)


def _read_part(name: str, folder: File, here: File) -> Edition:
    """Loads part of a book together with the whole: its games may extend others, other pages may link to it."""
    root = find_common_root([folder])
    project = root_of(root, here)
    book = survey_files([folder], project, read_options(root, here).exclude)
    if not _is_inside(folder, book.root):  # another book has its settings above
        inside = {"games": _files_inside(book.games, folder), "pages": _files_inside(book.pages, folder)}
        book = book._replace(root=folder, **inside)
    games = read_games(book.root, book.games, here, project)
    refused = tuple(problem for problem in refused_problems(book, project, here) if problem.severity == "error")
    sources = {file: open_page(file, here)[0] for file in book.pages}
    played = has_game(book.games, (source.text for source in sources.values()))
    pages = {file: read_page(source, has_game=played) for file, source in sources.items()}
    own = (_edition_page(file, page, folder, games) for file, page in pages.items() if _is_inside(file, folder))
    others = (page for file, page in pages.items() if not _is_inside(file, folder))
    return Edition(name, folder, here, games, tuple(own), tuple(others), project, refused)


def _edition_page(file: File, page: Page, folder: File, games: Games) -> EditionPage:
    return EditionPage(file.relative_to(folder).as_posix(), file, page, game_of_page(file, page, games))


def _files_inside(files: Iterable[File], folder: File) -> tuple[File, ...]:
    return tuple(file for file in files if _is_inside(file, folder))


def _is_inside(file: File, folder: File) -> bool:
    return file == folder or folder in file.parents

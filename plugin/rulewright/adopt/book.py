"""Drafts blocks for all pages of a folder, and a game if there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from ..book.page import Page
from ..book.parser import read_page
from ..compile.files import deduplicate, open_page, refused_problems, survey_files
from ..compile.games import display_path, game_of_page, read_games
from ..compile.options import read_options, root_of
from ..game.model import Game
from ..project import GAME_FILE, find_book, find_common_root, find_files, is_page_name, read_title
from ..root import UNRESTRICTED, Root
from ..source import Problem
from .game import DraftGame, draft_game
from .page import AdoptedPage, adopt_page, find_rolls

_ReportProgress = Callable[[int, int], None]


@dataclass(frozen=True)
class _OpenedPage:
    """A parsed page and the game that it belongs to."""

    file: File
    page: Page
    home: Game | None


@dataclass(frozen=True)
class AdoptedBook:
    """The pages of a folder, a new game if there was none, and problems of reading them."""

    pages: tuple[tuple[File, AdoptedPage], ...]
    file: File  # path for the new game
    shown: str
    game: DraftGame | None = None
    problems: tuple[Problem, ...] = ()
    project: Root = UNRESTRICTED  # limits what is read and written
    has_game: bool = False  # before

    @property
    def changed(self) -> list[tuple[File, AdoptedPage]]:
        return [(file, page) for file, page in self.pages if page.proposals]


_DOCUSAURUS_PAGES = "docs"
_CARDLESS = ("Docusaurus", "Obsidian", "docsify", "mdBook")  # tools that would show a block as code


def adopt_book(
    place: File,
    here: File,
    watch: _ReportProgress = lambda _done, _pages: None,
    hidden: bool = False,
    mechanic: str = "",
) -> AdoptedBook:
    """Draft blocks for all pages of a folder; `watch` gets the progress. Where no cards are shown, all are `hidden`.

    A book without a game gets one with this mechanic of the gallery, else with the one that its examples show."""
    hidden = hidden or find_book(place if place.is_dir() else place.parent).kind in _CARDLESS
    base = find_common_root([place])
    project = root_of(base, here)
    found = survey_files([place], project, read_options(base, here).exclude)
    games = read_games(found.root, found.games, here, project)
    problems = deduplicate([*refused_problems(found, project, here), *games.problems])
    opened = list[_OpenedPage]()
    for file in found.selected:
        source, problem = open_page(file, here)
        problems += [problem] if problem else []
        page = read_page(source)
        opened.append(_OpenedPage(file, page, game_of_page(file, page, games)))
        watch(len(opened), 2 * len(found.selected))
    folder = place if place.is_dir() else place.parent
    has_game = bool(games.files) or any(one.home for one in opened)
    game = None if has_game else _draft_book_game(folder, opened, mechanic)
    pages = []
    for one in opened:
        home = one.home or (game.game if game and game.game.rules else None)
        pages.append((one.file, adopt_page(one.page, home, hidden)))
        watch(len(opened) + len(pages), 2 * len(opened))
    file = game_folder(folder) / GAME_FILE
    return AdoptedBook(tuple(pages), file, display_path(file, here), game, tuple(problems), project, has_game)


def game_folder(folder: File) -> File:
    """Where the first game of a folder goes: the book of a Docusaurus site is in `docs`, beside its settings.

    Not if `docs` is a link that leaves the folder."""
    place, docs = find_book(folder), folder / _DOCUSAURUS_PAGES
    is_root = place.kind == "Docusaurus" and place.pages == folder and docs.is_dir()
    return docs if is_root and any(find_files(docs, is_page_name, Root([folder]))) else folder


def _draft_book_game(folder: File, opened: Sequence[_OpenedPage], mechanic: str) -> DraftGame | None:
    """Draft a game from all pages of a book that has none."""
    pages = [one.page for one in opened]
    return draft_game(
        read_title(find_book(folder)) or book_title(folder, [(one.file, one.page) for one in opened]),
        pages,
        [clues for page in pages for clues in find_rolls(page) if clues.facts.is_checkable],
        mechanic,
    )


PROJECT_PAGES = ("changelog", "contributing", "license", "code_of_conduct")  # about the book, not in it
_GENERIC_TITLES = ("contents", "table of contents", "home", "index", "introduction", "overview", "readme", "welcome")
_GENERIC_FOLDERS = ("book", "content", "docs", "game", "pages", "rules", "src", "vault", "wiki")
_OPENING = re.compile(r"_?index|readme|home|0*[01][^0-9].*", re.IGNORECASE)  # names of pages that open a book


def book_title(folder: File, pages: Sequence[tuple[File, Page]]) -> str:
    """The title of the page that opens the book, else the name of its folder; of a `docs`, the first title there is."""
    name = " ".join(folder.name.replace("-", " ").replace("_", " ").split())
    is_generic = name.lower() in _GENERIC_FOLDERS
    pages = [(file, page) for file, page in pages if file.stem.lower() not in PROJECT_PAGES] or pages
    top = min((len(file.parts) for file, _ in pages), default=0)
    opening = [page for file, page in pages if len(file.parts) == top and _OPENING.fullmatch(file.stem)]
    likely = opening if len(pages) > 1 else [page for _, page in pages]
    titles = [page.headings[0].text.strip() for page in likely if page.headings]
    if is_generic:
        titles += [page.headings[0].text.strip() for _, page in pages if page.headings and page.headings[0].level == 1]
    own = next((title for title in titles if title and title.lower() not in _GENERIC_TITLES), "")
    return own or name[:1].upper() + name[1:] or "A new game"

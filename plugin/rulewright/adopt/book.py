"""A folder of pages with all that is proposed for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path as File

from ..book.model import Page
from ..book.read import read_page
from ..compile.books import once, open_page, refusals, survey
from ..compile.games import home_of, read_games, shown
from ..compile.options import read_options, root_of
from ..game.find import FILE, common_root
from ..game.model import Game
from ..root import EVERYWHERE, Root
from ..text import Problem
from .clues import Clues
from .games import NewGame, new_game
from .pages import AdoptedPage, adopted, examined

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Opened:
    """A page that was read, and the game it belongs to."""

    file: File
    page: Page
    home: Game | None


@dataclass(frozen=True)
class AdoptedBook:
    """The pages of a folder, each as it would be; a new game where there is none; what could not be read."""

    pages: tuple[tuple[File, AdoptedPage], ...]
    file: File  # where the new game would stand
    shown: str
    game: NewGame | None = None
    problems: tuple[Problem, ...] = ()
    project: Root = EVERYWHERE  # what may be read and written for this book

    @property
    def changed(self) -> list[tuple[File, AdoptedPage]]:
        return [(file, page) for file, page in self.pages if page.proposals]


def adopt_book(place: File, here: File, watch: Watch = lambda _done, _pages: None) -> AdoptedBook:
    base = common_root([place])
    project = root_of(base, here)
    found = survey([place], project, read_options(base, here).exclude)
    games = read_games(found.root, found.games, here, project)
    problems = once([*refusals(found, project, here), *games.problems])
    opened = list[Opened]()
    for file in found.asked:
        source, problem = open_page(file, here)
        problems += [problem] if problem else []
        page = read_page(source)
        opened.append(Opened(file, page, home_of(file, page, games)))
        watch(len(opened), 2 * len(found.asked))
    folder = place if place.is_dir() else place.parent
    game = None if games.files or any(one.home for one in opened) else made_game(folder, opened)
    pages = []
    for one in opened:
        home = one.home or (game.game if game and game.game.rules else None)
        pages.append((one.file, adopted(one.page, home, game.doubt if game else "")))
        watch(len(opened) + len(pages), 2 * len(opened))
    return AdoptedBook(tuple(pages), folder / FILE, shown(folder / FILE, here), game, tuple(problems), project)


def made_game(folder: File, opened: Sequence[Opened]) -> NewGame | None:
    """A game from all pages of a book that has none."""
    pages = [one.page for one in opened]
    examples: list[Clues] = [clues for page in pages for clues, labelled in examined(page) if labelled or clues.tokens]
    return new_game(title_of(folder, opened), pages, [clues for clues in examples if clues.told.checkable])


def title_of(folder: File, opened: Sequence[Opened]) -> str:
    """The title of the only page, or of the one that comes first by its name; else the name of the folder."""
    first = [one for one in opened if len(opened) == 1 or one.file.stem.lower() in ("index", "readme")]
    titles = (one.page.headings[0].text.strip() for one in first if one.page.headings)
    name = " ".join(folder.name.replace("-", " ").replace("_", " ").split())
    return next(filter(None, titles), "") or name[:1].upper() + name[1:] or "A new game"

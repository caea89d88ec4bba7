"""Links of games: where a reader can read on about an outcome."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path as File
from typing import TYPE_CHECKING

from ..book.blocks import is_one_slip, meant
from ..book.link_check import links_check
from ..book.page import Block, Link, Page
from ..book.parser import read_page
from ..book.resolver import Atlas, Place
from ..checks.model import Checked, trouble
from ..game.model import Game, Outcome
from ..play.validate import load_game_text
from ..project import FILE
from ..root import EVERYWHERE, Root
from ..source import Problem, Source, Span
from .page_tables import grids, open_game

if TYPE_CHECKING:
    pass


IN_PAGE = re.compile(  # the word of a game and the first line of its TOML
    r"(?:`{3}|~{3}|<!--)[ \t{.]*game\b[^\n]*\n(?:[ \t\r>]*(?:#[^\n]*)?\n)*[ \t>]*(?:\[|[\w\"'-][\w.\"' -]*=)",
    re.IGNORECASE,
)
RULES = re.compile(rb"^[ \t]*\[[ \t]*(?:rules|tables|traits)\b", re.MULTILINE)


@dataclass(frozen=True)
class Games:
    """Games by their folder under the book's root, and what is wrong with their files."""

    root: File
    found: Mapping[str, Game]
    files: tuple[File, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def broken(self) -> frozenset[str]:
        """The folders of games that nobody can play before they are mended."""
        return frozenset(folder_name(file.parent, self.root) for file in self.files) - self.found.keys()

    @cached_property
    def folders(self) -> frozenset[File]:
        return frozenset(file.parent for file in self.files)

    def home(self, file: File) -> Game | None:
        """The game of a page: that of the nearest folder that has one, up to the root."""
        folder = self.nearest(file)
        return None if folder is None else self.found.get(folder)

    def nearest(self, file: File) -> str | None:
        for folder in file.parents:
            if folder in self.folders:
                return folder_name(folder, self.root)
            if folder == self.root:
                break
        return None


def read_games(root: File, files: Iterable[File], here: File, project: Root = EVERYWHERE) -> Games:
    """All problems once: a game that others extend would repeat its own."""
    games: dict[str, Game] = {}
    problems: dict[tuple[str, int, int, str, str], Problem] = {}
    files = tuple(files)
    for file in files:
        name = folder_name(file.parent, root)
        is_named = file.name == FILE
        game, found = open_game(file, shown(file, here), name, project) if is_named else (None, [misnamed(file, here)])
        if game:
            games[name] = game
        for problem in map(straight, found):
            span = problem.span
            problems.setdefault((span.source.path, span.start, span.end, problem.code, problem.message), problem)
    return Games(root, games, files, tuple(problems.values()))


def may_be_game(name: str) -> bool:
    return name.lower() == FILE or is_one_slip(name.lower(), FILE)


def is_game(file: File) -> bool:
    """Whether a file is a game, or one but for a slip in its name, with no game beside it."""
    if file.name == FILE or not may_be_game(file.name):
        return file.name == FILE
    try:
        beside = {one.name for one in file.parent.iterdir()}
        return FILE not in beside and bool(RULES.search(file.read_bytes()))
    except OSError:
        return False


def has_game(files: Collection[File], texts: Iterable[str]) -> bool:
    """Whether a book with these games and these pages has a game at all, broken ones included."""
    return bool(files) or any(IN_PAGE.search(text) for text in texts)


def misnamed(file: File, here: File) -> Problem:
    message = f"this file is named {file.name}, so no page finds its game"
    return Problem("game-toml", message, Span(Source(shown(file, here), ""), 0, 0), notes=(f"name it {FILE}",))


def game_in_page(page: Page, name: str) -> tuple[Game | None, list[Problem]]:
    """The game that stands in a page itself, known by the name of the page; its problems at their places there."""
    block = game_block(page)
    if block is None:
        return None, []
    above = page.source.place(block.text.at(0))[0] - 1  # lines of the game are lines of the page
    text = "\n" * above + block.text.content
    game, problems = load_game_text(text, page.source.path, lambda _file: grids(page), name)
    return game, [one if one.span.source is page.source else moved(one, block, above) for one in problems]


def home_of(file: File, page: Page, games: Games) -> Game | None:
    """The game that stands in a page, else that of its folder."""
    return game_in_page(page, folder_name(file, games.root))[0] or games.home(file)


def game_block(page: Page) -> Block | None:
    return next((block for block in page.blocks if block.kind == "game"), None)


def misspelt_game(page: Page) -> Problem | None:
    """What a page says of a fence that was probably meant as its game."""
    told = (one for one in page.problems if one.code == "block-unknown")
    return next((one for one in told if meant(one.span.text) == "game"), None)


def with_game(checked: Checked, page: Page, problems: Sequence[Problem]) -> Checked:
    """What is wrong with the game of a page is wrong with the block in which it stands; a second one is not read."""
    block = checked.block
    if block.kind != "game":
        return checked
    first = game_block(page)
    if first and block is not first:
        message = f"this page has a game already, in line {first.line}; one page holds one game"
        problems = [trouble(block, "block-game", message, block.word)]
    return replace(checked, status="error", problems=(*checked.problems, *problems)) if problems else checked


def moved(problem: Problem, block: Block, above: int) -> Problem:
    """A problem of a game in a page, at its place in the page."""
    start, end = (max(end - above, 0) for end in (problem.span.start, problem.span.end))
    return problem._replace(span=block.text.span(start, end))


def straight(problem: Problem) -> Problem:
    """The problem with a path that makes no detour, as the path of an extended game does."""
    source = problem.span.source
    path = os.path.normpath(source.path).replace("\\", "/")
    if path == source.path:
        return problem
    return problem._replace(span=problem.span._replace(source=Source(path, source.text)))


def folder_name(folder: File, root: File) -> str:
    """How a book calls what lies in it."""
    return "" if folder == root else os.path.relpath(folder, root).replace(os.sep, "/")


def shown(file: File, here: File) -> str:
    """A path as it is printed: relative to the current folder where that is shorter than climbing far up."""
    path = os.path.relpath(file, here)
    return (str(file) if path.startswith(f"..{os.sep}..{os.sep}..") else path).replace(os.sep, "/")


def with_links(games: Games, atlas: Atlas) -> Games:
    """The games, with what is wrong with their links; those that do not lead anywhere say so at their place."""
    pages = list(linking(games.found.values()))
    found = links_check(atlas, pages) if pages else []
    return replace(games, problems=(*games.problems, *found)) if found else games


def linking(games: Iterable[Game]) -> Iterator[Page]:
    """Each file with such links as if it were a page; games that extend another have the links of its file."""
    links: dict[str, dict[Link, None]] = {}
    sources: dict[str, Source] = {}
    for outcome in (one for game in games for rule in game.rules.values() for one in rule.outcomes if one.see):
        source = outcome.place.source
        sources[source.path] = source
        links.setdefault(source.path, {})[link_of(outcome)] = None
    for path, source in sources.items():
        yield replace(standing(path), source=source, links=tuple(links[path]))


@cache
def standing(path: str) -> Page:
    """A page without a word where the file of a game lies."""
    return read_page(Source(path, ""))


def link_of(outcome: Outcome) -> Link:
    return Link(outcome.name, outcome.see, outcome.place, "inline", ())


def further(atlas: Atlas, outcome: Outcome) -> Place | None:
    """Where it is told, if that is a place in the book."""
    if not outcome.see:
        return None
    found = atlas.resolve(link_of(outcome), standing(outcome.place.source.path))
    return found if isinstance(found, Place) else None

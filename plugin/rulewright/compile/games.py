"""Reads the games of a book: `game.toml` files, games defined in a page, and the links of their outcomes."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path as File

from ..book.blocks import guess_kind, is_one_typo
from ..book.link_problems import find_link_problems
from ..book.page import Block, Link, Page
from ..book.parser import read_page
from ..book.resolver import LinkResolver, LinkTarget
from ..checks.model import BlockCheck, CheckedBlock, make_problem
from ..game.model import Game, Outcome
from ..paths import relative_path
from ..play.validate import load_game_text
from ..project import GAME_FILE, find_game_file
from ..root import UNRESTRICTED, Root
from ..source import Problem, Source, Span
from .game_tables import open_game, page_grids

_GAME_IN_PAGE = re.compile(  # the word of a game and the first line of its TOML
    r"(?:`{3}|~{3}|<!--)[ \t{.]*game\b[^\n]*\n(?:[ \t\r>]*(?:#[^\n]*)?\n)*[ \t>]*(?:\[|[\w\"'-][\w.\"' -]*=)",
    re.IGNORECASE,
)
_RULE_PART = re.compile(rb"^[ \t]*\[[ \t]*rules\.[^\]\n]+\.(?:inputs|dice|steps|outcomes)\b", re.MULTILINE)
_RULES_TABLE = re.compile(rb"^[ \t]*\[[ \t]*(?:rules|tables|traits)\b", re.MULTILINE)


@dataclass(frozen=True)
class Games:
    """The games of a book by folder, and the problems of their files."""

    root: File
    by_folder: Mapping[str, Game]
    files: tuple[File, ...]
    problems: tuple[Problem, ...]
    extra_checks: Mapping[str, BlockCheck] = field(default_factory=dict)  # by the block kinds that other packages add

    @cached_property
    def broken(self) -> frozenset[str]:
        """The folders of games that could not be loaded."""
        return frozenset(folder_name(file.parent, self.root) for file in self.files) - self.by_folder.keys()

    @cached_property
    def folders(self) -> frozenset[File]:
        return frozenset(file.parent for file in self.files)

    def game_of(self, file: File) -> Game | None:
        """The game of a page: the one in the nearest folder, up to the root."""
        folder = self.nearest_folder(file)
        return None if folder is None else self.by_folder.get(folder)

    def nearest_folder(self, file: File) -> str | None:
        for folder in file.parents:
            if folder in self.folders:
                return folder_name(folder, self.root)
            if folder == self.root:
                break
        return None


def read_games(root: File, files: Iterable[File], here: File, project: Root = UNRESTRICTED) -> Games:
    """Read all games, without duplicate problems: a game that others extend would repeat its own."""
    games: dict[str, Game] = {}
    problems = list[Problem]()
    files = tuple(files)
    for file in files:
        name = folder_name(file.parent, root)
        is_named = file.name == GAME_FILE
        game, game_problems = (
            open_game(file, display_path(file, here), name, project)
            if is_named
            else (None, [_wrong_name_problem(file, here)])
        )
        if game:
            games[name] = game
        problems += game_problems
    return add_problems(Games(root, games, files, ()), problems)


def add_problems(games: Games, problems: Iterable[Problem]) -> Games:
    """The games with more problems, without duplicates."""
    known: dict[tuple[str, int, int, str, str], Problem] = {}
    for problem in (*games.problems, *map(_normalize_path, problems)):
        span = problem.span
        known.setdefault((span.source.path, span.start, span.end, problem.code, problem.message), problem)
    return replace(games, problems=tuple(known.values()))


def has_game_name(name: str) -> bool:
    """Whether a file is named as a game, perhaps with a typo."""
    return name.lower() == GAME_FILE or is_one_typo(name.lower(), GAME_FILE)


def may_be_game(name: str) -> bool:
    """Whether a file may be a game: a .toml file, or one whose ending an editor has hidden, as in game.toml.txt."""
    return name.lower().endswith(".toml") or name.lower().startswith(f"{GAME_FILE}.") or has_game_name(name)


def is_game(file: File) -> bool:
    """Whether a file is a game, or looks like one with another name and has no game next to it or above it."""
    if file.name == GAME_FILE or not may_be_game(file.name):
        return file.name == GAME_FILE
    try:
        siblings = {sibling.name for sibling in file.parent.iterdir()}
        if GAME_FILE in siblings:
            return False
        if has_game_name(file.name) or file.name.lower().startswith(GAME_FILE):
            return bool(_RULES_TABLE.search(file.read_bytes()))
        return not find_game_file(file.parent) and bool(_RULE_PART.search(file.read_bytes()))
    except OSError:
        return False


def has_game(files: Collection[File], texts: Iterable[str]) -> bool:
    """Whether a book has any game, in a file or in a page, even a broken one."""
    return bool(files) or any(_GAME_IN_PAGE.search(text) for text in texts)


def _wrong_name_problem(file: File, here: File) -> Problem:
    message = f"this file is named {file.name}, so no page finds its game"
    return Problem(
        "game-toml", message, Span(Source(display_path(file, here), ""), 0, 0), notes=(f"name it {GAME_FILE}",)
    )


def game_in_page(page: Page, name: str) -> tuple[Game | None, list[Problem]]:
    """The game defined in a block of a page, with its problems at their places in the page."""
    source = source_in_page(page)
    if source is None:
        return None, []
    game, problems = load_game_text(source.text, source.path, lambda _file: page_grids(page), name)
    return game, place_in_page(page, problems)


def source_in_page(page: Page) -> Source | None:
    """The game defined in a page as a file; its lines are lines of the page."""
    block = _game_block(page)
    return Source(page.source.path, "\n" * _lines_above(page, block) + block.text.content) if block else None


def span_in_page(page: Page, span: Span) -> Span:
    """The place in a page of a span in its game."""
    block = _game_block(page)
    assert block
    above = _lines_above(page, block)
    return block.text.span(max(span.start - above, 0), max(span.end - above, 0))


def _lines_above(page: Page, block: Block) -> int:
    return page.source.position(block.text.at(0))[0] - 1


def place_in_page(page: Page, problems: Iterable[Problem]) -> list[Problem]:
    """The problems of a page's game, at their places in the page."""
    return [
        problem if problem.span.source is page.source else problem._replace(span=span_in_page(page, problem.span))
        for problem in problems
    ]


def game_of_page(file: File, page: Page, games: Games) -> Game | None:
    """The game defined in a page, or else that of its folder."""
    return game_in_page(page, folder_name(file, games.root))[0] or games.game_of(file)


def _game_block(page: Page) -> Block | None:
    return next((block for block in page.blocks if block.kind == "game"), None)


def misspelled_game(page: Page) -> Problem | None:
    """The problem of a fence whose info string is probably a misspelled `game`."""
    unknown_blocks = (problem for problem in page.problems if problem.code == "block-unknown")
    return next((one for one in unknown_blocks if guess_kind(one.span.text) == "game"), None)


def add_game_problems(checked: CheckedBlock, page: Page, problems: Sequence[Problem]) -> CheckedBlock:
    """Add the problems of a page's game to its block; a second game block is an error."""
    block = checked.block
    if block.kind != "game":
        return checked
    first = _game_block(page)
    if first and block is not first:
        message = f"this page has a game already, in line {first.line}; one page holds one game"
        problems = [make_problem(block, "block-game", message, block.word)]
    return replace(checked, status="error", problems=(*checked.problems, *problems)) if problems else checked


def _normalize_path(problem: Problem) -> Problem:
    """Normalize the path of a problem; that of an extended game may contain `..`."""
    source = problem.span.source
    path = os.path.normpath(source.path).replace("\\", "/")
    if path == source.path:
        return problem
    return problem._replace(span=problem.span._replace(source=Source(path, source.text)))


def folder_name(folder: File, root: File) -> str:
    """The name of a folder in the book: its path from the root, empty for the root."""
    return "" if folder == root else relative_path(folder, root)


def display_path(file: File, here: File) -> str:
    """The path to print: relative to the current folder, or absolute if that is three or more levels up."""
    path = relative_path(file, here)
    return file.as_posix() if path.startswith("../../..") else path


def with_link_problems(games: Games, resolver: LinkResolver) -> Games:
    """Check the links of outcomes and add their problems to the games; a build judges them as well."""
    pages = list(_link_pages(games.by_folder.values()))
    problems = find_link_problems(resolver, pages) if pages else []
    return add_problems(games, (problem._replace(code="link-see") for problem in problems))


def _link_pages(games: Iterable[Game]) -> Iterator[Page]:
    """A stand-in page for each game file with links, so that the link check can resolve them."""
    links: dict[str, dict[Link, None]] = {}
    sources: dict[str, Source] = {}
    for outcome in (
        outcome_with_link
        for game in games
        for rule in game.rules.values()
        for outcome_with_link in rule.outcomes
        if outcome_with_link.see
    ):
        source = outcome.link_span.source
        sources[source.path] = source
        links.setdefault(source.path, {})[_outcome_link(outcome)] = None
    for path, source in sources.items():
        yield replace(_empty_page(path), source=source, links=tuple(links[path]))


def _empty_page(path: str) -> Page:
    """An empty page with the path of a game file."""
    return read_page(Source(path, ""))


def _outcome_link(outcome: Outcome) -> Link:
    return Link(outcome.name, outcome.see, outcome.link_span, "inline", ())


def outcome_target(resolver: LinkResolver, outcome: Outcome) -> LinkTarget | None:
    """The target of an outcome's link, if it is in the book."""
    if not outcome.see:
        return None
    target = resolver.resolve(_outcome_link(outcome), _empty_page(outcome.link_span.source.path))
    return target if isinstance(target, LinkTarget) else None

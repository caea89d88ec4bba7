"""Incremental compilation for `check --watch` and the MkDocs server: rechecks only what depends on changed files.

`BookWatcher.update` compares file stamps, reads changed files again and checks a page again if its text, its games or
the targets of its links have changed.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path as File
from time import time_ns
from typing import Any

from ..book.anchors import written_ids
from ..book.dialects import Dialect, included_files, redirect_addresses
from ..book.link_check import MAX_GUESSES, find_link_problems
from ..book.page import Page
from ..book.parser import read_page
from ..book.resolver import LinkResolver, is_file_on_disk
from ..game.model import Game
from ..lint.registry import look
from ..project import FILE, common_root, games_below, project_folders
from ..root import EVERYWHERE, Root
from ..source import Problem, in_reading_order
from .aliases import Aliases, read_aliases, settled
from .book import (
    CheckedPage,
    Compiled,
    Findings,
    Opened,
    Seen,
    Survey,
    by_path,
    check_page,
    findings,
    open_page,
    refusals,
    survey,
)
from .characters import CheckedCharacter, check_characters
from .games import Games, folder_name, has_game, read_games, shown, with_links
from .options import Options, candidates, nearest_table, read_options

SETTLED = 2_000_000_000  # nanoseconds; the coarsest resolution of modification times
MOST_LAYERS = 10

Stamp = tuple[int, int, int] | None  # modification time, size and inode; None if the file does not exist


class Stamps:
    """The stamps of files at the last update."""

    def __init__(self) -> None:
        self.known: dict[File, Stamp] = {}

    def suspects(self, files: Iterable[File]) -> list[File]:
        """Files that have changed, or changed so recently that another change could have the same stamp."""
        return [file for file in files if self.suspect(file)]

    def suspect(self, file: File) -> bool:
        new = file not in self.known
        before, now = self.known.get(file), stamp(file)
        self.known[file] = now
        return new or before != now or (now is not None and abs(time_ns() - now[0]) < SETTLED)


def stamp(file: File) -> Stamp:
    try:
        found = file.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def content(file: File, project: Root) -> bytes | None:
    if project.refusal(file):
        return None
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return None


def layers(file: File, project: Root) -> Iterator[tuple[File, bytes | None]]:
    """The files a game depends on: its own, the pages of its tables, and the same for the games it extends."""
    for _ in range(MOST_LAYERS + 1):
        text = content(file, project)
        data = read(text or b"")
        for one in (file, *pages_of(data, file.parent)):
            yield one, text if one is file else content(one, project)
        base = data.get("extends")
        if not isinstance(base, str) or not base or "\0" in base:
            return
        file = File(os.path.normpath(file.parent / base / FILE))


def read(text: bytes) -> dict[str, Any]:
    """Parse a game file if it can refer to other files; empty otherwise."""
    if b"extends" not in text and b"page" not in text:
        return {}
    try:
        return tomllib.loads(text.decode("utf-8").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}


def pages_of(data: dict[str, Any], folder: File) -> Iterator[File]:
    tables = data.get("tables")
    for table in tables.values() if isinstance(tables, dict) else ():
        page = table.get("page") if isinstance(table, dict) else None
        if isinstance(page, str) and "\0" not in page:
            yield File(os.path.normpath(folder / page))


def watched(docs: File, project: Root) -> Iterator[File]:
    """The files outside of the docs folder that a book depends on; MkDocs watches the folder itself."""
    for game in games_below(docs, project):
        outside = (file for file, _ in layers(game, project) if docs not in file.parents)
        yield from filter(project.holds, outside)
    settings = nearest_table(docs)
    if settings:
        yield settings


Layers = tuple[tuple[File, bytes | None], ...]


class Played(Mapping[str, Game]):
    """A mapping of games that records which of them the check of a page has used."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        self.seen: dict[str, Game | None] = {}
        self.whole = False

    def __getitem__(self, name: str) -> Game:
        self.seen[name] = self.games.get(name)
        return self.games[name]

    def __iter__(self) -> Iterator[str]:
        self.whole = True
        return iter(self.games)

    def __len__(self) -> int:
        self.whole = True
        return len(self.games)

    def same(self, games: Mapping[str, Game]) -> bool:
        """Whether everything the page has used is unchanged."""
        if games is self.games or (self.whole and not changed_games(self.games, games)):
            return True
        return not self.whole and all(games.get(name) is game for name, game in self.seen.items())


def changed_games(before: Mapping[str, Game], now: Mapping[str, Game]) -> bool:
    return list(before) != list(now) or any(now[name] is not game for name, game in before.items())


class Leaf:
    """The cached state of one page: text, parsed page, lint results and checked page."""

    def __init__(self, opened: Opened, played: bool) -> None:
        self.opened = opened
        self.page = read_page(opened[0], has_game=played)
        self.notes = look(self.page)
        self.checked: CheckedPage | None = None
        self.played = Played({})

    def check(self, file: File, games: Games) -> CheckedPage:
        """Check the page, or return the cached result if the games it used are unchanged."""
        if self.checked is None or not self.played.same(games.found):
            self.played = Played(games.found)
            self.checked = check_page(file, self.page, replace(games, found=self.played), ())
        return self.checked


class Watching:
    """A compiled book that `update` keeps in sync with the disk."""

    def __init__(
        self,
        places: Sequence[File],
        here: File,
        is_there: Callable[[str], bool] = is_file_on_disk,
        site: File | None = None,
    ) -> None:
        self.places, self.here, self.is_there, self.site = places, here, is_there, site
        self.book: Survey | None = None
        self.compiled = Compiled(Games(here, {}, (), ()), ())
        self.checks = 0  # number of page checks so far, for tests
        self.forget()

    def forget(self) -> None:
        self.stamps, self.leaves = Stamps(), dict[File, Leaf]()
        self.games, self.layers = Games(self.here, {}, (), ()), dict[File, Layers]()
        self.options = Options()
        self.project: Root = EVERYWHERE
        self.refused: tuple[Problem, ...] = ()
        self.played = True  # whether the book has a game
        self.characters: tuple[CheckedCharacter, ...] = ()
        self.links: dict[str, list[Problem]] = {}
        self.atlas: LinkResolver | None = None  # of the current pages
        self.dialect, self.aliases = Dialect(), Aliases()
        self.noticed = Findings({}, {})
        self.shapes: dict[File, Hashable] = {}
        self.asked: dict[str, bool] = {}  # files that links lead to, and whether they exist
        self.guesses = 0
        self.loose: set[File] = set()  # pages whose links have to be checked
        self.pending = True

    def update(self) -> bool:
        """Update everything; True if something has changed. After an OSError it can be called again."""
        root = common_root(self.places)
        if self.book is None or self.book.root != root:
            self.forget()
        self.update_options(root)
        book = survey(self.places, self.project, self.options.exclude)
        refused = refusals(book, self.project, self.here)
        self.pending |= (book, refused) != (self.book, self.refused)
        self.book, self.refused = book, refused
        self.update_games(book)
        self.update_characters(book)
        self.update_pages(book)
        self.update_links(book)
        if not self.pending:
            return False
        self.noticed = self.notice(book)
        pages = tuple(map(self.whole, book.asked))
        people = self.characters
        assert self.atlas
        aliases = settled(self.aliases, self.atlas)
        games = with_links(self.games, self.atlas)
        self.compiled = Compiled(
            games, pages, self.options, people, False, self.dialect.display_name, aliases, self.project, self.refused
        )
        self.pending = False
        return True

    def notice(self, book: Survey) -> Findings:
        """Combine the cached lint results of all pages."""
        seen = {file: Seen(self.leaves[file].page, self.leaves[file].notes) for file in book.pages}
        return findings(seen, lambda _: True)

    def update_options(self, root: File) -> None:
        """Read the options again if their files changed; other shared folders invalidate the games."""
        if self.stamps.suspects([*candidates(root), *filter(None, [self.site])]):
            options = read_options(root, self.here, self.site)
            self.pending |= options != self.options
            self.options = options
            project = Root(project_folders(root, self.site), lambda: options.shared)
            if project.folders != self.project.folders:
                self.layers = {}
            self.project = project

    def drawn(self, book: Survey) -> LinkResolver:
        pages = [self.leaves[file].page for file in book.pages]
        return LinkResolver(pages, shown(book.root, self.here), self.exists, aliases=self.aliases.found)

    def update_games(self, book: Survey) -> None:
        """Read all games again if one has changed; unchanged games keep their objects."""
        parts = {file: [part for part, _ in found] for file, found in self.layers.items()}
        below = [part for file in book.games for part in parts.get(file, [file])]
        if not self.stamps.suspects(dict.fromkeys(below)) and list(self.layers) == list(book.games):
            return
        now = {file: tuple(layers(file, self.project)) for file in book.games}
        if now != self.layers or list(now) != list(self.layers):
            games = read_games(book.root, book.games, self.here, self.project)
            same = {folder_name(file.parent, book.root) for file in now if now[file] == self.layers.get(file)}
            old = {name: game for name, game in self.games.found.items() if name in same and name in games.found}
            if self.games.files != games.files:
                self.leaves = {file: unchecked(leaf) for file, leaf in self.leaves.items()}
            self.games = replace(games, found={**games.found, **old})
            self.layers, self.pending = now, True

    def update_characters(self, book: Survey) -> None:
        """Read all characters again: they are few and small."""
        people = check_characters(book.characters, self.games, self.here)
        self.pending |= people != self.characters
        self.characters = people

    def update_pages(self, book: Survey) -> None:
        self.leaves = {file: leaf for file, leaf in self.leaves.items() if file in set(book.pages)}
        for file in self.stamps.suspects(book.pages):
            opened = open_page(file, self.here)
            if file not in self.leaves or self.leaves[file].opened != opened:
                self.read(file, opened)
        if self.pending:
            self.update_fences(book)

    def update_fences(self, book: Survey) -> None:
        """Parse all pages again if the first game appears or the last one goes: fences are blocks only with a game."""
        played = has_game(book.games, (leaf.opened[0].text for leaf in self.leaves.values()))
        if played != self.played:
            self.played = played
            for file, leaf in self.leaves.items():
                self.read(file, leaf.opened)

    def read(self, file: File, opened: Opened) -> None:
        self.leaves[file] = Leaf(opened, self.played)
        self.loose.add(file)
        self.pending = True

    def update_links(self, book: Survey) -> None:
        """Check the links of changed pages; those of all pages if anchors, pages or files have changed."""
        before, self.aliases = self.aliases, read_aliases(book.root, self.here, self.project)
        moved = any(self.is_there(path) != there for path, there in self.asked.items()) or before != self.aliases
        if self.atlas and not self.loose and not moved and list(self.shapes) == list(book.pages):
            return
        shapes = {**self.shapes, **{file: shape(self.leaves[file].page) for file in self.loose if file in self.leaves}}
        shapes = {file: shapes[file] for file in book.pages}
        asked, self.asked = self.asked, {}
        self.atlas = atlas = self.drawn(book)
        everything = moved or (shapes, list(shapes), atlas.dialect) != (self.shapes, list(self.shapes), self.dialect)
        self.dialect = atlas.dialect
        if not everything:
            self.asked = {**asked, **self.asked}
            pages = [self.leaves[file].page for file in book.pages if file in self.loose]
            found = by_path(find_link_problems(atlas, pages))
            self.guesses += atlas.guess_count
            everything = self.guesses > MAX_GUESSES
            self.links.update({page.source.path: found.get(page.source.path, []) for page in pages})
        if everything:
            self.all_links(atlas)
        self.shapes, self.loose, self.pending = shapes, set(), True

    def all_links(self, atlas: LinkResolver) -> None:
        atlas.guess_count = 0
        self.links = by_path(find_link_problems(atlas))
        self.guesses = atlas.guess_count

    def exists(self, path: str) -> bool:
        self.asked[path] = self.is_there(path)
        return self.asked[path]

    def whole(self, file: File) -> CheckedPage:
        """A checked page with the problems of its file, its links and the whole book."""
        leaf = self.leaves[file]
        before = leaf.checked
        checked = leaf.check(file, self.games)
        self.checks += checked is not before
        path = leaf.page.source.path
        told = (leaf.opened[1], *self.links.get(path, ()), *self.noticed.problems.get(path, ()))
        found = [problem for problem in told if problem]
        every = in_reading_order([*found, *checked.problems])
        return replace(checked, problems=tuple(every), looked=self.noticed.looked[file])


def unchecked(leaf: Leaf) -> Leaf:
    leaf.checked = None
    return leaf


def shape(page: Page) -> Hashable:
    """Everything that links from other pages and their messages depend on."""
    headings = tuple((one.text, one.id, one.trail, one.explicit) for one in page.headings)
    anchors = (*(one.id for one in page.anchors), "", *(one.id for one in page.blocks))
    told = tuple((name, span.text) for name, span in page.meta.items())
    return (
        page.source.path,
        page.title,
        headings,
        anchors,
        told,
        written_ids(page),
        tuple(included_files(page)),
        tuple(redirect_addresses(page)),
    )

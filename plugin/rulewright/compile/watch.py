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
from ..book.dialects import included_files, redirect_addresses
from ..book.disk import is_file_on_disk
from ..book.host import Host
from ..book.link_problems import find_link_problems
from ..book.link_repairs import MAX_GUESSES
from ..book.link_rules import LinkRules
from ..book.page import Page, Snippets
from ..book.parser import read_page
from ..book.resolver import LinkResolver
from ..book.snippets import SnippetReader
from ..game.model import Game
from ..lint.registry import run_checks
from ..project import GAME_FILE, find_common_root, find_games, nearest_pyproject, project_folders
from ..root import UNRESTRICTED, Root
from ..source import Problem, Source
from .aliases import Aliases, read_aliases, with_all_problems
from .book import (
    CheckedPage,
    CompiledBook,
    LintSummary,
    PageResult,
    check_page,
    combine_results,
    failed_page,
    finish_page,
    group_by_path,
    share_causes,
)
from .characters import CheckedCharacter, check_characters
from .files import BookFiles, OpenedPage, file_problems, open_page, survey_files
from .games import Games, display_path, folder_name, has_game, read_games
from .host_settings import make_host, make_snippet_reader, read_host_settings
from .late_problems import with_late_problems
from .options import Options, read_options
from .settings import settings_files

_STAMP_RESOLUTION = 2_000_000_000  # nanoseconds; the coarsest resolution of modification times
_MAX_EXTENDS = 10

_Stamp = tuple[int, int, int] | None  # modification time, size and inode; None if the file does not exist


class _FileStamps:
    """The stamps of files at the last update."""

    def __init__(self) -> None:
        self.known: dict[File, _Stamp] = {}

    def changed_files(self, files: Iterable[File]) -> list[File]:
        """Files that have changed, or changed so recently that another change could have the same stamp."""
        return [file for file in files if self.is_changed(file)]

    def is_changed(self, file: File) -> bool:
        new = file not in self.known
        before, now = self.known.get(file), _read_stamp(file)
        self.known[file] = now
        return new or before != now or (now is not None and abs(time_ns() - now[0]) < _STAMP_RESOLUTION)


def _read_stamp(file: File) -> _Stamp:
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_bytes(file: File, project: Root) -> bytes | None:
    if project.find_refusal(file):
        return None
    try:
        return file.read_bytes()
    except (OSError, ValueError):
        return None


def _game_dependencies(file: File, project: Root) -> Iterator[tuple[File, bytes | None]]:
    """The files a game depends on: its own, the pages of its tables, and the same for the games it extends."""
    for _ in range(_MAX_EXTENDS + 1):
        text = _read_bytes(file, project)
        data = _parse_references(text or b"")
        for dependency in (file, *_table_pages(data, file.parent)):
            yield dependency, text if dependency is file else _read_bytes(dependency, project)
        base = data.get("extends")
        if not isinstance(base, str) or not base or "\0" in base:
            return
        file = File(os.path.normpath(file.parent / base / GAME_FILE))


def _parse_references(text: bytes) -> dict[str, Any]:
    """Parse a game file if it can refer to other files; empty otherwise."""
    if b"extends" not in text and b"page" not in text:
        return {}
    try:
        return tomllib.loads(text.decode("utf-8").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return {}


def _table_pages(data: dict[str, Any], folder: File) -> Iterator[File]:
    tables = data.get("tables")
    for table in tables.values() if isinstance(tables, dict) else ():
        page = table.get("page") if isinstance(table, dict) else None
        if isinstance(page, str) and "\0" not in page:
            yield File(os.path.normpath(folder / page))


def files_to_watch(docs: File, project: Root) -> Iterator[File]:
    """The files outside of the docs folder that a book depends on; MkDocs watches the folder itself."""
    for game in find_games(docs, project):
        outside = (file for file, _ in _game_dependencies(game, project) if docs not in file.parents)
        yield from filter(project.contains, outside)
    settings = nearest_pyproject(docs)
    if settings:
        yield settings


_Dependencies = tuple[tuple[File, bytes | None], ...]


class _TrackedGames(Mapping[str, Game]):
    """A mapping of games that records which of them the check of a page has used."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        self.used: dict[str, Game | None] = {}
        self.used_all = False

    def __getitem__(self, name: str) -> Game:
        self.used[name] = self.games.get(name)
        return self.games[name]

    def __iter__(self) -> Iterator[str]:
        self.used_all = True
        return iter(self.games)

    def __len__(self) -> int:
        self.used_all = True
        return len(self.games)

    def is_unchanged(self, games: Mapping[str, Game]) -> bool:
        """Whether everything the page has used is unchanged."""
        if games is self.games or (self.used_all and not _changed_games(self.games, games)):
            return True
        return not self.used_all and all(games.get(name) is game for name, game in self.used.items())


def _changed_games(before: Mapping[str, Game], now: Mapping[str, Game]) -> bool:
    return list(before) != list(now) or any(now[name] is not game for name, game in before.items())


class PageState:
    """The cached state of one page: text, parsed page, lint results and checked page."""

    def __init__(
        self,
        opened: OpenedPage,
        book_has_game: bool,
        options: Options,
        host: Host | None,
        path: str,
        snippets: Snippets,
    ) -> None:
        self.opened, self.is_group_enabled, self.snippets = opened, options.is_group_enabled, snippets
        self.failure: Exception | None = None
        self.checked: CheckedPage | None = None
        self.games = _TrackedGames({})
        try:
            kinds = frozenset(options.extensions.block_checks)
            self.page = read_page(opened[0], False, book_has_game, kinds, host is not None, snippets)
            settings = host.markdown_of(path, self.page) if host else None
            self.lint_results = run_checks(self.page, options.lints, settings)
        except Exception as error:  # a bug on one page must not stop the others
            self.failure, self.page, self.lint_results = error, read_page(Source(opened[0].path, "")), {}

    def check(self, file: File, games: Games) -> CheckedPage:
        """Check the page, or return the cached result if the games it used are unchanged."""
        if self.checked is None or not self.games.is_unchanged(games.by_folder):
            self.games = _TrackedGames(games.by_folder)
            try:
                if self.failure:
                    raise self.failure
                self.checked = check_page(file, self.page, replace(games, by_folder=self.games), self.is_group_enabled)
            except Exception as error:
                self.checked = failed_page(file, self.opened[0], error)
        return self.checked


class BookWatcher:
    """A compiled book that `update` keeps in sync with the disk."""

    def __init__(
        self,
        places: Sequence[File],
        here: File,
        is_there: Callable[[str], bool] = is_file_on_disk,
        site: File | None = None,
        is_build: bool = False,
    ) -> None:
        self.places, self.here, self.is_there, self.site, self.is_build = places, here, is_there, site, is_build
        self.book: BookFiles | None = None
        self.compiled = CompiledBook(Games(here, {}, (), ()), ())
        self.checks = 0  # number of page checks so far, for tests
        self.reset()

    def reset(self) -> None:
        self.stamps, self.states = _FileStamps(), dict[File, PageState]()
        self.games, self.dependencies = Games(self.here, {}, (), ()), dict[File, _Dependencies]()
        self.options = Options()
        self.host: Host | None = None  # MkDocs, if it publishes the book
        self.snippets = SnippetReader(lambda _name: None)  # of the current files
        self.reading: Hashable = None  # the options and settings by which pages and links are read
        self.project: Root = UNRESTRICTED
        self.refused: tuple[Problem, ...] = ()
        self.book_has_game = True  # whether the book has a game
        self.characters: tuple[CheckedCharacter, ...] = ()
        self.links: dict[str, list[Problem]] = {}
        self.resolver: LinkResolver | None = None  # of the current pages
        self.link_rules, self.aliases = LinkRules(), Aliases()
        self.lint_summary = LintSummary({}, {}, {})
        self.linkable: dict[File, Hashable] = {}
        self.existence: dict[str, bool] = {}  # files that links lead to, and whether they exist
        self.guesses = 0
        self.unlinked: set[File] = set()  # pages whose links have to be checked
        self.pending = True

    def update(self) -> bool:
        """Update everything; True if something has changed. After an OSError it can be called again."""
        root = find_common_root(self.places)
        if self.book is None or self.book.root != root:
            self.reset()
        self.update_options(root)
        book = survey_files(self.places, self.project, self.options.exclude)
        refused = file_problems(book, self.project, self.here, self.host)
        self.pending |= (book, refused) != (self.book, self.refused)
        self.book, self.refused = book, refused
        self.update_games(book)
        self.update_characters(book)
        self.update_pages(book)
        self.update_links(book)
        if not self.pending:
            return False
        self.lint_summary = self.combine_lint(book)
        pages = share_causes(map(self.finish_page, book.selected), self.games)
        characters = self.characters
        assert self.resolver
        aliases = with_all_problems(self.aliases, self.resolver)
        games = with_late_problems(self.games, self.resolver)
        self.compiled = CompiledBook(
            games,
            pages,
            self.options,
            characters,
            False,
            self.link_rules,
            aliases,
            self.project,
            self.refused,
            book.unread,
            self.host,
            list(book.selected) == list(book.pages),
        )
        self.pending = False
        return True

    def combine_lint(self, book: BookFiles) -> LintSummary:
        """Combine the cached lint results of all pages."""
        results = {file: PageResult(self.states[file].page, self.states[file].lint_results) for file in book.pages}
        return combine_results(results, self.options.lints)

    def update_options(self, root: File) -> None:
        """Read the options again if their files changed; other shared folders invalidate the games."""
        if self.stamps.changed_files(settings_files(root, self.site)):
            options = read_options(root, self.here, self.site)
            if self.is_build:
                options = options.for_build()
            self.pending |= options != self.options
            settings = read_host_settings(root, self.site)
            reading = (options.checks, options.markdown, options.commonmark, options.anchors, settings)
            switched, self.reading = reading != self.reading, reading
            self.options, self.host = options, make_host(settings, options)
            self.games = replace(self.games, extra_checks=options.extensions.block_checks)
            if switched:
                self.read_again()
            project = Root(project_folders(root, self.site), lambda: options.shared)
            if project.folders != self.project.folders:
                self.dependencies = {}
            self.project = project

    def make_resolver(self, book: BookFiles) -> LinkResolver:
        pages = [self.states[file].page for file in book.pages]
        return LinkResolver(
            pages, display_path(book.root, self.here), self.exists, aliases=self.aliases.targets, host=self.host
        )

    def update_games(self, book: BookFiles) -> None:
        """Read all games again if one has changed; unchanged games keep their objects."""
        known_files = {file: [part for part, _ in dependencies] for file, dependencies in self.dependencies.items()}
        files = [part for file in book.games for part in known_files.get(file, [file])]
        if not self.stamps.changed_files(dict.fromkeys(files)) and list(self.dependencies) == list(book.games):
            return
        now = {file: tuple(_game_dependencies(file, self.project)) for file in book.games}
        if now != self.dependencies or list(now) != list(self.dependencies):
            games = read_games(book.root, book.games, self.here, self.project)
            unchanged_names = {
                folder_name(file.parent, book.root) for file in now if now[file] == self.dependencies.get(file)
            }
            old = {
                name: game
                for name, game in self.games.by_folder.items()
                if name in unchanged_names and name in games.by_folder
            }
            if self.games.files != games.files:
                self.states = {file: _clear_check(state) for file, state in self.states.items()}
            checks = self.games.extra_checks
            self.games = replace(games, by_folder={**games.by_folder, **old}, extra_checks=checks)
            self.dependencies, self.pending = now, True

    def update_characters(self, book: BookFiles) -> None:
        """Read all characters again: they are few and small."""
        characters = check_characters(book.characters, self.games, self.here)
        self.pending |= characters != self.characters
        self.characters = characters

    def update_pages(self, book: BookFiles) -> None:
        self.states = {file: state for file, state in self.states.items() if file in set(book.pages)}
        self.snippets = make_snippet_reader(
            book.root, self.project, self.host.settings if self.host else None, self.site
        )
        for file in self.stamps.changed_files(book.pages):
            opened = open_page(file, self.here)
            if file not in self.states or self.states[file].opened != opened:
                self.read(file, opened)
        for file, state in self.states.items():
            if state.snippets != self.snippets.snippets_of(state.opened[0].text):
                self.read(file, state.opened)
        if self.pending:
            self.update_fences(book)

    def update_fences(self, book: BookFiles) -> None:
        """Parse all pages again if the first game appears or the last one goes: fences are blocks only with a game."""
        book_has_game = has_game(book.games, (state.opened[0].text for state in self.states.values()))
        if book_has_game != self.book_has_game:
            self.book_has_game = book_has_game
            self.read_again()

    def read_again(self) -> None:
        """Parse all pages again, with the current options."""
        for file, state in self.states.items():
            self.read(file, state.opened)

    def read(self, file: File, opened: OpenedPage) -> None:
        path = folder_name(file, self.book.root) if self.book else ""
        snippets = self.snippets.snippets_of(opened[0].text)
        self.states[file] = PageState(opened, self.book_has_game, self.options, self.host, path, snippets)
        self.unlinked.add(file)
        self.pending = True

    def update_links(self, book: BookFiles) -> None:
        """Check the links of changed pages; those of all pages if anchors, pages or files have changed."""
        before, self.aliases = self.aliases, read_aliases(book.root, self.here, self.project)
        targets_changed = (
            any(self.is_there(path) != there for path, there in self.existence.items()) or before != self.aliases
        )
        if self.resolver and not self.unlinked and not targets_changed and list(self.linkable) == list(book.pages):
            return
        linkable = {
            **self.linkable,
            **{file: _linkable_content(self.states[file].page) for file in self.unlinked if file in self.states},
        }
        linkable = {file: linkable[file] for file in book.pages}
        known_existence, self.existence = self.existence, {}
        self.resolver = resolver = self.make_resolver(book)
        rules, before_rules = resolver.rules, self.link_rules
        everything = targets_changed or (linkable, list(linkable), rules.dialect, rules.questions) != (
            self.linkable,
            list(self.linkable),
            before_rules.dialect,
            before_rules.questions,
        )
        self.link_rules = rules
        if not everything:
            self.existence = {**known_existence, **self.existence}
            pages = [self.states[file].page for file in book.pages if file in self.unlinked]
            link_problems = group_by_path(find_link_problems(resolver, pages))
            self.guesses += resolver.guess_count
            everything = self.guesses > MAX_GUESSES
            self.links.update({page.source.path: link_problems.get(page.source.path, []) for page in pages})
        if everything:
            self.all_links(resolver)
        self.linkable, self.unlinked, self.pending = linkable, set(), True

    def all_links(self, resolver: LinkResolver) -> None:
        resolver.guess_count = 0
        self.links = group_by_path(find_link_problems(resolver))
        self.guesses = resolver.guess_count

    def exists(self, path: str) -> bool:
        self.existence[path] = self.is_there(path)
        return self.existence[path]

    def finish_page(self, file: File) -> CheckedPage:
        """A checked page with the problems of its file, its links and the whole book."""
        state = self.states[file]
        before = state.checked
        checked = state.check(file, self.games)
        self.checks += checked is not before
        path = folder_name(file, self.book.root) if self.book else ""
        return finish_page(file, checked, state.opened[1], self.links, self.lint_summary, path, self.options)


def _clear_check(state: PageState) -> PageState:
    state.checked = None
    return state


def _linkable_content(page: Page) -> Hashable:
    """Everything that links from other pages and their messages depend on."""
    headings = tuple((heading.text, heading.id, heading.trail, heading.explicit) for heading in page.headings)
    anchors = (*(heading.id for heading in page.anchors), "", *(one.id for one in page.blocks))
    metadata = tuple((name, span.text) for name, span in page.meta.items())
    return (
        page.source.path,
        page.title,
        headings,
        anchors,
        metadata,
        written_ids(page),
        tuple(included_files(page)),
        tuple(redirect_addresses(page)),
    )

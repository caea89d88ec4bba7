"""A book for programs: its games, its pages, and the report of its check."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path as File
from typing import Any

from ..checks.model import CheckedBlock
from ..compile.book import CheckedPage, CompiledBook, compile_book
from ..compile.selection import UnknownBlockError, check_ids, select_blocks
from ..project import GAME_FILE, find_surrounding_book, is_page_name
from ..render.blocks_json import book_to_json
from ..render.reports import format_problems
from ..source import Problem
from .game import Game
from .request import RulewrightError, find_path


@dataclass(frozen=True)
class Page:
    """A page of a book; its path is relative to the current folder."""

    path: str
    title: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class BlockResult:
    """A checked block; `status` is `passed`, `failed` (what it claims is false), `error` (unreadable) or `skipped`."""

    id: str
    kind: str
    path: str
    line: int
    game: str
    rule: str
    status: str
    problems: tuple[Problem, ...]
    data: Mapping[str, Any]  # as in the JSON report


@dataclass(frozen=True)
class Report:
    """What the check of a book found, without what its options switch off."""

    problems: tuple[Problem, ...]
    blocks: tuple[BlockResult, ...]
    ok: bool  # nothing fails the check, by `fail_on` of the book's options
    _data: Mapping[str, Any] = field(init=False, repr=False)

    @property
    def summary(self) -> Mapping[str, Any]:
        """How many pages and blocks there are, and how many blocks passed."""
        summary: Mapping[str, Any] = self._data["summary"]
        return summary

    def text(self) -> str:
        """All problems as the command line prints them; empty if there are none."""
        return format_problems(self.problems)

    def to_dict(self) -> dict[str, Any]:
        """The data that `rulewright check --format json` prints."""
        return dict(self._data)

    def __repr__(self) -> str:
        return f"<Report: {len(self.blocks)} blocks, {len(self.problems)} problems>"

    def __str__(self) -> str:
        return self.text() or "no problems"


class Book:
    """A book: a folder of pages with its games. It is read once, on first use; load it again to see changed files."""

    _places: list[File]
    _here: File

    @classmethod
    def load(cls, *paths: str | os.PathLike[str]) -> Book:
        """A book, a part of it, or single pages. Without a path, the book around the current folder."""
        book, here = cls(), File.cwd()
        book._places, book._here = [*map(_find_place, paths)] or [find_surrounding_book(here)], here
        return book

    @cached_property
    def _compiled(self) -> CompiledBook:
        return compile_book(self._places, self._here, lean=True)

    @cached_property
    def games(self) -> dict[str, Game]:
        """All games by folder, relative to the book; a game that a page declares has the path of the page."""
        root = self._compiled.games.root.name
        return {name: Game._make(game, name or root) for name, game in self._compiled.all_games.items()}

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """The pages, in the order of their paths."""
        return tuple(self._make_page(page) for page in self._compiled.pages)

    def _make_page(self, page: CheckedPage) -> Page:
        new = self._compiled.options.compare_with_baseline(page.problems)
        problems = tuple(problem for problem in new if problem.severity != "info")
        return Page(page.page.source.path, page.page.title, problems)

    def check(self, *, only: Iterable[str] = (), strict: bool = False, info: bool = False) -> Report:
        """The report of all checks.

        `only` selects blocks by id or as `PATH::ID`; `strict` counts warnings as failures; `info` includes what may be
        wrong but is not certain."""
        only = [only] if isinstance(only, str) else list(only)
        try:
            check_ids(self._compiled, only)
        except UnknownBlockError as error:
            raise RulewrightError(str(error)) from None
        compiled = select_blocks(replace(self._compiled, with_info=info), only)
        problems, data = tuple(compiled.problems), book_to_json(compiled, self._here)
        pairs = zip(compiled.blocks, data["blocks"], strict=True)
        blocks = tuple(_make_block(checked, compiled, entry) for checked, entry in pairs)
        report = Report(problems, blocks, not compiled.options.has_failure(problems, strict))
        object.__setattr__(report, "_data", data)
        return report

    def __repr__(self) -> str:
        return f"<Book {', '.join(os.path.relpath(place, self._here) for place in self._places)}>"


def _make_block(checked: CheckedBlock, compiled: CompiledBook, entry: Mapping[str, Any]) -> BlockResult:
    problems = tuple(compiled.options.enabled_problems(checked.problems))
    names = ("id", "kind", "path", "line", "game", "rule", "status")
    return BlockResult(**{name: entry[name] for name in names}, problems=problems, data=entry)


def _find_place(path: str | os.PathLike[str]) -> File:
    file = find_path(path)
    if not file.exists():
        raise RulewrightError(f"there is no file or folder {os.fspath(path)}")
    if file.is_dir() or file.name == GAME_FILE or is_page_name(file.name):
        return file
    raise RulewrightError(f"{os.fspath(path)} is neither a folder nor a page nor a {GAME_FILE}")

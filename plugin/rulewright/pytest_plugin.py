"""The pytest plugin: each block of a page is a test. Enabled by `rulewright = true` or `--rulewright`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:  # other modules are imported only when there is a book to check
    from .checks.model import CheckedBlock
    from .compile.book import CheckedPage, Compiled
    from .source import Problem

PAGE = "page"  # name of the test for problems outside of blocks


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "check the blocks of Markdown pages against the rules of their games"
    parser.getgroup("rulewright").addoption("--rulewright", action="store_true", default=False, help=words)
    parser.addini("rulewright", words, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rulewright") or config.getini("rulewright"):
        config.pluginmanager.register(Books(config), "rulewright-books")


class Wrong(Exception):
    """A failed test; carries its problems to `repr_failure`."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


@dataclass
class Sorted:
    """The problems of one file, by block; `rest` are those outside of blocks."""

    blocks: list[tuple[CheckedBlock, list[Problem]]] = field(default_factory=list)
    rest: list[Problem] = field(default_factory=list)


class Books:
    """Collects the books in the arguments of pytest; compiles them when the first file is collected."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.here = config, config.invocation_params.dir

    def pytest_collect_file(self, file_path: File, parent: pytest.Collector) -> pytest.Collector | None:
        if file_path.suffix.lower() not in (".md", ".markdown", ".toml"):
            return None
        found = self.files.get(normal(file_path))
        if not found or not (found.blocks or found.rest):
            return None
        made: Tested = Tested.from_parent(parent, path=file_path)
        made.sorted = found
        return made

    @cached_property
    def files(self) -> dict[File, Sorted]:
        """The problems of each file."""
        files: dict[File, Sorted] = {}
        for places in self.places:
            from .compile.book import compile_book

            compiled = compile_book(places, self.here)
            for page in compiled.pages:
                files[normal(page.file)] = sort_page(page, compiled)
            self.add_others(files, compiled)
        return files

    @property
    def places(self) -> list[list[File]]:
        """The pages and folders in the arguments of pytest, grouped by book."""
        from .compile.book import is_page
        from .project import FILE, book_root

        books: dict[File, list[File]] = {}
        for arg in self.config.args:
            place = normal(self.here / arg.split("::")[0])
            if place.is_dir() or (place.is_file() and (is_page(place) or place.name == FILE)):
                books.setdefault(book_root(place if place.is_dir() else place.parent), []).append(place)
        return list(books.values())

    def add_others(self, files: dict[File, Sorted], compiled: Compiled) -> None:
        """Add problems of games and settings to their file, or to the first page if pytest does not collect that."""
        known = {problem for page in compiled.pages for problem in page.problems}
        for problem in compiled.problems:
            if problem in known or not compiled.options.failing([problem]):
                continue
            file = normal(self.here / problem.span.source.path)
            if not self.visited(file) and compiled.pages:
                file = normal(compiled.pages[0].file)
            files.setdefault(file, Sorted()).rest.append(problem)

    def visited(self, file: File) -> bool:
        places = [place for places in self.places for place in places]
        return file.suffix == ".toml" and any(place == file or place in file.parents for place in places)


def normal(file: File) -> File:
    return File(os.path.normpath(file))


def sort_page(page: CheckedPage, compiled: Compiled) -> Sorted:
    """Assign each failing problem of a page to its block."""
    from .compile.selected import is_about

    blocks = [(block, list[Any]()) for block in page.blocks]
    rest = list[Any]()
    for problem in compiled.options.of(page.problems):
        if compiled.options.failing([problem]):
            home = next((found for block, found in blocks if is_about(problem, block.block)), rest)
            home.append(problem)
    return Sorted(blocks, rest)


class Tested(pytest.File):
    """A page, or a game with problems."""

    sorted: Sorted

    def collect(self) -> Iterator[pytest.Item]:
        for checked, problems in self.sorted.blocks:
            item: Test = Test.from_parent(self, name=checked.block.id)
            item.line, item.problems = checked.block.line, problems
            if checked.status == "skipped" and not problems:
                item.add_marker(pytest.mark.skip(reason=reason(checked)))
            yield item
        if self.sorted.rest:
            item = Test.from_parent(self, name=PAGE)
            item.line, item.problems = first_line(self.sorted.rest), self.sorted.rest
            yield item


def reason(checked: CheckedBlock) -> str:
    skip = checked.block.get("skip")
    return skip.value if skip else f"nobody checks the kind «{checked.block.kind}» yet"


def first_line(problems: Iterable[Problem]) -> int:
    return min(problem.span.source.place(problem.span.start)[0] for problem in problems)


class Test(pytest.Item):
    """The test of a block, or of a page outside of its blocks."""

    line: int
    problems: list[Problem]

    def runtest(self) -> None:
        if self.problems:
            raise Wrong(self.problems)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, Wrong):
            return super().repr_failure(excinfo, style)
        from .render.reports import format_problems

        return format_problems(excinfo.value.problems)

    def reportinfo(self) -> tuple[File, int, str]:
        return self.path, self.line - 1, f"{self.nodeid} "  # without the space, pytest would turn its dots into ::

"""The pytest plugin: each block of a page is a test. Enabled by `rulewright = true` or `--rulewright`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

import pytest
from _pytest._code.code import ReprEntryNative, ReprExceptionInfo, ReprFileLocation, ReprTraceback

if TYPE_CHECKING:  # other modules are imported only when there is a book to check
    from .checks.model import CheckedBlock
    from .compile.book import CheckedPage, CompiledBook
    from .source import Problem

_PAGE, _GAME, _SETTINGS = "page", "game", "settings"  # names of the tests for problems outside of blocks


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "check the blocks of Markdown pages against the rules of their games"
    parser.getgroup("rulewright").addoption("--rulewright", action="store_true", default=False, help=words)
    parser.addini("rulewright", words, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--rulewright") or config.getini("rulewright"):
        config.pluginmanager.register(BookCollector(config), "rulewright-books")


class BlockFailedError(Exception):
    """A failed test; carries its problems to `repr_failure`."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


@dataclass
class FileProblems:
    """The problems of one file, by block; `rest` are those outside of blocks."""

    blocks: list[tuple[CheckedBlock, list[Problem]]] = field(default_factory=list)
    rest: list[Problem] = field(default_factory=list)


class BookCollector:
    """Collects the books in the arguments of pytest; compiles them when the first file is collected."""

    def __init__(self, config: pytest.Config) -> None:
        self.config, self.here = config, config.invocation_params.dir

    def pytest_collect_file(self, file_path: File, parent: pytest.Collector) -> pytest.Collector | None:
        if file_path.suffix.lower() not in (".md", ".markdown", ".mdx", ".toml"):
            return None
        file_problems = self.files.get(normalize(file_path))
        if not file_problems or not (file_problems.blocks or file_problems.rest):
            return None
        collector: CheckedFile = CheckedFile.from_parent(parent, path=file_path)
        collector.file_problems = file_problems
        return collector

    @cached_property
    def files(self) -> dict[File, FileProblems]:
        """The problems of each file."""
        files: dict[File, FileProblems] = {}
        for places in self.places:
            from .compile.book import compile_book

            compiled = compile_book(places, self.here)
            for page in compiled.pages:
                files[normalize(page.file)] = sort_page(page, compiled)
            self.add_others(files, compiled)
        return files

    @property
    def places(self) -> list[list[File]]:
        """The pages and folders in the arguments of pytest, grouped by book."""
        from .compile.books import split_places
        from .compile.files import is_page
        from .project import GAME_FILE

        paths = (normalize(self.here / arg.split("::")[0]) for arg in self.config.args)
        given = [
            path for path in paths if path.is_dir() or (path.is_file() and (is_page(path) or path.name == GAME_FILE))
        ]
        return split_places(given, self.here) if given else []

    def add_others(self, files: dict[File, FileProblems], compiled: CompiledBook) -> None:
        """Add problems of games and settings to their file, or to the first page if pytest does not collect that."""
        known = {problem for page in compiled.pages for problem in page.problems}
        for problem in compiled.problems:
            if problem in known or not compiled.options.has_failure([problem]):
                continue
            file = normalize(self.here / problem.span.source.path)
            if not self.is_collected(file) and compiled.pages:
                file = normalize(compiled.pages[0].file)
            files.setdefault(file, FileProblems()).rest.append(problem)

    def is_collected(self, file: File) -> bool:
        places = [path for places in self.places for path in places]
        return file.suffix == ".toml" and any(path == file or path in file.parents for path in places)


def normalize(file: File) -> File:
    return File(os.path.normpath(file))


def sort_page(page: CheckedPage, compiled: CompiledBook) -> FileProblems:
    """Assign each failing problem of a page to its block."""
    from .compile.selection import is_about

    blocks = [(block, list[Any]()) for block in page.blocks]
    rest = list[Any]()
    for problem in compiled.options.compare_with_baseline(page.problems):
        if compiled.options.has_failure([problem]):
            home = next((block_problems for block, block_problems in blocks if is_about(problem, block.block)), rest)
            home.append(problem)
    return FileProblems(blocks, rest)


class CheckedFile(pytest.File):
    """A page, or a game with problems."""

    file_problems: FileProblems

    def collect(self) -> Iterator[pytest.Item]:
        for checked, problems in self.file_problems.blocks:
            item: BlockTest = BlockTest.from_parent(self, name=checked.block.id)
            item.line, item.problems = checked.block.line, problems
            if checked.status == "skipped" and not problems:
                item.add_marker(pytest.mark.skip(reason=skip_reason(checked)))
            yield item
        rest: dict[str, list[Problem]] = {}
        for problem in self.file_problems.rest:
            rest.setdefault(name_rest(problem), []).append(problem)
        for name, problems in rest.items():
            item = BlockTest.from_parent(self, name=name)
            item.line, item.problems = first_line(problems), problems
            yield item


def name_rest(problem: Problem) -> str:
    """The name of the test for a problem outside of blocks, by the file that it is in."""
    from .compile.files import is_page
    from .project import GAME_FILE

    file = File(problem.span.source.path)
    return _PAGE if is_page(file) else _GAME if file.name == GAME_FILE else _SETTINGS


def skip_reason(checked: CheckedBlock) -> str:
    skip = checked.block.get("skip")
    return skip.value if skip else f'nobody checks the kind "{checked.block.kind}" yet'


def first_line(problems: Iterable[Problem]) -> int:
    return min(problem.span.source.position(problem.span.start)[0] for problem in problems)


class BlockTest(pytest.Item):
    """The test of a block, or of a page outside of its blocks."""

    line: int
    problems: list[Problem]

    def runtest(self) -> None:
        if self.problems:
            raise BlockFailedError(self.problems)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, BlockFailedError):
            return super().repr_failure(excinfo, style)
        from .render.reports import format_problems

        first, *others = excinfo.value.problems
        fact = f"{first.message} (and {len(others)} more)" if others else first.message
        text = format_problems(excinfo.value.problems)
        place = ReprFileLocation(first.span.source.path, first_line([first]), fact)  # the summary shows its message
        return ReprExceptionInfo(
            reprtraceback=ReprTraceback([ReprEntryNative([f"{text}\n"])], None, "native"), reprcrash=place
        )

    def reportinfo(self) -> tuple[File, int, str]:
        return self.path, self.line - 1, f"{self.nodeid} "  # without the space, pytest would turn its dots into ::

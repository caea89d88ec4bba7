"""The small books in tests/cases/links/, as the page README.md there describes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rulewright.book.disk import is_file_on_disk
from rulewright.book.link_problems import find_link_problems
from rulewright.book.page import Page
from rulewright.book.resolver import LinkResolver
from rulewright.source import Problem

CASES = Path(__file__).parent / "cases"
FILES = {path.stem: path for path in CASES.glob("links/*.md") if path.stem != "README"}
MARK = re.compile(r"^=== *(.*)\n", re.MULTILINE)
TOLD = re.compile(r"(read as|right on|wrong on) ?(.*)")


def check_links(
    pages: Iterable[Page], root: str = "", exists: Callable[[str], bool] = is_file_on_disk
) -> list[Problem]:
    """The problems of all links of a book in a folder."""
    return find_link_problems(LinkResolver(pages, root, exists))


class Case(NamedTuple):
    """A link at the end of a page, and what must be said of it."""

    book: str
    page: str
    link: str
    expected: tuple[str, ...]
    fixed: str


class Book(NamedTuple):
    dialect: str
    files: dict[str, str]
    cases: tuple[Case, ...]


def books() -> list[str]:
    return sorted(FILES)


@cache
def book(name: str) -> Book:
    _, *found = MARK.split(FILES[name].read_text(encoding="utf-8") + "\n")
    dialect, files, cases = "", dict[str, str](), list[Case]()
    for mark, text in zip(found[::2], found[1::2], strict=True):
        told = TOLD.fullmatch(mark)
        if told is None:
            files[mark] = text
        elif told[1] == "read as":
            dialect = told[2]
        else:
            cases += links(name, told[2], text)
    return Book(dialect, files, tuple(cases))


def links(name: str, page: str, text: str) -> Iterator[Case]:
    link, expected, fixed = "", list[str](), ""
    for line in [*filter(str.strip, text.splitlines()), ""]:
        words = line.removeprefix("> ")
        if words == line and link:
            yield Case(name, page, link, tuple(expected), fixed)
        if words == line:
            link, expected, fixed = line, [], ""
        elif words.startswith("fix: "):
            fixed = words.removeprefix("fix: ")
        else:
            expected.append(words)


def every_case() -> list[Case]:
    return [case for name in books() for case in book(name).cases]

"""Several books in one run: which places belong to which book, and the results of all of them together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path as File
from typing import TYPE_CHECKING

from ..checks.model import CheckedBlock
from ..globs import matches_any
from ..project import (
    book_folder,
    find_common_root,
    find_inner_books,
    find_surrounding_book,
    is_skipped_folder,
    nearest_pyproject,
)
from ..source import Problem
from .book import CheckedPage, CompiledBook
from .characters import CheckedCharacter
from .games import folder_name
from .options import read_options

if TYPE_CHECKING:
    from ..checks.coverage import CoveredNumber


@dataclass(frozen=True)
class CompiledBooks:
    """Several books, each compiled with its own options; a report shows them as one."""

    books: tuple[CompiledBook, ...]

    @property
    def problems(self) -> list[Problem]:
        """The problems of all books; those of a file that several of them read, such as their settings, once."""
        return list(dict.fromkeys(problem for book in self.books for problem in book.problems))

    @property
    def pages(self) -> tuple[CheckedPage, ...]:
        return tuple(page for book in self.books for page in book.pages)

    @property
    def coverage(self) -> list[CoveredNumber]:
        return [number for book in self.books for number in book.coverage]

    @property
    def blocks(self) -> list[CheckedBlock]:
        return [block for book in self.books for block in book.blocks]

    @property
    def characters(self) -> tuple[CheckedCharacter, ...]:
        return tuple(character for book in self.books for character in book.characters)

    @property
    def unread(self) -> tuple[File, ...]:
        return tuple(file for book in self.books for file in book.unread)

    @property
    def checked_counts(self) -> dict[str, int]:
        """How many things were looked at in all books, by the noun of the summary."""
        total = Counter[str]()
        for book in self.books:
            total.update(book.checked_counts)
        return dict(total)


Compiled = CompiledBook | CompiledBooks


def join_books(books: Sequence[CompiledBook]) -> Compiled:
    """One book as it is; of several, those with something in them or something wrong."""
    filled = [book for book in books if book.pages or book.games.files or book.characters or book.problems]
    return filled[0] if len(filled) == 1 else CompiledBooks(tuple(filled)) if filled else books[0]


def has_failure(compiled: Compiled, strict: bool = False) -> bool:
    """Whether a book has a problem that makes the command fail, by its own options."""
    return any(book.options.has_failure(book.problems, strict) for book in compiled.books)


def split_places(places: Iterable[File], here: File) -> list[list[File]]:
    """The places by book, without places given twice. Without a place, the book around the current folder.

    A folder may contain several books: each is checked by itself, and what is in none of them is a book, too."""
    given = list(places)
    books = dict[File | None, list[File]]()
    for place in given or [find_surrounding_book(here)]:
        inner = [home if given else book_folder(home) or home for home in _inner_books(place, here)]
        for part in (place, *inner):
            books.setdefault(book_folder(part) or nearest_pyproject(part), []).append(part)
    return [list(dict.fromkeys(parts)) for parts in books.values()]


def _inner_books(place: File, here: File) -> Iterator[File]:
    """The folders of the books in a folder, at any depth."""
    if not place.is_dir():
        return
    root = find_common_root([place])
    exclude, is_inner_book = read_options(root, here).exclude, find_inner_books(root)
    for parent, folders, _ in os.walk(place):
        wanted = list[str]()
        for name in sorted(folders):
            folder = File(parent, name)
            if is_skipped_folder(folder) or (exclude and matches_any(folder_name(folder, root), exclude)):
                continue
            if is_inner_book(folder):
                yield folder
                yield from _inner_books(folder, here)
            else:
                wanted.append(name)
        folders[:] = wanted

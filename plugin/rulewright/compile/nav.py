"""The title of a book, and the order of its pages: from the `nav` of mkdocs.yml, or else by path."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as File
from typing import TYPE_CHECKING, NamedTuple

from ..project import find_book, read_title

if TYPE_CHECKING:
    from .book import CheckedPage, CompiledBook

_INDEX_NAMES = ("index", "readme")


class Chapter(NamedTuple):
    """A page in the order of the book; `above` are the titles of the sections around it, outermost first."""

    page: CheckedPage
    sections: tuple[str, ...] = ()

    @property
    def is_index(self) -> bool:
        """Whether this is the index page of its folder."""
        return self.page.file.stem.lower() in _INDEX_NAMES


def find_title(compiled: CompiledBook, titles: Iterable[str]) -> str:
    """The title of a book: its option, else that of its site, else the first of its pages that has one."""
    site = read_title(find_book(compiled.games.root)) if compiled.is_whole else ""
    return compiled.options.title or site or next(filter(None, titles), "")


def order_chapters(compiled: CompiledBook, root: File) -> list[Chapter]:
    """The chapters of the book whose pages are in the folder `root`."""
    listed = compiled.host.settings.nav if compiled.host else ()
    if not listed:
        return _chapters_by_path(compiled.pages, root)
    pages = {_relative_path(page.file, root): page for page in compiled.pages}
    return [Chapter(pages[path], above) for path, above in listed if path in pages]


def _chapters_by_path(pages: Sequence[CheckedPage], root: File) -> list[Chapter]:
    """Folder by folder, index pages first; a folder has the title of its index page."""
    names = {_folder_of_page(page, root): page.page.title for page in pages if Chapter(page).is_index}
    ordered = sorted(pages, key=lambda page: _sort_key(page, root))
    return [Chapter(page, tuple(_section_titles(_folder_of_page(page, root), names))) for page in ordered]


def _sort_key(page: CheckedPage, root: File) -> tuple[tuple[int, str], ...]:
    parts = _relative_path(page.file, root).split("/")
    last = (0 if Chapter(page).is_index else 1, parts[-1].lower())
    return (*((2, part.lower()) for part in parts[:-1]), last)


def _section_titles(place: str, names: dict[str, str]) -> Iterator[str]:
    parts = place.split("/") if place else []
    for number, part in enumerate(parts, 1):
        path = "/".join(parts[:number])
        yield names.get(path) or part.replace("-", " ").replace("_", " ").capitalize()


def _folder_of_page(page: CheckedPage, root: File) -> str:
    return posixpath.dirname(_relative_path(page.file, root))


def _relative_path(file: File, root: File) -> str:
    return file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name

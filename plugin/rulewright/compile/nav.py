"""The order of the pages in a book: from the `nav` of mkdocs.yml, or else by path."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path as File
from typing import Any, NamedTuple

from ..project import find_site_settings
from .book import CheckedPage, CompiledBook
from .options import mapping_items

_NAV = "nav"
_INDEX_NAMES = ("index", "readme")


class Chapter(NamedTuple):
    """A page in the order of the book; `above` are the titles of the sections around it, outermost first."""

    page: CheckedPage
    sections: tuple[str, ...] = ()

    @property
    def is_index(self) -> bool:
        """Whether this is the index page of its folder."""
        return self.page.file.stem.lower() in _INDEX_NAMES


def order_chapters(compiled: CompiledBook, root: File) -> list[Chapter]:
    """The chapters of the book whose pages are in the folder `root`."""
    settings = find_site_settings(root)
    listed = _read_nav(settings) if settings else []
    if not listed:
        return _chapters_by_path(compiled.pages, root)
    pages = {_relative_path(page.file, root): page for page in compiled.pages}
    return [Chapter(pages[path], above) for path, above in listed if path in pages]


def _read_nav(settings: File) -> list[tuple[str, tuple[str, ...]]]:
    """The pages in `nav`, each with the sections around it."""
    text = settings.read_text(encoding="utf-8-sig", errors="replace")
    if f"\n{_NAV}:" not in f"\n{text}":
        return []
    import yaml  # type: ignore[import-untyped]

    try:
        top = yaml.SafeLoader(text).get_single_node()
    except (yaml.YAMLError, ValueError, RecursionError):
        return []  # MkDocs reports this; use the order of paths
    node = next((value for key, value in mapping_items(top) if key.value == _NAV), None)
    return list(_nav_entries(node, ()))


def _nav_entries(node: Any, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    kind = getattr(node, "id", "")
    if kind == "scalar" and node.value.endswith(".md"):
        yield posixpath.normpath(node.value), above
    elif kind == "sequence":
        for item in node.value:
            yield from _nav_entries(item, above)
    elif kind == "mapping":
        for key, value in node.value:
            section = value.id == "sequence"
            yield from _nav_entries(value, (*above, str(key.value)) if section else above)


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

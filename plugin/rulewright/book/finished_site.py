"""A finished site: the files of a folder, and the ids and links of its HTML pages, read when they are needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

_URLS = {"a": "href", "area": "href", "img": "src"}


class FinishedPage(NamedTuple):
    """What a check needs of an HTML page: the ids of its elements, and the targets of its links and images."""

    ids: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()


class _Reader(HTMLParser):
    """Collects ids and targets. Text in scripts, styles and comments does not count."""

    def __init__(self) -> None:
        super().__init__()
        self.ids, self.targets = set[str](), set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)
            elif name == _URLS.get(tag):
                self.targets.add(value)


@dataclass(frozen=True)
class FinishedSite:
    """The folder that a build has written. Paths are relative to it."""

    folder: Path
    pages: dict[str, FinishedPage] = field(default_factory=dict)  # cache

    def has_file(self, path: str) -> bool:
        try:
            return (self.folder / path).is_file()
        except (OSError, ValueError):
            return False

    def page(self, path: str) -> FinishedPage:
        """The ids and targets of a page; those of a page that cannot be read are empty."""
        if path not in self.pages:
            reader = _Reader()
            try:
                reader.feed((self.folder / path).read_text(encoding="utf-8", errors="replace"))
            except (OSError, ValueError):
                reader = _Reader()
            self.pages[path] = FinishedPage(frozenset(reader.ids), frozenset(reader.targets))
        return self.pages[path]

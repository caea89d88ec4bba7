"""Where a link leads, or that it leads nowhere; and where something is now that has moved."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from . import ways
from .model import Heading, Page

if TYPE_CHECKING:
    from .atlas import Atlas

PAGE_ENDS = ("", ".md", ".html", ".htm", ".markdown")


@dataclass(frozen=True, slots=True)
class Place:
    """What a link leads to: a page or a file, and there an anchor by its real id."""

    path: str
    page: Page | None
    anchor: str = ""
    heading: Heading | None = None
    moved: bool = False  # is it known by an old place?


@dataclass(frozen=True, slots=True)
class Lost:
    """A link that leads nowhere: its page is missing, or the page lacks the anchor."""

    path: str
    anchor: str
    page: Page | None

    @property
    def is_page(self) -> bool:
        return posixpath.splitext(self.path)[1] in PAGE_ENDS


def moved(atlas: Atlas, lost: Lost) -> Place | None:
    """Where something is now that is remembered by its old place, or whose page is."""
    for path in ways.files(lost.path):
        for old in dict.fromkeys([f"{path}#{lost.anchor}".rstrip("#"), path]):
            if found := moved_place(atlas, old, lost.anchor):
                return found
    return None


def old_ids(atlas: Atlas, path: str) -> dict[str, tuple[str, ...]]:
    """For the headings of a page the ids by which they were known, on whatever page; none that the page has anyway."""
    found: dict[str, tuple[str, ...]] = {}
    taken = set(atlas.anchors[path].exact)
    for old in atlas.aliases:
        name = old.partition("#")[2]
        place = moved_place(atlas, old) if name and name not in taken else None
        if place and place.path == path and place.heading:
            found[place.anchor] = (*found.get(place.anchor, ()), name)
            taken.add(name)
    return found


def moved_place(atlas: Atlas, old: str, anchor: str = "") -> Place | None:
    """The first place that is there, on the way from an old one to where it went, and went again."""
    seen: set[str] = set()
    while old in atlas.aliases and old not in seen:
        seen.add(old)
        old = atlas.aliases[old]
        path, _, name = old.partition("#")
        found = atlas.inside(path, name or anchor, wiki=False) if path in atlas.anchors else None
        if isinstance(found, Place):
            return replace(found, moved=True)
    return None

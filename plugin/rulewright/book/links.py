"""Are the links of a book right? Those that are not, each with what was probably meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from ..text import Problem, in_reading_order
from . import labels
from .atlas import Atlas, Lost, Place
from .disk import on_disk as on_disk
from .lost import Seen, lost_anchors, lost_pages, mended, moved
from .model import Link, Page
from .repairs import certain

DIGITS = re.compile(r"\d+")


def check_links(pages: Iterable[Page], root: str = "", exists: Callable[[str], bool] | None = None) -> list[Problem]:
    """`root` is the folder of the book, `exists` tells which files there are; without it the disk is asked."""
    return check(Atlas(pages, root, exists or on_disk))


def check(atlas: Atlas, pages: Iterable[Page] | None = None) -> list[Problem]:
    """The links of some pages, or of all that the atlas has."""
    lost: list[tuple[Page, Link, Lost]] = []
    problems: list[Problem] = []
    for page in atlas.pages if pages is None else pages:
        for link in atlas.links(page):
            found = atlas.resolve(link, page)
            if isinstance(found, Place) and found.moved:
                problems.append(moved(atlas, page, link, found))
            elif isinstance(found, Place):
                problems += labels.check(atlas, link, found)
            elif isinstance(found, Lost):
                lost.append((page, link, found))
    return in_reading_order(dict.fromkeys([*problems, *what_is_lost(atlas, lost)]))


def what_is_lost(atlas: Atlas, lost: Seen) -> Iterator[Problem]:
    """Links that can be mended one by one; others that look alike together."""
    anchors: dict[tuple[str, ...], Seen] = defaultdict(list)
    pages: dict[tuple[str, ...], Seen] = defaultdict(list)
    for page, link, found in lost:
        if repair := certain(atlas, page, link, found):
            yield mended(page, link, found, repair)
        elif found.page:
            anchors[page.source.path, found.path, DIGITS.sub("0", found.anchor)].append((page, link, found))
        else:
            pages[page.source.path, found.path].append((page, link, found))
    yield from (lost_anchors(atlas, seen) for seen in anchors.values())
    yield from (problem for seen in pages.values() for problem in lost_pages(atlas, seen))

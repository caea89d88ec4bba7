"""Are the links of a book right? Those that are not, each with what was probably meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from ..text import Problem, in_reading_order
from . import labels
from .atlas import Atlas, Lost, Place
from .lost import Seen, lost_anchors, lost_pages
from .model import Page

DIGITS = re.compile(r"\d+")


def check_links(pages: Iterable[Page], root: str = "", exists: Callable[[str], bool] | None = None) -> list[Problem]:
    """`root` is the folder of the book, `exists` tells which files there are; without it the disk is asked."""
    return check(Atlas(pages, root, exists or on_disk))


def on_disk(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def check(atlas: Atlas) -> list[Problem]:
    anchors: dict[tuple[str, ...], Seen] = defaultdict(list)
    pages: dict[tuple[str, ...], Seen] = defaultdict(list)
    problems = []
    for page in atlas.pages:
        for link in page.links:
            found = atlas.resolve(link, page)
            if isinstance(found, Place):
                problems += labels.check(atlas, link, found)
            elif isinstance(found, Lost) and found.page:
                anchors[page.source.path, found.path, DIGITS.sub("0", found.anchor)].append((page, link, found))
            elif isinstance(found, Lost):
                pages[page.source.path, found.path].append((page, link, found))
    problems += [lost_anchors(atlas, seen) for seen in anchors.values()]
    problems += [problem for seen in pages.values() for problem in lost_pages(atlas, seen)]
    return in_reading_order(dict.fromkeys(problems))

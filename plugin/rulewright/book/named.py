"""Words and headings by their names: where `[[Term]]` leads when no page is called so."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .anchors import Anchors
from .model import Heading


class Named(NamedTuple):
    """A place that has a name: the path of its page, its id there, its heading if it is one."""

    path: str
    id: str
    heading: Heading | None


@dataclass(frozen=True)
class Names:
    anchors: Mapping[str, Anchors]

    @cached_property
    def found(self) -> dict[str, list[Named]]:
        """In small letters; words that are explained come before headings."""
        found: dict[str, list[Named]] = defaultdict(list)
        for path, one in self.anchors.items():
            for term in one.page.terms:
                if term.id:
                    found[term.text.lower()].append(Named(path, term.id, None))
        for path, one in self.anchors.items():
            for heading in one.page.headings:
                found[heading.text.lower()].append(Named(path, heading.id, heading))
        return found

    def nearest(self, name: str, path: str) -> Named | None:
        """On the page itself, else in its folder, else in the folder above, and so on; of several the first."""
        places = self.found.get(name.strip().lower(), ())
        return min(places, key=lambda place: distance(place.path, path), default=None)


def distance(path: str, other: str) -> int:
    """So many steps lead from one page to the other through their folders."""
    if path == other:
        return 0
    way = posixpath.relpath(posixpath.dirname(path) or ".", posixpath.dirname(other) or ".")
    return 1 if way == "." else 1 + len(way.split("/"))

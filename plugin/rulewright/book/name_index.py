"""Headings and terms by their names, for links such as `[[Term]]`."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from .anchors import Anchors
from .page import Heading


class NamedTarget(NamedTuple):
    """A heading or term that can be found by name."""

    path: str
    id: str
    heading: Heading | None


@dataclass(frozen=True)
class NameIndex:
    """Headings and terms of all pages by their names."""

    anchors: Mapping[str, Anchors]

    @cached_property
    def by_name(self) -> dict[str, list[NamedTarget]]:
        """By name in lower case; terms come before headings."""
        targets: dict[str, list[NamedTarget]] = defaultdict(list)
        for path, index in self.anchors.items():
            for term in index.page.terms:
                if term.id:
                    targets[term.text.lower()].append(NamedTarget(path, term.id, None))
        for path, index in self.anchors.items():
            for heading in index.page.headings:
                targets[heading.text.lower()].append(NamedTarget(path, heading.id, heading))
        return targets

    def nearest(self, name: str, path: str) -> NamedTarget | None:
        """The one on the page itself, else in its folder, else in the folder above, and so on; the first of several."""
        targets = self.by_name.get(name.strip().lower(), ())
        return min(targets, key=lambda target: _folder_distance(target.path, path), default=None)


def _folder_distance(path: str, other: str) -> int:
    """Number of steps between two pages through their folders."""
    if path == other:
        return 0
    relative = posixpath.relpath(posixpath.dirname(path) or ".", posixpath.dirname(other) or ".")
    return 1 if relative == "." else 1 + len(relative.split("/"))

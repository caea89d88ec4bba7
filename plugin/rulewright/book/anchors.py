"""The anchors of one page: its headings by the ids they have anywhere, and every other id on it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from . import slugs
from .model import Heading, Page

GIVEN = re.compile(
    r"""(?:\{[^{}<%(\n]{0,80}#|(?<![\w?&-])(?:id|name)\s?=\s?["'{]{0,2}|(?<=\s):id=|(?<!\S)\^)([^\s"'{}<>#,;|)]{1,100})"""
)
GITHUB_PREFIX = "user-content-"


def given(page: Page) -> frozenset[str]:
    """Whatever an author wrote as an id, be it in the manner of tools that are not ours; blocks of Obsidian with ^."""
    return frozenset(found[1] if found[0][0] != "^" else found[0] for found in GIVEN.finditer(page.source.text))


class Anchor(NamedTuple):
    """An anchor that was found: its id as this page has it, and its heading if it is one."""

    id: str
    heading: Heading | None


class Anchors:
    def __init__(self, page: Page, others: Iterable[slugs.Slug] = ()) -> None:
        self.page, self.others = page, tuple(others)
        self.exact: dict[str, Heading | None] = {"": None, "top": None}
        self.exact |= {block.id: None for block in page.blocks}
        self.exact |= {anchor.id: None for anchor in page.anchors}
        self.exact |= {heading.id: heading for heading in page.headings}

    @cached_property
    def other_dialects(self) -> dict[str, Heading]:
        """Ids as they would be on a site of Python-Markdown, with its slugs or with GitHub's, and elsewhere."""
        found: dict[str, Heading] = {}
        self.number(slugs.python_markdown, slugs.Underlined(), found)
        self.number(slugs.github, slugs.Underlined(), found)
        for slug in self.others:
            self.number(slug, slugs.Numbered(), found)
        return found

    def number(self, slug: slugs.Slug, numbers: slugs.Underlined | slugs.Numbered, found: dict[str, Heading]) -> None:
        for heading in self.page.headings:
            if heading.explicit:
                numbers.take(heading.id)
        for heading in self.page.headings:
            if not heading.explicit:
                found.setdefault(numbers.take(slug(heading.text)), heading)

    @cached_property
    def by_text(self) -> dict[str, list[Heading]]:
        found: dict[str, list[Heading]] = defaultdict(list)
        for heading in self.page.headings:
            found[slugs.github(heading.text)].append(heading)
        return found

    @cached_property
    def by_letters(self) -> dict[str, list[str]]:
        """Ids that differ in nothing but capitals and the signs between words."""
        found: dict[str, list[str]] = defaultdict(list)
        for anchor in filter(None, self.exact):
            found[slugs.letters(anchor)].append(anchor)
        return found

    @cached_property
    def terms(self) -> frozenset[str]:
        """Words in lists of definitions; nobody is told to link to these ids, which only a site of ours has."""
        return frozenset(term.id for term in self.page.terms)

    @cached_property
    def given(self) -> frozenset[str]:
        return given(self.page)

    def find(self, anchor: str, *, wiki: bool = False) -> Anchor | None:
        if anchor in self.exact:
            return Anchor(anchor, self.exact[anchor])
        heading = self.other_dialects.get(anchor)
        if wiki and not heading:
            heading = next(iter(self.by_text.get(slugs.github(anchor.rpartition("#")[2]), ())), None)
        if heading:
            return Anchor(heading.id, heading)
        if anchor in self.given or anchor in self.terms:
            return Anchor(anchor, None)
        bare = anchor.removeprefix(GITHUB_PREFIX)
        return self.find(bare) if bare != anchor else None

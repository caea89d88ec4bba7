"""The anchors of one page: its headings by the ids they have anywhere, and every other id on it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from .page import Heading, Page

STRANGE = re.compile(r"[^a-z0-9_ -]")
NUMBERED = re.compile(r"^(.*)_([0-9]+)$")


def github(text: str) -> str:
    lowered = text.strip().lower()
    if lowered.isascii():
        return STRANGE.sub("", lowered).replace(" ", "-")
    return "".join(kept for kept in lowered if is_word(kept)).replace(" ", "-")


def term(text: str) -> str:
    """The id of a word where a list of definitions explains it; no heading can have it."""
    return f"term:{github(text)}"


def is_word(character: str) -> bool:
    if character in "_- ":
        return True
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")


def python_markdown(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


class Numbered:
    """GitHub's way with a slug that comes again: -1, -2."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}

    def take(self, slug: str) -> str:
        slug = slug or "section"
        unique = slug
        while unique in self.taken:
            self.taken[slug] = self.taken.get(slug, 0) + 1
            unique = f"{slug}-{self.taken[slug]}"
        self.taken[unique] = 0
        return unique


class Underlined:
    """Python-Markdown's way: _1, _2."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def take(self, slug: str) -> str:
        while slug in self.taken or not slug:
            numbered = NUMBERED.match(slug)
            slug = f"{numbered[1]}_{int(numbered[2]) + 1}" if numbered else f"{slug}_1"
        self.taken.add(slug)
        return slug


Slug = Callable[[str], str]

DOCSIFY = re.compile(r"[\u2000-\u206f\u2e00-\u2e7f\\'!\"#$%&()*+,./:;<=>?@\[\]^`{|}~]")
VITEPRESS = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'“”‘’<>,.?/]+""")


def docsify(text: str) -> str:
    slug = re.sub(r"-+", "-", re.sub(r"\s", "-", DOCSIFY.sub("", text.strip().lower())))
    return f"_{slug}" if slug[:1].isdigit() else slug


def vitepress(text: str) -> str:
    plain = "".join(kept for kept in unicodedata.normalize("NFKD", text) if not unicodedata.combining(kept))
    slug = VITEPRESS.sub("-", plain).strip("-").lower()
    return f"_{slug}" if slug[:1].isdigit() else slug


def kramdown(text: str) -> str:
    begun = re.sub(r"^[^a-zA-Z]+", "", text)
    return re.sub(r"[^a-zA-Z0-9 -]", "", begun).replace(" ", "-").lower() or "section"


def mdbook(text: str) -> str:
    kept = (letter for letter in text.strip() if letter.isalnum() or letter in "_-" or letter.isspace())
    return "".join("-" if letter.isspace() else letter.lower() for letter in kept)


def gitbook(text: str) -> str:
    """«Skills & feats» is `skills-and-feats` there, and blanks that follow each other are one."""
    return re.sub(r"-+", "-", github(text.replace("&", "and")))


def letters(text: str) -> str:
    """What all ways to write an id have in common."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if letter.isalnum())


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
    def __init__(self, page: Page, others: Iterable[Slug] = ()) -> None:
        self.page, self.others = page, tuple(others)
        self.exact: dict[str, Heading | None] = {"": None, "top": None}
        self.exact |= {block.id: None for block in page.blocks}
        self.exact |= {anchor.id: None for anchor in page.anchors}
        self.exact |= {heading.id: heading for heading in page.headings}

    @cached_property
    def other_dialects(self) -> dict[str, Heading]:
        """Ids as they would be on a site of Python-Markdown, with its slugs or with GitHub's, and elsewhere."""
        found: dict[str, Heading] = {}
        self.number(python_markdown, Underlined(), found)
        self.number(github, Underlined(), found)
        for slug in self.others:
            self.number(slug, Numbered(), found)
        return found

    def number(self, slug: Slug, numbers: Underlined | Numbered, found: dict[str, Heading]) -> None:
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
            found[github(heading.text)].append(heading)
        return found

    @cached_property
    def by_letters(self) -> dict[str, list[str]]:
        """Ids that differ in nothing but capitals and the signs between words."""
        found: dict[str, list[str]] = defaultdict(list)
        for anchor in filter(None, self.exact):
            found[letters(anchor)].append(anchor)
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
            heading = next(iter(self.by_text.get(github(anchor.rpartition("#")[2]), ())), None)
        if heading:
            return Anchor(heading.id, heading)
        if anchor in self.given or anchor in self.terms:
            return Anchor(anchor, None)
        bare = anchor.removeprefix(GITHUB_PREFIX)
        return self.find(bare) if bare != anchor else None

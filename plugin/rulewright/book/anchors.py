"""Heading ids: the slug rules of common Markdown tools, and the index of all anchors on a page."""

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
    """GitHub's slug: lower case, punctuation removed, hyphens for spaces."""
    lowered = text.strip().lower()
    if lowered.isascii():
        return STRANGE.sub("", lowered).replace(" ", "-")
    return "".join(kept for kept in lowered if is_word(kept)).replace(" ", "-")


def term(text: str) -> str:
    """The id of a term in a definition list; the colon keeps it apart from every heading slug."""
    return f"term:{github(text)}"


def is_word(character: str) -> bool:
    """True for the characters that GitHub keeps in a slug."""
    if character in "_- ":
        return True
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")


def python_markdown(text: str) -> str:
    """The slug of Python-Markdown's `toc` extension."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


class Numbered:
    """Makes repeated slugs unique as GitHub does: -1, -2."""

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
    """Makes repeated slugs unique as Python-Markdown does: _1, _2."""

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
    """Like GitHub's slug, but `Skills & feats` is `skills-and-feats`: `&` becomes `and`, runs of hyphens collapse."""
    return re.sub(r"-+", "-", github(text.replace("&", "and")))


def letters(text: str) -> str:
    """The letters and digits of a text in lower case, which the slugs of all tools have in common."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if letter.isalnum())


GIVEN = re.compile(
    r"""(?:\{[^{}<%(\n]{0,80}#|(?<![\w?&-])(?:id|name)\s?=\s?["'{]{0,2}|(?<=\s):id=|(?<!\S)\^)([^\s"'{}<>#,;|)]{1,100})"""
)
GITHUB_PREFIX = "user-content-"


def given(page: Page) -> frozenset[str]:
    """Every id that the author wrote, in the syntax of any tool: `{#id}`, `id=`, and `^id` of Obsidian blocks."""
    return frozenset(found[1] if found[0][0] != "^" else found[0] for found in GIVEN.finditer(page.source.text))


class Anchor(NamedTuple):
    """An anchor that a link resolves to: its id on this page, and its heading if it is one."""

    id: str
    heading: Heading | None


class Anchors:
    """Index of the ids on one page; `others` are slug rules of further tools."""

    def __init__(self, page: Page, others: Iterable[Slug] = ()) -> None:
        self.page, self.others = page, tuple(others)
        self.exact: dict[str, Heading | None] = {"": None, "top": None}
        self.exact |= {block.id: None for block in page.blocks}
        self.exact |= {anchor.id: None for anchor in page.anchors}
        self.exact |= {heading.id: heading for heading in page.headings}

    @cached_property
    def other_dialects(self) -> dict[str, Heading]:
        """Headings by the ids that Python-Markdown (with its slugs or GitHub's) and the other tools give them."""
        found: dict[str, Heading] = {}
        self.number(python_markdown, Underlined(), found)
        self.number(github, Underlined(), found)
        for slug in self.others:
            self.number(slug, Numbered(), found)
        return found

    def number(self, slug: Slug, numbers: Underlined | Numbered, found: dict[str, Heading]) -> None:
        """Add the headings by their ids under one slug rule; ids that the author wrote are taken first."""
        for heading in self.page.headings:
            if heading.explicit:
                numbers.take(heading.id)
        for heading in self.page.headings:
            if not heading.explicit:
                found.setdefault(numbers.take(slug(heading.text)), heading)

    @cached_property
    def by_text(self) -> dict[str, list[Heading]]:
        """Headings by the GitHub slug of their text."""
        found: dict[str, list[Heading]] = defaultdict(list)
        for heading in self.page.headings:
            found[github(heading.text)].append(heading)
        return found

    @cached_property
    def by_letters(self) -> dict[str, list[str]]:
        """Ids by their letters; ids in one list differ only in case and punctuation."""
        found: dict[str, list[str]] = defaultdict(list)
        for anchor in filter(None, self.exact):
            found[letters(anchor)].append(anchor)
        return found

    @cached_property
    def terms(self) -> frozenset[str]:
        """Ids of definition terms. Messages never suggest them, because only sites of ours have them."""
        return frozenset(term.id for term in self.page.terms)

    @cached_property
    def given(self) -> frozenset[str]:
        return given(self.page)

    def find(self, anchor: str, *, wiki: bool = False) -> Anchor | None:
        """Resolve an anchor: exact id, other tools' slugs, other ids; for wiki links also the text of a heading."""
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

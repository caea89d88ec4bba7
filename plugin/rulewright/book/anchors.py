"""Heading ids: the slug rules of common Markdown tools, and the index of all anchors on a page."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from .page import Heading, Page

_PUNCTUATION = re.compile(r"[^a-z0-9_ -]")
_NUMBER_SUFFIX = re.compile(r"^(.*)_([0-9]+)$")


def github_slug(text: str) -> str:
    """GitHub's slug: lower case, punctuation removed, hyphens for spaces."""
    lowered = text.strip().lower()
    if lowered.isascii():
        return _PUNCTUATION.sub("", lowered).replace(" ", "-")
    return "".join(character for character in lowered if _is_word(character)).replace(" ", "-")


def term_id(text: str) -> str:
    """The id of a term in a definition list; the colon keeps it apart from every heading slug."""
    return f"term:{github_slug(text)}"


def _is_word(character: str) -> bool:
    """True for the characters that GitHub keeps in a slug."""
    if character in "_- ":
        return True
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")


def python_markdown_slug(text: str) -> str:
    """The slug of Python-Markdown's `toc` extension."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    plain = re.sub(r"[^\w\s-]", "", plain).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


class GitHubNumbering:
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


class UnderscoreNumbering:
    """Makes repeated slugs unique as Python-Markdown does: _1, _2."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def take(self, slug: str) -> str:
        while slug in self.taken or not slug:
            match = _NUMBER_SUFFIX.match(slug)
            slug = f"{match[1]}_{int(match[2]) + 1}" if match else f"{slug}_1"
        self.taken.add(slug)
        return slug


Slug = Callable[[str], str]

_DOCSIFY_REMOVED = re.compile(r"[\u2000-\u206f\u2e00-\u2e7f\\'!\"#$%&()*+,./:;<=>?@\[\]^`{|}~]")
_VITEPRESS_SEPARATORS = re.compile(r"""[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:"'“”‘’<>,.?/]+""")


def docsify_slug(text: str) -> str:
    slug = re.sub(r"-+", "-", re.sub(r"\s", "-", _DOCSIFY_REMOVED.sub("", text.strip().lower())))
    return f"_{slug}" if slug[:1].isdigit() else slug


def vitepress_slug(text: str) -> str:
    plain = "".join(
        character for character in unicodedata.normalize("NFKD", text) if not unicodedata.combining(character)
    )
    slug = _VITEPRESS_SEPARATORS.sub("-", plain).strip("-").lower()
    return f"_{slug}" if slug[:1].isdigit() else slug


def kramdown_slug(text: str) -> str:
    trimmed = re.sub(r"^[^a-zA-Z]+", "", text)
    return re.sub(r"[^a-zA-Z0-9 -]", "", trimmed).replace(" ", "-").lower() or "section"


def mdbook_slug(text: str) -> str:
    characters = (letter for letter in text.strip() if letter.isalnum() or letter in "_-" or letter.isspace())
    return "".join("-" if letter.isspace() else letter.lower() for letter in characters)


def gitbook_slug(text: str) -> str:
    """Like GitHub's slug, but `Skills & feats` is `skills-and-feats`: `&` becomes `and`, runs of hyphens collapse."""
    return re.sub(r"-+", "-", github_slug(text.replace("&", "and")))


def letters_only(text: str) -> str:
    """The letters and digits of a text in lower case, which the slugs of all tools have in common."""
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if letter.isalnum())


_WRITTEN_ID = re.compile(
    r"""(?:\{[^{}<%(\n]{0,80}#|(?<![\w?&-])(?:id|name)\s?=\s?["'{]{0,2}|(?<=\s):id=|(?<![^\s>])\^)([^\s"'{}<>#,;|)]{1,100})"""
)
_GITHUB_PREFIX = "user-content-"


def written_ids(page: Page) -> frozenset[str]:
    """Every id that the author wrote, in the syntax of any tool: `{#id}`, `id=`, and `^id` of Obsidian blocks."""
    return frozenset(match[1] if match[0][0] != "^" else match[0] for match in _WRITTEN_ID.finditer(page.source.text))


class _AnchorMatch(NamedTuple):
    """An anchor that a link resolves to: its id on this page, and its heading if it is one."""

    id: str
    heading: Heading | None


# Headings without a space after their number signs, which only Python-Markdown reads; code and comments are skipped.
_HASH_HEADING = re.compile(
    r"^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1|\Z)|<!--.*?(?:-->|\Z)|\A---\n.*?^---"
    r"|^#{1,6}([^#\s][^\n]*?)#*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_UNCERTAIN = re.compile(r":[\w+-]+:|[{<$^~\\]|&#?\w+;|\+\+|==|!\[|\]\[|--|\.\.\.|\[\[")  # may be read in two ways


def host_ids(page: Page, make_slug: Slug, attribute_lists: bool = True, reads_hashes: bool = True) -> dict[str, str]:
    """The ids that `toc` of Python-Markdown gives the headings of a page, by their ids in the book.

    A heading that the book does not have, such as `#Setup`, gets a key with a number sign.
    """
    numbering = UnderscoreNumbering()
    written = {heading.id for heading in page.headings if heading.explicit and attribute_lists}
    numbering.taken |= written | {block.id for block in page.blocks}
    headings = [(heading.span.start, heading.text, heading.id) for heading in page.headings]
    if reads_hashes:
        matches = (match for match in _HASH_HEADING.finditer(page.source.text) if match[2])
        headings += [(match.start(), match[2].strip(), "") for match in matches]
    ids = dict[str, str]()
    for _, text, id_ in sorted(headings):
        new = id_ if id_ in written else numbering.take(make_slug(text))
        ids[id_ or f"#{new}"] = new
    return ids


class Anchors:
    """Index of the ids on one page; `others` are slug rules of further tools.

    With `make_site_ids` the ids of its headings are those of the site; it returns them by their ids in the book.
    """

    def __init__(
        self,
        page: Page,
        other_slugs: Iterable[Slug] = (),
        make_site_ids: Callable[[Page], Mapping[str, str]] | None = None,
    ) -> None:
        self.page, self.other_slugs, self.make_site_ids = page, tuple(other_slugs), make_site_ids

    @cached_property
    def ids_in_site(self) -> Mapping[str, str]:
        return self.make_site_ids(self.page) if self.make_site_ids else {}

    @cached_property
    def exact(self) -> dict[str, Heading | None]:
        """What each id leads to; None for what is no heading."""
        exact: dict[str, Heading | None] = {"": None, "top": None}
        exact |= {block.id: None for block in self.page.blocks}
        exact |= {anchor.id: None for anchor in self.page.anchors}
        exact |= dict.fromkeys(self.ids_in_site.values())
        return exact | {self.id_of(heading): heading for heading in self.page.headings}

    def id_of(self, heading: Heading) -> str:
        """The id of a heading: that in the site, if this is known."""
        return self.ids_in_site.get(heading.id, heading.id)

    @cached_property
    def other_dialects(self) -> dict[str, Heading]:
        """Headings by the ids that Python-Markdown (with its slugs or GitHub's) and the other tools give them."""
        by_id = {heading.id: heading for heading in self.page.headings} if self.ids_in_site else {}
        self.add_headings(python_markdown_slug, UnderscoreNumbering(), by_id)
        self.add_headings(github_slug, UnderscoreNumbering(), by_id)
        for slug in self.other_slugs:
            self.add_headings(slug, GitHubNumbering(), by_id)
        return by_id

    def add_headings(
        self, slug: Slug, numbering: UnderscoreNumbering | GitHubNumbering, by_id: dict[str, Heading]
    ) -> None:
        """Add the headings by their ids under one slug rule; ids that the author wrote are taken first."""
        for heading in self.page.headings:
            if heading.explicit:
                numbering.take(heading.id)
        for heading in self.page.headings:
            if not heading.explicit:
                by_id.setdefault(numbering.take(slug(heading.text)), heading)

    def is_uncertain(self, heading: Heading) -> bool:
        """Whether a host may read the text of a heading in another way, so that its id is not known for sure."""
        return _UNCERTAIN.search(heading.span.text) is not None

    @cached_property
    def by_text(self) -> dict[str, list[Heading]]:
        """Headings by the GitHub slug of their text."""
        headings: dict[str, list[Heading]] = defaultdict(list)
        for heading in self.page.headings:
            headings[github_slug(heading.text)].append(heading)
        return headings

    @cached_property
    def by_letters(self) -> dict[str, list[str]]:
        """Ids by their letters; ids in one list differ only in case and punctuation."""
        ids: dict[str, list[str]] = defaultdict(list)
        for anchor in filter(None, self.exact):
            ids[letters_only(anchor)].append(anchor)
        return ids

    @cached_property
    def terms(self) -> frozenset[str]:
        """Ids of definition terms. Messages never suggest them, because only sites of ours have them."""
        return frozenset(term.id for term in self.page.terms)

    @cached_property
    def written_ids(self) -> frozenset[str]:
        return written_ids(self.page)

    def find(self, anchor: str, *, wiki: bool = False) -> _AnchorMatch | None:
        """Resolve an anchor: exact id, other tools' slugs, other ids; for wiki links also the text of a heading."""
        if anchor in self.exact:
            return _AnchorMatch(anchor, self.exact[anchor])
        heading = self.other_dialects.get(anchor)
        name = anchor.rpartition("#")[2]
        if wiki and not heading and not name.startswith("^"):  # which is the id of an Obsidian block
            slugs = (github_slug(name), github_slug(" ".join(name.split())))
            heading = next((heading for slug in slugs for heading in self.by_text.get(slug, ())), None)
        if heading:
            return _AnchorMatch(anchor if self.is_uncertain(heading) else self.id_of(heading), heading)
        if anchor in self.written_ids or (anchor in self.terms and not self.ids_in_site):
            return _AnchorMatch(anchor, None)
        unprefixed = anchor.removeprefix(_GITHUB_PREFIX)
        return self.find(unprefixed) if unprefixed != anchor else None

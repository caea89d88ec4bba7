"""The element tree of a page under construction, and the page context that its builder uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement

from markdown.util import ETX, STX, AtomicString

from ..book.page import Block, Link, Page
from .strings import Words
from .terms import PageTerms

FORMULA = re.compile(r"\$|\\[(\[b]")  # where formulas may begin
_NOTES = "user-content-fn-"  # prefix of footnote ids on GitHub


class _Address(Protocol):
    """Resolves a link; `built` for browsers on the finished site, else from file to file.

    Returns None for a broken link, an empty string if the link stays as it is.
    """

    def __call__(self, link: Link, built: bool) -> str | None: ...


@dataclass(frozen=True)
class PageContext:
    """Page context: a parsed page with its cards, link addresses, terms and strings."""

    page: Page
    words: Words
    card: Callable[[Block], str]
    address: _Address
    terms: PageTerms = field(default_factory=PageTerms)
    former_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of headings, by the ids they have now
    heading_ids: Mapping[str, str] = field(default_factory=dict)  # on the site, by the ids in the book
    touch: Callable[[], None] = lambda: None  # to call when something of ours is put on the page


class Host(Protocol):
    """The Markdown program that the tree is for, as far as the builder needs it."""

    contents: str  # the text of a paragraph that becomes the table of contents
    markers: Mapping[str, str]  # tags by marker, such as `mark` for ==, that the host supports

    def stash(self, html: str) -> str:
        """Store HTML; return the placeholder that is replaced by it in the end."""

    def fence(self, info: str, code: str) -> str | None:
        """A placeholder for highlighted code or a diagram; None if the host does not know the language."""

    def code(self, text: str) -> Element | str | None:
        """Highlighted inline code."""

    def math(self, text: str, *, inline: bool) -> Element | None:
        """A TeX formula."""

    def abbreviate(self, name: str, meaning: str) -> None:
        """Define an abbreviation, to be explained wherever it occurs on the page."""

    def mark_broken(self, element: Element, written: str) -> None:
        """A broken link keeps what the author wrote; it has been reported."""


def real_anchor(anchor: str) -> str:
    """The id of a footnote here, for an anchor as GitHub names it."""
    return f"fn:{anchor.removeprefix(_NOTES)}" if anchor.startswith(_NOTES) else anchor


_ENTITY = re.compile(r"&(?=(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)", re.IGNORECASE)
LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


@dataclass
class Tree:
    """The tree with its stack of open elements."""

    page_context: PageContext
    host: Host
    root: Element = field(default_factory=lambda: Element("div"))
    stack: list[Element] = field(default_factory=list)
    notes: dict[str, Element] = field(default_factory=dict)  # footnotes by their labels
    note_counts: dict[str, int] = field(
        default_factory=dict
    )  # number of references to each footnote, in order of the first
    deferred: list[Element] = field(default_factory=list)  # to insert after the first element
    tab_sets: int = 0  # sets of tabs so far
    inline_only: list[Element] = field(default_factory=list)  # open elements that contain only inline content

    def __post_init__(self) -> None:
        self.stack.append(self.root)

    @property
    def current(self) -> Element:
        return self.stack[-1]

    def enter(self, tag: str, attributes: Mapping[str, str | int | float] | None = None) -> Element:
        element = add_element(self.stack[-1], tag, attributes)
        self.stack.append(element)
        return element

    def leave(self) -> None:
        self.stack.pop()

    def add_html(self, text: str) -> None:
        """Append raw HTML."""
        if text:
            self.add_placeholder(self.host.stash(text))

    def add_placeholder(self, placeholder: str) -> None:
        """Append a placeholder of stored HTML, which other extensions must not process."""
        before = "\n" if len(self.current) else ""
        append_text(self.current, AtomicString(f"{before}{placeholder}\n"))


def add_element(parent: Element, tag: str, attributes: Mapping[str, str | int | float] | None = None) -> Element:
    """Append a child element."""
    if not attributes:
        return SubElement(parent, tag)
    return SubElement(parent, tag, {name: escape_attribute(str(value)) for name, value in attributes.items()})


def append_text(element: Element, text: str) -> None:
    """Append text after everything that the element contains."""
    if len(element):
        element[-1].tail = _join_texts(element[-1].tail, text)
    else:
        element.text = _join_texts(element.text, text)


def _join_texts(before: str | None, text: str) -> str:
    """Concatenate texts; a placeholder stays atomic, next to text without the line breaks around it."""
    if not before:
        return text
    if isinstance(before, AtomicString) == isinstance(text, AtomicString):
        return type(text)(before + text)
    return before.strip("\n") + text if isinstance(before, AtomicString) else before + text.strip("\n")


def escape_attribute(value: str) -> str:
    """Escape `&` where it looks like an entity, because the parser has resolved all entities."""
    return _ENTITY.sub("&amp;", value) if "&" in value else value


def clean_text(text: str) -> str:
    """Text that other extensions may process; ligatures are split so that it can be searched."""
    text = text if text.isascii() else text.translate(LIGATURES)
    return _ENTITY.sub("&amp;", text) if "&" in text else text


def mask_literals(text: str, places: list[int]) -> str:
    """The same, with escaped characters as placeholders, so that no extension takes them for markup."""
    pieces, at = [], 0
    for place in places:
        pieces += [clean_text(text[at:place]), "&amp;" if text[place] == "&" else f"{STX}{ord(text[place])}{ETX}"]
        at = place + 1
    return "".join([*pieces, clean_text(text[at:])])


def escape_code(text: str) -> AtomicString:
    """Code as escaped, atomic text."""
    return AtomicString(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

"""The tree of a page while it grows: where the next element goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.etree.ElementTree import Element, SubElement

from markdown.util import ETX, STX, AtomicString

from ..book.page import Block, Link, Page
from .strings import Words
from .terms import Terms

FORMULA = re.compile(r"\$|\\[(\[b]")  # where formulas may begin
NOTES = "user-content-fn-"  # how GitHub names footnotes


class Address(Protocol):
    """Where a link leads: `built` as browsers of the finished site go there, else from file to file.

    None says that it leads nowhere, an empty text that it may stay as it was written.
    """

    def __call__(self, link: Link, built: bool) -> str | None: ...


@dataclass(frozen=True)
class Sheet:
    """A page with what its blocks look like and where its links lead."""

    page: Page
    words: Words
    card: Callable[[Block], str]
    address: Address
    terms: Terms = field(default_factory=Terms)
    old_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of headings, by the ids they have now


class Host(Protocol):
    """The Markdown program of the site, as far as we need it."""

    contents: str  # the text of a paragraph that becomes the table of contents
    signs: Mapping[str, str]  # such as == for `mark`, as far as they are read here

    def keep(self, html: str) -> str:
        """Puts HTML aside; the sign that is returned becomes this HTML in the end."""

    def fence(self, info: str, code: str) -> str | None:
        """A sign for highlighted code, for a diagram; nothing when nobody here knows how."""

    def code(self, text: str) -> Element | str | None:
        """Code in a sentence, highlighted."""

    def math(self, text: str, *, inline: bool) -> Element | None:
        """A formula in TeX."""

    def abbreviate(self, name: str, meaning: str) -> None:
        """From now on the name is explained wherever it stands on the page."""

    def lost(self, element: Element, written: str) -> None:
        """A link that leads nowhere keeps what the author wrote; we have complained already."""


def real(anchor: str) -> str:
    """A footnote by the name that it has here."""
    return f"fn:{anchor.removeprefix(NOTES)}" if anchor.startswith(NOTES) else anchor


ENTITY = re.compile(r"&(?=(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)", re.IGNORECASE)
LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


@dataclass
class Tree:
    sheet: Sheet
    host: Host
    root: Element = field(default_factory=lambda: Element("div"))
    open: list[Element] = field(default_factory=list)
    notes: dict[str, Element] = field(default_factory=dict)  # footnotes by their labels
    called: dict[str, int] = field(default_factory=dict)  # and how often the text refers to them, in this order
    later: list[Element] = field(default_factory=list)  # what has to wait until the page has begun
    tabs: int = 0  # sets of tabs so far
    bare: list[Element] = field(default_factory=list)  # open elements in which paragraphs are only words

    def __post_init__(self) -> None:
        self.open.append(self.root)

    @property
    def here(self) -> Element:
        return self.open[-1]

    def enter(self, tag: str, attributes: Mapping[str, str | int | float] | None = None) -> Element:
        element = add(self.open[-1], tag, attributes)
        self.open.append(element)
        return element

    def leave(self) -> None:
        self.open.pop()

    def html(self, text: str) -> None:
        """HTML as it is."""
        if text:
            self.sign(self.host.keep(text))

    def sign(self, sign: str) -> None:
        """A sign of something put aside, which nobody shall look into."""
        before = "\n" if len(self.here) else ""
        say(self.here, AtomicString(f"{before}{sign}\n"))


def add(parent: Element, tag: str, attributes: Mapping[str, str | int | float] | None = None) -> Element:
    if not attributes:
        return SubElement(parent, tag)
    return SubElement(parent, tag, {name: attribute(str(value)) for name, value in attributes.items()})


def say(element: Element, text: str) -> None:
    """Text behind everything that the element holds so far."""
    if len(element):
        element[-1].tail = joined(element[-1].tail, text)
    else:
        element.text = joined(element.text, text)


def joined(before: str | None, text: str) -> str:
    """Signs stay what nobody looks into; beside words they do so without the line breaks around them."""
    if not before:
        return text
    if isinstance(before, AtomicString) == isinstance(text, AtomicString):
        return type(text)(before + text)
    return before.strip("\n") + text if isinstance(before, AtomicString) else before + text.strip("\n")


def attribute(value: str) -> str:
    """What looks like an entity is none: the parser has read those."""
    return ENTITY.sub("&amp;", value) if "&" in value else value


def plain(text: str) -> str:
    """Text that other extensions may still look into; letters that were melted into one can be searched for again."""
    text = text if text.isascii() else text.translate(LIGATURES)
    return ENTITY.sub("&amp;", text) if "&" in text else text


def literal(text: str, places: list[int]) -> str:
    """The same, with signs that nobody may take for markup."""
    pieces, at = [], 0
    for place in places:
        pieces += [plain(text[at:place]), "&amp;" if text[place] == "&" else f"{STX}{ord(text[place])}{ETX}"]
        at = place + 1
    return "".join([*pieces, plain(text[at:])])


def code(text: str) -> AtomicString:
    return AtomicString(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

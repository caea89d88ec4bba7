"""The document of a page: its blocks and inline content as a tree, which every format renders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ..book.page import Block
from ..book.page import Link as PageLink
from ..book.resolver import DeadLink, LinkTarget

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
Target = LinkTarget | DeadLink | None  # None outside of the book
Resolve = Callable[[PageLink], Target]
Attributes = Mapping[str, str | int | float]


class Address(NamedTuple):
    """What a link or picture leads to: as the author wrote it, and the page or file."""

    link: PageLink
    target: Target


@dataclass(frozen=True, slots=True)
class Text:
    """Text; the characters at `literal` were escaped, so they are never markup."""

    content: str
    literal: tuple[int, ...] = ()

    def cut(self, start: int, end: int | None = None) -> Text:
        end = len(self.content) if end is None else end
        return Text(self.content[start:end], tuple(at - start for at in self.literal if start <= at < end))

    @property
    def unescaped(self) -> str:
        """The text with another character in place of those that are never markup."""
        characters = list(self.content) if self.literal else self.content
        for at in self.literal:
            characters[at] = "\0"  # type: ignore[index]
        return "".join(characters)


@dataclass(frozen=True, slots=True)
class InlineCode:
    content: str
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Formula:
    """A TeX formula with its delimiters."""

    content: str
    is_block: bool


@dataclass(frozen=True, slots=True)
class HtmlAddress:
    """The value of an attribute in HTML of the author that leads somewhere, in its quotes."""

    quoted: str
    address: Address


@dataclass(frozen=True, slots=True)
class Html:
    """HTML of the author without comments."""

    parts: tuple[str | HtmlAddress, ...]
    is_block: bool

    @property
    def content(self) -> str:
        return "".join(part if isinstance(part, str) else part.quoted for part in self.parts)


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A reference to a footnote, which is the n-th one to it."""

    label: str
    number: int
    times: int


@dataclass(frozen=True, slots=True)
class Image:
    alt: str
    written: str
    address: Address
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code, fenced or indented; `info` says its language and how to show it."""

    content: str
    info: str = ""
    is_fence: bool = True


@dataclass(frozen=True, slots=True)
class Card:
    block: Block


@dataclass(frozen=True, slots=True)
class Contents:
    """The place of the table of contents."""


@dataclass(frozen=True, slots=True)
class Link:
    children: Nodes
    written: str
    address: Address
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class RuleLink:
    """A link to a rule: `roll:`, `chance:` or `value:`, and what follows."""

    children: Nodes
    target: str
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Element:
    """What an element of HTML describes best: emphasis, line breaks, lists, quotes, tables and their parts."""

    tag: str
    children: Nodes = ()
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HtmlElement:
    """An element of HTML with Markdown in it."""

    tag: str
    children: Nodes
    attributes: Attributes
    address: Address | None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; a bare one is only the content of the item or element around it."""

    children: Nodes
    attributes: Attributes = field(default_factory=dict)
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    children: Nodes
    id: str
    attributes: Attributes


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list; `is_done` is set in lists of tasks."""

    children: Nodes
    attributes: Attributes
    is_done: bool | None


@dataclass(frozen=True, slots=True)
class Box:
    """An admonition, an alert or a folding box; `kind` is one of Material's types if there is one like it."""

    children: Nodes
    title: Nodes
    kind: str
    classes: str
    folds: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Tab:
    children: Nodes
    title: Nodes
    is_selected: bool


@dataclass(frozen=True, slots=True)
class Tabs:
    tabs: tuple[Tab, ...]


Node = (
    Text | InlineCode | Formula | Html | NoteReference | Image | Code | Card | Contents | Link | RuleLink
    | Element | HtmlElement | Paragraph | Heading | Item | Box | Tab | Tabs
)  # fmt: skip
Nodes = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A page as a tree."""

    children: Nodes
    notes: Mapping[str, Nodes]  # by their labels, in the order of the first references
    references: Mapping[str, int]  # the number of references to each footnote
    abbreviations: tuple[tuple[str, str], ...]  # with their meanings; one in quotes takes the meaning away


def text_of(nodes: Iterable[Node]) -> str:
    """The text of nodes, without markup."""
    return "".join(map(_node_text, nodes))


def _node_text(node: Node) -> str:
    if isinstance(node, Text | InlineCode | Formula | Code | Html):
        return node.content
    return node.alt if isinstance(node, Image) else text_of(getattr(node, "children", ()))

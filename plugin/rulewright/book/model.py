"""What a page is, once it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from markdown_it.token import Token

from ..text import Problem, Source, Span
from .paper import Text

KINDS = ("example", "roller", "odds", "claim", "rule", "table", "sheet", "order", "game")

Trail = tuple[str, ...]  # the texts of the headings above something, the highest first


class Heading(NamedTuple):
    level: int
    text: str
    id: str
    span: Span
    line: int
    trail: Trail
    explicit: bool  # the author wrote the id


class Link(NamedTuple):
    """A link or an image; `target` is what the author wrote, and `span` is where."""

    text: str
    target: str
    span: Span
    kind: str  # inline, reference, image, autolink, wiki, html
    trail: Trail


class Anchor(NamedTuple):
    """A place with an id that is no heading."""

    id: str
    span: Span


class Term(NamedTuple):
    """What a definition list explains; of two that are alike the second has no id."""

    text: str
    span: Span
    trail: Trail
    id: str


class Entry(NamedTuple):
    """`key: value`; in `side NAME: phrase` the key is `side`, and `lines` are what stands under `verdict:`.

    A book has thousands of these, so the spans are made when somebody asks.
    """

    key: str
    value: str
    source: Source
    key_at: int
    key_end: int
    value_at: int
    value_end: int
    name: str = ""
    name_at: int = 0
    lines: tuple[Span, ...] = ()

    @property
    def key_span(self) -> Span:
        return Span(self.source, self.key_at, self.key_end)

    @property
    def value_span(self) -> Span:
        return Span(self.source, self.value_at, self.value_end)

    @property
    def name_span(self) -> Span:
        return Span(self.source, self.name_at, self.name_at + len(self.name))


class Part(NamedTuple):
    """The entries up to the next `instead:` or `then:`; the first part of a block has no name."""

    name: str
    span: Span
    entries: tuple[Entry, ...]
    named: Mapping[str, Entry]  # the first entry of each key

    def get(self, key: str) -> Entry | None:
        return self.named.get(key)


class Block(NamedTuple):
    kind: str
    id: str
    text: Text  # what stands inside
    span: Span  # from the opening fence to the closing one
    word: Span  # the word that makes it a block
    parts: tuple[Part, ...]
    statements: tuple[Span, ...]  # of a claim
    shown: bool  # not inside a comment
    trail: Trail
    containers: tuple[str, ...]  # what it stands in, the outermost first: quote, list, tab …
    line: int
    problems: tuple[Problem, ...] = ()  # lines that cannot be read, keys that are written twice

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.parts[0].entries

    def get(self, key: str) -> Entry | None:
        return self.parts[0].get(key)

    @property
    def title(self) -> str:
        entry = self.get("title")
        return entry.value if entry else ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, parsed once.

    Tokens know what was found in them: `meta["block"]` of a fence, `meta["blocks"]` of HTML with blocks in comments,
    `meta["link"]`, `meta["contents"]` where the table of contents goes; a heading has its id. Footnotes stay where
    they were written.
    """

    source: Source
    tokens: tuple[Token, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    anchors: tuple[Anchor, ...]
    blocks: tuple[Block, ...]
    terms: tuple[Term, ...]
    comments: tuple[Span, ...]
    contents: tuple[Span, ...]  # where the table of contents is asked for
    meta: Mapping[str, Span]
    title: str
    problems: tuple[Problem, ...]
    has_game: bool = True  # does the book have one? Without, few fences are blocks

"""Writes Typst syntax (strings, calls, labels), and nests the tokens of a page into a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import NamedTuple
from unicodedata import category

from markdown_it.token import Token

from ...book.page import Block, Link, Page
from ...source import Problem, Span
from ..strings import Words

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})
STROKE = "\u1680"  # the only space with a glyph
LINES = "\x85\u2028\u2029"  # line separators, which no soft hyphen may follow


def quoted(text: str) -> str:
    """A Typst string literal."""
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    if not clean.isprintable():
        clean = "".join(sign if sign.isprintable() or sign in "\u00ad\u200b" else unprintable(sign) for sign in clean)
    return f'"{clean}"'


def unprintable(sign: str) -> str:
    """Escapes or drops a character that is not printable.

    Spaces stay spaces; unassigned and private characters stay, since a font of the book may have a glyph for them.
    """
    if category(sign) in ("Co", "Cn"):
        return sign
    known = ord(sign) > 31 and sign not in STROKE + LINES
    return "" if not sign.isspace() else f"\\u{{{ord(sign):x}}}" if known else " "


def text(words: str) -> str:
    """Text as a Typst string expression, with ligatures resolved."""
    plain = words if words.isascii() else words.translate(LIGATURES)
    return f"#{quoted(plain)};" if words else ""


def call(name: str, *arguments: str, body: str | None = None, **named: str) -> str:
    """The Typst call `#name(arguments, key: value)[body];`. The semicolon separates it from any text after it."""
    given = ", ".join([*arguments, *(f"{key.replace('_', '-')}: {value}" for key, value in named.items())])
    inside = "" if body is None else f"[{body}]"
    return f"#{name}({given}){inside};" if given or body is None else f"#{name}{inside};"


def flag(value: object) -> str:
    """A Typst Boolean."""
    return "true" if value else "false"


def content(body: str) -> str:
    """A Typst content block."""
    return f"[{body}]"


def many(items: Iterable[str]) -> str:
    """A Typst array, with a trailing comma that a single item requires."""
    return "(" + "".join(f"{item}, " for item in items) + ")"


def label(name: str) -> str:
    """A Typst label for the element before it."""
    return f"#label({quoted(name)})"


@dataclass(frozen=True)
class Goal:
    """The target of a link: a label in this PDF or an address on the web."""

    label: str = ""
    address: str = ""
    near: bool = False  # on the same page of the book


@dataclass
class Print:
    """State and callbacks for rendering one page as Typst."""

    page: Page
    words: Words
    goal: Callable[[Link], Goal | None]
    card: Callable[[Block], str]
    picture: Callable[[str], File | None]  # the file of an image; None if it cannot be embedded
    name: str  # prefix of the labels of this page
    line: int = 78  # characters that fit on a line
    depth: int = 0  # levels that are added to its headings
    level: int = 0  # the level of the last heading
    notes: dict[str, str] = field(default_factory=dict)  # footnotes by their labels
    called: set[str] = field(default_factory=set)  # labels of footnotes that the text already contains
    placed: set[str] = field(default_factory=set)  # labels that already exist
    problems: list[Problem] = field(default_factory=list)
    in_heading: bool = False

    def label_of(self, anchor: str) -> str:
        return f"{self.name}#{anchor}"

    def warn(self, code: str, message: str, line: int, *notes: str) -> None:
        """Reports a warning for a whole line of the page."""
        start = self.page.source.starts[min(line, len(self.page.source.starts)) - 1]
        length = len(self.page.source.line(line))
        self.problems.append(Problem(code, message, Span(self.page.source, start, start + length), "warning", notes))


class Node(NamedTuple):
    """A token with the tokens between it and its closing token."""

    kind: str  # the type of the token, without `_open`
    token: Token
    inner: tuple[Node, ...] = ()

    def all(self, kind: str) -> Iterator[Node]:
        """The children of one kind."""
        return (node for node in self.inner if node.kind == kind)


def nest(tokens: Iterable[Token]) -> tuple[Node, ...]:
    """Turns the flat tokens of markdown-it into a tree."""
    open_: list[tuple[Token, list[Node]]] = []
    here: list[Node] = []
    for token in tokens:
        if token.nesting > 0:
            open_.append((token, here))
            here = []
        elif token.nesting < 0:
            opening, outside = open_.pop()
            outside.append(Node(opening.type.removesuffix("_open"), opening, tuple(here)))
            here = outside
        else:
            here.append(Node(token.type, token, nest(token.children or ())))
    return tuple(here)


def words(nodes: Sequence[Node]) -> str:
    """The text content of nodes, without markup."""
    return "".join(node.token.content if not node.inner else words(node.inner) for node in nodes)

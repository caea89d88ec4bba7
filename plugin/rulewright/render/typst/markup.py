"""The tokens of a page as a tree: what opens and closes around others holds them."""

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
STROKE, LINES = "\u1680", "\x85\u2028\u2029"  # a blank that fonts draw; ends of lines, where no soft hyphen can follow


def quoted(text: str) -> str:
    """A string of Typst."""
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    if not clean.isprintable():
        clean = "".join(sign if sign.isprintable() or sign in "\u00ad\u200b" else unprintable(sign) for sign in clean)
    return f'"{clean}"'


def unprintable(sign: str) -> str:
    """Blanks of all kinds stay blanks; what no printer can show is left out, unless a font may have a sign for it."""
    if category(sign) in ("Co", "Cn"):
        return sign
    known = ord(sign) > 31 and sign not in STROKE + LINES
    return "" if not sign.isspace() else f"\\u{{{ord(sign):x}}}" if known else " "


def text(words: str) -> str:
    plain = words if words.isascii() else words.translate(LIGATURES)
    return f"#{quoted(plain)};" if words else ""


def call(name: str, *arguments: str, body: str | None = None, **named: str) -> str:
    """`#name(arguments, key: value)[body]`; a semicolon ends it, whatever comes behind."""
    given = ", ".join([*arguments, *(f"{key.replace('_', '-')}: {value}" for key, value in named.items())])
    inside = "" if body is None else f"[{body}]"
    return f"#{name}({given}){inside};" if given or body is None else f"#{name}{inside};"


def flag(value: object) -> str:
    return "true" if value else "false"


def content(body: str) -> str:
    return f"[{body}]"


def many(items: Iterable[str]) -> str:
    """The items of an array; one alone needs its comma."""
    return "(" + "".join(f"{item}, " for item in items) + ")"


def label(name: str) -> str:
    """A mark behind what stands before it."""
    return f"#label({quoted(name)})"


@dataclass(frozen=True)
class Goal:
    """Where a link leads: a place in this print, or an address elsewhere."""

    label: str = ""
    address: str = ""
    near: bool = False  # on the same page of the book


@dataclass
class Print:
    page: Page
    words: Words
    goal: Callable[[Link], Goal | None]
    card: Callable[[Block], str]
    picture: Callable[[str], File | None]  # the file of an image; nothing for one that cannot be had
    name: str  # begins the labels of this page
    line: int = 78  # so many letters fit on a line
    depth: int = 0  # so many levels its headings stand below those of the book
    level: int = 0  # the level of the heading above
    notes: dict[str, str] = field(default_factory=dict)  # footnotes by their labels
    called: set[str] = field(default_factory=set)  # those that stand in the text already
    placed: set[str] = field(default_factory=set)  # labels that are taken
    problems: list[Problem] = field(default_factory=list)
    in_heading: bool = False

    def label_of(self, anchor: str) -> str:
        return f"{self.name}#{anchor}"

    def warn(self, code: str, message: str, line: int, *notes: str) -> None:
        start = self.page.source.starts[min(line, len(self.page.source.starts)) - 1]
        length = len(self.page.source.line(line))
        self.problems.append(Problem(code, message, Span(self.page.source, start, start + length), "warning", notes))


class Node(NamedTuple):
    kind: str  # the type of the token, without `_open`
    token: Token
    inner: tuple[Node, ...] = ()

    def all(self, kind: str) -> Iterator[Node]:
        """Those of one kind among the nodes directly inside."""
        return (node for node in self.inner if node.kind == kind)


def nest(tokens: Iterable[Token]) -> tuple[Node, ...]:
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
    """The text of all of them, one after the other."""
    return "".join(node.token.content if not node.inner else words(node.inner) for node in nodes)

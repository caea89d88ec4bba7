"""Writes Typst syntax: strings, calls, labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path as File
from unicodedata import category

from ...book.page import Block, Page
from ...source import Problem, Span
from ..document import LIGATURES, Address
from ..strings import Words

_OGHAM_SPACE = "\u1680"  # the only space with a glyph
_LINE_SEPARATORS = "\x85\u2028\u2029"  # line separators, which no soft hyphen may follow


def string_literal(text: str) -> str:
    """A Typst string literal."""
    clean = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    if not clean.isprintable():
        clean = "".join(
            character if character.isprintable() or character in "\u00ad\u200b" else _escape_unprintable(character)
            for character in clean
        )
    return f'"{clean}"'


def _escape_unprintable(character: str) -> str:
    """Escapes or drops a character that is not printable.

    Spaces stay spaces; unassigned and private characters stay, since a font of the book may have a glyph for them.
    """
    if category(character) in ("Co", "Cn"):
        return character
    is_escapable = ord(character) > 31 and character not in _OGHAM_SPACE + _LINE_SEPARATORS
    return "" if not character.isspace() else f"\\u{{{ord(character):x}}}" if is_escapable else " "


def text(string: str) -> str:
    """Text as a Typst string expression, with ligatures resolved."""
    clean = string if string.isascii() else string.translate(LIGATURES)
    return f"#{string_literal(clean)};" if string else ""


def call(name: str, *arguments: str, body: str | None = None, **named: str) -> str:
    """The Typst call `#name(arguments, key: value)[body];`. The semicolon separates it from any text after it."""
    argument_list = ", ".join([*arguments, *(f"{key.replace('_', '-')}: {value}" for key, value in named.items())])
    body_block = "" if body is None else f"[{body}]"
    return f"#{name}({argument_list}){body_block};" if argument_list or body is None else f"#{name}{body_block};"


def flag(value: object) -> str:
    """A Typst Boolean."""
    return "true" if value else "false"


def content(body: str) -> str:
    """A Typst content block."""
    return f"[{body}]"


def array(items: Iterable[str]) -> str:
    """A Typst array, with a trailing comma that a single item requires."""
    return "(" + "".join(f"{item}, " for item in items) + ")"


def label(name: str) -> str:
    """A Typst label for the element before it."""
    return f"#label({string_literal(name)})"


@dataclass(frozen=True)
class PdfLink:
    """The target of a link: a label in this PDF or an address on the web."""

    label: str = ""
    address: str = ""
    is_same_page: bool = False  # on the same page of the book


@dataclass
class PageState:
    """State and callbacks for rendering one page as Typst."""

    page: Page
    words: Words
    locate: Callable[[Address], PdfLink | None]
    render_card: Callable[[Block], str]
    find_picture: Callable[[str], File | None]  # the file of an image; None if it cannot be embedded
    label_prefix: str  # prefix of the labels of this page
    line_length: int = 78  # characters that fit on a line
    heading_offset: int = 0  # levels that are added to its headings
    heading_level: int = 0  # the level of the last heading
    footnotes: dict[str, str] = field(default_factory=dict)  # footnotes by their labels
    placed_footnotes: set[str] = field(default_factory=set)  # labels of footnotes that the text already contains
    placed_labels: set[str] = field(default_factory=set)  # labels that already exist
    problems: list[Problem] = field(default_factory=list)
    in_heading: bool = False

    def make_label(self, anchor: str) -> str:
        return f"{self.label_prefix}#{anchor}"

    def warn(self, code: str, message: str, line: int, *notes: str) -> None:
        """Reports a warning for a whole line of the page."""
        start = self.page.source.line_starts[min(line, len(self.page.source.line_starts)) - 1]
        length = len(self.page.source.line(line))
        self.problems.append(Problem(code, message, Span(self.page.source, start, start + length), "warning", notes))

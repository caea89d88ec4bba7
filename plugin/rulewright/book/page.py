"""Data model of a parsed page: lines, headings, links, blocks and their entries."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ..source import BOM, LINE_BREAK, Problem, Source, Span

if TYPE_CHECKING:  # rolling dice does not wait for the Markdown parser
    from markdown_it.token import Token

LARGEST_PAGE = 4_000_000  # bytes


class MappedText(NamedTuple):
    """Text cut out of a page line by line, without the marks of containers, and its position."""

    source: Source
    content: str
    starts: tuple[int, ...]  # where each line begins in the content
    offsets: tuple[int, ...]  # and its offset in the page

    def at(self, offset: int) -> int:
        """The offset in the page of a character of the content."""
        line = bisect_right(self.starts, offset) - 1
        return max(self.offsets[line] + offset - self.starts[line], 0)

    def span(self, start: int, end: int) -> Span:
        first = self.at(start)
        return Span(self.source, first, max(self.at(end - 1) + 1, first) if end > start else first)

    def part(self, start: int, end: int) -> MappedText:
        first, last = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end) - 1
        starts = (0, *(begin - start for begin in self.starts[first + 1 : last + 1]))
        offsets = (self.offsets[first] + start - self.starts[first], *self.offsets[first + 1 : last + 1])
        return MappedText(self.source, self.content[start:end], starts, offsets)


@dataclass(frozen=True)
class LineMap:
    """The lines of a page with LF as their end, as the Markdown parser gets them, and their offsets."""

    source: Source
    lines: list[str]
    front_matter_lines: int = 0  # number of lines of front matter
    translated: Sequence[str] = ()  # the lines as the parser gets them, if they differ

    @cached_property
    def text(self) -> str:
        return "\n" * self.front_matter_lines + "\n".join((self.translated or self.lines)[self.front_matter_lines :])

    @cached_property
    def starts(self) -> list[int]:
        """Offsets of the lines in the source, and of one after the last; a byte order mark belongs to no line."""
        if "\r" in self.source.text:
            return [*self.source.line_starts, len(self.source.text) + 1]
        mark = self.source.text.startswith(BOM)
        return list(accumulate((len(line) + 1 for line in self.lines), initial=int(mark)))

    def span(self, line: int, start: int, end: int) -> Span:
        """Span of a part of one line; lines count from 0."""
        return Span(self.source, self.starts[line] + start, self.starts[line] + end)

    def line_span(self, line: int) -> Span:
        """Span of a line without the spaces around it."""
        text = self.lines[line]
        start = len(text) - len(text.lstrip())
        return self.span(line, start, max(len(text.rstrip()), start))

    def range_span(self, first: int, end: int) -> Span:
        """Span from the first visible character of one line to the last of another."""
        line = self.lines[first]
        start = self.starts[first] + len(line) - len(line.lstrip())
        return Span(self.source, start, max(self.starts[end - 1] + len(self.lines[end - 1].rstrip()), start))

    def locate(self, first: int, content: str) -> MappedText:
        """Locate content of which each line is the tail of a line of the page, from line `first` on."""
        if self.is_verbatim(first, content):
            offsets = self.starts[first : first + content.count("\n") + 1]
            return MappedText(self.source, content, tuple([offset - offsets[0] for offset in offsets]), tuple(offsets))
        starts, offsets, at, number = [], [], 0, first
        for piece in content.split("\n"):
            starts.append(at)
            offsets.append(self.tail_offset(number, piece))
            at += len(piece) + 1
            number += 1
        return MappedText(self.source, content, tuple(starts), tuple(offsets))

    def is_verbatim(self, first: int, content: str) -> bool:
        """True if the page contains the content unchanged, as whole lines that end in LF."""
        return "\n" in content and self.source.text.startswith(content, self.starts[first])

    def tail_offset(self, number: int, piece: str) -> int:
        """Offset of a piece that ends its line; trailing spaces may be missing, leading tabs may be expanded."""
        if number >= len(self.lines):
            return len(self.source.text)
        line = self.lines[number]
        if line.endswith(piece):
            return self.starts[number] + len(line) - len(piece)
        column = line.rfind(piece)
        if column >= 0:
            return self.starts[number] + column
        stripped = piece.lstrip(" ")
        return self.starts[number] + max(line.rfind(stripped), 0) - (len(piece) - len(stripped))


def map_lines(source: Source) -> LineMap:
    """Split a source into lines."""
    text = source.text.removeprefix(BOM).replace("\0", "\ufffd")
    return LineMap(source, (LINE_BREAK.sub("\n", text) if "\r" in text else text).split("\n"))


BLOCK_KINDS = ("example", "roller", "odds", "claim", "rule", "table", "sheet", "order", "game")
HIDDEN_KINDS = ("claim",)  # for their authors: readers see them only if `show` says so

Trail = tuple[str, ...]  # texts of the headings above something, outermost first


class Heading(NamedTuple):
    level: int
    text: str
    id: str
    span: Span
    line: int
    trail: Trail
    explicit: bool  # the author wrote the id


class Link(NamedTuple):
    """A link or an image; `target` is what the author wrote, `span` is its location."""

    text: str
    target: str
    span: Span
    kind: str  # inline, reference, image, autolink, wiki, html
    trail: Trail


class Anchor(NamedTuple):
    """An id that belongs to no heading."""

    id: str
    span: Span


class Ignore(NamedTuple):
    """A comment `<!-- rulewright: ignore CODE -->`."""

    span: Span
    codes: tuple[Span, ...]
    scope: Span | None = None  # the block element after the comment; None if there is none


class Term(NamedTuple):
    """A term of a definition list; of two equal terms the second has no id."""

    text: str
    span: Span
    trail: Trail
    id: str


class Definition(NamedTuple):
    """A term of a definition list with the plain text of its definition."""

    name: str
    text: str
    id: str
    span: Span  # of the term


class Entry(NamedTuple):
    """`key: value`; for `side NAME: phrase` the key is `side`; `lines` are the lines under `verdict:`.

    A book has thousands of entries, so their spans are built on demand.
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
    by_key: Mapping[str, Entry]  # the first entry of each key

    @property
    def is_what_if(self) -> bool:
        """Whether it begins with `instead:`, and so asks what other dice or values would have led to."""
        return self.name == "instead"

    def get(self, key: str) -> Entry | None:
        return self.by_key.get(key)


class Block(NamedTuple):
    """A block of ours, parsed."""

    kind: str
    id: str
    text: MappedText  # the content
    span: Span  # from the opening fence to the closing one
    word: Span  # the word of its kind
    parts: tuple[Part, ...]
    statements: tuple[Span, ...]  # of a claim
    shown: bool  # not inside a comment, and not hidden by `show`
    trail: Trail
    containers: tuple[str, ...]  # containers around it, outermost first: quote, list, tab …
    line: int
    problems: tuple[Problem, ...] = ()  # syntax errors and repeated keys

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.parts[0].entries

    def get(self, key: str) -> Entry | None:
        return self.parts[0].get(key)

    @property
    def title(self) -> str:
        entry = self.get("title")
        return entry.value if entry else ""

    @property
    def form(self) -> str:
        """What readers see: `card`, `line` or `no`."""
        entry = self.get("show")
        return entry.value.lower() if entry else "no" if self.kind in HIDDEN_KINDS else "card"


class Snippets(NamedTuple):
    """What a page gets from files that it includes by `--8<--`."""

    references: Mapping[str, Mapping[str, Any]] = {}  # definitions of links by label, as the Markdown parser has them
    has_only_links: bool = False  # does it include something, and nothing but definitions of links?


NO_SNIPPETS = Snippets()


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page.

    The `meta` of a token has what was parsed from it: `block` of a fence, `blocks` of HTML with blocks in comments,
    `link`, `contents` where the table of contents goes; a heading has its id. Footnotes stay where they are written.
    """

    source: Source
    tokens: tuple[Token, ...]
    headings: tuple[Heading, ...]
    links: tuple[Link, ...]
    anchors: tuple[Anchor, ...]
    blocks: tuple[Block, ...]
    terms: tuple[Term, ...]
    comments: tuple[Span, ...]
    contents: tuple[Span, ...]  # where the table of contents goes
    meta: Mapping[str, Span]
    title: str
    problems: tuple[Problem, ...]
    has_game: bool = True  # does the book have a game? Without one, few fences are blocks
    extra_kinds: frozenset[str] = frozenset()  # block kinds that other packages add
    definitions: tuple[Definition, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    multimarkdown: bool = False  # can the front matter be lines `name: value` without `---`, as in MkDocs?
    snippets: Snippets = NO_SNIPPETS

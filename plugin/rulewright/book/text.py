"""Passages: the plain text of paragraphs, quotes and boxes, with a map back to the page."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import unescape
from typing import NamedTuple

from markdown_it.token import Token

from ..source import Span
from .inlines import plain_text
from .page import Block, LineMap, MappedText, Page, Trail, map_lines

_BOXES = {"blockquote_open": "quote", "alert_open": "callout", "admonition_open": "box", "details_open": "fold"}
CONTAINER_TOKENS = {*_BOXES, "list_item_open", "dd_open", "tab_open"}
_OPENINGS = {"paragraph_open", "admonition_title_open", "summary_open"}
_CELLS = ("th_open", "td_open")
_HEADING, _TEXT, _CONTAINER, _CLOSING, _TABLE, _ROW, _CELL = range(7)
_ROLES = {
    "heading_open": _HEADING,
    **dict.fromkeys(_OPENINGS, _TEXT),
    **dict.fromkeys(CONTAINER_TOKENS, _CONTAINER),
    **{name.replace("_open", "_close"): _CLOSING for name in CONTAINER_TOKENS},
    "table_open": _TABLE,
    "tr_open": _ROW,
    **dict.fromkeys(_CELLS, _CELL),
}


class Opening(NamedTuple):
    """A paragraph, title, quote or box: its first token, the headings above it, and its container."""

    number: int
    trail: Trail
    container_token: int  # the token that opens the box, list item or tab around it, or -1


class Grid(NamedTuple):
    """A table: its first token, the headings above it, and the tokens that open its cells, row by row."""

    number: int
    trail: Trail
    rows: list[list[int]]


class Layout(NamedTuple):
    """Texts, boxes and tables in reading order; a paragraph in a box is listed in addition to its box."""

    texts: list[Opening]
    boxes: list[Opening]
    tables: list[Grid]
    headings: list[int]


def read_layout(page: Page) -> Layout:
    """Find the paragraphs, boxes, tables and headings among the tokens of a page."""
    result = Layout([], [], [], [])
    headings, trail, open_containers = iter(page.headings), Trail(), [-1]
    for number, token in enumerate(page.tokens):
        role = _ROLES.get(token.type)
        if role is None:
            continue
        if role == _CELL:
            result.tables[-1].rows[-1].append(number)
        elif role == _TEXT:
            result.texts.append(Opening(number, trail, open_containers[-1]))
        elif role == _ROW:
            result.tables[-1].rows.append([])
        elif role == _HEADING:
            heading = next(headings, None)
            result.headings.append(number)
            trail = (*heading.trail, heading.text) if heading else trail
        elif role == _TABLE:
            result.tables.append(Grid(number, trail, []))
        elif role == _CLOSING:
            open_containers.pop()
        else:
            if token.type in _BOXES:
                result.boxes.append(Opening(number, trail, open_containers[-1]))
            open_containers.append(number)
    return result


_TOKEN_TEXT = {"softbreak": " ", "hardbreak": "\n", "html_inline": "", "image": ""}  # all others contain their text
_EMPHASIS = {"em_open": 1, "em_close": -1, "strong_open": 1, "strong_close": -1}
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MAX_MARKUP_LENGTH = 2_000  # characters of markup between two pieces of text, at most


class Piece(NamedTuple):
    """A run of plain text and its range in the page: character by character, or one character for several."""

    start: int
    end: int
    source_start: int
    source_end: int
    emphasis: bool


@dataclass(eq=False)
class Passage:
    """A paragraph, or a whole quote or box with line feeds between its paragraphs."""

    text: str
    build_pieces: Callable[[], tuple[Piece, ...]]  # builds the map to the page, which most passages never need
    trail: Trail
    container: str  # quote, callout, box, fold; empty for a paragraph
    kind: str  # type of the box: note, example …
    line: int
    page: Page
    first: int  # the tokens it is made of
    last: int
    container_token: int  # the token that opens the box, list item or tab around it, or -1

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return self.build_pieces()

    def piece(self, offset: int) -> Piece:
        """The piece that contains a character of the text."""
        if len(self.pieces) == 1:
            return self.pieces[0]
        return self.pieces[max(bisect_right(self.pieces, offset, key=lambda piece: piece.start) - 1, 0)]

    def span(self, start: int, end: int) -> Span:
        """The span in the page of a part of the text."""
        first, last = self.piece(start), self.piece(max(end - 1, start))
        begin = first.source_start + start - first.start if _is_verbatim(first) else first.source_start
        stop = last.source_start + min(end, last.end) - last.start if _is_verbatim(last) else last.source_end
        return Span(self.page.source, begin, max(stop, begin) if end > start else begin)

    def is_emphasized(self, start: int, end: int) -> bool:
        """True if a part of the text is bold or italic throughout."""
        return all(piece.emphasis for piece in self.pieces if piece.start < end and piece.end > start)

    def join(self, other: Passage) -> Passage:
        """Join two passages: the label of the first, the container of the second."""
        shift = len(self.text) + 1

        def build_pieces() -> tuple[Piece, ...]:
            return *self.pieces, *(p._replace(start=p.start + shift, end=p.end + shift) for p in other.pieces)

        return replace(
            other, text=f"{self.text}\n{other.text}", build_pieces=build_pieces, line=self.line, first=self.first
        )


def _is_verbatim(piece: Piece) -> bool:
    """True if the page has the text of a piece character by character."""
    return piece.end - piece.start == piece.source_end - piece.source_start


def read_passages(
    page: Page, whole: Callable[[int], bool] = lambda _: False, wanted: Callable[[int], bool] = lambda _: True
) -> Iterator[Passage]:
    """Running text in reading order: quotes and boxes that `whole` accepts, else paragraphs that `wanted` accepts.

    Both get the index of the first token.
    """
    line_map, page_layout, done = map_lines(page.source), read_layout(page), -1
    for opening in sorted([*page_layout.boxes, *page_layout.texts]):
        box = page.tokens[opening.number].type in _BOXES
        if opening.number > done and (whole if box else wanted)(opening.number):
            done = closing_index(page.tokens, opening.number) if box else opening.number + 2
            yield build_passage(page, line_map, opening, done)


def opening_text(page: Page, number: int) -> str:
    """The beginning of a paragraph, quote or box as text."""
    for token in page.tokens[number : closing_index(page.tokens, number)]:
        if token.type == "inline" and token.map:
            return "".join(child.content or " " * child.type.endswith("break") for child in (token.children or ())[:12])
    return ""


def closing_index(tokens: Sequence[Token], number: int) -> int:
    """The index of the token that closes an element."""
    level, close = tokens[number].level, tokens[number].type.replace("_open", "_close")
    ends = (at for at in range(number + 1, len(tokens)) if tokens[at].level == level and tokens[at].type == close)
    return next(ends, len(tokens) - 1)


def build_passage(page: Page, line_map: LineMap, opening: Opening, last: int) -> Passage:
    """Build a passage from its opening token to the last one."""
    first, token = opening.number, page.tokens[opening.number]
    line = (token.map or [0])[0] + 1
    inlines = [
        page.tokens[number] for number in range(first + 1, last + 1) if page.tokens[number - 1].type in _OPENINGS
    ]
    visible = [inline for inline in inlines if inline.type == "inline" and inline.map and _is_in_page(line_map, inline)]
    text = "\n".join([visible_text(inline) for inline in visible])
    container, kind = _BOXES.get(token.type, ""), token.info.lower()
    build_pieces = partial(_map_pieces, line_map, visible, line)
    return Passage(text, build_pieces, opening.trail, container, kind, line, page, first, last, opening.container_token)


def _is_in_page(line_map: LineMap, inline: Token) -> bool:
    """False for a title that is not in the page, because the box has it by default."""
    line = source_text(inline).partition("\n")[0]
    return line_map.source.text.startswith(line, line_map.tail_offset((inline.map or [0])[0], line))


def source_text(inline: Token) -> str:
    """The source text of an inline token, with an attribute list that was cut off."""
    return str(inline.meta.get("whole", inline.content))


def visible_text(inline: Token) -> str:
    """The plain text of a paragraph, title or cell."""
    children = inline.children or ()
    if len(children) == 1 and children[0].type == "text":
        return children[0].content
    return "".join([_TOKEN_TEXT.get(child.type, child.content) for child in children])


def _map_pieces(line_map: LineMap, inlines: Sequence[Token], line: int) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    begin = 0
    for inline in inlines:
        trace_inline(inline, line_map.locate((inline.map or [0])[0], source_text(inline)), begin, pieces)
        begin += len(visible_text(inline)) + 1
    return tuple(pieces) or (_empty_piece(line_map, line),)


def _empty_piece(line_map: LineMap, line: int) -> Piece:
    at = line_map.starts[min(line, len(line_map.starts)) - 1]
    return Piece(0, 0, at, at, False)


def trace_inline(inline: Token, mapped: MappedText, begin: int, pieces: list[Piece]) -> None:
    """Append the pieces of an inline token with their positions."""
    raw, cursor, depth = inline.content, 0, 0
    ends: list[int] = []
    for child in inline.children or ():
        depth += _EMPHASIS.get(child.type, 0)
        if child.type == "link_open":
            ends.append(child.meta.get("at", (0, 0))[1])
        elif child.type == "link_close" and ends:
            cursor = max(cursor, ends.pop())
        elif child.type in ("html_inline", "image"):
            cursor = max(cursor, child.meta.get("at", (0, 0))[1])
        elif child.type in ("softbreak", "hardbreak"):
            at = raw.find("\n", cursor)
            at = cursor if at < 0 else at
            offset = mapped.at(min(at, max(len(raw) - 1, 0)))
            pieces.append(Piece(begin, begin + 1, offset, offset + 1, depth > 0))
            begin, cursor = begin + 1, at + 1
        elif child.content:
            runs, cursor = _locate_text(raw, cursor, child.content)
            for start, end, at, until in runs:
                _add_piece(pieces, mapped, begin + start, end - start, at, until, depth > 0)
            begin += len(child.content)


def _add_piece(
    pieces: list[Piece], mapped: MappedText, start: int, length: int, at: int, until: int, emphasis: bool
) -> None:
    span = mapped.span(at, until)
    pieces.append(Piece(start, start + length, span.start, span.end, emphasis))


def _locate_text(raw: str, cursor: int, content: str) -> tuple[list[tuple[int, int, int, int]], int]:
    """Locate text in its source: runs (start, end, source start, source end), and the offset after it."""
    for at in range(cursor, min(cursor + _MAX_MARKUP_LENGTH, len(raw)) + 1):
        if raw.startswith(content, at):
            return [(0, len(content), at, at + len(content))], at + len(content)
        if raw.startswith((content[0], "\\", "&"), at):
            runs = _locate_escaped(raw, at, content)
            if runs:
                return runs, runs[-1][3]
    return [(0, len(content), cursor, cursor)], cursor


def _locate_escaped(raw: str, at: int, content: str) -> list[tuple[int, int, int, int]]:
    """Locate text whose source has backslashes or entities; empty if it differs."""
    runs: list[tuple[int, int, int, int]] = []
    start = done = 0
    while done < len(content):
        size, written = _match_character(raw, at, content, done)
        if not size:
            return []
        if size == written == 1 and runs and _is_verbatim(Piece(*runs[-1], False)):
            start, _, offset, _ = runs.pop()
            runs.append((start, done + 1, offset, at + 1))
        else:
            runs.append((done, done + size, at, at + written))
        done, at = done + size, at + written
    return runs


def _match_character(raw: str, at: int, content: str, done: int) -> tuple[int, int]:
    """How many characters of the text and of its source the next character takes; zeros where they differ."""
    if raw.startswith("\\", at) and raw[at + 1 : at + 2] == content[done] and not content[done].isalnum():
        return 1, 2
    entity = _ENTITY.match(raw, at) if raw.startswith("&", at) else None
    if entity and content.startswith(unescape(entity[0]), done):
        return len(unescape(entity[0])), len(entity[0])
    return (1, 1) if raw[at : at + 1] == content[done] else (0, 0)


def blocks_inside(page: Page, first: int, last: int) -> list[Block]:
    return [block for token in page.tokens[first : last + 1] for block in _blocks_of(token)]


def _blocks_of(token: Token) -> tuple[Block, ...]:
    block = token.meta.get("block")
    return (block,) if block else tuple(token.meta.get("blocks", ()))


def blocks_before(page: Page, number: int) -> list[Block]:
    """The blocks directly before a token, in reading order."""
    blocks: list[Block] = []
    while number > 0 and (adjacent := _blocks_of(page.tokens[number - 1])):
        blocks[:0] = adjacent
        number -= 1
    return blocks


def blocks_after(page: Page, number: int) -> list[Block]:
    """The blocks directly after a token, in reading order."""
    blocks: list[Block] = []
    while number + 1 < len(page.tokens) and (adjacent := _blocks_of(page.tokens[number + 1])):
        blocks += adjacent
        number += 1
    return blocks


class Paragraph(NamedTuple):
    """The text of a paragraph, or of the title of a box."""

    text: str  # as in a passage
    plain: str  # with the descriptions of images, without spaces around it
    opening: Opening
    token: Token


def paragraphs(page: Page, openings: Sequence[Opening]) -> Iterator[Paragraph]:
    for opening in openings:
        inline = page.tokens[opening.number + 1]
        yield Paragraph(visible_text(inline), plain_text(inline.children or ()), opening, page.tokens[opening.number])

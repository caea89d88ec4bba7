"""Inserts drafted blocks into a page, and shows the result as a diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ..book.page import Page
from ..book.text import Passage
from ..source import LINE_BREAK, Source
from .propose import Proposal

_CONTEXT = 3


class Insertion(NamedTuple):
    """Whole lines to insert before a character of the page."""

    at: int
    text: str


class _Hunk(NamedTuple):
    """Lines of the page, from one up to another, with insertions between them."""

    start: int
    end: int
    added: Sequence[tuple[int, list[str]]]  # line number, and the lines before it


def apply_insertions(source: Source, insertions: Sequence[Insertion]) -> Source:
    parts, done = list[str](), 0
    for one in insertions:
        parts += [source.text[done : one.at], one.text]
        done = one.at
    return Source(source.path, "".join([*parts, source.text[done:]]))


def diff_lines(source: Source, insertions: Sequence[Insertion]) -> Iterator[str]:
    """The diff as lines; insertions must be in reading order."""
    lines = LINE_BREAK.split(source.text)
    if lines and not lines[-1]:
        lines.pop()
    yield f"--- {source.path}"
    yield f"+++ {source.path}"
    shift = 0
    for hunk in _build_hunks(source, insertions, len(lines)):
        number = sum(len(added) for _, added in hunk.added)
        length = hunk.end - hunk.start
        yield f"@@ -{_hunk_range(hunk.start, length)} +{_hunk_range(hunk.start + shift, length + number)} @@"
        yield from _hunk_lines(hunk, lines)
        shift += number


def _build_hunks(source: Source, insertions: Sequence[Insertion], length: int) -> Iterator[_Hunk]:
    """Insertions with context lines; near ones share a hunk."""
    near: list[tuple[int, list[str]]] = []
    for one in insertions:
        place, added = _insertion_line(source, one, length), _inserted_lines(source, one)
        if near and place - near[-1][0] > 2 * _CONTEXT:
            yield _build_hunk(near, length)
            near = []
        near.append((place, added))
    if near:
        yield _build_hunk(near, length)


def _build_hunk(near: list[tuple[int, list[str]]], length: int) -> _Hunk:
    return _Hunk(max(near[0][0] - _CONTEXT, 0), min(near[-1][0] + _CONTEXT, length), near)


def _insertion_line(source: Source, one: Insertion, length: int) -> int:
    """Index of the line after the insertion."""
    return length if one.at >= len(source.text) else source.position(one.at)[0] - 1


def _inserted_lines(source: Source, one: Insertion) -> list[str]:
    """The inserted lines; after a last line without a line end, the insertion begins with one."""
    lines = LINE_BREAK.split(one.text)
    if one.at and source.text[one.at - 1] not in "\n\r":
        lines = lines[1:]
    return lines[:-1] if not lines[-1] else lines


def _hunk_range(start: int, length: int) -> str:
    return f"{start + 1}" if length == 1 else f"{start + (length > 0)},{length}"


def _hunk_lines(one: _Hunk, lines: Sequence[str]) -> Iterator[str]:
    at = one.start
    for place, added in one.added:
        yield from (f" {line}" for line in lines[at:place])
        yield from (f"+{line}" for line in added)
        at = place
    yield from (f" {line}" for line in lines[at : one.end])


_SIGNS = re.compile(r"[ \t]*(?:>[ \t]?)*")
_LONGEST_GAP = 200  # characters of a line of spaces
_MARKER = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")


def build_insertions(source: Source, proposals: Sequence[Proposal], hidden: bool) -> list[Insertion]:
    """A block after each passage, in reading order; nothing else in the page changes."""
    found = LINE_BREAK.search(source.text)
    end, text = found[0] if found else "\n", source.text
    items = _list_depths(proposals[0].passage.page) if proposals else []
    places = sorted(((_insertion_offset(one.passage), one) for one in proposals), key=lambda one: one[0])
    return [
        Insertion(at, _block_text(text, at, _container_prefix(one.passage, items), one, end, hidden))
        for at, one in places
    ]


def _block_text(text: str, at: int, prefix: str, proposal: Proposal, end: str, hidden: bool) -> str:
    """The lines of a block, with the empty lines that keep it apart from its neighbors."""
    bare = prefix.rstrip()
    comment = ("{/* example", "*/}") if proposal.passage.page.source.path.endswith(".mdx") else ("<!-- example", "-->")
    first, last = comment if hidden else ("```example", "```")
    lines = [bare, *((prefix + line).rstrip() for line in (first, *proposal.lines, last))]
    opened = "" if at == 0 or text[at - 1] in "\n\r" else end
    after = text[at : at + _LONGEST_GAP]
    follows = after and not LINE_BREAK.match(after.lstrip(" \t>"))
    return opened + end.join(lines) + end + (_separator_line(after, bare, end) if follows else "")


def _separator_line(after: str, bare: str, end: str) -> str:
    """An empty line between the block and the text after it; within a quote it has the mark of the quote."""
    return (bare if bare.endswith(">") and after.lstrip(" \t").startswith(">") else "") + end


def _last_line(passage: Passage) -> int:
    """Number of the line after the passage, counted from 0."""
    tokens = passage.page.tokens[passage.first : passage.last + 1]
    return max(
        (token.map[1] for token in tokens if token.map and token.type != "blockquote_open"), default=passage.line
    )


def _insertion_offset(passage: Passage) -> int:
    source, line = passage.page.source, _last_line(passage)
    while line > passage.line and not source.line(line).strip(" \t>"):
        line -= 1
    return source.line_starts[line] if line < len(source.line_starts) else len(source.text)


def _container_prefix(passage: Passage, items: Sequence[int]) -> str:
    """What precedes each line in this container: marks of quotes, indentation of lists and boxes."""
    tokens = passage.page.tokens
    opening = max(
        (
            number
            for number in range(passage.first, passage.last + 1)
            if tokens[number].type == "paragraph_open" and tokens[number].map
        ),
        key=lambda number: (tokens[number].map or [0])[0],
        default=passage.first,
    )
    line = passage.page.source.line((tokens[opening].map or [passage.line - 1])[0] + 1)
    return _line_prefix(line, items[opening])


def _list_depths(page: Page) -> list[int]:
    """Number of open list items at each token."""
    steps = {"list_item_open": 1, "list_item_close": -1}
    return list(accumulate(steps.get(token.type, 0) for token in page.tokens))


def _line_prefix(line: str, items: int) -> str:
    """The container marks at the beginning of a line, with list markers replaced by spaces."""
    prefix, at = "", 0
    for _ in range(items + 1):
        found = _SIGNS.match(line, at)
        assert found
        prefix, at = prefix + found[0], found.end()
        marker = _MARKER.match(line, at) if items else None
        if not marker:
            break
        prefix, at = prefix + " " * len(marker[0]), marker.end()
    return _pad_quote_mark(prefix)


def _pad_quote_mark(prefix: str) -> str:
    return prefix + " " if prefix.endswith(">") else prefix

"""Where a block goes in a page: right behind its passage, inside the same quote, list item or box."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..book.prose import Passage
from ..text import LINE_END, Source
from .model import Proposal

SIGNS = re.compile(r"[ \t]*(?:>[ \t]?)*")
LONGEST_GAP = 200  # characters of a line that may be blank
MARKER = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")


def with_blocks(source: Source, proposals: Sequence[Proposal]) -> Source:
    """The page with a block behind each passage; nothing else of it changes."""
    found = LINE_END.search(source.text)
    end, text = found[0] if found else "\n", source.text
    parts, done = list[str](), 0
    for at, proposal in sorted(((place_of(one.passage), one) for one in proposals), key=lambda one: one[0]):
        parts += [text[done:at], block_text(text, at, proposal, end)]
        done = at
    return Source(source.path, "".join([*parts, text[done:]]))


def block_text(text: str, at: int, proposal: Proposal, end: str) -> str:
    """The lines of a block with what keeps it apart from the lines before and behind it."""
    prefix = prefix_of(proposal.passage)
    bare = prefix.rstrip()
    lines = [bare, *((prefix + line).rstrip() for line in ("```example", *proposal.lines, "```"))]
    opened = "" if at == 0 or text[at - 1] in "\n\r" else end
    after = text[at : at + LONGEST_GAP]
    follows = after and not LINE_END.match(after.lstrip(" \t"))
    return opened + end.join(lines) + end + (gap(after, bare, end) if follows else "")


def gap(after: str, bare: str, end: str) -> str:
    """A line that keeps the block apart from what follows it in the same quote; outside of quotes an empty one."""
    return (bare if bare.endswith(">") and after.lstrip(" \t").startswith(">") else "") + end


def last_line(passage: Passage) -> int:
    """The number of the line behind the passage, counted from 0."""
    tokens = passage.page.tokens[passage.first : passage.last + 1]
    return max(
        (token.map[1] for token in tokens if token.map and token.type != "blockquote_open"), default=passage.line
    )


def place_of(passage: Passage) -> int:
    source, line = passage.page.source, last_line(passage)
    while line > passage.line and not source.line(line).strip(" \t>"):
        line -= 1
    return source.starts[line] if line < len(source.starts) else len(source.text)


def prefix_of(passage: Passage) -> str:
    """What stands before a line in the same place: signs of quotes, and blanks of lists and boxes."""
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
    return indented(line, depth(passage, opening))


def depth(passage: Passage, number: int) -> int:
    """How many list items are open at a token, one in the other, inside of the passage's own line."""
    return sum(token.type == "list_item_open" for token in passage.page.tokens[:number]) - sum(
        token.type == "list_item_close" for token in passage.page.tokens[:number]
    )


def indented(line: str, items: int) -> str:
    """The signs at the beginning of a line, its markers of list items as blanks."""
    prefix, at = "", 0
    for _ in range(items + 1):
        found = SIGNS.match(line, at)
        assert found
        prefix, at = prefix + found[0], found.end()
        marker = MARKER.match(line, at) if items else None
        if not marker:
            break
        prefix, at = prefix + " " * len(marker[0]), marker.end()
    return with_blank(prefix)


def with_blank(prefix: str) -> str:
    return prefix + " " if prefix.endswith(">") else prefix

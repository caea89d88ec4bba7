"""Where a block goes in a page: right behind its passage, inside the same quote, list item or box."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from ..book.model import Page
from ..book.prose import Passage
from ..text import LINE_END, Source
from .difference import Insertion
from .model import Proposal

SIGNS = re.compile(r"[ \t]*(?:>[ \t]?)*")
LONGEST_GAP = 200  # characters of a line that may be blank
MARKER = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t]+")


def insertions(source: Source, proposals: Sequence[Proposal]) -> list[Insertion]:
    """A block behind each passage, in reading order; nothing else of the page changes."""
    found = LINE_END.search(source.text)
    end, text = found[0] if found else "\n", source.text
    items = depths(proposals[0].passage.page) if proposals else []
    places = sorted(((place_of(one.passage), one) for one in proposals), key=lambda one: one[0])
    return [Insertion(at, block_text(text, at, prefix_of(one.passage, items), one, end)) for at, one in places]


def block_text(text: str, at: int, prefix: str, proposal: Proposal, end: str) -> str:
    """The lines of a block with what keeps it apart from the lines before and behind it."""
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


def prefix_of(passage: Passage, items: Sequence[int]) -> str:
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
    return indented(line, items[opening])


def depths(page: Page) -> list[int]:
    """How many list items are open at each token, one in the other."""
    steps = {"list_item_open": 1, "list_item_close": -1}
    return list(accumulate(steps.get(token.type, 0) for token in page.tokens))


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

"""Blocks in comments, and what was probably meant as one; most comments are neither, and nothing is said of them."""

from __future__ import annotations

import re

from .fences import Place, block
from .found import Found
from .model import KINDS, Block
from .nearby import is_one_slip, is_set, is_surely_set, meant
from .paper import Text

FIRST = re.compile(r"\s*([^\W\d_]+)(?![\w-])[ \t]*([^\n]*)(?:\n(.*))?", re.DOTALL)


def hidden(found: Found, text: Text, comment: re.Match[str]) -> list[Block]:
    """The block that a comment is: its word stands alone in the first line."""
    first = FIRST.match(comment[1])
    if not first:
        return []
    start = comment.start(1)
    word, kind = text.span(start + first.start(1), start + first.end(1)), first[1].lower()
    begins = first[3] is not None and not first[2] and "\n" not in comment[1][: first.start(1)]
    if begins and (first[1] in KINDS or (kind in KINDS and is_set(kind, first[3]))):
        span = text.span(*comment.span())
        place = Place(span, word, span.source.place(span.start)[0], False)
        return [block(found, kind, text.part(start + first.start(3), comment.end(1)), place)]
    if begins and (near := near_kind(kind)) and is_set(near, first[3]):
        message = f"`{first[1]}` is no kind of block, so nothing here is checked"
        found.warn("block-unknown", message, word, f"did you mean {near}?")
    elif kind in KINDS and not begins and is_surely_set(kind, f"{first[2]}\n{first[3] or ''}"):
        message = f"this is no block yet, so nothing here is checked: `{first[1]}` has to stand alone behind <!--"
        found.warn("block-unknown", message, word, "write each key into a line of its own below it")
    return []


def near_kind(word: str) -> str | None:
    """One slip and no more: a comment may begin with any word."""
    near = None if word in KINDS else meant(word)
    return near if near and is_one_slip(word, near) else None

"""A page's Markdown for a host that reads it by itself: lists that it would lose, links, blocks, comments mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from markdown_it.token import Token

from ..book.front import front_lines
from ..book.html import CONTENTS
from ..book.model import Block, Link, Page
from ..book.paper import paper
from ..text import LINE_END, Span
from .raw import MARKER
from .sheet import Sheet

FENCE = re.compile(r"`{3,}|~{3,}")
QUOTES = re.compile(r"[ \t>]*")
TEXTS = (
    "paragraph_close",
    "blockquote_close",
    "alert_close",
    "table_close",
)  # the host takes a list to be part of these
LISTS = ("bullet_list_open", "ordered_list_open")


class Edit(NamedTuple):
    start: int
    end: int
    text: str


def mark(number: int) -> str:
    """A paragraph that stands for the block of this number."""
    return f"rulewright{number}block"


def mended(sheet: Sheet, contents: str) -> str:
    """The page without front matter. `contents` is what the host replaces by a table of contents."""
    page = sheet.page
    edits = [*blocks(page), *comments(page, contents), *links(sheet), *lists(page)]
    lines = paper(page.source)
    return LINE_END.sub("\n", applied(page.source.text, edits)[lines.starts[front_lines(lines)] :])


def applied(text: str, edits: list[Edit]) -> str:
    """From the last to the first, so that places stay true; of edits that overlap the one that begins first counts."""
    wanted: list[Edit] = []
    for edit in sorted(set(edits)):
        if not wanted or edit.start >= wanted[-1].end:
            wanted.append(edit)
    for edit in reversed(wanted):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def shown(page: Page) -> list[Block]:
    return [block for block in page.blocks if block.shown]


def blocks(page: Page) -> Iterator[Edit]:
    """A fence becomes a paragraph of its own, in the same quote or list."""
    for number, block in enumerate(shown(page)):
        line, _ = block.span.source.place(block.span.start)
        written, start = block.span.source.line(line), block.span.source.starts[line - 1]
        fence = FENCE.search(written)
        before = written[: fence.start() if fence else 0]
        apart = "" if before.strip(" >") else before.rstrip() + "\n"
        yield Edit(start, block.span.end, f"{apart}{before}{mark(number)}\n{apart.rstrip()}")
    for block in page.blocks:
        if not block.shown and not block.span.text.startswith("<"):
            yield Edit(block.span.start, block.span.end, place(block))


def place(block: Block) -> str:
    """Where a hidden block stands: links may lead there."""
    return f'<span id="{escape(block.id)}"></span>'


def comments(page: Page, contents: str) -> Iterator[Edit]:
    hidden = {block.span.start: place(block) for block in page.blocks if not block.shown}
    for span in page.comments:
        inside = span.text.removeprefix("<!--").removesuffix("-->")
        if CONTENTS.fullmatch(inside):
            yield Edit(span.start, span.end, contents)
        elif not MARKER.match(inside):
            yield Edit(span.start, span.end, hidden.get(span.start, ""))


def links(sheet: Sheet) -> Iterator[Edit]:
    for link in sheet.page.links:
        raw = link.kind == "html" or (link.kind == "image" and is_tag(link.span))
        target = sheet.address(link, raw)
        if target and link.kind == "wiki":
            yield wiki(link, target)
        elif target and target != link.span.text:
            yield Edit(link.span.start, link.span.end, target)


def is_tag(span: Span) -> bool:
    return span.source.text[: span.start].endswith(("=", '="', "='"))


def wiki(link: Link, target: str) -> Edit:
    text = link.span.source.text
    return Edit(link.span.start - 2, text.index("]]", link.span.end) + 2, f"[{link.text}]({target})")


def lists(page: Page) -> Iterator[Edit]:
    """A blank line before each list that follows a paragraph or a quote at once."""
    sheet = paper(page.source)
    for before, token in zip(page.tokens, page.tokens[1:], strict=False):
        if token.type in LISTS and before.type in TEXTS and not before.hidden and touches(page, token):
            line = (token.map or [0])[0]
            quotes = QUOTES.match(sheet.lines[line])
            yield Edit(sheet.starts[line], sheet.starts[line], f"{quotes[0].rstrip() if quotes else ''}\n")


def touches(page: Page, token: Token) -> bool:
    """Does the line above have words?"""
    sheet = paper(page.source)
    line = (token.map or [0])[0]
    return bool(line and sheet.lines[line - 1].strip(" \t>"))

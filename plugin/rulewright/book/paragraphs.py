"""The paragraphs of a page as plain text, for those who need no place inside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..text import Span
from .inlines import plain
from .model import Page, Trail
from .paper import paper


class Paragraph(NamedTuple):
    """`level` is 0 outside of lists, quotes and boxes; `number` is that of its first token."""

    text: str
    trail: Trail
    span: Span
    level: int
    number: int


def paragraphs(page: Page) -> Iterator[Paragraph]:
    sheet, headings, trail = paper(page.source), iter(page.headings), Trail()
    for number, token in enumerate(page.tokens):
        if token.type == "heading_open" and (found := next(headings, None)):
            trail = (*found.trail, found.text)
        elif token.type == "paragraph_open" and token.map:
            text = plain(page.tokens[number + 1].children or [])
            yield Paragraph(text, trail, sheet.block(*token.map), token.level, number)

"""The paragraphs of a page as plain text, for those who need no place inside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from .inlines import plain
from .layout import Opening
from .model import Page
from .prose import said


class Paragraph(NamedTuple):
    """A paragraph, or the title of a box."""

    text: str  # as a passage has it
    plain: str  # with what images are said to show, and without blanks around it
    opening: Opening
    token: Token


def paragraphs(page: Page, openings: Sequence[Opening]) -> Iterator[Paragraph]:
    for opening in openings:
        inline = page.tokens[opening.number + 1]
        yield Paragraph(said(inline), plain(inline.children or ()), opening, page.tokens[opening.number])

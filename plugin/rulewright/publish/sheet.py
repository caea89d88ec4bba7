"""A page on its way to readers, and what the program that publishes it does for us."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from xml.etree.ElementTree import Element

from ..book.model import Block, Link, Page
from .terms import Terms
from .words import Words

FORMULA = re.compile(r"\$|\\[(\[b]")  # where formulas may begin
NOTES = "user-content-fn-"  # how GitHub names footnotes


class Address(Protocol):
    """Where a link leads: `built` as browsers of the finished site go there, else from file to file.

    None says that it leads nowhere, an empty text that it may stay as it was written.
    """

    def __call__(self, link: Link, built: bool) -> str | None: ...


@dataclass(frozen=True)
class Sheet:
    """A page with what its blocks look like and where its links lead."""

    page: Page
    words: Words
    card: Callable[[Block], str]
    address: Address
    terms: Terms = field(default_factory=Terms)
    old_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of headings, by the ids they have now


class Host(Protocol):
    """The Markdown program of the site, as far as we need it."""

    contents: str  # the text of a paragraph that becomes the table of contents
    signs: Mapping[str, str]  # such as == for `mark`, as far as they are read here

    def keep(self, html: str) -> str:
        """Puts HTML aside; the sign that is returned becomes this HTML in the end."""

    def fence(self, info: str, code: str) -> str | None:
        """A sign for highlighted code, for a diagram; nothing when nobody here knows how."""

    def code(self, text: str) -> Element | str | None:
        """Code in a sentence, highlighted."""

    def math(self, text: str, *, inline: bool) -> Element | None:
        """A formula in TeX."""

    def abbreviate(self, name: str, meaning: str) -> None:
        """From now on the name is explained wherever it stands on the page."""

    def lost(self, element: Element, written: str) -> None:
        """A link that leads nowhere keeps what the author wrote; we have complained already."""


def real(anchor: str) -> str:
    """A footnote by the name that it has here."""
    return f"fn:{anchor.removeprefix(NOTES)}" if anchor.startswith(NOTES) else anchor

"""A link such as `[27.8 %](chance:botch?pool=5)` taken apart: what it asks, with what, and the number it shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote_plus

from ..book.model import Link
from ..book.phrases import Item, parse_query
from ..text import Fix, Problem, Source, Span
from .amounts import NUMBER, Written, written
from .asking import SCHEMES
from .model import trouble

SCHEME = re.compile(rf"({'|'.join(SCHEMES)}):([^?]*)(?:\?(.*))?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class NumberLink:
    """`chance:NAME?items`."""

    link: Link
    kind: str  # roll, chance, value
    name: Span
    items: Sequence[Item]

    @cached_property
    def place(self) -> Span | None:
        """Where the text of the link stands, markup and all."""
        text, end = self.link.span.source.text, self.link.span.start
        end -= text[:end].endswith("<")
        opening = text.rfind("[", 0, end)
        if opening < 0 or text[end - 2 : end] != "](":
            return None
        return Span(self.link.span.source, opening + 1, end - 2)

    @cached_property
    def number(self) -> Written | None:
        """The one number in the text of the link."""
        found = [number for number in NUMBER.finditer(self.link.text) if stands_alone(number)]
        if len(found) != 1:
            return None
        bare = Span(Source("", self.link.text), *found[0].span())
        return written(found[0], self.within(found[0][0]) or bare)

    def within(self, shown: str) -> Span | None:
        """Where a part of the text stands in the page; None where markup hides it."""
        if self.place is None or self.place.text.count(shown) != 1:
            return None
        start = self.place.text.index(shown)
        return self.place.part(start, start + len(shown))

    def trouble(self, message: str, span: Span | None = None, notes: tuple[str, ...] = (), new: str = "") -> Problem:
        """A problem of this link; `new` is what should stand for its number."""
        number = self.number
        place = number.span if number and number.span.source is self.link.span.source else None
        problem = trouble(self.link, f"link-{self.kind}", message, span or self.link.span, notes)
        return problem._replace(fix=Fix(place, new)) if new and place else problem

    def as_own(self, problem: Problem) -> Problem:
        """A problem that was found by what checks blocks too."""
        own = problem.span.source is self.link.span.source
        return self.trouble(problem.message, problem.span if own else None, problem.notes)


def read_link(link: Link) -> NumberLink | None:
    """The link, if it is one of the three kinds."""
    found = SCHEME.fullmatch(link.target) if link.kind not in ("image", "wiki") else None
    if not found:
        return None
    whole = link.span if link.span.text == link.target else Span(Source("", link.target), 0, len(link.target))
    name, query = whole.part(*found.span(2)), whole.part(*found.span(3)) if found[3] else None
    if unquote_plus(name.text) != name.text:
        decoded = unquote_plus(name.text)
        name = Span(Source("", decoded), 0, len(decoded))
    return NumberLink(link, found[1].lower(), name, parse_query(query) if query else [])


def stands_alone(found: re.Match[str]) -> bool:
    """A number, not a part of a word such as d20."""
    before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")

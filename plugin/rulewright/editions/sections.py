"""The sections of a book: each heading with what stands below it, up to the next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..book.model import Heading
from .sides import Edition, EditionPage

WORD = re.compile(r"\w+")
SHINGLE_WORDS = 3  # words of a piece


@dataclass(frozen=True, eq=False)
class Section:
    """`above` is the section before it on its page, whatever its level."""

    path: str
    heading: Heading
    body: str
    pieces: frozenset[object]

    @property
    def id(self) -> str:
        return self.heading.id

    @property
    def key(self) -> tuple[str, str]:
        return self.path, self.heading.id


def read_sections(side: Edition) -> list[Section]:
    return [section for leaf in side.leaves for section in sections_of_page(leaf)]


def sections_of_page(leaf: EditionPage) -> Iterator[Section]:
    text, headings = leaf.page.source.text, leaf.page.headings
    starts = [*(one.span.start for one in headings), len(text)]
    for heading, (_, end) in zip(headings, pairwise(starts), strict=True):
        body = text[heading.span.end : end].partition("\n")[2]
        words = " ".join(body.split()).rstrip("# ")  # the signs of the next heading are no part of it
        yield Section(leaf.path, heading, words, frozenset(make_shingles(words)))


def make_shingles(text: str) -> Iterable[object]:
    """Every few words in a row, as numbers; of a short text the words."""
    words = WORD.findall(text.lower())
    if len(words) < 2 * SHINGLE_WORDS:
        return [("word", word) for word in words]
    return [hash(tuple(words[place : place + SHINGLE_WORDS])) for place in range(len(words) - SHINGLE_WORDS + 1)]

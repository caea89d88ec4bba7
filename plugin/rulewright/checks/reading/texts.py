"""All running text of a page, paragraphs and table cells alike, and what stands around a place in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...book.prose import Passage
from .model import Reading

SENTENCE = re.compile(r"[.!?](?=[\s\"”’)])|\n|…")
NO_END = re.compile(
    r"(?:\b(?:avg|av|approx|ca|vs|pts?|no|nr|e\.g|i\.e|p|pp|lvl|max|min|dmg)|\s[A-Za-z])$", re.IGNORECASE
)
LONGEST = 240  # so many characters of a sentence are looked at on each side of a place


def texts(reading: Reading) -> Iterator[Passage]:
    """The paragraphs of a page, then the cells of its tables."""
    yield from reading.passages
    for table in reading.tables:
        yield from table.cells


def before(text: str, place: int) -> str:
    """The sentence up to a place."""
    begin = max(place - LONGEST, 0)
    window = text[begin:place]
    ends = [found for found in SENTENCE.finditer(window) if not NO_END.search(window, 0, found.start())]
    return window[ends[-1].end() :] if ends else window


def after(text: str, place: int) -> str:
    """The sentence from a place on."""
    window = text[place : place + LONGEST]
    ends = (found.start() for found in SENTENCE.finditer(window) if not NO_END.search(window, 0, found.start()))
    return window[: next(ends, len(window))]


def around(text: str, start: int, end: int) -> str:
    """The sentence that a stretch stands in, without the stretch itself."""
    return f"{before(text, start)} … {after(text, end)}"

"""All running text of a page, paragraphs and table cells alike, and what stands around a place in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...book.prose import Passage
from .model import Reading

Asks = Callable[[str], bool]
Hint = Callable[[str], object]  # cheap; what it sees in a text it sees in every longer one that holds this text

DIGIT = re.compile("[0-9⊞⊟⊡]")
SIGNS = re.compile(r"[+−–-]\s?[,/|]?\s?[+−–-]")
SENTENCE = re.compile(r"[.!?](?=[\s\"”’)])|\n|…")
NO_END = re.compile(
    r"(?:\b(?:avg|av|approx|ca|vs|pts?|no|nr|e\.g|i\.e|p|pp|lvl|max|min|dmg)|\s[A-Za-z])$", re.IGNORECASE
)
LONGEST = 240  # so many characters of a sentence are looked at on each side of a place


def is_figured(text: str) -> bool:
    """Whether there is a number, signs of Fate dice, or a roll; several quick questions instead of a slow one."""
    return bool(DIGIT.search(text) or SIGNS.search(text)) or is_rolled(text)


def is_rolled(text: str) -> bool:
    small = text.lower()
    return "roll" in small or "hrow" in small or "hrew" in small


def texts(reading: Reading, hint: Hint, what: Asks) -> Iterator[Passage]:
    """The paragraphs whose words are such, then the cells of tables, as far as there is a hint in them."""
    yield from said(reading, hint, what)
    if hint(reading.cells):
        yield from (cell for table in reading.tables for cell in table.cells if hint(cell.text))


def said(reading: Reading, hint: Hint, what: Asks) -> Iterator[Passage]:
    """The paragraphs alone. The page is asked first: a hint that is not in all texts together is in none of them."""
    if hint(reading.words):
        yield from (reading.passage(one) for one in reading.running if hint(one.text) and what(one.plain))


def figures(reading: Reading, hint: Hint) -> Iterator[Passage]:
    """All texts but the paragraphs in which nothing could be reckoned."""
    return texts(reading, hint, is_figured)


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

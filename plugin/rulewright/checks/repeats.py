"""Whether the text beside a number repeats it, in figures or in words; in doubt it does."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from ..book.model import Page
from ..text import LINE_END, Source, Span
from .amounts import NUMBER, Written, read_number, written
from .told.numbers import NUMBER as SPOKEN
from .told.numbers import UNITS, number

COMMENT = re.compile(r"[ \t]#\s(.*)")  # in a line of a block
UNSEEN = re.compile(  # comments, tags, targets of links, attributes, marks of footnotes, definitions of links
    r"<!--.*?-->|</?[a-z][^<>]*>|(?<=\])\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s\"[^\"]*\")?\)|\{[#.:][^}]*\}|\[\^[^\]]*\]"
    r"|^[ \t>]*\[[^\]^][^\]]*\]:[^\n]*$",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
INSERTED = re.compile(r"-{1,3}8<-{1,3}|\{%\s*include|\{\{|!\[\[")  # nobody knows what such a line brings in
FIGURES = re.compile(r"[0-9]+")
GROUPED = re.compile(r"[0-9]{1,3}(?:[,.'’\u00a0\u202f][0-9]{3})+(?![0-9])")  # 1,200
WORD = re.compile(r"[^\W\d_]+")
HUNDREDS = re.compile(r"hundred|thousand|hundert|tausend", re.IGNORECASE)
GERMAN = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
]  # fmt: skip
OTHERWISE = {  # what else may stand for a number
    0: r"no|not|none|nothing|nobody|never|neither|without|\w+n['’]t|kein\w*|nichts?|nie|ohne",
    1: r"an?|once|single|first|only|another|eine\w*|eins|erste\w*",
    2: r"both|twice|pairs?|doubles?|couple|second|beide\w*|doppelt\w*|zweite\w*",
    3: r"third|thrice|triple|dritte\w*",
    5: r"fifth",
    8: r"eighth",
    9: r"ninth",
    12: r"twelfth|dozens?|dutzend",
}
PORTION = re.compile(
    r"\b(?:(one|an?|two|three|four|five)[\s-]+)?(half|halves|even\s(?:chance|odds)|hälfte|thirds?|drittel|quarters?|viertel"
    r"|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b",
    re.IGNORECASE,
)
PARTS = {"hal": 2, "eve": 2, "häl": 2, "thi": 3, "dri": 3, "qua": 4, "vie": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
         "nin": 9, "ten": 10}  # fmt: skip
OUT_OF = re.compile(
    rf"({SPOKEN})\s+(?:times?\s+)?(?:in|out\s+of|of|von)\s+(?:every\s+|the\s+)?({SPOKEN})", re.IGNORECASE
)
ABOUT = Fraction(1, 20)  # «a third of the time» may well stand for 30 %


def repeats(page: Page, span: Span) -> bool:
    """Whether the section of a number says it once more: in a sentence, a table, the title or a comment of a block."""
    text, value = beside(page, span), read_number(span)
    if INSERTED.search(text):
        return True
    if value is None:
        return bool(span.text.strip()) and span.text.strip().lower() in text.lower()
    if value.style == "decimal" and not value.places:
        return says_whole(text, abs(int(value.value)))
    return says_amount(text, value)


def says_whole(text: str, value: int) -> bool:
    runs = [*FIGURES.findall(text), *(re.sub(r"\D", "", found) for found in GROUPED.findall(text))]
    if any(len(run) < 20 and int(run) == value for run in runs):
        return True
    words = [word.lower() for word in WORD.findall(text)]
    spoken = [*words, *(f"{tens}-{units}" for tens, units in pairwise(words))]
    if any(number(word) == value for word in spoken) or (value >= 100 and HUNDREDS.search(text)):
        return True
    others = [OTHERWISE[value]] if value in OTHERWISE else []
    others += [f"{UNITS[value]}th"] if value < len(UNITS) else []
    others += [GERMAN[value]] if value < len(GERMAN) else []
    return bool(others) and bool(re.search(rf"\b(?:{'|'.join(others)})\b", text, re.IGNORECASE))


def says_amount(text: str, value: Written) -> bool:
    """A chance or a mean, rounded otherwise or in another style."""
    if any(one.rounds_to(value.value) or value.rounds_to(one.value) for one in amounts(text)):
        return True
    return any(abs(portion - value.value) <= ABOUT for portion in portions(text))


def amounts(text: str) -> Iterator[Written]:
    """All numbers of a text; one without a percent sign may be a percentage all the same."""
    source = Source("", text)
    for found in NUMBER.finditer(text):
        amount = written(found, Span(source, *found.span()))
        if amount and (amount.style != "decimal" or amount.places or amount.value > 1):
            yield amount
        if amount and amount.style == "decimal":
            yield replace(amount, style="percent", value=amount.value / 100)


def portions(text: str) -> Iterator[Fraction]:
    """«Two thirds», «one in four»."""
    for found in PORTION.finditer(text):
        yield Fraction(number(found[1] or "one") or 1, PARTS[found[2][:3].lower()])
    for found in OUT_OF.finditer(text):
        hits, tries = number(found[1]), number(found[2])
        if hits is not None and tries:
            yield Fraction(hits, tries)


def beside(page: Page, span: Span) -> str:
    """Everything else that the section of a number says to people."""
    start, end = section(page, span.start)
    blocks = [block for block in page.blocks if start <= block.span.start < end]
    spoken = [line for block in blocks for line in (block.title, *COMMENT.findall(plain(block.span.text)))]
    return "\n".join([sentences(page, start, end, [(span.start, span.end)]), *spoken])


def section(page: Page, place: int) -> tuple[int, int]:
    """From the heading above a place to the next one; a section of blocks alone goes with the one before it."""
    starts = [0, *sorted(heading.span.start for heading in page.headings), len(page.source.text)]
    at = bisect_right(starts, place, hi=len(starts) - 1) - 1
    below = sentences(page, starts[at], starts[at + 1]).partition("\n")[2]
    return starts[at - 1 if at and not WORD.search(below) else at], starts[at + 1]


def sentences(page: Page, start: int, end: int, without: Iterable[tuple[int, int]] = ()) -> str:
    """A stretch of a page without its blocks and without what readers do not see."""
    pieces, at = list[str](), start
    for first, last in sorted([*((block.span.start, block.span.end) for block in page.blocks), *without]):
        if start <= first < end:
            pieces.append(page.source.text[at : max(first, at)])
            at = max(last, at)
    return UNSEEN.sub(" ", plain("\0".join([*pieces, page.source.text[at:end]])))


def plain(text: str) -> str:
    return LINE_END.sub("\n", text)

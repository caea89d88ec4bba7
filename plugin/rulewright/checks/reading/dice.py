"""Dice that cannot be: 1d0, «rolls 5d6 and gets six faces», an 8 on a d6."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Fix, Problem, Source, Span
from .dice_rolls import Doubt, doubts
from .model import Check, Noticed, Reading
from .texts import after, before, texts

HABIT = 3  # written so often it is no slip
USUAL = r"(?:4|6|8|10|12|20|100)"
CODE = re.compile(r"(?<![\w.])[1-9]?[0-9]?[dDwW](?:[1-9][0-9]{0,2}|%)(?!\w)")
NO_SIDES = re.compile(r"(?<![\w.,])(?P<count>[1-9]|[1-9][0-9](?=[dw]))[dDwW](?P<zeros>0{1,3})(?![\w%]|[.-][0-9A-F])")
NO_DICE = re.compile(rf"(?<![\w.,+−–-])0[dDwW]{USUAL}(?!\w)")
DOUBLED = re.compile(rf"(?<![\w.])[1-9][0-9]?(?P<slip>dd){USUAL}(?!\w)")
LETTER = re.compile(rf"(?<![\w.'’-])(?P<slip>[lI])d{USUAL}(?!\w)")
NAUGHT = re.compile(r"(?<![\w.])[1-9]?[0-9]?d[12](?P<slip>O|O0|0O)(?!\w)")
SLIPS = (
    (LETTER, "1", "the letter {} for the figure 1"),
    (DOUBLED, "d", "{} where one d will do"),
    (NAUGHT, "0", "the letter O for a nought"),
)
DEALING = re.compile(
    r"\b(?:rolls?|rolled|throws?|deals?|dealing|takes?|taking|inflicts?|does|causes?|heals?|restores?|suffers?|for|loses?)\s$",
    re.IGNORECASE,
)
ON_PURPOSE = re.compile(
    r"\b(?:zero|no\sdice|none|nothing|reduc\w+|drops?|below|less|fewer|lower\w*|minimum|instead|untrained|means|counts?|is|as|or|if"
    r"|when|down\sto|never|nobody|pool)\b",
    re.IGNORECASE,
)
EXPLODING = re.compile(
    r"\bexplod\w+|\bopen[- ]ended|\brolls?\s(?:\w+\s){0,2}again\b|\bwild\sdi(?:e|ce)\b|\bpenetrat\w+\sdi", re.IGNORECASE
)


class Odd(NamedTuple):
    """A dice code that cannot be, unless the book means something by it."""

    kind: str  # sides, dice, slip
    problem: Problem


class Seen(NamedTuple):
    """What a page shows of the habits of its book."""

    codes: int
    source: Source


def look(reading: Reading) -> Noticed:
    every = list(texts(reading))
    codes = sum(len(CODE.findall(text.text)) for text in every)
    seen = Seen(codes, reading.page.source)
    odd = [one for text in every for one in oddities(text)]
    told = [doubt for text in every for doubt in doubts(text)]
    return Noticed(codes + len(odd), facts=(seen, *odd, *told))


def oddities(text: Passage) -> Iterator[Odd]:
    """In `1d0`, set as code, somebody speaks of how dice are written."""
    yield from (one for one in every_oddity(text) if not set_as_code(one.problem.span))


def set_as_code(span: Span) -> bool:
    return span.source.text[max(span.start - 1, 0) : span.start] == "`"


def every_oddity(text: Passage) -> Iterator[Odd]:
    for found in NO_SIDES.finditer(text.text):
        note = f"write {found['count']}d100" if found["zeros"] == "00" else "write how many sides the die has"
        yield odd("sides", text, found.span(), "a die with no sides cannot be rolled", note)
    for found in NO_DICE.finditer(text.text):
        if text.kind != "cell" and throws(text.text, *found.span()):
            yield odd("dice", text, found.span(), "no dice are rolled here", "write how many dice are rolled")
    for shape, right, what in SLIPS:
        for found in shape.finditer(text.text):
            span = text.span(*found.span("slip"))
            better = right + ("0" if len(found["slip"]) == 2 and right == "0" else "")
            problem = slip(text, text.span(*found.span()), what.format(found["slip"]), Fix(span, better))
            yield Odd("slip", problem)


def throws(text: str, start: int, end: int) -> bool:
    sentence = before(text, start), after(text, end)
    return bool(DEALING.search(sentence[0])) and not any(ON_PURPOSE.search(part) for part in sentence)


def odd(kind: str, text: Passage, place: tuple[int, int], why: str, note: str) -> Odd:
    message = f"{text.text[slice(*place)]}: {why}"
    return Odd(kind, Problem("die-impossible", message, text.span(*place), "warning", (note,), text.trail))


def slip(text: Passage, span: Span, what: str, fix: Fix) -> Problem:
    message = f"{span.text} has {what}"
    return Problem("die-written", message, span, "warning", (f"write {fix.text} there",), text.trail, fix)


def settled(facts: Sequence[Odd | Seen | Doubt]) -> list[Problem]:
    pages = [fact for fact in facts if isinstance(fact, Seen)]
    codes = sum(page.codes for page in pages)
    odd = [fact for fact in facts if isinstance(fact, Odd)]
    told = [fact for fact in facts if isinstance(fact, Doubt)]
    exploding = any(one.exploding for one in told) and any(EXPLODING.search(page.source.text) for page in pages)
    return [*slips(odd, codes), *(one.problem for one in told if not (exploding and one.exploding))]


def slips(odd: Sequence[Odd], codes: int) -> Iterator[Problem]:
    """What a book writes again and again it means; letters for figures are slips where there are dice at all."""
    for kind, most in (("sides", HABIT - 1), ("dice", 1), ("slip", len(odd))):
        alike = [one.problem for one in odd if one.kind == kind]
        if len(alike) <= most and (kind != "slip" or codes >= HABIT):
            yield from alike


DICE = Check("die", "dice codes", look, settled)

"""Is it a sum at all, and does it come to what the text says?"""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ...book.prose import Passage
from ...text import Span
from .terms import Worth
from .texts import after, before

ELSEWHERE = re.compile(  # then more happens to the number than the sum shows
    r"\b(?:doubl\w+|halv\w+|half|crit\w*|tripl\w+|twice|resist\w*|vulnerab\w*|max\w*|min|minimum|cap|caps|capped|limit\w*|at\smost"
    r"|at\sleast|up\sto|never|nearest|wrong\w*|mistake\w*|incorrect\w*|instead|modulo|carry|remainder|lowest\sof|highest\sof)\b"
    r"|\bround\w*\s(?:\w+\s){0,3}to\b|\bnot\s(?:be\s)?$",
    re.IGNORECASE,
)
UNITS = re.compile(
    r"gp|sp|cp|ep|pp|gold|silver|copper|platinum|coins?|crowns?|shillings?|pence|penn(?:y|ies)|pounds?|lbs?|oz|ounces?|feet|foot|ft"
    r"|in|inch(?:es)?|yards?|miles?|km|m|cm|kg|g|hours?|h|min|minutes?|sec|seconds?|days?|weeks?|months?|years?|rounds?|turns?",
    re.IGNORECASE,
)
NO_LABEL = re.compile(
    r"\b(?:per|each|every|times|of|for|to|if|or|and|dice|die|x|level|levels|rank|ranks|d)\b|[0-9]", re.IGNORECASE
)
LOOSE_MINUS = re.compile(r"[0-9)]\s?[\-–]\s?[0-9(]")
TIGHT_MINUS = re.compile(r"[0-9)][\-–][0-9(]")
SIZE = re.compile(r"[0-9)]\s?x\s?[0-9(]")
TIGHT_OVER = re.compile(r"[0-9)]/[0-9(]")
DIVIDING = re.compile(r"\b(?:divid\w+|half|halv\w+|quotient|share[sd]?|split\w*|third|quarter)\b|÷", re.IGNORECASE)
UNIT_BEHIND = re.compile(r"\s(?:an?\s)?([^\W\d_]+)")
WORD_ON = re.compile(
    r"is|are|and|or|but|so|for|with|which|to|in|on|at|as|if|because|then|when|after|that|this|the|he|she|they|it|you|I"
)
JOKES = ("1+1=3", "2+2=5")


class Sum(NamedTuple):
    text: Passage
    start: int
    end: int
    worth: Worth
    values: tuple[Fraction, ...]  # the number behind, and what it comes to where a further sum stands there
    written: str
    at: int
    until: int

    @property
    def said(self) -> Fraction:
        return self.values[0]

    @property
    def span(self) -> Span:
        return self.text.span(self.at, self.until)

    @property
    def shown(self) -> str:
        return " ".join(self.text.text[self.start : self.end].split()).rstrip(" ,")

    @property
    def exact(self) -> str:
        value = self.worth.value
        return f"{int(value):,}" if value.denominator == 1 else f"{float(value):,.4g}"

    @property
    def whole(self) -> str:
        """What to write: a whole number where the text has one."""
        low, high = floor(self.worth.value), ceil(self.worth.value)
        fraction = low < high and self.said.denominator == 1
        return f"{low:,} (rounded down) or {high:,} (rounded up)" if fraction else self.exact

    @property
    def unit(self) -> str:
        found = UNIT_BEHIND.match(self.text.text, self.until)
        return found[1] if found and not WORD_ON.fullmatch(found[1]) else ""


def agrees(one: Sum) -> bool:
    """Equal, or rounded in any way where nothing else is possible, or kept from falling below nothing."""
    return any(comes_to(one, value, said) for value in readings(one.worth) for said in one.values)


def readings(worth: Worth) -> list[Fraction]:
    """Percents count as they stand; the share of a number by a percentage is a hundredth of that."""
    every = [worth.value]
    if worth.percents:
        every += [worth.value / 100**power for power in range(1, worth.percents + 1)]
    return every


def comes_to(one: Sum, value: Fraction, said: Fraction) -> bool:
    if said == value or (value < 0 and said in (0, 1)):
        return True
    if one.worth.whole:
        return False
    scale = 10 ** len(one.written.rstrip("%").partition(".")[2])
    return said * scale in (floor(value * scale), ceil(value * scale))


def plain(one: Sum) -> bool:
    """Nothing in the sentence says that more happens to the number."""
    text = one.text.text
    return not ELSEWHERE.search(before(text, one.start)[-60:]) and not ELSEWHERE.search(after(text, one.until)[:60])


def told_apart(one: Sum) -> bool:
    """A sum, and no range, score, date, conversion or rule of which only a part can be seen."""
    text = one.text.text[one.start : one.end]
    labels = [label for label in one.worth.labels if not label.startswith("(")]
    return (
        minus_is_minus(text, one)
        and over_is_over(text, one)
        and times_is_times(text, one, labels)
        and labels_fit(one, labels)
        and f"{text}={one.said}".replace(" ", "") not in JOKES
        and not mixed(one.worth)
        and plain(one)
    )


def minus_is_minus(text: str, one: Sum) -> bool:
    """1-2 = 1 is a range, 3-2 = 2 a score."""
    signs = set(one.worth.signs)
    tight = bool(TIGHT_MINUS.search(text))
    if signs == {"-"} and LOOSE_MINUS.search(text):
        return not tight and one.worth.value >= 0 and not one.unit
    return not tight or " " not in text.strip()


def over_is_over(text: str, one: Sum) -> bool:
    """Where a slash without blanks may be a fraction, a date or two values, the sentence must speak of dividing."""
    if not TIGHT_OVER.search(text):
        return True
    return agrees(one) or (one.worth.signs == "÷" and bool(DIVIDING.search(before(one.text.text, one.start))))


def times_is_times(text: str, one: Sum, labels: list[str]) -> bool:
    """3x4 may be a size, and then tells nothing of what follows."""
    return not SIZE.search(text) or not (labels or (one.unit and not re.search(r"\sx\s", text)))


def labels_fit(one: Sum, labels: list[str]) -> bool:
    if any(NO_LABEL.search(label) or len(label.split()) > 3 or len(label.split()[-1]) == 1 for label in labels):
        return False
    words = {label.split()[-1].lower() for label in labels}
    if any(UNITS.fullmatch(word) for word in words) or (words and one.unit):
        return len(words) == 1 and len(labels) == one.worth.operands and one.unit.lower() in ("", *words)
    return not labels or set(one.worth.signs) <= {"+", "-"}


def mixed(worth: Worth) -> bool:
    """Some percents beside other numbers: more or less a percentage, or of it?"""
    return 0 < worth.percents < worth.operands and "×" not in worth.signs and "÷" not in worth.signs

"""The numbers of a text: figures, signed numbers, dice notation, percentages and number words, with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .number_words import CARDINALS


class Number(NamedTuple):
    """A number in a text. `form` is digits, word, dice (the 4 of 4D or of 4d6), sides (the 6 of 4d6 or of 6-sided),
    percent, decimal, plural (1s) or ordinal (3rd); `sign` is 1 or -1 where a sign is written, else 0."""

    start: int
    end: int
    value: int
    form: str
    sign: int = 0
    is_open: bool = False  # 10+


SIDED = re.compile(r"-sided\b|-?seitig\w{0,2}\b", re.IGNORECASE)  # after the number of sides
_SIGN = r"(?<![\w)\]])(?P<sign>[+−–-])\s?(?=[0-9])"
_TOKEN = re.compile(
    rf"(?:{_SIGN})?(?:"
    r"(?:(?<![0-9])(?P<count>[0-9]{1,4}))?(?<![^\W0-9])[dDwW](?P<sides>[0-9]{1,4}|%)(?=s?(?![^\W_]))"
    r"|(?P<pool>[0-9]{1,3})D(?![^\W_])"
    r"|(?P<decimal>(?![0-9]{1,3}(?:,[0-9]{3})+(?![0-9]))[0-9]{1,9}[.,][0-9]{1,9})(?P<part>\s?%)?(?![\w])"
    r"|(?<![\w.])(?P<digits>[0-9]{1,9}(?:,[0-9]{3})*)(?:(?P<percent>\s?%)|(?P<plural>['’]?s\b)|(?P<open>\+)(?![\w+])|(?P<ordinal>st|nd|rd|th)\b)?(?![^\W_])"
    r")"
    r"|(?P<word>[^\W\d_]+(?:-[^\W\d_]+)?)"
)


def find_numbers(text: str) -> Iterator[Number]:
    """All numbers in reading order; the word "one" alone is none."""
    for match in _TOKEN.finditer(text):
        sign = {"+": 1, None: 0}.get(match["sign"], -1)
        if match["word"]:
            yield from _read_word(match)
        elif match["sides"]:
            if match["count"]:
                yield Number(*match.span("count"), int(match["count"]), "dice", sign)
            if match["sides"] != "%":
                yield Number(*match.span("sides"), int(match["sides"]), "sides")
        elif match["pool"]:
            yield Number(*match.span("pool"), int(match["pool"]), "dice", sign)
        elif match["decimal"]:
            yield Number(*match.span("decimal"), 0, "percent" if match["part"] else "decimal", sign)
        elif match["digits"]:
            form = next((name for name in ("percent", "plural", "ordinal") if match[name]), "digits")
            form = "sides" if SIDED.match(text, match.end()) else form
            value = int(match["digits"].replace(",", ""))
            yield Number(*match.span("digits"), value, form, sign, bool(match["open"]))


def _read_word(match: re.Match[str]) -> Iterator[Number]:
    word = match["word"].lower()
    first, _, second = word.partition("-")
    if word in CARDINALS:
        yield Number(*match.span("word"), CARDINALS[word], "word")
    elif first in CARDINALS and second in CARDINALS and CARDINALS[first] % 10 == 0:
        yield Number(*match.span("word"), CARDINALS[first] + CARDINALS[second], "word")
    elif first in CARDINALS and second:  # ten-sided, three-pronged
        form = "sides" if SIDED.fullmatch(f"-{second}") else "word"
        yield Number(match.start("word"), match.start("word") + len(first), CARDINALS[first], form)
    elif (sides := word.partition("seitig")[0]) in CARDINALS:  # zehnseitige
        yield Number(match.start("word"), match.start("word") + len(sides), CARDINALS[sides], "sides")

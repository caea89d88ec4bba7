"""Numbers in ordinary sentences: figures, number words, and what may follow them."""

from __future__ import annotations

import re

UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]


_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


_WORDS = {
    **{word: parse_number for parse_number, word in enumerate(UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    "a dozen": 12,
    "a single": 1,
    "a pair of": 2,
    "no": 0,
}


_PLURALS = {
    **{word + "s": number for word, number in _WORDS.items() if word.isalpha() and word not in ("six", "no")},
    "sixes": 6,
}


_COMPOUND = rf"(?:{'|'.join(_TENS)})-(?:{'|'.join(UNITS[1:10])})"


FIGURES = r"(?<![\w.+\-−/])(?!(?<=,)[0-9]{3}\b)[0-9]{1,5}(?![\w%/]|\.[0-9]|,[0-9]{3}\b|-[0-9])"  # in 4,000 none


WORD = (
    rf"\b(?:{_COMPOUND}|{'|'.join(sorted((w for w in _WORDS if w.isalpha() and w != 'no'), key=len, reverse=True))})\b"
)


NUMBER = rf"(?:{FIGURES}|{WORD})(?:\s\([0-9]{{1,5}}\))?"


AMOUNT = rf"(?:{NUMBER}|\b(?:a\sdozen|a\ssingle|a\spair\sof|no)\b)"


PLURAL = rf"\b(?:[0-9]{{1,3}}['’]?s|{'|'.join(sorted(_PLURALS, key=len, reverse=True))})\b"  # 6s, sixes


_BRACKETED = re.compile(r"\s\([0-9]+\)$")


# BEHIND: what may follow a number that is a result. LIMIT: what makes it a bound.
AFTER_RESULT = re.compile(
    r"""\s*(?:[.,;:!?)\]"”’»—–…&]|-\s|-{2}|$|\n|(?:and|but|so|then|for|on|with|which|giving|making|totall?ing|against|at|in|from"""
    r"""|to|as|plus|while|before|after|instead|again|this|because|when|again|is|are|he|she|they|his|her|their)\b)""",
    re.IGNORECASE,
)


LIMIT = re.compile(r"\s+(?:or|to\s[0-9]|(?:higher|better|more|less|lower|above|below)\b)", re.IGNORECASE)


def number(text: str) -> int | None:
    """The integer that a text spells: 14, fourteen, twenty-one, a dozen, sixes; None for other text."""
    word = _BRACKETED.sub("", re.sub(r"\s+", " ", text.strip().lower()))
    if word.isdecimal() and word.isascii() and len(word) < 9:
        return int(word)
    if word in _WORDS or word in _PLURALS:
        return _WORDS.get(word, _PLURALS.get(word))
    tens, _, units = word.partition("-")
    if tens in _TENS and units in UNITS[1:10]:
        return _WORDS[tens] + _WORDS[units]
    figures = re.match(r"[0-9]{1,3}(?=['’]?s$)", word)
    return int(figures[0]) if figures else None

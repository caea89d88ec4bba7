"""Numbers in ordinary sentences: figures, number words (English and German), portions, and what may follow them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from .words import AFTER_RESULT as _FOLLOWING
from .words import MORE_OR_LESS

SMALL_NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip


_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


_WORDS = {
    **{word: number for number, word in enumerate(SMALL_NUMBERS)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    "a dozen": 12,
    "a single": 1,
    "a pair of": 2,
    "no": 0,
}


_GERMAN_SMALL_NUMBERS = [
    "null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
    "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn", "zwanzig",
]  # fmt: skip
_GERMAN_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
CARDINALS = {  # words that are always a number: English, then German
    **{word: value for word, value in _WORDS.items() if word.isalpha() and word not in ("one", "no")},
    **{word: value for value, word in enumerate(_GERMAN_SMALL_NUMBERS) if value > 1},
    **{word: 10 * value for value, word in enumerate(_GERMAN_TENS, 2)},
}
_GERMAN_WORDS = {  # as faces and amounts; "elf" and "null" are other words in English
    **{word: CARDINALS[word] for word in (*_GERMAN_SMALL_NUMBERS[2:], *_GERMAN_TENS) if word != "elf"},
    "eins": 1,
}
_GERMAN_NONE = ("kein", "keine", "keinen")


_PLURALS = {
    **{word + "s": number for word, number in _WORDS.items() if word.isalpha() and word not in ("six", "no")},
    "sixes": 6,
    **{
        f"{word.removesuffix('en') if value == 7 else word}en": value
        for word, value in _GERMAN_WORDS.items()
        if value <= 12
    },
}


_COMPOUND = rf"(?:{'|'.join(_TENS)})-(?:{'|'.join(SMALL_NUMBERS[1:10])})"


FIGURES = r"(?<![\w.+\-−/])(?!(?<=,)[0-9]{3}\b)[0-9]{1,5}(?![\w%/]|\.[0-9]|,[0-9]{3}\b|-[0-9])"  # in 4,000 none


_SINGLE_WORDS = sorted(
    [*(word for word in _WORDS if word.isalpha() and word != "no"), *_GERMAN_WORDS], key=len, reverse=True
)
_INITIALS = "".join(sorted({word[0] for word in _SINGLE_WORDS}))  # looked at first, which is faster
WORD = rf"\b(?=[{_INITIALS}])(?:{_COMPOUND}|{'|'.join(_SINGLE_WORDS)})\b"


NUMBER = rf"(?:{FIGURES}|{WORD})(?:\s\([0-9]{{1,5}}\))?"


AMOUNT = rf"(?:{NUMBER}|\b(?:a\sdozen|a\ssingle|a\spair\sof|no|{'|'.join(_GERMAN_NONE)})\b)"


PLURAL = rf"\b(?:[0-9]{{1,3}}(?:['’]?s|en|er)|{'|'.join(sorted(_PLURALS, key=len, reverse=True))})\b"  # 6s, sixes


_BRACKETED = re.compile(r"\s\([0-9]+\)$")


# AFTER_RESULT: what may follow a number that is a result. LIMIT: what makes it a bound.
AFTER_RESULT = re.compile(rf"""\s*(?:[.,;:!?)\]"”’"—–…&]|-\s|-{{2}}|$|\n|{_FOLLOWING}\b)""", re.IGNORECASE)


LIMIT = re.compile(rf"\s+(?:or|oder|(?:to|bis)\s[0-9]|{MORE_OR_LESS}\b)", re.IGNORECASE)


_SPELLED = {**_PLURALS, **_GERMAN_WORDS, **dict.fromkeys(_GERMAN_NONE, 0), **CARDINALS, **_WORDS}


def number(text: str) -> int | None:
    """The integer that a text spells: 14, fourteen, twenty-one, a dozen, sixes; None for other text."""
    word = _BRACKETED.sub("", re.sub(r"\s+", " ", text.strip().lower()))
    if word.isdecimal() and word.isascii() and len(word) < 9:
        return int(word)
    if word in _SPELLED:
        return _SPELLED[word]
    tens, _, units = word.partition("-")
    if tens in _TENS and units in SMALL_NUMBERS[1:10]:
        return _WORDS[tens] + _WORDS[units]
    figures = re.match(r"[0-9]{1,3}(?=(?:['’]?s|en|er)$)", word)
    return int(figures[0]) if figures else None


_DIGITS = re.compile(r"[0-9]+")
_GROUPED = re.compile(r"[0-9]{1,3}(?:[,.'’\u00a0\u202f][0-9]{3})+(?![0-9])")  # 1,200
_LETTERS = re.compile(r"[^\W\d_]+")
_HUNDREDS = re.compile(r"hundred|thousand|hundert|tausend", re.IGNORECASE)
_OTHER_WORDS = {  # other words for a number
    0: r"no|not|none|nothing|nobody|never|neither|without|\w+n['’]t|kein\w*|nichts?|nie|ohne|null",
    1: r"an?|once|single|first|only|another|ein|eine\w*|eins|erste\w*",
    2: r"both|twice|pairs?|doubles?|couple|second|beide\w*|doppelt\w*|zweite\w*",
    3: r"third|thrice|triple|dritte\w*",
    5: r"fifth",
    8: r"eighth",
    9: r"ninth",
    12: r"twelfth|dozens?|dutzend",
}
_PORTION = re.compile(
    r"\b(?:(one|an?|two|three|four|five)[\s-]+)?(half|halves|even\s(?:chance|odds)|hälfte|thirds?|drittel|quarters?|viertel"
    r"|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b",
    re.IGNORECASE,
)
_DENOMINATORS = {
    "hal": 2, "eve": 2, "häl": 2, "thi": 3, "dri": 3, "qua": 4, "vie": 4, "fif": 5, "six": 6, "sev": 7, "eig": 8,
    "nin": 9, "ten": 10,
}  # fmt: skip
_OUT_OF = re.compile(
    rf"({NUMBER})\s+(?:times?\s+)?(?:in|out\s+of|of|von)\s+(?:every\s+|the\s+)?({NUMBER})", re.IGNORECASE
)


def mentions_integer(text: str, value: int) -> bool:
    """Whether a text contains an integer: in figures, or in English or German words."""
    digit_runs = [*_DIGITS.findall(text), *(re.sub(r"\D", "", grouped) for grouped in _GROUPED.findall(text))]
    if any(len(run) < 20 and int(run) == value for run in digit_runs):
        return True
    words = [word.lower() for word in _LETTERS.findall(text)]
    number_words = [*words, *(f"{tens}-{units}" for tens, units in pairwise(words))]
    if any(number(word) == value for word in number_words) or (value >= 100 and _HUNDREDS.search(text)):
        return True
    other_words = [_OTHER_WORDS[value]] if value in _OTHER_WORDS else []
    other_words += [f"{SMALL_NUMBERS[value]}th"] if value < len(SMALL_NUMBERS) else []
    return bool(other_words) and bool(re.search(rf"\b(?:{'|'.join(other_words)})\b", text, re.IGNORECASE))


def find_portions(text: str) -> Iterator[Fraction]:
    """Fractions in words: "two thirds", "one in four"."""
    return (Fraction(hits, tries) for _, hits, tries in match_portions(text))


def match_portions(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """The places of fractions in words, with their numerators and denominators."""
    for match in _PORTION.finditer(text):
        yield match, number(match[1] or "one") or 1, _DENOMINATORS[match[2][:3].lower()]
    for match in _OUT_OF.finditer(text):
        hits, tries = number(match[1]), number(match[2])
        if hits is not None and tries:
            yield match, hits, tries


def next_number(text: str) -> str:
    """The number one step above a written one: 6 for 5, 1,001 for 1,000, 41.8 for 41.7, Six for Five."""
    written = re.sub(r"[^0-9]", "", text)
    if not written:
        return _next_word(text)
    stepped = str(int(written) + 1).zfill(len(written))
    digits = iter(stepped[-len(written) :])
    same_length = re.sub(r"[0-9]", lambda _: next(digits), text)
    has_carry = len(stepped) > len(written)
    return re.sub(r"[0-9]", lambda digit: stepped[0] + digit[0], same_length, count=1) if has_carry else same_length


def _next_word(text: str) -> str:
    first, _, unit = text.lower().partition("-")
    value = CARDINALS[first] + (CARDINALS.get(unit) or int(unit == "one")) + 1
    names = "".join(_GERMAN_SMALL_NUMBERS[value : value + 1])
    spelled = (_spell(value) if first in _WORDS else names) or str(value)
    return spelled.capitalize() if text[0].isupper() else spelled


def _spell(value: int) -> str:
    """An English number word; empty from a hundred on."""
    if value < 20:
        return SMALL_NUMBERS[value]
    if value > 99:
        return ""
    return _TENS[value // 10 - 2] + (f"-{SMALL_NUMBERS[value % 10]}" if value % 10 else "")

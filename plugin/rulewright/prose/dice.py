"""Dice in prose: faces, dice codes and pool sizes that a text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .mood import Reading, StatedValue
from .number_words import AFTER_RESULT, AMOUNT, LIMIT, NUMBER, PLURAL, WORD, number
from .words import AND, DICE, NOW, ONLY, OTHER_DICE, POOL_IS, ROLLS, TAKES_DICE, WHOSE_DICE, A

ROLL = rf"\b{ROLLS}\b"
_ONE = rf"(?:\b{A}\s{NUMBER}|\b(?:[2-9]|{WORD})\s{PLURAL}|a\spair\sof\s{PLURAL}|{NUMBER})"
BETWEEN = rf"(?:\s*,\s*(?:{AND}\s)?|\s{AND}\s|\s?&\s?|\s?;\s?)"
_LIST = re.compile(rf"{_ONE}(?:{BETWEEN}{_ONE})+", re.IGNORECASE)
_SINGLE = re.compile(rf"{ROLL}\s+(?:{ONLY}\s)?({_ONE})", re.IGNORECASE)
_MORE = re.compile(
    rf"{_ONE}\s(?=on\s(?:the|a|his|her|their|its|your|my|that)\s(?:[\w’']+\s){{0,2}}di(?:e|ce)\b)", re.IGNORECASE
)
_BRACKETS = re.compile(r"\[\s*([0-9]{1,3}(?:\s*[,;+]?\s+[0-9]{1,3}|\s*,\s*[0-9]{1,3})*)\s*\]")
_ARTICLE = re.compile(rf"{A}\s(?=\S)", re.IGNORECASE)
PART = re.compile(_ONE, re.IGNORECASE)
TRIGGER = re.compile(ROLL, re.IGNORECASE)
_ON_DIE = re.compile(
    r"\s*,?\s*on\s(?:the|a|his|her|their|its|your|my|that)\s((?:[^\W\d_]+\s){0,2}?)(?:die|dice)\b", re.IGNORECASE
)
_DIE_SHOWS = re.compile(
    r"\b(?:the|his|her|their|its|your|my)\s((?:[^\W\d_]+\s){1,2}?)(?:die|dice)\s[\w\s]{0,20}$", re.IGNORECASE
)
_SINGLE_DIE_SHOWS = re.compile(
    r"\b(?:the|his|her|their|its|your|my)\s(?:(?:[^\W\d_]+\s){0,2}die|d[0-9]+)\s(?:\w+\s){1,2}(?:an?\s)?$",
    re.IGNORECASE,
)
_SUM_WORD = re.compile(r"\bplus\b|\s\+\s", re.IGNORECASE)
_DIE = r"(?:[0-9]{1,2}[dDW]|\b[dW])(?:100|20|12|10|[0-9]|%)(?![\w])"
_CODE = re.compile(
    rf"(?<![\w.+])(?:{_DIE}(?:\s?[+]\s?(?:{_DIE}|[0-9]{{1,2}}(?![\w%])))*|[0-9]{{1,2}}D(?:\s?[+]\s?[0-9])?(?![\w]))"
)
_SIGN = rf"(?:\s+{POOL_IS})?(?:\s+{NOW})?\s+"
_POOL = re.compile(rf"\bpool{_SIGN}({AMOUNT})(?:\s+(?:[\w-]+\s)?{DICE}\b)?(?!\s+dots|\s?[+/])", re.IGNORECASE)
_THROWN = re.compile(
    rf"\b{TAKES_DICE}\s(?:{WHOSE_DICE}\s){{0,2}}({AMOUNT})\s((?:[\w-]+\s){{0,2}}?){DICE}\b", re.IGNORECASE
)
_SHORT = re.compile(rf"\b{TAKES_DICE}\s(?:{WHOSE_DICE}\s){{0,2}}([0-9]{{1,2}})d(?=[\s.,;:!?)]|$)")  # 3d
_OTHERS = re.compile(rf"\b{OTHER_DICE}\b", re.IGNORECASE)


def find_faces(reading: Reading) -> Iterator[StatedValue]:
    """Lists of faces that came up; `what` is the kind of die if the text names it."""
    taken = bytearray(len(reading.text))
    for pattern in (_BRACKETS, _LIST, _MORE, _SINGLE):
        for found in pattern.finditer(reading.text, reading.label_end):
            start, end = found.span(1) if pattern in (_SINGLE, _BRACKETS) else found.span()
            end -= len(reading.text[start:end]) - len(reading.text[start:end].rstrip())
            if pattern is _LIST and is_sum_of_one_die(reading, start, end):
                end = start + next(PART.finditer(reading.text[start:end])).end()
            if not any(taken[start:end]) and _is_rolled(reading, pattern, found.start(), start, end):
                taken[start:end] = b"x" * (end - start)
                yield from _split_named_die(reading, start, end)


def is_sum_of_one_die(reading: Reading, start: int, end: int) -> bool:
    """True if a list is one face of a die and how it adds up: `the d20 shows a 16, and 16 plus 2`."""
    return bool(_SUM_WORD.search(reading.text, start, end) and _SINGLE_DIE_SHOWS.search(reading.before(start)))


def _split_named_die(reading: Reading, start: int, end: int) -> Iterator[StatedValue]:
    """Split off the last face of a list if only that one is on the named die: `3, 5 and a six on the wild die`."""
    text, named = reading.text[start:end], die_kind(reading, start, end)
    parts = list(PART.finditer(text))
    if named and len(parts) > 1 and _ARTICLE.match(parts[-1][0]) and _ON_DIE.match(reading.text, end):
        stop = start + parts[-2].end()
        yield reading.stated_value(start, stop, parse_faces(reading.text[start:stop]))
        start += parts[-1].start()
    yield reading.stated_value(start, end, parse_faces(reading.text[start:end]), named)


def _is_rolled(reading: Reading, pattern: re.Pattern[str], outer: int, start: int, end: int) -> bool:
    """True if a verb of rolling comes before a list of numbers, and no counted noun after it."""
    text = reading.text
    if not parse_faces(text[start:end]):
        return False
    if pattern is _BRACKETS:
        return bool(len(parse_faces(text[start:end])) > 1 or TRIGGER.search(reading.before(outer)))
    if LIMIT.match(text, end) or not AFTER_RESULT.match(text, end):
        return False
    return pattern is _SINGLE or bool(TRIGGER.search(text, reading.clause_start(start), start))


def parse_faces(text: str) -> tuple[int, ...]:
    """The faces of a list, as integers."""
    found: list[int] = []
    for part in PART.finditer(text):
        words = re.sub(rf"^{_ARTICLE.pattern}", "", part[0], flags=re.IGNORECASE).split()
        if part[0].lower().startswith("a pair of"):
            words = ["two", words[-1]]
        value = number(words[-1])
        times = number(words[0]) if len(words) == 2 else 1
        if value is not None and times is not None:
            found += [value] * min(times, 100)
    return tuple(found)


def die_kind(reading: Reading, start: int, end: int) -> str:
    """The kind of die in `a six on the wild die` and `the wild die shows a six`."""
    found = _ON_DIE.match(reading.text, end) or _DIE_SHOWS.search(reading.before(start))
    return found[1].strip().lower() if found else ""


def find_codes(reading: Reading) -> Iterator[StatedValue]:
    """Dice codes: 4D+2, d6+d4+1."""
    for found in _CODE.finditer(reading.text, reading.label_end):
        yield reading.stated_value(*found.span(), re.sub(r"\s", "", found[0]))


def find_pools(reading: Reading) -> Iterator[StatedValue]:
    """Number of dice in the first roll."""
    taken: set[int] = set()
    for pattern in (_POOL, _THROWN, _SHORT):
        for found in pattern.finditer(reading.text, reading.label_end):
            value = number(found[1])
            named = found[2] if pattern is _THROWN else ""
            others = _OTHERS.search(named) or (pattern is not _SHORT and _is_rating(reading, found.end()))
            if value is not None and found.start(1) not in taken and not others:
                taken.add(found.start(1))
                yield reading.stated_value(*found.span(1), value, named.strip().lower(), found.end())


def _is_rating(reading: Reading, end: int) -> bool:
    return bool(re.match(r"\s+(?:in|more|fewer|less|mehr|weniger)\b", reading.text[end:], re.IGNORECASE))

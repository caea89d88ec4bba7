"""What a die can show, and what the cell of a table says about it: `d66`, `01–05`, `20+`, `2 or less`."""

from __future__ import annotations

import re
from itertools import product
from typing import NamedTuple

LONGEST = 48  # characters of a cell that names results; anything longer is a sentence
MOST_RESULTS = 10_000
USUAL = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 50, 100, 1000}  # what dice are made with
DIE_TEXT = r"(?P<count>\d{0,2})\s?[dDwW](?P<sides>\d{1,4}|%|F)(?![\w%])"
SHIFT = r"\s?(?P<sign>[+−–-])\s?(?P<shift>\d{1,3}(?!\w)|[A-Za-z±][^|()]{0,30})"
WORDS = r"(?:(?:the|a|die|dice|roll|rolls|rolled|result|results|total|throw|score|number|no\.|wurf|ergebnis)\s?)"
HEADER = re.compile(
    rf"\(?{WORDS}{{0,3}}[(:\[]?\s?{DIE_TEXT}(?:{SHIFT})?\s?[)\]]?\s?{WORDS}{{0,2}}[):.]?", re.IGNORECASE
)
NAMED = re.compile(rf"(?<![\w+×*/-]){DIE_TEXT}(?:{SHIFT})?")
PLAIN = re.compile(rf"(?:[#№]|{WORDS}{{0,3}})[:.]?", re.IGNORECASE)
MARKS = re.compile(r"(?:\[\^?\w{1,8}\]|[.:)*†‡°])+\Z")
NUMBER = r"[+−–-]?\d{1,4}"
RANGE = re.compile(rf"({NUMBER})\s?(?:[-–—−‒‑~]|\.\.\.?|…|\bto\b|\bbis\b|\bthrough\b)\s?({NUMBER})")
MORE = re.compile(
    rf"(?:({NUMBER})\s?(?:\+|plus|(?:or|and|oder)\s(?:more|higher|above|up|over|greater|better|beyond|mehr|höher))"
    rf"|(?:≥|>=|at least)\s?({NUMBER}))"
)
LESS = re.compile(
    rf"(?:({NUMBER})\s?(?:or|and|oder)\s(?:less|lower|below|under|fewer|down|worse|weniger)"
    rf"|(?:≤|<=|at most|up to|bis)\s?({NUMBER}))"
)
DANGLING = re.compile(rf"({NUMBER})\s?[-–—−]")
SINGLE = re.compile(rf"({NUMBER})")
SEVERAL = re.compile(r"\s?(?:[,;/&]|\bor\b|\band\b|\boder\b|\bund\b)\s?")
SLIP = re.compile(r"[\dlIOo]{1,4}(?:\s?[-–—]\s?[\dlIOo]{1,4})?")


class Die(NamedTuple):
    """A die or a sum of dice, as a table names it, with all it can show."""

    text: str
    results: tuple[int, ...]
    modified: bool = False  # something unknown is added
    digits: int = 0  # d66 and its kind: so many dice, read as digits

    @property
    def zero_is_top(self) -> bool:
        """On these dice, 0 or 00 is also what the highest result is called."""
        return self.results in (range_of(1, 10), range_of(1, 100), range_of(1, 1000))


def range_of(low: int, high: int) -> tuple[int, ...]:
    return tuple(range(low, high + 1))


class Stretch(NamedTuple):
    """Results that follow each other; where it is open, others lie beyond: `-` below, `+` above."""

    low: int
    high: int
    open: str = ""


def die_of(header: str) -> Die | None:
    """The die that a cell names, if it names nothing else."""
    text = header.strip()
    found = HEADER.fullmatch(text) if len(text) <= LONGEST else None
    return made(found) if found else None


def dice_in(text: str) -> list[Die]:
    """Every die that a heading or a caption names."""
    return [die for found in NAMED.finditer(text) if (die := made(found))]


def made(found: re.Match[str]) -> Die | None:
    count, sides, shift = found["count"], found["sides"], found["shift"] or ""
    text = f"{count}d{sides}" + (f"{found['sign']}{shift}" if shift else "")
    added = (int(shift) if found["sign"] == "+" else -int(shift)) if shift.isdigit() else 0
    results, digits = shown(int(count or 1), sides)
    modified = bool(shift) and not shift.isdigit()
    return Die(text, tuple(result + added for result in results), modified, digits) if results else None


def shown(count: int, sides: str) -> tuple[tuple[int, ...], int]:
    """What so many dice can show, and of how many digits when they are read as digits."""
    if sides == "F":
        return range_of(-count, count), 0
    faces = 100 if sides == "%" else int(sides)
    if count == 1 and len(sides) in (2, 3) and set(sides) in ({"4"}, {"6"}, {"8"}):
        return as_digits(int(sides[0]), len(sides)), len(sides)
    usual = faces in USUAL and not sides.startswith("0") and 0 < count * faces <= MOST_RESULTS
    return (range_of(count, count * faces) if usual else ()), 0


def as_digits(faces: int, digits: int) -> tuple[int, ...]:
    """11 to 66, but only where every digit is a face."""
    numbers = product(map(str, range(1, faces + 1)), repeat=digits)
    return tuple(int("".join(number)) for number in numbers)


def is_plain(header: str) -> bool:
    """A header that says no more than that numbers stand below it."""
    return len(header) <= LONGEST and bool(PLAIN.fullmatch(header.strip()))


def stretches(text: str) -> tuple[Stretch, ...]:
    """The results that a cell names; none where it says anything else."""
    text = MARKS.sub("", text.strip()).strip().strip("()") if len(text) <= LONGEST else ""
    if found := one(text.lower()):
        return (found,)
    parts = [one(part) for part in SEVERAL.split(text.lower())] if text else []
    known = tuple(part for part in parts if part)
    return known if len(known) == len(parts) and not any(part.open for part in known) else ()


def one(text: str) -> Stretch | None:
    if found := RANGE.fullmatch(text):
        return Stretch(number(found[1]), number(found[2]))
    if found := MORE.fullmatch(text):
        low = number(found[1] or found[2])
        return Stretch(low, low, "+")
    if found := LESS.fullmatch(text):
        high = number(found[1] or found[2])
        return Stretch(high, high, "-")
    if found := DANGLING.fullmatch(text):
        return Stretch(number(found[1]), number(found[1]), "?")  # «2-» at the top, «12-» at the end
    return Stretch(number(text), number(text)) if SINGLE.fullmatch(text) else None


def number(text: str) -> int:
    sign = -1 if text[0] in "−–-" else 1
    return sign * int(text.lstrip("+−–-"))


def is_slip(text: str) -> bool:
    """A number with a letter in it that looks like a digit: `l2`, `1O–15`."""
    text = text.strip()
    return bool(SLIP.fullmatch(text)) and any(sign.isalpha() for sign in text) and any(map(str.isdigit, text))

"""Parses tables of dice results: the die in the header, and the results that each row is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage

LONGEST = 48  # characters of a cell with results; longer cells are sentences
MOST_RESULTS = 10_000
USUAL = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 50, 100, 1000}  # sides that dice are made with
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
    """A die or a sum of dice in a table, with all its possible results."""

    text: str
    results: tuple[int, ...]
    modified: bool = False  # an unknown modifier is added
    digits: int = 0  # for d66 and the like: the number of dice that are read as digits

    @property
    def zero_is_top(self) -> bool:
        """Whether 0 or 00 can stand for the highest result."""
        return self.results in (range_of(1, 10), range_of(1, 100), range_of(1, 1000))


def range_of(low: int, high: int) -> tuple[int, ...]:
    return tuple(range(low, high + 1))


class Stretch(NamedTuple):
    """A range of results. `open` is "-" if it includes everything below, "+" if everything above."""

    low: int
    high: int
    open: str = ""


def die_of(header: str) -> Die | None:
    """The die in a header cell; None if the cell says anything else."""
    text = header.strip()
    found = HEADER.fullmatch(text) if len(text) <= LONGEST else None
    return made(found) if found else None


def dice_in(text: str) -> list[Die]:
    """All dice in a heading or caption."""
    return [die for found in NAMED.finditer(text) if (die := made(found))]


def made(found: re.Match[str]) -> Die | None:
    count, sides, shift = found["count"], found["sides"], found["shift"] or ""
    text = f"{count}d{sides}" + (f"{found['sign']}{shift}" if shift else "")
    added = (int(shift) if found["sign"] == "+" else -int(shift)) if shift.isdigit() else 0
    results, digits = shown(int(count or 1), sides)
    modified = bool(shift) and not shift.isdigit()
    return Die(text, tuple(result + added for result in results), modified, digits) if results else None


def shown(count: int, sides: str) -> tuple[tuple[int, ...], int]:
    """The possible results, and the number of digits for dice that are read as digits."""
    if sides == "F":
        return range_of(-count, count), 0
    faces = 100 if sides == "%" else int(sides)
    if count == 1 and len(sides) in (2, 3) and set(sides) in ({"4"}, {"6"}, {"8"}):
        return as_digits(int(sides[0]), len(sides)), len(sides)
    usual = faces in USUAL and not sides.startswith("0") and 0 < count * faces <= MOST_RESULTS
    return (range_of(count, count * faces) if usual else ()), 0


def as_digits(faces: int, digits: int) -> tuple[int, ...]:
    """The results of d66 and the like: 11 to 66, where every digit is a face."""
    numbers = product(map(str, range(1, faces + 1)), repeat=digits)
    return tuple(int("".join(number)) for number in numbers)


def is_plain(header: str) -> bool:
    """Whether a header says only that there are numbers below it."""
    return len(header) <= LONGEST and bool(PLAIN.fullmatch(header.strip()))


def stretches(text: str) -> tuple[Stretch, ...]:
    """Parse the results of a cell; empty if it says anything else."""
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
        return Stretch(number(found[1]), number(found[1]), "?")  # "2-" at the top, "12-" at the end
    return Stretch(number(text), number(text)) if SINGLE.fullmatch(text) else None


def number(text: str) -> int:
    sign = -1 if text[0] in "−–-" else 1
    return sign * int(text.lstrip("+−–-"))


def is_slip(text: str) -> bool:
    """Whether this is a number in which a letter stands for a digit: `l2`, `1O–15`."""
    text = text.strip()
    return bool(SLIP.fullmatch(text)) and any(sign.isalpha() for sign in text) and any(map(str.isdigit, text))


LONGEST_CAPTION = 300
DASHES = {"-", "–", "—", "−", "…", "..."}
BLOCK_NAME = re.compile(r"\^[A-Za-z0-9-]{1,60}")  # directly below a table, it is parsed as a row


class Claim(NamedTuple):
    """A cell and the results it is for; none if the cell has a typo."""

    cell: Passage
    stretches: tuple[Stretch, ...]

    @property
    def low(self) -> int:
        return min((stretch.low for stretch in self.stretches), default=0)

    @property
    def high(self) -> int:
        return max((stretch.high for stretch in self.stretches), default=0)


class Rolled(NamedTuple):
    """A die and the rows for its results."""

    die: Die
    claims: tuple[Claim, ...]
    table: Table
    doubtful: bool = False  # the die may be wrong: it comes from a caption, or the results are in the header


def rolled(tables: Sequence[Table]) -> list[Rolled]:
    """All dice tables of a page; lists that continue in another column or table are joined."""
    found: list[Rolled] = []
    for table in tables:
        beside = list(columns(table))
        found += beside_each_other(beside)
    return continued(found)


def columns(table: Table) -> Iterator[Rolled]:
    header, rows = table.header, table.rows
    if rows and not any(cell.text.strip() for cell in header):
        header, rows = rows[0], rows[1:]
    if first := die_of(header[0].text):
        dice = [first, *(die_of(cell.text) for cell in header[1:])]
        yield from across(table, first, header)
        yield from downwards(table, dice, list(zip(*rows, strict=True)))
    elif rows and is_plain(header[0].text) and (die := die_above(table)):
        yield from rows_made(table, die, tuple([row[0] for row in rows]), doubtful=True)


def across(table: Table, die: Die, header: Row) -> Iterator[Rolled]:
    """Results in the header, next to each other."""
    if len(header) > 3 and all(stretches(cell.text) for cell in header[1:]):
        yield from rows_made(table, die, header[1:], doubtful=True)


def downwards(table: Table, dice: Sequence[Die | None], below: Sequence[Row]) -> Iterator[Rolled]:
    """Columns of results with other columns between them; adjacent columns of dice are rolled together."""
    for number, (die, column) in enumerate(zip(dice, below, strict=False)):
        alone = not any(dice[number + 1 : number + 2]) and not (number and dice[number - 1])
        if die and alone and len(dice) > 1:
            yield from rows_made(table, die, column)


def die_above(table: Table) -> Die | None:
    """The only die in the caption, or else in the heading."""
    caption = table.caption if len(table.caption) <= LONGEST_CAPTION else ""
    dice = dice_in(caption) or dice_in(table.trail[-1] if table.trail else "")
    return dice[0] if len({die.text.lower() for die in dice}) == 1 else None


def rows_made(table: Table, die: Die, cells: Row, doubtful: bool = False) -> Iterator[Rolled]:
    claims: list[Claim] = []
    for cell in cells:
        text = cell.text.strip()
        if not text or text in DASHES or BLOCK_NAME.fullmatch(text):
            continue  # continues the row above
        found = stretches(text)
        if not found and not is_slip(text):
            return
        claims.append(Claim(cell, found))
    if claims and sum(not claim.stretches for claim in claims) <= 1:
        yield Rolled(die, tuple(claims), table, doubtful)


def beside_each_other(found: list[Rolled]) -> list[Rolled]:
    """Join columns of the same die that share almost no result: they are one list in several columns."""
    if len(found) < 2 or len({one.die for one in found}) > 1:
        return found
    named = [set(numbers(one)) for one in found]
    every = set().union(*named)
    if 4 * (sum(map(len, named)) - len(every)) > len(every):
        return found
    return [found[0]._replace(claims=tuple(claim for one in found for claim in one.claims))]


def numbers(one: Rolled) -> Iterator[int]:
    """The results in all rows; long ranges are cut off."""
    for stretch in (stretch for claim in one.claims for stretch in claim.stretches):
        yield from range(stretch.low, min(stretch.high, stretch.low + len(one.die.results)) + 1)


def continued(found: list[Rolled]) -> list[Rolled]:
    """Join a table that stops before the highest result with the next one, if that one continues it."""
    joined: list[Rolled] = []
    for one in found:
        if joined and goes_on(joined[-1], one):
            joined[-1] = joined[-1]._replace(claims=joined[-1].claims + one.claims)
        else:
            joined.append(one)
    return joined


def goes_on(first: Rolled, second: Rolled) -> bool:
    same = first.die.results == second.die.results
    last = max(claim.high for claim in first.claims)
    return same and last < first.die.results[-1] and last < min(claim.low for claim in second.claims)

"""Parses tables of dice results: the die in the header, and the results that each row is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from ..book.tables import Row, Table
from ..book.text import Passage
from ..prose.words import AT_LEAST, AT_MOST, OR_LESS, OR_MORE, TO

_MAX_CELL_LENGTH = 48  # characters of a cell with results; longer cells are sentences
_MAX_RESULTS = 10_000
_COMMON_SIDES = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 50, 100, 1000}  # sides that dice are made with
_DIE_TEXT = r"(?P<count>\d{0,2})\s?[dDwW](?P<sides>\d{1,4}|%|F)(?![\w%])"
_SHIFT = r"\s?(?P<sign>[+−–-])\s?(?P<shift>\d{1,3}(?!\w)|[A-Za-z±][^|()]{0,30})"
_WORDS = r"(?:(?:the|a|die|dice|roll|rolls|rolled|result|results|total|throw|score|number|no\.|wurf|ergebnis)\s?)"
_HEADER = re.compile(
    rf"\(?{_WORDS}{{0,3}}[(:\[]?\s?{_DIE_TEXT}(?:{_SHIFT})?\s?[)\]]?\s?{_WORDS}{{0,2}}[):.]?", re.IGNORECASE
)
_DIE_IN_TEXT = re.compile(rf"(?<![\w+×*/-]){_DIE_TEXT}(?:{_SHIFT})?")
_PLAIN_HEADER = re.compile(rf"(?:[#№]|{_WORDS}{{0,3}})[:.]?", re.IGNORECASE)
_ROLL_HEADER = re.compile(
    r"(?:(?:the|a|die|dice)\s)?(?:rolls?|wurf|würfelwurf|кидок|бросок|jet|tirada|tiro|lancio|rzut|worp)[:.]?",
    re.IGNORECASE,
)
_USUAL_TOPS = (6, 8, 10, 12, 20, 100)
_MIN_WIDE = 3  # rows with more than one result before a table that names no die is one for dice
_RATIO = 5  # of so many rows, one may not go on where the row before it ends
_FOOTNOTE_MARKS = re.compile(r"(?:\[\^?\w{1,8}\]|[.:)*†‡°])+\Z")
_NUMBER = r"[+−–-]?\d{1,4}"
_RANGE = re.compile(rf"({_NUMBER})\s?(?:[-–—−‒‑~]|\.\.\.?|…|{TO})\s?({_NUMBER})")
_OR_MORE = re.compile(rf"(?:({_NUMBER})\s?(?:\+|plus|{OR_MORE})|(?:≥|>=|{AT_LEAST})\s?({_NUMBER}))")
_OR_LESS = re.compile(rf"(?:({_NUMBER})\s?{OR_LESS}|(?:≤|<=|{AT_MOST}|bis)\s?({_NUMBER}))")
_OPEN_DASH = re.compile(rf"({_NUMBER})\s?[-–—−]")
_SINGLE = re.compile(rf"({_NUMBER})")
_LIST_SEPARATOR = re.compile(r"\s?(?:[,;/&]|\bor\b|\band\b|\boder\b|\bund\b)\s?")
_TYPO = re.compile(r"[\dlIOo]{1,4}(?:\s?[-–—]\s?[\dlIOo]{1,4})?")
_WRONG_SIGN = re.compile(r"\d{1,4}\s?[^\w\s]{1,2}\s?\d{1,4}")


class Die(NamedTuple):
    """A die or a sum of dice in a table, with all its possible results."""

    text: str
    results: tuple[int, ...]
    is_modified: bool = False  # an unknown modifier is added
    digit_count: int = 0  # for d66 and the like: the number of dice that are read as digits

    @property
    def zero_is_highest(self) -> bool:
        """Whether 0 or 00 can stand for the highest result."""
        count = len(self.results)
        return count in (10, 100, 1000) and self.results[0] == 1 and self.results[-1] == count


def range_of(low: int, high: int) -> tuple[int, ...]:
    return tuple(range(low, high + 1))


class ResultRange(NamedTuple):
    """A range of results. `open` is "-" if it includes everything below, "+" if everything above."""

    low: int
    high: int
    open: str = ""


def parse_header(header: str) -> Die | None:
    """The die in a header cell; None if the cell says anything else."""
    text = header.strip()
    match = _HEADER.fullmatch(text) if len(text) <= _MAX_CELL_LENGTH else None
    return _make_die(match) if match else None


def _dice_in_text(text: str) -> list[Die]:
    """All dice in a heading or caption."""
    return [die for match in _DIE_IN_TEXT.finditer(text) if (die := _make_die(match))]


def _make_die(match: re.Match[str]) -> Die | None:
    count, sides, shift = match["count"], match["sides"], match["shift"] or ""
    text = f"{count}d{sides}" + (f"{match['sign']}{shift}" if shift else "")
    added = (int(shift) if match["sign"] == "+" else -int(shift)) if shift.isdigit() else 0
    results, digits = _possible_results(int(count or 1), sides)
    modified = bool(shift) and not shift.isdigit()
    return Die(text, tuple(result + added for result in results), modified, digits) if results else None


def _possible_results(count: int, sides: str) -> tuple[tuple[int, ...], int]:
    """The possible results, and the number of digits for dice that are read as digits."""
    if sides == "F":
        return range_of(-count, count), 0
    faces = 100 if sides == "%" else int(sides)
    if count == 1 and len(sides) in (2, 3) and set(sides) in ({"4"}, {"6"}, {"8"}):
        return _digit_results(int(sides[0]), len(sides)), len(sides)
    usual = faces in _COMMON_SIDES and not sides.startswith("0") and 0 < count * faces <= _MAX_RESULTS
    return (range_of(count, count * faces) if usual else ()), 0


def _digit_results(faces: int, digits: int) -> tuple[int, ...]:
    """The results of d66 and the like: 11 to 66, where every digit is a face."""
    numbers = product(map(str, range(1, faces + 1)), repeat=digits)
    return tuple(int("".join(number)) for number in numbers)


def _is_plain_header(header: str) -> bool:
    """Whether a header says only that there are numbers below it."""
    return len(header) <= _MAX_CELL_LENGTH and bool(_PLAIN_HEADER.fullmatch(header.strip()))


def parse_results(text: str) -> tuple[ResultRange, ...]:
    """Parse the results of a cell; empty if it says anything else."""
    text = _FOOTNOTE_MARKS.sub("", text.strip()).strip().strip("()") if len(text) <= _MAX_CELL_LENGTH else ""
    if single_range := _parse_range(text.lower()):
        return (single_range,)
    parts = [_parse_range(part) for part in _LIST_SEPARATOR.split(text.lower())] if text else []
    known = tuple(part for part in parts if part)
    return known if len(known) == len(parts) and not any(part.open for part in known) else ()


def _parse_range(text: str) -> ResultRange | None:
    if match := _RANGE.fullmatch(text):
        return ResultRange(_parse_number(match[1]), _parse_number(match[2]))
    if match := _OR_MORE.fullmatch(text):
        low = _parse_number(match[1] or match[2])
        return ResultRange(low, low, "+")
    if match := _OR_LESS.fullmatch(text):
        high = _parse_number(match[1] or match[2])
        return ResultRange(high, high, "-")
    if match := _OPEN_DASH.fullmatch(text):
        return ResultRange(_parse_number(match[1]), _parse_number(match[1]), "?")  # "2-" at the top, "12-" at the end
    return ResultRange(_parse_number(text), _parse_number(text)) if _SINGLE.fullmatch(text) else None


def _parse_number(text: str) -> int:
    sign = -1 if text[0] in "−–-" else 1
    return sign * int(text.lstrip("+−–-"))


def _is_typo(text: str) -> bool:
    """Whether a letter is in place of a digit here, or two numbers have a wrong sign: `l2`, `1O–15`, `7=9`."""
    text = text.strip()
    if _WRONG_SIGN.fullmatch(text):
        return True
    return (
        bool(_TYPO.fullmatch(text)) and any(character.isalpha() for character in text) and any(map(str.isdigit, text))
    )


_MAX_CAPTION_LENGTH = 300
_DASHES = {"-", "–", "—", "−", "…", "..."}
_BLOCK_NAME = re.compile(r"\^[A-Za-z0-9-]{1,60}")  # directly below a table, it is parsed as a row


class Entry(NamedTuple):
    """A cell and the results it is for; none if the cell has a typo."""

    cell: Passage
    ranges: tuple[ResultRange, ...]

    @property
    def low(self) -> int:
        return min((result_range.low for result_range in self.ranges), default=0)

    @property
    def high(self) -> int:
        return max((result_range.high for result_range in self.ranges), default=0)


class DiceTable(NamedTuple):
    """A die and the rows for its results."""

    die: Die
    entries: tuple[Entry, ...]
    table: Table
    is_doubtful: bool = False  # the die may be wrong: it comes from a caption, or the results are in the header


def find_dice_tables(tables: Sequence[Table]) -> list[DiceTable]:
    """All dice tables of a page; lists that continue in another column or table are joined."""
    dice_tables: list[DiceTable] = []
    for table in tables:
        parts = list(_parse_table(table))
        dice_tables += _join_columns(parts)
    return _join_tables(dice_tables)


def _parse_table(table: Table) -> Iterator[DiceTable]:
    header, rows = table.header, table.rows
    if rows and not any(cell.text.strip() for cell in header):
        header, rows = rows[0], rows[1:]
    if first := parse_header(header[0].text):
        dice = [first, *(parse_header(cell.text) for cell in header[1:])]
        yield from _parse_header_row(table, first, header)
        yield from _parse_columns(table, dice, list(zip(*rows, strict=True)))
    elif rows and _is_plain_header(header[0].text) and (die := _die_from_caption(table)):
        yield from _make_dice_table(table, die, tuple([row[0] for row in rows]), doubtful=True)
    elif rows and _ROLL_HEADER.fullmatch(header[0].text.strip()):
        columns = zip(header, zip(*rows, strict=True), strict=True)
        yield from _parse_rolls(table, [cells for head, cells in columns if _ROLL_HEADER.fullmatch(head.text.strip())])


def _parse_rolls(table: Table, columns: Sequence[Row]) -> Iterator[DiceTable]:
    """Columns of results that name no die: a list for each column, or one that goes on in the next."""
    cells = tuple([cell for column in columns for cell in column])
    for lists in (columns, [cells]):
        dice = [_die_from_results(_read_entries(column)) for column in lists]
        if all(dice):
            for die, column in zip(dice, lists, strict=True):
                if die:
                    yield from _make_dice_table(table, die, column, doubtful=True)
            return


def _die_from_results(entries: Sequence[Entry]) -> Die | None:
    """The die whose results are listed, where nearly every row goes on where the one before it ends."""
    ranges = sorted(stretch for entry in entries for stretch in entry.ranges if (stretch.low, stretch.high) != (0, 0))
    wide = [stretch for stretch in ranges if stretch.low != stretch.high]
    if len(wide) < _MIN_WIDE or ranges[0].low != 1 or any(stretch.open for stretch in ranges):
        return None
    top = max(stretch.high or stretch.low for stretch in ranges)
    if any(stretch.high == 0 for entry in entries for stretch in entry.ranges):  # 00 is the highest
        top = 100 if top > 50 else 10
    going_on = sum(after.low == before.high + 1 for before, after in pairwise(ranges))
    if top not in _USUAL_TOPS or _RATIO * (len(ranges) - 1 - going_on) > len(ranges):
        return None
    return Die(f"d{top}", range_of(1, top))


def _parse_header_row(table: Table, die: Die, header: Row) -> Iterator[DiceTable]:
    """Results in the header, next to each other."""
    if len(header) > 3 and all(parse_results(cell.text) for cell in header[1:]):
        yield from _make_dice_table(table, die, header[1:], doubtful=True)


def _parse_columns(table: Table, dice: Sequence[Die | None], below: Sequence[Row]) -> Iterator[DiceTable]:
    """Columns of results with other columns between them; adjacent columns of dice are rolled together."""
    for number, (die, column) in enumerate(zip(dice, below, strict=False)):
        alone = not any(dice[number + 1 : number + 2]) and not (number and dice[number - 1])
        if die and alone and len(dice) > 1:
            yield from _make_dice_table(table, die, column)


def _die_from_caption(table: Table) -> Die | None:
    """The only die in the caption, or else in the heading."""
    caption = table.caption if len(table.caption) <= _MAX_CAPTION_LENGTH else ""
    dice = _dice_in_text(caption) or _dice_in_text(table.trail[-1] if table.trail else "")
    return dice[0] if len({die.text.lower() for die in dice}) == 1 else None


def _make_dice_table(table: Table, die: Die, cells: Row, doubtful: bool = False) -> Iterator[DiceTable]:
    if entries := _read_entries(cells):
        yield DiceTable(die, entries, table, doubtful)


def _read_entries(cells: Row) -> tuple[Entry, ...]:
    """The cells with results; none if a cell says anything else, or more than one has a typo."""
    entries: list[Entry] = []
    for cell in cells:
        text = cell.text.strip()
        if not text or text in _DASHES or _BLOCK_NAME.fullmatch(text):
            continue  # continues the row above
        ranges = parse_results(text)
        if not ranges and not _is_typo(text):
            return ()
        entries.append(Entry(cell, ranges))
    return tuple(entries) if sum(not entry.ranges for entry in entries) <= 1 else ()


def _join_columns(dice_tables: list[DiceTable]) -> list[DiceTable]:
    """Join columns of the same die that share almost no result: they are one list in several columns."""
    if len(dice_tables) < 2 or len({dice_table.die for dice_table in dice_tables}) > 1:
        return dice_tables
    named = [set(_listed_results(dice_table)) for dice_table in dice_tables]
    all_results = set().union(*named)
    if 4 * (sum(map(len, named)) - len(all_results)) > len(all_results):
        return dice_tables
    return [dice_tables[0]._replace(entries=tuple(entry for dice_table in dice_tables for entry in dice_table.entries))]


def _listed_results(dice_table: DiceTable) -> Iterator[int]:
    """The results in all rows; long ranges are cut off."""
    for result_range in (stretch for entry in dice_table.entries for stretch in entry.ranges):
        yield from range(result_range.low, min(result_range.high, result_range.low + len(dice_table.die.results)) + 1)


def _join_tables(dice_tables: list[DiceTable]) -> list[DiceTable]:
    """Join a table that stops before the highest result with the next one, if that one continues it."""
    joined: list[DiceTable] = []
    for dice_table in dice_tables:
        if joined and _is_continued_by(joined[-1], dice_table):
            joined[-1] = joined[-1]._replace(entries=joined[-1].entries + dice_table.entries)
        else:
            joined.append(dice_table)
    return joined


def _is_continued_by(first: DiceTable, second: DiceTable) -> bool:
    same = first.die.results == second.die.results
    last = max(entry.high for entry in first.entries)
    return same and last < first.die.results[-1] and last < min(entry.low for entry in second.entries)

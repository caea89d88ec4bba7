"""The rows of a table with dice: which cells name results, and in which tables they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...book.prose import Passage
from ...book.tables import Row, Table
from .results import Die, Stretch, dice_in, die_of, is_plain, is_slip, stretches

LONGEST_CAPTION = 300
DASHES = {"-", "–", "—", "−", "…", "..."}
BLOCK_NAME = re.compile(r"\^[A-Za-z0-9-]{1,60}")  # directly below a table it becomes a row


class Claim(NamedTuple):
    """A cell and the results it is for; a slip is for nothing."""

    cell: Passage
    stretches: tuple[Stretch, ...]

    @property
    def low(self) -> int:
        return min((stretch.low for stretch in self.stretches), default=0)

    @property
    def high(self) -> int:
        return max((stretch.high for stretch in self.stretches), default=0)


class Rolled(NamedTuple):
    """Rows that share out the results of a die among them."""

    die: Die
    claims: tuple[Claim, ...]
    table: Table
    doubtful: bool = False  # the die may be another one: a caption names it, or numbers stand beside it


def rolled(tables: Sequence[Table]) -> list[Rolled]:
    """All of a page; what goes on in another column or table is put together."""
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
        yield from made(table, die, tuple([row[0] for row in rows]), doubtful=True)


def across(table: Table, die: Die, header: Row) -> Iterator[Rolled]:
    """Results side by side in the header."""
    if len(header) > 3 and all(stretches(cell.text) for cell in header[1:]):
        yield from made(table, die, header[1:], doubtful=True)


def downwards(table: Table, dice: Sequence[Die | None], below: Sequence[Row]) -> Iterator[Rolled]:
    """Columns of which the next one is no die: there, several dice are read together."""
    for number, (die, column) in enumerate(zip(dice, below, strict=False)):
        alone = not any(dice[number + 1 : number + 2]) and not (number and dice[number - 1])
        if die and alone and len(dice) > 1:
            yield from made(table, die, column)


def die_above(table: Table) -> Die | None:
    """The one die that the caption names, or else the heading."""
    caption = table.caption if len(table.caption) <= LONGEST_CAPTION else ""
    dice = dice_in(caption) or dice_in(table.trail[-1] if table.trail else "")
    return dice[0] if len({die.text.lower() for die in dice}) == 1 else None


def made(table: Table, die: Die, cells: Row, doubtful: bool = False) -> Iterator[Rolled]:
    claims: list[Claim] = []
    for cell in cells:
        text = cell.text.strip()
        if not text or text in DASHES or BLOCK_NAME.fullmatch(text):
            continue  # the row above goes on
        found = stretches(text)
        if not found and not is_slip(text):
            return
        claims.append(Claim(cell, found))
    if claims and sum(not claim.stretches for claim in claims) <= 1:
        yield Rolled(die, tuple(claims), table, doubtful)


def beside_each_other(found: list[Rolled]) -> list[Rolled]:
    """Columns of one die that have next to no result in common are one list in several columns."""
    if len(found) < 2 or len({one.die for one in found}) > 1:
        return found
    named = [set(numbers(one)) for one in found]
    every = set().union(*named)
    if 4 * (sum(map(len, named)) - len(every)) > len(every):
        return found
    return [found[0]._replace(claims=tuple(claim for one in found for claim in one.claims))]


def numbers(one: Rolled) -> Iterator[int]:
    """The results named, or the ends of stretches that are too long."""
    for stretch in (stretch for claim in one.claims for stretch in claim.stretches):
        yield from range(stretch.low, min(stretch.high, stretch.low + len(one.die.results)) + 1)


def continued(found: list[Rolled]) -> list[Rolled]:
    """A table that ends before its die does goes on in the next one that begins behind it."""
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

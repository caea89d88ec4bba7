"""Does a table have exactly one row for each result of its die?"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from .results import Die, Stretch, range_of
from .rows import Claim

FEWEST_ROWS = 3
MOST_RANGE = 10_000


class Coverage(NamedTuple):
    """How the rows of a table fit the results they should share out."""

    expected: tuple[int, ...]
    claims: tuple[Claim, ...]
    lacking: tuple[int, ...]
    doubled: tuple[int, ...]
    outside: tuple[Claim, ...]  # rows for what the die never shows
    open: bool  # an end is open, or something is added to the die

    @property
    def perfect(self) -> bool:
        return not (self.lacking or self.doubled or self.outside)


def coverage(die: Die, claims: Sequence[Claim]) -> Coverage | None:
    """Nothing where the rows do not share out the results of one throw."""
    if sum(bool(claim.stretches) for claim in claims) < FEWEST_ROWS:
        return None
    die, claims = named_zero(die, claims)
    known = aimed(claims)
    if known is None:
        return None
    opened = [stretch.open for claim in known for stretch in claim.stretches if stretch.open]
    if len(set(opened)) < len(opened) or (die.digits and opened):
        return None
    loose = die.modified or bool(opened)
    expected = between(known) if loose else die.results
    return covered(expected, known, loose) if expected else None


def between(claims: Sequence[Claim]) -> tuple[int, ...]:
    """From the lowest result named to the highest."""
    low, high = ends(claims)
    return range_of(low, high) if high - low < MOST_RANGE else ()


def named_zero(die: Die, claims: Sequence[Claim]) -> tuple[Die, Sequence[Claim]]:
    """0 or 00 is the highest result of these dice, unless the table begins with it."""
    bounds = [bound for claim in claims for stretch in claim.stretches for bound in (stretch.low, stretch.high)]
    if not die.zero_is_top or 0 not in bounds:
        return die, claims
    top = die.results[-1]
    if top not in bounds and begins_with_zero(claims, top):
        return die._replace(results=tuple(result - 1 for result in die.results)), claims
    return die, [claim._replace(stretches=tuple(risen(one, top) for one in claim.stretches)) for claim in claims]


def begins_with_zero(claims: Sequence[Claim], top: int) -> bool:
    """It stands at the low end: beside 1, far from the highest."""
    first, last = claims[0], claims[-1]
    if first.low == 0 and first.stretches:
        return last.high == top - 1 or last.low > first.high
    return last.low == 0 and first.high == top - 1


def risen(stretch: Stretch, top: int) -> Stretch:
    high = stretch.high or top
    return Stretch(high if stretch.low == stretch.high else stretch.low, high, stretch.open)


def aimed(claims: Sequence[Claim]) -> tuple[Claim, ...] | None:
    """«2-» is open below when it stands at the low end, above at the high end, and elsewhere means nothing we know."""
    low, high = ends(claims)
    known = []
    for claim in claims:
        if claim.stretches and claim.stretches[0].open == "?":
            end = "-" if claim.low == low else "+" if claim.high == high else ""
            if not end:
                return None
            known.append(claim._replace(stretches=(claim.stretches[0]._replace(open=end),)))
        else:
            known.append(claim)
    return falling(tuple(known))


def ends(claims: Sequence[Claim]) -> tuple[int, int]:
    named = [claim for claim in claims if claim.stretches]
    return min(claim.low for claim in named), max(claim.high for claim in named)


def falling(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Where all stretches are written from high to low, they are turned around."""
    wide = [one for claim in claims for one in claim.stretches if one.low != one.high]
    if not wide or any(one.low < one.high for one in wide) or len(wide) < 2:
        return claims
    return tuple(
        claim._replace(stretches=tuple(Stretch(min(one[:2]), max(one[:2]), one.open) for one in claim.stretches))
        for claim in claims
    )


def covered(expected: tuple[int, ...], claims: tuple[Claim, ...], loose: bool) -> Coverage:
    counts = counted(expected, claims)
    lacking = tuple(result for result, count in zip(expected, counts, strict=True) if not count)
    if not lacking:
        claims = tuple(without_repetition(claims))
        counts = counted(expected, claims)
    doubled = tuple(result for result, count in zip(expected, counts, strict=True) if count > 1)
    known = set(expected)
    outside = tuple(claim for claim in claims if not all(fits(one, known) for one in claim.stretches))
    return Coverage(expected, claims, lacking, doubled, outside, loose)


def fits(stretch: Stretch, known: set[int]) -> bool:
    return stretch.low in known and stretch.high in known and stretch.low <= stretch.high


def counted(expected: tuple[int, ...], claims: Iterable[Claim]) -> list[int]:
    """How many rows there are for each result."""
    change = [0] * (len(expected) + 1)
    for stretch in (stretch for claim in claims for stretch in claim.stretches):
        first = 0 if stretch.open == "-" else bisect_left(expected, stretch.low)
        last = len(expected) if stretch.open == "+" else bisect_right(expected, stretch.high)
        if first < last:
            change[first] += 1
            change[last] -= 1
    return list(accumulate(change[:-1]))


def without_repetition(claims: Sequence[Claim]) -> Iterable[Claim]:
    """A result that is named again in the next row has two rows on purpose, when nothing is lacking."""
    yield claims[0]
    yield from (after for before, after in pairwise(claims) if after.stretches != before.stretches)


def trusted(found: Coverage) -> bool:
    """Is the table close enough to sharing out the results once that what differs is a slip?"""
    rows, results = len(found.claims), len(found.expected)
    counts = counted(found.expected, found.claims)
    gaps = len(runs(found.expected, found.lacking))
    return (
        rows >= FEWEST_ROWS
        and 3 * len(found.lacking) < results
        and 3 * len(found.doubled) <= results
        and 3 * gaps <= rows + 1
        and 3 * len(found.outside) <= rows
        and not (counts[0] > 1 and counts[-1] > 1)
    )


def runs(expected: Sequence[int], results: Iterable[int]) -> list[tuple[int, int]]:
    """Results that follow each other in the table, each run by its ends."""
    place = {result: number for number, result in enumerate(expected)}
    grouped = groupby(enumerate(results), key=lambda pair: place[pair[1]] - pair[0])
    found = [[result for _, result in group] for _, group in grouped]
    return [(run[0], run[-1]) for run in found]

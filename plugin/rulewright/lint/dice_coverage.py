"""Compares the rows of a dice table with the results of its die."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from .dice_results import Die, Entry, ResultRange, range_of

_MIN_ROWS = 3
_MAX_RANGE = 10_000


class Coverage(NamedTuple):
    """How the rows of a table cover the expected results."""

    expected: tuple[int, ...]
    entries: tuple[Entry, ...]
    missing: tuple[int, ...]
    doubled: tuple[int, ...]
    outside: tuple[Entry, ...]  # rows with results that are impossible on this die
    is_open: bool  # a range is open, or the die has an unknown modifier

    @property
    def is_complete(self) -> bool:
        return not (self.missing or self.doubled or self.outside)


def compute_coverage(die: Die, entries: Sequence[Entry]) -> Coverage | None:
    """Compare rows and results; None where the rows are not a list of results."""
    if sum(bool(entry.ranges) for entry in entries) < _MIN_ROWS:
        return None
    die, entries = _resolve_zero(die, entries)
    resolved = _resolve_open_dashes(entries)
    if resolved is None:
        return None
    opened = [result_range.open for entry in resolved for result_range in entry.ranges if result_range.open]
    if len(set(opened)) < len(opened) or (die.digit_count and opened):
        return None
    is_open = die.is_modified or bool(opened)
    expected = _results_between(resolved) if is_open else die.results
    return make_coverage(expected, resolved, is_open) if expected else None


def _results_between(entries: Sequence[Entry]) -> tuple[int, ...]:
    """All results from the lowest in the table to the highest."""
    low, high = _lowest_and_highest(entries)
    return range_of(low, high) if high - low < _MAX_RANGE else ()


def _resolve_zero(die: Die, entries: Sequence[Entry]) -> tuple[Die, Sequence[Entry]]:
    """Read 0 or 00 as the highest result of the die, unless the table begins with it."""
    bounds = [
        bound for entry in entries for result_range in entry.ranges for bound in (result_range.low, result_range.high)
    ]
    if not die.zero_is_highest or 0 not in bounds:
        return die, entries
    top = die.results[-1]
    if top not in bounds and _is_zero_lowest(entries, top):
        return die._replace(results=tuple(result - 1 for result in die.results)), entries
    return die, [
        entry._replace(ranges=tuple(_raise_zero(result_range, top) for result_range in entry.ranges))
        for entry in entries
    ]


def _is_zero_lowest(entries: Sequence[Entry], top: int) -> bool:
    """Whether 0 is the lowest result: next to 1, far from the highest."""
    first, last = entries[0], entries[-1]
    if first.low == 0 and first.ranges:
        return last.high == top - 1 or last.low > first.high
    return last.low == 0 and first.high == top - 1


def _raise_zero(result_range: ResultRange, top: int) -> ResultRange:
    high = result_range.high or top
    return ResultRange(high if result_range.low == result_range.high else result_range.low, high, result_range.open)


def _resolve_open_dashes(entries: Sequence[Entry]) -> tuple[Entry, ...] | None:
    """Decide what a trailing dash as in "2-" means: "and below" in the lowest row, "and above" in the highest."""
    low, high = _lowest_and_highest(entries)
    resolved = []
    for entry in entries:
        if entry.ranges and entry.ranges[0].open == "?":
            end = "-" if entry.low == low else "+" if entry.high == high else ""
            if not end:
                return None
            resolved.append(entry._replace(ranges=(entry.ranges[0]._replace(open=end),)))
        else:
            resolved.append(entry)
    return _normalize_descending(tuple(resolved))


def _lowest_and_highest(entries: Sequence[Entry]) -> tuple[int, int]:
    named = [entry for entry in entries if entry.ranges]
    return min(entry.low for entry in named), max(claim.high for claim in named)


def _normalize_descending(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Turn ranges around if all of them are written from high to low."""
    wide = [result_range for entry in entries for result_range in entry.ranges if result_range.low != result_range.high]
    if not wide or any(result_range.low < result_range.high for result_range in wide) or len(wide) < 2:
        return entries
    return tuple(
        entry._replace(
            ranges=tuple(
                ResultRange(min(result_range[:2]), max(result_range[:2]), result_range.open)
                for result_range in entry.ranges
            )
        )
        for entry in entries
    )


def make_coverage(expected: tuple[int, ...], entries: tuple[Entry, ...], is_open: bool) -> Coverage:
    counts = _count_rows(expected, entries)
    missing = tuple(result for result, count in zip(expected, counts, strict=True) if not count)
    if not missing:
        entries = tuple(_drop_repeated(entries))
        counts = _count_rows(expected, entries)
    doubled = tuple(result for result, count in zip(expected, counts, strict=True) if count > 1)
    known = set(expected)
    outside = tuple(
        entry for entry in entries if not all(_is_possible(result_range, known) for result_range in entry.ranges)
    )
    return Coverage(expected, entries, missing, doubled, outside, is_open)


def _is_possible(result_range: ResultRange, known: set[int]) -> bool:
    return result_range.low in known and result_range.high in known and result_range.low <= result_range.high


def _count_rows(expected: tuple[int, ...], entries: Iterable[Entry]) -> list[int]:
    """The number of rows for each result."""
    change = [0] * (len(expected) + 1)
    for result_range in (stretch for entry in entries for stretch in entry.ranges):
        first = 0 if result_range.open == "-" else bisect_left(expected, result_range.low)
        last = len(expected) if result_range.open == "+" else bisect_right(expected, result_range.high)
        if first < last:
            change[first] += 1
            change[last] -= 1
    return list(accumulate(change[:-1]))


def _drop_repeated(entries: Sequence[Entry]) -> Iterable[Entry]:
    """Drop rows with the same results as the row before: if nothing is missing, they are on purpose."""
    yield entries[0]
    yield from (after for before, after in pairwise(entries) if after.ranges != before.ranges)


def is_nearly_complete(coverage: Coverage) -> bool:
    """Whether the table is so close to complete that a difference must be a mistake."""
    rows, results = len(coverage.entries), len(coverage.expected)
    counts = _count_rows(coverage.expected, coverage.entries)
    gaps = len(group_runs(coverage.expected, coverage.missing))
    return (
        rows >= _MIN_ROWS
        and 3 * len(coverage.missing) < results
        and 3 * len(coverage.doubled) <= results
        and 3 * gaps <= rows + 1
        and 3 * len(coverage.outside) <= rows
        and not (counts[0] > 1 and counts[-1] > 1)
    )


def group_runs(expected: Sequence[int], results: Iterable[int]) -> list[tuple[int, int]]:
    """Group results into runs of consecutive ones, as pairs of first and last."""
    positions = {result: number for number, result in enumerate(expected)}
    grouped = groupby(enumerate(results), key=lambda pair: positions[pair[1]] - pair[0])
    groups = [[result for _, result in group] for _, group in grouped]
    return [(run[0], run[-1]) for run in groups]

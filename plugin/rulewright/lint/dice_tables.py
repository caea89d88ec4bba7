"""Checks dice tables: every result of the die needs exactly one row.

`compute_coverage` compares the rows with the results; `is_nearly_complete` decides whether a difference is a mistake;
`find_problems` reports gaps, overlaps and impossible results, with a fix if only one is possible.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from ..book.page import Trail
from ..source import Fix, Problem, Span
from .check import Check, Noticed, Reading
from .dice_results import Claim, Die, Rolled, Stretch, range_of, rolled

FEWEST_ROWS = 3
MOST_RANGE = 10_000


class Coverage(NamedTuple):
    """How the rows of a table cover the expected results."""

    expected: tuple[int, ...]
    claims: tuple[Claim, ...]
    lacking: tuple[int, ...]
    doubled: tuple[int, ...]
    outside: tuple[Claim, ...]  # rows with results that are impossible on this die
    open: bool  # a range is open, or the die has an unknown modifier

    @property
    def perfect(self) -> bool:
        return not (self.lacking or self.doubled or self.outside)


def coverage(die: Die, claims: Sequence[Claim]) -> Coverage | None:
    """Compare rows and results; None where the rows are not a list of results."""
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
    """All results from the lowest in the table to the highest."""
    low, high = ends(claims)
    return range_of(low, high) if high - low < MOST_RANGE else ()


def named_zero(die: Die, claims: Sequence[Claim]) -> tuple[Die, Sequence[Claim]]:
    """Read 0 or 00 as the highest result of the die, unless the table begins with it."""
    bounds = [bound for claim in claims for stretch in claim.stretches for bound in (stretch.low, stretch.high)]
    if not die.zero_is_top or 0 not in bounds:
        return die, claims
    top = die.results[-1]
    if top not in bounds and begins_with_zero(claims, top):
        return die._replace(results=tuple(result - 1 for result in die.results)), claims
    return die, [claim._replace(stretches=tuple(risen(one, top) for one in claim.stretches)) for claim in claims]


def begins_with_zero(claims: Sequence[Claim], top: int) -> bool:
    """Whether 0 is the lowest result: next to 1, far from the highest."""
    first, last = claims[0], claims[-1]
    if first.low == 0 and first.stretches:
        return last.high == top - 1 or last.low > first.high
    return last.low == 0 and first.high == top - 1


def risen(stretch: Stretch, top: int) -> Stretch:
    high = stretch.high or top
    return Stretch(high if stretch.low == stretch.high else stretch.low, high, stretch.open)


def aimed(claims: Sequence[Claim]) -> tuple[Claim, ...] | None:
    """Decide what a trailing dash as in "2-" means: "and below" in the lowest row, "and above" in the highest."""
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
    """Turn ranges around if all of them are written from high to low."""
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
    """The number of rows for each result."""
    change = [0] * (len(expected) + 1)
    for stretch in (stretch for claim in claims for stretch in claim.stretches):
        first = 0 if stretch.open == "-" else bisect_left(expected, stretch.low)
        last = len(expected) if stretch.open == "+" else bisect_right(expected, stretch.high)
        if first < last:
            change[first] += 1
            change[last] -= 1
    return list(accumulate(change[:-1]))


def without_repetition(claims: Sequence[Claim]) -> Iterable[Claim]:
    """Drop rows with the same results as the row before: if nothing is missing, they are on purpose."""
    yield claims[0]
    yield from (after for before, after in pairwise(claims) if after.stretches != before.stretches)


def trusted(found: Coverage) -> bool:
    """Whether the table is so close to complete that a difference must be a mistake."""
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
    """Group results into runs of consecutive ones, as pairs of first and last."""
    place = {result: number for number, result in enumerate(expected)}
    grouped = groupby(enumerate(results), key=lambda pair: place[pair[1]] - pair[0])
    found = [[result for _, result in group] for _, group in grouped]
    return [(run[0], run[-1]) for run in found]


MOST_SUSPECTS = 6
DASH = re.compile(r"(?<=\d)(\s?(?:[-–—−‒‑~…]|\.{2,3}|to|bis)\s?)(?=\d)")


class Repair(NamedTuple):
    """A row, and the results that would make the table complete."""

    claim: Claim
    low: int
    high: int


def repair(found: Coverage) -> Repair | None:
    """The repair of a single row that completes the table.

    With several such repairs, the one that gives all rows the same width; None where there is still no single one.
    """
    suspects = [number for number, claim in enumerate(found.claims) if is_suspect(claim, found)]
    if not suspects or len(suspects) > MOST_SUSPECTS:
        return None
    mended = [one for number in suspects for one in mends(found, number)]
    if len(mended) > 1:
        mended = [one for one in mended if is_even(one, found)]
    return mended[0] if len(mended) == 1 else None


def is_even(mended: Repair, found: Coverage) -> bool:
    """Whether all rows would have the same width."""
    others = {claim.high - claim.low for claim in found.claims if claim is not mended.claim}
    return others == {mended.high - mended.low}


def is_suspect(claim: Claim, found: Coverage) -> bool:
    if len(claim.stretches) > 1 or any(one.open for one in claim.stretches):
        return False
    shared = any(claim.low <= result <= claim.high for result in found.doubled)
    return not claim.stretches or claim in found.outside or shared


def mends(found: Coverage, number: int) -> Iterator[Repair]:
    """The results between the neighboring rows, if they complete the table."""
    claims, expected = found.claims, found.expected
    before, after = claims[number - 1] if number else None, claims[number + 1] if number + 1 < len(claims) else None
    if is_falling(claims):
        before, after = after, before
    rest = [one for one in expected if (not before or one > before.high) and (not after or one < after.low)]
    if rest:
        new = claims[number]._replace(stretches=(Stretch(rest[0], rest[-1]),))
        changed = (*claims[:number], new, *claims[number + 1 :])
        if covered(expected, changed, found.open).perfect:
            yield Repair(claims[number], rest[0], rest[-1])


def is_falling(claims: tuple[Claim, ...]) -> bool:
    named = [claim for claim in claims if claim.stretches]
    return named[0].low > named[-1].low


def written(found: Coverage, low: int, high: int, leaving: Claim | None = None) -> str:
    """Format results in the notation of the table (dash, leading zeros), ignoring the row `leaving`."""
    texts = [claim.cell.text.strip() for claim in found.claims if claim is not leaving]
    width = max((len(part) for text in texts for part in re.findall(r"\b0\d+", text)), default=0)
    top = "0" * width if any(re.search(rf"(?<!\d)0{{{width}}}(?!\d)", text) for text in texts) and width else ""
    own = DASH.findall(leaving.cell.text) if leaving else []
    dash = Counter(own or [dash for text in texts for dash in DASH.findall(text)]).most_common(1)
    last = found.expected[-1]
    shown = [top if top and result == last else str(result).zfill(width) for result in (low, high)]
    return shown[0] if low == high else (dash[0][0] if dash else "–").join(shown)


MOST_NAMED = 6  # gaps or shared results that a message lists
MODIFIED = re.compile(
    r"\b(?:modif|bonus|penalt|add(?:s|ed|ing)?\b|plus\b|subtract|minus\b|deduct|increase|decrease|reduce)|[+−–-]\s?\d",
    re.IGNORECASE,
)
FIGURES = re.compile(r"[\d\s.,%+−–—/:×()dD-]*")
OTHERWISE = re.compile(
    r"\b(?:any|all|every|each)\s(?:the\s)?other\b|\botherwise\b|\bother(?:\s\w+)?\s(?:results?|rolls?|numbers?)\b"
    r"|\b(?:any|every)thing else\b|\bremaining (?:results?|rolls?|numbers?)\b",
    re.IGNORECASE,
)


DASHES = re.compile(r"(?:\\ )?(?:\\-|[–—−])(?:\\ )?")  # in a row after `re.escape`


class Judged(NamedTuple):
    """A dice table, its coverage and the text of its section."""

    rolled: Rolled
    found: Coverage
    around: str = ""  # the text of its section
    sure: bool = True  # no text on the page mentions modifiers

    def problem(self, code: str, message: str, span: Span, *notes: str, fix: Fix | None = None) -> Problem:
        return Problem(code, message, span, "warning", notes, self.rolled.table.trail, fix)

    def named(self, results: Iterable[tuple[int, int]]) -> str:
        """Format runs of results in the notation of the table."""
        told = [written(self.found, low, high) for low, high in results]
        more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
        return ", ".join(told[:MOST_NAMED]) + more

    def runs(self, results: Iterable[int]) -> list[tuple[int, int]]:
        return runs(self.found.expected, results)


def look(reading: Reading) -> Noticed:
    known = [(one, coverage(one.die, one.claims)) for one in rolled(reading.tables)]
    judged = [Judged(one, found) for one, found in known if found]
    wrong = [one for one in judged if not one.found.perfect and trusted(one.found)]
    around = sections(reading) if wrong else {}
    sure = not any(MODIFIED.search(words) for words in around.values())
    told = [one._replace(around=said(one.rolled, around), sure=sure) for one in wrong]
    return Noticed(len(judged), tuple(problem for one in told for problem in problems(one)))


def sections(reading: Reading) -> dict[Trail, str]:
    """The text of a page by section."""
    found: dict[Trail, list[str]] = {}
    for passage in reading.passages:
        found.setdefault(passage.trail, []).append(passage.text)
    return {trail: "\n".join(texts) for trail, texts in found.items()}


def said(one: Rolled, around: dict[Trail, str]) -> str:
    """The text of the table's section and header."""
    return "\n".join([*(cell.text for cell in one.table.header), around.get(one.table.trail, "")])


def problems(one: Judged) -> Iterator[Problem]:
    if (one.rolled.doubtful or is_reckoned(one.rolled)) and not begins_and_ends(one):
        return
    if (one.found.lacking or one.found.doubled or one.rolled.die.digits) and (mended := repair(one.found)):
        yield slip(one, mended)
        return
    gaps = [run for run in one.runs(one.found.lacking) if not told_elsewhere(one, run)]
    beside = [run for run in gaps if is_beside(run, one.found.doubled)]
    if far := [run for run in gaps if run not in beside]:
        yield gap(one, far)
    if one.found.doubled:
        yield overlap(one, beside)
    if one.found.outside:
        yield from impossible(one)


def begins_and_ends(one: Judged) -> bool:
    """Whether the rows begin and end with the die's results. If not, they may count something else."""
    found = one.found
    missing = {found.expected[0], found.expected[-1]} & set(found.lacking)
    return not missing and not found.outside


def is_reckoned(one: Rolled) -> bool:
    """Whether all other cells are numbers: then the first column may just as well be a number of dice."""
    places = {claim.cell.first for claim in one.claims}
    others = (cell.text.strip() for row in one.table.rows for cell in row if cell.first not in places)
    return all(FIGURES.fullmatch(text) for text in others)


def slip(one: Judged, mended: Repair) -> Problem:
    """Report the one row that is wrong, with its only possible correction."""
    found, (claim, low, high) = one.found, mended
    right = written(found, low, high, leaving=claim)
    span = where(claim)
    was = span.text
    if claim in found.outside or not claim.stretches:
        code, message = "rollable-impossible", f"«{was}» is nothing that a {die(one)} shows"
    else:
        code, message = "rollable-overlap", f"two rows are for {one.named(one.runs(found.doubled))}"
        if found.lacking:
            message += f" and none is for {one.named(one.runs(found.lacking))}"
    fix = None if is_repeated(was, one.around) else Fix(span, right)
    note = f"here {right} is left over: write {right}" + ("" if fix else f", and wherever the text says {was}")
    return one.problem(code, message, span, note, fix=fix)


def is_repeated(row: str, text: str) -> bool:
    """Whether the section quotes the results of a row as they are written."""
    written = DASHES.sub(r"\\s?(?:[-–—−]|to|bis)\\s?", re.escape(row))
    return bool(re.search(rf"(?<!\w){written}(?!\w)", text))


def where(claim: Claim) -> Span:
    text = claim.cell.text
    start = len(text) - len(text.lstrip())
    return claim.cell.span(start, max(len(text.rstrip()), start + 1))


def die(one: Judged) -> str:
    return one.rolled.die.text.lower().replace("df", "dF")


def told_elsewhere(one: Judged, run: tuple[int, int]) -> bool:
    """Whether the text of the section says what happens on the missing results."""
    low, high = run
    if OTHERWISE.search(one.around):
        return True
    inner = low != one.found.expected[0] and high != one.found.expected[-1]
    before = r"\b(?:on|of|is|an?|rolls?|rolled|shows?|if|result)\s" if inner else r"(?<![\ddDwW])"
    return bool(re.search(rf"{before}0*(?:{low}|{high})(?!\d|[dDwW]\d)", one.around))


def gap(one: Judged, gaps: list[tuple[int, int]]) -> Problem:
    for run in gaps[:MOST_NAMED]:
        if swallowed := inside(one, run):
            named = written(one.found, *run)
            message = f"the row for {named} stands inside another row"
            return one.problem("rollable-gap", message, swallowed, f"begin a row of its own with {named}")
    before, after = neighbours(one, gaps[0])
    message = f"no row is for {one.named(gaps)}, which a {die(one)} can show"
    sides = [f"«{where(claim).text}»" for claim in (before, after) if claim]
    note = f"make {' or '.join(sides)} longer, or add the missing row" if sides else "add the missing row"
    return one.problem("rollable-gap", message, where(after or before or one.found.claims[0]), note)


def neighbours(one: Judged, run: tuple[int, int]) -> tuple[Claim | None, Claim | None]:
    """The rows before and after a gap, in the order of the table."""
    named = [claim for claim in one.found.claims if claim.stretches]
    below = max((claim for claim in named if claim.high < run[0]), key=lambda claim: claim.high, default=None)
    above = min((claim for claim in named if claim.low > run[1]), key=lambda claim: claim.low, default=None)
    return (above, below) if is_falling(one.found.claims) else (below, above)


def inside(one: Judged, run: tuple[int, int]) -> Span | None:
    """The place of a row that was merged into the text of another row."""
    source = one.rolled.table.page.source
    low, high = run
    lines = [claim.cell.line for claim in one.found.claims]
    start, end = source.starts[min(lines) - 1], source.starts[max(lines) - 1] + len(source.line(max(lines)))
    if low == high:
        before = neighbours(one, run)[0]
        if not before:
            return None
        start, end = where(before).end, source.starts[before.cell.line - 1] + len(source.line(before.cell.line))
        words = rf"(?<![\w.,+–-])0*{low}(?=\s*\|?\s+[A-Z])"
    else:
        last = rf"(?:{high}|{str(high)[1:]})" if set(str(high)[1:]) == {"0"} else str(high)
        words = rf"(?<![\w.,+])0*{low}\s?[-–—−]\s?{last}(?!\w)"
    found = re.compile(words).search(source.text, start, end)
    return Span(source, *found.span()) if found else None


def is_beside(run: tuple[int, int], results: tuple[int, ...]) -> bool:
    """Whether a gap is next to a doubled result: both are one mistake."""
    return run[0] - 1 in results or run[1] + 1 in results


def overlap(one: Judged, beside: list[tuple[int, int]]) -> Problem:
    shared = one.found.doubled
    sharing = [claim for claim in one.found.claims if claim.stretches and claim.low <= shared[0] <= claim.high]
    place = where(sharing[-1] if sharing else one.found.claims[-1])
    message = f"two rows are for {one.named(one.runs(shared))}" + (
        f" and none is for {one.named(beside)}" if beside else ""
    )
    rows = " and ".join(f"«{where(claim).text}»" for claim in sharing[-2:])
    return one.problem("rollable-overlap", message, place, f"{rows} share it; let each result stand in one row only")


def impossible(one: Judged) -> Iterator[Problem]:
    """Report rows for results the die cannot show, unless its section mentions a modifier."""
    if MODIFIED.search(one.around) or one.found.open or one.found.lacking:
        return
    strange = one.found.outside
    told = ", ".join(f"«{where(claim).text}»" for claim in strange[:MOST_NAMED])
    low, high = one.found.expected[0], one.found.expected[-1]
    message = f"a {die(one)} never shows {told}"
    note = f"it shows {written(one.found, low, high)}; take the row out, or name the die or the bonus that is meant"
    problem = one.problem("rollable-impossible", message, where(strange[0]), note)
    yield problem if one.sure else problem._replace(severity="info")


ROLLABLE = Check("rollable", "tables with dice", look)

"""Tables with dice: each result of the die has one row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...book.model import Trail
from ...text import Fix, Problem, Span
from .coverage import Coverage, coverage, runs, trusted
from .model import Check, Noticed, Reading
from .repair import Repair, is_falling, repair, written
from .rows import Claim, Rolled, rolled

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


DASHES = re.compile(r"(?:\\ )?(?:\\-|[–—−])(?:\\ )?")  # of a row that is escaped for a pattern


class Judged(NamedTuple):
    """A table with dice, how its rows cover the results, and the words of its section."""

    rolled: Rolled
    found: Coverage
    around: str = ""  # the sentences of its section
    sure: bool = True  # nothing on the page is said of what may be added to dice

    def problem(self, code: str, message: str, span: Span, *notes: str, fix: Fix | None = None) -> Problem:
        return Problem(code, message, span, "warning", notes, self.rolled.table.trail, fix)

    def named(self, results: Iterable[tuple[int, int]]) -> str:
        """Runs of results as this table writes them."""
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
    """All sentences of a page by the headings above them."""
    found: dict[Trail, list[str]] = {}
    for passage in reading.passages:
        found.setdefault(passage.trail, []).append(passage.text)
    return {trail: "\n".join(texts) for trail, texts in found.items()}


def said(one: Rolled, around: dict[Trail, str]) -> str:
    """Everything that is said under the heading of a table, and in its header."""
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
    """The rows begin and end as the die does; where they do not, it may be something else that is counted."""
    found = one.found
    missing = {found.expected[0], found.expected[-1]} & set(found.lacking)
    return not missing and not found.outside


def is_reckoned(one: Rolled) -> bool:
    """Nothing but figures stands beside the results: the first column may as well be a number of dice."""
    places = {claim.cell.first for claim in one.claims}
    others = (cell.text.strip() for row in one.table.rows for cell in row if cell.first not in places)
    return all(FIGURES.fullmatch(text) for text in others)


def slip(one: Judged, mended: Repair) -> Problem:
    """One row is wrong, and only one thing can be right."""
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
    """Whether a sentence of the section names the results of a row as the row does."""
    written = DASHES.sub(r"\\s?(?:[-–—−]|to|bis)\\s?", re.escape(row))
    return bool(re.search(rf"(?<!\w){written}(?!\w)", text))


def where(claim: Claim) -> Span:
    text = claim.cell.text
    start = len(text) - len(text.lstrip())
    return claim.cell.span(start, max(len(text.rstrip()), start + 1))


def die(one: Judged) -> str:
    return one.rolled.die.text.lower().replace("df", "dF")


def told_elsewhere(one: Judged, run: tuple[int, int]) -> bool:
    """What is missing at an end of the table may stand in the sentences around it; what is missing inside, too."""
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
    """The rows whose results end before a gap and begin behind it, in the order of the table."""
    named = [claim for claim in one.found.claims if claim.stretches]
    below = max((claim for claim in named if claim.high < run[0]), key=lambda claim: claim.high, default=None)
    above = min((claim for claim in named if claim.low > run[1]), key=lambda claim: claim.low, default=None)
    return (above, below) if is_falling(one.found.claims) else (below, above)


def inside(one: Judged, run: tuple[int, int]) -> Span | None:
    """Where a row stands that has run into the one before it."""
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
    """A result with two rows next to one without any is one mistake."""
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
    """Rows beyond the die are fine where something may be added to it, and at times that is said far away."""
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

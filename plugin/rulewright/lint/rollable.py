"""Checks dice tables: every result of the die needs exactly one row.

`find_dice_tables` reads them, `compute_coverage` compares their rows with the results, and `is_nearly_complete` decides
whether a difference is a mistake: gaps, overlaps and impossible results, with a fix if only one is possible.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ..book.page import Trail
from ..source import Fix, Problem, Span
from .dice_coverage import Coverage, compute_coverage, group_runs, is_nearly_complete, make_coverage
from .dice_results import DiceTable, Entry, ResultRange, find_dice_tables
from .interface import Check, LintContext, LintResult

_MIN_COPIED_WORDS = 5
_MAX_SUSPECTS = 6
_DASH = re.compile(r"(?<=\d)(\s?(?:[-–—−‒‑~…]|\.{2,3}|to|bis)\s?)(?=\d)")


class _Repair(NamedTuple):
    """A row, and the results that would make the table complete."""

    entry: Entry
    low: int
    high: int


def _find_repair(coverage: Coverage) -> _Repair | None:
    """The repair of a single row that completes the table.

    With several such repairs, the one that gives all rows the same width; None where there is still no single one.
    """
    suspects = [number for number, entry in enumerate(coverage.entries) if _is_suspect(entry, coverage)]
    if not suspects or len(suspects) > _MAX_SUSPECTS:
        return None
    repairs = [candidate for number in suspects for candidate in _possible_repairs(coverage, number)]
    if len(repairs) > 1:
        repairs = [candidate for candidate in repairs if _has_equal_widths(candidate, coverage)]
    return repairs[0] if len(repairs) == 1 else None


def _has_equal_widths(repair: _Repair, coverage: Coverage) -> bool:
    """Whether all rows would have the same width."""
    others = {entry.high - entry.low for entry in coverage.entries if entry is not repair.entry}
    return others == {repair.high - repair.low}


def _is_suspect(entry: Entry, coverage: Coverage) -> bool:
    if len(entry.ranges) > 1 or any(result_range.open for result_range in entry.ranges):
        return False
    shared = any(entry.low <= result <= entry.high for result in coverage.doubled)
    return not entry.ranges or entry in coverage.outside or shared


def _possible_repairs(coverage: Coverage, number: int) -> Iterator[_Repair]:
    """The results between the neighboring rows, if they complete the table."""
    entries, expected = coverage.entries, coverage.expected
    before, after = entries[number - 1] if number else None, entries[number + 1] if number + 1 < len(entries) else None
    if _is_descending(entries):
        before, after = after, before
    rest = [result for result in expected if (not before or result > before.high) and (not after or result < after.low)]
    if rest:
        repair = _Repair(entries[number], rest[0], rest[-1])
        if _with_repair(coverage, repair).is_complete:
            yield repair


def _with_repair(coverage: Coverage, repair: _Repair) -> Coverage:
    new = repair.entry._replace(ranges=(ResultRange(repair.low, repair.high),))
    changed = tuple(new if entry is repair.entry else entry for entry in coverage.entries)
    return make_coverage(coverage.expected, changed, coverage.is_open)


def _find_unread(coverage: Coverage) -> _Repair | None:
    """The row that cannot be read, if its two numbers say which of the missing results it is for."""
    for entry in coverage.entries:
        numbers = [int(number) or coverage.expected[-1] for number in re.findall(r"\d+", entry.cell.text)]
        if (
            not entry.ranges
            and len(numbers) == 2
            and numbers in map(list, group_runs(coverage.expected, coverage.missing))
        ):
            return _Repair(entry, *numbers)
    return None


def _is_descending(entries: tuple[Entry, ...]) -> bool:
    named = [entry for entry in entries if entry.ranges]
    return named[0].low > named[-1].low


def _format_results(coverage: Coverage, low: int, high: int, ignored: Entry | None = None) -> str:
    """Format results in the notation of the table (dash, leading zeros), ignoring the row `leaving`."""
    texts = [entry.cell.text.strip() for entry in coverage.entries if entry is not ignored]
    width = max((len(part) for text in texts for part in re.findall(r"\b0\d+", text)), default=0)
    top = "0" * width if any(re.search(rf"(?<!\d)0{{{width}}}(?!\d)", text) for text in texts) and width else ""
    own = _DASH.findall(ignored.cell.text) if ignored else []
    dash = Counter(own or [dash for text in texts for dash in _DASH.findall(text)]).most_common(1)
    last = coverage.expected[-1]
    parts = [top if top and result == last else str(result).zfill(width) for result in (low, high)]
    return parts[0] if low == high else (dash[0][0] if dash else "–").join(parts)


_MAX_NAMED = 6  # gaps or shared results that a message lists
_MODIFIED = re.compile(
    r"\b(?:modif|bonus|penalt|add(?:s|ed|ing)?\b|plus\b|subtract|minus\b|deduct|increase|decrease|reduce)|[+−–-]\s?\d",
    re.IGNORECASE,
)
_NUMBERS_ONLY = re.compile(r"[\d\s.,%+−–—/:×()dD-]*")
_OTHER_RESULTS = re.compile(
    r"\b(?:any|all|every|each)\s(?:the\s)?other\b|\botherwise\b|\bother(?:\s\w+)?\s(?:results?|rolls?|numbers?)\b"
    r"|\b(?:any|every)thing else\b|\bremaining (?:results?|rolls?|numbers?)\b",
    re.IGNORECASE,
)


_ESCAPED_DASH = re.compile(r"(?:\\ )?(?:\\-|[–—−])(?:\\ )?")  # in a row after `re.escape`


class _CheckedTable(NamedTuple):
    """A dice table, its coverage and the text of its section."""

    dice_table: DiceTable
    coverage: Coverage
    around: str = ""  # the text of its section
    sure: bool = True  # no text on the page mentions modifiers

    def problem(self, code: str, message: str, span: Span, *notes: str, fix: Fix | None = None) -> Problem:
        return Problem(code, message, span, "error", notes, self.dice_table.table.trail, fix)

    def format_runs(self, results: Iterable[tuple[int, int]]) -> str:
        """Format runs of results in the notation of the table."""
        run_texts = [_format_results(self.coverage, low, high) for low, high in results]
        more = f" and {len(run_texts) - _MAX_NAMED} more" if len(run_texts) > _MAX_NAMED else ""
        return ", ".join(run_texts[:_MAX_NAMED]) + more

    def group_runs(self, results: Iterable[int]) -> list[tuple[int, int]]:
        return group_runs(self.coverage.expected, results)


def _check_page(context: LintContext) -> LintResult:
    covered_tables = [(table, compute_coverage(table.die, table.entries)) for table in find_dice_tables(context.tables)]
    checked_tables = [
        _CheckedTable(table, table_coverage) for table, table_coverage in covered_tables if table_coverage
    ]
    wrong = [table for table in checked_tables if not table.coverage.is_complete and is_nearly_complete(table.coverage)]
    around = _text_by_section(context) if wrong else {}
    sure = not any(_MODIFIED.search(words) for words in around.values())
    reported = [table._replace(around=_text_around(table.dice_table, around), sure=sure) for table in wrong]
    problems = [problem for table in reported for problem in _find_problems(table)]
    complete = [table for table in checked_tables if table.coverage.is_complete]
    copies = (one for table in complete for one in _find_copies(table))
    with_game = complete if context.page.has_game else ()  # only what figures of a game say is counted as compared
    cells = (entry.cell for table in with_game for entry in table.dice_table.entries)
    compared = tuple(cell.span(0, len(cell.text)) for cell in cells)
    return LintResult(len(checked_tables), (*problems, *copies), compared=compared)


def _find_copies(checked: _CheckedTable) -> Iterator[Problem]:
    """Report rows that repeat the row above word for word."""
    places = {entry.cell.first: entry for entry in checked.dice_table.entries if entry.ranges}
    for before, row in pairwise(checked.dice_table.table.rows):
        texts = [cell.text.strip() for cell in row]
        is_copy = texts == [cell.text.strip() for cell in before] and len(" ".join(texts).split()) >= _MIN_COPIED_WORDS
        if is_copy and (entry := next((places[cell.first] for cell in row if cell.first in places), None)):
            message = f"two rows are for {entry.cell.text.strip()}, and they say the same"
            yield checked.problem("rollable-overlap", message, _cell_span(entry), "take one of them out")


def _text_by_section(context: LintContext) -> dict[Trail, str]:
    """The text of a page by section."""
    section_texts: dict[Trail, list[str]] = {}
    for passage in context.passages:
        section_texts.setdefault(passage.trail, []).append(passage.text)
    return {trail: "\n".join(texts) for trail, texts in section_texts.items()}


def _text_around(dice_table: DiceTable, around: dict[Trail, str]) -> str:
    """The text of the table's section and header."""
    return "\n".join([*(cell.text for cell in dice_table.table.header), around.get(dice_table.table.trail, "")])


def _find_problems(checked: _CheckedTable) -> Iterator[Problem]:
    if (checked.dice_table.is_doubtful or _has_only_numbers(checked.dice_table)) and not _has_both_ends(checked):
        return
    if (checked.coverage.missing or checked.coverage.doubled or checked.dice_table.die.digit_count) and (
        row_repair := _find_repair(checked.coverage)
    ):
        yield _report_typo(checked, row_repair)
        return
    if unread := _find_unread(checked.coverage):
        yield _report_typo(checked, unread)
        checked = checked._replace(coverage=_with_repair(checked.coverage, unread))
    gaps = [run for run in checked.group_runs(checked.coverage.missing) if not _is_explained(checked, run)]
    adjacent = [run for run in gaps if _is_next_to(run, checked.coverage.doubled)]
    if far := [run for run in gaps if run not in adjacent]:
        yield from _report_gaps(checked, far)
    if checked.coverage.doubled:
        yield _report_overlap(checked, adjacent)
    if checked.coverage.outside:
        yield from _report_impossible(checked)


def _has_both_ends(checked: _CheckedTable) -> bool:
    """Whether the rows begin and end with the die's results. If not, they may count something else."""
    coverage = checked.coverage
    missing = {coverage.expected[0], coverage.expected[-1]} & set(coverage.missing)
    known = set(coverage.expected)
    written = {number for entry in coverage.outside for one in entry.ranges for number in (one.low, one.high)}
    return not missing and written <= known  # 33-28 has results of the die, in the wrong order


def _has_only_numbers(dice_table: DiceTable) -> bool:
    """Whether all other cells are numbers: then the first column may just as well be a number of dice."""
    places = {entry.cell.first for entry in dice_table.entries}
    others = (cell.text.strip() for row in dice_table.table.rows for cell in row if cell.first not in places)
    return all(_NUMBERS_ONLY.fullmatch(text) for text in others)


def _report_typo(checked: _CheckedTable, row_repair: _Repair) -> Problem:
    """Report the one row that is wrong, with its only possible correction."""
    coverage, (entry, low, high) = checked.coverage, row_repair
    right = _format_results(coverage, low, high, ignored=entry)
    span = _cell_span(entry)
    row_text = span.text
    if entry in coverage.outside or not entry.ranges:
        code, message = "rollable-impossible", f'"{row_text}" is nothing that a {_die_name(checked)} shows'
    else:
        code, message = (
            "rollable-overlap",
            f"two rows are for {checked.format_runs(checked.group_runs(coverage.doubled))}",
        )
        if coverage.missing:
            message += f" and none is for {checked.format_runs(checked.group_runs(coverage.missing))}"
    fix = None if _is_repeated(row_text, checked.around) else Fix(span, right)
    note = f"here {right} is left over: write {right}" + ("" if fix else f", and wherever the text says {row_text}")
    return checked.problem(code, message, span, note, fix=fix)


def _is_repeated(row: str, text: str) -> bool:
    """Whether the section quotes the results of a row as they are written."""
    written = _ESCAPED_DASH.sub(r"\\s?(?:[-–—−]|to|bis)\\s?", re.escape(row))
    return bool(re.search(rf"(?<!\w){written}(?!\w)", text))


def _cell_span(entry: Entry) -> Span:
    text = entry.cell.text
    start = len(text) - len(text.lstrip())
    return entry.cell.span(start, max(len(text.rstrip()), start + 1))


def _die_name(checked: _CheckedTable) -> str:
    return checked.dice_table.die.text.lower().replace("df", "dF")


def _is_explained(checked: _CheckedTable, run: tuple[int, int]) -> bool:
    """Whether the text of the section says what happens on the missing results."""
    low, high = run
    if _OTHER_RESULTS.search(checked.around):
        return True
    inner = low != checked.coverage.expected[0] and high != checked.coverage.expected[-1]
    before = r"\b(?:on|of|is|an?|rolls?|rolled|shows?|if|result)\s" if inner else r"(?<![\ddDwW])"
    return bool(re.search(rf"{before}0*(?:{low}|{high})(?!\d|[dDwW]\d)", checked.around))


def _report_gaps(checked: _CheckedTable, gaps: list[tuple[int, int]]) -> Iterator[Problem]:
    merged = {run: span for run in gaps[:_MAX_NAMED] if (span := _find_merged_row(checked, run))}
    for run, merged_span in merged.items():
        run_text = _format_results(checked.coverage, *run)
        message = f"the row for {run_text} is inside another row"
        yield checked.problem("rollable-gap", message, merged_span, f"begin a row of its own with {run_text}")
    if rest := [run for run in gaps if run not in merged]:
        before, after = _neighbors(checked, rest[0])
        message = f"no row is for {checked.format_runs(rest)}, which a {_die_name(checked)} can show"
        sides = [f'"{_cell_span(entry).text}"' for entry in (before, after) if entry]
        note = f"make {' or '.join(sides)} longer, or add the missing row" if sides else "add the missing row"
        place = _cell_span(after or before or checked.coverage.entries[0])
        yield checked.problem("rollable-gap", message, place, note)


def _neighbors(checked: _CheckedTable, run: tuple[int, int]) -> tuple[Entry | None, Entry | None]:
    """The rows before and after a gap, in the order of the table."""
    named = [entry for entry in checked.coverage.entries if entry.ranges]
    below = max((entry for entry in named if entry.high < run[0]), key=lambda claim: claim.high, default=None)
    above = min((entry for entry in named if entry.low > run[1]), key=lambda claim: claim.low, default=None)
    return (above, below) if _is_descending(checked.coverage.entries) else (below, above)


def _find_merged_row(checked: _CheckedTable, run: tuple[int, int]) -> Span | None:
    """The place of a row that was merged into the text of another row."""
    source = checked.dice_table.table.page.source
    low, high = run
    lines = [entry.cell.line for entry in checked.coverage.entries]
    start, end = source.line_starts[min(lines) - 1], source.line_starts[max(lines) - 1] + len(source.line(max(lines)))
    if low == high:
        before = _neighbors(checked, run)[0]
        if not before:
            return None
        start, end = (
            _cell_span(before).end,
            source.line_starts[before.cell.line - 1] + len(source.line(before.cell.line)),
        )
        words = rf"(?<![\w.,+–-])0*{low}(?=\s*\|?\s+[A-Z])"
    else:
        last = rf"(?:{high}|{str(high)[1:]})" if set(str(high)[1:]) == {"0"} else str(high)
        words = rf"(?<![\w.,+])0*{low}\s?[-–—−]\s?{last}(?!\w)"
    match = re.compile(words).search(source.text, start, end)
    return Span(source, *match.span()) if match else None


def _is_next_to(run: tuple[int, int], results: tuple[int, ...]) -> bool:
    """Whether a gap is next to a doubled result: both are one mistake."""
    return run[0] - 1 in results or run[1] + 1 in results


def _report_overlap(checked: _CheckedTable, adjacent: list[tuple[int, int]]) -> Problem:
    shared = checked.coverage.doubled
    sharing = [entry for entry in checked.coverage.entries if entry.ranges and entry.low <= shared[0] <= entry.high]
    place = _cell_span(sharing[-1] if sharing else checked.coverage.entries[-1])
    message = f"two rows are for {checked.format_runs(checked.group_runs(shared))}" + (
        f" and none is for {checked.format_runs(adjacent)}" if adjacent else ""
    )
    rows = " and ".join(f'"{_cell_span(entry).text}"' for entry in sharing[-2:])
    return checked.problem("rollable-overlap", message, place, f"{rows} share it; list each result in one row only")


def _report_impossible(checked: _CheckedTable) -> Iterator[Problem]:
    """Report rows for results the die cannot show, unless its section mentions a modifier."""
    if _MODIFIED.search(checked.around) or checked.coverage.is_open or checked.coverage.missing:
        return
    strange = checked.coverage.outside
    result_texts = ", ".join(f'"{_cell_span(entry).text}"' for entry in strange[:_MAX_NAMED])
    low, high = checked.coverage.expected[0], checked.coverage.expected[-1]
    message = f"a {_die_name(checked)} never shows {result_texts}"
    results = _format_results(checked.coverage, low, high)
    note = f"it shows {results}; take the row out, or name the die or the bonus that is meant"
    problem = checked.problem("rollable-impossible", message, _cell_span(strange[0]), note)
    yield problem if checked.sure else problem._replace(severity="info")


CHECK = Check("rollable", "tables with dice", _check_page)

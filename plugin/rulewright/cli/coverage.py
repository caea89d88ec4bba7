"""`rulewright coverage`: which numbers of the text are bound to the rules, page by page."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path as File

from ..checks.coverage import BOUND, CHECKED, STATES, UNBOUND, CoveredNumber, count_states
from ..compile.book import CheckedPage, compile_book
from ..compile.books import Compiled, join_books, split_places
from ..project import GAME_FILE
from ..render.badge import format_coverage_badge
from ..render.blocks_json import coverage_to_json
from ..render.reports import format_position
from ..render.text_width import visible
from .check import require_one_drive, resolve_path
from .report import write_report_file
from .streams import json_text
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, progress

_COLUMNS = ("numbers", *STATES, "covered")


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    given = [resolve_path(path, here) for path in options.paths]
    require_one_drive(given)
    if options.mutate:
        from .mutate import run_mutants

        return run_mutants(split_places(given, here), here, options)
    if options.sample is not None:
        raise CommandError("--sample chooses changes; write --mutate, too")
    compiled = join_books([compile_book(places, here, progress(sys.stderr)) for places in split_places(given, here)])
    numbers = compiled.coverage
    if not numbers and any(
        problem.severity == "error" and problem.path.endswith(GAME_FILE) for problem in compiled.problems
    ):
        raise CommandError("no number to look at: the game has errors; rulewright check lists them")
    if not numbers:
        raise CommandError("no number to look at: coverage compares pages with the game.toml beside or above them")
    counts = count_states(numbers)
    if options.format == "json":
        screen.print(json_text({"version": 1, "summary": counts, "coverage": coverage_to_json(numbers)}))
    else:
        screen.print(*_report(compiled, options.all))
    if options.badge:
        file = File(os.path.normpath(here / options.badge))
        write_report_file(file, format_coverage_badge(percent_covered(counts)), compiled)
    is_low = options.fail_under is not None and percent_covered(counts) < options.fail_under
    return SOMETHING_WRONG if is_low else NOTHING_WRONG


def percent_covered(counts: dict[str, int]) -> int:
    """How many of the numbers that are not free are bound or checked, in percent, rounded down."""
    judged = counts["numbers"] - counts["free"]
    return 100 * (counts[BOUND] + counts[CHECKED]) // judged if judged else 100


def _report(compiled: Compiled, with_places: bool) -> Iterator[str]:
    pages = [page for page in compiled.pages if page.coverage]
    width = max(len(name) for name in (*map(_path, pages), "all pages"))
    yield _row("", _COLUMNS, width)
    for page in pages:
        yield _row(_path(page), _cells(page.coverage), width)
        yield from _places(page.coverage) if with_places else ()
    yield _row("all pages", _cells(compiled.coverage), width)


def _path(page: CheckedPage) -> str:
    return visible(page.page.source.path)


def _cells(numbers: Iterable[CoveredNumber]) -> list[str]:
    counts = count_states(numbers)
    return [*(f"{count:,}" for count in counts.values()), f"{percent_covered(counts)} %"]


def _row(name: str, cells: Sequence[str], width: int) -> str:
    return f"{name:<{width}}  " + "  ".join(f"{cell:>7}" for cell in cells)


def _places(numbers: Iterable[CoveredNumber]) -> Iterator[str]:
    """The numbers that nothing checks, each with its line."""
    for number in numbers:
        if number.state == UNBOUND:
            source, start, _ = number.span
            line = source.line(source.position(start)[0]).strip()
            yield f"{INDENT}{format_position(number.span)}: {number.span.text}  {visible(line)[:80]}"

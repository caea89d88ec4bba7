"""The registry of the lint checks, which run on every page, and the functions that run them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..book.page import Page
from ..source import Problem
from .averages import AVERAGES
from .dice_tables import ROLLABLE
from .impossible_dice import DICE_DICE
from .interface import Check, LintContext, LintResult
from .ladders import LADDER
from .markup import MARKUP
from .pdf_artifacts import RESIDUE
from .percentages import PERCENTAGES
from .repeated import REPEATED
from .spelling import SPELLING
from .sums import SUMS
from .unfinished import UNFINISHED

CHECKS: tuple[Check, ...] = (
    ROLLABLE,
    PERCENTAGES,
    AVERAGES,
    SUMS,
    LADDER,
    DICE_DICE,
    UNFINISHED,
    RESIDUE,
    MARKUP,
    REPEATED,
    SPELLING,
)

LintResults = dict[str, LintResult]  # the results of the checks on one page, by check name


def run_checks(page: Page, checks: Sequence[Check] = CHECKS) -> LintResults:
    """Run the checks on one page."""
    context = LintContext(page)
    return {check.name: check.check_page(context) for check in checks}


def run_book_checks(pages: Sequence[LintResults], checks: Sequence[Check] = CHECKS) -> list[Problem]:
    """The problems that only the whole book shows, from the results of its pages in reading order."""
    found_problems: list[Problem] = []
    for check in checks:
        found_problems += check.check_book(
            [fact for page in pages if check.name in page for fact in page[check.name].facts]
        )
    return found_problems


def page_problems(pages: Iterable[LintResults]) -> list[Problem]:
    """The problems found on each page by itself."""
    return [problem for page in pages for result in page.values() for problem in result.problems]

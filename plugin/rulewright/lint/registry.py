"""The registry of the lint checks, which run on every page, and the functions that run them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..book.page import Page
from ..source import Problem
from .averages import AVERAGES
from .check import Check, Noticed, Reading
from .dice_tables import ROLLABLE
from .impossible_dice import DICE_DICE
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

Notes = dict[str, Noticed]  # the results of the checks on one page, by check name


def look(page: Page, checks: Sequence[Check] = CHECKS) -> Notes:
    """Run the checks on one page."""
    reading = Reading(page)
    return {check.name: check.look(reading) for check in checks}


def settle(notes: Sequence[Notes], checks: Sequence[Check] = CHECKS) -> list[Problem]:
    """The problems that only the whole book shows, from the results of its pages in reading order."""
    found: list[Problem] = []
    for check in checks:
        found += check.settle([fact for page in notes if check.name in page for fact in page[check.name].facts])
    return found


def problems(notes: Iterable[Notes]) -> list[Problem]:
    """The problems found on each page by itself."""
    return [problem for page in notes for noticed in page.values() for problem in noticed.problems]

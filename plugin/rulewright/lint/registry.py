"""Every check that any page gets, blocks or none, and how all of them are asked."""

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

Notes = dict[str, Noticed]  # what each check made of one page, by its name


def look(page: Page, checks: Sequence[Check] = CHECKS) -> Notes:
    reading = Reading(page)
    return {check.name: check.look(reading) for check in checks}


def settle(notes: Sequence[Notes], checks: Sequence[Check] = CHECKS) -> list[Problem]:
    """What only the whole book shows; the notes of its pages in reading order."""
    found: list[Problem] = []
    for check in checks:
        found += check.settle([fact for page in notes if check.name in page for fact in page[check.name].facts])
    return found


def problems(notes: Iterable[Notes]) -> list[Problem]:
    """What could be said of each page by itself."""
    return [problem for page in notes for noticed in page.values() for problem in noticed.problems]

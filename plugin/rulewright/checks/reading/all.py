"""Every check that any page gets, blocks or none, and how all of them are asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...book.model import Page
from ...text import Problem
from .average import AVERAGES
from .dice import DICE
from .ladder import LADDER
from .markup import MARKUP
from .model import Check, Noticed, Reading
from .percentages import PERCENTAGES
from .repeated import REPEATED
from .residue import RESIDUE
from .rollable import ROLLABLE
from .spelling import SPELLING
from .sum import SUMS
from .unfinished import UNFINISHED

CHECKS: tuple[Check, ...] = (
    ROLLABLE,
    PERCENTAGES,
    AVERAGES,
    SUMS,
    LADDER,
    DICE,
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

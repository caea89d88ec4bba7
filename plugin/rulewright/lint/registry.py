"""The registry of the lint checks, which read every page, and the functions that run them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module

from ..book.host import HostSettings
from ..book.page import Page
from ..source import Problem, Span
from .interface import Check, LintContext, LintResult

# The names of all checks, each in the module of its name, in the order in which they run.
NAMES = (
    "rollable", "percentages", "average", "sum", "ladder", "die", "unfinished", "residue", "markup", "markdown",
    "repeated", "spelling",
)  # fmt: skip

LintResults = dict[str, LintResult]  # the results of the checks on one page, by check name


@cache
def load_checks() -> tuple[Check, ...]:
    """All checks. Their modules are imported here, because most builds of a site run none of them."""
    return tuple(import_module(f".{name}", __package__).CHECK for name in NAMES)


def select_checks(is_enabled: Callable[[str], bool]) -> list[Check]:
    """The checks that are switched on, by their names."""
    names = set(filter(is_enabled, NAMES))
    return [check for check in load_checks() if check.name in names] if names else []


def run_checks(page: Page, checks: Sequence[Check], host: HostSettings | None = None) -> LintResults:
    """Run the checks on one page; `host` says how the site renders it, if Python-Markdown does."""
    context = LintContext(page, host)
    return {check.name: check.check_page(context) for check in checks}


def run_book_checks(pages: Sequence[LintResults], checks: Sequence[Check]) -> list[Problem]:
    """The problems that only the whole book shows, from the results of its pages in reading order."""
    found_problems: list[Problem] = []
    for check in checks:
        found_problems += check.check_book(
            [fact for page in pages if check.name in page for fact in page[check.name].facts]
        )
    return found_problems


def compared_text(results: LintResults) -> list[Span]:
    """The parts of a page whose numbers agree with each other."""
    return [span for result in results.values() for span in result.compared]


def page_problems(pages: Iterable[LintResults]) -> list[Problem]:
    """The problems found on each page by itself."""
    return [problem for page in pages for result in page.values() for problem in result.problems]

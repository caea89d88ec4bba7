"""What is noticed on the pages of a book, whether they have blocks or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path as File
from typing import NamedTuple

from ..book.atlas import EXTERNAL
from ..book.model import Page
from ..checks.reading.all import CHECKS, Notes, look, problems, settle
from ..checks.reading.model import nothing_more
from ..text import Problem
from .seeing import Seen

Counts = Mapping[str, int]
LINKS = "links"


class Findings(NamedTuple):
    """What is to be said of pages, by the paths of their sources, and how many things there were to judge."""

    problems: Mapping[str, list[Problem]]
    looked: Mapping[File, Counts]


def notice(page: Page, asks: Callable[[str], bool], asked: bool) -> Notes:
    """What the checks that are switched on make of a page; of one that nobody asked for, what is learned from it."""
    return look(page, [one for one in CHECKS if asks(one.name) and (asked or one.settle is not nothing_more)])


def findings(seen: Mapping[File, Seen], asks: Callable[[str], bool]) -> Findings:
    told: dict[str, list[Problem]] = {}
    every = [one.notes for _, one in sorted(seen.items())]
    for problem in [*problems(every), *settle(every, [check for check in CHECKS if asks(check.name)])]:
        told.setdefault(problem.span.source.path, []).append(problem)
    return Findings(told, {file: counts(one.page, one.notes) for file, one in seen.items()})


def counts(page: Page, notes: Notes) -> Counts:
    """The links within a book are judged too."""
    links = sum(link.kind != "autolink" and not EXTERNAL.match(link.target) for link in page.links)
    return {**{name: noticed.looked for name, noticed in notes.items()}, LINKS: links}


def looked(pages: Iterable[Counts]) -> dict[str, int]:
    """All together, by what the things are called; checks that saw nothing are left out."""
    total = Counter[str]()
    for page in pages:
        total.update(page)
    names = {**{check.name: check.things for check in CHECKS}, LINKS: LINKS}
    return {things: total[name] for name, things in names.items() if total[name]}

"""What is noticed on the pages of a book, whether they have blocks or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path as File
from typing import NamedTuple

from ..book.atlas import EXTERNAL
from ..book.model import Page
from ..checks.reading.all import CHECKS, Notes, look, problems, settle
from ..checks.reading.model import Check, nothing_more
from ..text import Problem
from .options import Options

Counts = Mapping[str, int]
LINKS = "links"


class Findings(NamedTuple):
    """What is to be said of pages, by the paths of their sources, and how many things there were to judge."""

    problems: Mapping[str, list[Problem]]
    looked: Mapping[File, Counts]


def notice(pages: Mapping[File, Page], asked: Collection[File], options: Options) -> Findings:
    """The checks that are switched on; pages that nobody asked for are only learned from."""
    checks = [check for check in CHECKS if options.asks(check.name)]
    learning = [check for check in checks if check.settle is not nothing_more]
    wanted = set(asked)
    notes = {file: look(page, checks if file in wanted else learning) for file, page in sorted(pages.items())}
    return findings(pages, notes, checks)


def findings(pages: Mapping[File, Page], notes: Mapping[File, Notes], checks: Iterable[Check]) -> Findings:
    told: dict[str, list[Problem]] = {}
    every = list(notes.values())
    for problem in [*problems(every), *settle(every, list(checks))]:
        told.setdefault(problem.span.source.path, []).append(problem)
    return Findings(told, {file: counts(pages[file], found) for file, found in notes.items()})


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

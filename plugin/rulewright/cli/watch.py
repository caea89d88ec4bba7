"""`rulewright check --watch`: stays, and says after each change what is wrong now and what is no more."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path as File
from time import sleep

from ..compile.books import Compiled
from ..compile.watching import Watching
from ..publish import reports
from ..text import Problem
from .check import asked, count, report, selected, wrong
from .screen import Screen
from .stop import NOTHING_WRONG, Stop

INTERVAL = 0.05  # seconds

Mark = tuple[str, str, str, str]  # what stays the same of a problem when lines above it come and go


def watch(places: Sequence[File], here: File, options: Namespace, screen: Screen) -> int:
    if options.format != "text":
        raise Stop(f"--watch tells people what changes; --format {options.format} is for a single run")
    with suppress(KeyboardInterrupt):
        watching = Watching(places, here)
        watching.update()
        now = selected(watching.compiled, options)
        report(now, options, screen)
        show(screen, "", f"watching {count(len(now.pages), 'page')}; Ctrl-C ends it")
        while True:
            sleep(INTERVAL)
            now = step(watching, now, options, screen)
    return NOTHING_WRONG


def step(watching: Watching, before: Compiled, options: Namespace, screen: Screen) -> Compiled:
    """Looks once; a file that comes or goes at this very moment is looked at the next time."""
    with suppress(OSError):
        if watching.update():
            now = asked(watching.compiled, options)
            show(screen, *changes(before.problems, now.problems, screen))
            return now
    return before


def show(screen: Screen, *lines: str) -> None:
    if lines:
        screen.print(*lines)
        screen.stream.flush()


def changes(before: Sequence[Problem], now: Sequence[Problem], screen: Screen) -> Iterator[str]:
    """What is new in full, what is gone in a line each; nothing when all is as it was."""
    new, gone = without(now, before), without(before, now)
    if new or gone:
        yield ""
        yield from (screen.paint(f"gone: {first_line(problem)}", "good") for problem in gone)
        yield from [reports.text(new, screen.colour), ""] if new else []
        yield f"now {wrong(now)}"


def without(problems: Iterable[Problem], others: Iterable[Problem]) -> list[Problem]:
    """Those that the others do not have; of equal ones as many as there are more."""
    left = Counter(map(mark, others))
    found = []
    for problem in problems:
        left[mark(problem)] -= 1
        if left[mark(problem)] < 0:
            found.append(problem)
    return found


def mark(problem: Problem) -> Mark:
    return problem.span.source.path, problem.code, problem.message, problem.span.text


def first_line(problem: Problem) -> str:
    return next(reports.lines(problem, reports.plain))

"""`rulewright check --fix`: writes the engine's answers into the pages, and shows what it wrote."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path as File

from ..checks.prose import WrongSentence
from ..compile.books import Compiled, compile_book
from ..compile.mending import MendedPage, Mending, still_wrong, write
from ..publish.columns import visible
from ..publish.reports import place
from ..text import LINE_END
from .check import asked, count, report, selected, status
from .screen import INDENT, Screen
from .stop import SOMETHING_WRONG, Stop

LAST_END = re.compile(r"(?:\r\n|\n|\r)\Z")
QUOTED = re.compile(r"\s*[\r\n][\s>]*")
STYLES = {"---": "title", "+++": "title", "@": "quiet", "+": "good", "-": "bad"}


def mend(places: Sequence[File], here: File, options: Namespace, screen: Screen) -> int:
    if os.environ.get("CI"):
        raise Stop("--fix changes pages, and where CI is set nobody would see it; run it at home and commit the result")
    mending = Mending(places, here, lambda compiled: selected(compiled, options))
    compiled = mending.run()
    pages, late = list[MendedPage](), list[MendedPage]()
    for page in mending.pages.values():
        written = write(page)
        (pages if written else late).append(page)
        if written and options.format == "text":
            screen.print(*(paint(line, screen) for line in difference(page)), "")
    if late:
        compiled = asked(compile_book(places, here), options)
    if options.format != "text":
        report(compiled, options, screen)
    else:
        tell(pages, late, compiled, options, screen)
    return SOMETHING_WRONG if late else status(compiled, options)


def tell(
    pages: Sequence[MendedPage], late: Sequence[MendedPage], compiled: Compiled, options: Namespace, screen: Screen
) -> None:
    """How much was changed, what is still wrong beside it, and all other problems."""
    if pages:
        screen.print(f"fixed {count(len(pages), 'page')}", "")
    elif not late:
        screen.print("nothing was changed: there is nothing to fix", "")
    for page in late:
        screen.print(f"{page.before.path} was changed meanwhile and is left as it is; run this again", "")
    asked = compiled.options.wanted("prose-drift")
    sentences = [one for page in pages for one in still_wrong(page, compiled)] if asked else []
    if sentences:
        screen.print("these sentences say something else than the blocks beside them do now:")
        screen.print(*(line for one in sentences for line in told(one)), "")
    report(compiled, options, screen, {problem for one in sentences for problem in one.problems})


def difference(page: MendedPage) -> Iterator[str]:
    before, after = (LINE_END.split(LAST_END.sub("", source.text)) for source in (page.before, page.after))
    return unified_diff(before, after, page.before.path, page.after.path, lineterm="")


def paint(line: str, screen: Screen) -> str:
    style = next((style for opening, style in STYLES.items() if line.startswith(opening)), "")
    return screen.paint(visible(line), style)


def told(one: WrongSentence) -> Iterator[str]:
    """A sentence on one line, and below it what is wrong in it."""
    yield f"{INDENT}{place(one.span)}: {QUOTED.sub(' ', one.span.text)}"
    yield from (f"{INDENT * 3}{problem.message}" for problem in one.problems)

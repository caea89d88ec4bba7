"""`rulewright check`: checks books and prints a report; `--fix` writes corrections, `--watch` follows changes."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path as File
from time import sleep
from typing import Any

from ..checks.prose_examples import WrongSentence
from ..compile.book import Compiled, compile_book
from ..compile.characters import is_character, may_be_character
from ..compile.fixes import MendedPage, Mending, still_wrong, write
from ..compile.options import root_of
from ..compile.selected import UnknownBlockError, check_ids, only
from ..compile.watch import Watching
from ..project import FILE, is_page_name, surrounding_book
from ..render.blocks_json import as_data
from ..render.blocks_json import summary as blocks_summary
from ..render.reports import format_github, format_position, format_problems, paint_nothing, problem_lines
from ..render.reports import problems_to_json as reports_as_json
from ..render.text_width import visible
from ..source import LINE_END, Problem
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, Screen, Stop, progress

NOUNS = {"error": "error", "warning": "warning", "info": "remark"}


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    places = [place_of(path, here) for path in options.paths] or [surrounding_book(here)]
    if options.watch:
        return watch(places, here, options, screen)
    if options.fix:
        return mend(places, here, options, screen)
    compiled = selected(compile_book(places, here, progress(sys.stderr), lean=True), options)
    report(compiled, options, screen)
    return status(compiled, options)


def selected(compiled: Compiled, options: Namespace) -> Compiled:
    """Apply `--only` and `--info`; an unknown id stops the command."""
    try:
        check_ids(compiled, options.only)
    except UnknownBlockError as error:
        raise Stop(str(error)) from error
    return asked(compiled, options)


def asked(compiled: Compiled, options: Namespace) -> Compiled:
    """Apply `--only` and `--info`, ignoring unknown ids."""
    return only(replace(compiled, remarks=options.info), options.only)


def report(compiled: Compiled, options: Namespace, screen: Screen, told: Container[Problem] = ()) -> None:
    """Print all problems that were not printed before and the summary, in the chosen format."""
    problems = [problem for problem in compiled.problems if problem not in told]
    if options.format == "json":
        screen.print(as_json(compiled))
    else:
        found = format_github(problems) if options.format == "github" else format_problems(problems, screen.colour)
        screen.print(
            *([found, ""] if found else []), summary(compiled, options.only), *looked(compiled), *read_as(compiled)
        )


def status(compiled: Compiled, options: Namespace) -> int:
    failing = compiled.options.failing(compiled.problems, options.strict)
    return SOMETHING_WRONG if failing else NOTHING_WRONG


def place_of(path: str, here: File) -> File:
    """The file or folder of a path argument; stops if it is not a folder, page, game or character."""
    place = File(os.path.normpath(here / path))
    if not place.exists():
        raise Stop(f"there is no file or folder {path}")
    if place.is_dir() or place.name == FILE or is_page_name(place.name):
        return place
    if not may_be_character(place.name):
        raise Stop(f"{path} is neither a folder nor a page nor a {FILE}")
    if root_of(place.parent, here).refusal(place) is None and not is_character(place):
        raise Stop(f"{path} does not say which sheet it is; a character does")
    return place


def summary(compiled: Compiled, ids: Iterable[str] = ()) -> str:
    """The summary: "5 games, 11 rules, 7 pages, 42 blocks, no problems". With block ids, games are not counted."""
    games = compiled.games
    if not games.files and not compiled.pages and not compiled.characters:
        return f"nothing to check: there is neither a page nor a {FILE} at or below this place"
    found = compiled.every_game.values()
    rules, alone = sum(len(game.rules) for game in found), sum(game.alone for game in found)
    played = [] if ids else [count(len(games.files) + alone, "game"), count(rules, "rule")]
    pages = [count(len(compiled.pages), "page"), count(len(compiled.blocks), "block")] if compiled.pages else []
    pages += [count(len(compiled.characters), "character")] if compiled.characters else []
    return ", ".join([*played, *pages, wrong(compiled.problems)])


def looked(compiled: Compiled) -> Iterator[str]:
    """The line "looked at 1,117 averages, 5,628 links"."""
    if told := [counted(number, things) for things, number in compiled.looked.items()]:
        yield f"looked at {', '.join(told)}"


def read_as(compiled: Compiled) -> Iterator[str]:
    """The line "links read as Obsidian writes them"; nothing for plain Markdown links."""
    if compiled.dialect:
        yield f"links read as {compiled.dialect} writes them"


def counted(number: int, things: str) -> str:
    """A count with its noun; the plural s is at the end, or before "with" or "of"."""
    name, link, more = re.match(r"(.*?)( (?:with|of) |$)(.*)", things).groups()  # type: ignore[union-attr]
    return f"{number:,} {name.removesuffix('s') if number == 1 else name}{link}{more}"


def wrong(problems: Iterable[Problem]) -> str:
    found = Counter(problem.severity for problem in problems)
    return ", ".join(count(found[name], noun) for name, noun in NOUNS.items() if found[name]) or "no problems"


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def as_json(compiled: Compiled) -> str:
    from json import dumps

    report: dict[str, Any] = {
        "version": 1,
        "summary": {**blocks_summary(compiled), "looked": compiled.looked},
        "blocks": as_data(compiled.blocks),
    }
    return dumps({**report, "problems": reports_as_json(compiled.problems)}, ensure_ascii=False, indent=2)


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
    """Print how many pages were fixed, the sentences that now contradict a block, and all other problems."""
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
    """A sentence on one line, followed by its problems."""
    yield f"{INDENT}{format_position(one.span)}: {QUOTED.sub(' ', one.span.text)}"
    yield from (f"{INDENT * 3}{problem.message}" for problem in one.problems)


INTERVAL = 0.05  # seconds

Mark = tuple[str, str, str, str]  # identity of a problem that does not depend on its line


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
    """Look for changes once; OSErrors from files that change right now are ignored until the next time."""
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
    """New problems in full and a line for each that is gone; nothing if there are none."""
    new, gone = without(now, before), without(before, now)
    if new or gone:
        yield ""
        yield from (screen.paint(f"gone: {first_line(problem)}", "good") for problem in gone)
        yield from [format_problems(new, screen.colour), ""] if new else []
        yield f"now {wrong(now)}"


def without(problems: Iterable[Problem], others: Iterable[Problem]) -> list[Problem]:
    """Multiset difference of problems."""
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
    return next(problem_lines(problem, paint_nothing))

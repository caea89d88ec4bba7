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

from ..book.finished_site import FinishedSite
from ..checks.prose_examples import WrongSentence
from ..compile.book import CompiledBook, compile_book
from ..compile.characters import is_character, may_be_character
from ..compile.fixes import BookFixer, FixedPage, contradicting_sentences, write_page
from ..compile.host_settings import read_host_settings
from ..compile.options import root_of
from ..compile.selection import UnknownBlockError, check_ids, select_blocks
from ..compile.watch import BookWatcher
from ..project import GAME_FILE, find_common_root, find_surrounding_book, is_page_name
from ..render.blocks_json import blocks_to_json, count_pages_and_blocks
from ..render.reports import (
    format_github,
    format_position,
    format_problems,
    paint_nothing,
    problem_lines,
    problems_to_json,
)
from ..render.text_width import visible
from ..source import LINE_BREAK, Problem
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, progress

_MAX_NAMES = 5
_NOUNS = {"error": "error", "warning": "warning", "info": "remark"}


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    places = [resolve_path(path, here) for path in options.paths] or [find_surrounding_book(here)]
    finished = _open_site(options.site, places, here) if options.site else None
    if options.watch:
        return _watch_book(places, here, options, screen)
    if options.fix:
        return _fix_pages(places, here, options, screen, finished)
    compiled = compile_book(places, here, progress(sys.stderr), lean=True, finished=finished)
    compiled = _select_known(_with_published_pages(compiled, options), options)
    _report(compiled, options, screen)
    return _status(compiled, options)


def _open_site(name: str, places: Sequence[File], here: File) -> FinishedSite:
    """The finished site of `--site`; stops if there is none, or if the book is not one of MkDocs."""
    folder = here / name
    if not folder.is_dir():
        raise CommandError(f"there is no folder {name}; `mkdocs build` writes the site")
    if read_host_settings(find_common_root(places)) is None:
        raise CommandError("--site is for books of MkDocs; there is no mkdocs.yml here")
    return FinishedSite(folder)


def _with_published_pages(compiled: CompiledBook, options: Namespace) -> CompiledBook:
    """The same book; stops if the folder of `--site` has none of its pages."""
    if options.site and compiled.pages and len(compiled.unpublished) == len(compiled.pages):
        raise CommandError(f"{options.site} has no page of this book; is it the folder that `mkdocs build` writes?")
    return compiled


def _select_known(compiled: CompiledBook, options: Namespace) -> CompiledBook:
    """Apply `--only` and `--info`; an unknown id stops the command."""
    try:
        check_ids(compiled, options.only)
    except UnknownBlockError as error:
        raise CommandError(str(error)) from error
    return _apply_selection(compiled, options)


def _apply_selection(compiled: CompiledBook, options: Namespace) -> CompiledBook:
    """Apply `--only` and `--info`, ignoring unknown ids."""
    return select_blocks(replace(compiled, with_info=options.info), options.only)


def _report(compiled: CompiledBook, options: Namespace, screen: Screen, printed: Container[Problem] = ()) -> None:
    """Print all problems that were not printed before and the summary, in the chosen format."""
    problems = [problem for problem in compiled.problems if problem not in printed]
    if options.format == "json":
        screen.print(_as_json(compiled, options.site))
    else:
        output = format_github(problems) if options.format == "github" else format_problems(problems, screen.color)
        screen.print(
            *([output, ""] if output else []),
            _summary(compiled, options.only),
            *_checked_line(compiled),
            *_dialect_line(compiled),
            *_site_line(compiled, options),
        )


def _status(compiled: CompiledBook, options: Namespace) -> int:
    failing = compiled.options.has_failure(compiled.problems, options.strict)
    return SOMETHING_WRONG if failing else NOTHING_WRONG


def resolve_path(path: str, here: File) -> File:
    """The file or folder of a path argument; stops if it is not a folder, page, game or character."""
    file = File(os.path.normpath(here / path))
    if not file.exists():
        raise CommandError(f"there is no file or folder {path}")
    if file.is_dir() or file.name == GAME_FILE or is_page_name(file.name):
        return file
    if not may_be_character(file.name):
        raise CommandError(f"{path} is neither a folder nor a page nor a {GAME_FILE}")
    if root_of(file.parent, here).find_refusal(file) is None and not is_character(file):
        raise CommandError(f"{path} does not say which sheet it is; a character does")
    return file


def _summary(compiled: CompiledBook, ids: Iterable[str] = ()) -> str:
    """The summary: "5 games, 11 rules, 7 pages, 42 blocks, no problems". With block ids, games are not counted."""
    games = compiled.games
    if not games.files and not compiled.pages and not compiled.characters:
        return f"nothing to check: there is neither a page nor a {GAME_FILE} at or below this place"
    games_found = compiled.all_games.values()
    rules, alone = sum(len(game.rules) for game in games_found), sum(game.is_inline for game in games_found)
    played = [] if ids else [count(len(games.files) + alone, "game"), count(rules, "rule")]
    pages = [count(len(compiled.pages), "page"), count(len(compiled.blocks), "block")] if compiled.pages else []
    pages += [count(len(compiled.characters), "character")] if compiled.characters else []
    return ", ".join([*played, *pages, _problem_counts(compiled.problems)])


def _checked_line(compiled: CompiledBook) -> Iterator[str]:
    """The line "looked at 1,117 averages, 5,628 links"."""
    if phrases := [count_phrase(number, things) for things, number in compiled.checked_counts.items()]:
        yield f"looked at {', '.join(phrases)}"


def _dialect_line(compiled: CompiledBook) -> Iterator[str]:
    """The line "links read as Obsidian writes them"; nothing for plain Markdown links."""
    if compiled.dialect:
        yield f"links read as {compiled.dialect} writes them"


def _site_line(compiled: CompiledBook, options: Namespace) -> Iterator[str]:
    """The line "links judged by the pages of site; 2 pages are not there: draft.md, old.md"."""
    if not options.site:
        return
    names = [page.page.source.path for page in compiled.unpublished]
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    verb = "is" if len(names) == 1 else "are"
    listed = f"; {count(len(names), 'page')} {verb} not there: {', '.join(names[:_MAX_NAMES])}{more}" if names else ""
    yield f"links judged by the pages of {options.site}{listed}"


def count_phrase(number: int, things: str) -> str:
    """A count with its noun; the plural s is at the end, or before "with" or "of"."""
    name, link, more = re.match(r"(.*?)( (?:with|of) |$)(.*)", things).groups()  # type: ignore[union-attr]
    return f"{number:,} {name.removesuffix('s') if number == 1 else name}{link}{more}"


def _problem_counts(problems: Iterable[Problem]) -> str:
    severities = Counter(problem.severity for problem in problems)
    return (
        ", ".join(count(severities[name], noun) for name, noun in _NOUNS.items() if severities[name]) or "no problems"
    )


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _as_json(compiled: CompiledBook, site: str | None) -> str:
    from json import dumps

    report: dict[str, Any] = {
        "version": 1,
        "summary": {**count_pages_and_blocks(compiled), "looked": compiled.checked_counts},
        "blocks": blocks_to_json(compiled.blocks),
    }
    if site:
        report["site"] = {"folder": site, "missing": [page.page.source.path for page in compiled.unpublished]}
    return dumps({**report, "problems": problems_to_json(compiled.problems)}, ensure_ascii=False, indent=2)


_LAST_END = re.compile(r"(?:\r\n|\n|\r)\Z")
_QUOTED = re.compile(r"\s*[\r\n][\s>]*")
_STYLES = {"---": "title", "+++": "title", "@": "quiet", "+": "good", "-": "bad"}


def _fix_pages(
    places: Sequence[File], here: File, options: Namespace, screen: Screen, finished: FinishedSite | None
) -> int:
    if os.environ.get("CI"):
        raise CommandError(
            "--fix changes pages, and where CI is set nobody would see it; run it at home and commit the result"
        )

    def select(compiled: CompiledBook) -> CompiledBook:
        return _select_known(_with_published_pages(compiled, options), options)

    fixer = BookFixer(places, here, select, finished=finished)
    compiled = fixer.run()
    pages, unwritten = list[FixedPage](), list[FixedPage]()
    for page in fixer.pages.values():
        is_written = write_page(page)
        (pages if is_written else unwritten).append(page)
        if is_written and options.format == "text":
            screen.print(*(paint(line, screen) for line in page_difference(page)), "")
    if unwritten:
        compiled = _apply_selection(compile_book(places, here, finished=finished), options)
    if options.format != "text":
        _report(compiled, options, screen)
    else:
        _report_fixes(pages, unwritten, compiled, options, screen)
    return SOMETHING_WRONG if unwritten else _status(compiled, options)


def _report_fixes(
    pages: Sequence[FixedPage],
    unwritten: Sequence[FixedPage],
    compiled: CompiledBook,
    options: Namespace,
    screen: Screen,
) -> None:
    """Print how many pages were fixed, the sentences that now contradict a block, and all other problems."""
    if pages:
        screen.print(f"fixed {count(len(pages), 'page')}", "")
    elif not unwritten:
        screen.print("nothing was changed: there is nothing to fix", "")
    for page in unwritten:
        screen.print(f"{page.before.path} was changed meanwhile and is left as it is; run this again", "")
    is_drift_enabled = compiled.options.is_enabled("prose-drift")
    sentences = (
        [sentence for page in pages for sentence in contradicting_sentences(page, compiled)] if is_drift_enabled else []
    )
    if sentences:
        screen.print("these sentences say something else than the blocks beside them do now:")
        screen.print(*(line for sentence in sentences for line in _sentence_lines(sentence)), "")
    _report(compiled, options, screen, {problem for sentence in sentences for problem in sentence.problems})


def page_difference(page: FixedPage) -> Iterator[str]:
    before, after = (LINE_BREAK.split(_LAST_END.sub("", source.text)) for source in (page.before, page.after))
    return unified_diff(before, after, page.before.path, page.after.path, lineterm="")


def paint(line: str, screen: Screen) -> str:
    style = next((style for opening, style in _STYLES.items() if line.startswith(opening)), "")
    return screen.paint(visible(line), style)


def _sentence_lines(sentence: WrongSentence) -> Iterator[str]:
    """A sentence on one line, followed by its problems."""
    yield f"{INDENT}{format_position(sentence.span)}: {_QUOTED.sub(' ', sentence.span.text)}"
    yield from (f"{INDENT * 3}{problem.message}" for problem in sentence.problems)


_INTERVAL = 0.05  # seconds

_ProblemKey = tuple[str, str, str, str]  # identity of a problem that does not depend on its line


def _watch_book(places: Sequence[File], here: File, options: Namespace, screen: Screen) -> int:
    if options.site:
        raise CommandError("--watch looks at pages, and --site at what was built from them; use one of both")
    if options.format != "text":
        raise CommandError(f"--watch tells people what changes; --format {options.format} is for a single run")
    with suppress(KeyboardInterrupt):
        watcher = BookWatcher(places, here)
        watcher.update()
        now = _select_known(watcher.compiled, options)
        _report(now, options, screen)
        _print_lines(screen, "", f"watching {count(len(now.pages), 'page')}; Ctrl-C ends it")
        while True:
            sleep(_INTERVAL)
            now = _watch_step(watcher, now, options, screen)
    return NOTHING_WRONG


def _watch_step(watcher: BookWatcher, before: CompiledBook, options: Namespace, screen: Screen) -> CompiledBook:
    """Look for changes once; OSErrors from files that change right now are ignored until the next time."""
    with suppress(OSError):
        if watcher.update():
            now = _apply_selection(watcher.compiled, options)
            _print_lines(screen, *changes(before.problems, now.problems, screen))
            return now
    return before


def _print_lines(screen: Screen, *lines: str) -> None:
    if lines:
        screen.print(*lines)
        screen.stream.flush()


def changes(before: Sequence[Problem], now: Sequence[Problem], screen: Screen) -> Iterator[str]:
    """New problems in full and a line for each that is gone; nothing if there are none."""
    new, gone = _subtract_problems(now, before), _subtract_problems(before, now)
    if new or gone:
        yield ""
        yield from (screen.paint(f"gone: {_problem_line(problem)}", "good") for problem in gone)
        yield from [format_problems(new, screen.color), ""] if new else []
        yield f"now {_problem_counts(now)}"


def _subtract_problems(problems: Iterable[Problem], others: Iterable[Problem]) -> list[Problem]:
    """Multiset difference of problems."""
    left = Counter(map(_problem_key, others))
    remaining = []
    for problem in problems:
        left[_problem_key(problem)] -= 1
        if left[_problem_key(problem)] < 0:
            remaining.append(problem)
    return remaining


def _problem_key(problem: Problem) -> _ProblemKey:
    return problem.span.source.path, problem.code, problem.message, problem.span.text


def _problem_line(problem: Problem) -> str:
    return next(problem_lines(problem, paint_nothing))

"""`rulewright check`: checks books and prints a report; `--fix` writes corrections, `--diff` only shows them."""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path as File
from pathlib import PurePath
from time import sleep

from ..book.finished_site import FinishedSite
from ..checks.prose_examples import WrongSentence
from ..compile.baseline import Baseline, BaselineError, format_baseline, read_baseline
from ..compile.book import CompiledBook, compile_book
from ..compile.books import Compiled, CompiledBooks, has_failure, join_books, split_places
from ..compile.characters import is_character, may_be_character
from ..compile.fixes import BookFixer, FixedPage, contradicting_sentences, write_page
from ..compile.games import display_path
from ..compile.host_settings import read_host_settings
from ..compile.options import root_of
from ..compile.selection import UnknownBlockError, check_ids, select_blocks
from ..compile.watch import BookWatcher
from ..project import GAME_FILE, find_common_root, is_page_name
from ..render.export import write_atomically
from ..render.reports import (
    count,
    format_position,
    format_problem_counts,
    format_problems,
    paint_nothing,
    problem_lines,
)
from ..render.text_width import visible
from ..source import LINE_BREAK, Problem, find_similar
from .report import Report, check_report_folders, require_content, write_reports
from .report_formats import read_formats
from .standard_input import StandardInput, read_standard_input
from .terminal import INDENT, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen, progress


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    options.format, options.files = read_formats(options.reports)
    check_report_folders(options.files, here)
    if options.diff and (options.format != "text" or options.files):
        raise CommandError("--diff prints what --fix would change, and no report; leave out --format and -o")
    options.known = _read_baseline(here, options)
    if page := read_standard_input(options, here):
        return _check_standard_input(page, here, options, screen)
    given = [resolve_path(path, here) for path in options.paths]
    require_one_drive(given)
    books = split_places(given, here)
    finished = _open_site(options.site, books, here)
    if options.watch:
        return _watch_books(books, here, options, screen)
    if options.diff:
        return _show_fixes(books, here, options, screen, finished)
    if options.fix:
        return _fix_pages(books, here, options, screen, finished)
    compiled_books = [
        compile_book(places, here, progress(sys.stderr), lean=True, finished=finished) for places in books
    ]
    compiled = _select_known(compiled_books, options)
    if options.write_baseline:
        _write_baseline(compiled, here, options)
        compiled = _join_selected(compiled_books, options)
    _report(compiled, options, screen)
    return _status(compiled, options)


def _read_baseline(here: File, options: Namespace) -> Baseline | None:
    """The baseline that `--baseline` names; stops if it cannot be read."""
    partial = options.fix or options.diff or options.watch or options.only or options.baseline
    if options.write_baseline and partial:
        left_out = "--baseline, --diff, --fix, --only and --watch"
        raise CommandError(f"--write-baseline checks the whole book; leave out {left_out}")
    try:
        return read_baseline(here / options.baseline, here) if options.baseline else None
    except BaselineError as error:
        repair = "" if os.path.lexists(here / options.baseline) else "; --write-baseline writes one"
        raise CommandError(f"{options.baseline}: {error}{repair}") from error


def _write_baseline(compiled: Compiled, here: File, options: Namespace) -> None:
    """Write the problems that a baseline may have, and leave them out of the report."""
    check_report_folders([options.write_baseline], here)
    file = here / options.write_baseline
    write_atomically(file, format_baseline(compiled.problems, file, here).encode(errors="replace"))
    options.known = read_baseline(file, here)


def _check_standard_input(page: StandardInput, here: File, options: Namespace, screen: Screen) -> int:
    """Check a page from standard input; `--fix` prints the fixed page, and the report on standard error."""
    finished = _open_site(options.site, [[page.file]], here)
    if options.fix or options.diff:
        fixer = BookFixer([page.file], here, lambda book: _select_in_book(book, options), page.open, finished=finished)
        compiled = fixer.run()
        _require_known_names(fixer.whole, options)
        if options.diff:
            return _print_fixes(fixer.pages.values(), screen)
        screen = Screen(sys.stderr)
        page.write(fixer)
    else:
        compiled = compile_book([page.file], here, read=page.open, lean=True, finished=finished)
        _require_known_names(compiled, options)
        compiled = _select_in_book(compiled, options)
    _report(compiled, options, screen)
    return _status(compiled, options)


def _open_site(name: str | None, books: Sequence[Sequence[File]], here: File) -> FinishedSite | None:
    """The finished site that `--site` names; stops if there is none, or if what is checked is not one MkDocs book."""
    if name is None:
        return None
    if not (here / name).is_dir():
        raise CommandError(f"there is no folder {name}; `mkdocs build` writes the site")
    if len(books) > 1:
        folders = ", ".join(display_path(find_common_root(places), here) for places in books)
        raise CommandError(f"--site is for one book, and these are {len(books)}: {folders}; name the one of the site")
    if read_host_settings(find_common_root(books[0])) is None:
        raise CommandError("--site is for books of MkDocs; there is no mkdocs.yml here")
    return FinishedSite(here / name)


def _select_known(books: Sequence[CompiledBook], options: Namespace) -> Compiled:
    """Apply `--only` and `--info` to all books and join them; an unknown id stops the command."""
    compiled = CompiledBooks(tuple(books))
    require_content(compiled)
    _require_known_names(compiled, options)
    return _join_selected(books, options)


def _require_known_names(compiled: Compiled, options: Namespace) -> None:
    """Stop for an unknown id in `--only`, and for a `--site` that has none of the pages."""
    if options.site and compiled.pages and all(len(book.unpublished) == len(book.pages) for book in compiled.books):
        raise CommandError(f"{options.site} has no page of this book; is it the folder that `mkdocs build` writes?")
    try:
        check_ids(compiled, options.only)
    except UnknownBlockError as error:
        raise CommandError(str(error)) from error


def _join_selected(books: Iterable[CompiledBook], options: Namespace) -> Compiled:
    """Apply `--only`, `--info` and `--fail-on` to all books, ignoring unknown ids."""
    return join_books([_select_in_book(book, options) for book in books])


def _select_in_book(book: CompiledBook, options: Namespace) -> CompiledBook:
    book_options = replace(book.options, fail_on=options.fail_on or book.options.fail_on)
    if options.known or options.write_baseline:  # they take the place of the option
        others = tuple(problem for problem in book_options.problems if problem.code != "option-baseline")
        book_options = replace(book_options, baseline=options.known, problems=others)
    whole = replace(book, with_info=options.info, options=book_options)
    return select_blocks(whole, options.only)


def _report(compiled: Compiled, options: Namespace, screen: Screen, printed: Collection[Problem] = ()) -> None:
    """Print the report in the chosen format, without problems that were printed before, and write those in files."""
    report = Report(compiled, File.cwd(), bool(options.only), screen.color, printed, options.site, options.all)
    write_reports(report, options.files, options.format)
    screen.print(report.format(options.format))


def _status(compiled: Compiled, options: Namespace) -> int:
    return SOMETHING_WRONG if has_failure(compiled, options.strict) else NOTHING_WRONG


def require_one_drive(places: Sequence[PurePath]) -> None:
    """Stop if paths are on different drives of Windows, because no book is."""
    if len({place.drive.lower() for place in places}) > 1:
        raise CommandError("these paths are on different drives; check the book on each drive by itself")


def resolve_path(path: str, here: File) -> File:
    """The file or folder of a path argument; stops if it is not a folder, page, game or character."""
    file = File(os.path.normpath(here / path))
    if not file.exists() and "\\" in path:
        file = File(os.path.normpath(here / path.replace("\\", "/")))  # as Windows writes it
    if not file.exists():
        raise CommandError(_describe_missing_path(path, file))
    if file.is_dir() or file.name == GAME_FILE or is_page_name(file.name):
        return file
    if not may_be_character(file.name):
        raise CommandError(f"{path} is neither a folder nor a page nor a {GAME_FILE}; name a folder, or a page (.md)")
    if root_of(file.parent, here).find_refusal(file) is None and not is_character(file):
        raise CommandError(f"{path} does not say which sheet it is; a character does")
    return file


def _describe_missing_path(path: str, file: File) -> str:
    names = [other.name for other in file.parent.iterdir()] if file.parent.is_dir() else []
    near = find_similar(file.name, names)
    note = f"did you mean {(File(path).parent / near).as_posix()}?" if near else "leave the path out for this book"
    return f"there is no file or folder {path}; {note}"


_LAST_END = re.compile(r"(?:\r\n|\n|\r)\Z")
_QUOTED = re.compile(r"\s*[\r\n][\s>]*")
_STYLES = {"---": "title", "+++": "title", "@": "quiet", "+": "good", "-": "bad"}


def _run_fixers(
    books: Sequence[Sequence[File]], here: File, options: Namespace, finished: FinishedSite | None
) -> tuple[list[BookFixer], Compiled]:
    """Fix all books in memory, and join what `--only` and the other options leave of them."""
    fixers = [
        BookFixer(places, here, lambda book: _select_in_book(book, options), finished=finished) for places in books
    ]
    compiled = join_books([fixer.run() for fixer in fixers])
    whole = CompiledBooks(tuple(fixer.whole for fixer in fixers))
    require_content(whole)
    _require_known_names(whole, options)
    return fixers, compiled


def _show_fixes(
    books: Sequence[Sequence[File]], here: File, options: Namespace, screen: Screen, finished: FinishedSite | None
) -> int:
    """Print what `--fix` would change, and write nothing."""
    fixers, _ = _run_fixers(books, here, options, finished)
    return _print_fixes([page for fixer in fixers for page in fixer.pages.values()], screen)


def _print_fixes(pages: Collection[FixedPage], screen: Screen) -> int:
    """Print the differences of pages, and on standard error how many there are."""
    for page in pages:
        screen.print(*(paint(line, screen) for line in page_difference(page)))
    summary = f"--fix would change {count(len(pages), 'page')}" if pages else "there is nothing to fix"
    Screen(sys.stderr).print(summary)
    return SOMETHING_WRONG if pages else NOTHING_WRONG


def _fix_pages(
    books: Sequence[Sequence[File]], here: File, options: Namespace, screen: Screen, finished: FinishedSite | None
) -> int:
    if os.environ.get("CI"):
        raise CommandError(
            "--fix changes pages, and where CI is set nobody would see it; run it at home and commit the result"
        )
    fixers, compiled = _run_fixers(books, here, options, finished)
    pages, unwritten = list[FixedPage](), list[FixedPage]()
    shown = screen if options.format == "text" else Screen(sys.stderr)
    for page in (page for fixer in fixers for page in fixer.pages.values()):
        shown.print(*(paint(line, shown) for line in page_difference(page)), "")
        shown.stream.flush()  # before anything is written
        (pages if write_page(page) else unwritten).append(page)
    if unwritten:
        compiled = _join_selected([compile_book(places, here, finished=finished) for places in books], options)
    if options.format != "text":
        _report(compiled, options, screen)
    else:
        _report_fixes(pages, unwritten, compiled, options, screen)
    return SOMETHING_WRONG if unwritten else _status(compiled, options)


def _report_fixes(
    pages: Sequence[FixedPage], unwritten: Sequence[FixedPage], compiled: Compiled, options: Namespace, screen: Screen
) -> None:
    """Print how many pages were fixed, the sentences that now contradict a block, and all other problems."""
    if pages:
        screen.print(f"fixed {count(len(pages), 'page')}", "")
    elif not unwritten:
        screen.print("nothing was changed: there is nothing to fix", "")
    for page in unwritten:
        screen.print(f"{page.before.path} was changed meanwhile and is left as it is; run this again", "")
    drifting = [book for book in compiled.books if book.options.is_enabled("prose-drift")]
    sentences = [sentence for page in pages for book in drifting for sentence in contradicting_sentences(page, book)]
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


def _watch_books(books: Sequence[Sequence[File]], here: File, options: Namespace, screen: Screen) -> int:
    if options.site:
        raise CommandError("--watch looks at pages, and --site at what was built from them; use one of both")
    if options.format != "text" or options.files:
        raise CommandError("--watch prints what changes as text; leave out --format and -o, or --watch")
    with suppress(KeyboardInterrupt):
        watchers = [BookWatcher(places, here) for places in books]
        for watcher in watchers:
            watcher.update()
        now = _select_known([watcher.compiled for watcher in watchers], options)
        _report(now, options, screen)
        _print_lines(screen, "", f"watching {count(len(now.pages), 'page')}; Ctrl-C ends it")
        while True:
            sleep(_INTERVAL)
            now = _watch_step(watchers, now, options, screen)
    return NOTHING_WRONG


def _watch_step(watchers: Sequence[BookWatcher], before: Compiled, options: Namespace, screen: Screen) -> Compiled:
    """Look for changes once; OSErrors from files that change right now are ignored until the next time."""
    with suppress(OSError):
        updated = [watcher.update() for watcher in watchers]
        if any(updated):
            now = _join_selected([watcher.compiled for watcher in watchers], options)
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
        yield f"now {format_problem_counts(now)}"


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

"""`rulewright export`: writes a checked book as one file, or the files that its pages need on a site."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path as File

from ..compile.book import CompiledBook, compile_book
from ..compile.options import Options
from ..game.core_json import core_to_json
from ..game.lower import lower_game
from ..paths import relative_path
from ..project import find_surrounding_book
from ..render.assets import ASSETS_FOLDER, find_stale
from ..render.context import BuildContext
from ..render.export import (
    BookExport,
    ExportError,
    ExportResult,
    ProgressCallback,
    export_book,
    size_text,
    write_atomically,
)
from ..render.reports import count, format_problem_counts, format_problems
from ..source import Problem
from .check import resolve_path
from .invocation import as_started
from .rule_arguments import find_named_games
from .streams import is_terminal, json_text
from .terminal import NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen

_UNREADABLE = ("page-text", "page-size", "page-nesting")  # their text would be missing
ASSETS = "assets"  # the one format that is a folder
CORE = "core"  # the one format that is no book
_FINAL_STEP = {"pdf": "setting the type", "zip": "building the site"}  # progress text of the last step


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stderr)
    if options.format == CORE:
        return _write_core(options, here)
    if len(options.folder) > 1:
        raise CommandError("one book is exported at a time; name its folder")
    options.folder = next(iter(options.folder), None)
    path = resolve_path(options.folder, here) if options.folder else find_surrounding_book(here)
    compiled = _with_options(compile_book([path], here), options)
    edition = BookExport(compiled, here)
    if not edition.chapters:
        raise CommandError(f"there is no page to export in {options.folder or relative_path(path, here)}")
    if wrong := _find_obstacles(compiled):
        screen.print(*_refusal(wrong), "", format_problems(wrong, screen.color))
        return SOMETHING_WRONG
    screen.print(*_remarks(compiled))
    if options.format == ASSETS:
        return _write_assets(options, compiled, here)
    file = _output_file(options, path if options.folder else here, here)
    data, problems = _write_export(options.format, edition, screen)
    if reported := compiled.options.enabled_problems(problems):
        screen.print(format_problems(reported, screen.color), "")
    write_atomically(file, data)
    print(f"{relative_path(file, here)}: {count(len(edition.chapters), 'page')} of the book, {size_text(len(data))}")
    return NOTHING_WRONG


def _write_core(options: Namespace, here: File) -> int:
    """Write the core of each game as JSON, by the name of the game."""
    games = find_named_games(options.folder, here)
    text = json_text({name: core_to_json(lower_game(game)) for name, game in games.items()})
    if not options.output:
        print(text)
        return NOTHING_WRONG
    file = _output_file(options, here, here)
    write_atomically(file, f"{text}\n".encode())
    print(f"{relative_path(file, here)}: {count(len(games), 'game')}, {size_text(len(text))}")
    return NOTHING_WRONG


def _find_obstacles(compiled: CompiledBook) -> list[Problem]:
    """The problems that stop an export: those that fail a build, and pages that cannot be read."""
    in_build = compiled.options.for_build()
    stopping = [problem for problem in compiled.problems if _is_judged(problem, in_build)]
    return stopping if in_build.has_failure(stopping) else []


def _is_judged(problem: Problem, in_build: Options) -> bool:
    return in_build.is_enabled(problem.code) or problem.code in _UNREADABLE


def _refusal(problems: Sequence[Problem]) -> list[str]:
    """Why nothing is written, and what to do."""
    return [
        f"nothing was exported, because games, blocks or numbers are wrong: {format_problem_counts(problems)}",
        as_started("Correct them, or run `rulewright check --fix` for those with a fix; then export again."),
    ]


def _remarks(compiled: CompiledBook) -> Iterator[str]:
    """What an export does not judge, and the pages that it does not have."""
    problems = [problem for problem in compiled.problems if problem.severity == "error"]
    if problems:
        number = count(len(problems), "error")
        yield as_started(f"{number} in links, tables and sentences: `rulewright check` lists what is wrong")
    yield from (str(problem) for problem in compiled.nav_problems)


def _write_assets(options: Namespace, compiled: CompiledBook, here: File) -> int:
    """Write the files that pages link, by default where the site is built from; remove data that is out of date."""
    root = compiled.games.root
    folder = File(os.path.normpath(here / options.output)) if options.output else root / ASSETS_FOLDER
    if not options.output and not compiled.project.has_no_outside_links(folder):
        raise CommandError(
            f"{relative_path(folder, here)} leads out of the project and is not written; name it with -o"
        )
    files = BuildContext(compiled, here).asset_files()
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        write_atomically(folder / name, data)
    for file in find_stale(folder, files):
        file.unlink()
    size = size_text(sum(map(len, files.values())))
    print(f"{relative_path(folder, here)}: {count(len(files), 'file')} that pages need to roll, {size}")
    return NOTHING_WRONG


def _with_options(compiled: CompiledBook, options: Namespace) -> CompiledBook:
    """Override the layout options of the book with those of the command line."""
    overrides = {name: getattr(options, name) for name in ("paper", "columns", "dark") if getattr(options, name)}
    return replace(compiled, options=replace(compiled.options, **overrides))


def _write_export(form: str, edition: BookExport, screen: Screen) -> ExportResult:
    try:
        exported = export_book(form, edition, _progress(form, screen))
    except ExportError as error:
        raise CommandError(f"the {form} was not made: {error}") from error
    if is_terminal(screen.stream):
        print(end="\r\033[K", file=screen.stream)
    return exported


def _progress(form: str, screen: Screen) -> ProgressCallback:
    """A callback that shows the current chapter on one line, on terminals only."""

    def show(chapter: str) -> None:
        if is_terminal(screen.stream):
            print(end=f"\r\033[K{chapter or _FINAL_STEP.get(form, 'writing')} …", file=screen.stream, flush=True)

    return show


def _output_file(options: Namespace, path: File, here: File) -> File:
    """The output file: as `-o` says, or else in the current folder with the name of the book's folder."""
    name = f"{path.stem or 'book'}.{options.format}"
    file = File(os.path.normpath(here / (options.output or name)))
    if not file.parent.is_dir():
        folder = relative_path(file.parent, here)
        raise CommandError(f"{relative_path(file, here)} cannot be written: there is no folder {folder}; make it first")
    return file / name if file.is_dir() else file

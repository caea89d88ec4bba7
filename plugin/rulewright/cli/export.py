"""`rulewright export`: writes a checked book as a PDF, HTML, EPUB or ZIP file."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path as File

from ..compile.book import Compiled, compile_book
from ..project import surrounding_book
from ..render.export import BookExport, ExportError, ExportResult, ProgressCallback, size_text, write_atomically
from ..render.export import export_book as makers_make
from ..render.reports import format_problems
from .check import count, place_of
from .terminal import NOTHING_WRONG, SOMETHING_WRONG, Screen, Stop

LAST = {"pdf": "setting the type", "zip": "building the site"}  # progress text of the last step


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stderr)
    place = place_of(options.folder, here) if options.folder else surrounding_book(here)
    compiled = with_options(compile_book([place], here), options)
    edition = BookExport(compiled, here)
    if not edition.chapters:
        raise Stop(f"there is no page to export in {options.folder or os.path.relpath(place, here)}")
    if compiled.options.failing(compiled.problems):
        screen.print(format_problems(compiled.problems, screen.colour), "", "a book is exported when it is right")
        return SOMETHING_WRONG
    data, problems = make(options.format, edition, screen)
    if wanted := compiled.options.of(problems):
        screen.print(format_problems(wanted, screen.colour), "")
    file = target(options, place if options.folder else here, here)
    write_atomically(file, data)
    print(f"{os.path.relpath(file, here)}: {count(len(edition.chapters), 'page')} of the book, {size_text(len(data))}")
    return NOTHING_WRONG


def with_options(compiled: Compiled, options: Namespace) -> Compiled:
    """Override the layout options of the book with those of the command line."""
    said = {name: getattr(options, name) for name in ("paper", "columns", "dark") if getattr(options, name)}
    return replace(compiled, options=replace(compiled.options, **said))


def make(form: str, edition: BookExport, screen: Screen) -> ExportResult:
    try:
        made = makers_make(form, edition, progress(form, screen))
    except ExportError as error:
        raise Stop(f"the {form} was not made: {error}") from error
    if screen.stream.isatty():
        print(end="\r\033[K", file=screen.stream)
    return made


def progress(form: str, screen: Screen) -> ProgressCallback:
    """A callback that shows the current chapter on one line, on terminals only."""

    def show(chapter: str) -> None:
        if screen.stream.isatty():
            print(end=f"\r\033[K{chapter or LAST.get(form, 'writing')} …", file=screen.stream, flush=True)

    return show


def target(options: Namespace, place: File, here: File) -> File:
    """The output file: as `-o` says, or else in the current folder with the name of the book's folder."""
    name = f"{place.stem or 'book'}.{options.format}"
    file = File(os.path.normpath(here / (options.output or name)))
    return file / name if file.is_dir() else file

"""`rulewright diff`: compares two editions of a book; `--fix` and `--learn` update links to moved headings."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import ExitStack
from json import dumps
from pathlib import Path as File

from ..compile.aliases import read_aliases
from ..compile.book import by_path
from ..compile.fixes import MendedPage, fixed, with_aliases, write, write_history
from ..compile.options import read_options
from ..compile.revisions import NoEditionError, Opened, opened
from ..diff.diff import EditionDiff, diff_editions
from ..diff.edition import Edition, read_edition
from ..render.changes import change_sections, render_markdown, render_text
from ..render.changes_json import to_json
from ..render.numbers import all_digits
from ..render.reports import format_problems as problem_text
from ..render.strings import read_words
from ..source import Problem, Source
from .check import difference, paint
from .terminal import COULD_NOT_RUN, NOTHING_WRONG, SOMETHING_WRONG, Screen, Stop

WORK = "."  # default of the new edition: the current folder


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    writing = options.fix or options.learn
    if writing and os.environ.get("CI"):
        raise Stop("--fix and --learn change files, and where CI is set nobody would see it; run it at home")
    with ExitStack() as stack:
        try:
            first = stack.enter_context(opened(options.old, here))
            second = stack.enter_context(opened(options.new or WORK, here))
        except NoEditionError as error:
            raise Stop(str(error)) from error
        if writing and not second.lasting:
            raise Stop("what a revision says cannot be changed; the second edition must be a folder")
        found = diff_editions(side(options.old, first), side(options.new or WORK, second))
        report(found, options, screen)
        late = change(found, options, screen) if writing else []
    if late:
        return SOMETHING_WRONG
    return COULD_NOT_RUN if found.game_problems else NOTHING_WRONG


def side(name: str, place: Opened) -> Edition:
    return read_edition(name, place.folder, place.here)


def report(found: EditionDiff, options: Namespace, screen: Screen) -> None:
    words = read_words(read_options(found.new.root, found.new.here).language if options.markdown else "en")
    if options.json:
        with all_digits():
            screen.print(dumps(to_json(found), ensure_ascii=False, indent=2))
        return
    if options.quiet:
        return
    told = change_sections(found, words, options.moves)
    if options.markdown:
        screen.print(render_markdown(told).rstrip("\n") if told else words("nothing changed"))
    else:
        screen.print(*(render_text(told, screen.paint) if told else [words("nothing changed")]))


def change(found: EditionDiff, options: Namespace, screen: Screen) -> list[MendedPage]:
    """Fix links (`--fix`) and update `aliases.toml`; returns the pages not written because they have changed."""
    if wrong := read_aliases(found.new.root, found.new.here, found.new.project).problems:
        raise Stop(f"first mend what remembers the old places\n\n{problem_text(wrong)}")
    pages = [*mended(found)] if options.fix else []
    late = [page for page in pages if not write(page)]
    history = with_aliases(found.new.root, found.new.here, found.moved_targets, found.new.project)
    if history and not write_history(history):
        late.append(history)
    told = [page for page in [*pages, *([history] if history else [])] if page not in late]
    if not options.json and not options.quiet:
        for page in told:
            screen.print("", *(paint(line, screen) for line in difference(page)))
    for page in late:
        print(
            f"rulewright: {page.before.path} was changed meanwhile and is left as it is; run this again",
            file=sys.stderr,
        )
    return late


def mended(found: EditionDiff) -> list[MendedPage]:
    """The pages of the newer edition with stale links fixed."""
    files = {leaf.page.source.path: leaf.file for leaf in found.new.pages}
    files |= {page.source.path: found.new.root / found.new.atlas.path(page) for page in found.new.others}
    wrong = by_path(Problem("link-missing", "", one.span, fix=one.fix) for one in found.stale_links if one.fix)
    pages = []
    for path, problems in wrong.items():
        before = problems[0].span.source
        after = Source(path, fixed(before, problems).text)
        pages.append(MendedPage(files[path], before, after, frozenset(), found.new.project))
    return pages

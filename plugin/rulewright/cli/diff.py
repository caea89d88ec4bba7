"""`rulewright diff`: compares two editions of a book; `--fix` and `--learn` update links to moved headings."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path as File

from ..compile.aliases import read_aliases
from ..compile.book import group_by_path
from ..compile.editions import NoEditionError, OpenedEdition, open_edition
from ..compile.fixes import FixedPage, add_aliases, apply_fixes, write_aliases, write_page
from ..compile.options import read_options
from ..diff.diff import EditionDiff, diff_editions
from ..diff.edition import Edition, read_edition
from ..render.changes import change_sections, render_markdown, render_text
from ..render.changes_json import to_json
from ..render.number_format import all_digits
from ..render.reports import format_problems
from ..render.strings import read_words
from ..source import Problem, Source
from .check import page_difference, paint
from .streams import json_text
from .terminal import COULD_NOT_RUN, NOTHING_WRONG, SOMETHING_WRONG, CommandError, Screen

_CURRENT_FOLDER = "."  # default of the new edition: the current folder


def run(options: Namespace) -> int:
    here, screen = File.cwd(), Screen(sys.stdout)
    writing = options.fix or options.learn
    if writing and os.environ.get("CI"):
        raise CommandError("--fix and --learn change files, and where CI is set nobody would see it; run it at home")
    with ExitStack() as stack:
        try:
            first = stack.enter_context(open_edition(options.old, here))
            second = stack.enter_context(open_edition(options.new or _CURRENT_FOLDER, here))
        except NoEditionError as error:
            raise CommandError(str(error)) from error
        if writing and not second.is_permanent:
            raise CommandError("what a revision says cannot be changed; the second edition must be a folder")
        edition_diff = diff_editions(_read_side(options.old, first), _read_side(options.new or _CURRENT_FOLDER, second))
        _report(edition_diff, options, screen)
        unwritten = _write_changes(edition_diff, options, screen) if writing else []
    if unwritten:
        return SOMETHING_WRONG
    return COULD_NOT_RUN if edition_diff.game_problems else NOTHING_WRONG


def _read_side(name: str, opened_edition: OpenedEdition) -> Edition:
    return read_edition(name, opened_edition.folder, opened_edition.here)


def _report(edition_diff: EditionDiff, options: Namespace, screen: Screen) -> None:
    words = read_words(
        read_options(edition_diff.new.root, edition_diff.new.here).language if options.markdown else "en"
    )
    if options.json:
        with all_digits():
            screen.print(json_text(to_json(edition_diff)))
        return
    if options.quiet:
        return
    sections = change_sections(edition_diff, words, options.moves)
    if options.markdown:
        screen.print(render_markdown(sections).rstrip("\n") if sections else words("nothing changed"))
    else:
        screen.print(*(render_text(sections, screen.paint) if sections else [words("nothing changed")]))


def _write_changes(edition_diff: EditionDiff, options: Namespace, screen: Screen) -> list[FixedPage]:
    """Fix links (`--fix`) and update `aliases.toml`; returns the pages not written because they have changed."""
    if alias_problems := read_aliases(edition_diff.new.root, edition_diff.new.here, edition_diff.new.project).problems:
        raise CommandError(f"first fix what remembers the old places\n\n{format_problems(alias_problems)}")
    pages = [*_fixed_pages(edition_diff)] if options.fix else []
    unwritten = [page for page in pages if not write_page(page)]
    history = add_aliases(
        edition_diff.new.root, edition_diff.new.here, edition_diff.moved_targets, edition_diff.new.project
    )
    if history and not write_aliases(history):
        unwritten.append(history)
    written_pages = [page for page in [*pages, *([history] if history else [])] if page not in unwritten]
    if not options.json and not options.quiet:
        for page in written_pages:
            screen.print("", *(paint(line, screen) for line in page_difference(page)))
    for page in unwritten:
        print(
            f"rulewright: {page.before.path} was changed meanwhile and is left as it is; run this again",
            file=sys.stderr,
        )
    return unwritten


def _fixed_pages(edition_diff: EditionDiff) -> list[FixedPage]:
    """The pages of the newer edition with stale links fixed."""
    files = {checked_page.page.source.path: checked_page.file for checked_page in edition_diff.new.pages}
    files |= {
        page.source.path: edition_diff.new.root / edition_diff.new.resolver.path(page)
        for page in edition_diff.new.others
    }
    wrong = group_by_path(
        Problem("link-missing", "", stale_link.span, fix=stale_link.fix)
        for stale_link in edition_diff.stale_links
        if stale_link.fix
    )
    pages = []
    for path, problems in wrong.items():
        before = problems[0].span.source
        after = Source(path, apply_fixes(before, problems).text)
        pages.append(FixedPage(files[path], before, after, frozenset(), edition_diff.new.project))
    return pages

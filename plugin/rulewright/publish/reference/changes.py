"""What has changed since the edition before, where the options of the book name one."""

from __future__ import annotations

from pathlib import Path as File
from typing import TYPE_CHECKING

from .shelf import Shelf, heading, paragraph, whole

if TYPE_CHECKING:
    from ...diff.diff import EditionDiff
    from ...diff.edition import Edition


def changes(shelf: Shelf) -> str:
    """As Markdown; nothing where no other edition is named, or where nothing is different."""
    if not shelf.compiled.options.since:
        return ""
    from ..changes.outline import render_markdown  # what compares editions is read by books that have two
    from ..changes.sections import change_sections

    found = compared(shelf)
    told = change_sections(found, shelf.words, links=False) if found else []
    if not told:
        return ""
    words = shelf.words
    return whole([heading(1, words("what changed")), paragraph(words("what changed says")), render_markdown(told)])


def compared(shelf: Shelf) -> EditionDiff | None:
    from ...compile.revisions import NoEditionError, opened
    from ...diff.diff import diff_editions
    from ...diff.edition import read_edition

    root = shelf.compiled.games.root
    try:
        with opened(shelf.compiled.options.since, root) as place:
            old = read_edition(shelf.compiled.options.since, place.folder, place.here)
            return diff_editions(old, this_side(shelf))
    except NoEditionError:  # the options have been complained of, or it is gone since then
        return None


def this_side(shelf: Shelf) -> Edition:
    """The book as it is, which is read already."""
    from ...diff.edition import Edition, EditionPage

    root = shelf.compiled.games.root
    leaves = tuple(
        EditionPage(page.file.relative_to(root).as_posix(), page.file, page.page, page.home)
        for page in shelf.compiled.pages
    )
    return Edition("", root, File.cwd(), shelf.compiled.games, leaves, (), shelf.compiled.project)

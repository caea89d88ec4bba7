"""What has changed since the edition before, where the options of the book name one."""

from __future__ import annotations

from pathlib import Path as File
from typing import TYPE_CHECKING

from .shelf import Shelf, heading, paragraph, whole

if TYPE_CHECKING:
    from ...editions.sides import Side
    from ...editions.whole import Editions


def changes(shelf: Shelf) -> str:
    """As Markdown; nothing where no other edition is named, or where nothing is different."""
    if not shelf.compiled.options.since:
        return ""
    from ..changes.markdown import markdown  # what compares editions is read by books that have two
    from ..changes.telling import sections

    found = compared(shelf)
    told = sections(found, shelf.words, links=False) if found else []
    if not told:
        return ""
    words = shelf.words
    return whole([heading(1, words("what changed")), paragraph(words("what changed says")), markdown(told)])


def compared(shelf: Shelf) -> Editions | None:
    from ...compile.revisions import NoEditionError, opened
    from ...editions.sides import read_side
    from ...editions.whole import compare_editions

    root = shelf.compiled.games.root
    try:
        with opened(shelf.compiled.options.since, root) as place:
            old = read_side(shelf.compiled.options.since, place.folder, place.here)
            return compare_editions(old, this_side(shelf))
    except NoEditionError:  # the options have been complained of, or it is gone since then
        return None


def this_side(shelf: Shelf) -> Side:
    """The book as it is, which is read already."""
    from ...editions.sides import Leaf, Side

    root = shelf.compiled.games.root
    leaves = tuple(
        Leaf(page.file.relative_to(root).as_posix(), page.file, page.page, page.home) for page in shelf.compiled.pages
    )
    return Side("", root, File.cwd(), shelf.compiled.games, leaves, (), shelf.compiled.project)

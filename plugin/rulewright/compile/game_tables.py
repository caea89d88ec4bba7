"""Loads a game together with those of its tables that are written in pages."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from pathlib import Path as File
from typing import TYPE_CHECKING

from ..book.page import LARGEST_PAGE
from ..game.load import find_link_problem
from ..game.load_table import PageCell, PageReader, PageTable
from ..game.model import Game
from ..paths import is_spelled_as_on_disk, relative_path
from ..play.validate import load_game
from ..root import FILE_KIND_CODE, SHARE_ADVICE, UNRESTRICTED, Root
from ..source import Problem, Source

if TYPE_CHECKING:  # rolling dice does not wait for the Markdown parser
    from ..book.page import Page
    from ..book.tables import Table
    from ..book.text import Passage


def open_game(
    file: File, name: str, folder: str | None = None, root: Root = UNRESTRICTED
) -> tuple[Game | None, list[Problem]]:
    """Load a `game.toml` with its problems; `name` is its path in messages."""
    return load_game(file, name, _page_reader(name, file, root), folder, root)


def page_grids(page: Page) -> list[PageTable]:
    """The tables of a page in the form in which games use them."""
    from ..book.tables import count_written_cells, read_tables

    return [_make_grid(table, tuple(map(count_written_cells, table.rows))) for table in read_tables(page)]


def _make_grid(table: Table, counts: tuple[int, ...]) -> PageTable:
    heading = table.trail[-1] if table.trail else ""
    return PageTable(heading, _make_cells(table.header), tuple(_make_cells(row) for row in table.rows), counts)


def _make_cells(row: Sequence[Passage]) -> tuple[PageCell, ...]:
    return tuple(PageCell(cell.text, cell.span(0, len(cell.text))) for cell in row)


def _page_reader(name: str, file: File, root: Root) -> PageReader:
    """A cached function that reads the tables of pages for the game in `file`."""
    known: dict[File, Sequence[PageTable] | Problem | str] = {}

    def read(page: File) -> Sequence[PageTable] | Problem | str:
        if page not in known:
            known[page] = _read_tables(page, _display_path_beside(page, name, file), root)
        return known[page]

    return read


def _display_path_beside(page: File, name: str, file: File) -> str:
    """The path of a page in messages, relative like the `name` of the game file next to it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), relative_path(page, file.parent)))


def _read_tables(page: File, path: str, root: Root) -> Sequence[PageTable] | Problem | str:
    from ..book.parser import read_page

    if problem := find_link_problem(page, path, root):
        return problem
    if refusal := root.find_refusal(page):
        is_kind = refusal.code == FILE_KIND_CODE
        return "it is not a regular file" if is_kind else f"it is outside the project; copy it there, or {SHARE_ADVICE}"
    try:
        if page.stat().st_size > LARGEST_PAGE:
            return "it is too large to be read"
        if not is_spelled_as_on_disk(str(page)):
            return "there is no such page"
        return page_grids(read_page(Source(path, root.read_bytes(page).decode("utf-8"))))
    except UnicodeDecodeError:
        return "it is not saved as UTF-8"
    except FileNotFoundError:
        return "there is no such page"
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    except ValueError:
        return "no file can have this name"

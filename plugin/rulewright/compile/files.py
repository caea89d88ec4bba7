"""The files of a book: which ones it has, which of them are refused, and the text of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path as File
from typing import NamedTuple

from ..book.host import Host
from ..book.page import LARGEST_PAGE
from ..globs import matches_any
from ..project import (
    GAME_FILE,
    find_book_root,
    find_common_root,
    find_copies,
    find_files,
    find_inner_books,
    find_published_folder,
    find_site_settings,
    has_index,
    is_page_name,
    is_unread_page,
    overrides_folder,
)
from ..root import Root, is_below
from ..source import Problem, Source, Span
from .characters import is_character, may_be_character
from .games import display_path, folder_name, has_game_name, is_game, may_be_game
from .nav_problems import find_nav_problems

REPORT_MARK = "<!-- A report of `rulewright check` -->"  # the first line of a report in Markdown
OpenedPage = tuple[Source, Problem | None]  # the text of a page, and the problem if it cannot be read


_MAKES_PAGES = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?:api-autonav|blog|gen-files|hooks|mkdocs-simple-hooks|monorepo|multirepo)\b", re.MULTILINE
)  # in mkdocs.yml: plugins and hooks that may make the first page of a site


def _missing_index_problems(root: File, selected: Sequence[File], here: File) -> list[Problem]:
    """Report a site without a first page, unless a build may make one; empty for a book without a site."""
    settings = find_site_settings(root)
    if settings is None or find_book_root(root) != root or len(selected) < 2 or has_index(root):
        return []
    text = settings.read_text(encoding="utf-8-sig", errors="replace")
    if _MAKES_PAGES.search(text):
        return []
    message = "the site has no first page: its address shows an error"
    note = f"write {display_path(root / 'index.md', here)}"
    return [Problem("page-index", message, Span(Source(display_path(settings, here), text), 0, 0), "warning", (note,))]


def deduplicate(problems: Iterable[Problem]) -> list[Problem]:
    """Drop duplicates: a file may be refused on several paths. An error wins over a warning."""
    known: dict[tuple[object, ...], Problem] = {}
    for problem in problems:
        key = problem.span, problem.code, problem.message
        if key not in known or problem.severity == "error":
            known[key] = problem
    return list(known.values())


class BookFiles(NamedTuple):
    """The files of a book: games, the selected pages, all pages, characters, and what is not read."""

    root: File
    games: tuple[File, ...]
    selected: tuple[File, ...]
    pages: tuple[File, ...]
    characters: tuple[File, ...] = ()
    refused: tuple[File, ...] = ()  # files and folders that are not read
    unread: tuple[File, ...] = ()  # pages in formats that are not read, and copies beside the book


def survey_files(places: Sequence[File], project: Root, exclude: Sequence[str] = ()) -> BookFiles:
    """List the files of a book, without books inside it and what `exclude` matches, unless a place itself does."""
    root = find_common_root(places)
    is_inner_book = find_inner_books(root)

    def excluded(file: File) -> bool:
        return bool(exclude) and matches_any(folder_name(file, root), exclude)

    skipped = is_inner_book if any(map(excluded, places)) else lambda file: excluded(file) or is_inner_book(file)
    refused, elsewhere = list[File](), list[File]()
    selected_files = list(
        dict.fromkeys(file for place in places for file in _files_of(place, project, refused.append, skipped))
    )
    files_in_root = find_files(
        root, lambda name: may_be_game(name) or is_page_name(name), project, elsewhere.append, skipped
    )
    below = list(files_in_root)
    refused += [file for file in elsewhere if has_game_name(file.name)]
    games = sorted({file for file in [*selected_files, *below] if is_game(file)})
    is_beside = find_copies(root, places)
    unread = tuple(file for file in selected_files if is_unread_page(file.name) or (is_page(file) and is_beside(file)))
    selected_pages = [file for file in selected_files if is_page(file) and not is_beside(file)]
    pages = dict.fromkeys([*selected_pages, *filter(is_page, below)])
    characters = (file for file in selected_files if may_be_character(file.name) and is_character(file))
    return BookFiles(
        root,
        tuple(games),
        tuple(selected_pages),
        tuple(pages),
        tuple(characters),
        tuple(dict.fromkeys(refused)),
        unread,
    )


def refused_problems(book: BookFiles, project: Root, here: File) -> tuple[Problem, ...]:
    """Why some files are not read: an error for files and published folders, a warning for other folders."""
    files = dict.fromkeys([*book.refused, *project.find_outside_links(overrides_folder(book.root))])
    problems = ((file, project.find_problem(file, display_path(file, here))) for file in files)
    return tuple(
        problem if _is_published(file) or not file.is_dir() else problem._replace(severity="warning")
        for file, problem in problems
        if problem
    )


def is_page(file: File) -> bool:
    return is_page_name(file.name) and not _is_report(file)


def _is_report(file: File) -> bool:
    """Whether Rulewright wrote a file to list problems; else the next check would judge what it quotes."""
    try:
        with file.open("rb") as stream:
            return stream.readline(len(REPORT_MARK) + 2).rstrip() == REPORT_MARK.encode()
    except OSError:
        return False


def _files_of(
    path: File, project: Root, refused: Callable[[File], None], is_excluded: Callable[[File], bool]
) -> Iterable[File]:
    if path.is_dir():
        report = lambda file: refused(file) if _is_reported(file) else None  # noqa: E731
        return find_files(path, _is_book_file, project, report, is_excluded)
    if project.find_refusal(path):
        refused(path)
        return []
    return [path]


def _is_reported(file: File) -> bool:
    """Whether an unreadable file is reported. Data files may be anything, so only published ones are."""
    return not (may_be_character(file.name) or is_unread_page(file.name)) or _is_published(file)


def _is_published(file: File) -> bool:
    folder = find_published_folder(file.parent)
    return folder is not None and is_below(file, [folder])


def _is_book_file(name: str) -> bool:
    return name == GAME_FILE or is_page_name(name) or may_be_character(name) or is_unread_page(name)


def open_page(file: File, here: File) -> OpenedPage:
    """Read the text of a page; if that fails, an empty text and a problem."""
    path = display_path(file, here)
    try:
        size = file.stat().st_size
        return _refuse_size(path, f"{size:,}") if size > LARGEST_PAGE else decode_page(path, file.read_bytes())
    except OSError as error:
        return _refuse_page(path, "page-text", f"this page cannot be read: {error.strerror}")


def decode_page(path: str, data: bytes) -> OpenedPage:
    """Decode the text of a page."""
    if len(data) > LARGEST_PAGE:
        return _refuse_size(path, f"more than {LARGEST_PAGE:,}")
    try:
        return Source(path, data.decode("utf-8")), None
    except UnicodeDecodeError as error:
        return _refuse_page(path, "page-text", f"this page is not UTF-8 text (byte {error.start})")


def _refuse_size(path: str, size: str) -> OpenedPage:
    message = f"this page has {size} bytes; a page may have {LARGEST_PAGE:,}"
    return _refuse_page(path, "page-size", message, "split it into several pages")


def _refuse_page(path: str, code: str, message: str, *notes: str) -> OpenedPage:
    empty = Source(path, "")
    return empty, Problem(code, message, Span(empty, 0, 0), notes=notes)


def file_problems(book: BookFiles, project: Root, here: File, host: Host | None) -> tuple[Problem, ...]:
    """The problems of files that are not read, and of those that a site lacks."""
    return (
        *refused_problems(book, project, here),
        *_missing_index_problems(book.root, book.selected, here),
        *find_nav_problems(host, book.root, book.selected, book.pages, here),
    )

"""Exports: a whole book as one file (PDF, HTML, EPUB or zip). Shared by all formats: chapters, names, pictures."""

from __future__ import annotations

import os
import posixpath
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from importlib import import_module
from io import BytesIO
from pathlib import Path as File
from typing import NamedTuple, cast
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from ..book.disk import is_file_on_disk
from ..book.page import Page
from ..book.resolver import LinkResolver
from ..compile.book import CompiledBook
from ..compile.nav import Chapter, find_title, order_chapters
from ..paths import replace_file
from ..project import overrides_folder
from ..root import Root
from ..source import Problem
from .colophon import write_colophons
from .strings import Words, read_words

ExportResult = tuple[bytes, list[Problem]]  # the data of a file, and problems about what it cannot contain
ProgressCallback = Callable[[str], None]  # called with the title of each chapter, then with an empty string


class ExportError(Exception):
    """The book cannot be exported in this format; the message says why."""


@dataclass(frozen=True)
class BookExport:
    """A compiled book as an export needs it: chapters in reading order, link resolver, strings."""

    compiled: CompiledBook
    here: File

    @property
    def root(self) -> File:
        return self.compiled.games.root

    @cached_property
    def chapters(self) -> list[Chapter]:
        return order_chapters(self.compiled, self.root)

    @cached_property
    def resolver(self) -> LinkResolver:
        pages = [chapter.page.page for chapter in self.chapters]
        return self.compiled.make_resolver(pages, self.here, lambda path: is_file_on_disk(str(self.here / path)))

    @cached_property
    def words(self) -> Words:
        return read_words(self.compiled.options.language)

    @cached_property
    def colophons(self) -> dict[str, str]:
        """What was checked in each book, by the source path of its last page."""
        return write_colophons(self.compiled, self.words)

    @property
    def title(self) -> str:
        return find_title(self.compiled, (chapter.page.page.title for chapter in self.chapters))

    @cached_property
    def overrides(self) -> File | None:
        """The folder with fonts and `book.typ` of the book; None if a link in it leaves the project."""
        folder = overrides_folder(self.root)
        return folder if self.compiled.project.has_no_outside_links(folder) else None


_HALF = ".part"


def write_atomically(file: File, data: bytes) -> None:
    """Write a file atomically: to a temporary file that then replaces it."""
    _delete_stale_files(file)
    half = file.with_name(f".{file.name}.{os.getpid()}{_HALF}")
    try:
        with half.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        replace_file(half, file)
    except OSError as error:
        with suppress(OSError):
            half.unlink()
        raise OSError(error.errno, error.strerror, str(file)) from error


def _delete_stale_files(file: File) -> None:
    """Delete temporary files of processes that were killed. Windows refuses while a process has its file open."""
    stray = re.compile(rf"\.{re.escape(file.name)}\.([0-9]+){re.escape(_HALF)}")
    for other in file.parent.iterdir() if file.parent.is_dir() else ():
        match = stray.fullmatch(other.name)
        if match and not _is_running(int(match[1])):
            with suppress(OSError):
                other.unlink()


def _is_running(process: int) -> bool:
    if sys.platform == "win32":  # there, `os.kill(process, 0)` is Ctrl-C
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return process != os.getpid()


EXPORTERS = {"pdf": "typst.book", "html": "single_file", "epub": "epub", "zip": "downloads"}  # module by format


def export_book(form: str, export: BookExport, report_progress: ProgressCallback) -> ExportResult:
    """Export the book in a format; `watch` is called with the title of each chapter."""
    maker = import_module(f".{EXPORTERS[form]}", __package__).make
    data, problems = cast(ExportResult, maker(export, report_progress))
    return data, _sort_problems(export, problems)


def _sort_problems(export: BookExport, problems: list[Problem]) -> list[Problem]:
    """The problems in reading order."""
    order = {chapter.page.page.source.path: number for number, chapter in enumerate(export.chapters)}
    return sorted(problems, key=lambda problem: (order.get(problem.span.source.path, 0), problem.span.start))


_DEVICE_NAME = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")  # Windows has no files of these names


def file_name(title: str) -> str:
    """A title as a safe file name for any system and URL."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-") or "book"
    return f"{name}-book" if _DEVICE_NAME.fullmatch(name) else name


def size_text(length: int, sign: str = ".") -> str:
    """A file size for people."""
    if length >= 1_000_000:
        return f"{length / 1_000_000:.1f} MB".replace(".", sign)
    return f"{max(length // 1000, 1)} kB"


class OutlineEntry(NamedTuple):
    """A chapter with the part title to print before it, if no page stands for that part."""

    chapter: Chapter
    part: str = ""
    depth: int = 0  # 1 inside a part


def outline_entries(chapters: Sequence[Chapter]) -> Iterator[OutlineEntry]:
    """Chapters with their parts and depths."""
    top, above = _shared_depth(chapters), ""
    for chapter in chapters:
        part = next(iter(chapter.sections[top:]), "")
        opens = bool(part) and part != above and not chapter.is_index
        yield OutlineEntry(chapter, part if opens else "", 1 if part and not chapter.is_index else 0)
        above = part


def _shared_depth(chapters: Sequence[Chapter]) -> int:
    """The number of leading parts that all chapters share, which need no titles."""
    alls = [chapter.sections for chapter in chapters]
    number = 0
    while alls and all(len(path) > number and path[number] == alls[0][number] for path in alls):
        number += 1
    return number


def title_id(page: Page) -> str:
    """The id of the title at the beginning of a page; empty without one."""
    first = page.headings[0] if page.headings else None
    return first.id if first and first.level == highest_level(page) else ""


def highest_level(page: Page) -> int:
    """The level of the topmost headings of a page."""
    return min((heading.level for heading in page.headings), default=1)


_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")
_REFERENCE = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')""")  # references in an SVG


def find_picture(root: File, page: str, source: str, project: Root | None = None) -> File | None:
    """The file of an image on a page; None if it may not be in an export.

    `page` is relative to the root; only files inside the folder of the book go into a file for others.
    """
    project = project or Root([root])
    folder = "" if source.startswith("/") else posixpath.dirname(page)
    file = File(posixpath.normpath(posixpath.join(root.as_posix(), folder, source.lstrip("/"))))
    return (
        file
        if file.suffix.lower() in _PICTURES
        and _is_inside(root, file, project)
        and _has_safe_references(root, file, project)
        else None
    )


def _is_inside(root: File, file: File, project: Root) -> bool:
    """Is the file in the folder of the book by its path, and in the project after following links?"""
    path = File(posixpath.normpath(file.as_posix()))
    return path.is_relative_to(root) and path.is_file() and project.contains(path)


def _has_safe_references(root: File, file: File, project: Root) -> bool:
    """Does an SVG refer only to files that are inside as well?"""
    if file.suffix.lower() != ".svg":
        return True
    reached = ("".join(groups) for groups in _REFERENCE.findall(file.read_text(encoding="utf-8", errors="replace")))
    paths = (unquote(unescape(address)) for address in reached if not address.startswith(("#", "data:")))
    return all(_is_inside(root, file.parent / path, project) for path in paths)


_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest date in a zip file
_READABLE = 0o100644 << 16
_UNIX = 3


def zip_files(files: Mapping[str, bytes], stored: tuple[str, ...] = ()) -> bytes:
    """A zip of these files in this order, with a fixed date so that the same book gives the same bytes."""
    buffer = BytesIO()
    with ZipFile(buffer, "w") as zipped:
        for name, data in files.items():
            entry = ZipInfo(name, _LONG_AGO)
            entry.create_system, entry.external_attr = _UNIX, _READABLE
            entry.compress_type = ZIP_STORED if name in stored else ZIP_DEFLATED
            zipped.writestr(entry, data, compresslevel=6)  # 9 takes 25% longer and saves 1%
    return buffer.getvalue()

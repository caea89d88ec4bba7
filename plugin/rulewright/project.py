"""Finds the files of a project: games, pages, the settings of its site, and the folders that they name."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path as File
from typing import Any, NamedTuple

from .paths import is_link
from .root import Root, is_below, real_path

GAME_FILE = "game.toml"
_PAGE_SUFFIXES = (".md", ".markdown", ".mdx")
_UNREAD_SUFFIXES = (".rst", ".adoc")  # text of other formats
_GAME_FENCE = re.compile(rb"(?:`{3}|~{3})[ \t]*game\b")
_ZENSICAL_SETTINGS = "zensical.toml"
SITE_SETTINGS = ("mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml", _ZENSICAL_SETTINGS)
BOOK_SETTINGS = ("book.toml",)
PYPROJECT = "pyproject.toml"
_DOCUSAURUS_SETTINGS = tuple(f"docusaurus.config.{end}" for end in ("js", "ts", "mjs", "mts", "cjs"))
_MAX_INDEX_BYTES = 60_000  # bytes of an index.html that are searched for docsify
_SKIPPED_FOLDERS = ("node_modules", "__pycache__")
_SETTING_PATTERN = (
    r"""^{key}[ \t]*:[ \t]+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s#'"!&*|>{{\[](?:[^\n]*?\S)??))[ \t]*(?:[ \t]#.*)?$"""
)


_TITLES = {  # in settings that are not YAML
    "Docusaurus": re.compile(r"""^[ \t]*title[ \t]*:[ \t]*(['"`])([^'"`\n]+)\1""", re.MULTILINE),
    "docsify": re.compile(r"""^[ \t]*name[ \t]*:[ \t]*(['"`])([^'"`\n]+)\1""", re.MULTILINE),
    "Hugo": re.compile(r"""^[ \t]*"?title"?[ \t]*[=:][ \t]*(['"])([^'"\n]+)\1""", re.MULTILINE),
}
_NO_TITLE = re.compile(r"(?!)")


def include_all(_file: File) -> bool:
    """For `is_excluded`: nothing is excluded."""
    return False


def find_games(
    folder: File, root: Root | None = None, is_excluded: Callable[[File], bool] = include_all
) -> Iterator[File]:
    """Every game.toml in and below a folder, sorted."""
    return find_files(folder, lambda name: name == GAME_FILE, root, is_excluded=is_excluded)


def find_game_pages(
    folder: File, root: Root | None = None, is_excluded: Callable[[File], bool] = include_all
) -> Iterator[File]:
    """Every page in and below a folder that seems to contain a game block, sorted."""
    for file in find_files(folder, is_page_name, root, is_excluded=is_excluded):
        with suppress(OSError):
            if _GAME_FENCE.search(file.read_bytes()):
                yield file


def is_page_name(name: str) -> bool:
    return name.lower().endswith(_PAGE_SUFFIXES)


def is_unread_page(name: str) -> bool:
    """Whether a file looks like a page, in a format that is not read."""
    return name.lower().endswith(_UNREAD_SUFFIXES)


def find_files(
    folder: File,
    is_wanted: Callable[[str], bool],
    root: Root | None = None,
    refused: Callable[[File], None] = lambda _: None,
    is_excluded: Callable[[File], bool] = include_all,
) -> Iterator[File]:
    """The files in and below a folder whose name is `wanted`, sorted; hidden, output and package folders are skipped.

    Links are followed inside the project, each folder once. `refused` is called with links that lead out of it, and
    with wanted files that are not regular files; in a folder that a site publishes, with every such link."""
    root = root or Root(project_folders(folder))
    if not root.contains(folder):
        refused(folder)
        return
    settings = find_site_settings(folder)
    output = {_site_output_folder(settings)} if settings else set()
    published = find_published_folder(folder)
    links = _LinkFilter(folder, root, refused)
    for parent, folders, files in os.walk(folder, onerror=_raise_error, followlinks=True):
        current = File(parent)
        output |= {_site_output_folder(current / name) for name in SITE_SETTINGS if name in files}
        subfolders = sorted(
            name
            for name in folders
            if not (is_skipped_folder(current / name) or current / name in output or is_excluded(current / name))
        )
        folders[:] = [name for name in subfolders if links.should_walk(current / name)]
        for name in sorted(files):
            if is_excluded(current / name):
                continue
            if is_wanted(name):
                if links.is_readable(current / name):
                    yield current / name
            elif published and is_below(current, [published]) and not name.startswith("."):
                links.report_outside_link(current / name)


class _LinkFilter:
    """Decides which links below a folder are followed."""

    def __init__(self, folder: File, root: Root, refused: Callable[[File], None]) -> None:
        self.root, self.refused = root, refused
        self.walked = [real_path(folder)]

    def should_walk(self, folder: File) -> bool:
        """Whether to walk a folder: not if a link leads out of the project, or to a folder that is walked anyway."""
        if not is_link(folder):
            return True
        if not self.root.contains(folder):
            self.refused(folder)
            return False
        target = real_path(folder)
        if (
            is_skipped_folder(target)
            or is_below(target, self.walked)
            or any(target in walked.parents for walked in self.walked)
        ):
            return False
        self.walked.append(target)
        return True

    def is_readable(self, file: File) -> bool:
        """Whether a file is a regular file of the project. True for a missing file, which its reader reports."""
        with suppress(OSError):
            if stat.S_ISREG(os.lstat(file).st_mode):
                return True
        if self.root.find_refusal(file) is None:
            return True
        self.refused(file)
        return False

    def report_outside_link(self, file: File) -> None:
        if is_link(file) and not self.root.contains(file):
            self.refused(file)


def is_skipped_folder(folder: File) -> bool:
    """Whether a folder is hidden, a virtual environment, or belongs to a package manager."""
    return folder.name.startswith(".") or folder.name in _SKIPPED_FOLDERS or (folder / "pyvenv.cfg").is_file()


def _raise_error(error: OSError) -> None:
    """For `os.walk`: raise on a folder that cannot be read, instead of treating it as empty."""
    raise error


def find_game_file(here: File) -> File | None:
    """The game.toml in a folder or in its nearest parent that has one."""
    return next((folder / GAME_FILE for folder in (here, *here.parents) if (folder / GAME_FILE).is_file()), None)


def find_book_root(here: File) -> File:
    """The folder of the book's pages: `docs_dir` of the nearest mkdocs.yml, else the folder itself."""
    settings = find_site_settings(here)
    pages = _folder_setting(settings, "docs_dir", "docs") if settings else here
    return pages if pages.is_dir() else here


def has_index(pages: File) -> bool:
    """Whether a site of these pages has a page at its own address."""
    return any((pages / name).is_file() for name in ("index.md", "README.md", "index.markdown", "index.html"))


def find_repository_above(folder: File) -> File | None:
    """The repository that a folder is in, unless the folder is its root."""
    home = next((parent for parent in (folder, *folder.parents) if (parent / ".git").exists()), folder)
    return None if home == folder else home


class BookPlace(NamedTuple):
    """A book and the tool that publishes it; without settings of a tool, `kind` is empty."""

    kind: str
    home: File  # the folder of the settings
    pages: File
    settings: File | None = None


def find_surrounding_book(here: File) -> File:
    """The page folder of the book that a folder belongs to, with any supported tool; else the folder itself."""
    return find_book(here).pages


def find_book(here: File) -> BookPlace:
    """The book that a folder belongs to: the nearest settings count, else the nearest game, else it is the folder."""
    books = (_book_of(folder) for folder in (here, *here.parents))
    home = _nearest_game_folder(here)
    return next(filter(None, books), BookPlace("", home, home))


def _nearest_game_folder(here: File, limit: File | None = None) -> File:
    """The nearest folder with a game.toml, up to a limit; the folder itself if there is none."""
    game = find_game_file(here)
    return game.parent if game and (limit is None or limit in game.parents) else here


def book_folder(place: File) -> File | None:
    """The page folder of the tool that publishes a page or folder, or that is below it; None without such a tool."""
    folder = place if place.is_dir() else place.parent
    book = find_book(folder)
    return book.pages if book.kind and _is_around(book.pages, folder) else None


def _is_around(pages: File, folder: File) -> bool:
    return pages == folder or pages in folder.parents or folder in pages.parents


def find_inner_books(root: File) -> Callable[[File], bool]:
    """Whether a folder in or beside the book `root` is a book of its own: it has settings, or options of Rulewright.

    Whatever is below the pages of a tool is published by it, so it belongs to that book."""
    is_published = bool(find_book(root).kind)

    def is_inner_book(file: File) -> bool:
        if (is_published and is_below(file, [root])) or file == root or file in root.parents or not file.is_dir():
            return False
        return _book_of(file) is not None or _has_options(file / PYPROJECT)

    return is_inner_book


def find_copies(root: File, places: Sequence[File]) -> Callable[[File], bool]:
    """Whether a page is in a folder beside the pages that an mdBook names, such as a copy that is being translated.

    Such a folder is still read if it is itself one of the places to check."""
    book = find_book(root)
    is_named = book.kind == "mdBook" and book.pages == root
    read = [root, *(place for place in places if is_below(place, [book.home]) and not is_below(root, [place]))]
    return lambda page: is_named and page.parent != book.home and not is_below(page, read)


def _has_options(pyproject: File) -> bool:
    return pyproject.is_file() and b"[tool.rulewright" in pyproject.read_bytes()


def nearest_pyproject(folder: File) -> File | None:
    """The nearest pyproject.toml, in a folder or above it, that mentions `rulewright` and has a `[tool` table."""
    files = (parent / PYPROJECT for parent in (folder, *folder.parents))
    return next((file for file in files if file.is_file() and _mentions_plugin(file)), None)


def _mentions_plugin(file: File) -> bool:
    text = file.read_bytes()
    return b"rulewright" in text and b"[tool" in text


def _book_of(folder: File) -> BookPlace | None:
    """The book whose settings are in this folder; None if it has none."""
    settings = next((folder / name for name in SITE_SETTINGS if (folder / name).is_file()), None)
    if settings:
        pages = _folder_setting(settings, "docs_dir", "docs")
        kind = "Zensical" if settings.name == _ZENSICAL_SETTINGS else "MkDocs"
        return BookPlace(kind, folder, pages if pages.is_dir() else folder, settings)
    settings = folder / BOOK_SETTINGS[0]
    if settings.is_file():
        pages = _mdbook_page_folder(settings)
        return BookPlace("mdBook", folder, pages if pages.is_dir() else folder, settings)
    if (folder / ".obsidian").is_dir():
        return BookPlace("Obsidian", folder, folder)
    settings = next((folder / name for name in _DOCUSAURUS_SETTINGS if (folder / name).is_file()), None)
    if settings:
        return BookPlace("Docusaurus", folder, folder, settings)
    return BookPlace("docsify", folder, folder, folder / "index.html") if _is_docsify(folder) else None


def _mdbook_page_folder(settings: File) -> File:
    """The folder named by `src` in a book.toml."""
    return File(os.path.normpath(settings.parent / (_mdbook_setting(settings, "src") or "src")))


def _mdbook_setting(settings: File, key: str) -> str:
    """A text in the table `book` of a book.toml; empty if there is none."""
    try:
        book = tomllib.loads(settings.read_text(encoding="utf-8-sig", errors="replace")).get("book")
    except ValueError:
        return ""
    value = book.get(key) if isinstance(book, dict) else None
    return value if isinstance(value, str) else ""


def read_title(place: BookPlace) -> str:
    """The title of a book in the settings of its tool; empty if they have none."""
    if place.settings is None:
        return ""
    if place.kind == "mdBook":
        return _mdbook_setting(place.settings, "title")
    text = place.settings.read_text(encoding="utf-8-sig", errors="replace")
    if found := _TITLES.get(place.kind, _NO_TITLE).search(text):
        return found[2].strip()
    return _text_setting(place.settings, "site_name" if place.kind in ("MkDocs", "Zensical") else "title")


def _is_docsify(folder: File) -> bool:
    """Whether a folder is a docsify site: its index.html loads the docsify script."""
    page = folder / "index.html"
    try:
        return page.is_file() and b"docsify" in page.read_bytes()[:_MAX_INDEX_BYTES]
    except OSError:
        return False


def find_common_root(paths: Sequence[File]) -> File:
    """The root of the book that contains all the paths; if there are several books, their common parent."""
    roots = {_find_root_around(place if place.is_dir() else place.parent) for place in paths}
    return roots.pop() if len(roots) == 1 else File(os.path.commonpath([str(root) for root in roots]))


def _find_root_around(folder: File) -> File:
    """The page folder around a folder; a folder next to the pages of a book is a book of its own, up to its game."""
    book = find_book(folder)
    return book.pages if _is_around(book.pages, folder) else _nearest_game_folder(folder, book.home)


def _site_output_folder(settings: File) -> File:
    """The folder that a site is built into."""
    return _folder_setting(settings, "site_dir", "site")


def find_site_settings(here: File) -> File | None:
    """The nearest settings of a site, such as mkdocs.yml, in a folder or its parents."""
    return _find_in_parents(here, SITE_SETTINGS)


def project_folders(folder: File, site: File | None = None) -> list[File]:
    """The folders that a book may use: that of the nearest mkdocs.yml, else of the nearest book.toml, else its own.

    `site` is the mkdocs.yml in use. A page folder outside of the project is allowed, because the settings name it; one
    inside may still be a link, and gets no exception."""
    settings = find_site_settings(folder) or _find_in_parents(folder, BOOK_SETTINGS)
    homes = [file.parent for file in (site, settings) if file]
    return homes if is_below(folder, homes) else [*homes, folder]


def find_published_folder(here: File) -> File | None:
    """The folder that a site publishes; None without settings of a site."""
    return find_book_root(here) if find_site_settings(here) else None


def overrides_folder(root: File) -> File:
    """The folder of a book's theme overrides."""
    settings = find_site_settings(root)
    return (settings.parent if settings else root) / "site_overrides"


def _find_in_parents(here: File, names: Sequence[str]) -> File | None:
    """The first file with one of these names in a folder or its parents."""
    files = (folder / name for folder in (here, *here.parents) for name in names)
    return next((file for file in files if file.is_file()), None)


def _folder_setting(settings: File, key: str, default: str) -> File:
    """The folder that a setting of mkdocs.yml names."""
    return File(os.path.normpath(settings.parent / (_text_setting(settings, key) or default)))


def inherited_settings(settings: File) -> Iterator[File]:
    """A settings file of a site, then those that it inherits from, nearest first; the last one may not exist."""
    seen = set[File]()
    while settings not in seen:
        yield settings
        seen.add(settings)
        settings = File(os.path.normpath(settings.parent / (_own_text_setting(settings, "INHERIT") or settings.name)))


def has_setting(settings: File, key: str) -> bool:
    """Whether a settings file of a site has a key at its top level."""
    pattern = re.compile(rf"^{key}[ \t]*:".encode(), re.MULTILINE)
    return settings.is_file() and pattern.search(settings.read_bytes()) is not None


def read_zensical(settings: File) -> dict[str, Any]:
    """The settings in a zensical.toml; none if it is not TOML."""
    try:
        data = tomllib.loads(settings.read_text(encoding="utf-8-sig", errors="replace"))
    except ValueError:
        return {}
    project = data.get("project", data)
    return project if isinstance(project, dict) else {}


def _text_setting(settings: File, key: str) -> str:
    """A text in a settings file or in one that it inherits from, empty if none has it."""
    return next(filter(None, (_own_text_setting(file, key) for file in inherited_settings(settings))), "")


def _own_text_setting(settings: File, key: str) -> str:
    """A text in one file. Uses a regex for YAML, because a YAML library is slow to import."""
    if not settings.is_file():
        return ""
    if settings.name == _ZENSICAL_SETTINGS:
        value = read_zensical(settings).get(key)
        return value if isinstance(value, str) else ""
    text = settings.read_text(encoding="utf-8-sig", errors="replace")
    match = re.search(_SETTING_PATTERN.format(key=key), text, re.MULTILINE)
    return next(filter(None, match.groups()), "") if match else ""

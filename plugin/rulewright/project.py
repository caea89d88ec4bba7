"""Finds the files of a project: games, pages, the settings of its site, and the folders that they name."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path as File

from .root import Root, is_below, real_path

FILE = "game.toml"
PAGES = (".md", ".markdown")
STANDS = re.compile(rb"(?:`{3}|~{3})[ \t]*game\b")
SITE_SETTINGS = ("mkdocs.yml", "mkdocs.yaml")
BOOK_SETTINGS = ("book.toml",)
DOCUSAURUS = tuple(f"docusaurus.config.{end}" for end in ("js", "ts", "mjs", "mts", "cjs"))
LARGEST_START = 60_000  # bytes of an index.html that are searched for docsify
SKIPPED = ("node_modules", "__pycache__")
GLOB = re.compile(r"(\*\*/|\*\*|\*|\?)")
GLOBS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
SETTING = r"""^{key}[ \t]*:[ \t]+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s#'"!&*|>{{\[](?:[^\n]*?\S)??))[ \t]*(?:[ \t]#.*)?$"""


def games_below(folder: File, root: Root | None = None) -> Iterator[File]:
    """Every game.toml in and below a folder, sorted."""
    return files_below(folder, lambda name: name == FILE, root)


def pages_with_games(folder: File, root: Root | None = None) -> Iterator[File]:
    """Every page in and below a folder that seems to contain a game block, sorted."""
    for file in files_below(folder, is_page_name, root):
        with suppress(OSError):
            if STANDS.search(file.read_bytes()):
                yield file


def is_page_name(name: str) -> bool:
    return name.lower().endswith(PAGES)


def files_below(
    folder: File,
    wanted: Callable[[str], bool],
    root: Root | None = None,
    refused: Callable[[File], None] = lambda _: None,
    is_excluded: Callable[[File], bool] = lambda _: False,
) -> Iterator[File]:
    """The files in and below a folder whose name is `wanted`, sorted; hidden, output and package folders are skipped.

    Links are followed inside the project, each folder once. `refused` is called with links that lead out of it, and
    with wanted files that are not regular files; in a folder that a site publishes, with every such link."""
    root = root or Root(project_folders(folder))
    if not root.holds(folder):
        refused(folder)
        return
    settings = site_settings(folder)
    output = {site_output(settings)} if settings else set()
    published = published_folder(folder)
    links = Links(folder, root, refused)
    for place, folders, files in os.walk(folder, onerror=refuse, followlinks=True):
        here = File(place)
        output |= {site_output(here / name) for name in SITE_SETTINGS if name in files}
        own = sorted(
            name for name in folders if not (left_out(here / name) or here / name in output or is_excluded(here / name))
        )
        folders[:] = [name for name in own if links.enters(here / name)]
        for name in sorted(files):
            if is_excluded(here / name):
                continue
            if wanted(name):
                if links.opens(here / name):
                    yield here / name
            elif published and is_below(here, [published]) and not name.startswith("."):
                links.opens_if_link(here / name)


class Links:
    """Decides which links below a folder are followed."""

    def __init__(self, folder: File, root: Root, refused: Callable[[File], None]) -> None:
        self.root, self.refused = root, refused
        self.walked = [real_path(folder)]

    def enters(self, folder: File) -> bool:
        """Whether to walk a folder: not if a link leads out of the project, or to a folder that is walked anyway."""
        if not folder.is_symlink():
            return True
        if not self.root.holds(folder):
            self.refused(folder)
            return False
        target = real_path(folder)
        if left_out(target) or is_below(target, self.walked) or any(target in walked.parents for walked in self.walked):
            return False
        self.walked.append(target)
        return True

    def opens(self, file: File) -> bool:
        """Whether a file is a regular file of the project. True for a missing file, which its reader reports."""
        with suppress(OSError):
            if stat.S_ISREG(os.lstat(file).st_mode):
                return True
        if self.root.refusal(file) is None:
            return True
        self.refused(file)
        return False

    def opens_if_link(self, file: File) -> None:
        if file.is_symlink() and not self.root.holds(file):
            self.refused(file)


def left_out(folder: File) -> bool:
    """Whether a folder is hidden, a virtual environment, or belongs to a package manager."""
    return folder.name.startswith(".") or folder.name in SKIPPED or (folder / "pyvenv.cfg").is_file()


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path with slashes matches one of the patterns: a file, a folder and everything below it, or a glob."""
    return any(path_pattern(pattern).fullmatch(path) for pattern in patterns)


@cache
def path_pattern(pattern: str) -> re.Pattern[str]:
    """The regex of a glob: `*` and `?` match within one folder, `**` across folders."""
    name = pattern.strip().removeprefix("./").strip("/")
    parts = (GLOBS.get(part) or re.escape(part) for part in GLOB.split(name))
    return re.compile(rf"{''.join(parts)}(?:/.*)?", re.DOTALL)


def refuse(error: OSError) -> None:
    """For `os.walk`: raise on a folder that cannot be read, instead of treating it as empty."""
    raise error


def nearest_game(here: File) -> File | None:
    """The game.toml in a folder or in its nearest parent that has one."""
    return next((folder / FILE for folder in (here, *here.parents) if (folder / FILE).is_file()), None)


def book_root(here: File) -> File:
    """The folder of the book's pages: `docs_dir` of the nearest mkdocs.yml, else the folder itself."""
    settings = site_settings(here)
    pages = beside(settings, "docs_dir", "docs") if settings else here
    return pages if pages.is_dir() else here


def surrounding_book(here: File) -> File:
    """The page folder of the book that a folder belongs to, with any supported tool; else the folder itself."""
    books = (book_in(folder) for folder in (here, *here.parents))
    return next(filter(None, books), here)


def book_in(folder: File) -> File | None:
    """The page folder of the book whose settings are in this folder; None if it has none."""
    settings = next((folder / name for name in SITE_SETTINGS if (folder / name).is_file()), None)
    if settings:
        pages = beside(settings, "docs_dir", "docs")
    elif (folder / BOOK_SETTINGS[0]).is_file():
        pages = mdbook_pages(folder / BOOK_SETTINGS[0])
    elif (folder / ".obsidian").is_dir() or any((folder / name).is_file() for name in DOCUSAURUS) or is_docsify(folder):
        return folder
    else:
        return None
    return pages if pages.is_dir() else folder


def mdbook_pages(settings: File) -> File:
    """The folder named by `src` in a book.toml."""
    try:
        book = tomllib.loads(settings.read_text(encoding="utf-8-sig", errors="replace")).get("book")
    except ValueError:
        book = None
    name = book.get("src") if isinstance(book, dict) else None
    return File(os.path.normpath(settings.parent / (name if isinstance(name, str) else "src")))


def is_docsify(folder: File) -> bool:
    """Whether a folder is a docsify site: its index.html loads the docsify script."""
    page = folder / "index.html"
    try:
        return page.is_file() and b"docsify" in page.read_bytes()[:LARGEST_START]
    except OSError:
        return False


def common_root(places: Sequence[File]) -> File:
    """The root of the book that contains all the paths; if there are several books, their common parent."""
    roots = {root_around(place if place.is_dir() else place.parent) for place in places}
    return roots.pop() if len(roots) == 1 else File(os.path.commonpath([str(root) for root in roots]))


def root_around(folder: File) -> File:
    """The page folder around a folder; a folder next to the pages of a book is a book of its own."""
    root = book_root(folder)
    return root if root == folder or root in folder.parents or folder in root.parents else folder


def site_output(settings: File) -> File:
    """The folder that a site is built into."""
    return beside(settings, "site_dir", "site")


def site_settings(here: File) -> File | None:
    """The nearest mkdocs.yml in a folder or its parents."""
    return nearest(here, SITE_SETTINGS)


def project_folders(folder: File, site: File | None = None) -> list[File]:
    """The folders that a book may use: that of the nearest mkdocs.yml, else of the nearest book.toml, else its own.

    `site` is the mkdocs.yml in use. A page folder outside of the project is allowed, because the settings name it; one
    inside may still be a link, and gets no exception."""
    settings = site_settings(folder) or nearest(folder, BOOK_SETTINGS)
    homes = [file.parent for file in (site, settings) if file]
    return homes if is_below(folder, homes) else [*homes, folder]


def published_folder(here: File) -> File | None:
    """The folder that a site publishes; None without settings of a site."""
    return book_root(here) if site_settings(here) else None


def overrides_of(root: File) -> File:
    """The folder of a book's theme overrides."""
    settings = site_settings(root)
    return (settings.parent if settings else root) / "site_overrides"


def nearest(here: File, names: Sequence[str]) -> File | None:
    """The first file with one of these names in a folder or its parents."""
    files = (folder / name for folder in (here, *here.parents) for name in names)
    return next((file for file in files if file.is_file()), None)


def beside(settings: File, key: str, default: str) -> File:
    """The folder that a setting of mkdocs.yml names. Uses a regex, because a YAML library is slow to import."""
    text = settings.read_text(encoding="utf-8-sig", errors="replace")
    found = re.search(SETTING.format(key=key), text, re.MULTILINE)
    name = next(filter(None, found.groups()), default) if found else default
    return File(os.path.normpath(settings.parent / name))

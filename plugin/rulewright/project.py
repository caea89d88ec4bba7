"""Where games lie in a folder of rules."""

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
LARGEST_START = 60_000  # bytes of an index.html in which the script of docsify is looked for
SKIPPED = ("node_modules", "__pycache__")
GLOB = re.compile(r"(\*\*/|\*\*|\*|\?)")
GLOBS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
SETTING = r"""^{key}[ \t]*:[ \t]+(?:'([^'\n]+)'|"([^"\n]+)"|([^\s#'"!&*|>{{\[](?:[^\n]*?\S)??))[ \t]*(?:[ \t]#.*)?$"""


def games_below(folder: File, root: Root | None = None) -> Iterator[File]:
    """Every game.toml in a folder and below, in order."""
    return files_below(folder, lambda name: name == FILE, root)


def pages_with_games(folder: File, root: Root | None = None) -> Iterator[File]:
    """Every page in a folder and below in which a game seems to stand, in order."""
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
    """The files of such a name in a folder and below, in order; folders that hold no rules are left out.

    Links are followed inside the project, each folder once. `refused` hears of those that lead out of it, and of what
    has such a name but is not a regular file; in a folder that a site publishes, that goes for all files."""
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
    """The links below a folder: which of them are followed."""

    def __init__(self, folder: File, root: Root, refused: Callable[[File], None]) -> None:
        self.root, self.refused = root, refused
        self.walked = [real_path(folder)]

    def enters(self, folder: File) -> bool:
        """A folder that is walked anyway, or that leads back above one, is not walked again; nor one without rules."""
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
        """Is this a regular file of the project? One that vanished is left to its reader."""
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
    """Hidden folders, virtual environments and what packages bring along."""
    return folder.name.startswith(".") or folder.name in SKIPPED or (folder / "pyvenv.cfg").is_file()


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path, written with slashes, is one of those named: a file, a folder with all below it, or a glob."""
    return any(path_pattern(pattern).fullmatch(path) for pattern in patterns)


@cache
def path_pattern(pattern: str) -> re.Pattern[str]:
    """`*` and `?` stay within one folder, `**` does not."""
    name = pattern.strip().removeprefix("./").strip("/")
    parts = (GLOBS.get(part) or re.escape(part) for part in GLOB.split(name))
    return re.compile(rf"{''.join(parts)}(?:/.*)?", re.DOTALL)


def refuse(error: OSError) -> None:
    """A folder that cannot be read is no empty folder."""
    raise error


def nearest_game(here: File) -> File | None:
    """The game.toml in a folder or in the first one above that has one."""
    return next((folder / FILE for folder in (here, *here.parents) if (folder / FILE).is_file()), None)


def book_root(here: File) -> File:
    """The folder of the book's pages: as the nearest mkdocs.yml says, else the folder itself."""
    settings = site_settings(here)
    pages = beside(settings, "docs_dir", "docs") if settings else here
    return pages if pages.is_dir() else here


def surrounding_book(here: File) -> File:
    """The pages of the book around a folder, whichever tool publishes it; else the folder itself."""
    books = (book_in(folder) for folder in (here, *here.parents))
    return next(filter(None, books), here)


def book_in(folder: File) -> File | None:
    """The folder of the pages, where this folder has the settings of a book."""
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
    """The folder that `src` of a book.toml names."""
    try:
        book = tomllib.loads(settings.read_text(encoding="utf-8-sig", errors="replace")).get("book")
    except ValueError:
        book = None
    name = book.get("src") if isinstance(book, dict) else None
    return File(os.path.normpath(settings.parent / (name if isinstance(name, str) else "src")))


def is_docsify(folder: File) -> bool:
    """Docsify shows the pages of a folder by a script in its index.html."""
    page = folder / "index.html"
    try:
        return page.is_file() and b"docsify" in page.read_bytes()[:LARGEST_START]
    except OSError:
        return False


def common_root(places: Sequence[File]) -> File:
    """The root of the book; for places in several books the folder above them all."""
    roots = {root_around(place if place.is_dir() else place.parent) for place in places}
    return roots.pop() if len(roots) == 1 else File(os.path.commonpath([str(root) for root in roots]))


def root_around(folder: File) -> File:
    """A folder beside the pages of a book is a book of its own."""
    root = book_root(folder)
    return root if root == folder or root in folder.parents or folder in root.parents else folder


def site_output(settings: File) -> File:
    """The folder into which a site is built."""
    return beside(settings, "site_dir", "site")


def site_settings(here: File) -> File | None:
    """The nearest mkdocs.yml, in a folder or above it."""
    return nearest(here, SITE_SETTINGS)


def project_folders(folder: File, site: File | None = None) -> list[File]:
    """The folders that a book may use: that of the nearest mkdocs.yml, else of the nearest book.toml, else its own.

    `site` is the mkdocs.yml that is used. A folder of pages outside of its project was named there on purpose; one
    inside of it may still be a link."""
    settings = site_settings(folder) or nearest(folder, BOOK_SETTINGS)
    homes = [file.parent for file in (site, settings) if file]
    return homes if is_below(folder, homes) else [*homes, folder]


def published_folder(here: File) -> File | None:
    """The folder that a site publishes, where there are settings for one."""
    return book_root(here) if site_settings(here) else None


def overrides_of(root: File) -> File:
    """The folder in which a book keeps what it changes of the look."""
    settings = site_settings(root)
    return (settings.parent if settings else root) / "site_overrides"


def nearest(here: File, names: Sequence[str]) -> File | None:
    """The first file of these names in a folder or above it."""
    files = (folder / name for folder in (here, *here.parents) for name in names)
    return next((file for file in files if file.is_file()), None)


def beside(settings: File, key: str, default: str) -> File:
    """The folder that a setting of mkdocs.yml names; read without a YAML library, which takes long to import."""
    text = settings.read_text(encoding="utf-8-sig", errors="replace")
    found = re.search(SETTING.format(key=key), text, re.MULTILINE)
    name = next(filter(None, found.groups()), default) if found else default
    return File(os.path.normpath(settings.parent / name))

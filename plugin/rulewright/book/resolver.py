"""Resolves links: finds the page, file or heading that a link means, in the dialects of all supported tools."""

from __future__ import annotations

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from .anchors import Anchors
from .dialects import Dialect, addresses, normal, parts, put_in, recognised, template_links
from .page import Heading, Link, Page

SKIPPED = ("node_modules", "__pycache__")
MOST_NAMES = 100_000
LARGEST_START = 60_000  # characters


def on_disk(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def start_of(path: str) -> str:
    """The beginning of a text file; empty if it cannot be read."""
    try:
        if Path(path).is_symlink():  # never follow a link out of the book
            return ""
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            return file.read(LARGEST_START)
    except (OSError, ValueError):
        return ""


def names_below(folder: str) -> Iterator[str]:
    """Names of all files in a folder and below, without hidden folders."""
    left = MOST_NAMES
    for _place, folders, files in os.walk(folder or "."):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in SKIPPED)
        yield from files[:left]
        left -= len(files)
        if left <= 0:
            return


HOME = ("index", "README", "_index")


def folders(dialect: Dialect, prefix: str) -> tuple[str, ...]:
    """The folders from which a path with a leading / may count, relative to the root."""
    start, seen = prefix or ".", ["."]
    if dialect.name:
        named = (posixpath.join(start, dialect.home, folder) for folder in dialect.folders)
        seen += [posixpath.relpath(posixpath.normpath(folder), start) for folder in named]
    return tuple(dict.fromkeys(seen))


def joined(written: str, path: str, roots: Sequence[str]) -> Iterator[str]:
    """Paths that a link may mean: relative to the folder of its page and, as in a browser, to the page's address."""
    if written.startswith("/"):
        yield from (posixpath.normpath(posixpath.join(root, written.strip("/") or ".")) for root in roots)
        return
    folder, name = posixpath.split(path)
    yield posixpath.normpath(posixpath.join(folder, written))
    if posixpath.splitext(name)[0] not in HOME:
        yield posixpath.normpath(posixpath.join(posixpath.splitext(path)[0], written))


def files(joined: str) -> Iterator[str]:
    """The files of a page that a path may mean."""
    stem, end = posixpath.splitext(joined)
    yield joined
    base = stem if end in (".html", ".htm") else joined
    yield f"{base}.md"
    yield f"{base}.markdown"
    yield from (posixpath.normpath(f"{base}/{home}.md") for home in HOME)


def file_name(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].lower()


class Named(NamedTuple):
    """A heading or term that can be found by name."""

    path: str
    id: str
    heading: Heading | None


@dataclass(frozen=True)
class Names:
    """Headings and terms of all pages by their names."""

    anchors: Mapping[str, Anchors]

    @cached_property
    def found(self) -> dict[str, list[Named]]:
        """By name in lower case; terms come before headings."""
        found: dict[str, list[Named]] = defaultdict(list)
        for path, one in self.anchors.items():
            for term in one.page.terms:
                if term.id:
                    found[term.text.lower()].append(Named(path, term.id, None))
        for path, one in self.anchors.items():
            for heading in one.page.headings:
                found[heading.text.lower()].append(Named(path, heading.id, heading))
        return found

    def nearest(self, name: str, path: str) -> Named | None:
        """The one on the page itself, else in its folder, else in the folder above, and so on; the first of several."""
        places = self.found.get(name.strip().lower(), ())
        return min(places, key=lambda place: distance(place.path, path), default=None)


def distance(path: str, other: str) -> int:
    """Number of steps between two pages through their folders."""
    if path == other:
        return 0
    way = posixpath.relpath(posixpath.dirname(path) or ".", posixpath.dirname(other) or ".")
    return 1 if way == "." else 1 + len(way.split("/"))


PAGE_ENDS = ("", ".md", ".html", ".htm", ".markdown")


@dataclass(frozen=True, slots=True)
class Place:
    """What a link resolves to: a page or a file, and an anchor by its real id."""

    path: str
    page: Page | None
    anchor: str = ""
    heading: Heading | None = None
    moved: bool = False  # found by a redirect from an old place


@dataclass(frozen=True, slots=True)
class Lost:
    """A dead link: its page is missing, or the page lacks the anchor."""

    path: str
    anchor: str
    page: Page | None

    @property
    def is_page(self) -> bool:
        return posixpath.splitext(self.path)[1] in PAGE_ENDS


def moved(atlas: Atlas, lost: Lost) -> Place | None:
    """The place of a dead link after redirects of its target or its page."""
    for path in files(lost.path):
        for old in dict.fromkeys([f"{path}#{lost.anchor}".rstrip("#"), path]):
            if found := moved_place(atlas, old, lost.anchor):
                return found
    return None


def old_ids(atlas: Atlas, path: str) -> dict[str, tuple[str, ...]]:
    """The former ids of the headings of a page, without ids that the page has anyway."""
    found: dict[str, tuple[str, ...]] = {}
    taken = set(atlas.anchors[path].exact)
    for old in atlas.aliases:
        name = old.partition("#")[2]
        place = moved_place(atlas, old) if name and name not in taken else None
        if place and place.path == path and place.heading:
            found[place.anchor] = (*found.get(place.anchor, ()), name)
            taken.add(name)
    return found


def moved_place(atlas: Atlas, old: str, anchor: str = "") -> Place | None:
    """Follow redirects from an old place to the first one that exists."""
    seen: set[str] = set()
    while old in atlas.aliases and old not in seen:
        seen.add(old)
        old = atlas.aliases[old]
        path, _, name = old.partition("#")
        found = atlas.inside(path, name or anchor, wiki=False) if path in atlas.anchors else None
        if isinstance(found, Place):
            return replace(found, moved=True)
    return None


EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|.*(?:\{\{|\{%)", re.DOTALL)  # or filled in by a template
MADE_OF = ("", ".mdx", "/index.mdx", ".html", "/index.html")  # extensions of other files that become pages
LISTING = ("", "Hugo")  # tools that generate a page for a folder; the first is no tool
MARKING = ("Hugo", "Jekyll", "Docusaurus")
LISTS = re.compile(r"(?:^|/)(?:tags|categories|category|archive|authors)(?:/|$)")


class Atlas:
    """Resolves the links of a book. Pages have their paths from its root."""

    def __init__(
        self,
        pages: Iterable[Page],
        root: str,
        exists: Callable[[str], bool],
        dialect: Dialect | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.pages = list(pages)
        self.aliases = aliases or {}  # redirects: old places of headings and pages, with the new ones
        self.root = root.strip("/") if root.strip("/") not in (".", "") else ""
        self.prefix = root.rstrip("/") if self.root else ""
        self.exists = exists
        self.guesses = 0  # number of searches for a similar anchor
        paths = [self.path(page) for page in self.pages]
        self.dialect = recognised(paths, self.there, self.text) if dialect is None else dialect
        self.folders = folders(self.dialect, self.prefix)
        self.anchors = {path: Anchors(page, self.dialect.slugs) for path, page in zip(paths, self.pages, strict=True)}
        self.names_in_pages = Names(self.anchors)

    def path(self, page: Page) -> str:
        """The path of a page from the root."""
        return posixpath.normpath(page.source.path.replace("\\", "/").removeprefix(f"{self.prefix}/"))

    def there(self, path: str) -> bool:
        """True if there is a file at this path from the root."""
        return self.exists(posixpath.normpath(posixpath.join(self.prefix, path)))

    def text(self, path: str) -> str:
        return start_of(posixpath.join(self.prefix, path))

    def as_written(self, path: str, page: Page) -> str:
        """The relative path from one page to another."""
        return posixpath.relpath(path, posixpath.dirname(self.path(page)) or ".")

    def links(self, page: Page) -> Iterator[Link]:
        """All links of a page, including those in template syntax."""
        yield from page.links
        yield from template_links(page, self.dialect.name)

    @cached_property
    def names(self) -> dict[str, str]:
        """Pages by their file names in lower case; the first of several wins."""
        return {file_name(path): path for path in reversed(self.anchors)}

    @cached_property
    def paths_in_small_letters(self) -> dict[str, str]:
        """Pages by their paths in lower case; empty if two differ only in case."""
        found: dict[str, str] = {}
        for path in self.anchors:
            found[path.lower()] = "" if path.lower() in found else path
        return found

    @cached_property
    def wiki_names(self) -> dict[str, str]:
        """Pages by title, by file name, or by the end of their path."""
        ends: dict[str, str] = {}
        for path in self.anchors:
            whole = posixpath.splitext(path)[0].lower().split("/")
            ends |= {"/".join(whole[start:]): path for start in range(1, len(whole) - 1)}
        return {anchors.page.title.lower(): path for path, anchors in self.anchors.items()} | ends | self.names

    @cached_property
    def files(self) -> frozenset[str]:
        """Names of all files of the book in lower case."""
        return frozenset(name.lower() for name in names_below(self.prefix))

    @cached_property
    def below(self) -> frozenset[str]:
        """All folders that contain pages, directly or deeper."""
        parts = (path.split("/")[:-1] for path in self.anchors)
        return frozenset("/".join(names[:end]) for names in parts for end in range(1, len(names) + 1))

    @cached_property
    def homes(self) -> dict[str, list[str]]:
        """The pages that have an anchor, by anchor."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, anchors in self.anchors.items():
            for anchor in anchors.exact:
                found[anchor].append(path)
        return found

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Pages by their addresses on the site."""
        found: dict[str, str] = {}
        for path, anchors in self.anchors.items():
            for address in addresses(self.dialect, self.from_folder(path), anchors.page):
                found.setdefault(address, path)
        return found

    def from_folder(self, path: str) -> str:
        """A path relative to the innermost folder of the dialect."""
        inside = [folder for folder in self.folders if path.startswith(f"{folder}/")]
        return path[len(max(inside, key=len)) + 1 :] if inside else path

    def resolve(self, link: Link, page: Page) -> Place | Lost | None:
        """Resolve a link, with redirects; None for targets outside of the book."""
        found = self.resolve_as_is(link, page)
        return ((self.aliases and moved(self, found)) or found) if isinstance(found, Lost) else found

    def resolve_as_is(self, link: Link, page: Page) -> Place | Lost | None:
        """Resolve a link without redirects."""
        target = parts(link, self.dialect)
        if link.kind == "autolink" or EXTERNAL.match(target.whole):
            return None
        if not target.whole.strip():
            return None if posixpath.basename(page.source.path) == "SUMMARY.md" else Lost("", "", None)
        written, anchor = unquote(target.path), unquote(target.anchor)
        path = self.find_page(written, link, page) if written else self.path(page)
        if path is None and not anchor and (word := self.named(written, link, page)):
            return Place(word.path, self.anchors[word.path].page, word.id, word.heading)
        if path is None or link.kind in ("image", "include"):
            found = self.file(written, anchor, link, page)
            return None if isinstance(found, Lost) and self.is_made(found) else found
        return self.inside(path, anchor, link.kind == "wiki" or self.dialect.name == "Obsidian")

    def named(self, written: str, link: Link, page: Page) -> Named | None:
        """Resolve `[[Term]]` by the name of a heading or term; other tools know only pages by name."""
        plain = link.kind == "wiki" and not self.dialect.told
        return self.names_in_pages.nearest(written, self.path(page)) if plain else None

    def inside(self, path: str, anchor: str, wiki: bool) -> Place | Lost | None:
        """Resolve an anchor on a page or on the pages that it includes."""
        anchors = self.anchors[path]
        found = anchors.find(anchor, wiki=wiki)
        if found:
            return Place(path, anchors.page, *found)
        shown = any(inner is None or self.anchors[inner].find(anchor) for inner in self.put_in(path))
        return Place(path, anchors.page, anchor) if shown else Lost(path, anchor, anchors.page)

    def put_in(self, path: str) -> Iterator[str | None]:
        """The pages that a page includes; None for an included file that is not a page, so its anchors are unknown."""
        seen, waiting = {path}, [path]
        while waiting:
            for name in put_in(self.anchors[waiting.pop()].page):
                inner = self.names.get(file_name(name))
                yield inner
                if inner and inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)

    def find_page(self, written: str, link: Link, page: Page) -> str | None:
        """The path of the page that a link means, by path, address or name."""
        named = self.wiki_names.get(written.strip().lower().removesuffix(".md"))
        if link.kind == "wiki" and named:
            return named
        forms = self.forms(written, link)
        meant = (path for form in forms for joined in self.joined(form, page) for path in files(joined))
        found = next((path for path in meant if path in self.anchors), None)
        if found or not self.dialect.name:
            return found or self.swapped(link)
        shown = (self.at_address(path, form) for form in forms for path in self.browsed(form, page))
        by_name = named if self.dialect.by_name or link.kind == "template" else None
        return next(filter(None, shown), None) or by_name or self.swapped(link)

    def forms(self, written: str, link: Link) -> list[str]:
        """The path as written, and from the root where the dialect allows it without a leading /."""
        rooted = link.kind in ("wiki", "template") or self.dialect.from_root
        return [written, f"/{written}"] if rooted else [written]

    def swapped(self, link: Link) -> str | None:
        """Resolve wiki links that have the text first: `[[leather armour|Armour]]`."""
        name = link.text.lower() if link.kind == "wiki" else ""
        return self.wiki_names.get(name) or self.wiki_names.get(name.replace("-", " "))

    def at_address(self, path: str, written: str) -> str | None:
        """The page at an address; where the site has a base path, up to two leading folders are ignored."""
        parts = normal(posixpath.normpath(path)).split("/")
        beyond = self.dialect.based and (written.startswith("/") or parts[0] == "..")
        ends = range(min(len(parts), 3) if beyond else 1)
        return next(filter(None, (self.addresses.get("/".join(parts[first:])) for first in ends)), None)

    def browsed(self, written: str, page: Page) -> Iterator[str]:
        """Paths as a browser resolves them from the address of the page, with and without a final /."""
        if written.startswith("/"):
            yield written
            return
        path = self.from_folder(self.path(page))
        for address in addresses(self.dialect, path, page):
            yield posixpath.join(posixpath.dirname(address), written)
            yield posixpath.join(address, written)

    def joined(self, written: str, page: Page) -> Iterator[str]:
        return joined(written, self.path(page), self.folders)

    def is_somewhere(self, name: str, wiki: bool) -> bool:
        """True if links may be names of files anywhere, and there is a file of this name."""
        return ((wiki or self.dialect.by_name) and name in self.files) or (
            self.dialect.name == "Docusaurus" and f"{name}.mdx" in self.files
        )

    def is_made(self, lost: Lost) -> bool:
        """True for pages that the tool generates: lists of folders and tags."""
        tool = self.dialect.name
        listed = tool in MARKING and LISTS.search(lost.path) is not None
        paths = (posixpath.normpath(posixpath.join(folder, lost.path)) for folder in self.folders)
        return listed or (tool in LISTING and any(path in self.below for path in paths))

    def file(self, written: str, anchor: str, link: Link, page: Page) -> Place | Lost:
        """Resolve a file that is not a page: a picture, a download, a page of another tool."""
        paths = [path for form in self.forms(written, link) for path in self.joined(form, page)]
        ends = MADE_OF if self.dialect.name else ("",)
        found = next((path for path in paths for end in ends if self.there(path + end)), None)
        if found is None and self.is_somewhere(posixpath.basename(written).lower(), link.kind == "wiki"):
            found = paths[0]
        return Lost(paths[0], anchor, None) if found is None else Place(found, None, anchor)

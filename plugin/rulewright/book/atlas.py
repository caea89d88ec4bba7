"""Where a link leads: all pages of a book and the anchors on them, in every dialect that authors write."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from urllib.parse import unquote

from . import ways
from .addresses import addresses, normal
from .anchors import Anchors as Anchors
from .dialects import Dialect, recognised
from .disk import names_below, start_of
from .model import Link, Page
from .named import Named, Names
from .place import Lost as Lost
from .place import Place as Place
from .place import moved
from .targets import parts
from .templates import put_in, template_links

EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|.*(?:\{\{|\{%)", re.DOTALL)  # or filled in by a template
MADE_OF = ("", ".mdx", "/index.mdx", ".html", "/index.html")  # files of which a site makes pages as well
LISTING = ("", "Hugo")  # tools that show a folder, the first being none at all
MARKING = ("Hugo", "Jekyll", "Docusaurus")
LISTS = re.compile(r"(?:^|/)(?:tags|categories|category|archive|authors)(?:/|$)")


class Atlas:
    """All pages, by their paths from the root of the book."""

    def __init__(
        self,
        pages: Iterable[Page],
        root: str,
        exists: Callable[[str], bool],
        dialect: Dialect | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        self.pages = list(pages)
        self.aliases = aliases or {}  # old places of headings and pages, with the new ones
        self.root = root.strip("/") if root.strip("/") not in (".", "") else ""
        self.prefix = root.rstrip("/") if self.root else ""
        self.exists = exists
        self.guesses = 0  # so many times the nearest anchor was looked for
        paths = [self.path(page) for page in self.pages]
        self.dialect = recognised(paths, self.there, self.text) if dialect is None else dialect
        self.folders = ways.folders(self.dialect, self.prefix)
        self.anchors = {path: Anchors(page, self.dialect.slugs) for path, page in zip(paths, self.pages, strict=True)}
        self.names_in_pages = Names(self.anchors)

    def path(self, page: Page) -> str:
        return posixpath.normpath(page.source.path.replace("\\", "/").removeprefix(f"{self.prefix}/"))

    def there(self, path: str) -> bool:
        """Is there a file at this path from the root?"""
        return self.exists(posixpath.normpath(posixpath.join(self.prefix, path)))

    def text(self, path: str) -> str:
        return start_of(posixpath.join(self.prefix, path))

    def as_written(self, path: str, page: Page) -> str:
        """How an author links from one page to another."""
        return posixpath.relpath(path, posixpath.dirname(self.path(page)) or ".")

    def links(self, page: Page) -> Iterator[Link]:
        """All links of a page, those included that only its tool sees."""
        yield from page.links
        yield from template_links(page, self.dialect.name)

    @cached_property
    def names(self) -> dict[str, str]:
        """Pages by the names of their files, in small letters; those that come first win."""
        return {ways.file_name(path): path for path in reversed(self.anchors)}

    @cached_property
    def paths_in_small_letters(self) -> dict[str, str]:
        """Pages by their paths; nothing where two differ in capitals only."""
        found: dict[str, str] = {}
        for path in self.anchors:
            found[path.lower()] = "" if path.lower() in found else path
        return found

    @cached_property
    def wiki_names(self) -> dict[str, str]:
        """Pages by their titles or names, or by the end of their path."""
        ends: dict[str, str] = {}
        for path in self.anchors:
            whole = posixpath.splitext(path)[0].lower().split("/")
            ends |= {"/".join(whole[start:]): path for start in range(1, len(whole) - 1)}
        return {anchors.page.title.lower(): path for path, anchors in self.anchors.items()} | ends | self.names

    @cached_property
    def files(self) -> frozenset[str]:
        """The names of all files of the book, in small letters."""
        return frozenset(name.lower() for name in names_below(self.prefix))

    @cached_property
    def below(self) -> frozenset[str]:
        """All folders that have pages, themselves or further below."""
        parts = (path.split("/")[:-1] for path in self.anchors)
        return frozenset("/".join(names[:end]) for names in parts for end in range(1, len(names) + 1))

    @cached_property
    def homes(self) -> dict[str, list[str]]:
        """On which pages an anchor is."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, anchors in self.anchors.items():
            for anchor in anchors.exact:
                found[anchor].append(path)
        return found

    @cached_property
    def addresses(self) -> dict[str, str]:
        """Pages by where the site shows them."""
        found: dict[str, str] = {}
        for path, anchors in self.anchors.items():
            for address in addresses(self.dialect, self.from_folder(path), anchors.page):
                found.setdefault(address, path)
        return found

    def from_folder(self, path: str) -> str:
        """A path as it counts from the innermost folder of the dialect."""
        inside = [folder for folder in self.folders if path.startswith(f"{folder}/")]
        return path[len(max(inside, key=len)) + 1 :] if inside else path

    def resolve(self, link: Link, page: Page) -> Place | Lost | None:
        """Nothing for what lies outside of the book; what is lost may only have moved."""
        found = self.resolve_as_is(link, page)
        return ((self.aliases and moved(self, found)) or found) if isinstance(found, Lost) else found

    def resolve_as_is(self, link: Link, page: Page) -> Place | Lost | None:
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
        """`[[Term]]` may lead to what is called so in a page; other tools know only pages by their names."""
        plain = link.kind == "wiki" and not self.dialect.told
        return self.names_in_pages.nearest(written, self.path(page)) if plain else None

    def inside(self, path: str, anchor: str, wiki: bool) -> Place | Lost | None:
        anchors = self.anchors[path]
        found = anchors.find(anchor, wiki=wiki)
        if found:
            return Place(path, anchors.page, *found)
        shown = any(inner is None or self.anchors[inner].find(anchor) for inner in self.put_in(path))
        return Place(path, anchors.page, anchor) if shown else Lost(path, anchor, anchors.page)

    def put_in(self, path: str) -> Iterator[str | None]:
        """The pages that a page shows within itself, and nothing for a file that is no page: who knows what it says."""
        seen, waiting = {path}, [path]
        while waiting:
            for name in put_in(self.anchors[waiting.pop()].page):
                inner = self.names.get(ways.file_name(name))
                yield inner
                if inner and inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)

    def find_page(self, written: str, link: Link, page: Page) -> str | None:
        named = self.wiki_names.get(written.strip().lower().removesuffix(".md"))
        if link.kind == "wiki" and named:
            return named
        forms = self.forms(written, link)
        meant = (path for form in forms for joined in self.joined(form, page) for path in ways.files(joined))
        found = next((path for path in meant if path in self.anchors), None)
        if found or not self.dialect.name:
            return found or self.swapped(link)
        shown = (self.at_address(path, form) for form in forms for path in self.browsed(form, page))
        by_name = named if self.dialect.by_name or link.kind == "template" else None
        return next(filter(None, shown), None) or by_name or self.swapped(link)

    def forms(self, written: str, link: Link) -> list[str]:
        """Some paths may count from the root although they do not say so."""
        rooted = link.kind in ("wiki", "template") or self.dialect.from_root
        return [written, f"/{written}"] if rooted else [written]

    def swapped(self, link: Link) -> str | None:
        """Some wikis write the text first: `[[leather armour|Armour]]`."""
        name = link.text.lower() if link.kind == "wiki" else ""
        return self.wiki_names.get(name) or self.wiki_names.get(name.replace("-", " "))

    def at_address(self, path: str, written: str) -> str | None:
        """A site may lie below an address of its own, and its pages below another: then whole paths begin with it."""
        parts = normal(posixpath.normpath(path)).split("/")
        beyond = self.dialect.based and (written.startswith("/") or parts[0] == "..")
        ends = range(min(len(parts), 3) if beyond else 1)
        return next(filter(None, (self.addresses.get("/".join(parts[first:])) for first in ends)), None)

    def browsed(self, written: str, page: Page) -> Iterator[str]:
        """A path as browsers read it who see a page at its address, with or without / at the end."""
        if written.startswith("/"):
            yield written
            return
        path = self.from_folder(self.path(page))
        for address in addresses(self.dialect, path, page):
            yield posixpath.join(posixpath.dirname(address), written)
            yield posixpath.join(address, written)

    def joined(self, written: str, page: Page) -> Iterator[str]:
        return ways.joined(written, self.path(page), self.folders)

    def is_somewhere(self, name: str, wiki: bool) -> bool:
        """Some links give a name only; where pages of other kinds are shown is known to their tool alone."""
        return ((wiki or self.dialect.by_name) and name in self.files) or (
            self.dialect.name == "Docusaurus" and f"{name}.mdx" in self.files
        )

    def is_made(self, lost: Lost) -> bool:
        """Lists of what is below a folder or has a mark are pages that nobody writes."""
        tool = self.dialect.name
        listed = tool in MARKING and LISTS.search(lost.path) is not None
        paths = (posixpath.normpath(posixpath.join(folder, lost.path)) for folder in self.folders)
        return listed or (tool in LISTING and any(path in self.below for path in paths))

    def file(self, written: str, anchor: str, link: Link, page: Page) -> Place | Lost:
        """A file that is no page, as Markdown of other tools, pictures and what readers may download."""
        paths = [path for form in self.forms(written, link) for path in self.joined(form, page)]
        ends = MADE_OF if self.dialect.name else ("",)
        found = next((path for path in paths for end in ends if self.there(path + end)), None)
        if found is None and self.is_somewhere(posixpath.basename(written).lower(), link.kind == "wiki"):
            found = paths[0]
        return Lost(paths[0], anchor, None) if found is None else Place(found, None, anchor)

"""Where a link leads: all pages of a book and the anchors on them, in every dialect that authors write."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from . import slugs
from .model import Heading, Link, Page

EXTERNAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|.*(?:\{\{|\{%)", re.DOTALL)  # or filled in by a template
PAGE_ENDS = ("", ".md", ".html", ".htm", ".markdown")
HOME = ("index", "README")


@dataclass(frozen=True, slots=True)
class Place:
    """What a link leads to: a page or a file, and there an anchor by its real id."""

    path: str
    page: Page | None
    anchor: str = ""
    heading: Heading | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A link that leads nowhere: its page is missing, or the page lacks the anchor."""

    path: str
    anchor: str
    page: Page | None

    @property
    def is_page(self) -> bool:
        return posixpath.splitext(self.path)[1] in PAGE_ENDS


class Anchors:
    """The anchors of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.exact: dict[str, Heading | None] = {"": None, "top": None}
        self.exact |= {block.id: None for block in page.blocks}
        self.exact |= {anchor.id: None for anchor in page.anchors}
        self.exact |= {heading.id: heading for heading in page.headings}

    @cached_property
    def other_dialects(self) -> dict[str, Heading]:
        """Ids as they would be on a site of Python-Markdown, with its slugs or with GitHub's."""
        found: dict[str, Heading] = {}
        for slug in (slugs.python_markdown, slugs.github):
            numbers = slugs.Underlined()
            numbers.taken.update(heading.id for heading in self.page.headings if heading.explicit)
            for heading in self.page.headings:
                if not heading.explicit:
                    found.setdefault(numbers.take(slug(heading.text)), heading)
        return found

    @cached_property
    def by_text(self) -> dict[str, list[Heading]]:
        found: dict[str, list[Heading]] = defaultdict(list)
        for heading in self.page.headings:
            found[slugs.github(heading.text)].append(heading)
        return found

    def find(self, anchor: str, *, wiki: bool = False) -> tuple[str, Heading | None] | None:
        if anchor in self.exact:
            return anchor, self.exact[anchor]
        heading = self.other_dialects.get(anchor)
        if wiki and not heading:
            heading = next(iter(self.by_text.get(slugs.github(anchor.rpartition("#")[2]), ())), None)
        return (heading.id, heading) if heading else None


class Atlas:
    """All pages, by their paths from the root of the book."""

    def __init__(self, pages: Iterable[Page], root: str, exists: Callable[[str], bool]) -> None:
        self.pages = list(pages)
        self.root = root.strip("/") if root.strip("/") not in (".", "") else ""
        self.prefix = root.rstrip("/") if self.root else ""
        self.exists = exists
        self.guesses = 0  # so many times the nearest anchor was looked for
        self.anchors = {self.path(page): Anchors(page) for page in self.pages}

    def path(self, page: Page) -> str:
        return posixpath.normpath(page.source.path.replace("\\", "/").removeprefix(f"{self.prefix}/"))

    def as_written(self, path: str, page: Page) -> str:
        """How an author links from one page to another."""
        return posixpath.relpath(path, posixpath.dirname(self.path(page)) or ".")

    @cached_property
    def names(self) -> dict[str, str]:
        """Pages by the names of their files, in small letters; those that come first win."""
        return {file_name(path): path for path in reversed(self.anchors)}

    @cached_property
    def wiki_names(self) -> dict[str, str]:
        """Pages by their titles or names."""
        return {anchors.page.title.lower(): path for path, anchors in self.anchors.items()} | self.names

    @cached_property
    def homes(self) -> dict[str, list[str]]:
        """On which pages an anchor is."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, anchors in self.anchors.items():
            for anchor in anchors.exact:
                found[anchor].append(path)
        return found

    def resolve(self, link: Link, page: Page) -> Place | Lost | None:
        """Nothing for what lies outside of the book."""
        if link.kind == "autolink" or EXTERNAL.match(link.target):
            return None
        written, _, anchor = link.target.partition("#")
        written, anchor = unquote(written.partition("?")[0]), unquote(anchor)
        if not link.target.strip():
            return Lost("", "", None)
        path = self.find_page(written, link, page) if written else self.path(page)
        if path is None or link.kind == "image":
            return self.file(written, anchor, page)
        return self.inside(path, anchor, link.kind == "wiki")

    def inside(self, path: str, anchor: str, wiki: bool) -> Place | Lost:
        anchors = self.anchors[path]
        found = anchors.find(anchor, wiki=wiki)
        return Place(path, anchors.page, *found) if found else Lost(path, anchor, anchors.page)

    def find_page(self, written: str, link: Link, page: Page) -> str | None:
        if link.kind == "wiki" and (named := self.wiki_names.get(written.strip().lower())):
            return named
        ways = [written, f"/{written}"] if link.kind == "wiki" else [written]
        return next((path for way in ways for path in self.candidates(way, page) if path in self.anchors), None)

    def candidates(self, written: str, page: Page) -> Iterator[str]:
        for joined in self.joined(written, page):
            stem, end = posixpath.splitext(joined)
            yield joined
            base = stem if end in (".html", ".htm") else joined
            yield f"{base}.md"
            yield f"{base}.markdown"
            yield from (posixpath.normpath(f"{base}/{home}.md") for home in HOME)

    def joined(self, written: str, page: Page) -> Iterator[str]:
        """A path counts from the page's folder, or, as browsers see it, from the page's own address."""
        if written.startswith("/"):
            yield posixpath.normpath(written.strip("/") or ".")
            return
        path = self.path(page)
        folder, name = posixpath.split(path)
        yield posixpath.normpath(posixpath.join(folder, written))
        if posixpath.splitext(name)[0] not in HOME:
            yield posixpath.normpath(posixpath.join(posixpath.splitext(path)[0], written))

    def file(self, written: str, anchor: str, page: Page) -> Place | Lost:
        paths = list(self.joined(written, page))
        for path in paths:
            if self.exists(posixpath.normpath(posixpath.join(self.prefix, path))):
                return Place(path, None, anchor)
        return Lost(paths[0], anchor, None)


def file_name(path: str) -> str:
    return posixpath.splitext(posixpath.basename(path))[0].lower()

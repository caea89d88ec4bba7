"""Resolves links: finds the page, file or heading that a link means, in the dialects of all supported tools."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from urllib.parse import unquote

from ..paths import compose
from .anchors import Anchors, host_ids
from .dialects import (
    Dialect,
    detect_dialect,
    front_matter_links,
    included_files,
    normalize_address,
    page_addresses,
    split_target,
    strip_numbers,
    template_links,
)
from .disk import files_below, read_start
from .host import Host
from .link_rules import LinkRules, ask_about_media, infer_rules, link_kind
from .name_index import NamedTarget, NameIndex
from .page import Heading, Link, Page

_INDEX_NAMES = ("index", "README", "_index")
_SOURCE_FILES = (".md", ".mdx", ".markdown")  # which no address has


def _root_folders(dialect: Dialect, prefix: str) -> tuple[str, ...]:
    """The folders from which a path with a leading / may count, relative to the root."""
    start, roots = prefix or ".", ["."]
    if dialect.name:
        dialect_folders = (posixpath.join(start, dialect.home, folder) for folder in dialect.folders)
        roots += [posixpath.relpath(posixpath.normpath(folder), start) for folder in dialect_folders]
    return tuple(dict.fromkeys(roots))


def _candidate_paths(written: str, path: str, roots: Sequence[str]) -> Iterator[str]:
    """Paths that a link may mean: relative to the folder of its page and, as in a browser, to the page's address."""
    if written.startswith("/"):
        yield from (posixpath.normpath(posixpath.join(root, written.strip("/") or ".")) for root in roots)
        return
    folder, name = posixpath.split(path)
    yield posixpath.normpath(posixpath.join(folder, written))
    if posixpath.splitext(name)[0] not in _INDEX_NAMES and not written.endswith(_SOURCE_FILES):
        yield posixpath.normpath(posixpath.join(posixpath.splitext(path)[0], written))


def page_files(path: str) -> Iterator[str]:
    """The files of a page that a path may mean."""
    stem, end = posixpath.splitext(path)
    yield path
    base = stem if end in (".html", ".htm") else path
    yield f"{base}.md"
    yield f"{base}.markdown"
    yield f"{base}.mdx"
    yield from (posixpath.normpath(f"{base}/{home}.md") for home in _INDEX_NAMES)


def file_name(path: str) -> str:
    return compose(posixpath.splitext(posixpath.basename(path))[0].lower())


_PAGE_EXTENSIONS = ("", ".md", ".html", ".htm", ".markdown")


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """What a link resolves to: a page or a file, and an anchor by its real id."""

    path: str
    page: Page | None
    anchor: str = ""
    heading: Heading | None = None
    is_moved: bool = False  # found by a redirect from an old place


@dataclass(frozen=True, slots=True)
class DeadLink:
    """A dead link: its page is missing, or the page lacks the anchor."""

    path: str
    anchor: str
    page: Page | None

    @property
    def is_page(self) -> bool:
        return posixpath.splitext(self.path)[1] in _PAGE_EXTENSIONS


def _resolve_moved(resolver: LinkResolver, dead: DeadLink) -> LinkTarget | None:
    """The place of a dead link after redirects of its target or its page."""
    for path in page_files(dead.path):
        for old in dict.fromkeys([f"{path}#{dead.anchor}".rstrip("#"), path]):
            if target := follow_aliases(resolver, old, dead.anchor):
                return target
    return None


def former_ids(resolver: LinkResolver, path: str) -> dict[str, tuple[str, ...]]:
    """The former ids of the headings of a page, without ids that the page has anyway."""
    ids: dict[str, tuple[str, ...]] = {}
    taken = set(resolver.anchors[path].exact)
    for old in resolver.aliases:
        name = old.partition("#")[2]
        target = follow_aliases(resolver, old) if name and name not in taken else None
        if target and target.path == path and target.heading:
            ids[target.anchor] = (*ids.get(target.anchor, ()), name)
            taken.add(name)
    return ids


def follow_aliases(resolver: LinkResolver, old: str, anchor: str = "") -> LinkTarget | None:
    """Follow redirects from an old place to the first one that exists."""
    visited: set[str] = set()
    while old in resolver.aliases and old not in visited:
        visited.add(old)
        old = resolver.aliases[old]
        path, _, name = old.partition("#")
        target = resolver.resolve_anchor(path, name or anchor, is_wiki=False) if path in resolver.anchors else None
        if isinstance(target, LinkTarget):
            return replace(target, is_moved=True)
    return None


EXTERNAL_TARGET = re.compile(
    r"[a-zA-Z][a-zA-Z0-9+.-]*:(?!\s)|//|.*(?:\{\{|\{%)", re.DOTALL
)  # or filled in by a template
_SOURCE_EXTENSIONS = ("", ".mdx", "/index.mdx", ".html", "/index.html")  # extensions of other files that become pages
_LISTING_DIALECTS = ("", "Hugo")  # tools that generate a page for a folder; the first is no tool
_TAGGING_DIALECTS = ("Hugo", "Jekyll", "Docusaurus")
_LISTING_PATH = re.compile(r"(?:^|/)(?:tags|categories|category|archive|authors)(?:/|$)")


_EMPTY_CELL = re.compile(r"(?:^|\|)[ \t]*\[\]\([ \t]*\)[ \t]*(?:\||$)")


def _is_empty_cell(link: Link) -> bool:
    """Whether a link with no text and no target is all that a table cell has: readers see an empty cell."""
    text, start = link.span.source.text, link.span.start
    first, end = text.rfind("\n", 0, start) + 1, text.find("\n", start)
    line = text[first : end if end >= 0 else len(text)]
    cells = _EMPTY_CELL.finditer(line) if "|" in line else ()
    return any(cell.start() <= start - first <= cell.end() for cell in cells)


class LinkResolver:
    """Resolves the links of a book. Pages have their paths from its root."""

    def __init__(
        self,
        pages: Iterable[Page],
        root: str,
        exists: Callable[[str], bool],
        dialect: Dialect | None = None,
        aliases: Mapping[str, str] | None = None,
        host: Host | None = None,
    ) -> None:
        self.pages = list(pages)
        self._includes = dict[str, Sequence[str]]()
        self.host = host  # MkDocs, if it publishes the book
        self.aliases = aliases or {}  # redirects: old places of headings and pages, with the new ones
        self.root = root.strip("/") if root.strip("/") not in (".", "") else ""
        self.prefix = root.rstrip("/") if self.root else ""
        self.exists = cache(exists)
        self.guess_count = 0  # number of searches for a similar anchor
        paths = [self.path(page) for page in self.pages]
        self.rules = LinkRules(dialect) if dialect is not None else self.infer_rules(paths, root)
        self.dialect = self.rules.dialect
        self.folders = _root_folders(self.dialect, self.prefix)
        self.anchors = {path: self.read_anchors(path, page) for path, page in zip(paths, self.pages, strict=True)}
        self.name_index = NameIndex(self.anchors)
        if host and not host.site and dialect is None:  # a finished site knows its pictures
            self.rules = ask_about_media(self, self.pages)

    def infer_rules(self, paths: Sequence[str], root: str) -> LinkRules:
        """The rules for links: those of the host where there is one, else those that explain most links."""
        marked = detect_dialect(paths, self.has_file, self.read_start)
        if self.host:
            return LinkRules(marked._replace(has_titles=True, has_headings=True, has_swapped=True))
        return infer_rules(marked, self.pages, lambda dialect: LinkResolver(self.pages, root, self.exists, dialect))

    def read_anchors(self, path: str, page: Page) -> Anchors:
        """The anchors of a page; the ids of its headings are those of the host if it renders the page."""
        settings = self.host.settings if self.host and self.host.renders(path, page) else None
        if settings is None or settings.slugs is None:
            return Anchors(page, self.dialect.slugs)
        has_attributes = "attr_list" in settings.extensions
        return Anchors(
            page, self.dialect.slugs, partial(host_ids, make_slug=settings.slugs, attribute_lists=has_attributes)
        )

    def path(self, page: Page) -> str:
        """The path of a page from the root; that of a page outside of it begins with `../`."""
        path = posixpath.normpath(page.source.path.replace("\\", "/"))
        if (
            not self.prefix
            or path.startswith(f"{self.prefix}/")
            or posixpath.isabs(path) != posixpath.isabs(self.prefix)
        ):
            return path.removeprefix(f"{self.prefix}/")
        return posixpath.relpath(path, self.prefix)

    def has_file(self, path: str) -> bool:
        """True if there is a file at this path from the root."""
        return self.exists(posixpath.normpath(posixpath.join(self.prefix, path)))

    def read_start(self, path: str) -> str:
        return read_start(posixpath.join(self.prefix, path))

    def relative_path(self, path: str, page: Page) -> str:
        """The relative path from one page to another."""
        return posixpath.relpath(path, posixpath.dirname(self.path(page)) or ".")

    def links(self, page: Page) -> Iterator[Link]:
        """All links of a page, including those in template syntax."""
        yield from page.links
        yield from template_links(page, self.dialect.name)
        if self.host is None and self.dialect.display_name in ("", "Obsidian"):
            yield from front_matter_links(page)

    @cached_property
    def by_file_name(self) -> dict[str, str]:
        """Pages by their file names in lower case; the first of several wins."""
        return {file_name(path): path for path in reversed(self.anchors)}

    @cached_property
    def by_lower_path(self) -> dict[str, str]:
        """Pages by their paths in lower case; empty if two differ only in case."""
        paths: dict[str, str] = {}
        for path in self.anchors:
            paths[path.lower()] = "" if path.lower() in paths else path
        return paths

    @cached_property
    def by_composed_path(self) -> dict[str, str]:
        """Pages by their paths with composed letters; only those that are not plain ASCII."""
        return {compose(path): path for path in self.anchors if not path.isascii()}

    @cached_property
    def by_unnumbered_path(self) -> dict[str, str]:
        """Pages by their addresses without numbers before names; the first of several wins."""
        return {strip_numbers(normalize_address(path)): path for path in reversed(self.anchors)}

    @cached_property
    def by_wiki_name(self) -> dict[str, str]:
        """Pages by file name, or by the end of their path."""
        ends: dict[str, str] = {}
        for path in self.anchors:
            whole = compose(posixpath.splitext(path)[0].lower()).split("/")
            ends |= {"/".join(whole[start:]): path for start in range(len(whole) - 1)}
        return ends | self.by_file_name

    @cached_property
    def by_title(self) -> dict[str, str]:
        """Pages by title in lower case."""
        return {anchors.page.title.lower(): path for path, anchors in self.anchors.items()}

    def page_by_title(self, name: str) -> str | None:
        """The page that a wiki link names by its title, or by its file name with spaces for hyphens."""
        name = name.partition("#")[0].strip().lower()
        return self.by_title.get(name) or self.by_wiki_name.get(name.replace(" ", "-"))

    def page_by_text(self, link: Link) -> str | None:
        """The page of a wiki link that has the text first: `[[leather armour|Armour]]`."""
        name = link.text.lower() if link.kind == "wiki" else ""
        return self.by_wiki_name.get(name) or self.page_by_title(name)

    @cached_property
    def files_by_name(self) -> dict[str, list[str]]:
        """The paths of all files of the book in lower case, by their names."""
        files: dict[str, list[str]] = defaultdict(list)
        for path in files_below(self.prefix):
            files[posixpath.basename(path).lower()].append(f"/{path.lower()}")
        return files

    @cached_property
    def page_folders(self) -> frozenset[str]:
        """All folders that contain pages, directly or deeper."""
        parts = (path.split("/")[:-1] for path in self.anchors)
        return frozenset("/".join(names[:end]) for names in parts for end in range(1, len(names) + 1))

    @cached_property
    def pages_by_anchor(self) -> dict[str, list[str]]:
        """The pages that have an anchor, by anchor."""
        pages: dict[str, list[str]] = defaultdict(list)
        for path, anchors in self.anchors.items():
            for anchor in anchors.exact:
                pages[anchor].append(path)
        return pages

    @cached_property
    def pages_by_destination(self) -> dict[str, str]:
        """The published pages by their files in the site."""
        host = self.host
        files = ((host.find_destination(path), path) for path in self.anchors) if host else ()
        return {file: path for file, path in files if file}

    @cached_property
    def unpublished_destinations(self) -> frozenset[str]:
        """The files and folders that pages would have if they were published."""
        if not self.host:
            return frozenset()
        paths = (path for path in self.anchors if self.host.find_destination(path) is None)
        files = {file for path in paths for file in self.host.settings.destinations(path)}
        return frozenset(files | {posixpath.dirname(file) for file in files})

    @cached_property
    def pages_by_address(self) -> dict[str, str]:
        """Pages by their addresses on the site."""
        pages: dict[str, str] = {}
        for path, anchors in self.anchors.items():
            for address in page_addresses(self.dialect, self.from_dialect_folder(path), anchors.page):
                pages.setdefault(address, path)
        return pages

    def from_dialect_folder(self, path: str) -> str:
        """A path relative to the innermost folder of the dialect."""
        inside = [folder for folder in self.folders if path.startswith(f"{folder}/")]
        return path[len(max(inside, key=len)) + 1 :] if inside else path

    def resolve(self, link: Link, page: Page) -> LinkTarget | DeadLink | None:
        """Resolve a link, with redirects; None for targets outside of the book."""
        result = self.resolve_directly(link, page)
        return ((self.aliases and _resolve_moved(self, result)) or result) if isinstance(result, DeadLink) else result

    def resolve_directly(self, link: Link, page: Page) -> LinkTarget | DeadLink | None:
        """Resolve a link without redirects."""
        target = split_target(link, self.dialect)
        if self.leads_out(link, target.whole):
            return None
        if not target.whole.strip():
            is_draft = posixpath.basename(page.source.path) == "SUMMARY.md" or _is_empty_cell(link)
            return None if is_draft else DeadLink("", "", None)
        written, anchor = unquote(target.path), unquote(target.anchor)
        path = self.find_page(written, link, page) if written else self.path(page)
        if path is None and not anchor and (named := self.resolve_name(written, link, page)):
            return LinkTarget(named.path, self.anchors[named.path].page, named.id, named.heading)
        if path is None or link.kind in ("image", "include"):
            result = self.resolve_file(written, anchor, link, page)
            return None if isinstance(result, DeadLink) and self.is_generated(result) else result
        return self.resolve_anchor(path, anchor, link.kind == "wiki" or self.dialect.name == "Obsidian")

    def resolve_name(self, written: str, link: Link, page: Page) -> NamedTarget | None:
        """Resolve `[[Term]]` by the name of a heading or term; other tools know only pages by name."""
        if link.kind != "wiki" or self.dialect.display_name:
            return None
        named = self.name_index.nearest(written, self.path(page))
        return named if named and (named.heading is None or self.dialect.has_headings) else None

    def resolve_anchor(self, path: str, anchor: str, is_wiki: bool) -> LinkTarget | DeadLink | None:
        """Resolve an anchor on a page or on the pages that it includes."""
        anchors = self.anchors[path]
        match = anchors.find(anchor, wiki=is_wiki)
        if match:
            return LinkTarget(path, anchors.page, *match)
        is_included = any(inner is None or self.anchors[inner].find(anchor) for inner in self.included_pages(path))
        return LinkTarget(path, anchors.page, anchor) if is_included else DeadLink(path, anchor, anchors.page)

    def included_pages(self, path: str) -> Iterator[str | None]:
        """The pages that a page includes; None for an included file that is not a page, so its anchors are unknown."""
        visited, waiting = {path}, [path]
        while waiting:
            for name in self._included_names(waiting.pop()):
                inner = self.by_file_name.get(file_name(name))
                yield inner
                if inner and inner not in visited:
                    visited.add(inner)
                    waiting.append(inner)

    def _included_names(self, path: str) -> Sequence[str]:
        """The files that a page includes, read once however many links lead to the page."""
        if path not in self._includes:
            page = self.anchors[path].page
            self._includes[path] = () if page.snippets.has_only_links else included_files(page)
        return self._includes[path]

    def is_external(self, link: Link) -> bool:
        """Whether a link leads out of the book, or to a script."""
        return self.leads_out(link, split_target(link, self.dialect).whole)

    def leads_out(self, link: Link, target: str) -> bool:
        is_script = target.startswith(("#/", "#!")) and self.dialect.name != "docsify"
        return link.kind == "autolink" or is_script or EXTERNAL_TARGET.match(target) is not None

    def finds_path(self, link: Link, page: Page) -> bool:
        """Whether the page or file of a link is found; its anchor does not matter."""
        result = self.resolve_directly(link, page)
        return not isinstance(result, DeadLink) or result.page is not None

    def lacks_anchor(self, link: Link, page: Page) -> bool:
        """Whether the page of a link is found, but not its anchor."""
        result = self.resolve_directly(link, page)
        return isinstance(result, DeadLink) and result.page is not None

    def question(self, link: Link) -> tuple[str, str]:
        """The kind of a link that mostly fails, and what to ask about it; empty for other kinds."""
        kind = link_kind(link, self.dialect) if self.rules.questions else ""
        return (kind, self.rules.questions[kind]) if kind in self.rules.questions else ("", "")

    def page_at(self, path: str) -> str | None:
        """The page of a path, with or without its extension, or by its address without numbers."""
        found = next((own for file in page_files(path) if (own := self.page_path(file))), None)
        return self.page_without_numbers(path) if found is None and self.dialect.has_numbers else found

    def page_without_numbers(self, path: str) -> str | None:
        """The page at an address; numbers may be left out where no folder has the name as written."""
        folder = posixpath.dirname(path)
        while folder and folder not in self.page_folders:
            folder = posixpath.dirname(folder)
        address = strip_numbers(folder) + normalize_address(path)[len(folder) :]
        return self.by_unnumbered_path.get(address.strip("/"))

    def find_page(self, written: str, link: Link, page: Page) -> str | None:
        """The path of the page that a link means, by path, address or name."""
        wiki_page = self.by_wiki_name.get(compose(written.strip().lower().removesuffix(".md")))
        if self.dialect.has_titles and not wiki_page:
            wiki_page = self.page_by_title(written)
        if link.kind == "wiki" and wiki_page:
            return wiki_page
        forms = self.written_forms(written, link)
        joined = [path for form in forms for path in self.candidate_paths(form, page)]
        found_path = next(filter(None, map(self.page_at, joined)), None)
        swapped = self.page_by_text(link) if self.dialect.has_swapped else None
        if found_path or not self.dialect.name:
            return found_path or swapped
        addressed = (self.page_at_address(path, form) for form in forms for path in self.browser_paths(form, page))
        by_name = wiki_page if self.dialect.by_name or link.kind == "template" else None
        return next(filter(None, addressed), None) or by_name or swapped

    def page_path(self, path: str) -> str | None:
        """The path of the page that a path means; its letters may be composed in one of them only."""
        return path if path in self.anchors else self.by_composed_path.get(compose(path))

    def written_forms(self, written: str, link: Link) -> list[str]:
        """The path as written, and from the root where the dialect allows it without a leading /."""
        is_rooted = link.kind in ("wiki", "template") or self.dialect.from_root
        return [written, f"/{written}"] if is_rooted else [written]

    def page_at_address(self, path: str, written: str) -> str | None:
        """The page at an address; where the site has a base path, up to two leading folders are ignored."""
        parts = normalize_address(posixpath.normpath(path)).split("/")
        may_have_base = self.dialect.based and (written.startswith("/") or parts[0] == "..")
        ends = range(min(len(parts), 3) if may_have_base else 1)
        return next(filter(None, (self.pages_by_address.get("/".join(parts[first:])) for first in ends)), None)

    def browser_paths(self, written: str, page: Page) -> Iterator[str]:
        """Paths as a browser resolves them from the address of the page, with and without a final /."""
        if written.startswith("/"):
            yield written
            return
        path = self.from_dialect_folder(self.path(page))
        for address in page_addresses(self.dialect, path, page):
            yield posixpath.join(posixpath.dirname(address), written)
            if not written.endswith(_SOURCE_FILES):
                yield posixpath.join(address, written)

    def candidate_paths(self, written: str, page: Page) -> Iterator[str]:
        path = self.path(page)
        roots = [root for root in self.dialect.roots if path.startswith(f"{root}/")]
        return _candidate_paths(written, path, [*self.folders, *roots])

    def has_file_named(self, written: str, wiki: bool) -> bool:
        """True if links may be names of files anywhere, and there is a file of this name in these folders."""
        end = f"/{written.strip('/').lower()}"
        name = posixpath.basename(end)
        if (wiki or self.dialect.by_name) and any(path.endswith(end) for path in self.files_by_name.get(name, ())):
            return True
        return self.dialect.name == "Docusaurus" and f"{name}.mdx" in self.files_by_name

    def is_generated(self, dead: DeadLink) -> bool:
        """True for pages that the tool generates: lists of folders and tags, and the home page."""
        if dead.path == "." and not self.host:
            return True
        tool = self.dialect.name
        is_listing = tool in _TAGGING_DIALECTS and _LISTING_PATH.search(dead.path) is not None
        paths = (posixpath.normpath(posixpath.join(folder, dead.path)) for folder in self.folders)
        return is_listing or (tool in _LISTING_DIALECTS and any(path in self.page_folders for path in paths))

    def resolve_file(self, written: str, anchor: str, link: Link, page: Page) -> LinkTarget | DeadLink:
        """Resolve a file that is not a page: a picture, a download, a page of another tool."""
        paths = [path for form in self.written_forms(written, link) for path in self.candidate_paths(form, page)]
        ends = _SOURCE_EXTENSIONS if self.dialect.name else ("",)
        existing = next((path for path in paths for end in ends if self.has_file(path + end)), None)
        if existing is None and self.has_file_named(written, link.kind == "wiki"):
            existing = paths[0]
        return DeadLink(paths[0], anchor, None) if existing is None else LinkTarget(existing, None, anchor)

"""The site that MkDocs makes of a book: addresses of pages, ids of headings, excluded pages, and what adds ids."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from ..globs import matches_any
from .finished_site import FinishedSite
from .page import Page

BUILT_IN_EXTENSIONS = ("toc", "tables", "fenced_code")  # what MkDocs always enables
_TAG = re.compile(r"</?[^>]*>")
_INDEX_NAMES = ("index", "README")  # of files whose page is that of their folder
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_INCLUDE = re.compile(r"(?<!;)-{2,}8<-{2,}|(?<!;)-8<-|\{![^!\n]+!\}")
_TEMPLATE = re.compile(r"\{\{|\{%")
_DIRECTIVE = re.compile(r"^[ \t]*:::[ \t]*[\w.]", re.MULTILINE)


@dataclass(frozen=True)
class HeadingSlugs:
    """How a site makes the ids of headings: `toc.slugify` and `toc.separator` of its settings."""

    style: str = "toc"  # "toc" and "unicode" are those of Python-Markdown; "pymdownx" is pymdownx.slugs.slugify
    separator: str = "-"
    case: str = "none"  # the arguments of pymdownx.slugs.slugify
    normalize: str = "NFC"
    percent_encode: bool = False

    def __call__(self, text: str) -> str:
        return self._pymdownx_slug(text) if self.style == "pymdownx" else self._toc_slug(text)

    def _toc_slug(self, text: str) -> str:
        if self.style == "toc":
            text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
        plain = re.sub(r"[^\w\s-]", "", text).strip().lower()
        return re.sub(rf"[{re.escape(self.separator)}\s]+", lambda _: self.separator, plain)

    def _pymdownx_slug(self, text: str) -> str:
        plain = _TAG.sub("", unicodedata.normalize(self.normalize, text)).strip()  # type: ignore[arg-type]
        if self.case == "lower":
            plain = plain.lower()
        elif self.case == "lower-ascii":
            plain = re.sub("[A-Z]+", lambda match: match[0].lower(), plain)
        elif self.case == "fold":
            plain = plain.casefold()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", self.separator)
        return quote(slug) if self.percent_encode else slug


def _is_ignored(path: str, patterns: tuple[tuple[str, bool], ...]) -> bool:
    """Whether patterns like those of .gitignore match; the last one that does decides."""
    matches = [not is_negated for pattern, is_negated in patterns if matches_any(path, [pattern])]
    return bool(matches) and matches[-1]


@dataclass(frozen=True)
class HostSettings:
    """What the settings of an MkDocs site say about its pages and links. Compared to notice changes."""

    slugs: HeadingSlugs | None = HeadingSlugs()  # None: code that only a build can run
    directories: bool = True  # `use_directory_urls`
    base: str = ""  # the path of `site_url`, without a final /
    absolute_from_docs: bool = False  # does `/page.md` count from the folder of the pages?
    extensions: frozenset[str] = frozenset(BUILT_IN_EXTENSIONS)  # of Python-Markdown, with those in bundles
    plugins: frozenset[str] = frozenset()
    wiki_links: bool = False  # are links such as `[[page]]` read?
    nav_file: str = ""  # the file name of navigation that is written as a page
    languages: tuple[str, ...] = ()  # of translations, such as `page.de.md`; the default one first
    excluded: tuple[
        tuple[str, bool], ...
    ] = ()  # patterns like those of .gitignore, and whether each takes pages back in
    excluded_names: tuple[str, ...] = ()  # regular expressions for the paths of further excluded pages
    redirects: tuple[str, ...] = ()  # the HTML files of old pages that lead to new ones
    id_makers: tuple[str, ...] = ()  # hooks, plugins and extensions that may add ids to any page
    page_makers: tuple[str, ...] = ()  # plugins that add pages
    snippet_folders: tuple[str, ...] = ()  # where `--8<--` finds files; empty if it is not read
    appended_snippets: tuple[str, ...] = ()  # files that every page includes
    nav: tuple[tuple[str, tuple[str, ...]], ...] = ()  # the pages that `nav` lists, each with the sections around it
    not_in_nav: tuple[tuple[str, bool], ...] | None = None  # patterns of pages that it may leave out; None: any
    is_readable: bool = True  # could the settings be read?

    def has_like(self, names: str) -> bool:
        """Whether part of the name of an extension or a plugin matches a regex."""
        return any(re.search(names, name) for name in (*self.extensions, *self.plugins))

    def is_excluded(self, path: str) -> bool:
        """Whether a page is no part of the site; the last pattern that matches decides."""
        return _is_ignored(path, self.excluded) or any(re.match(name, path) for name in self.excluded_names)

    def is_left_out(self, path: str) -> bool:
        """Whether a page of the site is not in its navigation, by mistake as far as the settings tell."""
        if self.not_in_nav is None or not self.nav or self.is_excluded(path):
            return False
        return all(path != listed for listed, _ in self.nav) and not _is_ignored(path, self.not_in_nav)

    def destination(self, path: str) -> str:
        """The HTML file of a page."""
        return self._html_file(path, self.directories)

    def _html_file(self, path: str, directories: bool) -> str:
        folder, name = posixpath.split(path)
        stem = posixpath.splitext(name)[0]
        if stem in _INDEX_NAMES:
            return posixpath.join(folder, "index.html")
        return posixpath.join(folder, f"{stem}/index.html" if directories else f"{stem}.html")

    def destinations(self, path: str) -> Iterator[str]:
        """The HTML files that a page may have: plugins decide about folders, and its language may be one."""
        paths = [path]
        stem, end = posixpath.splitext(path)
        page, _, language = stem.rpartition(".")
        if page and _LANGUAGE.fullmatch(language):
            paths += [posixpath.join(language, page + end), page + end]
        folder, _, rest = path.partition("/")
        if rest and _LANGUAGE.fullmatch(folder):
            paths.append(rest)  # the folder of the default language
        for name in paths:
            yield self._html_file(name, self.directories)
            yield self._html_file(name, not self.directories)

    def translations(self, path: str, page: str) -> Iterator[str]:
        """The files that a path on a page may mean: itself, or its translation, first into the language of the page."""
        yield path
        stem, end = posixpath.splitext(path)
        own = posixpath.splitext(posixpath.splitext(page)[0])[1].lstrip(".")
        for language in sorted(self.languages, key=lambda name: name != own):
            yield f"{stem}.{language}{end}"

    def find_id_maker(self, page: Page) -> str:
        """What may give a page ids that are not in its text; empty if nothing does."""
        text = page.source.text
        if not self.is_readable:
            return "a setting of mkdocs.yml"
        if self.slugs is None:
            return "`toc.slugify`"
        if _DIRECTIVE.search(text):
            return "what `:::` inserts"
        if _TEMPLATE.search(text):
            return "a template"
        if _INCLUDE.search(text) and not page.snippets.has_only_links:
            return "an included file"
        return f"`{self.id_makers[0]}`" if self.id_makers else ""


@dataclass(frozen=True)
class Host:
    """MkDocs as the publisher of a book: its settings, the pages that it renders itself, and the finished site."""

    settings: HostSettings
    renders: Callable[[str, Page], bool] = lambda _path, _page: True
    adds_anchors: bool = False  # do headings also get the ids of links in other dialects?
    site: FinishedSite | None = None
    destinations: dict[str, str | None] = field(default_factory=dict, compare=False)  # cache of `find_destination`

    def markdown_of(self, path: str, page: Page) -> HostSettings | None:
        """The settings by which Python-Markdown renders a page; None if it does not, or if they are not known."""
        return self.settings if self.settings.is_readable and self.renders(path, page) else None

    def find_destination(self, path: str) -> str | None:
        """The HTML file of a page; None if it is outside, excluded, or not in the finished site."""
        if path not in self.destinations:
            if path.startswith("../"):
                self.destinations[path] = None
            elif self.site:
                self.destinations[path] = next(filter(self.site.has_file, self.settings.destinations(path)), None)
            else:
                is_excluded = self.settings.is_excluded(path)
                self.destinations[path] = None if is_excluded else self.settings.destination(path)
        return self.destinations[path]

    def resolve_url(self, page: str, written: str) -> str | None:
        """The file of the site that a browser asks for; None outside of the site. `page` is an HTML file."""
        if written.startswith("/"):
            base = self.settings.base
            if base and written != base and not written.startswith(f"{base}/"):
                return None
            address = written[len(base) :].lstrip("/")
        else:
            address = posixpath.join(posixpath.dirname(page), written)
        path = posixpath.normpath(address or ".")
        if path == ".." or path.startswith("../"):
            return None
        is_folder = written.endswith("/") or path == "." or posixpath.basename(written) in (".", "..")
        return posixpath.normpath(posixpath.join(path, "index.html")) if is_folder else path

    def has_target(self, page: str, written: str) -> bool:
        """Whether a finished page has a link with this target."""
        targets = self.site.page(page).targets if self.site else ()
        return written in targets or unquote(written) in map(unquote, targets)

    def has_link(self, page: str, destination: str, anchor: str) -> bool:
        """Whether a finished page has a link to an anchor of a page, as a browser resolves it."""
        for target in self.site.page(page).targets if self.site else ():
            path, _, name = target.partition("#")
            file = self.resolve_url(page, unquote(path.partition("?")[0])) if path else page
            if unquote(name) == unquote(anchor) and file in (destination, posixpath.dirname(destination)):
                return True
        return False

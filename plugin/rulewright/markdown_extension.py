"""The Python-Markdown extension `rulewright`: cards on the pages of the host, or pages rendered from our own tokens."""

from __future__ import annotations

import posixpath
import re
from functools import cache, partial
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.extensions.fenced_code import FencedCodeExtension
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from .compile.book import CompiledBook
from .compile.games import Games
from .compile.options import HOST
from .compile.watch import BookWatcher
from .project import GAME_FILE, find_book
from .render.assets import ASSETS_FOLDER, are_current
from .render.context import BuildContext
from .render.host_pages import HostPage
from .render.html import PageContext
from .render.python_markdown import PythonMarkdown, TokenParser, find_slug
from .render.tooltips import TermHints

CHECK_SECONDS = 1.0  # seconds
_LAST = -10  # priority
_ABSOLUTE = re.compile(r"/|[a-z][a-z0-9+.-]*:")


class RulewrightExtension(Extension):
    """Replaces the block parser of a Markdown instance; used by MkDocs, Zensical and plain Python-Markdown."""

    def __init__(self, **settings: Any) -> None:
        self.config = {
            "context": ["", "what gives the book of which the pages are part; without it we look for one"],
            "assets": ["", f"where our styles and scripts are, from the root of the site; else {ASSETS_FOLDER}"],
        }
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        self.md = md
        self.is_ready = False
        self.page_context: PageContext | None = None  # the page that is being converted
        md.registerExtension(self)
        if not self.getConfig("context"):
            assets = _AssetAdder(self)
            md.treeprocessors.register(_TreeEnd(assets), "rulewright-assets", _LAST)
            md.postprocessors.register(assets, "rulewright-assets", _LAST)

    def reset(self) -> None:
        """Choose the renderer at the first call, when all extensions are registered; called before each page."""
        if self.is_ready:
            return
        self.is_ready = True
        if "toc" in self.md.treeprocessors and self.context.make_slug is None:
            self.context.make_slug = find_slug(self.md)
        if self.context.renderer_of(self.context.current_path) == HOST:
            if "fenced_code_block" not in self.md.preprocessors:
                FencedCodeExtension().extendMarkdown(self.md)
            HostPage(self.md, self.context, self.find_path)
            return
        host = PythonMarkdown(self.md)
        TermHints(self.md, lambda: self.page_context)
        self.md.parser = TokenParser(self.md.parser, partial(self.build_page, host))

    def find_path(self) -> str | None:
        """The page that is converted; None for a text that another plugin of the site converts for itself."""
        path = source_path(self.md)
        return path if path or not self.getConfig("context") else None

    @property
    def context(self) -> BuildContext:
        """The build context from the MkDocs plugin, else one for the book of the site, or in the current folder."""
        get_context = self.getConfig("context")
        build_context = (get_context() if get_context else None) or folder_book(
            site_folder(self.md), Path.cwd()
        ).current_context()
        assert isinstance(build_context, BuildContext)
        return build_context

    def add_assets(self, html: str) -> str:
        """The HTML of a page with styles and scripts: linked if the site has them, else in the page itself."""
        context, path, page = self.context, source_path(self.md), host_page(self.md)
        context.cards.pop(path, None)  # kept for a plugin that puts them back
        folder = self.getConfig("assets").rstrip("/")
        if page and not folder and folder_book(site_folder(self.md), Path.cwd()).has_assets:
            folder = ASSETS_FOLDER
        if page and folder and not _ABSOLUTE.match(folder):
            place = page.url if hasattr(page, "src_uri") else path  # Zensical adapts addresses relative to the source
            folder = posixpath.relpath(folder, posixpath.dirname(place) or ".")
        return context.add_assets(path, html, (lambda name: f"{folder}/{name}") if folder else None)

    def build_page(self, host: PythonMarkdown, lines: list[str]) -> Element:
        """Convert the lines of the current page to an element tree."""
        path = source_path(self.md)
        try:
            self.page_context = self.context.build_page_context(path, "\n".join(lines), host.has_formulas)
            return host.build_tree(self.page_context)
        except Exception as error:  # a bug on one page must not stop the build
            self.context.report_failure(path, error)
            root = Element("div")
            SubElement(root, "pre").text = AtomicString(escape("\n".join(lines)))
            return root


class _AssetAdder(Postprocessor):
    """Adds styles and scripts to a finished page, and not to its headings, which `toc` processes for itself."""

    def __init__(self, extension: RulewrightExtension) -> None:
        super().__init__(extension.md)
        self.extension = extension
        self.is_tree_complete = False

    def run(self, text: str) -> str:
        is_page, self.is_tree_complete = self.is_tree_complete, False
        return self.extension.add_assets(text) if is_page else text


class _TreeEnd(Treeprocessor):
    """Tells that what is processed next is the page."""

    def __init__(self, assets: _AssetAdder) -> None:
        super().__init__(assets.md)
        self.assets = assets

    def run(self, root: Element) -> None:
        del root
        self.assets.is_tree_complete = True


def host_page(md: Markdown) -> Any:
    """What MkDocs or Zensical says about the page that is being converted; None from other programs."""
    if "relpath" in md.treeprocessors:
        return getattr(md.treeprocessors["relpath"], "file")  # noqa: B009
    if "rendering_context" in md.preprocessors:
        return getattr(md.preprocessors["rendering_context"], "page")  # noqa: B009
    return None


def source_path(md: Markdown) -> str:
    """The path of the page that is being converted, relative to the root of the book; empty if it is unknown."""
    page = host_page(md)
    return str(getattr(page, "src_uri", "") or getattr(page, "path", ""))


def site_folder(md: Markdown) -> Path:
    """The folder with the settings of Zensical, which may run elsewhere; for other programs the current folder."""
    if "rendering_context" in md.preprocessors:
        return Path(getattr(md.preprocessors["rendering_context"], "config")["root_dir"])  # noqa: B009
    return Path.cwd()


class FolderBook:
    """The book that a folder is in, for programs without a plugin of ours; recompiled when files change."""

    def __init__(self, folder: Path, here: Path) -> None:
        self.here = here
        place = find_book(folder)
        is_book = bool(place.kind) or (place.pages / GAME_FILE).is_file()
        self.watcher = BookWatcher([place.pages], here, is_build=True) if is_book else None
        self.context = BuildContext(CompiledBook(Games(place.pages, {}, (), ()), ()), here)
        self.has_assets = False  # are the files for the book as it is now among its pages?
        self.checked_at = -CHECK_SECONDS

    def current_context(self) -> BuildContext:
        """The current build context; checks for changed files at most once in `CHECK_SECONDS`."""
        if self.watcher and monotonic() - self.checked_at >= CHECK_SECONDS:
            if self.watcher.update():
                self.context = BuildContext(self.watcher.compiled, self.here)
            folder = self.context.compiled.games.root / ASSETS_FOLDER
            self.has_assets = are_current(folder, self.context.asset_files())
            self.checked_at = monotonic()
        return self.context


@cache
def folder_book(folder: Path, here: Path) -> FolderBook:
    """One book for each folder."""
    return FolderBook(folder, here)


def makeExtension(**settings: Any) -> RulewrightExtension:  # noqa: N802
    return RulewrightExtension(**settings)

"""The Python-Markdown extension `rulewright`: cards on the pages of the host, or pages rendered from our own tokens."""

from __future__ import annotations

from functools import cache, partial
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.util import AtomicString

from .compile.book import CompiledBook
from .compile.games import Games
from .compile.options import HOST
from .compile.watch import BookWatcher
from .project import find_book_root, find_site_settings
from .render.context import BuildContext
from .render.host_pages import HostPage
from .render.html import PageContext
from .render.python_markdown import PythonMarkdown, TokenParser, find_slug
from .render.tooltips import TermHints

CHECK_SECONDS = 1.0  # seconds


class RulewrightExtension(Extension):
    """Replaces the block parser of a Markdown instance; used by MkDocs, Zensical and plain Python-Markdown."""

    def __init__(self, **settings: Any) -> None:
        self.config = {"context": ["", "what gives the book of which the pages are part; without it we look for one"]}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        self.md = md
        self.is_ready = False
        self.page_context: PageContext | None = None  # the page that is being converted
        md.registerExtension(self)

    def reset(self) -> None:
        """Choose the renderer at the first call, when all extensions are registered; called before each page."""
        if self.is_ready:
            return
        self.is_ready = True
        if "toc" in self.md.treeprocessors and self.context.make_slug is None:
            self.context.make_slug = find_slug(self.md)
        if self.context.renderer_of(self.context.current_path) == HOST:
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
        """The build context from the MkDocs plugin, else one for the book in the current folder."""
        get_context = self.getConfig("context")
        build_context = (get_context() if get_context else None) or folder_book(Path.cwd()).current_context()
        assert isinstance(build_context, BuildContext)
        return build_context

    def build_page(self, host: PythonMarkdown, lines: list[str]) -> Element:
        """Convert the lines of the current page to an element tree."""
        path = source_path(self.md)
        try:
            self.page_context = self.context.build_page_context(path, "\n".join(lines), host.has_formulas)
            self.page_context.touch()
            return host.build_tree(self.page_context)
        except Exception as error:  # a bug on one page must not stop the build
            self.context.report_failure(path, error)
            root = Element("div")
            SubElement(root, "pre").text = AtomicString(escape("\n".join(lines)))
            return root


def source_path(md: Markdown) -> str:
    """The path of the page that is being converted, relative to the root of the book; set by MkDocs or Zensical."""
    if "relpath" in md.treeprocessors:
        return str(getattr(md.treeprocessors["relpath"], "file").src_uri)  # noqa: B009
    if "rendering_context" in md.preprocessors:
        return str(getattr(md.preprocessors["rendering_context"], "page").path)  # noqa: B009
    return ""


class FolderBook:
    """The book of the current folder, for programs without a plugin of ours; recompiled when files change."""

    def __init__(self, here: Path) -> None:
        self.here = here
        self.watcher = BookWatcher([find_book_root(here)], here, is_build=True) if find_site_settings(here) else None
        self.context = BuildContext(CompiledBook(Games(here, {}, (), ()), ()), here)
        self.checked_at = -CHECK_SECONDS

    def current_context(self) -> BuildContext:
        """The current build context; checks for changed files at most once in `OFTEN` seconds."""
        if self.watcher and monotonic() - self.checked_at >= CHECK_SECONDS:
            if self.watcher.update():
                self.context = BuildContext(self.watcher.compiled, self.here)
            self.checked_at = monotonic()
        return self.context


@cache
def folder_book(here: Path) -> FolderBook:
    """One `Home` for each folder."""
    return FolderBook(here)


def makeExtension(**settings: Any) -> RulewrightExtension:  # noqa: N802
    return RulewrightExtension(**settings)

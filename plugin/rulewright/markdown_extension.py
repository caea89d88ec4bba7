"""The Python-Markdown extension `rulewright`: pages go through the same parser that checks them."""

from __future__ import annotations

import logging
from functools import cache, partial
from pathlib import Path
from time import monotonic
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension

from .compile.book import Compiled
from .compile.games import Games
from .compile.watch import Watching
from .project import book_root, site_settings
from .render.context import Desk
from .render.elements import elements
from .render.explain_terms import Hints
from .render.python_markdown import PythonMarkdown, TokenParser, bypassed, unread
from .render.tree import Sheet

OFTEN = 1.0  # seconds
log = logging.getLogger("rulewright")


class RulewrightExtension(Extension):
    """Replaces the block parser of a Markdown instance; used by MkDocs, Zensical and plain Python-Markdown."""

    def __init__(self, **settings: Any) -> None:
        self.config = {"desk": ["", "what gives the book of which the pages are part; without it we look for one"]}
        super().__init__(**settings)

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        self.md = md
        self.is_ready = False
        self.sheet: Sheet | None = None  # the page that is being converted
        md.registerExtension(self)

    def reset(self) -> None:
        """Install the parser at the first call, when all extensions are registered; called before each page."""
        if self.is_ready:
            return
        self.is_ready = True
        if self.desk.compiled.options.parser == "host":
            from .render.host_pages import Mending

            Mending(self.md, self.desk, partial(source_path, self.md))
            return
        self.tell(bypassed(self.md))
        host = PythonMarkdown(self.md)
        Hints(self.md, lambda: self.sheet)
        self.md.parser = TokenParser(self.md.parser, partial(self.read, host))

    @property
    def desk(self) -> Desk:
        """The build context from the MkDocs plugin, else one for the book in the current folder."""
        given = self.getConfig("desk")
        found = (given() if given else None) or at_home(Path.cwd()).now()
        assert isinstance(found, Desk)
        return found

    def read(self, host: PythonMarkdown, lines: list[str]) -> Element:
        """Convert the lines of the current page to an element tree."""
        self.sheet = self.desk.sheet(source_path(self.md), "\n".join(lines), host.formulas_wanted)
        return elements(self.sheet, host)

    def tell(self, names: list[str]) -> None:
        """Warn once about each extension whose blocks our parser does not read, unless the plugin does."""
        new = [name for name in names if name not in self.desk.bypassed]
        self.desk.bypassed.update(new)
        if new and not self.getConfig("desk"):
            log.warning(unread(new))


def source_path(md: Markdown) -> str:
    """The path of the page that is being converted, relative to the root of the book; set by MkDocs or Zensical."""
    if "relpath" in md.treeprocessors:
        return str(getattr(md.treeprocessors["relpath"], "file").src_uri)  # noqa: B009
    if "rendering_context" in md.preprocessors:
        return str(getattr(md.preprocessors["rendering_context"], "page").path)  # noqa: B009
    return ""


class Home:
    """The book of the current folder, for programs without a plugin of ours; recompiled when files change."""

    def __init__(self, here: Path) -> None:
        self.here = here
        self.watching = Watching([book_root(here)], here) if site_settings(here) else None
        self.desk = Desk(Compiled(Games(here, {}, (), ()), ()), here)
        self.looked = -OFTEN

    def now(self) -> Desk:
        """The current build context; checks for changed files at most once in `OFTEN` seconds."""
        if self.watching and monotonic() - self.looked >= OFTEN:
            if self.watching.update():
                self.desk = Desk(self.watching.compiled, self.here)
            self.looked = monotonic()
        return self.desk


@cache
def at_home(here: Path) -> Home:
    """One `Home` for each folder."""
    return Home(here)


def makeExtension(**settings: Any) -> RulewrightExtension:  # noqa: N802
    return RulewrightExtension(**settings)

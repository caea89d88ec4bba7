"""A site built by MkDocs in this process, as `mkdocs build` does it."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from click.testing import CliRunner
from mkdocs.__main__ import cli
from mkdocs.commands.build import build as build_site
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

from small_book import write

SETTINGS = """\
site_name: Book
theme: {name: material, font: false}
markdown_extensions:
  - attr_list
  - toc: {permalink: true}
validation: {links: {anchors: warn, absolute_links: relative_to_docs, unrecognized_links: warn}}
plugins: [search, rulewright: {markdown: commonmark}]
"""
ARTICLE = re.compile(r"<article[^>]*>(.*)</article>", re.DOTALL)


@dataclass(frozen=True)
class Site:
    folder: Path
    code: int
    said: str

    def text(self, page: str) -> str:
        return (self.folder / page).read_text("utf-8")

    def article(self, page: str = "index.html") -> str:
        found = ARTICLE.search(self.text(page))
        assert found
        return found[1].strip()

    @property
    def sections(self) -> dict[str, dict[str, Any]]:
        """What can be searched, by its address."""
        docs = json.loads(self.text("search/search_index.json"))["docs"]
        return {one["location"]: one for one in docs}


def build(folder: Path, pages: dict[str, str], *options: str, settings: str = SETTINGS) -> Site:
    """A book of these pages, with a game of coins."""
    book = write(folder / "book" / "docs", pages).parent
    (book / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return again(folder, *options)


class Serving:
    """`mkdocs serve` without its server: one set of plugins, and a build whenever something has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.load().plugins.on_startup(command="serve", dirty=False)

    def load(self) -> MkDocsConfig:
        return load_config(str(self.folder / "book" / "mkdocs.yml"), site_dir=str(self.folder / "site"))

    def article(self) -> str:
        build_site(self.load())
        return Site(self.folder / "site", 0, "").article()


def again(folder: Path, *options: str) -> Site:
    return run(folder / "book" / "mkdocs.yml", folder / "site", *options)


def run(settings: Path, target: Path, *options: str) -> Site:
    """The site of a book with these settings."""
    arguments = ["build", "-f", str(settings), "-d", str(target), *options]
    try:
        result = CliRunner().invoke(cli, arguments)
    finally:
        logger = logging.getLogger("mkdocs")
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.NOTSET)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Site(target, result.exit_code, result.output)


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        target = dict(attrs).get({"a": "href", "img": "src"}.get(tag, "")) or ""
        if target and not urlsplit(target).scheme:
            self.found.append(target)


def links(site: Path) -> list[tuple[Path, str]]:
    """The links and pictures of all pages of a site, each with its page."""
    found = []
    for page in site.rglob("*.html"):
        parser, text = Links(), page.read_text("utf-8")
        if page.name != "404.html":
            parser.feed(text[text.index("<article") : text.index("</article>")])
        found += [(page, target) for target in parser.found]
    return found


def works(site: Path, page: Path, target: str) -> bool:
    """Does a link lead to a file that is there, and to an id in it?"""
    parts = urlsplit(urljoin(f"http://site/{page.relative_to(site).as_posix()}", target))
    file = site / unquote(parts.path).lstrip("/")
    file = file / "index.html" if parts.path.endswith("/") else file
    anchor = unquote(parts.fragment)
    return file.is_file() and (not anchor or f'id="{anchor}"' in file.read_text("utf-8"))

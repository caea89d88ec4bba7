"""A site built by MkDocs in this process, as `mkdocs build` does it."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from mkdocs.__main__ import cli

from small_book import write

SETTINGS = """\
site_name: Book
theme: {name: material, font: false}
markdown_extensions:
  - attr_list
  - toc: {permalink: true}
validation: {links: {anchors: warn, absolute_links: relative_to_docs, unrecognized_links: warn}}
plugins: [search, rulewright]
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


def again(folder: Path, *options: str) -> Site:
    arguments = ["build", "-f", str(folder / "book" / "mkdocs.yml"), "-d", str(folder / "site"), *options]
    try:
        result = CliRunner().invoke(cli, arguments)
    finally:
        logging.getLogger("mkdocs").handlers.clear()
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Site(folder / "site", result.exit_code, result.output)

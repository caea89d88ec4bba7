"""The addresses that pages get on their site, where these are not simply their paths."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator

from .dialects import Dialect
from .model import Page

ENDS = (".markdown", ".mdx", ".html", ".htm", ".md")
HOMES = ("index", "readme", "_index")
NUMBERED = re.compile(r"^\d+\s*[-_.]+\s*(?=[^-_.\s])")
DATED = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})-(?=.)")
TOML_FIELD = re.compile(r"""^(slug|url)\s*=\s*["']([^"'\n]{1,300})["']""", re.MULTILINE)
LISTED = re.compile(r"""^\s{0,4}-\s+["']?(/[^"'\s]{1,300})["']?\s*$""", re.MULTILINE)
FRONT = 4_000  # so many characters of a page may hold its front matter
MOST_ADDRESSES = 20


def normal(address: str) -> str:
    """An address without what its writer may leave out."""
    address = address.strip("/")
    for end in ENDS:
        address = address.removesuffix(end)
    folder, _, last = address.rpartition("/")
    return folder if last.lower() in HOMES else address


def addresses(dialect: Dialect, path: str, page: Page) -> Iterator[str]:
    """Where the site shows a page; `path` counts from the folder of the dialect that holds it."""
    if written := WRITTEN.get(dialect.name):
        yield from (normal(one) for one in written(path, page))
    yield normal(path)


def field(page: Page, name: str) -> str:
    return page.meta[name].text.strip() if name in page.meta else ""


def docusaurus(path: str, page: Page) -> Iterator[str]:
    parts = [NUMBERED.sub("", part) for part in posixpath.splitext(path)[0].split("/")]
    folder, last = "/".join(parts[:-1]), parts[-1]
    name = field(page, "id") or last
    slug = field(page, "slug")
    if slug:
        yield slug if slug.startswith("/") else f"{folder}/{slug}"
    yield f"{folder}/{name}"
    if parts[-2:-1] == [last]:
        yield folder
    if dated := DATED.match(posixpath.basename(path)):
        yield "/".join([folder, *dated.groups(), DATED.sub("", posixpath.basename(path))])


def hugo(path: str, page: Page) -> Iterator[str]:
    told = dict(TOML_FIELD.findall(page.source.text[:FRONT])) if page.source.text.startswith("+++") else {}
    folder = posixpath.dirname(path)
    if url := told.get("url") or field(page, "url"):
        yield url
    if slug := told.get("slug") or field(page, "slug"):
        yield f"{folder}/{slug}"
    yield path.replace(" ", "-").lower()
    yield from others(page)


def jekyll(path: str, page: Page) -> Iterator[str]:
    permalink = field(page, "permalink")
    if permalink.startswith("/") and ":" not in permalink:
        yield permalink
    name = posixpath.basename(path)
    if dated := DATED.match(name):
        yield "/".join([*dated.groups(), DATED.sub("", name)])
    yield "/".join(part.removeprefix("_") for part in path.split("/"))
    yield from others(page)


def others(page: Page) -> Iterator[str]:
    """Old addresses that still lead to a page."""
    text = page.source.text[:FRONT]
    if "aliases:" in text or "redirect_from:" in text:
        yield from LISTED.findall(text)[:MOST_ADDRESSES]


WRITTEN: dict[str, Callable[[str, Page], Iterator[str]]] = {"Docusaurus": docusaurus, "Hugo": hugo, "Jekyll": jekyll}

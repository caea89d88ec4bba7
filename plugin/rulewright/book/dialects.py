"""The tools that books are written for: how each is known, and what is peculiar about its links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urlsplit

from . import slugs
from .slugs import Slug

MOST_PLACES = 12
ABOVE = ("..", "../..")
SCRIPTS = ("js", "ts", "mjs", "mts", "cjs")
SETTINGS = ("toml", "yaml", "yml", "json")
BASE = re.compile(
    r"""(?m)^[^#/\n]{0,80}?\b(?:base_?url|base|site-url)["']?\s*[:=]\s*["']?([^"'\s,;]{1,300})""", re.IGNORECASE
)
LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")

Texts = Callable[[str], str]


class Dialect(NamedTuple):
    """`marks` are files by which it is known; `folders` are those from which a path such as `/combat` may count."""

    name: str = ""
    marks: tuple[str, ...] = ()
    slugs: tuple[Slug, ...] = ()
    folders: tuple[str, ...] = ("",)
    home: str = ""  # the folder in which its mark was found, seen from the root of the book
    based: bool = False  # a site may lie below an address of its own: /project/combat
    base: str = ""  # which is this, without / at its end
    by_name: bool = False  # a link may give nothing but the name of a file anywhere
    from_root: bool = False  # a path without / at its start may count from the root as well

    @property
    def told(self) -> str:
        return "" if self.name in QUIET else self.name


QUIET = ("", "MkDocs")
GENERATED = ("static", "public")
HUGO_FOLDER = ("config/_default/hugo", "config/_default/config")

DIALECTS = (
    Dialect("MkDocs", ("mkdocs.yml", "mkdocs.yaml"), (slugs.python_markdown,)),
    Dialect(
        "Obsidian",
        tuple(f".obsidian/{name}.json" for name in ("app", "appearance", "core-plugins", "workspace")),
        by_name=True,
        from_root=True,
    ),
    Dialect(
        "Docusaurus",
        tuple(f"docusaurus.config.{end}" for end in SCRIPTS),
        folders=("docs", "", "src/pages", "blog", *GENERATED),
        based=True,
    ),
    Dialect(
        "VitePress",
        tuple(f".vitepress/config.{end}" for end in SCRIPTS),
        (slugs.vitepress,),
        ("", "docs", "src", *GENERATED),
        based=True,
    ),
    Dialect(
        "VuePress",
        tuple(f".vuepress/config.{end}" for end in SCRIPTS),
        (slugs.vitepress,),
        ("", ".vuepress/public"),
        based=True,
    ),
    Dialect("mdBook", ("book.toml",), (slugs.mdbook,), ("src", ""), based=True),
    Dialect(
        "Hugo",
        (
            *(f"{name}.{end}" for name in ("hugo", *HUGO_FOLDER) for end in SETTINGS),
            *(f"config.{end}" for end in SETTINGS),
        ),
        folders=("content", "static", "assets", ""),
        based=True,
    ),
    Dialect("Jekyll", ("_config.yml", "_config.yaml", "_config.toml"), (slugs.kramdown,), based=True),
    Dialect("docsify", ("index.html",), (slugs.docsify,), ("", "docs"), from_root=True),
    Dialect("GitBook", (".gitbook.yaml", ".gitbook.yml"), (slugs.gitbook,)),
)  # fmt: skip
NAMES = {dialect.name: dialect for dialect in DIALECTS}


def recognised(paths: Iterable[str], exists: Callable[[str], bool], start_of: Texts) -> Dialect:
    """The dialect of a book with pages at these paths; files are asked for by their paths from its root."""
    pages = list(paths)
    for home in places(pages):
        for dialect in DIALECTS:
            for mark in dialect.marks:
                path = below(home, mark)
                if exists(path) and is_sure(home, mark, pages, start_of):
                    base = base_in(start_of(path)) if dialect.based else ""
                    more = languages(home, pages) if dialect.name == "Hugo" else []
                    return dialect._replace(home=home, base=base, folders=(*dialect.folders, *more))
    return NAMES["GitBook"] if any(posixpath.basename(path) == "SUMMARY.md" for path in pages) else Dialect()


def below(home: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(home, path))


def base_in(settings: str) -> str:
    """The address below which the site lies, as its settings say."""
    found = BASE.search(settings)
    return "/" + urlsplit(found[1]).path.strip("/") if found and urlsplit(found[1]).path.strip("/") else ""


def places(pages: list[str]) -> Iterator[str]:
    """Where marks are looked for: the root, the folders above it, those directly below it that have pages."""
    yield ""
    yield from ABOVE
    yield from list(dict.fromkeys(path.partition("/")[0] for path in pages if "/" in path))[:MOST_PLACES]


def is_sure(home: str, mark: str, pages: list[str], start_of: Texts) -> bool:
    """Some marks have names that others use as well."""
    if mark == "index.html":
        return "docsify" in start_of(posixpath.join(home, mark))
    if mark.startswith("config."):
        content = below(home, "content") + "/"
        sections = (path.rpartition("/")[2] == "_index.md" for path in pages)
        return any(sections) if home in ABOVE else any(path.startswith(content) for path in pages)
    return True


def languages(home: str, pages: Iterable[str]) -> list[str]:
    """Hugo keeps pages in several languages in folders that are called by them."""
    content = below(home, "content") + "/"
    first = (path.removeprefix(content).partition("/")[0] for path in pages)
    return [f"content/{name}" for name in dict.fromkeys(first) if LANGUAGE.fullmatch(name)]

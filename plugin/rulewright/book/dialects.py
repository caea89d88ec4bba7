"""Dialects of other site tools (Hugo, Jekyll, Obsidian and others): detection, link syntax, addresses of pages."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import urlsplit

from ..source import Span
from .anchors import Slug, gitbook, kramdown, mdbook, python_markdown, vitepress
from .anchors import docsify as slugs_docsify
from .page import Link, Page

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
    """A site tool and how it resolves paths.

    `marks` are files that identify it; `folders` are those from which a path such as `/combat` may count.
    """

    name: str = ""
    marks: tuple[str, ...] = ()
    slugs: tuple[Slug, ...] = ()
    folders: tuple[str, ...] = ("",)
    home: str = ""  # the folder that contains its mark, relative to the root of the book
    based: bool = False  # the site may have a base path: /project/combat
    base: str = ""  # the base path, without a final /
    by_name: bool = False  # a link may be only the name of a file anywhere in the book
    from_root: bool = False  # a path without a leading / may also count from the root

    @property
    def told(self) -> str:
        """The name for messages; empty for plain Markdown and MkDocs."""
        return "" if self.name in QUIET else self.name


QUIET = ("", "MkDocs")
GENERATED = ("static", "public")
HUGO_FOLDER = ("config/_default/hugo", "config/_default/config")

DIALECTS = (
    Dialect("MkDocs", ("mkdocs.yml", "mkdocs.yaml"), (python_markdown,)),
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
        (vitepress,),
        ("", "docs", "src", *GENERATED),
        based=True,
    ),
    Dialect(
        "VuePress",
        tuple(f".vuepress/config.{end}" for end in SCRIPTS),
        (vitepress,),
        ("", ".vuepress/public"),
        based=True,
    ),
    Dialect("mdBook", ("book.toml",), (mdbook,), ("src", ""), based=True),
    Dialect(
        "Hugo",
        (
            *(f"{name}.{end}" for name in ("hugo", *HUGO_FOLDER) for end in SETTINGS),
            *(f"config.{end}" for end in SETTINGS),
        ),
        folders=("content", "static", "assets", ""),
        based=True,
    ),
    Dialect("Jekyll", ("_config.yml", "_config.yaml", "_config.toml"), (kramdown,), based=True),
    Dialect("docsify", ("index.html",), (slugs_docsify,), ("", "docs"), from_root=True),
    Dialect("GitBook", (".gitbook.yaml", ".gitbook.yml"), (gitbook,)),
)  # fmt: skip
NAMES = {dialect.name: dialect for dialect in DIALECTS}


def recognised(paths: Iterable[str], exists: Callable[[str], bool], start_of: Texts) -> Dialect:
    """Detect the dialect of a book from its pages and marker files; all paths are relative to its root."""
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
    """The base path of the site according to the settings of its tool; empty without one."""
    found = BASE.search(settings)
    return "/" + urlsplit(found[1]).path.strip("/") if found and urlsplit(found[1]).path.strip("/") else ""


def places(pages: list[str]) -> Iterator[str]:
    """Folders to search for marks: the root, the folders above it, and its direct subfolders with pages."""
    yield ""
    yield from ABOVE
    yield from list(dict.fromkeys(path.partition("/")[0] for path in pages if "/" in path))[:MOST_PLACES]


def is_sure(home: str, mark: str, pages: list[str], start_of: Texts) -> bool:
    """Look closer at marks whose file names other tools use as well."""
    if mark == "index.html":
        return "docsify" in start_of(posixpath.join(home, mark))
    if mark.startswith("config."):
        content = below(home, "content") + "/"
        sections = (path.rpartition("/")[2] == "_index.md" for path in pages)
        return any(sections) if home in ABOVE else any(path.startswith(content) for path in pages)
    return True


def languages(home: str, pages: Iterable[str]) -> list[str]:
    """Content folders of a multilingual Hugo site, such as `content/de`."""
    content = below(home, "content") + "/"
    first = (path.removeprefix(content).partition("/")[0] for path in pages)
    return [f"content/{name}" for name in dict.fromkeys(first) if LANGUAGE.fullmatch(name)]


BY_DIALECT = {
    "Hugo": re.compile(r"""\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["']([^"'\n]{1,300})["'][^{}\n]{0,200}[>%]\}\}"""),
    "Jekyll": re.compile(r"\{%-?\s*link\s+([^\s{}%]{1,300})\s*-?%\}(?:#[\w-]{1,200})?"),
    "mdBook": re.compile(r"(?<!\\)\{\{\s*#(?:rustdoc_)?(?:include|playground)\s+([^\s:{}]{1,300})[^{}\n]{0,200}\}\}"),
}
PUT_IN = re.compile(
    r"""--8<--\s+["']([^"'\n]{1,300})|\{\{\s*#(?:rustdoc_)?include\s+([^\s:{}]{1,300})|<!--\s*@include:\s*([^\s{}]{1,300})"""
    r"""|\{%-?\s*include\S{0,20}\s+["']?([^\s"'{}%]{1,300})|\{\{[<%]\s*\S{0,20}include\S{0,20}\s+["']?([^\s"'{}%]{1,300})"""
    r"""|\{!\s*([^\s!{}]{1,300})|^import\s+\w{1,80}\s+from\s+["']([^"'\n]{1,300}\.mdx?)["']""",
    re.MULTILINE,
)
JEKYLL_BASE = re.compile(
    r"""\{\{\s*(?:site\.(?:baseurl|url)|["']([^"'{}\n]*)["']\s*\|\s*(?:relative|absolute)_url)\s*\}\}"""
)
FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})", re.MULTILINE)
INLINE = re.compile(r"`[^`\n]{1,300}`")
BASED = re.compile(r"\]\((\{\{[^{}\n]{1,200}\}\}[^\s(){}]{0,300})\)")


def template_links(page: Page, dialect: str) -> Iterator[Link]:
    """Links in template syntax, which no Markdown parser sees, outside of code and comments."""
    expression = BY_DIALECT.get(dialect)
    if expression is None:
        return
    text, code = page.source.text, Code(page)
    for found in expression.finditer(text):
        if found.start() not in code:
            span = Span(page.source, found.start(1), found.end(1))
            anchor = found[0].rpartition("}")[2]
            yield Link("", span.text + anchor, span, "include" if dialect == "mdBook" else "template", ())
    if dialect == "Jekyll":
        known = {link.span.start for link in page.links}
        for found in BASED.finditer(text):
            if found.start(1) not in known and found.start() not in code:
                yield Link("", found[1], Span(page.source, found.start(1), found.end(1)), "inline", ())


def fenced(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of fenced code, each up to its closing line or the end of the text."""
    opened: re.Match[str] | None = None
    for found in FENCE.finditer(text):
        if opened is None:
            opened = found
        elif found[1].startswith(opened[1]):
            yield opened.start(), found.end()
            opened = None
    if opened:
        yield opened.start(), len(text)


class Code:
    """Ranges of code and comments in a page; supports `offset in code`."""

    def __init__(self, page: Page) -> None:
        text = page.source.text
        found = [*fenced(text), *((span.start, span.end) for span in page.comments)]
        found += [stretch.span() for stretch in INLINE.finditer(text)]
        found.sort()
        self.begins = [begin for begin, _ in found]
        self.ends = list(accumulate((end for _, end in found), max))

    def __contains__(self, place: int) -> bool:
        before = bisect_right(self.begins, place)
        return before > 0 and place < self.ends[before - 1]


def put_in(page: Page) -> list[str]:
    """Names of the files that this page includes."""
    return [next(filter(None, found.groups())) for found in PUT_IN.finditer(page.source.text)]


def without_base(target: str) -> str:
    """Remove Jekyll's base URL: `{{ site.baseurl }}/combat` counts from the root."""
    return JEKYLL_BASE.sub(lambda found: found[1] or "", target)


HASH_ROUTE = re.compile(r"[^#?]*#!?/")
QUERY_ID = re.compile(r"(?:^|&)id=([^&]*)")


class Target(NamedTuple):
    """A link target in plain form, split into path and anchor."""

    whole: str
    path: str
    anchor: str


def parts(link: Link, dialect: Dialect) -> Target:
    """Split the target of a link as its dialect does."""
    written = link.target
    if dialect.name == "Jekyll" and "{{" in written:
        written = without_base(written) or "/"
    elif dialect.name == "Docusaurus":
        written = re.sub(r"^@site/", "/", written)
    elif dialect.name == "docsify":
        return docsify(written)
    path, _, anchor = written.partition("#")
    return Target(written, without(dialect.base, path.partition("?")[0]), anchor)


def without(base: str, path: str) -> str:
    """A path without the base path of the site."""
    inside = base and (path == base or path.startswith(f"{base}/"))
    return (path[len(base) :] or "/") if inside else path


def docsify(written: str) -> Target:
    """Split a docsify route: `#/combat?id=turns` is the heading `turns` on the page `/combat`."""
    if route := HASH_ROUTE.match(written):
        written = f"/{written[route.end() :]}"
    path, _, anchor = written.partition("#")
    path, _, query = path.partition("?")
    asked = QUERY_ID.search(query)
    return Target(written, path, asked[1] if asked else anchor)


ENDS = (".markdown", ".mdx", ".html", ".htm", ".md")
HOMES = ("index", "readme", "_index")
NUMBERED = re.compile(r"^\d+\s*[-_.]+\s*(?=[^-_.\s])")
DATED = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})-(?=.)")
TOML_FIELD = re.compile(r"""^(slug|url)\s*=\s*["']([^"'\n]{1,300})["']""", re.MULTILINE)
LISTED = re.compile(r"""^\s{0,4}-\s+["']?(/[^"'\s]{1,300})["']?\s*$""", re.MULTILINE)
FRONT = 4_000  # characters; front matter is searched only this far
MOST_ADDRESSES = 20


def normal(address: str) -> str:
    """Canonical form of an address: without slashes at the ends, file extension and index page."""
    address = address.strip("/")
    for end in ENDS:
        address = address.removesuffix(end)
    folder, _, last = address.rpartition("/")
    return folder if last.lower() in HOMES else address


def addresses(dialect: Dialect, path: str, page: Page) -> Iterator[str]:
    """Addresses of a page on its site; `path` is relative to the folder of the dialect that contains it."""
    if written := WRITTEN.get(dialect.name):
        yield from (normal(one) for one in written(path, page))
    yield normal(path)


def field(page: Page, name: str) -> str:
    """A value of the front matter; empty without it."""
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
    """Old addresses in the front matter that redirect to the page."""
    text = page.source.text[:FRONT]
    if "aliases:" in text or "redirect_from:" in text:
        yield from LISTED.findall(text)[:MOST_ADDRESSES]


WRITTEN: dict[str, Callable[[str, Page], Iterator[str]]] = {"Docusaurus": docusaurus, "Hugo": hugo, "Jekyll": jekyll}

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
from .anchors import Slug, docsify_slug, gitbook_slug, kramdown_slug, mdbook_slug, python_markdown_slug, vitepress_slug
from .page import Link, Page

MAX_FOLDERS = 12
PARENT_FOLDERS = ("..", "../..")
SCRIPT_EXTENSIONS = ("js", "ts", "mjs", "mts", "cjs")
SETTINGS_EXTENSIONS = ("toml", "yaml", "yml", "json")
BASE_SETTING = re.compile(
    r"""(?m)^[^#/\n]{0,80}?\b(?:base_?url|base|site-url)["']?\s*[:=]\s*["']?([^"'\s,;]{1,300})""", re.IGNORECASE
)
LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")

ReadText = Callable[[str], str]


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
    def display_name(self) -> str:
        """The name for messages; empty for plain Markdown and MkDocs."""
        return "" if self.name in UNNAMED_DIALECTS else self.name


UNNAMED_DIALECTS = ("", "MkDocs")
STATIC_FOLDERS = ("static", "public")
HUGO_SETTINGS = ("config/_default/hugo", "config/_default/config")

DIALECTS = (
    Dialect("MkDocs", ("mkdocs.yml", "mkdocs.yaml"), (python_markdown_slug,)),
    Dialect(
        "Obsidian",
        tuple(f".obsidian/{name}.json" for name in ("app", "appearance", "core-plugins", "workspace")),
        by_name=True,
        from_root=True,
    ),
    Dialect(
        "Docusaurus",
        tuple(f"docusaurus.config.{end}" for end in SCRIPT_EXTENSIONS),
        folders=("docs", "", "src/pages", "blog", *STATIC_FOLDERS),
        based=True,
    ),
    Dialect(
        "VitePress",
        tuple(f".vitepress/config.{end}" for end in SCRIPT_EXTENSIONS),
        (vitepress_slug,),
        ("", "docs", "src", *STATIC_FOLDERS),
        based=True,
    ),
    Dialect(
        "VuePress",
        tuple(f".vuepress/config.{end}" for end in SCRIPT_EXTENSIONS),
        (vitepress_slug,),
        ("", ".vuepress/public"),
        based=True,
    ),
    Dialect("mdBook", ("book.toml",), (mdbook_slug,), ("src", ""), based=True),
    Dialect(
        "Hugo",
        (
            *(f"{name}.{end}" for name in ("hugo", *HUGO_SETTINGS) for end in SETTINGS_EXTENSIONS),
            *(f"config.{end}" for end in SETTINGS_EXTENSIONS),
        ),
        folders=("content", "static", "assets", ""),
        based=True,
    ),
    Dialect("Jekyll", ("_config.yml", "_config.yaml", "_config.toml"), (kramdown_slug,), based=True),
    Dialect("docsify", ("index.html",), (docsify_slug,), ("", "docs"), from_root=True),
    Dialect("GitBook", (".gitbook.yaml", ".gitbook.yml"), (gitbook_slug,)),
)  # fmt: skip
DIALECTS_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


def detect_dialect(paths: Iterable[str], exists: Callable[[str], bool], read_text: ReadText) -> Dialect:
    """Detect the dialect of a book from its pages and marker files; all paths are relative to its root."""
    pages = list(paths)
    for home in folders_to_search(pages):
        for dialect in DIALECTS:
            for mark in dialect.marks:
                path = join_path(home, mark)
                if exists(path) and is_certain_mark(home, mark, pages, read_text):
                    base = find_base(read_text(path)) if dialect.based else ""
                    content_folders = language_folders(home, pages) if dialect.name == "Hugo" else []
                    return dialect._replace(home=home, base=base, folders=(*dialect.folders, *content_folders))
    return DIALECTS_BY_NAME["GitBook"] if any(posixpath.basename(path) == "SUMMARY.md" for path in pages) else Dialect()


def join_path(home: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(home, path))


def find_base(settings: str) -> str:
    """The base path of the site according to the settings of its tool; empty without one."""
    match = BASE_SETTING.search(settings)
    return "/" + urlsplit(match[1]).path.strip("/") if match and urlsplit(match[1]).path.strip("/") else ""


def folders_to_search(pages: list[str]) -> Iterator[str]:
    """Folders to search for marks: the root, the folders above it, and its direct subfolders with pages."""
    yield ""
    yield from PARENT_FOLDERS
    yield from list(dict.fromkeys(path.partition("/")[0] for path in pages if "/" in path))[:MAX_FOLDERS]


def is_certain_mark(home: str, mark: str, pages: list[str], read_text: ReadText) -> bool:
    """Look closer at marks whose file names other tools use as well."""
    if mark == "index.html":
        return "docsify" in read_text(posixpath.join(home, mark))
    if mark.startswith("config."):
        content = join_path(home, "content") + "/"
        sections = (path.rpartition("/")[2] == "_index.md" for path in pages)
        return any(sections) if home in PARENT_FOLDERS else any(path.startswith(content) for path in pages)
    return True


def language_folders(home: str, pages: Iterable[str]) -> list[str]:
    """Content folders of a multilingual Hugo site, such as `content/de`."""
    content = join_path(home, "content") + "/"
    folder_names = (path.removeprefix(content).partition("/")[0] for path in pages)
    return [f"content/{name}" for name in dict.fromkeys(folder_names) if LANGUAGE.fullmatch(name)]


TEMPLATE_LINK = {
    "Hugo": re.compile(r"""\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["']([^"'\n]{1,300})["'][^{}\n]{0,200}[>%]\}\}"""),
    "Jekyll": re.compile(r"\{%-?\s*link\s+([^\s{}%]{1,300})\s*-?%\}(?:#[\w-]{1,200})?"),
    "mdBook": re.compile(r"(?<!\\)\{\{\s*#(?:rustdoc_)?(?:include|playground)\s+([^\s:{}]{1,300})[^{}\n]{0,200}\}\}"),
}
INCLUDE = re.compile(
    r"""--8<--\s+["']([^"'\n]{1,300})|\{\{\s*#(?:rustdoc_)?include\s+([^\s:{}]{1,300})|<!--\s*@include:\s*([^\s{}]{1,300})"""
    r"""|\{%-?\s*include\S{0,20}\s+["']?([^\s"'{}%]{1,300})|\{\{[<%]\s*\S{0,20}include\S{0,20}\s+["']?([^\s"'{}%]{1,300})"""
    r"""|\{!\s*([^\s!{}]{1,300})|^import\s+\w{1,80}\s+from\s+["']([^"'\n]{1,300}\.mdx?)["']""",
    re.MULTILINE,
)
JEKYLL_BASE = re.compile(
    r"""\{\{\s*(?:site\.(?:baseurl|url)|["']([^"'{}\n]*)["']\s*\|\s*(?:relative|absolute)_url)\s*\}\}"""
)
FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})", re.MULTILINE)
INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
JEKYLL_LINK = re.compile(r"\]\((\{\{[^{}\n]{1,200}\}\}[^\s(){}]{0,300})\)")


def template_links(page: Page, dialect: str) -> Iterator[Link]:
    """Links in template syntax, which no Markdown parser sees, outside of code and comments."""
    pattern = TEMPLATE_LINK.get(dialect)
    if pattern is None:
        return
    text, code = page.source.text, CodeRanges(page)
    for match in pattern.finditer(text):
        if match.start() not in code:
            span = Span(page.source, match.start(1), match.end(1))
            anchor = match[0].rpartition("}")[2]
            yield Link("", span.text + anchor, span, "include" if dialect == "mdBook" else "template", ())
    if dialect == "Jekyll":
        link_starts = {link.span.start for link in page.links}
        for match in JEKYLL_LINK.finditer(text):
            if match.start(1) not in link_starts and match.start() not in code:
                yield Link("", match[1], Span(page.source, match.start(1), match.end(1)), "inline", ())


def fence_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of fenced code, each up to its closing line or the end of the text."""
    opening: re.Match[str] | None = None
    for fence in FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]):
            yield opening.start(), fence.end()
            opening = None
    if opening:
        yield opening.start(), len(text)


class CodeRanges:
    """Ranges of code and comments in a page; supports `offset in code`."""

    def __init__(self, page: Page) -> None:
        text = page.source.text
        ranges = [*fence_ranges(text), *((span.start, span.end) for span in page.comments)]
        ranges += [match.span() for match in INLINE_CODE.finditer(text)]
        ranges.sort()
        self.begins = [begin for begin, _ in ranges]
        self.ends = list(accumulate((end for _, end in ranges), max))

    def __contains__(self, offset: int) -> bool:
        count = bisect_right(self.begins, offset)
        return count > 0 and offset < self.ends[count - 1]


def included_files(page: Page) -> list[str]:
    """Names of the files that this page includes."""
    return [next(filter(None, match.groups())) for match in INCLUDE.finditer(page.source.text)]


def strip_jekyll_base(target: str) -> str:
    """Remove Jekyll's base URL: `{{ site.baseurl }}/combat` counts from the root."""
    return JEKYLL_BASE.sub(lambda match: match[1] or "", target)


HASH_ROUTE = re.compile(r"[^#?]*#!?/")
QUERY_ID = re.compile(r"(?:^|&)id=([^&]*)")


class SplitTarget(NamedTuple):
    """A link target in plain form, split into path and anchor."""

    whole: str
    path: str
    anchor: str


def split_target(link: Link, dialect: Dialect) -> SplitTarget:
    """Split the target of a link as its dialect does."""
    written = link.target
    if dialect.name == "Jekyll" and "{{" in written:
        written = strip_jekyll_base(written) or "/"
    elif dialect.name == "Docusaurus":
        written = re.sub(r"^@site/", "/", written)
    elif dialect.name == "docsify":
        return split_docsify_target(written)
    path, _, anchor = written.partition("#")
    return SplitTarget(written, strip_base(dialect.base, path.partition("?")[0]), anchor)


def strip_base(base: str, path: str) -> str:
    """A path without the base path of the site."""
    is_below_base = base and (path == base or path.startswith(f"{base}/"))
    return (path[len(base) :] or "/") if is_below_base else path


def split_docsify_target(written: str) -> SplitTarget:
    """Split a docsify route: `#/combat?id=turns` is the heading `turns` on the page `/combat`."""
    if route := HASH_ROUTE.match(written):
        written = f"/{written[route.end() :]}"
    path, _, anchor = written.partition("#")
    path, _, query = path.partition("?")
    match = QUERY_ID.search(query)
    return SplitTarget(written, path, match[1] if match else anchor)


EXTENSIONS = (".markdown", ".mdx", ".html", ".htm", ".md")
INDEX_NAMES = ("index", "readme", "_index")
NUMBER_PREFIX = re.compile(r"^\d+\s*[-_.]+\s*(?=[^-_.\s])")
DATE_PREFIX = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})-(?=.)")
TOML_FIELD = re.compile(r"""^(slug|url)\s*=\s*["']([^"'\n]{1,300})["']""", re.MULTILINE)
YAML_ITEM = re.compile(r"""^\s{0,4}-\s+["']?(/[^"'\s]{1,300})["']?\s*$""", re.MULTILINE)
FRONT_MATTER_LENGTH = 4_000  # characters; front matter is searched only this far
MAX_ADDRESSES = 20


def normalize_address(address: str) -> str:
    """Canonical form of an address: without slashes at the ends, file extension and index page."""
    address = address.strip("/")
    for end in EXTENSIONS:
        address = address.removesuffix(end)
    folder, _, last = address.rpartition("/")
    return folder if last.lower() in INDEX_NAMES else address


def page_addresses(dialect: Dialect, path: str, page: Page) -> Iterator[str]:
    """Addresses of a page on its site; `path` is relative to the folder of the dialect that contains it."""
    if address_rule := ADDRESS_RULES.get(dialect.name):
        yield from (normalize_address(address) for address in address_rule(path, page))
    yield normalize_address(path)


def front_matter_value(page: Page, name: str) -> str:
    """A value of the front matter; empty without it."""
    return page.meta[name].text.strip() if name in page.meta else ""


def docusaurus_addresses(path: str, page: Page) -> Iterator[str]:
    parts = [NUMBER_PREFIX.sub("", part) for part in posixpath.splitext(path)[0].split("/")]
    folder, last = "/".join(parts[:-1]), parts[-1]
    name = front_matter_value(page, "id") or last
    slug = front_matter_value(page, "slug")
    if slug:
        yield slug if slug.startswith("/") else f"{folder}/{slug}"
    yield f"{folder}/{name}"
    if parts[-2:-1] == [last]:
        yield folder
    if match := DATE_PREFIX.match(posixpath.basename(path)):
        yield "/".join([folder, *match.groups(), DATE_PREFIX.sub("", posixpath.basename(path))])


def hugo_addresses(path: str, page: Page) -> Iterator[str]:
    values = (
        dict(TOML_FIELD.findall(page.source.text[:FRONT_MATTER_LENGTH])) if page.source.text.startswith("+++") else {}
    )
    folder = posixpath.dirname(path)
    if url := values.get("url") or front_matter_value(page, "url"):
        yield url
    if slug := values.get("slug") or front_matter_value(page, "slug"):
        yield f"{folder}/{slug}"
    yield path.replace(" ", "-").lower()
    yield from redirect_addresses(page)


def jekyll_addresses(path: str, page: Page) -> Iterator[str]:
    permalink = front_matter_value(page, "permalink")
    if permalink.startswith("/") and ":" not in permalink:
        yield permalink
    name = posixpath.basename(path)
    if match := DATE_PREFIX.match(name):
        yield "/".join([*match.groups(), DATE_PREFIX.sub("", name)])
    yield "/".join(part.removeprefix("_") for part in path.split("/"))
    yield from redirect_addresses(page)


def redirect_addresses(page: Page) -> Iterator[str]:
    """Old addresses in the front matter that redirect to the page."""
    text = page.source.text[:FRONT_MATTER_LENGTH]
    if "aliases:" in text or "redirect_from:" in text:
        yield from YAML_ITEM.findall(text)[:MAX_ADDRESSES]


ADDRESS_RULES: dict[str, Callable[[str, Page], Iterator[str]]] = {
    "Docusaurus": docusaurus_addresses,
    "Hugo": hugo_addresses,
    "Jekyll": jekyll_addresses,
}

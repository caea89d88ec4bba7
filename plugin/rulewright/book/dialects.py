"""Dialects of other site tools (Hugo, Jekyll, Obsidian and others): detection, link syntax, addresses of pages."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import urlsplit

from ..project import SITE_SETTINGS
from ..source import Span
from .anchors import Slug, docsify_slug, gitbook_slug, kramdown_slug, mdbook_slug, python_markdown_slug, vitepress_slug
from .page import Link, Page
from .snippets import snippet_names

_MAX_FOLDERS = 12
_PARENT_FOLDERS = ("..", "../..")
_SCRIPT_EXTENSIONS = ("js", "ts", "mjs", "mts", "cjs")
_SETTINGS_EXTENSIONS = ("toml", "yaml", "yml", "json")
_BASE_SETTING = re.compile(
    r"""(?m)^[^#/\n]{0,80}?\b(?:base_?url|base|site-url)["']?\s*[:=]\s*["']?([^"'\s,;]{1,300})""", re.IGNORECASE
)
_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")

_ReadText = Callable[[str], str]


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
    roots: tuple[str, ...] = ()  # folders from which a path with a leading / counts on the pages in them
    has_numbers: bool = False  # addresses leave out the numbers before the names of files and folders
    has_titles: bool = False  # wiki links may name pages by their titles
    has_headings: bool = False  # wiki links may name headings and terms
    has_swapped: bool = False  # wiki links may have the text first: `[[leather armour|Armour]]`
    collections: tuple[tuple[str, str], ...] = ()  # of Jekyll: folders and the permalinks of their pages

    @property
    def display_name(self) -> str:
        """The name for messages; empty for plain Markdown and MkDocs."""
        return "" if self.name in _UNNAMED_DIALECTS else self.name

    def strip(self, target: str) -> str:
        """A target without the template that stands for the address of the site."""
        return _strip_jekyll_base(target) or "/" if self.name == "Jekyll" and "{{" in target else target


_UNNAMED_DIALECTS = ("", "MkDocs")
_STATIC_FOLDERS = ("static", "public")
_HUGO_SETTINGS = ("config/_default/hugo", "config/_default/config")

DIALECTS = (
    Dialect("MkDocs", SITE_SETTINGS, (python_markdown_slug,)),
    Dialect(
        "Obsidian",
        tuple(f".obsidian/{name}.json" for name in ("app", "appearance", "core-plugins", "workspace")),
        by_name=True,
        from_root=True,
    ),
    Dialect(
        "Docusaurus",
        tuple(f"docusaurus.config.{end}" for end in _SCRIPT_EXTENSIONS),
        folders=("docs", "", "src/pages", "blog", *_STATIC_FOLDERS),
        based=True,
    ),
    Dialect(
        "VitePress",
        tuple(f".vitepress/config.{end}" for end in _SCRIPT_EXTENSIONS),
        (vitepress_slug,),
        ("", "docs", "src", *_STATIC_FOLDERS),
        based=True,
    ),
    Dialect(
        "VuePress",
        tuple(f".vuepress/config.{end}" for end in _SCRIPT_EXTENSIONS),
        (vitepress_slug,),
        ("", ".vuepress/public"),
        based=True,
    ),
    Dialect("mdBook", ("book.toml",), (mdbook_slug,), ("src", ""), based=True),
    Dialect(
        "Hugo",
        (
            *(f"{name}.{end}" for name in ("hugo", *_HUGO_SETTINGS) for end in _SETTINGS_EXTENSIONS),
            *(f"config.{end}" for end in _SETTINGS_EXTENSIONS),
        ),
        folders=("content", "static", "assets", ""),
        based=True,
    ),
    Dialect("Jekyll", ("_config.yml", "_config.yaml", "_config.toml"), (kramdown_slug,), based=True),
    Dialect("docsify", ("index.html",), (docsify_slug,), ("", "docs"), from_root=True),
    Dialect("GitBook", (".gitbook.yaml", ".gitbook.yml"), (gitbook_slug,)),
)  # fmt: skip
DIALECTS_BY_NAME = {dialect.name: dialect for dialect in DIALECTS}


def detect_dialect(paths: Iterable[str], exists: Callable[[str], bool], read_text: _ReadText) -> Dialect:
    """Detect the dialect of a book from its pages and marker files; all paths are relative to its root."""
    pages = list(paths)
    for home in _folders_to_search(pages):
        for dialect in DIALECTS:
            for mark in dialect.marks:
                path = _join_path(home, mark)
                if exists(path) and _is_certain_mark(home, mark, pages, read_text):
                    base = _find_base(read_text(path)) if dialect.based else ""
                    content_folders = _language_folders(home, pages) if dialect.name == "Hugo" else []
                    collections = _read_collections(read_text(path)) if dialect.name == "Jekyll" else ()
                    folders = (*dialect.folders, *content_folders)
                    return dialect._replace(home=home, base=base, folders=folders, collections=collections)
    return DIALECTS_BY_NAME["GitBook"] if any(posixpath.basename(path) == "SUMMARY.md" for path in pages) else Dialect()


def _join_path(home: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(home, path))


def _find_base(settings: str) -> str:
    """The base path of the site according to the settings of its tool; empty without one."""
    match = _BASE_SETTING.search(settings)
    return "/" + urlsplit(match[1]).path.strip("/") if match and urlsplit(match[1]).path.strip("/") else ""


_COLLECTIONS = re.compile(r"^collections:[ \t]*\n((?:[ \t]+.*\n?|[ \t]*#.*\n|\n)*)", re.MULTILINE)
_COLLECTION = re.compile(r"^[ \t]+(?:-[ \t]+)?([\w-]+):?[ \t]*(?:#.*)?$", re.MULTILINE)
_PERMALINK = re.compile(r"""\bpermalink:[ \t]*["']?([^\s"'#]+)""")
_COLLECTIONS_FOLDER = re.compile(r"""^collections_dir:[ \t]*["']?([^\s"'#]+)""", re.MULTILINE)


def _read_collections(settings: str) -> tuple[tuple[str, str], ...]:
    """The folders of Jekyll's collections, and the pattern for the addresses of their pages."""
    section, folder = _COLLECTIONS.search(settings), _COLLECTIONS_FOLDER.search(settings)
    if section is None:
        return ()
    _, *parts = _COLLECTION.split(section[1])
    collections = []
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        permalink = _PERMALINK.search(text)
        path = posixpath.join(folder[1].strip("/") if folder else "", f"_{name}")
        collections.append((path, permalink[1] if permalink else "/:collection/:path"))
    return tuple(collections)


def _folders_to_search(pages: list[str]) -> Iterator[str]:
    """Folders to search for marks: the root, the folders above it, and its direct subfolders with pages."""
    yield ""
    yield from _PARENT_FOLDERS
    yield from list(dict.fromkeys(path.partition("/")[0] for path in pages if "/" in path))[:_MAX_FOLDERS]


def _is_certain_mark(home: str, mark: str, pages: list[str], read_text: _ReadText) -> bool:
    """Look closer at marks whose file names other tools use as well."""
    if mark == "index.html":
        return "docsify" in read_text(posixpath.join(home, mark))
    if mark.startswith("config."):
        content = _join_path(home, "content") + "/"
        sections = (path.rpartition("/")[2] == "_index.md" for path in pages)
        return any(sections) if home in _PARENT_FOLDERS else any(path.startswith(content) for path in pages)
    return True


def _language_folders(home: str, pages: Iterable[str]) -> list[str]:
    """Content folders of a multilingual Hugo site, such as `content/de`."""
    content = _join_path(home, "content") + "/"
    folder_names = (path.removeprefix(content).partition("/")[0] for path in pages)
    return [f"content/{name}" for name in dict.fromkeys(folder_names) if _LANGUAGE.fullmatch(name)]


_TEMPLATE_LINK = {
    "Hugo": re.compile(r"""\{\{[<%]\s*(?:rel)?ref\s+(?:path=)?["']([^"'\n]{1,300})["'][^{}\n]{0,200}[>%]\}\}"""),
    "Jekyll": re.compile(r"\{%-?\s*link\s+([^\s{}%]{1,300})\s*-?%\}(?:#[\w-]{1,200})?"),
    "mdBook": re.compile(r"(?<!\\)\{\{\s*#(?:rustdoc_)?(?:include|playground)\s+([^\s:{}]{1,300})[^{}\n]{0,200}\}\}"),
}
_INCLUDE = re.compile(
    r"""\{\{\s*#(?:rustdoc_)?include\s+([^\s:{}]{1,300})|<!--\s*@include:\s*([^\s{}]{1,300})"""
    r"""|\{%-?\s*include\S{0,20}\s+["']?([^\s"'{}%]{1,300})|\{\{[<%]\s*\S{0,20}include\S{0,20}\s+["']?([^\s"'{}%]{1,300})"""
    r"""|\{!\s*([^\s!{}]{1,300})|^import\s+\w{1,80}\s+from\s+["']([^"'\n]{1,300}\.mdx?)["']""",
    re.MULTILINE,
)
_JEKYLL_BASE = re.compile(
    r"""\{\{\s*(?:site\.(?:baseurl|url)|["']([^"'{}\n]*)["']\s*\|\s*(?:relative|absolute)_url)\s*\}\}"""
)
_FENCE = re.compile(r"^[ \t>]{0,12}(`{3,}|~{3,})", re.MULTILINE)
_INLINE_CODE = re.compile(r"`[^`\n]{1,300}`")
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n.*?\n---", re.DOTALL)
_QUOTED_WIKI_LINK = re.compile(r"""["']\[\[([^\[\]|\n"]{1,300})(?:\|([^\[\]\n]{0,300}))?\]\]["']""")
_JEKYLL_LINK = re.compile(r"\]\((\{\{[^{}\n]{1,200}\}\}[^\s(){}]{0,300})\)")


def template_links(page: Page, dialect: str) -> Iterator[Link]:
    """Links in template syntax, which no Markdown parser sees, outside of code and comments."""
    pattern = _TEMPLATE_LINK.get(dialect)
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
        for match in _JEKYLL_LINK.finditer(text):
            if match.start(1) not in link_starts and match.start() not in code:
                yield Link("", match[1], Span(page.source, match.start(1), match.end(1)), "inline", ())


def front_matter_links(page: Page) -> Iterator[Link]:
    """Wiki links in the front matter, which has them in quotes: `up: "[[Combat]]"`."""
    front_matter = _FRONT_MATTER.match(page.source.text)
    for match in _QUOTED_WIKI_LINK.finditer(front_matter[0]) if front_matter else ():
        target = match[1].strip()
        yield Link(match[2] or target, target, Span(page.source, *match.span(1)), "wiki", ())


def _fence_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of fenced code, each up to its closing line or the end of the text."""
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
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
        ranges = [*_fence_ranges(text), *((span.start, span.end) for span in page.comments)]
        ranges += [match.span() for match in _INLINE_CODE.finditer(text)]
        ranges.sort()
        self.begins = [begin for begin, _ in ranges]
        self.ends = list(accumulate((end for _, end in ranges), max))

    def __contains__(self, offset: int) -> bool:
        count = bisect_right(self.begins, offset)
        return count > 0 and offset < self.ends[count - 1]


def included_files(page: Page) -> list[str]:
    """Names of the files that this page includes."""
    text = page.source.text
    return [*snippet_names(text), *(next(filter(None, match.groups())) for match in _INCLUDE.finditer(text))]


def _strip_jekyll_base(target: str) -> str:
    """Remove Jekyll's base URL: `{{ site.baseurl }}/combat` counts from the root."""
    return _JEKYLL_BASE.sub(lambda match: match[1] or "", target)


_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:")
_HASH_ROUTE = re.compile(r"[^#?]*#!?/")
_QUERY_ID = re.compile(r"(?:^|&)id=([^&]*)")


class _SplitTarget(NamedTuple):
    """A link target in plain form, split into path and anchor."""

    whole: str
    path: str
    anchor: str


def split_target(link: Link, dialect: Dialect) -> _SplitTarget:
    """Split the target of a link as its dialect does."""
    written = dialect.strip(link.target)
    if dialect.name == "Docusaurus":
        written = re.sub(r"^@site/", "/", written)
    elif dialect.name == "docsify" and not _SCHEME.match(written):
        return _split_docsify_target(written)
    path, _, anchor = written.partition("#")
    if link.kind != "wiki":  # which has a name, not an address
        path = path.partition("?")[0]
    return _SplitTarget(written, _strip_base(dialect.base, path) if dialect.base else path, anchor)


def _strip_base(base: str, path: str) -> str:
    """A path without the base path of the site."""
    is_below_base = path == base or path.startswith(f"{base}/")
    return (path[len(base) :] or "/") if is_below_base else path


def _split_docsify_target(written: str) -> _SplitTarget:
    """Split a docsify route: `#/combat?id=turns` is the heading `turns` on the page `/combat`."""
    if route := _HASH_ROUTE.match(written):
        written = f"/{written[route.end() :]}"
    path, _, anchor = written.partition("#")
    path, _, query = path.partition("?")
    match = _QUERY_ID.search(query)
    return _SplitTarget(written, path, match[1] if match else anchor)


_EXTENSIONS = (".markdown", ".mdx", ".html", ".htm", ".md")
_INDEX_NAMES = ("index", "readme", "_index")
_NUMBER_PREFIX = re.compile(r"^\d+\s*[-_.]+\s*(?=[^-_.\s])")
_DATE_PREFIX = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})-(?=.)")
_TOML_FIELD = re.compile(r"""^(slug|url)\s*=\s*["']([^"'\n]{1,300})["']""", re.MULTILINE)
_YAML_ITEM = re.compile(r"""^\s{0,4}-\s+["']?(/[^"'\s]{1,300})["']?\s*$""", re.MULTILINE)
_REDIRECT = re.compile(r"""^redirect_from:[ \t]*\[?[ \t]*["']?(/[^"'\s\],]{1,300})""", re.MULTILINE)
_FRONT_MATTER_LENGTH = 4_000  # characters; front matter is searched only this far
_MAX_ADDRESSES = 20


def normalize_address(address: str) -> str:
    """Canonical form of an address: without slashes at the ends, file extension and index page."""
    address = address.strip("/")
    for end in _EXTENSIONS:
        address = address.removesuffix(end)
    folder, _, last = address.rpartition("/")
    return folder if last.lower() in _INDEX_NAMES else address


def page_addresses(dialect: Dialect, path: str, page: Page) -> Iterator[str]:
    """Addresses of a page on its site; `path` is relative to the folder of the dialect that contains it."""
    if address_rule := _ADDRESS_RULES.get(dialect.name):
        yield from (normalize_address(address) for address in address_rule(path, page))
    yield from (normalize_address(address) for address in _collection_addresses(dialect, path, page))
    yield normalize_address(path)


def _front_matter_value(page: Page, name: str) -> str:
    """A value of the front matter; empty without it."""
    return page.meta[name].text.strip() if name in page.meta else ""


def strip_numbers(path: str) -> str:
    """A path without the numbers before its names: `1-rules/3-actions`."""
    return "/".join(_NUMBER_PREFIX.sub("", part) for part in path.split("/"))


def _docusaurus_addresses(path: str, page: Page) -> Iterator[str]:
    parts = strip_numbers(posixpath.splitext(path)[0]).split("/")
    folder, last = "/".join(parts[:-1]), parts[-1]
    name = _front_matter_value(page, "id") or last
    slug = _front_matter_value(page, "slug")
    if slug:
        yield slug if slug.startswith("/") else f"{folder}/{slug}"
    yield f"{folder}/{name}"
    if parts[-2:-1] == [last]:
        yield folder
    if match := _DATE_PREFIX.match(posixpath.basename(path)):
        yield "/".join([folder, *match.groups(), _DATE_PREFIX.sub("", posixpath.basename(path))])


def _hugo_addresses(path: str, page: Page) -> Iterator[str]:
    values = (
        dict(_TOML_FIELD.findall(page.source.text[:_FRONT_MATTER_LENGTH])) if page.source.text.startswith("+++") else {}
    )
    folder = posixpath.dirname(path)
    if url := values.get("url") or _front_matter_value(page, "url"):
        yield url
    if slug := values.get("slug") or _front_matter_value(page, "slug"):
        yield f"{folder}/{slug}"
    yield path.replace(" ", "-").lower()
    yield from redirect_addresses(page)


def _jekyll_addresses(path: str, page: Page) -> Iterator[str]:
    permalink = _front_matter_value(page, "permalink")
    if permalink.startswith("/") and ":" not in permalink:
        yield permalink
    name = posixpath.basename(path)
    if match := _DATE_PREFIX.match(name):
        yield "/".join([*match.groups(), _DATE_PREFIX.sub("", name)])
    yield "/".join(part.removeprefix("_") for part in path.split("/"))
    yield from redirect_addresses(page)


def _collection_addresses(dialect: Dialect, path: str, page: Page) -> Iterator[str]:
    """The address of a page in a collection of Jekyll."""
    folder, permalink = next((pair for pair in dialect.collections if path.startswith(f"{pair[0]}/")), ("", ""))
    if folder:
        stem = posixpath.splitext(path[len(folder) + 1 :])[0]
        name = posixpath.basename(stem)
        values = {"collection": posixpath.basename(folder)[1:], "path": stem, "name": name, "output_ext": ""}
        values["title"] = _front_matter_value(page, "slug") or name
        yield re.sub(r":(\w+)", lambda match: values.get(match[1], match[0]), permalink)


def redirect_addresses(page: Page) -> Iterator[str]:
    """Old addresses in the front matter that redirect to the page."""
    text = page.source.text[:_FRONT_MATTER_LENGTH]
    if "aliases:" in text or "redirect_from:" in text:
        yield from _YAML_ITEM.findall(text)[:_MAX_ADDRESSES]
        yield from _REDIRECT.findall(text)[:_MAX_ADDRESSES]


_ADDRESS_RULES: dict[str, Callable[[str, Page], Iterator[str]]] = {
    "Docusaurus": _docusaurus_addresses,
    "Hugo": _hugo_addresses,
    "Jekyll": _jekyll_addresses,
}

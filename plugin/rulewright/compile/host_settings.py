"""Reads what the settings of a site say about its pages and links. No code that they name is run."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fnmatch import translate
from pathlib import Path as File
from typing import Any
from urllib.parse import urlsplit

from ..book.finished_site import FinishedSite
from ..book.foreign_syntax import MDX_SUFFIX
from ..book.host import BUILT_IN_EXTENSIONS, HeadingSlugs, Host, HostSettings
from ..book.page import LARGEST_PAGE, Page
from ..book.snippets import SnippetReader
from ..project import find_book_root, find_site_settings
from ..root import Root, is_below
from .options import HOST, ON, Options
from .site_yaml import Tagged, read_site

_DEFAULT_EXCLUDED = ".*\n/templates/\n*.mdx"  # MkDocs makes no page of MDX
_BUNDLES = {
    "extra": ("abbr", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "tables"),
    "pymdownx.extra": ("abbr", "attr_list", "def_list", "pymdownx.superfences", "footnotes", "md_in_html", "tables"),
}
_TOC_SLUGS = {"slugify": "toc", "slugify_unicode": "unicode"}  # in markdown.extensions.toc
_PYMDOWNX_SLUGS: dict[str, dict[str, Any]] = {
    "uslugify": {"case": "lower"},
    "uslugify_cased": {},
    "uslugify_encoded": {"case": "lower", "percent_encode": True},
    "uslugify_cased_encoded": {"percent_encode": True},
    "gfm": {"case": "lower-ascii"},
    "gfm_encoded": {"case": "lower-ascii", "percent_encode": True},
}  # functions of old versions
# Plugins and extensions that add no ids, or only where the text of a page shows it.
_PLUGINS_WITHOUT_IDS = frozenset((
    "autorefs", "awesome-nav", "awesome-pages", "blog", "callouts", "charts", "coverage", "exclude", "exclude-search",
    "ezlinks", "gen-files", "gh-admonitions", "git-authors", "git-committers", "git-committers-2",
    "git-revision-date", "git-revision-date-localized", "glightbox", "group", "i18n", "include-markdown", "info",
    "kroki", "literate-nav", "llmstxt", "macros", "mermaid2", "meta", "mike", "minify", "mkdocs-video",
    "mkdocstrings", "monorepo", "multirepo", "offline", "open-in-new-tab", "optimize", "pdf-export", "print-site",
    "privacy", "projects", "redirects", "roamlinks", "rss", "rulewright", "same-dir", "search", "section-index",
    "social", "swagger-ui-tag", "table-reader", "tags", "termynal", "to-pdf", "typeset", "with-pdf",
))  # fmt: skip
_EXTENSIONS_WITHOUT_IDS = frozenset((
    "abbr", "admonition", "attr_list", "callouts", "codehilite", "def_list", "extra", "fenced_code", "footnotes",
    "github-callouts", "legacy_attrs", "legacy_em", "markdown_include.include", "md_in_html", "mdx_breakless_lists",
    "mdx_gh_links", "mdx_math", "mdx_truly_sane_lists", "meta", "mkdocs-click", "nl2br", "rulewright", "sane_lists",
    "smarty", "tables", "toc", "wikilinks",
))  # fmt: skip
_EXTENSION_FAMILIES_WITHOUT_IDS = ("pymdownx.", "material.extensions.", "mkdocstrings", "mkdocs_autorefs")
_SNIPPETS = "pymdownx.snippets"
_PAGE_MAKERS = frozenset((
    "api-autonav", "autoapi", "blog", "gen-files", "mkdocs-autoapi", "mkdocs-blog", "mkdocs-jupyter", "monorepo",
    "multirepo", "tags",
))  # fmt: skip
_NAV_MAKERS = frozenset((
    "awesome-nav", "awesome-pages", "i18n", "include_dir_to_nav", "literate-nav", "mkdocs-nav-enhancements", "monorepo",
    "multirepo", "nav-enhancements",
))  # fmt: skip
_WIKI_PLUGINS = ("ezlink", "roamlink", "wikilink", "obsidian")  # parts of their names


def read_host_settings(root: File, site: File | None = None) -> HostSettings | None:
    """The settings of the MkDocs site that publishes a book; None for a book without one. `site` is its mkdocs.yml."""
    file = site or find_site_settings(root)
    if file is None or (site is None and find_book_root(root) != root):
        return None
    try:
        return _make_settings(read_site(file))
    except (OSError, ValueError):
        return HostSettings(slugs=None, is_readable=False)


def make_host(settings: HostSettings | None, options: Options, finished: FinishedSite | None = None) -> Host | None:
    """The host of a book with these settings and options. It renders no page outside of its folder, and no MDX."""
    if settings is None:
        return None

    def renders(path: str, page: Page) -> bool:
        is_its_page = not path.startswith("../") and not path.lower().endswith(MDX_SUFFIX)
        return is_its_page and options.renderer_of(path, page) == HOST

    return Host(settings, renders, options.anchors == "add", finished)


def _make_settings(data: dict[str, Any]) -> HostSettings:
    plugins = {name.rpartition("/")[2]: given for name, given in _named_items(data.get("plugins"))}
    extensions = {
        name.removeprefix("markdown.extensions."): given
        for name, given in _named_items(data.get("markdown_extensions"))
    }
    extensions |= {
        f"pymdownx.{name}": given for name, given in _table(extensions.pop("pymdownx", None)).items()
    }  # TOML
    bundled = (name for bundle in extensions for name in _BUNDLES.get(bundle, ()))
    links = _table(data.get("validation"))
    snippets = _table(extensions.get(_SNIPPETS))
    redirects = _table(_table(plugins.get("redirects")).get("redirect_maps"))
    settings = HostSettings(
        slugs=_read_slugs(_table(extensions.get("toc"))),
        directories=str(data.get("use_directory_urls", "true")).lower() in ON and not _is_for_disk(plugins),
        base=_base_path(data.get("site_url")),
        absolute_from_docs="relative_to_docs"
        in (links.get("absolute_links"), _table(links.get("links")).get("absolute_links")),
        extensions=frozenset((*BUILT_IN_EXTENSIONS, *extensions, *bundled)),
        plugins=frozenset(plugins),
        wiki_links=_reads_wiki_links(plugins, extensions),
        nav_file=str(_table(plugins["literate-nav"]).get("nav_file", "SUMMARY.md"))
        if "literate-nav" in plugins
        else "",
        languages=tuple(_languages(_table(plugins.get("i18n")).get("languages"))),
        excluded=tuple(
            pattern
            for text in (_DEFAULT_EXCLUDED, data.get("exclude_docs"), data.get("draft_docs"))
            for pattern in _ignore_patterns(text)
        ),
        excluded_names=tuple(_excluded_names(_table(plugins.get("exclude")))),
        id_makers=tuple(_id_makers(data, plugins, extensions)),
        page_makers=tuple(name for name in plugins if name in _PAGE_MAKERS),
        snippet_folders=tuple(_texts(snippets.get("base_path", "."))) if _SNIPPETS in extensions else (),
        appended_snippets=tuple(_texts(snippets.get("auto_append"))),
        nav=tuple(_nav_entries(data.get("nav"), ())),
        not_in_nav=_nav_exceptions(data, plugins),
    )
    return replace(settings, redirects=tuple(map(settings.destination, redirects)))


def make_snippet_reader(root: File, project: Root, settings: HostSettings | None, site: File | None) -> SnippetReader:
    """Finds snippets in the folders that the settings name; in a book without a host, in its own folder."""
    file = site or find_site_settings(root)
    home = file.parent if settings and file else root
    names = settings.snippet_folders if settings else (".",)
    variables = {"$config_dir": home.as_posix(), "$docs_dir": root.as_posix()}  # of `!relative`
    folders = [File(os.path.normpath(home / variables.get(name, name))) for name in names]

    def read_text(name: str) -> str | None:
        files = ((folder, File(os.path.normpath(folder / name))) for folder in folders)
        for path in (path for folder, path in files if is_below(path, [folder])):
            with suppress(OSError, ValueError):
                if path.stat().st_size <= LARGEST_PAGE and not project.find_refusal(path):
                    return path.read_text(encoding="utf-8-sig")
        return None

    return SnippetReader(read_text, settings.appended_snippets if settings else ())


def _nav_entries(entry: Any, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if isinstance(entry, str) and entry.lower().endswith(".md") and not urlsplit(entry).scheme:
        yield posixpath.normpath(entry), above
    elif isinstance(entry, list):
        for item in entry:
            yield from _nav_entries(item, above)
    elif isinstance(entry, dict):
        for title, value in entry.items():
            yield from _nav_entries(value, (*above, title) if isinstance(value, list) else above)


def _nav_exceptions(data: dict[str, Any], plugins: dict[str, Any]) -> tuple[tuple[str, bool], ...] | None:
    """The patterns of pages that `nav` may leave out; None where a plugin or a hook decides about navigation."""
    if data.get("hooks") or not _NAV_MAKERS.isdisjoint(plugins):
        return None
    posts = str(_table(plugins.get("blog")).get("blog_dir", "blog")) if "blog" in plugins else ""
    return (*_ignore_patterns(data.get("not_in_nav")), *([(posts, False)] if posts else []))


def _texts(value: Any) -> Iterator[str]:
    """The texts of a list, or a single one."""
    yield from filter(None, map(str, value if isinstance(value, list) else [value or ""]))


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _named_items(value: Any) -> Iterator[tuple[str, Any]]:
    """The plugins or extensions of a site with their options: a list of names and mappings, or a mapping."""
    items = value if isinstance(value, list) else [value]
    for item in items:
        if isinstance(item, dict):
            yield from item.items()
        elif isinstance(item, str) and item:
            yield item, None


def _read_slugs(toc: dict[str, Any]) -> HeadingSlugs | None:
    """How `toc` makes ids; None for a function that is not known here."""
    separator = toc.get("separator", "-")
    function = toc.get("slugify")
    if not isinstance(separator, str) or not (function is None or isinstance(function, Tagged)):
        return None
    if function is None:
        return HeadingSlugs(separator=separator)
    module, _, name = function.code.rpartition(".")
    if module.startswith("markdown.extensions.") and name in _TOC_SLUGS:
        return HeadingSlugs(_TOC_SLUGS[name], separator)
    if module != "pymdownx.slugs":
        return None
    arguments = _PYMDOWNX_SLUGS.get(name)
    if name == "slugify":
        arguments = _table(_table(function.value).get("kwds"))
    if arguments is None:
        return None
    return HeadingSlugs(
        "pymdownx",
        separator,
        str(arguments.get("case", "none")),
        str(arguments.get("normalize", "NFC")),
        str(arguments.get("percent_encode", "")).lower() in ON,
    )


def _languages(value: Any) -> Iterator[str]:
    """The languages of the plugin `i18n`, the default one first: a list of tables, or a mapping."""
    tables = [_table(entry) for entry in value] if isinstance(value, list) else []
    tables += [{"locale": name} for name in _table(value)]
    for table in sorted(tables, key=lambda table: str(table.get("default")).lower() not in ON):
        yield str(table.get("locale", ""))


def _is_for_disk(plugins: dict[str, Any]) -> bool:
    """Whether Material's plugin `offline` makes pages files; its switch may be `!ENV [NAME, default]`."""
    switch = _table(plugins.get("offline")).get("enabled", "true")
    return "offline" in plugins and str(switch[-1] if isinstance(switch, list) and switch else switch).lower() in ON


def _base_path(address: Any) -> str:
    """The path of the address of a site, without a final /."""
    with suppress(ValueError):
        return urlsplit(address).path.rstrip("/") if isinstance(address, str) else ""
    return ""


def _reads_wiki_links(plugins: Iterable[str], extensions: Iterable[str]) -> bool:
    """Whether something reads `[[links]]`; plugins that are not known here may."""
    names = [*plugins, *extensions]
    return any(part in name for name in names for part in _WIKI_PLUGINS) or bool(_unknown(plugins, extensions))


def _unknown(plugins: Iterable[str], extensions: Iterable[str]) -> list[str]:
    """The plugins and extensions of which nothing is known here."""
    return [
        *(name for name in plugins if name not in _PLUGINS_WITHOUT_IDS),
        *(
            name
            for name in extensions
            if name not in _EXTENSIONS_WITHOUT_IDS and not name.startswith(_EXTENSION_FAMILIES_WITHOUT_IDS)
        ),
    ]


def _id_makers(data: dict[str, Any], plugins: Iterable[str], extensions: Iterable[str]) -> Iterator[str]:
    if data.get("hooks"):
        yield "hooks"
    yield from _unknown(plugins, extensions)


def _ignore_patterns(text: Any) -> Iterator[tuple[str, bool]]:
    """The patterns of a text in the syntax of .gitignore, as globs, with whether each takes pages back in."""
    for line in text.splitlines() if isinstance(text, str) else ():
        written = line.strip()
        if written and not written.startswith("#"):
            pattern = written.removeprefix("!").strip("/")
            is_anchored = "/" in written.removeprefix("!").rstrip("/")
            yield pattern if is_anchored else f"**/{pattern}", written.startswith("!")


def _excluded_names(exclude: dict[str, Any]) -> Iterator[str]:
    """The regular expressions of what the plugin `exclude` takes out."""
    for kind, make in (("glob", translate), ("regex", str)):
        patterns = exclude.get(kind) or []
        for pattern in [patterns] if isinstance(patterns, str) else patterns:
            with suppress(re.error):
                yield re.compile(make(str(pattern))).pattern

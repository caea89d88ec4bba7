"""Reads from mkdocs.yml how a site renders its pages, and decides which pages Python-Markdown renders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as File
from typing import Any

from ..book.page import Page
from ..lint.interface import HostMarkdown
from ..project import find_book_root, find_site_settings
from .options import HOST, Options, mapping_items

_EXTENSIONS, _PLUGINS, _INHERIT = "markdown_extensions", "plugins", "INHERIT"
_BUILT_IN = ("toc", "tables", "fenced_code")  # what MkDocs always enables
_BUNDLES = {
    "extra": ("abbr", "attr_list", "def_list", "fenced_code", "footnotes", "md_in_html", "tables"),
    "pymdownx.extra": ("abbr", "attr_list", "def_list", "pymdownx.superfences", "footnotes", "md_in_html", "tables"),
}
_MAX_INHERITED = 10


@dataclass(frozen=True)
class PageHosts:
    """Who renders the pages of a book; without `site`, nobody does."""

    root: File = File()
    options: Options = field(default_factory=Options)
    site: HostMarkdown | None = None

    def host_of(self, file: File, page: Page) -> HostMarkdown | None:
        """The Python-Markdown that renders a page, if one does."""
        if self.site is None or not file.is_relative_to(self.root):
            return None
        path = file.relative_to(self.root).as_posix()
        return self.site if self.options.renderer_of(path, page) == HOST else None


def read_page_hosts(root: File, options: Options, site: File | None = None) -> PageHosts:
    """Read the mkdocs.yml of a book (`site`, or the nearest one); a folder that no site publishes has no hosts."""
    settings = site or find_site_settings(root)
    if settings is None or not options.is_group_enabled("markdown") or (site is None and find_book_root(root) != root):
        return PageHosts(root, options)
    return PageHosts(root, options, _read_host(settings))


def _read_host(settings: File) -> HostMarkdown | None:
    """The extensions and plugins that a mkdocs.yml and those that it inherits from name; None if it is unreadable."""
    extensions, plugins = list[str](_BUILT_IN), list[str]()
    for _ in range(_MAX_INHERITED):
        try:
            top = _compose(settings)
        except (OSError, ValueError, RecursionError):
            return None
        entries = {str(key.value): value for key, value in mapping_items(top)}
        extensions += _names(entries.get(_EXTENSIONS))
        plugins += _names(entries.get(_PLUGINS))
        inherited = entries.get(_INHERIT)
        if inherited is None or not isinstance(inherited.value, str):
            break
        settings = settings.parent / inherited.value
    names = {name.removeprefix("markdown.extensions.") for name in extensions}
    bundled = {name for bundle in names & _BUNDLES.keys() for name in _BUNDLES[bundle]}
    return HostMarkdown(frozenset(names | bundled), frozenset(plugins))


def _compose(settings: File) -> Any:
    """The nodes of a YAML file, if it has one of our keys.

    Nothing is constructed: tags in mkdocs.yml may need Python.
    """
    text = settings.read_text(encoding="utf-8-sig")
    if not any(key in text for key in (_EXTENSIONS, _PLUGINS, _INHERIT)):
        return None
    import yaml  # type: ignore[import-untyped]

    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _names(node: Any) -> Iterator[str]:
    """The names in a list or mapping of extensions or plugins."""
    if getattr(node, "id", "") == "sequence":
        for item in node.value:
            yield from [str(key.value) for key, _ in mapping_items(item)] or [str(item.value)]
    else:
        yield from (str(key.value) for key, _ in mapping_items(node))

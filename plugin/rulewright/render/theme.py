"""Adjusts Material for MkDocs: accessible names, no requests to other hosts, sites that work from a disk."""

from __future__ import annotations

import re
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from .strings import Words

SHIM = "assets/iframe-worker.js"  # makes the search work from a disk
_OFFLINE = ("offline", "material/offline")
_THEIR_FONT = {"text": "Roboto", "code": "Roboto Mono"}  # the defaults, which the theme loads from Google
_INSTANT = "navigation.instant"
_MANY = 50  # pages; the navigation of larger books is pruned


def adapt_config(config: Any, language: str) -> None:
    """Set fonts, language and polyfills in the MkDocs configuration, before other plugins read it."""
    if is_for_disk(config):
        config.extra["polyfills"] = [*config.extra.get("polyfills", []), SHIM]
    if config.theme.get("font") == _THEIR_FONT:
        config.theme["font"] = False
    if config.theme.get("language") == "en" and _has_translation(config, language):
        config.theme["language"] = language


def overrides_folder(config: Any) -> Path | None:
    """The folder with templates of the site."""
    return Path(config.theme.custom_dir) if config.theme.custom_dir else None


def _has_translation(config: Any, language: str) -> bool:
    """Does the theme have translations for this language?"""
    return any(Path(folder, "partials", "languages", f"{language}.html").is_file() for folder in config.theme.dirs)


def is_for_disk(config: Any) -> bool:
    """Should the site also work when opened from a disk?"""
    return any(name in config.plugins for name in _OFFLINE)


def enable_offline(config: Any) -> None:
    """Add Material's offline plugin, as if the author had configured it; MkDocs then calls its hooks."""
    if not is_for_disk(config):
        plugin = import_module("material.plugins.offline.plugin").OfflinePlugin()
        plugin.load_config({})
        config.plugins[_OFFLINE[-1]] = plugin
    config.theme["features"] = [
        feature for feature in config.theme.get("features") or [] if not feature.startswith(_INSTANT)
    ]
    for name in _OFFLINE:
        if name in config.plugins:
            config.plugins[name].config["enabled"] = True


def loads_whole_pages(config: Any) -> bool:
    """Does the browser load each page as a new document? With instant navigation, old scripts keep running."""
    return not any(feature.startswith(_INSTANT) for feature in config.theme.get("features") or [])


def prune_navigation(config: Any, pages: int) -> None:
    """Prune the navigation of large books, so that not every page contains all of it."""
    if pages > _MANY:
        config.theme["features"] = list(dict.fromkeys([*(config.theme.get("features") or []), "navigation.prune"]))


_NAV_TOGGLE = re.compile(r'id="__nav_\w+_label"[^>]*>(?=\s*<span class="md-nav__icon)')  # opens the list below a page
NAME = '<span class="md-ellipsis">'
_LABEL = re.compile(r'id="(__nav_\w+_label)"')
_LIST = re.compile(  # a part of the navigation, which may refer to a label that does not exist
    r'(<nav class="md-nav"[^>]*? aria-label)ledby="(__nav_\w+)"([^>]*>\s*<label class="md-nav__title"(?:[^<]*>)'
    r"(?:\s*<[^>]*>)*\s*([^<]*?)\s*<)"
)
_SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
_REPOSITORY_COUNTS = ' data-md-component="source"'  # loads stars and forks from the repository host on every visit


def repair_html(html: str, words: Words) -> str:
    """Repair the accessibility of a finished page; skips markup that is already repaired."""
    theme, article, rest = html.partition("<article")  # which is most of a page
    named = _SEARCH.replace(">", f' aria-label="{escape(words("search"))}">')
    return _label_navigation(theme).replace(_SEARCH, named, 1).replace(_REPOSITORY_COUNTS, "") + article + rest


def _label_navigation(html: str) -> str:
    """Label each part of the navigation with the page or section that it belongs to."""
    html = _NAV_TOGGLE.sub(
        lambda match: f'{match[0]}<span class="rw-heard">{_entry_title(html, match.start())}</span>', html
    )
    labels = set(_LABEL.findall(html))

    def called(match: re.Match[str]) -> str:
        return match[0] if match[2] in labels else f'{match[1]}="{match[4]}"{match[3]}'

    return _LIST.sub(called, html)


def _entry_title(html: str, place: int) -> str:
    """The title of the navigation entry before a position."""
    start = html.rfind(NAME, 0, place) + len(NAME)
    return html[start : html.find("<", start)].strip()

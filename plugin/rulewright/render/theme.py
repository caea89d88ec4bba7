"""Adjusts Material for MkDocs: accessible names, no requests to other hosts, sites that work from a disk."""

from __future__ import annotations

import re
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from .strings import Words

SHIM = "assets/iframe-worker.js"  # makes the search work from a disk
OFFLINE = ("offline", "material/offline")
THEIR_FONT = {"text": "Roboto", "code": "Roboto Mono"}  # the defaults, which the theme loads from Google
INSTANT = "navigation.instant"
MANY = 50  # pages; the navigation of larger books is pruned


def settle(config: Any, language: str) -> None:
    """Set fonts, language and polyfills in the MkDocs configuration, before other plugins read it."""
    if is_for_disk(config):
        config.extra["polyfills"] = [*config.extra.get("polyfills", []), SHIM]
    if config.theme.get("font") == THEIR_FONT:
        config.theme["font"] = False
    if config.theme.get("language") == "en" and has_words(config, language):
        config.theme["language"] = language


def overrides(config: Any) -> Path | None:
    """The folder with templates of the site."""
    return Path(config.theme.custom_dir) if config.theme.custom_dir else None


def has_words(config: Any, language: str) -> bool:
    """Does the theme have translations for this language?"""
    return any(Path(folder, "partials", "languages", f"{language}.html").is_file() for folder in config.theme.dirs)


def is_for_disk(config: Any) -> bool:
    """Should the site also work when opened from a disk?"""
    return any(name in config.plugins for name in OFFLINE)


def make_for_disk(config: Any) -> None:
    """Add Material's offline plugin, as if the author had configured it; MkDocs then calls its hooks."""
    if not is_for_disk(config):
        plugin = import_module("material.plugins.offline.plugin").OfflinePlugin()
        plugin.load_config({})
        config.plugins[OFFLINE[-1]] = plugin
    config.theme["features"] = [one for one in config.theme.get("features") or [] if not one.startswith(INSTANT)]
    for name in OFFLINE:
        if name in config.plugins:
            config.plugins[name].config["enabled"] = True


def loads_pages(config: Any) -> bool:
    """Does the browser load each page as a new document? With instant navigation, old scripts keep running."""
    return not any(one.startswith(INSTANT) for one in config.theme.get("features") or [])


def spare(config: Any, pages: int) -> None:
    """Prune the navigation of large books, so that not every page contains all of it."""
    if pages > MANY:
        config.theme["features"] = list(dict.fromkeys([*(config.theme.get("features") or []), "navigation.prune"]))


ARROW = re.compile(r'id="__nav_\w+_label"[^>]*>(?=\s*<span class="md-nav__icon)')  # opens the list below a page
NAME = '<span class="md-ellipsis">'
LABEL = re.compile(r'id="(__nav_\w+_label)"')
LIST = re.compile(  # a part of the navigation, which may refer to a label that does not exist
    r'(<nav class="md-nav"[^>]*? aria-label)ledby="(__nav_\w+)"([^>]*>\s*<label class="md-nav__title"(?:[^<]*>)'
    r"(?:\s*<[^>]*>)*\s*([^<]*?)\s*<)"
)
SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
COUNTING = ' data-md-component="source"'  # loads stars and forks from the repository host on every visit


def repaired(html: str, words: Words) -> str:
    """Repair the accessibility of a finished page; skips markup that is already repaired."""
    theme, article, rest = html.partition("<article")  # which is most of a page
    named = SEARCH.replace(">", f' aria-label="{escape(words("search"))}">')
    return with_names(theme).replace(SEARCH, named, 1).replace(COUNTING, "") + article + rest


def with_names(html: str) -> str:
    """Label each part of the navigation with the page or section that it belongs to."""
    html = ARROW.sub(lambda found: f'{found[0]}<span class="rw-heard">{name_before(html, found.start())}</span>', html)
    known = set(LABEL.findall(html))

    def called(found: re.Match[str]) -> str:
        return found[0] if found[2] in known else f'{found[1]}="{found[4]}"{found[3]}'

    return LIST.sub(called, html)


def name_before(html: str, place: int) -> str:
    """The title of the navigation entry before a position."""
    start = html.rfind(NAME, 0, place) + len(NAME)
    return html[start : html.find("<", start)].strip()

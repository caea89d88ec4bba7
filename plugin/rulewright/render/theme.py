"""What the theme leaves undone: names for those who listen to a page, and no question to another host."""

from __future__ import annotations

import re
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from .strings import Words

SHIM = "assets/iframe-worker.js"  # lets the search work in a site that is opened from a disk
OFFLINE = ("offline", "material/offline")
THEIR_FONT = {"text": "Roboto", "code": "Roboto Mono"}  # what the theme fetches from elsewhere when nobody asks
INSTANT = "navigation.instant"
MANY = 50  # pages: with more, no page lists them all beside its text


def settle(config: Any, language: str) -> None:
    """`config` is that of MkDocs, before other plugins settle what they do."""
    if is_for_disk(config):
        config.extra["polyfills"] = [*config.extra.get("polyfills", []), SHIM]
    if config.theme.get("font") == THEIR_FONT:
        config.theme["font"] = False
    if config.theme.get("language") == "en" and has_words(config, language):
        config.theme["language"] = language


def overrides(config: Any) -> Path | None:
    """The folder of a site in which it has templates of its own."""
    return Path(config.theme.custom_dir) if config.theme.custom_dir else None


def has_words(config: Any, language: str) -> bool:
    return any(Path(folder, "partials", "languages", f"{language}.html").is_file() for folder in config.theme.dirs)


def is_for_disk(config: Any) -> bool:
    """Is the site to be read from a disk as well?"""
    return any(name in config.plugins for name in OFFLINE)


def make_for_disk(config: Any) -> None:
    """As if the author had named the plugin for it, which MkDocs asks for its part as soon as it is there."""
    if not is_for_disk(config):
        plugin = import_module("material.plugins.offline.plugin").OfflinePlugin()
        plugin.load_config({})
        config.plugins[OFFLINE[-1]] = plugin
    config.theme["features"] = [one for one in config.theme.get("features") or [] if not one.startswith(INSTANT)]
    for name in OFFLINE:
        if name in config.plugins:
            config.plugins[name].config["enabled"] = True


def loads_pages(config: Any) -> bool:
    """Does each page come by itself, and not in the place of the one before, whose scripts go on running?"""
    return not any(one.startswith(INSTANT) for one in config.theme.get("features") or [])


def spare(config: Any, pages: int) -> None:
    """A large book does not repeat its contents on each page."""
    if pages > MANY:
        config.theme["features"] = list(dict.fromkeys([*(config.theme.get("features") or []), "navigation.prune"]))


ARROW = re.compile(r'id="__nav_\w+_label"[^>]*>(?=\s*<span class="md-nav__icon)')  # opens the list below a page
NAME = '<span class="md-ellipsis">'
LABEL = re.compile(r'id="(__nav_\w+_label)"')
LIST = re.compile(  # a part of the navigation, which may be called after a label that is not there
    r'(<nav class="md-nav"[^>]*? aria-label)ledby="(__nav_\w+)"([^>]*>\s*<label class="md-nav__title"(?:[^<]*>)'
    r"(?:\s*<[^>]*>)*\s*([^<]*?)\s*<)"
)
SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
COUNTING = ' data-md-component="source"'  # asks the host of the repository for its stars and forks, on every visit


def repaired(html: str, words: Words) -> str:
    """A finished page; what somebody has repaired already is left as it is."""
    theme, article, rest = html.partition("<article")  # which is most of a page
    named = SEARCH.replace(">", f' aria-label="{escape(words("search"))}">')
    return with_names(theme).replace(SEARCH, named, 1).replace(COUNTING, "") + article + rest


def with_names(html: str) -> str:
    """Each part of the navigation is called as the page or the section that it belongs to."""
    html = ARROW.sub(lambda found: f'{found[0]}<span class="rw-heard">{name_before(html, found.start())}</span>', html)
    known = set(LABEL.findall(html))

    def called(found: re.Match[str]) -> str:
        return found[0] if found[2] in known else f'{found[1]}="{found[4]}"{found[3]}'

    return LIST.sub(called, html)


def name_before(html: str, place: int) -> str:
    start = html.rfind(NAME, 0, place) + len(NAME)
    return html[start : html.find("<", start)].strip()

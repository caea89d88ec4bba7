"""What the theme leaves undone: names for those who listen to a page, and no question to another host."""

from __future__ import annotations

import re
from html import escape

from .words import Words

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

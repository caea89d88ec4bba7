"""What the theme leaves undone: names for those who listen to a page, and no question to another host."""

from __future__ import annotations

from html import escape

from .words import Words

SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
COUNTING = ' data-md-component="source"'  # asks the host of the repository for its stars and forks, on every visit


def repaired(html: str, words: Words) -> str:
    """A finished page; what somebody has repaired already is left as it is."""
    named = SEARCH.replace(">", f' aria-label="{escape(words("search"))}">')
    return html.replace(SEARCH, named, 1).replace(COUNTING, "")

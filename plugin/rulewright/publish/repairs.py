"""What the theme leaves undone: names for those who listen to a page, and no question to another host."""

from __future__ import annotations

import re
from html import escape

from .words import Words

UNNAMED = re.compile(  # the arrow beside a page that has others below it
    r'(<span class="md-ellipsis">\s*([^<]*?)\s*</span>(?:(?!</a>|<label).)*</a>\s*<label class="md-nav__link[^>]*>)'
    r"(?=\s*<span)",
    re.DOTALL,
)
SEARCH = '<div class="md-search" data-md-component="search" role="dialog">'
COUNTING = ' data-md-component="source"'  # asks the host of the repository for its stars and forks, on every visit


def repaired(html: str, words: Words) -> str:
    """A finished page; what somebody has repaired already is left as it is."""
    named = SEARCH.replace(">", f' aria-label="{escape(words("search"))}">')
    html = UNNAMED.sub(r'\1<span class="rw-heard">\2</span>', html)
    return html.replace(SEARCH, named, 1).replace(COUNTING, "")

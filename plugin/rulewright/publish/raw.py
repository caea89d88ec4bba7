"""HTML of authors: published as it is, but for its comments, and for links in a dialect that browsers do not know."""

from __future__ import annotations

import html
import re

from ..book.html import COMMENT, OPAQUE
from ..book.model import Link
from ..text import Span
from .sheet import Sheet

MARKER = re.compile(r"\s*(?:material/|mkdocs|more\s*\Z)")  # comments that other tools look for in the finished page
LINKED = re.compile(
    r"""(<(a|area|img)\b(?:[^<>"']|"[^"]*"|'[^']*')*?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)""",
    re.IGNORECASE,
)


def published(sheet: Sheet, text: str) -> str:
    if OPAQUE.match(text):
        return text
    return LINKED.sub(lambda found: found[1] + linked(sheet, found[2], found[3]), without_comments(text))


def without_comments(text: str) -> str:
    """Notes of authors to themselves stay with them."""
    if "<!--" not in text:
        return text
    return COMMENT.sub(lambda found: found[0] if MARKER.match(found[1]) else "", text).strip("\n")


def linked(sheet: Sheet, tag: str, written: str) -> str:
    found = address(sheet, tag.lower(), html.unescape(written.strip("\"'")), True)
    return f'"{html.escape(found)}"' if found else written


def address(sheet: Sheet, tag: str, target: str, built: bool) -> str:
    """Where the link of a tag leads; nothing if it may stay as it is."""
    kind = "image" if tag == "img" else "html"
    return sheet.address(Link("", target, Span(sheet.page.source, 0, 0), kind, ()), built) or ""

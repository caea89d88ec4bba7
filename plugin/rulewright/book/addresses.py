"""Finds addresses that no reader can follow: files of one computer, misspelled schemes, links inside of addresses."""

from __future__ import annotations

import re

from ..source import Fix, Problem
from .blocks import is_one_typo
from .page import Link

_SCHEMES = ("http", "https")
_LOCAL_FILE = re.compile(r"file:|[a-z]:[\\/]", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z]{3,7})(://|:/(?!/)|//)(?=[\w\[])", re.IGNORECASE)
_NESTED = re.compile(r"!?\[(?:[^\[\]]*\]\(([^()\s]*)\)|\[([^\[\]|]+)[^\[\]]*\]\])")
_HOST_NAME = re.compile(r"www\.[\w-]+\.[\w./-]+", re.IGNORECASE)


def check_address(link: Link) -> Problem | None:
    """The problem of a link that leads nowhere, whatever the book has."""
    target = link.target.strip()
    if link.kind in ("wiki", "template", "include"):
        return None
    if _LOCAL_FILE.match(target):
        repair = "link to a page of the book, or to an address on the web"
        return _problem(link, "this link goes to a file on one computer, which no reader has", repair)
    if nested := _NESTED.match(target):
        return _problem(link, "the address of this link is a link itself", f"write {nested[1] or nested[2]}")
    if _HOST_NAME.fullmatch(target):
        return _problem(link, f"without https:// this is a file of the book: {target}", f"write https://{target}")
    return _check_scheme(link, target)


def _check_scheme(link: Link, target: str) -> Problem | None:
    """The problem of an address whose beginning is almost `http://` or `https://`."""
    match = _SCHEME.match(target)
    written = match[1].lower() if match else ""
    meant = [written] if written in _SCHEMES else [known for known in _SCHEMES if is_one_typo(written, known)]
    if not match or not meant or (written in _SCHEMES and match[2] == "://"):
        return None
    texts = [f"{scheme}://" for scheme in meant]
    is_certain = len(texts) == 1 and link.span.text == link.target
    fix = Fix(link.span.subspan(0, match.end()), texts[0]) if is_certain else None
    return _problem(link, f"no browser follows {match[0]}", f"write {' or '.join(texts)}", fix)


def _problem(link: Link, message: str, repair: str, fix: Fix | None = None) -> Problem:
    return Problem("link-missing", message, link.span, "error", (repair,), link.trail, fix)

"""The target of a link taken apart, as the tool takes it that the book is written for."""

from __future__ import annotations

import re
from typing import NamedTuple

from .dialects import Dialect
from .model import Link
from .templates import without_base

HASH_ROUTE = re.compile(r"[^#?]*#!?/")
QUERY_ID = re.compile(r"(?:^|&)id=([^&]*)")


class Target(NamedTuple):
    whole: str
    path: str
    anchor: str


def parts(link: Link, dialect: Dialect) -> Target:
    written = link.target
    if dialect.name == "Jekyll" and "{{" in written:
        written = without_base(written) or "/"
    elif dialect.name == "Docusaurus":
        written = re.sub(r"^@site/", "/", written)
    elif dialect.name == "docsify":
        return docsify(written)
    path, _, anchor = written.partition("#")
    return Target(written, without(dialect.base, path.partition("?")[0]), anchor)


def without(base: str, path: str) -> str:
    """A path from the root of the book, where the site lies below an address of its own."""
    inside = base and (path == base or path.startswith(f"{base}/"))
    return (path[len(base) :] or "/") if inside else path


def docsify(written: str) -> Target:
    """`#/combat?id=turns` is the heading `turns` on the page `/combat`."""
    if route := HASH_ROUTE.match(written):
        written = f"/{written[route.end() :]}"
    path, _, anchor = written.partition("#")
    path, _, query = path.partition("?")
    asked = QUERY_ID.search(query)
    return Target(written, path, asked[1] if asked else anchor)

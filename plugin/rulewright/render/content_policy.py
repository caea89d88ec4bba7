"""Content security policy of a site: browsers may run and load only what its pages contain."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

INSIDE = {  # all patterns begin with literal characters, which makes the search fast
    kind: re.compile(rf"<{kind}\b([^>]*)>(.*?)</{kind}\s*>", re.DOTALL) for kind in ("script", "style")
}
ELSEWHERE = re.compile(r"<(script|link|img|iframe|video|audio|source|embed)\b([^>]*//[^>]*)>")
ATTRIBUTE = re.compile(r"""([a-z-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
STYLED = re.compile(r""" style=("[^"]*"|'[^']*')""")
RUNS = ("", "module", "importmap", "speculationrules", "text/javascript", "application/javascript")
FETCHES = {
    "script": "script-src", "img": "img-src", "iframe": "frame-src", "video": "media-src", "audio": "media-src",
    "source": "media-src", "embed": "object-src", "stylesheet": "style-src", "icon": "img-src",
    "preconnect": "font-src", "manifest": "manifest-src",
}  # fmt: skip
ALWAYS = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' data:",
    "font-src": "'self'", "connect-src": "'self'", "worker-src": "'self'", "media-src": "'self'",
    "manifest-src": "'self'", "base-uri": "'self'", "form-action": "'self'",
}  # fmt: skip
BY_HEADER = "; frame-ancestors 'self'"  # browsers ignore this in a meta tag
WANTED = '<meta http-equiv="Content-Security-Policy" content="rulewright">'


class Use(NamedTuple):
    """A source that a page needs: the CSP directive and the source expression to add to it."""

    directive: str
    source: str


def uses(html: str) -> Iterator[Use]:
    """The inline scripts and styles of a page as hashes, and the other hosts that it loads from."""
    for kind, inside in INSIDE.items():
        for attributes, text in inside.findall(html):
            if text and not (kind == "script" and read(attributes).get("type", "").lower() not in RUNS):
                yield Use(f"{kind}-src", hashed(text))
    if " style=" in html:
        for style in set(STYLED.findall(html)):
            yield Use("style-src", "'unsafe-hashes'")
            yield Use("style-src", hashed(unescape(style[1:-1])))
    for tag, attributes in ELSEWHERE.findall(html):
        yield from fetched(tag, read(attributes))


def read(attributes: str) -> dict[str, str]:
    """The attributes of an HTML tag, by their names."""
    return {name.lower(): unescape(value.strip("\"'")) for name, value in ATTRIBUTE.findall(attributes)}


def fetched(tag: str, attributes: dict[str, str]) -> Iterator[Use]:
    """The sources on other hosts that a tag loads."""
    parts = urlsplit(attributes.get("href" if tag == "link" else "src", ""))
    if parts.netloc:
        for word in attributes.get("rel", "").split() if tag == "link" else [tag]:
            if directive := FETCHES.get(word):
                yield Use(directive, f"{parts.scheme or 'https'}://{parts.netloc}")


@lru_cache(maxsize=256)
def hashed(text: str) -> str:
    """The CSP hash of an inline script or style; cached, because most pages of a site contain the same scripts."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def hosts(found: Iterable[Use]) -> list[str]:
    """The other hosts that learn that someone reads the site."""
    return sorted({use.source.partition("//")[2] for use in found if not use.source.startswith("'")})


def policy(found: Iterable[Use]) -> str:
    """The policy as one line; the same sources always give the same line."""
    sources: dict[str, list[str]] = {}
    for directive, source in sorted(set(found)):
        sources.setdefault(directive, []).append(source)
    names = [*ALWAYS, *(name for name in sources if name not in ALWAYS)]
    return "; ".join(" ".join(filter(None, [name, ALWAYS.get(name, ""), *sources.get(name, ())])) for name in names)


def headers(found: Iterable[Use]) -> str:
    """The text of the file `_headers`, as several static hosts read it."""
    return (
        f"/*\n  Content-Security-Policy: {policy(found)}{BY_HEADER}\n"
        "  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n"
    )


def with_policy(html: str, found: Iterable[Use]) -> str:
    """The page with its own policy in its `meta` tag, if it has one, for hosts that cannot send headers."""
    return html.replace(WANTED, WANTED.replace("rulewright", policy(found)), 1)

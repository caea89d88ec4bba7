"""A content security policy: browsers run, show and fetch what the pages of a site hold, and nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

INSIDE = {  # all of these begin with plain letters, which is what makes them quick
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
BY_HEADER = "; frame-ancestors 'self'"  # browsers do not heed this in a page itself
WANTED = '<meta http-equiv="Content-Security-Policy" content="rulewright">'


class Use(NamedTuple):
    """What a page needs: a directive of the policy and one more source for it."""

    directive: str
    source: str


def uses(html: str) -> Iterator[Use]:
    """The scripts and styles that stand in a page, and the other hosts from which it fetches something."""
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
    return {name.lower(): unescape(value.strip("\"'")) for name, value in ATTRIBUTE.findall(attributes)}


def fetched(tag: str, attributes: dict[str, str]) -> Iterator[Use]:
    parts = urlsplit(attributes.get("href" if tag == "link" else "src", ""))
    if parts.netloc:
        for word in attributes.get("rel", "").split() if tag == "link" else [tag]:
            if directive := FETCHES.get(word):
                yield Use(directive, f"{parts.scheme or 'https'}://{parts.netloc}")


@lru_cache(maxsize=256)
def hashed(text: str) -> str:
    """Most pages of a site hold the same scripts."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def hosts(found: Iterable[Use]) -> list[str]:
    """Everybody else who learns that somebody reads the site."""
    return sorted({use.source.partition("//")[2] for use in found if not use.source.startswith("'")})


def policy(found: Iterable[Use]) -> str:
    """As text, in one line; the same uses give the same line."""
    sources: dict[str, list[str]] = {}
    for directive, source in sorted(set(found)):
        sources.setdefault(directive, []).append(source)
    names = [*ALWAYS, *(name for name in sources if name not in ALWAYS)]
    return "; ".join(" ".join(filter(None, [name, ALWAYS.get(name, ""), *sources.get(name, ())])) for name in names)


def headers(found: Iterable[Use]) -> str:
    """The file `_headers`, as several hosts of static sites read it."""
    return (
        f"/*\n  Content-Security-Policy: {policy(found)}{BY_HEADER}\n"
        "  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n"
    )


def with_policy(html: str, found: Iterable[Use]) -> str:
    """A page that asks for it says its own policy, for hosts that cannot send one."""
    return html.replace(WANTED, WANTED.replace("rulewright", policy(found)), 1)

"""Content security policy of a site: browsers may run and load only what its pages contain."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from html import unescape
from typing import NamedTuple
from urllib.parse import urlsplit

_INLINE_ELEMENTS = {  # all patterns begin with literal characters, which makes the search fast
    kind: re.compile(rf"<{kind}\b([^>]*)>(.*?)</{kind}\s*>", re.DOTALL) for kind in ("script", "style")
}
_EXTERNAL_TAG = re.compile(r"<(script|link|img|iframe|video|audio|source|embed)\b([^>]*//[^>]*)>")
_ATTRIBUTE = re.compile(r"""([a-z-]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_HOST_IN_SCRIPT = re.compile(r"""["'`](https://[\w.-]+(?::\d+)?)(?=["'`/?])""")
_LOADED_BY_SCRIPTS = ("script-src", "connect-src", "img-src", "style-src", "font-src", "frame-src")
_LOADED_BY_STYLES = ("style-src", "font-src", "img-src")
_HOST_IN_STYLES = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:)?//([\w.:-]+)""", re.IGNORECASE)
_GOOGLE_FONTS, _GOOGLE_FONT_FILES = "https://fonts.googleapis.com", "https://fonts.gstatic.com"
_DIAGRAM = re.compile(r"""<[a-z]+\b[^>]*\bclass=["']?(?:[^"'>]*\s)?mermaid\b""")
_DIAGRAM_SCRIPT = re.compile(r"<script\b[^>]*\bsrc=[^>]*mermaid", re.IGNORECASE)
_MATERIAL_DIAGRAMS = "https://unpkg.com"  # Material loads Mermaid from there unless the page brings it
_ANALYTICS = "https://www.googletagmanager.com"  # its script reports to further hosts
_ANALYTICS_HOSTS = (
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
    "https://*.googletagmanager.com",
)
_REPOSITORY = re.compile(r'<a\b[^>]*\bdata-md-component="?source\b[^>]*>')  # Material then asks for stars and forks
_STYLED = re.compile(r""" style=("[^"]*"|'[^']*')""")
_SCRIPT_TYPES = ("", "module", "importmap", "speculationrules", "text/javascript", "application/javascript")
_DIRECTIVES = {
    "img": "img-src", "iframe": "frame-src", "video": "media-src", "audio": "media-src",
    "source": "media-src", "embed": "object-src", "icon": "img-src",
    "preconnect": "font-src", "manifest": "manifest-src",
}  # fmt: skip
_DEFAULT_SOURCES = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' data:",
    "font-src": "'self'", "connect-src": "'self'", "worker-src": "'self'", "media-src": "'self'",
    "manifest-src": "'self'", "base-uri": "'self'", "form-action": "'self'",
}  # fmt: skip
_BY_HEADER = "; frame-ancestors 'self'"  # browsers ignore this in a meta tag
POLICY_META = '<meta http-equiv="Content-Security-Policy" content="rulewright">'


class PolicySource(NamedTuple):
    """A source that a page needs: the CSP directive and the source expression to add to it."""

    directive: str
    source: str


_ANY_STYLE = PolicySource("style-src", "'unsafe-inline'")


def find_sources(html: str) -> Iterator[PolicySource]:
    """The inline scripts and styles of a page as hashes, and the other hosts that it loads from."""
    for kind, inside in _INLINE_ELEMENTS.items():
        for attributes, text in inside.findall(html):
            if text and not (
                kind == "script" and _parse_attributes(attributes).get("type", "").lower() not in _SCRIPT_TYPES
            ):
                yield PolicySource(f"{kind}-src", _hash_source(text))
                yield from _hosts_of_script(text) if kind == "script" else find_style_sources(text)
    if " style=" in html:
        for style in set(_STYLED.findall(html)):
            yield PolicySource("style-src", "'unsafe-hashes'")
            yield PolicySource("style-src", _hash_source(unescape(style[1:-1])))
    for tag, attributes in _EXTERNAL_TAG.findall(html):
        yield from _external_sources(tag, _parse_attributes(attributes))
    yield from _sources_on_demand(html)


def _sources_on_demand(html: str) -> Iterator[PolicySource]:
    """What Material loads when it finds certain elements on a page."""
    if "mermaid" in html and _DIAGRAM.search(html):
        yield _ANY_STYLE  # Mermaid sets styles while it draws
        if not _DIAGRAM_SCRIPT.search(html):
            yield PolicySource("script-src", _MATERIAL_DIAGRAMS)
    for link in _REPOSITORY.findall(html):
        host = urlsplit(_parse_attributes(link).get("href", "")).netloc
        if host.endswith("github.com"):
            yield PolicySource("connect-src", "https://api.github.com")
        elif "gitlab" in host:
            yield PolicySource("connect-src", f"https://{host}")


def find_style_sources(css: str) -> Iterator[PolicySource]:
    """The other hosts that a style sheet names."""
    for host in dict.fromkeys(_HOST_IN_STYLES.findall(css)):
        yield from _hosts_of_styles(f"https://{host}")


def _hosts_of_styles(host: str) -> Iterator[PolicySource]:
    """What a style sheet from a host, or a style that names the host, may load."""
    yield from (PolicySource(directive, host) for directive in _LOADED_BY_STYLES)
    if host == _GOOGLE_FONTS:
        yield PolicySource("font-src", _GOOGLE_FONT_FILES)


def _hosts_of_script(text: str) -> Iterator[PolicySource]:
    """The hosts that an inline script names, such as that of an analytics program which the theme loads."""
    for host in dict.fromkeys(_HOST_IN_SCRIPT.findall(text)):
        yield from (PolicySource(directive, host) for directive in _LOADED_BY_SCRIPTS)
        if host == _ANALYTICS:
            for other in _ANALYTICS_HOSTS:
                yield from (PolicySource(directive, other) for directive in ("connect-src", "img-src"))


def _parse_attributes(attributes: str) -> dict[str, str]:
    """The attributes of an HTML tag, by their names."""
    return {name.lower(): unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(attributes)}


def _external_sources(tag: str, attributes: dict[str, str]) -> Iterator[PolicySource]:
    """The sources on other hosts that a tag loads."""
    parts = urlsplit(attributes.get("href" if tag == "link" else "src", ""))
    if parts.netloc:
        for word in attributes.get("rel", "").split() if tag == "link" else [tag]:
            host = f"{parts.scheme or 'https'}://{parts.netloc}"
            if word == "script":
                yield from (PolicySource(directive, host) for directive in _LOADED_BY_SCRIPTS)
            elif word == "stylesheet":
                yield from _hosts_of_styles(host)
            elif directive := _DIRECTIVES.get(word):
                yield PolicySource(directive, host)


def _hash_source(text: str) -> str:
    """The CSP hash of an inline script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def external_hosts(page_sources: Iterable[PolicySource]) -> list[str]:
    """The other hosts that learn that someone reads the site."""
    return sorted({use.source.partition("//")[2] for use in page_sources if not use.source.startswith("'")})


def policy_text(page_sources: Iterable[PolicySource]) -> str:
    """The policy as one line; the same sources always give the same line."""
    needed = set(page_sources)
    if _ANY_STYLE in needed:  # browsers ignore it beside hashes
        needed = {use for use in needed if use.directive != "style-src" or use.source[0] != "'"} | {_ANY_STYLE}
    sources: dict[str, list[str]] = {}
    for directive, source in sorted(needed):
        sources.setdefault(directive, []).append(source)
    names = [*_DEFAULT_SOURCES, *(name for name in sources if name not in _DEFAULT_SOURCES)]
    return "; ".join(
        " ".join(filter(None, [name, _DEFAULT_SOURCES.get(name, ""), *sources.get(name, ())])) for name in names
    )


def headers_text(page_sources: Iterable[PolicySource]) -> str:
    """The text of the file `_headers`, as several static hosts read it."""
    return (
        f"/*\n  Content-Security-Policy: {policy_text(page_sources)}{_BY_HEADER}\n"
        "  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n"
    )


def insert_policy(html: str, page_sources: Iterable[PolicySource]) -> str:
    """The page with its own policy in its `meta` tag, if it has one, for hosts that cannot send headers."""
    return html.replace(POLICY_META, POLICY_META.replace("rulewright", policy_text(page_sources)), 1)

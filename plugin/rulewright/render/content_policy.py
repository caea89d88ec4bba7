"""Content security policy of a site: browsers may run and load only what its pages contain."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

from .finished_page import HtmlTag

_HOST_IN_SCRIPT = re.compile(r"""["'`](https://[\w.-]+(?::\d+)?)(?=["'`/?])""")
_LOADING_TAGS = ("script", "link", "img", "iframe", "video", "audio", "source", "embed")
_LOADED_BY_SCRIPTS = ("script-src", "connect-src", "img-src", "style-src", "font-src", "frame-src")
_LOADED_BY_STYLES = ("style-src", "font-src", "img-src")
_HOST_IN_STYLES = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:)?//([\w.:-]+)""", re.IGNORECASE)
_GOOGLE_FONTS, _GOOGLE_FONT_FILES = "https://fonts.googleapis.com", "https://fonts.gstatic.com"
_MATERIAL_DIAGRAMS = "https://unpkg.com"  # Material loads Mermaid from there unless the page brings it
_ANALYTICS = "https://www.googletagmanager.com"  # its script reports to further hosts
_ANALYTICS_HOSTS = (
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
    "https://*.googletagmanager.com",
)
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


def find_sources(tags: Sequence[HtmlTag]) -> Iterator[PolicySource]:
    """The inline scripts and styles of a page as hashes, and the other hosts that it loads from."""
    for tag in tags:
        if tag.text and (tag.name == "style" or tag.attributes.get("type", "").lower() in _SCRIPT_TYPES):
            yield PolicySource(f"{tag.name}-src", _hash_source(tag.text))
            yield from _hosts_of_script(tag.text) if tag.name == "script" else find_style_sources(tag.text)
        if "style" in tag.attributes:
            yield PolicySource("style-src", "'unsafe-hashes'")
            yield PolicySource("style-src", _hash_source(tag.attributes["style"]))
        yield from _external_sources(tag)
        yield from _sources_on_demand(tag)
    if any(map(_is_diagram, tags)):
        yield _ANY_STYLE  # Mermaid sets styles while it draws
        if not any(tag.name == "script" and "mermaid" in tag.attributes.get("src", "").lower() for tag in tags):
            yield PolicySource("script-src", _MATERIAL_DIAGRAMS)


def _is_diagram(tag: HtmlTag) -> bool:
    return "mermaid" in tag.attributes.get("class", "").split()


def _sources_on_demand(tag: HtmlTag) -> Iterator[PolicySource]:
    """Where Material asks for the stars and forks of the repository that a page links."""
    if tag.name == "a" and tag.attributes.get("data-md-component") == "source":
        host = urlsplit(tag.attributes.get("href", "")).netloc
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


def _external_sources(tag: HtmlTag) -> Iterator[PolicySource]:
    """The sources on other hosts that an element loads."""
    if tag.name not in _LOADING_TAGS:
        return
    parts = urlsplit(tag.attributes.get("href" if tag.name == "link" else "src", ""))
    if parts.netloc:
        for word in tag.attributes.get("rel", "").split() if tag.name == "link" else [tag.name]:
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

"""Judges links as MkDocs publishes them: it resolves only paths of files, and knows only the ids of its own pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, unquote

from ..project import is_page_name
from ..source import Fix, Problem, Span
from .anchors import host_ids
from .dialects import split_target
from .host import Host
from .page import Link, Page
from .resolver import DeadLink, LinkResolver, LinkTarget

_RAW_SOURCE = re.compile(r"src\s*=\s*[\"']?\Z", re.IGNORECASE)
_RAW_SOURCE_LENGTH = 20  # characters before the value of `src` that are read
_SAFE_CHARACTERS = "/#~:@!$&'*+,;=äöüßÄÖÜéèêàçñ"


@dataclass(frozen=True, slots=True)
class ForeignLink:
    """A link that works in another tool but not in the site, and what it means."""

    target: LinkTarget
    is_page_found: bool  # does the site resolve the path? Then only the anchor is that of another tool


_Verdict = LinkTarget | DeadLink | ForeignLink | None


def resolve_on_host(resolver: LinkResolver, link: Link, page: Page) -> _Verdict:
    """Resolve a link as the site of the book does; None for targets that are outside of it or cannot be judged."""
    result, host, path = resolver.resolve(link, page), resolver.host, resolver.path(page)
    if host is None or result is None or not link.target.strip():
        return result
    if path not in resolver.anchors or resolver.anchors[path].page is not page:
        return result  # a link in a game, which Rulewright resolves
    if path.startswith("../"):
        return result  # a page outside of the site, such as a README, which links to files
    own = host.find_destination(path)
    if own is None or _is_navigation(host, resolver, link, path):
        return None
    if isinstance(result, LinkTarget) and result.is_moved:
        return result
    target = split_target(link, resolver.dialect)
    if not host.renders(path, page):
        return _judge_anchor(host, resolver, result, unquote(target.anchor), False)
    if link.kind == "wiki" and not host.settings.wiki_links:  # the site shows it as text
        return ForeignLink(result, False) if isinstance(result, LinkTarget) and result.page else None
    verdict = _resolve_path(host, resolver, link, page, own, result)
    if not isinstance(verdict, ForeignLink):
        verdict = _judge_anchor(host, resolver, verdict, unquote(target.anchor), link.kind != "wiki")
    is_wrong = isinstance(verdict, ForeignLink | DeadLink)
    return None if is_wrong and host.site and not _is_in_page(host, own, link, verdict) else verdict


def _is_navigation(host: Host, resolver: LinkResolver, link: Link, path: str) -> bool:
    """Whether a link is a folder or a pattern in a page that is the navigation of the site."""
    if not host.settings.nav_file or posixpath.basename(path) != host.settings.nav_file:
        return False
    folder = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(link.target)))
    return "*" in link.target or (link.target.endswith("/") and folder in resolver.page_folders | {"."})


def _resolve_path(
    host: Host, resolver: LinkResolver, link: Link, page: Page, own: str, result: LinkTarget | DeadLink
) -> _Verdict:
    """Resolve the path of a link by the rules of MkDocs; `result` is what it means in any dialect."""
    target = split_target(link, resolver.dialect)
    path, written, anchor = resolver.path(page), unquote(target.path), unquote(target.anchor)
    is_raw = is_raw_html(link)
    if link.kind == "wiki" or (is_raw and host.settings.id_makers):  # a plugin or a hook may rewrite it
        return result
    place = _find_place(host, resolver, written, path, own, is_raw) if written else path
    if place is None:
        is_unpublished = _leads_to_unpublished(host, resolver, result, written, own)
        is_outside = result.path.startswith("../") and bool(host.settings.id_makers)  # a hook may turn it into a URL
        if is_unpublished or is_outside:
            return None
        if isinstance(result, LinkTarget) and result.path == path:  # its own folder, as a browser understands the path
            return DeadLink(posixpath.normpath(posixpath.join(posixpath.dirname(path), written)), anchor, None)
        return ForeignLink(result, False) if isinstance(result, LinkTarget) else result
    return resolver.resolve_anchor(place, anchor, is_wiki=False) if place in resolver.anchors else None


def _find_place(host: Host, resolver: LinkResolver, written: str, path: str, own: str, is_raw: bool) -> str | None:
    """The page or file that a path means: a file, seen from that of the page, or what a browser finds in the site."""
    if not is_raw and (not written.startswith("/") or host.settings.absolute_from_docs):
        folder = "" if written.startswith("/") else posixpath.dirname(path)
        joined = posixpath.normpath(posixpath.join(folder, written.lstrip("/")))
        sources = [] if joined.startswith("../") else list(host.settings.translations(joined, path))
        page = next((source for source in sources if source in resolver.anchors), None)
        if source := page or next((source for source in sources if _has_file(host, resolver, source)), None):
            return source
    address = host.resolve_url(own, written)
    for file in (address, posixpath.join(address, "index.html")) if address else ():
        if file in resolver.pages_by_destination:
            return resolver.pages_by_destination[file]
        if file in host.settings.redirects or (host.site and host.site.has_file(file)):
            return file
        if not is_page_name(file) and resolver.has_file(file):
            return file
    return None


def _has_file(host: Host, resolver: LinkResolver, source: str) -> bool:
    """Whether there is such a file, on the disk or, made by a plugin, in the finished site."""
    if resolver.has_file(source):
        return True
    is_page = source.endswith(".md")
    return bool(is_page and host.site and any(map(host.site.has_file, host.settings.destinations(source))))


def _leads_to_unpublished(
    host: Host, resolver: LinkResolver, result: LinkTarget | DeadLink, written: str, own: str
) -> bool:
    """Whether a link leads to a page of the book that is not in the site."""
    if result.page and not result.path.startswith("../") and host.find_destination(result.path) is None:
        return True
    address = host.resolve_url(own, written)
    return bool(address) and address in resolver.unpublished_destinations


def _judge_anchor(host: Host, resolver: LinkResolver, result: _Verdict, anchor: str, is_host: bool) -> _Verdict:
    """Judge an anchor by the ids of the finished page, or without one by the ids that the host gives headings."""
    if not isinstance(result, LinkTarget | DeadLink) or not result.page:
        return result
    destination = host.find_destination(result.path)
    if destination is None:
        return None
    if isinstance(result, LinkTarget) and not anchor:
        return result
    if host.site:
        ids = host.site.page(destination).ids
        if anchor in ids or quote(anchor) in ids or anchor == "top":
            return LinkTarget(result.path, result.page, anchor, getattr(result, "heading", None))
        if isinstance(result, LinkTarget) and not ids.isdisjoint(_ids_of(host, result)):
            return ForeignLink(result, True) if is_host else result
        return DeadLink(result.path, anchor, result.page)
    if isinstance(result, LinkTarget) and not _is_known(resolver, result.path, anchor):
        return DeadLink(result.path, anchor, result.page)
    is_foreign = is_host and isinstance(result, LinkTarget) and result.heading and result.anchor != anchor
    if is_foreign and not host.adds_anchors and resolver.anchors[result.path].ids_in_site:
        assert isinstance(result, LinkTarget)
        return ForeignLink(result, True)
    return result


def _is_known(resolver: LinkResolver, path: str, anchor: str) -> bool:
    """Whether a page, or one that it includes, has an anchor; what other files have is not known."""
    pages = (path, *resolver.included_pages(path))
    return any(page is not None and resolver.anchors[page].find(anchor) for page in pages)


def _ids_of(host: Host, target: LinkTarget) -> Iterator[str]:
    """The ids that a heading may have in the site."""
    yield target.anchor
    if target.heading and target.page and host.settings.slugs:
        yield host_ids(target.page, host.settings.slugs, reads_hashes=False)[target.heading.id]


def _is_in_page(host: Host, own: str, link: Link, verdict: _Verdict) -> bool:
    """Whether the finished page has this link: a plugin may have replaced it, or the host may show it as text."""
    assert host.site
    if link.kind == "wiki":
        return True
    if isinstance(verdict, ForeignLink) and not verdict.is_page_found:
        return host.has_target(own, link.target)
    assert isinstance(verdict, ForeignLink | DeadLink)
    found = verdict.target if isinstance(verdict, ForeignLink) else verdict
    destination = host.find_destination(found.path) if found.page else None
    written = link.target.partition("#")[2]
    return host.has_link(own, destination, written) if destination else host.has_target(own, link.target)


def is_raw_html(link: Link) -> bool:
    """Whether a link is an HTML tag, which MkDocs leaves as it is."""
    before = link.span.source.text[max(link.span.start - _RAW_SOURCE_LENGTH, 0) : link.span.start]
    return link.kind == "html" or (link.kind == "image" and _RAW_SOURCE.search(before) is not None)


def foreign_problem(resolver: LinkResolver, page: Page, link: Link, foreign: ForeignLink) -> Problem:
    """The problem of a link that the site does not resolve; the fix is the link that it does."""
    target, written = foreign.target, link.target.partition("#")
    if foreign.is_page_found:
        heading = "this heading" if target.page is page else f"this heading of {target.path}"
        message = f"in the site, {heading} has the id #{target.anchor}, not #{written[2]}"
        fix: Fix | None = Fix(link.span.subspan(len(written[0]) + 1, len(link.target)), target.anchor)
    else:
        text = _host_target(resolver, page, link, target)
        message = _path_message(link, target, text)
        fix = _wiki_fix(link, text) if link.kind == "wiki" else Fix(link.span, text)
    is_verbatim = link.span.text == link.target and not target.path.startswith("../")
    return Problem("link-dialect", message, link.span, trail=link.trail, fix=fix if is_verbatim else None)


def _path_message(link: Link, target: LinkTarget, text: str) -> str:
    written = link.target.partition("#")[0] or link.target
    if target.path.startswith("../"):
        return f"{written} is outside of the folder of the pages, so the site does not have it"
    if link.kind == "wiki":
        return f"this site shows [[{link.target}]] as text; write [{link.text}]({text})"
    if is_raw_html(link):
        return f"MkDocs leaves HTML as it is, so {written} leads nowhere in the site; write {text}"
    return f"this site does not resolve {written}; write {text}"


def _host_target(resolver: LinkResolver, page: Page, link: Link, target: LinkTarget) -> str:
    """The target that the site resolves: the path of a file, or in HTML an address."""
    anchor = f"#{target.anchor}" if target.anchor else ""
    path = resolver.path(page)
    if target.path == path and anchor:
        return anchor
    if not is_raw_html(link):
        return quote(resolver.relative_path(target.path, page), _SAFE_CHARACTERS) + anchor
    assert resolver.host
    own = resolver.host.find_destination(path) or path
    file = (resolver.host.find_destination(target.path) if target.page else None) or target.path
    address = posixpath.relpath(file, posixpath.dirname(own) or ".")
    if resolver.host.settings.directories and posixpath.basename(address) == "index.html":
        address = (posixpath.dirname(address) or ".") + "/"
    return quote(address, _SAFE_CHARACTERS) + anchor


def _wiki_fix(link: Link, text: str) -> Fix | None:
    """The whole wiki link as a link of the site; None for an embedded page."""
    source, start = link.span.source, link.span.start - 2
    end = source.text.find("]]", link.span.end) + 2
    if end < 2 or source.text[start : start + 2] != "[[" or source.text[start - 1 : start] == "!":
        return None
    return Fix(Span(source, start, end), f"[{link.text}]({text})")

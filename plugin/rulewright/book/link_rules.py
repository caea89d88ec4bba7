"""Infers by which rules the links of a book are resolved: the rule set that explains most of them wins."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, Protocol
from urllib.parse import unquote

from .anchors import Slug
from .dialects import DIALECTS, DIALECTS_BY_NAME, Dialect, strip_numbers
from .name_index import NameIndex
from .page import Link, Page

_MAX_LINKS = 400  # of each kind, spread over the book
_MAX_DISTINCT = 4_000
_MIN_LINKS = 3  # that a rule must explain to be accepted
_MIN_QUESTION = 10  # dead links of a kind that mostly fails; fewer are listed
_HABIT = 5  # a leniency counts if it explains one of so many wiki links
MEDIA = (
    *(".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp"),
    *(".pdf", ".epub", ".mobi", ".zip", ".docx", ".odt", ".mp3", ".mp4"),
    *(".canvas", ".base", ".excalidraw", ".m4a", ".ogg", ".wav", ".webm", ".mov"),  # which Obsidian embeds
)
_DOCSIFY_TARGET = re.compile(r"[^:?#]*\.md\?id=")
_PATH_KINDS = ("root", "relative", "folder", "name")
_KINDS = {
    "root": "that begin with /",
    "relative": "that begin with ./ or ../",
    "folder": "that name a folder and a page",
    "name": "that are only a name",
    "wiki": "in double brackets",
    "media": "to pictures and downloads",
}
_REPAIRS = {"root": "if they count from another folder, check that folder: `rulewright check FOLDER`"}
_DEFAULT_REPAIR = "if a tool makes these pages, check its finished site: `rulewright check --site DIR`"

_MEDIA_QUESTION = "the folder does not have the pictures and downloads of its links, so those were not checked"

_Places = Sequence[tuple[Link, Page]]


class _Resolver(Protocol):
    """What is asked of a resolver with the rules of one dialect."""

    dialect: Dialect
    name_index: NameIndex

    @property
    def files_by_name(self) -> Mapping[str, Sequence[str]]: ...
    def path(self, page: Page) -> str: ...
    def is_external(self, link: Link) -> bool: ...
    def finds_path(self, link: Link, page: Page) -> bool: ...
    def lacks_anchor(self, link: Link, page: Page) -> bool: ...
    def page_at(self, path: str) -> str | None: ...
    def page_by_title(self, name: str) -> str | None: ...
    def page_by_text(self, link: Link) -> str | None: ...


class LinkRules(NamedTuple):
    """The rules for the links of a book, how many of its links they explain, and which kinds they do not explain."""

    dialect: Dialect = Dialect()
    explained: int = 0
    looked_at: int = 0
    questions: Mapping[str, str] = MappingProxyType({})  # about the kinds of links that mostly fail


def link_kind(link: Link, dialect: Dialect) -> str:
    """The kind of a link by how it is written; empty for those that no rule for paths decides."""
    target = dialect.strip(link.target)
    if link.kind in ("autolink", "template", "include") or target.startswith("#") or not target.strip():
        return ""
    if link.kind == "image" or target.partition("#")[0].lower().endswith(MEDIA):
        return "media"
    if link.kind == "wiki":
        return "wiki"
    if target.startswith(("/", "./", "../")):
        return "root" if target.startswith("/") else "relative"
    return "folder" if "/" in target.partition("#")[0].rstrip("/") else "name"


def infer_rules(marked: Dialect, pages: Sequence[Page], make_resolver: Callable[[Dialect], _Resolver]) -> LinkRules:
    """Choose the rules of a book; those of the tool whose mark it has win unless others explain much more."""
    if not marked.name and _asks_for_headings(pages):
        marked = DIALECTS_BY_NAME["docsify"]
    resolver = make_resolver(marked)
    samples = _sample_links(resolver, pages)
    resolver = _find_places(resolver, _distinct_links(resolver, pages), make_resolver)
    roots, has_numbers = resolver.dialect.roots, resolver.dialect.has_numbers
    found = _count_found(resolver, samples)
    failing = {kind for kind, places in samples.items() if _mostly_fails(len(places), found[kind])}
    best = _MIN_LINKS - 1
    for dialect in sorted(DIALECTS, key=lambda dialect: dialect.by_name != ("wiki" in samples)) if failing else ():
        if dialect.name in ("MkDocs", marked.name):
            continue
        other = make_resolver(dialect._replace(roots=roots, has_numbers=has_numbers))
        counts = _count_found(other, samples)
        gain = sum(
            counts[kind] - found[kind]
            for kind, places in samples.items()
            if counts[kind] < found[kind] or (kind in failing and not _mostly_fails(len(places), counts[kind]))
        )
        if gain > best:
            best, resolver = gain, other
    dialect = _find_habits(resolver, samples.get("wiki", ()))
    slugs = (*resolver.dialect.slugs, *_find_slugs(resolver, _sample_anchors(resolver, pages), make_resolver))
    return _with_questions(make_resolver(dialect._replace(slugs=slugs)), samples)


def _asks_for_headings(pages: Iterable[Page]) -> bool:
    """Whether links ask for headings of files as only docsify does: `combat.md?id=turns`."""
    asking = (link for page in pages for link in page.links if _DOCSIFY_TARGET.match(link.target))
    return len(list(islice(asking, _MIN_LINKS))) == _MIN_LINKS


def _mostly_fails(count: int, found: int) -> bool:
    return count >= _MIN_LINKS and found * 2 <= count


def _sample_links(resolver: _Resolver, pages: Iterable[Page]) -> dict[str, _Places]:
    """Links inside of the book by kind."""
    places: dict[str, list[tuple[Link, Page]]] = defaultdict(list)
    for page in pages:
        for link in page.links:
            kind = link_kind(link, resolver.dialect)
            if kind and not resolver.is_external(link):
                places[kind].append((link, page))
    return {kind: links[:: -(-len(links) // _MAX_LINKS)] for kind, links in places.items()}


def _count_found(resolver: _Resolver, samples: dict[str, _Places]) -> dict[str, int]:
    return {kind: sum(resolver.finds_path(link, page) for link, page in places) for kind, places in samples.items()}


def _distinct_links(resolver: _Resolver, pages: Iterable[Page]) -> _Places:
    """Links to pages, one for each path that a folder has: thousands may go from one folder to one page."""
    places = dict[tuple[str, str], tuple[Link, Page]]()
    for page in pages:
        folder = posixpath.dirname(page.source.path)
        for link in page.links:
            if link_kind(link, resolver.dialect) in _PATH_KINDS and not resolver.is_external(link):
                places.setdefault((folder, link.target.partition("#")[0]), (link, page))
    return list(places.values())[:: -(-len(places) // _MAX_DISTINCT) or 1]


def _find_places(resolver: _Resolver, places: _Places, make_resolver: Callable[[Dialect], _Resolver]) -> _Resolver:
    """The resolver with the folders that paths count from, and without numbers if that explains more."""

    def with_roots(resolver: _Resolver) -> _Resolver:
        roots = _find_roots(resolver, places)
        return make_resolver(resolver.dialect._replace(roots=roots)) if roots else resolver

    def count_found(resolver: _Resolver) -> int:
        return sum(resolver.finds_path(link, page) for link, page in places)

    plain = with_roots(resolver)
    if not any(strip_numbers(path) != path for _, page in places if (path := resolver.path(page))):
        return plain
    numbered = with_roots(make_resolver(resolver.dialect._replace(has_numbers=True)))
    return numbered if count_found(numbered) - count_found(plain) >= _MIN_LINKS else plain


def _find_roots(resolver: _Resolver, places: _Places) -> tuple[str, ...]:
    """Folders from which most links of their own pages that begin with / count, as in a site made of that folder.

    Links that no folder explains say nothing: an archive may have lost half of its pages."""
    totals, explained, found = Counter[str](), Counter[str](), Counter[str]()
    for link, page in places:
        if link_kind(link, resolver.dialect) != "root":
            continue
        written = unquote(link.target.partition("#")[0].partition("?")[0]).strip("/")
        is_found = resolver.finds_path(link, page)
        folders = list(_folders_above(resolver.path(page)))
        explaining = {folder for folder in folders if resolver.page_at(posixpath.join(folder, written))}
        explained.update(explaining)
        if explaining or is_found:
            totals.update(folders)
        if is_found:
            found.update(folders)
    return tuple(
        folder
        for folder, number in explained.items()
        if number - found[folder] >= _MIN_LINKS and not _mostly_fails(totals[folder], number)
    )


def _folders_above(path: str) -> Iterator[str]:
    folder = posixpath.dirname(path)
    while folder and not folder.startswith(".."):
        yield folder
        folder = posixpath.dirname(folder)


def _sample_anchors(resolver: _Resolver, pages: Iterable[Page]) -> _Places:
    """Links with anchors, spread over the book, that lead nowhere by the rules so far."""
    places = [(link, page) for page in pages for link in page.links if "#" in link.target]
    sample = places[:: -(-len(places) // _MAX_LINKS) or 1]
    return [(link, page) for link, page in sample if resolver.lacks_anchor(link, page)]


def _find_slugs(resolver: _Resolver, dead: _Places, make_resolver: Callable[[Dialect], _Resolver]) -> Iterator[Slug]:
    """The slug rule of another tool, if most anchors that lead nowhere follow it."""
    slugs = dict.fromkeys(slug for dialect in DIALECTS for slug in dialect.slugs)
    for slug in slugs if len(dead) >= _MIN_LINKS else ():
        other = make_resolver(resolver.dialect._replace(slugs=(slug,)))
        number = sum(not other.lacks_anchor(link, page) for link, page in dead)
        if number >= _MIN_LINKS and number * 2 > len(dead):
            yield slug
            return


def _find_habits(resolver: _Resolver, places: _Places) -> Dialect:
    """The dialect with the leniencies that this book uses for wiki links: titles or headings, and the text first."""
    missing = [(link, page) for link, page in places if not resolver.finds_path(link, page)]

    def is_habit(find: Callable[[Link, Page], object]) -> bool:
        number = sum(bool(find(link, page)) for link, page in missing)
        return number > 0 and number * _HABIT >= len(places)

    return resolver.dialect._replace(
        has_titles=is_habit(lambda link, _page: resolver.page_by_title(link.target)),
        has_swapped=is_habit(lambda link, _page: resolver.page_by_text(link)),
        has_headings=is_habit(lambda link, page: resolver.name_index.nearest(link.target, resolver.path(page))),
    )


def _with_questions(resolver: _Resolver, samples: dict[str, _Places]) -> LinkRules:
    """The rules with what to ask about each kind of link that they mostly fail to explain."""
    found = _count_found(resolver, samples)
    questions = {}
    for kind, places in samples.items():
        if kind == "media" and not found[kind]:
            if _lacks_media(resolver, places):
                questions[kind] = _MEDIA_QUESTION
        elif kind == "root" and resolver.dialect.roots:
            continue  # where these links count from is known, so what is missing is missing
        elif len(places) - found[kind] >= _MIN_QUESTION and _mostly_fails(len(places), found[kind]):
            share = f"{len(places) - found[kind]} of {len(places)}"
            questions[kind] = f"{share} links {_KINDS[kind]} lead nowhere; {_REPAIRS.get(kind, _DEFAULT_REPAIR)}"
    counted = [kind for kind in samples if kind not in questions]
    total = sum(len(samples[kind]) for kind in counted)
    return LinkRules(resolver.dialect, sum(found[kind] for kind in counted), total, questions)


def _lacks_media(resolver: _Resolver, places: _Places) -> bool:
    """Whether a book came without its pictures and downloads: it has fewer than are linked, and none of their names.

    A file of that name in another folder is evidence of a wrong path, and a badge is no picture of the book."""
    targets = {resolver.dialect.strip(link.target).partition("#")[0].partition("?")[0] for link, _ in places}
    names = {posixpath.basename(unquote(target)).lower() for target in targets}
    owned = sum(name.endswith(MEDIA) for name in resolver.files_by_name)
    return len(targets) > owned and names.isdisjoint(resolver.files_by_name)


def ask_about_media(resolver: _Resolver, pages: Iterable[Page]) -> LinkRules:
    """The rules of a book whose site decides how links are resolved, with the question about missing pictures."""
    places = _sample_links(resolver, pages).get("media", ())
    is_missing = bool(places) and not any(resolver.finds_path(link, page) for link, page in places)
    questions = {"media": _MEDIA_QUESTION} if is_missing and _lacks_media(resolver, places) else {}
    return LinkRules(resolver.dialect, questions=questions)

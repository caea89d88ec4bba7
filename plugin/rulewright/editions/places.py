"""Where headings and pages are now that links know by an old place, and the links that have to be mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..book import ways
from ..book.atlas import Lost, Place
from ..book.boundaries import same_book
from ..book.model import Link, Page
from ..book.repairs import way_to
from ..text import Fix, Span
from .headings import Shift
from .sections import sections
from .sides import Side

Where = tuple[str, str]  # a page, from the root of the book, and an id on it; no id for the page itself


@dataclass(frozen=True)
class Stale:
    """A link to an old place: where it leads now, and the edit that mends it where that can be written."""

    span: Span
    old: Where
    new: Where
    fix: Fix | None


def learned(old: Side, new: Side, shifts: Iterable[Shift]) -> dict[Where, Where]:
    """Old places with the new ones, as links of the newer book would name them; those that still exist are no news."""
    found = {one.old: one.new for one in shifts if one.lost}
    found |= {(before, ""): (after, "") for before, after in pages_moved(old, new, found).items()}
    anchors = {leaf.path: new.atlas.anchors[new.atlas.path(leaf.page)].exact for leaf in new.leaves}
    return {
        (new.from_root(before), name): (new.from_root(after), other)
        for (before, name), (after, other) in found.items()
        if name not in anchors.get(before, ()) and same_book(new.atlas, new.from_root(before), new.from_root(after))
    }


def pages_moved(old: Side, new: Side, found: Mapping[Where, Where]) -> dict[str, str]:
    """A page that is gone is now the one that has most of its headings."""
    gone = {leaf.path: Counter[str]() for leaf in old.leaves if leaf.path not in new.by_path}
    sizes = Counter(section.path for section in sections(old))
    for (before, _), (after, _) in found.items():
        if before in gone:
            gone[before][after] += 1
    most = {path: counted.most_common(1)[0] for path, counted in gone.items() if counted}
    return {path: after for path, (after, times) in most.items() if 2 * times >= sizes[path]}


def stale_links(new: Side, places: Mapping[Where, Where]) -> list[Stale]:
    """In the whole book: links from other pages are broken as well."""
    if not places:
        return []
    return [one for page in new.atlas.pages for link in page.links for one in stale(new, page, link, places)]


def stale(new: Side, page: Page, link: Link, places: Mapping[Where, Where]) -> Iterator[Stale]:
    lost = new.atlas.resolve(link, page)
    if not isinstance(lost, Lost):
        return
    for path in ways.files(lost.path):
        for key in ((path, lost.anchor), (path, "")):
            if key in places:
                meant = places[key] if key[1] or not lost.anchor else (places[key][0], lost.anchor)
                if meant[1] in new.atlas.anchors[meant[0]].exact:
                    fix = mended(new, page, link, meant) if same_book(new.atlas, path, meant[0]) else None
                    yield Stale(link.span, (path, lost.anchor), meant, fix)
                    return


def mended(new: Side, page: Page, link: Link, meant: Where) -> Fix | None:
    if link.span.text != link.target or link.kind in ("wiki", "autolink", "image"):
        return None
    return Fix(link.span, way_to(new.atlas, page, Place(meant[0], None, meant[1])))

"""Links that lead nowhere and of which it is certain what was meant."""

from __future__ import annotations

import posixpath
from typing import NamedTuple
from urllib.parse import quote, unquote

from ..text import Fix, Span, nearest
from . import slugs
from .atlas import Atlas, Lost, Place
from .boundaries import same_book, side_by_side
from .model import Link, Page

BY_PATH = ("", "MkDocs", "mdBook", "Docusaurus", "VitePress", "GitBook", "Obsidian")  # here `page.md#id` is a link
KEPT = "/#~:@!$&'*+,;=äöüßÄÖÜéèêàçñ"


class Repair(NamedTuple):
    note: str
    fix: Fix


def certain(atlas: Atlas, page: Page, link: Link, lost: Lost) -> Repair | None:
    if link.span.text != link.target or link.kind in ("wiki", "autolink"):
        return None
    if lost.page:
        return respelled(atlas, link, lost) or moved(atlas, page, link, lost)
    return other_case(atlas, link, lost) if lost.is_page and lost.path else None


def respelled(atlas: Atlas, link: Link, lost: Lost) -> Repair | None:
    """The same letters, or the text of a heading with an id of its own; tools differ in capitals and hyphens only."""
    anchors = atlas.anchors[lost.path]
    same = anchors.by_letters.get(slugs.letters(lost.anchor)) or [
        one.id for one in anchors.by_text.get(lost.anchor, ())
    ]
    before, mark, written = link.target.partition("#")
    if len(same) != 1 or not mark or unquote(written) != lost.anchor:
        return None
    return Repair(f"did you mean #{same[0]}?", Fix(link.span.part(len(before) + 1, len(link.target)), same[0]))


def moved(atlas: Atlas, page: Page, link: Link, lost: Lost) -> Repair | None:
    """No other heading in the whole book has this id."""
    homes = [home for home in atlas.homes.get(lost.anchor, ()) if atlas.anchors[home].exact[lost.anchor]]
    written, mark, _ = link.target.partition("#")
    if (
        len(homes) != 1
        or other_meaning(atlas, lost, homes[0])
        or atlas.dialect.name not in BY_PATH
        or not mark
        or (written and not written.endswith(".md"))
    ):
        return None
    here = homes[0] == atlas.path(page)
    path = atlas.as_written(homes[0], page)
    text = quote("" if here else path, KEPT) + f"#{lost.anchor}"
    return Repair(f"{'this page' if here else path} has #{lost.anchor}", Fix(link.span, text))


def other_meaning(atlas: Atlas, lost: Lost, home: str) -> bool:
    """Whether the heading with this id may be another one: of another book, or beside one that is named nearly so."""
    if not side_by_side(lost.path, home) or not same_book(atlas, lost.path, home):
        return True
    name, known = lost.anchor, [anchor for anchor in atlas.anchors[lost.path].exact if anchor]
    longer = any(anchor.startswith(f"{name}-") or name.startswith(f"{anchor}-") for anchor in known)
    return (
        longer
        or nearest(name, (one for one in known if one[:1] == name[:1] and abs(len(one) - len(name)) <= 2)) is not None
    )


def way_to(atlas: Atlas, page: Page, place: Place) -> str:
    """How an author links from a page to a place."""
    here = place.path == atlas.path(page) and place.anchor
    path = "" if here else quote(atlas.as_written(place.path, page), KEPT)
    return path + (f"#{place.anchor}" if place.anchor else "")


def other_case(atlas: Atlas, link: Link, lost: Lost) -> Repair | None:
    """A page whose path differs in nothing but capitals: some disks do not mind, servers do."""
    path = atlas.paths_in_small_letters.get(lost.path.lower(), "")
    written = link.target.partition("#")[0]
    if not path or "%" in written or posixpath.basename(written).lower() != posixpath.basename(path).lower():
        return None
    size = len(common_end(written, path))
    span = Span(link.span.source, link.span.start + len(written) - size, link.span.start + len(written))
    return Repair(f"its name is {path[-size:]}: on most servers capitals count", Fix(span, path[-size:]))


def common_end(one: str, other: str) -> str:
    """The last folders of two paths that differ in capitals only."""
    size = 0
    for mine, its in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if mine.lower() != its.lower():
            break
        size += len(mine) + 1
    return one[-min(size - 1, len(one), len(other)) :]

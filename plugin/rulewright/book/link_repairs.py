"""What dead links may mean: repairs that are certain, and hints."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, unquote

from ..source import Fix, Span, find_similar
from .anchors import letters_only
from .blocks import edit_distance
from .page import Link, Page
from .resolver import DeadLink, LinkResolver, LinkTarget, file_name
from .same_book import is_nearby, same_book, side_by_side

_PATH_DIALECTS = ("", "MkDocs", "mdBook", "Docusaurus", "VitePress", "GitBook", "Obsidian")  # have links `page.md#id`
_SAFE_CHARACTERS = "/#~:@!$&'*+,;=äöüßÄÖÜéèêàçñ"


class Suggestion(NamedTuple):
    """A note for the message, and the edit that repairs the link."""

    note: str
    fix: Fix
    is_elsewhere: bool = False  # is the target on another page?


def certain_suggestion(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> Suggestion | None:
    """The repair of a dead link, if only one target can be meant."""
    if link.span.text != link.target or link.kind in ("wiki", "autolink"):
        return None
    if dead.page:
        return _suggest_spelling(resolver, link, dead) or _suggest_other_page(resolver, page, link, dead)
    return _suggest_case(resolver, link, dead) if dead.is_page and dead.path else None


def _suggest_spelling(resolver: LinkResolver, link: Link, dead: DeadLink) -> Suggestion | None:
    """Repair an anchor if one id has the same letters, or one heading with another id has this text."""
    anchors = resolver.anchors[dead.path]
    ids = anchors.by_letters.get(letters_only(dead.anchor)) or [
        anchors.id_of(heading) for heading in anchors.by_text.get(dead.anchor, ())
    ]
    before, mark, written = link.target.partition("#")
    if len(ids) != 1 or not mark or unquote(written) != dead.anchor:
        return None
    return Suggestion(f"did you mean #{ids[0]}?", Fix(link.span.subspan(len(before) + 1, len(link.target)), ids[0]))


def _suggest_other_page(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> Suggestion | None:
    """Repair a link whose anchor exists on exactly one page."""
    pages = [
        home for home in resolver.pages_by_anchor.get(dead.anchor, ()) if resolver.anchors[home].exact[dead.anchor]
    ]
    written, mark, _ = link.target.partition("#")
    if (
        len(pages) != 1
        or _is_ambiguous(resolver, dead, pages[0])
        or resolver.dialect.name not in _PATH_DIALECTS
        or not mark
        or (written and not written.endswith(".md"))
    ):
        return None
    is_here = pages[0] == resolver.path(page)
    path = resolver.relative_path(pages[0], page)
    text = quote("" if is_here else path, _SAFE_CHARACTERS) + f"#{dead.anchor}"
    return Suggestion(f"{'this page' if is_here else path} has #{dead.anchor}", Fix(link.span, text), True)


def _is_ambiguous(resolver: LinkResolver, dead: DeadLink, other: str) -> bool:
    """True if that heading may be a different one: it is in another book, or the page has a similar id."""
    if not side_by_side(dead.path, other) or not same_book(resolver, dead.path, other):
        return True
    name, page_anchors = dead.anchor, [anchor for anchor in resolver.anchors[dead.path].exact if anchor]
    longer = any(anchor.startswith(f"{name}-") or name.startswith(f"{anchor}-") for anchor in page_anchors)
    return (
        longer
        or find_similar(
            name,
            (
                candidate
                for candidate in page_anchors
                if candidate[:1] == name[:1] and abs(len(candidate) - len(name)) <= 2
            ),
        )
        is not None
    )


def relative_target(resolver: LinkResolver, page: Page, target: LinkTarget) -> str:
    """The link target from a page to a place."""
    is_here = target.path == resolver.path(page) and target.anchor
    path = "" if is_here else quote(resolver.relative_path(target.path, page), _SAFE_CHARACTERS)
    return path + (f"#{target.anchor}" if target.anchor else "")


def _suggest_case(resolver: LinkResolver, link: Link, dead: DeadLink) -> Suggestion | None:
    """Repair a path that differs only in case: some file systems ignore case, servers do not."""
    path = resolver.by_lower_path.get(dead.path.lower(), "")
    written = link.target.partition("#")[0]
    if not path or "%" in written or posixpath.basename(written).lower() != posixpath.basename(path).lower():
        return None
    size = len(_common_ending(written, path))
    span = Span(link.span.source, link.span.start + len(written) - size, link.span.start + len(written))
    return Suggestion(f"its name is {path[-size:]}: on most servers capitals count", Fix(span, path[-size:]))


def _common_ending(path: str, other: str) -> str:
    """The last folders of two paths that differ only in case."""
    size = 0
    for mine, its in zip(reversed(path.split("/")), reversed(other.split("/")), strict=False):
        if mine.lower() != its.lower():
            break
        size += len(mine) + 1
    return path[-min(size - 1, len(path), len(other)) :]


_DIGITS = re.compile(r"\d+")
_INDEX_NAMES = ("index", "readme", "_index")
_LETTERS_PER_TYPO = 5
_MIN_NAME_LENGTH = 4  # letters; shorter names are all similar
MAX_GUESSES = 200  # in one run; each compares all anchors


def suggest_anchor(resolver: LinkResolver, page: Page, dead: DeadLink, name: str) -> list[str]:
    """Suggest the same anchor on another page, else a similar one."""
    own_path = resolver.path(page)
    pages = [home for home in resolver.pages_by_anchor.get(name, ()) if is_nearby(resolver, own_path, home)]
    if pages:
        return [f"{resolver.relative_path(home, page)} has #{name}" for home in pages[:2]]
    resolver.guess_count += 1
    if resolver.guess_count > MAX_GUESSES:
        return []
    longer = [a for a in resolver.anchors[dead.path].exact if name and (a + "-").startswith(name.lower() + "-")]
    if longer:
        return [f"did you mean #{longer[0]}?"]
    if len(name) < _MIN_NAME_LENGTH:
        return []
    closest = _find_clearly_similar(name, [anchor for anchor in resolver.anchors[dead.path].exact if anchor])
    if closest:
        return [f"did you mean #{closest}?"]
    closest = _find_clearly_similar(name, [anchor for anchor in resolver.pages_by_anchor if _may_be_typo(name, anchor)])
    home = resolver.pages_by_anchor[closest][0] if closest else ""
    is_known = closest and is_nearby(resolver, own_path, home)
    return [f"did you mean {resolver.relative_path(home, page)}#{closest}?"] if is_known else []


def suggest_page(resolver: LinkResolver, page: Page, dead: DeadLink) -> list[str]:
    """Suggest another page of this name, a page with the anchor, or a page of a similar name."""
    name, own_path = file_name(dead.path), resolver.path(page)

    def is_other(path: str) -> bool:
        return path != own_path and is_nearby(resolver, own_path, path)

    if name not in _INDEX_NAMES and is_other(resolver.by_file_name.get(name, own_path)):
        return [f"did you mean {resolver.relative_path(resolver.by_file_name[name], page)}?"]
    homes = resolver.pages_by_anchor.get(dead.anchor, [])
    if homes and own_path not in homes and is_other(homes[0]):
        return [f"{resolver.relative_path(homes[0], page)} has #{dead.anchor}"]
    resolver.guess_count += 1
    if resolver.guess_count > MAX_GUESSES:
        return []
    names = (known for known, path in resolver.by_file_name.items() if _may_be_typo(name, known) and is_other(path))
    similar = _find_clearly_similar(name, names)
    return [f"did you mean {resolver.relative_path(resolver.by_file_name[similar], page)}?"] if similar else []


def _find_clearly_similar(name: str, known: Iterable[str]) -> str | None:
    """The known name that must be meant: a few letters are different for its length, and no number but the first."""
    plain = _without_number(name)
    candidates = (one for one in known if _DIGITS.findall(_without_number(one)) == _DIGITS.findall(plain))
    similar = find_similar(name, candidates)
    max_distance = max(len(plain) // _LETTERS_PER_TYPO, 1)
    return similar if similar and edit_distance(plain, _without_number(similar)) <= max_distance else None


def _without_number(name: str) -> str:
    """The letters of a name, without the number of a chapter."""
    return letters_only(name).lstrip("0123456789")


def _may_be_typo(name: str, known: str) -> bool:
    """A quick look before names are compared letter by letter, which is slow."""
    return known[:1].lower() == name[:1].lower() and abs(len(known) - len(name)) <= 2

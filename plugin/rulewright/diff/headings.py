"""Compares the headings of two editions, and finds the links that have to follow a heading that moved."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from ..book.anchors import github_slug
from ..book.link_repairs import relative_target
from ..book.page import Heading, Link, Page
from ..book.resolver import DeadLink, LinkTarget, page_files
from ..book.same_book import same_book
from ..source import Fix, Span
from .edition import Edition, EditionPage
from .renames import best_pairs

_WORD = re.compile(r"\w+")
_SHINGLE_WORDS = 3  # words in a row


@dataclass(frozen=True, eq=False)
class _Section:
    """A heading with the text below it, up to the next heading."""

    path: str
    heading: Heading
    body: str
    shingles: frozenset[object]

    @property
    def id(self) -> str:
        return self.heading.id

    @property
    def key(self) -> tuple[str, str]:
        return self.path, self.heading.id


def _read_sections(side: Edition) -> list[_Section]:
    return [section for page in side.pages for section in _sections_of_page(page)]


def _sections_of_page(edition_page: EditionPage) -> Iterator[_Section]:
    text, headings = edition_page.page.source.text, edition_page.page.headings
    starts = [*(heading.span.start for heading in headings), len(text)]
    for heading, (_, end) in zip(headings, pairwise(starts), strict=True):
        body = text[heading.span.end : end].partition("\n")[2]
        words = " ".join(body.split()).rstrip("# ")  # without the # of the next heading
        yield _Section(edition_page.path, heading, words, frozenset(_make_shingles(words)))


def _make_shingles(text: str) -> Iterable[object]:
    """Hashes of every three words in a row; for a short text its words."""
    words = _WORD.findall(text.lower())
    if len(words) < 2 * _SHINGLE_WORDS:
        return [("word", word) for word in words]
    return [hash(tuple(words[place : place + _SHINGLE_WORDS])) for place in range(len(words) - _SHINGLE_WORDS + 1)]


_SIMILAR_BODY = 0.3  # overlap of the text below a heading of the same text
_SAME_BODY = 0.4  # overlap of the text below a renamed heading
_SIMILAR_HEADING = 0.6  # share of equal letters in a heading without text below


@dataclass(frozen=True)
class HeadingChange:
    """The change of a heading; `way` is moved, renamed, both, added, removed or rewritten."""

    way: str
    old_text: str
    new_text: str
    old: tuple[str, str]  # the page (relative to its edition) and the id; empty if added
    new: tuple[str, str]

    @property
    def lost(self) -> bool:
        """Whether links to the old target are broken."""
        return bool(self.old[0] and self.new[0]) and self.old != self.new


def compare_headings(old: Edition, new: Edition) -> list[HeadingChange]:
    """In the order of the new edition, then what was removed."""
    before, after = _read_sections(old), _read_sections(new)
    matches = _match_sections(before, after)
    known = {id(section) for section in matches.values()}
    changes = [_heading_change(matches.get(place), section) for place, section in enumerate(after)]
    gone = [
        HeadingChange("removed", section.heading.text, "", section.key, ("", ""))
        for section in before
        if id(section) not in known
    ]
    return [*filter(None, changes), *gone]


def _heading_change(old: _Section | None, new: _Section) -> HeadingChange | None:
    if old is None:
        return HeadingChange("added", "", new.heading.text, ("", ""), new.key)
    same_text = old.heading.text == new.heading.text
    if same_text and old.key == new.key:
        return None if old.body == new.body else _change_of("rewritten", old, new)
    if same_text:
        return _change_of("moved", old, new)
    return _change_of("both" if old.path != new.path else "renamed", old, new)


def _change_of(way: str, old: _Section, new: _Section) -> HeadingChange:
    return HeadingChange(way, old.heading.text, new.heading.text, old.key, new.key)


def _match_sections(before: Sequence[_Section], after: Sequence[_Section]) -> dict[int, _Section]:
    """Maps positions in the new edition to old sections, the most certain matches first."""
    matches: dict[int, _Section] = {}
    for rule in (_match_by_id, _match_by_text, _match_by_body, _match_by_neighbors, _match_page_titles):
        known = {id(section) for section in matches.values()}
        left = [section for section in before if id(section) not in known]
        rest = {place: section for place, section in enumerate(after) if place not in matches}
        if left and rest:
            matches |= rule(left, rest, matches, (before, after))
    return matches


_BothEditions = tuple[Sequence[_Section], Sequence[_Section]]


def _match_by_id(
    left: Sequence[_Section], rest: dict[int, _Section], _found: object, _both: _BothEditions
) -> dict[int, _Section]:
    """The same page, id and text; the id alone may have been reused."""
    known = {(*section.key, github_slug(section.heading.text)): section for section in left}
    keys = {place: (*section.key, github_slug(section.heading.text)) for place, section in rest.items()}
    return {place: known[key] for place, key in keys.items() if key in known}


def _match_by_text(
    left: Sequence[_Section], rest: dict[int, _Section], _found: object, _both: _BothEditions
) -> dict[int, _Section]:
    """The same heading elsewhere, if its text is similar or no other heading has this name."""
    old_names, new_names = _group_by_text(enumerate(left)), _group_by_text(rest.items())
    matches: dict[int, _Section] = {}
    for name in old_names.keys() & new_names.keys():
        old, new = old_names[name], new_names[name]
        if len(old) == len(new) == 1:
            matches[new[0]] = left[old[0]]
            continue
        below = {place: left[place].shingles for place in old}
        nearest = best_pairs(below, {place: rest[place].shingles for place in new}, _SIMILAR_BODY)
        matches |= {new_place: left[old_place] for old_place, new_place in nearest.items()}
    return matches


def _group_by_text(places: Iterable[tuple[int, _Section]]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for place, section in places:
        groups[github_slug(section.heading.text)].append(place)
    return groups


def _match_by_body(
    left: Sequence[_Section], rest: dict[int, _Section], _found: object, _both: _BothEditions
) -> dict[int, _Section]:
    """Mostly the same text below another heading."""
    before = {place: section.shingles for place, section in enumerate(left) if section.shingles}
    after = {place: section.shingles for place, section in rest.items() if section.shingles}
    return {new: left[old] for old, new in best_pairs(before, after, _SAME_BODY).items()}


def _match_by_neighbors(
    left: Sequence[_Section], rest: dict[int, _Section], matches: dict[int, _Section], both: _BothEditions
) -> dict[int, _Section]:
    """Between the same headings, at the same level: an id that was kept, or a similar heading without text."""
    places = {id(section): place for place, section in enumerate(both[0])}
    free = {id(section) for section in left}
    renamed: dict[int, _Section] = {}
    for place, section in rest.items():
        for candidate in _neighboring_sections(place, matches, both[0], places):
            if id(candidate) in free and _is_renamed(candidate, section):
                renamed[place] = candidate
                free.discard(id(candidate))
                break
    return renamed


def _match_page_titles(
    left: Sequence[_Section], rest: dict[int, _Section], matches: dict[int, _Section], both: _BothEditions
) -> dict[int, _Section]:
    """The title of a renamed page, if most sections of the old page are on the new one."""
    went = Counter(
        (section.path, both[1][place].path) for place, section in matches.items() if section.path != both[1][place].path
    )
    sizes = Counter(section.path for section in both[0])
    titles = {section.path: section for section in left if section.heading.level == 1}
    renamed: dict[int, _Section] = {}
    for place, section in rest.items():
        old = next(
            (old for (old, new), times in went.items() if new == section.path and 2 * times >= sizes[old] - 1), ""
        )
        if section.heading.level == 1 and old in titles:
            renamed[place] = titles.pop(old)
    return renamed


def _neighboring_sections(
    place: int, matches: dict[int, _Section], before: Sequence[_Section], places: dict[int, int]
) -> Iterator[_Section]:
    """The old section after the previous heading, and the one before the next heading."""
    for step in (-1, 1):
        neighbor = matches.get(place + step)
        if neighbor is not None and 0 <= (position := places[id(neighbor)] - step) < len(before):
            yield before[position]


def _is_renamed(old: _Section, new: _Section) -> bool:
    if old.path != new.path or old.heading.level != new.heading.level:
        return False
    if old.id == new.id:
        return True
    ratio = SequenceMatcher(None, old.heading.text.lower(), new.heading.text.lower(), autojunk=False).ratio
    return not (old.shingles or new.shingles) and ratio() >= _SIMILAR_HEADING


Target = tuple[str, str]  # a page, relative to the root of the book, and an id; empty for the page


@dataclass(frozen=True)
class StaleLink:
    """A link to an old target, its new target, and the fix if there is one."""

    span: Span
    old: Target
    new: Target
    fix: Fix | None


def find_moved_targets(old: Edition, new: Edition, changes: Iterable[HeadingChange]) -> dict[Target, Target]:
    """Maps old targets to new ones, relative to the new book; targets that still exist are left out."""
    moved = {change.old: change.new for change in changes if change.lost}
    moved |= {(before, ""): (after, "") for before, after in _find_moved_pages(old, new, moved).items()}
    anchors = {page.path: new.resolver.anchors[new.resolver.path(page.page)].exact for page in new.pages}
    return {
        (new.from_root(before), name): (new.from_root(after), other)
        for (before, name), (after, other) in moved.items()
        if name not in anchors.get(before, ()) and same_book(new.resolver, new.from_root(before), new.from_root(after))
    }


def _find_moved_pages(old: Edition, new: Edition, moved: Mapping[Target, Target]) -> dict[str, str]:
    """Maps each removed page to the page that has most of its headings."""
    gone = {page.path: Counter[str]() for page in old.pages if page.path not in new.pages_by_path}
    sizes = Counter(section.path for section in _read_sections(old))
    for (before, _), (after, _) in moved.items():
        if before in gone:
            gone[before][after] += 1
    most = {path: counted.most_common(1)[0] for path, counted in gone.items() if counted}
    return {path: after for path, (after, times) in most.items() if 2 * times >= sizes[path]}


def find_stale_links(new: Edition, places: Mapping[Target, Target]) -> list[StaleLink]:
    """Broken links in the whole book, not only in this edition."""
    if not places:
        return []
    return [
        stale
        for page in new.resolver.pages
        for link in page.links
        for stale in _resolve_stale_link(new, page, link, places)
    ]


def _resolve_stale_link(new: Edition, page: Page, link: Link, places: Mapping[Target, Target]) -> Iterator[StaleLink]:
    lost = new.resolver.resolve(link, page)
    if not isinstance(lost, DeadLink):
        return
    for path in page_files(lost.path):
        for key in ((path, lost.anchor), (path, "")):
            if key in places:
                meant = places[key] if key[1] or not lost.anchor else (places[key][0], lost.anchor)
                if meant[1] in new.resolver.anchors[meant[0]].exact:
                    fix = _link_fix(new, page, link, meant) if same_book(new.resolver, path, meant[0]) else None
                    yield StaleLink(link.span, (path, lost.anchor), meant, fix)
                    return


def _link_fix(new: Edition, page: Page, link: Link, meant: Target) -> Fix | None:
    if link.span.text != link.target or link.kind in ("wiki", "autolink", "image"):
        return None
    return Fix(link.span, relative_target(new.resolver, page, LinkTarget(meant[0], None, meant[1])))

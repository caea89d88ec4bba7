"""Traits of a game as pages list them: in headings, lists and definition lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ..book.model import Heading, Page
from ..book.prose import first_words

CATEGORIES = {
    "attributes", "abilities", "skills", "talents", "knowledges", "characteristics", "stats", "statistics",
    "proficiencies", "aptitudes", "approaches", "traits", "qualities", "careers", "disciplines",
}  # fmt: skip
NAME = re.compile(r"[^\W\d_][\w’'-]*(?:[ -][^\W\d_][\w’'-]*){0,2}")
ENTRY = re.compile(r"\s*([^\W\d_][\w’' -]{0,40}?)\s*(?:[:.(–—]|\s-\s|$)")
MOST_NAMES = 60
LEAST_NAMES = 2


@dataclass
class Traits:
    """A category: its names, and the groups they fall into."""

    names: list[str]
    groups: dict[str, list[str]] = field(default_factory=dict)


def traits(pages: Iterable[Page]) -> dict[str, Traits]:
    """Every category that some page lists, the first list of each."""
    found: dict[str, Traits] = {}
    for page in pages:
        for ways in (by_headings, by_terms, by_lists):
            for name, category in ways(page):
                if name not in found and LEAST_NAMES <= len(category.names) <= MOST_NAMES:
                    found[name] = category
    return apart(found)


def category(text: str) -> str:
    """The category that a heading announces; empty where it announces none."""
    word = re.sub(r"^(?:the|list of)\s+", "", text.strip().lower())
    return word if word in CATEGORIES else ""


def by_headings(page: Page) -> Iterator[tuple[str, Traits]]:
    for number, heading in enumerate(page.headings):
        name = category(heading.text)
        below = list(inside(page.headings, number))
        if not name or not below:
            continue
        top = [one for one in below if one.level == min(other.level for other in below)]
        if any(category(one.text) for one in top):
            continue
        groups = {one.text: named(inside(page.headings, page.headings.index(one))) for one in top}
        if any(groups.values()):
            grouped = {group.lower(): names for group, names in groups.items() if names}
            yield name, Traits([one for names in grouped.values() for one in names], grouped)
        else:
            yield name, Traits(named(top))


def inside(headings: tuple[Heading, ...], number: int) -> Iterator[Heading]:
    """The headings below one, up to the next of its own level."""
    for heading in headings[number + 1 :]:
        if heading.level <= headings[number].level:
            return
        yield heading


def named(headings: Iterable[Heading]) -> list[str]:
    return list(dict.fromkeys(one.text.strip() for one in headings if NAME.fullmatch(one.text.strip())))


def by_terms(page: Page) -> Iterator[tuple[str, Traits]]:
    """Terms of the definition lists below a heading."""
    found: dict[str, list[str]] = {}
    for term in page.terms:
        name = category(term.trail[-1]) if term.trail else ""
        if name and NAME.fullmatch(term.text.strip()):
            found.setdefault(name, []).append(term.text.strip())
    yield from ((name, Traits(list(dict.fromkeys(names)))) for name, names in found.items())


def by_lists(page: Page) -> Iterator[tuple[str, Traits]]:
    """What the items of the first list below a heading begin with."""
    headings, name, names = iter(page.headings), "", list[str]()
    for number, token in enumerate(page.tokens):
        if token.type == "heading_open" and (heading := next(headings, None)):
            yield from done(name, names)
            name, names = category(heading.text), []
        elif name and token.type == "list_item_open" and token.level == 1:
            entry = ENTRY.match(first_words(page, number))
            if entry and NAME.fullmatch(entry[1]):
                names.append(entry[1])
        elif name and names and token.type in ("bullet_list_close", "ordered_list_close") and token.level == 0:
            yield from done(name, names)
            name = ""
    yield from done(name, names)


def done(name: str, names: list[str]) -> Iterator[tuple[str, Traits]]:
    if name and names:
        yield name, Traits(list(dict.fromkeys(names)))


def apart(found: Mapping[str, Traits]) -> dict[str, Traits]:
    """Without names that another category has already: one name means one trait."""
    taken: set[str] = set()
    ready = {}
    for name, one in found.items():
        names = [own for own in one.names if own.lower() not in taken]
        taken |= {own.lower() for own in names}
        groups = {group: [own for own in own_names if own in names] for group, own_names in one.groups.items()}
        if len(names) >= LEAST_NAMES:
            ready[name] = Traits(names, {group: own for group, own in groups.items() if own})
    return ready

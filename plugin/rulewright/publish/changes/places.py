"""Headings and links that an edition has changed, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...editions.headings import HeadingChange
from ...editions.places import StaleLink, Target
from ...editions.whole import EditionDiff
from ..words import Words
from .outline import Line, Section

HEADING_WAYS = ("renamed", "both", "moved", "added", "removed", "rewritten")
HIDDEN_WAYS = ("moved", "rewritten")
MOST_HEADINGS = 12  # of a sort, unless all are asked for


def heading_sections(found: EditionDiff, words: Words, moves: bool) -> Iterator[Section]:
    told = tuple(heading_lines(found, words, moves))
    if told:
        yield Section(words("headings"), told)
    if found.stale:
        yield Section(words("links to mend"), tuple(link_lines(found.stale, words)))


def heading_lines(found: EditionDiff, words: Words, moves: bool) -> Iterator[Line]:
    """What only moved, or says something else below, is counted unless somebody asks for it."""
    needed = {one.old for one in found.stale}
    for way in HEADING_WAYS:
        every = [one for one in found.headings if one.way == way]
        told = (
            every
            if moves or way not in HIDDEN_WAYS
            else [one for one in every if (found.new.from_root(one.old[0]), one.old[1]) in needed]
        )
        most = len(told) if moves else MOST_HEADINGS
        yield from (Line(heading_text(one, words)) for one in told[:most])
        if len(told) > most:
            yield Line(words("and more", number=len(told) - most), 1, quiet=True)
        if hidden := len(every) - len(told):
            yield Line(words(f"hidden {way}", number=hidden), quiet=True)


def old_place(found: EditionDiff, one: HeadingChange) -> Target:
    """As links of the newer book name it."""
    return found.new.from_root(one.old[0]), one.old[1]


def heading_text(one: HeadingChange, words: Words) -> str:
    old, new = ("#".join(filter(None, where)) for where in (one.old, one.new))
    return words(f"heading {one.way}", old_text=one.old_text, new_text=one.new_text, old=old, new=new)


def link_lines(stale: Sequence[StaleLink], words: Words) -> Iterator[Line]:
    for one in stale:
        line, column = one.span.source.place(one.span.start)
        target = "#".join(filter(None, one.new))
        yield Line(f"{one.span.source.path}:{line}:{column}: " + words("became", old=one.span.text, new=target))

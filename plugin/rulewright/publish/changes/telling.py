"""All that has changed, section by section."""

from __future__ import annotations

from ...editions.whole import Editions
from ..words import Words
from .games import game_sections
from .outline import Line, Section
from .places import place_sections
from .play import play_sections


def sections(found: Editions, words: Words, moves: bool = False, links: bool = True) -> list[Section]:
    every = [*game_sections(found, words, moves), *play_sections(found, words)]
    every += [one for one in place_sections(found, words, moves) if links or one.title != words("links to mend")]
    if found.broken:
        every.append(Section(words("not compared"), tuple(broken(found))))
    return every


def broken(found: Editions) -> list[Line]:
    places = (
        f"{one.span.source.path}:{one.span.source.place(one.span.start)[0]}: {one.message}" for one in found.broken
    )
    return [Line(text) for text in dict.fromkeys(places)]

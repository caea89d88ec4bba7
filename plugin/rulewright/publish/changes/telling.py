"""All that has changed, section by section."""

from __future__ import annotations

from ...editions.whole import EditionDiff
from ..words import Words
from .games import game_sections
from .outline import Line, Section
from .places import heading_sections
from .play import play_sections


def change_sections(found: EditionDiff, words: Words, moves: bool = False, links: bool = True) -> list[Section]:
    every = [*game_sections(found, words, moves), *play_sections(found, words)]
    every += [one for one in heading_sections(found, words, moves) if links or one.title != words("links to mend")]
    if found.broken:
        every.append(Section(words("not compared"), tuple(problem_lines(found))))
    return every


def problem_lines(found: EditionDiff) -> list[Line]:
    places = (
        f"{one.span.source.path}:{one.span.source.place(one.span.start)[0]}: {one.message}" for one in found.broken
    )
    return [Line(text) for text in dict.fromkeys(places)]

"""Links of games: where a reader can read on about an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from ..book.atlas import Atlas, Place
from ..book.links import check
from ..book.model import Link, Page
from ..book.read import read_page
from ..game.model import Game, Outcome
from ..text import Source
from .games import Games


def with_links(games: Games, atlas: Atlas) -> Games:
    """The games, with what is wrong with their links; those that do not lead anywhere say so at their place."""
    pages = list(linking(games.found.values()))
    found = check(atlas, pages) if pages else []
    return replace(games, problems=(*games.problems, *found)) if found else games


def linking(games: Iterable[Game]) -> Iterator[Page]:
    """Each file with such links as if it were a page; games that extend another have the links of its file."""
    links: dict[str, dict[Link, None]] = {}
    sources: dict[str, Source] = {}
    for outcome in (one for game in games for rule in game.rules.values() for one in rule.outcomes if one.see):
        source = outcome.place.source
        sources[source.path] = source
        links.setdefault(source.path, {})[link_of(outcome)] = None
    for path, source in sources.items():
        yield replace(standing(path), source=source, links=tuple(links[path]))


@cache
def standing(path: str) -> Page:
    """A page without a word where the file of a game lies."""
    return read_page(Source(path, ""))


def link_of(outcome: Outcome) -> Link:
    return Link(outcome.name, outcome.see, outcome.place, "inline", ())


def further(atlas: Atlas, outcome: Outcome) -> Place | None:
    """Where it is told, if that is a place in the book."""
    if not outcome.see:
        return None
    found = atlas.resolve(link_of(outcome), standing(outcome.place.source.path))
    return found if isinstance(found, Place) else None

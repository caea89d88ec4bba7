"""A link whose text is the name of another heading than the one it goes to."""

from __future__ import annotations

from ..text import Problem
from . import slugs
from .atlas import Atlas, Place
from .model import Heading, Link


def check(atlas: Atlas, link: Link, place: Place) -> list[Problem]:
    if not place.heading or not place.page or link.kind == "image":
        return []
    label = slugs.github(link.text)
    if not label or label == place.anchor or label == place.heading.id:
        return []
    others = atlas.anchors[place.path].by_text.get(label, [])
    if not others or speaks_of(label, place.heading) or any(akin(other, place.heading) for other in others):
        return []
    other = others[0]
    message = f"the text says «{link.text}», but the link goes to «{place.heading.text}»"
    note = f"«{other.text}» is #{other.id}"
    return [Problem("link-label", message, link.span, "warning", (note,), link.trail)]


def speaks_of(label: str, heading: Heading) -> bool:
    """A part of a heading's words is a good text for a link to it: `lookup()` for `lookup(name)`."""
    slug = slugs.github(heading.text)
    return words(label) <= words(slug) or label.replace("-", "") in slug.replace("-", "")


def words(slug: str) -> set[str]:
    return {word.rstrip("s") for word in slug.split("-") if word}


def akin(one: Heading, other: Heading) -> bool:
    """The same name, or one stands in the section of the other."""
    mine, its = (*one.trail, one.text), (*other.trail, other.text)
    return one.text == other.text or mine[: len(its)] == its or its[: len(mine)] == mine

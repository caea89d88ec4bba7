"""Patterns of links to what only looks like an anchor: icons of a style sheet, definitions, ids of scripts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from .anchors import github_slug, letters_only
from .page import Link, Page
from .resolver import DeadLink, LinkResolver

_DICE = re.compile(r"#\d*d(?:\d+|%|f)")
_TABLE_ROW = re.compile(r"[ \t]*\|")
MIN_PATTERN = 3  # links; fewer may be typos
_MAX_WORDS = 4  # of the beginning of an id
_MIN_FAMILY = 10  # links to ids with one beginning that no page has


class LinkPattern(NamedTuple):
    """What many links do, a note, how serious it is, and whether it is one for the whole book or for a page."""

    cause: str
    note: str
    severity: str
    is_everywhere: bool = True


_ICONS = LinkPattern("links go to dice, which their page does not have", "a style sheet may show an icon there", "info")
_DEFINITIONS = LinkPattern(
    "links in tables go to their own text, which the page does not have",
    'a link defines nothing; an id is written <a id="name"></a>',
    "error",
    is_everywhere=False,
)


def find_pattern(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> LinkPattern | None:
    """The pattern of a link to what only looks like an anchor: an icon of a style sheet, or a definition."""
    if dead.page is not page or not link.target.startswith("#"):
        return None
    if _DICE.fullmatch(link.target.lower()) and dead.anchor not in resolver.pages_by_anchor:
        return _ICONS
    letters, text, start = letters_only(link.text), link.span.source.text, link.span.start
    is_own_text = letters == letters_only(dead.anchor) and letters not in resolver.anchors[dead.path].by_letters
    return _DEFINITIONS if is_own_text and _TABLE_ROW.match(text, text.rfind("\n", 0, start) + 1) else None


def _beginnings(anchor: str) -> list[str]:
    """The first words of an anchor: `damage-` and `damage-type-` of `damage-type-fire`."""
    words = anchor.split("-", _MAX_WORDS)[:-1]
    return [f"{start}-" for start in accumulate(words, "{}-{}".format)]


def find_families(resolver: LinkResolver, dead_links: Iterable[tuple[Page, Link, DeadLink]]) -> dict[str, LinkPattern]:
    """The patterns of anchors such as `damage-type-fire` of `[Fire]`: their beginning is in no link and no page."""
    members: dict[str, list[str]] = defaultdict(list)
    for page, link, dead in dead_links:
        if dead.page is page and link.target.startswith("#"):
            is_named = dead.anchor.partition("-")[0] in github_slug(link.text).split("-")
            for start in () if is_named else _beginnings(dead.anchor):
                members[start].append(dead.anchor)
    for anchor in resolver.pages_by_anchor if members else ():
        for start in _beginnings(anchor):
            members.pop(start, None)
    families = dict[str, LinkPattern]()
    for start, anchors in sorted(members.items(), key=lambda item: len(item[0])):
        if len(anchors) >= _MIN_FAMILY and len(set(anchors)) >= MIN_PATTERN:
            cause = f"links go to ids that begin with #{start}, and no page has one"
            note = "a style sheet or a script may use them; else write their headings"
            families |= dict.fromkeys(anchors, LinkPattern(cause, note, "info"))
    return families

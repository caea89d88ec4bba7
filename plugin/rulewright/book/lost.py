"""What is said of links that lead nowhere."""

from __future__ import annotations

import posixpath
from collections import Counter

from ..text import Problem, nearest
from .atlas import Atlas, Lost
from .model import Link, Page
from .nearby import slips

Seen = list[tuple[Page, Link, Lost]]

LONG_ENOUGH = 4  # letters; shorter names are all alike
MOST_HINTS = 12


def lost_anchors(atlas: Atlas, seen: Seen) -> Problem:
    """Links to anchors that a page lacks; several are told together when the anchors look alike."""
    page, link, first = seen[0]
    names = list(dict.fromkeys(lost.anchor for _, _, lost in seen))
    where = "this page" if first.page is page else first.path
    if len(seen) == 1:
        message = f"there is no #{first.anchor} on {where}"
    else:
        message = f"{len(seen)} links go to what {where} does not have: {', '.join('#' + name for name in names)}"
    notes = [] if len(seen) == 1 else [f"#{name}: {lines(seen, name)}" for name in names]
    for name in names[:MOST_HINTS]:
        notes += hint(atlas, first, name)
    return Problem("link-missing", message, link.span, notes=tuple(notes), trail=link.trail)


def lines(seen: Seen, name: str) -> str:
    numbers = sorted({place(link) for _, link, lost in seen if lost.anchor == name})
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(str(number) for number in numbers)


def place(link: Link) -> int:
    return link.span.source.place(link.span.start)[0]


def hint(atlas: Atlas, lost: Lost, name: str) -> list[str]:
    """The same anchor on another page, else the one that is spelled nearly so."""
    homes = atlas.homes.get(name, [])
    if homes:
        return [f"{home} has #{name}" for home in homes[:2]]
    if len(name) < LONG_ENOUGH:
        return []
    near = nearest(name, [anchor for anchor in atlas.anchors[lost.path].exact if anchor])
    if near:
        return [f"did you mean #{near}?"]
    similar = [anchor for anchor in atlas.homes if anchor[:1] == name[:1] and abs(len(anchor) - len(name)) <= 2]
    near = nearest(name, similar)
    return [f"did you mean {atlas.homes[near][0]}#{near}?"] if near else []


def lost_pages(atlas: Atlas, seen: Seen) -> list[Problem]:
    """Links of one page to one page or file that does not exist."""
    _, link, lost = seen[0]
    if not link.target.strip():
        return [Problem("link-missing", "this link has no target", link.span, trail=link.trail)]
    written = link.target.partition("#")[0]
    what = "page" if lost.is_page and link.kind != "image" else "file"
    message = f"there is no {what} {written}"
    notes = []
    if len(seen) > 1:
        message = f"{len(seen)} links go to {written}, and there is no such {what}"
        notes.append("lines " + ", ".join(str(line) for line in sorted({place(link) for _, link, _ in seen})))
    notes += page_hint(atlas, lost) if what == "page" else []
    return [Problem("link-missing", message, link.span, notes=tuple(notes), trail=link.trail), *odd_ones(seen)]


def page_hint(atlas: Atlas, lost: Lost) -> list[str]:
    name = posixpath.splitext(posixpath.basename(lost.path))[0].lower()
    same = [path for path in atlas.anchors if posixpath.splitext(posixpath.basename(path))[0].lower() == name]
    near = same[0] if same else nearest(posixpath.splitext(lost.path)[0], map(without_end, atlas.anchors))
    if near:
        return [f"did you mean {near if same else near + '.md'}?"]
    moved = next((homes[0] for homes in [atlas.homes.get(lost.anchor)] if lost.anchor and homes), None)
    return [f"{moved} has #{lost.anchor}"] if moved else []


def without_end(path: str) -> str:
    return posixpath.splitext(path)[0]


def odd_ones(seen: Seen) -> list[Problem]:
    """An anchor that looks like a slip for another, although the page itself is missing."""
    counted = Counter(lost.anchor for _, _, lost in seen)
    problems = []
    for _, link, lost in seen:
        usual = [a for a, times in counted.items() if times > counted[lost.anchor] and is_slip(lost.anchor, a)]
        if usual:
            message = f"#{lost.anchor} looks like a slip: the other links to this page say #{usual[0]}"
            problems.append(Problem("link-missing", message, link.span, trail=link.trail))
    return problems


def is_slip(name: str, usual: str) -> bool:
    return len(name) > LONG_ENOUGH and abs(len(name) - len(usual)) <= 1 and slips(name, usual) == 1

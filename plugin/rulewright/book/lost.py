"""What is said of links that lead nowhere."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from ..text import Fix, Problem, nearest
from .atlas import Atlas, Lost, Place
from .boundaries import same_book
from .model import Link, Page
from .nearby import slips
from .repairs import Repair, way_to
from .ways import file_name

Seen = list[tuple[Page, Link, Lost]]

LONG_ENOUGH = 4  # letters; shorter names are all alike
MOST_HINTS = 12
MANY = 3  # pages; a target that is missing on so many is told once
MOST_GUESSES = 200  # in one run; each looks through all anchors


def mended(page: Page, link: Link, lost: Lost, repair: Repair) -> Problem:
    """A link of which it is certain what was meant."""
    message = no_anchor(page, lost) if lost.page else f"there is no page {link.target.partition('#')[0]}"
    return Problem("link-missing", message, link.span, notes=(repair.note,), trail=link.trail, fix=repair.fix)


def moved(atlas: Atlas, page: Page, link: Link, place: Place) -> Problem:
    """A link to an old place that the book remembers: it works, and could say where it leads now."""
    text = way_to(atlas, page, place)
    plain = link.span.text == link.target and link.kind not in ("wiki", "autolink")
    message = f"what this link means has moved to {text}"
    before = atlas.resolve_as_is(link, page)
    certain = plain and isinstance(before, Lost) and same_book(atlas, before.path, place.path)
    fix = Fix(link.span, text) if certain else None
    return Problem("link-moved", message, link.span, "info", trail=link.trail, fix=fix)


def no_anchor(page: Page, lost: Lost) -> str:
    return f"there is no #{lost.anchor} on {where(page, lost)}"


def where(page: Page, lost: Lost) -> str:
    return "this page" if lost.page is page else lost.path


def lost_anchors(atlas: Atlas, seen: Seen) -> Problem:
    """Links to anchors that a page lacks; several are told together when the anchors look alike."""
    page, link, first = seen[0]
    names = list(dict.fromkeys(lost.anchor for _, _, lost in seen))
    message = no_anchor(page, first)
    if len(seen) > 1:
        told = ", ".join(f"#{name}" for name in names)
        message = f"{len(seen)} links go to what {where(page, first)} does not have: {told}"
    notes = told_lines(seen) if len(seen) > 1 else []
    for name in names[:MOST_HINTS]:
        notes += hint(atlas, page, first, name)
    return Problem("link-missing", message, link.span, notes=tuple(notes), trail=link.trail)


def told_lines(seen: Seen) -> list[str]:
    """For each anchor the lines in which it is linked to."""
    found: dict[str, set[int]] = defaultdict(set)
    for _, link, lost in seen:
        found[lost.anchor].add(place(link))
    return [f"#{anchor}: {lines(numbers)}" for anchor, numbers in found.items()]


def lines(numbers: set[int]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, sorted(numbers)))


def place(link: Link) -> int:
    return link.span.source.place(link.span.start)[0]


def hint(atlas: Atlas, page: Page, lost: Lost, name: str) -> list[str]:
    """The same anchor on another page, else the one that is spelled nearly so."""
    homes = atlas.homes.get(name, [])
    if homes:
        return [f"{atlas.as_written(home, page)} has #{name}" for home in homes[:2]]
    atlas.guesses += 1
    if atlas.guesses > MOST_GUESSES:
        return []
    begin = [a for a in atlas.anchors[lost.path].exact if name and (a + "-").startswith(name.lower() + "-")]
    if begin:
        return [f"did you mean #{begin[0]}?"]
    if len(name) < LONG_ENOUGH:
        return []
    near = nearest(name, [anchor for anchor in atlas.anchors[lost.path].exact if anchor])
    if near:
        return [f"did you mean #{near}?"]
    similar = [anchor for anchor in atlas.homes if anchor[:1] == name[:1] and abs(len(anchor) - len(name)) <= 2]
    near = nearest(name, similar)
    return [f"did you mean {atlas.as_written(atlas.homes[near][0], page)}#{near}?"] if near else []


def lost_pages(atlas: Atlas, seen: Seen) -> list[Problem]:
    """Links of one page to one page or file that does not exist."""
    page, link, lost = seen[0]
    if not link.target.strip():
        return [Problem("link-missing", "this link has no target", link.span, trail=link.trail)]
    written = link.target.partition("#")[0]
    what = "page" if lost.is_page and link.kind != "image" else "file"
    message = f"there is no {what} {written}"
    notes = []
    if len(seen) > 1:
        message = f"{len(seen)} links go to {written}, and there is no such {what}"
        notes.append(lines({place(link) for _, link, _ in seen}))
    near = page_hint(atlas, page, lost) if what == "page" else []
    planned = atlas.dialect.name == "Obsidian" and link.kind == "wiki" and not near
    notes += ["the link makes this page once somebody follows it"] if planned else near
    severity = "warning" if planned else "error"
    return [Problem("link-missing", message, link.span, severity, tuple(notes), link.trail), *odd_ones(seen)]


def together(problems: Iterable[Problem]) -> list[Problem]:
    """The same dead target on many pages is one problem: that of the first page, which names the others."""
    everything = list(problems)
    same: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in everything:
        if problem.code == "link-missing" and problem.fix is None:
            same[problem.message, problem.span.text].append(problem)
    many = {key: found for key, found in same.items() if len({one.span.source.path for one in found}) >= MANY}
    firsts = {id(found[0]): on_other_pages(found) for found in many.values()}
    left_out = {id(one) for found in many.values() for one in found[1:]}
    return [firsts.get(id(one), one) for one in everything if id(one) not in left_out]


def on_other_pages(found: list[Problem]) -> Problem:
    first = found[0]
    others = [f"{one.span.source.path}:{one.span.source.place(one.span.start)[0]}" for one in found[1:]]
    more = f" and {len(others) - MOST_HINTS} more" if len(others) > MOST_HINTS else ""
    message = f"{first.message}; it is the same on {len(others)} other pages"
    return first._replace(message=message, notes=(*first.notes, f"also {', '.join(others[:MOST_HINTS])}{more}"))


def page_hint(atlas: Atlas, page: Page, lost: Lost) -> list[str]:
    """Another page of this name, a page that has the anchor, or a page of nearly this name."""
    name, here = file_name(lost.path), atlas.path(page)
    if atlas.names.get(name, here) != here:
        return [f"did you mean {atlas.as_written(atlas.names[name], page)}?"]
    if lost.anchor in atlas.homes and here not in atlas.homes[lost.anchor]:
        return [f"{atlas.as_written(atlas.homes[lost.anchor][0], page)} has #{lost.anchor}"]
    near = nearest(name, (known for known, path in atlas.names.items() if path != here))
    return [f"did you mean {atlas.as_written(atlas.names[near], page)}?"] if near else []


def odd_ones(seen: Seen) -> list[Problem]:
    """An anchor that looks like a slip for another, although the page itself is missing."""
    counted = Counter(lost.anchor for _, _, lost in seen)
    often = [anchor for anchor, times in counted.most_common(MOST_HINTS) if times > 1]
    problems = []
    for _, link, lost in seen:
        usual = [name for name in often if counted[name] > counted[lost.anchor] and is_slip(lost.anchor, name)]
        if usual:
            message = f"#{lost.anchor} looks like a slip: the other links to this page say #{usual[0]}"
            problems.append(Problem("link-missing", message, link.span, trail=link.trail))
    return problems


def is_slip(name: str, usual: str) -> bool:
    return len(name) > LONG_ENOUGH and abs(len(name) - len(usual)) <= 1 and slips(name, usual) == 1

"""Checks links: dead ones with suggestions and fixes, misleading labels, and targets that have moved."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

from ..source import Fix, Problem, Span, in_reading_order, nearest
from .anchors import github, letters
from .blocks import slips
from .page import Heading, Link, Page
from .resolver import Atlas, Lost, Place, file_name, on_disk

MARKERS = ("game.toml", "mkdocs.yml", "book.toml")  # a folder with one of these is a separate book
CODE = re.compile(
    "af|ar|az|be|bg|bn|bs|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fil|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|kk|ko|la|lt"
    "|lv|mk|mn|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|tw|uk|ur|uz|vi|zh|cn|jp|kr|br"
    "|eng|deu|ger|fra|fre|spa|ita|por|rus|ukr|pol|jpn|chn|zho|chi|kor|nld|dut|ces|cze|swe|fin|hun|tur"
    "|english|german|deutsch|french|fran[cç]ais|spanish|espa[nñ]ol|italian|italiano|portuguese|russian"
    "|ukrainian|polish|japanese|chinese|korean|dutch|czech"
)
WORD = re.compile("be|he|hi|id|is|it|la|no|te|th|tl|br")  # after a hyphen these are words: `what-is-it.md`
REGION = re.compile(r"([a-z]{2,3})[-_](?:[A-Z]{2}|[A-Z][a-z]{3})")  # pt-BR, zh-Hans
LAST = re.compile(r".*([._ -])([^\W\d_]+)")
EDITION = re.compile(
    r"(?<![a-z0-9])(?:v\d[\d.]*|\d[\d.]*e(?:d(?:ition)?)?|\d+\.\d+|ed(?:ition)?[-_ ]?\d+"
    r"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|revised|old|new)[-_ ]?ed(?:ition)?)(?![a-z0-9])"
)


def same_book(atlas: Atlas, path: str, other: str) -> bool:
    """True if two pages belong to the same book, edition and language."""
    is_gone = posixpath.dirname(path) not in atlas.below | {""}  # a whole folder may have another name now
    return marks(path) == marks(other) and (is_gone or home(atlas, path) == home(atlas, other))


def side_by_side(path: str, other: str) -> bool:
    """True if one page is in the folder of the other or deeper; not at the root: its folders may be books."""
    first, second = sorted((posixpath.dirname(path), posixpath.dirname(other)), key=len)
    return first == second or (bool(first) and second.startswith(f"{first}/"))


def home(atlas: Atlas, path: str) -> str:
    """The nearest folder above a page that is a separate book; empty for the root."""
    folder = posixpath.dirname(path)
    while folder and not any(atlas.there(f"{folder}/{marker}") for marker in MARKERS):
        folder = posixpath.dirname(folder)
    return folder


def marks(path: str) -> tuple[str, ...]:
    """The languages and editions in the path of a page."""
    *folders, name = path.split("/")
    names = [*folders, posixpath.splitext(name)[0]]
    return tuple(mark for one in names for mark in (*languages(one), *EDITION.findall(one.lower())))


def languages(name: str) -> list[str]:
    """The language in a name: `de`, `pt-BR`, `combat.de`, `Ironsworn-md-en`."""
    region, last = REGION.fullmatch(name), LAST.fullmatch(name)
    if CODE.fullmatch(name.lower()) or (region and CODE.fullmatch(region[1])):
        return [name.lower()]
    code = last[2].lower() if last else ""
    is_code = last and CODE.fullmatch(code) and (last[1] == "." or not WORD.fullmatch(code))
    return [code] if is_code else []


def check(atlas: Atlas, link: Link, place: Place) -> list[Problem]:
    """Warn if the text of a link is the name of another heading than the one it leads to."""
    if not place.heading or not place.page or link.kind == "image":
        return []
    label = github(link.text)
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
    """True if the label is a part of the heading's words: `lookup()` for `lookup(name)`."""
    slug = github(heading.text)
    return words(label) <= words(slug) or label.replace("-", "") in slug.replace("-", "")


def words(slug: str) -> set[str]:
    return {word.rstrip("s") for word in slug.split("-") if word}


def akin(one: Heading, other: Heading) -> bool:
    """True for headings with the same text, and if one is in the section of the other."""
    mine, its = (*one.trail, one.text), (*other.trail, other.text)
    return one.text == other.text or mine[: len(its)] == its or its[: len(mine)] == mine


BY_PATH = ("", "MkDocs", "mdBook", "Docusaurus", "VitePress", "GitBook", "Obsidian")  # have links `page.md#id`
KEPT = "/#~:@!$&'*+,;=äöüßÄÖÜéèêàçñ"


class Repair(NamedTuple):
    """A note for the message, and the edit that repairs the link."""

    note: str
    fix: Fix


def certain(atlas: Atlas, page: Page, link: Link, lost: Lost) -> Repair | None:
    """The repair of a dead link, if only one target can be meant."""
    if link.span.text != link.target or link.kind in ("wiki", "autolink"):
        return None
    if lost.page:
        return respelled(atlas, link, lost) or moved(atlas, page, link, lost)
    return other_case(atlas, link, lost) if lost.is_page and lost.path else None


def respelled(atlas: Atlas, link: Link, lost: Lost) -> Repair | None:
    """Repair an anchor if one id has the same letters, or one heading with another id has this text."""
    anchors = atlas.anchors[lost.path]
    same = anchors.by_letters.get(letters(lost.anchor)) or [one.id for one in anchors.by_text.get(lost.anchor, ())]
    before, mark, written = link.target.partition("#")
    if len(same) != 1 or not mark or unquote(written) != lost.anchor:
        return None
    return Repair(f"did you mean #{same[0]}?", Fix(link.span.part(len(before) + 1, len(link.target)), same[0]))


def moved(atlas: Atlas, page: Page, link: Link, lost: Lost) -> Repair | None:
    """Repair a link whose anchor exists on exactly one page."""
    homes = [home for home in atlas.homes.get(lost.anchor, ()) if atlas.anchors[home].exact[lost.anchor]]
    written, mark, _ = link.target.partition("#")
    if (
        len(homes) != 1
        or other_meaning(atlas, lost, homes[0])
        or atlas.dialect.name not in BY_PATH
        or not mark
        or (written and not written.endswith(".md"))
    ):
        return None
    here = homes[0] == atlas.path(page)
    path = atlas.as_written(homes[0], page)
    text = quote("" if here else path, KEPT) + f"#{lost.anchor}"
    return Repair(f"{'this page' if here else path} has #{lost.anchor}", Fix(link.span, text))


def other_meaning(atlas: Atlas, lost: Lost, home: str) -> bool:
    """True if that heading may be a different one: it is in another book, or the page has a similar id."""
    if not side_by_side(lost.path, home) or not same_book(atlas, lost.path, home):
        return True
    name, known = lost.anchor, [anchor for anchor in atlas.anchors[lost.path].exact if anchor]
    longer = any(anchor.startswith(f"{name}-") or name.startswith(f"{anchor}-") for anchor in known)
    return (
        longer
        or nearest(name, (one for one in known if one[:1] == name[:1] and abs(len(one) - len(name)) <= 2)) is not None
    )


def way_to(atlas: Atlas, page: Page, place: Place) -> str:
    """The link target from a page to a place."""
    here = place.path == atlas.path(page) and place.anchor
    path = "" if here else quote(atlas.as_written(place.path, page), KEPT)
    return path + (f"#{place.anchor}" if place.anchor else "")


def other_case(atlas: Atlas, link: Link, lost: Lost) -> Repair | None:
    """Repair a path that differs only in case: some file systems ignore case, servers do not."""
    path = atlas.paths_in_small_letters.get(lost.path.lower(), "")
    written = link.target.partition("#")[0]
    if not path or "%" in written or posixpath.basename(written).lower() != posixpath.basename(path).lower():
        return None
    size = len(common_end(written, path))
    span = Span(link.span.source, link.span.start + len(written) - size, link.span.start + len(written))
    return Repair(f"its name is {path[-size:]}: on most servers capitals count", Fix(span, path[-size:]))


def common_end(one: str, other: str) -> str:
    """The last folders of two paths that differ only in case."""
    size = 0
    for mine, its in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if mine.lower() != its.lower():
            break
        size += len(mine) + 1
    return one[-min(size - 1, len(one), len(other)) :]


Seen = list[tuple[Page, Link, Lost]]

LONG_ENOUGH = 4  # letters; shorter names are all similar
MOST_HINTS = 12
MANY = 3  # pages; a target that is missing on this many is reported once
MOST_GUESSES = 200  # in one run; each compares all anchors


def mended(page: Page, link: Link, lost: Lost, repair: Repair) -> Problem:
    """The problem of a link with a repair."""
    message = no_anchor(page, lost) if lost.page else f"there is no page {link.target.partition('#')[0]}"
    return Problem("link-missing", message, link.span, notes=(repair.note,), trail=link.trail, fix=repair.fix)


def lost_moved(atlas: Atlas, page: Page, link: Link, place: Place) -> Problem:
    """The problem of a link to an old place: a redirect resolves it, and the fix updates it."""
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
    """One problem for links of a page to missing anchors that look alike."""
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
    """For each anchor, the lines that link to it."""
    found: dict[str, set[int]] = defaultdict(set)
    for _, link, lost in seen:
        found[lost.anchor].add(place(link))
    return [f"#{anchor}: {lines(numbers)}" for anchor, numbers in found.items()]


def lines(numbers: set[int]) -> str:
    return ("line " if len(numbers) == 1 else "lines ") + ", ".join(map(str, sorted(numbers)))


def place(link: Link) -> int:
    return link.span.source.place(link.span.start)[0]


def hint(atlas: Atlas, page: Page, lost: Lost, name: str) -> list[str]:
    """Suggest the same anchor on another page, else a similar one."""
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
    """Problems for the links of one page to one page or file that does not exist."""
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
    """Merge problems with the same dead target on many pages into that of the first page."""
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
    """Suggest another page of this name, a page with the anchor, or a page of a similar name."""
    name, here = file_name(lost.path), atlas.path(page)
    if atlas.names.get(name, here) != here:
        return [f"did you mean {atlas.as_written(atlas.names[name], page)}?"]
    if lost.anchor in atlas.homes and here not in atlas.homes[lost.anchor]:
        return [f"{atlas.as_written(atlas.homes[lost.anchor][0], page)} has #{lost.anchor}"]
    near = nearest(name, (known for known, path in atlas.names.items() if path != here))
    return [f"did you mean {atlas.as_written(atlas.names[near], page)}?"] if near else []


def odd_ones(seen: Seen) -> list[Problem]:
    """Report anchors that look like typos of another one, although the page itself is missing."""
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


DIGITS = re.compile(r"\d+")


def check_links(pages: Iterable[Page], root: str = "", exists: Callable[[str], bool] | None = None) -> list[Problem]:
    """Check all links of a book. `root` is its folder; `exists` tests for files, by default on disk."""
    return links_check(Atlas(pages, root, exists or on_disk))


def links_check(atlas: Atlas, pages: Iterable[Page] | None = None) -> list[Problem]:
    """Check the links of some pages, or of all pages that the resolver has."""
    lost: list[tuple[Page, Link, Lost]] = []
    problems: list[Problem] = []
    for page in atlas.pages if pages is None else pages:
        for link in atlas.links(page):
            found = atlas.resolve(link, page)
            if isinstance(found, Place) and found.moved:
                problems.append(lost_moved(atlas, page, link, found))
            elif isinstance(found, Place):
                problems += check(atlas, link, found)
            elif isinstance(found, Lost):
                lost.append((page, link, found))
    return in_reading_order(dict.fromkeys([*problems, *what_is_lost(atlas, lost)]))


def what_is_lost(atlas: Atlas, lost: Seen) -> Iterator[Problem]:
    """Problems of dead links: those with a certain repair one by one, all others grouped by target."""
    anchors: dict[tuple[str, ...], Seen] = defaultdict(list)
    pages: dict[tuple[str, ...], Seen] = defaultdict(list)
    for page, link, found in lost:
        if repair := certain(atlas, page, link, found):
            yield mended(page, link, found, repair)
        elif found.page:
            anchors[page.source.path, found.path, DIGITS.sub("0", found.anchor)].append((page, link, found))
        else:
            pages[page.source.path, found.path].append((page, link, found))
    yield from (lost_anchors(atlas, seen) for seen in anchors.values())
    yield from (problem for seen in pages.values() for problem in lost_pages(atlas, seen))

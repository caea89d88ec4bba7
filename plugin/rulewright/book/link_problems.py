"""Checks links: dead ones with suggestions and fixes, misleading labels, and targets that have moved."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import quote, unquote

from ..source import Fix, Problem, Span, find_similar, sort_problems
from .anchors import github_slug, letters_only
from .host_links import ForeignLink, foreign_problem, resolve_on_host
from .page import Heading, Link, Page
from .resolver import DeadLink, LinkResolver, LinkTarget, file_name

_BOOK_MARKERS = ("game.toml", "mkdocs.yml", "book.toml")  # a folder with one of these is a separate book
_LANGUAGE_CODE = re.compile(
    "af|ar|az|be|bg|bn|bs|ca|cs|cy|da|de|el|en|eo|es|et|eu|fa|fi|fil|fr|ga|gl|he|hi|hr|hu|hy|id|is|it|ja|ka|kk|ko|la|lt"
    "|lv|mk|mn|ms|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|sw|ta|te|th|tl|tr|tw|uk|ur|uz|vi|zh|cn|jp|kr|br"
    "|eng|deu|ger|fra|fre|spa|ita|por|rus|ukr|pol|jpn|chn|zho|chi|kor|nld|dut|ces|cze|swe|fin|hun|tur"
    "|english|german|deutsch|french|fran[cç]ais|spanish|espa[nñ]ol|italian|italiano|portuguese|russian"
    "|ukrainian|polish|japanese|chinese|korean|dutch|czech"
)
_CODE_OR_WORD = re.compile("be|he|hi|id|is|it|la|no|te|th|tl|br")  # after a hyphen these are words: `what-is-it.md`
_REGION_CODE = re.compile(r"([a-z]{2,3})[-_](?:[A-Z]{2}|[A-Z][a-z]{3})")  # pt-BR, zh-Hans
_LAST_WORD = re.compile(r".*([._ -])([^\W\d_]+)")
_EDITION_MARK = re.compile(
    r"(?<![a-z0-9])(?:v\d[\d.]*|\d[\d.]*e(?:d(?:ition)?)?|\d+\.\d+|ed(?:ition)?[-_ ]?\d+"
    r"|(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|revised|old|new)[-_ ]?ed(?:ition)?)(?![a-z0-9])"
)
_ARCHIVE = re.compile(r"[._-]*(?:old|archived?|archives|attic|backups?|deprecated|legacy|obsolete|unused)[._-]*")


def same_book(resolver: LinkResolver, path: str, other: str) -> bool:
    """True if two pages belong to the same book, edition and language."""
    is_gone = posixpath.dirname(path) not in resolver.page_folders | {""}  # a whole folder may have another name now
    return language_and_edition(path) == language_and_edition(other) and (
        is_gone or _book_folder(resolver, path) == _book_folder(resolver, other)
    )


def _is_nearby(resolver: LinkResolver, path: str, other: str) -> bool:
    """True if a page may be suggested on another: not the page of an archive, another language or another site."""
    roots = resolver.dialect.roots
    own = [[root for root in roots if place.startswith(f"{root}/")] for place in (path, other)]
    return own[0] == own[1] and language_and_edition(path) == language_and_edition(other)


def side_by_side(path: str, other: str) -> bool:
    """True if one page is in the folder of the other or deeper; not at the root: its folders may be books."""
    first, second = sorted((posixpath.dirname(path), posixpath.dirname(other)), key=len)
    return first == second or (bool(first) and second.startswith(f"{first}/"))


def _book_folder(resolver: LinkResolver, path: str) -> str:
    """The nearest folder above a page that is a separate book; empty for the root."""
    folder = posixpath.dirname(path)
    while folder and not any(resolver.has_file(f"{folder}/{marker}") for marker in _BOOK_MARKERS):
        folder = posixpath.dirname(folder)
    return folder


def language_and_edition(path: str) -> tuple[str, ...]:
    """The languages and editions in the path of a page, and its archive folders."""
    *folders, name = path.split("/")
    names = [*folders, posixpath.splitext(name)[0]]
    marks = (mark for part in names for mark in (*_language_codes(part), *_EDITION_MARK.findall(part.lower())))
    return (*marks, *(folder.lower() for folder in folders if _ARCHIVE.fullmatch(folder.lower())))


def _language_codes(name: str) -> list[str]:
    """The language in a name: `de`, `pt-BR`, `combat.de`, `Ironsworn-md-en`."""
    region, last = _REGION_CODE.fullmatch(name), _LAST_WORD.fullmatch(name)
    if _LANGUAGE_CODE.fullmatch(name.lower()) or (region and _LANGUAGE_CODE.fullmatch(region[1])):
        return [name.lower()]
    code = last[2].lower() if last else ""
    is_code = last and _LANGUAGE_CODE.fullmatch(code) and (last[1] == "." or not _CODE_OR_WORD.fullmatch(code))
    return [code] if is_code else []


def _check_label(resolver: LinkResolver, link: Link, target: LinkTarget) -> list[Problem]:
    """Warn if the text of a link is the name of another heading than the one it leads to."""
    if not target.heading or not target.page or link.kind == "image":
        return []
    label = github_slug(link.text)
    if not label or label == target.anchor or label == target.heading.id:
        return []
    qualified = github_slug(_BRACKETS.sub("", link.text))  # "Mule (young)" may lead to "Mule variants"
    anchors = resolver.anchors[target.path]
    others = anchors.by_text.get(label, [])
    if (
        not others
        or _matches_heading(label, target.heading)
        or (qualified != label and _matches_heading(qualified, target.heading))
        or _names_page(label, target.path, target.page)
        or any(_is_related(other, target.heading) for other in others)
    ):
        return []
    other = others[0]
    message = f"the text says «{link.text}», but the link goes to «{target.heading.text}»"
    note = f"«{other.text}» is #{anchors.id_of(other)}"
    return [Problem("link-label", message, link.span, "warning", (note,), link.trail)]


_BRACKETS = re.compile(r"\([^()]*\)")


def _names_page(label: str, path: str, page: Page) -> bool:
    """True if the label is the name of the page: "see Combat" may lead to a section of that page."""
    folder, name = posixpath.split(posixpath.splitext(path)[0])
    title = page.headings[0].text if page.headings else ""
    return label in {github_slug(name), github_slug(posixpath.basename(folder)), github_slug(title)}


def _matches_heading(label: str, heading: Heading) -> bool:
    """True if the label is a part of the heading's words: `lookup()` for `lookup(name)`."""
    slug = github_slug(heading.text)
    return _slug_words(label) <= _slug_words(slug) or label.replace("-", "") in slug.replace("-", "")


def _slug_words(slug: str) -> set[str]:
    return {word.rstrip("s") for word in slug.split("-") if word}


def _is_related(heading: Heading, other: Heading) -> bool:
    """True for headings with the same text, and if one is in the section of the other."""
    path, other_path = (*heading.trail, heading.text), (*other.trail, other.text)
    return heading.text == other.text or path[: len(other_path)] == other_path or other_path[: len(path)] == path


_PATH_DIALECTS = ("", "MkDocs", "mdBook", "Docusaurus", "VitePress", "GitBook", "Obsidian")  # have links `page.md#id`
_SAFE_CHARACTERS = "/#~:@!$&'*+,;=äöüßÄÖÜéèêàçñ"


class _Suggestion(NamedTuple):
    """A note for the message, and the edit that repairs the link."""

    note: str
    fix: Fix
    is_elsewhere: bool = False  # is the target on another page?


def _certain_suggestion(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> _Suggestion | None:
    """The repair of a dead link, if only one target can be meant."""
    if link.span.text != link.target or link.kind in ("wiki", "autolink"):
        return None
    if dead.page:
        return _suggest_spelling(resolver, link, dead) or _suggest_other_page(resolver, page, link, dead)
    return _suggest_case(resolver, link, dead) if dead.is_page and dead.path else None


def _suggest_spelling(resolver: LinkResolver, link: Link, dead: DeadLink) -> _Suggestion | None:
    """Repair an anchor if one id has the same letters, or one heading with another id has this text."""
    anchors = resolver.anchors[dead.path]
    ids = anchors.by_letters.get(letters_only(dead.anchor)) or [
        anchors.id_of(heading) for heading in anchors.by_text.get(dead.anchor, ())
    ]
    before, mark, written = link.target.partition("#")
    if len(ids) != 1 or not mark or unquote(written) != dead.anchor:
        return None
    return _Suggestion(f"did you mean #{ids[0]}?", Fix(link.span.subspan(len(before) + 1, len(link.target)), ids[0]))


def _suggest_other_page(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> _Suggestion | None:
    """Repair a link whose anchor exists on exactly one page."""
    pages = [
        home for home in resolver.pages_by_anchor.get(dead.anchor, ()) if resolver.anchors[home].exact[dead.anchor]
    ]
    written, mark, _ = link.target.partition("#")
    if (
        len(pages) != 1
        or _is_ambiguous(resolver, dead, pages[0])
        or resolver.dialect.name not in _PATH_DIALECTS
        or not mark
        or (written and not written.endswith(".md"))
    ):
        return None
    is_here = pages[0] == resolver.path(page)
    path = resolver.relative_path(pages[0], page)
    text = quote("" if is_here else path, _SAFE_CHARACTERS) + f"#{dead.anchor}"
    return _Suggestion(f"{'this page' if is_here else path} has #{dead.anchor}", Fix(link.span, text), True)


def _is_ambiguous(resolver: LinkResolver, dead: DeadLink, other: str) -> bool:
    """True if that heading may be a different one: it is in another book, or the page has a similar id."""
    if not side_by_side(dead.path, other) or not same_book(resolver, dead.path, other):
        return True
    name, page_anchors = dead.anchor, [anchor for anchor in resolver.anchors[dead.path].exact if anchor]
    longer = any(anchor.startswith(f"{name}-") or name.startswith(f"{anchor}-") for anchor in page_anchors)
    return (
        longer
        or find_similar(
            name,
            (
                candidate
                for candidate in page_anchors
                if candidate[:1] == name[:1] and abs(len(candidate) - len(name)) <= 2
            ),
        )
        is not None
    )


def relative_target(resolver: LinkResolver, page: Page, target: LinkTarget) -> str:
    """The link target from a page to a place."""
    is_here = target.path == resolver.path(page) and target.anchor
    path = "" if is_here else quote(resolver.relative_path(target.path, page), _SAFE_CHARACTERS)
    return path + (f"#{target.anchor}" if target.anchor else "")


def _suggest_case(resolver: LinkResolver, link: Link, dead: DeadLink) -> _Suggestion | None:
    """Repair a path that differs only in case: some file systems ignore case, servers do not."""
    path = resolver.by_lower_path.get(dead.path.lower(), "")
    written = link.target.partition("#")[0]
    if not path or "%" in written or posixpath.basename(written).lower() != posixpath.basename(path).lower():
        return None
    size = len(_common_ending(written, path))
    span = Span(link.span.source, link.span.start + len(written) - size, link.span.start + len(written))
    return _Suggestion(f"its name is {path[-size:]}: on most servers capitals count", Fix(span, path[-size:]))


def _common_ending(path: str, other: str) -> str:
    """The last folders of two paths that differ only in case."""
    size = 0
    for mine, its in zip(reversed(path.split("/")), reversed(other.split("/")), strict=False):
        if mine.lower() != its.lower():
            break
        size += len(mine) + 1
    return path[-min(size - 1, len(path), len(other)) :]


_DeadLinks = list[tuple[Page, Link, DeadLink]]

_MIN_NAME_LENGTH = 4  # letters; shorter names are all similar
_MAX_HINTS = 12
MAX_GUESSES = 200  # in one run; each compares all anchors


def _fixable_problem(page: Page, link: Link, dead: DeadLink, suggestion: _Suggestion) -> Problem:
    """The problem of a link with a repair."""
    message = _missing_anchor_message(page, dead) if dead.page else f"there is no page {link.target.partition('#')[0]}"
    return Problem("link-missing", message, link.span, notes=(suggestion.note,), trail=link.trail, fix=suggestion.fix)


def _moved_problem(resolver: LinkResolver, page: Page, link: Link, target: LinkTarget) -> Problem:
    """The problem of a link to an old place: a redirect resolves it, and the fix updates it."""
    text = relative_target(resolver, page, target)
    is_verbatim = link.span.text == link.target and link.kind not in ("wiki", "autolink")
    message = f"what this link means has moved to {text}"
    before = resolver.resolve_directly(link, page)
    is_certain = is_verbatim and isinstance(before, DeadLink) and same_book(resolver, before.path, target.path)
    fix = Fix(link.span, text) if is_certain else None
    return Problem("link-moved", message, link.span, "info", trail=link.trail, fix=fix)


_DICE = re.compile(r"#\d*d(?:\d+|%|f)")
_TABLE_ROW = re.compile(r"[ \t]*\|")
_MIN_PATTERN = 3  # links; fewer may be typos
_MAX_WORDS = 4  # of the beginning of an id
_MIN_FAMILY = 10  # links to ids with one beginning that no page has


class _Pattern(NamedTuple):
    """What many links do, a note, how serious it is, and whether it is one for the whole book or for a page."""

    cause: str
    note: str
    severity: str
    is_everywhere: bool = True


_ICONS = _Pattern("links go to dice, which their page does not have", "a style sheet may show an icon there", "info")
_DEFINITIONS = _Pattern(
    "links in tables go to their own text, which the page does not have",
    'a link defines nothing; an id is written <a id="name"></a>',
    "error",
    is_everywhere=False,
)


def _find_pattern(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> _Pattern | None:
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


def _find_families(resolver: LinkResolver, dead_links: _DeadLinks) -> dict[str, _Pattern]:
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
    families = dict[str, _Pattern]()
    for start, anchors in sorted(members.items(), key=lambda item: len(item[0])):
        if len(anchors) >= _MIN_FAMILY and len(set(anchors)) >= _MIN_PATTERN:
            cause = f"links go to ids that begin with #{start}, and no page has one"
            note = "a style sheet or a script may use them; else write their headings"
            families |= dict.fromkeys(anchors, _Pattern(cause, note, "info"))
    return families


def _pattern_problems(pattern: _Pattern, dead_links: _DeadLinks) -> Iterator[Problem]:
    for page, link, dead in dead_links:
        message, notes = _missing_anchor_message(page, dead), (pattern.note,)
        yield Problem("link-missing", message, link.span, pattern.severity, notes, link.trail, cause=pattern.cause)


def _missing_anchor_message(page: Page, dead: DeadLink) -> str:
    return f"there is no #{dead.anchor} on {_page_name(page, dead)}"


def _page_name(page: Page, dead: DeadLink) -> str:
    return "this page" if dead.page is page else dead.path


def _missing_anchor_problems(resolver: LinkResolver, dead_links: _DeadLinks) -> Iterator[Problem]:
    """Problems for the links of one page to missing anchors of another that look alike."""
    hints = dict[str, list[str]]()
    for page, link, dead in dead_links:
        if dead.anchor not in hints:
            hints[dead.anchor] = _suggest_anchor(resolver, page, dead, dead.anchor) if len(hints) < _MAX_HINTS else []
        message, notes = _missing_anchor_message(page, dead), tuple(hints[dead.anchor])
        cause = f"{dead.path} does not have the ids that links name"
        yield Problem("link-missing", message, link.span, notes=notes, trail=link.trail, cause=cause)


def _suggest_anchor(resolver: LinkResolver, page: Page, dead: DeadLink, name: str) -> list[str]:
    """Suggest the same anchor on another page, else a similar one."""
    own_path = resolver.path(page)
    pages = [home for home in resolver.pages_by_anchor.get(name, ()) if _is_nearby(resolver, own_path, home)]
    if pages:
        return [f"{resolver.relative_path(home, page)} has #{name}" for home in pages[:2]]
    resolver.guess_count += 1
    if resolver.guess_count > MAX_GUESSES:
        return []
    longer = [a for a in resolver.anchors[dead.path].exact if name and (a + "-").startswith(name.lower() + "-")]
    if longer:
        return [f"did you mean #{longer[0]}?"]
    if len(name) < _MIN_NAME_LENGTH:
        return []
    closest = find_similar(name, [anchor for anchor in resolver.anchors[dead.path].exact if anchor])
    if closest:
        return [f"did you mean #{closest}?"]
    closest = find_similar(name, [anchor for anchor in resolver.pages_by_anchor if _may_be_typo(name, anchor)])
    home = resolver.pages_by_anchor[closest][0] if closest else ""
    is_known = closest and _is_nearby(resolver, own_path, home)
    return [f"did you mean {resolver.relative_path(home, page)}#{closest}?"] if is_known else []


def _missing_page_problems(resolver: LinkResolver, dead_links: _DeadLinks) -> Iterator[Problem]:
    """Problems for the links of one page to one page or file that does not exist."""
    page, first, dead = dead_links[0]
    missing = "page" if dead.is_page and first.kind != "image" else "file"
    suggestions = _suggest_page(resolver, page, dead) if missing == "page" and first.target.strip() else []
    for _, link, _ in dead_links:
        is_planned = resolver.dialect.name == "Obsidian" and link.kind == "wiki" and not suggestions
        notes = ["the link makes this page once somebody follows it"] if is_planned else suggestions
        written = link.target.strip().partition("#")[0]
        message = f"there is no {missing} {written}" if link.target.strip() else "this link has no target"
        severity, cause = "warning" if is_planned else "error", _missing_cause(resolver, page, link, dead)
        kind, question = resolver.question(link)
        if kind:
            severity, cause = "info" if kind == "media" else severity, question
        yield Problem("link-missing", message, link.span, severity, tuple(notes), link.trail, cause=cause)


def _missing_cause(resolver: LinkResolver, page: Page, link: Link, dead: DeadLink) -> str:
    """What a dead link shares with others: a name, a folder without pages as the link says it, or its target."""
    if link.kind == "wiki":
        return f"links go to {link.target.partition('#')[0]}, which is missing"
    *folders, name = dead.path.split("/")
    paths = accumulate(folders, posixpath.join) if dead.is_page else ()
    folder = next((path for path in paths if path and path not in resolver.page_folders), "")
    if not folder:
        return f"links go to {dead.path}, which is missing" if name else ""
    is_absolute = link.target.startswith("/")
    written = f"/{folder}" if is_absolute else posixpath.relpath(folder, posixpath.dirname(resolver.path(page)) or ".")
    return f"links go into a folder {written}, and no page is there"


def _suggest_page(resolver: LinkResolver, page: Page, dead: DeadLink) -> list[str]:
    """Suggest another page of this name, a page with the anchor, or a page of a similar name."""
    name, own_path = file_name(dead.path), resolver.path(page)

    def is_other(path: str) -> bool:
        return path != own_path and _is_nearby(resolver, own_path, path)

    if is_other(resolver.by_file_name.get(name, own_path)):
        return [f"did you mean {resolver.relative_path(resolver.by_file_name[name], page)}?"]
    homes = resolver.pages_by_anchor.get(dead.anchor, [])
    if homes and own_path not in homes and is_other(homes[0]):
        return [f"{resolver.relative_path(homes[0], page)} has #{dead.anchor}"]
    resolver.guess_count += 1
    if resolver.guess_count > MAX_GUESSES:
        return []
    known_names = resolver.by_file_name.items()
    similar = find_similar(name, [known for known, path in known_names if _may_be_typo(name, known) and is_other(path)])
    return [f"did you mean {resolver.relative_path(resolver.by_file_name[similar], page)}?"] if similar else []


def _may_be_typo(name: str, known: str) -> bool:
    """A quick look before names are compared letter by letter, which is slow."""
    return known[:1].lower() == name[:1].lower() and abs(len(known) - len(name)) <= 2


_DIGITS = re.compile(r"\d+")


def find_link_problems(resolver: LinkResolver, pages: Iterable[Page] | None = None) -> list[Problem]:
    """Check the links of some pages, or of all pages that the resolver has."""
    dead_links: list[tuple[Page, Link, DeadLink]] = []
    problems: list[Problem] = []
    for page in resolver.pages if pages is None else pages:
        foreign = dict[Span, Problem]()  # a reference may be used several times
        for link in resolver.links(page):
            result = resolve_on_host(resolver, link, page)
            if isinstance(result, ForeignLink):
                foreign.setdefault(link.span, foreign_problem(resolver, page, link, result))
            elif isinstance(result, LinkTarget) and result.is_moved:
                problems.append(_moved_problem(resolver, page, link, result))
            elif isinstance(result, LinkTarget):
                problems += _check_label(resolver, link, result)
            elif isinstance(result, DeadLink):
                dead_links.append((page, link, result))
        problems += foreign.values()
    return sort_problems(dict.fromkeys([*problems, *_dead_link_problems(resolver, dead_links)]))


def _dead_link_problems(resolver: LinkResolver, dead_links: _DeadLinks) -> Iterator[Problem]:
    """Problems of dead links: those with a certain repair one by one, all others by target."""
    by_anchor: dict[tuple[str, ...], _DeadLinks] = defaultdict(list)
    by_page: dict[tuple[str, ...], _DeadLinks] = defaultdict(list)
    by_pattern: dict[tuple[str, _Pattern | None], _DeadLinks] = defaultdict(list)
    families = _find_families(resolver, dead_links)
    for page, link, dead in dead_links:
        pattern = _find_pattern(resolver, page, link, dead) or families.get(dead.anchor)
        where = "" if pattern and pattern.is_everywhere else page.source.path
        by_pattern[where, pattern].append((page, link, dead))
    others: _DeadLinks = []
    for (_, pattern), group in by_pattern.items():
        if pattern and len(group) >= _MIN_PATTERN:
            yield from _pattern_problems(pattern, group)
        else:
            others += group
    for page, link, dead in others:
        suggestion = _certain_suggestion(resolver, page, link, dead)
        if suggestion and not (_find_maker(resolver, dead) and (suggestion.is_elsewhere or not _knows_slugs(resolver))):
            yield _fixable_problem(page, link, dead, suggestion)
        elif dead.page:
            by_anchor[page.source.path, dead.path, _DIGITS.sub("0", dead.anchor)].append((page, link, dead))
        else:
            by_page[page.source.path, dead.path].append((page, link, dead))
    groups = [*by_anchor.values(), *by_page.values()]
    for group in groups:
        report_missing = _missing_anchor_problems if group[0][2].page else _missing_page_problems
        problems = report_missing(resolver, group)
        maker = _find_maker(resolver, group[0][2])
        yield from (_uncertain_problem(problem, maker) if maker else problem for problem in problems)


def _find_maker(resolver: LinkResolver, dead: DeadLink) -> str:
    """What may make the target of a dead link in a build; empty if nothing does, or if the site is finished."""
    if resolver.host is None or resolver.host.site:
        return ""
    settings = resolver.host.settings
    if dead.page:
        return settings.find_id_maker(dead.page)
    return f"`{settings.page_makers[0]}`" if settings.page_makers and dead.is_page else ""


def _knows_slugs(resolver: LinkResolver) -> bool:
    """Whether the ids of headings are known before a build."""
    return resolver.host is None or resolver.host.settings.slugs is not None


def _uncertain_problem(problem: Problem, maker: str) -> Problem:
    """A problem that only a build can decide."""
    note = f"{maker} may add it in a build; `rulewright check --site site` looks at the finished pages"
    return problem._replace(severity="info", notes=(*problem.notes, note), fix=None)

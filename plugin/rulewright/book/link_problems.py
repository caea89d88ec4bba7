"""Checks links: dead ones with suggestions and fixes, misleading labels, and targets that have moved."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from ..source import Fix, Problem, Span, sort_problems
from .addresses import check_address
from .host_links import ForeignLink, foreign_problem, resolve_on_host
from .link_labels import check_label
from .link_patterns import MIN_PATTERN, LinkPattern, find_families, find_pattern
from .link_repairs import Suggestion, certain_suggestion, relative_target, suggest_anchor, suggest_page
from .page import Link, Page
from .resolver import DeadLink, LinkResolver, LinkTarget
from .same_book import same_book

_MAX_HINTS = 12
_DeadLinks = list[tuple[Page, Link, DeadLink]]


def _fixable_problem(page: Page, link: Link, dead: DeadLink, suggestion: Suggestion) -> Problem:
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


def _pattern_problems(pattern: LinkPattern, dead_links: _DeadLinks) -> Iterator[Problem]:
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
            hints[dead.anchor] = suggest_anchor(resolver, page, dead, dead.anchor) if len(hints) < _MAX_HINTS else []
        message, notes = _missing_anchor_message(page, dead), tuple(hints[dead.anchor])
        cause = f"{dead.path} does not have the ids that links name"
        yield Problem("link-missing", message, link.span, notes=notes, trail=link.trail, cause=cause)


def _missing_page_problems(resolver: LinkResolver, dead_links: _DeadLinks) -> Iterator[Problem]:
    """Problems for the links of one page to one page or file that does not exist."""
    page, first, dead = dead_links[0]
    missing = "page" if dead.is_page and first.kind != "image" else "file"
    suggestions = suggest_page(resolver, page, dead) if missing == "page" and first.target.strip() else []
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


_DIGITS = re.compile(r"\d+")


def find_link_problems(resolver: LinkResolver, pages: Iterable[Page] | None = None) -> list[Problem]:
    """Check the links of some pages, or of all pages that the resolver has."""
    dead_links: list[tuple[Page, Link, DeadLink]] = []
    problems: list[Problem] = []
    for page in resolver.pages if pages is None else pages:
        foreign = dict[Span, Problem]()  # a reference may be used several times
        for link in resolver.links(page):
            result = resolve_on_host(resolver, link, page)
            if not isinstance(result, LinkTarget) and (wrong := check_address(link)):
                problems.append(wrong)
            elif isinstance(result, ForeignLink):
                foreign.setdefault(link.span, foreign_problem(resolver, page, link, result))
            elif isinstance(result, LinkTarget) and result.is_moved:
                problems.append(_moved_problem(resolver, page, link, result))
            elif isinstance(result, LinkTarget):
                problems += check_label(resolver, link, result)
            elif isinstance(result, DeadLink):
                dead_links.append((page, link, result))
        problems += foreign.values()
    return sort_problems(dict.fromkeys([*problems, *_dead_link_problems(resolver, dead_links)]))


def _dead_link_problems(resolver: LinkResolver, dead_links: _DeadLinks) -> Iterator[Problem]:
    """Problems of dead links: those with a certain repair one by one, all others by target."""
    by_anchor: dict[tuple[str, ...], _DeadLinks] = defaultdict(list)
    by_page: dict[tuple[str, ...], _DeadLinks] = defaultdict(list)
    by_pattern: dict[tuple[str, LinkPattern | None], _DeadLinks] = defaultdict(list)
    families = find_families(resolver, dead_links)
    for page, link, dead in dead_links:
        pattern = find_pattern(resolver, page, link, dead) or families.get(dead.anchor)
        where = "" if pattern and pattern.is_everywhere else page.source.path
        by_pattern[where, pattern].append((page, link, dead))
    others: _DeadLinks = []
    for (_, pattern), group in by_pattern.items():
        if pattern and len(group) >= MIN_PATTERN:
            yield from _pattern_problems(pattern, group)
        else:
            others += group
    for page, link, dead in others:
        suggestion = certain_suggestion(resolver, page, link, dead)
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

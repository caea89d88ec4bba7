"""The generated reference pages of a site: rules, terms, changes since an edition, and the state of the book."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path as File
from typing import TYPE_CHECKING, Any, NamedTuple

from ..book.anchors import term
from ..book.page import Page
from ..book.resolver import Atlas
from ..checks.model import Checked
from ..compile.book import CheckedPage, Compiled
from ..compile.nav import in_order
from ..game.model import Game, Rule
from ..source import Problem
from .cards.rules import Item, contest, outcome
from .cards.wording import Asked, asked, named, readable
from .numbers import counted
from .strings import Words
from .terms import Glossary, Meaning

if TYPE_CHECKING:
    from ..diff.diff import EditionDiff
    from ..diff.edition import Edition

FOLDER = "reference"
SIGN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~^=:&$\"'])")


@dataclass(frozen=True)
class Shelf:
    """What the reference pages are made of: the book, its link resolver, glossary and strings."""

    compiled: Compiled
    atlas: Atlas
    glossary: Glossary
    words: Words

    @cached_property
    def pages(self) -> list[CheckedPage]:
        """In reading order."""
        return [chapter.page for chapter in in_order(self.compiled, self.compiled.games.root)]

    @cached_property
    def games(self) -> dict[str, Game]:
        """Games by folder, in the order of their first pages; games of single pages only if there are no others."""
        homes = {page.home.folder: page.home for page in self.pages if page.home}
        known = self.compiled.games.found
        return {folder: known[folder] for folder in [*homes, *known] if folder in known} or homes

    def path(self, page: Page) -> str:
        return self.atlas.path(page)

    def title(self, path: str) -> str:
        return self.atlas.anchors[path].page.title

    def link(self, path: str, anchor: str, text: str) -> str:
        """A link as HTML, from a reference page into the book."""
        way = posixpath.relpath(path, FOLDER) + (f"#{anchor}" if anchor else "")
        return f'<a href="{escape(way)}">{escape(text)}</a>'


def heading(level: int, text: str) -> str:
    """A Markdown heading with its text escaped."""
    return f"{'#' * level} {SIGN.sub(lambda found: chr(92) + found[1], text)}\n"


def paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def whole(parts: list[str]) -> str:
    """Join parts with blank lines; none inside of HTML, where they would end it."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def glossary(shelf: Shelf) -> str:
    """The index of terms as Markdown; empty for a book without terms."""
    order = [None, *shelf.games]
    found = {folder: meanings for folder, meanings in shelf.glossary.by_game.items() if meanings and folder in order}
    if not found:
        return ""
    words, taken = shelf.words, set[str]()
    parts = [heading(1, words("index of terms"))]
    for folder in sorted(found, key=order.index):
        game = shelf.games[folder] if folder is not None else None
        parts += [heading(2, game.title)] if game else []
        parts.append(listed(shelf, found[folder], taken))
    return whole(parts)


def listed(shelf: Shelf, meanings: list[Meaning], taken: set[str]) -> str:
    """Terms in alphabetical order; each id is used once on the page."""
    ordered = sorted({one.name.lower(): one for one in reversed(meanings)}.values(), key=lambda one: one.name.lower())
    return '<dl class="rw-terms">\n' + "\n".join(entry(shelf, one, taken) for one in ordered) + "\n</dl>"


def entry(shelf: Shelf, one: Meaning, taken: set[str]) -> str:
    id_ = term(one.name)
    place = "" if id_ in taken else f' id="{escape(id_)}"'
    taken.add(id_)
    where = f" {shelf.link(one.path, one.anchor, shelf.title(one.path))}" if one.path else ""
    return f"<dt{place}>{escape(one.name)}</dt><dd>{escape(one.text)}{where}</dd>"


def changes(shelf: Shelf) -> str:
    """The changes since the edition in the option `since` as Markdown; empty if there are none."""
    if not shelf.compiled.options.since:
        return ""
    from .changes import (
        change_sections,
        render_markdown,  # imported late: only books with two editions need it
    )

    found = compared(shelf)
    told = change_sections(found, shelf.words, links=False) if found else []
    if not told:
        return ""
    words = shelf.words
    return whole([heading(1, words("what changed")), paragraph(words("what changed says")), render_markdown(told)])


def compared(shelf: Shelf) -> EditionDiff | None:
    """The diff against the older edition; None if it cannot be read."""
    from ..compile.revisions import NoEditionError, opened
    from ..diff.diff import diff_editions
    from ..diff.edition import read_edition

    root = shelf.compiled.games.root
    try:
        with opened(shelf.compiled.options.since, root) as place:
            old = read_edition(shelf.compiled.options.since, place.folder, place.here)
            return diff_editions(old, this_side(shelf))
    except NoEditionError:  # reported with the options, or deleted since
        return None


def this_side(shelf: Shelf) -> Edition:
    """The current book as an edition, without reading it again."""
    from ..diff.edition import Edition, EditionPage

    root = shelf.compiled.games.root
    leaves = tuple(
        EditionPage(page.file.relative_to(root).as_posix(), page.file, page.page, page.home)
        for page in shelf.compiled.pages
    )
    return Edition("", root, File.cwd(), shelf.compiled.games, leaves, (), shelf.compiled.project)


Key = tuple[str, str, str]  # of a rule: game, name, file
Uses = dict[Key, dict[str, list[Checked]]]  # blocks about a rule, by page


def rules(shelf: Shelf) -> str:
    """The index of rules as Markdown; empty for a book without rules."""
    games = [game for game in shelf.games.values() if game.rules]
    if not games:
        return ""
    words, used = shelf.words, uses(shelf)
    parts = [heading(1, words("index of rules")), paragraph(words("index of rules says"))]
    for game in games:
        parts += [heading(2, game.title), table(shelf, game, used)]
    return whole(parts)


def uses(shelf: Shelf) -> Uses:
    """The visible blocks about each rule."""
    found: Uses = defaultdict(lambda: defaultdict(list))
    for page in shelf.pages:
        for one in page.blocks:
            if one.rule and one.block.shown:
                found[key(one.rule)][shelf.path(page.page)].append(one)
    return found


def key(rule: Rule) -> Key:
    return rule.game, rule.name, rule.span.source.path


def table(shelf: Shelf, game: Game, used: Uses) -> str:
    """The rules of a game as an HTML table."""
    words = shelf.words
    heads = [words(name) for name in ("rule", "heading inputs", "heading outcomes", "where used")]
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    rows = "\n".join(row(shelf, rule, used.get(key(rule), {})) for rule in game.rules.values())
    return (
        f'<div class="rw-scroll" tabindex="0" role="group" aria-label="{escape(game.title)}">'
        f'<table class="rw-reference"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def row(shelf: Shelf, rule: Rule, used: dict[str, list[Checked]]) -> str:
    name = escape(rule.label or rule.name)
    if told := explained(used):
        name = shelf.link(*told, rule.label or rule.name)
    inputs = "".join(f"<li>{known(one, shelf)}</li>" for one in asked(rule, shelf.words))
    ends = "".join(f"<li>{item(one)}</li>" for one in results(rule, shelf))
    where = "".join(f"<li>{place(shelf, path, blocks)}</li>" for path, blocks in used.items())
    cells = "".join(f"<td>{f'<ul>{cell}</ul>' if cell else ''}</td>" for cell in (inputs, ends, where))
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def explained(used: dict[str, list[Checked]]) -> tuple[str, str] | None:
    """The block that states the rule in words, else its first use."""
    blocks = [(path, one.block) for path, found in used.items() for one in found]
    chosen = next((pair for pair in blocks if pair[1].kind == "rule"), blocks[0] if blocks else None)
    return (chosen[0], chosen[1].id) if chosen else None


def known(one: Asked, shelf: Shelf) -> str:
    start = f" · {escape(shelf.words('normally', value=one.start))}" if one.start else ""
    return f"<b>{escape(one.label)}</b> {escape(one.may_be)}{start}"


def results(rule: Rule, shelf: Shelf) -> Iterator[Item]:
    """The outcomes of a rule, or of a contest who wins; without outcomes its steps."""
    if rule.contest:
        yield from contest(rule, shelf.words)
    elif rule.outcomes:
        yield from (outcome(rule, one, shelf.words) for one in rule.outcomes)
    else:
        yield from (Item(named(one.name), [readable(one.formula, shelf.words, rule)]) for one in rule.steps)


def item(one: Item) -> str:
    return f"<b>{escape(one.name)}</b> {escape(' '.join(one.lines))}"


def place(shelf: Shelf, path: str, blocks: list[Checked]) -> str:
    """A link to a page that uses a rule, with the number of uses."""
    many = f'<span class="rw-many" title="{escape(counted("blocks", len(blocks), shelf.words))}">×{len(blocks)}</span>'
    return f"{shelf.link(path, blocks[0].block.id, shelf.title(path))} {many}"


STATUSES = ("passed", "failed", "error", "skipped")


class Remark(NamedTuple):
    """An open point: its page, line and text."""

    page: CheckedPage
    line: int
    text: str


def state(shelf: Shelf) -> str:
    """The state of the book as Markdown, excluded from search: counts, unfinished and unchecked parts, problems."""
    words = shelf.words
    parts = ["---\nsearch:\n  exclude: true\n---", heading(1, words("state of the book")), numbers(shelf)]
    for name, find in SECTIONS.items():
        found = [remark for page in shelf.pages for remark in find(shelf, page)]
        parts += [heading(2, words(name)), state_listed(shelf, found) or paragraph(words(f"{name} none"))]
    return whole(parts)


def numbers(shelf: Shelf) -> str:
    """The counts of pages, games and blocks, as a table."""
    blocks = Counter(one.status for page in shelf.pages for one in page.blocks)
    found = {
        "count pages": len(shelf.pages),
        "count games": len(shelf.games),
        "count blocks": sum(blocks.values()),
        **{f"count {status}": blocks[status] for status in STATUSES},
        "count prose": sum(page.prose_examples for page in shelf.pages),
        "count unchecked": sum(page.unchecked_prose for page in shelf.pages),
    }
    rows = (
        f'<tr><th scope="row">{escape(shelf.words(name))}</th><td>{number}</td></tr>' for name, number in found.items()
    )
    return '<table class="rw-numbers"><tbody>\n' + "\n".join(rows) + "\n</tbody></table>"


def state_listed(shelf: Shelf, found: list[Remark]) -> str:
    """A list of remarks, each with a link to the heading above it."""
    if not found:
        return ""
    items = "\n".join(f"<li>{where(shelf, one)}: {escape(one.text)}</li>" for one in found)
    return f'<ul class="rw-remarks">\n{items}\n</ul>'


def where(shelf: Shelf, one: Remark) -> str:
    page, path = one.page.page, shelf.path(one.page.page)
    above = [found for found in page.headings if found.line <= one.line]
    text = page.title if not above or above[-1].text == page.title else f"{page.title} › {above[-1].text}"
    return f"{shelf.link(path, above[-1].id if above else '', text)} ({escape(shelf.words('line', number=one.line))})"


def of_code(page: CheckedPage, shelf: Shelf, wanted: Callable[[Problem], bool]) -> Iterator[Remark]:
    """Remarks about the problems of a page that the predicate selects."""
    for problem in shelf.compiled.options.of(page.problems):
        if wanted(problem):
            yield Remark(page, problem.span.source.place(problem.span.start)[0], problem.message)


def unfinished(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    return of_code(page, shelf, is_unfinished)


def unchecked(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    for one in page.blocks:
        reason = one.block.get("skip")
        if one.status == "skipped" and reason:
            yield Remark(page, one.block.line, f"{one.block.id}: {reason.value}")
    yield from of_code(page, shelf, is_unchecked)


def wrong(shelf: Shelf, page: CheckedPage) -> Iterator[Remark]:
    return of_code(page, shelf, is_wrong)


def is_unfinished(problem: Problem) -> bool:
    return problem.code.startswith("unfinished-")


def is_unchecked(problem: Problem) -> bool:
    return problem.code == "prose-unchecked"


def is_wrong(problem: Problem) -> bool:
    return problem.severity != "info" and not is_unfinished(problem) and not is_unchecked(problem)


SECTIONS: dict[str, Callable[[Shelf, CheckedPage], Iterator[Remark]]] = {
    "to be finished": unfinished,
    "to be checked": unchecked,
    "to be mended": wrong,
}


PAGES: dict[str, Callable[[Shelf], str]] = {"rules": rules, "terms": glossary, "changes": changes, "state": state}


def reference_pages(shelf: Shelf) -> dict[str, str]:
    """The Markdown of the reference pages that have content, by path."""
    made = {f"{FOLDER}/{name}.md": make(shelf) for name, make in PAGES.items()}
    return {path: text for path, text in made.items() if text}


def with_pages(nav: list[Any], title: str, paths: Iterable[str]) -> list[Any]:
    """The author's navigation with the reference pages that it lacks at its end."""
    named = set(mentioned(nav))
    missing = [path for path in paths if path not in named]
    return [*nav, {title: missing}] if missing else nav


def mentioned(nav: Any) -> Iterator[str]:
    """All paths in a navigation."""
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from mentioned(part)

"""Build context: the compiled book while its site is built. Gives each page its cards and links, collects problems."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import partial
from html import unescape
from pathlib import Path as File
from typing import NamedTuple
from urllib.parse import quote

from ..book.anchors import Anchors
from ..book.link_check import together
from ..book.page import Block, Link, Page, paper
from ..book.parser import front_lines, read_page
from ..book.resolver import Atlas, Lost, old_ids, on_disk
from ..checks.model import Checked, trouble
from ..compile.book import CheckedPage, Compiled, check_page
from ..compile.games import further, has_game, shown
from ..game.model import Game, Outcome
from ..source import Problem, Source, Span, in_reading_order
from .cards.card import card, environment
from .reference import Shelf, reference_pages
from .scripts import Rolling, Way
from .strings import Words, read_words
from .terms import read_glossary
from .tree import FORMULA, Sheet, real

NOT_IN_FILE = "this line is not in the file; something that runs before the page is read has put it there: «{line}»"


def same_text(page: Page, text: str) -> bool:
    """Is this text the page without its front matter, as MkDocs passes it on?"""
    return body(page.source) == text.strip("\n")


def body(source: Source) -> str:
    """The text of a page without its front matter and without blank lines at both ends."""
    sheet = paper(source)
    return "\n".join(sheet.lines[front_lines(sheet) :]).strip("\n")


class Origin(NamedTuple):
    """Maps the lines of a changed text to the lines of its file; both count from 1.

    Other plugins may change a page before it is read, but problems are reported at their positions in the file.
    """

    file: Source
    lines: dict[int, int]
    near: dict[int, int]  # for other lines: the line that they replace or follow

    def problem(self, problem: Problem) -> Problem:
        """The problem at its position in the file; its fix is dropped if the line is not in the file."""
        span, known = self.span(problem.span)
        fix = None
        if problem.fix and known:
            fixed, known = self.span(problem.fix.span)
            fix = problem.fix._replace(span=fixed) if known else None
        line = problem.span.source.line(problem.span.source.place(problem.span.start)[0]).strip()
        notes = problem.notes if known or not line else (*problem.notes, NOT_IN_FILE.format(line=line))
        return problem._replace(span=span, fix=fix, notes=notes)

    def span(self, span: Span) -> tuple[Span, bool]:
        """The same span in the file and True, or the line that was changed or precedes inserted text, and False."""
        start, end = self.place(span.source, span.start), self.place(span.source, span.end)
        if start is not None and end is not None:
            return Span(self.file, start, max(start, end)), True
        line = span.source.place(span.start)[0]
        number = self.lines.get(line) or self.near.get(line, 1)
        at = self.file.starts[number - 1]
        return Span(self.file, at, at + len(self.file.line(number))), False

    def place(self, text: Source, offset: int) -> int | None:
        """The offset in the file of an offset in the text; None if the line is not in the file."""
        line, column = text.place(offset)
        return self.file.starts[self.lines[line] - 1] + column - 1 if line in self.lines else None


def origin(text: Source, file: Source) -> Origin:
    """Match the lines of both texts with `SequenceMatcher`."""
    same, near = dict[int, int](), dict[int, int]()
    for tag, first, end, start, stop in SequenceMatcher(None, lines(text), lines(file), autojunk=False).get_opcodes():
        for line in range(first, end):
            place = max(min(start + line - first, stop - 1), 0) + 1
            (same if tag == "equal" else near)[line + 1] = place
    return Origin(file, same, near)


def lines(source: Source) -> list[str]:
    return [source.line(number) for number in range(1, len(source.starts) + 1)]


def in_file(problems: Iterable[Problem], text: Source, file: Source) -> list[Problem]:
    """The problems of a changed text at their positions in the file."""
    where = origin(text, file)
    return [where.problem(problem) for problem in problems]


def mistakes(problems: Iterable[Problem], words: Words, overrides: File | None = None) -> str:
    """The problems of a block as HTML, to show below its card."""
    places = [(problem, problem.span.source.place(problem.span.start)[0]) for problem in problems]
    return environment(overrides).get_template("mistakes.html").render(places=places, words=words)


PLACED = re.compile(r'<div class="rulewright-block" id="([^"]*)"')
UNNAMED = "page.md"  # for a text without a path

Built = Callable[[str, str], str | None]  # the URL of a file relative to a page, on the built site


def unknown(_page: str, _path: str) -> str | None:
    """Without a site, no URLs are known."""
    return None


@dataclass
class Desk:
    """The compiled book with everything that a builder of its site needs: link resolver, strings, glossary, scripts."""

    compiled: Compiled
    here: File
    built: Built = unknown
    exists: Callable[[str], bool] = on_disk
    mistakes: bool = False  # are problems shown on the page?
    overrides: File | None = None  # templates of the site
    shares: bool = False  # is the data of games in files that pages share?
    changed: dict[str, CheckedPage] = field(default_factory=dict)  # pages that other plugins changed, checked again
    bypassed: set[str] = field(default_factory=set)  # Markdown extensions whose blocks our parser does not read

    def __post_init__(self) -> None:
        self.root = shown(self.compiled.games.root, self.here)
        aliases = self.compiled.aliases.found
        self.atlas = Atlas([one.page for one in self.compiled.pages], self.root, self.exists, aliases=aliases)
        self.pages = {self.atlas.path(one.page): one for one in self.compiled.pages}
        self.words: Words = read_words(self.compiled.options.language)
        self.glossary = read_glossary(self.compiled, self.atlas.path, self.words)
        self.rolling = Rolling(
            self.compiled.games.found, self.words, self.compiled.options.dice, self.shares, self.every_game
        )

    def sheet(self, path: str, text: str, formulas: bool = False) -> Sheet:
        """The context of a page; checks its text (without front matter) again if another plugin changed it."""
        checked = self.pages.get(path)
        if checked is None or not same_text(checked.page, text):
            checked = self.changed[path] = self.check(path, text)
            self.atlas.anchors[self.atlas.path(checked.page)] = Anchors(checked.page)
        source = checked.page.source
        page = checked.page
        if formulas and FORMULA.search(source.text):
            page = read_page(source, formulas=True, has_game=page.has_game)
        known = {one.block.span.start: one for one in checked.blocks}
        shown = partial(self.card, known, self.atlas.path(page))
        old = old_ids(self.atlas, self.atlas.path(page))
        return Sheet(page, self.words, shown, partial(self.address, page), self.glossary.terms(checked.home), old)

    def reference(self) -> dict[str, str]:
        """The generated reference pages as Markdown, by their paths."""
        return reference_pages(Shelf(self.compiled, self.atlas, self.glossary, self.words))

    def every_game(self) -> list[Game]:
        """The games of the book, and those declared in pages that other plugins changed."""
        return [*self.compiled.every_game.values(), *(one.home for one in self.changed.values() if one.home)]

    def with_dice(self, path: str, html: str, way: Way) -> str:
        """The HTML of a page followed by the data and scripts of the games that it rolls."""
        checked = self.changed.get(path) or self.pages.get(path)
        return self.rolling.page(html, checked.home if checked else None, way)

    def check(self, path: str, text: str) -> CheckedPage:
        """Check a page that is not on the disk, or not with this text."""
        known = self.pages.get(path)
        path = path or UNNAMED
        name = known.page.source.path if known else posixpath.normpath(posixpath.join(self.root, path))
        file = known.file if known else self.compiled.games.root / path
        played = has_game(self.compiled.games.files, [text]) or any(one.page.has_game for one in self.compiled.pages)
        return check_page(file, read_page(Source(name, text), has_game=played), self.compiled.games, ())

    def card(self, known: dict[int, Checked], path: str, block: Block) -> str:
        """The HTML of the card of a block, with its problems if they are shown; empty for an unknown block."""
        checked = known.get(block.span.start)
        if checked is None:
            return ""
        problems = self.compiled.options.of(checked.problems) if self.mistakes else []
        shown = card(checked, self.words, self.overrides, partial(self.further, path))
        return shown + (mistakes(problems, self.words, self.overrides) if problems else "")

    def further(self, path: str, outcome: Outcome) -> str:
        """The URL of the section that explains an outcome; empty if there is none or URLs are unknown."""
        found = further(self.atlas, outcome)
        if found is None or (found.path != path and not self.built(path, found.path)):
            return ""
        anchor = f"#{real(found.anchor)}" if found.anchor else ""
        return anchor if found.path == path and anchor else self.way(path, found.path, True) + anchor

    def address(self, page: Page, link: Link, built: bool) -> str | None:
        """The URL of a link: None if it is broken, an empty string if it stays as it is."""
        found, path = self.atlas.resolve(link, page), self.atlas.path(page)
        if isinstance(found, Lost):
            told = path in self.pages and path not in self.changed
            return None if told and self.compiled.options.wanted("link-missing") else ""
        written, _, _ = link.target.partition("#")
        if found is None or (not written and not found.anchor):
            return ""
        anchor = f"#{real(found.anchor)}" if found.anchor else ""
        if found.path == path and anchor:
            return anchor
        return self.way(path, found.path, built) + question(written) + anchor

    def way(self, path: str, other: str, built: bool) -> str:
        """The URL of one page relative to another, on the built site if that is known, else from file to file."""
        found = self.built(path, other) if built else None
        return found or quote(posixpath.relpath(other, posixpath.dirname(path) or "."))

    def problems_of(self, path: str) -> list[Problem]:
        """The problems of a page as it was published, at their positions in the file."""
        now, before = self.changed.get(path), self.pages.get(path)
        if now is None:
            return list(before.problems) if before else []
        if before is None:
            return list(now.problems)
        own = {key(one) for one in check_page(before.file, before.page, self.compiled.games, ()).problems}
        others = [one for one in before.problems if key(one) not in own]
        return in_reading_order([*others, *in_file(now.problems, now.page.source, before.page.source)])

    @property
    def problems(self) -> list[Problem]:
        """All problems of the book as it was published."""
        own = self.compiled.of_files
        paths = dict.fromkeys([*self.pages, *self.changed])
        found = [*own, *(problem for path in paths for problem in self.problems_of(path))]
        wanted = self.compiled.options.of(found)
        return together(one for one in wanted if self.compiled.remarks or one.severity != "info")

    def ids(self, path: str) -> set[str]:
        """The anchors of blocks and terms on a page."""
        checked = self.changed.get(path) or self.pages.get(path)
        if not checked:
            return set()
        blocks = {one.block.id for one in checked.blocks if one.block.shown}
        return blocks | {term.id for term in checked.page.terms}

    def differences(self, path: str, html: str) -> list[Problem]:
        """A problem for each checked block that is missing from the finished page."""
        checked = self.changed.get(path) or self.pages.get(path)
        seen = Counter(map(unescape, PLACED.findall(html)))
        missing = []
        for block in (one.block for one in checked.blocks if one.block.shown) if checked else ():
            if seen[block.id]:
                seen[block.id] -= 1
            else:
                missing.append(lost(block))
        before = self.pages.get(path)
        if checked is before or before is None or checked is None:
            return missing
        return in_file(missing, checked.page.source, before.page.source)


def key(problem: Problem) -> tuple[str, int, str]:
    """Identifies a problem, to compare those of two texts."""
    return problem.code, problem.span.start, problem.message


def lost(block: Block) -> Problem:
    """The problem of a block that is missing from the finished page."""
    message = f"the {block.kind} {block.id} was checked, but it is not on the finished page"
    note = "something that runs while the site is built has taken it away"
    return trouble(block, "block-lost", message, block.word, (note,))


def question(written: str) -> str:
    """The query of a URL, with its question mark."""
    _, mark, rest = written.partition("?")
    return mark + rest

"""A book while its site is made: hands out pages to be published, and remembers what became of them."""

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
    """Is this the page without its front matter, as programs hand it on?"""
    return body(page.source) == text.strip("\n")


def body(source: Source) -> str:
    sheet = paper(source)
    return "\n".join(sheet.lines[front_lines(sheet) :]).strip("\n")


class Origin(NamedTuple):
    """Which line of a changed text is which line of the file; both count from 1."""

    file: Source
    lines: dict[int, int]
    near: dict[int, int]  # for the others: the line in whose place they stand, or behind which

    def problem(self, problem: Problem) -> Problem:
        span, known = self.span(problem.span)
        fix = None
        if problem.fix and known:
            fixed, known = self.span(problem.fix.span)
            fix = problem.fix._replace(span=fixed) if known else None
        line = problem.span.source.line(problem.span.source.place(problem.span.start)[0]).strip()
        notes = problem.notes if known or not line else (*problem.notes, NOT_IN_FILE.format(line=line))
        return problem._replace(span=span, fix=fix, notes=notes)

    def span(self, span: Span) -> tuple[Span, bool]:
        """The same stretch in the file, or the line that was changed, or behind which it was put."""
        start, end = self.place(span.source, span.start), self.place(span.source, span.end)
        if start is not None and end is not None:
            return Span(self.file, start, max(start, end)), True
        line = span.source.place(span.start)[0]
        number = self.lines.get(line) or self.near.get(line, 1)
        at = self.file.starts[number - 1]
        return Span(self.file, at, at + len(self.file.line(number))), False

    def place(self, text: Source, offset: int) -> int | None:
        line, column = text.place(offset)
        return self.file.starts[self.lines[line] - 1] + column - 1 if line in self.lines else None


def origin(text: Source, file: Source) -> Origin:
    """Lines belong together that say the same and stand in the same order."""
    same, near = dict[int, int](), dict[int, int]()
    for tag, first, end, start, stop in SequenceMatcher(None, lines(text), lines(file), autojunk=False).get_opcodes():
        for line in range(first, end):
            place = max(min(start + line - first, stop - 1), 0) + 1
            (same if tag == "equal" else near)[line + 1] = place
    return Origin(file, same, near)


def lines(source: Source) -> list[str]:
    return [source.line(number) for number in range(1, len(source.starts) + 1)]


def in_file(problems: Iterable[Problem], text: Source, file: Source) -> list[Problem]:
    where = origin(text, file)
    return [where.problem(problem) for problem in problems]


def mistakes(problems: Iterable[Problem], words: Words, overrides: File | None = None) -> str:
    places = [(problem, problem.span.source.place(problem.span.start)[0]) for problem in problems]
    return environment(overrides).get_template("mistakes.html").render(places=places, words=words)


PLACED = re.compile(r'<div class="rulewright-block" id="([^"]*)"')
UNNAMED = "page.md"  # for a text of which nobody says where it stands

Built = Callable[[str, str], str | None]  # from the address of one page to a file, as browsers go


def unknown(_page: str, _path: str) -> str | None:
    return None


@dataclass
class Desk:
    compiled: Compiled
    here: File
    built: Built = unknown
    exists: Callable[[str], bool] = on_disk
    mistakes: bool = False  # are problems shown on the page?
    overrides: File | None = None  # templates of the site
    shares: bool = False  # may pages have data in common?
    changed: dict[str, CheckedPage] = field(default_factory=dict)  # pages that others changed, as they are now
    bypassed: set[str] = field(default_factory=set)  # extensions whose blocks nobody reads

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
        """The page of a file whose text is this now, front matter taken off."""
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
        """The pages that nobody writes, by their paths."""
        return reference_pages(Shelf(self.compiled, self.atlas, self.glossary, self.words))

    def every_game(self) -> list[Game]:
        """Those of the book, and those that stand in pages as others changed them."""
        return [*self.compiled.every_game.values(), *(one.home for one in self.changed.values() if one.home)]

    def with_dice(self, path: str, html: str, way: Way) -> str:
        """The words of a page with what their dice need, which come from its own game or from any other."""
        checked = self.changed.get(path) or self.pages.get(path)
        return self.rolling.page(html, checked.home if checked else None, way)

    def check(self, path: str, text: str) -> CheckedPage:
        """A page that is not, or not so, on the disk."""
        known = self.pages.get(path)
        path = path or UNNAMED
        name = known.page.source.path if known else posixpath.normpath(posixpath.join(self.root, path))
        file = known.file if known else self.compiled.games.root / path
        played = has_game(self.compiled.games.files, [text]) or any(one.page.has_game for one in self.compiled.pages)
        return check_page(file, read_page(Source(name, text), has_game=played), self.compiled.games, ())

    def card(self, known: dict[int, Checked], path: str, block: Block) -> str:
        checked = known.get(block.span.start)
        if checked is None:
            return ""
        problems = self.compiled.options.of(checked.problems) if self.mistakes else []
        shown = card(checked, self.words, self.overrides, partial(self.further, path))
        return shown + (mistakes(problems, self.words, self.overrides) if problems else "")

    def further(self, path: str, outcome: Outcome) -> str:
        """From a page to where more is said of an outcome; nothing where addresses are not known."""
        found = further(self.atlas, outcome)
        if found is None or (found.path != path and not self.built(path, found.path)):
            return ""
        anchor = f"#{real(found.anchor)}" if found.anchor else ""
        return anchor if found.path == path and anchor else self.way(path, found.path, True) + anchor

    def address(self, page: Page, link: Link, built: bool) -> str | None:
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
        """From one file to the other; in the finished site where that is known."""
        found = self.built(path, other) if built else None
        return found or quote(posixpath.relpath(other, posixpath.dirname(path) or "."))

    def problems_of(self, path: str) -> list[Problem]:
        """What is wrong on a page as it was published, at its places in the file."""
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
        """Everything that is wrong with the book as it was published."""
        own = self.compiled.of_files
        paths = dict.fromkeys([*self.pages, *self.changed])
        found = [*own, *(problem for path in paths for problem in self.problems_of(path))]
        wanted = self.compiled.options.of(found)
        return together(one for one in wanted if self.compiled.remarks or one.severity != "info")

    def ids(self, path: str) -> set[str]:
        """Places on a page that links can lead to, because blocks are there."""
        checked = self.changed.get(path) or self.pages.get(path)
        if not checked:
            return set()
        blocks = {one.block.id for one in checked.blocks if one.block.shown}
        return blocks | {term.id for term in checked.page.terms}

    def differences(self, path: str, html: str) -> list[Problem]:
        """Blocks that were checked and are not on the finished page."""
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
    return problem.code, problem.span.start, problem.message


def lost(block: Block) -> Problem:
    message = f"the {block.kind} {block.id} was checked, but it is not on the finished page"
    note = "something that runs while the site is built has taken it away"
    return trouble(block, "block-lost", message, block.word, (note,))


def question(written: str) -> str:
    _, mark, rest = written.partition("?")
    return mark + rest

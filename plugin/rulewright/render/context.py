"""Build context: the compiled book while its site is built. Gives each page its cards and links, collects problems."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path as File
from urllib.parse import quote, unquote

from ..book.anchors import Anchors, Slug, host_ids
from ..book.disk import is_file_on_disk
from ..book.page import Block, Page, map_lines
from ..book.parser import read_again, read_page
from ..book.resolver import DeadLink, LinkTarget, former_ids
from ..checks.model import CheckedBlock
from ..compile.book import CheckedPage, CompiledBook, check_page, internal_problem
from ..compile.extensions import report_once
from ..compile.games import display_path, folder_name, has_game, outcome_target
from ..compile.options import COMMONMARK, HOST
from ..compile.silence import silence_page
from ..game.model import Game, Outcome
from ..source import Problem, Source, sort_problems
from .assets import AssetUrl, asset_files, page_scripts, style_element
from .cards.card import jinja_environment, render_card
from .colophon import add_colophon, write_colophons
from .document import Address
from .finished_page import HtmlTag, find_missing_blocks
from .glossary import read_glossary
from .html import FORMULA, PageContext, real_anchor
from .python_markdown import unknown_message
from .reference import REFERENCE_FOLDER, ReferenceContext, write_reference_pages
from .roll_data import roll_queries
from .scripts import DiceScripts
from .strings import Words, read_words
from .text_from_plugins import is_same_text, map_problems


def _problems_html(problems: Iterable[Problem], words: Words) -> str:
    """The problems of a block as HTML, to show below its card."""
    places = [(problem, problem.span.source.position(problem.span.start)[0]) for problem in problems]
    return jinja_environment().get_template("mistakes.html").render(places=places, words=words)


_FOREIGN_BLOCK = re.compile(
    r"^[ \t]*(///|:::)(?=[ \t]*[\w|])", re.MULTILINE
)  # block syntax that only some extensions read
_HELD_CARD = "<!--rulewright card {}-->"
_DEFAULT_PATH = "page.md"  # for a text without a path

_FindUrl = Callable[[str, str], str | None]  # the URL of a file relative to a page, on the built site


def _no_url(_page: str, _path: str) -> str | None:
    """Without a site, no URLs are known."""
    return None


@dataclass
class BuildContext:
    """The compiled book with everything that a builder of its site needs: link resolver, strings, glossary, scripts."""

    compiled: CompiledBook
    here: File
    find_url: _FindUrl = _no_url
    exists: Callable[[str], bool] = is_file_on_disk
    shows_problems: bool = False  # are problems shown on the page?
    changed_pages: dict[str, CheckedPage] = field(
        default_factory=dict
    )  # pages that other plugins changed, checked again
    touched: set[str] = field(default_factory=set)  # pages with something of ours on them
    left_out: Collection[str] = ()  # pages of the book that are not part of the site: their problems are not reported
    current_path: str = ""  # the page that the program around us renders now, if it says so
    unknown_extensions: tuple[str, ...] = ()  # Markdown extensions that only the host can render
    returned_pages: dict[str, str] = field(default_factory=dict)  # pages left to the host: syntax that only it reads

    make_slug: Slug | None = None  # how the site makes the ids of headings; without one they have those of the book
    ids_of_pages: dict[str, tuple[Page, Mapping[str, str]]] = field(default_factory=dict)  # cache of `heading_ids`
    shown_as_text: set[tuple[str, str]] = field(default_factory=set)  # blocks that the host did not take for fences
    reads_all_fences: bool = False  # does the host read fences in lists and quotes?
    failures: list[Problem] = field(default_factory=list)  # pages that could not be rendered as they should be
    cards: dict[str, list[str]] = field(default_factory=dict)  # rendered, of the pages that are not finished

    def __post_init__(self) -> None:
        self.root = display_path(self.compiled.games.root, self.here)
        pages = [page.page for page in self.compiled.pages]
        self.resolver = self.compiled.make_resolver(pages, self.here, self.exists)
        self.pages = {self.resolver.path(page.page): page for page in self.compiled.pages}
        self.words: Words = read_words(self.compiled.options.language)
        self.glossary = read_glossary(self.compiled, self.resolver.path, self.words)
        self.dice_scripts = DiceScripts(self.compiled.games.by_folder, self.words, self.compiled.options.dice)

    def build_page_context(
        self, path: str, text: str, formulas: bool = False, is_host_page: bool = False
    ) -> PageContext:
        """The context of a page; checks its text (without front matter) again if another plugin changed it.

        A page of the host needs the ids of its headings only to add others.
        """
        checked = self.pages.get(path)
        if checked is None or not is_same_text(checked.page, text):
            checked = self.changed_pages[path] = self.check_text(path, text)
            self.resolver.anchors[self.resolver.path(checked.page)] = Anchors(checked.page)
        page = checked.page
        if formulas and FORMULA.search(page.source.text):
            page = read_again(page, formulas)
        checked_blocks = {block.block.span.start: block for block in checked.blocks}
        adds_ids = not is_host_page or self.compiled.options.anchors == "add"
        render_card = partial(self.render_card, checked_blocks, self.resolver.path(page))
        return PageContext(
            add_colophon(page, self.colophons),
            self.words,
            render_card,
            partial(self.url, page),
            partial(self.resolver.resolve, page=page),
            self.glossary.terms(checked.game),
            self.other_ids(self.resolver.path(page)) if adds_ids else {},
            self.heading_ids(self.resolver.path(page)) if adds_ids else {},
            partial(self.touched.add, path),
            roll_queries(checked.links, checked.game),
        )

    def renderer_of(self, path: str) -> str:
        """Who renders a page: "host", or "commonmark" if the author asks for it and nothing would be lost."""
        options, checked = self.compiled.options, self.pages.get(path)
        if path.startswith(f"{REFERENCE_FOLDER}/") and checked is None:
            return COMMONMARK
        wanted = options.renderer_of(path, checked.page) if checked else options.markdown
        if wanted == HOST or self.unknown_extensions:
            return HOST
        if checked and (syntax := _find_foreign_block(checked.page)):
            self.returned_pages[path] = syntax
            return HOST
        return COMMONMARK

    @cached_property
    def colophons(self) -> dict[str, str]:
        """What was checked in each book, by the source path of its last page on the site."""
        return write_colophons(self.compiled, self.words, self.left_out)

    def build_reference(self) -> dict[str, str]:
        """The generated reference pages as Markdown, by their paths."""
        return write_reference_pages(ReferenceContext(self.compiled, self.resolver, self.glossary, self.words))

    def all_games(self) -> list[Game]:
        """The games of the book, and those declared in pages that other plugins changed."""
        return [*self.compiled.all_games.values(), *(page.game for page in self.changed_pages.values() if page.game)]

    def add_assets(self, path: str, html: str, asset_url: AssetUrl | None) -> str:
        """The HTML of a page with our styles, and with the scripts of the games that it rolls.

        Without URLs, they stand in the page itself, with all data.
        """
        checked = self.current_page(path)
        if checked is None or (path not in self.touched and not self.compiled.options.dice):
            return html
        scripts = page_scripts(self.dice_scripts, self.dice_scripts.rolls_of([checked], checked.game), asset_url)
        return style_element(asset_url, html) + html + scripts if scripts or path in self.touched else html

    def asset_files(self) -> dict[str, bytes]:
        """The files that pages with our styles and scripts need, by name."""
        return asset_files(self.dice_scripts, self.all_games())

    def host_messages(self) -> list[str]:
        """What the author should know about pages that the host renders although `commonmark` was asked for."""
        options = self.compiled.options
        if (options.markdown == COMMONMARK or options.commonmark) and self.unknown_extensions:
            return [unknown_message(self.unknown_extensions)]
        return [
            f"{path} uses the block syntax `{syntax}`, so Python-Markdown renders this page"
            for path, syntax in sorted(self.returned_pages.items())
        ]

    def hold_cards(self, path: str, html: str) -> str:
        """The HTML of a page with a comment in place of each card, which a search index would leave out anyway."""
        for number, card in enumerate(self.cards.get(path, ())):
            html = html.replace(card, _HELD_CARD.format(number), 1)
        return html

    def release_cards(self, path: str, html: str) -> str:
        """The HTML with its cards again."""
        for number, card in enumerate(self.cards.get(path, ())):
            html = html.replace(_HELD_CARD.format(number), card, 1)
        return html

    def has_all_cards(self, path: str, html: str) -> bool:
        """Whether the finished page has a card for each block, as we made it; if not, it takes a parser to say."""
        cards, blocks = self.cards.pop(path, []), self.shown_blocks(path)
        has_ids = all(html.count(f'id="{block.id}"') == 1 for block in blocks)
        return has_ids and len(cards) == len(blocks) and all(_is_on_page(card, html) for card in cards)

    def check_text(self, path: str, text: str) -> CheckedPage:
        """Check a page that is not on the disk, or not with this text."""
        known = self.pages.get(path)
        path = path or _DEFAULT_PATH
        name = known.page.source.path if known else posixpath.normpath(posixpath.join(self.root, path))
        file = known.file if known else self.compiled.games.root / path
        played = has_game(self.compiled.games.files, [text]) or any(page.page.has_game for page in self.compiled.pages)
        kinds = frozenset(self.compiled.games.extra_checks)
        return self.check_page(file, read_page(Source(name, text), has_game=played, extra_kinds=kinds))

    def check_page(self, file: File, page: Page) -> CheckedPage:
        options = self.compiled.options
        checked = check_page(file, page, self.compiled.games, options.is_group_enabled)
        path = folder_name(file, self.compiled.games.root)
        return replace(checked, problems=tuple(silence_page(page, path, checked.problems, options).problems))

    def render_card(self, checked_blocks: dict[int, CheckedBlock], path: str, block: Block) -> str:
        """The HTML of the card of a block, with its problems if they are shown; empty for an unknown block."""
        checked = checked_blocks.get(block.span.start)
        if checked is None:
            return ""
        problems = self.compiled.options.enabled_problems(checked.problems) if self.shows_problems else []
        try:
            html = render_card(checked, self.words, partial(self.outcome_url, path))
        except Exception as error:  # a bug in one card must not stop the build
            self.report_failure(path, error)
            html = f"<pre><code>{escape(block.text.content)}</code></pre>"
        html += _problems_html(problems, self.words) if problems else ""
        self.cards.setdefault(path, []).append(html)
        return html

    def report_failure(self, path: str, error: Exception) -> None:
        """Add the problem of a page that could not be rendered as it should be."""
        checked = self.current_page(path)
        source = checked.page.source if checked else Source(posixpath.join(self.root, path), "")
        self.failures.append(internal_problem(source, error))

    def outcome_url(self, path: str, outcome: Outcome) -> str:
        """The URL of the section that explains an outcome; empty if there is none or URLs are unknown."""
        target = outcome_target(self.resolver, outcome)
        if target is None or (target.path != path and not self.find_url(path, target.path)):
            return ""
        anchor = self.anchor_of(target)
        return anchor if target.path == path and anchor else self.relative_url(path, target.path, True) + anchor

    def url(self, page: Page, address: Address, built: bool) -> str | None:
        """The URL of a link: None if it is broken, an empty string if it stays as it is."""
        (link, target), path = address, self.resolver.path(page)
        if isinstance(target, DeadLink):
            is_reported = path in self.pages and path not in self.changed_pages
            return None if is_reported and self.compiled.options.is_enabled("link-missing") else ""
        written, _, _ = link.target.partition("#")
        if target is None or (not written and not target.anchor):
            return ""
        anchor = self.anchor_of(target)
        if target.path == path and anchor:
            return anchor
        return self.relative_url(path, target.path, built) + _query_of(written) + anchor

    def anchor_of(self, target: LinkTarget) -> str:
        """The fragment of a link on the site, with its number sign; empty for a whole page."""
        if not target.anchor:
            return ""
        return f"#{self.heading_ids(target.path).get(target.anchor) or real_anchor(target.anchor)}"

    def heading_ids(self, path: str) -> Mapping[str, str]:
        """The ids that the site gives the headings of a page, by their ids in the book."""
        if self.make_slug is None or path not in self.resolver.anchors:
            return {}
        page = self.resolver.anchors[path].page
        if path not in self.ids_of_pages or self.ids_of_pages[path][0] is not page:
            reads_hashes = self.renderer_of(path) == HOST
            self.ids_of_pages[path] = page, host_ids(page, self.make_slug, reads_hashes=reads_hashes)
        return self.ids_of_pages[path][1]

    def other_ids(self, path: str) -> dict[str, tuple[str, ...]]:
        """Further ids of the headings of a page: former ones, and those that links in other dialects use."""
        ids, current = former_ids(self.resolver, path), self.heading_ids(path)
        taken = {*current.values(), *(name for names in ids.values() for name in names)}
        for heading, name in self.linked_ids.get(path, ()):
            if name not in taken:
                taken.add(name)
                ids[heading] = (*ids.get(heading, ()), name)
        return ids

    @cached_property
    def linked_ids(self) -> dict[str, list[tuple[str, str]]]:
        """The headings that links lead to, with the anchors that the links name, by page."""
        names: dict[str, dict[tuple[str, str], None]] = {}
        for checked in self.compiled.pages:
            for link in checked.page.links:
                name = unquote(link.target.partition("#")[2])
                target = self.resolver.resolve(link, checked.page) if name and link.kind != "wiki" else None
                if isinstance(target, LinkTarget) and target.heading and not target.is_moved:
                    names.setdefault(target.path, {})[target.anchor, name] = None
        return {path: list(pairs) for path, pairs in names.items()}

    def relative_url(self, path: str, other: str, built: bool) -> str:
        """The URL of one page relative to another, on the built site if that is known, else from file to file."""
        url = self.find_url(path, other) if built else None
        return url or quote(posixpath.relpath(other, posixpath.dirname(path) or "."))

    def problems_of(self, path: str) -> list[Problem]:
        """The problems of a page as it was published, at their positions in the file."""
        current, before = self.changed_pages.get(path), self.pages.get(path)
        if current is None:
            return list(before.problems) if before else []
        if before is None:
            return list(current.problems)
        own = {_problem_key(problem) for problem in self.check_page(before.file, before.page).problems}
        others = [problem for problem in before.problems if _problem_key(problem) not in own]
        return sort_problems([*others, *map_problems(current.problems, current.page.source, before.page.source)])

    @property
    def problems(self) -> list[Problem]:
        """All problems of the book as it was published, without those of pages that are not part of the site."""
        own = [*self.compiled.file_problems, *self.compiled.book_problems, *self.failures]
        paths = [path for path in dict.fromkeys([*self.pages, *self.changed_pages]) if path not in self.left_out]
        problems = [*own, *(problem for path in paths for problem in self.problems_of(path))]
        wanted = report_once(self.compiled.options.compare_with_baseline(problems))
        return [problem for problem in wanted if self.compiled.with_info or problem.severity != "info"]

    def find_anchors(self, path: str) -> set[str]:
        """The anchors of blocks and terms on a page."""
        checked = self.current_page(path)
        terms = checked.page.terms if checked else ()
        return {*(block.id for block in self.shown_blocks(path)), *(term.id for term in terms)}

    def current_page(self, path: str) -> CheckedPage | None:
        """A page as it was published."""
        return self.changed_pages.get(path) or self.pages.get(path)

    def shown_blocks(self, path: str) -> list[Block]:
        """The blocks of a page that readers see."""
        checked = self.current_page(path)
        return [block.block for block in checked.blocks if block.block.shown] if checked else []

    def find_missing_blocks(self, path: str, tags: Sequence[HtmlTag]) -> list[Problem]:
        """A problem for each checked block that is missing from the finished page."""
        before, current = self.pages.get(path), self.current_page(path)
        misread = {id_ for page, id_ in self.shown_as_text if page == path}
        missing = list(find_missing_blocks(tags, self.shown_blocks(path), misread, self.reads_all_fences))
        if current is None or current is before or before is None:
            return missing
        return map_problems(missing, current.page.source, before.page.source)


def _is_on_page(card: str, html: str) -> bool:
    """Whether a card is in a page, outside comments."""
    before, found, _ = html.partition(card)
    return bool(found) and before.rfind("<!--") <= before.rfind("-->")


def _find_foreign_block(page: Page) -> str:
    """The first mark of a block outside code that only some extensions read; empty without one."""
    if not _FOREIGN_BLOCK.search(page.source.text):
        return ""
    lines = list(map_lines(page.source).lines)
    for token in page.tokens:
        if token.type in ("fence", "code_block") and token.map:
            lines[token.map[0] : token.map[1]] = [""] * (token.map[1] - token.map[0])
    syntax = _FOREIGN_BLOCK.search("\n".join(lines))
    return syntax[1] if syntax else ""


def _problem_key(problem: Problem) -> tuple[str, int, str]:
    """Identifies a problem, to compare those of two texts."""
    return problem.code, problem.span.start, problem.message


def _query_of(written: str) -> str:
    """The query of a URL, with its question mark."""
    _, mark, rest = written.partition("?")
    return mark + rest

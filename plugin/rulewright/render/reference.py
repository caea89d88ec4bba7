"""The generated reference pages of a site: rules, terms, changes since an edition, and numbers."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path as File
from typing import TYPE_CHECKING, Any

from ..book.anchors import term_id
from ..book.page import Page
from ..book.resolver import LinkResolver
from ..checks.model import CheckedBlock
from ..compile.book import CheckedPage, CompiledBook
from ..compile.nav import order_chapters
from ..game.model import Game, Rule
from .cards.rule_text import describe_contest, describe_outcome, describe_step
from .cards.wording import InputDescription, list_inputs
from .glossary import Glossary, Meaning
from .number_format import counted_noun
from .strings import Words

if TYPE_CHECKING:
    from ..diff.diff import EditionDiff
    from ..diff.edition import Edition

REFERENCE_FOLDER = "reference"
_MARKDOWN_CHARACTER = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~^=:&$\"'])")


@dataclass(frozen=True)
class ReferenceContext:
    """What the reference pages are made of: the book, its link resolver, glossary and strings."""

    compiled: CompiledBook
    resolver: LinkResolver
    glossary: Glossary
    words: Words

    @cached_property
    def pages(self) -> list[CheckedPage]:
        """In reading order."""
        return [chapter.page for chapter in order_chapters(self.compiled, self.compiled.games.root)]

    @cached_property
    def games(self) -> dict[str, Game]:
        """Games by folder, in the order of their first pages; games of single pages only if there are no others."""
        homes = {page.game.folder: page.game for page in self.pages if page.game}
        declared = self.compiled.games.by_folder
        return {folder: declared[folder] for folder in [*homes, *declared] if folder in declared} or homes

    def path(self, page: Page) -> str:
        return self.resolver.path(page)

    def title(self, path: str) -> str:
        return self.resolver.anchors[path].page.title

    def link(self, path: str, anchor: str, text: str) -> str:
        """A link as HTML, from a reference page into the book."""
        url = posixpath.relpath(path, REFERENCE_FOLDER) + (f"#{anchor}" if anchor else "")
        return f'<a href="{escape(url)}">{escape(text)}</a>'


def _markdown_heading(level: int, text: str) -> str:
    """A Markdown heading with its text escaped."""
    return f"{'#' * level} {_MARKDOWN_CHARACTER.sub(lambda match: chr(92) + match[1], text)}\n"


def _paragraph_html(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _join_parts(parts: list[str]) -> str:
    """Join parts with blank lines; none inside of HTML, where they would end it."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def _terms_page(context: ReferenceContext) -> str:
    """The index of terms as Markdown; empty for a book without terms."""
    order = [None, *context.games]
    by_game = {
        folder: meanings for folder, meanings in context.glossary.by_game.items() if meanings and folder in order
    }
    if not by_game:
        return ""
    words, taken = context.words, set[str]()
    parts = [_markdown_heading(1, words("index of terms"))]
    for folder in sorted(by_game, key=order.index):
        game = context.games[folder] if folder is not None else None
        parts += [_markdown_heading(2, game.title)] if game else []
        parts.append(_terms_html(context, by_game[folder], taken))
    return _join_parts(parts)


def _terms_html(context: ReferenceContext, meanings: list[Meaning], taken: set[str]) -> str:
    """Terms in alphabetical order; each id is used once on the page."""
    ordered = sorted(
        {meaning.name.lower(): meaning for meaning in reversed(meanings)}.values(), key=lambda one: one.name.lower()
    )
    return '<dl class="rw-terms">\n' + "\n".join(_term_html(context, meaning, taken) for meaning in ordered) + "\n</dl>"


def _term_html(context: ReferenceContext, meaning: Meaning, taken: set[str]) -> str:
    id_ = term_id(meaning.name)
    place = "" if id_ in taken else f' id="{escape(id_)}"'
    taken.add(id_)
    source_link = f" {context.link(meaning.path, meaning.anchor, context.title(meaning.path))}" if meaning.path else ""
    return f"<dt{place}>{escape(meaning.name)}</dt><dd>{escape(meaning.text)}{source_link}</dd>"


def _changes_page(context: ReferenceContext) -> str:
    """The changes since the edition in the option `since` as Markdown; empty if there are none."""
    if not context.compiled.options.since:
        return ""
    from .changes import change_sections, render_markdown

    diff = _diff_since(context)
    sections = change_sections(diff, context.words, links=False) if diff else []
    if not sections:
        return ""
    words = context.words
    return _join_parts(
        [
            _markdown_heading(1, words("what changed")),
            _paragraph_html(words("what changed says")),
            render_markdown(sections),
        ]
    )


def _diff_since(context: ReferenceContext) -> EditionDiff | None:
    """The diff against the older edition; None if it cannot be read."""
    from ..compile.editions import NoEditionError, open_edition
    from ..diff.diff import diff_editions
    from ..diff.edition import read_edition

    root = context.compiled.games.root
    try:
        with open_edition(context.compiled.options.since, root) as place:
            old = read_edition(context.compiled.options.since, place.folder, place.here)
            return diff_editions(old, _current_edition(context))
    except NoEditionError:  # reported with the options, or deleted since
        return None


def _current_edition(context: ReferenceContext) -> Edition:
    """The current book as an edition, without reading it again."""
    from ..diff.edition import Edition, EditionPage

    root = context.compiled.games.root
    pages = tuple(
        EditionPage(page.file.relative_to(root).as_posix(), page.file, page.page, page.game)
        for page in context.compiled.pages
    )
    return Edition("", root, File.cwd(), context.compiled.games, pages, (), context.compiled.project)


_RuleKey = tuple[str, str, str]  # of a rule: game, name, file
_RuleUses = dict[_RuleKey, dict[str, list[CheckedBlock]]]  # blocks about a rule, by page


def _rules_page(context: ReferenceContext) -> str:
    """The index of rules as Markdown; empty for a book without rules."""
    games = [game for game in context.games.values() if game.rules]
    if not games:
        return ""
    words, used = context.words, _rule_uses(context)
    parts = [_markdown_heading(1, words("index of rules")), _paragraph_html(words("index of rules says"))]
    for game in games:
        parts += [_markdown_heading(2, game.title), _rules_table(context, game, used)]
    return _join_parts(parts)


def _rule_uses(context: ReferenceContext) -> _RuleUses:
    """The visible blocks about each rule."""
    by_rule: _RuleUses = defaultdict(lambda: defaultdict(list))
    for page in context.pages:
        for block in page.blocks:
            if block.rule and block.block.shown:
                by_rule[_rule_key(block.rule)][context.path(page.page)].append(block)
    return by_rule


def _rule_key(rule: Rule) -> _RuleKey:
    return rule.game, rule.name, rule.span.source.path


def _rules_table(context: ReferenceContext, game: Game, used: _RuleUses) -> str:
    """The rules of a game as an HTML table."""
    words = context.words
    heads = [words(name) for name in ("rule", "heading inputs", "heading outcomes", "where used")]
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    rows = "\n".join(_rule_row(context, rule, used.get(_rule_key(rule), {})) for rule in game.rules.values())
    return (
        f'<div class="rw-scroll" tabindex="0" role="group" aria-label="{escape(game.title)}">'
        f'<table class="rw-reference"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
    )


def _rule_row(context: ReferenceContext, rule: Rule, used: dict[str, list[CheckedBlock]]) -> str:
    name = escape(rule.label or rule.name)
    if rule_target := _find_rule_target(used):
        name = context.link(*rule_target, rule.label or rule.name)
    inputs = "".join(f"<li>{_input_html(entry, context)}</li>" for entry in list_inputs(rule, context.words))
    ends = "".join(f"<li>{escape(text)}</li>" for text in _results(rule, context.words) if text)
    places = "".join(f"<li>{_use_html(context, path, blocks)}</li>" for path, blocks in used.items())
    cells = "".join(f"<td>{f'<ul>{cell}</ul>' if cell else ''}</td>" for cell in (inputs, ends, places))
    return f'<tr><th scope="row">{name}</th>{cells}</tr>'


def _find_rule_target(used: dict[str, list[CheckedBlock]]) -> tuple[str, str] | None:
    """The block that states the rule in words, else its first use."""
    blocks = [(path, checked.block) for path, checked_blocks in used.items() for checked in checked_blocks]
    chosen = next((pair for pair in blocks if pair[1].kind == "rule"), blocks[0] if blocks else None)
    return (chosen[0], chosen[1].id) if chosen else None


def _input_html(entry: InputDescription, context: ReferenceContext) -> str:
    parts = [entry.may_be, *([context.words("normally", value=entry.start)] if entry.start else [])]
    return f"<b>{escape(entry.label)}</b> {escape(' · '.join(parts))}"


def _results(rule: Rule, words: Words) -> list[str]:
    """The outcomes of a rule, or of a contest who wins; without outcomes its steps."""
    if rule.contest:
        return describe_contest(rule, words)
    if rule.outcomes:
        return [describe_outcome(rule, entry, words) for entry in rule.outcomes]
    return [describe_step(rule, entry, words) for entry in rule.steps]


def _use_html(context: ReferenceContext, path: str, blocks: list[CheckedBlock]) -> str:
    """A link to a page that uses a rule, with the number of uses."""
    title = escape(counted_noun("blocks", len(blocks), context.words))
    many = f'<span class="rw-many" title="{title}">×{len(blocks)}</span>'
    return f"{context.link(path, blocks[0].block.id, context.title(path))} {many}"


def _coverage_page(context: ReferenceContext) -> str:
    """The numbers of the text as Markdown, page by page; empty for a book without numbers to compare."""
    if not context.compiled.options.coverage:
        return ""
    from .coverage_page import cover, legend_html, numbers_html

    words, is_hosted = context.words, context.compiled.host is not None
    found = [(page.page, numbers) for page in context.pages if (numbers := cover(page, is_hosted))]
    if not found:
        return ""
    legend = legend_html([number for _, numbers in found for number in numbers], words)
    parts = [_markdown_heading(1, words("coverage")), _paragraph_html(words("coverage says")), legend]
    for page, numbers in found:
        if shown := numbers_html(page.source, numbers, words):
            path = context.path(page)
            parts += [_markdown_heading(2, context.title(path)), f"<p>{context.link(path, '', path)}</p>", shown]
    return _join_parts(parts)


_CHANGES = "changes"  # which the option `since` asks for by itself
_COVERAGE = "coverage"  # which has an option of its own
_PAGES: dict[str, Callable[[ReferenceContext], str]] = {
    "rules": _rules_page,
    "terms": _terms_page,
    _CHANGES: _changes_page,
    _COVERAGE: _coverage_page,
}


def write_reference_pages(context: ReferenceContext) -> dict[str, str]:
    """The Markdown of the reference pages that are asked for and have content, by path."""
    names = _PAGES if context.compiled.options.reference else (_CHANGES, _COVERAGE)
    texts = {f"{REFERENCE_FOLDER}/{name}.md": _PAGES[name](context) for name in names}
    return {path: text for path, text in texts.items() if text}


def extend_nav(nav: list[Any], title: str, paths: Iterable[str]) -> list[Any]:
    """The author's navigation with the reference pages that it lacks at its end."""
    named = set(find_nav_paths(nav))
    missing = [path for path in paths if path not in named]
    return [*nav, {title: missing}] if missing else nav


def find_nav_paths(nav: Any) -> Iterator[str]:
    """All paths in a navigation."""
    if isinstance(nav, str):
        yield nav
    for part in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from find_nav_paths(part)

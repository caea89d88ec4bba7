"""Markup mistakes: emphasis or comments never closed, skipped heading levels, a first line read as metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ..book.inlines import find_pipes
from ..book.page import Page
from ..book.tables import Table, count_written_cells
from ..book.text import Passage
from ..source import Fix, Problem, Span
from .interface import Check, LintContext, LintResult

_OPENING_STARS = re.compile(r"\*\*(?:(?<=^\*\*)|(?<=[\s(\[«“\"]\*\*))(?=[^\W_]|[+−–-]\d)")
_STARS = re.compile(r"\*\*(?<!\*\*\*)(?!\*)")
_BEFORE_BOLD = re.compile(r"[\s(\[«“\"]|$")
_BEHIND_BOLD = re.compile(r"[\s.,;:!?)\]»”\"]|$")
_WORDS = re.compile(r"(?!\s*[,.;:)])(?=[^*]*[^\W\d_])[^*\n]{2,99}")
_SURPLUS_STARS = re.compile(r"\*\*(\*\*[^*\n]+\*\*\s*)\*\*")
_SPARE_STAR = re.compile(r"\*(?<=\s\*)(?=[^\W_])")
_GLUED_UNDERSCORES = re.compile(r"____(?<=[^\W_]____)(?=[^\W_])")  # __one__ and __two__ without the space between them
_COMMENT = re.compile(r"<!--")
_METADATA_LINE = re.compile(r" {0,3}([A-Za-z0-9_-]+):[ \t]+(\S.*)$")
_METADATA_KEYS = frozenset((
    "title", "author", "authors", "date", "tags", "tag", "category", "categories", "summary", "description",
    "keywords", "slug", "status", "template", "layout", "lang", "language", "version", "copyright", "license",
    "licence", "css", "js", "url", "save_as", "modified", "subtitle", "series", "order", "weight", "hide", "icon",
    "image", "nav", "parent", "permalink", "sidebar", "sidebar_label", "id", "created", "updated", "aliases",
    "cssclass", "base", "base_url", "email", "theme", "toc", "type", "draft", "publish",
))  # fmt: skip
_FULL_SENTENCE = re.compile(r"(?:\S+\s+){3,}\S.*[.!?…:]['\"”’)]*$")


def _check_page(context: LintContext) -> LintResult:
    page = context.page
    marked = context.passages_with(_OPENING_STARS, _STARS, _SPARE_STAR, _GLUED_UNDERSCORES, _COMMENT)
    emphasis = (problem for passage in marked for problem in _emphasis_problems(passage))
    first_line = () if context.host else _lost_first_line(context)  # for a known host it is `markdown-lost`
    cells = (problem for table in context.tables for problem in _lost_cells(table))
    return LintResult(0, (*first_line, *_skipped_levels(page), *emphasis, *cells))


def _emphasis_problems(passage: Passage) -> Iterator[Problem]:
    text = passage.text
    yield from _star_problems(passage)
    if text.count("*") == 1 and (spare := _SPARE_STAR.search(text)) and _is_spare_star(passage, spare):
        message = "this star is left over beside the bold words, so readers see it"
        notes = ("take it out, or write as many stars after the words as before them",)
        yield Problem("markup-emphasis", message, passage.span(*spare.span()), "warning", notes, passage.trail)
    if (glued := _GLUED_UNDERSCORES.search(text)) and _is_written(passage, glued.start(), "____"):
        message = "these underscores make nothing bold, so readers see them"
        notes = ("end the first words with __ and begin the next ones after a space",)
        yield Problem("markup-emphasis", message, passage.span(*glued.span()), "warning", notes, passage.trail)
    for match in _COMMENT.finditer(text):
        if _is_written(passage, match.start(), "<!--"):
            message = "nothing closes this comment, so readers see it"
            span = passage.span(*match.span())
            yield Problem("markup-comment", message, span, "warning", ("--> closes it",), passage.trail)


def _star_problems(passage: Passage) -> Iterator[Problem]:
    """Stars that readers see: never closed, or separated from their words by spaces."""
    text = passage.text
    pairs = [problem for start, end in _visible_pairs(passage) if (problem := _pair_problem(passage, start, end))]
    yield from pairs
    opened = list(_OPENING_STARS.finditer(text))
    if len(opened) == 1 and text.count("*") == 2 and not pairs and _is_written(passage, opened[0].start(), "**"):
        message = "nothing closes these stars, so readers see them"
        span, note = passage.span(*opened[0].span()), "write ** after the last word that is bold"
        yield Problem("markup-emphasis", message, span, "warning", (note,), passage.trail)


def _visible_pairs(passage: Passage) -> Iterator[tuple[int, int]]:
    """From where to where double stars go that the parser left in a line: none if their number is odd."""
    start = 0
    for line in passage.text.split("\n"):
        stars = [start + match.start() for match in _STARS.finditer(line)]
        if len(stars) % 2 == 0 and all(_is_written(passage, star, "**") for star in stars):
            yield from ((first, last + 2) for first, last in zip(stars[::2], stars[1::2], strict=True))
        start += len(line) + 1


def _pair_problem(passage: Passage, start: int, end: int) -> Problem | None:
    """Report blanks between the stars and their words, or stars around words that are bold already."""
    words, before, behind = passage.text[start + 2 : end - 2], passage.text[:start][-1:], passage.text[end : end + 1]
    if not (_WORDS.fullmatch(words) and _BEFORE_BOLD.match(before)):
        return None
    starts_blank, ends_blank = words[0].isspace(), words[-1].isspace()
    glued = not starts_blank and behind.isalnum() and not words.rstrip().endswith(",")
    if not ((starts_blank or ends_blank) and (glued or _BEHIND_BOLD.match(behind))):
        return None
    span, corrected = passage.span(start, end), f"**{words.strip()}**"
    if surplus := _SURPLUS_STARS.fullmatch(span.text):
        message = f'"{words.strip()}" is bold already, and readers see the stars around it'
        return _bold_problem(passage, span, message, corrected, surplus[1])
    if "*" in span.text[2:-2]:
        return None
    reason = "there are spaces inside the stars"
    if not (starts_blank and ends_blank):
        reason = f"there is a space {'after the opening' if starts_blank else 'before the closing'} stars"
    message = f'"{words.strip()}" is not set in bold, because {reason}'
    fixed = corrected + ("" if _BEHIND_BOLD.match(behind) else " ")
    return _bold_problem(passage, span, message, corrected, fixed if span.text[2:-2] == words else None)


def _bold_problem(passage: Passage, span: Span, message: str, corrected: str, fixed: str | None) -> Problem:
    fix = Fix(span, fixed) if fixed else None
    return Problem("markup-emphasis", message, span, "warning", (f"write {corrected}",), passage.trail, fix)


def _is_spare_star(passage: Passage, star: re.Match[str]) -> bool:
    """Whether a star is left over because the emphasis has one more star before the words than after them."""
    end_offset = passage.span(*star.span()).end
    plain = not passage.is_emphasized(*star.span()) and passage.is_emphasized(star.end(), star.end() + 1)
    return plain and passage.page.source.text.startswith("**", end_offset) and _is_written(passage, star.start(), "*")


def _is_written(passage: Passage, start: int, sign: str) -> bool:
    """Whether the source has these characters as they are: not escaped, not an entity, not in code."""
    span = passage.span(start, start + len(sign))
    line = passage.page.source.text[max(span.start - 200, 0) : span.start].rpartition("\n")[2]
    return span.text == sign and line.count("`") % 2 == 0


def _lost_cells(table: Table) -> Iterator[Problem]:
    """Report text in more cells than the header has: a table does not show it."""
    for row in table.rows:
        surplus = count_written_cells(row) - len(table.header)
        if surplus <= 0:
            continue
        line, number = table.page.source.line(row[0].line), row[0].line
        bounds = find_pipes(line.rstrip().removesuffix("|"))
        start = table.page.source.line_starts[number - 1]
        written = line[bounds[-surplus - 1] + 1 : bounds[-1]]
        text = " ".join(written.replace("|", " ").split())
        if text:
            begin = start + bounds[-1] - len(written.lstrip())
            span = Span(table.page.source, begin, begin + len(written.strip()))
            message = f'this row has more cells than the header, and most tools leave out "{text}"'
            escaped = r"[[page\|text]]" if "]]" in text else r"\| for a bar that is text"
            note = f"write {escaped}, or give the header more cells"
            yield Problem("markup-cell", message, span, "warning", (note,), table.trail)


class LostLine(NamedTuple):
    """A first line that site builders read as metadata: its key, and whether it is surely a sentence."""

    key: str
    is_sentence: bool


def find_lost_line(context: LintContext) -> LostLine | None:
    """Find a first line that is lost.

    MkDocs and others take all lines at the top that look like `key: value`, up to the first that does not.
    """
    match = _METADATA_LINE.match(context.source_map.lines[0])
    if not match or match[1].lower() in _METADATA_KEYS or not context.page.headings:
        return None
    sure = _FULL_SENTENCE.match(match[2]) is not None
    return LostLine(match[1], sure) if sure or not match[1].islower() else None


def _lost_first_line(context: LintContext) -> Iterator[Problem]:
    if lost := find_lost_line(context):
        message = f'a page that begins with "{lost.key}:" loses this line: some site builders take it for a setting'
        notes = ("an empty line above it, or a heading, keeps it",)
        severity = "warning" if lost.is_sentence else "info"
        yield Problem("markup-lost", message, context.source_map.line_span(0), severity, notes)


def _skipped_levels(page: Page) -> Iterator[Problem]:
    """Report the first heading that skips a level; one problem per page is enough."""
    jumps = [
        (heading_above, other)
        for heading_above, other in pairwise(page.headings)
        if other.level > heading_above.level + 1
    ]
    if not jumps:
        return
    above, heading = jumps[0]
    more = f"; {len(jumps)} headings on this page do so" if len(jumps) > 1 else ""
    message = f'"{heading.text}" is of level {heading.level}, directly below one of level {above.level}{more}'
    note = f"level {above.level + 1} would follow; outlines and screen readers miss what is left out"
    yield Problem("markup-level", message, heading.span, "info", (note,), heading.trail)


CHECK = Check("markup", "", _check_page)

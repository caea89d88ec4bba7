"""Markup mistakes: emphasis or comments never closed, skipped heading levels, a first line read as metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..book.page import Page
from ..book.text import Passage
from ..source import Fix, Problem
from .check import Check, Noticed, Reading, texts

OPENING = re.compile(r"(?:^|(?<=[\s(\[«“\"]))\*\*(?=[^\W_]|[+−–-]\d)")
BLANKS = re.compile(r"(?:^|(?<=\s))\*\* ([^*\n]{2,60}?) \*\*(?=[\s.,;:!?]|$)")
LATE = re.compile(r"(?:^|(?<=[\s(\[«“\"]))\*\*(?=[^\s*])([^*\n]{0,60}[^\s*,]) \*\*(?=[^\W_])")
SPARE = re.compile(r"(?<=\s)\*(?=[^\W_])")
GLUED = re.compile(r"(?<=[^\W_])_{4}(?=[^\W_])")  # __one__ and __two__ without the space between them
COMMENT = re.compile(r"<!--")
SETTING = re.compile(r" {0,3}([A-Za-z0-9_-]+):[ \t]+(\S.*)$")
SETTINGS = frozenset((
    "title", "author", "authors", "date", "tags", "tag", "category", "categories", "summary", "description",
    "keywords", "slug", "status", "template", "layout", "lang", "language", "version", "copyright", "license",
    "licence", "css", "js", "url", "save_as", "modified", "subtitle", "series", "order", "weight", "hide", "icon",
    "image", "nav", "parent", "permalink", "sidebar", "sidebar_label", "id", "created", "updated", "aliases",
    "cssclass", "base", "base_url", "email", "theme", "toc", "type", "draft", "publish",
))  # fmt: skip
SENTENCE = re.compile(r"(?:\S+\s+){3,}\S.*[.!?…:]['\"”’)]*$")


def look(reading: Reading) -> Noticed:
    page = reading.page
    unfinished = (problem for passage in texts(reading) for problem in unclosed(passage))
    return Noticed(0, (*lost(reading), *levels(page), *unfinished))


def unclosed(passage: Passage) -> Iterator[Problem]:
    text = passage.text
    yield from stars(passage)
    if text.count("*") == 1 and (spare := SPARE.search(text)) and is_spare(passage, spare):
        message = "this star is left over beside the bold words, so readers see it"
        notes = ("take it out, or write as many stars behind the words as before them",)
        yield Problem("markup-emphasis", message, passage.span(*spare.span()), "warning", notes, passage.trail)
    if (glued := GLUED.search(text)) and is_written(passage, glued.start(), "____"):
        message = "these underscores make nothing bold, so readers see them"
        notes = ("end the first words with __ and begin the next ones behind a blank",)
        yield Problem("markup-emphasis", message, passage.span(*glued.span()), "warning", notes, passage.trail)
    for found in COMMENT.finditer(text):
        if is_written(passage, found.start(), "<!--"):
            message = "nothing closes this comment, so readers see it"
            span = passage.span(*found.span())
            yield Problem("markup-comment", message, span, "warning", ("--> closes it",), passage.trail)


def stars(passage: Passage) -> Iterator[Problem]:
    """Stars that readers see: never closed, or separated from their words by spaces."""
    text, told = passage.text, 0
    for shape in (BLANKS, LATE):
        for found in shape.finditer(text):
            if is_written(passage, found.start(), "**"):
                told += 1
                yield blanks(passage, found, behind=shape is LATE)
    opened = list(OPENING.finditer(text))
    if len(opened) == 1 and text.count("*") == 2 and not told and is_written(passage, opened[0].start(), "**"):
        message = "nothing closes these stars, so readers see them"
        span, note = passage.span(*opened[0].span()), "write ** behind the last word that is bold"
        yield Problem("markup-emphasis", message, span, "warning", (note,), passage.trail)


def blanks(passage: Passage, found: re.Match[str], behind: bool) -> Problem:
    where = "a blank stands before the closing stars" if behind else "blanks stand inside of the stars"
    span, mended = passage.span(*found.span()), f"**{found[1].strip()}**"
    fix = Fix(span, mended + " " * behind) if span.text == found[0] else None
    message = f"«{found[1]}» is not set in bold, because {where}"
    return Problem("markup-emphasis", message, span, "warning", (f"write {mended}",), passage.trail, fix)


def is_spare(passage: Passage, star: re.Match[str]) -> bool:
    """Whether a star is left over because the emphasis has one more star before the words than after them."""
    behind = passage.span(*star.span()).end
    plain = not passage.is_emphasized(*star.span()) and passage.is_emphasized(star.end(), star.end() + 1)
    return plain and passage.page.source.text.startswith("**", behind) and is_written(passage, star.start(), "*")


def is_written(passage: Passage, start: int, sign: str) -> bool:
    """Whether the source has these characters as they are: not escaped, not an entity, not in code."""
    span = passage.span(start, start + len(sign))
    line = passage.page.source.text[max(span.start - 200, 0) : span.start].rpartition("\n")[2]
    return span.text == sign and line.count("`") % 2 == 0


def lost(reading: Reading) -> Iterator[Problem]:
    """A first line that site builders read as metadata.

    MkDocs and others take all lines at the top that look like `key: value`, up to the first that does not.
    """
    sheet = reading.sheet
    if not (found := SETTING.match(sheet.lines[0])) or found[1].lower() in SETTINGS or not reading.page.headings:
        return
    sure = SENTENCE.match(found[2]) is not None
    if not sure and found[1].islower():
        return
    message = f"a page that begins with «{found[1]}:» loses this line: some site builders take it for a setting"
    notes = ("an empty line above it, or a heading, keeps it",)
    yield Problem("markup-lost", message, sheet.line_span(0), "warning" if sure else "info", notes)


def levels(page: Page) -> Iterator[Problem]:
    """Report the first heading that skips a level; one problem per page is enough."""
    jumps = [(one, other) for one, other in pairwise(page.headings) if other.level > one.level + 1]
    if not jumps:
        return
    above, heading = jumps[0]
    more = f"; {len(jumps)} headings on this page do so" if len(jumps) > 1 else ""
    message = f"«{heading.text}» is of level {heading.level}, directly below one of level {above.level}{more}"
    note = f"level {above.level + 1} would follow; outlines and screen readers miss what is left out"
    yield Problem("markup-level", message, heading.span, "info", (note,), heading.trail)


MARKUP = Check("markup", "", look)

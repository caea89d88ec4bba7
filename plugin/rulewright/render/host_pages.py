"""Support for `parser: host`: Python-Markdown parses the pages itself, and we rewrite the source and the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import NamedTuple
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString
from markdown_it.token import Token

from ..book.inlines import CONTENTS
from ..book.page import Block, Heading, Link, Page, paper
from ..book.parser import front_lines
from ..source import LINE_END, Span
from .context import Desk
from .explain_terms import Hints
from .inlines import MARKER
from .python_markdown import Last
from .tree import LIGATURES, Sheet

FIELDS = {
    "author", "authors", "canonical_url", "categories", "comments", "date", "description", "draft", "hide", "icon",
    "image", "language", "pin", "readtime", "robots", "search", "slug", "social", "status", "subtitle", "summary",
    "tags", "template", "title",
}  # fmt: skip


def with_header(file: str, text: str, fields: Mapping[str, object]) -> str | None:
    """The whole page, if MkDocs took its first lines for metadata but some field is unknown; else None."""
    is_yaml = file.startswith("---")
    if is_yaml or not fields or FIELDS.issuperset(fields) or not file.endswith(text):
        return None
    return file.lstrip("\n")


FENCE = re.compile(r"`{3,}|~{3,}")
QUOTES = re.compile(r"[ \t>]*")
TEXTS = (
    "paragraph_close",
    "blockquote_close",
    "alert_close",
    "table_close",
)  # Python-Markdown treats a list right after these as part of them
LISTS = ("bullet_list_open", "ordered_list_open")


class Edit(NamedTuple):
    """A replacement in the source."""

    start: int
    end: int
    text: str


def mark(number: int) -> str:
    """The placeholder paragraph of a block."""
    return f"rulewright{number}block"


def mended(sheet: Sheet, contents: str) -> str:
    """The page without front matter, with placeholders and resolved links; `contents` replaces the contents comment."""
    page = sheet.page
    edits = [*blocks(page), *comments(page, contents), *links(sheet), *lists(page)]
    lines = paper(page.source)
    return LINE_END.sub("\n", applied(page.source.text, edits)[lines.starts[front_lines(lines)] :])


def applied(text: str, edits: list[Edit]) -> str:
    """Apply edits from the last to the first, so that offsets stay valid; of overlapping edits the first wins."""
    wanted: list[Edit] = []
    for edit in sorted(set(edits)):
        if not wanted or edit.start >= wanted[-1].end:
            wanted.append(edit)
    for edit in reversed(wanted):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def shown(page: Page) -> list[Block]:
    """The blocks of a page that are visible."""
    return [block for block in page.blocks if block.shown]


def blocks(page: Page) -> Iterator[Edit]:
    """Replace each fence by a placeholder paragraph, in the same quote or list."""
    for number, block in enumerate(shown(page)):
        line, _ = block.span.source.place(block.span.start)
        written, start = block.span.source.line(line), block.span.source.starts[line - 1]
        fence = FENCE.search(written)
        before = written[: fence.start() if fence else 0]
        apart = "" if before.strip(" >") else before.rstrip() + "\n"
        yield Edit(start, block.span.end, f"{apart}{before}{mark(number)}\n{apart.rstrip()}")
    for block in page.blocks:
        if not block.shown and not block.span.text.startswith("<"):
            yield Edit(block.span.start, block.span.end, place(block))


def place(block: Block) -> str:
    """An empty element with the id of a hidden block, because links may lead there."""
    return f'<span id="{escape(block.id)}"></span>'


def comments(page: Page, contents: str) -> Iterator[Edit]:
    """Remove comments, except those that other tools read."""
    hidden = {block.span.start: place(block) for block in page.blocks if not block.shown}
    for span in page.comments:
        inside = span.text.removeprefix("<!--").removesuffix("-->")
        if CONTENTS.fullmatch(inside):
            yield Edit(span.start, span.end, contents)
        elif not MARKER.match(inside):
            yield Edit(span.start, span.end, hidden.get(span.start, ""))


def links(sheet: Sheet) -> Iterator[Edit]:
    """Rewrite links to the addresses that they resolve to."""
    for link in sheet.page.links:
        raw = link.kind == "html" or (link.kind == "image" and is_tag(link.span))
        target = sheet.address(link, raw)
        if target and link.kind == "wiki":
            yield wiki(link, target)
        elif target and target != link.span.text:
            yield Edit(link.span.start, link.span.end, target)


def is_tag(span: Span) -> bool:
    """Is this span the value of an HTML attribute?"""
    return span.source.text[: span.start].endswith(("=", '="', "='"))


def wiki(link: Link, target: str) -> Edit:
    """Replace a wiki link by a Markdown link."""
    text = link.span.source.text
    return Edit(link.span.start - 2, text.index("]]", link.span.end) + 2, f"[{link.text}]({target})")


def lists(page: Page) -> Iterator[Edit]:
    """A blank line before each list that directly follows a paragraph or a quote."""
    sheet = paper(page.source)
    for before, token in zip(page.tokens, page.tokens[1:], strict=False):
        if token.type in LISTS and before.type in TEXTS and not before.hidden and touches(page, token):
            line = (token.map or [0])[0]
            quotes = QUOTES.match(sheet.lines[line])
            yield Edit(sheet.starts[line], sheet.starts[line], f"{quotes[0].rstrip() if quotes else ''}\n")


def touches(page: Page, token: Token) -> bool:
    """Is there text on the line above?"""
    sheet = paper(page.source)
    line = (token.map or [0])[0]
    return bool(line and sheet.lines[line - 1].strip(" \t>"))


HEADING = re.compile(r"h[1-6]")
MARKED = "rulewright"
# Skips code, where a placeholder may be an example.
MARK = re.compile(r"<(?:pre|code)\b.*?</(?:pre|code)>|\b(rulewright\d+block)\b", re.DOTALL)
AFTER_SNIPPETS = 31.9  # priority: before other preprocessors read the text
BEFORE_WORDS = 21  # priority: before inline processing
BEFORE_CONTENTS = 7.5  # priority: the table of contents uses the ids that it finds


class Mending(Preprocessor):
    """Rewrites the source of each page, and registers the processors that finish the tree."""

    def __init__(self, md: Markdown, desk: Desk, path: Callable[[], str]) -> None:
        super().__init__(md)
        self.desk, self.path = desk, path
        self.sheet: Sheet | None = None
        md.preprocessors.register(self, "rulewright", AFTER_SNIPPETS)
        md.treeprocessors.register(Place(self), "rulewright", BEFORE_WORDS)
        md.treeprocessors.register(Name(self), "rulewright-ids", BEFORE_CONTENTS)
        Hints(md, lambda: self.sheet)
        md.treeprocessors.register(Last(md), "rulewright-last", -1)
        md.postprocessors.register(Rest(self), "rulewright", 1)

    def run(self, lines: list[str]) -> list[str]:
        self.sheet = self.desk.sheet(self.path(), "\n".join(lines))
        return mended(self.sheet, "\n\n[TOC]\n\n").split("\n")


class Place(Treeprocessor):
    """Replaces placeholder paragraphs by cards."""

    def __init__(self, mending: Mending) -> None:
        super().__init__(mending.md)
        self.mending = mending

    def run(self, root: Element) -> None:
        sheet = self.mending.sheet
        if sheet:
            marks = {mark(number): block for number, block in enumerate(shown(sheet.page))}
            for element in root.iter():
                block = marks.get((element.text or "").strip())
                if block:
                    self.place(element, sheet, block)

    def place(self, element: Element, sheet: Sheet, block: Block) -> None:
        sign = AtomicString(self.mending.md.htmlStash.store(placed(sheet, block)))
        if element.tag == "p":
            element.tag = "div"
        element.text = sign


def placed(sheet: Sheet, block: Block) -> str:
    return f'<div class="rulewright-block" id="{escape(block.id)}">\n{sheet.card(block)}\n</div>'


class Rest(Postprocessor):
    """Replaces the placeholders that Python-Markdown kept inside raw HTML."""

    def __init__(self, mending: Mending) -> None:
        super().__init__(mending.md)
        self.mending = mending

    def run(self, text: str) -> str:
        sheet = self.mending.sheet
        if not sheet or MARKED not in text:
            return text
        cards = {mark(number): block for number, block in enumerate(shown(sheet.page))}
        return MARK.sub(lambda found: placed(sheet, cards[found[1]]) if found[1] in cards else found[0], text)


class Name(Treeprocessor):
    """Gives headings the ids that links use, and splits ligatures so that text can be searched."""

    def __init__(self, mending: Mending) -> None:
        super().__init__(mending.md)
        self.mending = mending

    def run(self, root: Element) -> None:
        found = [element for element in root.iter() if isinstance(element.tag, str) and HEADING.fullmatch(element.tag)]
        ours: list[Heading] = list(self.mending.sheet.page.headings) if self.mending.sheet else []
        if [int(element.tag[1]) for element in found] == [heading.level for heading in ours]:
            for element, heading in zip(found, ours, strict=True):
                element.set("id", heading.id)
                self.name_before(element, heading.id)
        self.name_terms(list(root.iter("dt")))
        for element in root.iter():
            if element.text and element.tag not in ("code", "pre"):
                element.text = spelled(element.text)
            if element.tail:
                element.tail = spelled(element.tail)

    def name_before(self, element: Element, now: str) -> None:
        """An empty element for each former id of a heading."""
        old_ids = self.mending.sheet.old_ids.get(now, ()) if self.mending.sheet else ()
        for place, old in enumerate(old_ids):
            mark = Element("span", {"id": old})
            mark.tail, element.text = element.text, None
            element.insert(place, mark)

    def name_terms(self, found: list[Element]) -> None:
        terms = self.mending.sheet.page.terms if self.mending.sheet else ()
        if len(found) == len(terms):
            for element, term in zip(found, terms, strict=True):
                if term.id:
                    element.set("id", term.id)


def spelled(text: str) -> str:
    return text if text.isascii() or isinstance(text, AtomicString) else text.translate(LIGATURES)

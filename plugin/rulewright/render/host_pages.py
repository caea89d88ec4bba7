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

from ..book.inlines import TOC_COMMENT
from ..book.page import Block, Heading, Link, Page, map_lines
from ..book.parser import count_front_matter_lines
from ..source import LINE_BREAK, Span
from .context import BuildContext
from .inlines import TOOL_COMMENT
from .python_markdown import TreeFinisher
from .tooltips import TermHints
from .tree import LIGATURES, PageContext

_METADATA_FIELDS = {
    "author", "authors", "canonical_url", "categories", "comments", "date", "description", "draft", "hide", "icon",
    "image", "language", "pin", "readtime", "robots", "search", "slug", "social", "status", "subtitle", "summary",
    "tags", "template", "title",
}  # fmt: skip


def restore_header(file: str, text: str, fields: Mapping[str, object]) -> str | None:
    """The whole page, if MkDocs took its first lines for metadata but some field is unknown; else None."""
    is_yaml = file.startswith("---")
    if is_yaml or not fields or _METADATA_FIELDS.issuperset(fields) or not file.endswith(text):
        return None
    return file.lstrip("\n")


_FENCE = re.compile(r"`{3,}|~{3,}")
_QUOTES = re.compile(r"[ \t>]*")
_TEXT_ENDS = (
    "paragraph_close",
    "blockquote_close",
    "alert_close",
    "table_close",
)  # Python-Markdown treats a list right after these as part of them
_LISTS = ("bullet_list_open", "ordered_list_open")


class _Edit(NamedTuple):
    """A replacement in the source."""

    start: int
    end: int
    text: str


def _block_placeholder(number: int) -> str:
    """The placeholder paragraph of a block."""
    return f"rulewright{number}block"


def _rewrite_source(page_context: PageContext, contents: str) -> str:
    """The page without front matter, with placeholders and resolved links; `contents` replaces the contents comment."""
    page = page_context.page
    edits = [*_block_edits(page), *_comment_edits(page, contents), *_link_edits(page_context), *_list_edits(page)]
    lines = map_lines(page.source)
    return LINE_BREAK.sub("\n", _apply_edits(page.source.text, edits)[lines.starts[count_front_matter_lines(lines)] :])


def _apply_edits(text: str, edits: list[_Edit]) -> str:
    """Apply edits from the last to the first, so that offsets stay valid; of overlapping edits the first wins."""
    kept: list[_Edit] = []
    for edit in sorted(set(edits)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    for edit in reversed(kept):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _shown_blocks(page: Page) -> list[Block]:
    """The blocks of a page that are visible."""
    return [block for block in page.blocks if block.shown]


def _block_edits(page: Page) -> Iterator[_Edit]:
    """Replace each fence by a placeholder paragraph, in the same quote or list."""
    for number, block in enumerate(_shown_blocks(page)):
        line, _ = block.span.source.position(block.span.start)
        line_text, start = block.span.source.line(line), block.span.source.line_starts[line - 1]
        fence = _FENCE.search(line_text)
        before = line_text[: fence.start() if fence else 0]
        apart = "" if before.strip(" >") else before.rstrip() + "\n"
        yield _Edit(start, block.span.end, f"{apart}{before}{_block_placeholder(number)}\n{apart.rstrip()}")
    for block in page.blocks:
        if not block.shown and not block.span.text.startswith("<"):
            yield _Edit(block.span.start, block.span.end, _anchor_html(block))


def _anchor_html(block: Block) -> str:
    """An empty element with the id of a hidden block, because links may lead there."""
    return f'<span id="{escape(block.id)}"></span>'


def _comment_edits(page: Page, contents: str) -> Iterator[_Edit]:
    """Remove comments, except those that other tools read."""
    hidden = {block.span.start: _anchor_html(block) for block in page.blocks if not block.shown}
    for span in page.comments:
        inside = span.text.removeprefix("<!--").removesuffix("-->")
        if TOC_COMMENT.fullmatch(inside):
            yield _Edit(span.start, span.end, contents)
        elif not TOOL_COMMENT.match(inside):
            yield _Edit(span.start, span.end, hidden.get(span.start, ""))


def _link_edits(page_context: PageContext) -> Iterator[_Edit]:
    """Rewrite links to the addresses that they resolve to."""
    for link in page_context.page.links:
        raw = link.kind == "html" or (link.kind == "image" and _is_tag(link.span))
        target = page_context.address(link, raw)
        if target and link.kind == "wiki":
            yield _wiki_edit(link, target)
        elif target and target != link.span.text:
            yield _Edit(link.span.start, link.span.end, target)


def _is_tag(span: Span) -> bool:
    """Is this span the value of an HTML attribute?"""
    return span.source.text[: span.start].endswith(("=", '="', "='"))


def _wiki_edit(link: Link, target: str) -> _Edit:
    """Replace a wiki link by a Markdown link."""
    text = link.span.source.text
    return _Edit(link.span.start - 2, text.index("]]", link.span.end) + 2, f"[{link.text}]({target})")


def _list_edits(page: Page) -> Iterator[_Edit]:
    """A blank line before each list that directly follows a paragraph or a quote."""
    line_map = map_lines(page.source)
    for before, token in zip(page.tokens, page.tokens[1:], strict=False):
        if token.type in _LISTS and before.type in _TEXT_ENDS and not before.hidden and _follows_text(page, token):
            line = (token.map or [0])[0]
            quotes = _QUOTES.match(line_map.lines[line])
            yield _Edit(line_map.starts[line], line_map.starts[line], f"{quotes[0].rstrip() if quotes else ''}\n")


def _follows_text(page: Page, token: Token) -> bool:
    """Is there text on the line above?"""
    line_map = map_lines(page.source)
    line = (token.map or [0])[0]
    return bool(line and line_map.lines[line - 1].strip(" \t>"))


_HEADING = re.compile(r"h[1-6]")
_MARKED = "rulewright"
# Skips code, where a placeholder may be an example.
_PLACEHOLDER = re.compile(r"<(?:pre|code)\b.*?</(?:pre|code)>|\b(rulewright\d+block)\b", re.DOTALL)
_AFTER_SNIPPETS = 31.9  # priority: before other preprocessors read the text
_BEFORE_WORDS = 21  # priority: before inline processing
_BEFORE_CONTENTS = 7.5  # priority: the table of contents uses the ids that it finds


class SourceRewriter(Preprocessor):
    """Rewrites the source of each page, and registers the processors that finish the tree."""

    def __init__(self, md: Markdown, context: BuildContext, path: Callable[[], str]) -> None:
        super().__init__(md)
        self.context, self.path = context, path
        self.page_context: PageContext | None = None
        md.preprocessors.register(self, "rulewright", _AFTER_SNIPPETS)
        md.treeprocessors.register(_CardPlacer(self), "rulewright", _BEFORE_WORDS)
        md.treeprocessors.register(_IdWriter(self), "rulewright-ids", _BEFORE_CONTENTS)
        TermHints(md, lambda: self.page_context)
        md.treeprocessors.register(TreeFinisher(md), "rulewright-last", -1)
        md.postprocessors.register(_RawCardPlacer(self), "rulewright", 1)

    def run(self, lines: list[str]) -> list[str]:
        self.page_context = self.context.build_page_context(self.path(), "\n".join(lines))
        return _rewrite_source(self.page_context, "\n\n[TOC]\n\n").split("\n")


class _CardPlacer(Treeprocessor):
    """Replaces placeholder paragraphs by cards."""

    def __init__(self, rewriter: SourceRewriter) -> None:
        super().__init__(rewriter.md)
        self.rewriter = rewriter

    def run(self, root: Element) -> None:
        page_context = self.rewriter.page_context
        if page_context:
            marks = {_block_placeholder(number): block for number, block in enumerate(_shown_blocks(page_context.page))}
            for element in root.iter():
                block = marks.get((element.text or "").strip())
                if block:
                    self.insert_card(element, page_context, block)

    def insert_card(self, element: Element, page_context: PageContext, block: Block) -> None:
        stashed = AtomicString(self.rewriter.md.htmlStash.store(_card_html(page_context, block)))
        if element.tag == "p":
            element.tag = "div"
        element.text = stashed


def _card_html(page_context: PageContext, block: Block) -> str:
    return f'<div class="rulewright-block" id="{escape(block.id)}">\n{page_context.card(block)}\n</div>'


class _RawCardPlacer(Postprocessor):
    """Replaces the placeholders that Python-Markdown kept inside raw HTML."""

    def __init__(self, rewriter: SourceRewriter) -> None:
        super().__init__(rewriter.md)
        self.rewriter = rewriter

    def run(self, text: str) -> str:
        page_context = self.rewriter.page_context
        if not page_context or _MARKED not in text:
            return text
        cards = {_block_placeholder(number): block for number, block in enumerate(_shown_blocks(page_context.page))}
        return _PLACEHOLDER.sub(
            lambda match: _card_html(page_context, cards[match[1]]) if match[1] in cards else match[0], text
        )


class _IdWriter(Treeprocessor):
    """Gives headings the ids that links use, and splits ligatures so that text can be searched."""

    def __init__(self, rewriter: SourceRewriter) -> None:
        super().__init__(rewriter.md)
        self.rewriter = rewriter

    def run(self, root: Element) -> None:
        elements = [
            element for element in root.iter() if isinstance(element.tag, str) and _HEADING.fullmatch(element.tag)
        ]
        headings: list[Heading] = list(self.rewriter.page_context.page.headings) if self.rewriter.page_context else []
        if [int(element.tag[1]) for element in elements] == [heading.level for heading in headings]:
            for element, heading in zip(elements, headings, strict=True):
                element.set("id", heading.id)
                self.add_former_ids(element, heading.id)
        self.set_term_ids(list(root.iter("dt")))
        for element in root.iter():
            if element.text and element.tag not in ("code", "pre"):
                element.text = _split_ligatures(element.text)
            if element.tail:
                element.tail = _split_ligatures(element.tail)

    def add_former_ids(self, element: Element, current_id: str) -> None:
        """An empty element for each former id of a heading."""
        old_ids = self.rewriter.page_context.former_ids.get(current_id, ()) if self.rewriter.page_context else ()
        for place, old in enumerate(old_ids):
            mark = Element("span", {"id": old})
            mark.tail, element.text = element.text, None
            element.insert(place, mark)

    def set_term_ids(self, elements: list[Element]) -> None:
        terms = self.rewriter.page_context.page.terms if self.rewriter.page_context else ()
        if len(elements) == len(terms):
            for element, term in zip(elements, terms, strict=True):
                if term.id:
                    element.set("id", term.id)


def _split_ligatures(text: str) -> str:
    return text if text.isascii() or isinstance(text, AtomicString) else text.translate(LIGATURES)

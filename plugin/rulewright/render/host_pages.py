"""Cards on pages that the Markdown of the site renders: each fence keeps its place, and its code becomes a card.

A mark replaces the text of each fence before the page is rendered. Where the host shows the mark as code of its own,
the card takes the place of that code; a mark that ends up anywhere else is a block that readers would not see.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor

from ..book.page import BLOCK_KINDS, Block, Page, map_lines
from ..book.parser import count_front_matter_lines
from ..book.rule_links import SCHEMES, is_rule_link
from ..source import LINE_BREAK
from .colophon import colophon_markdown
from .context import BuildContext
from .html import PageContext
from .tooltips import TermHints

_AFTER_SNIPPETS = 31.9  # priority: after snippets are inserted, before fences are read
_AFTER_CONTENTS = 4.5  # priority: after the table of contents has given headings their ids
_AFTER_LINKS = -1  # priority: after MkDocs has resolved links
_BEFORE_RAW_HTML = -2  # priority: after the last code is stored, before stored HTML is put into the page
_AT_THE_END = 0.5  # priority
_RULE_SCHEMES = tuple(f"{scheme}:" for scheme in SCHEMES)
_FENCE = re.compile(r"`{3,}|~{3,}")
_MARK = re.compile(r"rulewright(\d+)block")
_TAG = re.compile(r"<[^>]*>")
_LINE_NUMBERS = re.compile(r"[\d\s]*")
_HIDDEN_BLOCK = re.compile(rf"<!--[ \t]*(?:{'|'.join(BLOCK_KINDS)})[ \t]*\n.*?-->[ \t]*\n?", re.DOTALL | re.IGNORECASE)


class HostPage(Preprocessor):
    """Marks the blocks of a page, and registers the processors that put cards, rule links and terms in their places."""

    def __init__(self, md: Markdown, context: BuildContext, find_path: Callable[[], str | None]) -> None:
        super().__init__(md)
        self.context, self.find_path = context, find_path
        self.page_context: PageContext | None = None
        md.preprocessors.register(self, "rulewright", _AFTER_SNIPPETS)
        md.treeprocessors.register(_RuleLinks(self), "rulewright", _AFTER_LINKS)
        TermHints(md, lambda: self.page_context)
        if context.compiled.options.anchors == "add":
            md.treeprocessors.register(_AnchorAdder(self), "rulewright-anchors", _AFTER_CONTENTS)
        md.treeprocessors.register(_CardPlacer(self), "rulewright-cards", _BEFORE_RAW_HTML)
        md.postprocessors.register(_MarkRemover(self), "rulewright", _AT_THE_END)

    def run(self, lines: list[str]) -> list[str]:
        path = self.find_path()
        self.page_context = None if path is None else self.read_page(path, "\n".join(lines))
        if self.page_context is None:
            return lines
        page = self.page_context.page
        if page.blocks:
            self.page_context.touch()
            lines = _mark_blocks(page).split("\n")
        colophon = self.context.colophons.get(page.source.path)
        return [*lines, "", colophon_markdown(colophon)] if colophon else lines

    def read_page(self, path: str, text: str) -> PageContext | None:
        """The context of the page; None if a bug keeps it from being read."""
        try:
            return self.context.build_page_context(path, text, is_host_page=True)
        except Exception as error:
            self.context.report_failure(path, error)
            return None

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.page_context.page.blocks if self.page_context else ()


def _mark(number: int) -> str:
    """The text that marks the place of a block until its card is there."""
    return f"rulewright{number}block"


def _mark_blocks(page: Page) -> str:
    """The page without front matter, with a mark as the text of each fence."""
    text = page.source.text
    for number, block in reversed(list(enumerate(page.blocks))):
        if block.shown or not block.span.text.startswith("<"):
            start = page.source.line_starts[page.source.position(block.span.start)[0] - 1]
            text = text[:start] + _mark_fence(text[start : block.span.end], _mark(number)) + text[block.span.end :]
    lines = map_lines(page.source)
    return LINE_BREAK.sub("\n", text[lines.starts[count_front_matter_lines(lines, page.multimarkdown)] :])


def _mark_fence(fence: str, mark: str) -> str:
    """A fence with a mark as its text, with the same indentation and in the same quote or list."""
    first, *_, last = fence.splitlines()
    opening = _FENCE.search(first)
    assert opening
    before = first[: opening.start()]
    closing = _FENCE.search(last)
    inside = last[: closing.start()] if closing else re.sub(r"[^\s>]", " ", before)
    return f"{before}{opening[0]}\n{inside}{mark}\n{inside}{opening[0]}"


class _RuleLinks(Treeprocessor):
    """Turns links to rules into elements for the scripts."""

    def __init__(self, host: HostPage) -> None:
        super().__init__(host.md)
        self.host = host

    def run(self, root: Element) -> None:
        page_context = self.host.page_context
        if page_context and any(map(is_rule_link, page_context.page.links)):
            for element in list(root.iter("a")):
                if element.get("href", "").lower().startswith(_RULE_SCHEMES):
                    page_context.touch()
                    element.tag, target = "span", element.attrib.pop("href").replace("&amp;", "&")
                    element.attrib |= page_context.rule_link_attributes(target, element.get("class", ""))


class _AnchorAdder(Treeprocessor):
    """Adds the ids that links in other dialects use to headings."""

    def __init__(self, host: HostPage) -> None:
        super().__init__(host.md)
        self.host = host

    def run(self, root: Element) -> None:
        page_context = self.host.page_context
        if page_context is None or not page_context.former_ids:
            return
        ids = {page_context.heading_ids.get(own, own): others for own, others in page_context.former_ids.items()}
        for element in list(root.iter()):
            for place, name in enumerate(ids.pop(element.get("id", ""), ())):
                anchor = Element("span", {"id": name})
                anchor.tail, element.text = element.text, None
                element.insert(place, anchor)


class _CardPlacer(Treeprocessor):
    """Replaces the code that the host made of a marked fence, and stored, by the card of its block."""

    def __init__(self, host: HostPage) -> None:
        super().__init__(host.md)
        self.host = host

    def run(self, _root: Element) -> None:
        if self.host.blocks:
            stored = self.md.htmlStash.rawHtmlBlocks
            for place, html in enumerate(stored):
                if isinstance(html, str) and (mark := _MARK.search(html)) and _is_only_code(html, mark[0]):
                    stored[place] = self.make_card(int(mark[1]), html)

    def make_card(self, number: int, html: str) -> str:
        page_context, blocks = self.host.page_context, self.host.blocks
        if page_context is None or number >= len(blocks):
            return html
        block = blocks[number]
        if not block.shown:
            return ""
        return f'<div class="rulewright-block" id="{escape(block.id)}">\n{page_context.card(block)}\n</div>'


def _is_only_code(html: str, mark: str) -> bool:
    """Whether a piece of HTML shows the mark and nothing else; its lines may be numbered."""
    before, _, after = _TAG.sub(" ", html).partition(mark)
    return bool(_LINE_NUMBERS.fullmatch(before) and _LINE_NUMBERS.fullmatch(after))


class _MarkRemover(Postprocessor):
    """Shows the text of blocks that the host did not take for fences, and takes hidden blocks out of the page."""

    def __init__(self, host: HostPage) -> None:
        super().__init__(host.md)
        self.host = host

    def run(self, text: str) -> str:
        blocks = self.host.blocks
        if not blocks:
            return text
        if any(not block.shown for block in blocks):
            text = _HIDDEN_BLOCK.sub("", text)
        return _MARK.sub(self.show_text, text)

    def show_text(self, mark: re.Match[str]) -> str:
        """The text of a block where the host shows it, which is a problem."""
        number = int(mark[1])
        if self.host.page_context is None or number >= len(self.host.blocks):
            return mark[0]
        self.host.context.shown_as_text.add((self.host.find_path() or "", self.host.blocks[number].id))
        return escape(self.host.blocks[number].text.content)

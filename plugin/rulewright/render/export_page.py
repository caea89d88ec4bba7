"""Renders the pages of a book for an HTML or EPUB export: links between pages, pictures, cards, safe HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path as File
from typing import NamedTuple, Protocol
from urllib.parse import unquote
from xml.etree.ElementTree import Element, SubElement

from markdown.extensions.abbr import AbbrTreeprocessor
from markdown.util import AtomicString

from ..book.page import Block, Heading, Link, Page
from ..book.parser import read_again
from ..book.resolver import DeadLink, LinkTarget
from ..compile.games import outcome_target
from ..game.model import Outcome
from ..project import find_site_settings
from ..source import Problem, Span
from . import document as doc
from .cards.card import render_card
from .colophon import add_colophon
from .export import BookExport, OutlineEntry, ProgressCallback, find_picture, highest_level, outline_entries, title_id
from .glossary import Glossary, read_glossary
from .html import (
    FORMULA,
    HtmlWriter,
    PageContext,
    add_element,
    append_text,
    clean_text,
    define_abbreviations,
    escape_attribute,
    escape_code,
    real_anchor,
)
from .read_document import read_document
from .roll_data import roll_queries
from .sanitize import CAPITALS, RAW, SVG_TAGS, TolerantParser, remove_invalid_xml, to_xhtml
from .tooltips import TermMarker


class _FileWriter(HtmlWriter):
    """Writes a page for a file with many pages: HTML of the author becomes part of the tree, but only what is safe."""

    def __init__(self, context: PageContext, document: doc.Document) -> None:
        super().__init__(context, document)
        self.parser = TolerantParser(self.stack)

    def start(self, tag: str, attributes: doc.Attributes | None = None) -> None:
        self.parser.handle_starttag(tag, [(name, str(value)) for name, value in (attributes or {}).items()])

    def end(self, tag: str) -> None:
        self.parser.handle_endtag(tag)

    def text(self, text: str) -> None:
        if not self.parser.dropped_tag:
            super().text(text)

    def write_html(self, html: str, is_block: bool) -> None:
        """HTML of the author, in lines of its own if it is a block."""
        if is_block and len(self.stack[-1]):
            self.text("\n")
        self.parser.feed(html)
        self.parser.close()
        if is_block:
            self.text("\n")

    def write_card(self, html: str) -> None:
        if not self.parser.dropped_tag:
            card = SubElement(self.stack[-1], RAW)
            card.text, card.tail = AtomicString(html), "\n"

    def write_contents(self) -> None:
        """The nested list of the headings of the page."""
        self.start("div", {"class": "toc", "role": "group", "aria-label": self.context.words("contents")})
        lists = [(0, self.stack[-1])]
        for heading in self.context.page.headings:
            while lists[-1][0] >= heading.level:
                lists.pop()
            around = lists[-1][1]
            items = next((child for child in around if child.tag == "ul"), None)
            item = SubElement(SubElement(around, "ul") if items is None else items, "li")
            append_text(add_element(item, "a", {"href": f"#{heading.id}"}), clean_text(heading.text))
            lists.append((heading.level, item))
        self.end("div")

    def write_tabs(self, tabs: doc.Tabs) -> None:
        """The tabs one below the other, each with its title."""
        self.start("div", {"class": "tabs"})
        for tab in tabs.tabs:
            self.start("div", {"class": "tab"})
            self.write_inside("p", tab.title, {"class": "tab-title"})
            self.write_inside("div", tab.children, {"class": "tabbed-block"})
            self.end("div")
        self.end("div")

    def write_formula(self, formula: doc.Formula) -> None:
        self.element("pre" if formula.is_block else "code", escape_code(formula.content), {"class": "math"})


_SVG_NAMES = SVG_TAGS | {CAPITALS[name] for name in SVG_TAGS & CAPITALS.keys()}
_PAGE_SCHEME, _PICTURE_SCHEME = "inside:", "picture:"  # of links and pictures until the tree is complete
_EXTERNAL = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
_ALLOWED_ATTRIBUTES = re.compile(  # attributes that make sense in any file
    "class|id|title|lang|dir|href|src|alt|width|height|colspan|rowspan|scope|start|reversed|value|type|open|datetime"
    "|cite|role|tabindex|style|for|disabled|checked|span|(?:data|aria)-[a-z-]+"
)


def _lower_heading(element: Element, level: int, shift: int) -> int:
    """Rename a heading to its new level, without gaps; below level 6 it becomes a `div` with a role."""
    level = min(int(element.tag[1]) + shift, level + 1)
    if level > 6:
        element.tag = "div"
        element.attrib |= {"role": "heading", "aria-level": str(level)}
    else:
        element.tag = f"h{level}"
    return level


_NO_NAME = re.compile(r"[^\w/]+")
_REASONS = {
    None: "it lies on another site: put it into the folder of the book",
    DeadLink: "there is no such file",
    LinkTarget: "it is of a kind that cannot go into this file, or lies outside of the book's folder",
}


class _ExportFormat(Protocol):
    """An export format that contains whole books as HTML."""

    top: int  # the level of the highest heading of a page
    card_element: str  # "rule-card" where scripts run

    def id(self, name: str, anchor: str) -> str:
        """The id in the file of an anchor on a page, or of the page itself."""

    def address(self, here: str, there: str, anchor: str) -> str:
        """The link from one page to an anchor on another."""

    def picture(self, file: File) -> str:
        """The `src` of a picture; empty if the format cannot contain it."""

    def card(self, html: str) -> str:
        """The HTML of a card as the format writes it."""

    def finish(self, root: Element) -> None:
        """Adapt the tree of a page to the format."""


class RenderedPage(NamedTuple):
    """A rendered page of the export."""

    entry: OutlineEntry
    name: str
    html: str

    @property
    def page(self) -> Page:
        return self.entry.chapter.page.page


@dataclass
class BookRenderer:
    """Renders all pages of a book for a format and collects the problems."""

    export: BookExport
    form: _ExportFormat
    problems: list[Problem] = field(default_factory=list)

    def render_pages(self, report_progress: ProgressCallback) -> list[RenderedPage]:
        """Render all pages in reading order."""
        rendered_pages = []
        for entry in outline_entries(self.export.chapters):
            report_progress(entry.chapter.page.page.title)
            rendered_pages.append(_PageRenderer(self, entry).render())
        return rendered_pages

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of pages in the file, by path; unique regardless of case."""
        names: dict[str, str] = {}
        taken: set[str] = set()
        for chapter in self.export.chapters:
            path = self.export.resolver.path(chapter.page.page)
            name = wanted = _NO_NAME.sub("-", path.rpartition(".")[0]).strip("-/") or "page"
            number = 1
            while name.lower() in taken:
                number += 1
                name = f"{wanted}-{number}"
            taken.add(name.lower())
            names[path] = name
        return names

    @cached_property
    def glossary(self) -> Glossary:
        return read_glossary(self.export.compiled, self.export.resolver.path, self.export.words)

    @cached_property
    def has_formulas(self) -> bool:
        """Does the site of the book render TeX formulas?"""
        settings = find_site_settings(self.export.root)
        return settings is not None and "arithmatex" in settings.read_text(encoding="utf-8", errors="replace")


class _PageRenderer:
    """Renders one page, and adapts it to a file with many: ids, links, heading levels, attributes."""

    def __init__(self, renderer: BookRenderer, entry: OutlineEntry) -> None:
        self.renderer, self.entry, self.form = renderer, entry, renderer.form
        self.export = renderer.export
        self.checked = entry.chapter.page
        self.path = self.export.resolver.path(self.checked.page)
        self.name = renderer.names[self.path]
        self.pictures = dict[str, str]()  # the `src` of pictures, by what stands for it until then
        self.used_ids = set[str]()
        self.checked_blocks = {block.block.span.start: block for block in self.checked.blocks}

    def render(self) -> RenderedPage:
        page = self.read_page_source()
        resolve = partial(self.export.resolver.resolve, page=self.checked.page)
        rolls = roll_queries(self.checked.links, None)
        page_context = PageContext(page, self.export.words, self.render_card, self.url, resolve, rolls=rolls)
        document = read_document(add_colophon(page, self.export.colophons), resolve)
        writer = _FileWriter(page_context, document)
        root = writer.write()
        self.report_dropped(writer.parser.left_out)
        self.explain(root, document)
        self.adapt_tree(root, page)
        self.form.finish(root)
        return RenderedPage(self.entry, self.name, remove_invalid_xml(to_xhtml(root)))

    def read_page_source(self) -> Page:
        """The page, parsed again with formulas if the site renders them."""
        page = self.checked.page
        return read_again(page, True) if self.renderer.has_formulas and FORMULA.search(page.source.text) else page

    def explain(self, root: Element, document: doc.Document) -> None:
        """Explain abbreviations and terms."""
        meanings = dict[str, str]()
        define_abbreviations(meanings, document)
        AbbrTreeprocessor(None, meanings).run(root)
        terms = self.renderer.glossary.terms(self.checked.game)
        if pattern := terms.pattern:
            _PageTermMarker(terms, pattern).walk(root)

    def adapt_tree(self, root: Element, page: Page) -> None:
        """Add a missing title, and adapt the tree to the file."""
        level = self.form.top + self.entry.depth
        if not title_id(page):
            title = Element(f"h{highest_level(page)}", {"id": "page-title"})
            title.text = clean_text(page.title)
            root.insert(0, title)
            root.text, title.tail = None, root.text
        self.adapt(root, level - 1, level - highest_level(page))

    def adapt(self, root: Element, level: int, shift: int) -> None:
        """Adapt all elements; headings start below `level` and move down by `shift`."""
        for child in list(root.iter()):
            if child.tag == "img":
                self.adapt_picture(child)
            elif child.tag == "th" and not len(child) and not (child.text or "").strip():
                child.tag = "td"  # an empty header cell describes nothing
        for element in root.iter():
            level = _lower_heading(element, level, shift) if element.tag in _HEADINGS else level
            if element.keys():  # most have none
                self.adapt_attributes(element)

    def adapt_attributes(self, element: Element) -> None:
        if element.tag == "a":
            self.adapt_link(element)
        self.adapt_id(element)
        if element.tag not in _SVG_NAMES:
            for name in [name for name in element.keys() if not _ALLOWED_ATTRIBUTES.fullmatch(name)]:  # noqa: SIM118
                del element.attrib[name]

    def adapt_id(self, element: Element) -> None:
        """Of two elements with the same id, the first keeps it."""
        own_id = element.attrib.pop("id", "")
        if own_id and own_id not in self.used_ids:
            self.used_ids.add(own_id)
            element.set("id", escape_attribute(self.form.id(self.name, own_id)))
        if "for" in element.attrib:
            element.set("for", escape_attribute(self.form.id(self.name, element.attrib["for"])))

    def adapt_link(self, element: Element) -> None:
        if "name" in element.attrib:
            element.attrib.setdefault("id", element.attrib.pop("name"))
            element.attrib.pop("name", None)
        target = element.attrib.pop("href", "")
        if address := self.resolve_target(target):
            element.set("href", escape_attribute(address))

    def resolve_target(self, target: str) -> str:
        """The address of a link in the file; empty if it leads nowhere."""
        if target.startswith("#"):
            return self.resolve_anchor(self.path, unquote(target[1:]))
        if target.startswith(_PAGE_SCHEME):
            path, _, anchor = target.removeprefix(_PAGE_SCHEME).partition("#")
            return self.resolve_anchor(path, anchor)
        return target if _EXTERNAL.match(target) else ""

    def adapt_picture(self, image: Element) -> None:
        """Set the address of a picture; one that is missing is replaced by its alternative text."""
        source = self.pictures.get(image.attrib.pop("src", ""), "")
        image.attrib.pop("srcset", None)
        image.set("alt", image.get("alt", ""))
        if source:
            image.set("src", source)
            return
        words = image.attrib["alt"]
        image.tag, image.text = "span", words
        image.attrib.clear()

    def render_card(self, block: Block) -> str:
        """The HTML of the card of a block; empty for a block that is one only where formulas are read."""
        checked = self.checked_blocks.get(block.span.start)
        if checked is None:
            return ""
        return self.form.card(render_card(checked, self.export.words, self.outcome_address, self.form.card_element))

    def resolve_anchor(self, path: str, anchor: str) -> str:
        """The link to an anchor on the page of a path; empty if that is not in the file."""
        name = self.renderer.names.get(path)
        return self.form.address(self.name, name, "" if anchor == "top" else real_anchor(anchor)) if name else ""

    def outcome_address(self, outcome: Outcome) -> str:
        """The link to the section that explains an outcome."""
        target = outcome_target(self.export.resolver, outcome)
        return self.resolve_anchor(target.path, target.anchor) if target else ""

    def url(self, address: doc.Address, built: bool) -> str | None:
        """A link within the book, or a picture, with a scheme of ours; None if broken, empty if it stays as it is."""
        del built
        link, target = address
        if link.kind == "image":
            return self.add_picture(link, target)
        if target is None:
            return ""
        return f"{_PAGE_SCHEME}{target.path}#{target.anchor}" if isinstance(target, LinkTarget) else None

    def picture_file(self, path: str) -> File | None:
        return find_picture(self.export.root, self.path, f"/{path}", self.export.compiled.project)

    def add_picture(self, link: Link, target: LinkTarget | DeadLink | None) -> str:
        file = self.picture_file(target.path) if isinstance(target, LinkTarget) else None
        source = self.form.picture(file) if file else ""
        placeholder = f"{_PICTURE_SCHEME}{len(self.pictures)}"
        self.pictures[placeholder] = source
        if not source:
            reason = _REASONS[None if target is None else type(target)]
            message = f"the picture {link.target[:80]} cannot go along; its words take its place"
            self.report("export-picture", message, self.find_span(link.target, link.span), reason)
        return placeholder

    def report_dropped(self, left_out: Iterable[str]) -> None:
        """Report elements that work only on the site."""
        for tag in left_out:
            message = f"what stands in <{tag}> is left out: it works on the site only"
            self.report("export-html", message, self.find_span(f"<{tag}", None), "say the same in words beside it")

    def find_span(self, text: str, span: Span | None) -> Span:
        """The span of a problem that has none of its own: where the text first occurs in the source."""
        source = self.checked.page.source
        at = source.text.lower().find(text.lower()) if span is None or span.start == span.end else -1
        return Span(source, at, at + len(text)) if at >= 0 else span or Span(source, 0, 0)

    def report(self, code: str, message: str, span: Span, note: str) -> None:
        self.renderer.problems.append(Problem(code, message, span, "warning", (note,)))


def shown_headings(page: Page, deepest: int) -> list[Heading]:
    """The headings of a page for a table of contents: below the title, down to this depth."""
    top = highest_level(page)
    return [heading for heading in page.headings if top < heading.level <= top + deepest and heading.text.strip()]


class _PageTermMarker(TermMarker):
    """Explains terms once for each page, because repetition makes one file large."""

    def begin_section(self, heading: Element) -> None:
        self.explained_names |= {meaning.name for _, _, meaning in self.terms.find("".join(heading.itertext()))}

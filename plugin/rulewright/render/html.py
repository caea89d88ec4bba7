"""Renders a document as an element tree of HTML, for the pages of a site, of a single file and of an EPUB."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString

from ..book.page import Block, Page
from . import document as doc
from .finished_page import BLOCK_CLASS
from .glossary import PageTerms
from .strings import Words

FORMULA = re.compile(r"\$|\\[(\[b]")  # where formulas may begin
_NOTES = "user-content-fn-"  # prefix of footnote ids on GitHub
_BACK = "\u21a9\ufe0e"  # as text, not as emoji
_ENTITY = re.compile(r"&(?=(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)", re.IGNORECASE)


@dataclass(frozen=True)
class PageContext:
    """Page context: a parsed page with its cards, addresses, terms and strings."""

    page: Page
    words: Words
    card: Callable[[Block], str]
    url: Callable[[doc.Address, bool], str | None]
    """The URL of a link, for browsers on the finished site if the flag says so, else from file to file. None if the
    link is broken, an empty string if it stays as it is."""
    resolve: doc.Resolve
    terms: PageTerms = field(default_factory=PageTerms)
    former_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of headings, by the ids they have now
    heading_ids: Mapping[str, str] = field(default_factory=dict)  # on the site, by the ids in the book
    touch: Callable[[], None] = lambda: None  # to call when something of ours is put on the page
    rolls: Mapping[str, str] = field(default_factory=dict)  # what `roll:` links roll, by their targets

    def rule_link_attributes(self, target: str, own_class: str) -> dict[str, str]:
        """The attributes of the `span` that a link to a rule becomes, for the scripts."""
        scheme, _, query = target.partition(":")
        name = f"{own_class} rulewright-{scheme.lower()}".strip()
        return {"class": name, f"data-{scheme.lower()}": self.rolls.get(target, query)}


class HtmlWriter(ABC):
    """Writes one document; what depends on where the HTML goes is up to its subclasses."""

    def __init__(self, context: PageContext, document: doc.Document) -> None:
        self.context, self.document = context, document
        self.root = Element("div")
        self.stack = [self.root]  # the open elements
        self.deferred: list[Element] = []  # to insert after the first element

    def write(self) -> Element:
        """The element tree, with the footnotes at the end."""
        self.write_all(self.document.children)
        self.write_notes()
        self.root[1:1] = self.deferred
        return self.root

    def start(self, tag: str, attributes: doc.Attributes | None = None) -> None:
        self.stack.append(add_element(self.stack[-1], tag, attributes))

    def end(self, tag: str) -> None:
        """End the element that was started last; `tag` is its own."""
        del tag
        self.stack.pop()

    def text(self, text: str) -> None:
        append_text(self.stack[-1], text)

    def element(self, tag: str, text: str | None = None, attributes: doc.Attributes | None = None) -> None:
        """Write a whole element."""
        self.start(tag, attributes)
        if text is not None:
            self.text(text)
        self.end(tag)

    def write_plain_text(self, text: doc.Text) -> None:
        self.text(clean_text(text.content))

    @abstractmethod
    def write_html(self, html: str, is_block: bool) -> None:
        """Write HTML of the author."""

    @abstractmethod
    def write_card(self, html: str) -> None:
        """Write the HTML of a card."""

    @abstractmethod
    def write_contents(self) -> None:
        """Write the table of contents, or what becomes it."""

    @abstractmethod
    def write_tabs(self, tabs: doc.Tabs) -> None:
        """Write a set of tabs."""

    @abstractmethod
    def write_formula(self, formula: doc.Formula) -> None:
        """Write a TeX formula."""

    def write_highlighted(self, code: doc.Code | doc.InlineCode) -> bool:
        """Write code with colors, or a diagram; False if it remains to be written as it is."""
        del code
        return False

    def broken_attributes(self, name: str, written: str) -> doc.Attributes:
        """The attributes of a broken link, which has been reported."""
        del name, written
        return {}

    def write_all(self, nodes: Iterable[doc.Node]) -> None:
        for node in nodes:
            _WRITERS[type(node)](self, node)

    def write_inside(self, tag: str, nodes: doc.Nodes, attributes: doc.Attributes | None = None) -> None:
        self.start(tag, attributes)
        self.write_all(nodes)
        self.end(tag)

    def address_attributes(self, name: str, address: doc.Address, written: str) -> doc.Attributes:
        """The `href` or `src` of a link or picture."""
        url = self.context.url(address, False)
        return self.broken_attributes(name, written) if url is None else {name: url or written}

    def write_block(self, block: Block) -> None:
        """A block with its id; a hidden block becomes an empty element with the id."""
        if not block.shown:
            first = self.stack[-1] is self.root and not len(self.root)  # a title must stay the first element
            place = Element("span", {"id": escape_attribute(block.id)})
            (self.deferred if first else self.stack[-1]).append(place)
            return
        self.context.touch()
        self.start("div", {"class": BLOCK_CLASS, "id": block.id})
        if not (block.kind == "game" and self.write_highlighted(doc.Code(block.text.content, "toml"))):
            self.write_card(self.context.card(block))
        self.end("div")

    def write_notes(self) -> None:
        """The footnotes, each with a link back to each of its references."""
        if not self.document.notes:
            return
        self.start("div", {"class": "footnote"})
        self.element("hr")
        self.start("ol")
        for number, (label, nodes) in enumerate(self.document.notes.items(), 1):
            last = nodes[-1] if nodes and isinstance(nodes[-1], doc.Paragraph) and not nodes[-1].is_bare else None
            self.start("li", {"id": f"fn:{label}"})
            self.write_all(nodes[:-1] if last else nodes)
            self.start("p", last.attributes if last else None)
            self.write_all(last.children if last else ())
            for times in range(1, self.document.references.get(label, 0) + 1):
                if times > 1 or (last and last.children):
                    self.text("\u00a0")
                title = self.context.words("back to note", number=number)
                back = {"class": "footnote-backref", "href": f"#{_reference_id(label, times)}", "title": title}
                self.element("a", _BACK, back)
            self.end("p")
            self.end("li")
        self.end("ol")
        self.end("div")


def _write_element(writer: HtmlWriter, node: doc.Element) -> None:
    writer.write_inside(node.tag, node.children, node.attributes)


def _write_inline_code(writer: HtmlWriter, node: doc.InlineCode) -> None:
    if node.attributes or not writer.write_highlighted(node):
        writer.element("code", escape_code(node.content), node.attributes)


def _write_code(writer: HtmlWriter, node: doc.Code) -> None:
    if writer.write_highlighted(node):
        return
    language = node.info.split(maxsplit=1)[0].strip("{}.") if node.info else ""
    writer.start("pre")
    writer.element("code", escape_code(node.content), {"class": f"language-{language}"} if node.info else {})
    writer.end("pre")


def _write_link(writer: HtmlWriter, node: doc.Link) -> None:
    address = writer.address_attributes("href", node.address, node.written)
    writer.write_inside("a", node.children, {**node.attributes, **address})


def _write_rule_link(writer: HtmlWriter, node: doc.RuleLink) -> None:
    """A `span` with data for the scripts."""
    writer.context.touch()
    own = writer.context.rule_link_attributes(node.target, str(node.attributes.get("class", "")))
    writer.write_inside("span", node.children, {**node.attributes, **own})


def _write_image(writer: HtmlWriter, node: doc.Image) -> None:
    writer.element("img", None, {**node.attributes, **writer.address_attributes("src", node.address, node.written)})


def _write_html(writer: HtmlWriter, node: doc.Html) -> None:
    parts = (part if isinstance(part, str) else _quoted_url(writer.context, part) for part in node.parts)
    writer.write_html("".join(parts), node.is_block)


def _quoted_url(context: PageContext, part: doc.HtmlAddress) -> str:
    """The value of an attribute in HTML of the author, resolved if it is a link in the book."""
    url = context.url(part.address, True)
    return f'"{escape(url)}"' if url else part.quoted


def _write_html_element(writer: HtmlWriter, node: doc.HtmlElement) -> None:
    name = {"a": "href", "img": "src"}.get(node.tag)
    address = writer.broken_attributes(name, "") if name else {}
    if name and node.address:
        address = {name: writer.context.url(node.address, False) or node.address.link.target}
    writer.write_inside(node.tag, node.children, {**node.attributes, **address})


def _write_note_reference(writer: HtmlWriter, node: doc.NoteReference) -> None:
    """The superscript number of a footnote, with an id for the back link."""
    writer.start("sup", {"id": _reference_id(node.label, node.times)})
    writer.element("a", str(node.number), {"class": "footnote-ref", "href": f"#fn:{node.label}"})
    writer.end("sup")


def _write_paragraph(writer: HtmlWriter, node: doc.Paragraph) -> None:
    if node.is_bare:
        writer.write_all(node.children)
    else:
        writer.write_inside("p", node.children, node.attributes)


def _write_heading(writer: HtmlWriter, node: doc.Heading) -> None:
    """A heading with an empty element for each former id, so that old links still work."""
    context = writer.context
    writer.start(f"h{node.level}", {**node.attributes, "id": context.heading_ids.get(node.id, node.id)})
    for old in context.former_ids.get(node.id, ()):
        writer.element("span", None, {"id": old})
    writer.write_all(node.children)
    writer.end(f"h{node.level}")


def _write_item(writer: HtmlWriter, node: doc.Item) -> None:
    """A list item; that of a task list has a checkbox."""
    writer.start("li", node.attributes)
    if node.is_done is not None:
        name = writer.context.words("done" if node.is_done else "to do")
        checked = {"checked": "checked"} if node.is_done else {}
        writer.start("label", {"class": "task-list-control"})
        writer.element("input", None, {"type": "checkbox", "disabled": "disabled", "aria-label": name, **checked})
        writer.element("span", None, {"class": "task-list-indicator"})
        writer.end("label")
        writer.text(" ")
    writer.write_all(node.children)
    writer.end("li")


def _write_box(writer: HtmlWriter, node: doc.Box) -> None:
    tag = "details" if node.folds else "div"
    classes = node.classes if node.folds else f"admonition {node.classes}".strip()
    writer.start(tag, {"class": classes, **({"open": "open"} if node.is_open else {})})
    if node.title:
        title = "summary" if node.folds else "p"
        writer.write_inside(title, node.title, {} if node.folds else {"class": "admonition-title"})
    writer.write_all(node.children)
    writer.end(tag)


_WRITERS: dict[type[doc.Node], Callable[[Any, Any], None]] = {
    doc.Element: _write_element,
    doc.Text: lambda writer, node: writer.write_plain_text(node),
    doc.InlineCode: _write_inline_code,
    doc.Code: _write_code,
    doc.Formula: lambda writer, node: writer.write_formula(node),
    doc.Link: _write_link,
    doc.RuleLink: _write_rule_link,
    doc.Image: _write_image,
    doc.Html: _write_html,
    doc.HtmlElement: _write_html_element,
    doc.NoteReference: _write_note_reference,
    doc.Paragraph: _write_paragraph,
    doc.Heading: _write_heading,
    doc.Item: _write_item,
    doc.Box: _write_box,
    doc.Tabs: lambda writer, node: writer.write_tabs(node),
    doc.Card: lambda writer, node: writer.write_block(node.block),
    doc.Contents: lambda writer, _node: writer.write_contents(),
}


def _reference_id(label: str, times: int) -> str:
    """The id of a reference to a footnote."""
    return f"fnref{times if times > 1 else ''}:{label}"


def real_anchor(anchor: str) -> str:
    """The id of a footnote here, for an anchor as GitHub names it."""
    return f"fn:{anchor.removeprefix(_NOTES)}" if anchor.startswith(_NOTES) else anchor


def define_abbreviations(known: dict[str, str], document: doc.Document) -> None:
    """Add the abbreviations of a page to those that are known; an empty meaning in quotes takes one away."""
    for name, meaning in document.abbreviations:
        if meaning in ("''", '""'):
            known.pop(name, None)
        else:
            known[name] = meaning


def add_element(parent: Element, tag: str, attributes: doc.Attributes | None = None) -> Element:
    """Append a child element."""
    if not attributes:
        return SubElement(parent, tag)
    return SubElement(parent, tag, {name: escape_attribute(str(value)) for name, value in attributes.items()})


def append_text(element: Element, text: str) -> None:
    """Append text after everything that the element contains."""
    if len(element):
        element[-1].tail = text if element[-1].tail is None else element[-1].tail + text
    else:
        element.text = text if element.text is None else element.text + text


def escape_attribute(value: str) -> str:
    """Escape `&` where it looks like an entity, because the parser has resolved all entities."""
    return _ENTITY.sub("&amp;", value) if "&" in value else value


def clean_text(text: str) -> str:
    """Text in which nothing looks like an entity; ligatures are split so that it can be searched."""
    text = text if text.isascii() else text.translate(doc.LIGATURES)
    return _ENTITY.sub("&amp;", text) if "&" in text else text


def escape_code(text: str) -> AtomicString:
    """Code as escaped, atomic text."""
    return AtomicString(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))

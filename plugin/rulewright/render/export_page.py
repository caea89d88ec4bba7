"""Renders the pages of a book for an HTML or EPUB export: element tree, links between pages, pictures, cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path as File
from typing import NamedTuple, Protocol
from urllib.parse import unquote
from xml.etree.ElementTree import Element, SubElement

from markdown.util import ETX, STX

from ..book.page import Block, Heading, Link, Page
from ..book.parser import read_page
from ..book.resolver import Lost, Place
from ..checks.model import Checked
from ..compile.games import further
from ..game.model import Outcome
from ..project import site_settings
from ..source import Problem, Span
from .cards.card import card
from .elements import elements
from .explain_terms import Marking, explained
from .export import Edition, Placed, Watch, highest, picture, placed, start
from .python_markdown import ASKING, number
from .sanitize import CAPITALS, clean, tidied, written
from .sanitize import DRAWN as SMALL
from .terms import Glossary, read_glossary
from .tree import FORMULA, Sheet, attribute, code, plain, real, say

CONTENTS = f"{STX}contents{ETX}"
CARD = re.compile(f"{STX}card([0-9]+){ETX}")
KEPT = re.compile(f"{STX}kept([0-9]+){ETX}")


def card_sign(number: int) -> str:
    """The placeholder of a card."""
    return f"{STX}card{number}{ETX}"


@dataclass
class Plain:
    """A host without Python-Markdown: replaces cards and authors' HTML by placeholders until the tree is complete."""

    contents: str = CONTENTS
    signs: Mapping[str, str] = field(default_factory=dict)  # there are no other extensions
    kept: list[str] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)  # of abbreviations

    def keep(self, html: str) -> str:
        if CARD.fullmatch(html):
            return html
        self.kept.append(html)
        return f"{STX}kept{len(self.kept) - 1}{ETX}"

    def fence(self, info: str, code: str) -> None:
        """Code is not highlighted."""

    def code(self, text: str) -> None:
        """Inline code is not highlighted."""

    def math(self, text: str, *, inline: bool) -> Element:
        made = Element("code" if inline else "pre", {"class": "math"})
        made.text = code(text)
        return made

    def abbreviate(self, name: str, meaning: str) -> None:
        if meaning in ("''", '""'):
            self.meanings.pop(name, None)
        else:
            self.meanings[name] = meaning

    def lost(self, element: Element, written: str) -> None:
        """A broken link becomes plain text."""


DRAWN = SMALL | {CAPITALS[name] for name in SMALL & CAPITALS.keys()}
INSIDE, PICTURE = "inside:", "picture:"  # schemes of internal links and pictures until `Fitting` replaces them
ELSEWHERE = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
KNOWN = re.compile(  # attributes that make sense in any file
    "class|id|title|lang|dir|href|src|alt|width|height|colspan|rowspan|scope|start|reversed|value|type|open|datetime"
    "|cite|role|tabindex|style|for|disabled|checked|span|(?:data|aria)-[a-z-]+"
)
TABS = "tabbed-set"


@dataclass
class Fitting:
    """Adapts the tree of a page to a file with many pages: ids, links, heading levels, attributes."""

    id: Callable[[str], str]
    go: Callable[[str, str], str]  # link to an anchor of a page, by path; empty if not in the file
    here: str
    pictures: Mapping[str, str]
    home: str = ""  # the folder of the page's game
    seen: set[str] = field(default_factory=set)

    def fit(self, root: Element, level: int, shift: int) -> None:
        """Adapt all elements; headings start below `level` and move down by `shift`."""
        for child in list(root.iter()):
            if child.get("class", "").startswith(TABS):
                one_after_the_other(child)
            elif child.tag == "img":
                self.picture(child)
            elif child.tag == "th" and not len(child) and not (child.text or "").strip():
                child.tag = "td"  # an empty header cell describes nothing
        for element in root.iter():
            level = lowered(element, level, shift) if element.tag in HEADINGS else level
            if element.keys():  # most have none
                self.attributes(element)

    def attributes(self, element: Element) -> None:
        if element.tag == "a":
            self.link(element)
        self.name(element)
        if element.tag not in DRAWN:
            for name in [name for name in element.keys() if not KNOWN.fullmatch(name)]:  # noqa: SIM118
                del element.attrib[name]

    def name(self, element: Element) -> None:
        """Of two elements with the same id, the first keeps it."""
        given = element.attrib.pop("id", "")
        if given and given not in self.seen:
            self.seen.add(given)
            element.set("id", attribute(self.id(given)))
        if "for" in element.attrib:
            element.set("for", attribute(self.id(element.attrib["for"])))

    def link(self, element: Element) -> None:
        if "name" in element.attrib:
            element.attrib.setdefault("id", element.attrib.pop("name"))
            element.attrib.pop("name", None)
        target = element.attrib.pop("href", "")
        found = ASKING.match(target)
        if found:
            element.set("href", target)
            number(element, found)
            if found[1].lower() == "roll":
                element.set("data-roll", self.roll(found[2]))
        elif goes := self.target(target):
            element.set("href", attribute(goes))

    def roll(self, asked: str) -> str:
        """A roll link with its game, because one file contains pages of several games."""
        name, mark, query = asked.partition("?")
        return asked if "/" in name or "game=" in query or not self.home else f"{self.home}/{name}{mark}{query}"

    def target(self, written: str) -> str:
        """The address of a link in the file; empty if it leads nowhere."""
        if written.startswith("#"):
            return self.go(self.here, unquote(written[1:]))
        if written.startswith(INSIDE):
            path, _, anchor = written.removeprefix(INSIDE).partition("#")
            return self.go(path, anchor)
        return written if ELSEWHERE.match(written) else ""

    def picture(self, image: Element) -> None:
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


def lowered(element: Element, level: int, shift: int) -> int:
    """Rename a heading to its new level, without gaps; below level 6 it becomes a `div` with a role."""
    level = min(int(element.tag[1]) + shift, level + 1)
    if level > 6:
        element.tag = "div"
        element.attrib |= {"role": "heading", "aria-level": str(level)}
    else:
        element.tag = f"h{level}"
    return level


def one_after_the_other(tabs: Element) -> None:
    """Replace a tab set by its tabs one below the other, each with its title."""
    labels = [label for part in tabs if part.get("class") == "tabbed-labels" for label in part]
    contents = [content for part in tabs if part.get("class") == "tabbed-content" for content in part]
    for part in list(tabs):
        tabs.remove(part)
    tabs.attrib = {"class": "tabs"}
    for label, content in zip(labels, contents, strict=False):
        label.tag, label.attrib = "p", {"class": "tab-title"}
        one = SubElement(tabs, "div", {"class": "tab"})
        one.extend([label, content])


def contents_list(place: Element, headings: list[tuple[int, str, str]], title: str) -> None:
    """Replace a paragraph by the nested list of a page's headings."""
    place.tag, place.text = "div", None
    place.attrib = {"class": "toc", "role": "group", "aria-label": title}
    open_ = [(0, place)]
    for level, anchor, text in headings:
        while open_[-1][0] >= level:
            open_.pop()
        around = open_[-1][1]
        found = next((child for child in around if child.tag == "ul"), None)
        item = SubElement(SubElement(around, "ul") if found is None else found, "li")
        say(SubElement(item, "a", {"href": f"#{anchor}"}), text)
        open_.append((level, item))


NO_NAME = re.compile(r"[^\w/]+")
REASONS = {
    None: "it lies on another site: put it into the folder of the book",
    Lost: "there is no such file",
    Place: "it is of a kind that cannot go into this file, or lies outside of the book's folder",
}


class Form(Protocol):
    """An export format that contains whole books as HTML."""

    top: int  # the level of the highest heading of a page

    def id(self, name: str, anchor: str) -> str:
        """The id in the file of an anchor on a page, or of the page itself."""

    def address(self, here: str, there: str, anchor: str) -> str:
        """The link from one page to an anchor on another."""

    def picture(self, file: File) -> str:
        """The `src` of a picture; empty if the format cannot contain it."""

    def card(self, html: str) -> str:
        """Adapt the HTML of a card to the format."""


class Leaf(NamedTuple):
    """A rendered page of the export."""

    placed: Placed
    name: str
    html: str

    @property
    def page(self) -> Page:
        return self.placed.chapter.page.page


@dataclass
class Binder:
    """Renders all pages of a book for a format and collects the problems."""

    edition: Edition
    form: Form
    problems: list[Problem] = field(default_factory=list)

    def leaves(self, watch: Watch) -> list[Leaf]:
        """Render all pages in reading order."""
        made = []
        for one in placed(self.edition.chapters):
            watch(one.chapter.page.page.title)
            made.append(Writer(self, one).leaf())
        return made

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of pages in the file, by path; unique regardless of case."""
        names: dict[str, str] = {}
        taken: set[str] = set()
        for chapter in self.edition.chapters:
            path = self.edition.atlas.path(chapter.page.page)
            name = wanted = NO_NAME.sub("-", path.rpartition(".")[0]).strip("-/") or "page"
            number = 1
            while name.lower() in taken:
                number += 1
                name = f"{wanted}-{number}"
            taken.add(name.lower())
            names[path] = name
        return names

    def go(self, here: str, path: str, anchor: str) -> str:
        """The link from a page to an anchor on the page of a path; empty if that is not in the file."""
        name = self.names.get(path)
        return self.form.address(here, name, "" if anchor == "top" else real(anchor)) if name else ""

    @cached_property
    def glossary(self) -> Glossary:
        return read_glossary(self.edition.compiled, self.edition.atlas.path, self.edition.words)

    @cached_property
    def formulas(self) -> bool:
        """Does the site of the book render TeX formulas?"""
        settings = site_settings(self.edition.root)
        return settings is not None and "arithmatex" in settings.read_text(encoding="utf-8", errors="replace")


class Writer:
    """Renders one page."""

    def __init__(self, binder: Binder, one: Placed) -> None:
        self.binder, self.placed, self.form = binder, one, binder.form
        self.edition = binder.edition
        self.checked = one.chapter.page
        self.path = self.edition.atlas.path(self.checked.page)
        self.name = binder.names[self.path]
        self.host, self.cards, self.pictures = Plain(), list[str](), dict[str, str]()

    def leaf(self) -> Leaf:
        page = self.page()
        known = {one.block.span.start: one for one in self.checked.blocks}
        sheet = Sheet(page, self.edition.words, partial(self.card, known), self.address)
        root = elements(sheet, self.host)
        self.prepare(root, page)
        if self.host.kept:
            root, left_out = tidied(KEPT.sub(lambda sign: self.host.kept[int(sign[1])], written(root)))
            self.tell(left_out)
        self.fit(root, page)
        text = CARD.sub(lambda sign: self.cards[int(sign[1])], written(root))
        return Leaf(self.placed, self.name, clean(text))

    def page(self) -> Page:
        """The page, parsed again with formulas if the site renders them."""
        source = self.checked.page.source
        formulas = self.binder.formulas and FORMULA.search(source.text)
        page = self.checked.page
        return read_page(source, formulas=True, has_game=page.has_game) if formulas else page

    def prepare(self, root: Element, page: Page) -> None:
        """Add the table of contents and explain terms, while authors' HTML is still replaced by placeholders."""
        if page.contents:
            headings = [(one.level, one.id, plain(one.text)) for one in page.headings]
            for place in root.iter("p"):
                if place.text == CONTENTS:
                    contents_list(place, headings, self.edition.words("contents"))
        explained(root, self.host.meanings)
        terms = self.binder.glossary.terms(self.checked.home)
        if sought := terms.sought:
            Once(terms, sought).walk(root)

    def fit(self, root: Element, page: Page) -> None:
        """Add a missing title, and adapt the tree to the file."""
        level = self.form.top + self.placed.depth
        if not start(page):
            title = Element(f"h{highest(page)}", {"id": "page-title"})
            title.text = plain(page.title)
            root.insert(0, title)
            root.text, title.tail = None, root.text
        go = partial(self.binder.go, self.name)
        home = self.checked.home.folder if self.checked.home else ""
        fitting = Fitting(partial(self.form.id, self.name), go, self.path, self.pictures, home)
        fitting.fit(root, level - 1, level - highest(page))

    def card(self, known: dict[int, Checked], block: Block) -> str:
        """Render the card of a block; return its placeholder."""
        checked = known.get(block.span.start)
        made = self.told(checked) if checked else ""
        self.cards.append(self.form.card(made) if made else "")
        return card_sign(len(self.cards) - 1)

    def told(self, checked: Checked) -> str:
        return card(checked, self.edition.words, self.edition.overrides, self.further)

    def further(self, outcome: Outcome) -> str:
        """The link to the section that explains an outcome."""
        found = further(self.edition.atlas, outcome)
        return self.binder.go(self.name, found.path, found.anchor) if found else ""

    def address(self, link: Link, built: bool) -> str | None:
        """The link of a page as `INSIDE` path, a picture as `PICTURE` number; None if broken, empty if external."""
        del built
        found = self.edition.atlas.resolve(link, self.checked.page)
        if link.kind == "image":
            return self.picture(link, found)
        if found is None:
            return ""
        return f"{INSIDE}{found.path}#{found.anchor}" if isinstance(found, Place) else None

    def picture_file(self, path: str) -> File | None:
        return picture(self.edition.root, self.path, f"/{path}", self.edition.compiled.project)

    def picture(self, link: Link, found: Place | Lost | None) -> str:
        file = self.picture_file(found.path) if isinstance(found, Place) else None
        source = self.form.picture(file) if file else ""
        sign = f"{PICTURE}{len(self.pictures)}"
        self.pictures[sign] = source
        if not source:
            reason = REASONS[None if found is None else type(found)]
            message = f"the picture {link.target[:80]} cannot go along; its words stand in its place"
            self.warn("export-picture", message, self.place(link.target, link.span), reason)
        return sign

    def tell(self, left_out: Sequence[str]) -> None:
        """Report elements that work only on the site."""
        for tag in left_out:
            message = f"what stands in <{tag}> is left out: it works on the site only"
            self.warn("export-html", message, self.place(f"<{tag}", None), "say the same in words beside it")

    def place(self, text: str, span: Span | None) -> Span:
        """The span of a problem that has none of its own: where the text first occurs in the source."""
        source = self.checked.page.source
        at = source.text.lower().find(text.lower()) if span is None or span.start == span.end else -1
        return Span(source, at, at + len(text)) if at >= 0 else span or Span(source, 0, 0)

    def warn(self, code: str, message: str, span: Span, note: str) -> None:
        self.binder.problems.append(Problem(code, message, span, "warning", (note,)))


def shown_headings(page: Page, deepest: int) -> list[Heading]:
    """The headings of a page for a table of contents: below the title, down to this depth."""
    top = highest(page)
    return [one for one in page.headings if top < one.level <= top + deepest and one.text.strip()]


class Once(Marking):
    """Explains terms once for each page, because repetition makes one file large."""

    def begin(self, heading: Element) -> None:
        self.told |= {one.name for _, _, one in self.terms.find("".join(heading.itertext()))}

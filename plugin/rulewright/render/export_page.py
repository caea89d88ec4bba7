"""A page on its way into a file of its own kind."""

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
    return f"{STX}card{number}{ETX}"


@dataclass
class Plain:
    """Signs of what is put aside: cards, which are ours, and HTML of authors, which has to be looked at."""

    contents: str = CONTENTS
    signs: Mapping[str, str] = field(default_factory=dict)  # no other extension reads the text
    kept: list[str] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)  # of abbreviations

    def keep(self, html: str) -> str:
        if CARD.fullmatch(html):
            return html
        self.kept.append(html)
        return f"{STX}kept{len(self.kept) - 1}{ETX}"

    def fence(self, info: str, code: str) -> None:
        """Code is not highlighted, and nobody draws diagrams."""

    def code(self, text: str) -> None:
        """Nor is it in a sentence."""

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
        """A link that leads nowhere stays words."""


DRAWN = SMALL | {CAPITALS[name] for name in SMALL & CAPITALS.keys()}
INSIDE, PICTURE = "inside:", "picture:"  # how links and pictures are called until the tree is adapted
ELSEWHERE = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
KNOWN = re.compile(  # attributes that say something in any file
    "class|id|title|lang|dir|href|src|alt|width|height|colspan|rowspan|scope|start|reversed|value|type|open|datetime"
    "|cite|role|tabindex|style|for|disabled|checked|span|(?:data|aria)-[a-z-]+"
)
TABS = "tabbed-set"


@dataclass
class Fitting:
    """What a file says to a page: the real names of ids, and where links lead."""

    id: Callable[[str], str]
    go: Callable[[str, str], str]  # to an anchor of a page, by its path; nothing where that is not in the file
    here: str
    pictures: Mapping[str, str]
    home: str = ""  # the folder of the page's game
    seen: set[str] = field(default_factory=set)

    def fit(self, root: Element, level: int, shift: int) -> None:
        for child in list(root.iter()):
            if child.get("class", "").startswith(TABS):
                one_after_the_other(child)
            elif child.tag == "img":
                self.picture(child)
            elif child.tag == "th" and not len(child) and not (child.text or "").strip():
                child.tag = "td"  # a heading without words heads nothing
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
        """The first of two equal ids is the one that counts."""
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
        """With its game, because pages of several games stand in one file."""
        name, mark, query = asked.partition("?")
        return asked if "/" in name or "game=" in query or not self.home else f"{self.home}/{name}{mark}{query}"

    def target(self, written: str) -> str:
        if written.startswith("#"):
            return self.go(self.here, unquote(written[1:]))
        if written.startswith(INSIDE):
            path, _, anchor = written.removeprefix(INSIDE).partition("#")
            return self.go(path, anchor)
        return written if ELSEWHERE.match(written) else ""

    def picture(self, image: Element) -> None:
        """Where it cannot be had, its words stand in its place."""
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
    """No level is left out, and below the sixth HTML has no names."""
    level = min(int(element.tag[1]) + shift, level + 1)
    if level > 6:
        element.tag = "div"
        element.attrib |= {"role": "heading", "aria-level": str(level)}
    else:
        element.tag = f"h{level}"
    return level


def one_after_the_other(tabs: Element) -> None:
    """Tabs without anything to press: each has its title above it, as on paper."""
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
    """The headings of a page in the place of the paragraph that asks for them."""
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
    """A kind of file that holds whole books."""

    top: int  # the level of the highest heading of a page

    def id(self, name: str, anchor: str) -> str:
        """The real id of an anchor on the page of this name, or of the page itself."""

    def address(self, here: str, there: str, anchor: str) -> str:
        """From one page to a place on another."""

    def picture(self, file: File) -> str:
        """What stands behind `src=`; nothing for a picture that cannot go into the file."""

    def card(self, html: str) -> str:
        """A card as it may stand there."""


class Leaf(NamedTuple):
    placed: Placed
    name: str
    html: str

    @property
    def page(self) -> Page:
        return self.placed.chapter.page.page


@dataclass
class Binder:
    """All pages of a book, one after the other."""

    edition: Edition
    form: Form
    problems: list[Problem] = field(default_factory=list)

    def leaves(self, watch: Watch) -> list[Leaf]:
        made = []
        for one in placed(self.edition.chapters):
            watch(one.chapter.page.page.title)
            made.append(Writer(self, one).leaf())
        return made

    @cached_property
    def names(self) -> dict[str, str]:
        """What pages are called inside of the file, by their paths."""
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
        name = self.names.get(path)
        return self.form.address(here, name, "" if anchor == "top" else real(anchor)) if name else ""

    @cached_property
    def glossary(self) -> Glossary:
        return read_glossary(self.edition.compiled, self.edition.atlas.path, self.edition.words)

    @cached_property
    def formulas(self) -> bool:
        """Does the site of the book show formulas?"""
        settings = site_settings(self.edition.root)
        return settings is not None and "arithmatex" in settings.read_text(encoding="utf-8", errors="replace")


class Writer:
    """One page."""

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
        source = self.checked.page.source
        formulas = self.binder.formulas and FORMULA.search(source.text)
        page = self.checked.page
        return read_page(source, formulas=True, has_game=page.has_game) if formulas else page

    def prepare(self, root: Element, page: Page) -> None:
        """What is easier to do while HTML of authors is still put aside."""
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
        checked = known.get(block.span.start)
        made = self.told(checked) if checked else ""
        self.cards.append(self.form.card(made) if made else "")
        return card_sign(len(self.cards) - 1)

    def told(self, checked: Checked) -> str:
        return card(checked, self.edition.words, self.edition.overrides, self.further)

    def further(self, outcome: Outcome) -> str:
        found = further(self.edition.atlas, outcome)
        return self.binder.go(self.name, found.path, found.anchor) if found else ""

    def address(self, link: Link, built: bool) -> str | None:
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
        for tag in left_out:
            message = f"what stands in <{tag}> is left out: it works on the site only"
            self.warn("export-html", message, self.place(f"<{tag}", None), "say the same in words beside it")

    def place(self, text: str, span: Span | None) -> Span:
        """Where something stands that was found without its place."""
        source = self.checked.page.source
        at = source.text.lower().find(text.lower()) if span is None or span.start == span.end else -1
        return Span(source, at, at + len(text)) if at >= 0 else span or Span(source, 0, 0)

    def warn(self, code: str, message: str, span: Span, note: str) -> None:
        self.binder.problems.append(Problem(code, message, span, "warning", (note,)))


def shown_headings(page: Page, deepest: int) -> list[Heading]:
    """For tables of contents: what stands below the title, as deep as this."""
    top = highest(page)
    return [one for one in page.headings if top < one.level <= top + deepest and one.text.strip()]


class Once(Marking):
    """Words are explained at their first use on a page: in one file each further time would weigh something."""

    def begin(self, heading: Element) -> None:
        self.told |= {one.name for _, _, one in self.terms.find("".join(heading.itertext()))}

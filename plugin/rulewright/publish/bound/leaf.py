"""A page on its way into a file of its own kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path as File
from typing import NamedTuple, Protocol
from xml.etree.ElementTree import Element

from ...book.atlas import Lost, Place
from ...book.model import Block, Heading, Link, Page
from ...book.read import read_page
from ...checks.model import Checked
from ...compile.further import further
from ...game.find import site_settings
from ...game.model import Outcome
from ...text import Problem, Span
from ..cards import card
from ..chapters import Placed, highest, placed, start
from ..edition import Edition, Watch
from ..elements import elements
from ..hints import Marking
from ..pictures import picture
from ..sheet import FORMULA, Sheet, real
from ..terms import Glossary, read_glossary
from ..tree import plain
from .abbreviations import explained
from .adapt import INSIDE, PICTURE, Fitting, contents_list
from .host import CARD, CONTENTS, KEPT, Plain, card_sign
from .tidy import tidied
from .write import clean, written

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

"""The book as an EPUB: one file for each page, and nothing that must run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path as File
from xml.etree import ElementTree

from ...book.model import Page
from ..cards.templates import has_own
from ..edition import Edition, Made, Watch
from ..typst.drawings import LIGHT, rules
from . import package
from .archive import archive
from .html import KINDS, WEB
from .leaf import Binder, Leaf, shown_headings
from .package import Item, Line
from .tidy import tidied
from .write import clean, written

NOT_THERE = (".webp",)  # readers of EPUB need not know these
PLAIN = re.compile(r"[^a-z0-9]+")
STRANGE = re.compile(r"[^A-Za-z0-9.-]")
OWN = re.compile(r"(</?)rule-(?:card|roller)\b")
NOTE = re.compile(r'<li id="(fn_3a_[^"]*)">')
DRAWING = re.compile(r"<svg\b")
TYPES = {
    '<a class="footnote-ref"': '<a class="footnote-ref" epub:type="noteref" role="doc-noteref"',
    '<div class="footnote">': '<div class="footnote" epub:type="footnotes" role="doc-endnotes">',
}


class Chapters:
    top = 1

    def __init__(self, own_cards: bool = False) -> None:
        self.own_cards = own_cards  # may the book bring templates of its own?
        self.files: dict[str, str] = {}  # of pages, by their names
        self.pictures: dict[File, Item] = {}

    def id(self, name: str, anchor: str) -> str:
        """A name as XML wants it."""
        del name
        spelled = STRANGE.sub(lambda sign: f"_{ord(sign[0]):x}_", anchor)
        return spelled if spelled[:1].isalpha() else f"_{spelled}"

    def address(self, here: str, there: str, anchor: str) -> str:
        place = f"#{self.id(there, anchor)}" if anchor else ""
        return place if place and here == there else self.files[there] + place

    def picture(self, file: File) -> str:
        kind = KINDS.get(file.suffix.lower(), "")
        if file.suffix.lower() in NOT_THERE or (kind == KINDS[".svg"] and not is_drawing(file)):
            return ""
        if file not in self.pictures:
            name = f"picture-{len(self.pictures) + 1}{file.suffix.lower()}"
            self.pictures[file] = Item(name, kind, file.read_bytes())
        return self.pictures[file].name

    def card(self, html: str) -> str:
        """Elements of our own are not known there; a card from somebody else's template may need tidying."""
        made = OWN.sub(r"\1div", html).replace(" data-search-exclude>", ">")
        return written(tidied(made)[0]) if self.own_cards and not is_xml(f"<div>{made}</div>") else made


def make(edition: Edition, watch: Watch) -> Made:
    form = Chapters(has_own(edition.overrides))
    binder = Binder(edition, form)
    for number, name in enumerate(binder.names.values(), 1):
        form.files[name] = f"{number:03}-{PLAIN.sub('-', name.lower()).strip('-') or 'page'}.xhtml"
    leaves = binder.leaves(watch)
    watch("")
    book = package.Book(
        title=edition.title,
        version=edition.compiled.options.version,
        language=edition.words.language,
        contents=edition.words("contents"),
        cover=edition.words("cover"),
        pages=[page_of(form, leaf) for leaf in leaves],
        lines=lines(form, leaves),
        others=[Item("style.css", "text/css", styles().encode()), *form.pictures.values()],
    )
    return archive(package.files(book), stored=(package.MIMETYPE,)), binder.problems


def page_of(form: Chapters, leaf: Leaf) -> package.Page:
    html = leaf.html
    for plain, typed in TYPES.items():
        html = html.replace(plain, typed)
    html = DRAWING.sub('<svg xmlns="http://www.w3.org/2000/svg"', NOTE.sub(r'<li id="\1" epub:type="footnote">', html))
    return package.Page(form.files[leaf.name], leaf.page.title, html)


def lines(form: Chapters, leaves: list[Leaf]) -> list[Line]:
    """The contents: pages below the part they belong to, headings below their page."""
    top: list[Line] = []
    for leaf in leaves:
        if leaf.placed.part:
            top.append(Line(leaf.placed.part, "", []))
        line = Line(leaf.page.title, form.files[leaf.name], list(headings(form, leaf.name, leaf.page)))
        (top[-1].below if leaf.placed.depth and top else top).append(line)
    return top


def headings(form: Chapters, name: str, page: Page) -> list[Line]:
    """Where an address is empty, only what stands below it can be reached."""
    found = shown_headings(page, 1)
    return [Line(one.text, f"{form.files[name]}#{form.id(name, one.id)}", []) for one in found]


@cache
def styles() -> str:
    """Without colours that depend on others: many readers of EPUB do not know them."""
    return clean((WEB / "epub.css").read_text(encoding="utf-8")) + rules(LIGHT)


def is_drawing(file: File) -> bool:
    """A picture that is what its name says and asks nobody for anything."""
    data = file.read_bytes()
    return (
        is_xml(data)
        and b"<svg" in data
        and not re.search(rb"<script|<foreignObject|(?:href|src)\s*=\s*[\"'](?!#|data:)", data)
    )


def is_xml(text: str | bytes) -> bool:
    try:
        ElementTree.fromstring(text)
    except ElementTree.ParseError:
        return False
    return True

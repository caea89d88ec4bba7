"""A host that goes on reading pages by itself, and is helped with what it would lose."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from ..book.model import Block, Heading
from .desk import Desk
from .hints import Hints
from .mended import mark, mended, shown
from .processors import Last
from .sheet import Sheet
from .tree import LIGATURES

HEADING = re.compile(r"h[1-6]")
MARKED = "rulewright"
# In code it may be an example.
MARK = re.compile(r"<(?:pre|code)\b.*?</(?:pre|code)>|\b(rulewright\d+block)\b", re.DOTALL)
AFTER_SNIPPETS = 31.9  # and before anything that looks into the text
BEFORE_WORDS = 21  # before the words of paragraphs are looked at
BEFORE_CONTENTS = 7.5  # the table of contents takes the ids that it finds


class Mending(Preprocessor):
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
    """Puts cards where the paragraphs are that stand for them."""

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
    """Puts the other cards in their places, which the host took for HTML of the author."""

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
    """Gives headings the ids by which links know them, and texts letters that can be searched for."""

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
        """An empty element for each id that a heading had before."""
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

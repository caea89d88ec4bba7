"""What a word means, beside the word: at its first use in each section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from .sheet import Sheet
from .terms import Meaning, Terms
from .tree import attribute

AFTER_WORDS = 6.5  # after all that looks at the words of paragraphs, before the table of contents
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
UNTOUCHED = frozenset(("a", "abbr", "button", "code", "dfn", "dt", "kbd", "label", "pre", "script", "style", "summary"))


class Hints(Treeprocessor):
    def __init__(self, md: Markdown, sheet: Callable[[], Sheet | None]) -> None:
        super().__init__(md)
        self.sheet = sheet
        md.treeprocessors.register(self, "rulewright-hints", AFTER_WORDS)

    def run(self, root: Element) -> None:
        """Most pages of some books hold no word that is explained."""
        sheet = self.sheet()
        if sheet and (sought := sheet.terms.sought) and sought.search("\n".join(root.itertext())):
            Marking(sheet.terms, sought).walk(root)


class Marking:
    """Goes through a page in reading order."""

    def __init__(self, terms: Terms, sought: re.Pattern[str]) -> None:
        self.terms = terms
        self.sought = sought
        self.told: set[str] = set()  # names explained in this section

    def walk(self, element: Element) -> None:
        """Children are put in while we go, so those of the beginning are kept."""
        if element.text:
            self.mark(element, None, element.text)
        for child in list(element):
            if child.tag in HEADINGS:
                self.begin(child)
            elif child.tag not in UNTOUCHED:
                self.walk(child)
            elif child.tag == "dt":
                self.told |= {one.name for _, _, one in self.terms.find("".join(child.itertext()))}
            if child.tail:
                self.mark(element, child, child.tail)

    def begin(self, heading: Element) -> None:
        """A section need not explain what it is about."""
        self.told = {one.name for _, _, one in self.terms.find("".join(heading.itertext()))}

    def mark(self, parent: Element, before: Element | None, text: str) -> None:
        """Text of the parent: what it begins with, or what follows a child."""
        if self.holds(text) and (found := list(self.new(text))):
            self.put(parent, before, text, found)

    def put(self, parent: Element, before: Element | None, text: str, found: list[tuple[int, int, Meaning]]) -> None:
        at = list(parent).index(before) + 1 if before is not None else 0
        rest = text[: found[0][0]]
        if before is None:
            parent.text = rest
        else:
            before.tail = rest
        ends = [start for start, _, _ in found[1:]] + [len(text)]
        for number, ((start, end, meaning), following) in enumerate(zip(found, ends, strict=True)):
            parent.insert(at + number, explaining(meaning, text[start:end], text[end:following]))

    def holds(self, text: str) -> bool:
        """Most texts are blanks between elements, or hold no such word."""
        return bool(self.sought.search(text)) and not isinstance(text, AtomicString)

    def new(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        for start, end, meaning in self.terms.find(text):
            if meaning.name not in self.told:
                self.told.add(meaning.name)
                yield start, end, meaning


def explaining(meaning: Meaning, word: str, tail: str) -> Element:
    """Reached with the keyboard and by a tap as well as with a pointer."""
    element = Element("abbr", {"class": "rulewright-term", "title": attribute(meaning.text), "tabindex": "0"})
    element.text, element.tail = word, tail
    return element

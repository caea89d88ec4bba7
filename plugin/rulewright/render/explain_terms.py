"""Puts the meaning of abbreviations and glossary terms next to them, as `abbr` elements in the element tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from .terms import Meaning, Terms
from .tree import Sheet, attribute

UNTOUCHED = frozenset(["abbr", "code", "pre", "svg"])


def explained(root: Element, meanings: Mapping[str, str]) -> None:
    """Wrap every abbreviation in the tree in an `abbr` with its meaning."""
    names = sorted(filter(None, meanings), key=lambda name: (-len(name), name))
    if names:
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        for element in list(readable(root)):
            explain(element, pattern, meanings)


def readable(element: Element) -> Iterator[Element]:
    """All elements below this one whose text may contain abbreviations."""
    if element.tag not in UNTOUCHED:
        yield element
        for child in element:
            yield from readable(child)


def explain(element: Element, pattern: re.Pattern[str], meanings: Mapping[str, str]) -> None:
    """Wrap abbreviations in the text of an element and in the tails of its children."""
    children = list(element)
    element.text, found = marked(element.text, pattern, meanings)
    at = insert(element, 0, found)
    for child in children:
        child.tail, found = marked(child.tail, pattern, meanings)
        at = insert(element, at + 1, found)


def insert(element: Element, at: int, found: list[Element]) -> int:
    """Insert elements at an index; return the index after them."""
    for one in found:
        element.insert(at, one)
        at += 1
    return at


def marked(text: str | None, pattern: re.Pattern[str], meanings: Mapping[str, str]) -> tuple[str | None, list[Element]]:
    """The text before the first abbreviation, and an element for each abbreviation with the text after it."""
    if not text or isinstance(text, AtomicString):
        return text, []
    made, ends = list[Element](), list(pattern.finditer(text))
    for found, after in zip(ends, [*(one.start() for one in ends[1:]), len(text)], strict=False):
        element = Element("abbr", {"title": meanings[found[0]]})
        element.text, element.tail = found[0], text[found.end() : after]
        made.append(element)
    return (text[: ends[0].start()] if ends else text), made


AFTER_WORDS = 6.5  # priority: after inline processing, before the table of contents
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
HINTS_UNTOUCHED = frozenset(
    ("a", "abbr", "button", "code", "dfn", "dt", "kbd", "label", "pre", "script", "style", "summary")
)


class Hints(Treeprocessor):
    """Explains glossary terms at their first use in each section."""

    def __init__(self, md: Markdown, sheet: Callable[[], Sheet | None]) -> None:
        super().__init__(md)
        self.sheet = sheet
        md.treeprocessors.register(self, "rulewright-hints", AFTER_WORDS)

    def run(self, root: Element) -> None:
        """Skips pages without any term, which are most pages of some books."""
        sheet = self.sheet()
        if sheet and (sought := sheet.terms.sought) and sought.search("\n".join(root.itertext())):
            Marking(sheet.terms, sought).walk(root)


class Marking:
    """Walks the tree of a page in reading order and wraps terms."""

    def __init__(self, terms: Terms, sought: re.Pattern[str]) -> None:
        self.terms = terms
        self.sought = sought
        self.told: set[str] = set()  # names explained in this section

    def walk(self, element: Element) -> None:
        """Children are inserted during the walk, so it goes over a copy of them."""
        if element.text:
            self.mark(element, None, element.text)
        for child in list(element):
            if child.tag in HEADINGS:
                self.begin(child)
            elif child.tag not in HINTS_UNTOUCHED:
                self.walk(child)
            elif child.tag == "dt":
                self.told |= {one.name for _, _, one in self.terms.find("".join(child.itertext()))}
            if child.tail:
                self.mark(element, child, child.tail)

    def begin(self, heading: Element) -> None:
        """At a heading: its section need not explain the terms in its title."""
        self.told = {one.name for _, _, one in self.terms.find("".join(heading.itertext()))}

    def mark(self, parent: Element, before: Element | None, text: str) -> None:
        """Wrap terms in one text: the text of the parent, or the tail of a child."""
        if self.holds(text) and (found := list(self.new(text))):
            self.put(parent, before, text, found)

    def put(self, parent: Element, before: Element | None, text: str, found: list[tuple[int, int, Meaning]]) -> None:
        """Replace the text by its parts, with an `abbr` element for each match."""
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
        """A fast check: most texts contain no term."""
        return bool(self.sought.search(text)) and not isinstance(text, AtomicString)

    def new(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        """The matches of terms that were not explained in this section yet."""
        for start, end, meaning in self.terms.find(text):
            if meaning.name not in self.told:
                self.told.add(meaning.name)
                yield start, end, meaning


def explaining(meaning: Meaning, word: str, tail: str) -> Element:
    """An `abbr` that can be reached by keyboard and touch as well as with a pointer."""
    element = Element("abbr", {"class": "rulewright-term", "title": attribute(meaning.text), "tabindex": "0"})
    element.text, element.tail = word, tail
    return element

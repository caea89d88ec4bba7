"""Puts the meaning of glossary terms next to them, as `abbr` elements in the element tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from .glossary import Meaning, PageTerms
from .html import PageContext, escape_attribute

TERM_CLASS = "rulewright-term"
_AFTER_WORDS = 6.5  # priority: after inline processing, before the table of contents
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNTOUCHED = frozenset(
    ("a", "abbr", "button", "code", "dfn", "dt", "kbd", "label", "pre", "script", "style", "summary")
)


class TermHints(Treeprocessor):
    """Explains glossary terms at their first use in each section."""

    def __init__(self, md: Markdown, get_page_context: Callable[[], PageContext | None]) -> None:
        super().__init__(md)
        self.get_page_context = get_page_context
        md.treeprocessors.register(self, "rulewright-hints", _AFTER_WORDS)

    def run(self, root: Element) -> None:
        """Skips pages without any term, which are most pages of some books."""
        page_context = self.get_page_context()
        if page_context and (pattern := page_context.terms.pattern) and pattern.search("\n".join(root.itertext())):
            marker = TermMarker(page_context.terms, pattern)
            marker.walk(root)
            if marker.has_marked:
                page_context.touch()


class TermMarker:
    """Walks the tree of a page in reading order and wraps terms."""

    def __init__(self, terms: PageTerms, pattern: re.Pattern[str]) -> None:
        self.terms = terms
        self.pattern = pattern
        self.explained_names: set[str] = set()  # names explained in this section
        self.has_marked = False

    def walk(self, element: Element) -> None:
        """Children are inserted during the walk, so it goes over a copy of them."""
        if element.text:
            self.mark_text(element, None, element.text)
        for child in list(element):
            if child.tag in _HEADINGS:
                self.begin_section(child)
            elif child.tag not in _UNTOUCHED:
                self.walk(child)
            elif child.tag == "dt":
                self.explained_names |= {meaning.name for _, _, meaning in self.terms.find("".join(child.itertext()))}
            if child.tail:
                self.mark_text(element, child, child.tail)

    def begin_section(self, heading: Element) -> None:
        """At a heading: its section need not explain the terms in its title."""
        self.explained_names = {meaning.name for _, _, meaning in self.terms.find("".join(heading.itertext()))}

    def mark_text(self, parent: Element, before: Element | None, text: str) -> None:
        """Wrap terms in one text: the text of the parent, or the tail of a child."""
        if self.has_term(text) and (matches := list(self.find_new_terms(text))):
            self.insert_terms(parent, before, text, matches)

    def insert_terms(
        self, parent: Element, before: Element | None, text: str, matches: list[tuple[int, int, Meaning]]
    ) -> None:
        """Replace the text by its parts, with an `abbr` element for each match."""
        self.has_marked = True
        at = list(parent).index(before) + 1 if before is not None else 0
        rest = text[: matches[0][0]]
        if before is None:
            parent.text = rest
        else:
            before.tail = rest
        ends = [start for start, _, _ in matches[1:]] + [len(text)]
        for number, ((start, end, meaning), following) in enumerate(zip(matches, ends, strict=True)):
            parent.insert(at + number, _term_element(meaning, text[start:end], text[end:following]))

    def has_term(self, text: str) -> bool:
        """A fast check: most texts contain no term."""
        return not isinstance(text, AtomicString) and bool(self.pattern.search(text))

    def find_new_terms(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        """The matches of terms that were not explained in this section yet."""
        for start, end, meaning in self.terms.find(text):
            if meaning.name not in self.explained_names:
                self.explained_names.add(meaning.name)
                yield start, end, meaning


def _term_element(meaning: Meaning, word: str, tail: str) -> Element:
    """An `abbr` that can be reached by keyboard and touch as well as with a pointer."""
    element = Element("abbr", {"class": TERM_CLASS, "title": escape_attribute(meaning.text), "tabindex": "0"})
    element.text, element.tail = word, tail
    return element

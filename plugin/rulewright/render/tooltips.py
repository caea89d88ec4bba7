"""Puts the meaning of abbreviations and glossary terms next to them, as `abbr` elements in the element tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from .terms import Meaning, PageTerms
from .tree import PageContext, escape_attribute

_UNTOUCHED = frozenset(["abbr", "code", "pre", "svg"])


def explain_abbreviations(root: Element, meanings: Mapping[str, str]) -> None:
    """Wrap every abbreviation in the tree in an `abbr` with its meaning."""
    names = sorted(filter(None, meanings), key=lambda name: (-len(name), name))
    if names:
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        for element in list(_readable_elements(root)):
            _wrap_abbreviations(element, pattern, meanings)


def _readable_elements(element: Element) -> Iterator[Element]:
    """All elements below this one whose text may contain abbreviations."""
    if element.tag not in _UNTOUCHED:
        yield element
        for child in element:
            yield from _readable_elements(child)


def _wrap_abbreviations(element: Element, pattern: re.Pattern[str], meanings: Mapping[str, str]) -> None:
    """Wrap abbreviations in the text of an element and in the tails of its children."""
    children = list(element)
    element.text, abbreviations = _split_text(element.text, pattern, meanings)
    at = _insert_elements(element, 0, abbreviations)
    for child in children:
        child.tail, abbreviations = _split_text(child.tail, pattern, meanings)
        at = _insert_elements(element, at + 1, abbreviations)


def _insert_elements(element: Element, at: int, elements: list[Element]) -> int:
    """Insert elements at an index; return the index after them."""
    for element_to_insert in elements:
        element.insert(at, element_to_insert)
        at += 1
    return at


def _split_text(
    text: str | None, pattern: re.Pattern[str], meanings: Mapping[str, str]
) -> tuple[str | None, list[Element]]:
    """The text before the first abbreviation, and an element for each abbreviation with the text after it."""
    if not text or isinstance(text, AtomicString):
        return text, []
    abbreviations, ends = list[Element](), list(pattern.finditer(text))
    for match, after in zip(ends, [*(match.start() for match in ends[1:]), len(text)], strict=False):
        element = Element("abbr", {"title": meanings[match[0]]})
        element.text, element.tail = match[0], text[match.end() : after]
        abbreviations.append(element)
    return (text[: ends[0].start()] if ends else text), abbreviations


_AFTER_WORDS = 6.5  # priority: after inline processing, before the table of contents
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HINTS_UNTOUCHED = frozenset(
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
            elif child.tag not in _HINTS_UNTOUCHED:
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
        return bool(self.pattern.search(text)) and not isinstance(text, AtomicString)

    def find_new_terms(self, text: str) -> Iterator[tuple[int, int, Meaning]]:
        """The matches of terms that were not explained in this section yet."""
        for start, end, meaning in self.terms.find(text):
            if meaning.name not in self.explained_names:
                self.explained_names.add(meaning.name)
                yield start, end, meaning


def _term_element(meaning: Meaning, word: str, tail: str) -> Element:
    """An `abbr` that can be reached by keyboard and touch as well as with a pointer."""
    element = Element("abbr", {"class": "rulewright-term", "title": escape_attribute(meaning.text), "tabindex": "0"})
    element.text, element.tail = word, tail
    return element

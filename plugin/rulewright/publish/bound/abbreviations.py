"""Abbreviations, explained wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

UNTOUCHED = frozenset(["abbr", "code", "pre", "svg"])


def explained(root: Element, meanings: Mapping[str, str]) -> None:
    names = sorted(filter(None, meanings), key=lambda name: (-len(name), name))
    if names:
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
        for element in list(readable(root)):
            explain(element, pattern, meanings)


def readable(element: Element) -> Iterator[Element]:
    """Elements of which the words are meant to be read."""
    if element.tag not in UNTOUCHED:
        yield element
        for child in element:
            yield from readable(child)


def explain(element: Element, pattern: re.Pattern[str], meanings: Mapping[str, str]) -> None:
    """In the text before its children, and behind each of them."""
    children = list(element)
    element.text, found = marked(element.text, pattern, meanings)
    at = insert(element, 0, found)
    for child in children:
        child.tail, found = marked(child.tail, pattern, meanings)
        at = insert(element, at + 1, found)


def insert(element: Element, at: int, found: list[Element]) -> int:
    for one in found:
        element.insert(at, one)
        at += 1
    return at


def marked(text: str | None, pattern: re.Pattern[str], meanings: Mapping[str, str]) -> tuple[str | None, list[Element]]:
    """The text up to the first abbreviation, and each of them with the text behind it."""
    if not text or isinstance(text, AtomicString):
        return text, []
    made, ends = list[Element](), list(pattern.finditer(text))
    for found, after in zip(ends, [*(one.start() for one in ends[1:]), len(text)], strict=False):
        element = Element("abbr", {"title": meanings[found[0]]})
        element.text, element.tail = found[0], text[found.end() : after]
        made.append(element)
    return (text[: ends[0].start()] if ends else text), made

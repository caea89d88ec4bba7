"""`==marked, with *emphasis* inside==`: signs of other extensions whose two ends stand in different texts."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

TAGS = {"==": "mark", "^^": "ins"}  # what an extension reads only where it stands in one text


def paired(element: Element, tags: Mapping[str, str]) -> None:
    """Lets each pair of signs become an element around what stands between them."""
    for sign, tag in tags.items():
        while (first := opening(element, sign)) is not None:
            last = closing(element, sign, first)
            if last is None:
                break
            wrap(element, sign, tag, first, last)


def opening(element: Element, sign: str) -> int | None:
    """The first text with a sign that has no partner in it; texts are counted from 0, each child is before one."""
    for number in range(len(element)):
        text = words(element, number)
        if text.count(sign) % 2 and not text.rpartition(sign)[2][:1].isspace():
            return number
    return None


def closing(element: Element, sign: str, first: int) -> int | None:
    for number in range(first + 1, len(element) + 1):
        text = words(element, number)
        if text.count(sign) % 2:
            return None if text.partition(sign)[0][-1:].isspace() else number
    return None


def wrap(element: Element, sign: str, tag: str, first: int, last: int) -> None:
    before, _, inside = words(element, first).rpartition(sign)
    ending, _, behind = words(element, last).partition(sign)
    made = Element(tag)
    made.text, made.tail = inside, behind
    for child in element[first:last]:
        element.remove(child)
        made.append(child)
    made[-1].tail = ending
    element.insert(first, made)
    if first:
        element[first - 1].tail = before
    else:
        element.text = before


def words(element: Element, number: int) -> str:
    text = (element[number - 1].tail if number else element.text) or ""
    return "" if isinstance(text, AtomicString) else text

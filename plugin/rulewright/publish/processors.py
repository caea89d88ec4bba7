"""What stands in the place of processors of Python-Markdown, or comes after them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import ETX, STX

from ..checks.asking import SCHEMES

ASKING = re.compile(rf"({'|'.join(SCHEMES)}):(.*)", re.DOTALL | re.IGNORECASE)
LOST = "data-rulewright-lost"


def held(registry: Any, name: str) -> Any:
    """A registry has no `get`."""
    return registry[name] if name in registry else None  # noqa: SIM401


class Idle(Preprocessor):
    """In the place of what reads fences: leaves the page alone, and still answers those who ask for its settings."""

    def __init__(self, fences: Any) -> None:
        self.fences = fences

    def __getattr__(self, name: str) -> Any:
        return getattr(self.fences, name)

    def run(self, lines: list[str]) -> list[str]:
        return lines


class Tails(Treeprocessor):
    """Around one that puts highlighted code aside, and forgets the text that follows the code."""

    def __init__(self, inner: Treeprocessor) -> None:
        super().__init__(inner.md)
        self.inner = inner

    def run(self, root: Element) -> None:
        tails = [(element, element.tail) for element in root.iter("pre")]
        self.inner.run(root)
        for element, tail in tails:
            element.tail = tail


class Clean(Preprocessor):
    """The signs that Python-Markdown uses for itself may not stand in a page; all else stays as it is."""

    def run(self, lines: list[str]) -> list[str]:
        return [line.replace(STX, "").replace(ETX, "") for line in lines]


class Last(Treeprocessor):
    """What only the finished tree can be told."""

    def run(self, root: Element) -> None:
        for element in [*root.iter("a"), *root.iter("img")]:
            if LOST in element.attrib:
                restore(element)
            elif element.tag == "a" and (found := ASKING.match(element.get("href", ""))):
                number(element, found)
        for element in [*root.iter("th")]:
            if not len(element) and not (element.text or "").strip():
                element.tag = "td"  # a corner without a word is the head of nothing
        contents = getattr(held(self.md.treeprocessors, "toc"), "toc_class", "toc")
        for element in root.iter("div"):
            if element.get("class") == contents:
                element.set("data-search-exclude", "")


def restore(element: Element) -> None:
    name = "src" if element.tag == "img" else "href"
    written = element.attrib.pop(LOST)
    if written:
        element.set(name, written)
    else:
        del element.attrib[name]


def number(element: Element, found: re.Match[str]) -> None:
    """A number that was checked, or dice that can be rolled: nowhere to go, but there is something to know."""
    element.tag = "span"
    element.attrib.pop("href")
    kind = found[1].lower()
    element.set("class", f"{element.get('class', '')} rulewright-{kind}".strip())
    element.set(f"data-{kind}", found[2])

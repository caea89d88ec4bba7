"""The tree of a page fitted into a file: headings, tabs, ids, links and pictures as they can be there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote
from xml.etree.ElementTree import Element, SubElement

from ..processors import ASKING, number
from ..tree import attribute, say
from .tidy import CAPITALS
from .tidy import DRAWN as SMALL

DRAWN = SMALL | {CAPITALS[name] for name in SMALL & CAPITALS.keys()}
INSIDE, PICTURE = "inside:", "picture:"  # how links and pictures are called until the tree is adapted
ELSEWHERE = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
KNOWN = re.compile(  # attributes that say something in any file
    "class|id|title|lang|dir|href|src|alt|width|height|colspan|rowspan|scope|start|reversed|value|type|open|datetime"
    "|cite|role|tabindex|style|for|disabled|checked|span|(?:data|aria)-[a-z-]+"
)
TABS = "tabbed-set"


@dataclass
class Fitting:
    """What a file says to a page: the real names of ids, and where links lead."""

    id: Callable[[str], str]
    go: Callable[[str, str], str]  # to an anchor of a page, by its path; nothing where that is not in the file
    here: str
    pictures: Mapping[str, str]
    home: str = ""  # the folder of the page's game
    seen: set[str] = field(default_factory=set)

    def fit(self, root: Element, level: int, shift: int) -> None:
        for child in list(root.iter()):
            if child.get("class", "").startswith(TABS):
                one_after_the_other(child)
            elif child.tag == "img":
                self.picture(child)
            elif child.tag == "th" and not len(child) and not (child.text or "").strip():
                child.tag = "td"  # a heading without words heads nothing
        for element in root.iter():
            level = lowered(element, level, shift) if element.tag in HEADINGS else level
            if element.keys():  # most have none
                self.attributes(element)

    def attributes(self, element: Element) -> None:
        if element.tag == "a":
            self.link(element)
        self.name(element)
        if element.tag not in DRAWN:
            for name in [name for name in element.keys() if not KNOWN.fullmatch(name)]:  # noqa: SIM118
                del element.attrib[name]

    def name(self, element: Element) -> None:
        """The first of two equal ids is the one that counts."""
        given = element.attrib.pop("id", "")
        if given and given not in self.seen:
            self.seen.add(given)
            element.set("id", attribute(self.id(given)))
        if "for" in element.attrib:
            element.set("for", attribute(self.id(element.attrib["for"])))

    def link(self, element: Element) -> None:
        if "name" in element.attrib:
            element.attrib.setdefault("id", element.attrib.pop("name"))
            element.attrib.pop("name", None)
        target = element.attrib.pop("href", "")
        found = ASKING.match(target)
        if found:
            element.set("href", target)
            number(element, found)
            if found[1].lower() == "roll":
                element.set("data-roll", self.roll(found[2]))
        elif goes := self.target(target):
            element.set("href", attribute(goes))

    def roll(self, asked: str) -> str:
        """With its game, because pages of several games stand in one file."""
        name, mark, query = asked.partition("?")
        return asked if "/" in name or "game=" in query or not self.home else f"{self.home}/{name}{mark}{query}"

    def target(self, written: str) -> str:
        if written.startswith("#"):
            return self.go(self.here, unquote(written[1:]))
        if written.startswith(INSIDE):
            path, _, anchor = written.removeprefix(INSIDE).partition("#")
            return self.go(path, anchor)
        return written if ELSEWHERE.match(written) else ""

    def picture(self, image: Element) -> None:
        """Where it cannot be had, its words stand in its place."""
        source = self.pictures.get(image.attrib.pop("src", ""), "")
        image.attrib.pop("srcset", None)
        image.set("alt", image.get("alt", ""))
        if source:
            image.set("src", source)
            return
        words = image.attrib["alt"]
        image.tag, image.text = "span", words
        image.attrib.clear()


def lowered(element: Element, level: int, shift: int) -> int:
    """No level is left out, and below the sixth HTML has no names."""
    level = min(int(element.tag[1]) + shift, level + 1)
    if level > 6:
        element.tag = "div"
        element.attrib |= {"role": "heading", "aria-level": str(level)}
    else:
        element.tag = f"h{level}"
    return level


def one_after_the_other(tabs: Element) -> None:
    """Tabs without anything to press: each has its title above it, as on paper."""
    labels = [label for part in tabs if part.get("class") == "tabbed-labels" for label in part]
    contents = [content for part in tabs if part.get("class") == "tabbed-content" for content in part]
    for part in list(tabs):
        tabs.remove(part)
    tabs.attrib = {"class": "tabs"}
    for label, content in zip(labels, contents, strict=False):
        label.tag, label.attrib = "p", {"class": "tab-title"}
        one = SubElement(tabs, "div", {"class": "tab"})
        one.extend([label, content])


def contents_list(place: Element, headings: list[tuple[int, str, str]], title: str) -> None:
    """The headings of a page in the place of the paragraph that asks for them."""
    place.tag, place.text = "div", None
    place.attrib = {"class": "toc", "role": "group", "aria-label": title}
    open_ = [(0, place)]
    for level, anchor, text in headings:
        while open_[-1][0] >= level:
            open_.pop()
        around = open_[-1][1]
        found = next((child for child in around if child.tag == "ul"), None)
        item = SubElement(SubElement(around, "ul") if found is None else found, "li")
        say(SubElement(item, "a", {"href": f"#{anchor}"}), text)
        open_.append((level, item))

"""The host of a page that no Markdown program publishes: code is shown as it is, formulas as code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX

from ..tree import code

CONTENTS = f"{STX}contents{ETX}"
CARD = re.compile(f"{STX}card([0-9]+){ETX}")
KEPT = re.compile(f"{STX}kept([0-9]+){ETX}")


def card_sign(number: int) -> str:
    return f"{STX}card{number}{ETX}"


@dataclass
class Plain:
    """Signs of what is put aside: cards, which are ours, and HTML of authors, which has to be looked at."""

    contents: str = CONTENTS
    signs: Mapping[str, str] = field(default_factory=dict)  # no other extension reads the text
    kept: list[str] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)  # of abbreviations

    def keep(self, html: str) -> str:
        if CARD.fullmatch(html):
            return html
        self.kept.append(html)
        return f"{STX}kept{len(self.kept) - 1}{ETX}"

    def fence(self, info: str, code: str) -> None:
        """Code is not highlighted, and nobody draws diagrams."""

    def code(self, text: str) -> None:
        """Nor is it in a sentence."""

    def math(self, text: str, *, inline: bool) -> Element:
        made = Element("code" if inline else "pre", {"class": "math"})
        made.text = code(text)
        return made

    def abbreviate(self, name: str, meaning: str) -> None:
        if meaning in ("''", '""'):
            self.meanings.pop(name, None)
        else:
            self.meanings[name] = meaning

    def lost(self, element: Element, written: str) -> None:
        """A link that leads nowhere stays words."""

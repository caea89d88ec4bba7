"""Drawings of cards on paper: the same as on the screen, with the colours of the print put in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from .marks import call, quoted

LIGHT = {
    "card": "#ffffff", "ink": "#1d1b19", "line": "#cfc9bd", "accent": "#8a3b12", "good": "#2b6a40", "bad": "#a3271f",
    "second": "#7d5200", "third": "#2c5a8c", "lost": "#756c60", "on": "#ffffff",
}  # fmt: skip
DARK = {
    "card": "#1d1f24", "ink": "#e9e6df", "line": "#4a4a50", "accent": "#e0a36a", "good": "#83cf97", "bad": "#f3938a",
    "second": "#e6ba5e", "third": "#93bbe8", "lost": "#a1978a", "on": "#1a1712",
}  # fmt: skip
LOST = ("removed", "cancelled", "dropped", "rerolled")
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
RULE = re.compile(r"[^{}]+\{[^{}]*\}")
NAME = re.compile(r"rw-[\w-]+")


def rules(colours: Mapping[str, str]) -> str:
    """What the style sheet of the site says, as far as drawings are concerned."""
    lines = [
        ".rw-body{fill:$card;stroke:$ink;stroke-width:2;stroke-linejoin:round}",
        ".rw-edge{stroke:$ink;stroke-linejoin:round;opacity:.45}",
        ".rw-number,.rw-pips{fill:$ink;stroke:none;font-weight:700;font-family:'Libertinus Serif'}",
        ".rw-kind1 > .rw-body,.rw-kind1 > .rw-edge{stroke:$second}",
        ".rw-kind2 > .rw-body,.rw-kind2 > .rw-edge{stroke:$third}",
        ".rw-stroke{stroke:$bad;stroke-width:1.8;stroke-linecap:round}",
        ".rw-badge > circle{stroke:$card;stroke-width:1.5}",
        ".rw-badge > path{stroke:$on;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}",
        ".rw-track{fill:$line}.rw-share{fill:$accent}",
        *(coloured(role, role) for role in ("good", "bad")),
        *(faded(role) for role in LOST),
        ".rw-earned > circle{fill:$second}.rw-thrown-on > circle{fill:$third}",
        ".rw-dropped > circle,.rw-rerolled > circle{fill:$lost}",
    ]
    return re.sub(r"\$(\w+)", lambda name: colours[name[1]], "".join(lines))


def coloured(role: str, colour: str) -> str:
    inside = f".rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$on}}.rw-{role} > .rw-edge{{stroke:$on}}"
    return f".rw-{role} > .rw-body{{fill:${colour};stroke:${colour}}}{inside}.rw-{role} > circle{{fill:${colour}}}"


def faded(role: str) -> str:
    body = f".rw-{role} > .rw-body{{fill:none;stroke:$lost;stroke-dasharray:3 2.5;stroke-width:1.5}}"
    return f"{body}.rw-{role} > .rw-number,.rw-{role} > .rw-pips{{fill:$lost}}.rw-{role} > .rw-edge{{stroke:$lost}}"


class Drawings:
    """Drawings that many cards have in common stand in the print once, each under a name."""

    def __init__(self, dark: bool) -> None:
        colours = DARK if dark else LIGHT
        self.start = f'<svg xmlns="http://www.w3.org/2000/svg" color="{colours["ink"]}" '
        self.rules = [(one, classes(one)) for one in RULE.findall(rules(colours))]
        self.names: dict[tuple[str, str], str] = {}

    def __call__(self, svg: str, kind: str = "die") -> str:
        """A sign of Typst that draws it, as large as its kind is drawn."""
        return f"#{self.names.setdefault((kind, svg), f'drawn{len(self.names)}')};"

    def defined(self) -> str:
        return "".join(f"#let {name} = {self.drawing(*drawn)[1:-1]}\n" for drawn, name in self.names.items())

    def drawing(self, kind: str, svg: str) -> str:
        """Its words are those of its title."""
        found = TITLE.search(svg)
        whole = str(svg).replace("<svg ", self.start, 1).replace(">", f"><style>{self.style(svg)}</style>", 1)
        return call(kind, quoted(whole), quoted(unescape(found[1])) if found else "none")

    def style(self, svg: str) -> str:
        """The rules that say something about this drawing."""
        present = set(NAME.findall(svg))
        return "".join(rule for rule, sought in self.rules if any(names <= present for names in sought))


def classes(rule: str) -> list[set[str]]:
    """What each of its selectors asks for."""
    return [set(NAME.findall(selector)) for selector in rule.partition("{")[0].split(",")]

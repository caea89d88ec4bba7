"""Sanitizes authors' HTML for exports: closes what is open, drops what runs or loads anything; writes XHTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX

from .tree import add, plain, say

VOID = frozenset(["area", "br", "col", "hr", "img", "input", "source", "track", "wbr"])
APART = frozenset(
    ["p", "div", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "pre", "blockquote"]
)
NAME = re.compile(r"(?!on|xmlns)(?:epub:type|[A-Za-z_][\w.-]*)", re.ASCII)
BARE = re.compile(r"&(?!(?:#[0-9]+|#x[0-9a-fA-F]+|amp|lt|gt|quot);)")
LITERAL = re.compile(f"{STX}([0-9]+){ETX}")
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def written(root: Element) -> str:
    """The content of an element as XHTML."""
    parts: list[str] = []
    inside(root, parts)
    return "".join(parts)


def inside(element: Element, parts: list[str]) -> None:
    """Append the content of an element to the parts."""
    if element.text:
        parts.append(text(element.text))
    for child in element:
        if child.tag in VOID:
            parts.append(f"<{child.tag}{attributes(child)}/>")
        else:
            parts.append(f"<{child.tag}{attributes(child)}>")
            inside(child, parts)
            parts.append(f"</{child.tag}>")
        if child.tail:
            parts.append(text(child.tail))
        elif child.tag in APART:
            parts.append("\n")


def attributes(element: Element) -> str:
    return "".join([f' {name}="{value(said)}"' for name, said in element.items() if NAME.fullmatch(name)])


def value(said: str) -> str:
    """An attribute value, escaped."""
    return text(said).replace('"', "&quot;").replace("\n", "&#10;")


def text(said: str) -> str:
    """Text, escaped; entities stay, placeholders of literal characters are resolved."""
    shown = BARE.sub("&amp;", said) if "&" in said else said
    shown = shown.replace("<", "&lt;").replace(">", "&gt;")
    return LITERAL.sub(lambda sign: literal(chr(int(sign[1]))), shown) if STX in shown else shown


def literal(sign: str) -> str:
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(sign, sign)


def clean(page: str) -> str:
    """Remove the characters that XML does not allow."""
    return NO_XML.sub("", page)


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SILENT = names("script style template noscript head title iframe object audio video")
LEFT_OUT = names("embed link meta base source track param")  # empty elements
KNOWN = names(
    "a abbr address area article aside b bdi bdo blockquote br button caption cite code col colgroup data dd del"
    " details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label li"
    " main map mark nav ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td"
    " tfoot th thead time tr u ul var wbr"
)
DRAWN = names(
    "circle clippath defs desc ellipse g line lineargradient marker mask path pattern polygon polyline"
    " radialgradient rect stop svg symbol text tspan"
)
CAPITALS = {
    "clippath": "clipPath", "lineargradient": "linearGradient", "radialgradient": "radialGradient",
    "viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio", "gradientunits": "gradientUnits",
    "gradienttransform": "gradientTransform", "patternunits": "patternUnits", "markerwidth": "markerWidth",
    "markerheight": "markerHeight", "refx": "refX", "refy": "refY", "textlength": "textLength",
    "clippathunits": "clipPathUnits", "maskunits": "maskUnits",
}  # fmt: skip
BLOCKS = names(
    "address article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre"
    " section table ul"
)
WORDS = names("abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var")
AROUND = tuple(BLOCKS - {"p"} | {"li", "td", "th", "dd", "dt", "summary", "button"})
ENDS = {  # by start tag: it closes the innermost open element of the first set, but not beyond the second set
    **dict.fromkeys(BLOCKS, (("p",), AROUND)),
    "li": (("li",), ("ul", "ol")),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl",))),
    **dict.fromkeys(("td", "th"), (("td", "th"), ("tr", "table"))),
    "tr": (("tr",), ("table",)),
    **dict.fromkeys(("tbody", "tfoot"), (("thead", "tbody", "tfoot"), ("table",))),
}
DEEPEST = 200


def tidied(html: str) -> tuple[Element, list[str]]:
    """The tree of an HTML text, and the names of the elements that were dropped."""
    reader = Tidy()
    reader.feed(html)
    reader.close()
    return reader.root, list(reader.left_out)


class Tidy(HTMLParser):
    """A tolerant parser: closes elements as browsers do and drops those in `SILENT` and `LEFT_OUT`."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("div")
        self.open = [self.root]
        self.silent = ""  # the open element whose content is dropped
        self.left_out: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.silent:
            return
        if tag in SILENT or tag in LEFT_OUT:
            self.left_out[tag] = None
            self.silent = tag if tag in SILENT else ""
            return
        while tag in BLOCKS and self.open[-1].tag in WORDS:
            self.open.pop()  # inline elements contain no blocks
        if tag in ENDS:
            self.end(*ENDS[tag])
        named = {CAPITALS.get(name, name): said or "" for name, said in attrs}
        element = add(self.open[-1], name_of(tag), named)
        if element.tag not in VOID and len(self.open) < DEEPEST:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A slash at the end matters only in SVG, as in browsers."""
        self.handle_starttag(tag, attrs)
        if tag in DRAWN:
            self.handle_endtag(tag)

    def end(self, tags: tuple[str, ...], up_to: tuple[str, ...]) -> None:
        """Close the innermost open element with one of the tags, but not beyond one of `up_to`."""
        for number in range(len(self.open) - 1, 0, -1):
            if self.open[number].tag in tags:
                del self.open[number:]
                return
            if self.open[number].tag in up_to:
                return

    def handle_endtag(self, tag: str) -> None:
        if self.silent:
            self.silent = "" if tag == self.silent else self.silent
        elif any(element.tag == name_of(tag) for element in self.open[1:]):
            while self.open.pop().tag != name_of(tag):
                pass

    def handle_data(self, data: str) -> None:
        if not self.silent:
            say(self.open[-1], plain(data))


def name_of(tag: str) -> str:
    """The tag with its proper case; an unknown element becomes a `span`."""
    return CAPITALS.get(tag, tag) if tag in KNOWN or tag in DRAWN else "span"

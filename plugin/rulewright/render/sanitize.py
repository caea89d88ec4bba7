"""Sanitizes authors' HTML for exports: closes what is open, drops what runs or loads anything; writes XHTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

from .html import add_element, append_text, clean_text

_VOID = frozenset(["area", "br", "col", "hr", "img", "input", "source", "track", "wbr"])
_OWN_LINE_TAGS = frozenset(
    ["p", "div", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "pre", "blockquote"]
)
RAW = "raw"  # the tag of an element whose text is finished HTML
SVG_SPACE = "http://www.w3.org/2000/svg"
NAME = re.compile(r"(?!on|xmlns)(?:epub:type|[A-Za-z_][\w.-]*)", re.ASCII)
_BARE_AMPERSAND = re.compile(r"&(?!(?:#[0-9]+|#x[0-9a-fA-F]+|amp|lt|gt|quot);)")
_INVALID_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def to_xhtml(root: Element) -> str:
    """The content of an element as XHTML."""
    parts: list[str] = []
    _write_content(root, parts)
    return "".join(parts)


def _write_content(element: Element, parts: list[str]) -> None:
    """Append the content of an element to the parts."""
    if element.text:
        parts.append(_escape_text(element.text))
    for child in element:
        if child.tag == RAW:
            parts.append(child.text or "")
        elif child.tag in _VOID:
            parts.append(f"<{child.tag}{_attributes_xhtml(child)}/>")
        else:
            parts.append(f"<{child.tag}{_attributes_xhtml(child)}>")
            _write_content(child, parts)
            parts.append(f"</{child.tag}>")
        if child.tail:
            parts.append(_escape_text(child.tail))
        elif child.tag in _OWN_LINE_TAGS:
            parts.append("\n")


def _attributes_xhtml(element: Element) -> str:
    space = f' xmlns="{SVG_SPACE}"' if element.tag == "svg" else ""
    written = [f' {name}="{_escape_value(raw)}"' for name, raw in element.items() if NAME.fullmatch(name)]
    return space + "".join(written)


def _escape_value(raw: str) -> str:
    """An attribute value, escaped."""
    return _escape_text(raw).replace('"', "&quot;").replace("\n", "&#10;")


def _escape_text(raw: str) -> str:
    """Text, escaped; entities stay."""
    escaped = _BARE_AMPERSAND.sub("&amp;", raw) if "&" in raw else raw
    return escaped.replace("<", "&lt;").replace(">", "&gt;")


def remove_invalid_xml(page: str) -> str:
    """Remove the characters that XML does not allow."""
    return _INVALID_IN_XML.sub("", page)


def _name_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DROPPED_WITH_CONTENT = _name_set("script style template noscript head title iframe object audio video")
_DROPPED_EMPTY = _name_set("embed link meta base source track param")  # empty elements
_HTML_TAGS = _name_set(
    "a abbr address area article aside b bdi bdo blockquote br button caption cite code col colgroup data dd del"
    " details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label li"
    " main map mark nav ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td"
    " tfoot th thead time tr u ul var wbr"
)
SVG_TAGS = _name_set(
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
_BLOCK_TAGS = _name_set(
    "address article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre"
    " section table ul"
)
_INLINE_TAGS = _name_set(
    "abbr b bdi bdo cite code data dfn em i kbd label mark q s samp small span strong sub sup time u var"
)
_BLOCK_PARENTS = tuple(_BLOCK_TAGS - {"p"} | {"li", "td", "th", "dd", "dt", "summary", "button"})
_IMPLIED_ENDS = {  # by start tag: it closes the innermost open element of the first set, but not beyond the second set
    **dict.fromkeys(_BLOCK_TAGS, (("p",), _BLOCK_PARENTS)),
    "li": (("li",), ("ul", "ol")),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl",))),
    **dict.fromkeys(("td", "th"), (("td", "th"), ("tr", "table"))),
    "tr": (("tr",), ("table",)),
    **dict.fromkeys(("tbody", "tfoot"), (("thead", "tbody", "tfoot"), ("table",))),
}
_DEEPEST = 200


def parse_html(html: str) -> Element:
    """The tree of an HTML text."""
    root = Element("div")
    parser = TolerantParser([root])
    parser.feed(html)
    parser.close()
    return root


class TolerantParser(HTMLParser):
    """A tolerant parser: closes elements as browsers do and drops those that run or load anything."""

    def __init__(self, stack: list[Element]) -> None:
        super().__init__(convert_charrefs=True)
        self.stack = stack  # the open elements
        self.dropped_tag = ""  # the open element whose content is dropped
        self.left_out: dict[str, None] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.dropped_tag:
            return
        if tag in _DROPPED_WITH_CONTENT or tag in _DROPPED_EMPTY:
            self.left_out[tag] = None
            self.dropped_tag = tag if tag in _DROPPED_WITH_CONTENT else ""
            return
        while tag in _BLOCK_TAGS and self.stack[-1].tag in _INLINE_TAGS:
            self.stack.pop()  # inline elements contain no blocks
        if tag in _IMPLIED_ENDS:
            self.close_implied(*_IMPLIED_ENDS[tag])
        named = {CAPITALS.get(name, name): raw or "" for name, raw in attrs}
        element = add_element(self.stack[-1], _canonical_tag(tag), named)
        if element.tag not in _VOID and len(self.stack) < _DEEPEST:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A slash at the end matters only in SVG, as in browsers."""
        self.handle_starttag(tag, attrs)
        if tag in SVG_TAGS:
            self.handle_endtag(tag)

    def close_implied(self, tags: tuple[str, ...], up_to: tuple[str, ...]) -> None:
        """Close the innermost open element with one of the tags, but not beyond one of `up_to`."""
        for number in range(len(self.stack) - 1, 0, -1):
            if self.stack[number].tag in tags:
                del self.stack[number:]
                return
            if self.stack[number].tag in up_to:
                return

    def handle_endtag(self, tag: str) -> None:
        if self.dropped_tag:
            self.dropped_tag = "" if tag == self.dropped_tag else self.dropped_tag
        elif any(element.tag == _canonical_tag(tag) for element in self.stack[1:]):
            while self.stack.pop().tag != _canonical_tag(tag):
                pass

    def handle_data(self, data: str) -> None:
        if not self.dropped_tag:
            text = clean_text(data)
            append_text(self.stack[-1], text if data.isspace() else AtomicString(text))


def _canonical_tag(tag: str) -> str:
    """The tag with its proper case; an unknown element becomes a `span`."""
    return CAPITALS.get(tag, tag) if tag in _HTML_TAGS or tag in SVG_TAGS else "span"

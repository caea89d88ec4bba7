"""A tree as text that is HTML and XML at once."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from markdown.util import ETX, STX

VOID = frozenset(["area", "br", "col", "hr", "img", "input", "source", "track", "wbr"])
APART = frozenset(
    ["p", "div", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "pre", "blockquote"]
)
NAME = re.compile(r"(?!on|xmlns)(?:epub:type|[A-Za-z_][\w.-]*)", re.ASCII)
BARE = re.compile(r"&(?!(?:#[0-9]+|#x[0-9a-fA-F]+|amp|lt|gt|quot);)")
LITERAL = re.compile(f"{STX}([0-9]+){ETX}")
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def written(root: Element) -> str:
    """What stands inside of the root."""
    parts: list[str] = []
    inside(root, parts)
    return "".join(parts)


def inside(element: Element, parts: list[str]) -> None:
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
    return text(said).replace('"', "&quot;").replace("\n", "&#10;")


def text(said: str) -> str:
    """What looks like an entity is one; signs that stand for themselves are put back."""
    shown = BARE.sub("&amp;", said) if "&" in said else said
    shown = shown.replace("<", "&lt;").replace(">", "&gt;")
    return LITERAL.sub(lambda sign: literal(chr(int(sign[1]))), shown) if STX in shown else shown


def literal(sign: str) -> str:
    return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}.get(sign, sign)


def clean(page: str) -> str:
    """Without the signs that no XML may have."""
    return NO_XML.sub("", page)

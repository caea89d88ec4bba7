"""The words of a paragraph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ...book.inlines import plain
from . import raw
from .marks import call, label, quoted, text
from .nodes import Node, words
from .print import Print

ICON = re.compile(r":(?:material|fontawesome|octicons|simple)-[a-z0-9-]+:(?:\{[^{}]*\})?\s?")  # pictures of the site
WIDTH = re.compile(r"([1-9][0-9]{0,3})(%|px|)")


def inlines(sheet: Print, nodes: Iterable[Node]) -> str:
    return "".join(inline(sheet, node) for node in nodes)


def inline(sheet: Print, node: Node) -> str:
    made = MADE.get(node.kind)
    if made:
        return made(sheet, node)
    return inlines(sheet, node.inner) if node.inner else text(node.token.content)


def wrapped(name: str) -> Callable[[Print, Node], str]:
    return lambda sheet, node: call(name, body=inlines(sheet, node.inner)) + anchor(sheet, node)


def words_of(_sheet: Print, node: Node) -> str:
    content = node.token.content
    return text(ICON.sub("", content) if ":" in content else content)


def link(sheet: Print, node: Node) -> str:
    """A link; one to another page of the book also says on which page of the print that is."""
    inside = inlines(sheet, node.inner)
    made = node.token.meta.get("link")
    goal = sheet.goal(made) if made else None
    if goal is None or sheet.in_heading or not words(node.inner).strip():
        return inside
    if goal.address:
        return call("link", quoted(goal.address), body=inside)
    return call("near" if goal.near else "far", quoted(goal.label), body=inside)


def image(sheet: Print, node: Node) -> str:
    source, alt = str(node.token.attrs.get("src", "")), plain(node.token.children or [])
    line = (node.token.map or [0])[0] + 1
    made = node.token.meta.get("link")
    line = made.span.source.place(made.span.start)[0] if made else line
    file = sheet.picture(source)
    if file is None:
        sheet.warn("export-picture", f"the picture {source} cannot be printed", line, "its words stand in its place")
        return text(alt)
    if not alt:
        sheet.warn("export-alt", f"the picture {source} has no words for those who cannot see it", line, "![words](…)")
        alt = file.stem.replace("-", " ").replace("_", " ")
    return call("picture", quoted(file.as_posix()), quoted(alt), **width_of(node))


def width_of(node: Node) -> dict[str, str]:
    """The width that an author gave to a picture; the dots of screens are three quarters of a point."""
    found = WIDTH.fullmatch(str(node.token.attrs.get("width", "")))
    return {"width": f"{found[1]}%" if found[2] == "%" else f"{int(found[1]) * 0.75}pt"} if found else {}


def note(sheet: Print, node: Node) -> str:
    name = str(node.token.meta["label"])
    if name not in sheet.notes or sheet.in_heading:
        return ""
    mark = sheet.label_of(f"fn:{name}")
    if name in sheet.called:
        return call("footnote", f"label({quoted(mark)})")
    sheet.called.add(name)
    return call("footnote", body=sheet.notes[name]) + label(mark)


def html(_sheet: Print, node: Node) -> str:
    """A tag among words; the words of a picture stand in its place."""
    return call("linebreak") if raw.breaks(node.token.content) else "".join(map(text, raw.lines(node.token.content)))


def anchor(sheet: Print, node: Node) -> str:
    """An id that an author gave to some words."""
    return place(sheet, str(node.token.attrs["id"])) if "id" in node.token.attrs else ""


def place(sheet: Print, anchor: str) -> str:
    """A place that links lead to; the first of its name."""
    name = sheet.label_of(anchor)
    if name in sheet.placed:
        return ""
    sheet.placed.add(name)
    return f"#metadata(none);{label(name)}"


MADE: dict[str, Callable[[Print, Node], str]] = {
    "text": words_of,
    "softbreak": lambda _sheet, _node: "\n",
    "hardbreak": lambda _sheet, _node: call("linebreak"),
    "em": wrapped("emph"),
    "strong": wrapped("strong"),
    "s": wrapped("strike"),
    "code_inline": lambda _sheet, node: call("raw", quoted(node.token.content)),
    "math_inline": lambda _sheet, node: call("raw", quoted(node.token.content)),
    "link": link,
    "image": image,
    "footnote_ref": note,
    "footnote_anchor": lambda _sheet, _node: "",
    "html_inline": html,
}

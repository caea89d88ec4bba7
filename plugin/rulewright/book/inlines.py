"""Links, images and anchors in inline text and HTML, with their positions in the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

from ..source import Span
from .blocks import Found, hidden
from .markdown import ATTRIBUTE
from .page import Anchor, Block, Link, Paper, Text

COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:" + re.sub(r"\((?!\?)", "(?:", ATTRIBUTE) + r")+)\s*/?>")
ATTRIBUTES = re.compile(ATTRIBUTE)
OPAQUE = re.compile(r"\s*<(?:script|pre|style|textarea)\b", re.IGNORECASE)
CONTENTS = re.compile(r"\s*toc\s*", re.IGNORECASE)
LINKED = {("a", "href"): "html", ("area", "href"): "html", ("img", "src"): "image"}


def html(found: Found, text: Text) -> list[Block]:
    """Collect comments, ids and links from a piece of HTML; return the blocks in its comments."""
    blocks = []
    content = text.content
    if "<!--" in content:
        for comment in COMMENT.finditer(content):
            blocks += in_comment(found, text, comment)
        content = COMMENT.sub(lambda comment: " " * len(comment[0]), content)
    if "=" in content and not OPAQUE.match(content):
        for tag in TAG.finditer(content):
            attributes(found, text, tag)
    return blocks


def in_comment(found: Found, text: Text, comment: re.Match[str]) -> list[Block]:
    """Record a comment; return the block in it, if there is one."""
    span = text.span(*comment.span())
    found.comments.append(span)
    if not comment[0].endswith("-->"):
        message = "nothing closes this comment: the rest of what stands here is part of it, and is not shown"
        found.warn("comment-unclosed", message, text.span(comment.start(), comment.start() + 4), "--> closes it")
    if CONTENTS.fullmatch(comment[1]):
        found.contents.append(span)
    return hidden(found, text, comment)


def attributes(found: Found, text: Text, tag: re.Match[str]) -> None:
    """Collect the id and the links of one tag."""
    name = tag[1].lower()
    for attribute in ATTRIBUTES.finditer(tag.string, *tag.span(2)):
        key, value = attribute[1].lower(), (attribute[2] or "").strip("\"'")
        if not value:
            continue
        start = attribute.start(2) + (attribute[2][0] in "\"'")
        span = text.span(start, start + len(value))
        if key == "id" or (key == "name" and name == "a"):
            found.anchors.append(Anchor(value, span))
        elif kind := LINKED.get((name, key)):
            found.links.append(Link("", value, span, kind, found.trail))


PIPE = re.compile(r"(?<!\\)\|")
DEFINED = re.compile(r"\]:\s*(<[^>\n]*>|\S+)")


def inline(found: Found, token: Token, opening: Token) -> None:
    """Collect links, images and anchors from an inline token."""
    if opening.type in ("td_open", "th_open"):
        found.row.append(token.content)
    text = None
    for number, child in enumerate(token.children or ()):
        if child.type != "text" and (child.type in ("link_open", "image", "html_inline") or "id" in child.attrs):
            text = text or standing(found, token, opening)
            one(found, token, number, text)
    if token.content == "[TOC]" and opening.type == "paragraph_open":
        found.contents.append(standing(found, token, opening).span(0, 5))
        token.meta["contents"] = True


def one(found: Found, token: Token, number: int, text: Text) -> None:
    """Collect from one child of an inline token."""
    child = (token.children or [])[number]
    start, end = child.meta.get("at", (0, 0))
    if child.type == "html_inline":
        html(found, text.part(start, end))
        return
    if "id" in child.attrs:
        found.anchors.append(Anchor(str(child.attrs["id"]), text.span(start, end)))
    if child.type in ("link_open", "image"):
        link(found, token, number, text)


def link(found: Found, token: Token, number: int, text: Text) -> None:
    """Add a link or an image to the page and to the `meta` of its token."""
    children = token.children or []
    child = children[number]
    span = target_span(found, child, text)
    target = span.text if child.markup else unescapeAll(span.text)
    label = child.content if child.type == "image" else plain(until_closed(children, number))
    made = Link(label, target, span, kind_of(child), found.trail)
    child.meta["link"] = made
    found.links.append(made)


def kind_of(child: Token) -> str:
    if child.type == "image":
        return "image"
    return child.markup or ("inline" if child.meta.get("target") else "reference")


def target_span(found: Found, child: Token, text: Text) -> Span:
    """Span of the target as the author wrote it."""
    start, end = child.meta["at"]
    if child.markup == "autolink":
        return text.span(start + 1, end - 1)
    if inside := child.meta.get("target"):
        return text.span(*inside)
    return definition(found, child) or text.span(start, end)


def definition(found: Found, child: Token) -> Span | None:
    """Span of the target in `[label]: target`, which a reference uses."""
    where = found.references.get(child.meta.get("label", ""), {}).get("map")
    if not isinstance(where, list):
        return None
    paper = found.paper
    first, last = paper.starts[where[0]], paper.block(*where).end
    target = DEFINED.search(paper.source.text, first, last)
    if not target:
        return None
    start, end = target.span(1)
    angled = paper.source.text[start] == "<"
    return Span(paper.source, start + angled, end - angled)


def until_closed(children: Sequence[Token], number: int) -> Sequence[Token]:
    """The tokens inside a link."""
    level = children[number].level
    for end in range(number + 1, len(children)):
        if children[end].type == "link_close" and children[end].level == level:
            return children[number + 1 : end]
    return children[number + 1 :]


def plain(children: Sequence[Token]) -> str:
    """Text without markup."""
    if len(children) == 1 and children[0].type == "text":
        return children[0].content.strip()
    words = []
    for child in children:
        if child.type in ("text", "code_inline", "text_special", "image", "math_inline"):
            words.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            words.append(" ")
    return "".join(words).strip()


def standing(found: Found, token: Token, opening: Token) -> Text:
    """The text of an inline token with its position in the page."""
    first = token.map[0] if token.map else 0
    whole = str(token.meta.get("whole", token.content))
    if opening.type == "heading_open" and opening.markup.startswith("#"):
        line = found.paper.lines[first]
        start = line.find(whole, line.find("#") + len(opening.markup))
        return line_part(found.paper, first, max(start, 0), whole)
    if opening.type in ("td_open", "th_open"):
        return cell(found, first, whole)
    return found.paper.cut(first_line(found.paper, token, whole), whole)


def first_line(paper: Paper, token: Token, whole: str) -> int:
    """The line where the text begins: the parser takes lines of form feeds into a paragraph, then strips them."""
    first, end = token.map or (0, 0)
    opening, *others = whole.split("\n")
    for line in range(first, end - len(others)):
        if paper.lines[line].rstrip().endswith(opening.rstrip()):
            return line
    return first


def line_part(paper: Paper, line: int, start: int, content: str) -> Text:
    return Text(paper.source, content, (0,), (paper.starts[line] + start,))


def cell(found: Found, line: int, content: str) -> Text:
    """The table cell that was read last, with its position."""
    if not found.pipes:
        found.pipes = pipes(found.paper.lines[line])
    return in_row(found.paper, line, found.pipes, found.row[0], len(found.row) - 1, content)


def pipes(written: str) -> list[int]:
    """Offsets of the separators between the cells of a line; the first is -1, the last its length."""
    return [-1, *(pipe.start() for pipe in PIPE.finditer(written)), len(written)]


def in_row(paper: Paper, line: int, bounds: list[int], first: str, number: int, content: str) -> Text:
    """A cell, counted from 0, with its position. The parser wrote | for \\|; `first` is the text of the first cell."""
    written = paper.lines[line]
    before = written[: bounds[1]].replace("\\|", "|").rstrip()
    number += 0 if first and before.endswith(first) else 1
    if number + 1 >= len(bounds):
        return line_part(paper, line, 0, content)
    segment = written[bounds[number] + 1 : bounds[number + 1]]
    start = bounds[number] + 1 + max(segment.replace("\\|", "||").rfind(content.replace("|", "||")), 0)
    return unescaped(paper, line, start, content)


def unescaped(paper: Paper, line: int, start: int, content: str) -> Text:
    """Map the text of a cell to the page, where each | in it is written with a backslash."""
    if "|" not in content:
        return line_part(paper, line, start, content)
    starts, places = [0], [paper.starts[line] + start]
    for number, pipe in enumerate(re.finditer(r"\|", content), 1):
        starts.append(pipe.start())
        places.append(places[0] + pipe.start() + number)
    return Text(paper.source, content, tuple(starts), tuple(places))

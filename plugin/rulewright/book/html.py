"""HTML in pages: comments, blocks inside comments, links and ids of tags."""

from __future__ import annotations

import re

from .found import Found
from .hidden import hidden
from .inner_html import ATTRIBUTE
from .model import Anchor, Block, Link
from .paper import Text

COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:" + re.sub(r"\((?!\?)", "(?:", ATTRIBUTE) + r")+)\s*/?>")
ATTRIBUTES = re.compile(ATTRIBUTE)
OPAQUE = re.compile(r"\s*<(?:script|pre|style|textarea)\b", re.IGNORECASE)
CONTENTS = re.compile(r"\s*toc\s*", re.IGNORECASE)
LINKED = {("a", "href"): "html", ("area", "href"): "html", ("img", "src"): "image"}


def html(found: Found, text: Text) -> list[Block]:
    """Looks into a stretch of HTML; the blocks in its comments are the answer."""
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
    span = text.span(*comment.span())
    found.comments.append(span)
    if not comment[0].endswith("-->"):
        message = "nothing closes this comment: the rest of what stands here is part of it, and is not shown"
        found.warn("comment-unclosed", message, text.span(comment.start(), comment.start() + 4), "--> closes it")
    if CONTENTS.fullmatch(comment[1]):
        found.contents.append(span)
    return hidden(found, text, comment)


def attributes(found: Found, text: Text, tag: re.Match[str]) -> None:
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

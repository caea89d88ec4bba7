"""Inline rules that remember where they found something, as `meta["at"]`; wiki links; signs that mean themselves."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.helpers import parseLinkDestination, parseLinkLabel
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline, autolink, html_inline, image, link
from markdown_it.token import Token

Rule = Callable[[StateInline, bool], bool]

WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
LETTER = re.compile(r"[^\W\d_]")
SIMPLE = re.compile(r"([^\s()<>\\]+)\)")
SPACE = re.compile(r"[ \t\n]*")
DEEPEST_IMAGE = 8  # an image may stand in the description of an image; nobody goes on for long


def install(md: MarkdownIt) -> None:
    md.inline.ruler.before("link", "wiki", wiki)
    md.inline.ruler.at("link", traced(link, "[", "link_open"))
    md.inline.ruler.at("image", traced(shallow_image, "!", "image"))
    md.inline.ruler.at("autolink", traced(autolink, "<", "link_open"))
    md.inline.ruler.at("html_inline", traced(html_inline, "<", "html_inline"))
    md.core.ruler.before("text_join", "literal", literal)


def traced(rule: Rule, first: str, type_: str) -> Rule:
    def run(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if state.src[start] != first or not rule(state, silent):
            return False
        if not silent:
            token = next(token for token in state.tokens[before:] if token.type == type_)
            token.meta["at"] = (start, state.pos)
            if first in "[!":
                token.meta["target"] = destination(state, start, state.pos)
        return True

    return run


def destination(state: StateInline, start: int, end: int) -> tuple[int, int] | None:
    """Where the target stands in `[text](target "title")`; nothing for a reference."""
    if state.src[end - 1] != ")":
        return None
    label_end = state.src.find("](", start, end)
    if label_end != state.src.rfind("](", start, end):
        label_end = parseLinkLabel(state, start + (state.src[start] == "!"), state.src[start] != "!")
    if simple := SIMPLE.match(state.src, label_end + 2, end):
        return simple.span(1)
    space = SPACE.match(state.src, label_end + 2)
    first = space.end() if space else label_end + 2
    found = parseLinkDestination(state.src, first, end)
    if not found.ok:
        return first, first
    return (first + 1, found.pos - 1) if state.src[first] == "<" else (first, found.pos)


def shallow_image(state: StateInline, silent: bool) -> bool:
    depth = state.env.get("image", 0)
    if depth > DEEPEST_IMAGE:
        return False
    state.env["image"] = depth + 1
    found = image(state, silent)
    state.env["image"] = depth
    return found


def wiki(state: StateInline, silent: bool) -> bool:
    """`[[Page#anchor|text]]`."""
    if not state.src.startswith("[[", state.pos):
        return False
    found = WIKI.match(state.src, state.pos, state.posMax)
    if not found or not LETTER.search(found[1]):
        return False
    if not silent:
        opening = state.push("link_open", "a", 1)
        opening.attrs, opening.markup = {"href": state.md.normalizeLink(found[1].strip())}, "wiki"
        opening.meta = {"at": found.span(), "target": found.span(1)}
        state.push("text", "", 0).content = (found[2] or found[1]).strip()
        state.push("link_close", "a", -1).markup = "wiki"
    state.pos = found.end()
    return True


def literal(state: StateCore) -> None:
    """Signs behind a backslash, or written as entities, are no markup for anybody: `meta["literal"]` says where."""
    for token in state.tokens:
        if token.type == "inline" and ("\\" in token.content or "&" in token.content):
            note_literal(token.children or [])


def note_literal(children: list[Token]) -> None:
    """The parser is about to join neighbouring texts; what is noted stays with the first of them."""
    first, at = None, 0
    for child in children:
        if child.type not in ("text", "text_special"):
            first = None
            continue
        first, at = (first, at) if first else (child, 0)
        if child.type == "text_special":
            first.meta.setdefault("literal", []).extend(range(at, at + len(child.content)))
        at += len(child.content)

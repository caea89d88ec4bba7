"""Quotes that begin with `[!word]`: callouts of any sort, folded or not, with a title of their own or without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

MARK = "[!"
CALLOUT = re.compile(r"\[!([\w-]+(?: [\w-]+)*)\]([+-]?)(?:[ \t]+|(?=\n)|\Z)")
LOOKS = {
    "important": "info", "caution": "danger", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "attention": "warning",
    "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote",
}  # fmt: skip


class Words(NamedTuple):
    """The tokens of a paragraph up to the end of its first line, and those of its other lines."""

    title: list[Token]
    rest: list[Token]


def classes(kind: str) -> str:
    """A look that the theme knows, beside the word that the author chose."""
    words = kind.lower().split()
    return " ".join(dict.fromkeys([*words, *(LOOKS[word] for word in words if word in LOOKS)]))


def with_callouts(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a page, with boxes in the place of such quotes."""
    folds: list[bool | None] = []  # for each quote that is open: is it a box, and a folded one?
    number = 0
    while number < len(tokens):
        token, found = tokens[number], begins(tokens, number)
        if token.type == "blockquote_open":
            folds.append(bool(found[2]) if found else None)
        if found:
            yield from opened(found, tokens[number + 2])
            number += 4
            continue
        fold = folds.pop() if token.type == "blockquote_close" else None
        yield token if fold is None else Token("box_close", "details" if fold else "div", -1)
        number += 1


def begins(tokens: Sequence[Token], number: int) -> re.Match[str] | None:
    if tokens[number].type != "blockquote_open" or tokens[number + 1].type != "paragraph_open":
        return None
    inline = tokens[number + 2]
    found = CALLOUT.match(inline.content)
    first = inline.children[0] if inline.children else None
    return found if found and first and first.type == "text" and first.content.startswith(found[0].rstrip()) else None


def opened(found: re.Match[str], inline: Token) -> Iterator[Token]:
    kind, fold = found[1], found[2]
    attributes: dict[str, str | int | float] = {"class": classes(kind) if fold else f"admonition {classes(kind)}"}
    yield Token(
        "box_open", "details" if fold else "div", 1, attrs=attributes | ({"open": "open"} if fold == "+" else {})
    )
    words = split(inline, len(found[0]))
    title = words.title or [Token("text", "", 0, content=kind.capitalize())]
    yield Token("box_title_open", "summary" if fold else "p", 1, attrs={} if fold else {"class": "admonition-title"})
    yield Token("inline", "", 0, children=title)
    yield Token("box_title_close", "", -1)
    if words.rest:
        yield Token("paragraph_open", "p", 1)
        yield Token("inline", "", 0, children=words.rest)
        yield Token("paragraph_close", "p", -1)


def split(inline: Token, start: int) -> Words:
    """The first line without the mark, and the other lines; the tokens of the page stay as they are."""
    children = inline.children or []
    first = children[0]
    mark = min(start, len(first.content))
    literal = [place - mark for place in first.meta.get("literal", ()) if place >= mark]
    shorter = first.copy(content=first.content[mark:], meta={**first.meta, "literal": literal})
    every = [shorter, *children[1:]] if shorter.content else children[1:]
    end = next(
        (n for n, child in enumerate(every) if child.type in ("softbreak", "hardbreak") and not child.level), None
    )
    return Words(every, []) if end is None else Words(every[:end], every[end + 1 :])

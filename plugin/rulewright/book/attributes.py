"""Attribute lists: `{#id .class key="value"}` behind a heading, a paragraph, a link, an image or emphasis."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

ITEM = r"""(?:\#[^\s{}#."'=]+|\.[^\s{}#."'=]+|[A-Za-z_:][\w:.-]*=(?:"[^"{}]*"|'[^'{}]*'|[^\s{}"'=]+))"""
LIST = r"\{:?[ \t]*(" + ITEM + r"(?:[ \t]+" + ITEM + r")*)[ \t]*\}"
LIST_OF_ITEMS = re.compile(LIST)
ITEMS = re.compile(ITEM)

ON_THE_LINE = {"heading_open", "dt_open", "th_open", "td_open"}
CARRIERS = {"link_close": "link_open", "em_close": "em_open", "strong_close": "strong_open", "s_close": "s_open"}


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("block", "block_attributes", block_attributes)
    md.core.ruler.after("inline", "inline_attributes", inline_attributes)


def read(items: str) -> dict[str, str]:
    """A later id wins, classes add up."""
    found: dict[str, str] = {}
    for item in ITEMS.findall(items):
        if item[0] == "#":
            found["id"] = item[1:]
        elif item[0] == ".":
            add(found, "class", item[1:])
        else:
            key, _, value = item.partition("=")
            add(found, key, value.strip("\"'"))
    return found


def add(found: dict[str, str], key: str, value: str) -> None:
    found[key] = f"{found[key]} {value}" if key == "class" and key in found else value


def give(token: Token, found: dict[str, str]) -> None:
    for key, value in found.items():
        if key == "class" and "class" in token.attrs:
            token.attrJoin("class", value)
        else:
            token.attrs[key] = value


def block_attributes(state: StateCore) -> None:
    """Cuts the list off before the text is read; `meta["whole"]` keeps the text as it stood."""
    tokens = state.tokens
    for number, token in enumerate(tokens):
        if token.type != "inline" or not token.content.endswith("}"):
            continue
        opening = tokens[number - 1]
        start = token.content.rfind("{")
        found = LIST_OF_ITEMS.fullmatch(token.content, max(start, 0))
        before = token.content[: max(start, 0)]
        if found and fits(opening, before[len(before.rstrip()) :], before):
            give(opening, read(found[1]))
            token.meta["whole"] = token.content
            token.content = before.rstrip()


def fits(opening: Token, space: str, before: str) -> bool:
    """Behind a blank in a heading; on a line of its own below a paragraph."""
    if opening.type in ON_THE_LINE:
        return bool(space) or not before
    return opening.type == "paragraph_open" and "\n" in space


def inline_attributes(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and token.children and "{" in token.content:
            behind_elements(token.children)


def behind_elements(children: list[Token]) -> None:
    for number in range(1, len(children)):
        token = children[number]
        if token.type == "text" and token.content.startswith("{"):
            carrier = element(children, number - 1)
            found = LIST_OF_ITEMS.match(token.content)
            if carrier and found:
                give(carrier, read(found[1]))
                token.content = token.content[found.end() :]


def element(children: list[Token], number: int) -> Token | None:
    """The opening token of the element that ends here."""
    last = children[number]
    if last.type in ("image", "code_inline"):
        return last
    opening = CARRIERS.get(last.type)
    return next((t for t in reversed(children[:number]) if t.type == opening and t.level == last.level), None)

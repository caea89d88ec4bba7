"""Tokens become the tree that Python-Markdown goes on with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from markdown_it.token import Token

from ..book.model import Block
from . import boxes, inlines, notes, raw
from .callouts import MARK, with_callouts
from .sheet import Host, Sheet
from .spans import paired
from .tree import Tree, add, attribute, code


def elements(sheet: Sheet, host: Host) -> Element:
    """The page as a tree, its notes at the end."""
    tree = Tree(sheet, host)
    for token in sheet.page.tokens:
        if token.type == "abbreviation":  # also names that stand above
            host.abbreviate(token.info, token.meta["means"])
    build(tree, with_callouts(sheet.page.tokens) if MARK in sheet.page.source.text else sheet.page.tokens)
    notes.at_the_end(tree)
    tree.root[1:1] = tree.later
    return tree.root


def build(tree: Tree, tokens: Iterable[Token]) -> None:
    for token in tokens:
        if made := MADE.get(token.type):
            made(tree, token)
        elif token.hidden:
            tree.open.append(tree.here) if token.nesting > 0 else tree.leave()
        elif token.nesting > 0:
            tree.enter(token.tag, token.attrs)
        elif token.nesting < 0:
            tree.leave()


def inline(tree: Tree, token: Token) -> None:
    if token.meta.get("contents"):
        tree.here.text = tree.host.contents
    else:
        inlines.fill(tree, token.children or [])
        if len(tree.here) and any(sign in token.content for sign in tree.host.signs):
            paired(tree.here, tree.host.signs)


def fence(tree: Tree, token: Token) -> None:
    if block := token.meta.get("block"):
        placed(tree, block)
        return
    made = tree.host.fence(token.info.strip(), token.content)
    if made:
        tree.sign(made)
        return
    word = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    plain_code(tree, token.content, {"class": f"language-{word.strip('{}.')}"} if word else {})


def placed(tree: Tree, block: Block) -> None:
    """A block, with an id that links can lead to; of one that is not shown only the place is left."""
    if not block.shown:
        first = tree.here is tree.root and not len(tree.root)  # the title of a page is its first element, if any
        (tree.later if first else tree.here).append(Element("span", {"id": attribute(block.id)}))
        return
    tree.enter("div", {"class": "rulewright-block", "id": block.id})
    made = tree.host.fence("toml", block.text.content) if block.kind == "game" else None
    if made:
        tree.sign(made)
    else:
        tree.html(tree.sheet.card(block))
    tree.leave()


def plain_code(tree: Tree, text: str, attributes: dict[str, str]) -> None:
    add(add(tree.here, "pre"), "code", attributes).text = code(text)


def html_block(tree: Tree, token: Token) -> None:
    tree.html(raw.published(tree.sheet, token.content).rstrip("\n"))
    for block in token.meta.get("blocks", ()):
        placed(tree, block)
    if token.meta.get("contents"):
        add(tree.here, "p").text = tree.host.contents


def term(tree: Tree, token: Token) -> None:
    tree.enter("dt", {**({"id": token.meta["id"]} if token.meta.get("id") else {}), **token.attrs})


def heading(tree: Tree, token: Token) -> None:
    """With an empty element for each id that it had before, so that what points there still arrives."""
    tree.enter(token.tag, token.attrs)
    for old in tree.sheet.old_ids.get(str(token.attrs.get("id", "")), ()):
        add(tree.here, "span", {"id": old})


def html_open(tree: Tree, token: Token) -> None:
    """HTML with Markdown inside; its links are links like any other."""
    name = {"a": "href", "img": "src"}.get(token.tag, "")
    written = str(token.attrs.get(name, ""))
    element = tree.enter(token.tag, {key: value for key, value in token.attrs.items() if key != name})
    if token.meta.get("words"):
        tree.bare.append(element)
    if written:
        element.set(name, attribute(raw.address(tree.sheet, token.tag, written, False) or written))
    elif name:
        tree.host.lost(element, "")


def paragraph(tree: Tree, token: Token) -> None:
    if token.hidden or (tree.bare and any(element is tree.here for element in tree.bare)):
        tree.open.append(tree.here)
    else:
        tree.enter("p", token.attrs)


def math(tree: Tree, token: Token) -> None:
    made = tree.host.math(token.content, inline=False)
    if made is not None:
        tree.here.append(made)


def rule(tree: Tree, _token: Token) -> None:
    add(tree.here, "hr")


def nothing(_tree: Tree, _token: Token) -> None:
    """Was dealt with before."""


MADE: dict[str, Callable[[Tree, Token], None]] = {
    "inline": inline,
    "fence": fence,
    "code_block": lambda tree, token: plain_code(tree, token.content, {}),
    "html_block": html_block,
    "heading_open": heading,
    "html_open": html_open,
    "dt_open": term,
    "hr": rule,
    "math_block": math,
    "paragraph_open": paragraph,
    "abbreviation": nothing,
    "list_item_open": boxes.item,
    "alert_open": boxes.callout,
    "alert_title_open": boxes.callout_title,
    "tabs_open": boxes.tabs,
    "tab_open": boxes.tab,
    "tab_title_open": boxes.tab_title,
    "tab_close": boxes.tab_close,
    "tabs_close": boxes.tabs_close,
    "footnote_reference_open": notes.opened,
}

"""Inline content of a paragraph as elements: emphasis, links, images, code, footnote references."""

from __future__ import annotations

import html as html_html
import re
from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from markdown_it.token import Token

from ..book.inlines import COMMENT, OPAQUE, plain
from ..book.page import Link
from ..source import Span
from .tree import Sheet, Tree, add, attribute, code, literal, say
from .tree import plain as tree_plain

MARKER = re.compile(r"\s*(?:material/|mkdocs|more\s*\Z)")  # comments that other tools look for in the finished page
LINKED = re.compile(
    r"""(<(a|area|img)\b(?:[^<>"']|"[^"]*"|'[^']*')*?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)""",
    re.IGNORECASE,
)


def published(sheet: Sheet, text: str) -> str:
    """HTML of the author with its links resolved and without comments."""
    if OPAQUE.match(text):
        return text
    return LINKED.sub(lambda found: found[1] + linked(sheet, found[2], found[3]), without_comments(text))


def without_comments(text: str) -> str:
    """Remove the author's comments, except those that other tools read."""
    if "<!--" not in text:
        return text
    return COMMENT.sub(lambda found: found[0] if MARKER.match(found[1]) else "", text).strip("\n")


def linked(sheet: Sheet, tag: str, written: str) -> str:
    """The quoted attribute value of a tag, resolved if it is a link in the book."""
    found = address(sheet, tag.lower(), html_html.unescape(written.strip("\"'")), True)
    return f'"{html_html.escape(found)}"' if found else written


def address(sheet: Sheet, tag: str, target: str, built: bool) -> str:
    """The address of the link of a tag; empty if it may stay as it is."""
    kind = "image" if tag == "img" else "html"
    return sheet.address(Link("", target, Span(sheet.page.source, 0, 0), kind, ()), built) or ""


DEEPEST = 200  # nested elements; deeper emphasis is invisible, and recursion over the tree would fail
TAGS = {"s_open": "del"}


def fill(tree: Tree, tokens: Iterable[Token]) -> None:
    """Append inline tokens to the open element."""
    for token in tokens:
        if made := MADE.get(token.type):
            made(tree, token)
        elif token.nesting > 0 and len(tree.open) < DEEPEST:
            tree.enter(TAGS.get(token.type, token.tag), token.attrs)
        elif token.nesting > 0:
            tree.open.append(tree.here)
        elif token.nesting < 0:
            tree.leave()


def text(tree: Tree, token: Token) -> None:
    if places := token.meta.get("literal"):
        say(tree.here, literal(token.content, places))
    elif token.content:
        say(tree.here, tree_plain(token.content))


def code_inline(tree: Tree, token: Token) -> None:
    made = tree.host.code(token.content) if not token.attrs else None
    if isinstance(made, Element):
        tree.here.append(made)
    elif made:
        say(tree.here, made)
    else:
        add(tree.here, "code", token.attrs).text = code(token.content)


def link(tree: Tree, token: Token) -> None:
    attributes = {name: value for name, value in token.attrs.items() if name != "href"}
    go(tree, tree.enter("a", attributes), "href", token)


def image(tree: Tree, token: Token) -> None:
    attributes = {name: value for name, value in token.attrs.items() if name != "src"}
    go(tree, add(tree.here, "img", attributes | {"alt": plain(token.children or [])}), "src", token)


def go(tree: Tree, element: Element, name: str, token: Token) -> None:
    """Set the `href` of a link or the `src` of an image."""
    written = str(token.attrs[name])
    made: Link | None = token.meta.get("link")
    target = tree.sheet.address(made, False) if made else ""
    if target is None:
        tree.host.lost(element, written)
    else:
        element.set(name, attribute(target or written))


def html(tree: Tree, token: Token) -> None:
    if shown := published(tree.sheet, token.content):
        say(tree.here, tree.host.keep(shown))


def note_ref(tree: Tree, token: Token) -> None:
    """The superscript number of a footnote, with an id for the back link."""
    label = str(token.meta["label"])
    times = tree.called[label] = tree.called.get(label, 0) + 1
    mark = add(tree.here, "sup", {"id": note_place(label, times)})
    number = list(tree.called).index(label) + 1
    add(mark, "a", {"class": "footnote-ref", "href": f"#fn:{label}"}).text = str(number)


def note_place(label: str, times: int) -> str:
    """The id of a reference to a footnote."""
    return f"fnref{times if times > 1 else ''}:{label}"


def math(tree: Tree, token: Token) -> None:
    made = tree.host.math(token.content, inline=True)
    if made is None:
        say(tree.here, tree_plain(token.content))
    else:
        tree.here.append(made)


def break_line(tree: Tree, _token: Token) -> None:
    add(tree.here, "br")


MADE: dict[str, Callable[[Tree, Token], None]] = {
    "text": text,
    "softbreak": lambda tree, _token: say(tree.here, "\n"),
    "hardbreak": break_line,
    "code_inline": code_inline,
    "link_open": link,
    "image": image,
    "html_inline": html,
    "footnote_ref": note_ref,
    "math_inline": math,
}

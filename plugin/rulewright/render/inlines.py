"""Inline content of a paragraph as elements: emphasis, links, images, code, footnote references."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from markdown_it.token import Token

from ..book.inlines import COMMENT, OPAQUE_TAG, plain_text
from ..book.page import Link
from ..source import Span
from .tree import PageContext, Tree, add_element, append_text, clean_text, escape_attribute, escape_code, mask_literals

TOOL_COMMENT = re.compile(
    r"\s*(?:material/|mkdocs|more\s*\Z)"
)  # comments that other tools look for in the finished page
_LINK_ATTRIBUTE = re.compile(
    r"""(<(a|area|img)\b(?:[^<>"']|"[^"]*"|'[^']*')*?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*'|[^\s"'=<>`]+)""",
    re.IGNORECASE,
)


def resolve_html(page_context: PageContext, text: str) -> str:
    """HTML of the author with its links resolved and without comments."""
    if OPAQUE_TAG.match(text):
        return text
    return _LINK_ATTRIBUTE.sub(
        lambda match: match[1] + _resolve_attribute(page_context, match[2], match[3]), _remove_comments(text)
    )


def _remove_comments(text: str) -> str:
    """Remove the author's comments, except those that other tools read."""
    if "<!--" not in text:
        return text
    return COMMENT.sub(lambda match: match[0] if TOOL_COMMENT.match(match[1]) else "", text).strip("\n")


def _resolve_attribute(page_context: PageContext, tag: str, quoted: str) -> str:
    """The quoted attribute value of a tag, resolved if it is a link in the book."""
    target = resolve_tag_link(page_context, tag.lower(), html.unescape(quoted.strip("\"'")), True)
    return f'"{html.escape(target)}"' if target else quoted


def resolve_tag_link(page_context: PageContext, tag: str, target: str, built: bool) -> str:
    """The address of the link of a tag; empty if it may stay as it is."""
    kind = "image" if tag == "img" else "html"
    return page_context.address(Link("", target, Span(page_context.page.source, 0, 0), kind, ()), built) or ""


_DEEPEST = 200  # nested elements; deeper emphasis is invisible, and recursion over the tree would fail
_TAGS = {"s_open": "del"}


def add_inlines(tree: Tree, tokens: Iterable[Token]) -> None:
    """Append inline tokens to the open element."""
    for token in tokens:
        if add_inline := _INLINE_BUILDERS.get(token.type):
            add_inline(tree, token)
        elif token.nesting > 0 and len(tree.stack) < _DEEPEST:
            tree.enter(_TAGS.get(token.type, token.tag), token.attrs)
        elif token.nesting > 0:
            tree.stack.append(tree.current)
        elif token.nesting < 0:
            tree.leave()


def _add_text(tree: Tree, token: Token) -> None:
    if places := token.meta.get("literal"):
        append_text(tree.current, mask_literals(token.content, places))
    elif token.content:
        append_text(tree.current, clean_text(token.content))


def _add_code(tree: Tree, token: Token) -> None:
    highlighted = tree.host.code(token.content) if not token.attrs else None
    if isinstance(highlighted, Element):
        tree.current.append(highlighted)
    elif highlighted:
        append_text(tree.current, highlighted)
    else:
        add_element(tree.current, "code", token.attrs).text = escape_code(token.content)


def _open_link(tree: Tree, token: Token) -> None:
    attributes = {name: value for name, value in token.attrs.items() if name != "href"}
    _set_address(tree, tree.enter("a", attributes), "href", token)


def _add_image(tree: Tree, token: Token) -> None:
    attributes = {name: value for name, value in token.attrs.items() if name != "src"}
    _set_address(
        tree, add_element(tree.current, "img", attributes | {"alt": plain_text(token.children or [])}), "src", token
    )


def _set_address(tree: Tree, element: Element, name: str, token: Token) -> None:
    """Set the `href` of a link or the `src` of an image."""
    target_text = str(token.attrs[name])
    resolved_link: Link | None = token.meta.get("link")
    target = tree.page_context.address(resolved_link, False) if resolved_link else ""
    if target is None:
        tree.host.mark_broken(element, target_text)
    else:
        element.set(name, escape_attribute(target or target_text))


def _add_html(tree: Tree, token: Token) -> None:
    if resolved := resolve_html(tree.page_context, token.content):
        append_text(tree.current, tree.host.stash(resolved))


def _add_note_ref(tree: Tree, token: Token) -> None:
    """The superscript number of a footnote, with an id for the back link."""
    label = str(token.meta["label"])
    times = tree.note_counts[label] = tree.note_counts.get(label, 0) + 1
    mark = add_element(tree.current, "sup", {"id": note_ref_id(label, times)})
    number = list(tree.note_counts).index(label) + 1
    add_element(mark, "a", {"class": "footnote-ref", "href": f"#fn:{label}"}).text = str(number)


def note_ref_id(label: str, times: int) -> str:
    """The id of a reference to a footnote."""
    return f"fnref{times if times > 1 else ''}:{label}"


def _add_math(tree: Tree, token: Token) -> None:
    formula = tree.host.math(token.content, inline=True)
    if formula is None:
        append_text(tree.current, clean_text(token.content))
    else:
        tree.current.append(formula)


def _add_break(tree: Tree, _token: Token) -> None:
    add_element(tree.current, "br")


_INLINE_BUILDERS: dict[str, Callable[[Tree, Token], None]] = {
    "text": _add_text,
    "softbreak": lambda tree, _token: append_text(tree.current, "\n"),
    "hardbreak": _add_break,
    "code_inline": _add_code,
    "link_open": _open_link,
    "image": _add_image,
    "html_inline": _add_html,
    "footnote_ref": _add_note_ref,
    "math_inline": _add_math,
}

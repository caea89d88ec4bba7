"""Converts the tokens of a page to the element tree of Python-Markdown: blocks, callouts, tabs, footnotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString
from markdown_it.token import Token

from ..book.page import Block
from .inlines import add_inlines, note_ref_id, resolve_html, resolve_tag_link
from .tree import Host, PageContext, Tree, add_element, append_text, escape_attribute, escape_code

_CALLOUT_START = "[!"
_CALLOUT = re.compile(r"\[!([\w-]+(?: [\w-]+)*)\]([+-]?)(?:[ \t]+|(?=\n)|\Z)")
_CALLOUT_TYPES = {
    "important": "info", "caution": "danger", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "attention": "warning",
    "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote",
}  # fmt: skip


class _TitleSplit(NamedTuple):
    """The inline tokens of a paragraph: those of its first line, and the rest."""

    title: list[Token]
    rest: list[Token]


def _callout_classes(kind: str) -> str:
    """The CSS classes of a callout: the author's word, and the known type that it looks like."""
    words = kind.lower().split()
    return " ".join(dict.fromkeys([*words, *(_CALLOUT_TYPES[word] for word in words if word in _CALLOUT_TYPES)]))


def _convert_callouts(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a page, with blockquotes that begin with `[!type]` converted to callouts."""
    folds: list[bool | None] = []  # for each open quote: None if no callout, else whether it folds
    number = 0
    while number < len(tokens):
        token, match = tokens[number], _match_callout(tokens, number)
        if token.type == "blockquote_open":
            folds.append(bool(match[2]) if match else None)
        if match:
            yield from _callout_tokens(match, tokens[number + 2])
            number += 4
            continue
        fold = folds.pop() if token.type == "blockquote_close" else None
        yield token if fold is None else Token("box_close", "details" if fold else "div", -1)
        number += 1


def _match_callout(tokens: Sequence[Token], number: int) -> re.Match[str] | None:
    """The match of the callout marker, if this token opens such a blockquote."""
    if tokens[number].type != "blockquote_open" or tokens[number + 1].type != "paragraph_open":
        return None
    inline = tokens[number + 2]
    match = _CALLOUT.match(inline.content)
    first = inline.children[0] if inline.children else None
    return match if match and first and first.type == "text" and first.content.startswith(match[0].rstrip()) else None


def _callout_tokens(match: re.Match[str], inline: Token) -> Iterator[Token]:
    """The tokens that open a callout: box, title, and the rest of its first paragraph."""
    kind, fold = match[1], match[2]
    attributes: dict[str, str | int | float] = {
        "class": _callout_classes(kind) if fold else f"admonition {_callout_classes(kind)}"
    }
    yield Token(
        "box_open", "details" if fold else "div", 1, attrs=attributes | ({"open": "open"} if fold == "+" else {})
    )
    words = _split_title(inline, len(match[0]))
    title = words.title or [Token("text", "", 0, content=kind.capitalize())]
    yield Token("box_title_open", "summary" if fold else "p", 1, attrs={} if fold else {"class": "admonition-title"})
    yield Token("inline", "", 0, children=title)
    yield Token("box_title_close", "", -1)
    if words.rest:
        yield Token("paragraph_open", "p", 1)
        yield Token("inline", "", 0, children=words.rest)
        yield Token("paragraph_close", "p", -1)


def _split_title(inline: Token, start: int) -> _TitleSplit:
    """Split the first paragraph of a callout into title and rest, without changing the tokens of the page."""
    children = inline.children or []
    first = children[0]
    mark = min(start, len(first.content))
    literal = [offset - mark for offset in first.meta.get("literal", ()) if offset >= mark]
    shorter = first.copy(content=first.content[mark:], meta={**first.meta, "literal": literal})
    every = [shorter, *children[1:]] if shorter.content else children[1:]
    end = next(
        (n for n, child in enumerate(every) if child.type in ("softbreak", "hardbreak") and not child.level), None
    )
    return _TitleSplit(every, []) if end is None else _TitleSplit(every[:end], every[end + 1 :])


ALERT_TYPES = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "info", "WARNING": "warning", "CAUTION": "danger"}
_GROUP = "__tabbed_"


def _open_callout(tree: Tree, token: Token) -> None:
    tree.enter("div", {"class": f"admonition {_callout_classes(str(token.meta['kind']))}"})


def _open_callout_title(tree: Tree, _token: Token) -> None:
    tree.enter("p", {"class": "admonition-title"})


def _open_item(tree: Tree, token: Token) -> None:
    """A list item; that of a task list has a checkbox."""
    element = tree.enter("li", token.attrs)
    if "checked" not in token.meta:
        return
    done = bool(token.meta["checked"])
    control = add_element(element, "label", {"class": "task-list-control"})
    box = {
        "type": "checkbox",
        "disabled": "disabled",
        "aria-label": tree.page_context.words("done" if done else "to do"),
    }
    add_element(control, "input", box | ({"checked": "checked"} if done else {}))
    add_element(control, "span", {"class": "task-list-indicator"})
    control.tail = " "


def _open_tabs(tree: Tree, _token: Token) -> None:
    """A tab set in the markup of pymdownx.tabbed: radio buttons, labels, contents."""
    tree.tab_sets += 1
    top = tree.enter("div", {"class": "tabbed-set tabbed-alternate", "data-tabs": f"{tree.tab_sets}:0"})
    add_element(top, "div", {"class": "tabbed-labels"})
    tree.enter("div", {"class": "tabbed-content"})


def _open_tab(tree: Tree, token: Token) -> None:
    """Add the radio button of a tab and open its content."""
    content, top = tree.stack[-1], tree.stack[-2]
    number, group = len(content) + 1, _tab_group(top)
    radio = Element("input", {"id": f"{group}_{number}", "name": group, "type": "radio"})
    top.insert(number - 1, radio)
    if number == 1 or "+" in token.markup:
        for other in top[: number - 1]:
            other.attrib.pop("checked", None)
        radio.set("checked", "checked")
    top.set("data-tabs", f"{group.removeprefix(_GROUP)}:{number}")
    tree.enter("div", token.attrs)


def _open_tab_title(tree: Tree, _token: Token) -> None:
    """Open the label of a tab, which is among the other labels until the title ends."""
    top, number = tree.stack[-3], len(tree.stack[-2])
    labels = next(part for part in top if part.get("class") == "tabbed-labels")
    tree.stack.append(add_element(labels, "label", {"for": f"{_tab_group(top)}_{number}"}))


def _tab_group(top: Element) -> str:
    """The name of the radio buttons of a tab set."""
    return _GROUP + top.get("data-tabs", "").partition(":")[0]


def _close_tab(tree: Tree, _token: Token) -> None:
    tree.leave()


def _close_tabs(tree: Tree, _token: Token) -> None:
    tree.leave()
    tree.leave()


_BACK = "\u21a9\ufe0e"  # as text, not as emoji


def _open_note(tree: Tree, token: Token) -> None:
    """Collect a footnote outside of the tree until the end of the page."""
    note = Element("li")
    tree.notes.setdefault(str(token.meta["label"]), note)
    tree.stack.append(note)


def _append_notes(tree: Tree) -> None:
    """Append the footnotes in the order of their first references, then the unreferenced ones."""
    if not tree.notes:
        return
    order = [*(label for label in tree.note_counts if label in tree.notes)]
    order += [label for label in tree.notes if label not in tree.note_counts]
    place = add_element(tree.root, "div", {"class": "footnote"})
    add_element(place, "hr")
    items = add_element(place, "ol")
    for number, label in enumerate(order, 1):
        note = tree.notes[label]
        note.set("id", f"fn:{label}")
        _append_back_links(tree, note, label, number)
        items.append(note)


def _append_back_links(tree: Tree, note: Element, label: str, number: int) -> None:
    """Append a back link for each reference to the end of the note."""
    last = note[-1] if len(note) and note[-1].tag == "p" else SubElement(note, "p")
    for times in range(1, tree.note_counts.get(label, 0) + 1):
        if len(last) or last.text:
            append_text(last, "\u00a0")
        title = tree.page_context.words("back to note", number=number)
        back = {"class": "footnote-backref", "href": f"#{note_ref_id(label, times)}", "title": title}
        add_element(last, "a", back).text = _BACK


MARKER_TAGS = {"==": "mark", "^^": "ins"}  # markers that extensions read only within one text node


def _wrap_pairs(element: Element, tags: Mapping[str, str]) -> None:
    """Wrap the text between each pair of markers, such as `==`, in an element.

    An extension does this only within one text node; here children may be between the markers.
    """
    for marker, tag in tags.items():
        while (first := _find_opening(element, marker)) is not None:
            last = _find_closing(element, marker, first)
            if last is None:
                break
            _wrap_range(element, marker, tag, first, last)


def _find_opening(element: Element, marker: str) -> int | None:
    """The first text node with an unpaired opening marker.

    Node 0 precedes the first child, node n follows the n-th child.
    """
    for number in range(len(element)):
        text = _text_node(element, number)
        if text.count(marker) % 2 and not text.rpartition(marker)[2][:1].isspace():
            return number
    return None


def _find_closing(element: Element, marker: str, first: int) -> int | None:
    """The first later text node with an unpaired closing marker."""
    for number in range(first + 1, len(element) + 1):
        text = _text_node(element, number)
        if text.count(marker) % 2:
            return None if text.partition(marker)[0][-1:].isspace() else number
    return None


def _wrap_range(element: Element, marker: str, tag: str, first: int, last: int) -> None:
    """Move everything between two markers into a new element."""
    before, _, inside = _text_node(element, first).rpartition(marker)
    ending, _, behind = _text_node(element, last).partition(marker)
    wrapper = Element(tag)
    wrapper.text, wrapper.tail = inside, behind
    for child in element[first:last]:
        element.remove(child)
        wrapper.append(child)
    wrapper[-1].tail = ending
    element.insert(first, wrapper)
    if first:
        element[first - 1].tail = before
    else:
        element.text = before


def _text_node(element: Element, number: int) -> str:
    """A text node of an element by its number; empty for text that is final."""
    text = (element[number - 1].tail if number else element.text) or ""
    return "" if isinstance(text, AtomicString) else text


def build_tree(page_context: PageContext, host: Host) -> Element:
    """Convert a page to an element tree, its footnotes at the end."""
    tree = Tree(page_context, host)
    for token in page_context.page.tokens:
        if token.type == "abbreviation":  # first, because an abbreviation also applies above its definition
            host.abbreviate(token.info, token.meta["means"])
    _add_tokens(
        tree,
        _convert_callouts(page_context.page.tokens)
        if _CALLOUT_START in page_context.page.source.text
        else page_context.page.tokens,
    )
    _append_notes(tree)
    tree.root[1:1] = tree.deferred
    return tree.root


def _add_tokens(tree: Tree, tokens: Iterable[Token]) -> None:
    """Add the tokens to the tree."""
    for token in tokens:
        if add_token := _TOKEN_BUILDERS.get(token.type):
            add_token(tree, token)
        elif token.hidden:
            tree.stack.append(tree.current) if token.nesting > 0 else tree.leave()
        elif token.nesting > 0:
            tree.enter(token.tag, token.attrs)
        elif token.nesting < 0:
            tree.leave()


def _add_inline_token(tree: Tree, token: Token) -> None:
    """Add inline content, or the placeholder of the table of contents."""
    if token.meta.get("contents"):
        tree.current.text = tree.host.contents
    else:
        add_inlines(tree, token.children or [])
        if len(tree.current) and any(marker in token.content for marker in tree.host.markers):
            _wrap_pairs(tree.current, tree.host.markers)


def _add_fence(tree: Tree, token: Token) -> None:
    """Add a block as its card, or code as the host highlights it."""
    if block := token.meta.get("block"):
        _add_block(tree, block)
        return
    placeholder = tree.host.fence(token.info.strip(), token.content)
    if placeholder:
        tree.add_placeholder(placeholder)
        return
    word = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
    _add_code(tree, token.content, {"class": f"language-{word.strip('{}.')}"} if word else {})


def _add_block(tree: Tree, block: Block) -> None:
    """A block with its id; a hidden block becomes an empty element with the id."""
    if not block.shown:
        first = tree.current is tree.root and not len(tree.root)  # a title must stay the first element of its page
        (tree.deferred if first else tree.current).append(Element("span", {"id": escape_attribute(block.id)}))
        return
    tree.enter("div", {"class": "rulewright-block", "id": block.id})
    placeholder = tree.host.fence("toml", block.text.content) if block.kind == "game" else None
    if placeholder:
        tree.add_placeholder(placeholder)
    else:
        tree.add_html(tree.page_context.card(block))
    tree.leave()


def _add_code(tree: Tree, text: str, attributes: dict[str, str]) -> None:
    add_element(add_element(tree.current, "pre"), "code", attributes).text = escape_code(text)


def _add_html(tree: Tree, token: Token) -> None:
    """Add HTML of the author, with its links resolved."""
    tree.add_html(resolve_html(tree.page_context, token.content).rstrip("\n"))
    for block in token.meta.get("blocks", ()):
        _add_block(tree, block)
    if token.meta.get("contents"):
        add_element(tree.current, "p").text = tree.host.contents


def _open_term(tree: Tree, token: Token) -> None:
    tree.enter("dt", {**({"id": token.meta["id"]} if token.meta.get("id") else {}), **token.attrs})


def _open_heading(tree: Tree, token: Token) -> None:
    """A heading with an empty element for each former id, so that old links still work."""
    own = str(token.attrs.get("id", ""))
    tree.enter(token.tag, {**token.attrs, "id": tree.page_context.heading_ids.get(own, own)})
    for old in tree.page_context.former_ids.get(own, ()):
        add_element(tree.current, "span", {"id": old})


def _open_html(tree: Tree, token: Token) -> None:
    """An HTML element with Markdown inside, with its link resolved."""
    name = {"a": "href", "img": "src"}.get(token.tag, "")
    target = str(token.attrs.get(name, ""))
    element = tree.enter(token.tag, {key: value for key, value in token.attrs.items() if key != name})
    if token.meta.get("words"):
        tree.inline_only.append(element)
    if target:
        element.set(name, escape_attribute(resolve_tag_link(tree.page_context, token.tag, target, False) or target))
    elif name:
        tree.host.mark_broken(element, "")


def _open_paragraph(tree: Tree, token: Token) -> None:
    """A paragraph, unless its element contains only inline content."""
    if token.hidden or (tree.inline_only and any(element is tree.current for element in tree.inline_only)):
        tree.stack.append(tree.current)
    else:
        tree.enter("p", token.attrs)


def _add_math(tree: Tree, token: Token) -> None:
    formula = tree.host.math(token.content, inline=False)
    if formula is not None:
        tree.current.append(formula)


def _add_rule(tree: Tree, _token: Token) -> None:
    add_element(tree.current, "hr")


def _skip_token(_tree: Tree, _token: Token) -> None:
    """Already handled."""


_TOKEN_BUILDERS: dict[str, Callable[[Tree, Token], None]] = {
    "inline": _add_inline_token,
    "fence": _add_fence,
    "code_block": lambda tree, token: _add_code(tree, token.content, {}),
    "html_block": _add_html,
    "heading_open": _open_heading,
    "html_open": _open_html,
    "dt_open": _open_term,
    "hr": _add_rule,
    "math_block": _add_math,
    "paragraph_open": _open_paragraph,
    "abbreviation": _skip_token,
    "list_item_open": _open_item,
    "alert_open": _open_callout,
    "alert_title_open": _open_callout_title,
    "tabs_open": _open_tabs,
    "tab_open": _open_tab,
    "tab_title_open": _open_tab_title,
    "tab_close": _close_tab,
    "tabs_close": _close_tabs,
    "footnote_reference_open": _open_note,
}

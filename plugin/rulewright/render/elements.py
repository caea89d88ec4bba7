"""Converts the tokens of a page to the element tree of Python-Markdown: blocks, callouts, tabs, footnotes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AtomicString
from markdown_it.token import Token

from ..book.page import Block
from .inlines import address, fill, note_place, published
from .tree import Host, Sheet, Tree, add, attribute, code, say

MARK = "[!"
CALLOUT = re.compile(r"\[!([\w-]+(?: [\w-]+)*)\]([+-]?)(?:[ \t]+|(?=\n)|\Z)")
LOOKS = {
    "important": "info", "caution": "danger", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "attention": "warning",
    "fail": "failure", "missing": "failure", "error": "danger", "cite": "quote",
}  # fmt: skip


class Words(NamedTuple):
    """The inline tokens of a paragraph: those of its first line, and the rest."""

    title: list[Token]
    rest: list[Token]


def classes(kind: str) -> str:
    """The CSS classes of a callout: the author's word, and the known type that it looks like."""
    words = kind.lower().split()
    return " ".join(dict.fromkeys([*words, *(LOOKS[word] for word in words if word in LOOKS)]))


def with_callouts(tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens of a page, with blockquotes that begin with `[!type]` converted to callouts."""
    folds: list[bool | None] = []  # for each open quote: None if no callout, else whether it folds
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
    """The match of the callout marker, if this token opens such a blockquote."""
    if tokens[number].type != "blockquote_open" or tokens[number + 1].type != "paragraph_open":
        return None
    inline = tokens[number + 2]
    found = CALLOUT.match(inline.content)
    first = inline.children[0] if inline.children else None
    return found if found and first and first.type == "text" and first.content.startswith(found[0].rstrip()) else None


def opened(found: re.Match[str], inline: Token) -> Iterator[Token]:
    """The tokens that open a callout: box, title, and the rest of its first paragraph."""
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
    """Split the first paragraph of a callout into title and rest, without changing the tokens of the page."""
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


CALLOUTS = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "info", "WARNING": "warning", "CAUTION": "danger"}
GROUP = "__tabbed_"


def callout(tree: Tree, token: Token) -> None:
    tree.enter("div", {"class": f"admonition {classes(str(token.meta['kind']))}"})


def callout_title(tree: Tree, _token: Token) -> None:
    tree.enter("p", {"class": "admonition-title"})


def item(tree: Tree, token: Token) -> None:
    """A list item; that of a task list has a checkbox."""
    element = tree.enter("li", token.attrs)
    if "checked" not in token.meta:
        return
    done = bool(token.meta["checked"])
    control = add(element, "label", {"class": "task-list-control"})
    box = {"type": "checkbox", "disabled": "disabled", "aria-label": tree.sheet.words("done" if done else "to do")}
    add(control, "input", box | ({"checked": "checked"} if done else {}))
    add(control, "span", {"class": "task-list-indicator"})
    control.tail = " "


def tabs(tree: Tree, _token: Token) -> None:
    """A tab set in the markup of pymdownx.tabbed: radio buttons, labels, contents."""
    tree.tabs += 1
    top = tree.enter("div", {"class": "tabbed-set tabbed-alternate", "data-tabs": f"{tree.tabs}:0"})
    add(top, "div", {"class": "tabbed-labels"})
    tree.enter("div", {"class": "tabbed-content"})


def tab(tree: Tree, token: Token) -> None:
    """Add the radio button of a tab and open its content."""
    content, top = tree.open[-1], tree.open[-2]
    number, group = len(content) + 1, group_of(top)
    made = Element("input", {"id": f"{group}_{number}", "name": group, "type": "radio"})
    top.insert(number - 1, made)
    if number == 1 or "+" in token.markup:
        for other in top[: number - 1]:
            other.attrib.pop("checked", None)
        made.set("checked", "checked")
    top.set("data-tabs", f"{group.removeprefix(GROUP)}:{number}")
    tree.enter("div", token.attrs)


def tab_title(tree: Tree, _token: Token) -> None:
    """Open the label of a tab, which is among the other labels until the title ends."""
    top, number = tree.open[-3], len(tree.open[-2])
    labels = next(part for part in top if part.get("class") == "tabbed-labels")
    tree.open.append(add(labels, "label", {"for": f"{group_of(top)}_{number}"}))


def group_of(top: Element) -> str:
    """The name of the radio buttons of a tab set."""
    return GROUP + top.get("data-tabs", "").partition(":")[0]


def tab_close(tree: Tree, _token: Token) -> None:
    tree.leave()


def tabs_close(tree: Tree, _token: Token) -> None:
    tree.leave()
    tree.leave()


BACK = "\u21a9\ufe0e"  # as text, not as emoji


def notes_opened(tree: Tree, token: Token) -> None:
    """Collect a footnote outside of the tree until the end of the page."""
    note = Element("li")
    tree.notes.setdefault(str(token.meta["label"]), note)
    tree.open.append(note)


def at_the_end(tree: Tree) -> None:
    """Append the footnotes in the order of their first references, then the unreferenced ones."""
    if not tree.notes:
        return
    order = [*(label for label in tree.called if label in tree.notes)]
    order += [label for label in tree.notes if label not in tree.called]
    place = add(tree.root, "div", {"class": "footnote"})
    add(place, "hr")
    items = add(place, "ol")
    for number, label in enumerate(order, 1):
        note = tree.notes[label]
        note.set("id", f"fn:{label}")
        ways_back(tree, note, label, number)
        items.append(note)


def ways_back(tree: Tree, note: Element, label: str, number: int) -> None:
    """Append a back link for each reference to the end of the note."""
    last = note[-1] if len(note) and note[-1].tag == "p" else SubElement(note, "p")
    for times in range(1, tree.called.get(label, 0) + 1):
        if len(last) or last.text:
            say(last, "\u00a0")
        title = tree.sheet.words("back to note", number=number)
        back = {"class": "footnote-backref", "href": f"#{note_place(label, times)}", "title": title}
        add(last, "a", back).text = BACK


TAGS = {"==": "mark", "^^": "ins"}  # markers that extensions read only within one text node


def paired(element: Element, tags: Mapping[str, str]) -> None:
    """Wrap the text between each pair of markers, such as `==`, in an element.

    An extension does this only within one text node; here children may be between the markers.
    """
    for sign, tag in tags.items():
        while (first := opening(element, sign)) is not None:
            last = closing(element, sign, first)
            if last is None:
                break
            wrap(element, sign, tag, first, last)


def opening(element: Element, sign: str) -> int | None:
    """The first text node with an unpaired opening marker.

    Node 0 precedes the first child, node n follows the n-th child.
    """
    for number in range(len(element)):
        text = words(element, number)
        if text.count(sign) % 2 and not text.rpartition(sign)[2][:1].isspace():
            return number
    return None


def closing(element: Element, sign: str, first: int) -> int | None:
    """The first later text node with an unpaired closing marker."""
    for number in range(first + 1, len(element) + 1):
        text = words(element, number)
        if text.count(sign) % 2:
            return None if text.partition(sign)[0][-1:].isspace() else number
    return None


def wrap(element: Element, sign: str, tag: str, first: int, last: int) -> None:
    """Move everything between two markers into a new element."""
    before, _, inside = words(element, first).rpartition(sign)
    ending, _, behind = words(element, last).partition(sign)
    made = Element(tag)
    made.text, made.tail = inside, behind
    for child in element[first:last]:
        element.remove(child)
        made.append(child)
    made[-1].tail = ending
    element.insert(first, made)
    if first:
        element[first - 1].tail = before
    else:
        element.text = before


def words(element: Element, number: int) -> str:
    """A text node of an element by its number; empty for text that is final."""
    text = (element[number - 1].tail if number else element.text) or ""
    return "" if isinstance(text, AtomicString) else text


def elements(sheet: Sheet, host: Host) -> Element:
    """Convert a page to an element tree, its footnotes at the end."""
    tree = Tree(sheet, host)
    for token in sheet.page.tokens:
        if token.type == "abbreviation":  # first, because an abbreviation also applies above its definition
            host.abbreviate(token.info, token.meta["means"])
    build(tree, with_callouts(sheet.page.tokens) if MARK in sheet.page.source.text else sheet.page.tokens)
    at_the_end(tree)
    tree.root[1:1] = tree.later
    return tree.root


def build(tree: Tree, tokens: Iterable[Token]) -> None:
    """Add the tokens to the tree."""
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
    """Add inline content, or the placeholder of the table of contents."""
    if token.meta.get("contents"):
        tree.here.text = tree.host.contents
    else:
        fill(tree, token.children or [])
        if len(tree.here) and any(sign in token.content for sign in tree.host.signs):
            paired(tree.here, tree.host.signs)


def fence(tree: Tree, token: Token) -> None:
    """Add a block as its card, or code as the host highlights it."""
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
    """A block with its id; a hidden block becomes an empty element with the id."""
    if not block.shown:
        first = tree.here is tree.root and not len(tree.root)  # a title must stay the first element of its page
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
    """Add HTML of the author, with its links resolved."""
    tree.html(published(tree.sheet, token.content).rstrip("\n"))
    for block in token.meta.get("blocks", ()):
        placed(tree, block)
    if token.meta.get("contents"):
        add(tree.here, "p").text = tree.host.contents


def term(tree: Tree, token: Token) -> None:
    tree.enter("dt", {**({"id": token.meta["id"]} if token.meta.get("id") else {}), **token.attrs})


def heading(tree: Tree, token: Token) -> None:
    """A heading with an empty element for each former id, so that old links still work."""
    tree.enter(token.tag, token.attrs)
    for old in tree.sheet.old_ids.get(str(token.attrs.get("id", "")), ()):
        add(tree.here, "span", {"id": old})


def html_open(tree: Tree, token: Token) -> None:
    """An HTML element with Markdown inside, with its link resolved."""
    name = {"a": "href", "img": "src"}.get(token.tag, "")
    written = str(token.attrs.get(name, ""))
    element = tree.enter(token.tag, {key: value for key, value in token.attrs.items() if key != name})
    if token.meta.get("words"):
        tree.bare.append(element)
    if written:
        element.set(name, attribute(address(tree.sheet, token.tag, written, False) or written))
    elif name:
        tree.host.lost(element, "")


def paragraph(tree: Tree, token: Token) -> None:
    """A paragraph, unless its element contains only inline content."""
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
    """Already handled."""


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
    "list_item_open": item,
    "alert_open": callout,
    "alert_title_open": callout_title,
    "tabs_open": tabs,
    "tab_open": tab,
    "tab_title_open": tab_title,
    "tab_close": tab_close,
    "tabs_close": tabs_close,
    "footnote_reference_open": notes_opened,
}

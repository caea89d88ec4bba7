"""Paragraphs, lists, boxes, tables: one small function for each kind of node."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from markdown_it.token import Token

from ...book.model import Block
from ..boxes import CALLOUTS
from . import raw, tables
from .inlines import inlines, place
from .marks import call, content, label, quoted, text
from .nodes import Node, nest, words
from .press import UNSEEN
from .print import Print

ALIASES = {  # other words of the theme for the kinds of boxes
    "seealso": "note", "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip", "important": "tip",
    "check": "success", "done": "success", "help": "question", "faq": "question", "caution": "warning",
    "attention": "warning", "fail": "failure", "missing": "failure", "error": "danger", "snippet": "example",
    "cite": "quote",
}  # fmt: skip
TICKED, OPEN = "☑ ", "☐ "
PLAIN = ("text", "txt", "plain")  # words for code that is none
LEADING = (":", "：")
SAID = re.compile(r'(?:#|#raw\()"[^"]')  # words that will be seen


def printed(sheet: Print, tokens: Iterable[Token]) -> str:
    """A whole page; its footnotes are read first, because they stand where the text calls for them."""
    tree = nest(tokens)
    for node in walk(tree):
        if node.kind == "footnote_reference":
            sheet.notes.setdefault(str(node.token.meta["label"]), blocks(sheet, node.inner).strip())
    return blocks(sheet, tree)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from walk(node.inner)


def blocks(sheet: Print, nodes: Iterable[Node]) -> str:
    return "".join(block(sheet, node) for node in nodes)


def block(sheet: Print, node: Node) -> str:
    made = MADE.get(node.kind)
    return made(sheet, node) if made else blocks(sheet, node.inner)


def paragraph(sheet: Print, node: Node) -> str:
    inside = "".join(line(sheet, one) for one in node.inner)
    if not inside:
        return ""
    if node.token.hidden:
        return inside + anchor(sheet, node) + "\n"
    return (call("lead", body=inside + anchor(sheet, node)) if leads(node) else inside + anchor(sheet, node)) + "\n\n"


def leads(node: Node) -> bool:
    """Does a paragraph announce what comes next, or stand above it as its name?"""
    parts = [part for one in node.inner for part in one.inner if words([part]).strip()]
    return bool(parts) and (words(parts).rstrip().endswith(LEADING) or [part.kind for part in parts] == ["strong"])


def line(sheet: Print, node: Node) -> str:
    return "" if node.token.meta.get("contents") else inlines(sheet, node.inner)


def heading(sheet: Print, node: Node) -> str:
    """No level is left out: readers who hear the page count on it. A heading without words is no title of anything."""
    mark = sheet.label_of(str(node.token.attrs["id"]))
    title, below = title_of(sheet, node)
    if not title:
        return place(sheet, str(node.token.attrs["id"])) + below
    sheet.level = level = min(int(node.token.tag[1]) + sheet.depth, sheet.level + 1)
    made = call("heading", level=str(level), body=title)
    if mark not in sheet.placed:
        sheet.placed.add(mark)
        made += label(mark)
    return f"{made}\n\n{below}"


def title_of(sheet: Print, node: Node) -> tuple[str, str]:
    """The words of a heading, and what stands below it: where pictures are all it has, those, whose words it gets."""
    sheet.in_heading = True
    inside = "".join(line(sheet, one) for one in node.inner)
    sheet.in_heading = False
    if SAID.search(UNSEEN.sub("", inside)):
        return inside, ""
    alt = " ".join(part.token.content for one in node.inner for part in one.inner if part.kind == "image").strip()
    return text(alt), inside + "\n\n" if inside else ""


def anchor(sheet: Print, node: Node) -> str:
    return place(sheet, str(node.token.attrs["id"])) if "id" in node.token.attrs else ""


def items(name: str) -> Callable[[Print, Node], str]:
    def made(sheet: Print, node: Node) -> str:
        inside = [content(item(sheet, one)) for one in node.all("list_item")]
        named = {"start": str(node.token.attrs["start"])} if "start" in node.token.attrs else {}
        return call(name, *inside, tight="true" if is_tight(node) else "false", **named) + "\n\n"

    return made


def item(sheet: Print, node: Node) -> str:
    done = node.token.meta.get("checked")
    return ("" if done is None else text(TICKED if done else OPEN)) + blocks(sheet, node.inner).strip()


def is_tight(node: Node) -> bool:
    return all(one.token.hidden for part in node.inner for one in part.all("paragraph"))


def quote(sheet: Print, node: Node) -> str:
    return call("quote", block="true", body=blocks(sheet, node.inner).strip()) + "\n\n"


def box(sheet: Print, node: Node) -> str:
    """A note, a warning, a fold that is always open on paper: its title, then what it holds."""
    titles = [one for one in node.inner if one.kind in ("admonition_title", "summary", "alert_title")]
    title = "".join(inlines(sheet, part.inner) for one in titles for part in one.inner)
    body = blocks(sheet, (one for one in node.inner if one not in titles)).strip()
    return call("box-of", quoted(kind_of(node)), content(title), body=body) + "\n\n"


def kind_of(node: Node) -> str:
    if node.kind == "alert":
        return CALLOUTS.get(str(node.token.meta["kind"]).upper(), "note")
    name = (node.token.info or "note").split(" ")[0].lower()
    return ALIASES.get(name, name)


def tab(sheet: Print, node: Node) -> str:
    """Tabs follow one another, each below its title."""
    title = "".join(inlines(sheet, part.inner) for one in node.all("tab_title") for part in one.inner)
    return call("tab-of", content(title), body=blocks(sheet, (o for o in node.inner if o.kind != "tab_title")).strip())


def definition_list(sheet: Print, node: Node) -> str:
    groups: list[tuple[list[str], list[str]]] = []
    for one in node.inner:
        if one.kind == "dt":
            if not groups or groups[-1][1]:
                groups.append(([], []))
            mark = place(sheet, one.token.meta["id"]) if one.token.meta.get("id") else ""
            groups[-1][0].append(inlines(sheet, (deep for inner in one.inner for deep in inner.inner)) + mark)
        elif groups:
            groups[-1][1].append(blocks(sheet, one.inner).strip())
    made = (f"terms.item([{', '.join(names)}], [{'#parbreak();'.join(texts)}])" for names, texts in groups)
    return call("terms", *made, tight="false") + "\n\n"


def fence(sheet: Print, node: Node) -> str:
    if made := node.token.meta.get("block"):
        return placed(sheet, made)
    return code(node)


def placed(sheet: Print, made: Block) -> str:
    return (place(sheet, made.id) + sheet.card(made) + "\n\n") if made.shown else ""


def code(node: Node) -> str:
    language = node.token.info.split(maxsplit=1)[0].strip("{}.") if node.token.info.strip() else ""
    named = {"lang": quoted(language)} if language.isalnum() and language not in PLAIN else {}
    return call("raw", quoted(node.token.content.rstrip("\n")), block="true", **named) + "\n\n"


def html(sheet: Print, node: Node) -> str:
    shown = "".join(place(sheet, made.id) for made in node.token.meta.get("blocks", ()) if made.shown)
    return shown + "".join(text(told) + "\n\n" for told in raw.lines(node.token.content))


def nothing(_sheet: Print, _node: Node) -> str:
    return ""


MADE: dict[str, Callable[[Print, Node], str]] = {
    "paragraph": paragraph,
    "inline": line,
    "heading": heading,
    "bullet_list": items("list"),
    "ordered_list": items("enum"),
    "blockquote": quote,
    "alert": box,
    "admonition": box,
    "details": box,
    "tab": tab,
    "table": tables.table,
    "dl": definition_list,
    "fence": fence,
    "code_block": lambda _sheet, node: code(node),
    "math_block": lambda _sheet, node: code(node),
    "html_block": html,
    "hr": lambda _sheet, _node: call("rule") + "\n\n",
    "footnote_reference": nothing,
    "abbreviation": nothing,
}

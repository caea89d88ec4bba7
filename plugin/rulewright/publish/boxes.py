"""Callouts, tasks and tabs, as the theme expects them."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from markdown_it.token import Token

from .callouts import classes
from .tree import Tree, add

CALLOUTS = {"NOTE": "note", "TIP": "tip", "IMPORTANT": "info", "WARNING": "warning", "CAUTION": "danger"}
GROUP = "__tabbed_"


def callout(tree: Tree, token: Token) -> None:
    tree.enter("div", {"class": f"admonition {classes(str(token.meta['kind']))}"})


def callout_title(tree: Tree, _token: Token) -> None:
    tree.enter("p", {"class": "admonition-title"})


def item(tree: Tree, token: Token) -> None:
    """An item of a list; that of a task has a box, ticked or not."""
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
    """A set of tabs: a switch for each, the titles, then what they hold."""
    tree.tabs += 1
    top = tree.enter("div", {"class": "tabbed-set tabbed-alternate", "data-tabs": f"{tree.tabs}:0"})
    add(top, "div", {"class": "tabbed-labels"})
    tree.enter("div", {"class": "tabbed-content"})


def tab(tree: Tree, token: Token) -> None:
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
    """The title goes to the others; its label is open until the title ends."""
    top, number = tree.open[-3], len(tree.open[-2])
    labels = next(part for part in top if part.get("class") == "tabbed-labels")
    tree.open.append(add(labels, "label", {"for": f"{group_of(top)}_{number}"}))


def group_of(top: Element) -> str:
    return GROUP + top.get("data-tabs", "").partition(":")[0]


def tab_close(tree: Tree, _token: Token) -> None:
    tree.leave()


def tabs_close(tree: Tree, _token: Token) -> None:
    tree.leave()
    tree.leave()

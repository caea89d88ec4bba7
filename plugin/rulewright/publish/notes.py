"""Footnotes: written anywhere, published at the end of the page."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from markdown_it.token import Token

from .inlines import note_place
from .tree import Tree, add, say

BACK = "\u21a9\ufe0e"  # an arrow, and not its picture


def opened(tree: Tree, token: Token) -> None:
    """The text of a note grows aside."""
    note = Element("li")
    tree.notes.setdefault(str(token.meta["label"]), note)
    tree.open.append(note)


def at_the_end(tree: Tree) -> None:
    """Notes in the order in which the text refers to them, then those that it never does."""
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
    """An arrow for each place that refers to the note, behind its last words."""
    last = note[-1] if len(note) and note[-1].tag == "p" else SubElement(note, "p")
    for times in range(1, tree.called.get(label, 0) + 1):
        if len(last) or last.text:
            say(last, "\u00a0")
        title = tree.sheet.words("back to note", number=number)
        back = {"class": "footnote-backref", "href": f"#{note_place(label, times)}", "title": title}
        add(last, "a", back).text = BACK

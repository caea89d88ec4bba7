"""The index of terms: every word that the book explains, what it says of it, and where."""

from __future__ import annotations

from html import escape

from ...book.slugs import term
from ..terms import Meaning
from .shelf import Shelf, heading, whole


def glossary(shelf: Shelf) -> str:
    """As Markdown; nothing for a book that explains no words."""
    order = [None, *shelf.games]
    found = {folder: meanings for folder, meanings in shelf.glossary.by_game.items() if meanings and folder in order}
    if not found:
        return ""
    words, taken = shelf.words, set[str]()
    parts = [heading(1, words("index of terms"))]
    for folder in sorted(found, key=order.index):
        game = shelf.games[folder] if folder is not None else None
        parts += [heading(2, game.title)] if game else []
        parts.append(listed(shelf, found[folder], taken))
    return whole(parts)


def listed(shelf: Shelf, meanings: list[Meaning], taken: set[str]) -> str:
    """In the order of the alphabet; an id is given once on a page."""
    ordered = sorted({one.name.lower(): one for one in reversed(meanings)}.values(), key=lambda one: one.name.lower())
    return '<dl class="rw-terms">\n' + "\n".join(entry(shelf, one, taken) for one in ordered) + "\n</dl>"


def entry(shelf: Shelf, one: Meaning, taken: set[str]) -> str:
    id_ = term(one.name)
    place = "" if id_ in taken else f' id="{escape(id_)}"'
    taken.add(id_)
    where = f" {shelf.link(one.path, one.anchor, shelf.title(one.path))}" if one.path else ""
    return f"<dt{place}>{escape(one.name)}</dt><dd>{escape(one.text)}{where}</dd>"

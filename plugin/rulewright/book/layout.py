"""Where the running text of a page begins: one walk past all tokens, before anything is read."""

from __future__ import annotations

from typing import NamedTuple

from .model import Page, Trail

BOXES = {"blockquote_open": "quote", "alert_open": "callout", "admonition_open": "box", "details_open": "fold"}
HOLDERS = {*BOXES, "list_item_open", "dd_open", "tab_open"}
OPENINGS = {"paragraph_open", "admonition_title_open", "summary_open"}
CELLS = ("th_open", "td_open")
HEADING, TEXT, HOLDER, BEHIND, TABLE, ROW, CELL = range(7)
ROLES = {
    "heading_open": HEADING,
    **dict.fromkeys(OPENINGS, TEXT),
    **dict.fromkeys(HOLDERS, HOLDER),
    **{name.replace("_open", "_close"): BEHIND for name in HOLDERS},
    "table_open": TABLE,
    "tr_open": ROW,
    **dict.fromkeys(CELLS, CELL),
}


class Opening(NamedTuple):
    """A paragraph, title, quote or box: its first token, the headings above it, and what it stands in."""

    number: int
    trail: Trail
    holder: int  # the token that opens the box, list item or tab around it; -1 without any


class Grid(NamedTuple):
    """A table: its first token, the headings above it, and the tokens that open its cells, row by row."""

    number: int
    trail: Trail
    rows: list[list[int]]


class Layout(NamedTuple):
    """In reading order; a paragraph in a box is there as well as its box."""

    texts: list[Opening]
    boxes: list[Opening]
    tables: list[Grid]
    headings: list[int]


def layout(page: Page) -> Layout:
    found = Layout([], [], [], [])
    headings, trail, holders = iter(page.headings), Trail(), [-1]
    for number, token in enumerate(page.tokens):
        role = ROLES.get(token.type)
        if role is None:
            continue
        if role == CELL:
            found.tables[-1].rows[-1].append(number)
        elif role == TEXT:
            found.texts.append(Opening(number, trail, holders[-1]))
        elif role == ROW:
            found.tables[-1].rows.append([])
        elif role == HEADING:
            above = next(headings, None)
            found.headings.append(number)
            trail = (*above.trail, above.text) if above else trail
        elif role == TABLE:
            found.tables.append(Grid(number, trail, []))
        elif role == BEHIND:
            holders.pop()
        else:
            if token.type in BOXES:
                found.boxes.append(Opening(number, trail, holders[-1]))
            holders.append(number)
    return found

"""Tables of numbers on paper: how large their letters are, and what stands in a cell."""

from __future__ import annotations

import re

from ..cards.grids import Cell, Grid
from .marks import call, content, flag, many, text

OPACITY = re.compile(r'fill-opacity="([0-9.]+)"')
SHARE = re.compile(r'class="rw-share" width="([0-9.]+)"')
WHOLE = "rw-track"  # the ground of a bar that is a share of something
WIDTH, LETTER, BETWEEN = 44, 0.54, 1.1  # of a card, of a letter, of what parts two columns; as high as letters are


def numbers(grid: Grid) -> str:
    head = "".join(f"{content(text(name))}, " for name in (grid.corner, *grid.columns))
    rows = "".join(
        content(call("strong", body=text(name))) + ", " + "".join(map(cell, cells)) + "\n" for name, cells in grid.rows
    )
    barred = any(one.svg and SHARE.search(one.svg) for _, cells in grid.rows for one in cells)
    widths = many(["auto", *["1fr" if barred else "auto"] * len(grid.columns)])
    ways = many(["left", *["right"] * len(grid.columns)])
    table = f"#table(columns: {widths}, align: {ways}, table.header({head}), {rows})"
    return call("numbers", f"{size(grid):.2f}em", body=table)


def size(grid: Grid) -> float:
    """Letters so small that no word has to be parted."""
    longest = [max(len(name) for name in (grid.corner, *(name for name, _ in grid.rows)))]
    longest += [
        max(len(name), *(len(cells[at].text) for _, cells in grid.rows)) for at, name in enumerate(grid.columns)
    ]
    return max(0.6, min(1.0, WIDTH / sum(long * LETTER + BETWEEN for long in longest)))


def cell(one: Cell) -> str:
    if one.svg and (heat := OPACITY.search(one.svg)):
        return f"table.cell(fill: heat({round(float(heat[1]) * 100)}%), {content(text(one.text))}), "
    if one.svg and SHARE.search(one.svg):
        return content(call("gauge", *length(one.svg), body=text(one.text))) + ", "
    return content(text(one.text)) + ", "


def bar(svg: str) -> str:
    return call("bar", *length(svg))


def length(svg: str) -> tuple[str, str]:
    """How long a bar is, and whether what it is a share of is drawn as well."""
    found = SHARE.search(svg)
    return f"{found[1] if found else 0}%", flag(WHOLE in svg)

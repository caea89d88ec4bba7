"""Tables: how wide their columns are, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence

from .inlines import inlines
from .marks import call, content, flag, many
from .nodes import Node, words
from .print import Print

LINE, COLUMN = 78, 36  # so many letters fit on a line of the whole width, of one of two columns
FEW = 3  # so many columns may have words that go on on a further line
MOST_WORD = 18
LONG = 12  # rows; a table with fewer stays together
SMALL = 0.8  # letters of a table that is too wide are printed smaller


def table(sheet: Print, node: Node) -> str:
    head = [row for part in node.all("thead") for row in part.all("tr")]
    rows = [row for part in node.all("tbody") for row in part.all("tr")]
    cells = [[words(cell.inner) for cell in row.inner] for row in (*head, *rows)]
    widths = columns(cells)
    size, wide = room(cells)
    aligned = many(str(align(cell)) for cell in head[0].inner) if head else "(left,)"
    header = "".join(f"{cell(sheet, one)}, " for row in head for one in row.inner)
    body = ", ".join(cell(sheet, one) for row in rows for one in row.inner)
    parts = [f"columns: {many(widths)}", f"align: {aligned}"]
    given = ", ".join([*parts, f"table.header({header})" if header else "", body])
    return call("grid-of", f"{size}em", flag(wide), flag(len(rows) > LONG), body=f"#table({given})") + "\n"


def cell(sheet: Print, node: Node) -> str:
    return content(inlines(sheet, (one for inner in node.inner for one in inner.inner)))


def align(node: Node) -> str:
    style = str(node.token.attrs.get("style", ""))
    return next((way for way in ("right", "center") if way in style), "left")


def columns(cells: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as their words where there is room; the long ones share what is left by how much they hold."""
    longest = [max((len(text) for text in column), default=0) for column in across(cells)]
    if sum(longest) + 3 * len(longest) <= LINE:
        return ["auto"] * len(longest)
    held = [sum(len(text) for text in column) / max(len(column), 1) for column in across(cells)]
    short = [long <= max(MOST_WORD, LINE // (2 * len(longest))) and long <= LINE // 3 for long in longest]
    if all(short):
        return ["auto"] * len(longest)
    words = [max((len(word) for text in column for word in text.split()), default=0) for column in across(cells)]
    shares = [max(max(share, 8) ** 0.7, word) for share, word in zip(held, words, strict=True)]
    return ["auto" if fits else f"{share:.1f}fr" for fits, share in zip(short, shares, strict=True)]


def room(cells: Sequence[Sequence[str]]) -> tuple[float, bool]:
    """How large the letters are, and whether the table wants both columns of a page."""
    least = sum(max((len(word) for text in column for word in text.split()), default=1) + 3 for column in across(cells))
    total = sum(max((len(text) for text in column), default=0) + 3 for column in across(cells))
    size = 1.0 if least <= LINE else max(LINE / least, 0.5)
    many_columns = max((len(row) for row in cells), default=0) > FEW
    return round(size, 2), least > COLUMN or (many_columns and total > COLUMN)


def across(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in cells), default=0)
    return [[row[place] for row in cells if place < len(row)] for place in range(width)]

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
GAP = 3  # so many letters wide is what parts two columns
LONG = 12  # rows; a table with fewer stays together


def table(sheet: Print, node: Node) -> str:
    head = [row for part in node.all("thead") for row in part.all("tr")]
    rows = [row for part in node.all("tbody") for row in part.all("tr")]
    cells = [[words(cell.inner) for cell in row.inner] for row in (*head, *rows)]
    size, wide = room(cells)
    widths = columns(cells, LINE if wide else sheet.line)
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


def columns(cells: Sequence[Sequence[str]], line: int = LINE) -> list[str]:
    """Columns as wide as their words where there is room; the long ones have room for each word and share what is left
    by how much more they hold."""
    longest = [max((len(text) for text in column), default=0) for column in across(cells)]
    if sum(longest) + GAP * len(longest) <= line:
        return ["auto"] * len(longest)
    short = [long <= max(MOST_WORD, line // (2 * len(longest))) and long <= line // 3 for long in longest]
    if all(short):
        return ["auto"] * len(longest)
    least = [long if fits else word for long, fits, word in zip(longest, short, words_of(cells), strict=True)]
    more = [(long - word) ** 0.7 for long, word in zip(longest, least, strict=True)]
    left = max(line - sum(least) - GAP * len(least), 0) / (sum(more) or 1)
    shares = [word + GAP + left * one for word, one in zip(least, more, strict=True)]
    return ["auto" if fits else f"{share:.1f}fr" for fits, share in zip(short, shares, strict=True)]


def words_of(cells: Sequence[Sequence[str]]) -> list[int]:
    """The length of the longest word of each column."""
    return [max((len(word) for text in column for word in text.split()), default=1) for column in across(cells)]


def room(cells: Sequence[Sequence[str]]) -> tuple[float, bool]:
    """How large the letters are, and whether the table wants both columns of a page."""
    least = sum(word + GAP for word in words_of(cells))
    total = sum(max((len(text) for text in column), default=0) + GAP for column in across(cells))
    size = 1.0 if least <= LINE else max(LINE / least, 0.5)
    many_columns = max((len(row) for row in cells), default=0) > FEW
    return round(size, 2), least > COLUMN or (many_columns and total > COLUMN)


def across(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max((len(row) for row in cells), default=0)
    return [[row[place] for row in cells if place < len(row)] for place in range(width)]

"""Tables of odds and tables of a game: a name for each row, and cells with numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from markupsafe import Markup

from ...checks.model import Checked
from ...checks.odds_table import OddsTable
from ...game.model import SIDES, Rule, Table
from ...game.odds.answer import AROUND, BELOW, BEYOND, Chance
from ..words import Words
from .bars import bar, heat
from .figures import rounded, value
from .formulas import begun, named
from .inputs import Given, given, label_of

DECIMAL = re.compile(r"[.,](\d+)\s*%?$")
RARE = Fraction(1, 2000)  # what is printed as less than 0.1%
RESTS = (BEYOND, BELOW, AROUND)
LONG = 5  # columns; a single row with more is turned, so that it can be read on a phone


class Cell(NamedTuple):
    text: str
    svg: Markup | None = None

    @property
    def is_number(self) -> bool:
        return any(character.isdecimal() for character in self.text[:2]) or not self.text


class Grid(NamedTuple):
    """`wide` tables move sideways on a small screen while their first column stays."""

    name: str
    caption: str
    corner: str
    columns: list[str]
    rows: list[tuple[str, list[Cell]]]
    look: str
    inputs: list[Given]

    @property
    def wide(self) -> bool:
        return len(self.columns) > LONG

    @property
    def wordy(self) -> list[bool]:
        """Columns of numbers stand at the right, columns of words at the left."""
        return [not all(cells[at].is_number for _, cells in self.rows) for at in range(len(self.columns))]


def odds(checked: Checked, words: Words) -> Grid | None:
    table, rule = checked.odds, checked.rule
    if table is None or rule is None:
        return None
    scale, places, table = scale_of(table), decimals(checked, table), without_rare_end(table, words)
    columns = [minus(named(signs(name))) for name in table.columns]
    if has_rest(table):
        columns[-1] = words(table.columns[-1])
    lines = [[cell(one, table, scale, places, words) for one in line] for line in table.values]
    rows = list(zip(map(minus, table.rows), lines, strict=True))
    inputs = [] if rule.contest else given(rule, checked.inputs, words)
    corner = label_of(rule, table.row_name, words)
    grid = Grid(rule.label, caption(table, rule, words), corner, columns, rows, table.look, inputs)
    return turned(grid, table, rule, words) if len(rows) == 1 and len(columns) > 1 else grid


def has_rest(table: OddsTable) -> bool:
    """Whether the last column is for values that are not listed; elsewhere an outcome may be called so."""
    return table.show == "distribution" and table.columns[-1:] != () and table.columns[-1] in RESTS


def without_rare_end(table: OddsTable, words: Words) -> OddsTable:
    """Of an endless distribution, values at the end that hardly ever come are one: «30 or more»."""
    if not has_rest(table) or table.columns[-1] != BEYOND:
        return table
    kept = 1 + max(
        (number for line in table.values for number, one in enumerate(line[:-1]) if one is None or one.high >= RARE),
        default=0,
    )
    if kept >= len(table.columns) - 2:
        return table
    name = words("or more", number=table.columns[kept])
    values = tuple((*line[:kept], together(line[kept:])) for line in table.values)
    return replace(table, columns=(*table.columns[:kept], name), values=values)


def together(chances: Sequence[Chance | None]) -> Chance:
    """The chance that any of them comes; they exclude each other, and leave the same open."""
    known = [one for one in chances if one]
    low = sum((one.low for one in known), Fraction(0))
    return Chance(low, low + max((one.high - one.low for one in known), default=Fraction(0)))


def turned(grid: Grid, table: OddsTable, rule: Rule, words: Words) -> Grid:
    """A single row becomes a column, where it is long or its cells are bars."""
    if len(grid.columns) <= LONG and table.look != "bars":
        return grid
    rows = [(column, [found]) for column, found in zip(grid.columns, grid.rows[0][1], strict=True)]
    return grid._replace(
        corner=label_of(rule, table.column_name, words), columns=[words(f"figure {table.show}")], rows=rows
    )


def scale_of(table: OddsTable) -> float:
    """What fills a cell: certainty, or the largest of values that are far from it or no chances."""
    if table.show == "chance":
        return 1.0
    return max((float(one) for row in table.values for one in row if one), default=1.0) or 1.0


def decimals(checked: Checked, table: OddsTable) -> int:
    """One for percentages and two for means, or as many as the author expects; fewer where all means need fewer."""
    asked = [DECIMAL.search(one.value) for one in checked.block.entries if one.key == "expect"]
    most = max(1 if table.is_chance else 2, *(len(found[1]) for found in asked if found), 0)
    if table.is_chance:
        return most
    exact = [one for row in table.cells for one in row if one is not None]
    return next((few for few in range(most) if all((one * 10**few).denominator == 1 for one in exact)), most)


def cell(found: Chance | None, table: OddsTable, scale: float, places: int, words: Words) -> Cell:
    if found is None:
        return Cell("")
    text, share = rounded(found, table.is_chance, places, words), float(found) / scale
    if table.look == "bars":
        return Cell(text, bar(share, table.show == "chance"))
    return Cell(text, heat(share) if table.look == "heatmap" else None)


def minus(text: str) -> str:
    return text.replace("-", "−") if text.startswith("-") else text


def quantity(table: OddsTable, rule: Rule, words: Words) -> str:
    """«Chance of success»."""
    if not table.of:
        return words("shows outcomes")
    if rule.contest and table.of in SIDES:
        return words("shows winner", side=words(f"side {SIDES.index(table.of) + 1}"))
    return words(f"shows {table.show}", what=named(signs(table.of)))


def caption(table: OddsTable, rule: Rule, words: Words) -> str:
    """What the numbers are, and what runs down and across."""
    what, distribution = quantity(table, rule, words), table.show == "distribution"
    down = inside(label_of(rule, table.row_name, words), words)
    across = "" if distribution else inside(label_of(rule, table.column_name, words), words)
    if down and across:
        return words("by both", what=what, down=down, across=across)
    return words("by one", what=what, by=down or across) if down or across else what


def signs(text: str) -> str:
    return text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠")


def inside(label: str, words: Words) -> str:
    """A label in the middle of a sentence; where nouns have capitals it keeps its own."""
    return label if words.language.startswith("de") or label[1:2].isupper() else label[:1].lower() + label[1:]


def table(checked: Checked, words: Words) -> Grid | None:
    found = checked.table
    if found is None:
        return None
    wanted = [found.columns.index(name) for name in checked.columns or found.columns]
    rows = [(minus(name), cells_of(cells, wanted, words)) for name, cells in lines(found)]
    columns = [words("number") if name == "number" else named(name) for name in (found.columns[one] for one in wanted)]
    return Grid(begun(found.name), "", "", columns, rows, "table", [])


def lines(found: Table) -> list[tuple[str, tuple[Any, ...]]]:
    return [*found.rows.items(), *((span(low, high), cells) for low, high, cells in found.ranges)]


def cells_of(cells: Sequence[Any], wanted: list[int], words: Words) -> list[Cell]:
    return [Cell(value(cells[number], words)) for number in wanted]


def span(low: int | None, high: int | None) -> str:
    """«11–15», «41+», «≤ 0»."""
    if low is None or high is None:
        return f"{low}+" if low is not None else f"≤ {high}".replace("-", "−")
    return (str(low) if low == high else f"{low}–{high}").replace("-", "−")

"""The cells of a table of odds, worked out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..game.odds.answer import AROUND, Chance, Spread
from .answers import Answer, Answers, Refusal, Setup
from .events import Event, Quantity, outcomes_of
from .odds_show import Show
from .odds_table import OddsTable
from .ranges import Axis
from .spreads import spread, spread_over

MOST_COLUMNS = 200
NOTHING = Fraction(0)


@dataclass(frozen=True)
class Layout:
    """A table before it is filled."""

    show: Show
    look: str
    rows: Axis | None
    columns: Axis | None


def fill(layout: Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """The table, or why nothing of it can be worked out."""
    if layout.show.way == "distribution":
        return distribution(layout, setup, answers)
    columns = column_labels(layout, setup)
    lines = [line(layout, setup, answers, name, columns) for name in row_labels(layout)]
    return finished(layout, columns, lines)


def row_labels(layout: Layout) -> tuple[str, ...]:
    return layout.rows.values if layout.rows else ("",)


def column_labels(layout: Layout, setup: Setup) -> tuple[str, ...]:
    if layout.show.way == "outcomes":
        return tuple(outcomes_of(setup.rule))
    return layout.columns.values if layout.columns else (layout.show.of,)


def line(layout: Layout, setup: Setup, answers: Answers, row: str, columns: tuple[str, ...]) -> list[Answer]:
    """One row; all rows share the table that the first one asks for."""
    axes = {axis.name: axis.values for axis in (layout.rows, layout.columns) if axis}
    found = []
    for column in columns:
        quantity = layout.show.quantity or Quantity("chance", Event((column,)))
        cell = ((row,) if layout.rows else ()) + ((column,) if layout.columns else ())
        found.append(answers.table(quantity, setup, axes)[cell])
    return found


def finished(layout: Layout, columns: tuple[str, ...], lines: list[list[Answer]]) -> OddsTable | Refusal:
    """A cell that is refused stays empty; a table must not be empty altogether."""
    refusals = [answer for answers in lines for answer in answers if isinstance(answer, Refusal)]
    if refusals and len(refusals) == sum(map(len, lines)):
        return refusals[0]
    show, rows = layout.show, layout.rows
    values = [tuple(None if isinstance(answer, Refusal) else answer for answer in answers) for answers in lines]
    return OddsTable(
        show="chance" if show.way == "outcomes" else show.way,
        of=show.of,
        look=layout.look,
        row_name=rows.name if rows else "",
        rows=row_labels(layout),
        column_name=layout.columns.name if layout.columns else show.step,
        columns=columns,
        values=tuple(values),
    )


def distribution(layout: Layout, setup: Setup, answers: Answers) -> OddsTable | Refusal:
    """A column for each value that any row can have."""
    axes = {layout.rows.name: layout.rows.values} if layout.rows else {}
    cells = [(name,) for name in layout.rows.values] if layout.rows else [()]
    spreads = [spread(answers, layout.show.step, setup.at(axes, cell)) for cell in cells]
    known = [found for found in spreads if isinstance(found, Spread)]
    values = sorted({value for found in known for value in found.values}, key=lambda value: (str(type(value)), value))
    if len(values) > MOST_COLUMNS:
        return Refusal(f"{layout.show.step} has more than {MOST_COLUMNS} values; show its mean, or a smaller pool")
    rests = {found.rest for found in known if found.beyond}
    whole = [spread_over(answers, layout.show.step, setup.at(axes, cell), values) for cell in cells]
    lines = [shares(found, values, bool(rests)) for found in whole]
    return finished(
        layout, (*map(str, values), *([rests.pop() if len(rests) == 1 else AROUND] if rests else [])), lines
    )


def shares(found: Spread | Refusal, values: list[int | str], endless: bool) -> list[Answer]:
    if isinstance(found, Refusal):
        return [found] * (len(values) + endless)
    parts = [*(found.values.get(value, NOTHING) for value in values), *([found.beyond] if endless else [])]
    return [Chance(share, share + found.unknown) for share in parts]

"""The cells of tables that a value rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..text import Span
from .bounds import Bounds, exactly
from .model import Formula, Rule, Table
from .outline import told
from .program import program
from .ranges import evaluate
from .tree import DICE, Node, names_in, walk


class LookedUp(NamedTuple):
    """A cell, and where it stands."""

    table: Table
    row: int | str
    column: str
    value: Any
    span: Span

    @property
    def said(self) -> str:
        line = self.span.source.place(self.span.start)[0]
        return f"{self.span.source.path}:{line}: {self.table.name}, {self.row}, {self.column}: {self.value}"


def looked_up(rule: Rule, formulas: Iterable[Formula], values: Mapping[str, Any]) -> list[LookedUp]:
    """Each cell that these formulas look at, through all the steps that they rest on; `values` are inputs and steps."""
    made = program(rule)
    formulas = list(formulas)
    needed = made.needed(formulas)
    steps = [step.formula for step in rule.steps if step.name in needed]
    bounds = Bounds({}, {name: exactly(value) for name, value in values.items() if value is not None}, rule.tables)
    found = (cell for formula in dict.fromkeys([*steps, *formulas]) for cell in cells(formula.node, bounds))
    return list(dict.fromkeys(found))


def cells(node: Node, bounds: Bounds) -> Iterator[LookedUp]:
    for inner in reached(node, bounds):
        table, column = bounds.tables[inner.args[0]], inner.args[2]
        row = certain(inner.args[1], bounds)
        number = None if row is None else table.number(row)
        if row is not None and number is not None:
            place = table.columns.index(column)
            yield LookedUp(table, row, column, table.cell(row, place), table.places[number][place])


def reached(node: Node, bounds: Bounds) -> Iterator[Node]:
    """The lookups of a formula, those in branches aside that are not taken."""
    if node.op == "lookup":
        yield node
    inner = list(node.nodes())
    if node.op == "if" and (truth := certain(node.args[0], bounds)) is not None:
        inner = [node.args[0], node.args[1 if truth else 2]]
    for child in inner:
        yield from reached(child, bounds)


def certain(node: Node, bounds: Bounds) -> int | str | None:
    """The value of a formula that does not look at dice; None where it is not known."""
    if any(one.op in DICE for one in walk(node)) or not names_in(node) <= bounds.values.keys():
        return None
    return told(evaluate(node, bounds))

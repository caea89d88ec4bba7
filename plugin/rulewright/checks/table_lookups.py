"""Finds the table cells that a value depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..game.formula import Node, collect_names, needs_dice
from ..game.intervals import Bounds, evaluate_bounds, exact_value
from ..game.model import Formula, Rule, Table
from ..play.bound_rule import certain_value
from ..play.compiled_rule import compile_rule
from ..source import Span


class TableLookup(NamedTuple):
    """A table cell that a formula looks up, with its span."""

    table: Table
    row: int | str
    column: str
    value: Any
    span: Span

    @property
    def description(self) -> str:
        line = self.span.source.position(self.span.start)[0]
        return f"{self.span.source.path}:{line}: {self.table.name}, {self.row}, {self.column}: {self.value}"


def find_lookups(rule: Rule, formulas: Iterable[Formula], values: Mapping[str, Any]) -> list[TableLookup]:
    """The cells that these formulas look up, directly or through steps; `values` are inputs and steps."""
    compiled_rule = compile_rule(rule)
    formulas = list(formulas)
    needed = compiled_rule.collect_dependencies(formulas)
    steps = [step.formula for step in rule.steps if step.name in needed]
    bounds = Bounds({}, {name: exact_value(value) for name, value in values.items() if value is not None}, rule.tables)
    lookups = (
        cell
        for formula in dict.fromkeys([*steps, *formulas])
        for cell in _find_cells(formula.node, bounds, rule.tables)
    )
    return list(dict.fromkeys(lookups))


def _find_cells(node: Node, bounds: Bounds, tables: Mapping[str, Table]) -> Iterator[TableLookup]:
    for inner in _find_reached_lookups(node, bounds):
        table, column = tables[inner.args[0]], inner.args[2]
        if not isinstance(column, str):
            word = _certain_node_value(column, bounds)
            column = next((name for name in table.columns if name.lower() == str(word).lower()), table.columns[-1])
            if not isinstance(word, str):
                continue
        row = _certain_node_value(inner.args[1], bounds)
        number = None if row is None else table.row_index(row)
        if row is not None and number is not None:
            column_index = table.columns.index(column)
            yield TableLookup(
                table, row, column, table.find_cell(row, column_index), table.cell_spans[number][column_index]
            )


def _find_reached_lookups(node: Node, bounds: Bounds) -> Iterator[Node]:
    """The lookups in a formula, except those in branches that are not taken."""
    if node.op == "lookup":
        yield node
    inner = list(node.child_nodes())
    if node.op == "if" and (truth := _certain_node_value(node.args[0], bounds)) is not None:
        inner = [node.args[0], node.args[1 if truth else 2]]
    for child in inner:
        yield from _find_reached_lookups(child, bounds)


def _certain_node_value(node: Node, bounds: Bounds) -> int | str | None:
    """The value of a formula; None if it depends on dice or is unknown."""
    if needs_dice(node) or not collect_names(node) <= bounds.values.keys():
        return None
    return certain_value(evaluate_bounds(node, bounds))

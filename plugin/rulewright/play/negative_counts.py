"""Finds the smallest setting at which there would be fewer than 0 dice of a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from ..game.core import CoreInput, CoreKind, CoreRule
from ..game.dependencies import names_in
from ..game.formula import needs_dice
from ..game.inputs import format_inputs, to_variables
from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value
from .compiled_rule import compile_rule

_MAX_VALUES = 50  # of an input, on either side of the usual one
_MAX_CORNERS = 1000  # settings with the least, the greatest or the usual value of each input


class NegativeCount(NamedTuple):
    """What is said of the dice, and the inputs that decide how many there are."""

    message: str
    inputs: tuple[str, ...]


def find_negative_count(rule: CoreRule, kind: CoreKind) -> NegativeCount | None:
    """A setting with fewer than 0 dice; None if there is none, or if other dice or earlier rounds decide."""
    names = compile_rule(rule).expand_dependencies(names_in(rule, kind.count.node))
    if needs_dice(kind.count.node) or not names <= rule.early_names:
        return None
    entries = [entry for entry in rule.inputs if names & set(entry.variable_names)]
    if rule.rounds and any(entry.name in rule.rounds.carry for entry in entries):
        return None
    choices = {entry.name: _list_values(entry) for entry in entries}
    corners = ([*dict.fromkeys((values[0], values[-2:][0], values[-1]))] for values in choices.values())
    settings = (dict(zip(choices, row, strict=True)) for row in islice(product(*corners), _MAX_CORNERS))
    found = next((values for values in settings if _count(rule, kind, values) < 0), None)
    if found is None:
        return None
    smallest = _make_smaller(rule, kind, found, choices)
    inputs = format_inputs(rule, smallest, to_variables(rule, smallest))
    number = _count(rule, kind, smallest)
    where = f"with {inputs} there would be {number} {kind.name} dice"
    return NegativeCount(f"{where}; write max({kind.count.text}, 0)", tuple(choices))


def _make_smaller(
    rule: CoreRule, kind: CoreKind, values: dict[str, Any], choices: Mapping[str, Sequence[Any]]
) -> dict[str, Any]:
    """The setting with the first value of each input, in turn, that still leaves fewer than 0 dice."""
    for name, known in choices.items():
        tried = ({**values, name: value} for value in known)
        values = next((setting for setting in tried if _count(rule, kind, setting) < 0), values)
    return values


def _count(rule: CoreRule, kind: CoreKind, values: Mapping[str, Any]) -> int:
    """How many dice there are with these inputs; 0 where that is not certain."""
    program, bounds = compile_rule(rule), Bounds({}, {}, rule.tables)
    given = to_variables(rule, {**{entry.name: entry.default for entry in rule.inputs if entry.asked}, **values})
    for name, value in given.items():
        bounds = bounds.with_value(name, exact_value(value))
    for name in program.fixed:
        formula = program.get_formula(name)
        if names_in(rule, formula.node) <= bounds.values.keys():
            found = evaluate_bounds(formula.node, bounds)
            entry = program.asked.get(name)
            if entry is None:
                bounds = bounds.with_value(name, found)
            elif isinstance(found, Interval) and not found.truth:
                bounds = bounds.with_value(name, exact_value(entry.default))
    count = evaluate_bounds(kind.count.node, bounds)
    return int(count.high) if isinstance(count, Interval) else 0


def _list_values(entry: CoreInput) -> list[Any]:
    """The values of an input, the usual one first; of many numbers those near it and both ends."""
    if entry.form == "choice":
        values: list[Any] = list(entry.choices)
    elif entry.form == "die":
        values = sorted(entry.dice)
    elif entry.form == "flag":
        values = [False, True]
    elif entry.form == "code":
        numbers = range(entry.least, min(entry.most, entry.least + _MAX_VALUES) + 1)
        values = [*product(numbers, range(3)), (entry.most, 2)]
    else:
        usual = min(max(entry.default or 0, entry.least), entry.most)
        near = range(max(entry.least, usual - _MAX_VALUES), min(entry.most, usual + _MAX_VALUES) + 1)
        values = [*sorted(near, key=lambda number: abs(number - usual)), entry.least, entry.most]
    return list(dict.fromkeys(([] if entry.default is None else [entry.default]) + values))

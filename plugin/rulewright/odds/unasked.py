"""Odds where no choice can arise: a rule is then one without its questions, and often one that costs much less."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..game.core import CoreRule, Expression, Stage
from ..game.formula import collect_names
from ..game.intervals import ANY_NUMBER, Bounds, Interval, evaluate_bounds, exact_value
from ..play.bound_rule import BoundRule


def without_unasked(setting: BoundRule) -> BoundRule:
    """The same with a rule without choices and entries of `again`, if these inputs leave nothing of both."""
    rule = setting.rule
    choices = [entry for entry in rule.inputs if entry.is_choice]
    if rule.has_rounds or not choices:
        return setting
    names = {name: ANY_NUMBER for entry in rule.inputs for name in entry.variable_names}
    tallies = {f"t{number}": ANY_NUMBER for number in range(len(rule.tallies))}
    known = {name: exact_value(value) for name, value in setting.known.items()}
    bounds = Bounds({}, {**names, **dict.fromkeys(setting.program.order, ANY_NUMBER), **tallies, **known}, rule.tables)
    if not all(entry.asked and _is_at_most_zero(entry.asked, bounds) for entry in choices):
        return setting
    never = {entry.name: entry.default for entry in choices}
    for name, value in never.items():
        bounds = bounds.with_value(name, exact_value(value))
    if not all(_is_at_most_zero(entry.times, bounds) for entry in rule.again):
        return setting
    reduced = rule.cached(("unasked",), lambda: _leave_out(rule, never))
    return BoundRule(reduced, {**setting.values, **never}) if reduced else setting


def _is_at_most_zero(formula: Expression, bounds: Bounds) -> bool:
    worth = evaluate_bounds(formula.node, bounds)
    return isinstance(worth, Interval) and worth.high <= 0


def _leave_out(rule: CoreRule, never: Mapping[str, Any]) -> CoreRule | None:
    """A rule without its choices and entries; None if its dice are not all known at once."""
    first = [rule.order[0].of] if rule.order and rule.order[0].what == "values" else []
    stages = rule.order[len(first) :]
    later = [name for stage in stages if stage.what == "values" for name in stage.of if name not in never]
    later = [name for place, name in enumerate(later) if name not in later[place + 1 :]]
    dice = [stage for stage in stages if stage.what == "dice"]
    earned = tuple(dict.fromkeys(kind for stage in stages if stage.what == "earned" for kind in stage.of))
    if len(dice) != 1 or not _names_of_dice(rule).isdisjoint((*later, *never)):
        return None
    early = [Stage("values", tuple(name for name in of if name not in never)) for of in first]
    order = (*early, *dice, *([Stage("earned", earned)] if earned else []), Stage("values", tuple(later)))
    inputs = (replace(own, asked=None, is_choice=False, goal=None) if own.is_choice else own for own in rule.inputs)
    return replace(rule, inputs=tuple(inputs), again=(), order=order)


def _names_of_dice(rule: CoreRule) -> set[str]:
    """The names that decide what dice do, and what is read from them."""
    formulas: list[Expression | None] = []
    for kind in rule.kinds:
        formulas += [kind.count, kind.sides, *kind.tests.values(), *kind.deck, *kind.throw_formulas.values()]
    formulas += [own.number for own in rule.sets]
    nodes = [formula.node if formula else None for formula in formulas]
    nodes += [node for own in rule.sets for node in (own.by, own.test)]
    nodes += [node for tally in rule.tallies for node in (tally.body, tally.domain)]
    return {name for node in nodes if node for name in collect_names(node)}

"""A rule as sentences put it: kinds of dice one by one, and a kind of which only some dice count like any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

from ...game.core import DiceSet
from ...game.formula import Node
from ...game.lower import lower_rule
from ...game.model import Formula, Rule


def find_kept(rule: Rule) -> dict[str, DiceSet]:
    """The dice that count, of each kind of which the rule looks only at the highest or the lowest."""
    if rule.contest or any(step.is_set for step in rule.steps):
        return {}
    sets = lower_rule(rule).kept_sets
    return {kind.name: kept for kind, kept in zip(rule.dice, sets, strict=True) if kept}


def make_plain(rule: Rule, kept: Mapping[str, DiceSet]) -> Rule:
    """The rule with `sum(a) + sum(b)` for `sum(a, b)`, and with `sum(a)` for the sum of the dice that count."""

    def change(formula: Formula | None) -> Formula | None:
        return replace(formula, node=_make_plain(formula.node, kept)) if formula else None

    rule = _fold_rolls(rule)
    steps = [replace(step, formula=change(step.formula) or step.formula) for step in rule.steps]
    outcomes = [replace(each, when=change(each.when), degree=change(each.degree)) for each in rule.outcomes]
    return replace(rule, steps=tuple(steps), outcomes=tuple(outcomes))


def _fold_rolls(rule: Rule) -> Rule:
    """The rule with the parts of a rule that is rolled several times once, called like the roll."""
    dice, steps = list(rule.dice), list(rule.steps)
    for roll in rule.rolls:
        if len(roll.prefixes) < 2:
            continue
        first, *others = (f"{prefix}." for prefix in roll.prefixes)
        gone, numbered = (*others, f"{roll.name}."), roll.lead.removesuffix(": ")
        dice = [kind for kind in dice if not kind.name.startswith(gone)]
        steps = [step for step in steps if not step.name.startswith(gone)]
        dice = [
            replace(kind, label=kind.label.replace(numbered, roll.label, 1)) if kind.name.startswith(first) else kind
            for kind in dice
        ]
        steps = [
            replace(step, label=step.label.replace(numbered, roll.label, 1))
            if step.label and step.name.startswith(first)
            else step
            for step in steps
        ]
    return replace(rule, dice=tuple(dice), steps=tuple(steps))


def _make_plain(node: Node, kept: Mapping[str, DiceSet]) -> Node:
    if node.op in ("highest_of", "lowest_of"):
        dice: Node = node.args[1]
        if dice.op == "set" and dice.args[0] in kept:
            return dice
    args = tuple(_make_plain(arg, kept) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op in ("sum", "count") and args[0].op == "together":
        parts = (Node(node.op, (dice, *args[1:])) for dice in args[0].args)
        return reduce(lambda left, right: Node("+", (left, right)), parts)
    return replace(node, args=args)

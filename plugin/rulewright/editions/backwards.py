"""What a told number says of the dice, where it is a sum in which only one thing is counted over dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..game.program import program
from ..game.setting import Setting
from ..game.tree import DICE, Node, walk
from .matching import RulePair
from .meaning import BothRuleParts, RuleParts, rule_parts_of_both
from .unthrown import find_unused_dice

LinearForm = tuple[int, int]  # so much, and so many times what was counted


def infer_tallies(pair: RulePair, given: Mapping[str, Any], old: Setting, new: Setting) -> dict[str, int]:
    """The tallies of the newer rule that follow from the told steps of the older one."""
    both = rule_parts_of_both(pair, old, new)
    told = {both.names.get(name, name): value for name, value in given.items()}
    known = {name: value for name, value in {**both.known, **told}.items() if isinstance(value, int)}
    counted = {}
    for name, value in told.items():
        found = invert_step(both.before, name, value, {one: known[one] for one in known if one != name})
        if found and counts_same_dice(both, found[0], new):
            counted[found[0]] = found[1]
    return name_tallies(new, counted)


def invert_step(rule: RuleParts, step: str, value: Any, known: Mapping[str, int]) -> tuple[Node, int] | None:
    """What is counted over dice, and how much it must have come to."""
    formula = rule.facts(("step", step)).get("formula")
    if not isinstance(formula, Node) or not isinstance(value, int):
        return None
    dice = [node for node in walk(formula) if node.op in DICE]
    line = linear_form(formula, dice[0], known) if len(dice) == 1 else None
    if line is None or not line[1] or (value - line[0]) % line[1]:
        return None
    return dice[0], (value - line[0]) // line[1]


def linear_form(node: Node, dice: Node, known: Mapping[str, int]) -> LinearForm | None:
    """The formula as a multiple of what is counted, and something more; nothing where it is not as plain as that."""
    if node == dice:
        return 0, 1
    if node.op == "number":
        return node.args[0], 0
    if node.op == "name":
        return (known[node.args[0]], 0) if node.args[0] in known else None
    parts = [linear_form(one, dice, known) for one in node.nodes()] if node.op in ("+", "*", "neg") else [None]
    lines = [one for one in parts if one is not None]
    return combine_forms(node.op, lines) if len(lines) == len(parts) else None


def combine_forms(op: str, lines: list[LinearForm]) -> LinearForm | None:
    if op == "+":
        return sum(const for const, _ in lines), sum(times for _, times in lines)
    if op == "neg":
        return -lines[0][0], -lines[0][1]
    (const, times), *rest = sorted(lines, key=lambda one: one[1] == 0)
    if any(more for _, more in rest):
        return None
    for factor, _ in rest:
        const, times = const * factor, times * factor
    return const, times


def counts_same_dice(both: BothRuleParts, node: Node, new: Setting) -> bool:
    """Are these the same dice in both editions, counted alike?"""
    rests = both.before.rests([*both.before.asked(node)])
    inputs = [name for part, name in rests if part == "input"]
    same = rests == both.after.rests([*both.after.asked(node)])
    return same and all(both.known.get(name) == new.known.get(name) for name in inputs)


def name_tallies(new: Setting, counted: Mapping[Node, int]) -> dict[str, int]:
    """By the names that the program of the rule has for what it counts; over dice that are not there it is 0."""
    rule, made = new.rule, program(new.rule)
    formulas = [*(step.formula for step in rule.steps), *(one.when for one in rule.outcomes if one.when)]
    nodes = [node for formula in formulas for node in walk(formula.node) if node.op in DICE]
    absent = find_unused_dice(new).absent
    none = {made.tally(node): 0 for node in nodes if node.args[0] in absent}
    return {**none, **{made.tally(node): counted[node] for node in nodes if node in counted}}

"""Bounds of values of a rule as it is written, before its dice are known: how often another rule is rolled at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any

from .formula import DICE_FUNCTIONS, Node
from .intervals import ANY_NUMBER, Bounds, Interval, ValueSet, evaluate_bounds, interval_between
from .model import Formula

_DICE = "\0"  # begins the name of a function over dice in formulas whose bounds are looked for


def find_bounds(rule: Mapping[str, Any], formula: Formula) -> ValueSet:
    """The bounds of a formula over inputs, steps and dice of a rule; of everything else nothing is known."""
    return _Finder(rule).find(formula.node, frozenset())


class _Finder:
    def __init__(self, rule: Mapping[str, Any]) -> None:
        self.rule = rule
        self.values: dict[str, ValueSet] = {}

    def find(self, node: Node, inside: frozenset[str]) -> ValueSet:
        """`inside` are the steps that are being looked at."""
        plain = self.without_dice(node, inside)
        return evaluate_bounds(plain, Bounds({}, self.values, {}))

    def without_dice(self, node: Node, inside: frozenset[str]) -> Node:
        """The same formula with a name in place of what is not known here; fills in the bounds of all names."""
        if node.op == "name":
            if node.args[0] not in self.values:
                self.values[node.args[0]] = self.find_name(node.args[0], inside)
            return node
        if node.op in (*DICE_FUNCTIONS, "groups", "over", "lookup"):
            name = f"{_DICE}{len(self.values)}"
            self.values[name] = self.find_dice(node, inside) if node.op in DICE_FUNCTIONS else ANY_NUMBER
            return Node("name", (name,))
        args = (self.without_dice(arg, inside) if isinstance(arg, Node) else arg for arg in node.args)
        return replace(node, args=tuple(args))

    def find_name(self, name: str, inside: frozenset[str]) -> ValueSet:
        entry = self.rule.get("inputs", {}).get(name)
        if entry is not None:
            if "choice" in entry:
                return frozenset(entry["choice"]) if isinstance(entry["choice"], list) else ANY_NUMBER
            ends = entry.get("die") or ([0, 1] if "flag" in entry else [entry.get("min", 0), entry.get("max", 0)])
            return interval_between(min(ends), max(ends))
        step = self.rule.get("steps", {}).get(name)
        if step is None or name in inside:
            return ANY_NUMBER
        formula = step["is"] if isinstance(step, Mapping) else step
        return self.find(formula.node, inside | {name})

    def find_dice(self, node: Node, inside: frozenset[str]) -> Interval:
        """The bounds of a function over all dice of a kind that is rolled once."""
        kind = self.rule.get("dice", {}).get(node.args[0].args[0]) if node.args[0].op == "set" else None
        if kind is None or "again" in kind or not (node.op == "count" or ("sides" in kind and not node.args[1])):
            return ANY_NUMBER
        number = self.find(kind["count"].node, inside)
        sides = self.find(kind["sides"].node, inside) if node.op != "count" else interval_between(1, 1)
        if not isinstance(number, Interval) or not isinstance(sides, Interval):
            return ANY_NUMBER
        most = number.high if node.op in ("sum", "count") else min(number.high, 1)
        high = 0 if not most or not sides.high else inf if inf in (most, sides.high) else most * sides.high
        return interval_between(0, max(high, 0))

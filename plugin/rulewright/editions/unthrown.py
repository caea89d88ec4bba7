"""Dice that are never thrown with these inputs, and formulas without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..game.bounds import ANY, BOTH, Bounds, Range, exactly
from ..game.model import Formula, Kind
from ..game.ranges import evaluate
from ..game.setting import Setting
from ..game.tree import DICE, Node

UNKNOWN_FACES = {"face": ANY, "last": ANY, "throw": ANY, "sides": ANY, "good": BOTH, "bad": BOTH}
ZERO = Node("number", (0,))


class UnusedDice(NamedTuple):
    """Kinds of dice: those that are on no table, and those that earn nothing there."""

    absent: frozenset[str]
    barren: frozenset[str]

    def called(self, names: Mapping[str, str]) -> UnusedDice:
        absent, barren = (frozenset(names.get(name, name) for name in kinds) for kinds in self)
        return UnusedDice(absent, barren)


def find_unused_dice(setting: Setting) -> UnusedDice:
    bounds = setting.program.bounds
    for name, value in {**UNKNOWN_FACES, **{name: exactly(value) for name, value in setting.known.items()}}.items():
        bounds = bounds.with_value(name, value)
    kinds = {kind.name: kind for kind in setting.rule.dice}
    barren = {name for name, kind in kinds.items() if not earns_dice(kind, bounds)}
    present = {name for name, kind in kinds.items() if not is_always_zero(kind.count, bounds)}
    for _ in kinds:
        present |= {kind.again.roll for name, kind in kinds.items() if name in present - barren and kind.again}
    return UnusedDice(frozenset(kinds.keys() - present), frozenset(barren))


def earns_dice(kind: Kind, bounds: Bounds) -> bool:
    """May some face bring further dice?"""
    return kind.again is not None and not (
        is_always_zero(kind.again.when, bounds) or is_always_zero(kind.again.times, bounds)
    )


def is_always_zero(formula: Formula, bounds: Bounds) -> bool:
    """Is it 0 whatever is not known?"""
    found = evaluate(formula.node, bounds)
    return isinstance(found, Range) and found.truth is False


def drop_dice(node: Node, absent: frozenset[str]) -> Node:
    """A formula in which nothing is counted over dice that are not there."""
    if node.op in DICE and node.args[0] in absent:
        return ZERO
    args = tuple(drop_dice(arg, absent) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op == "+":
        args = tuple(arg for arg in args if arg != ZERO) or (ZERO,)
        return args[0] if len(args) == 1 else Node("+", args)
    return Node(node.op, args)

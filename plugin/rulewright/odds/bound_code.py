"""Code for the bounds of formulas, from those of their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..game.formula import COMPARISONS, ROUNDING_FUNCTIONS, Node, walk

_TRUTHS = (*COMPARISONS, "and", "or", "not", "status")
Ends = tuple[str, str]  # code for two bounds
ANY = ("-INF", "INF")
_LONGEST_TEST = 4_000  # characters of the test whether a number is still needed


Faces = Mapping[str, tuple[str, int]]  # of pools: how many dice are left, and how many faces they may show


def combine_bounds(node: Node, ends: Sequence[Ends], faces: Faces) -> Ends:
    """Code for the bounds of an operation from those of its arguments; the dice of a pool that are still to be rolled
    show one of its faces each."""
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    if node.op == "+":
        return _add_bounds(node, lows, highs, faces)
    if node.op == "neg":
        return f"-{highs[0]}", f"-{lows[0]}"
    if node.op in ("max", "min"):
        return f"{node.op}({', '.join(lows)})", f"{node.op}({', '.join(highs)})"
    if is_multiple(node):
        pair = f"{lows[0]} * {lows[1]}", f"{lows[0]} * {highs[1]}"
        return pair if node.args[0].args[0] >= 0 else pair[::-1]
    if node.op == "*" and (place := find_truth(node)) is not None:
        (test, sure), (low, high) = ends[place][::-1], ends[1 - place]
        return tuple(f"(({end}) if {sure} else {pick}({end}, 0)) if {test} else 0"
                     for pick, end in (("min", low), ("max", high)))  # type: ignore[return-value]  # fmt: skip
    if node.op == "if":
        low, high = f"min({lows[1]}, {lows[2]})", f"max({highs[1]}, {highs[2]})"
        if node.args[0].op != "status":
            return low, high
        return tuple(f"{way[1]} if {lows[0]} else {way[2]} if not {highs[0]} else {both}"
                     for way, both in ((lows, low), (highs, high)))  # type: ignore[return-value]  # fmt: skip
    if node.op in ("and", "or"):
        truths = [_truth_bounds(arg, own) for arg, own in zip(node.args, ends, strict=True)]
        low, high = (f"({f' {node.op} '.join(own)})" for own in zip(*truths, strict=True))
        return low, high
    if node.op == "not":
        low, high = _truth_bounds(node.args[0], ends[0])
        return f"(1 - {high})", f"(1 - {low})"
    return ("0", "1") if node.op in COMPARISONS else ANY


def find_truth(node: Node) -> int | None:
    """The place of the condition in a product of a number and a condition."""
    tests = [place for place, arg in enumerate(node.args) if arg.op in _TRUTHS]
    return tests[0] if tests and len(node.args) == 2 else None


def _truth_bounds(node: Node, ends: Ends) -> Ends:
    """The bounds of whether a part of a condition holds."""
    if node.op in _TRUTHS:
        return ends
    low, high = ends
    return f"({low} > 0 or {high} < 0)", f"({low} != 0 or {high} != 0)"


def count_nodes(node: Node, faces: Faces) -> int:
    """How many nodes a formula has, of those of a sum one for all faces of pools."""
    shown = [arg for arg in node.child_nodes() if node.op == "+" and _face_factor(arg, faces)]
    others = (arg for arg in node.child_nodes() if arg not in shown)
    return 1 + bool(shown) + sum(count_nodes(arg, faces) for arg in others)


def _add_bounds(node: Node, lows: Sequence[str], highs: Sequence[str], faces: Faces) -> Ends:
    """All faces of a pool together show as many dice as are left, so that the best and the worst face count."""
    pools: dict[tuple[str, int], dict[int, int]] = {}  # by pool: factors by the place of the term
    for place, arg in enumerate(node.args):
        if found := _face_factor(arg, faces):
            pools.setdefault(faces[found[0]], {})[place] = found[1]
    joined = {pool: list(own.values()) for pool, own in pools.items() if len(own) > 1}
    others = [place for place in range(len(node.args)) if not any(place in pools[pool] for pool in joined)]
    parts = [[f"{pick(_with_rest(own, size))} * {left}" for (left, size), own in joined.items()] for pick in (min, max)]
    low, high = (
        " + ".join([*own, *(ends[place] for place in others)]) for own, ends in zip(parts, (lows, highs), strict=True)
    )
    return low, high


def _with_rest(factors: Sequence[int], size: int) -> Sequence[int]:
    """How often each face of a pool counts; those that a sum does not name count nothing."""
    return factors if len(factors) == size else [*factors, 0]


def _face_factor(node: Node, faces: Faces) -> tuple[str, int] | None:
    """The face of a pool in a term, and how often the number of dice that show it counts."""
    if node.op == "tally":
        return (str(node.args[0]), 1) if node.args[0] in faces else None
    factor = -1 if node.op == "neg" else int(node.args[0].args[0]) if is_multiple(node) else 0
    inner = _face_factor(node.args[-1], faces) if factor else None
    return inner and (inner[0], factor * inner[1])


def is_multiple(node: Node) -> bool:
    """Whether this is a known number times one other part."""
    return node.op == "*" and len(node.args) == 2 and node.args[0].op == "number"


class Conditional(NamedTuple):
    """A number that is there if a comparison holds, and a factor."""

    number: Node
    comparison: Node
    factor: int

    @property
    def status(self) -> str:
        """The name of what is known of the comparison."""
        return str(self.comparison.args[1])


def find_condition(node: Node) -> Conditional | None:
    """How a term such as `3 * (dice * (best > 4))` or `if(best > 4, dice, 0)` rests on a comparison."""
    if node.op == "neg" or is_multiple(node):
        inner = find_condition(node.args[-1])
        factor = -1 if node.op == "neg" else int(node.args[0].args[0])
        return inner and inner._replace(factor=factor * inner.factor)
    ops = [arg.op for arg in node.args if isinstance(arg, Node)]
    if node.op == "*" and sorted(ops) == ["status", "tally"]:
        status, number = sorted(node.args, key=lambda arg: str(arg.op))
        return Conditional(number, status, 1)
    if node.op == "if" and ops == ["status", "tally", "number"] and not node.args[2].args[0]:
        return Conditional(node.args[1], node.args[0], 1)
    return None


def is_choice(node: Node, op: str) -> bool:
    """Whether this is a number if a comparison holds, and else one that adds nothing to a maximum or minimum."""
    if node.op != "if" or [arg.op for arg in node.args] != ["status", "number", "number"]:
        return False
    return bool((node.args[1].args[0] >= node.args[2].args[0]) == (op == "max"))


def replace_number(node: Node, number: Node) -> Node:
    """The same term with another number."""
    if node.op == "neg" or is_multiple(node):
        return Node(node.op, (*node.args[:-1], replace_number(node.args[-1], number)), node.start, node.end)
    return Node(node.op, tuple(number if arg.op == "tally" else arg for arg in node.args), node.start, node.end)


def compare_bounds(op: str, left: Ends, right: Ends) -> Ends:
    """Code for whether a comparison holds for certain, and whether it cannot hold."""
    (left_low, left_high), (right_low, right_high) = left, right
    below, above = f"{left_high} < {right_low}", f"{left_low} > {right_high}"
    at_most, at_least = f"{left_high} <= {right_low}", f"{left_low} >= {right_high}"
    tests: dict[str, Ends] = {
        "<": (below, at_least), "<=": (at_most, above), ">": (above, at_most), ">=": (at_least, below),
        "=": (f"{left_low} == {left_high} == {right_low} == {right_high}", f"{below} or {above}"),
        "!=": (f"{below} or {above}", f"{left_low} == {left_high} == {right_low} == {right_high}"),
    }  # fmt: skip
    return tests[op]


def may_fail(node: Node) -> bool:
    """Whether a formula may have no value; it is only evaluated where the whole question is."""
    return any(inner.op == "lookup" or inner.op in ROUNDING_FUNCTIONS for inner in walk(node))


def both(left: str, right: str) -> str:
    return f"{left} and {right}" if left else right


def any_of(tests: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(tests))
    if "" in distinct:
        return ""
    test = distinct[0] if len(distinct) == 1 else f"({' or '.join(f'({one})' for one in distinct)})"
    return test if len(test) < _LONGEST_TEST else ""

"""Code for the bounds of formulas, from those of their parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..game.formula import COMPARISONS, ROUNDING_FUNCTIONS, Node, walk

Ends = tuple[str, str]  # code for two bounds
ANY = ("-INF", "INF")
_LONGEST_TEST = 2_000  # characters of the test whether a number is still needed


def combine_bounds(node: Node, ends: Sequence[Ends], pool: Collection[str]) -> Ends:
    """Code for the bounds of an operation from those of its arguments; `left` dice of a pool are still to be rolled,
    and each shows one of its faces."""
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    if node.op == "+":
        return _add_bounds(node, lows, highs, pool)
    if node.op == "neg":
        return f"-{highs[0]}", f"-{lows[0]}"
    if node.op in ("max", "min"):
        return f"{node.op}({', '.join(lows)})", f"{node.op}({', '.join(highs)})"
    if node.op == "*" and node.args[0].op == "number":
        pair = f"{lows[0]} * {lows[1]}", f"{lows[0]} * {highs[1]}"
        return pair if node.args[0].args[0] >= 0 else pair[::-1]
    if node.op == "if":
        low, high = f"min({lows[1]}, {lows[2]})", f"max({highs[1]}, {highs[2]})"
        if node.args[0].op != "status":
            return low, high
        return tuple(f"{way[1]} if {lows[0]} else {way[2]} if not {highs[0]} else {both}"
                     for way, both in ((lows, low), (highs, high)))  # type: ignore[return-value]  # fmt: skip
    return ("0", "1") if node.op in (*COMPARISONS, "and", "or", "not") else ANY


def count_nodes(node: Node, pool: Collection[str]) -> int:
    """How many nodes a formula has, of those of a sum one for all faces of a pool."""
    faces = [arg for arg in node.child_nodes() if node.op == "+" and _face_factor(arg, pool)]
    others = (arg for arg in node.child_nodes() if arg not in faces)
    return 1 + bool(faces) + sum(count_nodes(arg, pool) for arg in others)


def _add_bounds(node: Node, lows: Sequence[str], highs: Sequence[str], pool: Collection[str]) -> Ends:
    """All faces of a pool together show as many dice as are left, so that the best and the worst face count."""
    factors = [_face_factor(arg, pool) for arg in node.args]
    known = [factor for factor in factors if factor]
    if len(known) < 2:
        return " + ".join(lows), " + ".join(highs)
    least, most = min(known) if len(known) == len(pool) else min(*known, 0), max(*known, 0)
    others = [(low, high) for low, high, factor in zip(lows, highs, factors, strict=True) if not factor]
    return (
        " + ".join([f"{least} * left", *(low for low, _ in others)]),
        " + ".join([f"{most} * left", *(high for _, high in others)]),
    )


def _face_factor(node: Node, pool: Collection[str]) -> int:
    """How often the number of dice that show a face of the pool is in a term; 0 if it is something else."""
    if node.op == "tally":
        return int(node.args[0] in pool)
    if node.op == "neg":
        return -_face_factor(node.args[0], pool)
    return int(node.args[0].args[0]) * _face_factor(node.args[1], pool) if _is_multiple(node) else 0


def _is_multiple(node: Node) -> bool:
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
    if node.op == "neg" or _is_multiple(node):
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


def replace_number(node: Node, number: Node) -> Node:
    """The same term with another number."""
    if node.op == "neg" or _is_multiple(node):
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

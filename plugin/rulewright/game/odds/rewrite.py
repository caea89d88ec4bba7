"""Formulas made simpler before they are run: what is known worked out, sums of tallies taken apart."""

from __future__ import annotations

from ..ranges import Bounds, Range, evaluate
from ..tree import Node

Sum = tuple[dict[str, int], dict[Node, int]]  # how often each tally counts, and each term that does not depend on dice


def simplify(node: Node, bounds: Bounds) -> Node:
    """The formula with everything worked out that the known inputs decide."""
    found = evaluate(node, bounds)
    if isinstance(found, frozenset):
        return Node("word", tuple(found)) if len(found) == 1 else rebuilt(node, bounds)
    if found.certain:
        return Node("number", (int(found.low),))
    if node.op == "if":
        test = evaluate(node.args[0], bounds)
        if isinstance(test, Range) and test.truth is not None:
            return simplify(node.args[1 if test.truth else 2], bounds)
    return rebuilt(node, bounds)


def rebuilt(node: Node, bounds: Bounds) -> Node:
    args = tuple(simplify(arg, bounds) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op in ("and", "or"):  # what is certain and did not decide can go
        args = tuple(arg for arg in args if arg.op != "number") or args
        if len(args) == 1:
            return Node("!=", (args[0], Node("number", (0,))))
    return Node(node.op, args, node.start, node.end)


def scaled(found: Sum | None, factor: int) -> Sum | None:
    if found is None:
        return None
    factors, rest = found
    return {name: part * factor for name, part in factors.items()}, {node: part * factor for node, part in rest.items()}


def added(parts: list[Sum | None]) -> Sum | None:
    factors: dict[str, int] = {}
    rest: dict[Node, int] = {}
    for part in parts:
        if part is None:
            return None
        for name, factor in part[0].items():
            factors[name] = factors.get(name, 0) + factor
        for node, factor in part[1].items():
            rest[node] = rest.get(node, 0) + factor
    return factors, rest


def rest_terms(rest: dict[Node, int]) -> list[Node]:
    """The part of a sum that does not depend on dice; terms that cancel remain, because they may divide by 0."""
    constant = sum(node.args[0] * factor for node, factor in rest.items() if node.op == "number")
    terms = [multiple(factor, node) for node, factor in rest.items() if node.op != "number"]
    return [*terms, Node("number", (constant,))] if constant else terms


def multiple(factor: int, node: Node) -> Node:
    if factor == 1:
        return node
    return Node("neg", (node,)) if factor == -1 else Node("*", (Node("number", (factor,)), node))

"""Builds formulas and works out at once whatever is known, so that what is left is as small as it can be.

Sums become flat lists of different terms with factors, which lets the elimination add up the terms that it knows.
What may have no value, such as a division by 0 or a missing row, stays as it is: it is only wrong where it is
evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from ..game.codegen import CodeWriter
from ..game.core import CoreTable
from ..game.formula import COMPARISONS, ROUNDING_FUNCTIONS, Node
from ..game.intervals import divide_rounded
from ..play.table import count_groups, pile_dice

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
_TRUTHS = (*COMPARISONS, "not", "and", "or")


def constant(value: Any) -> Node:
    return Node("word", (value,)) if isinstance(value, str) else Node("number", (int(value),))


ZERO, ONE = constant(0), constant(1)


def is_number(node: Node) -> bool:
    return node.op == "number"


def is_truth(node: Node) -> bool:
    """Whether a formula yields only 1 and 0."""
    return node.op in _TRUTHS or (node.op == "number" and node.args[0] in (0, 1))


def add(terms: Iterable[Node]) -> Node:
    """A sum, flat: each term once, with its factor."""
    factors: dict[Node, int] = {}
    number = sum(_collect_terms(term, 1, factors) for term in terms)
    parts = [_multiply(node, factor) for node, factor in factors.items() if factor]
    parts += [constant(number)] if number or not parts else []
    return parts[0] if len(parts) == 1 else Node("+", tuple(parts))


def _collect_terms(node: Node, factor: int, factors: dict[Node, int]) -> int:
    """Adds the terms of a sum to the factors, and yields its constant part."""
    if node.op == "number":
        return int(node.args[0]) * factor
    if node.op == "+":
        return sum(_collect_terms(arg, factor, factors) for arg in node.args)
    if node.op == "neg":
        return _collect_terms(node.args[0], -factor, factors)
    if node.op == "*" and len(node.args) == 2 and is_number(node.args[0]):
        return _collect_terms(node.args[1], factor * int(node.args[0].args[0]), factors)
    factors[node] = factors.get(node, 0) + factor
    return 0


def _multiply(node: Node, factor: int) -> Node:
    if factor == 1:
        return node
    return Node("neg", (node,)) if factor == -1 else Node("*", (constant(factor), node))


def subtract(left: Node, right: Node) -> Node:
    return add((left, Node("neg", (right,))))


def multiply(args: Sequence[Node]) -> Node:
    factor, others = 1, []
    for arg in args:
        if is_number(arg):
            factor *= int(arg.args[0])
        else:
            others.append(arg)
    if not others or not factor:
        return constant(factor if not others else 0)
    product = others[0] if len(others) == 1 else Node("*", tuple(others))
    return add((_multiply(product, factor),))


def extreme(op: str, args: Sequence[Node]) -> Node:
    """max or min, flat."""
    pick = max if op == "max" else min
    flat = [part for arg in args for part in (arg.args if arg.op == op else (arg,))]
    numbers = [int(part.args[0]) for part in flat if is_number(part)]
    others = list(dict.fromkeys(part for part in flat if not is_number(part)))
    parts = [*others, *([constant(pick(numbers))] if numbers else [])]
    return parts[0] if len(parts) == 1 else Node(op, tuple(parts))


def choose(test: Node, then: Node, other: Node) -> Node:
    if is_number(test):
        return then if test.args[0] else other
    if then == other:
        return then
    return test if then == ONE and other == ZERO and is_truth(test) else Node("if", (test, then, other))


def compare(op: str, left: Node, right: Node) -> Node:
    plain = ("number", "word")
    if left.op in plain and right.op in plain:
        values = [arg.args[0].lower() if arg.op == "word" else arg.args[0] for arg in (left, right)]
        return constant(_COMPARE[op](*values))
    if left == right:
        return constant(op in ("=", "<=", ">="))
    return Node(op, (left, right))


def join_tests(op: str, args: Sequence[Node]) -> Node:
    """`and` or `or`; what decides ends the list."""
    left = []
    for arg in args:
        if not is_number(arg):
            left.append(arg)
        elif bool(arg.args[0]) == (op == "or"):
            if not left:
                return constant(op == "or")
            left.append(constant(op == "or"))
            break
    if not left:
        return constant(op == "and")
    return truth_of(left[0]) if len(left) == 1 else Node(op, tuple(left))


def truth_of(node: Node) -> Node:
    """1 where a formula is true, else 0."""
    if is_number(node):
        return constant(node.args[0] != 0)
    return node if is_truth(node) else Node("!=", (node, ZERO))


def fold(op: str, args: tuple[Any, ...], tables: Mapping[str, CoreTable]) -> Node:
    """The node of an operation, or its value."""
    if op == "+":
        return add(args)
    if op == "neg":
        return add((Node("neg", args),))
    if op == "*":
        return multiply(args)
    if op == "if":
        return choose(*args)
    if op in ("and", "or"):
        return join_tests(op, args)
    if op in COMPARISONS:
        return compare(op, *args)
    if op in ("max", "min"):
        return extreme(op, args)
    if not all(arg.op in ("number", "word") for arg in args if isinstance(arg, Node)):
        return Node(op, args)
    return _fold_known(op, args, tables)


def _fold_known(op: str, args: tuple[Any, ...], tables: Mapping[str, CoreTable]) -> Node:
    if op == "not":
        return constant(not args[0].args[0])
    if op == "abs":
        return constant(abs(args[0].args[0]))
    if op in ROUNDING_FUNCTIONS and args[1].args[0]:
        return constant(divide_rounded(op, args[0].args[0], args[1].args[0]))
    if op == "lookup":
        table = tables[args[0]]
        column = args[2] if isinstance(args[2], str) else args[2].args[0]
        names = [name.lower() for name in table.columns]
        place = names.index(column.lower()) if isinstance(column, str) and column.lower() in names else -1
        cell = table.find_cell(args[1].args[0], place) if place >= 0 else None
        return Node(op, args) if cell is None else constant(cell)
    return Node(op, args)


def is_sum(node: Node) -> bool:
    """Whether this is a sum of variables and constants."""
    if node.op in ("+", "neg"):
        return all(map(is_sum, node.args))
    return node.op in ("tally", "number") or (node.op == "*" and is_number(node.args[0]) and is_sum(node.args[1]))


def split_comparisons(node: Node, sums: Mapping[str, Node]) -> Node:
    """A formula in which sums are compared one by one: `a >= max(b, c)` as `a - b >= 0 and a - c >= 0`; `sums` are
    values that are sums."""
    if not any(isinstance(arg, Node) for arg in node.args):
        return node
    args = tuple([split_comparisons(arg, sums) if isinstance(arg, Node) else arg for arg in node.args])
    return _split(node.op, args[0], args[1], sums) if node.op in ("<", "<=", ">", ">=") else Node(node.op, args)


def _split(op: str, left: Node, right: Node, sums: Mapping[str, Node]) -> Node:
    left, right = (_write_out(side, sums) for side in (left, right))
    for side, other, is_all in ((left, "min", op[0] == ">"), (right, "max", op[0] == ">")):
        if side.op in ("max", "min"):
            pairs = [(arg, right) if side is left else (left, arg) for arg in side.args]
            parts = [_split(op, one, another, sums) for one, another in pairs]
            return join_tests("and" if (side.op == other) == is_all else "or", parts)
    return compare(op, subtract(left, right), ZERO) if is_sum(left) and is_sum(right) else compare(op, left, right)


def _write_out(node: Node, sums: Mapping[str, Node]) -> Node:
    """A sum without names of other sums; the same for those of which one is the largest."""
    if node.op == "name" and node.args[0] in sums:
        return _write_out(sums[node.args[0]], sums)
    if node.op in ("max", "min"):
        return extreme(node.op, [_write_out(arg, sums) for arg in node.args])
    return node


class DiceWriter(CodeWriter):
    """Writes formulas that may count groups of dice: a goal, then values and how often they are there."""

    def __init__(self, bounds: Any, tables: Mapping[str, CoreTable]) -> None:
        super().__init__(bounds, tables)
        known: dict[Any, int] = {}

        def count(pile: tuple[int, ...], goal: int) -> int:
            if (pile, goal) not in known:
                known[pile, goal] = self.count_groups(pile[1:], goal)
            return pile[0] + known[pile, goal]

        self.helpers |= {"pile": self.pile_dice, "count_pile": count}

    count_groups = staticmethod(count_groups)
    pile_dice = staticmethod(pile_dice)

    @staticmethod
    def write_ends(code: str) -> tuple[str, str]:
        """Code for the bounds of a variable."""
        return code, code

    def write_unchecked(self, node: Node) -> str:
        if node.op not in ("groups", "pile"):
            return super().write_unchecked(node)
        goal, pile, *rest = map(self.write_value, node.args)
        dice = ", ".join(f"*[{value}] * {times}" for value, times in zip(rest[::2], rest[1::2], strict=True))
        piled = f"pile({goal}, {pile}, [{dice}])"
        return piled if node.op == "pile" else f"count_pile({piled}, {goal})"


def substitute(node: Node, values: Mapping[str, Any], tables: Mapping[str, CoreTable]) -> Node:
    """A formula with the values of some names, as far as they are plain."""
    if node.op == "name":
        return constant(values[node.args[0]]) if isinstance(values.get(node.args[0]), (int, str)) else node
    if not any(isinstance(arg, Node) for arg in node.args):
        return node
    return fold(
        node.op, tuple([substitute(arg, values, tables) if isinstance(arg, Node) else arg for arg in node.args]), tables
    )

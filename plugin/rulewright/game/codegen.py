"""Compiles formulas to Python source code.

The code contains only whole numbers, quoted words, checked names and fixed helpers, so that it is safe to `exec`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .formula import COMPARISONS, LARGEST, ROUNDINGS, Node
from .intervals import Bounds, Range, divide, evaluate
from .model import Formula, Table

SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
TRUTHS = (*COMPARISONS, "and", "or", "not")


class Stuck(Exception):
    """A formula has no value: it divides by 0, exceeds the safe integers of JavaScript, or misses a row."""

    def __init__(self, formula: Formula, message: str) -> None:
        super().__init__(message)
        self.formula, self.message = formula, message


class Writer:
    """Writes Python expressions; `helpers` are the objects that the code refers to, by name."""

    def __init__(self, bounds: Bounds, tables: Mapping[str, Table]) -> None:
        self.bounds, self.tables = bounds, tables
        self.helpers: dict[str, Any] = {"divide": safe_divide, "inside": inside, "cell": cell}
        self.count = 0
        self.formula: Formula | None = None

    def expression(self, formula: Formula, node: Node | None = None) -> str:
        """The code of a formula; `node` replaces its tree, for instance once its tallies are numbered."""
        self.formula = formula
        return self.code(node or formula.node)

    def truth(self, formula: Formula, node: Node | None = None) -> str:
        """The code of a formula whose truth matters: it yields exactly True or False, so that results can be summed."""
        self.formula, node = formula, node or formula.node
        code = self.condition(node)
        return code if boolean(node) else f"(not not {code})"

    def code(self, node: Node) -> str:
        if node.op in ("and", "or"):
            return f"(1 if {self.condition(node)} else 0)"
        if node.op in TRUTHS:
            return self.condition(node)
        return self.inside(node, self.plain(node))

    def plain(self, node: Node) -> str:
        if node.op in ("number", "word"):
            return repr(node.args[0])
        if node.op == "name":
            return f"v_{node.args[0]}"
        if node.op == "tally":
            return str(node.args[0])
        if node.op == "+":
            return self.sum(node)
        if node.op == "*":
            return f"({' * '.join(map(self.code, node.args))})"
        if node.op == "neg":
            return f"(-{self.code(node.args[0])})"
        if node.op == "if":
            test, then, other = node.args
            return f"({self.code(then)} if {self.condition(test)} else {self.code(other)})"
        if node.op in ROUNDINGS:
            over, under = map(self.code, node.args)
            return f"divide({node.op!r}, {over}, {under}, {self.helper(self.formula)})"
        if node.op == "lookup":
            return self.lookup(node)
        return self.extreme(node) if node.op in ("min", "max") else f"abs({self.code(node.args[0])})"

    def sum(self, node: Node) -> str:
        first, *others = node.args
        signed = (f"- {self.code(arg.args[0])}" if arg.op == "neg" else f"+ {self.code(arg)}" for arg in others)
        return f"({' '.join([self.code(first), *signed])})"

    def extreme(self, node: Node) -> str:
        """min or max; for two values a comparison, which is three times as fast as a call."""
        codes = [self.code(arg) for arg in node.args]
        if len(codes) > 2:
            return f"{node.op}({', '.join(codes)})"
        left, right = self.fresh(), self.fresh()
        sign = ">" if node.op == "max" else "<"
        return f"({left} if ({left} := {codes[0]}) {sign} ({right} := {codes[1]}) else {right})"

    def lookup(self, node: Node) -> str:
        table = self.tables[node.args[0]]
        column = table.columns.index(node.args[2])
        return f"cell({self.helper(table)}, {self.code(node.args[1])}, {column}, {self.helper(self.formula)})"

    def condition(self, node: Node) -> str:
        if node.op in ("and", "or"):
            return f"({f' {node.op} '.join(map(self.condition, node.args))})"
        if node.op == "not":
            return f"(not {self.condition(node.args[0])})"
        if node.op in ("=", "!=") and any(isinstance(evaluate(arg, self.bounds), frozenset) for arg in node.args):
            left, right = (self.lower(arg) for arg in node.args)
            return f"({left} {SIGNS[node.op]} {right})"
        if node.op in SIGNS:
            return f"({self.code(node.args[0])} {SIGNS[node.op]} {self.code(node.args[1])})"
        return self.code(node)

    def lower(self, node: Node) -> str:
        return repr(node.args[0].lower()) if node.op == "word" else f"{self.code(node)}.lower()"

    def inside(self, node: Node, code: str) -> str:
        """Adds an overflow check, unless the bounds rule an overflow out."""
        if node.op not in ("+", "*", "neg", "abs"):
            return code
        found = evaluate(node, self.bounds)
        safe = isinstance(found, Range) and found.low >= -LARGEST and found.high <= LARGEST
        return code if safe else f"inside({code}, {self.helper(self.formula)})"

    def helper(self, thing: Any) -> str:
        for name, known in self.helpers.items():
            if known is thing:
                return name
        name = f"h{len(self.helpers)}"
        self.helpers[name] = thing
        return name

    def fresh(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def compile(self, source: str, name: str) -> Any:
        """The function `name` that the source defines."""
        space = dict(self.helpers)
        exec(compile(source, "<formula>", "exec"), space)  # noqa: S102 (no text from a game gets into it, see above)
        return space[name]


def boolean(node: Node) -> bool:
    """Whether the code of a condition yields a bool; that of `2 or x` yields 2."""
    return node.op in (*COMPARISONS, "not") or (node.op in ("and", "or") and all(map(boolean, node.args)))


def safe_divide(way: str, over: int, under: int, formula: Formula) -> int:
    if not under:
        raise Stuck(formula, "this divides by 0")
    return divide(way, over, under)


def inside(value: int, formula: Formula) -> int:
    if not -LARGEST <= value <= LARGEST:
        raise Stuck(formula, f"this leaves the numbers from -{LARGEST} to {LARGEST}")
    return value


def cell(table: Table, row: int | str, column: int, formula: Formula) -> Any:
    found = table.cell(row, column)
    if found is None:
        raise Stuck(formula, f"the table {table.name} has no row for {row}")
    return found

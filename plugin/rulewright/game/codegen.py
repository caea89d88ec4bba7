"""Compiles formulas to Python source code.

The code contains only whole numbers, quoted words, checked names and fixed helpers, so that it is safe to `exec`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .core import CoreTable, Expression
from .formula import COMPARISONS, MAX_NUMBER, ROUNDING_FUNCTIONS, Node
from .intervals import Bounds, Interval, divide_rounded, evaluate_bounds

_PYTHON_COMPARISONS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_CONDITION_OPS = (*COMPARISONS, "and", "or", "not")


_DOTTED = re.compile(r"(?<![\w'\"·])(?:\w+_)?(?:[vw]|CHOSEN)_[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")  # v_attack.level


class EvaluationError(Exception):
    """A formula has no value: it divides by 0, exceeds the safe integers of JavaScript, or misses a row."""

    def __init__(self, formula: Expression, message: str) -> None:
        super().__init__(message)
        self.formula, self.message = formula, message


class CodeWriter:
    """Writes Python expressions; `helpers` are the objects that the code refers to, by name."""

    def __init__(self, bounds: Bounds, tables: Mapping[str, CoreTable]) -> None:
        self.bounds, self.tables = bounds, tables
        self.helpers: dict[str, Any] = {
            "divide": _safe_divide,
            "inside": _check_overflow,
            "lower": str.lower,
            "cell": _look_up_cell,
        }
        self.count = 0
        self.formula: Expression | None = None

    def write_expression(self, formula: Expression, node: Node | None = None) -> str:
        """The code of a formula; `node` replaces its tree, for instance once its tallies are numbered."""
        self.formula = formula
        return self.write_value(node or formula.node)

    def write_truth(self, formula: Expression, node: Node | None = None) -> str:
        """The code of a formula whose truth matters: it yields exactly True or False, so that results can be summed."""
        self.formula, node = formula, node or formula.node
        code = self.write_condition(node)
        return code if _yields_bool(node) else f"(not not {code})"

    def write_value(self, node: Node) -> str:
        if node.op in ("and", "or"):
            return f"(1 if {self.write_condition(node)} else 0)"
        if node.op in _CONDITION_OPS:
            return self.write_condition(node)
        return self.add_overflow_check(node, self.write_unchecked(node))

    def write_unchecked(self, node: Node) -> str:
        if node.op in ("number", "word"):
            return repr(node.args[0])
        if node.op == "name":
            return f"v_{node.args[0]}"
        if node.op == "tally":
            return str(node.args[0])
        if node.op == "+":
            return self.write_sum(node)
        if node.op == "*":
            return f"({' * '.join(map(self.write_value, node.args))})"
        if node.op == "neg":
            return f"(-{self.write_value(node.args[0])})"
        if node.op == "if":
            test, then, other = node.args
            return f"({self.write_value(then)} if {self.write_condition(test)} else {self.write_value(other)})"
        if node.op in ROUNDING_FUNCTIONS:
            dividend, divisor = map(self.write_value, node.args)
            return f"divide({node.op!r}, {dividend}, {divisor}, {self.add_helper(self.formula)})"
        if node.op == "lookup":
            return self.write_lookup(node)
        return self.write_min_max(node) if node.op in ("min", "max") else f"abs({self.write_value(node.args[0])})"

    def write_sum(self, node: Node) -> str:
        first, *others = node.args
        signed = (
            f"- {self.write_value(arg.args[0])}" if arg.op == "neg" else f"+ {self.write_value(arg)}" for arg in others
        )
        return f"({' '.join([self.write_value(first), *signed])})"

    def write_min_max(self, node: Node) -> str:
        """min or max; for two values a comparison, which is three times as fast as a call."""
        codes = [self.write_value(arg) for arg in node.args]
        if len(codes) > 2:
            return f"{node.op}({', '.join(codes)})"
        left, right = self.new_variable(), self.new_variable()
        sign = ">" if node.op == "max" else "<"
        return f"({left} if ({left} := {codes[0]}) {sign} ({right} := {codes[1]}) else {right})"

    def write_lookup(self, node: Node) -> str:
        table = self.tables[node.args[0]]
        column = table.columns.index(node.args[2])
        key = self.write_value(node.args[1])
        return f"cell({self.add_helper(table)}, {key}, {column}, {self.add_helper(self.formula)})"

    def write_condition(self, node: Node) -> str:
        if node.op in ("and", "or"):
            return f"({f' {node.op} '.join(map(self.write_condition, node.args))})"
        if node.op == "not":
            return f"(not {self.write_condition(node.args[0])})"
        if node.op in ("=", "!=") and any(
            isinstance(evaluate_bounds(arg, self.bounds), frozenset) for arg in node.args
        ):
            left, right = (self.write_lowercase(arg) for arg in node.args)
            return f"({left} {_PYTHON_COMPARISONS[node.op]} {right})"
        if node.op in _PYTHON_COMPARISONS:
            return f"({self.write_value(node.args[0])} {_PYTHON_COMPARISONS[node.op]} {self.write_value(node.args[1])})"
        return self.write_value(node)

    def write_lowercase(self, node: Node) -> str:
        return repr(node.args[0].lower()) if node.op == "word" else f"lower({self.write_value(node)})"

    def add_overflow_check(self, node: Node, code: str) -> str:
        """Adds an overflow check, unless the bounds rule an overflow out."""
        if node.op not in ("+", "*", "neg", "abs"):
            return code
        result = evaluate_bounds(node, self.bounds)
        safe = isinstance(result, Interval) and result.low >= -MAX_NUMBER and result.high <= MAX_NUMBER
        return code if safe else f"inside({code}, {self.add_helper(self.formula)})"

    def add_helper(self, thing: Any) -> str:
        for name, known in self.helpers.items():
            if known is thing:
                return name
        name = f"h{len(self.helpers)}"
        self.helpers[name] = thing
        return name

    def new_variable(self) -> str:
        self.count += 1
        return f"x{self.count}"

    def compile(self, source: str, name: str) -> Any:
        """The function `name` that the source defines."""
        space = dict(self.helpers)
        source = _DOTTED.sub(lambda match: match[0].replace(".", "·"), source)
        exec(compile(source, "<formula>", "exec"), space)  # noqa: S102 (no text from a game gets into it, see above)
        return space[name]


def _yields_bool(node: Node) -> bool:
    """Whether the code of a condition yields a bool; that of `2 or x` yields 2."""
    return node.op in (*COMPARISONS, "not") or (node.op in ("and", "or") and all(map(_yields_bool, node.args)))


def _safe_divide(rounding: str, dividend: int, divisor: int, formula: Expression) -> int:
    if not divisor:
        raise EvaluationError(formula, "this divides by 0")
    return divide_rounded(rounding, dividend, divisor)


def _check_overflow(value: int, formula: Expression) -> int:
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise EvaluationError(formula, f"this leaves the numbers from -{MAX_NUMBER} to {MAX_NUMBER}")
    return value


def _look_up_cell(table: CoreTable, row: int | str, column: int, formula: Expression) -> Any:
    value = table.find_cell(row, column)
    if value is None:
        raise EvaluationError(formula, f"the table {table.name} has no row for {row}")
    return value

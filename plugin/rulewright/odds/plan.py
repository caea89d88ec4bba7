"""Rewrites a question about a rule over as few coordinates of the dice as possible, and compiles it to Python.

Formulas use dice through tallies. Sums of tallies that only appear together become one coordinate, so that `successes +
bonus successes` costs one dimension instead of two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple

from ..game.codegen import CodeWriter
from ..game.formula import ROUNDING_FUNCTIONS, Node, collect_names, walk
from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value, interval_between
from ..game.model import Formula
from ..play.compiled_rule import MAX_TALLY, CompiledRule, write_function

MOST_STATES = 1_000_000
MOST_DIGITS = 150_000_000  # states times the length of their weights
_MOST_PARTS = 100_000  # operations in a formula after its steps are substituted
TOO_MANY_STATES = "an exact answer would need too many states; ask for fewer dice"
NAME_ONCE = "name each step once, such as `2 * x` for `x + x`"


class BudgetError(Exception):
    """An exact answer would exceed the budget."""

    def __init__(self, message: str = TOO_MANY_STATES) -> None:
        super().__init__(message)


class FormulaTooLongError(BudgetError):
    """A formula grows too long when its steps are substituted."""

    def __init__(self, formula: str) -> None:
        super().__init__(
            f"`{formula}` has more than {_MOST_PARTS:,} parts when the steps that it names are written out; {NAME_ONCE}"
        )


_LinearSum = tuple[dict[str, int], dict[Node, int]]  # factors of tallies, and of terms that do not depend on dice


def _simplify_node(node: Node, bounds: Bounds) -> Node:
    """Partial evaluation: the formula with everything computed that the known inputs decide.

    What may divide by 0 stays: that is a problem, whatever the quotient would be."""
    if _may_divide_by_zero(node, bounds):
        return _simplify_arguments(node, bounds)
    value = evaluate_bounds(node, bounds)
    if isinstance(value, frozenset):
        return Node("word", tuple(value)) if len(value) == 1 else _simplify_arguments(node, bounds)
    if value.is_exact:
        return Node("number", (int(value.low),))
    if node.op == "if":
        test = evaluate_bounds(node.args[0], bounds)
        if isinstance(test, Interval) and test.truth is not None:
            return _simplify_node(node.args[1 if test.truth else 2], bounds)
    return _simplify_arguments(node, bounds)


def _may_divide_by_zero(node: Node, bounds: Bounds) -> bool:
    for part in walk(node):
        if part.op in ROUNDING_FUNCTIONS:
            divisor = evaluate_bounds(part.args[1], bounds)
            if not isinstance(divisor, Interval) or divisor.truth is not True:
                return True
    return False


def _simplify_arguments(node: Node, bounds: Bounds) -> Node:
    args = tuple(_simplify_node(arg, bounds) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op in ("and", "or"):  # drop what is known and does not decide
        args = tuple(arg for arg in args if arg.op != "number") or args
        if len(args) == 1:
            return Node("!=", (args[0], Node("number", (0,))))
    return Node(node.op, args, node.start, node.end)


def _scale_sum(linear_sum: _LinearSum | None, factor: int) -> _LinearSum | None:
    if linear_sum is None:
        return None
    factors, rest = linear_sum
    return {name: part * factor for name, part in factors.items()}, {node: part * factor for node, part in rest.items()}


def _add_sums(parts: list[_LinearSum | None]) -> _LinearSum | None:
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


def _constant_terms(rest: dict[Node, int]) -> list[Node]:
    """The part of a sum that does not depend on dice; terms that cancel remain because they may divide by 0."""
    constant = sum(node.args[0] * factor for node, factor in rest.items() if node.op == "number")
    terms = [_multiply_node(factor, node) for node, factor in rest.items() if node.op != "number"]
    return [*terms, Node("number", (constant,))] if constant else terms


def _multiply_node(factor: int, node: Node) -> Node:
    if factor == 1:
        return node
    return Node("neg", (node,)) if factor == -1 else Node("*", (Node("number", (factor,)), node))


class _CompiledQuestion:
    """The question as Python functions over states, each compiled on first use."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def make_writer(self) -> CodeWriter:
        bounds = self.plan.bounds
        for coordinates in self.plan.coordinates:
            for coordinate in coordinates:
                bounds = bounds.with_value(coordinate.name, interval_between(-MAX_TALLY, MAX_TALLY))
        for name, node in self.plan.statements.items():
            if name not in self.plan.compiled.asked:
                bounds = bounds.with_value(name, evaluate_bounds(node, bounds))
        return CodeWriter(bounds, self.plan.compiled.rule.tables)

    def statement_lines(self, writer: CodeWriter) -> list[str]:
        lines = []
        for name, node in self.plan.statements.items():
            code = writer.write_expression(self.plan.compiled.get_formula(name), node)
            entry = self.plan.compiled.asked.get(name)
            lines.append(f"v_{name} = w_{name} if {code} else {entry.default!r}" if entry else f"v_{name} = {code}")
        return lines

    def input_lines(self) -> list[str]:
        """Copies inputs to local variables; a conditional input keeps its given value under another name."""
        return [f"{'w' if name in self.plan.statements else 'v'}_{name} = v[{name!r}]" for name in self.plan.inputs]

    def loop_lines(self, inner: Iterable[str]) -> list[str]:
        lines, indent = ["w = 1"], ""
        for number, group in enumerate(self.plan.active):
            names = ", ".join(coordinate.name for coordinate in self.plan.coordinates[group])
            lines.append(f"{indent}for ({names},), p{number} in states[{number}]:")
            indent += "    "
        weight = " * ".join(f"p{number}" for number in range(len(self.plan.active))) or "1"
        return [*lines, f"{indent}w = {weight}", *(indent + line for line in inner)]

    def outcome_lines(self, writer: CodeWriter, then: str) -> list[str]:
        """A branch for each outcome; `{}` in the statement becomes the number of the outcome."""
        whens = self.plan.question.conditions
        lines = []
        for number, formula in enumerate(whens):
            test = writer.write_truth(formula, self.plan.targets[number])
            lines.append(f"{'elif' if number else 'if'} {test}: {then.format(number)}")
        last = then.format(len(whens))
        return [*lines, f"else: {last}" if whens else last]

    def compile_function(self, writer: CodeWriter, start: str, loop: Iterable[str], give: str) -> Any:
        body = [*self.input_lines(), start, *loop, f"return {give}"]
        return writer.compile(write_function("run", "v, states", body), "run")

    @cached_property
    def count(self) -> Any:
        """Adds up the weights of each outcome over all states."""
        writer = self.make_writer()
        names = [f"o{number}" for number in range(len(self.plan.question.conditions) + 1)]
        inner = [*self.statement_lines(writer), *self.outcome_lines(writer, "o{} += w")]
        return self.compile_function(
            writer, f"{' = '.join(names)} = 0", self.loop_lines(inner), f"[{', '.join(names)}]"
        )

    @cached_property
    def classify(self) -> Any:
        """Returns the outcome of each state in a list, for a question about one group."""
        writer = self.make_writer()
        names = ", ".join(coordinate.name for coordinate in self.plan.coordinates[self.plan.active[0]])
        inner = [*self.statement_lines(writer), *self.outcome_lines(writer, "got.append({})")]
        loop = [f"for ({names},) in states:", *(f"    {line}" for line in inner)]
        return self.compile_function(writer, "got = []", loop, "got")

    @cached_property
    def gather(self) -> Any:
        """Adds up the weights by outcome and by the values of the question."""
        writer, question = self.make_writer(), self.plan.question
        inner = [*self.statement_lines(writer), *self.outcome_lines(writer, "o = {}")]
        values = zip(question.values, self.plan.targets[len(question.conditions) :], strict=True)
        key = "".join(f", {writer.write_expression(formula, node)}" for formula, node in values)
        inner += [f"k = (o{key},)", "got[k] = got.get(k, 0) + w"]
        return self.compile_function(writer, "got = {}", self.loop_lines(inner), "got")


_Form = tuple[tuple[str, int], ...]  # tallies with their factors
Groups = tuple[tuple[int, ...], ...]  # kinds of dice that depend on each other


class Coordinate(NamedTuple):
    """A number that the dice of one group decide: a sum of tallies, or the highest or lowest of a kind."""

    name: str
    form: _Form
    extreme: str = ""


class Question(NamedTuple):
    """Formulas to evaluate together: the first of `whens` that is true, and the values of others."""

    conditions: tuple[Formula, ...] = ()
    values: tuple[Formula, ...] = ()


class Plan:
    """A question about a rule, rewritten over coordinates."""

    def __init__(
        self, compiled: CompiledRule, switches: tuple[tuple[str, Any], ...], question: Question, groups: Groups
    ) -> None:
        self.compiled, self.question, self.groups = compiled, question, groups
        self.bounds = compiled.bounds
        for name, value in switches:
            self.bounds = self.bounds.with_value(name, exact_value(value))
        self.kinds = {tally.name: tally.kind for tally in compiled.tallies}
        self.group_of = {kind: number for number, group in enumerate(groups) for kind in group}
        self.coordinates: list[list[Coordinate]] = [[] for _ in groups]
        self.dice_steps = frozenset(compiled.order) - frozenset(compiled.fixed)
        self.simplified = {
            name: _simplify_node(compiled.get_node(compiled.get_formula(name)), self.bounds) for name in self.dice_steps
        }
        self.sizes: dict[str, int] = {}
        self.sums: dict[str, _LinearSum | None] = {}
        self.add_up_steps()
        self.targets = [
            self.rewrite(_simplify_node(compiled.get_node(formula), self.bounds), formula.text)
            for formula in (*question.conditions, *question.values)
        ]
        self.statements = self.needed_statements()
        self.inputs = self.needed_inputs()

    def input_values(self, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of the inputs that the question uses."""
        return tuple([known[name] for name in self.inputs])

    def needed_statements(self) -> dict[str, Node]:
        """The steps that must be computed because they are not linear in the tallies."""
        statements: dict[str, Node] = {}
        waiting = list(self.targets)
        while waiting:
            for name in collect_names(waiting.pop()) & self.dice_steps - statements.keys():
                statements[name] = self.rewrite(self.simplified[name], name)
                waiting.append(statements[name])
        return {name: statements[name] for name in self.compiled.order if name in statements}

    def needed_inputs(self) -> tuple[str, ...]:
        nodes = [*self.targets, *self.statements.values()]
        names = set().union(*map(collect_names, nodes)) - (self.statements.keys() - self.compiled.asked.keys())
        return tuple(sorted(names))

    def is_free_of_dice(self, node: Node) -> bool:
        return not any(
            inner.op == "tally" or (inner.op == "name" and inner.args[0] in self.dice_steps) for inner in walk(node)
        )

    def add_up_steps(self) -> None:
        """Writes each step as a linear sum of tallies, if it is one and not too long."""
        for name in self.compiled.order:
            if name in self.dice_steps and name not in self.compiled.asked:
                self.sizes[name] = self.count_operations(self.simplified[name])
                if self.sizes[name] <= _MOST_PARTS:
                    self.sums[name] = self.to_linear_sum(self.simplified[name])
                    self.sizes[name] = self.sizes[name] if self.sums[name] else 1  # not linear: keeps its name

    def count_operations(self, node: Node) -> int:
        """The number of operations in a sum after its steps are substituted."""
        if node.op == "name":
            return self.sizes.get(node.args[0], 1)
        return 1 + sum(map(self.count_operations, node.child_nodes())) if node.op in ("+", "neg", "*") else 1

    def sum_of_step(self, name: str) -> _LinearSum | None:
        if name in self.compiled.asked:
            return None
        if name not in self.sums:
            behind = self.compiled.expand_dependencies([name])
            raise FormulaTooLongError(next(step for step in self.sizes if step in behind and step not in self.sums))
        return self.sums[name]

    def to_linear_sum(self, node: Node) -> _LinearSum | None:
        """Tallies with their factors, and a rest without dice; None if the formula is not linear."""
        if node.op == "tally":
            return ({node.args[0]: 1}, {}) if self.tally(node).is_additive else None
        if self.is_free_of_dice(node):
            return {}, {node: 1}
        if node.op == "name":
            return self.sum_of_step(node.args[0])
        if node.op == "neg":
            return _scale_sum(self.to_linear_sum(node.args[0]), -1)
        if node.op == "+":
            return _add_sums([self.to_linear_sum(arg) for arg in node.args])
        if node.op == "*" and len(node.args) == 2:
            for factor, other in (node.args, node.args[::-1]):
                if factor.op == "number":
                    return _scale_sum(self.to_linear_sum(other), factor.args[0])
        return None

    def tally(self, node: Node) -> Any:
        return self.compiled.tallies[int(node.args[0][1:])]

    def rewrite(self, node: Node, formula: str) -> Node:
        """The formula over coordinates; `formula` names it in the error if it is too long."""
        if self.is_free_of_dice(node):
            return node
        linear_sum = self.to_linear_sum(node)
        if self.count_operations(node) > _MOST_PARTS:
            raise FormulaTooLongError(formula)
        if linear_sum:
            factors, rest = linear_sum
            terms = [*self.group_terms(factors), *_constant_terms(rest)]
            return terms[0] if len(terms) == 1 else Node("+", tuple(terms) or (Node("number", (0,)),))
        if node.op == "tally":
            return self.extreme_node(node)
        return Node(node.op, tuple(self.rewrite(arg, formula) if isinstance(arg, Node) else arg for arg in node.args))

    def group_terms(self, factors: Mapping[str, int]) -> list[Node]:
        """One coordinate for each group of dice that a sum depends on."""
        parts: dict[int, dict[str, int]] = {}
        for name, factor in factors.items():
            if factor:
                parts.setdefault(self.group_of[self.kinds[name]], {})[name] = factor
        return [self.group_term(group, part) for group, part in parts.items()]

    def group_term(self, group: int, part: Mapping[str, int]) -> Node:
        factor = gcd(*part.values())
        factor = -factor if min(part.items())[1] < 0 else factor
        node = self.coordinate_node(group, tuple(sorted((name, times // factor) for name, times in part.items())), "")
        return _multiply_node(factor, node)

    def extreme_node(self, node: Node) -> Node:
        tally = self.tally(node)
        return self.coordinate_node(self.group_of[tally.kind], ((tally.name, 1),), tally.function)

    def coordinate_node(self, group: int, form: _Form, extreme: str) -> Node:
        known = self.coordinates[group]
        for coordinate in known:
            if (coordinate.form, coordinate.extreme) == (form, extreme):
                return Node("tally", (coordinate.name,))
        known.append(Coordinate(f"c{group}_{len(known)}", form, extreme))
        return Node("tally", (known[-1].name,))

    @cached_property
    def active(self) -> list[int]:
        """The groups of dice that the question depends on."""
        return [number for number, coordinates in enumerate(self.coordinates) if coordinates]

    @cached_property
    def code(self) -> _CompiledQuestion:
        """The question as compiled code."""
        return _CompiledQuestion(self)

    def evaluate_in_ranges(self, known: Mapping[str, Any], bounds: Bounds) -> tuple[int | None, list[Any]]:
        """Outcome and values for ranges of the coordinates; None if the ranges do not decide."""
        for name in self.inputs:
            bounds = bounds.with_value(name, exact_value(known[name]))
        for name, node in self.statements.items():
            value = evaluate_bounds(node, bounds)
            entry = self.compiled.asked.get(name)
            if entry:
                truth = value.truth if isinstance(value, Interval) else None
                value = exact_value(known[name] if truth else entry.default)
                if truth is None and known[name] != entry.default:
                    value = interval_between(-MAX_TALLY, MAX_TALLY)
            bounds = bounds.with_value(name, value)
        values = [evaluate_bounds(node, bounds) for node in self.targets[len(self.question.conditions) :]]
        return self.first_outcome(bounds), values

    def first_outcome(self, bounds: Bounds) -> int | None:
        for number in range(len(self.question.conditions)):
            value = evaluate_bounds(self.targets[number], bounds)
            truth = value.truth if isinstance(value, Interval) else None
            if truth is not False:
                return number if truth else None
        return len(self.question.conditions)

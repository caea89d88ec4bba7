"""Rewrites a question about a rule over as few coordinates of the dice as possible.

Formulas use dice through tallies. Sums of tallies that only appear together become one coordinate, so that `successes +
bonus successes` costs one dimension instead of two."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from math import gcd
from typing import Any, NamedTuple, Protocol

from ..game.core import ROUND, Expression
from ..game.formula import ROUNDING_FUNCTIONS, Node, collect_names, walk
from ..game.intervals import Bounds, Interval, evaluate_bounds, exact_value
from ..play.compiled_rule import NO_KIND, CompiledRule
from .budget import NO_ANSWER, BudgetError
from .fold import DiceWriter

ROUND_FORMULA = Expression(ROUND, Node("name", (ROUND,)))

_LinearSum = tuple[dict[str, int], dict[Node, int]]  # factors of tallies, and of terms that do not depend on dice


def _simplify_node(node: Node, bounds: Bounds, risky: Collection[str]) -> Node:
    """Partial evaluation: the formula with everything computed that the known inputs decide.

    What may divide by 0 stays, as do `risky` steps, which may: that is a problem, whatever the quotient would be."""
    if _may_divide_by_zero(node, bounds, risky):
        return _simplify_arguments(node, bounds, risky)
    value = evaluate_bounds(node, bounds)
    if isinstance(value, frozenset):
        return Node("word", tuple(value)) if len(value) == 1 else _simplify_arguments(node, bounds, risky)
    if value.is_exact:
        return Node("number", (int(value.low),))
    if node.op == "if":
        test = evaluate_bounds(node.args[0], bounds)
        if isinstance(test, Interval) and test.truth is not None:
            return _simplify_node(node.args[1 if test.truth else 2], bounds, risky)
    return _simplify_arguments(node, bounds, risky)


def _may_divide_by_zero(node: Node, bounds: Bounds, risky: Collection[str]) -> bool:
    for part in walk(node):
        if part.op == "name" and part.args[0] in risky:
            return True
        if part.op in ROUNDING_FUNCTIONS:
            divisor = evaluate_bounds(part.args[1], bounds)
            if not isinstance(divisor, Interval) or divisor.truth is not True:
                return True
    return False


def _simplify_arguments(node: Node, bounds: Bounds, risky: Collection[str]) -> Node:
    args = tuple(_simplify_node(arg, bounds, risky) if isinstance(arg, Node) else arg for arg in node.args)
    if node.op in ("and", "or"):  # drop what is known and does not decide; what decides may stand after a division
        args = tuple(arg for arg in args if arg.op != "number" or bool(arg.args[0]) != (node.op == "and")) or args
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


_Form = tuple[tuple[str, int], ...]  # tallies with their factors
Groups = tuple[tuple[int, ...], ...]  # kinds of dice that depend on each other


class Coordinate(NamedTuple):
    """A number that the dice of one group decide: a sum of tallies, or the highest or lowest of a kind."""

    name: str
    form: _Form
    extreme: str = ""


class Question(NamedTuple):
    """Formulas to evaluate together: the first of `whens` that is true, and the values of others."""

    conditions: tuple[Expression, ...] = ()
    values: tuple[Expression, ...] = ()


class AnyPlan(Protocol):
    """A question for the elimination: formulas over coordinates, and what they may name."""

    has_stage_costs: bool  # whether each stage pays for its own formulas
    is_thorough: bool  # whether conditions are decided as soon as they can be, whatever that costs
    writer: type[DiceWriter]
    compiled: Any
    question: Question
    statements: dict[str, Node]
    targets: list[Node]
    bounds: Bounds
    inputs: tuple[str, ...]

    @property
    def size(self) -> int: ...


class Plan:
    """A question about a rule, rewritten over coordinates."""

    has_stage_costs = False  # whether each stage of an elimination pays for its own formulas
    is_thorough = False
    writer = DiceWriter

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
        open_steps = {name for name in compiled.order if self.looks_at_table([compiled.get_formula(name)])}
        if self.looks_at_table([*question.conditions, *question.values]):
            raise BudgetError(NO_ANSWER)
        self.dice_steps = frozenset(compiled.order) - frozenset(compiled.fixed) - open_steps
        self.risky: set[str] = set()
        self.simplified: dict[str, Node] = {}
        for name in (own for own in compiled.order if own in self.dice_steps):
            node = compiled.get_formula(name).node
            if _may_divide_by_zero(node, self.bounds, self.risky):
                self.risky.add(name)
            self.simplified[name] = _simplify_node(node, self.bounds, self.risky)
        self.sums: dict[str, _LinearSum | None] = {}
        self.eliminations: dict[Any, Any] = {}  # the question as compiled code, by its sources
        self.add_up_steps()
        self.single: set[str] = set()  # tallies with a coordinate of their own
        self.rewrite_all()
        self.single = self.find_single_tallies()
        if self.single:
            self.coordinates = [[] for _ in groups]
            self.rewrite_all()
        self.inputs = self.needed_inputs()

    def looks_at_table(self, formulas: Sequence[Expression]) -> bool:
        """Whether these formulas look at dice in a way that tallies of single kinds do not tell."""
        if NO_KIND not in self.kinds.values():
            return False
        names = self.compiled.collect_dependencies(formulas)
        needed = [self.compiled.get_formula(name) for name in names & set(self.compiled.order)]
        tallies = [part.args[0] for own in (*formulas, *needed) for part in walk(own.node) if part.op == "tally"]
        return any(self.kinds[name] == NO_KIND for name in tallies)

    def rewrite_all(self) -> None:
        """Rewrites the formulas of the question and the steps that it needs."""
        question = self.question
        self.targets = [
            self.rewrite(_simplify_node(formula.node, self.bounds, self.risky))
            for formula in (*question.conditions, *question.values)
        ]
        self.statements = self.needed_statements()

    def find_single_tallies(self) -> set[str]:
        """Tallies that are better split off from other sums: alone in one sum; or without end, and in several."""
        single = set()
        for coordinates in self.coordinates:
            forms = [dict(coordinate.form) for coordinate in coordinates if not coordinate.extreme]
            for name in {name for form in forms for name in form}:
                own = [form for form in forms if name in form]
                tally = self.compiled.tallies[int(name[1:])]
                is_open = tally.function == "sum" and self.compiled.rule.kinds[tally.kind].explodes
                if len(own) > 1 and (is_open or any(len(form) == 1 for form in own)):
                    single.add(name)
        return single

    def input_values(self, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of the inputs that the question uses."""
        return tuple([known[name] for name in self.inputs])

    def needed_statements(self) -> dict[str, Node]:
        """The steps that must be computed because they are not linear in the tallies."""
        statements: dict[str, Node] = {}
        waiting = list(self.targets)
        while waiting:
            for name in collect_names(waiting.pop()) & self.dice_steps - statements.keys():
                statements[name] = self.rewrite(self.simplified[name])
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
        """Writes each step as a linear sum of tallies, if it is one."""
        for name in self.compiled.order:
            if name in self.dice_steps and name not in self.compiled.asked:
                self.sums[name] = self.to_linear_sum(self.simplified[name])

    def to_linear_sum(self, node: Node) -> _LinearSum | None:
        """Tallies with their factors, and a rest without dice; None if the formula is not linear."""
        if node.op == "tally":
            return ({node.args[0]: 1}, {}) if self.tally(node).is_additive else None
        if self.is_free_of_dice(node):
            return {}, {node: 1}
        if node.op == "name":
            return self.sums.get(node.args[0])
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

    def rewrite(self, node: Node) -> Node:
        """The formula over coordinates."""
        if self.is_free_of_dice(node):
            return node
        linear_sum = self.to_linear_sum(node)
        if linear_sum:
            factors, rest = linear_sum
            terms = [*self.group_terms(factors), *_constant_terms(rest)]
            return terms[0] if len(terms) == 1 else Node("+", tuple(terms) or (Node("number", (0,)),))
        if node.op == "tally":
            return self.extreme_node(node)
        return Node(node.op, tuple(self.rewrite(arg) if isinstance(arg, Node) else arg for arg in node.args))

    def group_terms(self, factors: Mapping[str, int]) -> list[Node]:
        """One coordinate for each group of dice that a sum depends on."""
        parts: dict[int, dict[str, int]] = {}
        for name, factor in factors.items():
            if factor:
                parts.setdefault(self.group_of[self.kinds[name]], {})[name] = factor
        split = []
        for group, part in parts.items():
            alone = {name for name in part if name in self.single}
            split += [(group, {name: part[name]}) for name in sorted(alone)]
            rest = {name: factor for name, factor in part.items() if name not in alone}
            split += [(group, rest)] if rest else []
        return [self.group_term(group, part) for group, part in split]

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
    def size(self) -> int:
        """How many nodes the formulas have."""
        return sum(1 for node in (*self.statements.values(), *self.targets) for _ in walk(node))

    @cached_property
    def names(self) -> list[tuple[str, ...]]:
        """The names of the coordinates of each group."""
        return [tuple(coordinate.name for coordinate in coordinates) for coordinates in self.coordinates]

    @cached_property
    def active(self) -> list[int]:
        """The groups of dice that the question depends on."""
        return [number for number, coordinates in enumerate(self.coordinates) if coordinates]

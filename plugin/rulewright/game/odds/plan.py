"""What has to be known about the dice to answer a question, and the code that answers it from there.

Formulas see dice through tallies. Sums of tallies that only ever appear together are one coordinate,
so that «successes + bonus successes» costs one dimension and not two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import gcd
from typing import Any

from ..model import Formula
from ..program import MOST, Program, function
from ..python import Writer
from ..ranges import Bounds, Range, between, evaluate, exactly
from ..tree import Node, names_in, walk

Form = tuple[tuple[str, int], ...]  # tallies with the number of times each counts
Groups = tuple[tuple[int, ...], ...]  # kinds of dice that depend on each other


@dataclass(frozen=True)
class Coordinate:
    """A number that the dice of one group yield: a sum of tallies, or the highest or lowest of a kind."""

    name: str
    form: Form
    extreme: str = ""


@dataclass(frozen=True)
class Question:
    """Formulas to be answered together: the first of `whens` that holds, and `values` of the steps."""

    whens: tuple[Formula, ...] = ()
    values: tuple[Formula, ...] = ()


class Plan:
    """A question about a rule, rewritten over coordinates."""

    def __init__(self, made: Program, switches: tuple[tuple[str, Any], ...], question: Question, groups: Groups) -> None:
        self.made, self.question, self.groups = made, question, groups
        self.bounds = made.bounds
        for name, value in switches:
            self.bounds = self.bounds.with_value(name, exactly(value))
        self.kinds = {tally.name: tally.kind for tally in made.tallies}
        self.group_of = {kind: number for number, group in enumerate(groups) for kind in group}
        self.coordinates: list[list[Coordinate]] = [[] for _ in groups]
        self.tied = frozenset(made.order) - frozenset(made.fixed)
        self.simple = {name: simplify(made.node(made.formula(name)), self.bounds) for name in self.tied}
        self.targets = [self.rewrite(simplify(made.node(formula), self.bounds)) for formula in (*question.whens, *question.values)]
        self.statements = self.needed_statements()
        self.inputs = self.needed_inputs()

    def values(self, known: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of all inputs that the question itself names."""
        return tuple([known[name] for name in self.inputs])

    def needed_statements(self) -> dict[str, Node]:
        """The steps that are needed as they are, because they are no plain sums."""
        found: dict[str, Node] = {}
        waiting = list(self.targets)
        while waiting:
            for name in names_in(waiting.pop()) & self.tied - found.keys():
                found[name] = self.rewrite(self.simple[name])
                waiting.append(found[name])
        return {name: found[name] for name in self.made.order if name in found}

    def needed_inputs(self) -> tuple[str, ...]:
        nodes = [*self.targets, *self.statements.values()]
        names = set().union(*map(names_in, nodes)) - (self.statements.keys() - self.made.asked.keys())
        return tuple(sorted(names))

    def free(self, node: Node) -> bool:
        return not any(inner.op == "tally" or (inner.op == "name" and inner.args[0] in self.tied) for inner in walk(node))

    def linear(self, node: Node) -> tuple[dict[str, int], list[Node]] | None:
        """Tallies with their factors and a rest that needs no dice; None where it is no such sum."""
        if node.op == "tally":
            return ({node.args[0]: 1}, []) if self.tally(node).additive else None
        if self.free(node):
            return {}, [node]
        if node.op == "name":
            return self.linear(self.simple[node.args[0]]) if node.args[0] not in self.made.asked else None
        if node.op == "neg":
            return scaled(self.linear(node.args[0]), -1)
        if node.op == "+":
            return added([self.linear(arg) for arg in node.args])
        if node.op == "*" and len(node.args) == 2:
            for factor, other in (node.args, node.args[::-1]):
                if factor.op == "number":
                    return scaled(self.linear(other), factor.args[0])
        return None

    def tally(self, node: Node) -> Any:
        return self.made.tallies[int(node.args[0][1:])]

    def rewrite(self, node: Node) -> Node:
        if self.free(node):
            return node
        found = self.linear(node)
        if found:
            factors, rest = found
            terms = [*self.terms(factors), *rest]
            return terms[0] if len(terms) == 1 else Node("+", tuple(terms) or (Node("number", (0,)),))
        if node.op == "tally":
            return self.extreme(node)
        return Node(node.op, tuple(self.rewrite(arg) if isinstance(arg, Node) else arg for arg in node.args))

    def terms(self, factors: Mapping[str, int]) -> list[Node]:
        """One coordinate for each group that a sum reaches into."""
        parts: dict[int, dict[str, int]] = {}
        for name, factor in factors.items():
            if factor:
                parts.setdefault(self.group_of[self.kinds[name]], {})[name] = factor
        return [self.term(group, part) for group, part in parts.items()]

    def term(self, group: int, part: Mapping[str, int]) -> Node:
        factor = gcd(*part.values())
        factor = -factor if next(iter(sorted(part.items())))[1] < 0 else factor
        node = self.coordinate(group, tuple(sorted((name, times // factor) for name, times in part.items())), "")
        if factor == 1:
            return node
        return Node("neg", (node,)) if factor == -1 else Node("*", (Node("number", (factor,)), node))

    def extreme(self, node: Node) -> Node:
        tally = self.tally(node)
        return self.coordinate(self.group_of[tally.kind], ((tally.name, 1),), tally.function)

    def coordinate(self, group: int, form: Form, extreme: str) -> Node:
        known = self.coordinates[group]
        for coordinate in known:
            if coordinate.form == form:
                return Node("tally", (coordinate.name,))
        known.append(Coordinate(f"c{group}_{len(known)}", form, extreme))
        return Node("tally", (known[-1].name,))

    @cached_property
    def active(self) -> list[int]:
        """The groups of dice that the question depends on."""
        return [number for number, coordinates in enumerate(self.coordinates) if coordinates]

    def writer(self) -> Writer:
        bounds = self.bounds
        for coordinates in self.coordinates:
            for coordinate in coordinates:
                bounds = bounds.with_value(coordinate.name, between(-MOST, MOST))
        for name, node in self.statements.items():
            if name not in self.made.asked:
                bounds = bounds.with_value(name, evaluate(node, bounds))
        return Writer(bounds, self.made.rule.tables)

    def body(self, writer: Writer) -> list[str]:
        lines = []
        for name, node in self.statements.items():
            code = writer.expression(self.made.formula(name), node)
            entry = self.made.asked.get(name)
            lines.append(f"v_{name} = w_{name} if {code} else {entry.default!r}" if entry else f"v_{name} = {code}")
        return lines

    def opening(self) -> list[str]:
        """Inputs become local names; one that is asked keeps its given value under another name."""
        return [f"{'w' if name in self.statements else 'v'}_{name} = v[{name!r}]" for name in self.inputs]

    def loops(self, inner: Iterable[str]) -> list[str]:
        lines, indent = ["w = 1"], ""
        for number, group in enumerate(self.active):
            names = ", ".join(coordinate.name for coordinate in self.coordinates[group])
            lines.append(f"{indent}for ({names},), p{number} in states[{number}]:")
            indent += "    "
        weight = " * ".join(f"p{number}" for number in range(len(self.active))) or "1"
        return [*lines, f"{indent}w = {weight}", *(indent + line for line in inner)]

    @cached_property
    def count_outcomes(self) -> Any:
        """Code that adds up the weights of each outcome over all states."""
        writer, whens = self.writer(), len(self.question.whens)
        inner = self.body(writer)
        for number, formula in enumerate(self.question.whens):
            test = writer.truth(formula, self.targets[number])
            inner.append(f"{'if' if not number else 'elif'} {test}: o{number} += w")
        inner.append(f"else: o{whens} += w" if whens else "o0 += w")
        zeros = " = ".join(f"o{number}" for number in range(whens + 1)) + " = 0"
        sums = ", ".join(f"o{number}" for number in range(whens + 1))
        return writer.compile(function("run", "v, states", [*self.opening(), zeros, *self.loops(inner), f"return [{sums}]"]), "run")

    @cached_property
    def classify(self) -> Any:
        """Code that gives the outcome of each of a list of states; for questions about one group."""
        writer = self.writer()
        lines = self.body(writer)
        for number, formula in enumerate(self.question.whens):
            lines.append(f"{'if' if not number else 'elif'} {writer.truth(formula, self.targets[number])}: got.append({number})")
        lines.append(f"else: got.append({len(self.question.whens)})" if self.question.whens else "got.append(0)")
        names = ", ".join(coordinate.name for coordinate in self.coordinates[self.active[0]])
        loop = [f"for ({names},) in states:", *("    " + line for line in lines)]
        return writer.compile(function("run", "v, states", [*self.opening(), "got = []", *loop, "return got"]), "run")

    @cached_property
    def gather(self) -> Any:
        """Code that adds up weights by outcome and by the values of the steps asked for."""
        writer = self.writer()
        inner = self.body(writer)
        for number, formula in enumerate(self.question.whens):
            test = writer.truth(formula, self.targets[number])
            inner.append(f"{'if' if not number else 'elif'} {test}: o = {number}")
        inner.append(f"else: o = {len(self.question.whens)}" if self.question.whens else "o = 0")
        values = zip(self.question.values, self.targets[len(self.question.whens) :], strict=True)
        key = "".join(f", {writer.expression(formula, node)}" for formula, node in values)
        inner += [f"k = (o{key},)", "got[k] = got.get(k, 0) + w"]
        return writer.compile(function("run", "v, states", [*self.opening(), "got = {}", *self.loops(inner), "return got"]), "run")

    def outline(self, known: Mapping[str, Any], bounds: Bounds) -> tuple[int | None, list[Any]]:
        """Outcome and values where coordinates are only known to lie in ranges; None where that is not enough."""
        for name in self.inputs:
            bounds = bounds.with_value(name, exactly(known[name]))
        for name, node in self.statements.items():
            found = evaluate(node, bounds)
            entry = self.made.asked.get(name)
            if entry:
                truth = found.truth if isinstance(found, Range) else None
                found = exactly(known[name] if truth else entry.default)
                if truth is None and known[name] != entry.default:
                    found = between(-MOST, MOST)
            bounds = bounds.with_value(name, found)
        values = [evaluate(node, bounds) for node in self.targets[len(self.question.whens) :]]
        return self.first(bounds), values

    def first(self, bounds: Bounds) -> int | None:
        for number in range(len(self.question.whens)):
            found = evaluate(self.targets[number], bounds)
            truth = found.truth if isinstance(found, Range) else None
            if truth is not False:
                return number if truth else None
        return len(self.question.whens)


@lru_cache(maxsize=2048)
def make_plan(made: Program, switches: tuple[tuple[str, Any], ...], question: Question, groups: Groups) -> Plan:
    return Plan(made, switches, question, groups)


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


def scaled(found: tuple[dict[str, int], list[Node]] | None, factor: int) -> tuple[dict[str, int], list[Node]] | None:
    if found is None:
        return None
    factors, rest = found
    times = Node("number", (factor,))
    return {name: part * factor for name, part in factors.items()}, [Node("*", (times, node)) for node in rest]


def added(parts: list[tuple[dict[str, int], list[Node]] | None]) -> tuple[dict[str, int], list[Node]] | None:
    factors: dict[str, int] = {}
    rest: list[Node] = []
    for part in parts:
        if part is None:
            return None
        rest += part[1]
        for name, factor in part[0].items():
            factors[name] = factors.get(name, 0) + factor
    return factors, rest

"""What is left of a question while sources of chance become known one after the other (elimination.py)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..game.codegen import CodeWriter
from ..game.core import Expression
from ..game.formula import COMPARISONS, ROUNDING_FUNCTIONS, Node, walk
from ..game.intervals import Bounds, evaluate_bounds, interval_between
from ..play.compiled_rule import MAX_TALLY, write_function
from .bound_code import (
    ANY,
    Ends,
    any_of,
    both,
    combine_bounds,
    compare_bounds,
    count_nodes,
    find_condition,
    find_truth,
    is_choice,
    is_multiple,
    may_fail,
    replace_number,
)
from .fold import ZERO

if TYPE_CHECKING:
    from .plan import AnyPlan

_OPEN = 2  # the state of a comparison that is not decided; otherwise 0 or 1


Pools = Mapping[str, tuple[str, ...]]  # pools of which some faces have been rolled, with the others


class Residual:
    """What is left of a question: statements (names with formulas), tests of outcomes and values, and what is known."""

    def __init__(
        self,
        plan: AnyPlan,
        statements: Mapping[str, Node],
        targets: Sequence[Node],
        carried: Sequence[str],
        pools: Pools,
    ) -> None:
        self.plan, self.statements, self.targets = plan, statements, targets
        self.carried, self.pools = carried, pools
        self.conditions = len(plan.question.conditions)
        self.steps = plan.statements.keys()
        self.leaves: dict[int, tuple[Node, frozenset[str]]] = {}  # by the identity of the formula, which is kept

    @classmethod
    def of_plan(cls, plan: AnyPlan, replaced: Mapping[str, Node]) -> Residual:
        statements = {}
        for name, node in plan.statements.items():
            statements[name], entry = _replace_coordinates(node, replaced), plan.compiled.asked.get(name)
            if entry:
                default = Node("word" if isinstance(entry.default, str) else "number", (entry.default,))
                statements[name] = Node("if", (statements[name], Node("tally", (f"w_{name}",)), default))
        return cls(plan, statements, [_replace_coordinates(node, replaced) for node in plan.targets], (), {})

    @property
    def size(self) -> int:
        """How many nodes the formulas have."""
        return sum(1 for node in (*self.statements.values(), *self.targets) for _ in walk(node))

    def find_leaves(self, node: Node) -> frozenset[str]:
        """The variables that a formula needs: of statements, coordinates, partial results."""
        known = self.leaves.get(id(node))
        if known is None:
            names = set().union(*map(self.find_leaves, node.child_nodes()))
            if node.op == "tally" and node.args[0][:2] != "w_":
                names.add(node.args[0])
            elif node.op == "status":
                names.add(node.args[1])
            elif node.op == "name" and node.args[0] in self.steps:
                names.add(f"v_{node.args[0]}")
            known = self.leaves[id(node)] = node, frozenset(names)
        return known[1]

    def writer(self) -> CodeWriter:
        bounds = Bounds({}, dict(self.plan.bounds.values), self.plan.bounds.tables)
        wide = interval_between(-MAX_TALLY, MAX_TALLY)
        for node in (*self.statements.values(), *self.targets):
            for inner in walk(node):
                if inner.op == "status":
                    bounds.values[inner.args[1]] = interval_between(0, _OPEN)  # type: ignore[index]
                elif inner.op == "tally" and inner.args[0] not in bounds.values:
                    entry = self.plan.compiled.asked.get(inner.args[0][2:]) if inner.args[0][:2] == "w_" else None
                    bounds.values[inner.args[0]] = bounds.values[entry.name] if entry else wide  # type: ignore[index]
        for name, node in self.statements.items():
            bounds.values[name] = evaluate_bounds(_without_status(node), bounds)  # type: ignore[index]
        return self.plan.writer(bounds, bounds.tables)

    def input_lines(self) -> list[str]:
        """Copies inputs to local variables; a conditional input keeps its given value under another name."""
        asked = self.plan.compiled.asked
        return [
            f"{'w' if name in asked and name in self.plan.statements else 'v'}_{name} = v[{name!r}]"
            for name in self.plan.inputs
        ]

    def loop_lines(self, names: Sequence[str], inner: Iterable[str], pool: str) -> list[str]:
        carried = [*(f"before_{own}" for own in self.pools), *self.carried]
        points = f"points[before_{pool}]" if pool in self.pools else "points"
        lines = [f"for ({''.join(f'{name}, ' for name in carried)}), w in states.items():"]
        lines.append(f"    for ({''.join(f'{name}, ' for name in names)}), p in {points}:")
        return lines + [f"        {line}" for line in inner]

    def statement_lines(self, writer: CodeWriter, names: Iterable[str]) -> list[str]:
        return [
            f"v_{name} = "
            + writer.write_expression(self.plan.compiled.get_formula(name), _without_status(self.statements[name]))
            for name in names
        ]

    def last(self, names: Sequence[str], pool: str, gathering: bool) -> Any:
        """The loop over the last source: adds up the weights by outcome, or by outcome and values."""
        writer, question = self.writer(), self.plan.question
        inner = self.statement_lines(writer, self.statements)
        outcomes = [f"o{number}" for number in range(self.conditions + 1)]
        for number, formula in enumerate(question.conditions):
            test = writer.write_truth(formula, _without_status(self.targets[number]))
            then = f"o = {number}" if gathering else f"n{number} += p"
            inner.append(f"{'elif' if number else 'if'} {test}: {then}")
        then = f"o = {self.conditions}" if gathering else f"n{self.conditions} += p"
        inner.append(f"else: {then}" if self.conditions else then)
        if gathering:
            values = zip(question.values, self.targets[self.conditions :], strict=True)
            key = "".join(f", {writer.write_expression(formula, _without_status(node))}" for formula, node in values)
            inner += [f"k = (o{key},)", "got[k] = got.get(k, 0) + w * p"]
        start = "got = {}" if gathering else f"{' = '.join(outcomes)} = 0"
        lines = self.loop_lines(names, inner, pool)
        if not gathering:  # one product for each state, not for each value
            lines.insert(1, f"    {' = '.join(f'n{number}' for number in range(len(outcomes)))} = 0")
            lines += [f"    {outcome} += w * n{number}" for number, outcome in enumerate(outcomes)]
        give = "return got" if gathering else f"return [{', '.join(outcomes)}]"
        body = [*self.input_lines(), start, *lines, give]
        return writer.compile(write_function("run", "v, states, points, ranges, rests", body), "run")

    def after(
        self, number: int, names: Sequence[str], rest: tuple[str, ...] | None, pool: str
    ) -> tuple[Residual, Any, int]:
        """What is left after one more source, the loop over its values, and how many nodes it works out."""
        pools = {**self.pools, pool: rest or ()}
        if not rest:
            del pools[pool]
        step = Step(self, number, names, pools)
        writer = self.writer()
        inner = [f"left_{own} = before_{own}" for own in pools]
        if rest:
            before = f"before_{pool}" if pool in self.pools else f"ranges[{names[0]!r}][1]"
            inner[list(pools).index(pool)] = f"left_{pool} = {before} - {names[0]}"
        inner += self.statement_lines(writer, step.complete)
        shown = self.plan.question.conditions or self.plan.question.values
        for name, node in step.parts.items():
            formula = shown[0] if shown else Expression("", node)
            inner.append(f"{name} = {writer.write_expression(formula, _without_status(node))}")
        inner += step.lines
        for own in pools:
            inner += step.closing_lines(own)
        key = [*(f"left_{own}" for own in pools), *step.kept_values()]
        inner += [f"k = ({''.join(f'{part}, ' for part in key)})", "got[k] = got.get(k, 0) + w * p"]
        head = [*self.input_lines(), "INF = 1e999", *(f"rest_{own} = rests[{own!r}]" for own in pools)]
        head += [f"lo_{name}, hi_{name} = ranges[{name!r}]" for name in sorted(step.ahead)]
        body = [*head, "got = {}", *self.loop_lines(names, inner, pool), "return got"]
        run = writer.compile(write_function("run", "v, states, points, ranges, rests", body), "run")
        statements = {name: node for name, node in step.statements.items() if name not in step.complete}
        return Residual(self.plan, statements, step.targets, list(step.uses), pools), run, step.size


def _replace_coordinates(node: Node, replaced: Mapping[str, Node]) -> Node:
    if not replaced:
        return node
    if node.op == "tally":
        return replaced.get(node.args[0], node)
    args: list[Any] = []
    for arg in node.args:
        new = _replace_coordinates(arg, replaced) if isinstance(arg, Node) else arg
        args += new.args if node.op == "+" and isinstance(new, Node) and new.op == "+" else [new]
    return Node(node.op, tuple(args), node.start, node.end)


def _without_status(node: Node) -> Node:
    """A formula with comparisons that may have been decided before written as `if`."""
    if node.op == "status":
        status = Node("tally", (node.args[1],))
        return Node("if", (Node("=", (status, Node("number", (_OPEN,)))), _without_status(node.args[0]), status))
    if not any(isinstance(arg, Node) for arg in node.args):
        return node
    return Node(
        node.op,
        tuple(_without_status(arg) if isinstance(arg, Node) else arg for arg in node.args),
        node.start,
        node.end,
    )


class Step:
    """One more source becomes known: the new formulas, the numbers to carry on, and when these are still needed."""

    def __init__(self, residual: Residual, number: int, names: Sequence[str], pools: Pools) -> None:
        self.residual, self.number, self.pools = residual, number, pools
        self.is_thorough = residual.plan.is_thorough
        self.rest = {name: (f"left_{own}", len(rest)) for own, rest in pools.items() for name in rest}
        self.known = {*names, *residual.carried}
        self.complete: list[str] = []
        self.parts: dict[str, Node] = {}  # partial results with new names
        self.names_of_parts: dict[Node, str] = {}
        self.statuses: dict[str, tuple[Node, str]] = {}  # new comparisons that may be decided: formula, status before
        self.statements: dict[str, Node] = {}
        for name, node in residual.statements.items():
            if self.is_known(node):
                self.complete.append(name)
                self.known.add(f"v_{name}")
                self.statements[name] = node
            else:
                self.statements[name] = self.reduce(node)
        self.targets = [self.reduce(node) for node in residual.targets]
        nodes = (*self.statements.values(), *self.targets)
        leaves = (leaf for node in nodes for leaf in walk(node) if leaf.op == "tally")
        self.ahead = {str(leaf.args[0]) for leaf in leaves if leaf.args[0][:2] != "w_" and not self.is_here(leaf)}
        self.lines = self.bound_lines()
        self.gathered: set[str] = set()  # sums of terms, and terms that are not decided
        if self.statuses:
            self.targets = list(map(self.gather, self.targets))
            own = {name: self.gather(node) for name, node in self.statements.items() if name not in self.complete}
            self.statements.update(own)
        self.find_uses()

    @property
    def size(self) -> int:
        """How many nodes are worked out for each value of the source."""
        nodes = [*self.parts.values(), *(self.statements[name] for name in self.complete)]
        nodes += [*self.statements.values(), *self.targets] if self.statuses else []
        return sum(count_nodes(node, self.rest) for node in nodes)

    def is_here(self, leaf: Node) -> bool:
        return leaf.args[0] in self.known or leaf.args[0] in self.parts

    def gather(self, node: Node) -> Node:
        """A formula in which terms that only a comparison can take away are joined once it is decided: those of a sum
        are added up, and of those of a maximum the largest is kept."""
        if not any(True for _ in node.child_nodes()):
            return node
        args = [self.gather(arg) if isinstance(arg, Node) else arg for arg in node.args]
        join = {"+": self.add_terms, "max": self.join_extremes, "min": self.join_extremes}.get(node.op)
        return Node(node.op, tuple(join(node.op, args) if join else args), node.start, node.end)

    def add_terms(self, op: str, args: list[Node]) -> list[Node]:  # noqa: ARG002
        sums = [arg for arg in args if arg.op == "tally" and self.is_here(arg)]
        terms = {arg: term for arg in args if (term := find_condition(arg)) and self.is_here(term.number)}
        if not terms:
            return args
        total = f"c{self.number}_{len(self.lines)}"
        parts = [leaf.args[0] for leaf in sums]
        left = []
        for arg, term in terms.items():
            name, own = f"g{self.number}_{len(self.lines)}", term.number.args[0]
            parts.append(f"({term.factor} * {own} * {term.status} if {term.status} != {_OPEN} else 0)")
            self.lines.append(f"{name} = {own} if {term.status} == {_OPEN} else 0")
            left.append(replace_number(arg, Node("tally", (name,))))
            self.gathered.add(name)
        self.lines.append(f"{total} = {' + '.join(parts)}")
        self.gathered.add(total)
        return [Node("tally", (total,)), *left, *(arg for arg in args if arg not in terms and arg not in sums)]

    def join_extremes(self, op: str, args: list[Node]) -> list[Node]:
        """Of numbers that are there if a comparison holds, and nothing else, those that are decided."""
        terms = [arg for arg in args if is_choice(arg, op)]
        here = [arg for arg in args if arg.op == "tally" and self.is_here(arg)]
        if len(terms) + len(here) < 2 or not terms:
            return args
        total, parts, left = f"c{self.number}_{len(self.lines)}", [own.args[0] for own in here], []
        for arg in terms:
            name, status = f"g{self.number}_{len(self.lines)}", arg.args[0].args[1]
            then, other = arg.args[1].args[0], arg.args[2].args[0]
            parts.append(f"({then} if {status} == 1 else {other})")
            self.lines.append(f"{name} = {status} if {status} == {_OPEN} else 0")
            left.append(Node("if", (Node("status", (arg.args[0].args[0], name)), *arg.args[1:])))
            self.gathered.add(name)
        self.lines.append(f"{total} = {op}({', '.join(parts)})")
        self.gathered.add(total)
        return [Node("tally", (total,)), *left, *(arg for arg in args if arg not in terms and arg not in here)]

    def is_known(self, node: Node) -> bool:
        return self.residual.find_leaves(node) <= self.known

    def has_dice(self, node: Node) -> bool:
        return bool(self.residual.find_leaves(node))

    def carry(self, node: Node) -> Node:
        if node.op == "name" or (node.op == "tally"):
            return node
        if node not in self.names_of_parts:
            name = self.names_of_parts[node] = f"k{self.number}_{len(self.parts)}"
            self.parts[name] = node
        return Node("tally", (self.names_of_parts[node],))

    def reduce(self, node: Node) -> Node:
        """A formula with everything that is known replaced by numbers to carry on."""
        if node.op in ("number", "word", "name", "tally") or not self.has_dice(node):
            return node
        if node.op == "status" and not self.is_known(node):
            return self.add_status(self.reduce_arguments(node.args[0]), node.args[1])
        if self.is_known(node) and not may_fail(node):
            return self.carry(node)
        reduced = self.reduce_arguments(node)
        if node.op in ("and", "or", "not") and self.is_thorough and not may_fail(reduced):
            return self.add_status(reduced, "") if any(arg.op == "status" for arg in reduced.args) else reduced
        if node.op not in COMPARISONS or may_fail(reduced) or not self.is_number(reduced):
            return reduced
        return self.add_status(reduced, "") if all(map(self.has_bounds, reduced.args)) else reduced

    def reduce_arguments(self, node: Node) -> Node:
        """The same for each argument; those of a sum or a maximum that are known become one number."""
        args = list(node.args)
        if node.op in ("+", "max", "min", "and", "or"):
            ready = [arg for arg in args if self.has_dice(arg) and self.is_known(arg) and not may_fail(arg)]
            if len(ready) > 1:
                part = self.carry(Node(node.op, tuple(ready), node.start, node.end))
                args = [part, *(arg for arg in args if not any(arg is one for one in ready))]
        if node.op == "if" and self.is_thorough and self.is_waiting(args[0]):
            args[0] = Node("!=", (args[0], ZERO))
        if node.op == "groups" and self.is_known(node.args[0]):
            pairs = list(zip(args[2::2], args[3::2], strict=True))
            ready = [pair for pair in pairs if all(map(self.is_known, pair))]
            if ready and not any(may_fail(arg) for pair in ready for arg in pair):
                pile = Node("pile", (*args[:2], *(arg for pair in ready for arg in pair)))
                left = (arg for pair in pairs if pair not in ready for arg in pair)
                args = [args[0], self.carry(pile), *left]
        own = tuple(self.reduce(arg) if isinstance(arg, Node) else arg for arg in args)
        return Node(node.op, own, node.start, node.end)

    def is_waiting(self, node: Node) -> bool:
        """Whether this is a statement whose dice are not all known."""
        return node.op == "name" and node.args[0] in self.residual.statements and not self.is_known(node)

    def is_number(self, node: Node) -> bool:
        """Whether a comparison is one of numbers for sure."""
        words = {name for name, value in self.residual.plan.bounds.values.items() if isinstance(value, frozenset)}
        return not any(
            inner.op in ("word", "lookup")
            or (inner.op == "name" and inner.args[0] in words)
            or (inner.op == "tally" and inner.args[0][:2] == "w_")
            for inner in walk(node)
        )

    def add_status(self, node: Node, before: str) -> Node:
        known = next((name for name, status in self.statuses.items() if status == (node, before)), "")
        name = known or f"s{self.number}_{len(self.statuses)}"
        self.statuses[name] = (node, before)
        return Node("status", (node, name))

    def has_bounds(self, node: Node) -> bool:
        """Whether anything is known of the value before all its dice are; `combine_bounds` says how."""
        if node.op == "name" and node.args[0] in self.statements and node.args[0] not in self.complete:
            return self.has_bounds(self.statements[node.args[0]])
        is_product = is_multiple(node) or (node.op == "*" and self.is_thorough and find_truth(node) is not None)
        if node.op in ("+", "neg") or is_product:
            return all(map(self.has_bounds, node.args))
        if node.op in ("max", "min", "if"):
            return any(map(self.has_bounds, node.args))
        return node.op not in ("*", "abs", "lookup", "word", "groups", "pile", *ROUNDING_FUNCTIONS)

    def find_uses(self) -> None:
        """When each number is still needed: tests on the statuses, one for each use."""
        self.uses: dict[str, list[str]] = {}
        self.ahead_uses: dict[str, list[str]] = {name: [] for name in self.rest}
        waiting: dict[str, list[str]] = {}
        test = ""
        for place, node in enumerate(self.targets):
            if place == self.residual.conditions:
                test = ""
            self.visit(node, test, waiting)
            if node.op == "status" and place < self.residual.conditions:
                # a later outcome only matters if this one may not hold; values all matter
                test = both(test, f"{node.args[1]} != 1")
        for name in reversed(self.statements):
            if name not in self.complete and name in waiting:
                self.visit(self.statements[name], any_of(waiting[name]), waiting)

    def visit(self, node: Node, test: str, waiting: dict[str, list[str]]) -> None:
        if node.op in ("name", "tally"):
            self.note_use(node, test, waiting)
            return
        if term := find_condition(node):
            open_ = _OPEN if term.number.args[0] in self.gathered else None
            self.visit(term.number, test if open_ else both(test, f"{term.status} != 0"), waiting)
            self.visit(term.comparison, both(test, f"{term.status} == {_OPEN}") if open_ else test, waiting)
            return
        if node.op == "status":
            self.uses.setdefault(node.args[1], []).append(test)
            self.visit(node.args[0], both(test, f"{node.args[1]} == {_OPEN}"), waiting)
            return
        if may_fail(node) and (test or node.op == "if"):
            test = ""
        elif node.op == "if" and (known := self.known_truth(node.args[0])):
            fails = f"{known} != 1" if node.args[0].op == "status" else f"{known} == 0"
            self.visit(node.args[0], test, waiting)
            self.visit(node.args[1], both(test, f"{known} != 0"), waiting)
            self.visit(node.args[2], both(test, fails), waiting)
            return
        for arg in node.child_nodes():
            self.visit(arg, test, waiting)

    def note_use(self, node: Node, test: str, waiting: dict[str, list[str]]) -> None:
        name = node.args[0]
        own = f"v_{name}" if node.op == "name" else name
        if own in self.parts or own in self.known or own in self.gathered:
            self.uses.setdefault(own, []).append(test)
        elif own in self.ahead_uses:
            self.ahead_uses[own].append(test)
        elif node.op == "name" and name in self.statements:
            waiting.setdefault(name, []).append(test)

    def known_truth(self, node: Node) -> str:
        """The variable that says whether a condition holds, as far as that is known."""
        if node.op == "status":
            return str(node.args[1])
        own = f"v_{node.args[0]}" if node.op == "name" else str(node.args[0])
        return own if node.op in ("name", "tally") and (own in self.parts or own in self.known) else ""

    def closing_lines(self, pool: str) -> list[str]:
        """Where nothing needs what the dice of a pool may still show, none of them are left."""
        tests = [test for name in self.pools[pool] for test in self.ahead_uses[name]]
        test = any_of(tests) if tests else "False"
        if not test:
            return []
        return [f"if left_{pool} and not ({test}):", f"    p *= rest_{pool}[left_{pool}]; left_{pool} = 0"]

    def kept_values(self) -> list[str]:
        """The numbers to carry on; 0 where nothing needs them any more.

        The order is that of `uses`, which the next loop unpacks."""
        plan = self.residual.plan
        values = []
        for name, tests in self.uses.items():
            test, step = any_of(tests), name[2:] if name[:2] == "v_" else ""
            words = isinstance(plan.bounds.values.get(step), frozenset) or step in plan.compiled.asked
            values.append(f"({name} if {test} else 0)" if test and not words else name)
        return values

    def bound_lines(self) -> list[str]:
        """Decides comparisons whose sides cannot meet, in the order of the statements."""
        lines: list[str] = []
        written: set[str] = set()
        for name, node in self.statements.items() if self.statuses else ():
            if name not in self.complete:
                low, high = self.bounds_of(node, lines, written)
                lines.append(f"lo_v_{name}, hi_v_{name} = {low}, {high}")
        for node in self.targets if self.statuses else ():
            self.bounds_of(node, lines, written)
        return lines

    def bounds_of(self, node: Node, lines: list[str], written: set[str]) -> Ends:
        """The variables with the bounds of a formula; lines that assign them, and decide comparisons, are added."""
        if not any(True for _ in node.child_nodes()):
            return self.leaf_bounds(node)
        if node.op == "status":
            name = node.args[1]
            if name not in written:
                written.add(name)
                self.status_lines(name, lines, written)
            return f"({name} & 1)", f"({name} and 1)"
        ends = [self.bounds_of(arg, lines, written) for arg in node.child_nodes()]
        low, high = combine_bounds(node, ends, self.rest)
        names = f"a{len(lines)}", f"b{len(lines)}"
        lines.append(f"{names[0]}, {names[1]} = {low}, {high}")
        return names

    def leaf_bounds(self, node: Node) -> Ends:
        name, bounds = node.args[0], self.residual.plan.bounds.values
        if node.op == "number":
            return str(int(name)), str(int(name))
        if node.op == "word" or name[:2] == "w_" or (node.op == "name" and isinstance(bounds.get(name), frozenset)):
            return ANY
        if name in self.ahead and node.op == "tally":
            return f"lo_{name}", self.rest[name][0] if name in self.rest else f"hi_{name}"
        if node.op == "name" and name in self.statements and name not in self.complete:
            return f"lo_v_{name}", f"hi_v_{name}"
        return self.residual.plan.writer.write_ends(f"v_{name}" if node.op == "name" else name)

    def status_lines(self, name: str, lines: list[str], written: set[str]) -> None:
        node, before = self.statuses[name]
        if node.op in ("and", "or", "not"):
            low, high = combine_bounds(node, [self.bounds_of(arg, lines, written) for arg in node.args], self.rest)
            code = f"1 if {low} else {_OPEN} if {high} else 0"
            lines.append(f"{name} = {code}" if not before else f"{name} = {before} if {before} != {_OPEN} else {code}")
            return
        left, right = (self.bounds_of(arg, lines, written) for arg in node.child_nodes())
        true, false = compare_bounds(node.op, left, right)
        code = f"1 if {true} else 0 if {false} else {_OPEN}"
        lines.append(f"{name} = {code}" if not before else f"{name} = {before} if {before} != {_OPEN} else {code}")

"""Compiles a rule: its steps, outcomes, and tests of throws, dice and rerolls become Python functions.

Nothing here depends on the values of inputs; bound_rule.py binds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from json import dumps
from typing import Any, NamedTuple

from ..game.codegen import Writer
from ..game.formula import DICE, Node, names_in, to_json, walk
from ..game.intervals import Bounds, Range, Worth, between, evaluate
from ..game.model import Formula, Input, Kind, Reroll, Rule
from ..game.scope import asks

MOST = 2**40  # upper bound of every tally, because dice and faces are limited


class Tally(NamedTuple):
    """A function over the dice in a formula, such as count(regular, good)."""

    name: str
    function: str
    kind: int
    test: Node | None

    @property
    def additive(self) -> bool:
        return self.function in ("sum", "count")

    @property
    def per_throw(self) -> bool:
        return self.test is not None and asks(self.test) == "throw"


@lru_cache(maxsize=512)
def program(rule: Rule) -> Program:
    """Compile a rule; cached."""
    return Program(rule)


class Program:
    """A compiled rule: everything that does not depend on the values of its inputs."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.tallies: list[Tally] = []
        self.numbered: dict[Formula, Node] = {}
        self.known_needs: dict[Formula, frozenset[str]] = {}
        self.formulas = {step.name: step.formula for step in rule.steps}
        for formula in (*self.formulas.values(), *rule.marks.values(), *outcome_formulas(rule), *asked_formulas(rule)):
            self.node(formula)
        self.asked = {entry.name: entry for entry in rule.inputs if entry.asked}
        self.order = self.arrange()
        self.fixed = self.independent()

    def node(self, formula: Formula) -> Node:
        """The tree of a formula with its functions over dice replaced by numbered tallies."""
        if formula not in self.numbered:
            self.numbered[formula] = self.replace(formula.node)
        return self.numbered[formula]

    def replace(self, node: Node) -> Node:
        if node.op in DICE:
            return Node("tally", (self.tally(node),), node.start, node.end)
        args = tuple(self.replace(arg) if isinstance(arg, Node) else arg for arg in node.args)
        return Node(node.op, args, node.start, node.end)

    def tally(self, node: Node) -> str:
        key = dumps(to_json(node))
        known = self.tally_names.get(key)
        if known is None:
            known = self.tally_names[key] = f"t{len(self.tallies)}"
            test = node.args[1] if node.op == "count" else None
            self.tallies.append(Tally(known, node.op, self.rule.kind_numbers[node.args[0]], test))
        return known

    @cached_property
    def tally_names(self) -> dict[str, str]:
        return {}

    def arrange(self) -> list[str]:
        """The order of evaluation: steps as declared, an input with a question after the steps that it names."""
        order: list[str] = []
        waiting = dict(self.asked)
        for name in (None, *self.formulas):
            order += [name] if name else []
            for entry in list(waiting.values()):
                if not (names_in(question(entry)) & self.formulas.keys()) - set(order):
                    order.append(waiting.pop(entry.name).name)
        return order

    def independent(self) -> list[str]:
        """The names that do not depend on dice, in order of evaluation."""
        tied: set[str] = set()
        for name in self.order:
            found = list(walk(self.node(self.formula(name))))
            if any(node.op == "tally" or (node.op == "name" and node.args[0] in tied) for node in found):
                tied.add(name)
        return [name for name in self.order if name not in tied]

    def formula(self, name: str) -> Formula:
        found = self.formulas.get(name) or self.asked[name].asked
        assert found
        return found

    def needed(self, formulas: Iterable[Formula]) -> set[str]:
        """All names that these formulas depend on, directly or not."""
        return set().union(*map(self.rests_on, formulas))

    def rests_on(self, formula: Formula) -> frozenset[str]:
        """All names that a formula depends on; cached, because every roll needs them."""
        if formula not in self.known_needs:
            self.known_needs[formula] = frozenset(self.behind(names_in(self.node(formula))))
        return self.known_needs[formula]

    def behind(self, names: Iterable[str]) -> set[str]:
        """These names and all that they depend on, through steps and questions."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found and (name in self.formulas or name in self.asked):
                waiting += names_in(self.node(self.formula(name)))
            found.add(name)
        return found

    @cached_property
    def needs(self) -> set[str]:
        return self.needed([*self.formulas.values(), *outcome_formulas(self.rule)])

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of all values before any input is known."""
        bounds = Bounds({}, {}, self.rule.tables)
        for entry in self.rule.inputs:
            for name, worth in input_worths(entry).items():
                bounds = bounds.with_value(name, worth)
        for tally in self.tallies:
            bounds = bounds.with_value(tally.name, between(-MOST, MOST))
        for name in self.order:
            if name in self.formulas:
                bounds = bounds.with_value(name, evaluate(self.node(self.formulas[name]), bounds))
        return bounds

    def writer(self) -> Writer:
        return Writer(self.bounds, self.rule.tables)

    def lines(self, writer: Writer, wanted: set[str]) -> list[str]:
        """An assignment for each wanted name, in order of evaluation."""
        lines = []
        for name in self.order:
            if name in wanted:
                formula = self.formula(name)
                code = writer.expression(formula, self.node(formula))
                entry = self.asked.get(name)
                lines.append(f"v_{name} = v_{name} if {code} else {entry.default!r}" if entry else f"v_{name} = {code}")
        return lines

    def opening(self, wanted: Iterable[str], done: Iterable[str]) -> list[str]:
        return [f"v_{name} = v[{name!r}]" for name in sorted(set(wanted) - set(done))]

    @cached_property
    def run_fixed(self) -> dict[str, Callable[[Mapping[str, Any]], Any]]:
        """A function for each name that does not depend on dice."""
        made = {}
        for name in self.fixed:
            writer, names = self.writer(), names_in(self.node(self.formula(name))) | ({name} & self.asked.keys())
            body = [*self.opening(names, ()), *self.lines(writer, {name}), f"return v_{name}"]
            made[name] = writer.compile(function("run", "v", body), "run")
        return made

    @cached_property
    def finish(self) -> Any:
        """A function from values and tallies to the steps, the index of the outcome, and its degree."""
        writer, used = self.writer(), self.needs | set(self.formulas)
        open_names = [name for name in self.order if name in used and name not in self.fixed]
        body = self.opening(self.needs | set(self.formulas), set(open_names) - set(self.asked))
        body += [f"{', '.join(tally.name for tally in self.tallies)}, = t"] if self.tallies else []
        body += self.lines(writer, set(open_names))
        steps = "".join(f"v_{name}, " for name in self.formulas)
        for number, outcome in enumerate(self.rule.outcomes):
            degree = writer.expression(outcome.degree, self.node(outcome.degree)) if outcome.degree else "None"
            give = f"return ({steps}), {number}, {degree}"
            when = writer.truth(outcome.when, self.node(outcome.when)) if outcome.when else ""
            body.append(f"if {when}: {give}" if when else give)
        body += [] if self.rule.outcomes else [f"return ({steps}), -1, None"]
        return writer.compile(function("finish", "v, t", body), "finish")

    def run_mark(self, formula: Formula) -> Callable[[Mapping[str, Any], list[int]], Any]:
        """A function for a formula over known steps, such as a mark or a question."""
        if formula not in self.made_marks:
            writer, node = self.writer(), self.node(formula)
            body = self.opening(names_in(node), ())
            body += [f"{', '.join(tally.name for tally in self.tallies)}, = t"] if self.tallies else []
            body.append(f"return {writer.expression(formula, node)}")
            self.made_marks[formula] = writer.compile(function("run", "v, t", body), "run")
        return self.made_marks[formula]

    @cached_property
    def made_marks(self) -> dict[Formula, Callable[[Mapping[str, Any], list[int]], Any]]:
        return {}


def function(name: str, parameters: str, body: list[str]) -> str:
    return f"def {name}({parameters}):\n" + "".join(f"    {line}\n" for line in body)


def question(entry: Input) -> Node:
    assert entry.asked
    return entry.asked.node


def outcome_formulas(rule: Rule) -> list[Formula]:
    return [formula for outcome in rule.outcomes for formula in (outcome.when, outcome.degree) if formula]


def asked_formulas(rule: Rule) -> list[Formula]:
    return [entry.asked for entry in rule.inputs if entry.asked]


def input_worths(entry: Input) -> dict[str, Worth]:
    """The possible values of every variable of an input."""
    if entry.form == "choice":
        return {entry.name: frozenset(entry.choices)}
    if entry.form == "code":
        return {entry.parts[0]: between(entry.least, entry.most), entry.parts[1]: between(0, 2)}
    low, high = {"flag": (0, 1), "die": (min(entry.dice, default=0), max(entry.dice, default=0))}.get(
        entry.form, (entry.least, entry.most)
    )
    return {entry.name: Range(low, high, None if low != high else {}, low if low == high else 0)}


def test_functions(kind: Kind) -> dict[str, Formula]:
    """The formulas of a kind that apply to each throw, by what they decide."""
    found = {"good": kind.good, "bad": kind.bad}
    if kind.explode:
        found |= {"explode": kind.explode.when, "stop": kind.explode.optional}
    if kind.again:
        found |= {"earn": kind.again.when, "times": kind.again.times, "decline": kind.again.optional}
    return {name: formula for name, formula in found.items() if formula}


Run = Callable[..., Any]  # from values and faces to the results of tests


@lru_cache(maxsize=4096)
def compiled(made: Program, formula: Formula) -> tuple[Run, tuple[str, ...]]:
    """A function for a formula over inputs, and the names that it needs."""
    writer = made.writer()
    code = writer.expression(formula)
    needs = tuple(sorted(names_in(formula.node)))
    return writer.compile(function("run", "v", [*made.opening(needs, ()), f"return {code}"]), "run"), needs


@lru_cache(maxsize=1024)
def reroll_function(made: Program, reroll: Reroll) -> tuple[Any, frozenset[str]]:
    """A function for the condition of a reroll with pick = all, and the names that it needs."""
    assert reroll.when
    writer = test_writer(made)
    needs = frozenset(names_in(reroll.when.node)) - {"face", "last", "throw", "sides"}
    body = [*made.opening(needs, ()), "v_last, v_throw = 0, 1", f"return {writer.truth(reroll.when)}"]
    return writer.compile(function("run", "v, v_face, v_sides", body), "run"), needs


@lru_cache(maxsize=1024)
def throw_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled tests of a kind of dice on each throw, and the names that they need."""
    kind = made.rule.dice[number]
    writer = test_writer(made)
    asked = test_functions(kind)
    body = [
        f"v_{name} = bool({writer.truth(asked[name])})" if name in asked else f"v_{name} = False"
        for name in ("good", "bad")
    ]
    explode = f"bool({writer.truth(asked['explode'])})" if "explode" in asked else "False"
    stop = f"bool({writer.truth(asked['stop'])})" if "stop" in asked else "False"
    earn, decline = "0", "False"
    if "earn" in asked:
        earn = f"({writer.expression(asked['times'])} if {writer.truth(asked['earn'])} else 0)"
        decline = f"bool({writer.truth(asked['decline'])})"
    hits = [writer.truth(Formula("", test, kind.span)) for test in throw_tests(made, number)]
    body.append(
        f"return v_good, v_bad, {explode}, {stop}, {earn}, {decline}, ({''.join(f'int({hit}), ' for hit in hits)})"
    )
    nodes = [formula.node for formula in asked.values()] + throw_tests(made, number)
    needs = frozenset().union(*map(names_in, nodes)) - {"face", "last", "throw", "good", "bad", "value", "sides"}
    run = writer.compile(
        function("run", "v, v_face, v_last, v_throw, v_sides", [*made.opening(needs, ()), *body]), "run"
    )
    return run, needs


@lru_cache(maxsize=1024)
def value_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled tests of a kind's tallies on the value of a die, and the names that they need."""
    kind, writer = made.rule.dice[number], test_writer(made)
    tests = value_tests(made, number)
    hits = "".join(f"int(bool({writer.truth(Formula('', test, kind.span))})), " for test in tests)
    needs = frozenset().union(*map(names_in, tests)) - {"value", "sides"}
    run = writer.compile(function("run", "v, v_value, v_sides", [*made.opening(needs, ()), f"return ({hits})"]), "run")
    return run, needs


def test_writer(made: Program) -> Writer:
    most = between(-(10**9), 10**9)
    words = ("face", "last", "throw", "good", "bad", "value", "sides")
    return Writer(Bounds({}, {**made.bounds.values, **dict.fromkeys(words, most)}, made.rule.tables), made.rule.tables)


@lru_cache(maxsize=4096)
def throw_tallies(made: Program, number: int) -> tuple[int, ...]:
    """The indices of the tallies of a kind that test every throw."""
    return tuple(place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.per_throw)


@lru_cache(maxsize=4096)
def value_tallies(made: Program, number: int) -> tuple[int, ...]:
    """The indices of the tallies of a kind that test once per die."""
    own = (place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.test)
    return tuple(place for place in own if not made.tallies[place].per_throw)


def throw_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in throw_tallies(made, number)]


def value_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in value_tallies(made, number)]

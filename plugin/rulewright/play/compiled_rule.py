"""Compiles a rule: its steps, outcomes, and tests of throws, dice and rerolls become Python functions.

Nothing here depends on the values of inputs; bound_rule.py binds them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ..game.codegen import CodeWriter
from ..game.core import PICKED, ROUND, CoreInput, CoreRule, Expression
from ..game.dependencies import set_names, tally_names, tally_number
from ..game.formula import MARKING_TESTS, Node, collect_names, walk
from ..game.intervals import Bounds, Interval, ValueSet, evaluate_bounds, interval_between
from ..game.lower import lower_rule
from ..game.model import Rule
from .set_code import DiceCodeWriter, is_plain

MAX_ROUNDS = 2**31  # upper bound of the number of a round
NO_KIND = -1  # of a tally that the dice of one kind do not decide
MAX_TALLY = 2**40  # upper bound of every tally, because dice and faces are limited


class Tally(NamedTuple):
    """A tally under the name that formulas use for it, with the kind of dice that it counts."""

    name: str
    function: str
    kind: int
    body: Node | None
    is_per_throw: bool

    @property
    def is_additive(self) -> bool:
        return self.function in ("sum", "count")


CompiledFunction = Callable[..., Any]  # from values and faces to the results of tests


def compile_rule(rule: Rule | CoreRule) -> CompiledRule:
    """Compile a rule, once: its core owns what it is compiled to, and that owns its functions."""
    core = lower_rule(rule)
    return core.cached(("compiled",), lambda: CompiledRule(core))


class CompiledRule:
    """A compiled rule: everything that does not depend on the values of its inputs."""

    def __init__(self, rule: CoreRule) -> None:
        self.rule = rule
        self.tallies = [
            Tally(
                f"t{number}",
                tally.function,
                rule.kinds_of(tally.set)[0] if tally.set is not None and is_plain(rule, number) else NO_KIND,
                tally.body,
                tally.every_throw,
            )
            for number, tally in enumerate(rule.tallies)
        ]
        self.formulas = {step.name: step.formula for step in rule.steps if step.set is None}
        self.asked = {entry.name: entry for entry in rule.inputs if entry.asked}
        self.answered = {name for name, entry in self.asked.items() if not entry.is_choice}
        self.own_formulas = frozenset(
            [*self.formulas.values(), *_outcome_formulas(rule), *(aim.formula for aim in rule.aims if aim.formula)]
        )
        self.known_needs: dict[Expression, frozenset[str]] = {}
        self.word_functions: dict[tuple[int, tuple[str, ...]], CompiledFunction] = {}
        self.set_functions: dict[int, tuple[CompiledFunction, frozenset[str]]] = {}
        self.tally_formulas: dict[Node, Expression] = {}
        self.functions: dict[Expression, tuple[CompiledFunction, frozenset[str]]] = {}
        self.kinds = [CompiledKind(self, number) for number in range(len(rule.kinds))]
        values = [[str(name) for name in stage.of] if stage.what == "values" else None for stage in rule.order]
        every = [name for names in values for name in names or ()]
        self.order = list(dict.fromkeys(reversed(every)))[::-1]  # the last time that each is worked out
        self.fixed = (values[0] if values else None) or []
        last = set(values[-1] or ()) if values else set[str]()
        self.asked_early = self.asked.keys() - last  # questions that are asked while dice are still to be rolled

    def get_formula(self, name: str) -> Expression:
        formula_found = self.formulas.get(name) or self.asked[name].asked
        assert formula_found
        return formula_found

    def collect_dependencies(self, formulas: Iterable[Expression]) -> set[str]:
        """All names that these formulas depend on, directly or not."""
        return set().union(*map(self.get_dependencies, formulas))

    def get_dependencies(self, formula: Expression) -> frozenset[str]:
        """All names that a formula depends on; cached, because every roll needs them."""
        if formula not in self.known_needs:
            self.known_needs[formula] = frozenset(self.expand_dependencies(self.names_in(formula.node)))
        return self.known_needs[formula]

    def names_in(self, node: Node) -> frozenset[str]:
        """The values that a formula names, also for tallies that other dice decide."""
        tallies = {tally_number(inner) for inner in walk(node) if inner.op == "tally"}
        others = [tally_names(self.rule, number) for number in tallies if self.tallies[number].kind == NO_KIND]
        values = {name for entry in self.rule.inputs for name in entry.variable_names} | self.formulas.keys()
        return frozenset(collect_names(node)).union(*others) - (self.rule.face_words.keys() - values)

    def expand_dependencies(self, names: Iterable[str]) -> set[str]:
        """These names and all that they depend on, through steps and questions."""
        dependencies: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name not in dependencies and (name in self.formulas or name in self.asked):
                formula = self.get_formula(name)
                known = self.known_needs.get(formula)
                if known is None:
                    stack += self.names_in(formula.node)
                else:
                    dependencies |= known
            dependencies.add(name)
        return dependencies

    @cached_property
    def required_names(self) -> set[str]:
        going_on = self.round_formulas
        return self.collect_dependencies([*self.formulas.values(), *_outcome_formulas(self.rule), *going_on])

    @cached_property
    def round_formulas(self) -> list[Expression]:
        """The formulas that are evaluated at the end of a round."""
        rounds = self.rule.rounds if self.rule.has_rounds else None
        return [own for own in (rounds.until, *rounds.carry.values()) if own] if rounds else []

    @cached_property
    def die_names(self) -> set[str]:
        """The names that the formulas of dice and rerolls use, other than the number of dice."""
        rule = self.rule
        formulas = [
            own
            for kind in rule.kinds
            for own in (*kind.throw_formulas.values(), *kind.tests.values(), kind.sides, *kind.deck)
        ]
        formulas += [own for reroll in rule.again for own in (reroll.times, reroll.when, reroll.turn)]
        nodes = [formula.node for formula in formulas if formula] + [
            own.body for own in self.tallies if own.body and own.kind != NO_KIND
        ]
        return set().union(*map(collect_names, nodes)) - rule.face_words.keys()

    @cached_property
    def count_names(self) -> set[str]:
        """All names that decide how many dice are rolled or kept."""
        counts = [kind.count for kind in self.rule.kinds]
        return self.collect_dependencies([*counts, *(own.number for own in self.rule.kept_sets if own and own.number)])

    @cached_property
    def dice_names(self) -> set[str]:
        """All names that decide what the dice do."""
        return self.expand_dependencies(self.die_names) | self.count_names

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of all values before any input is known."""
        bounds = Bounds({}, {}, self.rule.tables)
        for entry in self.rule.inputs:
            for name, worth in input_values(entry).items():
                bounds = bounds.with_value(name, worth)
        if self.rule.has_rounds:
            bounds = bounds.with_value(ROUND, interval_between(1, MAX_ROUNDS))
        for tally in self.tallies:
            bounds = bounds.with_value(tally.name, interval_between(-MAX_TALLY, MAX_TALLY))
        for name in self.order:
            if name in self.formulas:
                bounds = bounds.with_value(name, evaluate_bounds(self.formulas[name].node, bounds))
        return bounds

    @cached_property
    def looks_at_table(self) -> bool:
        """Whether anything depends on more than tallies of single kinds."""
        has_sets = any(step.set is not None for step in self.rule.steps)
        return has_sets or any(tally.kind == NO_KIND for tally in self.tallies)

    def new_writer(self) -> DiceCodeWriter:
        bounds = self.bounds
        if self.looks_at_table:
            bounds = Bounds({}, {**self.word_bounds, **bounds.values}, self.rule.tables)
        return DiceCodeWriter(self.rule, bounds, self.word_function)

    def word_function(self, kind: int, words: Sequence[str]) -> CompiledFunction:
        """A function from a throw to the values of some words of its kind."""
        key = (kind, tuple(words))
        if key not in self.word_functions:
            self.word_functions[key] = self.kinds[kind].compile_words(words)
        return self.word_functions[key]

    def write_assignments(self, writer: DiceCodeWriter, wanted: set[str]) -> list[str]:
        """An assignment for each wanted name, in order of evaluation."""
        lines: list[str] = []
        for name in self.order:
            if name in wanted:
                formula = self.get_formula(name)
                lines += writer.write_assignments(formula.node)
                code = writer.write_expression(formula)
                entry = self.asked.get(name)
                lines.append(f"v_{name} = v_{name} if {code} else {entry.default!r}" if entry else f"v_{name} = {code}")
        return lines

    def write_unpacking(self, wanted: Iterable[str], done: Iterable[str]) -> list[str]:
        return [f"v_{name} = v[{name!r}]" for name in sorted(set(wanted) - set(done))]

    @cached_property
    def finish_function(self) -> Any:
        """A function from values and tallies to the steps, the index of the outcome, and its degree."""
        writer, used = self.new_writer(), self.required_names | set(self.formulas)
        open_names = [
            name for name in self.order if name in used and name not in self.fixed and name not in self.asked_early
        ]
        body = self.write_unpacking(self.required_names | set(self.formulas), set(open_names) - set(self.asked))
        body += [f"{', '.join(tally.name for tally in self.tallies)}, = t"] if self.tallies else []
        body += ["d = t.table"] if any(tally.kind == NO_KIND for tally in self.tallies) else []
        body += self.write_assignments(writer, set(open_names))
        steps = "".join(f"v_{name}, " for name in self.formulas)
        shown = [*self.formulas.values(), *_outcome_formulas(self.rule)]
        body += writer.write_assignments(*(formula.node for formula in shown))
        for number, outcome in enumerate(self.rule.outcomes):
            degree = writer.write_expression(outcome.degree) if outcome.degree else "None"
            give = f"return ({steps}), {number}, {degree}"
            when = writer.write_truth(outcome.when) if outcome.when else ""
            body.append(f"if {when}: {give}" if when else give)
        body += [] if self.rule.outcomes else [f"return ({steps}), -1, None"]
        return writer.compile(write_function("finish", "v, t", body), "finish")

    def get_set(self, number: int) -> tuple[CompiledFunction, frozenset[str]]:
        """A function from values and the tallies of a table to the dice of a set, and the names that it needs."""
        if number not in self.set_functions:
            needs = set_names(self.rule, number) - self.rule.face_words.keys()
            writer, body = self.new_writer(), [*self.write_unpacking(needs, ()), "d = t.table"]
            body += [f"t{n} = t[{n}]" for n, tally in enumerate(self.tallies) if tally.kind != NO_KIND]
            body.append(f"return {writer.write_set(number)}")
            self.set_functions[number] = writer.compile(write_function("run", "v, t", body), "run"), needs
        return self.set_functions[number]

    def tally_formula(self, node: Node) -> Expression:
        """A formula that is just one tally."""
        return self.tally_formulas.setdefault(node, Expression("", node))

    def get_function(self, formula: Expression) -> tuple[CompiledFunction, frozenset[str]]:
        """A function from values and tallies to that of a formula, and the names that it needs."""
        if formula not in self.functions:
            tallies = sorted({tally_number(node) for node in walk(formula.node) if node.op == "tally"})
            is_open = any(self.tallies[number].kind == NO_KIND for number in tallies)
            needs = self.names_in(formula.node) if is_open else frozenset(collect_names(formula.node))
            writer = self.new_writer() if is_open else self.new_test_writer()
            body = [
                *self.write_unpacking(needs, ()),
                *(f"t{n} = t[{n}]" for n in tallies if self.tallies[n].kind != NO_KIND),
            ]
            body += ["d = getattr(t, 'table', None)"] if is_open else []
            if isinstance(writer, DiceCodeWriter):
                body += writer.write_assignments(formula.node, target="t{0}")
            body.append(f"return {writer.write_expression(formula)}")
            self.functions[formula] = writer.compile(write_function("run", "v, t", body), "run"), needs
        return self.functions[formula]

    @cached_property
    def word_bounds(self) -> dict[str, ValueSet]:
        """What the words of a throw can be."""
        rule, most = self.rule, interval_between(-(10**9), 10**9)
        shown = [rule.words_on(kind, face) for kind, own in enumerate(rule.kinds) for face in range(len(own.faces))]
        return {
            name: frozenset((no, *(words.get(name, no) for words in shown))) if isinstance(no, str) else most
            for name, no in rule.face_words.items()
        }

    def new_test_writer(self) -> CodeWriter:
        values = {**self.bounds.values, **self.word_bounds}
        return CodeWriter(Bounds({}, values, self.rule.tables), self.rule.tables)


class CompiledKind:
    """One kind of dice of a compiled rule: its tests, each compiled on first use."""

    def __init__(self, compiled_rule: CompiledRule, number: int) -> None:
        self.compiled_rule, self.number = compiled_rule, number
        self.kind = compiled_rule.rule.kinds[number]

    @cached_property
    def throw_tally_indices(self) -> tuple[int, ...]:
        """The indices of the tallies that test every throw."""
        tallies = enumerate(self.compiled_rule.tallies)
        return tuple(index for index, tally in tallies if tally.kind == self.number and tally.is_per_throw)

    @cached_property
    def value_tally_indices(self) -> tuple[int, ...]:
        """The indices of the tallies that test once per die."""
        tallies = self.compiled_rule.tallies
        own = (index for index, tally in enumerate(tallies) if tally.kind == self.number and tally.body)
        return tuple(index for index in own if not tallies[index].is_per_throw)

    def collect_throw_tests(self) -> list[Any]:
        return [self.compiled_rule.tallies[index].body for index in self.throw_tally_indices]

    def collect_value_tests(self) -> list[Any]:
        return [self.compiled_rule.tallies[index].body for index in self.value_tally_indices]

    @cached_property
    def throw_tests(self) -> tuple[CompiledFunction, frozenset[str]]:
        """The compiled tests of each throw, and the names that they need."""
        writer = self.compiled_rule.new_test_writer()
        formulas_by_test, tests = self.kind.throw_formulas, dict(self.kind.tests)
        nodes = [formula.node for formula in (*formulas_by_test.values(), *self.kind.tests.values())]
        nodes += self.collect_throw_tests()
        names, face_words = frozenset().union(*map(collect_names, nodes)), self.compiled_rule.rule.face_words
        body = list(self.write_words(writer, names & (face_words.keys() - tests.keys())))
        body += [f"v_{name} = {writer.write_truth(test)}" for name, test in tests.items()]
        marks = ", ".join(f"v_{name}" if name in tests else "False" for name in MARKING_TESTS)
        body += self.write_again(writer)
        hits = "".join(f"int({writer.write_truth(Expression('', test))}), " for test in self.collect_throw_tests())
        body.append(f"return value, {marks}, explode, reroll, earned, ({hits})")
        needs = names - face_words.keys()
        body = [*self.compiled_rule.write_unpacking(needs, ()), *body]
        return writer.compile(write_function("run", "v, face, v_last, v_throw, v_sides", body), "run"), needs

    def write_again(self, writer: CodeWriter) -> Iterator[str]:
        """What a throw leads to: by EXPLODE and REROLL 1 if it holds, 2 if the player may decline; and earned dice."""
        yield "explode = reroll = 0"
        yield "earned = ()"
        for entry in self.kind.again:
            when, optional = writer.write_truth(entry.when), writer.write_truth(entry.optional)
            if isinstance(entry.roll, int):
                count = writer.write_expression(entry.count)
                yield f"if {when}: earned += (({entry.roll}, {count}, {optional}),)"
            else:
                yield f"if {when}: {entry.roll} = 1 if {entry.roll} == 1 or not {optional} else 2"

    def compile_words(self, words: Sequence[str]) -> CompiledFunction:
        """A function from a throw, and the first throw and the value of its die, to the values of words."""
        writer, tests = self.compiled_rule.new_test_writer(), dict(self.kind.tests)
        names = {*words, *(name for test in tests.values() for name in collect_names(test.node))}
        face_words = self.compiled_rule.rule.face_words
        body = list(self.write_words(writer, (names & face_words.keys()) - tests.keys()))
        if not tests.keys().isdisjoint(words):
            body += self.compiled_rule.write_unpacking(names - face_words.keys(), ())
            body += [f"v_{name} = {writer.write_truth(test)}" for name, test in tests.items()]
        body.append(f"return ({''.join(f'v_{word}, ' for word in words)})")
        parameters = "v, face, v_last, v_throw, v_sides, v_first, v_value"
        run: CompiledFunction = writer.compile(write_function("run", parameters, body), "run")
        return run

    def write_words(self, writer: CodeWriter, names: Iterable[str]) -> Iterator[str]:
        """The value of a face, and the words on it, as variables."""
        rule, faces = self.compiled_rule.rule, self.kind.faces
        if not faces:
            yield "value = v_face = face"
        else:
            yield f"value = v_face = {writer.add_helper([face.value for face in faces])}[face]"
        for name in sorted(set(names) - {"face", "last", "throw", "sides", "first", "value"}):
            column = [rule.words_on(self.number, place).get(name, rule.face_words[name]) for place in range(len(faces))]
            is_same = len(set(column)) < 2
            value = repr(column[0] if column else rule.face_words[name])
            yield f"v_{name} = {value if is_same else f'{writer.add_helper(column)}[face]'}"

    @cached_property
    def value_tests(self) -> tuple[CompiledFunction, frozenset[str]]:
        """The compiled tests of the tallies on the value of a die, and the names that they need."""
        writer, tests = self.compiled_rule.new_test_writer(), self.collect_value_tests()
        hits = "".join(f"int(bool({writer.write_truth(Expression('', test))})), " for test in tests)
        needs = frozenset().union(*map(collect_names, tests)) - {"value", "sides"}
        run = writer.compile(
            write_function(
                "run", "v, v_value, v_sides", [*self.compiled_rule.write_unpacking(needs, ()), f"return ({hits})"]
            ),
            "run",
        )
        return run, needs


def write_function(name: str, parameters: str, body: list[str]) -> str:
    return f"def {name}({parameters}):\n" + "".join(f"    {line}\n" for line in body)


def _outcome_formulas(rule: CoreRule) -> list[Expression]:
    return [formula for outcome in rule.outcomes for formula in (outcome.when, outcome.degree) if formula]


def input_values(entry: CoreInput) -> dict[str, ValueSet]:
    """The possible values of every variable of an input."""
    if entry.form == PICKED:
        return {entry.name: frozenset((entry.default, "?"))}
    if entry.form == "choice":
        return {entry.name: frozenset(entry.choices)}
    if entry.form == "code":
        return {entry.parts[0]: interval_between(entry.least, entry.most), entry.parts[1]: interval_between(0, 2)}
    low, high = {"flag": (0, 1), "die": (min(entry.dice, default=0), max(entry.dice, default=0))}.get(
        entry.form, (entry.least, entry.most)
    )
    return {entry.name: Interval(low, high, None if low != high else {}, low if low == high else 0)}

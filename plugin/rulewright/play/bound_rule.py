"""A rule bound to the values of its inputs, and the evaluation of its steps and outcome.

Unknown inputs, tallies or steps are allowed: partial evaluation yields what is certain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from ..game.core import PICKED, ROUND, CoreInput, CoreKind, CoreOutcome, CoreRule, DiceSet, Expression, Reroll
from ..game.dependencies import tally_number
from ..game.formula import collect_names, walk
from ..game.inputs import to_variables
from ..game.intervals import Bounds, Interval, ValueSet, evaluate_bounds, exact_value, interval_between
from ..game.lower import lower_rule
from ..game.model import MAX_SIDES, Rule
from ..game.roll_aims import with_aims
from .compiled_rule import NO_KIND, CompiledFunction, CompiledRule, compile_rule, input_values
from .table import Table, TableDie, Tallies

MAX_DICE = 10_000


class RollError(Exception):
    """The inputs do not allow a roll; the message says why."""


class MissingInputError(RollError):
    """A result needs inputs that have no value."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{', '.join(names)} must be given")
        self.names = names


class Transition(NamedTuple):
    """The transition of one throw of a die: what its face does. It is the same for all dice of a kind."""

    face: int  # its number where a die has sides, else its place among the faces
    value: int
    good: bool
    bad: bool
    explodes: int  # the same die is rolled on and adds up: 0 no, 1 yes, 2 if the player wants that
    rerolls: int  # another throw takes the place of this one: the same numbers
    earned: tuple[
        tuple[int, int, bool], ...
    ]  # kind and number of the dice that are earned, and whether one may decline
    hits: tuple[int, ...]  # 0 or 1 for each tally of the kind that tests every throw
    is_replaced: bool = False  # it was rerolled

    @property
    def has_choice(self) -> bool:
        return 2 in (self.explodes, self.rerolls) or any(number and optional for _, number, optional in self.earned)


_Transitions = dict[tuple[int, int, int], Transition]  # by face, previous face, number of the throw


class BoundRule:
    """A rule with the values of its inputs. Using an unknown input raises MissingInputError."""

    def __init__(self, rule: Rule | CoreRule, values: Mapping[str, Any], number: int = 1) -> None:
        self.rule = with_aims(lower_rule(rule), values)
        self.values, self.round = values, number
        self.program: CompiledRule = compile_rule(self.rule)
        self.known = to_variables(self.rule, values) | ({ROUND: number} if self.rule.has_rounds else {})
        self.tallies: Sequence[int] = ()  # of the dice on the table, while a roll goes on
        self.questions: dict[str, bool] = {}  # whether each question arose, once it was asked
        self.work_out(self.program.fixed)
        self.kinds = [BoundKind(self, number) for number in range(len(self.rule.kinds))]

    def lay_out(self, dice: Sequence[Any]) -> Table:
        """The dice on the table as formulas over sets see them."""
        by_kind: list[list[TableDie]] = [[] for _ in self.kinds]
        for place, die in enumerate(dice):
            sides = len(self.kinds[die.kind].faces)
            by_kind[die.kind].append(TableDie(place, die.kind, sides, die.value, die.throws))
        return Table(by_kind, lambda kind, part: self.kinds[kind].shown_values(part) if by_kind[kind] else ())

    def work_out(self, names: Iterable[str]) -> None:
        """Add these values to those that are known, as far as their inputs are."""
        for name in names:
            formula, entry = self.program.get_formula(name), self.program.asked.get(name)
            if self.program.get_dependencies(formula) - self.program.answered <= self.known.keys():
                value = self.program.get_function(formula)[0](self.known, self.tallies)
                if not entry:
                    self.known[name] = value
                    continue
                self.questions[name] = bool(value)
                if not value:
                    self.known[name] = entry.default

    def continue_with(self, tallies: Sequence[int], names: Iterable[str], rolled: Container[int]) -> BoundRule:
        """The same during a roll: with the tallies of the dice on the table, and with these values worked out.

        Kinds of dice that have been rolled stay as they are."""
        later = copy(self)
        later.known, later.tallies, later.questions = dict(self.known), tallies, dict(self.questions)
        later.work_out(names)
        later.kinds = [kind if kind.number in rolled else BoundKind(later, kind.number) for kind in self.kinds]
        return later

    def leaves_open(self, entry: CoreInput) -> bool:
        """Whether an input is a choice that is not given."""
        return entry.is_choice and entry.name not in self.values

    @property
    def leaves_to_aim(self) -> bool:
        """Whether the aim of the rule decides an input that is not given."""
        return any(entry.follows_aim and self.leaves_open(entry) for entry in self.rule.inputs)

    def is_open(self, name: str) -> bool:
        """Whether a choice arises that has not been made."""
        return self.questions.get(name, False) and name not in self.known

    def choose(self, name: str, value: Any, means: Any = None) -> None:
        """Make a choice during a roll; `means` is what formulas take it for."""
        self.values = {**self.values, name: value}
        self.known[name] = value if means is None else means

    @property
    def is_complete(self) -> bool:
        """Whether all inputs that steps and outcomes depend on are known."""
        return self.program.required_names <= self.known.keys() | self.program.formulas.keys()

    def evaluate(self, formula: Expression) -> Any:
        """The value of a formula over inputs."""
        run, needs = self.program.get_function(formula)
        try:
            return int(run(self.known, self.tallies))
        except (IndexError, AttributeError):
            raise RollError(f"this cannot be told before the dice are rolled: {formula.text}") from None
        except KeyError:  # testing first would take longer than the formula itself
            self.require(needs)
            raise

    def require(self, names: Iterable[str]) -> None:
        """Raise MissingInputError with the inputs that are needed, unless all of these values are known."""
        missing = [name for name in names if name not in self.known]
        if missing:
            formulas = [self.program.get_formula(name) for name in missing if name in self.program.formulas]
            needed = self.program.collect_dependencies(formulas).union(missing)
            raise MissingInputError(
                sorted(
                    entry.name for entry in self.rule.inputs if needed & set(entry.variable_names) - self.known.keys()
                )
            )

    def is_rerolled(self, reroll: Reroll, kind: int, value: int, face: int | None = None) -> bool:
        """Whether an entry of the rule rolls a die again that has this value and shows this face, or may pick it."""
        return not reroll.when or bool(self.ask_die(reroll.when, kind, value, face))

    def ask_die(self, formula: Expression, kind: int, value: int, face: int | None = None) -> int:
        """What a formula gives for a die on the table that has this value and shows this face."""
        run, needs = self.program.get_function(formula)
        own = {"face": value, "value": value, "last": 0, "throw": 1, "sides": self.kinds[kind].size}
        shown = {} if face is None else self.rule.words_on(kind, face)
        values = {**self.known, **self.rule.face_words, **shown, **own}
        tests = self.rule.kinds[kind].tests
        if needs & tests.keys():
            for name, test in tests.items():
                ask, others = self.program.get_function(test)
                self.require(others - values.keys())
                values[name] = int(bool(ask(values, ())))
        self.require(needs - values.keys())
        return int(run(values, ()))

    def format_values(self, formula: Expression) -> str:
        """The inputs in a formula with their values, for a message."""
        return ", ".join(
            f"{name} {self.known[name]}" for name in sorted(collect_names(formula.node)) if name in self.known
        )


class NoFaceError(RollError):
    """A die would be turned to a face that it does not have."""

    def __init__(self, kind: CoreKind, value: int) -> None:
        super().__init__(f"no {kind.name} die shows {value}, to which it would be turned")


class BoundKind:
    """One kind of dice of a bound rule."""

    def __init__(self, bound_rule: BoundRule, number: int) -> None:
        self.setting, self.number = bound_rule, number
        self.drawn: Sequence[int] = ()
        self.kind, self.compiled_kind = bound_rule.rule.kinds[number], bound_rule.program.kinds[number]

    @cached_property
    def count(self) -> int:
        count: int = self.setting.evaluate(self.kind.count)
        if count < 0:
            values_text = self.setting.format_values(self.kind.count)
            raise RollError(
                f"there would be {count} {self.kind.name} dice ({values_text}); write max(…, 0) if none is meant"
            )
        if count > MAX_DICE:
            raise RollError(f"{count:,} dice are more than the {MAX_DICE:,} that can be rolled at once")
        return min(count, len(self.faces)) if self.kind.deck else count

    def without(self, drawn: Sequence[int]) -> BoundKind:
        """A deck from which these cards have been drawn."""
        left = copy(self)
        left.__dict__.pop("count", None)
        left.drawn, left.faces = drawn, tuple((Counter(self.faces) - Counter(drawn)).elements())
        left.face_set = frozenset(left.faces)
        return left

    def count_copies(self, place: int) -> int:
        """How many cards of a deck show a face."""
        formula = self.kind.deck[place]
        copies: int = self.setting.evaluate(formula)
        if not 0 <= copies <= MAX_DICE:
            mark, values_text = self.kind.faces[place].mark, self.setting.format_values(formula)
            raise RollError(f"there would be {copies:,} cards {mark} in {self.kind.name} ({values_text})")
        return copies

    @cached_property
    def size(self) -> int:
        """How many sides a die has, or how many cards a full deck has."""
        return len(self.faces) + len(self.drawn)

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """What each side of the die shows; the cards that a deck still has."""
        if self.kind.deck:
            copies = [self.count_copies(place) for place in range(len(self.kind.deck))]
            if sum(copies) > MAX_DICE:
                raise RollError(f"{self.kind.name} would have {sum(copies):,} cards; {MAX_DICE:,} are the most")
            return tuple(place for place, number in enumerate(copies) for _ in range(number))
        if self.kind.faces:
            return tuple(place for place, face in enumerate(self.kind.faces) for _ in range(face.copies))
        assert self.kind.sides
        sides = self.setting.evaluate(self.kind.sides)
        if not 1 <= sides <= MAX_SIDES:
            raise RollError(
                f"a {self.kind.name} die would have {sides} sides ({self.setting.format_values(self.kind.sides)})"
            )
        return tuple(range(1, sides + 1))

    @cached_property
    def least_value(self) -> int:
        return min(int(self.setting.rule.words_on(self.number, face)["face"]) for face in self.face_set)

    def shown_values(self, part: str) -> frozenset[Any]:
        """The values that the faces of the die can show, or those of a part of them."""
        words = (self.setting.rule.words_on(self.number, face) for face in self.face_set)
        return frozenset(own[part or "face"] for own in words if (part or "face") in own)

    @cached_property
    def face_set(self) -> frozenset[int]:
        return frozenset(self.faces)

    def find_face(self, value: int) -> int:
        """The face with this value, to which a die is turned."""
        names = self.kind.faces
        found = next((face for face in self.face_set if (names[face].value if names else face) == value), None)
        if found is None:
            raise NoFaceError(self.kind, value)
        return found

    @property
    def kept_set(self) -> DiceSet | None:
        """The set of the dice that are kept; None for all."""
        return self.setting.rule.kept_sets[self.number]

    @cached_property
    def keep_count(self) -> int | None:
        """The number of dice to keep; None for all."""
        if not self.kept_set or not self.kept_set.number:
            return None
        number: int = self.setting.evaluate(self.kept_set.number)
        if number < 0:
            raise RollError(
                f"{number} {self.kind.name} dice cannot be kept ({self.setting.format_values(self.kept_set.number)})"
            )
        return number

    @cached_property
    def throw_test(self) -> CompiledFunction:
        run, needs = self.compiled_kind.throw_tests
        self.setting.require(needs)
        return run

    @cached_property
    def transitions(self) -> _Transitions:
        """Known transitions of this kind, shared by all bound rules that agree in everything they depend on."""
        _, needs = self.compiled_kind.throw_tests
        self.setting.require(needs)
        values = tuple([self.setting.known[name] for name in sorted(needs)])
        return self.setting.rule.cached(("transitions", self.number, values, self.size), dict)

    def get_transition(self, face: int, last: int = 0, throw: int = 1) -> Transition:
        """The transition for a face on this throw of a die."""
        cached = self.transitions.get((face, last, throw))
        if cached is None:
            cached = Transition(face, *self.throw_test(self.setting.known, face, last, throw, self.size))
            for _, number, _ in cached.earned:
                if number < 0:
                    raise RollError(f"a {self.kind.name} die would earn {number} dice")
            self.transitions[face, last, throw] = cached
        return cached

    @cached_property
    def value_tests(self) -> tuple[Callable[[int], int], ...]:
        """The test of a die's value for each tally that tests once per die."""
        run, needs = self.compiled_kind.value_tests
        self.setting.require(needs)
        return tuple(self.make_value_test(run, index) for index in range(len(self.compiled_kind.value_tally_indices)))

    def make_value_test(self, run: CompiledFunction, index: int) -> Callable[[int], int]:
        known, sides = self.setting.known, self.size
        return lambda value: int(run(known, value, sides)[index])


class Evaluation(NamedTuple):
    """The steps by name, the outcome and its degree; unknown ones are None."""

    steps: Mapping[str, Any]
    outcome: CoreOutcome | None
    degree: int | None


def evaluate_roll(bound_rule: BoundRule, tallies: Sequence[int]) -> Evaluation:
    """Evaluate the steps and the outcome from the tallies of a roll."""
    compiled_rule = bound_rule.program
    if not bound_rule.is_complete:
        named = zip(compiled_rule.tallies, tallies, strict=True)
        found = {tally.name: exact_value(value) for tally, value in named if tally.kind != NO_KIND}
        return evaluate_partially(bound_rule, found, {}, tallies)
    steps, number, degree = compiled_rule.finish_function(bound_rule.known, tallies)
    values = {
        name: value if isinstance(value, str) else int(value)
        for name, value in zip(compiled_rule.formulas, steps, strict=True)
    }
    outcomes = bound_rule.rule.outcomes
    return Evaluation(values, outcomes[number] if outcomes else None, None if degree is None else int(degree))


def evaluate_partially(
    bound_rule: BoundRule,
    tallies: Mapping[str, ValueSet],
    given_steps: Mapping[str, int | str],
    rolled: Sequence[int] = (),
) -> Evaluation:
    """Partial evaluation: the steps and the outcome that are certain although tallies or inputs are unknown.

    `given` steps replace their formulas; `rolled` are the tallies of dice that all lie on the table."""
    bounds = bind_bounds(bound_rule, tallies, given_steps, rolled)
    steps = {name: certain_value(bounds.values[name]) for name in bound_rule.program.formulas}
    return Evaluation(steps, *_find_outcome(bound_rule, bounds))


def bind_bounds(
    bound_rule: BoundRule,
    tallies: Mapping[str, ValueSet],
    given_steps: Mapping[str, int | str],
    rolled: Sequence[int] = (),
) -> Bounds:
    """The bounds of all values in a partial evaluation."""
    compiled_rule = bound_rule.program
    bounds = compiled_rule.bounds
    for tally in compiled_rule.tallies:
        least = 0 if tally.function == "count" else -inf
        bounds = bounds.with_value(tally.name, tallies.get(tally.name, interval_between(least, inf)))
    for name, value in bound_rule.known.items():
        bounds = bounds.with_value(name, exact_value(value))
    for name in compiled_rule.order:
        formula = compiled_rule.get_formula(name)
        bounds = _add_tallies(bound_rule, formula, bounds, rolled)
        formula_value = exact_value(given_steps[name]) if name in given_steps else evaluate_bounds(formula.node, bounds)
        if name in compiled_rule.asked:
            if name in compiled_rule.asked_early and name in bound_rule.questions:
                formula_value = exact_value(int(bound_rule.questions[name]))
            formula_value = _question_value(bound_rule, name, formula_value)
        bounds = bounds.with_value(name, formula_value)
    for outcome in bound_rule.rule.outcomes:
        for own in (outcome.when, outcome.degree):
            bounds = _add_tallies(bound_rule, own, bounds, rolled) if own else bounds
    return bounds


def _add_tallies(bound_rule: BoundRule, formula: Expression, bounds: Bounds, rolled: Sequence[int]) -> Bounds:
    """Adds the tallies of a formula that depend on other values, if these are known and the dice lie on the table."""
    if not isinstance(rolled, Tallies):
        return bounds
    for node in walk(formula.node):
        if node.op == "tally" and rolled[tally_number(node)] is None:
            program = bound_rule.program
            known = {name: certain_value(bounds.values[name]) for name in program.names_in(node)}
            if None not in known.values():
                value = program.get_function(program.tally_formula(node))[0]({**bound_rule.known, **known}, rolled)
                rolled[tally_number(node)] = value
        if node.op == "tally" and rolled[tally_number(node)] is not None:
            bounds = bounds.with_value(str(node.args[0]), exact_value(rolled[tally_number(node)]))
    return bounds


def _question_value(bound_rule: BoundRule, name: str, holds: ValueSet) -> ValueSet:
    """The value of an input with a question: its default if the question does not arise."""
    entry = bound_rule.program.asked[name]
    if entry.form == PICKED:
        return exact_value(bound_rule.known[name]) if name in bound_rule.known else input_values(entry)[name]
    default, truth = exact_value(entry.default), holds.truth if isinstance(holds, Interval) else None
    is_open = entry.is_choice and name not in bound_rule.values
    value = input_values(entry)[name] if is_open else exact_value(bound_rule.values.get(name, entry.default))
    if truth or value == default:
        return value
    return default if truth is False else interval_between(-inf, inf)


def certain_value(value_set: ValueSet) -> int | str | None:
    if isinstance(value_set, frozenset):
        return next(iter(value_set)) if len(value_set) == 1 else None
    return int(value_set.low) if value_set.is_exact else None


def _find_outcome(bound_rule: BoundRule, bounds: Bounds) -> tuple[CoreOutcome | None, int | None]:
    for outcome in bound_rule.rule.outcomes:
        condition = evaluate_bounds(outcome.when.node, bounds) if outcome.when else exact_value(1)
        truth = condition.truth if isinstance(condition, Interval) else None
        if truth is None:
            return None, None
        if truth:
            degree = certain_value(evaluate_bounds(outcome.degree.node, bounds)) if outcome.degree else None
            return outcome, degree if isinstance(degree, int) else None
    return None, None


def keeps_old(reroll: Reroll, old: int, new: int) -> bool:
    """Whether a die that is rolled again stays as it was, by its values before and after; of equal ones the old one."""
    return {"higher": old >= new, "lower": old <= new}.get(reroll.keep, False)

"""A rule bound to the values of its inputs, and the evaluation of its steps and outcome.

Unknown inputs, tallies or steps are allowed: partial evaluation yields what is certain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import inf
from typing import Any, NamedTuple

from ..game.formula import names_in
from ..game.inputs import variables
from ..game.intervals import Bounds, Range, Worth, between, evaluate, exactly
from ..game.model import MOST_SIDES, Formula, Outcome, Reroll, Rule
from .compiled_rule import (
    Program,
    Run,
    compiled,
    program,
    reroll_function,
    throw_function,
    value_function,
    value_tallies,
)

MOST_DICE = 10_000


class Refused(Exception):
    """The inputs do not allow a roll; the message says why."""


class Missing(Refused):
    """A result needs inputs that have no value."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{', '.join(names)} must be given")
        self.names = names


class Landing(NamedTuple):
    """The transition of one throw of a die: what its face does. It is the same for all dice of a kind."""

    face: int
    good: bool
    bad: bool
    explodes: bool
    may_stop: bool
    earns: int
    may_decline: bool
    hits: tuple[int, ...]  # 0 or 1 for each tally of the kind that tests every throw


Landings = dict[tuple[int, int, int], Landing]  # by face, previous face, number of the throw


@lru_cache(maxsize=4096)
def landings_of(_made: Program, _kind: int, _values: tuple[Any, ...], _sides: int) -> Landings:
    """A cache of transitions; its key contains everything that they depend on."""
    return {}


class Setting:
    """A rule with the values of its inputs. Using an unknown input raises MissingInputError."""

    def __init__(self, rule: Rule, values: Mapping[str, Any]) -> None:
        self.rule = rule
        self.values = values
        self.program: Program = program(rule)
        self.known = variables(rule, values)
        for name, run in self.program.run_fixed.items():
            if self.program.needed([self.program.formula(name)]) - self.program.asked.keys() <= self.known.keys():
                self.known[name] = run(self.known)
        self.kinds = [Ready(self, number) for number in range(len(rule.dice))]

    @cached_property
    def complete(self) -> bool:
        """Whether all inputs that steps and outcomes depend on are known."""
        return self.program.needs <= self.known.keys() | self.program.formulas.keys()

    def of(self, formula: Formula) -> Any:
        """The value of a formula over inputs."""
        run, needs = compiled(self.program, formula)
        try:
            return int(run(self.known))
        except KeyError:  # testing first would take longer than the formula itself
            self.demand(needs)
            raise

    def demand(self, names: Iterable[str]) -> None:
        """Raise MissingInputError with the inputs that are needed, unless all of these values are known."""
        missing = [name for name in names if name not in self.known]
        if missing:
            formulas = [self.program.formula(name) for name in missing if name in self.program.formulas]
            needed = self.program.needed(formulas).union(missing)
            raise Missing(
                sorted(one.name for one in self.rule.inputs if needed & set(one.variables) - self.known.keys())
            )

    def meets(self, reroll: Reroll, kind: int, face: int) -> bool:
        """Whether a reroll with pick = all applies to a die that shows this face."""
        assert reroll.when
        run, needs = reroll_function(self.program, reroll)
        self.demand(needs)
        return bool(run(self.known, face, len(self.kinds[kind].faces)))

    def said(self, formula: Formula) -> str:
        """The inputs in a formula with their values, for a message."""
        return ", ".join(f"{name} {self.known[name]}" for name in sorted(names_in(formula.node)) if name in self.known)


class Ready:
    """One kind of dice of a bound rule."""

    def __init__(self, setting: Setting, number: int) -> None:
        self.setting, self.number = setting, number
        self.kind = setting.rule.dice[number]

    @cached_property
    def count(self) -> int:
        count: int = self.setting.of(self.kind.count)
        if count < 0:
            said = self.setting.said(self.kind.count)
            raise Refused(f"there would be {count} {self.kind.name} dice ({said}); write max(…, 0) if none is meant")
        if count > MOST_DICE:
            raise Refused(f"{count:,} dice are more than the {MOST_DICE:,} that can be thrown at once")
        return count

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """The number on each side of the die."""
        if self.kind.faces:
            return tuple(number for _, number in self.kind.faces)
        assert self.kind.sides
        sides = self.setting.of(self.kind.sides)
        if not 1 <= sides <= MOST_SIDES:
            raise Refused(f"a {self.kind.name} die would have {sides} sides ({self.setting.said(self.kind.sides)})")
        return tuple(range(1, sides + 1))

    @cached_property
    def face_set(self) -> frozenset[int]:
        return frozenset(self.faces)

    @cached_property
    def keep(self) -> int | None:
        """The number of dice to keep; None for all."""
        if not self.kind.keep:
            return None
        number: int = self.setting.of(self.kind.keep.number)
        if number < 0:
            raise Refused(f"{number} {self.kind.name} dice cannot be kept ({self.setting.said(self.kind.keep.number)})")
        return number

    @cached_property
    def run(self) -> Run:
        run: Run
        run, needs = throw_function(self.setting.program, self.number)
        self.setting.demand(needs)
        return run

    @cached_property
    def landings(self) -> Landings:
        """The cache of this kind's transitions, shared by all bound rules with the same relevant inputs."""
        _, needs = throw_function(self.setting.program, self.number)
        self.setting.demand(needs)
        values = tuple([self.setting.known[name] for name in sorted(needs)])
        return landings_of(self.setting.program, self.number, values, len(self.faces))

    def land(self, face: int, last: int = 0, throw: int = 1) -> Landing:
        """The transition for a face on this throw of a die."""
        found = self.landings.get((face, last, throw))
        if found is None:
            found = Landing(face, *self.run(self.setting.known, face, last, throw, len(self.faces)))
            if found.earns < 0:
                raise Refused(f"a {self.kind.name} die would earn {found.earns} dice")
            self.landings[face, last, throw] = found
        return found

    @cached_property
    def value_tests(self) -> tuple[Callable[[int], int], ...]:
        """The test of a die's value for each tally that tests once per die."""
        run, needs = value_function(self.setting.program, self.number)
        self.setting.demand(needs)
        return tuple(
            self.value_test(run, place) for place in range(len(value_tallies(self.setting.program, self.number)))
        )

    def value_test(self, run: Run, place: int) -> Callable[[int], int]:
        known, sides = self.setting.known, len(self.faces)
        return lambda value: int(run(known, value, sides)[place])


class Worked(NamedTuple):
    """The steps by name, the outcome and its degree; unknown ones are None."""

    steps: Mapping[str, Any]
    outcome: Outcome | None
    degree: int | None


def work_out(setting: Setting, tallies: Sequence[int]) -> Worked:
    """Evaluate the steps and the outcome from the tallies of a roll."""
    made = setting.program
    if not setting.complete:
        return outline(
            setting, {tally.name: exactly(value) for tally, value in zip(made.tallies, tallies, strict=True)}, {}
        )
    steps, number, degree = made.finish(setting.known, list(tallies))
    values = {
        name: value if isinstance(value, str) else int(value) for name, value in zip(made.formulas, steps, strict=True)
    }
    outcomes = setting.rule.outcomes
    return Worked(values, outcomes[number] if outcomes else None, None if degree is None else int(degree))


def outline(setting: Setting, tallies: Mapping[str, Worth], given: Mapping[str, int | str]) -> Worked:
    """Partial evaluation: the steps and the outcome that are certain although tallies or inputs are unknown.

    `given` steps replace their formulas."""
    bounds = worths(setting, tallies, given)
    steps = {name: told(bounds.values[name]) for name in setting.program.formulas}
    return Worked(steps, *outcome_of(setting, bounds))


def worths(setting: Setting, tallies: Mapping[str, Worth], given: Mapping[str, int | str]) -> Bounds:
    """The bounds of all values in a partial evaluation."""
    made = setting.program
    bounds = made.bounds
    for tally in made.tallies:
        least = 0 if tally.function == "count" else -inf
        bounds = bounds.with_value(tally.name, tallies.get(tally.name, between(least, inf)))
    for name, value in setting.known.items():
        bounds = bounds.with_value(name, exactly(value))
    for name in made.order:
        formula = made.formula(name)
        found = exactly(given[name]) if name in given else evaluate(made.node(formula), bounds)
        if name in made.asked:
            found = asked_value(setting, name, found)
        bounds = bounds.with_value(name, found)
    return bounds


def asked_value(setting: Setting, name: str, holds: Worth) -> Worth:
    """The value of an input with a question: its default if the question does not arise."""
    entry = setting.program.asked[name]
    value = exactly(setting.values.get(name, entry.default))
    truth = holds.truth if isinstance(holds, Range) else None
    if truth or value == exactly(entry.default):
        return value
    return exactly(entry.default) if truth is False else between(-inf, inf)


def told(worth: Worth) -> int | str | None:
    if isinstance(worth, frozenset):
        return next(iter(worth)) if len(worth) == 1 else None
    return int(worth.low) if worth.certain else None


def outcome_of(setting: Setting, bounds: Bounds) -> tuple[Outcome | None, int | None]:
    made = setting.program
    for outcome in setting.rule.outcomes:
        found = evaluate(made.node(outcome.when), bounds) if outcome.when else exactly(1)
        truth = found.truth if isinstance(found, Range) else None
        if truth is None:
            return None, None
        if truth:
            degree = told(evaluate(made.node(outcome.degree), bounds)) if outcome.degree else None
            return outcome, degree if isinstance(degree, int) else None
    return None, None

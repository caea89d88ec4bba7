"""A rule with values for its inputs: which dice are thrown, and what each face does.

`land` is the one transition of the engine: checking, rolling and computing odds all go through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from .inputs import variables
from .model import Formula, Kind, Reroll, Rule
from .names import asks
from .program import Program, function, program, test_functions
from .python import Stuck, Writer
from .ranges import Bounds, between
from .tree import names_in

MOST_DICE = 10_000
MOST_SIDES = 10_000


class Refused(Exception):
    """These inputs allow no roll; the message says which, and why."""


@dataclass(frozen=True, slots=True)
class Landing:
    """What one throw of a die does, whichever die of its kind it is."""

    face: int
    good: bool
    bad: bool
    explodes: bool
    may_stop: bool
    earns: int
    may_decline: bool
    hits: tuple[int, ...]  # one 0 or 1 for each tally of the kind that asks every throw


class Setting:
    """Values bound to a rule. Values that are not known are missing, and what needs them is refused."""

    def __init__(self, rule: Rule, values: Mapping[str, Any]) -> None:
        self.rule = rule
        self.values = values
        self.program: Program = program(rule)
        self.known = variables(rule, values)
        for name, run in self.program.run_fixed.items():
            if self.program.needed([self.program.formula(name)]) - self.program.asked.keys() <= self.known.keys():
                self.known[name] = run(self.known)
        self.kinds = [Ready(self, number) for number in range(len(rule.dice))]

    def of(self, formula: Formula) -> Any:
        """The value of a formula over inputs."""
        run, needs = compiled(self.program, formula)
        missing = [name for name in needs if name not in self.known]
        if missing:
            raise Refused(f"{', '.join(sorted(missing))} must be given")
        return int(run(self.known))

    def meets(self, reroll: Reroll, kind: int, face: int) -> bool:
        """Whether a die that shows this is one that a reroll of all such dice takes."""
        assert reroll.when
        run, needs = reroll_function(self.program, reroll)
        if needs - self.known.keys():
            raise Refused(f"{', '.join(sorted(needs - self.known.keys()))} must be given")
        return bool(run(self.known, face, len(self.kinds[kind].faces)))

    def said(self, formula: Formula) -> str:
        """The inputs that a formula names, with their values."""
        return ", ".join(f"{name} {self.known[name]}" for name in sorted(names_in(formula.node)) if name in self.known)


@lru_cache(maxsize=4096)
def compiled(made: Program, formula: Formula) -> tuple[Callable[[Mapping[str, Any]], Any], tuple[str, ...]]:
    writer = made.writer()
    code = writer.expression(formula)
    needs = tuple(sorted(names_in(formula.node)))
    return writer.compile(function("run", "v", [*made.opening(needs, ()), f"return {code}"]), "run"), needs


class Ready:
    """One kind of dice under these inputs."""

    def __init__(self, setting: Setting, number: int) -> None:
        self.setting, self.number = setting, number
        self.kind = setting.rule.dice[number]
        self.landings: dict[tuple[int, int, int], Landing] = {}

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
        """The number on each side."""
        if self.kind.faces:
            return tuple(number for _, number in self.kind.faces)
        assert self.kind.sides
        sides = self.setting.of(self.kind.sides)
        if not 1 <= sides <= MOST_SIDES:
            raise Refused(f"a {self.kind.name} die would have {sides} sides ({self.setting.said(self.kind.sides)})")
        return tuple(range(1, sides + 1))

    @cached_property
    def keep(self) -> int | None:
        """How many dice are kept; None when all are."""
        if not self.kind.keep:
            return None
        number: int = self.setting.of(self.kind.keep.number)
        if number < 0:
            raise Refused(f"{number} {self.kind.name} dice cannot be kept ({self.setting.said(self.kind.keep.number)})")
        return number

    @cached_property
    def run(self) -> Callable[[Mapping[str, Any], int, int, int, int], tuple[Any, ...]]:
        run, needs = throw_function(self.setting.program, self.number)
        missing = sorted(needs - self.setting.known.keys())
        if missing:
            raise Refused(f"{', '.join(missing)} must be given")
        return run

    def land(self, face: int, last: int = 0, throw: int = 1) -> Landing:
        """What this face does on this throw of a die."""
        found = self.landings.get((face, last, throw))
        if found is None:
            found = Landing(face, *self.run(self.setting.known, face, last, throw, len(self.faces)))
            if found.earns < 0:
                raise Refused(f"a {self.kind.name} die would earn {found.earns} dice")
            self.landings[face, last, throw] = found
        return found

    @cached_property
    def value_tests(self) -> tuple[Callable[[int], int], ...]:
        """For each tally that asks once a die, what it says of a die's value."""
        run, needs = value_function(self.setting.program, self.number)
        missing = sorted(needs - self.setting.known.keys())
        if missing:
            raise Refused(f"{', '.join(missing)} must be given")
        known, sides = self.setting.known, len(self.faces) if needs or run else 0
        count = len(value_tallies(self.setting.program, self.number))
        return tuple(lambda value, place=place: run(known, value, sides)[place] for place in range(count))  # type: ignore[misc]


@lru_cache(maxsize=1024)
def reroll_function(made: Program, reroll: Reroll) -> tuple[Any, frozenset[str]]:
    assert reroll.when
    writer = test_writer(made)
    needs = frozenset(names_in(reroll.when.node)) - {"face", "last", "throw", "sides"}
    body = [*made.opening(needs, ()), "v_last, v_throw = 0, 1", f"return {writer.truth(reroll.when)}"]
    return writer.compile(function("run", "v, v_face, v_sides", body), "run"), needs


@lru_cache(maxsize=1024)
def throw_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled questions that a kind of dice asks of each throw."""
    kind = made.rule.dice[number]
    writer = test_writer(made)
    asked = test_functions(kind)
    body = []
    for name in ("good", "bad"):
        body.append(f"v_{name} = bool({writer.truth(asked[name])})" if name in asked else f"v_{name} = False")
    explode = f"bool({writer.truth(asked['explode'])})" if "explode" in asked else "False"
    stop = f"bool({writer.truth(asked['stop'])})" if "stop" in asked else "False"
    earn, decline = "0", "False"
    if "earn" in asked:
        earn = f"({writer.expression(asked['times'])} if {writer.truth(asked['earn'])} else 0)"
        decline = f"bool({writer.truth(asked['decline'])})"
    hits = [writer.truth(Formula("", test, kind.span)) for test in throw_tests(made, number)]
    body.append(f"return v_good, v_bad, {explode}, {stop}, {earn}, {decline}, ({''.join(f'int({hit}), ' for hit in hits)})")
    nodes = [formula.node for formula in asked.values()] + throw_tests(made, number)
    needs = frozenset().union(*map(names_in, nodes)) - {"face", "last", "throw", "good", "bad", "value", "sides"}
    run = writer.compile(function("run", "v, v_face, v_last, v_throw, v_sides", [*made.opening(needs, ()), *body]), "run")
    return run, needs


@lru_cache(maxsize=1024)
def value_function(made: Program, number: int) -> tuple[Any, frozenset[str]]:
    """The compiled questions that tallies ask once a die."""
    kind, writer = made.rule.dice[number], test_writer(made)
    tests = value_tests(made, number)
    hits = "".join(f"int(bool({writer.truth(Formula('', test, kind.span))})), " for test in tests)
    needs = frozenset().union(*map(names_in, tests)) - {"value", "sides"}
    run = writer.compile(function("run", "v, v_value, v_sides", [*made.opening(needs, ()), f"return ({hits})"]), "run")
    return run, needs


def test_writer(made: Program) -> Writer:
    most = between(-MOST_SIDES * MOST_DICE, MOST_SIDES * MOST_DICE)
    words = ("face", "last", "throw", "good", "bad", "value", "sides")
    return Writer(Bounds({}, {**made.bounds.values, **dict.fromkeys(words, most)}, made.rule.tables), made.rule.tables)


def throw_tallies(made: Program, number: int) -> list[int]:
    """The numbers of the tallies of a kind that ask every throw."""
    return [place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.per_throw]


def value_tallies(made: Program, number: int) -> list[int]:
    return [
        place for place, tally in enumerate(made.tallies) if tally.kind == number and tally.test and not tally.per_throw
    ]


def throw_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in throw_tallies(made, number)]


def value_tests(made: Program, number: int) -> list[Any]:
    return [made.tallies[place].test for place in value_tallies(made, number)]


__all__ = ["Kind", "Landing", "Ready", "Refused", "Setting", "Stuck", "asks"]

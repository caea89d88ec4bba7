"""A rule with values for its inputs: which dice are thrown, and what each face does.

`land` is the one transition of the engine: checking, rolling and computing odds all go through it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from .inputs import variables
from .model import MOST_SIDES, Formula, Reroll, Rule
from .program import Program, program
from .throws import Run, compiled, reroll_function, throw_function, value_function, value_tallies
from .tree import names_in

MOST_DICE = 10_000


class Refused(Exception):
    """These inputs allow no roll; the message says which, and why."""


class Missing(Refused):
    """An answer needs inputs that are not given."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(f"{', '.join(names)} must be given")
        self.names = names


class Landing(NamedTuple):
    """What one throw of a die does, whichever die of its kind it is."""

    face: int
    good: bool
    bad: bool
    explodes: bool
    may_stop: bool
    earns: int
    may_decline: bool
    hits: tuple[int, ...]  # one 0 or 1 for each tally of the kind that asks every throw


Landings = dict[tuple[int, int, int], Landing]  # by face, face before, number of the throw


@lru_cache(maxsize=4096)
def landings_of(_made: Program, _kind: int, _values: tuple[Any, ...], _sides: int) -> Landings:
    """A place for landings; everything that they depend on is in the key."""
    return {}


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

    @cached_property
    def complete(self) -> bool:
        """Whether everything that steps and outcomes rest on is known, dice aside."""
        return self.program.needs <= self.known.keys() | self.program.formulas.keys()

    def of(self, formula: Formula) -> Any:
        """The value of a formula over inputs."""
        run, needs = compiled(self.program, formula)
        try:
            return int(run(self.known))
        except KeyError:  # looking first would take longer than the formula itself
            self.demand(needs)
            raise

    def demand(self, names: Iterable[str]) -> None:
        """Refuses to go on where one of these values is not known, and names the inputs that they come from."""
        missing = [name for name in names if name not in self.known]
        if missing:
            formulas = [self.program.formula(name) for name in missing if name in self.program.formulas]
            needed = self.program.needed(formulas).union(missing)
            raise Missing(
                sorted(one.name for one in self.rule.inputs if needed & set(one.variables) - self.known.keys())
            )

    def meets(self, reroll: Reroll, kind: int, face: int) -> bool:
        """Whether a die that shows this is one that a reroll of all such dice takes."""
        assert reroll.when
        run, needs = reroll_function(self.program, reroll)
        self.demand(needs)
        return bool(run(self.known, face, len(self.kinds[kind].faces)))

    def said(self, formula: Formula) -> str:
        """The inputs that a formula names, with their values."""
        return ", ".join(f"{name} {self.known[name]}" for name in sorted(names_in(formula.node)) if name in self.known)


class Ready:
    """One kind of dice under these inputs."""

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
        """The number on each side."""
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
        """How many dice are kept; None when all are."""
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
        """What is known of this kind's throws, shared by all settings whose inputs make it throw alike."""
        _, needs = throw_function(self.setting.program, self.number)
        self.setting.demand(needs)
        values = tuple([self.setting.known[name] for name in sorted(needs)])
        return landings_of(self.setting.program, self.number, values, len(self.faces))

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
        self.setting.demand(needs)
        return tuple(
            self.value_test(run, place) for place in range(len(value_tallies(self.setting.program, self.number)))
        )

    def value_test(self, run: Run, place: int) -> Callable[[int], int]:
        known, sides = self.setting.known, len(self.faces)
        return lambda value: int(run(known, value, sides)[place])

"""What many questions about a rule have in common: the families of its dice and the powers of their series."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..nodes import Machine, Place
from ..program import Program, test_functions
from ..setting import Setting
from ..throws import throw_tests, value_tests
from ..tree import names_in
from .family import Family
from .group import PoolGroup
from .plan import Coordinate, Plan
from .pool import Powers
from .tail import Box, Settled

if TYPE_CHECKING:
    from .ordered import OrderedGroup


class Memory:
    """Holds as long as its owner does; a question asked alone has one of its own."""

    def __init__(self) -> None:
        self.families: dict[tuple[Any, ...], tuple[Family, dict[tuple[Place, int], Powers]]] = {}
        self.names: dict[Program, tuple[str, ...]] = {}
        self.settled: dict[tuple[Any, ...], list[tuple[Box, Settled]]] = {}
        self.hints: dict[Plan, int] = {}
        self.parts: dict[tuple[Any, ...], Any] = {}
        self.groups: dict[tuple[Any, ...], OrderedGroup] = {}
        self.sides: dict[tuple[Any, ...], Any] = {}  # what a side of a contest yields
        self.runs: dict[tuple[Any, ...], list[tuple[int, int]]] = {}

    def pool(self, plan: Plan, number: int, machine: Machine) -> PoolGroup:
        """The group of a plan as a pool of dice thrown freely."""
        starts = [(machine.start(kind), machine.setting.kinds[kind].count) for kind in plan.groups[number]]
        thrown = [(place, dice) for place, dice in starts if dice]
        key = (plan, number, machine.eager, tuple(place for place, _ in thrown), self.values(machine.setting))
        if key not in self.families:
            family = Family(machine, [place for place, _ in thrown], plan.coordinates[number])
            self.families[key] = (family, {})
        family, powers = self.families[key]
        return PoolGroup(family, thrown, powers)

    def ordered(self, machine: Machine, kind: int, coordinates: Sequence[Coordinate]) -> OrderedGroup:
        """A pool of one kind whose dice are put in order."""
        from .ordered import OrderedGroup  # most games only count their dice

        ready, made = machine.setting.kinds[kind], machine.setting.program
        key = (made, kind, tuple(coordinates), machine.eager, ready.count, ready.keep, self.values(machine.setting))
        if key not in self.groups:
            highest = not ready.kind.keep or ready.kind.keep.highest
            self.groups[key] = OrderedGroup(machine, kind, coordinates, ready.count, ready.keep, highest)
        self.groups[key].digits = 0  # each question has a budget of its own
        return self.groups[key]

    def values(self, setting: Setting) -> Sequence[Any]:
        """The values of all inputs that decide what a die does; how many dice there are is another matter."""
        made = setting.program
        if made not in self.names:
            self.names[made] = tuple(sorted(dice_names(made)))
        return tuple(setting.known.get(name) for name in self.names[made])


def dice_names(made: Program) -> set[str]:
    names: set[str] = set()
    for number, kind in enumerate(made.rule.dice):
        formulas = (
            [formula.node for formula in test_functions(kind).values()]
            + throw_tests(made, number)
            + value_tests(made, number)
        )
        for node in [*formulas, *([kind.sides.node] if kind.sides else [])]:
            names |= names_in(node)
    for reroll in made.rule.rerolls:
        for formula in (reroll.times, reroll.when):
            names |= names_in(formula.node) if formula else set()
    return names

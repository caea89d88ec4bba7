"""What questions about the odds of one rule have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..play.automaton import Automaton, DieState
from ..play.bound_rule import BoundRule
from ..play.compiled_rule import CompiledRule
from .budget import Budget
from .follow_up_dice import Family
from .plan import Coordinate, Plan
from .pool import PoolGroup, Powers

if TYPE_CHECKING:
    from .ordered import OrderedGroup


class Cutoff(NamedTuple):
    """Where the tails begin; whether they are known by class; whether values follow in a line there."""

    end: int
    by_class: bool
    in_line: bool


class OddsCache:
    """Cache of what questions about one rule have in common."""

    def __init__(self) -> None:
        self.budget = Budget()
        self.plans: dict[tuple[Any, ...], Plan] = {}  # of questions that name formulas of their own
        self.frames: dict[Any, Any] = {}  # of walks
        self.families: dict[tuple[Any, ...], tuple[Family, dict[tuple[DieState, int], Powers]]] = {}
        self.dice_inputs: dict[CompiledRule, tuple[str, ...]] = {}
        self.cutoffs: dict[tuple[Any, ...], list[tuple[list[list[tuple[float, float]]], Cutoff]]] = {}
        self.hints: dict[Plan, int] = {}
        self.groups: dict[tuple[Any, ...], OrderedGroup] = {}
        self.rounds: dict[tuple[Any, ...], Any] = {}  # states of rules that are rolled again and again
        self.contest_sides: dict[tuple[Any, ...], Any] = {}  # distributions of the sides of contests

    def pool_group(self, plan: Plan, number: int, machine: Automaton) -> PoolGroup:
        """A group of a plan as a pool of independent dice."""
        starts = [(machine.initial_state(kind), machine.setting.kinds[kind].count) for kind in plan.groups[number]]
        thrown = [(place, dice) for place, dice in starts if dice]
        key = (plan, number, machine.eager, tuple(place for place, _ in thrown), self.dice_values(machine.setting))
        if key not in self.families:
            family = Family(machine, [place for place, _ in thrown], plan.coordinates[number], self.budget)
            self.families[key] = (family, {})
        family, powers = self.families[key]
        return PoolGroup(self.budget, family, thrown, powers)

    def ordered_group(self, machine: Automaton, kind: int, coordinates: Sequence[Coordinate]) -> OrderedGroup:
        """A pool of one kind as a group that depends on the order of its dice."""
        from .ordered import OrderedGroup  # most games only count their dice

        ready, compiled = machine.setting.kinds[kind], machine.setting.program
        values = self.dice_values(machine.setting)
        key = (compiled, kind, tuple(coordinates), machine.eager, ready.count, ready.keep_count, values)
        if key not in self.groups:
            highest = not ready.kept_set or ready.kept_set.op == "highest"
            self.groups[key] = OrderedGroup(
                self.budget, machine, kind, coordinates, ready.count, ready.keep_count, highest
            )
        return self.groups[key]

    def dice_values(self, setting: BoundRule) -> Sequence[Any]:
        """The values of the inputs that affect single dice, not how many of them there are."""
        compiled = setting.program
        if compiled not in self.dice_inputs:
            self.dice_inputs[compiled] = tuple(sorted(compiled.die_names))
        return tuple(setting.known.get(name) for name in self.dice_inputs[compiled])

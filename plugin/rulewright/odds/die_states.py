"""States of dice during a roll: final states of one die, dice kept so far, and dice that are still to be rolled."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from ..game.core import Reroll
from ..play.automaton import Automaton, Branch, DieState, add_dice
from ..play.bound_rule import BoundRule, keeps_old
from .budget import Budget, BudgetError
from .follow_up_dice import Values

_MOST_FINAL_STATES = 20_000
_LEAST_PROBABILITY = Fraction(1, 10**20)  # rarer branches are not followed; they count as missing
Children = tuple[tuple[DieState, int], ...]


@dataclass(frozen=True, slots=True)
class FinalState:
    """The final state of a die: its value, what each tally counts on it, and the dice it earns."""

    kind: int
    value: int
    counts: Values
    children: Children

    @property
    def key(self) -> tuple[int, int, Values, Children]:
        return self.kind, self.value, self.counts, self.children


StateWeights = dict[FinalState, int]
_RollingDie = tuple[DieState, int, Values, Children]  # a die before its next throw: place, value, counts, earned dice


class FinalStates:
    """The final states of each kind of die, with weights.

    Tallies that no question needs are left out, and so are dice that only affect such tallies."""

    def __init__(self, machine: Automaton, budget: Budget, needed_tallies: frozenset[int] | None = None) -> None:
        self.machine, self.setting, self.budget = machine, machine.setting, budget
        tallies = self.setting.program.tallies
        self.needed_tallies = frozenset(range(len(tallies))) if needed_tallies is None else needed_tallies
        self.weights: dict[int, StateWeights] = {}
        self.totals: dict[int, int] = {}
        self.lossy = False  # whether some branches were too unlikely to follow

    @cached_property
    def relevant_kinds(self) -> set[int]:
        """The kinds of dice that affect a needed tally, directly or through dice that they earn."""
        tallies = self.setting.program.tallies
        relevant = {tallies[number].kind for number in self.needed_tallies}
        for _ in self.setting.kinds:
            relevant |= {ready.number for ready in self.setting.kinds if relevant.intersection(ready.kind.earned_kinds)}
        return relevant

    def of_kind(self, kind: int) -> StateWeights:
        """All final states of a die of this kind, with integer weights."""
        if kind not in self.weights:
            probabilities = self.compute_final_states(kind)
            self.totals[kind] = lcm(*(share.denominator for share in probabilities.values()))
            self.weights[kind] = {rest: int(share * self.totals[kind]) for rest, share in probabilities.items()}
            self.lossy = self.lossy or sum(probabilities.values()) < 1
        return self.weights[kind]

    def compute_final_states(self, kind: int) -> dict[FinalState, Fraction]:
        """The distribution of the final states, throw by throw; equal intermediate states are merged."""
        probabilities: dict[FinalState, Fraction] = {}
        nothing = (0,) * len(self.setting.program.tallies)
        waiting: dict[_RollingDie, Fraction] = {(DieState(kind), 0, nothing, ()): Fraction(1)}
        while waiting:
            after: dict[_RollingDie, Fraction] = {}
            for (place, value, gives, children), share in waiting.items():
                self.budget.spend(10 * len(self.machine.find_branches(place)))
                for branch in self.machine.find_branches(place):
                    part = share * branch.weight / self.machine.sides(place)
                    counts, total = self.counts_after_throw(kind, branch, gives), value + branch.transition.value
                    earned = self.earned_dice(children, branch)
                    if branch.next_state is None:
                        rest = self.final_state(kind, total, counts, earned)
                        probabilities[rest] = probabilities.get(rest, Fraction(0)) + part
                    elif part > _LEAST_PROBABILITY:
                        key = (branch.next_state, total, counts, earned)
                        after[key] = after.get(key, Fraction(0)) + part
            waiting = after
            if len(probabilities) + len(waiting) > _MOST_FINAL_STATES:
                raise BudgetError
        return probabilities

    def counts_after_throw(self, kind: int, branch: Branch, gives: Values) -> Values:
        """The counts of the tallies after one more throw."""
        counts = list(gives)
        for number, hit in zip(
            self.setting.program.kinds[kind].throw_tally_indices, branch.transition.hits, strict=True
        ):
            counts[number] += hit if number in self.needed_tallies else 0
        return tuple(counts)

    def earned_dice(self, children: Children, branch: Branch) -> Children:
        """The dice that a die has earned, with those of one more throw."""
        relevant = [(state, number) for state, number in branch.earned if state.kind in self.relevant_kinds]
        return add_dice((*children, *relevant)) if relevant else children

    def final_state(self, kind: int, value: int, gives: Values, children: Children) -> FinalState:
        """The final state of a die with this value and these counts from its throws."""
        counts, compiled = list(gives), self.setting.program
        for order, number in enumerate(compiled.kinds[kind].value_tally_indices):
            counts[number] = self.setting.kinds[kind].value_tests[order](value) if number in self.needed_tallies else 0
        for number, tally in enumerate(compiled.tallies):
            if tally.kind == kind and tally.body is None and number in self.needed_tallies:
                counts[number] = 1 if tally.function == "count" else value
        return FinalState(kind, value, tuple(counts), children)

    def after_rerolls(self, kind: int, rounds: Sequence[Reroll]) -> tuple[StateWeights, int]:
        """The final states after rounds in which every die that meets a condition is rerolled, and the total weight."""
        fresh, weights, size = self.of_kind(kind), dict(self.of_kind(kind)), self.totals[kind]
        whole = size
        for reroll in rounds:
            after: StateWeights = {}
            for old, weight in weights.items():
                meets = self.setting.is_rerolled(reroll, kind, old.value)
                for new, share in fresh.items() if meets else ((old, size),):
                    rest = kept_after_reroll(reroll, old, new)
                    after[rest] = after.get(rest, 0) + weight * share
            weights, whole = after, whole * size
        return weights, whole


def kept_after_reroll(reroll: Reroll, old: FinalState, new: FinalState) -> FinalState:
    """The die that counts after a reroll: the old or the new one."""
    return old if keeps_old(reroll, old.value, new.value) else new


RolledDice = tuple[FinalState, ...]  # the final states of the rolled dice, by kind and value
IndependentParts = tuple[
    dict[RolledDice, int], dict[RolledDice, int]
]  # two independent sets of dice, each with weights by state
Kept = tuple[tuple[int, int, FinalState], ...]  # the dice kept so far, by kind and rank, the best first
Waiting = tuple[tuple[int, DieState, int], ...]  # dice to be rolled, the last one first: turn, place and number


class Pending(NamedTuple):
    """The dice kept so far and the dice to be rolled: what decides how a roll continues."""

    kept: Kept
    waiting: Waiting


class RollState(NamedTuple):
    """A state during a roll: the counts so far, the dice kept so far, and the dice to be rolled."""

    values: Values
    kept: Kept
    waiting: Waiting


def keep_die(setting: BoundRule, kept: Kept, rest: FinalState) -> Kept:
    """The kept dice with one more; among equals, dice rolled earlier stay."""
    ready = setting.kinds[rest.kind]
    assert ready.kept_set
    rank = -rest.value if ready.kept_set.op == "highest" else rest.value
    own = [entry for entry in kept if entry[0] == rest.kind]
    at = sum(entry[1] <= rank for entry in own)
    own = [*own[:at], (rest.kind, rank, rest), *own[at:]][: ready.keep_count]
    return tuple(sorted([entry for entry in kept if entry[0] != rest.kind] + own, key=lambda one: one[:2]))


def add_to_queue(setting: BoundRule, waiting: Waiting, dice: Iterable[tuple[DieState, int]]) -> Waiting:
    """Adds dice to the queue. Kinds with `keep` are rolled last: they earn nothing, so their order does not matter."""
    queue = list(waiting)
    for place, number in dice:
        if number:
            kept = setting.kinds[place.kind].keep_count is not None
            turn = 2 if not kept else 0 if place.throw else 1  # kept dice with rerolls before those without
            at = bisect_left(queue, (turn, place, 0))
            if at < len(queue) and queue[at][:2] == (turn, place):
                queue[at] = (turn, place, queue[at][2] + number)
            else:
                queue.insert(at, (turn, place, number))
    return tuple(queue)


def earns_own_kind(machine: Automaton, kind: int) -> bool:
    """Whether a die can lead, through the dice that it earns, to a die of the same kind."""
    found = set[int]()
    waiting = [kind]
    while waiting:
        new = _earned_kinds(machine, waiting.pop()) - found
        found |= new
        waiting += new
    return kind in found


def _earned_kinds(machine: Automaton, kind: int) -> set[int]:
    """The kinds of dice that some face of a kind earns."""
    places = [place for place in machine.find_reachable([DieState(kind)]) if place.kind == kind]
    return {state.kind for place in places for branch in machine.find_branches(place) for state, _ in branch.earned}

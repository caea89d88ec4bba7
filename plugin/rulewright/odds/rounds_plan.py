"""The best plan for choices in a rule that is rolled again and again: what each state of a round is worth.

States that lead to one another are solved together by policy iteration: the best choices for what the states are
worth, then what these choices are worth, until nothing gets better. A group of states comes after those it leads to,
so a rule that never comes back to a state is solved in one pass."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ..play.automaton import solve_linear
from ..play.rounds import RoundsError
from .budget import Budget, BudgetError
from .components import find_components
from .walk_choices import Walked, Worth, is_better

_MOST_STATES = 20_000


class Place(NamedTuple):
    """A state before a round: the carried values; the number is 1 where the number of the round does not matter."""

    carried: tuple[Any, ...]
    number: int


class PlannedRounds(NamedTuple):
    """What a plan is made for."""

    start: Place
    counts: bool  # whether the number of the round matters
    play: Callable[[Place, Worth | None], Walked]  # one round; keys as `read` says
    is_last: Callable[[Place], bool]
    describe: Callable[[tuple[Any, ...]], str]


class RoundsPlan:
    """What each state that can be reached is worth; choices are made for that.

    `values` has what is known of some states already, with all states that these lead to."""

    def __init__(self, rounds: PlannedRounds, budget: Budget, values: dict[Place, Fraction]) -> None:
        self.rounds, self.budget, self.values = rounds, budget, values
        moves = self.find_moves()
        for group in reversed(find_components(moves, lambda place: moves[place])):
            if len(group) > 1 or group[0] in moves[group[0]]:
                self.check_ends(group)
                self.improve(group)
            else:
                self.values[group[0]] = self.split(group[0], self.play(group[0], self.values))[1]

    def place(self, carried: tuple[Any, ...], number: int) -> Place:
        return Place(carried, number if self.rounds.counts else 1)

    def after(self, place: Place, key: tuple[Any, ...]) -> Place:
        """The state that a result of a round leads to; a key begins with the outcome, whether it is over, and the
        carried values."""
        carried = key[2 : 2 + len(place.carried)]
        return self.place(tuple(v if isinstance(v, str) else int(v) for v in carried), place.number + 1)

    def worth(self, place: Place, values: Mapping[Place, Fraction] | None = None) -> Worth | None:
        """What results of a round from a state are worth; None for the aim itself, in the last round."""
        known = self.values if values is None else values
        if self.rounds.is_last(place):
            return None
        return lambda key: Fraction(int(key[-1])) if key[1] else known[self.after(place, key)]

    def play(self, place: Place, values: Mapping[Place, Fraction]) -> Walked:
        return self.rounds.play(place, self.worth(place, values))

    def split(self, place: Place, walked: Walked) -> tuple[dict[Place, Fraction], Fraction]:
        """The states that a round leads to and are not known yet, and what the rest is worth."""
        moves: dict[Place, Fraction] = {}
        rest, is_last = Fraction(0), self.rounds.is_last(place)
        for key, weight in walked.weights.items():
            share = Fraction(weight, walked.whole)
            if is_last or key[1]:
                rest += int(key[-1]) * share
            elif (after := self.after(place, key)) in self.values:
                rest += self.values[after] * share
            else:
                moves[after] = moves.get(after, Fraction(0)) + share
        return moves, rest

    def find_moves(self) -> dict[Place, set[Place]]:
        """The states that some choices lead to, from each that can be reached."""
        moves: dict[Place, set[Place]] = {}
        waiting = [self.rounds.start]
        while waiting:
            place = waiting.pop()
            if place not in moves and place not in self.values:
                if len(moves) > _MOST_STATES:
                    raise BudgetError
                moves[place] = self.look(place) - self.values.keys()
                waiting += moves[place]
        return moves

    def look(self, place: Place) -> set[Place]:
        """Where one round may lead to: every choice is compared, so its worth is asked."""
        seen = set[Place]()
        if self.rounds.is_last(place):
            return seen

        def note(key: tuple[Any, ...]) -> Fraction:
            if not key[1]:
                seen.add(self.after(place, key))
            return Fraction(0)

        for key in self.rounds.play(place, note).weights:
            note(key)
        return seen

    def check_ends(self, group: Collection[Place]) -> None:
        """A RoundsError if some choices keep the rule among these states for ever."""
        inside, before = set(group), 0
        while len(inside) != before:
            before = len(inside)
            for place in list(inside):
                stays = self.stays(place, inside)
                if Fraction(*self.rounds.play(place, stays).mean(stays)) < 1:
                    inside.remove(place)
        if inside:
            where = self.rounds.describe(min(inside, key=str).carried)
            raise RoundsError(f"with some choices this never ends{where}; write most = … beside until")

    def stays(self, place: Place, inside: Collection[Place]) -> Worth:
        return lambda key: Fraction(not key[1] and self.after(place, key) in inside)

    def improve(self, group: Collection[Place]) -> None:
        """Policy iteration over states that lead to one another."""
        values = dict.fromkeys(group, Fraction(0))
        is_policy = False
        while True:
            parts = {place: self.split(place, self.play(place, {**self.values, **values})) for place in group}
            self.budget.spend(len(values) ** 3)
            found = solve_linear(
                {place: moves for place, (moves, _) in parts.items()},
                {place: rest for place, (_, rest) in parts.items()},
            )
            assert found is not None  # check_ends
            if is_policy and not any(
                is_better(found[place].as_integer_ratio(), values[place].as_integer_ratio()) for place in group
            ):
                break
            values, is_policy = found, True
        self.values.update(values)

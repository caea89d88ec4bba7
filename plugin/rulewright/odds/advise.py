"""Chooses dice to reroll for a player who follows a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game.model import Rule
from ..play.roll import Dealt, Generator, worst_first
from .policies import TAKING, chosen

if TYPE_CHECKING:
    from ..play.roll import Die, Play
    from .die_states import Rest
    from .rerolls import Rerolls
    from .state_search import Walk


def player(rule: Rule, generator: Generator, policy: str = "") -> Dealt:
    """Rolls fair dice and makes choices by a policy."""
    taking, choosing = chosen(rule, policy)
    return Dealt(generator, taking, Adviser(taking, choosing))


class Adviser:
    """Chooses the reroll with the best expected result."""

    def __init__(self, taking: str, choosing: str) -> None:
        self.taking, self.choosing = taking, choosing
        self.walk: Walk | None = None
        self.rerolls: Rerolls | None = None

    def __call__(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        from .plan import TooMuch

        try:
            picked = self.picked(play, dice, number, left)
        except TooMuch:
            return worst_first(play, dice, places, number, left)
        if picked is None:
            return None
        return next(place for place in places if self.resting(dice[place]) == picked)

    def picked(self, play: Play, dice: list[Die], number: int, left: int) -> Rest | None:
        rerolls = self.rerolls = self.rerolls or self.prepare(play)
        return rerolls.value(tuple(self.resting(die) for die in dice), number, left)[1]

    def prepare(self, play: Play) -> Rerolls:
        from .rerolls import Rerolls
        from .solve import Solver, scorer
        from .state_search import Walk

        solver = Solver(play.setting, self.taking == TAKING[0], self.choosing)
        kinds = next(ready.number for ready in play.setting.kinds if ready.count)
        number = next(number for number, group in enumerate(solver.groups_of_kinds) if kinds in group)
        self.walk = Walk(solver.machine, ())
        return Rerolls(self.walk, scorer(solver, number))

    def resting(self, die: Die) -> Rest:
        """The final state of a die on the table, as in the computation of odds."""
        from ..play.automaton import Place
        from ..play.compiled_rule import throw_tallies

        assert self.walk
        machine = self.walk.machine
        gives = [0] * len(machine.setting.program.tallies)
        for landing in die.throws:
            for tally, hit in zip(throw_tallies(machine.setting.program, die.kind), landing.hits, strict=True):
                gives[tally] += hit
        roll, eager = machine.roll(die.kind), machine.eager
        earned = [landing.earns if eager or not landing.may_decline else 0 for landing in die.throws]
        children = tuple((Place(roll), times) for times in earned if times and roll is not None)
        return self.walk.rest(die.kind, die.value, tuple(gives), children)

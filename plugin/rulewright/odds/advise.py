"""Chooses dice to reroll for a player who follows an aim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ..game.core import PICKED, CoreInput
from ..game.model import Rule
from ..play.picked_dice import pick_highest
from ..play.roll import RandomFaces, RandomGenerator, choose_worst
from .policies import Aims, choose_aims

if TYPE_CHECKING:
    from ..play.roll import DiceRoller, Die
    from .die_states import FinalState
    from .rerolls import Rerolls
    from .state_search import StateSearch


def make_player(rule: Rule, generator: RandomGenerator, aim: str = "") -> RandomFaces:
    """Rolls fair dice and makes choices by an aim; without one by that of the rule."""
    aims = choose_aims(rule, aim)
    return RandomFaces(generator, aims.taking.what, RerollAdviser(aims), partial(answer_question, aims))


def answer_question(aims: Aims, play: DiceRoller, dice: list[Die], entry: CoreInput) -> Any:
    """The best answer to a question; where that cannot be found out, the plainest one."""
    from ..play.bound_rule import RollError
    from .plan import BudgetError, NotExactError
    from .walk_table import find_best_answer

    if aims.answer is not None:
        return aims.answer
    try:
        return find_best_answer(play.setting, aims, dice, entry)
    except (BudgetError, NotExactError, RollError):
        return pick_highest(play.setting, entry.name) if entry.form == PICKED else entry.default


class RerollAdviser:
    """Chooses the reroll with the best expected result."""

    def __init__(self, aims: Aims) -> None:
        self.aims = aims
        self.has_no_budget = False  # used up once, for the rest of this roll, in both engines
        self.search: StateSearch | None = None
        self.rerolls: Rerolls | None = None

    def __call__(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        from .plan import BudgetError

        if self.has_no_budget:
            return choose_worst(play, dice, places, number, left)
        try:
            picked_state = self.pick_die(play, dice, number, left)
        except BudgetError:
            self.has_no_budget = True
            return choose_worst(play, dice, places, number, left)
        if picked_state is None:
            return None
        return next(place for place in places if self.final_state(dice[place]) == picked_state)

    def pick_die(self, play: DiceRoller, dice: list[Die], number: int, left: int) -> FinalState | None:
        if self.search is None or self.search.machine.setting is not play.setting:  # the first roll, or a further round
            self.rerolls = None
        rerolls = self.rerolls = self.rerolls or self.prepare_rerolls(play)
        return rerolls.expected_value(tuple(self.final_state(die) for die in dice), number, left)[1]

    def prepare_rerolls(self, play: DiceRoller) -> Rerolls:
        from .rerolls import Rerolls
        from .solve import Solver, make_score
        from .state_search import StateSearch

        solver = Solver(play.setting, self.aims)
        kinds = next(ready.number for ready in play.setting.kinds if ready.count)
        number = next(number for number, group in enumerate(solver.kind_groups) if kinds in group)
        self.search = StateSearch(solver.machine, (), solver.budget)
        return Rerolls(self.search, make_score(solver, number))

    def final_state(self, die: Die) -> FinalState:
        """The final state of a die on the table, as in the computation of odds."""
        from ..play.automaton import DieState, add_dice

        assert self.search
        machine = self.search.machine
        gives = [0] * len(machine.setting.program.tallies)
        for landing in die.throws:
            for tally, hit in zip(
                machine.setting.program.kinds[die.kind].throw_tally_indices, landing.hits, strict=True
            ):
                gives[tally] += hit
        earned = (one for landing in die.rolled for one in landing.earned)
        children = add_dice((DieState(kind), number) for kind, number, may in earned if machine.eager or not may)
        return self.search.final_state(die.kind, die.value, tuple(gives), children)

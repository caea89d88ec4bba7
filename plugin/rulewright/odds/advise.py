"""Chooses dice to reroll for a player who follows an aim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..game.core import PICKED, TURN, CoreInput, CoreRule, Stage
from ..game.model import Rule
from ..play.picked_dice import pick_highest
from ..play.roll import RandomFaces, RandomGenerator, choose_worst, is_higher, turn_highest
from .aims import Aims, choose_aims

if TYPE_CHECKING:
    from ..play.bound_rule import BoundRule
    from ..play.roll import DiceRoller, Die, Judge
    from .die_states import FinalState
    from .rerolls import Rerolls
    from .state_search import StateSearch
    from .walk_table import Table

_T = TypeVar("_T")


def make_player(rule: Rule, generator: RandomGenerator, aim: str = "") -> RandomFaces:
    """Rolls fair dice and makes choices by an aim; without one by that of the rule."""
    aims = choose_aims(rule, aim)
    adviser = RerollAdviser(aims)
    answerer = partial(answer_question, aims)
    return RandomFaces(generator, aims.taking.what, adviser, answerer, adviser.prefers, adviser.turn_die)


def make_judge(rule: Rule | CoreRule, aim: str = "") -> Judge:
    """Says which of two dice is better for an aim."""
    return RerollAdviser(choose_aims(rule, aim)).prefers


def _ask_walk(ask: Callable[[], _T]) -> _T | None:
    """What a walk answers; None where it cannot."""
    from ..play.bound_rule import RollError
    from .budget import BudgetError, NotExactError

    try:
        return ask()
    except (BudgetError, NotExactError, RollError):
        return None


def answer_question(aims: Aims, play: DiceRoller, dice: list[Die], entry: CoreInput) -> Any:
    """The best answer to a question; where that cannot be found out, the plainest one."""
    from .walk_table import find_best_answer

    if aims.answer is not None and entry.follows_aim:
        return aims.answer
    found = _ask_walk(lambda: [find_best_answer(play.setting, aims, dice, entry)])
    if not found and entry.form == PICKED:
        return pick_highest(play.setting, entry.name)
    return found[0] if found else entry.default


class RerollAdviser:
    """Chooses the reroll with the best expected result."""

    def __init__(self, aims: Aims) -> None:
        self.aims = aims
        self.has_no_budget = False  # used up once, for the rest of this roll, in both engines
        self.search: StateSearch | None = None
        self.rerolls: Rerolls | None = None
        self.picked: Mapping[int, int | None] = {}  # dice that are picked together, with the faces they are turned to
        self.turning: tuple[BoundRule | None, int, int] = (None, -1, 0)  # the pick whose dice are turned
        self.laid: tuple[BoundRule | None, int, Table | None] = (None, -1, None)

    def __call__(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        from .budget import BudgetError

        if play.taken:
            return next((place for place in self.picked if place in places), None)
        entry = play.setting.rule.again[number]
        if entry.goal or entry.roll == TURN or self.needs_walk(play.setting):
            return self.walk(play, dice, places, number, left)
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

    def needs_walk(self, setting: BoundRule) -> bool:
        """Whether only a walk knows what is best."""
        from .plan import Question
        from .walk_solver import WalkSolver, make_round_solver

        solver, goal = make_round_solver(setting, self.aims, None), self.aims.goal.formula
        return isinstance(solver, WalkSolver) and not (goal and solver.is_known(Question((), (goal,))))

    def lay(self, play: DiceRoller, dice: list[Die], number: int) -> Table | None:
        """A walk from these dice on, the same for all picks of an entry; None where picks do not matter."""
        from .walk_table import lay_table

        if self.laid[:2] != (play.setting, number):
            stage, goal = Stage("again", (number,)), play.setting.rule.again[number].goal
            self.laid = (play.setting, number, lay_table(play.setting, self.aims, dice, stage, goal))
        return self.laid[2]

    def walk(self, play: DiceRoller, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        worst = choose_worst(play, dice, places, number, left)
        if self.has_no_budget:
            return worst

        found = self.find_best(play, dice, number, left)
        self.turning = (play.setting, number, left)
        return worst if found is None else next((place for place in found if place in places), None)

    def find_best(self, play: DiceRoller, dice: list[Die], number: int, left: int) -> Mapping[int, int | None] | None:
        """The dice that are best taken next, with the faces that they are turned to; None if nobody knows."""

        def ask() -> list[Mapping[int, int | None] | None]:
            table = self.lay(play, dice, number)
            return [table.find_best_dice(dice, number, left) if table else None]

        found = _ask_walk(ask)
        self.has_no_budget = found is None
        self.picked = (found and found[0]) or {}
        return found[0] if found else None

    def turn_die(self, play: DiceRoller, dice: list[Die], place: int, number: int, left: int) -> int:
        """The best face for a die; where that cannot be found out, the highest."""
        if self.turning != (play.setting, number, left):
            self.turning = (play.setting, number, left)
            self.find_best(play, dice, number, left)
        face = self.picked.get(place)
        return turn_highest(play, dice, place, number, left) if face is None else face

    def prefers(self, play: DiceRoller, dice: list[Die], place: int, new: Die, number: int, left: int) -> bool:
        """Whether a new die is at least as good as the old one; where that cannot be found out, the higher one is."""

        def ask() -> bool | None:
            table = self.lay(play, dice, number)
            return table.is_better_die(dice, place, new, number, left) if table else None

        found = _ask_walk(ask)
        return is_higher(play, dice, place, new, number, left) if found is None else found

    def pick_die(self, play: DiceRoller, dice: list[Die], number: int, left: int) -> FinalState | None:
        from .budget import BudgetError

        if self.search is None or self.search.machine.setting is not play.setting:  # the first roll, or a further round
            self.rerolls = None
        rerolls = self.rerolls = self.rerolls or self.prepare_rerolls(play)
        picked = rerolls.expected_value(tuple(self.final_state(die) for die in dice), number, left)[1]
        if self.search and self.search.budget.has_refused:  # what was left out is not quite the same in both engines
            raise BudgetError
        return picked

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
        relevant = self.search.final_states.relevant_kinds
        earned = (one for landing in die.rolled for one in landing.earned if one[0] in relevant)
        is_eager = machine.setting.rule.kinds[die.kind].takes(machine.eager)
        children = add_dice((DieState(kind), number) for kind, number, may in earned if is_eager or not may)
        return self.search.final_state(die.kind, die.value, tuple(gives), children)

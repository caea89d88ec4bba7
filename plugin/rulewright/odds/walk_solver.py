"""Picks the engine for each question: the solver of pools, which is exact for dice without end, or the walk.

The solver knows rules whose dice are rolled at once and are looked at kind by kind: sums and counts of all dice of a
kind, or of those that it keeps. Everything else is walked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game.core import REROLL, CoreRule
from ..game.formula import walk
from ..play.bound_rule import BoundRule
from .aims import Aims
from .budget import NO_ANSWER, BudgetError, NotExactError
from .cache import Cutoff, OddsCache
from .distribution import Solution
from .fold import is_truth
from .group import Group
from .open_values import Open, UndecidedError, weigh
from .plan import Question
from .rule_facts import goes_on, tally_names
from .walk import CLOSED, Walk
from .walk_choices import Walked, Worth

if TYPE_CHECKING:
    from .solve import Solver

_WAYS = ((8, 3 / 4), (-CLOSED, 2 / 3), (CLOSED, 1 / 2))  # how much is left open, and what later ways may cost
_LAST_WAY = -8


def make_round_solver(setting: BoundRule, aims: Aims, cache: OddsCache | None) -> Solver | WalkSolver:
    """The engine for one round of a bound rule."""
    if all(knows_tally(setting.rule, number) for number in range(len(setting.rule.tallies))) and is_plain(setting.rule):
        from .solve import Solver  # a long way to load, and some rules never need it

        return Solver(setting, aims, cache)
    return WalkSolver(setting, aims, cache)


def is_plain(rule: CoreRule) -> bool:
    """Whether the dice of a rule are such as the solver knows, whatever is asked of them."""
    if any(entry.is_choice for entry in rule.inputs) or not all(
        entry.pick != "some"
        and entry.goal is None
        and entry.keep != "better"
        and entry.roll == REROLL
        and rule.is_whole(entry.of)
        and not rule.asks_symbols(entry)
        for entry in rule.again
    ):
        return False
    return rule.is_one_wave and not any(kind.deck for kind in rule.kinds)


def knows_tally(rule: CoreRule, number: int) -> bool:
    """Whether the solver knows a function over dice: a sum or the like over a kind, or over those it keeps."""
    tally = rule.tallies[number]
    if tally.word or tally.set is None or tally.function == "groups" or (tally.body and tally.function != "count"):
        return False
    dice, kinds = rule.sets[tally.set], rule.kinds_of(tally.set)
    if tally.body and not is_truth(tally.body):
        tests = {test for kind in kinds for test in rule.kinds[kind].tests}
        if tally.body.op != "name" or tally.body.args[0] not in tests:
            return False  # how often a symbol is there
    is_kind = dice.op == "kind"
    if tally.every_throw and not is_kind and any(goes_on(rule, kind) for kind in kinds):
        return False  # which of two dice that went on far is kept decides what its throws show
    return (is_kind or dice is rule.kept_sets[kinds[0]]) and not tally_names(rule, number) & rule.late_names


def answer_questions(setting: BoundRule, aims: Aims) -> BoundRule:
    """The setting with the answer of the aim to every question, if it has one."""
    names = [entry.name for entry in setting.rule.inputs if entry.follows_aim and setting.leaves_open(entry)]
    if aims.answer is None or not names:
        return setting
    return BoundRule(setting.rule, {**setting.values, **dict.fromkeys(names, aims.answer)})


@contextmanager
def _refusing() -> Iterator[None]:
    """Says that there is no answer where the walk does not know dice, as those that earn their own kind."""
    try:
        yield
    except UndecidedError:
        raise
    except NotExactError as error:
        raise BudgetError(NO_ANSWER) from error


class WalkPlan(NamedTuple):
    """What a question needs."""

    inputs: tuple[str, ...]


class WalkSolver:
    """Answers questions about a bound rule as a Solver does; those that the solver knows are left to it."""

    def __init__(
        self, setting: BoundRule, aims: Aims, cache: OddsCache | None = None, worth: Worth | None = None
    ) -> None:
        self.worth = worth  # of results, if that is not the aim alone
        self.setting, self.aims, self.cache = answer_questions(setting, aims), aims, cache or OddsCache()
        self.budget = self.cache.budget
        self.walked: dict[tuple[Question, int], Walked] = {}
        self.chooses = self.setting.leaves_to_aim or any(entry.follows_aim for entry in setting.rule.again)

    @cached_property
    def solver(self) -> Solver:
        from .solve import Solver

        return Solver(self.setting, self.aims, self.cache)

    def is_known(self, question: Question) -> bool:
        """Whether the solver knows everything that a question needs."""
        rule, program = self.setting.rule, self.setting.program
        if self.worth or not is_plain(rule):
            return False
        formulas = [*question.conditions, *question.values]
        names = program.collect_dependencies(formulas)
        nodes = [formula.node for formula in formulas]
        nodes += [program.get_formula(name).node for name in names if name in program.formulas or name in program.asked]
        if any(node.op in ("dice", "faces") for own in nodes for node in walk(own)):
            return False
        tallies = {int(node.args[0][1:]) for own in nodes for node in walk(own) if node.op == "tally"}
        return all(knows_tally(rule, number) for number in tallies)

    def walk(self, question: Question, left_open: int = CLOSED) -> Walked:
        """The joint distribution of the outcome and all values of a question; some of them may be open numbers."""
        if (question, left_open) not in self.walked:
            asked = self.with_aim(question)
            own = self.setting.program.own_formulas.issuperset((*asked.conditions, *asked.values))
            frames = self.setting.rule.cached(("frames",), dict[Any, Any]) if own else self.cache.frames
            with self.budget.question(), _refusing():
                path = Walk(self.setting, asked, self.budget, frames, self.aims.takes, self.worth, left_open)
                walked = path.follow(path.frame, path.known)
                self.walked[question, left_open] = walked.without_last(len(path.goals) + (asked is not question))
        return self.walked[question, left_open]

    def walk_open(self, question: Question, is_listing: bool = False) -> Walked:
        """The same, with open numbers if these do not decide what is asked; more is left open if that costs less."""
        if not any(goes_on(self.setting.rule, kind) for kind in range(len(self.setting.rule.kinds))):
            return self.walk(question)
        with self.budget.question():
            for way, kept in _WAYS[is_listing:]:
                with suppress(UndecidedError, BudgetError), self.budget.keeping(kept):
                    return self.walk(question, way)
            return self.walk(question, _LAST_WAY)

    def with_aim(self, question: Question) -> Question:
        """A question that also asks for what choices are made for, if there are any."""
        goal = self.aims.goal.formula
        return Question(question.conditions, (*question.values, goal)) if self.chooses and goal else question

    def plan(self, question: Question) -> WalkPlan:
        if self.is_known(question):
            return WalkPlan(self.solver.plan(question).inputs)
        with _refusing():
            path = Walk(self.setting, self.with_aim(question), self.budget, self.cache.frames, self.aims.takes)
        return WalkPlan(tuple(sorted(path.needed - path.late.keys())))

    def groups(self, plan: WalkPlan) -> tuple[Sequence[Group], Cutoff | None]:  # noqa: ARG002
        """Nothing that goes on without end."""
        return (), None

    def list_values(self, question: Question, least: int = 0) -> Solution:
        if self.is_known(question):
            return self.solver.list_values(question, least)
        return self.to_solution(self.walk_open(question, True))

    def to_solution(self, walked: Walked) -> Solution:
        solution = Solution()
        for key, weight in walked.weights.items():
            ends = [(value.low, value.high) for value in key if isinstance(value, Open)]
            if ends:
                solution.tail += Fraction(weight, walked.whole)
                solution.open_ends += ends[:1]
            elif weight:
                solution.weights[key] = Fraction(weight, walked.whole)
        solution.unknown = Fraction(walked.whole - sum(walked.weights.values()), walked.whole)
        return solution

    def list_most(self, question: Question, most_left: Fraction) -> Solution:
        return self.solver.list_most(question, most_left) if self.is_known(question) else self.list_values(question)

    def count(self, question: Question) -> Solution:
        if self.is_known(question):
            return self.solver.count(question)
        solution = self.to_solution(self.walk_open(question))
        for number in range(len(question.conditions) + 1):
            solution.weights.setdefault((number,), Fraction(0))
        return solution

    def count_each(self, question: Question, settings: Sequence[BoundRule]) -> list[Solution] | None:
        """Walks of settings that roll the same dice share their frames."""
        return self.solver.count_each(question, settings) if self.is_known(question) else None

    def mean(self, question: Question) -> Fraction | None:
        if self.is_known(question):
            return self.solver.mean(question)
        walked = self.walk_open(question)
        is_whole = sum(walked.weights.values()) == walked.whole
        if not is_whole or any(isinstance(value, str) for _, value in walked.weights):
            return None
        with suppress(UndecidedError):
            return weigh((value, weight) for (_, value), weight in walked.weights.items()) / walked.whole
        return None

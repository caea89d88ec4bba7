"""Odds of rules that are rolled again and again: an absorbing chain over the carried values, solved exactly.

Each state is answered by the solver of one round. Where the number of the round matters, rounds follow one another;
else the mean number of visits of every state solves a system of equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, NamedTuple

from ..game.core import ROUND, Expression
from ..game.formula import Node
from ..game.inputs import format_inputs
from ..game.intervals import Interval, evaluate_bounds, interval_between
from ..play.automaton import solve_linear
from ..play.bound_rule import BoundRule
from ..play.compiled_rule import MAX_ROUNDS
from ..play.rounds import RoundsError, bind_round, most_rounds
from .aims import Aims
from .budget import BudgetError
from .cache import OddsCache
from .components import find_components
from .distribution import Solution
from .plan import ROUND_FORMULA, Question
from .rounds_plan import Place, PlannedRounds, RoundsPlan
from .solve import Solver
from .walk_choices import Walked, Worth
from .walk_solver import WalkSolver, make_round_solver

_ZERO = Node("number", (0,))
_LITTLE = Fraction(1, 10**20)  # what is not followed any further
_MOST_STATES = 20_000
_STATE_COST = 50  # of a state, in steps of the budget
_WIDE = Fraction(1, 10)  # bounds so far apart say nothing

_State = tuple[Any, ...]  # the carried values
_Key = tuple[Any, ...]  # the number of the outcome, and values


@dataclass
class _Row:
    """What one round leads to from a state: other states, or the end with a key; and what is unknown."""

    moves: dict[_State, Fraction] = field(default_factory=dict)
    ends: dict[_Key, Fraction] = field(default_factory=dict)
    unknown: Fraction = Fraction(0)


class _RoundQuestion(NamedTuple):
    """A question as it is asked in one round: first whether the rule is over, then the carried values."""

    last: Question  # where no further round follows
    open: Question
    carried: tuple[str, ...]


class _Known:
    """What rules that only begin with other carried values have in common: states, and what they are worth."""

    def __init__(self) -> None:
        self.solvers: dict[tuple[_State, int], Solver | WalkSolver] = {}
        self.rows: dict[tuple[Question, _State, int], _Row] = {}
        self.questions: dict[Question, _RoundQuestion] = {}
        self.worths: dict[Place, Fraction] = {}


class RoundsSolver:
    """Answers questions about the last round of a rule."""

    def __init__(self, setting: BoundRule, aims: Aims, cache: OddsCache | None = None) -> None:
        is_open = aims.answer is None and setting.leaves_to_aim
        self.chooses = is_open or any(entry.follows_aim for entry in setting.rule.again)
        self.setting, self.aims, self.cache = setting, aims, cache or OddsCache()
        self.budget = self.cache.budget
        carry = setting.rule.rounds.carry if setting.rule.rounds else ()
        others = frozenset((name, value) for name, value in setting.values.items() if name not in carry)
        known: _Known = self.cache.rounds.setdefault((setting.program, setting.round, aims, others), _Known())
        self.solvers, self.rows, self.questions = known.solvers, known.rows, known.questions
        self.worths = known.worths
        setting.require(name for name in self.needed_names if name not in setting.program.formulas)

    @cached_property
    def needed_names(self) -> set[str]:
        """The names that decide how the rule goes on."""
        program = self.setting.program
        names = program.collect_dependencies(program.round_formulas) | program.dice_names
        return {name for name in names if name not in program.asked}

    def count(self, question: Question) -> Solution:
        with self.budget.question():
            return self.solve(question, _LITTLE)

    def list_values(self, question: Question, least: int = 0) -> Solution:  # noqa: ARG002
        return self.list_most(question, _LITTLE)

    def list_most(self, question: Question, most_left: Fraction) -> Solution:
        with self.budget.question():
            return self.solve(question, min(most_left, _LITTLE * 10**11))

    def mean(self, question: Question) -> Fraction | None:
        with self.budget.question():
            if question.values[0].node == ROUND_FORMULA.node and not self.needs_number(Question()):
                visits, solution = self.visits(Question())
                return sum(visits.values(), Fraction(0)) if not solution.unknown else None
            solution = self.solve(question, _LITTLE)
        if solution.unknown or solution.tail or any(isinstance(value, str) for _, value in solution.weights):
            return None
        return sum((int(value) * weight for (_, value), weight in solution.weights.items()), Fraction(0))

    def solve(self, question: Question, least: Fraction) -> Solution:
        if self.needs_number(question):
            return self.follow_rounds(question, least)
        return self.visits(question)[1]

    def needs_number(self, question: Question) -> bool:
        """Whether the number of the round makes a difference."""
        rounds, program = self.setting.rule.rounds, self.setting.program
        formulas = [*question.conditions, *question.values]
        names = program.collect_dependencies(formulas) | self.needed_names
        return ROUND in names or bool(rounds and rounds.most)

    # One round

    def split(self, question: Question) -> _RoundQuestion:
        """The question as one round can answer it."""
        if question not in self.questions:
            rounds = self.setting.rule.rounds
            assert rounds
            assert rounds.until
            until = rounds.until.node
            conditions = tuple(_derive(own, Node("and", (until, own.node))) for own in question.conditions)
            values = [self.at_end(own, until) for own in question.values]
            carried = [self.unless_over(name, own, until) for name, own in rounds.carry.items()]
            over = _derive(rounds.until, Node("!=", (until, _ZERO)))
            asked = Question(conditions, (over, *carried, *values))
            self.questions[question] = _RoundQuestion(question, asked, tuple(rounds.carry))
        return self.questions[question]

    def at_end(self, formula: Expression, until: Node) -> Expression:
        """A value that only matters when the rule is over."""
        is_word = isinstance(evaluate_bounds(formula.node, self.setting.program.bounds), frozenset)
        return formula if is_word else _derive(formula, Node("if", (until, formula.node, _ZERO)))

    def unless_over(self, name: str, formula: Expression, until: Node) -> Expression:
        """A carried value, which no longer matters when the rule is over."""
        entry = next(entry for entry in self.setting.rule.inputs if entry.name == name)
        none = Node("word", (entry.choices[0],)) if entry.form == "choice" else _ZERO
        return _derive(formula, Node("if", (until, none, formula.node)))

    def row(self, question: Question, state: _State, number: int) -> _Row:
        """What one round leads to."""
        key = (question, state, number)
        if key not in self.rows:
            self.budget.spend(_STATE_COST)
            if len(self.rows) > _MOST_STATES:
                raise BudgetError
            self.rows[key] = self.make_row(self.split(question), state, number)
        return self.rows[key]

    def make_row(self, question: _RoundQuestion, state: _State, number: int) -> _Row:
        solver, row = self.solver(state, number), _Row()
        if number >= most_rounds(solver.setting):
            found = solver.list_values(question.last) if question.last.values else solver.count(question.last)
            row.ends, row.unknown = dict(found.weights), found.unknown + found.tail
            return row
        found, size = solver.list_values(question.open), len(question.carried)
        row.unknown = found.unknown + found.tail
        for (outcome, is_over, *values), weight in found.weights.items():
            if is_over:
                key = (outcome, *values[size:])
                row.ends[key] = row.ends.get(key, Fraction(0)) + weight
            else:
                after = tuple(value if isinstance(value, str) else int(value) for value in values[:size])
                row.moves[after] = row.moves.get(after, Fraction(0)) + weight
        return row

    def solver(self, state: _State, number: int) -> Solver | WalkSolver:
        key = (state, number)
        if key not in self.solvers:
            self.solvers[key] = self.choose_solver(self.bind(state, number), state, number)
        return self.solvers[key]

    def bind(self, state: _State, number: int) -> BoundRule:
        rounds = self.setting.rule.rounds
        assert rounds
        values = dict(zip(rounds.carry, state, strict=True))
        return bind_round(self.setting, values, number) if number > 1 or values else self.setting

    # Choices

    def choose_solver(self, setting: BoundRule, state: _State, number: int) -> Solver | WalkSolver:
        if not self.chooses or number >= most_rounds(setting):
            return make_round_solver(setting, self.aims, self.cache)
        return WalkSolver(setting, self.aims_before, self.cache, self.plan.worth(self.plan.place(state, number)))

    @property
    def goal(self) -> Expression:
        """What choices are made for."""
        assert self.aims.goal.formula
        return self.aims.goal.formula

    @cached_property
    def aims_before(self) -> Aims:
        """The aims in a round that may not be the last."""
        assert self.setting.rule.rounds
        assert self.setting.rule.rounds.until
        formula = self.at_end(self.goal, self.setting.rule.rounds.until.node)
        return self.aims._replace(goal=replace(self.aims.goal, formula=formula))

    def ask_now(self) -> tuple[Question, Worth | None]:
        """What is asked of the round that is being rolled, and what its results are worth."""
        question = Question((), (self.goal,))
        if self.setting.round >= most_rounds(self.setting):
            return question, None
        return self.split(question).open, self.plan.worth(self.plan.place(self.start, self.setting.round))

    @cached_property
    def plan(self) -> RoundsPlan:
        """What each state is worth that some choices lead to."""
        question, rounds = self.split(Question((), (self.goal,))), self.setting.rule.rounds
        counts = self.needs_number(Question((), (self.goal,)))
        if counts and not (rounds and rounds.most):
            raise BudgetError("choices that depend on the number of the round need most = … for their odds")

        def is_last(place: Place) -> bool:
            return place.number >= most_rounds(self.bind(place.carried, place.number))

        def play(place: Place, worth: Worth | None) -> Walked:
            self.budget.spend(_STATE_COST)
            setting = self.bind(place.carried, place.number)
            if is_last(place):
                return WalkSolver(setting, self.aims, self.cache).walk(question.last)
            return WalkSolver(setting, self.aims_before, self.cache, worth).walk(question.open)

        start = Place(self.start, self.setting.round if counts else 1)
        return RoundsPlan(PlannedRounds(start, counts, play, is_last, self.describe), self.budget, self.worths)

    @property
    def start(self) -> _State:
        rounds = self.setting.rule.rounds
        assert rounds
        self.setting.require(rounds.carry)
        return tuple(self.setting.known[name] for name in rounds.carry)

    # Round after round

    def follow_rounds(self, question: Question, least: Fraction) -> Solution:
        """The same round after round, until hardly anything is left."""
        solution, number = Solution(), self.setting.round
        masses: dict[_State, Fraction] = {self.start: Fraction(1)}
        while masses and (rest := sum(masses.values())) > least:
            after: dict[_State, Fraction] = {}
            try:
                rows = [(self.row(question, state, number), mass) for state, mass in masses.items()]
            except BudgetError:
                if rest > _WIDE:
                    raise
                break
            for row, mass in rows:
                self.budget.spend(len(row.ends) + len(row.moves))
                _add_all(solution.weights, row.ends, mass)
                _add_all(after, row.moves, mass)
                solution.unknown += row.unknown * mass
            masses, number = after, number + 1
        if rest := sum(masses.values(), Fraction(0)):
            self.add_rest(solution, question, number, rest)
        return solution

    def add_rest(self, solution: Solution, question: Question, number: int, rest: Fraction) -> None:
        """What is left begins with a round of this number, or a later one."""
        bounds = self.setting.program.bounds.with_value(ROUND, interval_between(number, MAX_ROUNDS))
        if question.values:
            is_round = not question.conditions and question.values[0].node == ROUND_FORMULA.node
            solution.tail, solution.unknown = (rest, solution.unknown) if is_round else (Fraction(0), rest)
            solution.open_ends = [(number, inf)] if is_round else []
            return
        truths = [evaluate_bounds(own.node, bounds) for own in question.conditions]
        for place, truth in enumerate([*truths, interval_between(1, 1)]):
            holds = truth.truth if isinstance(truth, Interval) else None
            if holds is None:
                solution.unknown += rest
                return
            if holds:
                solution.weights[(place,)] = solution.weights.get((place,), Fraction(0)) + rest
                return

    # All rounds at once

    def visits(self, question: Question) -> tuple[dict[_State, Fraction], Solution]:
        """How often each state is visited on average, and what that leads to."""
        rows = self.reachable_rows(question)
        visits: dict[_State, Fraction] = dict.fromkeys(rows, Fraction(0))
        visits[self.start] = Fraction(1)
        for group in find_components(rows, lambda state: rows[state].moves):
            if len(group) > 1 or group[0] in rows[group[0]].moves:
                self.solve_group(rows, visits, group)
            inside = set(group)
            for state in group:
                outside = {other: share for other, share in rows[state].moves.items() if other not in inside}
                _add_all(visits, outside, visits[state])
        solution = Solution()
        for state, number in visits.items():
            self.budget.spend(len(rows[state].ends) + len(rows[state].moves))
            _add_all(solution.weights, rows[state].ends, number)
            solution.unknown += rows[state].unknown * number
        return visits, solution

    def reachable_rows(self, question: Question) -> dict[_State, _Row]:
        rows: dict[_State, _Row] = {}
        waiting = [self.start]
        while waiting:
            state = waiting.pop()
            if state not in rows:
                rows[state] = self.row(question, state, 1)
                waiting += rows[state].moves
        return rows

    def solve_group(self, rows: Mapping[_State, _Row], visits: dict[_State, Fraction], group: Iterable[_State]) -> None:
        """The visits of states that lead to one another, from those that come from outside."""
        inside = list(group)
        self.budget.spend(len(inside) ** 3)
        into: dict[_State, dict[_State, Fraction]] = {state: {} for state in inside}
        for state in inside:
            for other, share in rows[state].moves.items():
                if other in into:
                    into[other][state] = share
        never_left = all(
            not rows[state].ends and not rows[state].unknown and rows[state].moves.keys() <= into.keys()
            for state in inside
        )
        found = None if never_left else solve_linear(into, {state: visits[state] for state in inside})
        if found is None:
            raise RoundsError(f"this never ends{self.describe(inside[0])}; write most = … beside until")
        visits.update(found)

    def describe(self, state: _State) -> str:
        rule = self.setting.rule
        values = dict(zip(rule.rounds.carry if rule.rounds else (), state, strict=True))
        text = format_inputs(rule, values, values)
        return f" from {text} on" if text else ""


def _derive(formula: Expression, node: Node) -> Expression:
    return Expression(formula.text, node)


def _add_all(sums: dict[Any, Fraction], shares: Mapping[Any, Fraction], times: Fraction) -> None:
    for key, share in shares.items():
        sums[key] = sums.get(key, Fraction(0)) + share * times

"""Both sides of a statement, for every combination of its ranges: is it true, and where does it fail first?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from ..game.odds.answer import Chance
from ..text import Problem
from .amounts import Written, both_ways, said
from .answers import Answer, Answers, Refusal, Setup, Values, size
from .claim_text import Asked, Side, Statement
from .events import Quantity
from .ranges import Axis
from .settings import inputs_of

TURNS = {"rises with": "falls", "falls with": "rises"}


@dataclass(frozen=True)
class Question:
    """One side that has to be worked out; `fixed` are the names that its own phrase sets."""

    asked: Asked
    quantity: Quantity
    setup: Setup
    fixed: frozenset[str]


@dataclass(frozen=True)
class Case:
    """A statement whose questions (by where they begin) and ranges are understood."""

    statement: Statement
    questions: Mapping[int, Question]
    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        return size({axis.name: axis.values for axis in self.axes})

    @property
    def cells(self) -> Iterator[Values]:
        return product(*(axis.values for axis in self.axes))

    @property
    def is_chance(self) -> bool:
        return any(question.quantity.is_chance for question in self.questions.values())

    def at(self, cell: Values) -> str:
        """« at pool 3, difficulty 6»."""
        shown = ", ".join(f"{axis.name} {value}" for axis, value in zip(self.axes, cell, strict=False))
        return f" at {shown}" if shown else ""


@dataclass(frozen=True, slots=True)
class Untrue:
    """The first combination for which a comparison is false, with both values, and how many there are."""

    cell: Values
    left: Chance
    right: Chance
    count: int


class Lookup:
    """The value of one side for any combination of the ranges."""

    def __init__(self, case: Case, side: Side, answers: Answers) -> None:
        self.number = side.exactly if isinstance(side, Written) else None
        self.places: list[int] = []
        self.table: dict[Values, Answer] = {}
        if isinstance(side, Asked):
            self.ask(case, case.questions[side.span.start], answers)

    def ask(self, case: Case, question: Question, answers: Answers) -> None:
        """A range concerns a question whose rule knows the input, unless its phrase has set it."""
        known = {name.lower() for name in inputs_of(question.setup.rule)} - question.fixed
        self.places = [place for place, axis in enumerate(case.axes) if axis.name.lower() in known]
        axes = {case.axes[place].name: case.axes[place].values for place in self.places}
        self.table = answers.table(question.quantity, question.setup, axes)

    def __call__(self, cell: Values) -> Answer:
        return self.number or self.table[tuple([cell[place] for place in self.places])]


def compare(case: Case, answers: Answers) -> Untrue | Problem | None:
    """Where a comparison is false, or why that cannot be told; None where it is true throughout."""
    statement, right_side = case.statement, case.statement.right
    assert right_side
    left, right = Lookup(case, statement.left, answers), Lookup(case, right_side, answers)
    first, count = None, 0
    for cell in case.cells:
        one, other = left(cell), right(cell)
        if isinstance(one, Refusal):
            return refused(case, cell, one)
        if isinstance(other, Refusal):
            return refused(case, cell, other)
        held = holds(statement, one, other)
        if held is None:
            return undecided(case, cell, one, other)
        if not held:
            first, count = first or (cell, one, other), count + 1
    return Untrue(*first, count) if first else None


def holds(statement: Statement, one: Chance, other: Chance) -> bool | None:
    """Whether a comparison is true; None where bounds leave it open."""
    if statement.sign == "~":
        if isinstance(statement.right, Written):
            return statement.right.agrees(one)
        return statement.left.agrees(other) if isinstance(statement.left, Written) else None
    if statement.sign == "=":
        if one.exact is not None and other.exact is not None:
            return one.exact == other.exact
        return False if one.high < other.low or other.high < one.low else None
    if statement.sign in (">", ">="):
        one, other = other, one
    return below(one, other, strictly=statement.sign in ("<", ">"))


def below(one: Chance, other: Chance, strictly: bool) -> bool | None:
    if strictly:
        return True if one.high < other.low else False if one.low >= other.high else None
    return True if one.high <= other.low else False if one.low > other.high else None


def course(case: Case, answers: Answers) -> Problem | None:
    """`rises with` and `falls with`: no step goes the other way."""
    value = Lookup(case, case.statement.left, answers)
    before: tuple[Values, Chance] | None = None
    for cell in case.cells:
        found = value(cell)
        if isinstance(found, Refusal):
            return refused(case, cell, found)
        if before and before[0][:-1] == cell[:-1]:
            pair = (before[1], found) if case.statement.sign == "rises with" else (found, before[1])
            held = below(*pair, strictly=False)
            if not held:
                return turned(case, before, (cell, found)) if held is False else undecided(case, cell, *pair)
        before = cell, found
    return None


def refused(case: Case, cell: Values, answer: Refusal) -> Problem:
    message = f"this cannot be worked out{case.at(cell)}: {answer.message}"
    missing = answer.message.endswith("must be given")
    notes = ("write it above the statements, into the brackets, or a range behind «for»",) if missing else ()
    return Problem("block-claim", message, case.statement.span, notes=notes)


def undecided(case: Case, cell: Values, one: Chance, other: Chance) -> Problem:
    values = " and ".join(both_ways(value, case.is_chance) for value in (one, other))
    message = f"whether this is so cannot be told{case.at(cell)}: a chance is only known between two bounds"
    return Problem("block-claim", message, case.statement.span, notes=(values,))


def turned(case: Case, before: tuple[Values, Chance], after: tuple[Values, Chance]) -> Problem:
    axis, statement = case.axes[-1], case.statement
    one, other = said(before[1], case.is_chance, after[1]), said(after[1], case.is_chance, before[1])
    step = f"from {axis.name} {before[0][-1]} to {after[0][-1]}{case.at(before[0][:-1])}"
    message = f"it {TURNS[statement.sign]} {step}: {one}, then {other}"
    notes = tuple(
        f"{axis.name} {cell[-1]}: {both_ways(value, case.is_chance, beside)}"
        for (cell, value), beside in ((before, after[1]), (after, before[1]))
    )
    return Problem("claim-false", message, statement.span, notes=notes)

"""The claim block: compares statements about chances and means with the computed odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ..book.entries import Item, parse_phrase
from ..book.page import Block
from ..odds.distribution import Chance
from ..source import Fix, Problem, Span
from .amounts import Written, both_ways, said
from .claim_parser import Asked, Side, Statement, Unreadable, parse_statement
from .model import Around, Checked, Proof, Worth, closed, is_skipped, wrong_show
from .questions import (
    Answer,
    Answers,
    Quantity,
    Refusal,
    Setup,
    Values,
    Wrong,
    is_single,
    read_chance,
    read_mean,
    size,
    too_many,
)
from .settings import Axis, Opened, from_low_to_high, inputs_of, open_block, read_axis

TURNS = {"rises with": "falls", "falls with": "rises"}


@dataclass(frozen=True)
class Question:
    """A chance or mean to compute on one side of a statement; `fixed` are the inputs set inside its own parentheses."""

    asked: Asked
    quantity: Quantity
    setup: Setup
    fixed: frozenset[str]


@dataclass(frozen=True)
class Case:
    """A parsed statement with its questions (by start offset) and the axes of its ranges."""

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
        """The cell as text for a message: ` at pool 3, difficulty 6`."""
        shown = ", ".join(f"{axis.name} {value}" for axis, value in zip(self.axes, cell, strict=False))
        return f" at {shown}" if shown else ""


@dataclass(frozen=True, slots=True)
class Untrue:
    """A false comparison: the first counterexample with the values of both sides, and the number of counterexamples."""

    cell: Values
    left: Chance
    right: Chance
    count: int


class Lookup:
    """Maps each cell of the ranges to the value of one side."""

    def __init__(self, case: Case, side: Side, answers: Answers) -> None:
        self.number = side.exactly if isinstance(side, Written) else None
        self.places: list[int] = []
        self.table: dict[Values, Answer] = {}
        if isinstance(side, Asked):
            self.ask(case, case.questions[side.span.start], answers)

    def ask(self, case: Case, question: Question, answers: Answers) -> None:
        """Computes the table over the axes that apply: the rule has the input, and the phrase does not set it."""
        known = {name.lower() for name in inputs_of(question.setup.rule)} - question.fixed
        self.places = [place for place, axis in enumerate(case.axes) if axis.name.lower() in known]
        axes = {case.axes[place].name: case.axes[place].values for place in self.places}
        self.table = answers.table(question.quantity, question.setup, axes)

    def __call__(self, cell: Values) -> Answer:
        return self.number or self.table[tuple([cell[place] for place in self.places])]


def compare(case: Case, answers: Answers) -> Untrue | Problem | None:
    """The counterexample of a comparison, or the problem that prevents a decision; None if it always holds."""
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
    """Whether a comparison is true; None if the bounds do not decide it."""
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
    """Checks `rises with` and `falls with`: the problem at the first step in the wrong direction, or None."""
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


def mismatch(case: Case, untrue: Untrue) -> Problem:
    statement, number = case.statement, number_of(case.statement)
    one, other = untrue.left, untrue.right
    if isinstance(statement.left, Written):
        one, other = other, one
    shown, beside = said(one, case.is_chance, other), said(other, case.is_chance, one)
    if number is None and shown == beside:
        message = f"both sides are {shown}"
    elif number is None:
        message = f"the left side is {shown}, the right side {beside}"
    else:
        message = f"the rules give {shown}, the claim says {statement.sign} {number.text}"
    notes = [*counter(case, untrue), *in_full(case, one, other)]
    fix = mended(statement, number, one) if number and not case.axes else None
    span = number.span if number else statement.span
    return Problem("claim-false", message, span, notes=tuple(notes), fix=fix)


def number_of(statement: Statement) -> Written | None:
    sides = (statement.right, statement.left)
    return next((side for side in sides if isinstance(side, Written)), None)


def counter(case: Case, untrue: Untrue) -> Iterator[str]:
    if case.axes:
        where = case.at(untrue.cell).removeprefix(" at ")
        yield f"first counter-example: {where} (false in {untrue.count:,} of {case.size:,} cases)"


def in_full(case: Case, one: Chance, other: Chance) -> Iterator[str]:
    names = ("the rules", "the claim") if number_of(case.statement) else ("left", "right")
    yield f"{names[0]}: {both_ways(one, case.is_chance, other)}"
    yield f"{names[1]}: {both_ways(other, case.is_chance, one)}"


def mended(statement: Statement, number: Written, value: Chance) -> Fix | None:
    """The correct number in the same style, or `~` instead of `=` if the number is correct but rounded."""
    if value.exact is None or statement.sign not in "=~":
        return None
    text = number.like_this(value.exact)
    if not text or (statement.sign == "=" and not number.can_say(value.exact)):
        rounded = statement.sign == "=" and number.agrees(value)
        return Fix(statement.sign_span, "~") if rounded else None
    return Fix(number.span, text)


MOST_CASES = 1_000  # with more cases, a proof does not list its least and greatest values


def proof(case: Case, found: Untrue | Problem | None, answers: Answers) -> Proof | None:
    """The verdict on a statement; None if it could not be decided."""
    holds = found is None
    if isinstance(found, Problem) and found.code != "claim-false":
        return None
    worths = [worth(case, asked, answers) for asked in case.statement.asked] if case.size <= MOST_CASES else []
    return Proof(case.statement.span, holds, case.size, tuple(one for one in worths if one))


def worth(case: Case, asked: Asked, answers: Answers) -> Worth | None:
    """The least and greatest value of one side; reads the table that the comparison has already computed."""
    value = Lookup(case, asked, answers)
    found = [value(cell) for cell in case.cells]
    known = [one for one in found if isinstance(one, Chance)]
    is_chance = case.questions[asked.span.start].quantity.is_chance
    return Worth(asked.span, min(known), max(known), is_chance) if known else None


def check_claim(block: Block, around: Around) -> Checked:
    """Checks every statement of a claim block."""
    opened = open_block(block, around)
    opened.problems += wrong_show(block)
    if not block.statements:
        note = "write one a line, such as chance(success; pool 5) > 1/2"
        opened.complain("block-claim", "there is no statement in this claim", block.word, note)
    setup = opened.setup
    if setup is None:
        return closed(block, opened.problems)
    answers = Answers()
    statements = [read_statement(opened, span) for span in block.statements]
    opened.is_clear = opened.is_clear and None not in statements  # a setting with a typo parses as a statement
    proofs = tuple(found for one in statements if one and (found := check_statement(opened, one, answers)))
    return closed(block, opened.problems, rule=setup.rule, inputs=setup.inputs, policy=setup.policy, proofs=proofs)


def read_statement(opened: Opened, span: Span) -> Statement | None:
    try:
        return parse_statement(span)
    except Unreadable as error:
        opened.complain("block-claim", error.message, error.span, error.note)
        return None


def check_statement(opened: Opened, statement: Statement, answers: Answers) -> Proof | None:
    before = len(opened.problems)
    case = read_case(opened, statement)
    if case is None or len(opened.problems) > before or is_skipped(opened.block) or not opened.is_clear:
        return None
    found = course(case, answers) if statement.along else compare(case, answers)
    problem = mismatch(case, found) if isinstance(found, Untrue) else found
    if problem:
        opened.problems.append(problem._replace(trail=(*opened.block.trail, opened.block.id)))
    return proof(case, found, answers)


def read_case(opened: Opened, statement: Statement) -> Case | None:
    """Resolves the questions and ranges of a statement; on a problem, reports it and returns None."""
    questions = {asked.span.start: read_question(opened, asked) for asked in statement.asked}
    known = {start: question for start, question in questions.items() if question}
    if len(known) < len(questions):
        return None
    axes = read_ranges(opened, statement, list(known.values()))
    if axes is None:
        return None
    case = Case(statement, known, tuple(axes))
    single = any(is_single(question.quantity, question.setup) for question in known.values())
    if message := too_many(case.size, single):
        opened.complain("block-claim", message, (statement.ranges or statement.along or statement.span))
        return None
    return case


def read_question(opened: Opened, asked: Asked) -> Question | None:
    items = parse_phrase(asked.phrase) if asked.phrase else []
    setup = opened.with_phrase(items)
    if setup is None:
        return None
    quantity = read_quantity(setup, asked)
    if isinstance(quantity, Wrong):
        opened.complain("block-claim", quantity.message, quantity.span)
        return None
    return Question(asked, quantity, setup, frozenset(item.name.lower() for item in items))


def read_quantity(setup: Setup, asked: Asked) -> Quantity | Wrong:
    if asked.word == "mean":
        return read_mean(setup.rule, asked.what)
    return read_chance(setup.rule, asked.what, asked.given)


def read_ranges(opened: Opened, statement: Statement, questions: Sequence[Question]) -> list[Axis] | None:
    """The axes of a statement. The axis of `rises with` is last and sorted, so that it varies fastest and upward."""
    items = parse_phrase(statement.ranges) if statement.ranges else []
    along = parse_phrase(statement.along) if statement.along else []
    if len(along) > 1:
        note = "the others stand behind «for»"
        opened.complain("block-claim", f"it {statement.sign} one input only", along[1].name_span, note)
        return None
    axes = [read_one(opened, item, questions) for item in (*items, *along)]
    found = [axis for axis in axes if axis]
    if along and len(found) == len(axes):
        found[-1] = from_low_to_high(questions[0].setup.rule, found[-1])
    names = [axis.name for axis in found]
    for axis in found:
        if names.count(axis.name) > 1:
            opened.complain("block-claim", f"{axis.name} has two ranges; keep one", axis.item.name_span)
            return None
    return found if len(found) == len(axes) else None


def read_one(opened: Opened, item: Item, questions: Sequence[Question]) -> Axis | None:
    """Reads one range and checks it against every question whose rule has the input."""
    concerned = [question for question in questions if item.name.lower() in spelled(question)]
    axis, problems = read_axis((concerned or list(questions))[0].setup.rule, item, opened.block)
    for question in concerned[1:]:
        problems = problems or read_axis(question.setup.rule, item, opened.block)[1]
    opened.problems += problems
    if problems or axis is None:
        return None
    if all(axis.name.lower() in question.fixed for question in concerned):
        message = f"{axis.name} is set inside the brackets already, so this range changes nothing"
        opened.complain("block-claim", message, item.name_span, "take it out of the brackets, or leave the range out")
        return None
    return axis


def spelled(question: Question) -> set[str]:
    return {name.lower() for name in inputs_of(question.setup.rule)}

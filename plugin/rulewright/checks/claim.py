"""The claim block: compares statements about chances and means with the computed odds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ..book.page import Block
from ..book.settings import Item
from ..odds.distribution import Chance
from ..source import Fix, Problem, Span
from .answers import Answer, Answers, Refusal, Setup, Values, count_cells, is_single, too_many_message
from .claim_parser import Call, ClaimSyntaxError, Operand, Statement, parse_statement
from .model import BlockContext, CheckedBlock, Proof, ValueRange, check_show, finish_block, is_skipped
from .quantities import InvalidQuantity, Quantity, read_chance, read_mean
from .settings import Axis, OpenBlock, open_block, read_axes, read_axis, sort_axis
from .written_numbers import WrittenNumber, format_value, format_with_fraction
from .written_settings import named_inputs

_OPPOSITES = {"rises with": "falls", "falls with": "rises"}


@dataclass(frozen=True)
class _ClaimQuestion:
    """A chance or mean to compute on one side of a statement; `fixed` are the inputs set inside its own parentheses."""

    call: Call
    quantity: Quantity
    setup: Setup
    fixed: frozenset[str]


@dataclass(frozen=True)
class _Claim:
    """A parsed statement with its questions (by start offset) and the axes of its ranges."""

    statement: Statement
    questions: Mapping[int, _ClaimQuestion]
    axes: tuple[Axis, ...]

    @property
    def size(self) -> int:
        return count_cells({axis.name: axis.values for axis in self.axes})

    @property
    def cells(self) -> Iterator[Values]:
        return product(*(axis.values for axis in self.axes))

    @property
    def is_chance(self) -> bool:
        return any(question.quantity.is_chance for question in self.questions.values())

    def describe_cell(self, cell: Values) -> str:
        """The cell as text for a message: ` at pool 3, difficulty 6`."""
        settings = ", ".join(f"{axis.name} {value}" for axis, value in zip(self.axes, cell, strict=False))
        return f" at {settings}" if settings else ""


@dataclass(frozen=True, slots=True)
class _Counterexample:
    """A false comparison: the first counterexample with the values of both sides, and the number of counterexamples."""

    cell: Values
    left: Chance
    right: Chance
    count: int


class _SideValues:
    """Maps each cell of the ranges to the value of one side."""

    def __init__(self, claim: _Claim, side: Operand, answers: Answers) -> None:
        self.number = side.as_chance if isinstance(side, WrittenNumber) else None
        self.axis_indexes: list[int] = []
        self.table: dict[Values, Answer] = {}
        if isinstance(side, Call):
            self.load_table(claim, claim.questions[side.span.start], answers)

    def load_table(self, claim: _Claim, question: _ClaimQuestion, answers: Answers) -> None:
        """Computes the table over the axes that apply: the rule has the input, and the phrase does not set it."""
        known = {name.lower() for name in named_inputs(question.setup.rule)} - question.fixed
        self.axis_indexes = [index for index, axis in enumerate(claim.axes) if axis.name.lower() in known]
        axes = {claim.axes[index].name: claim.axes[index].values for index in self.axis_indexes}
        self.table = answers.get_table(question.quantity, question.setup, axes)

    def __call__(self, cell: Values) -> Answer:
        return self.number or self.table[tuple([cell[index] for index in self.axis_indexes])]


def _compare_sides(claim: _Claim, answers: Answers) -> _Counterexample | Problem | None:
    """The counterexample of a comparison, or the problem that prevents a decision; None if it always holds."""
    statement, right_side = claim.statement, claim.statement.right
    assert right_side
    left_values, right_values = _SideValues(claim, statement.left, answers), _SideValues(claim, right_side, answers)
    first, count = None, 0
    for cell in claim.cells:
        left_value, right_value = left_values(cell), right_values(cell)
        if isinstance(left_value, Refusal):
            return _refusal_problem(claim, cell, left_value)
        if isinstance(right_value, Refusal):
            return _refusal_problem(claim, cell, right_value)
        result = _evaluate_comparison(statement, left_value, right_value, claim.is_chance)
        if result is None:
            return _undecided_problem(claim, cell, left_value, right_value)
        if not result:
            first, count = first or (cell, left_value, right_value), count + 1
    return _Counterexample(*first, count) if first else None


def _evaluate_comparison(statement: Statement, left: Chance, right: Chance, is_chance: bool) -> bool | None:
    """Whether a comparison is true; None if the bounds do not decide it."""
    if statement.sign == "~":
        if isinstance(statement.right, WrittenNumber):
            return statement.right.agrees(left, is_chance)
        return statement.left.agrees(right, is_chance) if isinstance(statement.left, WrittenNumber) else None
    if statement.sign == "=":
        if left.exact is not None and right.exact is not None:
            return left.exact == right.exact
        return False if left.high < right.low or right.high < left.low else None
    if statement.sign in (">", ">="):
        left, right = right, left
    return _is_below(left, right, strictly=statement.sign in ("<", ">"))


def _is_below(left: Chance, right: Chance, strictly: bool) -> bool | None:
    if strictly:
        return True if left.high < right.low else False if left.low >= right.high else None
    return True if left.high <= right.low else False if left.low > right.high else None


def _check_trend(claim: _Claim, answers: Answers) -> Problem | None:
    """Checks `rises with` and `falls with`: the problem at the first step in the wrong direction, or None."""
    side_values = _SideValues(claim, claim.statement.left, answers)
    previous: tuple[Values, Chance] | None = None
    for cell in claim.cells:
        answer = side_values(cell)
        if isinstance(answer, Refusal):
            return _refusal_problem(claim, cell, answer)
        if previous and previous[0][:-1] == cell[:-1]:
            pair = (previous[1], answer) if claim.statement.sign == "rises with" else (answer, previous[1])
            is_ordered = _is_below(*pair, strictly=False)
            if not is_ordered:
                return (
                    _trend_problem(claim, previous, (cell, answer))
                    if is_ordered is False
                    else _undecided_problem(claim, cell, *pair)
                )
        previous = cell, answer
    return None


def _refusal_problem(claim: _Claim, cell: Values, answer: Refusal) -> Problem:
    message = f"this cannot be worked out{claim.describe_cell(cell)}: {answer.message}"
    missing = answer.message.endswith("must be given")
    notes = ('write it above the statements, into the brackets, or a range after "for"',) if missing else answer.notes
    return Problem("block-claim", message, claim.statement.span, notes=notes)


def _undecided_problem(claim: _Claim, cell: Values, left: Chance, right: Chance) -> Problem:
    values = " and ".join(format_with_fraction(value, claim.is_chance) for value in (left, right))
    message = (
        f"it is not known whether this is so{claim.describe_cell(cell)}: a chance is only known between two bounds"
    )
    return Problem("block-claim", message, claim.statement.span, notes=(values,))


def _trend_problem(claim: _Claim, before: tuple[Values, Chance], after: tuple[Values, Chance]) -> Problem:
    axis, statement = claim.axes[-1], claim.statement
    before_text, after_text = (
        format_value(before[1], claim.is_chance, after[1]),
        format_value(after[1], claim.is_chance, before[1]),
    )
    step = f"from {axis.name} {before[0][-1]} to {after[0][-1]}{claim.describe_cell(before[0][:-1])}"
    message = f"it {_OPPOSITES[statement.sign]} {step}: {before_text}, then {after_text}"
    notes = tuple(
        f"{axis.name} {cell[-1]}: {format_with_fraction(value, claim.is_chance, other_value)}"
        for (cell, value), other_value in ((before, after[1]), (after, before[1]))
    )
    return Problem("claim-false", message, statement.span, notes=notes)


def _false_claim_problem(claim: _Claim, counterexample: _Counterexample) -> Problem:
    statement, number = claim.statement, _find_stated_number(claim.statement)
    actual, claimed = counterexample.left, counterexample.right
    if isinstance(statement.left, WrittenNumber):
        actual, claimed = claimed, actual
    actual_text, claimed_text = (
        format_value(actual, claim.is_chance, claimed),
        format_value(claimed, claim.is_chance, actual),
    )
    if number is None and actual_text == claimed_text:
        message = f"both sides are {actual_text}"
    elif number is None:
        message = f"the left side is {actual_text}, the right side {claimed_text}"
    else:
        message = f"the rules give {actual_text}, the claim says {statement.sign} {number.text}"
    notes = [*_counterexample_note(claim, counterexample), *_exact_values_notes(claim, actual, claimed)]
    percent_notes = number.percent_notes(claim.is_chance) if number else ()
    notes += percent_notes
    fix = _suggest_fix(claim, number, actual) if number and not claim.axes and not percent_notes else None
    span = number.span if number else statement.span
    return Problem("claim-false", message, span, notes=tuple(notes), fix=fix)


def _find_stated_number(statement: Statement) -> WrittenNumber | None:
    sides = (statement.right, statement.left)
    return next((side for side in sides if isinstance(side, WrittenNumber)), None)


def _counterexample_note(claim: _Claim, counterexample: _Counterexample) -> Iterator[str]:
    if claim.axes:
        cell_text = claim.describe_cell(counterexample.cell).removeprefix(" at ")
        yield f"first counter-example: {cell_text} (false in {counterexample.count:,} of {claim.size:,} cases)"


def _exact_values_notes(claim: _Claim, actual: Chance, claimed: Chance) -> Iterator[str]:
    names = ("the rules", "the claim") if _find_stated_number(claim.statement) else ("left", "right")
    yield f"{names[0]}: {format_with_fraction(actual, claim.is_chance, claimed)}"
    yield f"{names[1]}: {format_with_fraction(claimed, claim.is_chance, actual)}"


def _suggest_fix(claim: _Claim, number: WrittenNumber, value: Chance) -> Fix | None:
    """The correct number in the same style, or `~` instead of `=` if the number is correct but rounded."""
    statement = claim.statement
    if value.exact is None or statement.sign not in "=~":
        return None
    text = number.format_like(value.exact)
    if not text or (statement.sign == "=" and not number.can_express(value.exact)):
        is_rounded = statement.sign == "=" and number.agrees(value, claim.is_chance)
        return Fix(statement.sign_span, "~") if is_rounded else None
    return Fix(number.span, text)


_MAX_PROOF_CASES = 1_000  # with more cases, a proof does not list its least and greatest values


def _build_proof(claim: _Claim, result: _Counterexample | Problem | None, answers: Answers) -> Proof | None:
    """The verdict on a statement; None if it could not be decided."""
    holds = result is None
    if isinstance(result, Problem) and result.code != "claim-false":
        return None
    value_ranges = (
        [_build_value_range(claim, call, answers) for call in claim.statement.calls]
        if claim.size <= _MAX_PROOF_CASES
        else []
    )
    return Proof(
        claim.statement.span, holds, claim.size, tuple(value_range for value_range in value_ranges if value_range)
    )


def _build_value_range(claim: _Claim, call: Call, answers: Answers) -> ValueRange | None:
    """The least and greatest value of one side; reads the table that the comparison has already computed."""
    side_values = _SideValues(claim, call, answers)
    answers_by_cell = [side_values(cell) for cell in claim.cells]
    chances = [answer for answer in answers_by_cell if isinstance(answer, Chance)]
    is_chance = claim.questions[call.span.start].quantity.is_chance
    return ValueRange(call.span, min(chances), max(chances), is_chance) if chances else None


def check_claim(block: Block, context: BlockContext) -> CheckedBlock:
    """Checks every statement of a claim block."""
    opened = open_block(block, context)
    opened.problems += check_show(block)
    if not block.statements:
        note = "write one a line, such as chance(success; pool 5) > 1/2"
        opened.report("block-claim", "there is no statement in this claim", block.word, note)
    setup = opened.setup
    if setup is None:
        return finish_block(block, opened.problems)
    answers = Answers()
    statements = [_read_statement(opened, span) for span in block.statements]
    opened.is_readable = opened.is_readable and None not in statements  # a setting with a typo parses as a statement
    proofs = tuple(
        result for statement in statements if statement and (result := _check_statement(opened, statement, answers))
    )
    return finish_block(block, opened.problems, rule=setup.rule, inputs=setup.inputs, aim=setup.aim, proofs=proofs)


def _read_statement(opened: OpenBlock, span: Span) -> Statement | None:
    try:
        return parse_statement(span)
    except ClaimSyntaxError as error:
        opened.report("block-claim", error.message, error.span, error.note)
        return None


def _check_statement(opened: OpenBlock, statement: Statement, answers: Answers) -> Proof | None:
    problem_count = len(opened.problems)
    claim = _resolve_statement(opened, statement)
    if claim is None or len(opened.problems) > problem_count or is_skipped(opened.block) or not opened.is_readable:
        return None
    result = _check_trend(claim, answers) if statement.along else _compare_sides(claim, answers)
    problem = _false_claim_problem(claim, result) if isinstance(result, _Counterexample) else result
    if problem:
        opened.problems.append(problem._replace(trail=(*opened.block.trail, opened.block.id)))
    return _build_proof(claim, result, answers)


def _resolve_statement(opened: OpenBlock, statement: Statement) -> _Claim | None:
    """Resolves the questions and ranges of a statement; on a problem, reports it and returns None."""
    questions = {call.span.start: _read_question(opened, call) for call in statement.calls}
    resolved = {start: question for start, question in questions.items() if question}
    if len(resolved) < len(questions):
        return None
    axes = _read_ranges(opened, statement, list(resolved.values()))
    if axes is None:
        return None
    claim = _Claim(statement, resolved, tuple(axes))
    single = any(is_single(question.quantity, question.setup) for question in resolved.values())
    if message := too_many_message(claim.size, single):
        opened.report("block-claim", message, (statement.ranges or statement.along or statement.span))
        return None
    return claim


def _read_question(opened: OpenBlock, call: Call) -> _ClaimQuestion | None:
    phrase = opened.with_phrase(call.phrase)
    if phrase is None:
        return None
    quantity = _read_quantity(phrase.setup, call)
    if isinstance(quantity, InvalidQuantity):
        opened.report("block-claim", quantity.message, quantity.span)
        return None
    return _ClaimQuestion(call, quantity, phrase.setup, frozenset(name.lower() for name in phrase.items))


def _read_quantity(setup: Setup, call: Call) -> Quantity | InvalidQuantity:
    if call.function == "mean":
        return read_mean(setup.rule, call.expression)
    return read_chance(setup.rule, call.expression, call.condition)


def _read_ranges(opened: OpenBlock, statement: Statement, questions: Sequence[_ClaimQuestion]) -> list[Axis] | None:
    """The axes of a statement. The axis of `rises with` is last and sorted, so that it varies fastest and upward."""
    rules = [question.setup.rule for question in questions]
    items, along = (read_axes(rules, text) if text else [] for text in (statement.ranges, statement.along))
    if len(along) > 1:
        note = 'the others come after "for"'
        opened.report("block-claim", f"it {statement.sign} one input only", along[1].name_span, note)
        return None
    parsed = [_read_range(opened, item, questions) for item in (*items, *along)]
    valid_axes = [axis for axis in parsed if axis]
    if along and len(valid_axes) == len(parsed):
        valid_axes[-1] = sort_axis(questions[0].setup.rule, valid_axes[-1])
    names = [axis.name for axis in valid_axes]
    for axis in valid_axes:
        if names.count(axis.name) > 1:
            opened.report("block-claim", f"{axis.name} has two ranges; keep one", axis.item.name_span)
            return None
    return valid_axes if len(valid_axes) == len(parsed) else None


def _read_range(opened: OpenBlock, item: Item, questions: Sequence[_ClaimQuestion]) -> Axis | None:
    """Reads one range and checks it against every question whose rule has the input."""
    affected = [question for question in questions if item.name.lower() in _input_names(question)]
    axis, problems = read_axis((affected or list(questions))[0].setup.rule, item, opened.block)
    for question in affected[1:]:
        problems = problems or read_axis(question.setup.rule, item, opened.block)[1]
    opened.problems += problems
    if problems or axis is None:
        return None
    if all(axis.name.lower() in question.fixed for question in affected):
        message = f"{axis.name} is set inside the brackets already, so this range changes nothing"
        opened.report("block-claim", message, item.name_span, "take it out of the brackets, or leave the range out")
        return None
    return axis


def _input_names(question: _ClaimQuestion) -> set[str]:
    return {name.lower() for name in named_inputs(question.setup.rule)}

"""The claim block: statements about chances and means, held against the odds."""

from __future__ import annotations

from collections.abc import Sequence

from ..book.model import Block
from ..book.phrases import Item, parse_phrase
from ..text import Span
from .answers import Answers, Setup, is_single, too_many
from .claim_false import mismatch
from .claim_proof import proof
from .claim_text import Asked, Statement, Unreadable, parse_statement
from .claim_truth import Case, Question, Untrue, compare, course
from .events import Quantity, Wrong, read_chance, read_mean
from .model import Around, Checked
from .opened import Opened, open_block
from .proof import Proof
from .ranges import Axis, from_low_to_high, read_axis
from .settings import inputs_of
from .verdict import closed, is_skipped, wrong_show


def check_claim(block: Block, around: Around) -> Checked:
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
    opened.is_clear = opened.is_clear and None not in statements  # a setting with a slip looks like a statement
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
    """A statement with its questions and ranges understood, or None and problems."""
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
    """The axes of a statement, the one of `rises with` last, so that it runs fastest, from its lowest value up."""
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
    """A range, in the words of every question that it concerns."""
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

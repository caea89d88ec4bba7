"""Which fixes may be written: none that changes what happens, and none of a number that the text beside it repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ..book.model import Entry, Page, Part
from ..text import Problem, Span
from .model import Checked

WHAT_HAPPENS = frozenset({"example-outcome", "example-degree", "example-winner"})
RESULTS = {"example-step": "the dice, the inputs or the rule", "example-input": "the traits or the rule"}
WHOLE_NUMBER = re.compile(r"[-+−]?[0-9]+")


def either(key: str, value: str, others: str = RESULTS["example-step"]) -> str:
    """The note that names both repairs where only the author knows which one is meant."""
    written = f"{key}: {value}" if key else value
    return f"either write `{written}` and change the story, or change {others}"


def with_safe_fixes(checked: Checked, page: Page) -> Checked:
    """A block in which each fix that is not safe is a note with both repairs."""
    disputed = any(problem.code in WHAT_HAPPENS for problem in checked.problems)
    problems = (safe_result(checked, problem, page, disputed) for problem in checked.problems)
    return replace(checked, problems=tuple(problems))


def safe_numbers(problems: Iterable[Problem], page: Page) -> tuple[Problem, ...]:
    """Chances and values: a fix only where nothing else in the section repeats the number."""
    return tuple(safe_number(problem, page) for problem in problems)


def safe_result(checked: Checked, problem: Problem, page: Page, disputed: bool) -> Problem:
    """A step or an input: a fix only where the block states what happens, and states it correctly."""
    fix = problem.fix
    if fix is None or problem.code not in RESULTS:
        return safe_number(problem, page)
    part, entry = written_in(checked, fix.span)
    is_number = WHOLE_NUMBER.fullmatch(fix.span.text) and WHOLE_NUMBER.fullmatch(fix.text)
    if is_number and not disputed and states_what_happens(checked, part) and not is_repeated(page, fix.span):
        return problem
    key = entry.key if entry.value_span == fix.span else ""
    return without_fix(problem, either(key, fix.text, RESULTS[problem.code]))


def written_in(checked: Checked, span: Span) -> tuple[Part, Entry]:
    """The part of a block and the entry that has a span in its value."""
    entries = ((part, entry) for part in checked.block.parts for entry in part.entries)
    return next(
        (part, entry) for part, entry in entries if entry.value_at <= span.start and span.end <= entry.value_end
    )


def states_what_happens(checked: Checked, part: Part) -> bool:
    """Whether a part names its outcome, and its degree if it has one: then no number beside them decides it."""
    move = next((move for move in checked.moves if move.part is part), None)
    if move is None:
        return False
    is_open = len(move.rule.outcomes) > 1 or move.rule.contest is not None
    is_named = part.get("outcome") is not None or part.get("winner") is not None
    return (is_named or not is_open) and (move.degree is None or part.get("degree") is not None)


def safe_number(problem: Problem, page: Page) -> Problem:
    if problem.fix is None or not is_repeated(page, problem.fix.span):
        return problem
    was, new = problem.fix.span.text, problem.fix.text
    note = f"either write {new} here and wherever the text repeats {was}, or change the rule"
    return without_fix(problem, note)


def without_fix(problem: Problem, note: str) -> Problem:
    return problem._replace(fix=None, notes=(*problem.notes, note))


def is_repeated(page: Page, span: Span) -> bool:
    from .repeats import repeats  # knows the odds engine, and most books have nothing to fix

    return repeats(page, span)

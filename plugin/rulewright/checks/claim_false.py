"""What is said of a statement that is false: both values, where, and the edit that makes it true."""

from __future__ import annotations

from collections.abc import Iterator

from ..game.odds.answer import Chance
from ..text import Fix, Problem
from .amounts import Written, both_ways, said
from .claim_text import Statement
from .claim_truth import Case, Untrue


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
    """The right number in the same style; or ~ where the number is right but rounded."""
    if value.exact is None or statement.sign not in "=~":
        return None
    text = number.like_this(value.exact)
    if not text or (statement.sign == "=" and not number.can_say(value.exact)):
        rounded = statement.sign == "=" and number.agrees(value)
        return Fix(statement.sign_span, "~") if rounded else None
    return Fix(number.span, text)

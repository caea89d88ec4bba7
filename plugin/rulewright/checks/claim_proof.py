"""The values that make a statement true or false, kept for readers."""

from __future__ import annotations

from ..game.odds.answer import Chance
from ..text import Problem
from .answers import Answers
from .claim_text import Asked
from .claim_truth import Case, Lookup, Untrue
from .proof import Proof, Worth

MOST_CASES = 1_000  # of which the least and the greatest value are looked for


def proof(case: Case, found: Untrue | Problem | None, answers: Answers) -> Proof | None:
    """None where it could not be told whether the statement holds."""
    holds = found is None
    if isinstance(found, Problem) and found.code != "claim-false":
        return None
    worths = [worth(case, asked, answers) for asked in case.statement.asked] if case.size <= MOST_CASES else []
    return Proof(case.statement.span, holds, case.size, tuple(one for one in worths if one))


def worth(case: Case, asked: Asked, answers: Answers) -> Worth | None:
    """Nothing is worked out again: the comparison has asked for the same values."""
    value = Lookup(case, asked, answers)
    found = [value(cell) for cell in case.cells]
    known = [one for one in found if isinstance(one, Chance)]
    is_chance = case.questions[asked.span.start].quantity.is_chance
    return Worth(asked.span, min(known), max(known), is_chance) if known else None

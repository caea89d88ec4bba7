"""Sums of a page or of a book looked at together: what is a way of writing, and how divisions are rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from ...text import Problem, Span
from .sum_sense import Sum

ENOUGH = 4  # so many divisions rounded alike show how a book rounds
WAYS = ("down", "up", "to the nearest")


class Rounding(NamedTuple):
    """A division that leaves a rest, and the whole number that the text gives."""

    exact: Fraction
    said: Fraction
    shown: str
    span: Span
    trail: tuple[str, ...]


def kinds(found: Sequence[Sum], wrong: Sequence[Sum]) -> list[Sum]:
    """Where most sums of a doubtful kind do not hold, a page means something else by its equals signs."""
    right = len(found) - len(wrong)
    clear = [one for one in wrong if not doubtful(one)]
    return list(wrong) if len(wrong) - len(clear) <= max(1, right // 2) else clear


def doubtful(one: Sum) -> bool:
    """Ranges and scores look like subtractions, and «2 + 1 = 1 house» is a recipe."""
    return set(one.worth.signs) <= {"-"} or bool(one.unit)


def settled(facts: Sequence[Rounding]) -> list[Problem]:
    """One division that is rounded otherwise than all others."""
    against = [[fact for fact in facts if fact.said != rounded(fact.exact, way)] for way in WAYS]
    fewest = min(map(len, against), default=0)
    if fewest != 1 or len(facts) <= ENOUGH or [len(one) for one in against].count(1) > 1:
        return []
    number = next(at for at, one in enumerate(against) if len(one) == 1)
    return [problem(against[number][0], WAYS[number])]


def rounded(value: Fraction, way: str) -> int:
    return floor(value) if way == "down" else ceil(value) if way == "up" else floor(value + Fraction(1, 2))


def problem(fact: Rounding, way: str) -> Problem:
    best = rounded(fact.exact, way)
    message = (
        f"{fact.shown} comes to {float(fact.exact):.4g}, which this book rounds {way} to {best}, "
        f"but the text says {int(fact.said)}"
    )
    return Problem("sum-rounded", message, fact.span, "warning", (f"write {best}",), fact.trail)

"""Distributions of a step: how likely each of its values is, and how much is left beyond the last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from ..game.odds.answer import BELOW, Spread, side_of
from ..game.odds.plan import Question
from .answers import Answers, Refusal, Setup, bare, guarded, whole_table
from .variants import by_value

SMALLEST_REST = Fraction(1, 10_000)  # what a distribution may leave beyond its last value
FURTHER = (8, 16, 32, 64, 128)
MOST_VALUES = 150  # of an endless distribution


def spread(answers: Answers, step: str, setup: Setup) -> Spread | Refusal:
    """How likely each value of a step is, far enough that little is left beyond the last."""
    for least in FURTHER:
        found = guarded(partial(spread_upto, answers, step, setup, least))
        if isinstance(found, Refusal) or found.beyond <= SMALLEST_REST:
            break
    return found


def spread_upto(answers: Answers, step: str, setup: Setup, least: int) -> Spread:
    odds = answers.odds(bare(setup))
    formula = odds.setting.program.formulas[step]
    found = odds.solver.gather(Question((), (formula,)), least)
    if not found.beyond or not setup.is_free:
        return odds.spread(step)
    known = [int(value) for _, value in found.weights]
    shares = chances(step, setup, tuple(range(min(known), max(known) + 1)[:MOST_VALUES]))
    side = side_of([far.bounds[0] for far in found.beyond if far.fixed is None], known)
    return cut({value: share for value, share in shares.items() if share}, side)


def chances(step: str, setup: Setup, values: tuple[int, ...]) -> dict[int, Fraction]:
    """The chance of each of these values."""
    row = whole_table(replace(setup, rule=by_value(setup.rule, step, values)), {})[()]
    assert not isinstance(row, Refusal)
    return {value: row[str(value)].low for value in values}


def cut(shares: dict[int, Fraction], side: str) -> Spread:
    """The values without those at the open end, which together are too rare to be shown."""
    beyond = 1 - sum(shares.values(), Fraction(0))
    for value in sorted(shares, reverse=side != BELOW):
        if beyond + shares[value] > SMALLEST_REST:
            break
        beyond += shares.pop(value)
    return Spread(shares, beyond, Fraction(0), side)


def spread_over(answers: Answers, step: str, setup: Setup, values: Iterable[int | str]) -> Spread | Refusal:
    """The same, where each of these values is told on its own, wherever it lies."""
    found = spread(answers, step, setup)
    if isinstance(found, Refusal) or not found.beyond or found.unknown or not setup.is_free:
        return found
    further = tuple(value for value in values if isinstance(value, int) and value not in found.values)
    return guarded(partial(told_apart, found, step, setup, further)) if further else found


def told_apart(found: Spread, step: str, setup: Setup, further: tuple[int, ...]) -> Spread:
    """A distribution with values taken out of what lies beyond it."""
    more = chances(step, setup, further)
    return found._replace(values={**found.values, **more}, beyond=found.beyond - sum(more.values(), Fraction(0)))

"""What follows from a part of a roll: with unknown inputs, or with steps told instead of dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from .model import Outcome
from .ranges import Bounds, Range, Worth, between, evaluate, exactly
from .setting import Setting


class Worked(NamedTuple):
    """Steps by name, the outcome and its degree; what cannot be told is None."""

    steps: Mapping[str, Any]
    outcome: Outcome | None
    degree: int | None


def work_out(setting: Setting, tallies: Sequence[int]) -> Worked:
    """All that follows from dice on the table."""
    made = setting.program
    if not setting.complete:
        return outline(
            setting, {tally.name: exactly(value) for tally, value in zip(made.tallies, tallies, strict=True)}, {}
        )
    steps, number, degree = made.finish(setting.known, list(tallies))
    values = {
        name: value if isinstance(value, str) else int(value) for name, value in zip(made.formulas, steps, strict=True)
    }
    outcomes = setting.rule.outcomes
    return Worked(values, outcomes[number] if outcomes else None, None if degree is None else int(degree))


def outline(setting: Setting, tallies: Mapping[str, Worth], given: Mapping[str, int | str]) -> Worked:
    """All that is certain when tallies, or inputs, or the steps before the given ones are unknown."""
    bounds = worths(setting, tallies, given)
    steps = {name: told(bounds.values[name]) for name in setting.program.formulas}
    return Worked(steps, *outcome_of(setting, bounds))


def worths(setting: Setting, tallies: Mapping[str, Worth], given: Mapping[str, int | str]) -> Bounds:
    """What is known of every value then."""
    made = setting.program
    bounds = made.bounds
    for tally in made.tallies:
        least = 0 if tally.function == "count" else -inf
        bounds = bounds.with_value(tally.name, tallies.get(tally.name, between(least, inf)))
    for name, value in setting.known.items():
        bounds = bounds.with_value(name, exactly(value))
    for name in made.order:
        formula = made.formula(name)
        found = exactly(given[name]) if name in given else evaluate(made.node(formula), bounds)
        if name in made.asked:
            found = asked_value(setting, name, found)
        bounds = bounds.with_value(name, found)
    return bounds


def asked_value(setting: Setting, name: str, holds: Worth) -> Worth:
    """The value of an input that is asked: its default wherever the question does not arise."""
    entry = setting.program.asked[name]
    value = exactly(setting.values.get(name, entry.default))
    truth = holds.truth if isinstance(holds, Range) else None
    if truth or value == exactly(entry.default):
        return value
    return exactly(entry.default) if truth is False else between(-inf, inf)


def told(worth: Worth) -> int | str | None:
    if isinstance(worth, frozenset):
        return next(iter(worth)) if len(worth) == 1 else None
    return int(worth.low) if worth.certain else None


def outcome_of(setting: Setting, bounds: Bounds) -> tuple[Outcome | None, int | None]:
    made = setting.program
    for outcome in setting.rule.outcomes:
        found = evaluate(made.node(outcome.when), bounds) if outcome.when else exactly(1)
        truth = found.truth if isinstance(found, Range) else None
        if truth is None:
            return None, None
        if truth:
            degree = told(evaluate(made.node(outcome.degree), bounds)) if outcome.degree else None
            return outcome, degree if isinstance(degree, int) else None
    return None, None

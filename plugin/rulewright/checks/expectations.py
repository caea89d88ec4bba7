"""Compares the expectations of an example (outcome, degree, steps) with the actual values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..book.page import Entry
from ..game.inputs import bind, variables
from ..game.model import Formula
from ..play.compiled_rule import program
from ..play.result import dice_line, explain, looked_up
from ..source import Fix, Problem, suggest
from .model import Move, trouble
from .safe_fixes import either
from .scene import Scene

NUMBER = re.compile(r"[+-]?[0-9]{1,16}")
FLAGS = {"yes": 1, "true": 1, "no": 0, "false": 0}


def compare(scene: Scene, move: Move) -> Iterator[Problem]:
    """A problem for every expectation that is false, in the order written."""
    for entry in scene.expected:
        if entry.key == "outcome":
            yield from compare_outcome(scene, move, entry)
        elif entry.key == "degree":
            yield from compare_number(scene, move, entry, move.degree, "example-degree")
        else:
            yield from compare_step(scene, move, entry)


def compare_outcome(scene: Scene, move: Move, entry: Entry) -> Iterator[Problem]:
    known = [outcome.name for outcome in scene.rule.outcomes]
    if entry.value.lower() not in [name.lower() for name in known]:
        yield no_outcome(scene, entry)
    elif move.outcome is None:
        yield unknown(scene, move, entry)
    elif move.outcome.lower() != entry.value.lower():
        yield differs(scene, move, entry, move.outcome, "example-outcome")


def no_outcome(scene: Scene, entry: Entry) -> Problem:
    known = [outcome.name for outcome in scene.rule.outcomes]
    message = f"{scene.rule.name} has no outcome «{entry.value}»; {suggest(entry.value, known)}"
    return trouble(scene.block, "block-value", message.rstrip("; "), entry.value_span)


def no_number(scene: Scene, entry: Entry) -> Problem:
    message = f"{entry.key} is a whole number, not «{entry.value}»"
    return trouble(scene.block, "block-value", message, entry.value_span)


def unreadable(scene: Scene) -> Iterator[Problem]:
    """Expectations with an unknown outcome, or without a number where one is required."""
    outcomes = {outcome.name.lower() for outcome in scene.rule.outcomes}
    for entry in scene.expected:
        if entry.key == "outcome":
            if entry.value.lower() not in outcomes:
                yield no_outcome(scene, entry)
        elif words_of(scene, entry.key) is None and number_in(entry.value) is None:
            yield no_number(scene, entry)


def words_of(scene: Scene, step: str) -> frozenset[str] | None:
    """The words that a step may result in; None if it results in a number."""
    worth = program(scene.rule).bounds.values.get(step)
    return worth if isinstance(worth, frozenset) else None


def number_in(text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if text in FLAGS:
        return FLAGS[text]
    return int(text) if NUMBER.fullmatch(text) else None


def compare_step(scene: Scene, move: Move, entry: Entry) -> Iterator[Problem]:
    actual = move.steps.get(entry.key)
    if isinstance(actual, str):
        if actual.lower() != entry.value.lower():
            yield differs(scene, move, entry, actual, "example-step")
    else:
        yield from compare_number(scene, move, entry, actual, "example-step")


def compare_number(scene: Scene, move: Move, entry: Entry, actual: Any, code: str) -> Iterator[Problem]:
    text, expected = entry.value.lower(), number_in(entry.value)
    if expected is None:
        yield no_number(scene, entry)
    elif actual is None:
        yield unknown(scene, move, entry)
    elif int(actual) != expected:
        given = ("yes" if actual else "no") if text in FLAGS and actual in (0, 1) else str(actual)
        yield differs(scene, move, entry, given, code)


def differs(scene: Scene, move: Move, entry: Entry, actual: str, code: str) -> Problem:
    message = f"the rules give {entry.key} {actual}, the example says {entry.value}"
    notes = (*derivation(move), *where(scene, entry.key), *from_tables(scene, move, entry.key))
    if code == "example-step":
        return trouble(scene.block, code, message, entry.value_span, notes)._replace(fix=Fix(entry.value_span, actual))
    return trouble(scene.block, code, message, entry.value_span, (*notes, either(entry.key, actual)))


def unknown(scene: Scene, move: Move, entry: Entry) -> Problem:
    message = f"{entry.key} cannot be told from what the example gives"
    if entry.key == "degree" and move.outcome and not has_degree(scene, move.outcome):
        message = f"the outcome {move.outcome} has no degree"
    notes = derivation(move)
    if not scene.roll.keys() & {"dice", "given"} and scene.rule.dice:
        notes = ("write dice: with the faces, or given: with what the text tells instead",)
    return trouble(scene.block, "example-unknown", message, entry.value_span, notes)


def has_degree(scene: Scene, outcome: str) -> bool:
    return any(known.name == outcome and known.degree is not None for known in scene.rule.outcomes)


def derivation(move: Move) -> tuple[str, ...]:
    if move.result:
        return tuple(line for line in (dice_line(move.result), explain(move.result)) if line)
    steps = ", ".join(f"{name} {value}" for name, value in move.steps.items() if value is not None)
    degree = f", degree {move.degree}" if move.degree is not None else ""
    return (": ".join(filter(None, [steps, f"{move.outcome or 'outcome not known'}{degree}"])),)


def where(scene: Scene, key: str) -> Iterator[str]:
    """The formula of the step with its file and line."""
    formula = formula_of(scene, key)
    if formula:
        line = formula.span.source.place(formula.span.start)[0]
        yield f"{formula.span.source.path}:{line}: {key} = {formula.text}"


def from_tables(scene: Scene, move: Move, key: str) -> Iterator[str]:
    """The table cells that the value is computed from, with their locations."""
    formula = formula_of(scene, key)
    outcomes = (one for outcome in scene.rule.outcomes for one in (outcome.when, outcome.degree) if one)
    known = move.result.known if move.result else variables(scene.rule, bind(scene.rule, move.inputs)[0])
    if scene.rule.tables:
        found = looked_up(scene.rule, [formula] if formula else outcomes, {**known, **move.steps})
        yield from (cell.said for cell in found)


def formula_of(scene: Scene, key: str) -> Formula | None:
    return next((step.formula for step in scene.rule.steps if step.name == key), None)

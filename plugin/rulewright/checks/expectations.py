"""Compares the expectations of an example (outcome, degree, steps) with the actual values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..book.page import Entry
from ..game.core import ROUND
from ..game.inputs import bind_inputs, to_variables
from ..game.model import Formula
from ..play.compiled_rule import compile_rule
from ..play.result import describe_unknown_outcome, dice_line, explain_result
from ..source import Fix, Problem, suggest
from .model import Move, make_problem
from .rolled_sides import NO_WINNER, name_winners
from .safe_fixes import either_note
from .scene import Scene
from .table_lookups import find_lookups

_INTEGER = re.compile(r"[+-]?[0-9]{1,16}")
_FLAGS = {"yes": 1, "true": 1, "no": 0, "false": 0}


def compare_expectations(scene: Scene, move: Move) -> Iterator[Problem]:
    """A problem for every expectation that is false, in the order written."""
    for entry in scene.expected:
        if entry.key == "outcome":
            yield from _compare_outcome(scene, move, entry)
        elif entry.key == "winner":
            yield from _compare_winner(scene, move, entry)
        elif entry.key == ROUND and scene.rule.has_rounds:
            yield from _compare_number(scene, move, entry, move.result and move.result.setting.round, "example-step")
        elif entry.key == "degree":
            yield from _compare_number(scene, move, entry, move.degree, "example-degree")
        else:
            yield from _compare_step(scene, move, entry)


def _compare_outcome(scene: Scene, move: Move, entry: Entry) -> Iterator[Problem]:
    known = [outcome.name for outcome in scene.rule.outcomes]
    if entry.value.lower() not in [name.lower() for name in known]:
        yield _unknown_outcome(scene, entry)
    elif move.outcome is None:
        yield _undetermined_value(scene, move, entry)
    elif move.outcome.lower() != entry.value.lower():
        yield _false_expectation(scene, move, entry, move.outcome, "example-outcome")


def _compare_winner(scene: Scene, move: Move, entry: Entry) -> Iterator[Problem]:
    """Compare the side that wins, of a rule with two rolls."""
    winners = name_winners(scene.rule, scene.sides)
    actual, known = winners.get((move.outcome or "").lower(), NO_WINNER), [*winners.values(), NO_WINNER]
    if entry.value.lower() not in [name.lower() for name in known]:
        message = f'there is no side "{entry.value}"; {suggest(entry.value, known)}'
        yield make_problem(scene.block, "block-value", message, entry.value_span)
    elif move.outcome is None:
        yield _undetermined_value(scene, move, entry)
    elif actual.lower() != entry.value.lower():
        message = f"the rules give winner {actual}, the example says {entry.value}"
        notes = (*_derivation(move), either_note("winner", actual))
        yield make_problem(scene.block, "example-winner", message, entry.value_span, notes)


def _unknown_outcome(scene: Scene, entry: Entry) -> Problem:
    known = [outcome.name for outcome in scene.rule.outcomes]
    note = suggest(entry.value, known) if known else f"declare [rules.{scene.rule.name}.outcomes] in game.toml"
    message = f'{scene.rule.name} has no outcome "{entry.value}"; {note}'
    return make_problem(scene.block, "block-value", message.rstrip("; "), entry.value_span)


def _invalid_number(scene: Scene, entry: Entry) -> Problem:
    message = f'{entry.key} is a whole number, not "{entry.value}"'
    return make_problem(scene.block, "block-value", message, entry.value_span)


def invalid_expectations(scene: Scene) -> Iterator[Problem]:
    """Expectations with an unknown outcome, or without a number where one is required."""
    outcomes = {outcome.name.lower() for outcome in scene.rule.outcomes}
    for entry in scene.expected:
        if entry.key == "outcome":
            if entry.value.lower() not in outcomes:
                yield _unknown_outcome(scene, entry)
        elif entry.key != "winner" and (
            not _is_set(scene, entry.key)
            and possible_words(scene, entry.key) is None
            and parse_number(entry.value) is None
        ):
            yield _invalid_number(scene, entry)


def possible_words(scene: Scene, step: str) -> frozenset[str] | None:
    """The words that a step may result in; None if it results in a number."""
    values = compile_rule(scene.rule).bounds.values.get(step)
    return values if isinstance(values, frozenset) else None


def parse_number(text: str) -> int | None:
    text = text.replace("−", "-").lower()
    if text in _FLAGS:
        return _FLAGS[text]
    return int(text) if _INTEGER.fullmatch(text) else None


def _is_set(scene: Scene, step: str) -> bool:
    return any(own.is_set for own in scene.rule.steps if own.name == step)


def _sort_faces(text: str) -> list[str]:
    """The faces of dice, whose order makes no difference."""
    return sorted(text.lower().replace(",", " ").replace("−", "-").split())


def _compare_step(scene: Scene, move: Move, entry: Entry) -> Iterator[Problem]:
    actual = move.steps.get(entry.key)
    if _is_set(scene, entry.key):
        if actual is None:
            yield _undetermined_value(scene, move, entry)
        elif _sort_faces(str(actual)) != _sort_faces(entry.value):
            yield _false_expectation(scene, move, entry, str(actual), "example-step")
    elif isinstance(actual, str):
        if actual.lower() != entry.value.lower():
            yield _false_expectation(scene, move, entry, actual, "example-step")
    else:
        yield from _compare_number(scene, move, entry, actual, "example-step")


def _compare_number(scene: Scene, move: Move, entry: Entry, actual: Any, code: str) -> Iterator[Problem]:
    text, expected = entry.value.lower(), parse_number(entry.value)
    if expected is None:
        yield _invalid_number(scene, entry)
    elif actual is None:
        yield _undetermined_value(scene, move, entry)
    elif int(actual) != expected:
        given = ("yes" if actual else "no") if text in _FLAGS and actual in (0, 1) else str(actual)
        yield _false_expectation(scene, move, entry, given, code)


def _false_expectation(scene: Scene, move: Move, entry: Entry, actual: str, code: str) -> Problem:
    message = f"the rules give {entry.key} {actual}, the example says {entry.value}"
    formula = _find_formula(scene, move, entry.key)
    cause = _format_formula(entry.key, formula) if formula else ""
    step = (cause,) if cause and code == "example-step" else ()
    notes = (*_derivation(move), *step, *_table_cell_notes(scene, move, entry.key))
    fix = Fix(entry.value_span, actual) if code == "example-step" else None
    others = () if fix else (either_note(entry.key, actual),)
    problem = make_problem(scene.block, code, message, entry.value_span, (*notes, *others))
    return problem._replace(fix=fix, cause=cause)


def _undetermined_value(scene: Scene, move: Move, entry: Entry) -> Problem:
    message = f"{entry.key} cannot be told from what the example gives"
    if entry.key == "degree" and move.outcome and not _has_degree(scene, move.outcome):
        message = f"the outcome {move.outcome} has no degree"
    notes = _derivation(move)
    result = move.result
    if result and result.is_over is False:
        last = f"write the dice of round {result.setting.round + 1} after a semicolon, or leave {entry.key} out"
        notes = (describe_unknown_outcome(result), last)
    elif result and (open_picks := result.open_picks):
        notes = tuple(f"say which dice are picked: {name}: with their faces" for name in open_picks)
    elif not scene.roll.keys() & {"dice", "given"} and scene.rule.dice:
        notes = ("write dice: with the faces, or given: with what the text says instead",)
    return make_problem(scene.block, "example-unknown", message, entry.value_span, notes)


def _has_degree(scene: Scene, outcome: str) -> bool:
    return any(known.name == outcome and known.degree is not None for known in scene.rule.outcomes)


def _derivation(move: Move) -> tuple[str, ...]:
    if move.result:
        earlier = {step.name for step in move.rule.steps if move.rule.find_whole(step.name) != step.name}
        return tuple(line for line in (dice_line(move.result), explain_result(move.result, earlier)) if line)
    steps = ", ".join(f"{name} {value}" for name, value in move.steps.items() if value is not None)
    degree = f", degree {move.degree}" if move.degree is not None else ""
    return (": ".join(filter(None, [steps, f"{move.outcome or 'outcome not known'}{degree}"])),)


def _find_formula(scene: Scene, move: Move, key: str) -> Formula | None:
    """The formula in the game that a step, the outcome or its degree comes from."""
    if key not in ("outcome", "degree"):
        return _step_formula(scene, key)
    outcomes = (outcome for outcome in scene.rule.outcomes if outcome.name == move.outcome)
    return next((outcome.when if key == "outcome" else outcome.degree for outcome in outcomes), None)


def _format_formula(key: str, formula: Formula) -> str:
    """A formula with its file and line."""
    line, is_value = formula.span.source.position(formula.span.start)[0], key != "outcome"
    return f"{formula.span.source.path}:{line}: {f'{key} = ' if is_value else ''}{formula.text}"


def _table_cell_notes(scene: Scene, move: Move, key: str) -> Iterator[str]:
    """The table cells that the value is computed from, with their locations."""
    formula = _step_formula(scene, key)
    outcomes = (
        outcome_formula
        for outcome in scene.rule.outcomes
        for outcome_formula in (outcome.when, outcome.degree)
        if outcome_formula
    )
    known = move.result.known if move.result else to_variables(scene.rule, bind_inputs(scene.rule, move.inputs)[0])
    if scene.rule.tables:
        cells = find_lookups(scene.rule, [formula] if formula else outcomes, {**known, **move.steps})
        yield from (cell.description for cell in cells)


def _step_formula(scene: Scene, key: str) -> Formula | None:
    return next((step.formula for step in scene.rule.steps if step.name == key), None)

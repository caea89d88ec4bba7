"""Parses what claims, tables and links want to know of a rule: an event or a value, and a condition."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..game.core import ROUND
from ..game.formula import DICE_OPERATIONS, Node, walk
from ..game.formula_lexer import FormulaError
from ..game.formula_parser import parse_formula
from ..game.model import Formula, Rule
from ..game.scope import NUMBER_TYPE, Scope, ValueType, check_formula, infer_type
from ..source import Span, find_similar, suggest

_OR_PATTERN = re.compile(r"\s+or\s+", re.IGNORECASE)
_NAME_PATTERN = re.compile(r"[\w' -]+")
_AND_NOT_PATTERN = re.compile(r"\b(?:and|not)\b")
_DEGREE_PATTERN = re.compile(r"degree\s+of\s+(.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class InvalidQuantity:
    """An error in an event or quantity, with its span."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Event:
    """One of some outcomes, or a condition as a formula."""

    outcomes: tuple[str, ...]
    formula: Formula | None = None


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value to compute; `show` is chance, mean or degree, `name` the step or outcome of a mean."""

    show: str
    event: Event | None = None
    condition: Event | None = None
    name: str = ""

    @property
    def is_chance(self) -> bool:
        return self.show == "chance"


def read_chance(rule: Rule, span: Span, condition_span: Span | None = None) -> Quantity | InvalidQuantity:
    """Parses the event of a chance, and the condition after `|`."""
    event = _read_event(rule, span)
    if isinstance(event, InvalidQuantity):
        return event
    if condition_span is None:
        return Quantity("chance", event)
    if rule.contest:
        return InvalidQuantity("in a contest a chance has no condition; leave out what comes after |", condition_span)
    condition = _read_event(rule, condition_span)
    return condition if isinstance(condition, InvalidQuantity) else Quantity("chance", event, condition)


def read_mean(rule: Rule, span: Span) -> Quantity | InvalidQuantity:
    """Parses `degree of OUTCOME` or the name of a step."""
    match = _DEGREE_PATTERN.fullmatch(span.text)
    return read_degree(rule, span.subspan(*match.span(1))) if match else read_step(rule, span)


def read_degree(rule: Rule, span: Span) -> Quantity | InvalidQuantity:
    outcomes = {outcome.name.lower(): outcome for outcome in rule.outcomes}
    outcome = outcomes.get(span.text.lower())
    if rule.contest or outcome is None:
        names = [outcome.name for outcome in rule.outcomes]
        return InvalidQuantity(
            f'{rule.name} has no outcome "{span.text}"; {suggest(span.text, names)}'.rstrip("; "), span
        )
    if outcome.degree is None:
        return InvalidQuantity(f"the outcome {outcome.name} of {rule.name} has no degree", span)
    return Quantity("degree", name=outcome.name)


def read_step(rule: Rule, span: Span) -> Quantity | InvalidQuantity:
    steps = _step_names(rule)
    name = next((name for name in steps if name.lower() == span.text.lower()), None)
    if name is None:
        return InvalidQuantity(f'{rule.name} has no step "{span.text}"; {suggest(span.text, steps)}'.rstrip("; "), span)
    return Quantity("mean", name=name)


def _step_names(rule: Rule) -> list[str]:
    if not rule.contest:
        return [*(step.name for step in rule.steps), *([ROUND] if rule.has_rounds else [])]
    sides = zip(("first", "second"), rule.contest.of, strict=False)
    return [f"{side}.{step.name}" for side, side_rule in sides for step in side_rule.steps]


def outcome_names(rule: Rule) -> list[str]:
    if not rule.contest:
        return [outcome.name for outcome in rule.outcomes]
    return ["first", "second"] if rule.contest.ties != "none" else ["first", "second", "none"]


def _read_event(rule: Rule, span: Span) -> Event | InvalidQuantity:
    """Parses outcomes joined by "or"; otherwise a formula over inputs and steps."""
    if not span.text:
        return InvalidQuantity("this says not of what: an outcome or a formula belongs here", span)
    known = {name.lower(): name for name in outcome_names(rule)}
    pieces = [span.text] if span.text.lower() in known else _OR_PATTERN.split(span.text)
    if all(piece.lower() in known for piece in pieces):
        return Event(tuple(dict.fromkeys(known[piece.lower()] for piece in pieces)))
    if rule.contest:
        piece = next(piece for piece in pieces if piece.lower() not in known)
        return InvalidQuantity(f'a contest has no outcome "{piece}"; {suggest(piece, known.values())}', span)
    return _unknown_name(rule, span, pieces) or _read_formula(rule, span)


def _unknown_name(rule: Rule, span: Span, pieces: list[str]) -> InvalidQuantity | None:
    """The error for a name that is neither an outcome nor part of a formula."""
    known = [*outcome_names(rule), *(step.name for step in rule.steps), *(entry.name for entry in rule.inputs)]
    unknown_names = [piece for piece in pieces if piece.lower() not in {name.lower() for name in known}]
    if (
        not unknown_names
        or _AND_NOT_PATTERN.search(span.text)
        or not all(_NAME_PATTERN.fullmatch(piece) for piece in pieces)
    ):
        return None
    similar, name = find_similar(unknown_names[0], known), unknown_names[0].lower()
    note = f"did you mean {similar}?" if similar else suggest(unknown_names[0], outcome_names(rule))
    begun = next((outcome for outcome in outcome_names(rule) if name.startswith(f"{outcome.lower()} ")), "")
    if begun:
        note = f"write ; between an outcome and the settings, as in chance({begun}; pool 5)"
    elif not outcome_names(rule):
        note = f"declare [rules.{rule.name}.outcomes] in game.toml"
    return InvalidQuantity(f'{rule.name} has no outcome or step "{unknown_names[0]}"; {note}'.rstrip("; "), span)


def _read_formula(rule: Rule, span: Span) -> Event | InvalidQuantity:
    try:
        node = parse_formula(span.text)
    except FormulaError as error:
        return InvalidQuantity(error.message, span.subspan(error.start, min(error.end, len(span.text))))
    for child in walk(node):
        if child.op in DICE_OPERATIONS:
            message = f"{child.op}(…) looks at dice; ask for a step of {rule.name} instead"
            return InvalidQuantity(
                f"{message}; {suggest('', (step.name for step in rule.steps))}".rstrip("; "), _node_span(span, child)
            )
    complaints = check_formula(node, _formula_scope(rule))
    if complaints:
        child, message = complaints[0]
        return InvalidQuantity(
            _outcome_in_formula_message(rule, child) or message.rstrip("; "), _node_span(span, child)
        )
    return Event((), Formula(span.text, node, span))


def _node_span(span: Span, node: Node) -> Span:
    return span.subspan(node.start, node.end)


def _outcome_in_formula_message(rule: Rule, node: Node) -> str:
    """The message for an outcome inside a formula; empty for other names."""
    if node.op != "name" or node.args[0].lower() not in {name.lower() for name in outcome_names(rule)}:
        return ""
    return f'"{node.args[0]}" is an outcome: outcomes stand alone or beside each other, joined by "or"'


def _formula_scope(rule: Rule) -> Scope:
    """The names that a formula over a finished roll may use: inputs and steps."""
    values: dict[str, ValueType] = {}
    for entry in rule.declared_inputs:
        values |= dict.fromkeys(entry.variable_names, entry.choices if entry.form == "choice" else NUMBER_TYPE)
    values |= {ROUND: NUMBER_TYPE} if rule.has_rounds else {}
    with_parts = (entry for entry in rule.declared_inputs if entry.parts)
    part_notes = {entry.name: f"formulas name its parts: {' and '.join(entry.parts)}" for entry in with_parts}
    dice = {kind.name: kind for kind in rule.dice}
    scope = Scope(values, frozenset(values), dice=dice, tables=rule.tables, forbidden=part_notes)
    for step in rule.steps:
        step_values = infer_type(step.formula.node, scope)[0]
        scope = replace(scope, values={**scope.values, step.name: step_values})
    return replace(scope, dice={})

"""Derivations: the steps of a roll in names, in values, and their results."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Any, NamedTuple

from ...game.formula import COMPARISONS, Node, walk
from ...game.lower import tally_numbers
from ...game.model import Formula, Rule
from ...play.result import Result
from ...play.rounds import value_text
from ..number_format import format_value, localize
from ..strings import Words
from .wording import (
    BOOLEAN_OPERATORS,
    FormulaWriter,
    describe_formula,
    find_single_kinds,
    input_label,
    is_boolean,
    outcome_name,
    reader_name,
)

_BLANK_DELIMITER = "\0"  # delimiter that appears in no formula
_BRANCHING = {"if", "word", *BOOLEAN_OPERATORS} - {*COMPARISONS}  # unreadable with values filled in

_LeafKey = str | tuple[int, ...]  # a name, or the numbers of the tallies that add up to it
_LeafFormatter = Callable[[_LeafKey], str | None]  # returns the value; None if it is not known


class _FormulaTemplate(NamedTuple):
    """A formula in words with blanks for its values: the value of a leaf follows each text but the last."""

    texts: list[str]
    leaves: list[_LeafKey]


class Derivation(NamedTuple):
    """A step explained: `parts` are its formula in names, in values, and its result."""

    name: str
    parts: list[str]


def explain_result(rule: Rule, result: Result, words: Words, says: str) -> list[Derivation]:
    """Explains all steps, the outcome with its sentence, and its degree."""
    format_leaf, boolean_names = _make_leaf_formatter(rule, result, words), find_booleans(rule)
    steps = [
        Derivation(
            label,
            _explain_formula(
                step.formula,
                rule,
                words,
                format_leaf,
                format_value(result.steps.get(step.name), words, step.name in boolean_names),
            ),
        )
        for step in rule.steps
        if (label := reader_name(rule, step.name))
    ]
    rounds = [_explain_round(rule, earlier, words) for earlier in result.before]
    return [*rounds, *steps, *_explain_outcome(rule, result, words, format_leaf, says)]


def _explain_round(rule: Rule, result: Result, words: Words) -> Derivation:
    """The dice of a round that is not the last, and the values that the next one begins with."""
    carried = [
        words("setting", name=input_label(entry), value=localize(value_text(entry, result.carried[entry.name]), words))
        for entry in rule.inputs
        if entry.name in result.carried
    ]
    parts = [result.own_dice.replace("-", "−"), ", ".join(carried)]
    return Derivation(words("round number", number=result.setting.round), list(filter(None, parts)))


def _explain_formula(
    formula: Formula, rule: Rule, words: Words, format_leaf: _LeafFormatter, *results: str
) -> list[str]:
    """A formula in names, in values if that is readable, and its result, without repetitions."""
    texts = [describe_formula(formula, words, rule)]
    if template := _find_template(formula, words, rule):
        texts.append(_fill_template(formula, template, rule, words, format_leaf))
    return list(dict.fromkeys([*texts, *results]))


def _explain_outcome(
    rule: Rule, result: Result, words: Words, format_leaf: _LeafFormatter, says: str
) -> list[Derivation]:
    """Explains the condition of the outcome and its degree."""
    outcome = next((own for own in rule.outcomes if result.outcome and own.name == result.outcome.name), None)
    if outcome is None:
        return []
    condition = _explain_formula(outcome.when, rule, words, format_leaf) if outcome.when else [words("otherwise")]
    degree = (
        _explain_formula(outcome.degree, rule, words, format_leaf, format_value(result.degree, words))
        if outcome.degree
        else []
    )
    name = outcome_name(rule, outcome.name)
    return [
        Derivation(name, [*condition, *filter(None, [says])]),
        *([Derivation(words("degree"), degree)] if degree else []),
    ]


def _find_template(formula: Formula, words: Words, rule: Rule) -> _FormulaTemplate | None:
    """The template of a formula; cached because every card of the rule fills it in."""
    return rule.cached(("template", formula, words), lambda: _build_template(formula, words, rule))


def _build_template(formula: Formula, words: Words, rule: Rule) -> _FormulaTemplate | None:
    """A formula in words with blanks for its values; None if it is unreadable with values filled in."""
    if any(node.op in _BRANCHING for node in walk(formula.node)):
        return None
    leaves = list[_LeafKey]()

    def leave_blank(node: Node) -> str:
        leaves.append(_leaf_key(rule, node))
        return f"{_BLANK_DELIMITER}{len(leaves) - 1}{_BLANK_DELIMITER}"

    parts = (
        FormulaWriter(words, find_single_kinds(rule), leave_blank, rule=rule)
        .write(formula.node)
        .split(_BLANK_DELIMITER)
    )
    return _FormulaTemplate(parts[::2], [leaves[int(number)] for number in parts[1::2]])


def _leaf_key(rule: Rule, node: Node) -> _LeafKey:
    return str(node.args[0]) if node.op == "name" else tally_numbers(rule)[node]


def _fill_template(
    formula: Formula, template: _FormulaTemplate, rule: Rule, words: Words, format_leaf: _LeafFormatter
) -> str:
    """Fills in the values; renders the formula again if one is not known, since its words may need parentheses."""
    values = list(map(format_leaf, template.leaves))
    if None in values:
        return FormulaWriter(
            words, find_single_kinds(rule), lambda node: format_leaf(_leaf_key(rule, node)), rule=rule
        ).write(formula.node)
    return "".join(part for pair in zip_longest(template.texts, values) for part in pair if part)


def find_booleans(rule: Rule) -> frozenset[str]:
    """The names of steps and inputs whose value is yes or no."""
    return rule.cached(
        ("booleans",),
        lambda: frozenset(
            [step.name for step in rule.steps if is_boolean(step.formula)]
            + [entry.name for entry in rule.inputs if entry.form == "flag"]
        ),
    )


def _make_leaf_formatter(rule: Rule, result: Result, words: Words) -> _LeafFormatter:
    """A function that returns the text for the value of a name or a tally in this result."""
    boolean_names = find_booleans(rule)

    def format_leaf(leaf: _LeafKey) -> str | None:
        operand = result.known.get(leaf) if isinstance(leaf, str) else result.add_tallies(leaf)
        return _format_operand(operand, words, leaf in boolean_names)

    return format_leaf


def _format_operand(operand: Any, words: Words, as_boolean: bool) -> str | None:
    """A value as text for a formula: negative numbers in parentheses."""
    if operand is None or isinstance(operand, str):
        return operand
    text = format_value(operand, words, as_boolean)
    return f"({text})" if text.startswith("−") else text


def explanation_data(rule: Rule, words: Words) -> dict[str, Any]:
    """What the roller needs to explain a roll as cards do (`Explanations` in web/engine/parts.d.ts)."""
    return {
        "steps": {step.name: _formula_data(step.formula, words, rule) for step in rule.steps},
        "outcomes": [
            [_formula_data(formula, words, rule) if formula else None for formula in (outcome.when, outcome.degree)]
            for outcome in rule.outcomes
        ],
        "truths": sorted(find_booleans(rule)),
    }


def _formula_data(formula: Formula, words: Words, rule: Rule) -> list[Any]:
    """A formula in words, and its template if it is readable with values filled in."""
    text, template = describe_formula(formula, words, rule), _find_template(formula, words, rule)
    return [text, *(template or ())]

"""Data of example cards: one scene for the roll, each `then` and each `instead`, with the steps explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from ...checks.model import Bout, CheckedBlock, Move
from ...game.formula import COMPARISONS, Node, walk
from ...game.model import CONTEST_SIDES, Formula, Rule
from ...odds.answer import compute_chances
from ...odds.distribution import Chance
from ...play.compiled_rule import compile_rule
from ...play.result import Result, describe_outcome, fill_placeholders
from ..game_json import replaced_data
from ..number_format import format_value
from ..strings import Words
from .card import KeyValue
from .dice import DiceGroup, LegendEntry, build_legend, group_dice
from .odds import Bar, build_bars
from .wording import (
    BOOLEAN_OPERATORS,
    FormulaWriter,
    InputValue,
    describe_compared,
    describe_formula,
    find_single_kinds,
    format_name,
    is_boolean,
    list_input_values,
    reader_name,
)

_BLANK_DELIMITER = "\0"  # delimiter that appears in no formula
_BRANCHING = {"if", "word", *BOOLEAN_OPERATORS} - {*COMPARISONS}  # unreadable with values filled in

_LeafKey = str | int  # a name, or the number of a tally of dice
_LeafFormatter = Callable[[_LeafKey], str | None]  # returns the value; None if it is not known


class _FormulaTemplate(NamedTuple):
    """A formula in words with blanks for its values: the value of a leaf follows each text but the last."""

    texts: list[str]
    leaves: list[_LeafKey]


class Derivation(NamedTuple):
    """A step explained: `parts` are its formula in names, in values, and its result."""

    name: str
    parts: list[str]


def _explain_result(result: Result, words: Words) -> list[Derivation]:
    """Explains all steps, the outcome and its degree."""
    format_leaf, boolean_names = _make_leaf_formatter(result, words), _find_booleans(result.rule)
    steps = [
        Derivation(
            reader_name(result.rule, name),
            _explain_formula(
                formula, result, words, format_leaf, format_value(result.steps.get(name), words, name in boolean_names)
            ),
        )
        for name, formula in result.setting.program.formulas.items()
        if reader_name(result.rule, name)
    ]
    return [*steps, *_explain_outcome(result, words, format_leaf)]


def _explain_formula(
    formula: Formula, result: Result, words: Words, format_leaf: _LeafFormatter, *results: str
) -> list[str]:
    """A formula in names, in values if that is readable, and its result, without repetitions."""
    texts = [describe_formula(formula, words, result.rule)]
    if template := _find_template(formula, words, result.rule):
        texts.append(_fill_template(formula, template, result.rule, words, format_leaf))
    return list(dict.fromkeys([*texts, *results]))


def _explain_outcome(result: Result, words: Words, format_leaf: _LeafFormatter) -> list[Derivation]:
    """Explains the condition of the outcome and its degree."""
    outcome = result.outcome
    if outcome is None:
        return []
    condition = _explain_formula(outcome.when, result, words, format_leaf) if outcome.when else [words("otherwise")]
    degree = (
        _explain_formula(outcome.degree, result, words, format_leaf, format_value(result.degree, words))
        if outcome.degree
        else []
    )
    name = reader_name(result.rule, outcome.name)
    return [Derivation(name, condition), *([Derivation(words("degree"), degree)] if degree else [])]


def _find_template(formula: Formula, words: Words, rule: Rule) -> _FormulaTemplate | None:
    """The template of a formula; cached because every card of the rule fills it in."""
    return rule.cached(("template", formula, words), lambda: _build_template(formula, words, rule))


def _build_template(formula: Formula, words: Words, rule: Rule) -> _FormulaTemplate | None:
    """A formula in words with blanks for its values; None if it is unreadable with values filled in."""
    if any(node.op in _BRANCHING for node in walk(formula.node)):
        return None
    compiled, leaves = compile_rule(rule), list[_LeafKey]()

    def leave_blank(node: Node) -> str:
        leaves.append(replaced_data(node, compiled))
        return f"{_BLANK_DELIMITER}{len(leaves) - 1}{_BLANK_DELIMITER}"

    parts = (
        FormulaWriter(words, find_single_kinds(rule), leave_blank, rule=rule)
        .write(formula.node)
        .split(_BLANK_DELIMITER)
    )
    return _FormulaTemplate(parts[::2], [leaves[int(number)] for number in parts[1::2]])


def _fill_template(
    formula: Formula, template: _FormulaTemplate, rule: Rule, words: Words, format_leaf: _LeafFormatter
) -> str:
    """Fills in the values; renders the formula again if one is not known, since its words may need parentheses."""
    values = list(map(format_leaf, template.leaves))
    if None in values:
        compiled = compile_rule(rule)
        return FormulaWriter(
            words, find_single_kinds(rule), lambda node: format_leaf(replaced_data(node, compiled)), rule=rule
        ).write(formula.node)
    return "".join(part for pair in zip_longest(template.texts, values) for part in pair if part)


def _find_booleans(rule: Rule) -> frozenset[str]:
    """The names of steps and inputs whose value is yes or no."""
    return rule.cached(
        ("booleans",),
        lambda: frozenset(
            [step.name for step in rule.steps if is_boolean(step.formula)]
            + [entry.name for entry in rule.inputs if entry.form == "flag"]
        ),
    )


def _make_leaf_formatter(result: Result, words: Words) -> _LeafFormatter:
    """A function that returns the text for the value of a name or a tally in this result."""
    boolean_names = _find_booleans(result.rule)

    def format_leaf(leaf: _LeafKey) -> str | None:
        operand = result.tallies[leaf] if isinstance(leaf, int) else result.known.get(leaf)
        return _format_operand(operand, words, leaf in boolean_names)

    return format_leaf


def _format_operand(operand: Any, words: Words, as_boolean: bool) -> str | None:
    """A value as text for a formula: negative numbers in parentheses."""
    if operand is None:
        return None
    if isinstance(operand, str):
        return operand
    text = format_value(operand, words, as_boolean)
    return f"({text})" if text.startswith("−") else text


_DETAIL_KEYS = ("traits", "holds", "required", "uses", "spends", "given")


class _StepValue(NamedTuple):
    name: str
    value: str


class _Bout(NamedTuple):
    """One roll of a side in a contest, and the value that is compared."""

    groups: list[DiceGroup]
    value: str


class ContestSide(NamedTuple):
    """One side of a contest; several bouts if there were ties."""

    name: str
    inputs: list[InputValue]
    bouts: list[_Bout]
    wins: bool


class SceneCard(NamedTuple):
    """One roll on an example card.

    `heading` connects it to the roll before. Details are the entries apart from inputs and dice.
    """

    heading: str
    rule: Rule
    inputs: list[InputValue]
    details: list[KeyValue]
    groups: list[DiceGroup]
    steps: list[_StepValue]
    outcome: str
    degree: str
    says: str
    odds: list[Bar]
    how: list[Derivation]
    sides: list[ContestSide]
    differences: list[str]  # what the author wrote, and what the rules say instead


def _build_scene(move: Move, words: Words, heading: str, inputs: list[InputValue]) -> SceneCard:
    """Collects the data of a scene from a checked move."""
    result = move.result if not move.sides else None
    degree = "" if move.degree is None else format_value(move.degree, words)
    return SceneCard(
        heading,
        move.rule,
        inputs,
        _list_details(move, words),
        group_dice(result, words) if result else [],
        _list_steps(move, words),
        _format_outcome(move, words),
        degree,
        _fill_sentence(move, result),
        build_bars(move.rule, outcome_chances, words, move.outcome) if (outcome_chances := move_chances(move)) else [],
        _explain_result(result, words) if result else [],
        _build_sides(move, words),
        _list_differences(move, words),
    )


def _list_details(move: Move, words: Words) -> list[KeyValue]:
    """Entries apart from inputs and dice: traits, specialties, points, results."""
    entries = move.part.by_key if move.part else {}
    return [
        KeyValue(words(f"told {key}"), _format_detail(move.rule, key, entries[key].value) or words("none"))
        for key in _DETAIL_KEYS
        if key in entries
    ]


def _format_detail(rule: Rule, key: str, text: str) -> str:
    """The text of an entry; points by the labels from the rule, such as "Fate: one die at its highest (luck)"."""
    return ", ".join(_format_spend(rule, part.strip()) for part in text.split(",")) if key == "spends" else text


def _format_spend(rule: Rule, text: str) -> str:
    """The label of a point, followed by the die it is spent on."""
    spends = [spend for spend in rule.spends if spend.label and f"{text.lower()} ".startswith(f"{spend.name} ")]
    if not spends:
        return text
    longest = max(spends, key=lambda spend: len(spend.name))
    die = text[len(longest.name) :].strip()
    return f"{longest.label} ({die})" if die else longest.label


def _list_steps(move: Move, words: Words) -> list[_StepValue]:
    """The steps whose values are known."""
    boolean_names = _find_booleans(move.rule)
    return [
        _StepValue(reader_name(move.rule, name), format_value(number, words, name in boolean_names))
        for name, number in move.steps.items()
        if number is not None and reader_name(move.rule, name)
    ]


def _format_outcome(move: Move, words: Words) -> str:
    """The name of the outcome, or the winner of a contest."""
    if not move.sides:
        return reader_name(move.rule, move.outcome) if move.outcome else ""
    return words("nobody wins") if move.outcome == "none" else words("wins", name=move.outcome)


def _fill_sentence(move: Move, result: Result | None) -> str:
    """The sentence of the outcome; empty if one of its values is not known."""
    if result:
        return describe_outcome(result)
    sentence = next((outcome.says for outcome in move.rule.outcomes if outcome.name == move.outcome), "")
    text = fill_placeholders(sentence, {**move.steps, "degree": move.degree})
    return "" if "?" in text and "?" not in sentence else text


def move_chances(move: Move) -> Mapping[str, Chance]:
    """The chances of all outcomes; empty if they do not follow from the inputs alone."""
    entries = move.part.by_key if move.part else {}
    if "spends" in entries:  # points are spent after the roll
        return {}
    policy = entries["policy"].value.lower() if "policy" in entries else ""
    if not move.sides:
        return compute_chances(move.rule, move.inputs, policy) if move.outcome and move.rule.dice else {}
    inputs = {
        f"{place}.{name}": text for place, side in _prefixed_sides(move) for name, text in _side_inputs(side).items()
    }
    side_names = {place: side.name for place, side in _prefixed_sides(move)}
    return {side_names.get(name, name): chance for name, chance in compute_chances(move.rule, inputs, policy).items()}


def _prefixed_sides(move: Move) -> list[tuple[str, Any]]:
    """The sides of a contest with the prefixes of their inputs."""
    return list(zip(CONTEST_SIDES, move.sides, strict=True))


def _side_inputs(side: Any) -> Mapping[str, str]:
    texts: Mapping[str, str] = side.bouts[0].move.inputs
    return texts


def _build_sides(move: Move, words: Words) -> list[ContestSide]:
    """The data of all sides of a contest."""
    return [
        ContestSide(
            side.name,
            list_input_values(side.bouts[0].move.rule, _side_inputs(side), words),
            [
                _Bout(group_dice(bout.move.result, words) if bout.move.result else [], _format_bout(move, bout, words))
                for bout in side.bouts
            ],
            side.name == move.outcome,
        )
        for side in move.sides
    ]


def _format_bout(move: Move, bout: Bout, words: Words) -> str:
    """The value of one roll of a side."""
    contest, rolled = move.rule.contest, bout.move
    assert contest
    return describe_compared(contest, rolled.rule, rolled.steps, rolled.outcome, words)


def _list_differences(move: Move, words: Words) -> list[str]:
    """Messages for entries whose value differs from the result of the rules."""
    messages = []
    actual = {**move.steps, "outcome": move.outcome, "degree": move.degree, "winner": move.outcome}
    for entry in move.part.entries if move.part else ():
        if entry.key in actual and not _is_same_value(entry.value, actual[entry.key]):
            actual_text = words("nothing") if actual[entry.key] is None else format_value(actual[entry.key], words)
            messages.append(
                words("says but is", name=reader_name(move.rule, entry.key), said=entry.value, real=actual_text)
            )
    return messages


def _is_same_value(text: str, actual: Any) -> bool:
    """Whether the text of an entry means this value."""
    normalized = text.strip().lower().replace("−", "-").lstrip("+")
    normalized = {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(normalized, normalized)
    return normalized == str(int(actual) if isinstance(actual, bool) else actual).lower()


class Example(NamedTuple):
    """The scenes of an example and the legend for all of them."""

    scenes: list[SceneCard]
    legend: list[LegendEntry]


def build_example(checked: CheckedBlock, words: Words) -> Example | None:
    """The data of an example card; None if it was skipped or could not be evaluated."""
    if not checked.moves or checked.status == "skipped":
        return None
    scenes, base = [], checked.moves[0]
    for move in checked.moves:
        scenes.append(_build_headed_scene(move, base, words))
        base = base if _part_name(move) == "instead" else move
    rolls = [roll.result for move in checked.moves for roll in (move, *_list_bout_moves(move)) if roll.result]
    return Example(scenes, build_legend(rolls, words))


def _part_name(move: Move) -> str:
    """`then`, `instead`, or empty for the first roll."""
    return move.part.name if move.part else ""


def _list_bout_moves(move: Move) -> list[Move]:
    """The rolls of all sides of a contest."""
    return [bout.move for side in move.sides for bout in side.bouts]


def _build_headed_scene(move: Move, base: Move, words: Words) -> SceneCard:
    """A scene with its heading: `instead` lists what it changes; `then` names its rule if that is a different one."""
    inputs = list_input_values(move.rule, move.inputs, words)
    if _part_name(move) != "instead":
        is_other_rule = move.rule is not base.rule
        heading = words("then with", rule=move.rule.label) if is_other_rule else words("then")
        return _build_scene(move, words, heading if _part_name(move) else "", inputs)
    base_inputs = list_input_values(base.rule, base.inputs, words)
    changed = [
        words("setting", name=entry.label, value=entry.value).strip() for entry in inputs if entry not in base_inputs
    ]
    if move.rule.game != base.rule.game:
        folder = move.rule.game.rpartition("/")[2]
        changed.append(words("rules of", game=format_name(folder.replace("-", " ")).capitalize()))
    if move.rule.label != base.rule.label:
        changed.append(move.rule.label)
    changes = ", ".join(changed) or _describe_changes(move) or words("other dice")
    return _build_scene(move, words, words("what if", changes=changes), _no_inputs())


def _describe_changes(move: Move) -> str:
    """The traits or points of an `instead`, for a heading that has nothing else to list."""
    entries = move.part.by_key if move.part else {}
    return ", ".join(
        _format_detail(move.rule, key, entries[key].value) for key in ("traits", "spends") if key in entries
    )


def _no_inputs() -> list[InputValue]:
    """An empty list: the heading lists the changed inputs already."""
    return []

"""Data of example cards: one scene for the roll, each `then` and each `instead`, with the steps explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from ...checks.model import CheckedBlock, Move
from ...game.formula import COMPARISONS, Node, walk
from ...game.model import CONTEST_SIDES, Formula, Rule
from ...odds.answer import compute_chances
from ...odds.distribution import Chance
from ...play.compiled_rule import compile_rule
from ...play.result import Result, describe_outcome
from ...play.result import fill_placeholders as explain_filled
from ..game_json import replaced_data
from ..numbers import format_value
from ..strings import Words
from .card import KeyValue
from .dice import DiceGroup, LegendEntry, build_legend, group_dice
from .odds import Bar, build_bars
from .wording import (
    BOOLEAN_OPERATORS,
    FormulaWriter,
    InputValue,
    describe_formula,
    find_single_kinds,
    format_name,
    is_boolean,
    list_input_values,
)

BLANK_DELIMITER = "\0"  # delimiter that appears in no formula
BRANCHING = {"if", "word", *BOOLEAN_OPERATORS} - {*COMPARISONS}  # unreadable with values filled in

LeafKey = str | int  # a name, or the number of a tally of dice
LeafFormatter = Callable[[LeafKey], str | None]  # returns the value; None if it is not known


class FormulaTemplate(NamedTuple):
    """A formula in words with blanks for its values: the value of a leaf follows each text but the last."""

    texts: list[str]
    leaves: list[LeafKey]


class Derivation(NamedTuple):
    """A step explained: `parts` are its formula in names, in values, and its result."""

    name: str
    parts: list[str]


def explain_result(result: Result, words: Words) -> list[Derivation]:
    """Explains all steps, the outcome and its degree."""
    format_leaf, boolean_names = make_leaf_formatter(result, words), find_booleans(result.rule)
    steps = [
        Derivation(
            format_name(name),
            explain_formula(
                formula, result, words, format_leaf, format_value(result.steps.get(name), words, name in boolean_names)
            ),
        )
        for name, formula in result.setting.program.formulas.items()
    ]
    return [*steps, *explain_outcome(result, words, format_leaf)]


def explain_formula(
    formula: Formula, result: Result, words: Words, format_leaf: LeafFormatter, *results: str
) -> list[str]:
    """A formula in names, in values if that is readable, and its result, without repetitions."""
    texts = [describe_formula(formula, words, result.rule)]
    if template := build_template(formula, words, result.rule):
        texts.append(fill_template(formula, template, result.rule, words, format_leaf))
    return list(dict.fromkeys([*texts, *results]))


def explain_outcome(result: Result, words: Words, format_leaf: LeafFormatter) -> list[Derivation]:
    """Explains the condition of the outcome and its degree."""
    outcome = result.outcome
    if outcome is None:
        return []
    condition = explain_formula(outcome.when, result, words, format_leaf) if outcome.when else [words("otherwise")]
    degree = (
        explain_formula(outcome.degree, result, words, format_leaf, format_value(result.degree, words))
        if outcome.degree
        else []
    )
    return [Derivation(outcome.name, condition), *([Derivation(words("degree"), degree)] if degree else [])]


@lru_cache(maxsize=4096)
def build_template(formula: Formula, words: Words, rule: Rule) -> FormulaTemplate | None:
    """A formula in words with blanks for its values; None if it is unreadable with values filled in."""
    if any(node.op in BRANCHING for node in walk(formula.node)):
        return None
    compiled, leaves = compile_rule(rule), list[LeafKey]()

    def leave_blank(node: Node) -> str:
        leaves.append(replaced_data(node, compiled))
        return f"{BLANK_DELIMITER}{len(leaves) - 1}{BLANK_DELIMITER}"

    parts = FormulaWriter(words, find_single_kinds(rule), leave_blank).write(formula.node).split(BLANK_DELIMITER)
    return FormulaTemplate(parts[::2], [leaves[int(number)] for number in parts[1::2]])


def fill_template(
    formula: Formula, template: FormulaTemplate, rule: Rule, words: Words, format_leaf: LeafFormatter
) -> str:
    """Fills in the values; renders the formula again if one is not known, since its words may need parentheses."""
    values = list(map(format_leaf, template.leaves))
    if None in values:
        compiled = compile_rule(rule)
        return FormulaWriter(
            words, find_single_kinds(rule), lambda node: format_leaf(replaced_data(node, compiled))
        ).write(formula.node)
    return "".join(part for pair in zip_longest(template.texts, values) for part in pair if part)


@lru_cache(maxsize=256)
def find_booleans(rule: Rule) -> frozenset[str]:
    """The names of steps and inputs whose value is yes or no."""
    steps = {step.name for step in rule.steps if is_boolean(step.formula)}
    return frozenset(steps | {entry.name for entry in rule.inputs if entry.form == "flag"})


def make_leaf_formatter(result: Result, words: Words) -> LeafFormatter:
    """A function that returns the text for the value of a name or a tally in this result."""
    boolean_names = find_booleans(result.rule)

    def format_leaf(leaf: LeafKey) -> str | None:
        operand = result.tallies[leaf] if isinstance(leaf, int) else result.known.get(leaf)
        return format_operand(operand, words, leaf in boolean_names)

    return format_leaf


def format_operand(operand: Any, words: Words, as_boolean: bool) -> str | None:
    """A value as text for a formula: words in quotes, negative numbers in parentheses."""
    if operand is None:
        return None
    if isinstance(operand, str):
        return words("quoted", text=operand)
    text = format_value(operand, words, as_boolean)
    return f"({text})" if text.startswith("−") else text


DETAIL_KEYS = ("traits", "holds", "required", "uses", "spends", "given")


class StepValue(NamedTuple):
    name: str
    value: str


class Bout(NamedTuple):
    """One roll of a side in a contest, and the value that is compared."""

    groups: list[DiceGroup]
    value: str


class ContestSide(NamedTuple):
    """One side of a contest; several bouts if there were ties."""

    name: str
    inputs: list[InputValue]
    bouts: list[Bout]
    wins: bool


class Scene(NamedTuple):
    """One roll on an example card.

    `heading` connects it to the roll before. Details are the entries apart from inputs and dice.
    """

    heading: str
    rule: Rule
    inputs: list[InputValue]
    details: list[KeyValue]
    groups: list[DiceGroup]
    steps: list[StepValue]
    outcome: str
    degree: str
    says: str
    odds: list[Bar]
    how: list[Derivation]
    sides: list[ContestSide]
    differences: list[str]  # what the author wrote, and what the rules say instead


def build_scene(move: Move, words: Words, heading: str, inputs: list[InputValue]) -> Scene:
    """Collects the data of a scene from a checked move."""
    result = move.result if not move.sides else None
    degree = "" if move.degree is None else format_value(move.degree, words)
    return Scene(
        heading,
        move.rule,
        inputs,
        list_details(move, words),
        group_dice(result, words) if result else [],
        list_steps(move, words),
        format_outcome(move, words),
        degree,
        fill_sentence(move, result),
        build_bars(outcome_chances, words, move.outcome) if (outcome_chances := move_chances(move)) else [],
        explain_result(result, words) if result else [],
        build_sides(move, words),
        list_differences(move, words),
    )


def list_details(move: Move, words: Words) -> list[KeyValue]:
    """Entries apart from inputs and dice: traits, specialties, points, results."""
    entries = move.part.by_key if move.part else {}
    return [
        KeyValue(words(f"told {key}"), format_detail(move.rule, key, entries[key].value) or words("none"))
        for key in DETAIL_KEYS
        if key in entries
    ]


def format_detail(rule: Rule, key: str, text: str) -> str:
    """The text of an entry; points by the labels from the rule, such as "Fate: one die at its highest (luck)"."""
    return ", ".join(format_spend(rule, part.strip()) for part in text.split(",")) if key == "spends" else text


def format_spend(rule: Rule, text: str) -> str:
    """The label of a point, followed by the die it is spent on."""
    spends = [spend for spend in rule.spends if spend.label and f"{text.lower()} ".startswith(f"{spend.name} ")]
    if not spends:
        return text
    longest = max(spends, key=lambda spend: len(spend.name))
    die = text[len(longest.name) :].strip()
    return f"{longest.label} ({die})" if die else longest.label


def list_steps(move: Move, words: Words) -> list[StepValue]:
    """The steps whose values are known."""
    boolean_names = find_booleans(move.rule)
    return [
        StepValue(format_name(name), format_value(number, words, name in boolean_names))
        for name, number in move.steps.items()
        if number is not None
    ]


def format_outcome(move: Move, words: Words) -> str:
    """The name of the outcome, or the winner of a contest."""
    if not move.sides:
        return move.outcome or ""
    return words("nobody wins") if move.outcome == "none" else words("wins", name=move.outcome)


def fill_sentence(move: Move, result: Result | None) -> str:
    """The sentence of the outcome; empty if one of its values is not known."""
    if result:
        return describe_outcome(result)
    sentence = next((outcome.says for outcome in move.rule.outcomes if outcome.name == move.outcome), "")
    text = explain_filled(sentence, {**move.steps, "degree": move.degree})
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
        f"{place}.{name}": text for place, side in prefixed_sides(move) for name, text in side_inputs(side).items()
    }
    side_names = {place: side.name for place, side in prefixed_sides(move)}
    return {side_names.get(name, name): chance for name, chance in compute_chances(move.rule, inputs, policy).items()}


def prefixed_sides(move: Move) -> list[tuple[str, Any]]:
    """The sides of a contest with the prefixes of their inputs."""
    return list(zip(CONTEST_SIDES, move.sides, strict=True))


def side_inputs(side: Any) -> Mapping[str, str]:
    texts: Mapping[str, str] = side.bouts[0].move.inputs
    return texts


def build_sides(move: Move, words: Words) -> list[ContestSide]:
    """The data of all sides of a contest."""
    return [
        ContestSide(
            side.name,
            list_input_values(side.bouts[0].move.rule, side_inputs(side), words),
            [
                Bout(group_dice(bout.move.result, words) if bout.move.result else [], format_value(bout.value, words))
                for bout in side.bouts
            ],
            side.name == move.outcome,
        )
        for side in move.sides
    ]


def list_differences(move: Move, words: Words) -> list[str]:
    """Messages for entries whose value differs from the result of the rules."""
    messages = []
    actual = {**move.steps, "outcome": move.outcome, "degree": move.degree, "winner": move.outcome}
    for entry in move.part.entries if move.part else ():
        if entry.key in actual and not is_same_value(entry.value, actual[entry.key]):
            actual_text = words("nothing") if actual[entry.key] is None else format_value(actual[entry.key], words)
            messages.append(words("says but is", name=format_name(entry.key), said=entry.value, real=actual_text))
    return messages


def is_same_value(text: str, actual: Any) -> bool:
    """Whether the text of an entry means this value."""
    normalized = text.strip().lower().replace("−", "-").lstrip("+")
    normalized = {"yes": "1", "true": "1", "no": "0", "false": "0"}.get(normalized, normalized)
    return normalized == str(int(actual) if isinstance(actual, bool) else actual).lower()


class Example(NamedTuple):
    """The scenes of an example and the legend for all of them."""

    scenes: list[Scene]
    legend: list[LegendEntry]


def build_example(checked: CheckedBlock, words: Words) -> Example | None:
    """The data of an example card; None if it was skipped or could not be evaluated."""
    if not checked.moves or checked.status == "skipped":
        return None
    scenes, base = [], checked.moves[0]
    for move in checked.moves:
        scenes.append(build_headed_scene(move, base, words))
        base = base if part_name(move) == "instead" else move
    rolls = [roll.result for move in checked.moves for roll in (move, *list_bout_moves(move)) if roll.result]
    return Example(scenes, build_legend(rolls, words))


def part_name(move: Move) -> str:
    """`then`, `instead`, or empty for the first roll."""
    return move.part.name if move.part else ""


def list_bout_moves(move: Move) -> list[Move]:
    """The rolls of all sides of a contest."""
    return [bout.move for side in move.sides for bout in side.bouts]


def build_headed_scene(move: Move, base: Move, words: Words) -> Scene:
    """A scene with its heading: `instead` lists what it changes; `then` names its rule if that is a different one."""
    inputs = list_input_values(move.rule, move.inputs, words)
    if part_name(move) != "instead":
        is_other_rule = move.rule is not base.rule
        heading = words("then with", rule=move.rule.label) if is_other_rule else words("then")
        return build_scene(move, words, heading if part_name(move) else "", inputs)
    base_inputs = list_input_values(base.rule, base.inputs, words)
    changed = [
        words("setting", name=entry.label, value=entry.value).strip() for entry in inputs if entry not in base_inputs
    ]
    if move.rule.game != base.rule.game:
        folder = move.rule.game.rpartition("/")[2]
        changed.append(words("rules of", game=format_name(folder.replace("-", " ")).capitalize()))
    if move.rule.label != base.rule.label:
        changed.append(move.rule.label)
    changes = ", ".join(changed) or describe_changes(move) or words("other dice")
    return build_scene(move, words, words("what if", changes=changes), no_inputs())


def describe_changes(move: Move) -> str:
    """The traits or points of an `instead`, for a heading that has nothing else to list."""
    entries = move.part.by_key if move.part else {}
    return ", ".join(
        format_detail(move.rule, key, entries[key].value) for key in ("traits", "spends") if key in entries
    )


def no_inputs() -> list[InputValue]:
    """An empty list: the heading lists the changed inputs already."""
    return []

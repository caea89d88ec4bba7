"""Derivations: what was rolled and worked out, row by row: dice of each wave, rolls, rounds, choices, rerolls, steps in
names, in values, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from ...checks.scene import EXAMPLE_KEYS
from ...game.core import AIM, TURN, CoreRule
from ...game.formula import COMPARISONS, Node, collect_names, walk
from ...game.lower import lower_rule, tally_numbers
from ...game.model import Formula, Input, Roll, Rule
from ...play.result import Result
from ...play.roll import Die
from ...play.rounds import value_text
from ..number_format import format_value, localize
from ..strings import Words
from .dice import face_text
from .wording import (
    BOOLEAN_OPERATORS,
    FormulaWriter,
    describe_formula,
    find_single_kinds,
    format_name,
    input_label,
    is_boolean,
    kind_label,
    lowercase_label,
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
    """A row: `parts` are a formula in names, in values, and its result, or dice; `inner` unfolds below it."""

    name: str
    parts: list[str]
    inner: tuple[Derivation, ...] = ()
    what: str = ""  # of its Row, or `round`; empty for the outcome


class Row(NamedTuple):
    """What a row explains, of any roll of a rule.

    A `step`; a question (`ask`); the first dice of some kinds (`dice`), those that dice have earned (`earned`), those
    that were rerolled (`again`); a `roll` of another rule with its rows, whose result is its outcome, or some steps."""

    what: str
    name: str
    kinds: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()
    results: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, str], ...] = ()


def find_rows(rule: Rule, words: Words) -> tuple[Row, ...]:
    """The rows of a rule, in the order in which they become known."""
    return rule.cached(("rows", words), lambda: _RowFinder(rule, lower_rule(rule), words).find())


class _RowFinder(NamedTuple):
    rule: Rule
    core: CoreRule
    words: Words

    def find(self) -> tuple[Row, ...]:
        rows = self.order_rows()
        waves = [row for row in rows if row.what == "dice"]
        for roll in self.rule.rolls:
            for prefix, kinds in zip(roll.prefixes, roll.kinds, strict=True):
                rows = self.fold(rows, roll, prefix, {self.rule.kind_indices[kind] for kind in kinds})
            rows = self.fold_rounds(rows, roll) if roll.rounds else rows
        has_several = len(waves) > 1 or len(rows) < len(self.order_rows())
        return tuple(row for row in rows if has_several or row.what != "dice")

    def order_rows(self) -> list[Row]:
        """All rows in a line; a step where it is worked out last. Steps of a rule with one wave stay as declared."""
        rows = list[Row]()
        for stage in self.core.order:
            numbers = tuple(number for number in stage.of if isinstance(number, int))
            if stage.what == "values":
                names = {str(name): self.row_of(str(name)) for name in stage.of}
                rows = [row for row in rows if row.name not in names or row.what != "step"]
                rows += [row for row in names.values() if row.what == "step" or row not in rows]
            elif stage.what == "dice":
                kinds = " + ".join(kind_label(self.rule, self.rule.dice[number].name) for number in numbers)
                rows.append(Row("dice", kinds, numbers))
            elif stage.what in ("again", "earned") and not any(row.what == stage.what for row in rows):
                rows.append(Row(stage.what, self.words(f"{self.what_happens(stage.what)} row")))
        steps = [Row("step", step.name) for step in self.rule.steps]
        if self.core.is_one_wave and not self.rule.rolls:
            return [*(row for row in rows if row.what != "step"), *self.visible(steps)]
        return self.visible([*rows, *(row for row in steps if row not in rows)])

    def what_happens(self, stage: str) -> str:
        """What a row after the first dice is about: dice that are earned, rerolled, turned or both."""
        taken = {entry.roll for entry in self.core.again if isinstance(entry.roll, str)}
        return stage if stage != "again" or TURN not in taken else "turned" if len(taken) == 1 else "again or turned"

    def row_of(self, name: str) -> Row:
        return Row("ask" if any(entry.name == name for entry in self.rule.declared_inputs) else "step", name)

    def visible(self, rows: Iterable[Row]) -> list[Row]:
        """Without hidden steps, but with those of rolls that the rule itself names."""
        formulas = [step.formula for step in self.core.steps if "." not in step.name]
        formulas += [formula for outcome in self.core.outcomes for formula in (outcome.when, outcome.degree) if formula]
        named = {name for formula in formulas for name in collect_names(formula.node) if "." in name}
        named -= {name for roll in self.rule.rolls for name in roll.functions}
        return [row for row in rows if row.what != "step" or reader_name(self.rule, row.name) or row.name in named]

    def fold(self, rows: list[Row], roll: Roll, prefix: str, kinds: set[int]) -> list[Row]:
        """The rows with those of one roll as a single row, in the place of the last of them."""
        own = [row for row in rows if row.name.startswith(f"{prefix}.") or kinds & {*row.kinds}]
        if not own:
            return rows
        steps = tuple(row.name for row in own if row.what == "step")
        used = {name for step in self.core.steps if step.name in steps for name in collect_names(step.formula.node)}
        results = (
            (f"{prefix}.outcome",)
            if roll.outcomes and not roll.rounds
            else tuple(name for name in steps if name not in used)
        )
        waves = [row for row in own if row.what == "dice"]
        inner = tuple(row for row in own if row.what != "dice" or len(waves) > 1)
        outcomes = () if roll.rounds else roll.outcomes
        one = Row("roll", roll.side or prefix.replace("_", " "), tuple(sorted(kinds)), inner, results, outcomes)
        return _put(rows, own, one)

    def fold_rounds(self, rows: list[Row], roll: Roll) -> list[Row]:
        """The rows with the rounds of a roll in a single row, below which they unfold."""
        for whole in dict.fromkeys(prefix.rpartition("_")[0] for prefix in roll.prefixes):
            names = [prefix.replace("_", " ") for prefix in roll.prefixes if prefix.rpartition("_")[0] == whole]
            rounds = [row for row in rows if row.what == "roll" and row.name in names]
            own = [row for row in rows if row in rounds or row.name.startswith(f"{whole}.")]
            last = tuple(f"{whole}.{name.partition('.')[2]}" for row in rounds[-1:] for name in row.results)
            results = (f"{whole}.outcome",) if roll.outcomes else last
            if own:
                name = whole.replace("_", " ")
                rows = _put(rows, own, Row("roll", name, (), tuple(rounds), results, roll.outcomes))
        return rows


def _put(rows: list[Row], own: list[Row], one: Row) -> list[Row]:
    """The rows with one in the place of the last of some."""
    place = rows.index(own[-1])
    return [row for row in [*rows[:place], one, *rows[place + 1 :]] if row not in own]


def explain_result(rule: Rule, result: Result, words: Words, says: str) -> list[Derivation]:
    """Explains all rounds, dice and steps, the outcome with its sentence, and its degree."""
    leaf = _make_leaf_formatter(rule, result, words)
    return [*explain_rounds(rule, result, words), *_explain_outcome(rule, result, words, leaf, says)]


def explain_rounds(
    rule: Rule, result: Result, words: Words, explainer: type[Explainer] | None = None
) -> list[Derivation]:
    """Explains all rounds, dice and steps, in the words of readers or as `explainer` writes them."""
    write = explainer or Explainer
    earlier = [write(rule, own, words).round_row(is_last=False) for own in result.before]
    last = write(rule, result, words)
    rounds, rows = [*earlier, last.round_row(is_last=True)] if earlier else [], find_rows(rule, words)
    return [*rounds, *last.explain(row for row in rows if row.what != "ask" or not rounds)]


class Explainer:
    """Explains one round of a roll in the words of readers."""

    def __init__(self, rule: Rule, result: Result, words: Words) -> None:
        self.rule, self.result, self.words = rule, result, words
        self.booleans, self.leaf = find_booleans(rule), _make_leaf_formatter(rule, result, words)
        self.core = result.setting.rule

    def explain(self, rows: Iterable[Row], lead: str = "") -> Iterator[Derivation]:
        """The rows that this round has; `lead` is left out of the names of steps."""
        for row in rows:
            if row.what == "step":
                yield Derivation(self.step_name(row.name, lead), self.explain_step(row.name), what=row.what)
            elif row.what == "roll":
                yield from self.explain_roll(row)
            elif text := self.describe(row):
                yield Derivation(self.ask_label(row.name) if row.what == "ask" else row.name, [text], what=row.what)

    def describe(self, row: Row) -> str:
        """What a row without steps says; empty if that was not rolled, or not asked."""
        if row.what == "ask":
            return self.answer(row.name)
        if row.what == "again":
            pairs = [(old, new) for old, new, *_ in self.result.roll.rerolls]
            return ", ".join(f"{self.write_dice([old], True)} → {self.write_dice([new])}" for old, new in pairs)
        is_earned = row.what == "earned"
        dice = [die for die in self.result.roll.dice if die.earned == is_earned]
        return self.write_groups([die for die in dice if is_earned or die.kind in row.kinds])

    def explain_step(self, name: str) -> list[str]:
        formula = next(step.formula for step in self.rule.steps if step.name == name)
        value = format_value(self.result.steps.get(name), self.words, name in self.booleans)
        return _explain_formula(formula, self.rule, self.words, self.leaf, value)

    def explain_roll(self, row: Row) -> Iterator[Derivation]:
        dice = self.write_groups([die for die in self.result.roll.dice if die.kind in row.kinds])
        if row.kinds and not dice:
            return
        found, lead = [(name, self.result.known.get(name)) for name in row.results], f"{row.name}: "
        if row.outcomes:
            texts = [dict(row.outcomes).get(value, value) for _, value in found if value]
        else:
            texts = [f"{self.step_name(name, lead)} {format_value(value, self.words)}" for name, value in found]
        parts = [dice, ", ".join(texts)]
        yield Derivation(row.name, list(filter(None, parts)), tuple(self.explain(row.rows, lead)), row.what)

    def step_name(self, name: str, lead: str) -> str:
        return reader_name(self.rule, name).removeprefix(lead) or format_name(name.rpartition(".")[2])

    def round_row(self, is_last: bool) -> Derivation:
        """The dice of a round, its choices, and what it changes; its steps unfold below it."""
        rows, words = find_rows(self.rule, self.words), self.words
        asked = [(row.name, self.answer(row.name)) for row in rows if row.what == "ask"]
        answers = [
            words("setting", name=lowercase_label(self.ask_label(name), words), value=text)
            for name, text in asked
            if text
        ]
        title = words("round number", number=self.result.setting.round)
        parts = [self.write_groups(self.result.roll.dice), ", ".join([*answers, *self.list_changes()])]
        inner = () if is_last else tuple(self.explain(row for row in rows if row.what != "ask"))
        return Derivation(title, [": ".join(filter(None, parts))], inner, "round")

    def list_changes(self) -> Iterator[str]:
        """What the carried inputs were and are afterwards."""
        for entry in self.rule.inputs:
            if entry.label and entry.name in self.result.carried:
                values = (self.result.setting.values.get(entry.name), self.result.carried[entry.name])
                texts = (localize(value_text(entry, value), self.words) for value in values)
                change = " → ".join(dict.fromkeys(texts))
                label = lowercase_label(self.input_name(entry), self.words)
                yield self.words("setting", name=label, value=change)

    def ask_label(self, name: str) -> str:
        return next(self.input_name(entry) for entry in self.rule.inputs if entry.name == name)

    def input_name(self, entry: Input) -> str:
        return input_label(entry)

    def answer(self, name: str) -> str:
        """What was chosen; empty if the question does not arise."""
        value, entry = self.result.known.get(name), next(own for own in self.rule.inputs if own.name == name)
        if name in self.result.unasked_questions or value is None:
            return ""
        return format_value(value, self.words, True) if entry.form == "flag" else value_text(entry, value)

    def write_groups(self, dice: Iterable[Die]) -> str:
        """Dice by kind and wave, with their kinds if there are several."""
        groups = [list(own) for _, own in groupby(dice, key=lambda die: (die.round, die.kind))]
        is_named = len({own[0].kind for own in groups}) > 1
        return ", ".join(self.write_dice(own, is_named) for own in groups)

    def write_dice(self, dice: list[Die], is_named: bool = False) -> str:
        """The first throws of dice of one kind."""
        texts = [self.write_die(die) for die in dice]
        name = f"{kind_label(self.rule, self.core.kinds[dice[0].kind].name)} " if is_named else ""
        return name + (", " if any(" " in text for text in texts) else " ").join(texts)

    def write_die(self, die: Die) -> str:
        throws, text = die.tries[0] if die.tries else die.rolled, ""
        for number, landing in enumerate(throws):
            sign = "" if not number else " → " if throws[number - 1].is_replaced else "+"
            text += sign + face_text(self.words, self.core.kinds[die.kind], landing.face)
        return text


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
        "rows": list(map(_row_data, find_rows(rule, words))),
        **({"words": shared} if (shared := _words_of_examples(rule)) else {}),
    }


def _words_of_examples(rule: Rule) -> list[str]:
    """The inputs and steps that are called like a word of an example; such an input is written `input dice`."""
    names = {entry.name for entry in rule.inputs} | {step.name for step in rule.steps}
    return sorted(names & {*EXAMPLE_KEYS} - {AIM})


def _row_data(row: Row) -> list[Any]:
    """A row for the roller (`ExplainedRow` in web/engine/parts.d.ts), without what is empty at its end."""
    data = [row.what, row.name, row.kinds, list(map(_row_data, row.rows)), row.results, dict(row.outcomes)]
    while not data[-1]:
        data.pop()
    return data


def _formula_data(formula: Formula, words: Words, rule: Rule) -> list[Any]:
    """A formula in words, and its template if it is readable with values filled in."""
    text, template = describe_formula(formula, words, rule), _find_template(formula, words, rule)
    return [text, *(template or ())]

"""Data of cards that describe a rule in words, a character sheet, or the order of turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from ...checks.model import CheckedBlock
from ...game.formula import Node
from ...game.model import DiceKind, Formula, Outcome, Reroll, Rule, Spend
from ..number_format import join_alternatives
from ..strings import Words
from .card import HEADER_KEYS
from .chips import Chip
from .dice import draw_mark
from .wording import (
    PRECEDENCE,
    FormulaWriter,
    InputDescription,
    describe_formula,
    describe_test,
    format_name,
    input_label,
    list_inputs,
)

_ZERO, _ONE = Node("number", (0,)), Node("number", (1,))
_FACTOR_LEVEL = PRECEDENCE["*"] + 1  # puts a sum in parentheses next to ×


class RuleItem(NamedTuple):
    """A named part of a rule, such as a kind of dice, and its description."""

    name: str
    lines: list[str]


class _RuleSection(NamedTuple):
    heading: str
    items: list[RuleItem]


class RuleDescription(NamedTuple):
    """A rule in words: its inputs and the sections about dice, steps, outcomes and so on."""

    inputs: list[InputDescription]
    sections: list[_RuleSection]


def build_rule(checked: CheckedBlock, words: Words) -> RuleDescription | None:
    return describe_rule(checked.rule, words) if checked.rule else None


def describe_rule(rule: Rule, words: Words) -> RuleDescription:
    """Describes a rule, without empty sections."""
    sections = (
        _RuleSection(words("heading dice"), [_describe_kind(rule, entry, words) for entry in rule.dice]),
        _RuleSection(words("heading again"), [_describe_reroll(rule, entry, words) for entry in rule.rerolls]),
        _RuleSection(
            words("heading steps"),
            [RuleItem(format_name(step.name), [describe_formula(step.formula, words, rule)]) for step in rule.steps],
        ),
        _RuleSection(words("heading outcomes"), [describe_outcome(rule, entry, words) for entry in rule.outcomes]),
        _RuleSection(words("heading spends"), [_describe_spend(rule, entry, words) for entry in rule.spends]),
        _RuleSection(words("heading contest"), list(describe_contest(rule, words))),
    )
    return RuleDescription(list_inputs(rule, words), [section for section in sections if section.items])


def _describe_kind(rule: Rule, kind: DiceKind, words: Words) -> RuleItem:
    """Describes a kind of dice: number, faces, good and bad faces, further throws."""
    lines = [_describe_count(rule, kind, words)]
    if kind.faces:
        faces = [face.replace("-", "−") for face, _ in kind.faces]
        lines.append(words("faces are", faces=join_alternatives(faces, words, "and")))
    if kind.good:
        lines.append(words("counts as good", test=describe_test(kind.good, words)))
    if kind.bad:
        lines.append(words("counts as bad", test=describe_test(kind.bad, words)))
    return RuleItem(format_name(kind.name), [*lines, *_describe_throws(rule, kind, words)])


def _describe_count(rule: Rule, kind: DiceKind, words: Words) -> str:
    """The number of dice of a kind, such as "pool × d10" or "1 × d20, if luck"."""
    die, count = _name_die(rule, kind, words), kind.count.node
    if count == _ZERO:
        return words("dice earned only", die=die)
    if count.op == "if" and count.args[1:] == (_ONE, _ZERO):
        return words("dice if", die=die, test=FormulaWriter(words, frozenset()).write(count.args[0]))
    return words("dice so many", number=FormulaWriter(words, frozenset()).write(count, _FACTOR_LEVEL), die=die)


def _name_die(rule: Rule, kind: DiceKind, words: Words) -> str:
    """The name of a die: "d10", "the attribute die", or a die whose number of sides is a formula."""
    if kind.sides is None:
        return words("die with faces")
    node = kind.sides.node
    if node.op == "number":
        return f"d{node.args[0]}"
    die_inputs = {entry.name for entry in rule.inputs if entry.form == "die"}
    if node.op == "name" and node.args[0] in die_inputs:
        return words("that die", kind=format_name(node.args[0]))
    return words("die of formula", sides=describe_formula(kind.sides, words, rule))


def _describe_throws(rule: Rule, kind: DiceKind, words: Words) -> Iterator[str]:
    """Describes earned dice, exploding dice and which dice are kept."""
    if again := kind.again:
        times = FormulaWriter(words, frozenset(), in_test=True).write(again.times.node, _FACTOR_LEVEL)
        text = words("earns", test=describe_test(again.when, words), number=times, kind=format_name(again.roll))
        yield _mark_optional(text, again.optional, words)
    if kind.explode:
        text = words("explodes", test=describe_test(kind.explode.when, words))
        yield _mark_optional(text, kind.explode.optional, words)
    if keep := kind.keep:
        which = "keep highest" if keep.highest else "keep lowest"
        yield words(which, number=describe_formula(keep.number, words, rule))


def _mark_optional(text: str, when: Formula, words: Words) -> str:
    """Adds to a text that the player may decline the throw, always or under a condition."""
    if when.node.op == "number":
        return words("optional", text=text) if when.node.args[0] else text
    return words("optional when", text=text, test=describe_test(when, words))


def _describe_reroll(rule: Rule, reroll: Reroll, words: Words) -> RuleItem:
    """Describes a reroll: which dice, how often and which result counts."""
    kinds = join_alternatives([format_name(name) for name in reroll.among], words)
    times = describe_formula(reroll.times, words, rule)
    test = describe_test(reroll.when, words) if reroll.when else ""
    which = words(f"reroll {reroll.pick}", kinds=kinds, test=test)
    return RuleItem(which, [words("reroll times", number=times), words(f"keep {reroll.keep}")])


def describe_outcome(rule: Rule, outcome: Outcome, words: Words) -> RuleItem:
    """Describes an outcome: its condition, degree and sentence."""
    lines = [words("otherwise")]
    if outcome.when:  # the first outcome whose condition holds counts
        is_first = outcome is rule.outcomes[0]
        lines = [words("when" if is_first else "when next", test=describe_formula(outcome.when, words, rule))]
    if outcome.degree:
        lines.append(words("degree is", formula=describe_formula(outcome.degree, words, rule)))
    return RuleItem(format_name(outcome.name), [*lines, *([_name_blanks(outcome.says)] if outcome.says else [])])


def _describe_spend(rule: Rule, spend: Spend, words: Words) -> RuleItem:
    """Describes what a point does to a roll, and how many can be spent."""
    lines = [_describe_change(rule, name, formula, words) for name, formula in spend.changes.items()]
    if spend.highest:
        lines.append(
            words("spend highest", kinds=join_alternatives([format_name(kind) for kind in spend.highest], words))
        )
    if spend.traits:
        lines.append(words("spend traits", traits=join_alternatives(list(spend.traits), words)))
    if spend.most:
        lines.append(words("spend most", number=spend.most))
    return RuleItem(spend.label or format_name(spend.name), lines)


def _describe_change(rule: Rule, name: str, formula: Formula, words: Words) -> str:
    """The new value of an input, such as "Spend a dot: yes." or "extra becomes extra + 3"."""
    flag = next((entry for entry in rule.inputs if entry.name == name and entry.form == "flag"), None)
    if flag and formula.node.op == "number":
        return f"{input_label(flag)}: {words('yes' if formula.node.args[0] else 'no')}."
    return words("spend changes", name=format_name(name), formula=describe_formula(formula, words, rule))


def _name_blanks(says: str) -> str:
    """The sentence of an outcome with the names of its values in parentheses."""
    return re.sub(r"\{([^{}]*)\}", lambda match: f"({format_name(match[1])})", says)


def describe_contest(rule: Rule, words: Words) -> Iterator[RuleItem]:
    """Describes the sides of a contest, the winner and ties."""
    if not rule.contest:
        return
    for number, side in enumerate(rule.contest.of, 1):
        yield RuleItem(words(f"side {number}"), [words("plays", rule=side.label)])
    yield RuleItem(words("winner"), [words("higher wins", step=format_name(rule.contest.compare))])
    yield RuleItem(words("tie"), [words(f"tie {rule.contest.ties}")])


_SHEET_KEYS = (*HEADER_KEYS, "sheet", "verdict", "holds")


class CharacterSheet(NamedTuple):
    """A character sheet; `broken` are its violations, and a sheet without any is legal."""

    chips: list[Chip]
    mark: Markup
    verdict: str
    broken: list[str]


class Turn(NamedTuple):
    """A character in the order of turns, with the values that decide its position."""

    name: str
    values: str


def build_sheet(checked: CheckedBlock, words: Words) -> CharacterSheet | None:
    """The data of a character sheet; None if it could not be checked."""
    if checked.sheet is None or checked.status in ("skipped", "error"):
        return None
    entries = checked.block.entries
    traits = [
        Chip("", f"{_strip_quotes(entry.key_span.text)} {entry.value}")
        for entry in entries
        if entry.key not in _SHEET_KEYS
    ]
    if holds := checked.block.get("holds"):
        traits.append(Chip("", words("told holds", what=holds.value)))
    broken = list(checked.violations)
    sign, verdict = ("bad", "sheet broken") if broken else ("good", "sheet legal")
    return CharacterSheet(traits, draw_mark(sign), words(verdict), broken)


def _strip_quotes(key: str) -> str:
    """A name as written, without quotes."""
    return key.strip("\"'")


def build_order(checked: CheckedBlock, _words: Words) -> list[Turn] | None:
    """The characters in their order, each with the values that decide it."""
    phrases = {entry.name: entry.value for entry in checked.block.entries if entry.key == "side"}
    return [Turn(name, phrases.get(name, "")) for name in checked.acting] or None

"""Why a roll has its outcome, in one line: the values that its condition compares, in the words of the game.

Nothing is known of any game here. A condition such as `net > 0` is followed through the steps it names. Branches that
were not taken and terms that are 0 disappear; what is left are dice, and steps that count dice: "4 successes − 2
botches = 2", "5 + 2 = 7 against 4".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ...checks.model import Move
from ...game.formula import COMPARISONS, Node, walk
from ...game.inputs import bind_inputs
from ...game.intervals import Bounds, evaluate_bounds, exact_value
from ...game.lower import lower_rule
from ...game.model import Rule
from ...play.bound_rule import BoundRule, certain_value
from ...play.compiled_rule import CompiledRule, compile_rule
from ..number_format import format_value
from ..strings import Words
from .wording import find_label, lowercase_label, outcome_name, reader_name

_ZERO = Node("number", (0,))
_PLURAL_ENDING = re.compile(r"(?<=ss|ch|sh|ix)es$|(?<!s)s$")


def explain_outcome(move: Move, words: Words) -> str:
    """The values that decided a roll; empty if no numbers did, and for a contest, whose sides show theirs."""
    if move.sides:
        return ""
    reasons = _Reasons(move.rule, _known_values(move), words)
    return next(filter(None, map(reasons.explain_condition, _deciding_conditions(move))), "")


def explain_step(move: Move, name: str, words: Words) -> str:
    """The sum that a step adds up; empty if it is not a sum."""
    reasons = _Reasons(move.rule, _known_values(move), words)
    terms = reasons.expand(reasons.steps[name])
    return reasons.write_sum(terms) if terms and len(terms) > 1 else ""


def explain_compared(move: Move, step: str, value: int, words: Words) -> str:
    """The value that one side of a contest compares; its outcome where the rule replaces the value by a fixed rank."""
    reasons = _Reasons(move.rule, _known_values(move), words)
    node: Node | None = Node("name", (step,))
    while node and node.op in ("name", "if") and node != (following := reasons.follow(node)):
        node = following
    if node and node.op in ("number", "neg") and move.outcome:
        return outcome_name(move.rule, move.outcome)
    return format_value(value, words)


def _known_values(move: Move) -> Mapping[str, Any]:
    """The values of inputs, steps and tallies of dice, as far as they are known."""
    if result := move.result:
        names = [tally.name for tally in result.setting.program.tallies]
        tallies = zip(names, result.tallies, strict=False)
        return {**result.known, **{name: value for name, value in tallies if value is not None}}
    values, _ = bind_inputs(move.rule, move.inputs)
    steps = {name: value for name, value in move.steps.items() if value is not None}
    return {**BoundRule(move.rule, values).known, **steps}


def _deciding_conditions(move: Move) -> Iterator[Node]:
    """The condition of the outcome; for the last outcome, which has none, the comparisons before it that failed."""
    outcomes = lower_rule(move.rule).outcomes
    index = next((number for number, outcome in enumerate(outcomes) if outcome.name == move.outcome), None)
    if index is None:
        return
    own = outcomes[index].when
    if own:
        yield own.node
        return
    failed = (outcome.when.node for outcome in reversed(outcomes[:index]) if outcome.when)
    yield from (node for node in failed if node.op in COMPARISONS)


class _Term(NamedTuple):
    """A term of a sum; `name` is empty for dice and plain numbers, and `is_count` is for a number of dice."""

    value: int
    is_negative: bool
    name: str
    is_count: bool


@dataclass(frozen=True)
class _Reasons:
    """Explains conditions of a rule by the values of one roll."""

    rule: Rule
    known: Mapping[str, Any]
    words: Words

    @cached_property
    def bounds(self) -> Bounds:
        return Bounds({}, {name: exact_value(value) for name, value in self.known.items()}, self.rule.tables)

    @property
    def compiled(self) -> CompiledRule:
        return compile_rule(self.rule)

    @cached_property
    def steps(self) -> dict[str, Node]:
        return {name: formula.node for name, formula in self.compiled.formulas.items()}

    def evaluate(self, node: Node) -> Any:
        """The value of a formula; None if it is not known."""
        names = {inner.args[0] for inner in walk(node) if inner.op in ("name", "tally")}
        return certain_value(evaluate_bounds(node, self.bounds)) if names <= self.known.keys() else None

    def explain_condition(self, node: Node) -> str:
        """The values that a condition compares; empty if there are none to show."""
        if node.op in COMPARISONS:
            return self.explain_comparison(node)
        if node.op == "name" and node.args[0] in self.steps:
            return self.explain_condition(self.steps[node.args[0]])
        if node.op not in ("and", "or", "not"):
            return ""
        holds = bool(self.evaluate(node))
        if node.op == "and" and holds:
            return ", ".join(dict.fromkeys(filter(None, map(self.explain_condition, node.args))))
        decisive = (part for part in node.args if node.op == "not" or bool(self.evaluate(part)) == holds)
        return next(filter(None, map(self.explain_condition, decisive)), "")

    def explain_comparison(self, node: Node) -> str:
        """For example "4 successes − 2 botches = 2", "5 + 2 = 7 against 4", "roll 20"."""
        left, right = node.args
        value, limit = self.evaluate(left), self.evaluate(right)
        terms = self.expand(left)
        if not isinstance(value, int) or not isinstance(limit, int) or terms is None:
            return ""
        is_fixed = right.op in ("number", "neg") and (node.op == "=" or right == _ZERO)
        own = self.term_of(left, value)
        if not own.name and (is_fixed or not terms):
            return ""
        text = self.write_value(own)
        if len(terms) == 1 and terms[0].is_count and abs(terms[0].value) == abs(value):
            text = self.write_value(terms[0])
        elif len(terms) > 1:
            text = f"{self.write_sum(terms)} = {format_value(value, self.words)}"
        other = self.term_of(right, limit)
        against = self.write_value(other) if other.is_count else format_value(limit, self.words)
        return text if is_fixed else self.words("against", first=text, second=against)

    def expand(self, node: Node) -> list[_Term] | None:
        """The terms of a sum that are not 0; None if a value is not known."""
        value = self.evaluate(node)
        if not isinstance(value, int):
            return None
        following = self.follow(node)
        if following != node:
            return self.expand(following)
        if node.op == "neg" and (terms := self.expand(node.args[0])) is not None:
            return [term._replace(is_negative=not term.is_negative) for term in terms]
        if node.op == "+":
            parts = [self.expand(part) for part in node.args]
            return None if None in parts else [term for part in parts for term in part or ()]
        return [self.term_of(node, value)] if value else []

    def follow(self, node: Node) -> Node:
        """What a formula comes down to in this roll: that of its step, or the branch or extreme that was taken."""
        if node.op == "if" and (truth := self.evaluate(node.args[0])) is not None:
            return node.args[1 if truth else 2]  # type: ignore[no-any-return]
        if node.op in ("min", "max"):
            value = self.evaluate(node)
            return next((part for part in node.args if part.op != "number" and self.evaluate(part) == value), node)
        inner = self.steps.get(node.args[0]) if node.op == "name" else None
        if inner is None or self.is_count(node) or inner.op not in ("name", "+", "neg", "if", "min", "max"):
            return node
        stays = inner.op in ("if", "min", "max") and self.follow(inner) in (inner, _ZERO)
        return node if stays else inner

    def is_count(self, node: Node) -> bool:
        """Whether a formula counts dice, or is a step that does."""
        if node.op == "name":
            return node.args[0] in self.steps and self.is_count(self.steps[node.args[0]])
        if node.op == "tally":
            return self.compiled.tallies[int(node.args[0][1:])].function == "count"
        return node.op in ("+", "if") and all(map(self.is_count, node.args))

    def term_of(self, node: Node, value: int) -> _Term:
        """A value with the name of its step or input."""
        name = self.name_of(node.args[0]) if node.op == "name" else ""
        return _Term(value, False, name, bool(name) and self.is_count(node))

    def name_of(self, name: str) -> str:
        if name in self.steps:
            return reader_name(self.rule, name)
        is_input = any(entry.name == name for entry in self.rule.inputs)  # not a part of a die code
        return lowercase_label(find_label(self.rule, name, self.words), self.words) if is_input else ""

    def write_sum(self, terms: list[_Term]) -> str:
        """Terms with their signs; values have names only where dice are counted."""
        has_count = any(term.is_count for term in terms)
        text = ""
        for term in terms:
            is_negative = term.is_negative != (term.value < 0)
            own = term._replace(value=abs(term.value), name=term.name if has_count else "")
            sign = (" − " if is_negative else " + ") if text else "−" if is_negative else ""
            text += sign + self.write_value(own)
        return text

    def write_value(self, term: _Term) -> str:
        """For example "4 successes", "1 success", "attack: 3 hits", "total 17", "7"."""
        number = format_value(term.value, self.words)
        if not term.is_count:
            return f"{term.name} {number}".strip()
        is_one = term.value == 1 and self.words.language.startswith("en")
        roll, colon, name = term.name.rpartition(": ")
        return f"{roll}{colon}{number} {_PLURAL_ENDING.sub('', name) if is_one else name}"

"""How a result came about: each step in words, the same with its values, and what it comes to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ...game.model import Rule
from ...game.result import Result
from ...game.tree import Node
from ..words import Words
from .figures import value
from .formulas import Leaf, is_truth, named, readable


class How(NamedTuple):
    """`parts` say the same in other words, and the last of them is the result."""

    name: str
    parts: list[str]


def derivation(result: Result, words: Words) -> list[How]:
    leaf = values_of(result, words)
    flags = truths(result.rule)
    lines = []
    for name, formula in result.setting.program.formulas.items():
        found = result.steps.get(name)
        parts = [
            readable(formula, words, result.rule),
            readable(formula, words, result.rule, leaf),
            value(found, words, name in flags),
        ]
        lines.append(How(named(name), list(dict.fromkeys(parts))))
    return [*lines, *outcome(result, words, leaf)]


def outcome(result: Result, words: Words, leaf: Leaf) -> list[How]:
    """Why it is this outcome, and where its degree comes from."""
    found = result.outcome
    if found is None:
        return []
    rule, tests = result.rule, [found.when] if found.when else []
    why = [text for test in tests for text in (readable(test, words, rule), readable(test, words, rule, leaf))]
    lines = [How(found.name, list(dict.fromkeys(why)) or [words("otherwise")])]
    if found.degree:
        degree = [readable(found.degree, words, rule), readable(found.degree, words, rule, leaf)]
        lines.append(How(words("degree"), list(dict.fromkeys([*degree, value(result.degree, words)]))))
    return lines


@lru_cache(maxsize=256)
def truths(rule: Rule) -> frozenset[str]:
    """The names whose value is yes or no."""
    steps = {step.name for step in rule.steps if is_truth(step.formula)}
    return frozenset(steps | {entry.name for entry in rule.inputs if entry.form == "flag"})


def values_of(result: Result, words: Words) -> Leaf:
    """What stands in a formula in the place of a name or a count."""
    made, flags = result.setting.program, truths(result.rule)
    places = {tally.name: number for number, tally in enumerate(made.tallies)}

    def leaf(node: Node) -> str | None:
        if node.op == "name":
            return shown(result.known.get(node.args[0]), words, node.args[0] in flags)
        return shown(result.tallies[places[made.tally(node)]], words, False)

    return leaf


def shown(found: Any, words: Words, truth: bool) -> str | None:
    if found is None:
        return None
    if isinstance(found, str):
        return words("quoted", text=found)
    text = value(found, words, truth)
    return f"({text})" if text.startswith("−") else text

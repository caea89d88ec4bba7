"""How a result came about: each step in words, the same with its values, and what it comes to."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from ...game.model import Formula, Rule
from ...game.result import Result
from ...game.tree import COMPARISONS, Node, walk
from ..words import Words
from .figures import value
from .formulas import TRUTHS, Leaf, is_truth, named, readable

BRANCHING = {"if", "word", *TRUTHS} - {*COMPARISONS}  # with values in it, such a formula reads like a riddle


class How(NamedTuple):
    """`parts` say the same in other words, and the last of them is the result."""

    name: str
    parts: list[str]


def derivation(result: Result, words: Words) -> list[How]:
    leaf, flags = values_of(result, words), truths(result.rule)
    steps = [
        How(named(name), both_ways(formula, result, words, leaf, value(result.steps.get(name), words, name in flags)))
        for name, formula in result.setting.program.formulas.items()
    ]
    return [*steps, *outcome(result, words, leaf)]


def both_ways(formula: Formula, result: Result, words: Words, leaf: Leaf, *found: str) -> list[str]:
    """In names, in values where these are easier to follow, and what comes of it; each only once."""
    texts = [readable(formula, words, result.rule)]
    if not any(node.op in BRANCHING for node in walk(formula.node)):
        texts.append(readable(formula, words, result.rule, leaf))
    return list(dict.fromkeys([*texts, *found]))


def outcome(result: Result, words: Words, leaf: Leaf) -> list[How]:
    """Why it is this outcome, and where its degree comes from."""
    found = result.outcome
    if found is None:
        return []
    why = both_ways(found.when, result, words, leaf) if found.when else [words("otherwise")]
    degree = both_ways(found.degree, result, words, leaf, value(result.degree, words)) if found.degree else []
    return [How(found.name, why), *([How(words("degree"), degree)] if degree else [])]


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

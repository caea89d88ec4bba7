"""How a result came about: each step in words, the same with its values, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from typing import Any, NamedTuple

from ...game.model import Formula, Rule
from ...game.program import program
from ...game.result import Result
from ...game.tree import COMPARISONS, Node, walk
from ..gamedata import leaf_data
from ..words import Words
from .figures import value
from .formulas import TRUTHS, Speaker, is_truth, named, readable, single_kinds

BLANK = "\0"  # stands in no formula
BRANCHING = {"if", "word", *TRUTHS} - {*COMPARISONS}  # with values in it, such a formula reads like a riddle

Named = str | int  # a name, or the number of a count over dice
Say = Callable[[Named], str | None]  # its value; None where it is not known


class Blanks(NamedTuple):
    """A formula in words: between two texts stands the value of a leaf."""

    texts: list[str]
    leaves: list[Named]


class How(NamedTuple):
    """`parts` say the same in other words, and the last of them is the result."""

    name: str
    parts: list[str]


def derivation(result: Result, words: Words) -> list[How]:
    say, flags = values_of(result, words), truths(result.rule)
    steps = [
        How(named(name), both_ways(formula, result, words, say, value(result.steps.get(name), words, name in flags)))
        for name, formula in result.setting.program.formulas.items()
    ]
    return [*steps, *outcome(result, words, say)]


def both_ways(formula: Formula, result: Result, words: Words, say: Say, *found: str) -> list[str]:
    """In names, in values where these are easier to follow, and what comes of it; each only once."""
    texts = [readable(formula, words, result.rule)]
    if blanks := with_blanks(formula, words, result.rule):
        texts.append(filled(formula, blanks, result.rule, words, say))
    return list(dict.fromkeys([*texts, *found]))


def outcome(result: Result, words: Words, say: Say) -> list[How]:
    """Why it is this outcome, and where its degree comes from."""
    found = result.outcome
    if found is None:
        return []
    why = both_ways(found.when, result, words, say) if found.when else [words("otherwise")]
    degree = both_ways(found.degree, result, words, say, value(result.degree, words)) if found.degree else []
    return [How(found.name, why), *([How(words("degree"), degree)] if degree else [])]


@lru_cache(maxsize=4096)
def with_blanks(formula: Formula, words: Words, rule: Rule) -> Blanks | None:
    """None for what reads like a riddle with values in it."""
    if any(node.op in BRANCHING for node in walk(formula.node)):
        return None
    made, leaves = program(rule), list[Named]()

    def blank(node: Node) -> str:
        leaves.append(leaf_data(node, made))
        return f"{BLANK}{len(leaves) - 1}{BLANK}"

    parts = Speaker(words, single_kinds(rule), blank).say(formula.node).split(BLANK)
    return Blanks(parts[::2], [leaves[int(number)] for number in parts[1::2]])


def filled(formula: Formula, blanks: Blanks, rule: Rule, words: Words, say: Say) -> str:
    """Where a value is not known, the formula says its own words, perhaps in brackets."""
    values = list(map(say, blanks.leaves))
    if None in values:
        made = program(rule)
        return Speaker(words, single_kinds(rule), lambda node: say(leaf_data(node, made))).say(formula.node)
    return "".join(part for pair in zip_longest(blanks.texts, values) for part in pair if part)


@lru_cache(maxsize=256)
def truths(rule: Rule) -> frozenset[str]:
    """The names whose value is yes or no."""
    steps = {step.name for step in rule.steps if is_truth(step.formula)}
    return frozenset(steps | {entry.name for entry in rule.inputs if entry.form == "flag"})


def values_of(result: Result, words: Words) -> Say:
    """What stands in a formula in the place of a name or a count."""
    flags = truths(result.rule)

    def say(leaf: Named) -> str | None:
        found = result.tallies[leaf] if isinstance(leaf, int) else result.known.get(leaf)
        return shown(found, words, leaf in flags)

    return say


def shown(found: Any, words: Words, truth: bool) -> str | None:
    if found is None:
        return None
    if isinstance(found, str):
        return words("quoted", text=found)
    text = value(found, words, truth)
    return f"({text})" if text.startswith("−") else text

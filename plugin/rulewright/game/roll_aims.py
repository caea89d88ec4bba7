"""Aims of rules that another rule rolls, as settings of that rule: `attack.aim` replaces the aim of the rule rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ..source import Span
from .aims import TAKING, known_outcomes, list_aims, write_goal
from .core import AIM, CoreInput, CoreRule, Expression
from .formula import SET_OPERATIONS, ZERO, Node
from .formula_parser import parse_formula
from .model import Input
from .renamed import as_list, step_formula

AIMS_OF_ROLLS = "aims of rolls"  # the key of these settings in a rule as written


class RollAims(NamedTuple):
    """The aims that may be set for a roll: what it may be, what the names of the parts that follow it begin with, and
    for each of these prefixes what the results of its time begin with, which differs for a rule with rounds."""

    choices: tuple[str, ...]
    prefixes: tuple[str, ...]
    wholes: tuple[str, ...]


def is_choice(entry: Mapping[str, Any]) -> bool:
    """Whether a player chooses dice, or their faces, in an entry of `again`."""
    return entry.get("pick") in ("any", "some") or entry.get("keep") == "better" or entry.get("turn") == "any"


def is_optional(kind: Mapping[str, Any]) -> bool:
    """Whether a player may decline to roll on dice of a kind."""
    return any(entry["optional"].node != ZERO for entry in as_list(kind.get("again", [])))


def find_aims(
    used: Mapping[str, Any], questions: Iterable[Mapping[str, Any]], is_word: Callable[[Node], bool]
) -> tuple[str, ...]:
    """The aims that make a difference for a rule as written that another rule rolls, as these questions stay open."""
    asked = [entry for entry in questions if "default" not in entry]
    steps = {name: step_formula(raw).node for name, raw in used.get("steps", {}).items() if "." not in name}
    kinds = [raw for name, raw in used.get("dice", {}).items() if "." not in name]
    picks = any(map(is_choice, as_list(used.get("again", [])))) or any(node.op == "any_of" for node in steps.values())
    is_yes_or_no = not picks and all("flag" in entry for entry in asked)  # as rule_choices.py asks of the rule itself
    takes = is_yes_or_no and (bool(asked) or any(map(is_optional, kinds)))
    if not used.get("aim") or not (asked or picks):
        return TAKING * takes
    outcomes = used.get("outcomes", {})
    outcomes = {} if any("'" in name for name in outcomes) else outcomes  # formulas cannot name them
    degrees = [name for name, raw in outcomes.items() if "degree" in raw]
    numbers = [name for name, node in steps.items() if node.op not in SET_OPERATIONS and not is_word(node)]
    return TAKING * takes + list_aims(numbers, outcomes, degrees)


def list_roll_aims(raw: Mapping[str, Any], span: Span) -> Iterator[Input]:
    """The aims that may be set for the rolls of a rule as written."""
    for name, aims in raw[AIMS_OF_ROLLS].items():
        yield Input(name, AIM, "", choices=aims.choices, parts=aims.prefixes, wholes=aims.wholes, span=span)


def with_aims(rule: CoreRule, values: Mapping[str, Any]) -> CoreRule:
    """A rule whose rolls choose for the aims among these values."""
    given = [(entry, values[entry.name]) for entry in rule.aims_of_rolls or () if entry.name in values]
    key = tuple((entry.name, text) for entry, text in given)
    return rule.cached((AIM, *key), lambda: _replace_goals(rule, given)) if given else rule


def _replace_goals(rule: CoreRule, given: Iterable[tuple[CoreInput, str]]) -> CoreRule:
    aims = {
        prefix: (text, whole, known_outcomes(entry.choices))
        for entry, text in given
        for prefix, whole in zip(entry.parts, entry.wholes or (), strict=True)
    }
    prefixes = {prefix for entry in rule.aims_of_rolls or () for prefix in entry.parts}

    def goal_of(prefix: str, old: Expression | None) -> Expression | None:
        if not old or prefix not in aims:
            return old
        text, whole, outcomes = aims[prefix]
        asked = [entry.name for entry in rule.inputs if entry.goal and _prefix(entry.name) == prefix]
        goal = write_goal(text, whole, asked, outcomes)
        return Expression(goal, parse_formula(goal))

    def is_taken(name: str, old: bool | None) -> bool | None:
        aim = aims.get(_prefix(name))
        return old if old is None or aim is None else aim[0] != TAKING[1]

    def roll_of(kind: str) -> str:
        """The prefix of the roll whose `again` is about dice of this kind, which may be those of a roll in it."""
        return max((own for own in prefixes if kind.startswith(f"{own}.")), key=len, default="")

    kinds = [replace(kind, taken=is_taken(kind.name, kind.taken)) for kind in rule.kinds]
    rolls = [roll_of(rule.kinds[rule.kinds_of(entry.of)[0]].name) for entry in rule.again]
    return replace(
        rule,
        inputs=tuple(replace(own, goal=goal_of(_prefix(own.name), own.goal)) for own in rule.inputs),
        kinds=tuple(kinds),
        again=tuple(replace(own, goal=goal_of(roll, own.goal)) for roll, own in zip(rolls, rule.again, strict=True)),
        aims_of_rolls=None,
    )


def _prefix(name: str) -> str:
    """What the name of a part of a roll begins with."""
    return name.rpartition(".")[0]

"""Aims of rules that another rule rolls, as settings of that rule: `attack.aim` replaces the aim of the rule rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..source import Span
from .aims import TAKING, list_aims, write_goal
from .core import AIM, ROUND, CoreInput, CoreRule, Expression
from .formula import SET_OPERATIONS, Node
from .formula_parser import parse_formula
from .model import Input
from .renamed import as_list, step_formula

AIMS_OF_ROLLS = "aims of rolls"  # the key of these settings in a rule as written
_NEVER = Node("number", (0,))


def is_choice(entry: Mapping[str, Any]) -> bool:
    """Whether a player chooses dice, or their faces, in an entry of `again`."""
    return entry.get("pick") in ("any", "some") or entry.get("keep") == "better" or entry.get("turn") == "any"


def is_optional(kind: Mapping[str, Any]) -> bool:
    """Whether a player may decline to roll on dice of a kind."""
    return any(entry["optional"].node != _NEVER for entry in as_list(kind.get("again", [])))


def find_aims(
    used: Mapping[str, Any], questions: Iterable[Mapping[str, Any]], is_word: Callable[[Node], bool]
) -> tuple[str, ...]:
    """The aims that make a difference for a rule as written that another rule rolls, as these questions stay open."""
    asked = [entry for entry in questions if "default" not in entry]
    steps = {name: step_formula(raw).node for name, raw in used.get("steps", {}).items() if "." not in name}
    kinds = [raw for name, raw in used.get("dice", {}).items() if "." not in name]
    takes = any(map(is_optional, kinds)) or (bool(asked) and all("flag" in entry for entry in asked))
    picks = [*filter(is_choice, as_list(used.get("again", [])))]
    if not used.get("aim") or not (asked or picks or any(node.op == "any_of" for node in steps.values())):
        return TAKING * takes
    outcomes = used.get("outcomes", {})
    degrees = [name for name, raw in outcomes.items() if "degree" in raw]
    numbers = [name for name, node in steps.items() if node.op not in SET_OPERATIONS and not is_word(node)]
    return TAKING * takes + list_aims(numbers, () if any("'" in name for name in outcomes) else outcomes, degrees)


def list_roll_aims(raw: Mapping[str, Any], span: Span) -> Iterator[Input]:
    """The aims that may be set for the rolls of a rule as written."""
    for name, (aims, prefixes) in raw[AIMS_OF_ROLLS].items():
        yield Input(name, AIM, "", choices=aims, parts=prefixes, span=span)


def with_aims(rule: CoreRule, values: Mapping[str, Any]) -> CoreRule:
    """A rule whose rolls choose for the aims among these values."""
    given = [(entry, values[entry.name]) for entry in rule.aims_of_rolls or () if entry.name in values]
    key = tuple((entry.name, text) for entry, text in given)
    return rule.cached((AIM, *key), lambda: _replace_goals(rule, given)) if given else rule


def _replace_goals(rule: CoreRule, given: Iterable[tuple[CoreInput, str]]) -> CoreRule:
    texts = {prefix: text for entry, text in given for prefix in entry.parts}
    prefixes = {prefix for entry in rule.aims_of_rolls or () for prefix in entry.parts}
    steps = {step.name for step in rule.steps}

    def text_of(name: str) -> tuple[str, str]:
        """What a part of a roll is now chosen for, and the prefix of its roll."""
        prefix = max((own for own in prefixes if name.startswith(f"{own}.")), key=len, default="")
        return texts.get(prefix, ""), prefix

    def goal_of(name: str, old: Expression | None) -> Expression | None:
        text, prefix = text_of(name)
        asked = [entry for entry in rule.inputs if entry.goal and text_of(entry.name)[1] == prefix]
        is_rich = text in TAKING and any(entry.form != "flag" for entry in asked)
        if not old or not text or is_rich or (text in TAKING and all(entry.name != name for entry in asked)):
            return old
        whole = prefix.rpartition("_")[0] if f"{prefix}.{ROUND}" in steps else prefix
        goal = write_goal(text, whole, [entry.name for entry in asked])
        return Expression(goal, parse_formula(goal))

    def is_taken(name: str, old: bool | None) -> bool | None:
        text = text_of(name)[0]
        return text == TAKING[0] if old is not None and text in TAKING else old

    kinds = [replace(kind, taken=is_taken(kind.name, kind.taken)) for kind in rule.kinds]
    names = [rule.kinds[rule.kinds_of(entry.of)[0]].name for entry in rule.again]
    return replace(
        rule,
        inputs=tuple(replace(own, goal=goal_of(own.name, own.goal)) for own in rule.inputs),
        kinds=tuple(kinds),
        again=tuple(replace(own, goal=goal_of(name, own.goal)) for name, own in zip(names, rule.again, strict=True)),
        aims_of_rolls=None,
    )

"""Loads rules that use rules: inputs, dice and steps of a rule that is rolled become parts of the rule that rolls it.

A roll `attack` of a rule with the step `level` brings `attack.level`, its dice `attack.d100`, and what is known of its
result: `attack.outcome` and `attack.degree`. So a rule with rolls is one rule with all its dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..source import suggest
from .core import CoreTable
from .formula import DICE_FUNCTIONS, Node, walk
from .model import Formula, Roll
from .renamed import parse_again
from .result_sets import ResultSetError, find_roll
from .roll_aims import AIMS_OF_ROLLS
from .roll_parts import RawRule, RollReader
from .schema import BROKEN_NODE, KEY, Loader
from .toml import Path, inner_span

_Waiting = tuple[str, Path, RawRule, bool]


def expand_rolls(
    loader: Loader, path: Path, raw: RawRule, rules: Mapping[str, RawRule], tables: Mapping[str, CoreTable]
) -> tuple[RawRule, tuple[Roll, ...]]:
    """A rule with the parts of the rules that it rolls; `rules` are those that it can roll."""
    inputs, dice, steps, rolls = dict[str, Any](), dict[str, Any](), dict[str, Any](), list[Roll]()
    again, aims = list[Any](), dict[str, Any]()
    readers: dict[str, RollReader] = {}
    for name, entry in raw["rolls"].items():
        own: Path = (*path, "rolls", name)
        used = rules.get(entry["rule"])
        if used is None:
            loader.report(
                "roll", (*own, "rule"), f'there is no rule "{entry["rule"]}" to roll; {suggest(entry["rule"], rules)}'
            )
            continue
        known = used.get("inputs", {})
        for given in entry.get("with", {}):
            loader.check_known(
                "roll", (*own, "with", given, KEY), given, known, f"the rule {entry['rule']} has no input"
            )
        place = entry.get("path", (*own, "rule"))
        more_raw = {"rule_formula": loader.parse_formula_at(place, 0, "step"), "rule_path": place}
        own_raw = {**_name_functions(entry, readers), **more_raw}
        reader = readers[name] = RollReader(loader, own, name, own_raw, raw, used, tables)
        more = reader.read()
        others = {part: other for other, one in readers.items() if one is not reader for part in (other, *one.prefixes)}
        if taken := next((others[part] for part in (name, *reader.prefixes) if part in others), ""):
            message = f"the rolls {name} and {taken} have a name in common, as their times and rounds are numbered"
            loader.report("roll", own, f"{message}; give {name} another name, such as {name}_roll")
        inputs, dice, steps, again = inputs | more[0], dice | more[1], steps | more[2], again + more[3]
        aims |= {key: aim for key, aim in reader.aims().items() if key not in inputs}
        kinds = tuple(tuple(f"{prefix}.{kind}" for kind in used.get("dice", {})) for prefix in reader.prefixes)
        outcomes = ((key, one.get("label", key.replace("_", " "))) for key, one in used.get("outcomes", {}).items())
        written = (entry.get("with", {}), entry.get("when"), entry.get("times"))
        rolls.append(
            Roll(
                name, entry["rule"], kinds, reader.prefixes, tuple(outcomes), *written, reader.functions, reader.rounds
            )
        )
    rest = {key: part for key, part in raw.items() if key != "rolls"}
    rest = _replace_functions(rest, readers)
    helpers = {step: own for reader in readers.values() for step, own in reader.helpers.items()}
    expanded = {
        **rest,
        "inputs": {**raw.get("inputs", {}), **inputs},
        "dice": {**raw.get("dice", {}), **dice},
        "steps": {**steps, **helpers, **rest.get("steps", {})},
        "again of rolls": again,
        AIMS_OF_ROLLS: aims,
    }
    return expanded, tuple(rolls)


def find_used(raw: RawRule) -> set[str]:
    """The rules that a rule uses: those that it rolls, and those that declare its inputs."""
    likes = (entry["like"].partition(".")[0] for entry in raw.get("inputs", {}).values() if "like" in entry)
    sides = raw.get("contest", {}).get("of", ())
    return {entry["rule"] for entry in raw.get("rolls", {}).values()}.union(
        likes, (sides,) if isinstance(sides, str) else sides
    )


def order_by_use(waiting: list[_Waiting]) -> list[_Waiting]:
    """Rules after those that they use; in a circle as they are."""
    ordered: list[_Waiting] = []
    while waiting:
        names = {entry[0] for entry in waiting}
        ready = [entry for entry in waiting if not find_used(entry[2]) & names - {entry[0]}] or waiting
        ordered += ready
        waiting = [entry for entry in waiting if entry not in ready]
    return ordered


def fill_likes(loader: Loader, path: Path, raw: RawRule, rules: Mapping[str, RawRule]) -> RawRule:
    """A rule whose inputs are declared in full."""
    inputs = {}
    for name, entry in raw.get("inputs", {}).items():
        if "like" not in entry:
            inputs[name] = entry
            continue
        rule, _, other = entry["like"].partition(".")
        found = rules.get(rule, {}).get("inputs", {}).get(other)
        if found is None:
            known = [f"{owner}.{own}" for owner, data in rules.items() for own in data.get("inputs", {})]
            message = f'there is no input "{entry["like"]}"; {suggest(entry["like"], known)}'
            loader.report("input", (*path, "inputs", name, "like"), message)
        inputs[name] = {
            **(found or {"min": 0, "max": 0}),
            **{key: part for key, part in entry.items() if key != "like"},
        }
    return {**raw, "inputs": inputs} if inputs else raw


def _replace_functions(data: Any, readers: Mapping[str, RollReader]) -> Any:
    """The same data with a name in place of each function over all results of a roll."""
    if isinstance(data, Formula):
        try:
            return replace(data, node=_replace_in(data.node, readers, data.text))
        except ResultSetError as error:
            loader = next(iter(readers.values())).loader
            span = inner_span(data.span, data.text, error.node.start, error.node.end)
            loader.report("formula", (), error.message.rstrip("; "), span)
            return replace(data, node=BROKEN_NODE)
    if isinstance(data, dict):
        return {key: _replace_functions(part, readers) for key, part in data.items()}
    return [_replace_functions(part, readers) for part in data] if isinstance(data, list) else data


def _name_functions(data: Any, readers: Mapping[str, RollReader]) -> Any:
    """The formulas of a roll with names, in their texts too, for functions over all results of the rolls above."""
    if isinstance(data, Formula):
        named: Formula = _replace_functions(data, readers)
        found = [node for node in walk(named.node) if node.op == "name"]
        text = data.text
        for node in sorted(found, key=lambda node: node.start, reverse=True):
            text = text[: node.start] + node.args[0] + text[node.end :]
        return data if text == data.text or named.node is BROKEN_NODE else parse_again(text, data)
    return {key: _name_functions(part, readers) for key, part in data.items()} if isinstance(data, dict) else data


def _replace_in(node: Node, readers: Mapping[str, RollReader], text: str) -> Node:
    if node.op in DICE_FUNCTIONS and isinstance(node.args[0], Node) and node.args[0].op == "set":
        reader = readers.get(node.args[0].args[0])
        if reader and (step := reader.function_name(node, text)):
            return Node("name", (step,), node.start, node.end)
    elif (
        node.op in DICE_FUNCTIONS
        and isinstance(node.args[0], Node)
        and (reader := readers.get(find_roll(node.args[0])))
    ):
        return Node("name", (reader.set_function(node, text),), node.start, node.end)
    args = tuple(_replace_in(arg, readers, text) if isinstance(arg, Node) else arg for arg in node.args)
    return replace(node, args=args)

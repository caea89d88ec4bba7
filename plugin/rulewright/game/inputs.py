"""Parses, binds and formats the values of inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from typing import Any

from ..source import suggest
from .formula import DICE, names_in, walk
from .model import Formula, Input, Rule

YES = {"yes": 1, "true": 1, "no": 0, "false": 0}
CODE = re.compile(r"(\d{1,6})[dD](?:([+-])(\d{1,2}))?", re.ASCII)
Read = tuple[Any, str]  # the value and an error message, which is empty if the value is valid


def read_value(entry: Input, raw: Any) -> Read:
    """Parse a raw value: the value, or None and a message that says what is allowed."""
    text = str(raw).strip().replace("−", "-")
    if isinstance(raw, bool):
        text = "yes" if raw else "no"
    return READERS[entry.form](entry, text)


def read_number(entry: Input, text: str) -> Read:
    value: int | None = None
    if re.fullmatch(r"[+-]?\d{1,16}", text, re.ASCII):
        value = int(text)
    elif entry.names:
        value = {name.lower(): number for name, number in entry.names.names.items()}.get(text.lower())
    if value is None:
        note = suggest(text, entry.names.names if entry.names else ())
        return None, f"{entry.name} is a number from {entry.least} to {entry.most}, not «{text}»; {note}".rstrip("; ")
    if not entry.least <= value <= entry.most:
        return None, f"{entry.name} goes from {entry.least} to {entry.most}, not {text}"
    return value, ""


def read_flag(entry: Input, text: str) -> Read:
    value = YES.get(text.lower())
    return value, "" if value is not None else f"{entry.name} is yes or no, not «{text}»"


def read_choice(entry: Input, text: str) -> Read:
    for choice in entry.choices:
        if choice.lower() == text.lower():
            return choice, ""
    return None, f"{entry.name} cannot be «{text}»; {suggest(text, entry.choices)}"


def read_die(entry: Input, text: str) -> Read:
    plain = "0" if text.lower() == "none" else text.lower().removeprefix("d")
    if plain.isascii() and plain.isdigit() and len(plain) < 9 and int(plain) in entry.dice:
        return int(plain), ""
    return None, f"{entry.name} cannot be «{text}»; known here: {', '.join(map(die_name, entry.dice))}"


def read_code(entry: Input, text: str) -> Read:
    found = CODE.fullmatch(text.replace(" ", ""))
    dice = int(found.group(1)) if found else -1
    pips = int(f"{found.group(2) or ''}{found.group(3) or 0}") if found else -1
    if not found or not 0 <= pips <= 2:
        return None, f"{entry.name} is a die code such as 4D+2 (pips 0 to 2), not «{text}»"
    if not entry.least <= dice <= entry.most:
        return None, f"{entry.name} goes from {entry.least}D to {entry.most}D, not {dice}D"
    return (dice, pips), ""


READERS: dict[str, Callable[[Input, str], Read]] = {
    "number": read_number,
    "flag": read_flag,
    "choice": read_choice,
    "die": read_die,
    "code": read_code,
}


def die_name(sides: int) -> str:
    return f"d{sides}" if sides else "none"


def shown(entry: Input, value: Any) -> str:
    """Format a value as an author would write it."""
    if entry.form == "flag":
        return "yes" if value else "no"
    if entry.form == "die":
        return die_name(value)
    if entry.form == "code":
        return f"{value[0]}D" + (f"+{value[1]}" if value[1] else "")
    return str(value)


def said(rule: Rule, values: Mapping[str, Any], names: Container[str]) -> str:
    """Format the inputs that define these names, as in "pool 4, specialty yes"."""
    meant = [entry for entry in rule.inputs if entry.name in values and any(name in names for name in entry.variables)]
    return ", ".join(f"{entry.name} {shown(entry, values[entry.name])}" for entry in meant)


def bind(rule: Rule, given: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The values of a rule's inputs by name, with defaults; and messages about wrong ones, each with its input.

    An input without a value and without a default is unknown: it is missing from the result."""
    spelled = {entry.name.lower(): entry for entry in rule.inputs}
    values = {entry.name: entry.default for entry in rule.inputs if entry.default is not None}
    complaints = []
    for name, raw in given.items():
        entry = spelled.get(name.lower())
        if entry is None:
            complaints.append((name, f"{rule.name} has no input «{name}»; {suggest(name, spelled)}"))
            continue
        value, complaint = read_value(entry, raw)
        if complaint:
            complaints.append((name, complaint))
        else:
            values[entry.name] = value
    return values, complaints


def variables(rule: Rule, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the names that formulas use: a die code becomes two variables."""
    found: dict[str, Any] = {}
    for entry in rule.inputs:
        if entry.name in values:
            value = values[entry.name]
            found.update(zip(entry.parts, value, strict=True) if entry.parts else ((entry.name, value),))
    return found


def unsettled(inputs: tuple[Input, ...]) -> frozenset[str]:
    """The inputs whose question depends on the roll, so that dice cannot depend on them."""
    plain = {name for entry in inputs if not entry.asked for name in entry.variables}
    return frozenset(entry.name for entry in inputs if entry.asked and not rests_on(entry.asked, plain))


def rests_on(formula: Formula, names: set[str]) -> bool:
    return names_in(formula.node) <= names and not any(node.op in DICE for node in walk(formula.node))

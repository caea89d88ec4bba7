"""Parses, binds and formats the values of inputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Protocol

from ..source import suggest
from .aims import known_outcomes, split_aim
from .core import AIM, PICKED, CoreInput, Expression
from .formula import collect_names, needs_dice

FLAG_WORDS = {"yes": 1, "true": 1, "no": 0, "false": 0}
_NUMBER = re.compile(r"[+-]?\d{1,16}", re.ASCII)
_DIE_CODE = re.compile(r"(\d{1,6})[dD](?:([+-])(\d{1,2}))?", re.ASCII)


class InputOwner(Protocol):
    """A rule, declared or in its core."""

    @property
    def name(self) -> str: ...

    @property
    def inputs(self) -> Sequence[CoreInput]: ...

    @property
    def aims_of_rolls(self) -> Sequence[CoreInput] | None: ...


_ParsedValue = tuple[Any, str]  # the value and an error message, which is empty if the value is valid


def parse_value(entry: CoreInput, raw: Any) -> _ParsedValue:
    """Parse a raw value: the value, or None and a message that says what is allowed."""
    text = str(raw).strip().replace("−", "-")
    if isinstance(raw, bool):
        text = "yes" if raw else "no"
    return _VALUE_PARSERS[entry.form](entry, text)


def _parse_number(entry: CoreInput, text: str) -> _ParsedValue:
    value: int | None = None
    if _NUMBER.fullmatch(text):
        value = int(text)
    elif entry.names:
        value = {name.lower(): number for name, number in entry.names.named_numbers.items()}.get(text.lower())
    if value is None:
        note = suggest(text, entry.names.named_numbers if entry.names else ())
        return None, f'{entry.name} is a number from {entry.least} to {entry.most}, not "{text}"; {note}'.rstrip("; ")
    if not entry.least <= value <= entry.most:
        return None, f"{entry.name} goes from {entry.least} to {entry.most}, not {text}"
    return value, ""


def _parse_flag(entry: CoreInput, text: str) -> _ParsedValue:
    value = FLAG_WORDS.get(text.lower())
    return value, "" if value is not None else f'{entry.name} is yes or no, not "{text}"'


def _parse_choice(entry: CoreInput, text: str) -> _ParsedValue:
    for choice in entry.choices:
        if choice.lower() == text.lower():
            return choice, ""
    return None, f'{entry.name} cannot be "{text}"; {suggest(text, entry.choices)}'


def _parse_die(entry: CoreInput, text: str) -> _ParsedValue:
    sides = "0" if text.lower() == "none" else text.lower().removeprefix("d")
    if sides.isascii() and sides.isdigit() and len(sides) < 9 and int(sides) in entry.dice:
        return int(sides), ""
    return None, f'{entry.name} cannot be "{text}"; known here: {", ".join(map(format_die, entry.dice))}'


def _parse_die_code(entry: CoreInput, text: str) -> _ParsedValue:
    match = _DIE_CODE.fullmatch(text.replace(" ", ""))
    dice = int(match.group(1)) if match else -1
    pips = int(f"{match.group(2) or ''}{match.group(3) or 0}") if match else -1
    if not match or not 0 <= pips <= 2:
        return None, f'{entry.name} is a die code such as 4D+2 (pips 0 to 2), not "{text}"'
    if not entry.least <= dice <= entry.most:
        return None, f"{entry.name} goes from {entry.least}D to {entry.most}D, not {dice}D"
    return (dice, pips), ""


def _parse_picked(_entry: CoreInput, text: str) -> _ParsedValue:
    return " ".join(text.split()), ""  # the dice on the table say what it means


def _parse_aim(entry: CoreInput, text: str) -> _ParsedValue:
    parts = split_aim(text, known_outcomes(entry.choices))
    if parts and all(part in entry.choices for part in parts):
        return " ".join(text.lower().split()), ""
    return None, f'{entry.name} cannot be "{text}"; {suggest(text, entry.choices)}'


_VALUE_PARSERS: dict[str, Callable[[CoreInput, str], _ParsedValue]] = {
    "number": _parse_number,
    "flag": _parse_flag,
    "choice": _parse_choice,
    "die": _parse_die,
    "code": _parse_die_code,
    PICKED: _parse_picked,
    AIM: _parse_aim,
}


def format_die(sides: int) -> str:
    return f"d{sides}" if sides else "none"


def format_value(entry: CoreInput, value: Any) -> str:
    """Format a value as an author would write it."""
    if entry.form == "flag":
        return "yes" if value else "no"
    if entry.form == "die":
        return format_die(value)
    if entry.form == "code":
        return f"{value[0]}D" + (f"+{value[1]}" if value[1] else "")
    return str(value)


def normalize_value(entry: CoreInput, text: str) -> str:
    """A value as the engines read it: numbers without a plus, and with a hyphen for minus; names of numbers stay."""
    value, message = parse_value(entry, text)
    is_name = entry.form == "number" and not _NUMBER.fullmatch(text.strip().replace("−", "-"))
    return text.strip() if message or is_name else format_value(entry, value)


def format_inputs(rule: InputOwner, values: Mapping[str, Any], names: Container[str]) -> str:
    """Format the inputs that define these names, as in "pool 4, specialty yes"."""
    entries = [
        entry for entry in rule.inputs if entry.name in values and any(name in names for name in entry.variable_names)
    ]
    return ", ".join(f"{entry.name} {format_value(entry, values[entry.name])}" for entry in entries)


def bind_inputs(rule: InputOwner, raw_values: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The values of a rule's inputs by name, with defaults; and messages about wrong ones, each with its input.

    An input without a value and without a default is unknown, as is a choice: it is missing from the result."""
    spelled = {entry.name.lower(): entry for entry in (*(rule.aims_of_rolls or ()), *rule.inputs)}
    values = {entry.name: entry.default for entry in rule.inputs if entry.default is not None and not entry.is_choice}
    problems = []
    for name, raw in raw_values.items():
        entry = spelled.get(name.lower())
        if entry is None:
            problems.append((name, f'{rule.name} has no input "{name}"; {suggest(name, spelled)}'))
            continue
        value, message = parse_value(entry, raw)
        if message:
            problems.append((name, message))
        else:
            values[entry.name] = value
    return values, problems


def to_variables(rule: InputOwner, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the names that formulas use: a die code becomes two variables, and picked dice none yet."""
    result: dict[str, Any] = {}
    for entry in rule.inputs:
        if entry.name in values and entry.form != PICKED:
            value = values[entry.name]
            result.update(zip(entry.parts, value, strict=True) if entry.parts else ((entry.name, value),))
    return result


def late_inputs(inputs: Sequence[CoreInput]) -> frozenset[str]:
    """The inputs whose question depends on the roll, so that dice cannot depend on them."""
    known_names = {name for entry in inputs if not entry.asked for name in entry.variable_names}
    return frozenset(entry.name for entry in inputs if entry.asked and not _depends_only_on(entry.asked, known_names))


def _depends_only_on(formula: Expression, names: set[str]) -> bool:
    return collect_names(formula.node) <= names and not needs_dice(formula.node)


def find_late_names(inputs: Sequence[CoreInput], steps: Mapping[str, Expression]) -> dict[str, str]:
    """The inputs whose question depends on the roll, and the steps that rest on them, each with the reason."""
    late = dict.fromkeys(late_inputs(inputs), "it is only asked when the dice are on the table")
    for _ in steps:
        more = [name for name, formula in steps.items() if collect_names(formula.node) & late.keys() - {name}]
        late = {**dict.fromkeys(more, "it rests on an answer that is given when the dice are on the table"), **late}
    return late

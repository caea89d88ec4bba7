"""Chips: the inputs of a roll in a few words each, as a player says them, such as "5 dice" or "difficulty 6"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...game.formula import Node
from ...game.inputs import parse_value
from ...game.model import CONTEST_SIDES, Input, Rule
from ..strings import Words
from .wording import format_input_value, input_label, kind_label, lowercase_label

_ZERO = Node("number", (0,))


class Chip(NamedTuple):
    """The text of a chip; `name` is the input that it sets, "spends" for points, else empty."""

    name: str
    text: str


def list_chips(rule: Rule, texts: Mapping[str, str], words: Words, sides: Sequence[str] = ()) -> list[Chip]:
    """A chip for each input that has a value and something to say, in the order of the rule.

    In a contest those of each side begin with its name.
    """
    if rule.contest:
        names = sides or [words(f"side {number}") for number in (1, 2)]
        return [
            Chip(f"{prefix}.{chip.name}", chip.text if number else words("chip of side", side=name, chip=chip.text))
            for prefix, name, side in zip(CONTEST_SIDES, names, rule.contest.of, strict=False)
            for number, chip in enumerate(list_chips(side, _own_texts(texts, prefix), words))
        ]
    own = [entry for entry in rule.inputs if entry.label and entry.name in texts]
    chips = (Chip(entry.name, _write_chip(rule, entry, texts[entry.name], words)) for entry in own)
    return [chip for chip in chips if chip.text]


def _own_texts(texts: Mapping[str, str], side: str) -> dict[str, str]:
    """The inputs of one side of a contest, without its prefix."""
    return {name.removeprefix(f"{side}."): text for name, text in texts.items() if name.startswith(f"{side}.")}


def _write_chip(rule: Rule, entry: Input, text: str, words: Words) -> str:
    """The words for one input; empty for a flag that does not hold and for a die that is not rolled."""
    value, problem = parse_value(entry, text)
    label = lowercase_label(input_label(entry), words)
    if problem:
        return words("setting", name=label, value=text)
    if entry.form == "flag":
        return label if value else ""
    shown = format_input_value(entry, text, words)
    if entry.form == "number" and shown.isdecimal() and (kind := _counted_kind(rule, entry)) is not None:
        return words("chip die" if value == 1 else "chip dice", number=shown, kind=kind).replace("  ", " ")
    if entry.form in ("die", "code"):
        is_only = sum(other.form == entry.form for other in rule.inputs) == 1
        return "" if not value else shown if is_only else words("chip sides", die=shown, name=label)
    return words("setting", name=label, value=shown)


def _counted_kind(rule: Rule, entry: Input) -> str | None:
    """The kind of dice whose number is this input alone; empty if the rule begins with no other dice."""
    first_kinds = [kind for kind in rule.dice if kind.count.node != _ZERO]
    counted = next((kind for kind in first_kinds if kind.count.node == Node("name", (entry.name,))), None)
    return None if counted is None else kind_label(rule, counted.name) if len(first_kinds) > 1 else ""

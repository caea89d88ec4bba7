"""Throws that end differently, and the settings in which they were looked for, as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..game.model import Rule
from ..game.outline import Worked
from .examples import End
from .grid import RANGES, Axis
from .throws import Table


@dataclass(frozen=True, eq=False)
class Apart:
    """One throw that ends differently."""

    inputs: Mapping[str, str]
    dice: str
    old: End
    new: End


def in_a_row(axis: Axis, values: Sequence[Any]) -> bool:
    if axis.entry.form not in RANGES:
        return False
    numbers = [value[0] if isinstance(value, tuple) else value for value in values]
    return len(values) > 2 and numbers == list(range(numbers[0], numbers[0] + len(values)))


def span(axis: Axis, values: Sequence[Any]) -> str:
    return f"{axis.shown(values[0])} to {axis.shown(values[-1])}"


def ranges(chosen: Sequence[Table], every: Sequence[Axis]) -> dict[str, str]:
    """«1 to 8»: the values of each input that were tried."""
    found = {}
    for axis in every:
        tried = {table.inputs[axis.name] for table in chosen}
        values = [value for value in axis.ordered if value in tried]
        found[axis.name] = span(axis, values) if in_a_row(axis, values) else ", ".join(map(axis.shown, values))
    return found


def ended(rule: Rule, worked: Worked) -> End:
    outcome = worked.outcome.name if worked.outcome else ""
    return End(outcome, worked.degree, {} if rule.outcomes else worked.steps)


def most_dice(chosen: Sequence[Table]) -> int:
    return max((table.dice for table in chosen), default=0)

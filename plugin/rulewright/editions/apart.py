"""Throws that end differently, and the settings in which they were looked for, as they are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..game.model import Rule
from ..game.outline import Worked
from .examples import End
from .grid import RANGES, Axis
from .things import Text, span
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


def ranges(chosen: Sequence[Table], every: Sequence[Axis]) -> dict[str, tuple[Text, ...]]:
    """The values of each input that were tried; those in a row as «1 to 8»."""
    found = dict[str, tuple[Text, ...]]()
    for axis in every:
        tried = {table.inputs[axis.name] for table in chosen}
        values = [value for value in axis.ordered if value in tried]
        every_one = tuple(axis.shown(value) for value in values)
        found[axis.name] = (span(every_one[0], every_one[-1]),) if in_a_row(axis, values) else every_one
    return found


def ended(rule: Rule, worked: Worked) -> End:
    outcome = worked.outcome.name if worked.outcome else ""
    return End(outcome, worked.degree, {} if rule.outcomes else worked.steps)


def most_dice(chosen: Sequence[Table]) -> int:
    return max((table.dice for table in chosen), default=0)

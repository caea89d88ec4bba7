"""Ranges of an input: `pool 1..10`, `difficulty 3..24 by 3`, `die d4 d6 d8`, `difficulty` (all its named values)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ..book.model import Block
from ..book.phrases import Item
from ..game.inputs import die_name, read_value
from ..game.model import Input, Rule
from ..text import Problem
from .model import trouble
from .settings import inputs_of, unknown

RANGE = re.compile(r"(\S+?)\s*\.\.\s*(\S+?)(?:\s+by\s+(\d{1,6}))?", re.ASCII | re.IGNORECASE)
MOST_VALUES = 1_000
LONGEST_LIST = 100  # words of a list of values
Values = tuple[str, ...]


@dataclass(frozen=True)
class Axis:
    """An input and the values that it runs through, as an author would write each."""

    name: str
    values: Values
    item: Item


def read_axis(rule: Rule, item: Item, block: Block) -> tuple[Axis | None, list[Problem]]:
    known = {name.lower(): (name, entry) for name, entry in inputs_of(rule).items()}
    if item.name.lower() not in known:
        message = unknown(rule, item.name, known)
        return None, [trouble(block, "block-key", message, item.name_span)]
    name, entry = known[item.name.lower()]
    alone = item.value_span == item.name_span
    values, complaint = every_value(entry) if alone else values_in(entry, item.value)
    if complaint:
        return None, [trouble(block, "block-value", complaint, item.value_span)]
    return Axis(name, values, item), []


def from_low_to_high(rule: Rule, axis: Axis) -> Axis:
    """The axis with its values by their size, however they were listed; words of a choice have none."""
    entry = inputs_of(rule)[axis.name]
    if entry.form == "choice":
        return axis
    return replace(axis, values=tuple(sorted(axis.values, key=lambda text: read_value(entry, text)[0])))


def every_value(entry: Input) -> tuple[Values, str]:
    """All values that have a name."""
    if entry.form == "flag":
        return ("no", "yes"), ""
    if entry.form == "choice":
        return entry.choices, ""
    if entry.form == "die":
        return tuple(map(die_name, entry.dice)), ""
    if entry.names:
        fitting = [name for name, number in entry.names.names.items() if entry.least <= number <= entry.most]
        return tuple(fitting[:MOST_VALUES]), "" if fitting else f"no named value of {entry.name} is allowed"
    if entry.form == "code":
        return (), f"write the values of {entry.name}: 1D..5D, or a list such as 2D 3D+1"
    return (), f"the values of {entry.name} have no names; write a range, such as {entry.least}..{entry.most}"


def values_in(entry: Input, text: str) -> tuple[Values, str]:
    found = RANGE.fullmatch(text.strip())
    return between(entry, found[1], found[2], found[3]) if found else listed(entry, text)


def between(entry: Input, first: str, last: str, by: str | None) -> tuple[Values, str]:
    low, complaint = read_value(entry, first)
    high, other = read_value(entry, last)
    if complaint or other:
        return (), (complaint or other).rstrip("; ")
    if entry.form in ("flag", "choice"):
        return (), f"{entry.name} has no range; write its values one behind the other"
    if by is not None and (int(by) < 1 or entry.form == "die"):
        return (), "«by» says how far it is from one number to the next, 1 or more"
    values = steps(entry, low, high, int(by or 1))
    if not values:
        return (), f"a range goes from the lower to the higher value: {last}..{first}"
    if len(values) > MOST_VALUES:
        return (), f"these are more than {MOST_VALUES:,} values; leave some out with «by»"
    return values, ""


def steps(entry: Input, low: object, high: object, by: int) -> Values:
    if isinstance(low, tuple) and isinstance(high, tuple):  # die codes, whole dice only
        return tuple(f"{dice}D" for dice in range(low[0], high[0] + 1, by)[: MOST_VALUES + 1])
    assert isinstance(low, int)
    assert isinstance(high, int)
    if entry.form == "die":
        return tuple(die_name(sides) for sides in sorted(entry.dice) if low <= sides <= high)
    return tuple(str(number) for number in range(low, high + 1, by)[: MOST_VALUES + 1])


def listed(entry: Input, text: str) -> tuple[Values, str]:
    """Values one behind the other; a value may be several words long."""
    words = text.split()
    if len(words) > LONGEST_LIST:
        return (), f"a list holds up to {LONGEST_LIST} words"
    values: list[str] = []
    start = 0
    while start < len(words):
        ends = range(len(words), start, -1)
        end = next((end for end in ends if not read_value(entry, " ".join(words[start:end]))[1]), None)
        if end is None:
            return (), read_value(entry, words[start])[1].rstrip("; ")
        values.append(" ".join(words[start:end]))
        start = end
    return tuple(dict.fromkeys(values)), ""

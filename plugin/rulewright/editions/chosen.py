"""Which settings of two rules are looked at, throw by throw: those with few dice, and the usual ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from ..game.inputs import bind
from ..game.python import Stuck
from ..game.setting import Ready, Refused, Setting
from .grid import Axis, usual
from .matching import RulePair
from .throws import Table

MOST_THROWS = 8_000  # that are worked out
MOST_SETTINGS = 4_000
MOST_DICE = 10


def table(pair: RulePair, inputs: Mapping[str, Any]) -> Table | None:
    """Nothing where the editions throw different dice."""
    try:
        old, new = (Setting(rule, own(rule, inputs)) for rule in (pair.old, pair.new))
        before, after = thrown(old), thrown(new)
        kinds = tuple(together(before, after)) if len(before) == len(after) else None
        if kinds is None or any(one.count != other.count or one.face_set != other.face_set for one, other in kinds):
            return None
        found = Table(inputs, old, new, kinds)
        return found if found.plain or found.goes_on else None
    except (Refused, Stuck):
        return None


def own(rule: Any, inputs: Mapping[str, Any]) -> dict[str, Any]:
    values = {entry.name: entry.default for entry in rule.inputs if entry.default is not None}
    return {**values, **{entry.name: inputs[entry.name] for entry in rule.inputs if entry.name in inputs}}


def thrown(setting: Setting) -> list[Ready]:
    return [ready for ready in setting.kinds if ready.count]


def together(before: Sequence[Ready], after: Sequence[Ready]) -> Iterator[tuple[Ready, Ready]]:
    """Kinds by their names, the others by their places."""
    named = {ready.kind.name: ready for ready in after}
    known = {ready.kind.name for ready in before}
    rest = iter([ready for ready in after if ready.kind.name not in known])
    for ready in before:
        other = named.get(ready.kind.name) or next(rest)
        yield ready, other


def tables(pair: RulePair, all_axes: Sequence[Axis]) -> list[Table]:
    """The settings with few dice first, the usual ones before the others."""
    lengths = shortened([len(axis.values) for axis in all_axes])
    settings = product(*(tuple(enumerate(axis.values[:most])) for axis, most in zip(all_axes, lengths, strict=True)))
    ranked = sorted(settings, key=lambda one: sum(place for place, _ in one))
    found = (ranked_table(pair, all_axes, one) for one in ranked)
    return sorted((one for one in found if one and one.dice <= MOST_DICE), key=lambda one: one.dice)


def around(pair: RulePair, all_axes: Sequence[Axis], said: Mapping[str, str]) -> list[Table]:
    """These inputs, the others as usual; then one after the other at all its values. They go before all others."""
    known = {entry.name for entry in pair.old.inputs}
    values, _ = bind(pair.old, {name: text for name, text in said.items() if name in known})
    here = {**usual(all_axes), **{axis.name: values[axis.name] for axis in all_axes if axis.name in said}}
    settings = [here, *({**here, axis.name: value} for axis in all_axes for value in axis.values)]
    every = [found for inputs in settings if (found := table(pair, inputs)) and found.dice <= MOST_DICE]
    return [replace(one, rank=rank - len(every)) for rank, one in enumerate(every)]


def ranked_table(pair: RulePair, all_axes: Sequence[Axis], chosen: Sequence[tuple[int, Any]]) -> Table | None:
    made = table(pair, {axis.name: value for axis, (_, value) in zip(all_axes, chosen, strict=True)})
    return replace(made, rank=sum(place for place, _ in chosen)) if made else None


def shortened(lengths: list[int]) -> list[int]:
    """The longest lists are cut until there are not too many combinations."""
    while prod(lengths) > MOST_SETTINGS:
        lengths[lengths.index(max(lengths))] -= 1
    return lengths


def within_budget(every: Sequence[Table]) -> list[Table]:
    """All settings up to a number of dice; none where not even those with the fewest dice can all be looked at."""
    levels: dict[int, list[Table]] = {}
    for table in every:
        levels.setdefault(table.dice, []).append(table)
    chosen, spent = list[Table](), 0
    for own in levels.values():
        spent += sum(table.size for table in distinct(own))
        if spent > MOST_THROWS:
            break
        chosen += own
    return chosen


def usual_ones(every: Sequence[Table]) -> list[Table]:
    """The most usual settings, whatever their number of dice, as many as can be looked at."""
    chosen, spent = list[Table](), 0
    for table in sorted(distinct(every), key=lambda table: table.rank):
        if spent + table.size <= MOST_THROWS:
            chosen.append(table)
            spent += table.size
    return chosen


def distinct(every: Sequence[Table]) -> list[Table]:
    """One setting for all that end alike, the most usual."""
    found: dict[object, Table] = {}
    for table in every:
        found.setdefault(table.signature, table)
    return list(found.values())

"""Chances before and after: the odds of two editions of a rule side by side, and where they differ most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..game.model import SIDES
from ..game.odds.answer import Chance
from ..game.odds.table import odds_table
from . import contests
from .grid import Axis, as_texts, input_axes
from .matching import RulePair

MOST_GRIDS = 4  # of a rule: what is usual, and one input after the other set to something else
NEIGHBOURS = 1  # of an input, beside what is usual


@dataclass(frozen=True)
class LargestChange:
    """The largest change of a chance, and with which inputs."""

    outcome: str  # as the older edition calls it
    inputs: Mapping[str, str]
    old: Fraction
    new: Fraction

    @property
    def size(self) -> Fraction:
        return abs(self.new - self.old)


@dataclass(frozen=True, eq=False)
class OddsCell:
    row: str
    column: str
    old: Fraction
    new: Fraction


@dataclass(frozen=True, eq=False)
class OddsChange:
    """`cells` are the chances of the outcome that changes most; `asked` says how many settings were looked at."""

    pair: RulePair
    largest: LargestChange | None
    rows: str
    columns: str
    fixed: Mapping[str, str]  # the other inputs where the change is largest
    cells: tuple[OddsCell, ...]
    asked: int
    why: str = ""  # what kept the odds from being compared


@dataclass(frozen=True, eq=False)
class OddsGrid:
    """All chances over two inputs, with the others at one value each."""

    fixed: Mapping[str, Any]
    chances: Mapping[tuple[Any, ...], tuple[Mapping[str, Chance], Mapping[str, Chance]]]


def compare_odds(pairs: Iterable[RulePair]) -> list[OddsChange]:
    return [found for pair in pairs if pair.changed and (found := compare_rule_odds(pair))]


def compare_rule_odds(pair: RulePair) -> OddsChange | None:
    """Nothing for rules that have no chances: plain computations, no outcomes."""
    if pair.old.contest and pair.new.contest:
        return compare_contest_odds(pair)
    if not (pair.old.dice and pair.new.dice and pair.old.outcomes and pair.new.outcomes):
        return None
    every = input_axes(pair.old, pair.new)
    if every is None:
        return OddsChange(pair, None, "", "", {}, (), 0, "inputs")
    table_axes, others = every[:2], every[2:]
    sheets = [found for fixed in input_variations(others) if (found := compute_grid(pair, table_axes, fixed, others))]
    asked = sum(len(one.chances) for one in sheets)
    if not sheets:
        return OddsChange(pair, None, "", "", {}, (), 0, "odds")
    changes = [one for found in sheets for one in chance_differences(pair, table_axes, found, every)]
    if not changes:
        return OddsChange(pair, None, "", "", {}, (), asked)
    largest, where = max(changes, key=lambda one: one[0].size)
    return describe_change(pair, table_axes, largest, where, as_texts(where.fixed, others), asked)


def compare_contest_odds(pair: RulePair) -> OddsChange:
    sides = contests.contest_axes(pair)
    found = contests.contest_chances_in_both(pair, sides) if sides else {}
    if not sides or not found:
        return OddsChange(pair, None, "", "", {}, (), 0, "odds" if sides else "inputs")
    names = [f"{name}.{own[0].name}" if own else "" for name, own in zip(SIDES, sides, strict=True)]
    changes = [
        LargestChange(who, dict(zip(names, key, strict=True)), old[who], new.get(who, Fraction(0)))
        for key, (old, new) in found.items()
        for who in old
        if old[who] != new.get(who)
    ]
    if not changes:
        return OddsChange(pair, None, "", "", {}, (), len(found))
    largest = max(changes, key=lambda one: one.size)
    who = largest.outcome
    shown = tuple(OddsCell(*key, old[who], new.get(who, Fraction(0))) for key, (old, new) in found.items())
    return OddsChange(pair, largest, names[0], names[1], {}, shown, len(found))


def describe_change(
    pair: RulePair, own: Sequence[Axis], largest: LargestChange, where: OddsGrid, fixed: Mapping[str, str], asked: int
) -> OddsChange:
    names = [*(axis.name for axis in own), "", ""][:2]
    return OddsChange(pair, largest, names[0], names[1], fixed, tuple(grid_cells(pair, largest, where)), asked)


def input_variations(others: Sequence[Axis]) -> Iterator[dict[str, Any]]:
    """What is usual; then one input after the other set to its neighbours."""
    normal = {axis.name: axis.usual for axis in others}
    every = [normal, *({**normal, axis.name: value} for axis in others for value in axis.values[1 : NEIGHBOURS + 1])]
    return iter(every[:MOST_GRIDS])


def compute_grid(
    pair: RulePair, own: Sequence[Axis], fixed: Mapping[str, Any], others: Sequence[Axis]
) -> OddsGrid | None:
    """Nothing where one of the editions refuses, or would take too long."""
    said = as_texts(fixed, others)
    columns = {axis.name: [axis.shown(value) for value in axis.ordered] for axis in own}
    found = []
    for rule in (pair.old, pair.new):
        known = {entry.name for entry in rule.inputs}
        table, wrong = odds_table(rule, {name: text for name, text in said.items() if name in known}, columns)
        if wrong:
            return None
        found.append(table)
    return OddsGrid(fixed, {key: (chances, found[1][key]) for key, chances in found[0].items() if key in found[1]})


def chance_differences(
    pair: RulePair, own: Sequence[Axis], found: OddsGrid, every: Sequence[Axis]
) -> Iterator[tuple[LargestChange, OddsGrid]]:
    others = [axis for axis in every[2:] if found.fixed[axis.name] != axis.usual]
    fixed = as_texts(found.fixed, others)
    names = [axis.name for axis in own]
    for key, chances in found.chances.items():
        inputs = {**dict(zip(names, map(str, key), strict=True)), **fixed}
        for name, before, after in outcome_chances(pair, *chances):
            if before != after:
                yield LargestChange(name, inputs, before, after), found


def outcome_chances(
    pair: RulePair, old: Mapping[str, Chance], new: Mapping[str, Chance]
) -> Iterator[tuple[str, Fraction, Fraction]]:
    """The outcomes of both editions with exact chances; one that only one edition has never happens in the other."""
    names = pair.names
    taken = {names.get(name, name) for name in old}
    for name, chance in old.items():
        other = new.get(names.get(name, name))
        if chance.exact is not None and (other is None or other.exact is not None):
            yield name, chance.exact, other.exact if other and other.exact is not None else Fraction(0)
    for name, chance in new.items():
        if name not in taken and chance.exact is not None:
            yield name, Fraction(0), chance.exact


def grid_cells(pair: RulePair, largest: LargestChange, where: OddsGrid) -> Iterator[OddsCell]:
    for key, chances in where.chances.items():
        row, column = [*map(str, key), "", ""][:2]
        for name, before, after in outcome_chances(pair, *chances):
            if name == largest.outcome:
                yield OddsCell(row, column, before, after)

"""Dice that no values of the inputs make possible, found before anybody throws them."""

from __future__ import annotations

from collections.abc import Iterator

from .bounds import Bounds, Range, exactly
from .inputs import shown
from .model import MOST_SIDES, Formula, Input, Kind, Rule
from .program import program
from .ranges import evaluate
from .setting import MOST_DICE

Found = tuple[str, tuple[str, ...], str]  # the kind, the key below it, the complaint


def impossible(rule: Rule) -> Iterator[Found]:
    """Counts, sides and numbers to keep that are always wrong, or wrong where a die may be left out."""
    bounds = program(rule).bounds
    for kind in rule.dice:
        count = known(kind.count, bounds)
        if count.high < 0:
            yield kind.name, ("count",), "there would always be fewer than 0 of these dice"
        if count.low > MOST_DICE:
            yield kind.name, ("count",), f"there would always be more than {MOST_DICE:,} of these dice"
        if kind.keep and known(kind.keep.number, bounds).high < 0:
            which = "highest" if kind.keep.highest else "lowest"
            yield kind.name, ("keep", which), "this would always keep fewer than 0 dice"
        if kind.sides:
            yield from sides(rule, kind, kind.sides, bounds)


def sides(rule: Rule, kind: Kind, formula: Formula, bounds: Bounds) -> Iterator[Found]:
    found = known(formula, bounds)
    if found.high < 1 or found.low > MOST_SIDES:
        yield kind.name, ("sides",), f"a die has 1 to {MOST_SIDES:,} sides"
        return
    for entry in rule.inputs:
        if entry.form == "die" and 0 in entry.dice and missing(entry, kind, formula, bounds):
            said = f"with {entry.name} {shown(entry, 0)} there would be a die without sides"
            yield kind.name, ("sides",), f'{said}; write count = "if({entry.name} > 0, 1, 0)"'


def missing(entry: Input, kind: Kind, formula: Formula, bounds: Bounds) -> bool:
    """Whether dice are thrown although this input says that there is none."""
    none = bounds.with_value(entry.name, exactly(0))
    return known(formula, none).high < 1 <= known(kind.count, none).low


def known(formula: Formula, bounds: Bounds) -> Range:
    found = evaluate(formula.node, bounds)
    assert isinstance(found, Range), "names have been checked"
    return found

"""Dice that would never stop, found before anybody throws them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from .model import Input, Rule
from .nodes import Machine, Place
from .program import input_worths, test_functions
from .python import Stuck
from .ranges import Range
from .setting import Refused, Setting
from .tree import names_in

MOST_TRIES = 400


def endless(rule: Rule) -> Iterator[tuple[str, str]]:
    """Kinds of dice that, for some allowed input, lead to one new die or more for each die."""
    starting = [kind for kind in rule.dice if kind.again or kind.explode]
    for kind in starting:
        for values in islice(combinations(rule), MOST_TRIES):
            try:
                machine = Machine(Setting(rule, values))
                places = machine.reach([Place(rule.kind_numbers[kind.name])])
                ends = machine.ends(places)
            except (Refused, Stuck):
                continue
            if not ends:
                yield kind.name, message(machine, kind.name, values, rule)
                break


def message(machine: Machine, name: str, values: dict[str, Any], rule: Rule) -> str:
    said = ", ".join(f"{key} {value}" for key, value in values.items() if key in deciding(rule))
    place = Place(rule.kind_numbers[name])
    when = f" (with {said})" if said else ""
    if all(branch.onward for branch in machine.branches(place)):
        return f"a {name} die explodes on every face{when}, so it would never come to rest"
    return f"each {name} die earns one new die or more on average{when}, so the throws would never end"


def deciding(rule: Rule) -> set[str]:
    """The names that decide how many dice there will be."""
    formulas = [kind.sides for kind in rule.dice if kind.sides]
    for kind in rule.dice:
        formulas += test_functions(kind).values()
    return set().union(*(names_in(formula.node) for formula in formulas))


def combinations(rule: Rule) -> Iterator[dict[str, Any]]:
    """Values for the inputs that decide; the others stand at some allowed value."""
    deciders = deciding(rule)
    samples = [sample(entry) if deciders & set(entry.variables) else sample(entry)[:1] for entry in rule.inputs]
    names = [entry.name for entry in rule.inputs]
    for values in product(*samples):
        yield dict(zip(names, values, strict=True))


def sample(entry: Input) -> list[Any]:
    """All values of a short list, the ends and some between of a long one."""
    if entry.form == "choice":
        return list(entry.choices)
    if entry.form == "die":
        return [sides for sides in entry.dice if sides] or list(entry.dice)
    if entry.form == "code":
        return [(entry.most, 0), (entry.least, 2)]
    worth = input_worths(entry)[entry.name]
    assert isinstance(worth, Range)
    low, high = int(worth.low), int(worth.high)
    return sorted({high, low, *range(low, high, max(1, (high - low) // 12))}, reverse=True)

"""Sheets: what is required of a character, and which requirements one does not meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .bounds import Bounds, Range, exactly
from .expression import find_trait
from .model import Category, Formula, Game, Sheet, Table
from .ranges import evaluate
from .tree import Node

GROUPS = ("sumof", "numberof")  # what a formula of a sheet asks of a group
EVERY = "specialties"  # the group of all that a character holds
Members = Callable[[str], list[int]]  # the dots of all that belong to a group


@dataclass(frozen=True)
class Character:
    """Traits with their dots, and how many specialties of each kind are held; what is not named has none."""

    dots: Mapping[str, int]
    held: Mapping[str, int] = field(default_factory=dict)


def members(register: Mapping[str, Category], sheet: Sheet, name: str) -> tuple[str, ...] | None:
    """The traits of a group: one of the sheet, a category, a group of traits, or a single trait."""
    if name in sheet.groups:
        parts = [members(register, Sheet(sheet.name, {}, {}, sheet.span), part) or () for part in sheet.groups[name]]
        return tuple(dict.fromkeys(trait for part in parts for trait in part))
    if name in register:
        return register[name].names
    grouped = (category.groups[name] for category in register.values() if name in category.groups)
    found, trait = find_trait(register, name)
    return next(grouped, (trait,) if found else None)


def kinds(register: Mapping[str, Category]) -> list[str]:
    """The kinds of specialties: groups whose members each count as one dot."""
    found = (kind for category in register.values() for kinds in category.specialties.values() for kind in kinds)
    return list(dict.fromkeys([*found, EVERY]))


def known_groups(register: Mapping[str, Category], sheet: Sheet) -> list[str]:
    """Every name that can stand for a group, the widest first."""
    named = [group for category in register.values() for group in category.groups]
    traits = [trait for category in register.values() for trait in category.names]
    return list(dict.fromkeys([*sheet.groups, *register, *named, *kinds(register), *traits]))


def violations(sheet: Sheet, game: Game, who: Character) -> list[str]:
    """The requirements that a character does not meet, in the order declared."""
    dots = dots_by(sheet, game.traits, who)
    return [name for name, formula in sheet.require.items() if not holds(formula, dots, game.tables)]


def dots_by(sheet: Sheet, register: Mapping[str, Category], who: Character) -> Members:
    return lambda name: dots_of(sheet, register, who, name)


def dots_of(sheet: Sheet, register: Mapping[str, Category], who: Character, name: str) -> list[int]:
    traits = members(register, sheet, name)
    if traits is not None:
        return [who.dots.get(trait, 0) for trait in traits]
    number = sum(who.held.values()) if name == EVERY else who.held.get(name, 0)
    return [1] * number


def holds(formula: Formula, dots: Members, tables: Mapping[str, Table]) -> bool:
    bounds = Bounds({}, {}, tables)
    found = evaluate(settled(formula.node, dots, bounds), bounds)
    return isinstance(found, Range) and bool(found.truth)


def settled(node: Node, dots: Members, bounds: Bounds) -> Node:
    """The formula with a number for everything that it asks of a group."""
    if node.op in GROUPS:
        return Node("number", (asked(node, dots, bounds),), node.start, node.end)
    args = tuple(settled(arg, dots, bounds) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end)


def asked(node: Node, dots: Members, bounds: Bounds) -> int:
    """The sum over a group, or how many of it pass the test."""
    values = dots(node.args[0])
    if node.op == "sumof":
        return sum(values)
    test = settled(node.args[1], dots, bounds)
    return sum(count for value, count in Counter(values).items() if passes(test, value, bounds))


def passes(test: Node, dots: int, bounds: Bounds) -> bool:
    found = evaluate(test, bounds.with_value("dots", exactly(dots)))
    return isinstance(found, Range) and bool(found.truth)


def account(formula: Formula, dots: Members, tables: Mapping[str, Table]) -> Iterator[tuple[str, int]]:
    """Everything that a formula asks of a group, as it is written, with the answer."""
    bounds, waiting = Bounds({}, {}, tables), [formula.node]
    while waiting:
        node = waiting.pop(0)
        if node.op in GROUPS:
            yield formula.text[node.start : node.end], asked(node, dots, bounds)
        else:
            waiting += node.nodes()

"""Checks characters against the requirements of a sheet, and sorts participants by a turn order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .formula import Node
from .intervals import Bounds, Range, evaluate, exactly
from .model import Category, Formula, Game, Order, Sheet, Table
from .traits import find_trait

GROUPS = ("sumof", "numberof")  # the functions of a sheet's formulas over a group
EVERY = "specialties"  # the group of all specialties of a character
Members = Callable[[str], list[int]]  # maps a group to the dots of its members


@dataclass(frozen=True)
class Character:
    """The dots of each trait, and the number of specialties of each kind; the default is 0."""

    dots: Mapping[str, int]
    held: Mapping[str, int] = field(default_factory=dict)


def members(register: Mapping[str, Category], sheet: Sheet, name: str) -> tuple[str, ...] | None:
    """The traits of a group of the sheet, a category, a group of traits or a single trait; None if unknown."""
    if name in sheet.groups:
        parts = [members(register, Sheet(sheet.name, {}, {}, sheet.span), part) or () for part in sheet.groups[name]]
        return tuple(dict.fromkeys(trait for part in parts for trait in part))
    if name in register:
        return register[name].names
    grouped = (category.groups[name] for category in register.values() if name in category.groups)
    found, trait = find_trait(register, name)
    return next(grouped, (trait,) if found else None)


def kinds(register: Mapping[str, Category]) -> list[str]:
    """The kinds of specialties; each specialty counts as one dot."""
    found = (kind for category in register.values() for kinds in category.specialties.values() for kind in kinds)
    return list(dict.fromkeys([*found, EVERY]))


def known_groups(register: Mapping[str, Category], sheet: Sheet) -> list[str]:
    """All names of groups, the widest first."""
    named = [group for category in register.values() for group in category.groups]
    traits = [trait for category in register.values() for trait in category.names]
    return list(dict.fromkeys([*sheet.groups, *register, *named, *kinds(register), *traits]))


def violations(sheet: Sheet, game: Game, who: Character) -> list[str]:
    """The requirements that a character does not meet, in order of declaration."""
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
    """The formula with each function over a group replaced by its value."""
    if node.op in GROUPS:
        return Node("number", (asked(node, dots, bounds),), node.start, node.end)
    args = tuple(settled(arg, dots, bounds) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end)


def asked(node: Node, dots: Members, bounds: Bounds) -> int:
    """The value of a function over a group: the sum of its dots, or the number of members that pass the test."""
    values = dots(node.args[0])
    if node.op == "sumof":
        return sum(values)
    test = settled(node.args[1], dots, bounds)
    return sum(count for value, count in Counter(values).items() if passes(test, value, bounds))


def passes(test: Node, dots: int, bounds: Bounds) -> bool:
    found = evaluate(test, bounds.with_value("dots", exactly(dots)))
    return isinstance(found, Range) and bool(found.truth)


def account(formula: Formula, dots: Members, tables: Mapping[str, Table]) -> Iterator[tuple[str, int]]:
    """The text and value of each function over a group in a formula."""
    bounds, waiting = Bounds({}, {}, tables), [formula.node]
    while waiting:
        node = waiting.pop(0)
        if node.op in GROUPS:
            yield formula.text[node.start : node.end], asked(node, dots, bounds)
        else:
            waiting += node.nodes()


Ranks = dict[str, tuple[int, ...]]  # sort keys by name, ascending


@dataclass(frozen=True)
class Participant:
    """A participant with values for the keys of an order: numbers, booleans, the name of a team."""

    name: str
    values: Mapping[str, Any]
    until: str = ""  # the participant to wait for


def arranged(order: Order, all_of_them: Sequence[Participant], wish: Sequence[str] = ()) -> list[str]:
    """The names in the order in which they act; ties are resolved by `wish`, then by position in the list."""
    acting = [one for one in all_of_them if not barred(order, one)]
    wished = {name: place for place, name in enumerate(wish)}
    listed = {one.name: wished.get(one.name, len(wished) + place) for place, one in enumerate(acting)}
    if order.alternate:
        return list(by_turns(order, acting, listed))
    ranks = {one.name: (*(rank(order, one, key) for key in order.keys), listed[one.name]) for one in acting}
    return list(one_by_one(acting, ranks))


def barred(order: Order, one: Participant) -> str:
    """The key that keeps a participant from acting; empty if none does."""
    return next((key for key in order.out if one.values.get(key)), "")


def rank(order: Order, one: Participant, key: str) -> int:
    """The sort key for one key of an order: numbers ascending, yes before no; reversed for a key with a minus."""
    value = one.values.get(key, 0)
    upward = -value if isinstance(value, bool) else int(value)
    return -upward if key in order.downward else upward


def one_by_one(acting: Sequence[Participant], ranks: Ranks) -> Iterator[str]:
    pending = sorted(acting, key=lambda one: ranks[one.name])
    done: set[str] = set()
    while pending:
        one = next((one for one in pending if free(one, done, pending)), pending[0])
        pending.remove(one)
        done.add(one.name)
        yield one.name


def free(one: Participant, done: set[str], pending: Sequence[Participant]) -> bool:
    """Whether a participant can act now; waiting for one that is not pending has no effect."""
    return not one.until or one.until in done or all(one.until != other.name for other in pending)


def by_turns(order: Order, acting: Sequence[Participant], listed: Mapping[str, int]) -> Iterator[str]:
    """Teams take turns, the best first, with one member per turn; teams without pending members are skipped."""
    pending = {team: list(members) for team, members in teams(order, acting, listed)}
    done: set[str] = set()
    everybody = list(acting)
    while everybody:
        before = len(everybody)
        for members in pending.values():
            able = [one for one in members if free(one, done, everybody)]
            if able:
                one = min(able, key=lambda one: listed[one.name])
                members.remove(one)
                everybody.remove(one)
                done.add(one.name)
                yield one.name
        if len(everybody) == before:  # all wait for each other
            yield from (one.name for one in everybody)
            return


def teams(
    order: Order, acting: Sequence[Participant], listed: Mapping[str, int]
) -> list[tuple[str, list[Participant]]]:
    """The teams with their members, sorted by the best value of any member for each key."""
    found: dict[str, list[Participant]] = {}
    for one in acting:
        found.setdefault(str(one.values.get(order.alternate, "")).lower(), []).append(one)
    ranks = {
        team: (
            *(min(rank(order, one, key) for one in members) for key in order.keys),
            min(listed[one.name] for one in members),
        )
        for team, members in found.items()
    }
    return sorted(found.items(), key=lambda entry: ranks[entry[0]])

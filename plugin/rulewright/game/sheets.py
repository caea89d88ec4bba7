"""Checks characters against the requirements of a sheet, and sorts participants by a turn order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .core import Category
from .formula import Node
from .intervals import Bounds, Interval, evaluate_bounds, exact_value
from .model import Formula, Game, Order, Sheet, Table
from .traits import find_trait

GROUP_FUNCTIONS = ("sumof", "numberof")  # the functions of a sheet's formulas over a group
_ALL_SPECIALTIES = "specialties"  # the group of all specialties of a character
_GroupDots = Callable[[str], list[int]]  # maps a group to the dots of its members


@dataclass(frozen=True)
class Character:
    """The dots of each trait, and the number of specialties of each kind; the default is 0."""

    dots: Mapping[str, int]
    specialty_counts: Mapping[str, int] = field(default_factory=dict)


def group_members(categories: Mapping[str, Category], sheet: Sheet, name: str) -> tuple[str, ...] | None:
    """The traits of a group of the sheet, a category, a group of traits or a single trait; None if unknown."""
    if name in sheet.groups:
        parts = [
            group_members(categories, Sheet(sheet.name, {}, {}, sheet.span), part) or () for part in sheet.groups[name]
        ]
        return tuple(dict.fromkeys(trait for part in parts for trait in part))
    if name in categories:
        return categories[name].names
    grouped = (category.groups[name] for category in categories.values() if name in category.groups)
    category_found, trait = find_trait(categories, name)
    return next(grouped, (trait,) if category_found else None)


def specialty_kinds(categories: Mapping[str, Category]) -> list[str]:
    """The kinds of specialties; each specialty counts as one dot."""
    kind_names = (kind for category in categories.values() for kinds in category.specialties.values() for kind in kinds)
    return list(dict.fromkeys([*kind_names, _ALL_SPECIALTIES]))


def group_names(categories: Mapping[str, Category], sheet: Sheet) -> list[str]:
    """All names of groups, the widest first."""
    named = [group for category in categories.values() for group in category.groups]
    traits = [trait for category in categories.values() for trait in category.names]
    return list(dict.fromkeys([*sheet.groups, *categories, *named, *specialty_kinds(categories), *traits]))


def find_violations(sheet: Sheet, game: Game, character: Character) -> list[str]:
    """The requirements that a character does not meet, in order of declaration."""
    dots = group_dots_of(sheet, game.traits, character)
    return [name for name, formula in sheet.require.items() if not _is_met(formula, dots, game.tables)]


def group_dots_of(sheet: Sheet, categories: Mapping[str, Category], character: Character) -> _GroupDots:
    return lambda name: _find_group_dots(sheet, categories, character, name)


def _find_group_dots(sheet: Sheet, categories: Mapping[str, Category], character: Character, name: str) -> list[int]:
    traits = group_members(categories, sheet, name)
    if traits is not None:
        return [character.dots.get(trait, 0) for trait in traits]
    number = (
        sum(character.specialty_counts.values())
        if name == _ALL_SPECIALTIES
        else character.specialty_counts.get(name, 0)
    )
    return [1] * number


def _is_met(formula: Formula, dots: _GroupDots, tables: Mapping[str, Table]) -> bool:
    bounds = Bounds({}, {}, tables)
    result = evaluate_bounds(_replace_group_functions(formula.node, dots, bounds), bounds)
    return isinstance(result, Interval) and bool(result.truth)


def _replace_group_functions(node: Node, dots: _GroupDots, bounds: Bounds) -> Node:
    """The formula with each function over a group replaced by its value."""
    if node.op in GROUP_FUNCTIONS:
        return Node("number", (_evaluate_group_function(node, dots, bounds),), node.start, node.end)
    args = tuple(_replace_group_functions(arg, dots, bounds) if isinstance(arg, Node) else arg for arg in node.args)
    return Node(node.op, args, node.start, node.end)


def _evaluate_group_function(node: Node, dots: _GroupDots, bounds: Bounds) -> int:
    """The value of a function over a group: the sum of its dots, or the number of members that pass the test."""
    values = dots(node.args[0])
    if node.op == "sumof":
        return sum(values)
    test = _replace_group_functions(node.args[1], dots, bounds)
    return sum(count for value, count in Counter(values).items() if _passes_test(test, value, bounds))


def _passes_test(test: Node, dots: int, bounds: Bounds) -> bool:
    result = evaluate_bounds(test, bounds.with_value("dots", exact_value(dots)))
    return isinstance(result, Interval) and bool(result.truth)


def list_group_values(formula: Formula, dots: _GroupDots, tables: Mapping[str, Table]) -> Iterator[tuple[str, int]]:
    """The text and value of each function over a group in a formula."""
    bounds, queue = Bounds({}, {}, tables), [formula.node]
    while queue:
        node = queue.pop(0)
        if node.op in GROUP_FUNCTIONS:
            yield formula.text[node.start : node.end], _evaluate_group_function(node, dots, bounds)
        else:
            queue += node.child_nodes()


_SortKeys = dict[str, tuple[int, ...]]  # sort keys by name, ascending


@dataclass(frozen=True)
class Participant:
    """A participant with values for the keys of an order: numbers, booleans, the name of a team."""

    name: str
    values: Mapping[str, Any]
    waits_for: str = ""  # the participant to wait for


def sort_participants(order: Order, participants: Sequence[Participant], preferred: Sequence[str] = ()) -> list[str]:
    """The names in the order in which they act; ties are resolved by `wish`, then by position in the list."""
    acting = [participant for participant in participants if not find_excluding_key(order, participant)]
    preferred_positions = {name: place for place, name in enumerate(preferred)}
    positions = {
        participant.name: preferred_positions.get(participant.name, len(preferred_positions) + place)
        for place, participant in enumerate(acting)
    }
    if order.team_key:
        return list(_order_by_teams(order, acting, positions))
    ranks = {
        participant.name: (*(_sort_key(order, participant, key) for key in order.keys), positions[participant.name])
        for participant in acting
    }
    return list(_order_singly(acting, ranks))


def find_excluding_key(order: Order, participant: Participant) -> str:
    """The key that keeps a participant from acting; empty if none does."""
    return next((key for key in order.excluding_keys if participant.values.get(key)), "")


def _sort_key(order: Order, participant: Participant, key: str) -> int:
    """The sort key for one key of an order: numbers ascending, yes before no; reversed for a key with a minus."""
    value = participant.values.get(key, 0)
    upward = -value if isinstance(value, bool) else int(value)
    return -upward if key in order.descending else upward


def _order_singly(acting: Sequence[Participant], ranks: _SortKeys) -> Iterator[str]:
    pending = sorted(acting, key=lambda candidate: ranks[candidate.name])
    done: set[str] = set()
    while pending:
        one = next((one for one in pending if _can_act(one, done, pending)), pending[0])
        pending.remove(one)
        done.add(one.name)
        yield one.name


def _can_act(participant: Participant, done: set[str], pending: Sequence[Participant]) -> bool:
    """Whether a participant can act now; waiting for one that is not pending has no effect."""
    return (
        not participant.waits_for
        or participant.waits_for in done
        or all(participant.waits_for != other.name for other in pending)
    )


def _order_by_teams(order: Order, acting: Sequence[Participant], positions: Mapping[str, int]) -> Iterator[str]:
    """Teams take turns, the best first, with one member per turn; teams without pending members are skipped."""
    pending = {team: list(members) for team, members in _sort_teams(order, acting, positions)}
    done: set[str] = set()
    waiting = list(acting)
    while waiting:
        before = len(waiting)
        for members in pending.values():
            able = [candidate for candidate in members if _can_act(candidate, done, waiting)]
            if able:
                one = min(able, key=lambda one: positions[one.name])
                members.remove(one)
                waiting.remove(one)
                done.add(one.name)
                yield one.name
        if len(waiting) == before:  # all wait for each other
            yield from (candidate.name for candidate in waiting)
            return


def _sort_teams(
    order: Order, acting: Sequence[Participant], positions: Mapping[str, int]
) -> list[tuple[str, list[Participant]]]:
    """The teams with their members, sorted by the best value of any member for each key."""
    members_by_team: dict[str, list[Participant]] = {}
    for participant in acting:
        members_by_team.setdefault(str(participant.values.get(order.team_key, "")).lower(), []).append(participant)
    ranks = {
        team: (
            *(min(_sort_key(order, member, key) for member in members) for key in order.keys),
            min(positions[member.name] for member in members),
        )
        for team, members in members_by_team.items()
    }
    return sorted(members_by_team.items(), key=lambda entry: ranks[entry[0]])

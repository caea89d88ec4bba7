"""Dice that lie and are rolled again, as entries of the rule say: from one state to the states after it.

A state says how many dice show each face of the kinds that may be rolled again. Faces that nothing tells apart count
as one, so there are few states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game.core import CoreRule, Reroll
from .budget import Budget, NotExactError
from .fold import ZERO, constant, is_number, substitute
from .rule_facts import entry_kinds
from .unroll import Member, OrderMattersError, Unroller

if TYPE_CHECKING:
    from .walk_frames import Frame, Setup

_Counts = tuple[int, ...]
States = dict[_Counts, int]
Able = Callable[[_Counts], _Counts]  # how many dice of each class an entry may take


class DiceClass(NamedTuple):
    """Dice that show one face: the name of their number, what the entry asks, and how likely a die shows it."""

    name: str
    group: tuple[int, int]  # its kind, and when it was rolled
    value: int
    meets: bool
    weight: int


def roll_again(
    entry: Reroll,
    classes: Sequence[DiceClass],
    times: int,
    known: Mapping[str, Any],
    budget: Budget,
    able: Able | None = None,
) -> tuple[dict[tuple[tuple[str, Any], ...], int], int]:
    """The states after an entry, as what is known there, with weights; and the weight of everything."""
    states: States = {tuple([int(known[own.name]) for own in classes]): 1}
    whole = 1
    sides = {own.group: sum(other.weight for other in classes if other.group == own.group) for own in classes}
    for _ in range(max(times, 0)):
        after: States = {}
        for state, weight in states.items():
            roll, spent = _roll_all if entry.pick == "all" else _roll_one, 0
            for new, share in roll(entry, classes, state, sides, able(state) if able else state):
                after[new] = after.get(new, 0) + weight * share
                spent += 1
            budget.spend(4 * spent)
        states = after
        dice = dict.fromkeys(sides, 0)
        for own, amount in zip(classes, next(iter(states)), strict=True):
            dice[own.group] += amount
        for group, total in sides.items():
            whole *= total ** (dice[group] if entry.pick == "all" else 1)
    names = [own.name for own in classes]
    return {tuple(zip(names, state, strict=True)): weight for state, weight in states.items()}, whole


def find_dice(
    setup: Setup, frame: Frame, known: Mapping[str, Any], entry: Reroll, left: int
) -> tuple[list[DiceClass], Able | None]:
    """The dice that an entry of the rule may roll again; those that a set picks are told for one pick only."""
    unroller = Unroller(setup.rule, setup.constants, frame.tables, frame.domains, setup.eager)
    classes = list(_find_classes(setup.rule, entry, frame.tables, known, unroller))
    if setup.rule.is_whole(entry.of):
        return classes, None
    if left > 1:
        raise NotExactError("picked dice are told apart after they have been rolled again")
    return classes, _find_able(setup.rule, entry, classes, known, unroller)


def _find_able(
    rule: CoreRule, entry: Reroll, classes: Sequence[DiceClass], known: Mapping[str, Any], unroller: Unroller
) -> Able:
    """How many dice of each class are in the set of an entry, by how many there are."""
    try:
        sizes = list(unroller.sizes(unroller.dice(entry.of, {})))
    except OrderMattersError as error:
        raise NotExactError("equal dice of a kind are told apart") from error
    by_name = {unroller.members[number].number.args[0]: size for number, size in sizes}
    nodes = [by_name.get(own.name, ZERO) for own in classes]

    def able(counts: _Counts) -> _Counts:
        values = {**known, **{own.name: count for own, count in zip(classes, counts, strict=True)}}
        found = [substitute(node, values, rule.tables) for node in nodes]
        if not all(map(is_number, found)):
            raise NotExactError("it is not known which dice are rolled again")
        return tuple([int(node.args[0]) for node in found])

    return able


def _find_classes(
    rule: CoreRule, entry: Reroll, tables: Mapping[int, Sequence[Member]], known: Mapping[str, Any], unroller: Unroller
) -> Iterator[DiceClass]:
    when = entry.when.node if entry.when else constant(1)
    for kind in entry_kinds(rule, entry):
        for member in tables[kind]:
            if member.number.op != "name":
                raise NotExactError("the number of these dice is not known")
            meets = substitute(unroller.formula(when, member.words, {}), known, rule.tables)
            value = member.words["value"]
            if not is_number(meets) or not is_number(value):
                raise NotExactError("it is not known which dice are rolled again")
            yield DiceClass(
                str(member.number.args[0]), (kind, member.since), int(value.args[0]), bool(meets.args[0]), member.weight
            )


def replaces(kept: str, old: DiceClass, new: DiceClass) -> bool:
    """Whether a new face takes the place of the old one."""
    return {"new": True, "higher": new.value > old.value, "lower": new.value < old.value}[kept]


def _roll_all(
    entry: Reroll, classes: Sequence[DiceClass], state: _Counts, sides: Mapping[Any, int], able: _Counts
) -> Iterator[tuple[_Counts, int]]:
    """All dice that meet the test, once; weights over all dice of these kinds."""
    rolled = [dice if own.meets else 0 for own, dice in zip(classes, able, strict=True)]
    stay, whole = tuple([a - b for a, b in zip(state, rolled, strict=True)]), 1
    for own, dice in zip(classes, stay, strict=True):
        whole *= sides[own.group] ** dice
    states: States = {stay: whole}
    for number, (own, dice) in enumerate(zip(classes, rolled, strict=True)):
        if not dice:
            continue
        shares = [0] * len(classes)
        for place, new in enumerate(classes):
            if new.group == own.group:
                shares[place if replaces(entry.keep, own, new) else number] += new.weight
        rolls = dict(spread(dice, shares))
        after: States = {}
        for old, weight in states.items():
            for more, share in rolls.items():
                key = tuple([a + b for a, b in zip(old, more, strict=True)])
                after[key] = after.get(key, 0) + weight * share
        states = after
    yield from states.items()


def spread(dice: int, shares: Sequence[int]) -> Iterator[tuple[_Counts, int]]:
    """How many of some dice fall on each class, with weights."""
    for taken in combinations_with_replacement([place for place, share in enumerate(shares) if share], dice):
        counts, weight = [0] * len(shares), 1
        for number, place in enumerate(taken, 1):
            counts[place] += 1
            weight = weight * shares[place] * number // counts[place]
        yield tuple(counts), weight


def _roll_one(
    entry: Reroll, classes: Sequence[DiceClass], state: _Counts, sides: Mapping[Any, int], able: _Counts
) -> Iterator[tuple[_Counts, int]]:
    """The highest or lowest die that meets the test; of equal ones the first in `of`."""
    whole = 1
    for total in sides.values():
        whole *= total
    there = [place for place, own in enumerate(classes) if able[place] and own.meets]
    if not there:
        yield state, whole
        return
    best = (max if entry.pick == "highest" else min)(there, key=lambda place: classes[place].value)
    own = classes[best]
    if any(
        place != best and classes[place].group == own.group and classes[place].value == own.value for place in there
    ):
        raise NotExactError("equal dice of a kind are told apart")
    for place, new in enumerate(classes):
        if new.group == own.group:
            counts = list(state)
            counts[best] -= 1
            counts[place if replaces(entry.keep, own, new) else best] += 1
            yield tuple(counts), new.weight * (whole // sides[own.group])

"""Dice that lie and are rolled again, as entries of the rule say.

A state says how many dice show each face of the kinds that may be rolled again. Faces that nothing tells apart count
as one, so there are few states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game.core import CoreRule, Reroll
from .budget import NotExactError
from .fold import ZERO, constant, is_number, substitute
from .rule_facts import entry_kinds
from .unroll import Member, Unroller

if TYPE_CHECKING:
    from .walk_frames import Frame, Setup

Counts = tuple[int, ...]
Able = Callable[[Counts], Counts]  # how many dice of each class an entry may take


class DiceClass(NamedTuple):
    """Dice that show one face: the name of their number, what the entry asks, how likely a die shows it, and the value
    of the face that they are turned to, if a formula says so."""

    name: str
    group: tuple[int, int]  # its kind, and when it was rolled
    value: int
    meets: bool
    weight: int
    turn: int | None = None

    def is_like(self, other: DiceClass) -> bool:
        """Whether dice of two classes are of one kind, and show the same value."""
        return (self.group, self.value) == (other.group, other.value)


def find_dice(
    setup: Setup, frame: Frame, known: Mapping[str, Any], entry: Reroll
) -> tuple[list[DiceClass], Able | None]:
    """The dice that an entry of the rule may roll again; those that a set picks are told for one pick only."""
    unroller = Unroller(setup.rule, setup.constants, frame.tables, frame.domains, setup.eager)
    classes = list(_find_classes(setup.rule, entry, frame.tables, known, unroller))
    if setup.rule.is_whole(entry.of):
        return classes, None
    return classes, _find_able(setup.rule, entry, classes, known, unroller)


def _find_able(
    rule: CoreRule, entry: Reroll, classes: Sequence[DiceClass], known: Mapping[str, Any], unroller: Unroller
) -> Able:
    """How many dice of each class are in the set of an entry, by how many there are."""
    sizes = unroller.sizes(unroller.dice(entry.of, {}))
    by_name = {unroller.members[number].number.args[0]: size for number, size in sizes}
    nodes = [by_name.get(own.name, ZERO) for own in classes]

    def able(counts: Counts) -> Counts:
        values = {**known, **{own.name: count for own, count in zip(classes, counts, strict=True)}}
        found = [substitute(node, values, rule.tables) for node in nodes]
        if not all(map(is_number, found)):
            raise NotExactError("it is not known which dice are rolled again")
        return tuple([int(node.args[0]) for node in found])

    return able


def _find_classes(
    rule: CoreRule, entry: Reroll, tables: Mapping[int, Sequence[Member]], known: Mapping[str, Any], unroller: Unroller
) -> Iterator[DiceClass]:
    when, turn = entry.when.node if entry.when else constant(1), entry.turn.node if entry.turn else constant(0)
    for kind in entry_kinds(rule, entry):
        for member in tables[kind]:
            if member.number.op != "name":
                raise NotExactError("the number of these dice is not known")
            asked = (substitute(unroller.formula(node, member.words, {}), known, rule.tables) for node in (when, turn))
            found = [*asked, member.words["value"]]
            if not all(map(is_number, found)):
                raise NotExactError("it is not known which dice are rolled again")
            meets, face, value = (int(node.args[0]) for node in found)
            name, group = str(member.number.args[0]), (kind, member.since)
            yield DiceClass(name, group, value, bool(meets), member.weight, face if entry.turn else None)


def spread(dice: int, shares: Sequence[int]) -> Iterator[tuple[Counts, int]]:
    """How many of some dice fall on each class, with weights."""
    for taken in combinations_with_replacement([place for place, share in enumerate(shares) if share], dice):
        counts, weight = [0] * len(shares), 1
        for number, place in enumerate(taken, 1):
            counts[place] += 1
            weight = weight * shares[place] * number // counts[place]
        yield tuple(counts), weight

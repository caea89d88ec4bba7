"""The dice on the table as formulas see them: in sets, which are always in the order rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple


class TableDie(NamedTuple):
    """A die on the table; `place` is when it was rolled."""

    place: int
    kind: int
    sides: int
    value: int
    throws: tuple[Any, ...]  # the transitions


class Table(NamedTuple):
    """All dice by kind; `find_faces` gives the values that faces of a kind, or a part of them, can show."""

    dice: Sequence[Sequence[TableDie]]
    find_faces: Callable[[int, str], Iterable[Any]]

    def faces(self, part: str, *kinds: int) -> list[Any]:
        """The different values that faces of these kinds can show, or those of a part of cards."""
        return sorted({value for kind in kinds for value in self.find_faces(kind, part)})


class Tallies(list[Any]):
    """The values of tallies, None for those that are not known; those over other dice look at the table."""

    def __init__(self, values: Iterable[Any], table: Table) -> None:
        super().__init__(values)
        self.table = table


def join_dice(*sets: Sequence[TableDie]) -> list[TableDie]:
    """Sets of dice together, each die once."""
    return sorted({die.place: die for dice in sets for die in dice}.values())


def leave_out(dice: Sequence[TableDie], others: Sequence[TableDie]) -> list[TableDie]:
    """The dice of one set that are not in another."""
    places = {die.place for die in others}
    return [die for die in dice if die.place not in places]


def pick_dice(dice: Sequence[TableDie], number: int, sign: int, keys: Sequence[int]) -> list[TableDie]:
    """The dice with the highest (sign 1) or lowest (-1) keys; of equal ones the first as declared, then as rolled."""
    ranked = sorted(zip(keys, dice, strict=True), key=lambda pair: (-sign * pair[0], pair[1].kind, pair[1].place))
    return sorted(die for _, die in ranked[: max(number, 0)])


def take_dice(dice: Sequence[TableDie], picked: str) -> list[TableDie]:
    """The dice that a player has picked, which are given by their places."""
    places = picked.split()
    return [die for die in dice if str(die.place) in places]


def count_groups(values: Iterable[int], goal: int) -> int:
    """The most groups, no die twice, whose values reach the goal each."""
    dice = sorted((value for value in values if value > 0), reverse=True)
    if goal <= 0:
        return len(list(dice))
    alone = [value for value in dice if value >= goal]
    return len(alone) + _count_groups(tuple(dice[len(alone) :]), goal, {})


def pile_dice(goal: int, pile: tuple[int, ...] | int, values: Sequence[int]) -> tuple[int, ...]:
    """How many groups are certain, whatever else is rolled, and the values of the dice that are left, highest first.

    Two dice that reach the goal exactly can always be a group: those that they would leave reach it together."""
    if pile and not values:
        return pile  # type: ignore[return-value]
    groups, *left = pile or (0,)  # type: ignore[misc]
    for value in values:
        if value > 0 and (value >= goal or goal - value in left):
            groups += 1
            if value < goal:
                left.remove(goal - value)
        elif value > 0:
            left.append(value)
    return groups, *sorted(left, reverse=True)


def _count_groups(dice: tuple[int, ...], goal: int, known: dict[tuple[int, ...], int]) -> int:
    """The most groups of dice, highest first, each below the goal: the highest die is in one of them."""
    most = sum(dice) // goal
    if most <= 1:
        return most
    if dice[0] + dice[-1] >= goal:  # the least die that completes a group is the best one
        return 1 + _count_groups(dice[1:-1], goal, known)
    if dice not in known:
        best = 0
        for rest in _complete_group(dice[1:], goal - dice[0]):
            best = max(best, 1 + _count_groups(rest, goal, known))
            if best == most:
                break
        known[dice] = best
    return known[dice]


def _complete_group(dice: tuple[int, ...], missing: int, start: int = 0) -> Iterable[tuple[int, ...]]:
    """The dice that are left when some of them reach what is missing, from the place `start` on."""
    for place in range(start, len(dice)):
        if place > start and dice[place] == dice[place - 1]:
            continue
        rest = dice[:place] + dice[place + 1 :]
        if dice[place] >= missing:
            yield rest
        else:
            yield from _complete_group(rest, missing - dice[place], place)

"""Dice in the middle of a roll: which are kept so far, and which are still to be thrown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from ..nodes import Machine, Place
from ..setting import Setting
from .effect import Values
from .rests import Rest

Lying = tuple[Rest, ...]  # the dice on the table, kind by kind, each kind by value
Part = tuple[dict[Lying, int], dict[Lying, int]]  # two sorts of dice that lie independently of each other
Kept = tuple[tuple[int, int, Rest], ...]  # kind by kind the dice kept so far, each with its rank, the best first
Waiting = tuple[tuple[int, Place, int], ...]  # dice to be thrown, the last first: their turn, place and number


class Room(NamedTuple):
    """What is kept so far, and what is still to be thrown."""

    kept: Kept
    waiting: Waiting


class Table(NamedTuple):
    """Dice in the middle of a roll: what is counted so far, what is kept so far, what is still to be thrown."""

    values: Values
    kept: Kept
    waiting: Waiting


def placed(state: Lying, rest: Rest) -> Lying:
    """The state with one more die, in its place."""
    for number, other in enumerate(state):
        if other.key >= rest.key:
            return (*state[:number], rest, *state[number:])
    return (*state, rest)


def with_kept(setting: Setting, kept: Kept, rest: Rest) -> Kept:
    """The kept dice with one more; of equal ones those thrown first stay."""
    ready = setting.kinds[rest.kind]
    assert ready.kind.keep
    rank = -rest.value if ready.kind.keep.highest else rest.value
    own = [one for one in kept if one[0] == rest.kind]
    at = sum(one[1] <= rank for one in own)
    own = [*own[:at], (rest.kind, rank, rest), *own[at:]][: ready.keep]
    return tuple(sorted([one for one in kept if one[0] != rest.kind] + own, key=lambda one: one[:2]))


def queued(setting: Setting, waiting: Waiting, dice: Iterable[tuple[Place, int]]) -> Waiting:
    """More dice to throw. Kept ones come last: they earn nothing, and it does not matter who is thrown first."""
    found = list(waiting)
    for place, number in dice:
        if number:
            kept = setting.kinds[place.kind].keep is not None
            turn = 2 if not kept else 0 if place.throw else 1  # of the kept ones, those with rerolls lay before
            at = bisect_left(found, (turn, place, 0))
            if at < len(found) and found[at][:2] == (turn, place):
                found[at] = (turn, place, found[at][2] + number)
            else:
                found.insert(at, (turn, place, number))
    return tuple(found)


def breeds(machine: Machine, kind: int) -> bool:
    """Whether such a die leads to dice like itself."""
    child = earns(machine, kind)
    for _ in machine.setting.kinds:
        if child is None or child == kind:
            break
        child = earns(machine, child)
    return child == kind


def earns(machine: Machine, kind: int) -> int | None:
    """The kind of dice that a die of a kind earns, if any of its faces does."""
    places = [place for place in machine.reach([Place(kind)]) if place.kind == kind]
    earning = any(branch.earned for place in places for branch in machine.branches(place))
    return machine.roll(kind) if earning else None

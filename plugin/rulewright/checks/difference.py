"""A difference between prose and a block, and the numbers of a block that prose may name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .account import Account, Faces
from .told.mood import Bit


class Difference(NamedTuple):
    """Where text and block part: the words and what each of them says."""

    bit: Bit
    start: int
    end: int
    message: str


def differs(bit: Bit, said: str, fact: str, start: int = -1, end: int = -1) -> Difference:
    first, last = (bit.start, bit.end) if start < 0 else (start, end)
    return Difference(bit, first, last, f"the text says {said}, the block beside it {fact}")


def figures(found: Faces) -> str:
    return " ".join(map(str, found))


def listed(found: set[int]) -> str:
    return " or ".join(map(str, sorted(found)))


def named(one: Account, names: Sequence[str]) -> set[int]:
    return {value for name, value in one.inputs.items() if name in names and isinstance(value, int)}


def all_faces(one: Account) -> Faces:
    return tuple(face for _, group in one.faces for face in group)


def single_numbers(one: Account) -> set[int]:
    return {sum(group) for _, group in one.faces} | set(one.numbers.values()) | {sum(all_faces(one))}


def summary(one: Account) -> str:
    """The steps as `successes 3, botches 1`."""
    return ", ".join(f"{name} {value}" for name, value in one.numbers.items())

"""A number beside dice, and whether it can be their average."""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

from ...text import Span
from .formulas import Formula

FIRST_AT_MOST = {"hp", "points", "hits", "lp"}


class Pair(NamedTuple):
    """A number beside dice; `key` is the word before, by which habits of a book are told apart."""

    said: float
    dice: Formula
    written: str  # the dice as the page has them
    shape: str
    key: str
    label: bool  # the text itself says that this is an average
    damage: bool  # damage of this kind is nearly always given so
    span: Span
    trail: tuple[str, ...]


def fits(pair: Pair) -> bool:
    """Whichever way the book rounds, each throw by itself where there are several; nobody is hit for less than one."""
    mean, dice = pair.dice.mean, pair.dice
    if pair.said in (mean, floor(mean), ceil(mean)) or (pair.said == 1 and mean < 1):
        return True
    return len(dice.dice) > 1 and pair.said in (dice.each_throw(up=False), dice.each_throw(up=True))


def die_by_die(pair: Pair) -> bool:
    """Each single die was rounded: 5 for 1d8, 15 for 3d8."""
    return not fits(pair) and pair.said in (pair.dice.each_die(up=False), pair.dice.each_die(up=True))


def hero(pair: Pair) -> bool:
    """Hit points of which the first die counts in full."""
    return pair.key in FIRST_AT_MOST and abs(pair.said - pair.dice.first_at_most) < 1 and not fits(pair)


def near(pair: Pair) -> bool:
    """So close to the mean that it was hardly meant as anything else."""
    return abs(pair.said - pair.dice.mean) <= max(2, pair.dice.mean * 0.35)


def way(pair: Pair) -> str:
    """How a mean that is no whole number was rounded, where one can see it."""
    mean = pair.dice.mean
    if mean == int(mean) or not fits(pair) or mean < 1:
        return ""
    return "not" if pair.said == mean else "down" if pair.said < mean else "up"

"""Averages in words: figures as people write them, and other dice that would come to a number."""

from __future__ import annotations

from math import ceil, floor

from .formulas import Dice, Formula
from .pairs import Pair


def figure(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}".rstrip("0")


def others(pair: Pair, rounds: str) -> str:
    """Dice near those written whose average is the number in the text."""
    found = [shown(dice) for dice in variants(pair.dice) if average(dice, rounds) == pair.said]
    return f"; {' or '.join(found[:2])} would average {figure(pair.said)}" if found else ""


def average(dice: Formula, rounds: str) -> int:
    return ceil(dice.mean) if rounds == "up" else floor(dice.mean)


def variants(dice: Formula) -> list[Formula]:
    """One number of the formula changed, the smallest change first."""
    if len(dice.dice) != 1 or dice.times != 1:
        return []
    (one,) = dice.dice
    counts = [one.number + step for step in (0, 1, -1, 2, -2) if one.number + step > 0]
    numbers = [dice._replace(plus=dice.plus + step) for step in (1, -1, 2, -2, 3, -3)] if dice.plus else []
    return [*numbers, *(dice._replace(dice=(Dice(count, size),)) for size in by_likeness(one) for count in counts)]


def by_likeness(dice: Dice) -> list[int]:
    """Sizes of dice, those written first."""
    return [dice.sides, *(size for size in (4, 6, 8, 10, 12, 20) if size != dice.sides)]


def shown(dice: Formula) -> str:
    (one,) = dice.dice
    plus = f" + {dice.plus}" if dice.plus > 0 else f" − {-dice.plus}" if dice.plus else ""
    return f"{one.number}d{one.sides}{plus}"

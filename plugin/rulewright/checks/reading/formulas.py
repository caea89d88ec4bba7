"""Dice formulas in running text, such as 2d6 + 3 or 1d8 plus 2d4: their least, mean and greatest."""

from __future__ import annotations

import re
from typing import NamedTuple

DIE = r"(?:[0-9]{1,4})?[dDwW](?:%|[1-9][0-9]{0,3}(?![0-9]))"  # German books write W
PLUS_MINUS = r"(?:\s?[+\-−–]\s?|\splus\s|\sminus\s)"
NUMBER = r"[0-9]{1,5}(?![\w%])"
FORMULA = re.compile(
    rf"(?<![\w.+/½¼])(?<![+−–×*-]\s)(?<![−–-])(?<!/[0-9]\s){DIE}(?![\w%])"
    rf"(?:{PLUS_MINUS}(?:{DIE}(?![\w%])|{NUMBER})){{0,8}}(?:\s?[×x*]\s?{NUMBER})?"
)
PART = re.compile(rf"(?P<sign>{PLUS_MINUS})?(?:(?P<die>{DIE})|(?P<number>{NUMBER}))")
TIMES = re.compile(rf"\s?[×x*]\s?({NUMBER})$")
MINUS = re.compile(r"[\-−–]|minus")


class Dice(NamedTuple):
    """So many alike dice; `number` is below zero where they are taken away."""

    number: int
    sides: int


class Formula(NamedTuple):
    """Dice and a number, all of it multiplied."""

    dice: tuple[Dice, ...]
    plus: int
    times: int = 1
    bare: bool = False  # «d8» without a count is often a rating and no throw

    @property
    def mean(self) -> float:
        """Always a multiple of a half, so nothing is lost."""
        return self.times * (sum(one.number * (one.sides + 1) for one in self.dice) / 2 + self.plus)

    @property
    def least(self) -> int:
        return self.times * (self.plus + sum(one.number * (1 if one.number > 0 else one.sides) for one in self.dice))

    @property
    def most(self) -> int:
        return self.times * (self.plus + sum(one.number * (one.sides if one.number > 0 else 1) for one in self.dice))

    def each_die(self, up: bool) -> int:
        """The mean where every single die is rounded."""
        return self.times * (self.plus + sum(one.number * ((one.sides + up + 1) // 2) for one in self.dice))

    def each_throw(self, up: bool) -> int:
        """The mean where 1d6 and 2d8 in 1d6 + 2d8 are rounded each by itself."""
        return self.times * (self.plus + sum((one.number * (one.sides + 1) + up) // 2 for one in self.dice))

    @property
    def first_at_most(self) -> float:
        """The mean where the first die shows its highest face, as with the hit points of some heroes."""
        return self.mean + (self.dice[0].sides - 1) / 2


def formula(text: str) -> Formula | None:
    """What a text that FORMULA found says; nothing where one cannot know."""
    times = TIMES.search(text)
    parts = list(PART.finditer(text, 0, times.start() if times else len(text)))
    if times and len(parts) > 1:
        return None  # 2d6 + 3 × 10: which of them is multiplied?
    dice = tuple(die(part["die"], sign(part)) for part in parts if part["die"])
    if not dice or any(one.sides < 2 or not one.number for one in dice):
        return None
    plus = sum(sign(part) * int(part["number"]) for part in parts if part["number"])
    return Formula(dice, plus, int(times[1]) if times else 1, bare=not text[0].isdecimal())


def sign(part: re.Match[str]) -> int:
    return -1 if MINUS.search(part["sign"] or "") else 1


def die(text: str, sign: int) -> Dice:
    count, sides = re.split("[dDwW]", text)
    return Dice(sign * int(count or 1), 100 if sides == "%" else int(sides))

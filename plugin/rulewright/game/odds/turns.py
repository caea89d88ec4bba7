"""The rerolls of a setting, one turn after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model import Reroll
from ..setting import Setting
from .limits import TooMuch

MOST_TURNS = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """One die, or one round of dice, thrown anew."""

    entry: int  # which of the rule's rerolls it is
    left: int  # how many turns this reroll still has, this one included
    reroll: Reroll
    kinds: tuple[int, ...]
    following: int  # the turn to go on with when a player stops here


def make_turns(setting: Setting, kinds: Sequence[int]) -> Iterator[Turn]:
    """The turns in which dice of these kinds may be thrown anew."""
    number = 0
    for entry, reroll in enumerate(setting.rule.rerolls):
        among = [setting.rule.kind_numbers[name] for name in reroll.among]
        own = tuple(kind for kind in among if kind in kinds)
        times = max(setting.of(reroll.times), 0) if own else 0
        number += times
        if number > MOST_TURNS:
            raise TooMuch
        for left in range(times, 0, -1):
            yield Turn(entry, left, reroll, own, number)

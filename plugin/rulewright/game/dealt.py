"""Faces from a generator: a roll that nobody has thrown yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .generator import Generator
from .play import Die, Play
from .setting import Ready

Chooser = Callable[[Play, list[Die], list[int], int, int], int | None]


def worst_first(play: Play, dice: list[Die], places: list[int], number: int, _left: int) -> int | None:
    """The die in most need: the lowest where the higher face stays, the highest where the lower does."""
    pick = max if play.setting.rule.rerolls[number].keep == "lower" else min
    return pick(places, key=lambda place: dice[place].value)


class Dealt:
    """Throws every die fairly; `policy` (always or never) decides on optional dice, `chooser` on rerolls."""

    def __init__(self, generator: Generator, policy: str = "always", chooser: Chooser = worst_first) -> None:
        self.generator, self.policy, self.chooser = generator, policy, chooser

    def begin(self, ready: Ready, fresh: bool) -> None:
        """Nothing has to be made ready."""

    def face(self, ready: Ready) -> int:
        return ready.faces[self.generator.below(len(ready.faces))]

    def onward(self, _ready: Ready) -> bool:
        return self.policy == "always"

    def end(self, ready: Ready) -> None:
        """Nothing has to be put away."""

    def offered(self, _ready: Ready) -> bool:
        return self.policy == "always"

    def round(self, earned: Mapping[int, int]) -> None:
        """All rounds are alike."""

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        return self.chooser(play, dice, places, number, left)

    def rethrow(self, ready: Ready, die: Die) -> None:
        """The next face comes like any other."""

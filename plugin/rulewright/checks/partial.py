"""A roll of which only some kinds of dice are shown."""

from __future__ import annotations

from ..game.notation import read_dice
from ..game.play import Faces, Play, count_tallies
from ..game.record import Record
from ..game.setting import Ready, Setting


class PartialPlay(Play):
    """Throws the dice of the kinds that are named and leaves the others out."""

    def __init__(self, setting: Setting, faces: Faces, kinds: set[str]) -> None:
        super().__init__(setting, faces)
        self.kinds = kinds

    def thrown(self, ready: Ready) -> int:
        return ready.count if ready.kind.name.lower() in self.kinds else 0


def shown_tallies(setting: Setting, dice: str) -> dict[str, int]:
    """The tallies of the kinds whose dice are written beside what is told."""
    rule = setting.rule
    marks = read_dice(dice, rule)
    kinds = {mark.text for mark in marks if mark.what == "kind"}
    record = Record(marks, [], len(dice))
    throw = PartialPlay(setting, record, kinds).run()
    record.close()
    shown = {number for number, kind in enumerate(rule.dice) if kind.name.lower() in kinds}
    found = count_tallies(setting, throw.dice)
    return {tally.name: found[place] for place, tally in enumerate(setting.program.tallies) if tally.kind in shown}

"""Recorded faces dealt again under another rule or other inputs, for a what-if."""

from __future__ import annotations

from collections.abc import Mapping

from ..game.model import Rule
from ..game.notation import Thrown, Unreadable, face_text
from ..game.play import Die, Play
from ..game.record import Record
from ..game.result import Result
from ..game.setting import Ready

Hands = dict[tuple[int, str], list[list[int]]]  # by round and kind, the faces of each die in the order thrown


class Redeal(Record):
    """Round by round and kind by kind; what is left over falls away."""

    def __init__(self, result: Result, rule: Rule, rerolls: list[Thrown]) -> None:
        super().__init__([], rerolls, 0)
        self.hands = hands(result, rule)
        self.now = 1

    def begin(self, ready: Ready, _fresh: bool) -> None:
        hand = self.hands.get((self.now, ready.kind.name), [])
        if not hand:
            raise Unreadable(f"the recorded dice hold no further {ready.kind.name} die, and here one more is thrown")
        self.chain, self.shown = list(hand.pop(0)), []

    def face(self, ready: Ready) -> int:
        if not self.chain:
            raise Unreadable(f"here a {ready.kind.name} die is thrown on, and the record does not say what it shows")
        face = self.chain.pop(0)
        if face not in ready.face_set:
            raise Unreadable(f"the recorded {face_text(ready.kind, face)} is no face of a {ready.kind.name} die")
        return face

    def end(self, _ready: Ready) -> None:
        self.chain = []

    def round(self, _earned: Mapping[int, int]) -> None:
        self.now += 1

    def offered(self, ready: Ready) -> bool:
        return bool(self.hands.get((self.now, ready.kind.name)))

    def choose(self, play: Play, dice: list[Die], places: list[int], number: int, left: int) -> int | None:
        try:
            return super().choose(play, dice, places, number, left)
        except Unreadable:
            return None


def hands(result: Result, rule: Rule) -> Hands:
    """The recorded dice under the kinds of the other rule: by name, and by position where it has no such kind."""
    known = [kind.name for kind in rule.dice]
    old = [kind.name for kind in result.rule.dice]
    free = [name for name in known if name not in old]
    renamed = {name: name for name in old if name in known}
    renamed |= dict(zip([name for name in old if name not in known], free, strict=False))
    found: Hands = {}
    for die in result.throw.dice:
        name = renamed.get(result.rule.dice[die.kind].name)
        if name:
            throws = (die.tries or (die.throws,))[0]
            found.setdefault((die.round, name), []).append([landing.face for landing in throws])
    return found

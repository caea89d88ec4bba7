"""A roll of which only some kinds of dice are shown."""

from __future__ import annotations

from ..game.play import Faces, Play
from ..game.setting import Ready, Setting


class PartialPlay(Play):
    """Throws the dice of the kinds that are named and leaves the others out."""

    def __init__(self, setting: Setting, faces: Faces, kinds: set[str]) -> None:
        super().__init__(setting, faces)
        self.kinds = kinds

    def thrown(self, ready: Ready) -> int:
        return ready.count if ready.kind.name.lower() in self.kinds else 0

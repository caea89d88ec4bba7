"""Dice as a text tells them, dealt to a rule die by die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ..game.model import Rule
from ..game.notation import Unreadable
from ..game.play import Die, Play
from ..game.setting import Ready
from .clues import Swap
from .faces import Token
from .roles import fixed_sides

MISFIT = "the faces do not fit"


class Hand:
    """Hands out the faces of a text; those told with their die go to that die, all others come in order.

    `ahead` is how many faces lie on the table before any die is thrown on: the throws of one die may be told
    behind the first throws of all."""

    def __init__(self, tokens: Sequence[Token], swaps: Sequence[Swap] = (), ahead: int = 0) -> None:
        self.waiting = list(tokens)
        self.swaps = list(swaps)
        self.ahead = ahead
        self.chain = False
        self.thrown_anew: int | None = None

    def begin(self, _ready: Ready, _fresh: bool) -> None:
        self.chain = False

    def face(self, ready: Ready) -> int:
        if self.thrown_anew is not None:
            face, self.thrown_anew = self.thrown_anew, None
        else:
            place = self.place(ready)
            if place is None:
                raise Unreadable(MISFIT)
            face = self.waiting.pop(place).face
            self.ahead -= not self.chain or place < self.ahead
        if face not in ready.face_set:
            raise Unreadable(MISFIT)
        self.chain = True
        return face

    def place(self, ready: Ready) -> int | None:
        """Which of the waiting faces this die shows."""
        start = max(self.ahead, 0) if self.chain else 0
        own = labels_of(ready.setting.rule, ready.number, ready.setting.values)
        places = range(start, len(self.waiting))
        labelled = (place for place in places if self.waiting[place].label in own)
        others = (place for place in places if not belongs(self.waiting[place], ready))
        return next(labelled, next(others, None))

    def onward(self, ready: Ready) -> bool:
        return self.place(ready) is not None

    def end(self, _ready: Ready) -> None:
        self.chain = False

    def offered(self, ready: Ready) -> bool:
        return self.place(ready) is not None

    def round(self, _earned: Mapping[int, int]) -> None:
        self.ahead = 0

    def choose(self, _play: Play, dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        """The die that the next reroll of the text means; None where it tells no further one."""
        if not self.swaps:
            return None
        return next((place for place in places if dice[place].value == self.swaps[0].before), None)

    def rethrow(self, _ready: Ready, die: Die) -> None:
        if self.swaps and self.swaps[0].before == die.value:
            self.thrown_anew = self.swaps.pop(0).after

    def close(self) -> None:
        if self.waiting or self.swaps:
            raise Unreadable(MISFIT)


def labels_of(rule: Rule, number: int, values: Mapping[str, object]) -> set[str]:
    """The words by which a text may name the dice of a kind: its name, and its size where no other has it."""
    sizes = Counter(size for kind in range(len(rule.dice)) if (size := size_of(rule, kind, values)))
    own = size_of(rule, number, values)
    name = rule.dice[number].name.lower()
    return {name, *({f"d{own}"} if own and sizes[own] == 1 else ())}


def size_of(rule: Rule, number: int, values: Mapping[str, object]) -> int | None:
    kind = rule.dice[number]
    fixed = fixed_sides(kind)
    if fixed is not None or kind.sides is None:
        return fixed
    value = values.get(kind.sides.text.strip())
    return value if isinstance(value, int) else None


def belongs(token: Token, ready: Ready) -> bool:
    """Whether a face is told with a die of another kind."""
    if not token.label:
        return False
    rule, values = ready.setting.rule, ready.setting.values
    return any(
        token.label in labels_of(rule, other, values) for other in range(len(rule.dice)) if other != ready.number
    )

"""Recorded dice that are plain figures and fit their rule: read in one go.

Nearly every record in a book is one. Whatever is unusual or wrong is left to `record`, which takes its time and says
why; where both can read a record they agree, and a test holds them to it."""

from __future__ import annotations

from .play import MOST_THROWS, Die, Throw
from .python import Stuck
from .setting import MOST_DICE, Ready, Refused, Setting


class Pieces(dict[str, Die]):
    """What a piece of a record stands for among the dice of one kind and round; KeyError where that is not plain."""

    def __init__(self, ready: Ready, rounds: int) -> None:
        self.ready, self.rounds = ready, rounds

    def __missing__(self, piece: str) -> Die:
        face = int(piece) if piece.isascii() and piece.isdigit() and len(piece) < 9 else 0
        if face not in self.ready.face_set:
            raise KeyError(piece)
        landing = self.ready.land(face)
        if landing.may_decline:
            raise KeyError(piece)
        die = self[piece] = Die(self.ready.number, (landing,), self.rounds, self.rounds > 1)
        return die


class Straight:
    """A setting in which each die is thrown once and stays."""

    def __init__(self, setting: Setting) -> None:
        self.kinds = setting.kinds
        again = [ready.kind.again for ready in self.kinds]
        self.roll = [setting.rule.kind_numbers[one.roll] if one else None for one in again]
        self.pieces: dict[tuple[int, int], Pieces] = {}

    def of(self, kind: int, rounds: int) -> Pieces:
        found = self.pieces.get((kind, rounds))
        if found is None:
            found = self.pieces[kind, rounds] = Pieces(self.kinds[kind], rounds)
        return found


def straight(setting: Setting) -> Straight | None:
    kinds = [ready.kind for ready in setting.kinds]
    if setting.rule.rerolls or any(kind.explode or kind.faces or kind.keep for kind in kinds):
        return None
    return Straight(setting)


def read_straight(made: Straight, text: str) -> Throw | None:
    """The dice of a record; None for whatever wants a closer look."""
    try:
        return thrown_of(made, text)
    except (Refused, Stuck):
        return None


def thrown_of(made: Straight, text: str) -> Throw | None:
    written = text.replace("|", " | ").replace(",", " ").split()
    due = [(ready.number, ready.count) for ready in made.kinds if ready.count]
    thrown: list[Die] = []
    at, rounds = 0, 1
    while due:
        earned: dict[int, int] = {}
        for kind, count in due:
            while at < len(written) and written[at] == "|":
                at += 1
            dice = taken(made.of(kind, rounds), written[at : at + count])
            if len(dice) < count:
                return None
            at += count
            thrown += dice
            roll = made.roll[kind]
            if roll is not None and (more := sum([die.throws[0].earns for die in dice])):
                earned[roll] = earned.get(roll, 0) + more
        if sum(earned.values()) > MOST_DICE or len(thrown) > MOST_THROWS:
            return None
        due, rounds = sorted(earned.items()), rounds + 1
    return Throw(tuple(thrown), 0) if all(piece == "|" for piece in written[at:]) else None


def taken(pieces: Pieces, written: list[str]) -> list[Die]:
    """The dice that are written; fewer where one of them is not plain."""
    try:
        return [pieces[piece] for piece in written]
    except KeyError:
        return []

"""Two rolls that are given the same faces, one by each edition: what either asks for is asked for once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..game.model import Rule
from ..game.play import Die, Play
from ..game.python import Stuck
from ..game.result import Result, finished
from ..game.setting import Ready, Refused, Setting

Key = tuple[Any, ...]  # which face or choice: the round, the kind of dice, the die, its throw
CHOICE, ANEW = "choice", "anew"
FIRST = 1  # the round that all dice are in before anything is earned


class Need(Exception):
    """Here a face or a choice is missing."""

    def __init__(self, key: Key, options: Sequence[Any], is_face: bool) -> None:
        super().__init__(key)
        self.key, self.options, self.is_face = key, options, is_face


class Script:
    """Faces by their keys, for one roll; optional dice are always taken."""

    def __init__(self, given: Mapping[Key, Any], labels: Sequence[str]) -> None:
        self.given, self.labels = given, labels
        self.now, self.throw, self.choices, self.anew = FIRST, 0, 0, 0
        self.dice, self.key = Counter[Key](), Key()

    def begin(self, ready: Ready, _fresh: bool) -> None:
        own = (self.now, self.labels[ready.number])
        self.key, self.throw = (*own, self.dice[own]), 0
        self.dice[own] += 1

    def face(self, ready: Ready) -> int:
        self.throw += 1
        face = int(self.ask((*self.key, self.throw), sorted(ready.face_set), True))
        if face not in ready.face_set:
            raise Refused(f"a {ready.kind.name} die does not show {face}")
        return face

    def ask(self, key: Key, options: Sequence[Any], is_face: bool = False) -> Any:
        if key not in self.given:
            raise Need(key, options, is_face)
        return self.given[key]

    def onward(self, _ready: Ready) -> bool:
        return True

    def end(self, _ready: Ready) -> None:
        return

    def offered(self, _ready: Ready) -> bool:
        return True

    def round(self, _earned: Mapping[int, int]) -> None:
        self.now += 1

    def choose(self, _play: Play, dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        """A die by its kind and its number among these; a choice of the other edition that cannot be made is none."""
        called = {(self.labels[dice[at].kind], nth(dice, at)): at for at in places}
        self.choices += 1
        chosen = self.ask((CHOICE, self.choices), [None, *called])
        return called.get(chosen)

    def rethrow(self, ready: Ready, _die: Die) -> None:
        self.anew += 1
        self.key, self.throw = (ANEW, self.labels[ready.number], self.anew), 0


def nth(dice: Sequence[Die], place: int) -> int:
    return sum(die.kind == dice[place].kind for die in dice[:place])


class Labels(NamedTuple):
    """What the kinds of both editions are called while they are thrown together, by their numbers."""

    old: tuple[str, ...]
    new: tuple[str, ...]


def labels(old: Rule, new: Rule) -> Labels:
    """Kinds by their names, the others by their places, as recorded faces are dealt again."""
    first, second = [kind.name for kind in old.dice], [kind.name for kind in new.dice]
    fresh, gone = [one for one in second if one not in first], [one for one in first if one not in second]
    rest = dict(zip(fresh, gone, strict=False))
    return Labels(tuple(first), tuple(rest.get(name, name) for name in second))


class Alike(NamedTuple):
    """A face that speaks for as many as no edition tells apart from it."""

    face: Any
    times: int


class Both(NamedTuple):
    """One throw under both editions; `further` faces came after the first throw of all dice."""

    old: Result
    new: Result
    further: int
    ways: int  # how many sets of faces it speaks for


@dataclass(frozen=True)
class Search:
    """All throws that begin with some faces and go on for a few more."""

    old: Setting
    new: Setting
    labels: Labels
    alike: Mapping[str, Sequence[Alike]]  # by the label of a kind
    most: int  # further faces

    def throws(self, given: Mapping[Key, Any], ways: int, further: int = 0) -> Iterator[Both | None]:
        """Nothing in the place of those that would go on for longer, or that a rule refuses."""
        try:
            old, new = self.played(self.old, self.labels.old, given), self.played(self.new, self.labels.new, given)
            yield Both(old, new, further, ways)
        except Need as need:
            more = further + need.is_face
            if more > self.most:
                yield None
                return
            for option, times in self.options(need):
                yield from self.throws({**given, need.key: option}, ways * times, more)
        except (Refused, Stuck):
            yield None

    def played(self, setting: Setting, own: Sequence[str], given: Mapping[Key, Any]) -> Result:
        return finished(setting, Play(setting, Script(given, own)).run())

    def options(self, need: Need) -> Iterable[Alike]:
        alike = self.alike[need.key[1]] if need.is_face else ()
        wanted = set(need.options)
        fitting = all(one.face in wanted for one in alike) and sum(one.times for one in alike) == len(wanted)
        return alike if alike and fitting else [Alike(option, 1) for option in need.options]

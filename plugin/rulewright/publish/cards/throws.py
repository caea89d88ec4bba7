"""The dice of a roll as groups of pictures, in the order in which they were thrown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from ...game.play import Die
from ...game.result import Result, Shown
from ..words import Words
from .dice import BADGES, STROKES, die, mark

SAID = (*BADGES, *STROKES)


class Group(NamedTuple):
    """Dice of one kind that were thrown in one round; a die has one picture for each of its throws."""

    name: str
    kind: int
    dice: tuple[tuple[Picture, ...], ...]


class Picture(NamedTuple):
    """A face, and the sign that stands before it: + where the die was thrown on, → where it was thrown anew."""

    sign: str
    svg: Markup


class Meaning(NamedTuple):
    mark: Markup
    text: str


def groups(result: Result, words: Words) -> list[Group]:
    lying = [in_time(one, faces) for one, faces in zip(result.throw.dice, result.faces, strict=True) if faces]
    found = [(key, list(dice)) for key, dice in groupby(lying, key=lambda faces: (faces[0].round, faces[0].kind))]
    alone = len(found) == 1 and len(result.rule.dice) == 1
    return [group(result, words, key, dice, alone) for key, dice in found]


def in_time(thrown: Die, faces: list[Shown]) -> list[Shown]:
    """The throws of one die as they fell, also where a second throw was worse and the first one counts."""
    if not thrown.tries:
        return faces
    place = next((number for number, throws in enumerate(thrown.tries) if throws is thrown.throws), None)
    if place is None:
        return faces
    early, stays = sum(map(len, thrown.tries[:place])), len(faces) - len(thrown.throws)
    return [*faces[:early], *faces[stays:], *faces[early:stays]]


def group(result: Result, words: Words, key: tuple[int, str], dice: list[list[Shown]], alone: bool) -> Group:
    number, kind = key
    place = result.rule.kind_numbers[kind]
    ready = result.setting.kinds[place]
    sides = 0 if ready.kind.faces else len(ready.faces)
    name = "" if alone else kind if number == 1 else words("earned group" if number == 2 else "earned on", kind=kind)
    return Group(name, place, tuple(pictures(words, tuple(faces), sides, place) for faces in dice))


@lru_cache(maxsize=4096)
def pictures(words: Words, faces: tuple[Shown, ...], sides: int, kind: int) -> tuple[Picture, ...]:
    """All throws of one die."""
    found, before = list[Picture](), tuple[str, ...]()
    for number, face in enumerate(faces):
        sign = "+" if "thrown on" in face.roles else "→" if number and "rerolled" in (*before, *face.roles) else ""
        found.append(Picture(sign, die(words, face.text, sides, face.roles, kind)))
        before = face.roles
    return tuple(found)


def legend(results: Iterable[Result], words: Words) -> list[Meaning]:
    """What the marks mean, for those that are drawn."""
    drawn = {role for result in results for faces in result.faces for face in faces for role in face.roles}
    return [Meaning(mark(role), words(f"role {role}")) for role in SAID if role in drawn]

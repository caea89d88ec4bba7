"""Draws dice as SVG, and groups the dice of a roll in the order in which they were rolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from math import cos, pi, sin
from typing import NamedTuple

from markupsafe import Markup, escape

from ...play.result import Result, Shown
from ...play.roll import Die
from ..strings import Words

MIDDLE = 24


class Shape(NamedTuple):
    """The drawing of a die: SVG paths of its outline and inner edges, and the position of its number."""

    outline: str
    edges: str = ""
    base: int = 30  # y coordinate of the baseline of the number
    size: int = 17  # font size of a number with up to two digits


def corners(count: int, radius: float, turn: float = 0) -> list[tuple[float, float]]:
    """The corners of a regular polygon, starting at the top."""
    angles = [2 * pi * (number + turn) / count for number in range(count)]
    return [(round(MIDDLE + radius * sin(angle), 1), round(MIDDLE - radius * cos(angle), 1)) for angle in angles]


def path(points: list[tuple[float, float]]) -> str:
    """A closed SVG path through the points."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


def between(outer: list[tuple[float, float]], inner: list[tuple[float, float]]) -> str:
    """SVG path with a line from each outer corner to its inner corner."""
    return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in zip(outer, inner, strict=True))


def twelve() -> Shape:
    """The shape of a d12."""
    rim, face = corners(10, 22), corners(5, 13.5)
    return Shape(path(rim), path(face) + between(rim[::2], face), 30, 16)


HEXAGON = "M24 2L43 13V35L24 46L5 35V13Z"
SQUARE = "M12 5H36Q43 5 43 12V36Q43 43 36 43H12Q5 43 5 36V12Q5 5 12 5Z"
ROUND = Shape("M24 3A21 21 0 0 1 24 45A21 21 0 0 1 24 3Z")
BOX = Shape(SQUARE)
SHAPES = {
    4: Shape("M24 3L46 42H2Z", "", 36, 16),
    6: BOX,
    8: Shape(HEXAGON, "M24 2L43 35H5Z", 31, 16),
    10: Shape("M24 2L45 19V29L24 46L3 29V19Z", "M24 2L37 28L24 35L11 28ZM37 28L45 29M11 28L3 29M24 35V46", 29, 17),
    12: twelve(),
    20: Shape(HEXAGON, "M24 11L36 32H12ZM24 2V11L43 13L36 32L43 35M36 32L24 46L12 32L5 35M12 32L5 13L24 11", 29, 13),
}

LOW, HIGH = 15, 33
PIPS = {
    1: [(MIDDLE, MIDDLE)],
    2: [(LOW, LOW), (HIGH, HIGH)],
    3: [(LOW, LOW), (MIDDLE, MIDDLE), (HIGH, HIGH)],
    4: [(LOW, LOW), (HIGH, LOW), (LOW, HIGH), (HIGH, HIGH)],
    5: [(LOW, LOW), (HIGH, LOW), (MIDDLE, MIDDLE), (LOW, HIGH), (HIGH, HIGH)],
    6: [(LOW, LOW), (HIGH, LOW), (LOW, MIDDLE), (HIGH, MIDDLE), (LOW, HIGH), (HIGH, HIGH)],
}


BADGES = {  # SVG paths, centered at 0 0 in a circle
    "good": "M-3.6 .4L-1.2 3.2L3.8-3",
    "bad": "M-3-3L3 3M3-3L-3 3",
    "earned": "M-4 0H4M0-4V4",
    "thrown on": "M-4-3.5L-.5 0L-4 3.5M0-3.5L3.5 0L0 3.5",
    "rerolled": "M3.4-2A4 4 0 1 0 3.8 1.4M3.8-5V-1.6H.4",
    "dropped": "M0-4V3.6M-3 .8L0 3.8L3 .8",
}
STROKES = {"removed": "M7 41L41 7", "cancelled": "M5 37L37 5M11 43L43 11"}  # across the whole die
ORIGINS = ("earned", "thrown on", "rerolled")  # why a die was rolled; badge at the top left
WORTHS = ("dropped", "good", "bad")  # what a face counts as; badge at the bottom right
CLASS = {role: f"rw-{role.replace(' ', '-')}" for role in (*BADGES, *STROKES)}


@lru_cache(maxsize=4096)
def die(words: Words, face: str, sides: int, roles: tuple[str, ...], kind: int = 0) -> Markup:
    """The SVG of one face.

    `sides` is 0 for dice with text on their faces. `kind` is the number of the kind in the rule and selects a color.
    """
    shape = SHAPES.get(sides, ROUND) if sides else BOX
    shown = [role for role in roles if role in CLASS]
    names = " ".join(["rw-die", f"rw-kind{min(kind, 2)}", *(CLASS[role] for role in shown)])
    inside = [
        f'<path class="rw-body" d="{shape.outline}"/>',
        *([f'<path class="rw-edge" d="{shape.edges}"/>'] if shape.edges else []),
        *(f'<path class="rw-stroke" d="{STROKES[role]}"/>' for role in STROKES if role in shown),
        pips(int(face)) if sides == 6 and face in "123456" else number(face, shape),
        *badges(shown),
    ]
    return Markup(
        f'<svg class="{names}" viewBox="0 0 48 48" role="img" fill="none" stroke="currentColor">'
        f"<title>{escape(alternative(words, face, sides, shown))}</title>{''.join(inside)}</svg>"
    )


def alternative(words: Words, face: str, sides: int, roles: list[str]) -> str:
    """The text alternative of a face, such as "10 (d10): good, earned"."""
    shown = face.replace("-", "−")
    name = words("face of die", face=shown, sides=sides) if sides else shown
    return f"{name}: {', '.join(words(f'role {role}') for role in roles)}" if roles else name


def pips(face: int) -> str:
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in PIPS[face])
    return f'<g class="rw-pips">{circles}</g>'


def number(face: str, shape: Shape) -> str:
    """The text on a face, smaller if it is long."""
    size = shape.size if len(face) < 3 else max(shape.size * 2.4 / len(face), 5)
    return (
        f'<text class="rw-number" x="24" y="{shape.base}" text-anchor="middle" font-size="{size:g}">'
        f"{escape(face.replace('-', '−'))}</text>"
    )


def badges(roles: list[str]) -> Iterator[str]:
    """Badges of the roles, so that no information depends on color alone."""
    worth = next((role for role in WORTHS if role in roles), "")
    if worth and not any(role in STROKES for role in roles):
        yield badge(worth, 40)
    if origin := next((role for role in ORIGINS if role in roles), ""):
        yield badge(origin, 8)


def badge(role: str, place: int) -> str:
    return (
        f'<g class="rw-badge {CLASS[role]}" transform="translate({place} {place})">'
        f'<circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    )


@lru_cache(maxsize=512)
def mark(role: str) -> Markup:
    """The mark of a role without a die, for the legend."""
    if role in STROKES:
        inside = f'<path class="rw-stroke" transform="translate(-12 -12) scale(.5)" d="{STROKES[role]}"/>'
    else:
        inside = f'<g class="rw-badge {CLASS[role]}"><circle r="7.5"/><path d="{BADGES[role]}"/></g>'
    return Markup(
        f'<svg class="rw-mark {CLASS[role]}" viewBox="-12 -12 24 24" aria-hidden="true" fill="none" '
        f'stroke="currentColor">{inside}</svg>'
    )


SAID = (*BADGES, *STROKES)


class Group(NamedTuple):
    """Dice of one kind that were rolled in one round; a die has one picture for each of its throws."""

    name: str
    kind: int
    dice: tuple[tuple[Picture, ...], ...]


class Picture(NamedTuple):
    """A face and the sign before it: + if the die exploded, → if it was rerolled."""

    sign: str
    svg: Markup


class Meaning(NamedTuple):
    """An entry of the legend: a mark and what it means."""

    mark: Markup
    text: str


def groups(result: Result, words: Words) -> list[Group]:
    """The dice of a roll by round and kind; a group has no name if it is the only one."""
    lying = [in_time(one, faces) for one, faces in zip(result.throw.dice, result.faces, strict=True) if faces]
    found = [(key, list(dice)) for key, dice in groupby(lying, key=lambda faces: (faces[0].round, faces[0].kind))]
    alone = len(found) == 1 and len(result.rule.dice) == 1
    return [group(result, words, key, dice, alone) for key, dice in found]


def in_time(thrown: Die, faces: list[Shown]) -> list[Shown]:
    """The faces of one die in the order they were rolled, even if an earlier try was better and counts."""
    if not thrown.tries:
        return faces
    place = next((number for number, throws in enumerate(thrown.tries) if throws is thrown.throws), None)
    if place is None:
        return faces
    early, stays = sum(map(len, thrown.tries[:place])), len(faces) - len(thrown.throws)
    return [*faces[:early], *faces[stays:], *faces[early:stays]]


def group(result: Result, words: Words, key: tuple[int, str], dice: list[list[Shown]], alone: bool) -> Group:
    """One group; `key` is the number of its round and the name of its kind."""
    number, kind = key
    place = result.rule.kind_numbers[kind]
    ready = result.setting.kinds[place]
    sides = 0 if ready.kind.faces else len(ready.faces)
    name = "" if alone else kind if number == 1 else words("earned group" if number == 2 else "earned on", kind=kind)
    return Group(name, place, tuple(pictures(words, tuple(faces), sides, place) for faces in dice))


@lru_cache(maxsize=4096)
def pictures(words: Words, faces: tuple[Shown, ...], sides: int, kind: int) -> tuple[Picture, ...]:
    """The pictures of one die, one for each throw."""
    found, before = list[Picture](), tuple[str, ...]()
    for number, face in enumerate(faces):
        sign = "+" if "thrown on" in face.roles else "→" if number and "rerolled" in (*before, *face.roles) else ""
        found.append(Picture(sign, die(words, face.text, sides, face.roles, kind)))
        before = face.roles
    return tuple(found)


def legend(results: Iterable[Result], words: Words) -> list[Meaning]:
    """The meanings of the marks that appear in these results."""
    drawn = {role for result in results for faces in result.faces for face in faces for role in face.roles}
    return [Meaning(mark(role), words(f"role {role}")) for role in SAID if role in drawn]

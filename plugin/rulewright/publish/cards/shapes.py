"""Outlines of dice, in a square of 48 by 48."""

from __future__ import annotations

from math import cos, pi, sin
from typing import NamedTuple

MIDDLE = 24


class Shape(NamedTuple):
    """How a die is seen: its outline, the edges inside it, and where its number stands."""

    outline: str
    edges: str = ""
    base: int = 30  # the line on which the number stands
    size: int = 17  # of a number with up to two figures


def corners(count: int, radius: float, turn: float = 0) -> list[tuple[float, float]]:
    """The corners of a regular polygon, beginning at the top."""
    angles = [2 * pi * (number + turn) / count for number in range(count)]
    return [(round(MIDDLE + radius * sin(angle), 1), round(MIDDLE - radius * cos(angle), 1)) for angle in angles]


def path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"


def between(outer: list[tuple[float, float]], inner: list[tuple[float, float]]) -> str:
    """Lines from corner to corner."""
    return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in zip(outer, inner, strict=True))


def twelve() -> Shape:
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

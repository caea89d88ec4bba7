"""What throws do to the coordinates of a group, and the series that follow from it."""

from __future__ import annotations

from typing import NamedTuple

from ..nodes import Place

Values = tuple[int, ...]


class NotExact(Exception):
    """Generating functions do not fit here; the walk over states does."""


class Effect(NamedTuple):
    """What some faces of a die do to the coordinates, and the dice they lead to."""

    weight: int
    adds: Values
    children: tuple[tuple[Place, int], ...]


class DieSeries(NamedTuple):
    """One die: for the values of the other coordinates, the coefficients along the axis."""

    classes: dict[Values, list[int]]
    base: int
    growth: int
    low: int  # what the axis begins at

"""A text before it has a form: sections with lines, some below others, and small tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    text: str
    depth: int = 0
    quiet: bool = False  # goes without saying


@dataclass(frozen=True)
class Grid:
    """A table; its first row and its first column are heads."""

    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    title: str
    body: tuple[Line | Grid, ...]
    level: int = 1


def make_grid(heads: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> Grid:
    corner = " / ".join(filter(None, heads))
    return Grid(((corner, *columns), *map(tuple, rows)), caption)

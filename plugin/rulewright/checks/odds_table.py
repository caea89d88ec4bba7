"""A table of odds, as its block shows it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..game.odds.answer import Chance


@dataclass(frozen=True, slots=True)
class OddsTable:
    """Rows and columns by their labels; a value is a chance or a mean, or None where nothing can be thrown."""

    show: str  # chance, mean, degree, distribution
    of: str  # what it is the chance or mean of, as the author wrote it; empty where each column is an outcome
    look: str  # table, heatmap, bars
    row_name: str
    rows: tuple[str, ...]
    column_name: str
    columns: tuple[str, ...]
    values: tuple[tuple[Chance | None, ...], ...]  # a mean has twice the same bound

    @property
    def cells(self) -> tuple[tuple[Fraction | None, ...], ...]:
        """The exact values; None also where only bounds are known."""
        return tuple(tuple(value.exact if value else None for value in row) for row in self.values)

    @property
    def is_chance(self) -> bool:
        """Whether the values are shown as percentages."""
        return self.show in ("chance", "distribution")

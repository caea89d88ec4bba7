"""The engine as the bench calls it: the only module here that knows its interface.

What is timed must not be answered from memory: `ours_table` computes anew at every call, and the other two hand back a
question that was not asked before. Everything that a running program has done already may be done beforehand: imports,
reading the game.
"""

from collections.abc import Callable
from fractions import Fraction

from .table import Table


def ours_table(specialty: bool) -> Table:
    """All 720 settings, computed anew."""
    raise NotImplementedError


def cold_answer(pool: int, specialty: bool) -> Callable[[], dict[str, Fraction]]:
    """A question about one action (difficulty 6, no threshold) to an engine that has computed nothing yet."""
    raise NotImplementedError


def recorded_roll() -> Callable[[], object]:
    """A check of one recorded action: pool 4, difficulty 8, a specialty, dice 1 4 7 10 | 1 10 | 4 8."""
    raise NotImplementedError

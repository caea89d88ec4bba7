"""What an answer may cost, counted in work and never in seconds, and what is said where it costs more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_MOST_STEPS = 1_500_000  # what an answer may cost
FOR_LATER = 1 / 3  # of the budget is kept where something comes after
MOST_TURNS = 100  # in which dice are rolled again
_LONG = 4_000  # bits of a number that make a step cost twice as much
NO_ANSWER = "no exact answer is known for formulas that look at dice in this way"
TOO_MANY_STATES = "an exact answer would need too many states; ask for less at once, such as fewer dice"


class NotExactError(Exception):
    """Generating functions cannot answer this question; the state search can."""


class BudgetError(Exception):
    """An exact answer would exceed the budget."""

    def __init__(self, message: str = TOO_MANY_STATES) -> None:
        super().__init__(message)


class Budget:
    """The budget of a question: what its answer may still cost, in steps of about a microsecond.

    All parts of an answer spend from it: pairs of states that are joined, products of numbers, nodes of formulas."""

    def __init__(self) -> None:
        self.fill()
        self.is_in_use = False

    def fill(self) -> None:
        self.left: float = _MOST_STEPS
        self.has_refused = False  # something was too much, even if the answer does without it

    @contextmanager
    def question(self) -> Iterator[None]:
        """Fills the budget, unless this question is part of another one."""
        is_part = self.is_in_use
        if not is_part:
            self.fill()
        self.is_in_use = True
        try:
            yield
        finally:
            self.is_in_use = is_part

    @contextmanager
    def keeping(self, share: float = FOR_LATER) -> Iterator[None]:
        """Keeps a share of what is left for what comes after: bounds, in case an exact answer exceeds the rest."""
        kept = self.left * share
        self.left -= kept
        try:
            yield
        finally:
            self.left += kept

    def spend(self, steps: float, bits: int = 0) -> None:
        """Counts steps with numbers of some length. What the budget cannot pay for is not begun."""
        cost = steps * (1 + bits / _LONG)
        if cost > self.left:
            self.has_refused = True
            raise BudgetError
        self.left -= cost

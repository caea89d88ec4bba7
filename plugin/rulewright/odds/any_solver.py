"""What answers questions about a bound rule, whatever the method."""

from __future__ import annotations

from fractions import Fraction
from typing import Protocol

from .distribution import Solution
from .plan import Question


class AnySolver(Protocol):
    """What answers questions about a bound rule."""

    def count(self, question: Question) -> Solution: ...

    def mean(self, question: Question) -> Fraction | None: ...

    def list_values(self, question: Question, least: int = 0) -> Solution: ...

    def list_most(self, question: Question, most_left: Fraction) -> Solution: ...

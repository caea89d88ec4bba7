"""Division, rounded in three ways."""

from __future__ import annotations

from math import inf

Bound = float  # an int, or plus or minus infinity


def divide(way: str, over: int, under: int) -> int:
    """Down and up round towards minus and plus infinity, near rounds halves up."""
    if way == "down":
        return over // under
    if way == "up":
        return -(-over // under)
    return (2 * over + under) // (2 * under)


def divided(way: str, over: Bound, under: Bound) -> Bound:
    """The limit of the rounded quotient where one or both of the two grow without bound.

    The quotient of a finite number and an infinite one approaches 0 from the side of its sign. Of two infinite
    ones it can approach anything; every range of divisors also has a finite end, and that one yields the far bound."""
    if abs(under) == inf:
        positive = (over > 0) == (under > 0)
        if way == "down":
            return 0 if over == 0 or positive else -1
        return 1 if way == "up" and over != 0 and positive else 0
    if abs(over) == inf:
        return over if under > 0 else -over
    return divide(way, int(over), int(under))

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
    """What the quotient tends to where one or both of the two are without bound."""
    if abs(over) == inf and abs(under) < inf:
        return over if under > 0 else -over
    if abs(under) == inf:
        return 0 if over == 0 else 1 if (over > 0) == (under > 0) else -1
    return divide(way, int(over), int(under))

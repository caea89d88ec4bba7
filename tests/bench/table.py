"""What is measured: the odds of Maelstrom's action for 720 settings."""

from fractions import Fraction

POOLS = range(1, 21)
DIFFICULTIES = range(2, 11)
THRESHOLDS = range(4)
OUTCOMES = ("success", "failure", "botch")

Setting = tuple[int, int, int]  # pool, difficulty, threshold
Table = dict[Setting, dict[str, Fraction]]  # an outcome that cannot happen may be left out


def furthest(one: Table, other: Table) -> Fraction:
    """The greatest difference between two tables; 1 when they do not hold the same settings."""
    if one.keys() != other.keys():
        return Fraction(1)
    return max(
        abs(chances.get(outcome, Fraction(0)) - other[setting].get(outcome, Fraction(0)))
        for setting, chances in one.items()
        for outcome in OUTCOMES
    )

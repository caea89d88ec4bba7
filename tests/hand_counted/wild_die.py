"""Twins of Wild Die: six-sided dice, one of which is thrown on while it shows a 6."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from .odds import Odds, Result, compare, gather


def judge(
    regular: tuple[int, ...], wild: tuple[int, ...], pips: int, bonus: int, difficulty: int, fumble: str, wild_one: str
) -> Result:
    failed = wild[0] == 1
    total = sum(regular) + sum(wild) + pips + bonus
    lost = 0
    if failed and fumble == "cancel highest":
        highest = max(regular, default=0)
        lost = highest + 1 if wild_one == "is lost" else max(highest, 1)
    total -= lost
    steps = (
        ("critical_success", int(wild[0] == 6)),
        ("critical_failure", int(failed)),
        ("complication", int(failed and fumble == "complication")),
        ("lost", lost),
        ("total", total),
    )
    return Result("success" if total >= difficulty else "failure", abs(total - difficulty), steps)


def wild_throws(depth: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Up to `depth` throws: some sixes, then another face."""
    for sixes in range(depth):
        for face in range(1, 6):
            yield (6,) * sixes + (face,), Fraction(1, 6 ** (sixes + 1))


def check(
    *,
    d: int,
    pips: int = 0,
    extra: int = 0,
    bonus: int = 0,
    difficulty: int = 0,
    fumble: str = "complication",
    wild_one: str = "counts",
    depth: int = 12,
) -> Odds:
    number = d + extra - 1
    if number < 0:
        raise ValueError("no dice left")
    return gather(
        (judge(regular, wild, pips, bonus, difficulty, fumble, wild_one), chance / 6**number)
        for wild, chance in wild_throws(depth)
        for regular in product(range(1, 7), repeat=number)
    )


def opposed(first: Odds, second: Odds) -> Odds:
    """Both throw a check; a tie goes to the first."""
    return compare(first, second, "total", "first")

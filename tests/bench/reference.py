"""Maelstrom's two tables as fast as plain Python can: exact, by hand, for this one rule only.

With N = successes − ones, an action at threshold T succeeds when N > T. It fails when N = T, or when there is no 1 and
fewer than T successes. All else is a botch. So one distribution of N serves every threshold, and beside it only the
first few chances of throws without a 1 are needed.

The distribution is a power of one die's generating function. Its coefficients stand side by side in one big integer,
`WIDTH` bits each: a product of polynomials is then one multiplication, and sums of coefficients are remainders.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb

from .table import DIFFICULTIES, POOLS, THRESHOLDS, Setting, Table

Counts = tuple[int, int, int, int]  # ways to succeed, fail, botch, and all ways
PLAIN_WIDTH = 80  # 10**20 ways at most
WIDTH = 232  # 10**20 ways times 100**23
TERMS = POOLS[-1] + len(THRESHOLDS)  # coefficients needed: N from −pool to the highest threshold


def table(specialty: bool) -> Table:
    return {setting: fractions(*counts) for setting, counts in (exploding() if specialty else plain())}


def fractions(success: int, failure: int, botch: int, ways: int) -> dict[str, Fraction]:
    return {"success": Fraction(success, ways), "failure": Fraction(failure, ways), "botch": Fraction(botch, ways)}


def plain() -> Iterator[tuple[Setting, Counts]]:
    mask = (1 << PLAIN_WIDTH) - 1
    for difficulty in DIFFICULTIES:
        good, idle = 11 - difficulty, difficulty - 2
        die = 1 | idle << PLAIN_WIDTH | good << 2 * PLAIN_WIDTH  # 1/x + idle + good x, times x
        power = 1
        for pool in POOLS:
            power *= die
            ways, rest = 10**pool, power >> pool * PLAIN_WIDTH
            above, clean = rest % mask, 0  # the remainder is the sum of all coefficients
            for threshold in THRESHOLDS:
                equal = rest & mask
                above -= equal
                failure = equal + clean
                yield (pool, difficulty, threshold), (above, failure, ways - above - failure, ways)
                if threshold <= pool:
                    clean += comb(pool, threshold) * good**threshold * idle ** (pool - threshold)
                rest >>= PLAIN_WIDTH


def earned(difficulty: int) -> list[int]:
    """An earned die and all that it earns: the chance of j successes is the j-th number over 10**(2 j + 1)."""
    series = [difficulty - 1]
    for last in range(TERMS - 2):
        series.append(sum(series[i] * series[last - i] for i in range(last + 1)))
        if last == 0:
            series[1] += 100 * (10 - difficulty)
    return series


def packed(series: list[int]) -> int:
    """A die of the pool, times x: coefficient j is over 10 · 100**j. It is an earned die, but a 1 counts −1."""
    coefficients = [1, 100 * (series[0] - 1), *(100 * number for number in series[1:])]
    return sum(number << place * WIDTH for place, number in enumerate(coefficients))


def without_ones(series: list[int], pool: int) -> list[int]:
    """Ways to throw no 1 and 0, 1, 2 successes, over 10**pool · 100**(pool + successes)."""
    idle, one, two = series[0] - 1, series[1], series[2]
    ways = [idle**pool, pool * idle ** (pool - 1) * one, pool * idle ** (pool - 1) * two]
    if pool > 1:
        ways[2] += comb(pool, 2) * idle ** (pool - 2) * one**2
    return [100**pool * number for number in ways]


def exploding() -> Iterator[tuple[Setting, Counts]]:
    mask, kept, weigh = (1 << WIDTH) - 1, (1 << TERMS * WIDTH) - 1, (100 << WIDTH) - 1
    for difficulty in DIFFICULTIES:
        series = earned(difficulty)
        die, power = packed(series), 1
        for pool in POOLS:
            power = power * die & kept
            ways, rest = 1000**pool, power >> pool * WIDTH
            low = power & (1 << (pool + 1) * WIDTH) - 1
            upto = low * 100**pool % weigh  # x is 1/100 modulo 100 x − 1: coefficients over one denominator
            clean, few = 0, [*without_ones(series, pool), 0]
            for threshold in THRESHOLDS:
                failure = (rest & mask) + clean
                yield (pool, difficulty, threshold), (ways - upto, failure, upto - failure, ways)
                clean = (clean + few[threshold]) * 100
                rest >>= WIDTH
                ways, upto = ways * 100, upto * 100 + (rest & mask)

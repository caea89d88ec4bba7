"""The same tables with icepool and dyce, each in the best idiom we found.

Both pack the successes and the ones of a throw into one integer, add one die after another to the pool, so that every
pool starts from the one before, and map the sums to outcomes. As each 10 of an earned die is a success, nothing is lost
by holding successes at `CAP`, above which every throw succeeds, nor by ending the explosions after `CAP` throws in a
row: the odds are exact. (Without a cap, dice that breed two grow beyond all bounds after five or six throws in a row.)
icepool's `unary_operator` is its `map` without the search for dice among the results, in half the time.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .table import DIFFICULTIES, POOLS, THRESHOLDS, Table

SUCCESS = 64  # what one success is worth in a packed sum, a 1 being worth 1
CAP = POOLS[-1] + THRESHOLDS[-1] + 1


def verdict(threshold: int) -> Callable[[int], str]:
    def outcome(total: int) -> str:
        successes, ones = divmod(total, SUCCESS)
        net = max(successes - threshold, 0) - ones
        return "success" if net > 0 else "botch" if net < 0 else "failure"

    return outcome


VERDICTS = [verdict(threshold) for threshold in THRESHOLDS]


def capped(total: int) -> int:
    successes, ones = divmod(total, SUCCESS)
    return min(successes, CAP) * SUCCESS + ones


def icepool_table(specialty: bool) -> Table:
    table: Table = {}
    for difficulty in DIFFICULTIES:
        pool = die = icepool_die(difficulty, specialty)
        for number in POOLS:
            if number > 1:
                pool = (pool + die).unary_operator(capped) if specialty else pool + die
            for threshold, outcome in enumerate(VERDICTS):
                odds = pool.unary_operator(outcome)
                table[number, difficulty, threshold] = dict(zip(odds, odds.probabilities(), strict=True))
    return table


def icepool_die(difficulty: int, specialty: bool) -> Any:
    from icepool import Die

    if not specialty:
        return Die({1: 1, 0: difficulty - 2, SUCCESS: 11 - difficulty})
    parts = [difficulty - 1, 10 - difficulty, 1]
    earned = Die([0, SUCCESS], times=[difficulty - 1, 11 - difficulty])
    for _ in range(CAP):
        earned = Die([0, SUCCESS, SUCCESS + 2 @ earned], times=parts).unary_operator(capped).simplify()
    times = [1, difficulty - 2, 10 - difficulty, 1]
    return Die([1, 0, SUCCESS, SUCCESS + 2 @ earned], times=times).unary_operator(capped).simplify()


def dyce_table(specialty: bool) -> Table:
    table: Table = {}
    for difficulty in DIFFICULTIES:
        pool = die = dyce_die(difficulty, specialty)
        for number in POOLS:
            if number > 1:
                pool = (pool + die).apply(capped) if specialty else pool + die
            for threshold, outcome in enumerate(VERDICTS):
                odds = pool.apply(outcome)
                table[number, difficulty, threshold] = {
                    name: Fraction(count, odds.total) for name, count in odds.items()
                }
    return table


def dyce_die(difficulty: int, specialty: bool) -> Any:
    from dyce import H
    from dyce.h import aggregate_weighted

    if not specialty:
        return H.from_counts({1: 1, 0: difficulty - 2, SUCCESS: 11 - difficulty})
    earned: Any = H.from_counts({0: difficulty - 1, SUCCESS: 11 - difficulty})
    for _ in range(CAP):
        parts = [(0, difficulty - 1), (SUCCESS, 10 - difficulty), (earned + earned + SUCCESS, 1)]
        earned = aggregate_weighted(parts).apply(capped).lowest_terms()
    parts = [(1, 1), (0, difficulty - 2), (SUCCESS, 10 - difficulty), (earned + earned + SUCCESS, 1)]
    return aggregate_weighted(parts).apply(capped).lowest_terms()

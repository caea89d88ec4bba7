"""The peers as their handbooks write it: one `n @ die` for each pool and difficulty, mapped to the outcome.

Without our cap (see peers.py) the dice that breed are cut off after `DEPTH` throws in a row, so with a specialty the
peers' odds are near, not exact. Run it by itself: it takes most of a minute."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from fractions import Fraction

from bench import ours, peers, reference
from bench.clock import best, once, shown
from bench.table import DIFFICULTIES, POOLS, Table, furthest

DEPTH = 4


def icepool_written(specialty: bool) -> Table:
    table: Table = {}
    for difficulty in DIFFICULTIES:
        die = icepool_cut_off(difficulty) if specialty else peers.icepool_die(difficulty, False)
        for number in POOLS:
            pool = number @ die
            for threshold, outcome in enumerate(peers.VERDICTS):
                odds = pool.map(outcome)
                table[number, difficulty, threshold] = dict(zip(odds, odds.probabilities(), strict=True))
    return table


def icepool_cut_off(difficulty: int) -> Any:
    from icepool import Die

    parts = [difficulty - 1, 10 - difficulty, 1]
    earned = Die([0, peers.SUCCESS], times=[difficulty - 1, 11 - difficulty])
    for _ in range(DEPTH - 1):
        earned = Die([0, peers.SUCCESS, peers.SUCCESS + 2 @ earned], times=parts).simplify()
    times = [1, difficulty - 2, 10 - difficulty, 1]
    return Die([1, 0, peers.SUCCESS, peers.SUCCESS + 2 @ earned], times=times).simplify()


def dyce_written(specialty: bool) -> Table:
    table: Table = {}
    for difficulty in DIFFICULTIES:
        die = dyce_cut_off(difficulty) if specialty else peers.dyce_die(difficulty, False)
        for number in POOLS:
            pool = number @ die if number > 1 else die
            for threshold, outcome in enumerate(peers.VERDICTS):
                odds = pool.apply(outcome)
                table[number, difficulty, threshold] = {
                    name: Fraction(count, odds.total) for name, count in odds.items()
                }
    return table


def dyce_cut_off(difficulty: int) -> Any:
    from dyce import H
    from dyce.h import aggregate_weighted

    earned: Any = H.from_counts({0: difficulty - 1, peers.SUCCESS: 11 - difficulty})
    for _ in range(DEPTH - 1):
        parts = [(0, difficulty - 1), (peers.SUCCESS, 10 - difficulty), (earned + earned + peers.SUCCESS, 1)]
        earned = aggregate_weighted(parts).lowest_terms()
    parts = [(1, 1), (0, difficulty - 2), (peers.SUCCESS, 10 - difficulty), (earned + earned + peers.SUCCESS, 1)]
    return aggregate_weighted(parts).lowest_terms()


def report(name: str, call: Callable[[bool], Table], specialty: bool) -> float:
    distance = furthest(call(specialty), reference.table(specialty))
    time = once(lambda: call(specialty)) if specialty else best(lambda: call(specialty))
    print(f"{name:12}{'with' if specialty else 'without'} a specialty  {shown(time):>8}  off by {float(distance):.0e}")
    return time


def main() -> None:
    for specialty in (False, True):
        own = report("Rulewright", ours.ours_table, specialty)
        peer = min(report("icepool", icepool_written, specialty), report("dyce", dyce_written, specialty))
        print(f"the faster of the two takes {peer / own:.1f} times as long as Rulewright\n")


if __name__ == "__main__":
    main()

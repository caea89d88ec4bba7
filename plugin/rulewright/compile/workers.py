"""The same work on many things, shared out among processes that are copies of this one; results come in order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")

MOST = 8
AT_ONCE = 16  # things that a process takes at a time
WORK: list[Callable[[int], Any]] = []  # what a copy does; set when it is made, without being sent


def processes() -> int:
    """How many are worth while; one where processes cannot be copied, or where that is unsafe."""
    if sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def shared(work: Callable[[Thing], Result], things: Sequence[Thing], count: int) -> Iterator[Result]:
    """Copies know all that this process knows; only results travel. Where a copy dies, its work is done here."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    done = 0
    with ProcessPoolExecutor(count, get_context("fork"), begin, (lambda number: work(things[number]),)) as pool:
        try:
            for result in pool.map(one, range(len(things)), chunksize=AT_ONCE):
                yield result
                done += 1
        except BrokenProcessPool:
            yield from map(work, things[done:])
        finally:
            pool.shutdown(cancel_futures=True)


def begin(work: Callable[[int], Any]) -> None:
    """Ctrl-C is for the first process, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    WORK[:] = [work]


def one(number: int) -> Any:
    return WORK[0](number)

"""A pool of forked worker processes that maps a function over many items, in order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")

MOST = 8
AT_ONCE = 16  # items that a worker takes at a time
WORK: list[Callable[[int], Any]] = []  # the function that a worker calls; inherited by fork, so it needs no pickling


def processes() -> int:
    """How many processes to use; one where `fork` does not exist or is unsafe."""
    if sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), MOST)


def shared(work: Callable[[Thing], Result], things: Sequence[Thing], count: int) -> Iterator[Result]:
    """Map `work` over things in `count` processes. Only results are pickled. If a worker dies, the rest runs here."""
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
    """Initialize a worker. It ignores Ctrl-C, since the parent process ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    WORK[:] = [work]


def one(number: int) -> Any:
    return WORK[0](number)

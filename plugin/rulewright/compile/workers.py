"""A pool of forked worker processes that maps a function over many items, in order."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

_MAX_PROCESSES = 8
_CHUNK_SIZE = 16  # items that a worker takes at a time
_WORKER_FUNCTION: list[
    Callable[[int], Any]
] = []  # the function that a worker calls; inherited by fork, so it needs no pickling


def process_count() -> int:
    """How many processes to use; one where `fork` does not exist or is unsafe."""
    if sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), _MAX_PROCESSES)


def map_in_processes(work: Callable[[Item], Result], items: Sequence[Item], count: int) -> Iterator[Result]:
    """Map `work` over things in `count` processes. Only results are pickled. If a worker dies, the rest runs here."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    done = 0
    with ProcessPoolExecutor(count, get_context("fork"), _start_worker, (lambda number: work(items[number]),)) as pool:
        try:
            for result in pool.map(_run_item, range(len(items)), chunksize=_CHUNK_SIZE):
                yield result
                done += 1
        except BrokenProcessPool:
            yield from map(work, items[done:])
        finally:
            pool.shutdown(cancel_futures=True)


def _start_worker(work: Callable[[int], Any]) -> None:
    """Initialize a worker. It ignores Ctrl-C, since the parent process ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _WORKER_FUNCTION[:] = [work]


def _run_item(number: int) -> Any:
    return _WORKER_FUNCTION[0](number)

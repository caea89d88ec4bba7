"""What work costs, without a clock: how many functions it calls. A test that compares counts has one result everywhere.

Costs that no call shows (a pattern that backtracks) are left to `hang_guard`: the text is so long that such a pattern
needs minutes, and the guard stops it after one."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

MOST_SECONDS = 60  # of the processor, for work that needs less than two: a guard, not a measurement


def count_calls(work: Callable[[], object]) -> int:
    """How many functions are called, those written in C included. Work that fills a cache is done once before."""
    calls = 0

    def notice(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(notice)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


LINEAR = 2.3  # growth that counts as linear: some calls more or less do not depend on the size


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times more calls twice the size needs: 2 is linear, 4 is quadratic."""
    work(size)
    return count_calls(lambda: work(2 * size)) / count_calls(lambda: work(size))


@contextmanager
def hang_guard(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Fail where the work would never end, so that the tests do."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"this has not ended after {seconds:g} seconds of work")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def halving(work: Callable[[str], object], text: str, size: int = 6000) -> float:
    """How many times more calls a text needs than its first half; a part of it that is long enough to tell is taken."""
    part = text[: min(size, len(text))]
    work(part)
    return count_calls(lambda: work(part)) / count_calls(lambda: work(part[: len(part) // 2]))

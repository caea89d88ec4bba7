"""Measures work without a clock, by the number of function calls, so that results are the same on every machine.

Calls do not show every cost (such as a pattern that backtracks). For those there is `hang_guard`: with a long text such
a pattern needs minutes, and the guard stops it after one."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

MOST_SECONDS = 60  # of CPU time, for work that needs less than two: a guard, not a measurement


def count_calls(work: Callable[[], object]) -> int:
    """The number of function calls, including those of C functions. Fill caches before the measurement."""
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


LINEAR = 2.3  # growth that counts as linear: a few calls do not depend on the size


def call_growth(work: Callable[[int], object], size: int) -> float:
    """How many times more calls are needed for twice the size: 2 is linear, 4 is quadratic."""
    work(size)
    return count_calls(lambda: work(2 * size)) / count_calls(lambda: work(size))


@contextmanager
def hang_guard(seconds: float = MOST_SECONDS) -> Iterator[None]:
    """Fails instead of running forever."""
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


def call_growth_from_half(work: Callable[[str], object], text: str, size: int = 6000) -> float:
    """How many times more calls a text needs than its first half; a long text is cut off at `size`."""
    part = text[: min(size, len(text))]
    work(part)
    return count_calls(lambda: work(part)) / count_calls(lambda: work(part[: len(part) // 2]))

"""The call counter and the guard against endless work that other tests rest on."""

from __future__ import annotations

import re

import pytest

from call_counts import call_growth, count_calls, hang_guard


def test_calls_are_counted() -> None:
    def work() -> None:
        for _ in range(10):
            len("a")

    assert count_calls(work) == count_calls(work)
    assert count_calls(work) - count_calls(lambda: None) == 10


def test_growth_tells_linear_from_quadratic() -> None:
    def linear(size: int) -> None:
        for _ in range(size):
            len("a")

    def quadratic(size: int) -> None:
        for _ in range(size):
            linear(size)

    assert call_growth(linear, 1000) < 2.1
    assert call_growth(quadratic, 100) > 3.5


def test_the_guard_stops_a_pattern_that_backtracks() -> None:
    with pytest.raises(AssertionError, match="has not ended"), hang_guard(0.05):
        re.match("(a|a)*b", "a" * 60)


def test_the_guard_leaves_other_work_alone() -> None:
    with hang_guard(0.5):
        pass
    with pytest.raises(ValueError, match="no"), hang_guard():
        raise ValueError("no")

"""Taking times: the best of several runs, in seconds."""

import os
import tempfile
import timeit
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"))
LEAST_RUNS, MOST_RUNS, LONG_ENOUGH = 3, 60, 1.0
KEPT = Path(tempfile.gettempdir(), "rulewright-bytecode")  # as an installed package has it
SURROUNDINGS = {
    **os.environ,
    "NO_MKDOCS_2_WARNING": "1",
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(KEPT),
}


def once(call: Callable[[], object]) -> float:
    begin = perf_counter()
    call()
    return perf_counter() - begin


def best(call: Callable[[], object]) -> float:
    """After one run that does not count, as many as fit into a second."""
    call()
    times: list[float] = []
    while len(times) < LEAST_RUNS or (sum(times) < LONG_ENOUGH and len(times) < MOST_RUNS):
        times.append(once(call))
    return min(times)


def best_cold(prepare: Callable[[], Callable[[], object]]) -> float:
    """Each run asks a question that was made ready just before; making it ready does not count."""
    once(prepare())
    return min(once(prepare()) for _ in range(LEAST_RUNS * 5))


def best_short(call: Callable[[], object]) -> float:
    """For calls too short to be timed one by one."""
    number = 1000
    return min(timeit.repeat(call, number=number, repeat=LEAST_RUNS * 3)) / number


def shown(seconds: float) -> str:
    """Three digits, in the unit that fits: `24.9 ms`, `53.1 µs`."""
    value, unit = next((seconds / size, unit) for size, unit in UNITS if seconds >= size or unit == "µs")
    return f"{value:.{max(0, 3 - len(str(int(value))))}f} {unit}"

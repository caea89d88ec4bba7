"""`make bench`: speed beside icepool, dyce and a hand-written reference; agreement is checked first.

`run.py --print` leaves README.md as it is.
"""

import math
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench import browser, exports, library, ours, pages, peers, reference, rules, site
from bench.clock import best, best_cold, best_short, shown
from bench.table import Table, furthest

README = Path(__file__).parents[2] / "README.md"
MARKED = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)
TABLES: dict[str, Callable[[bool], Table]] = {
    "Rulewright": ours.ours_table,
    "icepool": peers.icepool_table,
    "dyce": peers.dyce_table,
    "by hand": reference.table,
}
LIBRARIES = ("icepool", "dyce")
NAMES = {False: "without a specialty", True: "with a specialty"}
GOALS = {False: 4, True: 50}  # times faster than the faster library
COLD_GOALS = {False: "1 ms", True: "5 ms"}
ROLL_GOAL = "60 µs"
GROWTH_POOLS = (10, 20, 30)

Times = dict[str, float]  # of what could be measured


class DisagreementError(Exception):
    """Two libraries give different odds: there is nothing to compare."""


def attempt(measure: Callable[[], float]) -> float | None:
    """None for a library that is not installed and for what the engine does not offer yet."""
    try:
        return measure()
    except (ImportError, NotImplementedError):
        return None


def measured(name: str, specialty: bool) -> float:
    """The time of one table, after it agreed exactly with the reference."""
    call = partial(TABLES[name], specialty)
    distance = furthest(call(), reference.table(specialty))
    if distance:
        raise DisagreementError(f"{name} {NAMES[specialty]} is off by up to {float(distance):.1e}")
    return best(call)


def table_times(specialty: bool) -> Times:
    times = {name: attempt(partial(measured, name, specialty)) for name in TABLES}
    return {name: time for name, time in times.items() if time is not None}


def cold_time(pool: int, specialty: bool) -> float:
    chances = ours.cold_answer(pool, specialty)()
    if pool == 20 and chances != reference.table(specialty)[20, 6, 0]:
        raise DisagreementError(f"the cold answer {NAMES[specialty]} is not the reference's")
    return best_cold(partial(ours.cold_answer, pool, specialty))


def cell(time: float | None) -> str:
    return "–" if time is None else shown(time)


def row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def head(*cells: str) -> Iterator[str]:
    yield row(*cells)
    yield row("---", *["---:"] * (len(cells) - 1))


def ratio(times: Times) -> str:
    others = [times[name] for name in LIBRARIES if name in times]
    return f"{min(others) / times['Rulewright']:.1f} ×" if others and "Rulewright" in times else "–"


def tables() -> Iterator[str]:
    yield from head("720 settings of Maelstrom's action", *TABLES, "against the faster library", "goal")
    for specialty, name in NAMES.items():
        times = table_times(specialty)
        yield row(name, *(cell(times.get(column)) for column in TABLES), ratio(times), f"{GOALS[specialty]} ×")


def cold_rules() -> Iterator[str]:
    """Where icepool is not installed, a dash: then README.md is left as it is."""
    yield from head("one question, nothing compiled before", "Rulewright", "icepool", "against icepool", "goal")
    try:
        for cells in rules.rows():
            yield row(*cells)
    except ImportError:
        yield row("every rule", *["–"] * 4)
    except ValueError as problem:
        raise DisagreementError(str(problem)) from None


def answers() -> Iterator[str]:
    yield from head("one question", "Rulewright", "goal")
    for specialty, name in NAMES.items():
        time = attempt(partial(cold_time, 20, specialty))
        yield row(f"odds of 20 dice {name}, nothing computed before", cell(time), COLD_GOALS[specialty])
    time = attempt(lambda: best_short(ours.recorded_roll()))
    yield row("check of a recorded roll", cell(time), ROLL_GOAL)


def growth() -> Iterator[str]:
    yield from head("odds of one pool", *(f"{pool} dice" for pool in GROWTH_POOLS), "grows with the power")
    for specialty, name in NAMES.items():
        times = [attempt(partial(cold_time, pool, specialty)) for pool in GROWTH_POOLS]
        yield row(name, *map(cell, times), power(times[0], times[-1]))


def power(first: float | None, last: float | None) -> str:
    """2.0 when three times the dice take nine times as long."""
    if first is None or last is None:
        return "–"
    return f"{math.log(last / first) / math.log(GROWTH_POOLS[-1] / GROWTH_POOLS[0]):.1f}"


def examples() -> Iterator[str]:
    yield from head("a page of 1,000 examples", "time", "beside Rulewright", "goal")
    times = {name: attempt(measure) for name, measure in pages.rows()}
    own = times[pages.OWN]
    for name, time in times.items():
        beside = f"{time / own:.2f} ×" if time and own else "–"
        yield row(name, cell(time), beside, pages.GOALS.get(name, ""))


def books() -> Iterator[str]:
    yield from head("a whole book", "Rulewright", "goal")
    with tempfile.TemporaryDirectory() as folder:
        pages.write_book(Path(folder), 200, 10)
        yield row("200 pages with 2,000 examples", cell(best(partial(pages.whole_book, Path(folder)))), "2 s")
    cpu, memory = library.cost()
    yield row("a million words on 1,000 pages, no blocks: processors", cell(cpu), library.GOALS[0])
    yield row("the same: memory", f"{memory} MB", library.GOALS[1])


def scripts() -> Iterator[str]:
    yield from head("in JavaScript, once warm", "time", "goal")
    for name, key, goal in browser.rows():
        yield row(name, cell(attempt(partial(lambda key: browser.times()[key], key))), goal)


def sites() -> Iterator[str]:
    yield from head("a site, time of the processor", "plain Material", "with Rulewright", "that is")
    for cells in site.rows():
        yield row(*cells)


def printed() -> Iterator[str]:
    yield from head("a PDF, time of the processor", *exports.PDF_COLUMNS, "against the faster one", "goal")
    for cells in exports.pdf_rows():
        yield row(*cells)


def exported() -> Iterator[str]:
    yield from head("other exports", "Rulewright", "goal")
    for cells in exports.rows():
        yield row(*cells)


def report() -> str:
    asked = (tables, cold_rules, answers, growth, examples, books, sites, printed, exported, scripts)
    parts = ["\n".join(part()) for part in asked]
    return "\n\n".join([f"Best of several runs with Python {platform.python_version()}.", *parts])


def write(text: str) -> None:
    if "–" in text:
        print("README.md is left as it is: something could not be measured.")
        return
    old = README.read_text(encoding="utf-8")
    README.write_text(MARKED.sub(lambda marks: f"{marks[1]}{text}\n{marks[2]}", old), encoding="utf-8")


def main() -> int:
    try:
        text = report()
    except DisagreementError as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 1
    print(text)
    if "--print" not in sys.argv:
        write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Large books: several processes come to the same report as one, and a terminal shows how far they are."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from clean_book import write_book
from rulewright.cli import main
from rulewright.cli.terminal import CLEAR, progress
from rulewright.compile.book import compile_book
from rulewright.compile.workers import map_in_processes
from rulewright.render.reports import format_problems
from small_book import BLOCK, GAME, WRONG, write

GAP = "# Storms\n\n| d6 | a |\n|---|---|\n| 1-3 | x |\n| 5 | y |\n| 6 | z |\n\n[x](#gone) [y](chapter-1.md#lost)\n"
FOUND = {
    "game.toml": GAME,
    "a.md": GAP,
    "b.md": f"# Coins\n\n{WRONG}\n\n{GAP}",
    "c.md": f"# Right\n\n{BLOCK}\n",
    "sub/d.md": f"{GAP}\n\nExample: Ann rolls three dice, 2, 2 and 1, and has 2 successes.\n",
    "sub/e.md": "[4](chance:heads?coins=1)\n",
}


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_book(tmp_path, 30, 200)
    return write(tmp_path, FOUND)


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("processes cannot be copied here")
    monkeypatch.setattr("rulewright.compile.book.MIN_PARALLEL_CHARACTERS", 0)
    monkeypatch.setattr("rulewright.compile.book.process_count", lambda: 2)


@pytest.mark.usefixtures("two")
def test_one_process_and_two_say_the_same(book: Path) -> None:
    alone = compile_book([book], book)
    shared = compile_book([book], book, lean=True)
    assert format_problems(shared.problems) == format_problems(alone.problems)
    assert shared.problems == alone.problems
    assert shared.checked_counts == alone.checked_counts
    assert [page.game for page in shared.pages] == [shared.games.game_of(page.file) for page in shared.pages]
    assert [page.block.id for page in shared.blocks] == [page.block.id for page in alone.blocks]
    assert not any(page.page.tokens for page in shared.pages)
    assert {"rollable-gap", "link-missing", "example-degree"} <= {problem.code for problem in shared.problems}


@pytest.mark.usefixtures("two")
def test_a_process_that_dies_is_no_loss() -> None:
    first = os.getpid()

    def work(number: int) -> int:
        if number == 40 and os.getpid() != first:
            os._exit(1)
        return number * number

    assert list(map_in_processes(work, range(100), 2)) == [number * number for number in range(100)]


@pytest.mark.usefixtures("two")
def test_a_bug_in_a_process_is_not_hidden() -> None:
    def work(number: int) -> float:
        return 1 / (50 - number)

    with pytest.raises(ZeroDivisionError):
        list(map_in_processes(work, range(100), 2))


def test_small_books_are_read_alone(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("rulewright.compile.book.map_in_processes", refuse)
    main(["check", str(book)])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress() -> None:
    terminal, times = Terminal(), iter([0.0, 0.1, 0.49, 0.6, 0.65, 0.75, 0.8])
    tell = progress(terminal, lambda: next(times))
    for done in (1, 20, 300, 310, 1500, 2000):
        tell(done, 2000)
    assert terminal.getvalue() == f"{CLEAR}300 of 2,000 pages{CLEAR}1,500 of 2,000 pages{CLEAR}"


def test_nothing_is_shown_of_a_short_check_or_in_a_pipe() -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        tell = progress(stream)
        tell(1, 2)
        tell(2, 2)
        assert not stream.getvalue()

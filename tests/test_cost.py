"""What a check costs: twice the book is twice the work, also for books that somebody wrote to be slow."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from call_counts import LINEAR, count_calls, hang_guard
from example_counts import sample
from rulewright.compile.book import compile_book
from rulewright.source import Problem
from small_book import GAME, write

Pages = Callable[[int], dict[str, str]]
ODDS = "```odds\nrule: toss\nrows: coins 1..3\nshow: chance of win\n"


def one(text: Callable[[int], str]) -> Pages:
    return lambda size: {"page.md": f"# Page\n\n{text(size)}\n"}


def linked(size: int) -> dict[str, str]:
    """Pages that lead to each other and to pages that are gone."""
    links = "[a](page-{0}.md#parts) [[page-{0}]] [gone](lost-{0}.md) [b](#partz)"
    return {f"page-{n}.md": f"# Page {n}\n\n{links.format(n * 7 % size)}\n\n## Parts\n\nWords.\n" for n in range(size)}


BOOKS: dict[str, Pages] = {
    "images without end": one(lambda size: "![[]()" * 10 * size),
    "images in images": one(lambda size: "![a![" * 4 * size),
    "comments without end": one(lambda size: "<!--" * 40 * size),
    "comments in text": one(lambda size: "a <!-- " * 20 * size),
    "comments in items": one(lambda size: "- <!--\n\n" * 10 * size),
    "links to one missing anchor": one(lambda size: "[x](#a) " * 10 * size),
    "links to missing anchors": one(lambda size: "".join(f"[x](#a{n})\n" for n in range(10 * size))),
    "dots in a heading": one(lambda size: f"## {'.' * 400 * size}\n\n## B"),
    "long expectations": one(lambda size: f"{ODDS}expect: {'coins 3, ' * 20 * size} = 70%\n```"),
    "linked pages": linked,
}


@pytest.mark.parametrize("name", sample(BOOKS, 6))
def test_twice_the_book_is_twice_the_work(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.book.link_repairs.MAX_GUESSES", 3)  # so that a small book reaches the limit
    monkeypatch.setattr("rulewright.book.inline_rules._MAX_IMAGE_SEARCH", 3_000)
    sizes = (60, 120)
    folders = [write(tmp_path / str(size), {"game.toml": GAME, **BOOKS[name](size)}) for size in sizes]

    def calls(folder: Path) -> int:
        return count_calls(lambda: compile_book([folder], folder).problems)

    with hang_guard():
        calls(folders[0])  # fills caches
        first, second = map(calls, folders)
    assert second / first < LINEAR


def problems_of(folder: Path, text: str) -> list[Problem]:
    write(folder, {"game.toml": GAME, "page.md": text})
    return compile_book([folder], folder).problems


def count_uses(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """A list that grows with each call of a function, which reads a whole page each time."""
    module, _, function = name.rpartition(".")
    uses, read = list[object](), getattr(import_module(module), function)

    def count(*values: object) -> object:
        uses.append(values)
        return read(*values)

    monkeypatch.setattr(name, count)
    return uses


def test_many_wrong_expectations_read_their_section_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = count_uses(monkeypatch, "rulewright.checks.safe_fixes._text_around")
    problems = problems_of(tmp_path, ODDS + "expect: coins 2 = 17%\n" * 30 + "```\n")
    assert len(problems) == 30
    assert all(problem.fix for problem in problems)
    assert len(uses) == 1


def test_many_missing_anchors_read_their_page_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uses = count_uses(monkeypatch, "rulewright.book.resolver.included_files")
    assert len(problems_of(tmp_path, "[x](#a)\n" * 30)) == 30
    assert len(uses) < 12  # once for each set of rules that is tried

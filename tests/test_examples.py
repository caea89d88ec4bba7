"""Examples: every promise of the block, in pages that anybody can write, with the report that authors get."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from rulewright.book.page import Page
from rulewright.book.parser import read_page
from rulewright.checks.model import BlockContext, CheckedBlock, Move
from rulewright.checks.registry import check_block
from rulewright.compile.games import Games, game_in_page, read_games
from rulewright.project import find_games
from rulewright.render.reports import format_problems
from rulewright.source import Problem, Source, sort_problems

HERE = Path(__file__).parent
ROOT = HERE.parent
RULES = ROOT / "rules"
CASES = sorted(path.stem for path in (HERE / "cases/examples").glob("*.md"))
BAD = ("failed", "error")


@cache
def games() -> Games:
    return read_games(RULES, find_games(RULES), ROOT)


def page_of(name: str) -> Page:
    content = (HERE / f"cases/examples/{name}.md").read_bytes().decode()
    return read_page(Source(f"{name}.md", content))


def checked(page: Page) -> list[CheckedBlock]:
    home, problems = game_in_page(page, "")
    assert not problems, format_problems(problems)
    around = BlockContext(page, home or games().by_folder["maelstrom"], games().by_folder)
    return [check_block(block, around) for block in page.blocks]


def report(page: Page) -> str:
    """One line for each step of each block, then every problem."""
    blocks = checked(page)
    problems: list[Problem] = [*page.problems, *(one for block in blocks for one in block.problems)]
    summary = "\n".join(line for block in blocks for line in summed_up(block))
    return f"{summary}\n\n{format_problems(sort_problems(problems))}\n"


def summed_up(block: CheckedBlock) -> Iterator[str]:
    yield f"{block.block.id}: {block.status}"
    yield from (f"    {told(move)}" for move in block.moves)


def told(move: Move) -> str:
    steps = ", ".join(f"{name} {value}" for name, value in move.steps.items())
    degree = "" if move.degree is None else f", degree {move.degree}"
    return ": ".join(filter(None, [steps, f"{move.outcome or 'not known'}{degree}"]))


@pytest.mark.parametrize("name", CASES)
def test_reports(name: str, golden: Callable[[str, str], None]) -> None:
    golden(f"examples/{name}.txt", report(page_of(name)))


@pytest.mark.parametrize("name", CASES)
def test_right_and_wrong(name: str) -> None:
    """What stands below "Right" is accepted, what stands below "Wrong" is not."""
    page = page_of(name)
    mistaken = {one.span.start: one for one in page.problems}
    for block in checked(page):
        span = block.block.span
        bad = block.status in BAD or any(span.start <= start < span.end for start in mistaken)
        assert bad is ("Wrong" in block.block.trail), (
            f"{block.block.id} is {block.status}\n{format_problems(block.problems)}"
        )


def test_no_golden_is_left_behind(golden_folder: Path) -> None:
    assert {path.stem for path in (golden_folder / "examples").glob("*.txt")} == set(CASES)

"""Every mechanic of the five source books as blocks that pass, and every figure of theirs in a block or a test."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from games import load_shipped_game, load_shipped_rule
from rulewright.book.page import Page
from rulewright.book.parser import read_page
from rulewright.checks.model import BlockContext, CheckedBlock
from rulewright.checks.number_links import CheckedLink, check_number_links
from rulewright.checks.registry import check_block
from rulewright.compile.games import game_in_page
from rulewright.game.inputs import bind_inputs
from rulewright.play.bound_rule import BoundRule, evaluate_partially
from rulewright.render.reports import format_problems
from rulewright.source import Source

HERE = Path(__file__).parent
PAGES = sorted((HERE / "cases" / "games").glob("*.md"))
GAMES = ("maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity")
ID = re.compile(r"\b00[0-4]-\d{3}\b")
MECHANIC = re.compile(r"\(([A-F]\.1(?:\.\d+)?)\)")

FIGURES = {"000": 73, "001": 36, "002": 47, "003": 25, "004": 37}  # so many numbered figures has each source
MECHANICS = [
    "B.1",
    *(f"{book}.1.{n}" for book, most in zip("ADEF", (15, 21, 7, 16), strict=True) for n in range(1, most + 1)),
]

IN_TESTS = {  # figures that are counted or compared in code, with the test that does it
    "000-002": "test_characters.py::test_the_ways_to_spread_attributes",
    "000-021": "test_characters.py::test_the_ways_to_spread_attributes",
    "000-022": "test_characters.py::test_the_ways_to_spread_attributes",
    "000-023": "test_characters.py::test_the_ways_to_spread_abilities",
    "000-024": "test_characters.py::test_the_ways_to_spread_abilities",
    "000-055": "test_whole_games.py::test_both_ways_to_count_agree",
    "001-025": "test_whole_games.py::test_both_ways_to_count_agree",
}
PROSE = {  # figures that nothing can be worked out from
    "000-005": "how many abilities list attributes and specialties: a remark on the book, not a rule",
    "000-043": "a reading that leaves throws without an outcome",
    "000-056": "the book promises tables that it does not have",
    "001-001": "a word is missing in a sentence",
    "001-004": "a name is missing from a list that is not finished, so nothing can be said against it",
    "001-005": "two more names of that sort",
    "001-026": "the book promises tables that it does not have",
    "002-025": "two sentences about free actions contradict each other, without a number",
    "004-007": "three headings without text",
    "004-022": "two sentences about when a reaction comes back contradict each other",
    "004-023": "two drafts of one paragraph",
}


@cache
def page_of(file: Path) -> Page:
    return read_page(Source(file.name, file.read_text("utf-8")))


@cache
def around(file: Path) -> BlockContext:
    page = page_of(file)
    own, problems = game_in_page(page, "")
    assert not problems, format_problems(problems)
    games = {name: load_shipped_game(name) for name in GAMES}
    return BlockContext(page, own or games[file.stem], games)


@cache
def checked(file: Path) -> tuple[list[CheckedBlock], list[CheckedLink]]:
    blocks = [check_block(block, around(file)) for block in page_of(file).blocks]
    return blocks, check_number_links(page_of(file), around(file))[0]


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_everything_passes(file: Path) -> None:
    blocks, links = checked(file)
    assert not page_of(file).problems
    for block in blocks:
        assert block.status == "passed", format_problems(block.problems)
    for link in links:
        assert link.status == "passed", format_problems(link.problems)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_what_is_wrong_is_wrong_for_its_reason(file: Path, golden: Callable[[str, str], None]) -> None:
    """What an author reads where the line `wrong:` is left out."""
    bare = re.sub(r"^wrong: .*\n", "\n", file.read_text("utf-8"), flags=re.MULTILINE)
    page = read_page(Source(file.name, bare))
    found = [problem for block in page.blocks for problem in check_block(block, around(file)).problems]
    golden(f"games/{file.stem}.txt", re.sub(r"(game\.toml):\d+", r"\1:LINE", format_problems(found)) + "\n")


def shown_ids(file: Path) -> Iterator[str]:
    """The figures that a block names in its title, or a line beside its links."""
    for block in page_of(file).blocks:
        yield from ID.findall(block.title)
    for paragraph in re.split(r"\n\s*\n", page_of(file).source.text):
        if re.search(r"\]\((?:value|chance):", paragraph):
            yield from ID.findall(paragraph)


def recorded() -> set[str]:
    records = json.loads((HERE / "data" / "vectors.json").read_text("utf-8"))
    return {record["id"].partition("/")[0] for record in records}


def test_every_figure_is_somewhere() -> None:
    every = {f"{book}-{number:03}" for book, most in FIGURES.items() for number in range(1, most + 1)}
    shown = {name for file in PAGES for name in shown_ids(file)}
    assert len(every) == 218
    assert shown <= every
    assert every - recorded() - shown - IN_TESTS.keys() - PROSE.keys() == set()


def test_prose_is_only_what_nothing_shows() -> None:
    shown = {name for file in PAGES for name in shown_ids(file)}
    assert not PROSE.keys() & (recorded() | shown | IN_TESTS.keys())
    assert len(PROSE) <= 25
    assert all(PROSE.values())


@pytest.mark.parametrize("name", sorted(set(IN_TESTS.values())))
def test_the_tests_that_are_named_exist(name: str) -> None:
    file, _, function = name.partition("::")
    assert f"def {function}(" in (HERE / file).read_text("utf-8")


def test_every_mechanic_has_an_example() -> None:
    """A heading names the mechanic, and below it stands a block that works something out."""
    found = {
        number for file in PAGES for block in page_of(file).blocks for number in MECHANIC.findall(" ".join(block.trail))
    }
    assert sorted(set(MECHANICS) - found) == []
    assert sorted(found - set(MECHANICS)) == []


def test_every_rule_without_dice_is_used() -> None:
    """A rule that no block of these pages rests on would be a rule that nobody has tried."""
    used = {(move.rule.game, move.rule.name) for file in PAGES for block in checked(file)[0] for move in block.moves}
    plain = {
        (one.game, one.name)
        for name in GAMES
        for one in load_shipped_game(name).rules.values()
        if not one.dice and not one.contest
    }
    inherited = {("maelstrom-first-edition", name) for name in load_shipped_game("maelstrom").rules}
    assert plain - used - inherited == set()


@pytest.mark.parametrize(("name", "ones"), [("maelstrom", "botches"), ("maelstrom-first-edition", "failures")])
def test_both_ways_to_count_agree(name: str, ones: str) -> None:
    """Striking out comes to the same as the steps of the long procedure, whatever lies on the table."""
    long, quick = load_shipped_rule(f"{name}/action"), load_shipped_rule(f"{name}/quick")
    for successes, botches, threshold in product(range(9), range(6), range(5)):
        known = {"successes": str(successes), "botches": str(botches), "threshold": str(threshold)}
        short = evaluate_partially(BoundRule(quick, bind_inputs(quick, known)[0]), {}, {})
        given = {"successes": successes, ones: botches}
        full = evaluate_partially(BoundRule(long, bind_inputs(long, {"threshold": str(threshold)})[0]), {}, given)
        assert short.outcome
        assert full.outcome
        assert (short.outcome.name, short.degree) == (full.outcome.name, full.degree)

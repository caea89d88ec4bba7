"""`rulewright adopt`: blocks worked out from prose, right ones or marked ones, and where they are put."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.adopt.choosing import MARK
from rulewright.adopt.pages import AdoptedPage, adopted
from rulewright.book.read import read_page
from rulewright.checks.blocks import check_block
from rulewright.checks.model import Around
from rulewright.checks.prose import drift
from rulewright.cli import main
from rulewright.game.model import Game
from rulewright.game.read import read_game
from rulewright.text import Source

Golden = Callable[[str, str], None]
Said = Callable[..., tuple[int, str, str]]

HERE = Path(__file__).parent
ROOT = HERE.parent
CASES = sorted(path for path in (HERE / "cases" / "adopt").glob("*.md") if path.name != "README.md")
FENCE = re.compile(
    r"^(?:```example\n.*?^```\n\n?|>\n> ```example\n.*?^> ```\n)", re.DOTALL | re.MULTILINE
)  # what stands behind an example, also inside its quote
SEEDS = ROOT.parent / "shared" / "seeds"
GAMES = {
    "000": "maelstrom",
    "001": "maelstrom-first-edition",
    "002": "wild-die",
    "003": "step-dice",
    "004": "ingenuity",
}


def game_of(name: str) -> Game:
    """A game by its place: `rules/maelstrom`, `gallery/d20`."""
    folder = ROOT / name if name.startswith("rules") else ROOT / "plugin" / "rulewright" / name
    game, problems = read_game(folder / "game.toml")
    assert game, problems
    return game


def adopt(text: str, game: Game | None) -> AdoptedPage:
    return adopted(read_page(Source("page.md", text)), game)


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["adopt", *arguments])
        return status, *capsys.readouterr()

    return run


def without_blocks(text: str) -> str:
    return FENCE.sub("", text).rstrip() + "\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_each_example_gets_its_block(path: Path) -> None:
    text = path.read_text("utf-8")
    head, _, body = text.partition("\n")
    bare = without_blocks(body.lstrip("\n"))
    made = adopt(bare, game_of(head.removeprefix("game: "))).after.text
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        path.write_text(f"{head}\n\n{made}", "utf-8")
    assert path.read_text("utf-8") == f"{head}\n\n{made}", "`make golden` writes the page anew"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_blocks_pass_and_unmarked_ones_say_what_the_text_says(path: Path) -> None:
    head, _, body = path.read_text("utf-8").partition("\n")
    page = read_page(Source(path.name, body))
    checked = [check_block(block, Around(page, game_of(head.removeprefix("game: ")), {})) for block in page.blocks]
    assert {one.status for one in checked} == {"passed"}
    assert not drift(page, [one for one in checked if MARK not in one.block.text.content])


def test_most_examples_have_a_block_without_a_mark() -> None:
    texts = [path.read_text("utf-8") for path in CASES]
    examples = sum(len(re.findall(r"^(?:> )?\**Example[:.]", text, re.MULTILINE)) for text in texts)
    blocks = [found[0] for text in texts for found in FENCE.finditer(text)]
    assert examples >= 100
    assert len(blocks) >= 0.9 * examples
    assert sum(MARK not in block for block in blocks) >= 0.75 * examples

"""The handbook keeps its own promises: every block and link on its pages is checked with the games of the house."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from rulewright.book.page import BLOCK_KINDS
from rulewright.cli import main
from shipped_books import RULES, compile_shipped_books

PAGE = "handbook/blocks.md"
GAMES = {"maelstrom", "maelstrom-first-edition", "wild-die", "step-dice", "ingenuity"}
SENTENCE = "rolls 2, 5, 7 and 9 at difficulty 7"


def checked(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    main(["check", "--format", "json", "."])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def page_alone(tmp_path: Path) -> Path:
    """The page and all games, to be spoiled."""
    book = tmp_path / "rules"
    for file in [RULES / PAGE, *RULES.rglob("*.toml")]:
        (book / file.relative_to(RULES)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, book / file.relative_to(RULES))
    return book


def spoil(book: Path, before: str, after: str) -> None:
    text = (book / PAGE).read_text("utf-8")
    assert before in text
    (book / PAGE).write_text(text.replace(before, after), "utf-8")


def test_the_handbook_checks() -> None:
    book = compile_shipped_books()
    assert [problem for problem in book.problems if problem.span.source.path == PAGE] == []
    blocks = [block for page in book.pages if page.page.source.path == PAGE for block in page.blocks]
    assert len(blocks) >= 12
    assert {block.status for block in blocks} == {"passed"}
    assert {block.block.kind for block in blocks} == set(BLOCK_KINDS)
    assert {block.rule.game for block in blocks if block.rule} >= GAMES


def test_what_stands_there_to_be_copied_checks_too(
    page_alone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (page_alone / PAGE).read_text("utf-8")
    shown = re.findall(r"^(`{3,4})markdown\n(.*?)^\1$", page, re.MULTILINE | re.DOTALL)
    shown = [one for one in shown if "rule: wounds" not in one[1]]  # of another game
    links = re.findall(r"^\| `(\[.*?\))` \|", page, re.MULTILINE)
    game = re.findall(r"^```game\n.*?^```$", page, re.MULTILINE | re.DOTALL)
    table = re.findall(r"^### Prizes\n\n(?:\|.*\n)+", page, re.MULTILINE)  # a table of that game
    assert (len(shown), len(links), len(game), len(table)) == (2, 3, 1, 1)
    (page_alone / PAGE).write_text(
        "\n".join(["# Copied", *game, *(text for _, text in shown), *links, *table]), "utf-8"
    )
    found = checked(page_alone, capsys, monkeypatch)
    assert [one["message"] for one in found["problems"] if one["code"] != "link-missing"] == []
    assert sum(block["path"] == PAGE for block in found["blocks"]) == 3


SLIPS = [
    ("degree: 2\nsuccesses: 3", "degree: 3\nsuccesses: 3", "example-degree"),
    ("winner: Mira", "winner: Tavo", "example-winner"),
    ("pool 5) ~ 84.4%", "pool 5) ~ 84.5%", "claim-false"),
    ("attribute d8 = 70%", "attribute d8 = 71%", "odds-expect"),
    ("[12.5 %]", "[12.6 %]", "link-chance"),
    ("[3](value:stake?row=High) heads", "[2](value:stake?row=High) heads", "link-value"),
    ("uses: Extreme Range", "uses: Pistols, Extreme Range", "example-traits"),
    ("uses: Extreme Range\npool: 4", "uses: Extreme Range\npool: 5", "example-input"),
    ("spends: fate luck, fate skill", "spends: fate luck, fate skil", "example-spend"),
    ("Precision: 5", "Precision: 4", "sheet-verdict"),
    ("result: Orso, Mira", "result: Mira, Orso", "order-result"),
    ("| 2     | a cup ", "| 2     | a mug ", "example-step"),
    ("(roll:maelstrom/action?pool=5)", "(roll:maelstrom/action?pool=50)", "link-roll"),
    (SENTENCE, SENTENCE.replace("9", "8", 1), "prose-drift"),
    ("wrong: the 1 takes", "degree: 1 # the 1 takes", "block-key"),
]  # fmt: skip


@pytest.mark.parametrize("first", [0, 1])
def test_each_slip_is_found(
    page_alone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Every second of them at once; two of them are in the same place."""
    for before, after, _ in SLIPS[first::2]:
        spoil(page_alone, before, after)
    found = {problem["code"] for problem in checked(page_alone, capsys, monkeypatch)["problems"]}
    assert {code for _, _, code in SLIPS[first::2]} <= found


def test_nothing_is_wrong_with_the_page_alone(
    page_alone: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = checked(page_alone, capsys, monkeypatch)["problems"]
    assert {problem["code"] for problem in problems} <= {"link-missing"}, "links to the pages that are not here"


def test_the_page_is_linked() -> None:
    assert f"({PAGE})" in (RULES / "index.md").read_text("utf-8")

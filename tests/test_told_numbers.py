"""The numbers of an example against the block that it tells: whose they are, and which of several counts."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rulewright.cli import main

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "plugin" / "rulewright" / "gallery"
CHECK = "rule: check\nbonus: 5\ntarget: 15\ndice: 14\noutcome: success"
ACTION = "rule: action\npool: 5\nneeded: 2\ndice: 5 5 5 2 3\nhits: 3"


def check(book: Path, game: str, text: str, block: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    """The problems of an example with its block: severity and message."""
    (book / "game.toml").write_text((GALLERY / game / "game.toml").read_text("utf-8"), "utf-8")
    (book / "page.md").write_text(f"# Page\n\nExample: {text}\n\n```example\n{block}\n```\n", "utf-8")
    main(["check", "--format", "json"])
    problems = json.loads(capsys.readouterr().out)["problems"]
    return [(problem["severity"], problem["message"]) for problem in problems]


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("His bonus is 3, and his sword has a bonus of 2, so he adds 5. He rolls a 14, a success.", []),
        ("Ann has a bonus of 3, and her sword adds another 2. She rolls a 14, a success.", []),
        ("Ann has a bonus of 6 in a dry hall; on ice the bonus is 5. She rolls a 14, a success.", []),
        ("Ann rolls a 14, a success. Her brother has a bonus of 7.", []),
        ("Ann rolls a 14, a success. The guard's bonus is 7.", []),
        ("Ann rolls a 14, a success. Ben, her brother, has a bonus of 7.", []),
        ("Ann rolls a 14 against Ben, who has a bonus of 7: a success.", []),
        ("Ann rolls a 14 with a bonus of 6, a success.", ["6"]),
        ("Ann has a bonus of 6. She rolls a 14, a success.", ["6"]),
        ("Ann's bonus is 6. She rolls a 14, a success.", ["6"]),
        ("His bonus is 4, and his bonus from the sword is 2. He rolls a 14, a success.", ["4"]),
    ],
)
def test_a_number_of_somebody_else_is_not_compared(
    text: str, wrong: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(book, "d20", text, CHECK, capsys) == [
        ("error", f"the text says {number}, the block below 5") for number in wrong
    ]


def test_a_number_is_reported_once(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Ann has a dice pool of 5. She rolls 5 5 5 2 3 and gets three hits."
    assert not check(book, "d6-pool", text, ACTION, capsys)
    found = check(book, "d6-pool", text.replace("of 5", "of 6"), ACTION, capsys)
    assert found == [("warning", "the text says 6 dice, the block beside it has 5")]


@pytest.mark.parametrize("filler", ["pool: 5{0}x: 5", "traits: {1}", "pool: 5{2}"])
def test_long_blocks_are_read_in_linear_time(filler: str, book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    block = filler.format(" " * 18_000, "word " * 8_000, ", 5" * 8_000)
    start = time.process_time()
    check(book, "d6-pool", "Ann rolls 5 5 5 2 3 and gets three hits.", f"{ACTION}\n{block}", capsys)
    assert time.process_time() - start < 3

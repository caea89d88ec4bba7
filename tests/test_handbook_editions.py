"""The handbook page on editions: what it shows is what happens."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli import main

ROOT = Path(__file__).parent.parent
FILE = ROOT / "rules" / "handbook" / "editions.md"
TEXT = FILE.read_text("utf-8")
FENCE = re.compile(
    r'^(?P<ticks>`{3,})(?P<lang>\w+)(?: title="(?P<name>[^"]+)")?\n(?P<text>.*?)^(?P=ticks)$', re.MULTILINE | re.DOTALL
)
ALIASES = "new/aliases.toml"
RULE = "Rolls and chances: Action\n"
Said = Callable[..., str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    def run(line: str) -> str:
        assert main(line.split()[1:]) == 0
        return capsys.readouterr().out

    return run


def put(name: str) -> None:
    """The files of the page that lie in a folder, into the current one."""
    for fence in FENCE.finditer(TEXT):
        if (fence["name"] or "").startswith(f"{name}/") and fence["name"] != ALIASES:
            Path(fence["name"]).parent.mkdir(exist_ok=True)
            Path(fence["name"]).write_text(fence["text"], "utf-8")


def compare(number: int, shown: str) -> None:
    """A fence that only shows something, beside what is so."""
    text = FILE.read_text("utf-8")
    fence = [one for one in FENCE.finditer(text) if one["lang"] == "text" or one["name"] == ALIASES][number]
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        FILE.write_text(text[: fence.start("text")] + shown + text[fence.end("text") :], "utf-8")
    else:
        assert fence["text"] == shown, "`make golden` writes the page anew"


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    put("old")
    put("new")
    return tmp_path


@pytest.mark.usefixtures("pair")
def test_golden_what_has_changed(said: Said) -> None:
    compare(0, said("rulewright diff old new"))


def test_golden_the_smallest_roll(monkeypatch: pytest.MonkeyPatch, said: Said) -> None:
    monkeypatch.chdir(ROOT)
    printed = said("rulewright diff rules/maelstrom-first-edition rules/maelstrom")
    compare(1, RULE + printed.partition(RULE)[2].partition("\nRolls and chances")[0])


def test_golden_what_is_written_down(pair: Path, said: Said) -> None:
    assert main(["check", "old"]) == 0
    assert main(["check", "new"]) == 1
    said("rulewright check old")
    assert said("rulewright diff old new --fix --quiet") == ""
    compare(2, (pair / ALIASES).read_text("utf-8"))
    assert main(["check", "new", "--info", "--strict"]) == 0
    put("new")  # the pages as they were: now their links work although nobody mends them
    assert main(["check", "new", "--strict"]) == 0

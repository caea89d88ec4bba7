"""What README.md shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import games
from rulewright.cli import main
from rulewright.release import REPOSITORY, REQUIREMENT

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def shell_lines(word: str) -> str:
    """The shell commands of the fence that has this word."""
    return next(fence for fence in fences("sh") if word in fence)


def test_the_sample_game_gives_the_odds_that_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "two-dice"
    folder.mkdir()
    (folder / "game.toml").write_text(fences("toml")[0], encoding="utf-8")
    monkeypatch.chdir(folder)
    command = shlex.split(shell_lines("rulewright odds"))
    assert command[0] == "rulewright"
    assert main(command[1:]) == 0
    assert capsys.readouterr().out == fences("text")[0]


def test_the_sample_page_gives_the_report_that_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "jumping.md"
    page.write_text(re.findall(r"^````markdown\n(.*?)^````$", README, re.MULTILINE | re.DOTALL)[0], encoding="utf-8")
    (tmp_path / "game.toml").write_text(fences("toml")[0], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 1
    assert capsys.readouterr().out == fences("text")[1]
    page.write_text(page.read_text(encoding="utf-8").replace("total: 8", "total: 7"), encoding="utf-8")
    assert main(["check", "--strict"]) == 0


@pytest.mark.parametrize("command", re.findall(r"`rulewright (roll [^`]*)`", README))
def test_commands_in_the_text_work(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)) == 0


def test_what_make_book_prints(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its commands, without make: one rule of each game."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    questions = re.findall(r"^\t\$\(call odds,(.*)\)$", makefile, re.MULTILINE)
    monkeypatch.chdir(ROOT / "rules")
    for words in questions:
        assert main(["odds", *shlex.split(words)]) == 0
    assert len(questions) == len({words.partition("/")[0] for words in questions}) == len(games.GAMES)
    assert capsys.readouterr().err == ""


def test_the_two_commands_are_there_and_explained_alike() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"^make (\w+)", shell_lines("make book"), re.MULTILINE)
    assert commands == ["book", "test"]
    assert not [name for name in commands if not re.search(rf"^{name}: .*  ## ", makefile, re.MULTILINE)]


def test_links_and_pictures_are_there() -> None:
    """They are absolute: the package index shows this page without the files beside it."""
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", README) if not target.startswith("chance:")]
    targets = [target for target in targets if not target.startswith("https://www.python.org/")]
    paths = [re.sub(rf"^{re.escape(REPOSITORY)}/(blob|raw)/main/", "", target) for target in targets]
    assert len(paths) > 8
    assert not [path for path in paths if not (ROOT / path).is_file()]
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    assert all(picture.startswith(f"{REPOSITORY}/raw/main/") for picture in pictures)


def test_the_first_steps_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those before the site is served, in the order of the page."""
    monkeypatch.chdir(tmp_path)
    install, *steps = fences("sh")
    assert install in (f'pip install "{REQUIREMENT}"\n', f"pip install {REQUIREMENT}\n")
    new, folder, check, serve = steps[0].splitlines()
    assert main(shlex.split(new)[1:]) == 0
    monkeypatch.chdir(folder.removeprefix("cd "))
    assert main(shlex.split(check)[1:]) == 0
    assert serve == "mkdocs serve"


def test_windows_and_macos_have_the_same_steps() -> None:
    """In the README and in the handbook, one line each; only what stands before a command differs."""
    install, steps = fences("sh")[:2]
    lines = [*install.splitlines(), *steps.splitlines()]
    handbook = (ROOT / "rules" / "handbook" / "start.md").read_text(encoding="utf-8")
    for text, language, start in (
        (README, "powershell", "py -m "), (handbook, "powershell", "py -m "), (handbook, "sh", "python3 -m "),
    ):  # fmt: skip
        listing = next(part for part in text.split(f"```{language}\n")[1:] if part.startswith(start)).partition("```")[
            0
        ]
        assert listing.splitlines() == [line if line.startswith("cd ") else start + line for line in lines]


def test_a_changed_rule_does_not_make_the_story_false(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The target is 7 now: Ketil gets across, and only the author can say whether he should."""
    page = tmp_path / "jumping.md"
    sample = re.findall(r"^````markdown\n(.*?)^````$", README, re.MULTILINE | re.DOTALL)[0]
    right = sample.replace("total: 8", "total: 7")
    page.write_text(right, encoding="utf-8")
    (tmp_path / "game.toml").write_text(fences("toml")[0].replace("default = 8", "default = 7"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    assert main(["check", "--fix"]) == 1
    assert (
        "either write `outcome: success` and correct the sentences around it, or change the dice"
        in capsys.readouterr().out
    )
    assert page.read_text(encoding="utf-8") == right.replace("58 %", "72 %")
    assert main(["check", "--strict"]) == 1
    assert "example-outcome" in capsys.readouterr().out

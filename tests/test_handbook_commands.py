"""The handbook pages on commands and other tools: no option is missing, and what they show is what happens."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from problem_page import base
from rulewright.cli import main
from rulewright.cli.arguments import PARSERS
from rulewright.cli.report_formats import FORMATS
from rulewright.cli.terminal import COMMANDS
from rulewright.compile.options import CHOICES
from rulewright.compile.problem_families import GROUPS
from rulewright.compile.settings import OPTION_NAMES

ROOT = Path(__file__).parent.parent
HANDBOOK = ROOT / "rules" / "handbook"
FILE = HANDBOOK / "commands.md"
TEXT = FILE.read_text("utf-8")
HEAD = "| you type | what it does |\n| --- | --- |\n"
RULE = [
    "| `RULE` | the rule, as `rule` or `game/rule`; the only rule of a book needs no name |\n",
    "| `key=value` | an input of the rule |\n",
]


def typed(action: argparse.Action) -> str:
    """An option as it is written: `-o FILE`, `--output FILE`."""
    value = "" if action.nargs == 0 else f" {action.metavar or '|'.join(map(str, action.choices or ()))}"
    if not action.option_strings:
        return f"`{action.metavar}`"
    return ", ".join(f"`{name}{value}`".replace("|", r"\|") for name in action.option_strings)


def rows(command: str) -> Iterator[str]:
    for action in PARSERS[command]()._actions:
        if action.help == argparse.SUPPRESS:
            yield from RULE
        elif not isinstance(action, argparse._HelpAction):
            yield f"| {typed(action)} | {action.help} |\n"


def with_tables(text: str) -> str:
    for command in COMMANDS:
        before, heading, below = text.partition(f"\n## `rulewright {command}`\n")
        assert heading, command
        first, found, rest = below.partition(HEAD)
        assert found
        text = before + heading + first + HEAD + "".join(rows(command)) + re.sub(r"\A(\|.*\n)+", "", rest)
    return text


def fences(page: str, language: str) -> list[str]:
    text = (HANDBOOK / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_golden_no_option_is_missing() -> None:
    if os.environ.get("RULEWRIGHT_GOLDEN") == "1":
        FILE.write_text(with_tables(TEXT), "utf-8")
    assert FILE.read_text("utf-8") == with_tables(TEXT), "`make golden` writes the page anew"


def test_every_option_of_a_book_is_told() -> None:
    below = TEXT.partition("## Options of a book")[2].partition("###")[0]
    told = {name: row for row in re.findall(r"^\| `.*$", below, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert not set(OPTION_NAMES) - set(told)
    words = {name: ("on", "off") if "yes" in choices else choices for name, choices in CHOICES.items()}
    assert not [(name, word) for name in words for word in words[name] if f"`{word}`" not in told[name]]


def test_every_family_of_checks_is_told() -> None:
    below = TEXT.partition("### Checks that can be switched")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"^\| `([a-z]+)` \|", below, re.MULTILINE)) == sorted(GROUPS)


def test_options_can_be_copied() -> None:
    assert tomllib.loads(fences("commands.md", "toml")[0])["tool"]["rulewright"]["fail_on"] == "warning"
    site = import_module("yaml").safe_load(fences("commands.md", "yaml")[0])
    assert site["plugins"][1]["rulewright"]["fail_on"] == "warning"


LINES = "".join(fences("commands.md", "sh")).splitlines()


@pytest.mark.parametrize("line", [line for line in LINES if line.split()[1] in ("roll", "odds")])
def test_commands_that_are_shown_work(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "rules")
    assert main(shlex.split(line)[1:]) == 0


def test_the_five_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    passed, block, failed = fences("start.md", "output")
    assert main(["new", "my-book"]) == 0
    monkeypatch.chdir("my-book")
    capsys.readouterr()
    assert main(["check", "--strict"]) == 0
    assert capsys.readouterr().out == passed
    page, game = Path("rules/rolling.md"), Path("rules/game.toml")
    assert block in page.read_text("utf-8")
    page.write_text(page.read_text("utf-8").replace("total: 9", "total: 11", 1), "utf-8")
    assert main(["check"]) == 1
    assert capsys.readouterr().out.startswith(failed)
    assert main(["check", "--fix"]) == 0
    capsys.readouterr()
    changed = fences("start.md", "toml")[0]
    rules = re.sub(r"^success .*\n", changed, game.read_text("utf-8"), flags=re.MULTILINE)
    assert rules != game.read_text("utf-8")
    game.write_text(rules, "utf-8")
    assert main(["check"]) == 1
    monkeypatch.chdir("rules")
    (questions,) = [fence for fence in fences("start.md", "sh") if "rulewright odds" in fence]
    for line in questions.splitlines():
        assert main(line.split()[1:]) == 0


PAGE = "```example\npool: 3\ndice: 5 2 6\nhits: 1\noutcome: success\ndegree: 2\n```\n"


@pytest.fixture
def small_book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book with one page, on which a step is wrong."""
    (tmp_path / "game.toml").write_text(base((HANDBOOK / "problems.md").read_text("utf-8"))["game.toml"], "utf-8")
    (tmp_path / "page.md").write_text(PAGE, "utf-8")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("small_book")
def test_annotations_are_those_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith(fences("automation.md", "output")[0].rstrip("\n"))


@pytest.mark.usefixtures("small_book")
def test_an_entry_of_the_report_is_that_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "markdown"]) == 1
    assert fences("automation.md", "markdown")[0] in capsys.readouterr().out


def test_commands_for_automation_work(small_book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(fences("automation.md", "sh")).splitlines()
    commands = [shlex.split(line) for line in lines if line.startswith("rulewright")]
    (small_book / "rules").mkdir()
    (small_book / "site").mkdir()
    for _, *words in commands:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode()), "utf-8"))
        assert main(words[: words.index("<")] if "<" in words else words) in (0, 1)
    made = {path.name for path in small_book.rglob("*") if path.is_file()} - {"game.toml", "page.md"}
    assert made == {"rules.sarif", "report.md", "badge.svg", "rules.svg"}


def test_every_format_is_explained() -> None:
    text = (HANDBOOK / "automation.md").read_text("utf-8")
    table = text.partition("| format | for |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [*FORMATS]


def samples() -> list[Any]:
    return [import_module("yaml").safe_load(text) for text in fences("automation.md", "yaml")]


def test_the_workflow_is_the_one_of_a_new_book() -> None:
    written = (ROOT / "plugin" / "rulewright" / "starter" / "book.yml").read_text("utf-8")
    (shown,) = (sample for sample in samples() if isinstance(sample, list))
    steps = import_module("yaml").safe_load(written)["jobs"]["check"]["steps"]
    assert [(step.get("uses"), step.get("run")) for step in shown] == [
        (step.get("uses"), step.get("run")) for step in steps[:-1]
    ]


def test_the_action_has_the_inputs_and_outputs_that_are_shown() -> None:
    action = import_module("yaml").safe_load((ROOT / "action.yml").read_text("utf-8"))
    text = (HANDBOOK / "automation.md").read_text("utf-8")
    table = text.partition("| input |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `([\w-]+)` \|", table, re.MULTILINE)) == set(action["inputs"])
    used = [step["with"] for sample in samples() if "steps" in sample for step in sample["steps"] if "with" in step]
    assert len(used) == 2
    assert not {name for inputs in used for name in inputs} - set(action["inputs"])
    outputs = text.partition("its outputs ")[2].partition(", for example")[0]
    assert set(re.findall("`([a-z-]+)`", outputs)) == set(action["outputs"])


def test_hooks_and_jobs_run_commands_that_exist() -> None:
    (hook,) = import_module("yaml").safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    settings = [sample for sample in samples() if isinstance(sample, dict)]
    lists = [repo for sample in settings for repo in [sample, *sample.get("repos", ())]]
    hooks = [entry for repo in lists for entry in repo.get("hooks", ())]
    assert len(hooks) == 3
    commands = [shlex.split(hook["entry"]) + entry.get("args", []) for entry in hooks if entry["id"] == hook["id"]]
    (script,) = (sample["rules"]["script"] for sample in settings if "rules" in sample)
    commands += [shlex.split(line) for line in script if line.startswith("rulewright")]
    assert len(commands) == 4
    for _, name, *words in commands:
        PARSERS[name]().parse_intermixed_args(words)


def test_the_schema_lies_where_the_page_says() -> None:
    line = fences("editors.md", "sh")[0]
    code = re.fullmatch(r'python -c "(.*)"\n', line)
    assert code
    found = subprocess.run([sys.executable, "-c", code[1]], capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()).is_file()


def test_editors_can_read_the_messages() -> None:
    pattern = json.loads(fences("editors.md", "json")[0])
    for message in re.findall(r"^page\.md:\d.*$", (HANDBOOK / "problems.md").read_text("utf-8"), re.MULTILINE):
        assert re.fullmatch(pattern["regexp"], message), message

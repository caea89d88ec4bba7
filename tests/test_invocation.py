"""The commands that the program prints begin as the user began this one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.cli.invocation import as_started, find_prefix
from rulewright.release import REQUIREMENT
from small_book import WRONG, write

MODULE = "/usr/lib/python3/site-packages/rulewright/__main__.py"
WINDOWS_MODULE = r"C:\Python\Lib\site-packages\rulewright\__main__.py"


@pytest.mark.parametrize(
    ("program", "typed", "environment", "platform", "prefix"),
    [
        ("/usr/bin/rulewright", "/usr/bin/python3", "/usr", "linux", "rulewright"),
        (MODULE, "python3", "/usr", "linux", "python3 -m rulewright"),
        (MODULE, ".venv/bin/python", "/book/.venv", "darwin", ".venv/bin/python -m rulewright"),
        (MODULE, "/My Books/.venv/bin/python", "/book/.venv", "darwin", '"/My Books/.venv/bin/python" -m rulewright'),
        (WINDOWS_MODULE, "python", r"C:\Python", "win32", "python -m rulewright"),
        (WINDOWS_MODULE, r"C:\Python\python.exe", r"C:\Python", "win32", "py -m rulewright"),
        (r"C:\Python\Scripts\rulewright", r"C:\Python\python.exe", r"C:\Python", "win32", "rulewright"),
        ("/x/bin/rulewright", "python", "/home/a/.cache/uv/archive-v0/Xy1", "linux", "uvx … rulewright"),
        ("/x/bin/rulewright", "python", "/home/a/.local/share/uv/tools/rulewright", "linux", "rulewright"),
        ("/x/bin/rulewright", "python", "/home/a/.local/pipx/.cache/1f2e", "linux", "pipx run … rulewright"),
        ("/x/bin/rulewright", "python", "/home/a/.local/pipx/venvs/rulewright", "linux", "rulewright"),
    ],
)
def test_how_it_was_started(program: str, typed: str, environment: str, platform: str, prefix: str) -> None:
    found = find_prefix(program, [typed], environment, platform)
    assert re.sub(rf'--(?:from|spec) "{re.escape(REQUIREMENT)}"', "…", found) == prefix


def test_only_commands_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [MODULE, "check"])
    monkeypatch.setattr(sys, "orig_argv", ["python3", "-m", "rulewright", "check"])
    text = "run `rulewright check`, rulewright explain x or mkdocs serve; mkdocs.yml lists rulewright as a plugin"
    assert as_started(text) == (
        "run `python3 -m rulewright check`, python3 -m rulewright explain x or python3 -m mkdocs serve; "
        "mkdocs.yml lists rulewright as a plugin"
    )


def test_what_it_prints_can_be_typed(tmp_path: Path) -> None:
    write(tmp_path, {"page.md": f"# Page\n\nSee [gone](gone.md).\n\n{WRONG}"})
    start = f"{sys.executable} -m rulewright"
    for arguments in ("check", "new my-book", "check nothing-here", "export html", "--help", ""):
        run = subprocess.run(
            [sys.executable, "-m", "rulewright", *arguments.split()], cwd=tmp_path, capture_output=True, text=True,
            encoding="utf-8", check=False, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        printed = run.stdout + run.stderr
        bare = re.findall(r"(?<!-m )\b(?:rulewright (?:check|explain|new|help|--help|COMMAND)|mkdocs serve)", printed)
        assert bare == [], printed
        if arguments != "check nothing-here":
            assert start in printed

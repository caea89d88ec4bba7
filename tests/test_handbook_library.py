"""The handbook pages "The Python library" and "Lints and blocks of your own": their code does what they say."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from rulewright import Book, __all__
from small_book import write

ROOT = Path(__file__).parent.parent
HANDBOOK = ROOT / "rules" / "handbook"
LIBRARY, EXTENDING = (HANDBOOK / name for name in ("library.md", "extending.md"))


def fences(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


RUN = """
import doctest, sys
from rulewright.cli import main
main(["new", "my-book"])
examples = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "library.md", None, None)
result = doctest.DocTestRunner(verbose=False).run(examples)
sys.exit(result.failed or result.attempted < 30)
"""


def test_the_examples_run_for_a_user_of_the_package_alone(tmp_path: Path) -> None:
    """In an empty folder, with a copy of what the wheel holds; neither the books nor the tests are there."""
    shutil.copytree(ROOT / "plugin" / "rulewright", tmp_path / "installed" / "rulewright")
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed"), "PYTHONIOENCODING": "utf-8"}
    command, text = [sys.executable, "-P", "-c", RUN], "\n".join(fences(LIBRARY, "pycon"))
    run = subprocess.run(
        command, check=False, cwd=empty, env=environment, input=text, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_all_other_code_is_python() -> None:
    for page in (LIBRARY, EXTENDING):
        for code in fences(page, "python"):
            compile(code, page.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_the_chart_is_drawn() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    setup = 'from rulewright import Game\ngame = Game.gallery("d6-pool")\n'
    exec(setup + fences(LIBRARY, "python")[0], {})  # noqa: S102


def test_the_page_names_what_programs_call() -> None:
    text = LIBRARY.read_text("utf-8")
    assert [name for name in ("Book", "ContestRoll", "Game", "RulewrightError") if name not in text] == []
    assert {"Book", "ContestRoll", "Game", "RulewrightError"} <= {*__all__}


def test_the_package_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its modules and entry points are taken from the page."""
    info = tmp_path / "packages" / "crowns-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: crowns\nVersion: 1.0\n", "utf-8")
    groups = tomllib.loads(fences(EXTENDING, "toml")[0])["project"]["entry-points"]
    lines = [
        line
        for group, entries in groups.items()
        for line in (f"[{group}]", *(f"{k} = {v}" for k, v in entries.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    (info.parent / "crowns.py").write_text("\n\n".join(fences(EXTENDING, "python")), "utf-8")
    monkeypatch.syspath_prepend(info.parent)
    monkeypatch.delitem(sys.modules, "crowns", raising=False)
    block = re.findall(r"^````markdown\n(.*?)^````$", EXTENDING.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
    page = f"# Shop\n\nA rope costs $5.\n\n{block}\n```quote\ntext: Hm.\n```\n"
    write(tmp_path / "book", {"index.md": page})
    report = Book.load(tmp_path / "book").check()
    assert [(problem.code, problem.line) for problem in report.problems] == [("money-dollars", 3), ("quote-by", 10)]
    assert report.problems[0].fix
    assert report.problems[0].fix.text == "5 crowns"
    assert [block.status for block in report.blocks] == ["passed", "failed"]
    assert report.summary["looked"]["prices"] == 1


def test_the_pages_are_linked() -> None:
    index, settings = ((ROOT / name).read_text("utf-8") for name in ("rules/index.md", "mkdocs.yml"))
    for page in (LIBRARY, EXTENDING):
        assert f"(handbook/{page.name})" in index
        assert f"- handbook/{page.name}" in settings

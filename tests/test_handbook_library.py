"""The handbook pages "The Python library" and "Lints and blocks of your own": their code does what they say."""

from __future__ import annotations

import ast
import doctest
import re
import shutil
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


def test_the_examples_of_the_library_print_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies of the books, each by itself: as a part of `rules`, one could only be checked with all others."""
    for name in ("maelstrom", "wild-die", "step-dice", "ingenuity"):
        shutil.copytree(ROOT / "rules" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestParser().get_doctest("\n".join(fences(LIBRARY, "pycon")), {}, "library.md", None, None)
    assert len(examples.examples) > 30
    runner, report = doctest.DocTestRunner(verbose=False), list[str]()
    assert runner.run(examples, out=report.append).failed == 0, "".join(report)


def test_all_other_code_is_python() -> None:
    for page in (LIBRARY, EXTENDING):
        for code in fences(page, "python"):
            compile(code, page.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_the_chart_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(ROOT / "rules")
    setup = 'from rulewright import Game\ngame = Game.load("maelstrom")\n'
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

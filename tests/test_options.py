"""The options of a book: where they stand, what they switch, what is said of wrong ones."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from rulewright.cli import main
from rulewright.cli.report import count_phrase
from rulewright.compile.options import Options, read_options
from rulewright.compile.problem_families import FAMILIES
from rulewright.render.reports import format_problems
from small_book import WRONG, write

Golden = Callable[[str, str], None]
WARNING = "# A\n\nExample: Ann rolls three dice, 2, 2 and 1, and has 2 successes.\n"
TOML, SITE = "pyproject.toml", "mkdocs.yml"
CODES = Path(__file__).parent.parent / "plugin/rulewright"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def options(folder: Path, **files: str) -> Options:
    names = {"toml": TOML, "site": SITE}
    return read_options(write(folder, {names[name]: content for name, content in files.items()}), folder)


def test_without_any(here: Path) -> None:
    assert options(here) == Options("error", {}, ())
    assert options(here, toml="[project]\nname = 'rulewright'\n", site="site_name: Rulewright\n") == Options()


TABLE = """\
[tool.rulewright]
fail_on = 'warning'
checks = {prose-unchecked = false, links = 'off'}
"""
TABLES = """\
[tool.rulewright]
fail_on = 'warning'
[tool.rulewright.checks]
prose-unchecked = 'off'
links='no'
"""
ITEM = """\
plugins:
  - search
  - rulewright:
      fail_on: warning
      checks: {prose-unchecked: off, links: no}
"""
ENTRY = """\
plugins:
  rulewright:
    fail_on: warning
    checks:
      prose-unchecked: 'off'
      links: false
"""
OVERRULED = """\
[tool.rulewright]
fail_on = 'never'
columns = 2
checks.links = false
"""
WITH_PYTHON = """\
theme: !ENV [X, y]
emoji: !!python/name:a.b
plugins:
- rulewright:
    fail_on: warning
    checks: {prose-unchecked: off}
"""
WRONG_TABLE = """\
[tool.rulewright]
colunms = 2
fail_on = 'errors'
foo = 1

[tool.rulewright.checks]
linsk = 'off'
prose = 'perhaps'
"""
WRONG_ITEM = """\
plugins:
  - rulewright:
      papre: a4
      fail_on: [error]
      checks: off
"""


@pytest.mark.parametrize(
    "files",
    [
        {"toml": TABLE},
        {"toml": "\ufeff" + TABLES.replace("\n", "\r\n")},
        {"site": ITEM},
        {"site": ENTRY.replace("\n", "\r\n")},
        {"toml": OVERRULED, "site": WITH_PYTHON},
    ],
    ids=["TOML", "TOML, CRLF and BOM", "YAML, a list", "YAML, a table", "both"],
)
def test_where_they_stand(files: dict[str, str], here: Path) -> None:
    columns = "2" if files.get("toml") == OVERRULED else "1"
    wanted = Options("warning", {"prose-unchecked": False, "links": False}, (), columns=columns)
    assert options(here, **files) == wanted


def test_the_plugin_without_options(here: Path) -> None:
    assert options(here, site="plugins:\n  - rulewright\n") == Options()
    assert options(here, site="plugins:\n  - rulewright:\n") == Options()


def test_the_nearest_table_counts(here: Path) -> None:
    write(
        here, {TOML: "[tool.rulewright]\nfail_on = 'never'\n", f"a/{TOML}": "[tool.rulewright]\nfail_on = 'warning'\n"}
    )
    write(here, {f"a/b/{TOML}": "[tool.other]\n", "a/b/x.md": "# X\n"})
    assert read_options(here / "a/b", here).fail_on == "warning"


def test_a_code_decides_before_its_group() -> None:
    found = Options(checks={"prose": False, "prose-drift": True, "link-label": False})
    wanted = ["prose-drift", "link-missing", "example-degree"]
    assert [code for code in (*wanted, "prose-unchecked", "link-label") if found.is_enabled(code)] == wanted


def test_mistakes(here: Path, golden: Golden) -> None:
    golden("options/mistakes.txt", format_problems(options(here, toml=WRONG_TABLE, site=WRONG_ITEM).problems) + "\n")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (TOML, "[tool.rulewright]\nfail_on = error\n"),
        (SITE, "plugins:\n  - rulewright:\n      fail_on: [error\n"),
        (SITE, "plugins:\n\t- rulewright\n"),
        (SITE, "plugins:\n- rulewright: " + "[" * 5000),
        (TOML, "[tool.rulewright]\nfail_on = " + "[" * 5000),
    ],
    ids=["toml", "yaml-list", "yaml-tab", "yaml-deep", "toml-deep"],
)
def test_files_that_cannot_be_read(
    name: str, content: str, here: Path, golden: Golden, request: pytest.FixtureRequest
) -> None:
    found = read_options(write(here, {name: content}), here)
    golden(f"options/{request.node.callspec.id}.txt", format_problems(found.problems) + "\n")


@pytest.mark.parametrize(
    "data",
    [
        b"\xff rulewright [tool",
        b"rulewright [tool \x00",
        b"[tool]\nrulewright = 3",
        b"tool = 'rulewright [tool'",
        b"plugins: {rulewright: {dice: 2026-99-99}}",
    ],
)
@pytest.mark.parametrize("name", [TOML, SITE])
def test_strange_files(name: str, data: bytes, here: Path) -> None:
    (here / name).write_bytes(data)
    assert all(problem.code == "option-value" for problem in read_options(here, here).problems)


@settings(deadline=None, max_examples=scale_examples(150))
@given(
    st.text("[]{}:-,.='\"\n !&*|>#abx01", max_size=30),
    st.sampled_from(["", "plugins:\n - rulewright:\n    ", "plugins: {rulewright: "]),
)
def test_nothing_that_is_written_ends_the_program(
    tmp_path_factory: pytest.TempPathFactory, more: str, before: str
) -> None:
    folder = tmp_path_factory.mktemp("book")
    (folder / SITE).write_text(f"{before}{more}\n# rulewright", encoding="utf-8")
    (folder / TOML).write_text(f"[tool.rulewright]\n{more}", encoding="utf-8")
    format_problems(read_options(folder, folder).problems)


@pytest.mark.parametrize(
    ("page", "fail_on", "arguments", "status"),
    [
        (WARNING, "", [], 0),
        (WARNING, "", ["--strict"], 1),
        (WARNING, "warning", [], 1),
        (WARNING, "never", [], 0),
        (WRONG, "", [], 1),
        (WRONG, "error", [], 1),
        (WRONG, "never", [], 0),
        (WRONG, "never", ["--strict"], 1),
    ],
)
def test_what_fails(page: str, fail_on: str, arguments: list[str], status: int, here: Path) -> None:
    write(here, {"a.md": page, TOML: f"[tool.rulewright]\nfail_on = '{fail_on}'\n" if fail_on else ""})
    assert main(["check", *arguments]) == status


def test_a_check_that_is_off(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = {
        "a.md": WARNING + "\n[x](#gone)\n\n" + WRONG,
        SITE: "docs_dir: .\nplugins:\n- rulewright:\n    checks: {links: off, prose: off}\n",
    }
    write(here, pages)
    main(["check", "--strict"])
    summary, looked, _ = capsys.readouterr().out.splitlines()[-3:]
    assert (summary, looked) == ("1 game, 1 rule, 1 page, 1 block, 1 error", "looked at 1 heading, 14 words, 1 link")


def test_a_mistake_in_them_fails(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, {TOML: "[tool.rulewright]\nfial_on = 'never'\n"})
    assert main(["check"]) == 1
    assert "did you mean fail_on?" in capsys.readouterr().out


def test_every_code_has_a_family() -> None:
    """`checks:` knows a code by its first word."""
    import re

    written = {
        code
        for file in CODES.rglob("*.py")
        for code in re.findall(
            r'(?:Problem|trouble|complain)\((?:\w+, )?"([a-z]+-[a-z]+)"', file.read_text(encoding="utf-8")
        )
    }
    assert written
    assert {code.partition("-")[0] for code in written} <= set(FAMILIES)


GAP = "| d6 | a |\n|---|---|\n| 1-3 | x |\n| 5 | y |\n| 6 | z |\n"
BEYOND = "| d6 | a |\n|---|---|\n| 1-3 | x |\n| 4-6 | y |\n| 7-8 | z |\n"


@pytest.mark.parametrize(
    ("checks", "wrong", "looked"),
    [
        ("{}", True, True),
        ("{rollable: off}", False, False),
        ("{rollable-gap: off}", False, True),
        ("{rollable: off, rollable-gap: on}", True, True),
    ],
)
def test_checks_of_any_page_are_switched_by_their_names(
    here: Path, checks: str, wrong: bool, looked: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    write(here, {"a.md": GAP, SITE: f"docs_dir: .\nplugins:\n- rulewright:\n    checks: {checks}\n"})
    assert main(["check"]) == wrong
    out = capsys.readouterr().out
    assert ("1 error\n" if wrong else "no problems\n") in out
    assert ("looked at 1 table with dice" in out) is looked


def test_what_is_uncertain_is_told_on_request(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, {"a.md": f"{BEYOND}\n## Elsewhere\n\nAdd the bonus for Luck.\n"})
    assert main(["check", "--strict"]) == 0
    assert "no problems" in capsys.readouterr().out
    assert main(["check", "--strict", "--info"]) == 0
    assert "info[rollable-impossible]" in (told := capsys.readouterr().out)
    assert "info[unused]" in told  # no rule takes the traits
    assert "2 remarks" in told


@pytest.mark.parametrize(("game", "severity"), [(False, "info"), (True, "warning")])
def test_examples_without_a_game_are_remarks(
    here: Path, game: bool, severity: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "Example: Ana has a pool of three and rolls 5, 2 and 6 against a target of 5. Two hits: a success."
    write(here, {"a.md": f"{told}\n"})
    if not game:
        (here / "game.toml").unlink()
    main(["check", "--info"])
    assert f"{severity}[prose-unchecked]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("number", "things", "told"),
    [
        (1, "links", "1 link"),
        (5628, "links", "5,628 links"),
        (1, "tables with dice", "1 table with dice"),
        (2, "tables of percentages", "2 tables of percentages"),
        (1, "dice codes", "1 dice code"),
    ],
)
def test_counted(number: int, things: str, told: str) -> None:
    assert count_phrase(number, things) == told


def test_what_was_looked_at_is_told_as_data(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here, {"a.md": GAP, "b.md": f"{BEYOND}\n[a](a.md) <https://example.org> [b](#nowhere)\n"})
    main(["check", "--format", "json"])
    looked = json.loads(capsys.readouterr().out)["summary"]["looked"]
    assert (looked["tables with dice"], looked["links"]) == (2, 2)
    main(["check", "b.md", "--format", "json"])
    looked = json.loads(capsys.readouterr().out)["summary"]["looked"]
    assert (looked["tables with dice"], looked["links"]) == (1, 2)
    assert "tables of percentages" not in looked


def test_yaml_is_not_imported_without_need(here: Path) -> None:
    write(here, {SITE: "site_name: X\n", "a.md": "# A\n"})
    code = "import sys; from rulewright.cli import main; main(['check']); sys.exit('yaml' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("said", "made"),
    [
        ("[zip, PDF]", ("pdf", "zip")),
        ("epub", ("epub",)),
        ("[]", ()),
        ("", ()),
        ("[pdf, docx]", None),
        ("{pdf: on}", None),
        ("yes", None),
    ],
)
def test_which_files_are_made(here: Path, said: str, made: tuple[str, ...] | None) -> None:
    found = options(here, site=f"plugins:\n  - rulewright:\n      exports: {said}\n")
    assert [problem.code for problem in found.problems] == ([] if made is not None else ["option-value"])
    assert made is None or found.exports == made

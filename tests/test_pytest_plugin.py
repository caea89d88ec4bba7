"""Blocks as tests: what pytest makes of a book when it is asked to."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulewright.checks.example
import rulewright.checks.registry
import rulewright.compile.book  # imported here they stay: pytester forgets what is imported while it runs

__all__ = ["rulewright"]
GAME = """
title = "Luck"
[rules.luck.inputs]
target = { min = 1, max = 20, default = 11 }
[rules.luck.dice]
die = { sides = 20 }
[rules.luck.steps]
total = "sum(die)"
[rules.luck.outcomes]
success = { when = "total >= target" }
failure = {}
"""
RIGHT = "```example\ndice: 12\noutcome: success\n```\n"
WRONG = "```example\nid: bad-luck\ndice: 3\noutcome: success\n```\n"
SKIPPED = "```example\ndice: 12\noutcome: failure\nskip: the picture is not there yet\n```\n"
BOOK = f"# Luck\n\n{RIGHT}\n## Bad luck\n\n{WRONG}\n{SKIPPED}"


@pytest.fixture
def book(pytester: pytest.Pytester) -> Path:
    """A folder with a game and one page: a block that is right, one that is wrong, one that is skipped."""
    folder = pytester.path / "book"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    (folder / "luck.md").write_text(BOOK, encoding="utf-8")
    (pytester.path / "test_other.py").write_text("def test_other(): pass\n", encoding="utf-8")
    return folder


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:hypothesispytest", *words)  # which takes a second to import


def ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line and " " not in line]


@pytest.mark.usefixtures("book")
def test_off_unless_asked_for(pytester: pytest.Pytester) -> None:
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.usefixtures("book")
def test_on_by_the_command_line(pytester: pytest.Pytester) -> None:
    run(pytester, "--rulewright").assert_outcomes(passed=2, failed=1, skipped=1)


@pytest.mark.usefixtures("book")
def test_on_by_the_settings(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nrulewright = true\n")
    run(pytester).assert_outcomes(passed=2, failed=1, skipped=1)
    pytester.makeini("[pytest]\nrulewright = false\n")
    run(pytester).assert_outcomes(passed=1)


@pytest.mark.usefixtures("book")
def test_names(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--rulewright", "--collect-only", "-q", "book")
    assert ids(result) == ["book/luck.md::luck.1", "book/luck.md::bad-luck", "book/luck.md::bad-luck.2"]


@pytest.mark.usefixtures("book")
def test_a_failure_prints_the_problem_and_nothing_else(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--rulewright", "book", "-p", "no:cacheprovider")
    start = next(number for number, line in enumerate(result.outlines) if "_ book/luck.md::bad-luck  _" in line)
    end = next(number for number, line in enumerate(result.outlines) if "short test summary" in line)
    assert result.outlines[start + 1 : end] == [
        "book/luck.md:13:10: error[example-outcome] the rules give outcome failure, the example says success",
        "   Luck › Bad luck › bad-luck",
        "   13 | outcome: success",
        "      |          ^^^^^^^",
        "   die 3",
        "   total 3: failure",
        (
            "   either write `outcome: failure` and correct the sentences around it, "
            "or change the dice, the inputs or the rule"
        ),
    ]


@pytest.mark.usefixtures("book")
def test_reasons(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--rulewright", "book", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED [[]1[]] book/luck.md: the picture is not there yet"])


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("words", "outcomes"),
    [
        (("-k", "bad-luck"), {"failed": 1, "skipped": 1, "deselected": 1}),
        (("-k", "luck.md and not bad"), {"passed": 1, "deselected": 2}),
        (("-x",), {"passed": 1, "failed": 1}),
    ],
)
def test_picking(pytester: pytest.Pytester, words: tuple[str, ...], outcomes: dict[str, int]) -> None:
    run(pytester, "--rulewright", "book", *words).assert_outcomes(**outcomes)


@pytest.mark.usefixtures("book")
def test_one_block(pytester: pytest.Pytester) -> None:
    run(pytester, "--rulewright", "book/luck.md::luck.1").assert_outcomes(passed=1)
    run(pytester, "--rulewright", "book/luck.md::bad-luck").assert_outcomes(failed=1)


def test_what_failed_last(pytester: pytest.Pytester, book: Path) -> None:
    run(pytester, "--rulewright").assert_outcomes(passed=2, failed=1, skipped=1)
    run(pytester, "--rulewright", "--lf").assert_outcomes(failed=1)
    (book / "luck.md").write_text(BOOK.replace("dice: 3", "dice: 13"), encoding="utf-8")
    run(pytester, "--rulewright", "--lf").assert_outcomes(passed=1)
    run(pytester, "--rulewright").assert_outcomes(passed=3, skipped=1)


@pytest.mark.usefixtures("book")
def test_many_processes(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # the summary begins with the fact, and is cut to the width of the screen
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "--rulewright", "-n", "2", "-v")
    result.assert_outcomes(passed=2, failed=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "* FAILED book/luck.md::bad-luck *",
            "book/luck.md:13:10: error[[]example-outcome[]] the rules give*",
            "FAILED book/luck.md::bad-luck* - the rules give outcome failure, the example says success",
        ]
    )


@pytest.mark.usefixtures("book")
def test_junit(pytester: pytest.Pytester) -> None:
    run(pytester, "--rulewright", "book", "--junitxml=report.xml", "-o", "junit_family=xunit1")
    cases = {case.get("name"): case for case in ElementTree.parse(pytester.path / "report.xml").iter("testcase")}
    failure = cases["bad-luck"].find("failure")
    assert failure is not None
    assert "the rules give outcome failure" in (failure.text or "")
    assert failure.get("message") == "the rules give outcome failure, the example says success"
    assert (cases["bad-luck"].get("file"), cases["bad-luck"].get("line")) == (str(Path("book/luck.md")), "9")
    assert sorted(filter(None, cases)) == ["bad-luck", "bad-luck.2", "luck.1"]


def test_links_are_a_test_of_their_own(pytester: pytest.Pytester, book: Path) -> None:
    (book / "luck.md").write_text(f"# Luck\n\nSee [there](#nowhere).\n\n{RIGHT}", encoding="utf-8")
    result = run(pytester, "--rulewright", "book")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["book/luck.md:3:*error[[]link*", "FAILED book/luck.md::page*"])


def test_a_line_that_cannot_be_read_belongs_to_its_block(pytester: pytest.Pytester, book: Path) -> None:
    (book / "luck.md").write_text(f"# Luck\n\n{RIGHT.replace('dice', 'target 3' + chr(10) + 'dice')}", encoding="utf-8")
    result = run(pytester, "--rulewright", "book")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAILED book/luck.md::luck.1*"])


@pytest.mark.parametrize(("place", "test"), [("book", "book/game.toml::game"), ("book/luck.md", "book/luck.md::game")])
def test_games_are_a_test_of_their_own(pytester: pytest.Pytester, book: Path, place: str, test: str) -> None:
    (book / "game.toml").write_text(GAME.replace("sides = 20", "sides = 20, colour = 3"), encoding="utf-8")
    (book / "luck.md").write_text("# Luck\n", encoding="utf-8")
    result = run(pytester, "--rulewright", place)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["book/game.toml:6:*colour*", f"FAILED {test}*"])


def test_warnings_fail_where_the_book_says_so(pytester: pytest.Pytester, book: Path) -> None:
    text = f"# Luck\n\nSee [another](#bad-luck).\n\n## Bad luck\n\n## Another\n\n{RIGHT}"
    (book / "luck.md").write_text(text, encoding="utf-8")
    run(pytester, "--rulewright", "book").assert_outcomes(passed=1)
    (pytester.path / "pyproject.toml").write_text('[tool.rulewright]\nfail_on = "warning"\n', encoding="utf-8")
    run(pytester, "--rulewright", "book").assert_outcomes(passed=1, failed=1)


def test_hidden_folders_are_left_out(pytester: pytest.Pytester, book: Path) -> None:
    (book / "node_modules").mkdir()
    (book / "node_modules/other.md").write_text(BOOK, encoding="utf-8")
    result = run(pytester, "--rulewright", "-o", "norecursedirs=", "book")
    result.assert_outcomes(passed=1, failed=1, skipped=1)


def test_no_cost_unless_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\ndef test_it(): assert not [n for n in sys.modules if n.startswith('markdown_it')]\n"
    )
    code = "import sys, rulewright.pytest_plugin as _; print([n for n in sys.modules if n.startswith('rulewright.')])"
    assert pytester.run(sys.executable, "-c", code).outlines == ["['rulewright.pytest_plugin']"]
    pytester.runpytest_subprocess("-p", "no:xdist", "-p", "no:hypothesispytest").assert_outcomes(passed=1)


def test_several_books_keep_their_options(pytester: pytest.Pytester, book: Path) -> None:
    """At the root of a repository, each book below it is checked with its own options."""
    second = pytester.path / "second"
    (second / "docs").mkdir(parents=True)
    (second / "mkdocs.yml").write_text("plugins:\n  - rulewright: {checks: {links: off}}\n", encoding="utf-8")
    (second / "docs/index.md").write_text("# Two\n\n[gone](gone.md)\n", encoding="utf-8")
    (book / "links.md").write_text("# Links\n\n[gone](gone.md)\n", encoding="utf-8")
    result = run(pytester, "--rulewright")
    result.assert_outcomes(passed=2, failed=2, skipped=1)
    result.stdout.fnmatch_lines(["FAILED book/links.md::page*"])

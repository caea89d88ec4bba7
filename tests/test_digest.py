"""The digest of a report: order, causes, totals and limits, alike in all formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from rulewright.render.digest import MAX_PER_PAGE, cause_of, digest
from rulewright.source import Problem, Source, Span

Check = Callable[..., str]
Ran = Callable[..., tuple[int, str, str]]


def problem(code: str, message: str = "m", path: str = "a.md", severity: str = "error", cause: str = "") -> Problem:
    return Problem(code, message, Span(Source(path, "x"), 0, 1), severity, cause=cause)


def digest_codes(problems: Sequence[Problem], each: bool = False) -> list[tuple[str, int]]:
    return [(entry.first.code, len(entry.all)) for entry in digest(problems, lambda problem: problem, each).entries]


def test_what_costs_a_player_most_comes_first() -> None:
    codes = [
        "markup-emphasis", "link-missing", "trait-unknown", "rollable-gap", "sum-wrong", "link-value", "example-degree",
    ]  # fmt: skip
    sorted_codes = [code for code, _ in digest_codes([problem(code, code) for code in codes])]
    assert sorted_codes == [
        "sum-wrong", "link-value", "example-degree", "rollable-gap", "trait-unknown", "link-missing", "markup-emphasis",
    ]  # fmt: skip


def test_errors_come_before_warnings_and_remarks_last() -> None:
    problems = [
        problem("average-wrong", severity="info"), problem("average-rounded", severity="warning"),
        problem("link-missing"), problem("average-wrong", "n"),
    ]  # fmt: skip
    assert [code for code, _ in digest_codes(problems)] == [
        "average-wrong", "average-rounded", "link-missing", "average-wrong",
    ]  # fmt: skip


def test_one_cause_is_one_entry() -> None:
    problems = [problem("link-missing", name, path, cause="c") for name, path in [("x", "a.md"), ("y", "b.md")]]
    assert digest_codes(problems) == [("link-missing", 2)]
    assert digest_codes(problems, each=True) == [("link-missing", 1)] * 2


def test_equal_messages_are_one_entry_but_not_in_blocks() -> None:
    assert digest_codes([problem("markup-emphasis"), problem("markup-emphasis", path="b.md")]) == [
        ("markup-emphasis", 2)
    ]
    assert digest_codes([problem("example-degree")] * 2) == [("example-degree", 1)] * 2
    assert cause_of(problem("example-degree")) == ""


def test_a_page_has_at_most_so_many_entries_and_the_rest_is_counted() -> None:
    problems = [problem("link-missing", str(number)) for number in range(MAX_PER_PAGE + 3)]
    digested = digest([*problems, problem("link-missing", path="b.md")], lambda problem: problem)
    assert len(digested.entries) == MAX_PER_PAGE + 1
    assert digested.left_out == {"a.md": 3}


BOOK = {
    "a.md": "# A\n\n[d6](#d6) [d8](#d8)\n\n[one](gone/one.md)\n",
    "b.md": "# B\n\nBite: 7 (2d6), 10 (3d6), 13 (3d8), 22 (4d10). Claw: 12 (2d6 + 3).\n\n[two](gone/two.md)\n",
    "c.md": "# C\n\n5 + 6 = 12 hits.\n\n[three](gone/three.md)\n",
}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Ran) -> Check:
    for name, text in BOOK.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return lambda *words: ran("check", *words)[1]


def test_the_text_has_numbers_first_and_each_cause_once(check: Check) -> None:
    lines = check().splitlines()
    codes = [line.split("[")[1].split("]")[0] for line in lines if ": error[" in line]
    assert codes == ["average-wrong", "sum-wrong", "link-missing", "link-missing"]
    assert "2 places with one cause: a.md does not have the ids that links name" in lines
    assert any(line.startswith("   a.md:3:16: there is no #d8 on this page") for line in lines)
    assert "3 places with one cause: links go into a folder gone, and no page is there" in lines
    assert any(line.startswith("   c.md:5:9: there is no page gone/three.md") for line in lines)


def test_all_lists_each_problem(check: Check) -> None:
    assert check("--all").count(": error[link-missing]") == 5


def test_all_formats_have_the_same_entries_and_json_each_problem(check: Check) -> None:
    data = json.loads(check("--format", "json"))
    causes = {found["cause"] for found in data["problems"]}
    assert len(data["problems"]) == 7
    assert len(causes) == 4
    lines = [line for line in check("--format", "github").splitlines() if line.startswith("::error")]
    assert len(lines) == 7, "a place for each, first one of each cause"
    assert ["also at" in line or "places" in line for line in lines]
    assert check("--format", "markdown").count("- [ ]") == 4
    results = json.loads(check("--format", "sarif"))["runs"][0]["results"]
    assert [result.get("occurrenceCount", 1) for result in results] == [1, 1, 2, 3]


def test_a_long_report_ends_with_totals(check: Check, tmp_path: Path) -> None:
    assert "by code" not in check()
    (tmp_path / "old").mkdir()
    (tmp_path / "old/d.md").write_text("# D\n\n" + "".join(f"[{n}](#none-{n})\n" for n in "abcdefgh"))
    (tmp_path / "old/e.rst").write_text("E\n=\n")
    lines = check().splitlines()
    assert "by code: link-missing 13, average-wrong 1, sum-wrong 1" in lines
    assert "by folder: old 8, . 7" in lines
    assert "not read: 1 .rst" in lines
    assert any("`rulewright check --all`" in line or "rulewright check --all" in line for line in lines)


GAME = """title = "Climbing"
[rules.climb.inputs]
bonus = { min = 0, max = 9 }
[rules.climb.dice]
d6 = { sides = 6, count = 1 }
[rules.climb.steps]
total = "sum(d6) + bonus"
[rules.climb.outcomes]
up = {}
"""


def test_places_that_disagree_with_a_line_of_a_game_are_listed_below_it(check: Check, tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(GAME)
    block = "```example\nrule: climb\nbonus: 1\ndice: 4\ntotal: {}\n```\n"
    (tmp_path / "d.md").write_text("# D\n\n" + "\n".join(block.format(total) for total in (7, 8)))
    text = check()
    assert "2 places with one cause: game.toml:7: total = sum(d6) + bonus" in text
    assert "   d.md:14:8: the rules give total 5, the example says 8" in text

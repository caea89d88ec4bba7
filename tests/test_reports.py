"""Problems in print: the text that an author reads, the data for tools, the commands for GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.render.code_hosts import format_github
from rulewright.render.digest import Entry
from rulewright.render.fingerprints import identify_problems
from rulewright.render.reports import format_fix, problems_to_json
from rulewright.render.reports import format_problems as reports_text
from rulewright.render.text_width import visible, width
from rulewright.source import Fix, Problem, Source, Span

Golden = Callable[[str, str], None]
PAGE = Source("rules/maelstrom/actions.md", "\n" * 213 + "> degree: 3\n> net: 2\n")


def problem_at(text: str, part: str, message: str = "this is wrong", path: str = "page.md") -> Problem:
    """A problem at the first place where `part` stands in a text."""
    start = text.index(part)
    return Problem("example", message, Span(Source(path, text), start, start + len(part)))


def wrong_degree() -> Problem:
    three = PAGE.text.index("3")
    span = Span(PAGE, three, three + 1)
    return Problem(
        "example-degree",
        "the rules give degree 2, the example says 3",
        span,
        notes=("regular 1 4 7 10 | bonus 1 10 | bonus 4 8", "successes 3, botches 1, kept 3, net 2: success, degree 2"),
        trail=("Actions", "Using specialties", "using-specialties.1"),
        fix=Fix(span, "2"),
    )


CASES = {
    "complete": [wrong_degree()],
    "two": [wrong_degree(), problem_at("a line\nand a word\n", "word")],
    "several-lines": [problem_at("first\nsecond line\nthird\n", "line\nthird")],
    "tab": [problem_at("\tpool:\t5\n", "5"), problem_at("\tpool:\t5\n", "pool:\t5")],
    "wide": [problem_at("骰子 pool 五 here\n", "pool"), problem_at("骰子 pool 五 here\n", "五 here")],
    "combining": [
        problem_at("De\u0301gre\u0301 is wrong\n", "wrong"),
        problem_at("De\u0301gre\u0301 is wrong\n", "e\u0301gre\u0301"),
    ],
    "long-line": [problem_at("before " * 60 + "here" + " after" * 60, "here"), problem_at("x" * 400 + "end", "end")],
    "control": [problem_at("a\0b \x1b[31m\ud800\u202e", "\0"), problem_at("a\0b", "b", "a \x1b[31mloud\n message")],
    "crlf": [problem_at("one\r\ntwo three\r\n", "three")],
    "end-of-file": [Problem("page", "the fence is not closed", Span(Source("page.md", "```"), 3, 4))],
    "empty-file": [Problem("game-toml", "this file is empty", Span(Source("game.toml", ""), 0, 0))],
    "no-path": [Problem("claim", "this cannot be read", Span(Source("", ""), 0, 0))],
    "line-numbers": [problem_at("\n" * 8 + "nine\nten", "nine"), problem_at("\n" * 8 + "nine\nten", "ten")],
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str, golden: Golden) -> None:
    golden(f"reports/{name}.txt", reports_text(CASES[name]) + "\n")


def test_text_in_colour(golden: Golden) -> None:
    golden("reports/colour.txt", reports_text([wrong_degree()], colour=True).replace("\033", "ESC") + "\n")


def test_colour_adds_nothing_but_colour() -> None:
    for problems in CASES.values():
        assert re.sub("\033\\[[0-9;]*m", "", reports_text(problems, colour=True)) == reports_text(problems)


@pytest.mark.parametrize(("severity", "said"), [("error", "error"), ("warning", "warning"), ("info", "info")])
def test_severity_and_code_are_named(severity: str, said: str) -> None:
    problem = Problem("link", "no such place", Span(PAGE, 3, 4), severity)
    assert f": {said}[link] no such place" in reports_text([problem])


def fixed(line: str, part: str, new: str) -> str:
    problem = problem_at(line, part)
    return format_fix(Problem("x", "y", problem.span, fix=Fix(problem.span, new)))


def test_a_fix_shows_the_line_as_it_will_be() -> None:
    assert fixed("> degree: 3", "3", "2") == "degree: 2"
    assert fixed("  degree: 3  # why\r\n", "3", "2") == "degree: 2  # why"


def test_a_fix_in_a_long_line_shows_the_new_part_only() -> None:
    line = "The chance is [27.8 %](chance:botch?pool=5&threshold=2), and more words make this line a long one."
    assert fixed(line, "27.8 %", "27.9 %") == "27.9 %"
    assert fixed(line, "27.8 %", "") == 'remove "27.8 %"'


def test_a_fix_that_removes_or_spans_lines() -> None:
    assert fixed("degree: 3\nnet: 2", "degree: 3", "") == "remove this line"
    assert fixed("a: 1\nb: 2\n", "a: 1\nb: 2", "a: 3\nb: 4") == "a: 3 …"


def test_json_has_the_keys_of_the_contract() -> None:
    (made,) = problems_to_json([wrong_degree()])
    assert json.loads(json.dumps(made)) == {
        "code": "example-degree",
        "severity": "error",
        "path": "rules/maelstrom/actions.md",
        "line": 214,
        "column": 11,
        "end_line": 214,
        "end_column": 12,
        "trail": ["Actions", "Using specialties", "using-specialties.1"],
        "message": "the rules give degree 2, the example says 3",
        "notes": [
            "regular 1 4 7 10 | bonus 1 10 | bonus 4 8",
            "successes 3, botches 1, kept 3, net 2: success, degree 2",
        ],
        "fix": {"line": 214, "column": 11, "end_line": 214, "end_column": 12, "text": "2"},
        "cause": "",
    }


def test_json_without_a_fix() -> None:
    (made,) = problems_to_json([problem_at("one\ntwo\n", "ne\nt")])
    assert made["fix"] is None
    assert (made["line"], made["column"], made["end_line"], made["end_column"]) == (1, 2, 2, 2)


def github_text(problems: Sequence[Problem]) -> str:
    return format_github(map(Entry, identify_problems(problems, Path("/book"), Path("/book"))))


def test_github(golden: Golden) -> None:
    odd = problem_at("50 % off\n", "50 %", "100 % wrong:\nsee above", path="a:b,c.md")
    info = Problem("drift", "two lines", Span(Source("p.md", "one\ntwo"), 1, 5), "info")
    golden("reports/github.txt", github_text([wrong_degree(), odd, info]) + "\n")


def test_no_problems_print_nothing() -> None:
    assert reports_text([]) == format_github([]) == ""
    assert problems_to_json([]) == []


@given(st.text(min_size=1), st.data())
def test_every_place_prints_and_carets_stay_below_the_line(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    problem = Problem("code", "message", Span(Source("p.md", text), start, end))
    shown = reports_text([problem]).split("\n")
    problems_to_json([problem])
    github_text([problem])
    if start or end:
        line, carets = (row.partition("|")[2][1:] for row in shown[1:3])
        assert set(carets) <= {" ", "^"}
        assert width(carets) <= width(line) + 1 or not line.strip()


@given(st.text())
def test_what_is_visible_moves_no_cursor(text: str) -> None:
    assert not any(ord(sign) < 32 or "\x7f" <= sign < "\xa0" for sign in visible(text))


def test_ten_megabytes_on_one_line_print_at_once() -> None:
    text = "a" * 10_000_000
    assert len(reports_text([Problem("x", "y", Span(Source("p.md", text), 5_000_000, 5_000_001))])) < 400

"""Reports for other programs: SARIF, GitLab, GitHub, the badge; where each report goes, and the exit code."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from rulewright.cli.report import Report
from rulewright.cli.report_formats import FORMATS, read_formats
from rulewright.cli.terminal import CommandError
from rulewright.compile.book import compile_book
from rulewright.compile.files import REPORT_MARK
from rulewright.render.digest import Digest, Entry
from rulewright.render.fingerprints import find_repository, identify_problems
from rulewright.render.markdown_report import format_markdown
from rulewright.render.problem_help import explain_problems
from rulewright.source import LINE_BREAK, Problem, Source, Span
from small_book import BLOCK, WRONG, write

Ran = Callable[..., tuple[int, str, str]]
ROOT = Path(__file__).parent.parent
SCHEMA = json.loads((ROOT / "tests/data/sarif-for-github.json").read_text("utf-8"))
CLAIM = "# Chances\n\n```claim\ngame: rules\nchance(win; coins 2) = 1/3\n```\n\nSee [there](#nowhere).\n"
STORY = "> **Example:** Ann tosses three coins; the degree is 4.\n>\n"
DRIFT = "# A\n\n" + STORY + BLOCK.replace("```e", "> ```e").replace("\n", "\n> ")  # a warning
FILES = {"rules/two.md": "# Two\n\n" + WRONG + "\nAgain\n\n" + WRONG, "rules/long name.md": CLAIM}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a book in the folder `books`, which is the current folder."""
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / ".git").mkdir()
    book = write(tmp_path / "books", FILES)
    (book / "game.toml").rename(book / "rules/game.toml")
    monkeypatch.chdir(book)
    return tmp_path


def sarif(ran: Ran, *words: str) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(ran("check", "--format", "sarif", *words)[1])
    jsonschema.Draft202012Validator(SCHEMA).validate(log)
    return log["runs"][0]  # type: ignore[no-any-return]


def cut(text: str, region: dict[str, int]) -> tuple[int, int]:
    """The offsets of a SARIF region, whose columns count characters."""
    starts = [0, *(match.end() for match in LINE_BREAK.finditer(text))]
    return (
        starts[region["startLine"] - 1] + region["startColumn"] - 1,
        starts[region["endLine"] - 1] + region["endColumn"] - 1,
    )


def test_sarif_points_to_the_text_that_is_wrong(repository: Path, ran: Ran) -> None:
    run = sarif(ran)
    assert {result["ruleId"] for result in run["results"]} == {"example-degree", "claim-false", "link-missing"}
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        text = (repository / place["artifactLocation"]["uri"].replace("%20", " ")).read_text("utf-8")
        start, end = cut(text, place["region"])
        assert text[start:end] == place["region"]["snippet"]["text"] != ""


def test_sarif_of_a_right_book(repository: Path, ran: Ran) -> None:
    for page in repository.glob("books/rules/*.md"):
        page.write_text("# Right\n\n" + BLOCK, "utf-8")
    run = sarif(ran)
    assert run["results"] == run["tool"]["driver"]["rules"] == []


def test_a_fix_in_sarif_is_the_one_that_is_written(repository: Path, ran: Ran) -> None:
    (fix,) = (fix for result in sarif(ran)["results"] for fix in result.get("fixes", ()))
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == {"uri": "books/rules/long%20name.md", "uriBaseId": "%SRCROOT%"}
    file = repository / "books/rules/long name.md"
    text = file.read_text("utf-8")
    start, end = cut(text, change["replacements"][0]["deletedRegion"])
    ran("check", "--fix")
    assert text[:start] + change["replacements"][0]["insertedContent"]["text"] + text[end:] == file.read_text("utf-8")


@pytest.mark.usefixtures("repository")
def test_sarif_explains_its_rules(ran: Ran) -> None:
    rules = {rule["id"]: rule for rule in sarif(ran)["tool"]["driver"]["rules"]}
    short, full = (rules["link-missing"][key]["text"] for key in ("shortDescription", "fullDescription"))
    assert short == "The link leads nowhere: there is no such page, no such heading, or no target at all."
    assert full.startswith(short + " ")


def test_levels(repository: Path, ran: Ran) -> None:
    write(repository / "books/rules", {"info.md": "# One\n\n### Three\n\nText.\n"})
    run = sarif(ran, "--info", "rules/info.md")
    found = [(result["ruleId"], result["level"]) for result in run["results"]]
    assert found == [("unused", "note"), ("markup-level", "note")]


def test_every_code_of_the_handbook_has_help() -> None:
    text = (ROOT / "rules/handbook/problems.md").read_text("utf-8")
    codes = re.findall(r"^### `([a-z-]+)`$", text, re.MULTILINE)
    helps = explain_problems(codes)
    assert len(codes) > 50
    assert not [code for code in codes if not re.fullmatch(r"[A-Z`].*\.", helps[code].summary)]
    assert not [code for code in codes if re.search(r"\]\(|```", helps[code].text) or len(helps[code].text) < 40]
    assert explain_problems(["my-own"])["my-own"].text


def fingerprints(ran: Ran, *words: str) -> dict[str, int]:
    run = sarif(ran, *words)
    lines = {
        result["partialFingerprints"]["rulewright/v1"]: result["locations"][0]["physicalLocation"]["region"][
            "startLine"
        ]
        for result in run["results"]
    }
    assert len(lines) == len(run["results"])
    return lines


def test_fingerprints_stay_when_lines_move(repository: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprints(ran)
    for page in repository.glob("books/rules/*.md"):
        page.write_text("Some words.\n\nAnd more.\n\n" + page.read_text("utf-8"), "utf-8")
    assert fingerprints(ran) == {name: line + 4 for name, line in before.items()}
    monkeypatch.chdir(repository)
    assert fingerprints(ran, "books").keys() == before.keys()
    page = repository / "books/rules/two.md"
    page.write_text(page.read_text("utf-8").replace("degree: 4", "degree: 5", 1), "utf-8")
    assert len(fingerprints(ran, "books").keys() - before.keys()) == 1


def test_numbers_are_short_and_never_shared() -> None:
    source = Source("page.md", "".join(f"line {number}\n" for number in range(3_000)))
    problems = [Problem("code", "message", Span(source, start, start + 1)) for start in source.line_starts[:-1]]
    identified = identify_problems(problems, Path("/book"), Path("/book"))
    assert len({entry.number for entry in identified}) == 3_000
    assert all(10_000 <= entry.number < 100_000 for entry in identified)
    some = identify_problems(problems[:40], Path("/book"), Path("/book"))
    assert [entry.number for entry in some] == [entry.number for entry in identified[:40]]


@pytest.mark.usefixtures("repository")
def test_gitlab(ran: Ran) -> None:
    entries = json.loads(ran("check", "--format", "gitlab")[1])
    assert [(entry["check_name"], entry["location"], entry["severity"]) for entry in entries] == [
        ("claim-false", {"path": "books/rules/long name.md", "lines": {"begin": 5}}, "major"),
        ("link-missing", {"path": "books/rules/long name.md", "lines": {"begin": 8}}, "major"),
        ("example-degree", {"path": "books/rules/two.md", "lines": {"begin": 8}}, "major"),
        ("example-degree", {"path": "books/rules/two.md", "lines": {"begin": 18}}, "major"),
    ]
    assert len({entry["fingerprint"] for entry in entries}) == 4


# GitHub


def test_annotations_have_paths_from_the_root(repository: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("books", "books/rules"):
        monkeypatch.chdir(repository / folder)
        assert "::error file=books/rules/two.md,line=8," in ran("check", "--format", "github")[1]


def test_the_root_of_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / "work/books/rules"
    folder.mkdir(parents=True)
    assert find_repository(folder, {}) == folder
    assert find_repository(folder, {"GITHUB_WORKSPACE": str(tmp_path / "work")}) == tmp_path / "work"
    assert find_repository(folder, {"GITHUB_WORKSPACE": str(tmp_path / "other")}) == folder
    (tmp_path / "work/books/.git").write_text("gitdir: elsewhere", "utf-8")  # of a worktree or a submodule
    assert find_repository(folder, {"GITHUB_WORKSPACE": str(tmp_path / "work")}) == tmp_path / "work/books"


def test_a_step_gets_a_summary_and_outputs(repository: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    summary, outputs = repository / "summary", repository / "outputs"
    summary.write_text("before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(outputs))
    ran("check")
    assert not outputs.exists()
    assert ran("check", "--format", "github")[0] == 1
    assert summary.read_text("utf-8").startswith(f"before\n{REPORT_MARK}")
    assert outputs.read_text("utf-8") == "problems=4\nerrors=4\nwarnings=0\n"


def test_a_summary_has_a_limit(repository: Path) -> None:
    report = Report(compile_book([repository / "books"], repository / "books"), repository)
    source = Source("books/rules/two.md", "x\n" * 3_000)
    problems = [Problem("code", "message", Span(source, start, start + 1)) for start in source.line_starts[:-1]]
    entries = [Entry(identified) for identified in identify_problems(problems, repository, repository)]
    text = format_markdown(report.compiled, Digest(entries, Counter()), 50_000)
    shown, left_out = text.count("- [ ]"), int(re.findall(r"^(\d+) more problems did not fit", text, re.MULTILINE)[0])
    assert len(text.encode()) < 50_100
    assert shown > 200
    assert shown + left_out == 3_000
    assert format_markdown(report.compiled, Digest(entries, Counter())).count("- [ ]") == 3_000


# The badge


@pytest.mark.parametrize(
    ("page", "words", "color"),
    [
        ("# A\n\n" + BLOCK, "1 checked", "#2d7a34"),
        ("# A\n\nTen words [here](#a).\n", "no problems", "#2d7a34"),
        ("# A\n\n" + WRONG, "1 error", "#b3261e"),
        (DRIFT, "", "#8a5a00"),
    ],
)
def test_badge(repository: Path, ran: Ran, page: str, words: str, color: str) -> None:
    for file in (repository / "books/rules").glob("*.md"):
        file.unlink()
    write(repository / "books/rules", {"a.md": page})
    svg = ran("check", "--format", "badge")[1]
    top = ElementTree.fromstring(svg)
    title = top.findtext("{http://www.w3.org/2000/svg}title") or ""
    assert title == top.get("aria-label") == f"rules: {words or '1 warning'}"
    assert color in svg
    assert [text.text for text in top.iter("{http://www.w3.org/2000/svg}text")] == title.split(": ")
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


# Where reports go


@pytest.mark.parametrize(
    ("words", "printed", "files"),
    [
        ([], "text", {}),
        (["format sarif"], "sarif", {}),
        (["format sarif", "output a"], "text", {"a": "sarif"}),
        (["output a", "format sarif"], "text", {"a": "sarif"}),
        (["format github", "format sarif", "output a"], "github", {"a": "sarif"}),
        (["format sarif", "output a", "format badge", "output b", "format json"], "json", {"a": "sarif", "b": "badge"}),
    ],
)
def test_a_file_belongs_to_the_format_before_it(words: list[str], printed: str, files: dict[str, str]) -> None:
    assert read_formats((name, value) for name, _, value in (word.partition(" ") for word in words)) == (printed, files)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["output a"], "-o a has no format; write --format FORMAT -o a"),
        (["format json", "output a", "output b"], "-o b has no format; write --format FORMAT -o b"),
        (
            ["format json", "format sarif"],
            "only one report can be printed: json, sarif; write -o FILE after the others",
        ),
    ],
)
def test_files_without_a_format(words: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=re.escape(message)):
        read_formats((name, value) for name, _, value in (word.partition(" ") for word in words))


def test_several_reports_of_one_check(repository: Path, ran: Ran) -> None:
    plain = {form: ran("check", "--format", form)[1] for form in FORMATS}
    words = [word for form in FORMATS for word in ("--format", form, "-o", f"../{form}.out")]
    assert ran("check", *words, "--format", "badge") == (1, plain["badge"], "")
    assert {form: (repository / f"{form}.out").read_text("utf-8") for form in FORMATS} == plain


@pytest.mark.parametrize("form", FORMATS)
def test_the_exit_code_is_the_same_for_every_format(repository: Path, ran: Ran, form: str) -> None:
    write(repository / "books/rules", {"right.md": "# A\n\n" + BLOCK, "drift.md": DRIFT})
    codes = [
        ran("check", "--format", form, *words)[0]
        for words in (
            ["rules/two.md"], ["rules/two.md", "--fail-on", "never"], ["rules/drift.md"],
            ["rules/drift.md", "--strict"], ["rules/drift.md", "--fail-on", "warning"],
            ["rules/drift.md", "-o", "no/where"],
        )
    ]  # fmt: skip
    assert codes == [1, 0, 0, 1, 1, 2]


def test_a_report_does_not_replace_a_page(repository: Path, ran: Ran) -> None:
    before = {file: file.read_bytes() for file in (repository / "books/rules").iterdir()}
    for name in ("rules/two.md", "rules/game.toml"):
        status, _, message = ran("check", "--format", "markdown", "-o", name)
        assert status == 2
        assert "is part of the book" in message
    assert {file: file.read_bytes() for file in (repository / "books/rules").iterdir()} == before


@pytest.mark.usefixtures("repository")
def test_a_report_inside_of_the_book_adds_no_problem(ran: Ran) -> None:
    report = ("check", "--format", "markdown", "-o", "rules/report.md")
    found = [json.loads(ran(*report, "--format", "json")[1]) for _ in range(3)]
    assert len(found[0]["problems"]) == 4
    assert found[0] == found[1] == found[2], "it is no page, so it is not counted either"


def test_a_page_with_the_title_of_a_report_stays_a_page(repository: Path, ran: Ran) -> None:
    write(repository / "books/rules", {"war.md": "# Report on the war\n\n" + WRONG})
    assert ran("check", "--format", "markdown", "-o", "rules/war.md")[0] == 2
    assert "rules/war.md" in ran("check")[1]


@pytest.mark.usefixtures("repository")
def test_a_folder_for_reports_must_exist(ran: Ran) -> None:
    assert ran("check", "--format", "sarif", "-o", "no/x.sarif") == (
        2, "", "rulewright: there is no folder no; make it first, or write -o elsewhere\n",
    )  # fmt: skip
    assert "rules is a folder" in ran("check", "--format", "sarif", "-o", "rules")[2]


def test_notes_have_the_paths_of_their_problems(repository: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note names the line of the rule; its path begins where that of the problem does, wherever the check runs."""
    write(repository / "books/rules", {"step.md": "# Step\n\n" + BLOCK.replace("outcome", "heads: 3\noutcome")})
    for here, words in ((repository / "books", ()), (repository, ("books",))):
        monkeypatch.chdir(here)
        for form in ("github", "markdown", "sarif"):
            printed = ran("check", *words, "--format", form)[1]
            assert "books/rules/game.toml:18: heads = " in printed.replace("\\", "")
            assert not re.search(r"(?<!books/)rules/game\.toml:", printed.replace("\\", ""))


@pytest.mark.usefixtures("repository")
def test_json_counts_problems_and_names_paths_in_the_repository(ran: Ran) -> None:
    data = json.loads(ran("check", "--format", "json")[1])
    assert (data["summary"]["failed"], data["summary"]["errors"]) == (3, 0)
    assert data["summary"]["problems"] == {"error": 4, "warning": 0, "info": 0}
    entries = [*data["blocks"], *data["problems"]]
    assert {entry["repository_path"] for entry in entries} == {"books/rules/two.md", "books/rules/long name.md"}
    assert all(entry["repository_path"] == f"books/{entry['path']}" for entry in entries)


@pytest.mark.parametrize("word", ["then", "instead"])
def test_the_result_of_a_block_belongs_to_its_inputs(word: str, repository: Path, ran: Ran) -> None:
    more = f"{word}:\nrule: toss\ncoins: 3\ndice: 1 1 1\noutcome: loss\n```\n"
    page = write(repository / "books/rules", {"parts.md": "# Parts\n\n" + BLOCK.removesuffix("```\n") + more})
    (block,) = json.loads(ran("check", f"{page}/parts.md", "--format", "json")[1])["blocks"]
    assert block["status"] == "passed"
    assert [step["result"]["outcome"] for step in block["steps"]] == ["win", "loss"]
    assert {key: block[key] for key in ("inputs", "dice", "result")} == {
        key: block["steps"][0][key] for key in ("inputs", "dice", "result")
    }


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_to_check_is_not_a_pass(form: str, tmp_path: Path, ran: Ran) -> None:
    status, printed, message = ran("check", str(tmp_path), "--format", form)
    assert (status, printed) == (2, "")
    assert message.startswith("rulewright: nothing to check: there is neither a page nor a game.toml")


def test_a_report_for_standard_output(repository: Path, ran: Ran) -> None:
    assert ran("check", "--format", "sarif", "-o", "-") == ran("check", "--format", "sarif")
    assert not (repository / "books/-").exists()
    status, _, message = ran("check", "--format", "sarif", "-o", "a", "--format", "json", "-o", "./a")
    assert (status, message) == (2, "rulewright: two reports go to ./a; write -o with another file for one of them\n")


def test_the_root_of_a_repository_without_git(tmp_path: Path) -> None:
    here = tmp_path / "books/first"
    for name in ("CI_PROJECT_DIR", "GITHUB_WORKSPACE"):
        assert find_repository(here, {name: str(tmp_path)}) == tmp_path
        assert find_repository(here, {name: str(tmp_path / "elsewhere")}) == here

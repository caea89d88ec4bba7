"""`check -`: a page from standard input, checked in its place, and fixed on its way through."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.book.page import LARGEST_PAGE
from small_book import BLOCK, write

Ran = Callable[..., tuple[int, str, str]]
Piped = Callable[..., tuple[int, str, str]]
PAGE = "# Here\n\n```claim\nchance(win; coins 2) = 1/3\n```\n\nSee [two](two.md).\n"


@pytest.fixture
def piped(ran: Ran, monkeypatch: pytest.MonkeyPatch) -> Piped:
    """`piped(text, "--fix")` runs `check -` with a text or bytes on standard input."""

    def run(page: str | bytes, *words: str) -> tuple[int, str, str]:
        data = page.encode() if isinstance(page, str) else page
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        return ran("check", "-", *words)

    return run


@pytest.fixture(autouse=True)
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    options = "plugins:\n  - rulewright: {checks: {link-missing: off}}\n"
    files = {
        "rules/two.md": "# Two\n",
        "rules/one.md": "# One\n",
        "mkdocs.yml": f"site_name: B\ndocs_dir: rules\n{options}",
    }
    folder = write(tmp_path, files)
    (folder / "game.toml").rename(folder / "rules/game.toml")
    monkeypatch.chdir(folder)
    return folder


def test_a_page_has_the_game_the_links_and_the_options_of_its_place(piped: Piped) -> None:
    page = PAGE + "\nSee [three](three.md).\n"
    status, printed, _ = piped(page, "--stdin-filename", "rules/one.md", "--format", "json")
    (problem,) = json.loads(printed)["problems"]
    assert (status, problem["code"], problem["path"], problem["line"]) == (1, "claim-false", "rules/one.md", 4)
    assert piped(page.replace("1/3", "1/4"), "--stdin-filename", "rules/one.md")[0] == 0


def test_the_file_of_that_name_is_not_read(book: Path, piped: Piped) -> None:
    (book / "rules/one.md").write_text("# One\n\n[a](#nowhere)\n", "utf-8")
    (book / "mkdocs.yml").write_text("site_name: B\ndocs_dir: rules\n", "utf-8")
    assert piped("# Other\n", "--stdin-filename", "rules/one.md")[0] == 0
    assert piped("# Other\n[two](two.md#two)\n[one](one.md#one)\n", "--stdin-filename", "rules/new.md")[0] == 0
    assert piped("# Other\n[new](new.md#one)\n", "--stdin-filename", "rules/new.md")[0] == 1


def test_without_a_name_the_page_is_in_the_current_folder(
    book: Path, piped: Piped, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(book / "rules")
    status, printed, _ = piped(PAGE)
    assert status == 1
    assert printed.startswith("-:4:24: error[claim-false] the rules give 25%, the claim says = 1/3\n")
    assert "1 page, 1 block, 1 error" in printed
    assert "::error file=-,line=4," in piped(PAGE, "--format", "github")[1]


def test_fixing_prints_the_page_and_reports_on_standard_error(piped: Piped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    name = ("--fix", "--stdin-filename", "rules/one.md")
    status, page, report = piped(PAGE, *name)
    assert (status, page) == (0, PAGE.replace("1/3", "1/4"))
    assert "no problems" in report
    status, page, report = piped(PAGE + "\n" + BLOCK.replace("outcome: win", "outcome: loss"), *name)
    assert (status, page) == (1, PAGE.replace("1/3", "1/4") + "\n" + BLOCK.replace("outcome: win", "outcome: loss"))
    assert "error[example-outcome]" in report


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_fixing_keeps_line_ends_and_the_byte_order_mark(piped: Piped, mark: str, line_end: str) -> None:
    page = mark + PAGE.replace("\n", line_end)
    assert piped(page, "--fix", "--stdin-filename", "rules/one.md")[1] == page.replace("1/3", "1/4")
    assert ":4:24: error[claim-false]" in piped(page, "--stdin-filename", "rules/one.md")[1]


def test_nothing_is_written_to_the_book(book: Path, piped: Piped) -> None:
    before = {file: file.read_bytes() for file in book.rglob("*") if file.is_file()}
    piped(PAGE, "--fix", "--stdin-filename", "rules/one.md")
    piped(PAGE, "--fix")
    assert {file: file.read_bytes() for file in book.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    ("page", "fact"),
    [
        (b"a" * (LARGEST_PAGE + 1), "this page has more than 4,000,000 bytes; a page may have 4,000,000"),
        (b"caf\xe9", "this page is not UTF-8 text (byte 3)"),
    ],
)
def test_a_page_that_cannot_be_read(piped: Piped, page: bytes, fact: str) -> None:
    status, printed, _ = piped(page)
    assert (status, fact in printed) == (1, True)
    assert piped(page, "--fix") == (2, "", f"rulewright: -: {fact}; nothing was fixed\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rules"], "- is the only page of its check; leave out the other paths"),
        (["--watch"], "--watch follows files, and standard input is none; leave out one of them"),
        (["--stdin-filename", "page.txt"], "page.txt is not the name of a page; it ends in .md"),
        (["--stdin-filename", "no/page.md"], "there is no folder no"),
    ],
)
def test_what_does_not_go_together(piped: Piped, words: list[str], message: str) -> None:
    assert piped(PAGE, *words) == (2, "", f"rulewright: {message}\n")


def test_a_name_without_a_page(ran: Ran) -> None:
    status, _, message = ran("check", "rules", "--stdin-filename", "rules/one.md")
    assert (status, "write check - --stdin-filename PATH" in message) == (2, True)


def test_a_page_larger_than_a_pipe(book: Path) -> None:
    page = PAGE + "Many words follow, one after another.\n\n" * 1_800
    command = [sys.executable, "-m", "rulewright", "check", "-", "--fix", "--stdin-filename", "rules/one.md"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, input=page.encode(), capture_output=True, cwd=book, env=environment, check=False)
    assert len(page) > 2**16
    assert done.stdout.decode() == page.replace("1/3", "1/4")

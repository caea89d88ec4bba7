"""Which book a path belongs to, what is known when a part of it is checked, and several books in one run."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulewright.compile.books import split_places
from small_book import BLOCK, WRONG, write

Ran = Callable[..., tuple[int, str, str]]
PAGE = f"# Part\n\nSee [the core](../core.md#core).\n\n{BLOCK}"
CORE = "# Core\n\nSee [the part](sub/a.md#part).\n"
SETTINGS = {  # the files that make a folder a book, with the folder of the pages
    "mkdocs": ({"mkdocs.yml": "site_name: B\n"}, "docs"),
    "mdbook": ({"book.toml": "[book]\n"}, "src"),
    "obsidian": ({".obsidian/app.json": "{}"}, "."),
    "docusaurus": ({"docusaurus.config.js": ""}, "."),
    "docsify": ({"index.html": "<script src='//cdn/docsify@4'></script>"}, "."),
    "game": ({}, "."),
}


@pytest.fixture(params=SETTINGS)
def pages(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of the pages of a book; its game is there, too, and a page in the folder `sub`."""
    files, folder = SETTINGS[request.param]
    write(tmp_path, files)
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / "game.toml").rename(tmp_path / folder / "game.toml")
    (tmp_path / folder / "sub").mkdir()
    (tmp_path / folder / "core.md").write_text(CORE, "utf-8")
    (tmp_path / folder / "sub/a.md").write_text(PAGE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


def data(ran: Ran, *words: str) -> dict[str, Any]:
    return json.loads(ran("check", *words, "--format", "json")[1])  # type: ignore[no-any-return]


def test_a_path_limits_what_is_reported_not_what_is_known(
    pages: str, ran: Ran, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole = [block for block in data(ran)["blocks"] if block["path"].endswith("sub/a.md")]
    for path in (f"{pages}/sub", f"{pages}/sub/a.md"):
        part = data(ran, path)
        assert (part["blocks"], part["problems"]) == (whole, [])
        assert part["summary"]["pages"] == 1
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PAGE.encode()), "utf-8"))
    assert data(ran, "-", "--stdin-filename", f"{pages}/sub/a.md")["blocks"] == whole
    (tmp_path / pages / "core.md").write_text("# Other\n", "utf-8")
    (problem,) = data(ran, f"{pages}/sub")["problems"]
    assert problem["code"].startswith("link-")


def test_adopt_knows_the_game_of_the_book(pages: str, ran: Ran, tmp_path: Path) -> None:
    story = "# Part\n\nExample: Ann tosses 3 coins and rolls 2, 2 and 1: a win.\n"
    (tmp_path / pages / "sub/a.md").write_text(story, "utf-8")
    for path in (f"{pages}/sub", f"{pages}/sub/a.md"):
        assert json.loads(ran("adopt", path, "--json")[1])["game"] is None


def test_the_game_of_a_folder_beside_the_pages(tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "extra", {"sub/a.md": f"# A\n\n{BLOCK}"})
    write(tmp_path, {"mkdocs.yml": "site_name: B\n", "docs/index.md": "# B\n"})
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.toml").unlink()
    assert data(ran, "extra/sub")["summary"]["passed"] == 1


BOOKS = {
    "README.md": "# Read me\n\n[a book](books/first/docs/index.md#first) [gone](gone.md)\n",
    "books/first/mkdocs.yml": "site_name: F\nplugins:\n  - rulewright: {fail_on: never, exclude: [draft.md]}\n",
    "books/first/docs/index.md": f"# Start\n\n{WRONG}",
    "books/first/docs/draft.md": "# Draft\n\n[gone](gone.md)\n",
    "books/first/docs/deep/mkdocs.yml": "site_name: part of the first\n",
    "books/first/docs/deep/index.md": "# Deep\n\n[up](../index.md#start)\n",
    "books/second/book.toml": "[book]\ntitle = 'S'\n",
    "books/second/src/index.md": "# Start\n\n[also gone](gone.md)\n",
    "books/third/pyproject.toml": "[tool.rulewright]\nchecks = {links = 'off'}\ncheks = {}\n",
    "books/third/index.md": "# Third\n\n[gone](gone.md)\n",
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CI", raising=False)
    write(tmp_path, BOOKS)
    (tmp_path / "game.toml").rename(tmp_path / "books/first/docs/game.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


PROBLEMS = {  # of each book, by its own options
    ("README.md", "link-missing"),
    ("books/first/docs/index.md", "example-degree"),
    ("books/second/src/index.md", "link-missing"),
    ("books/third/pyproject.toml", "option-unknown"),
}


def places_and_codes(report: dict[str, Any]) -> set[tuple[str, str]]:
    return {(problem["path"], problem["code"]) for problem in report["problems"]}


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("words", [(), (".",)])
def test_each_book_is_checked_with_its_own_options(words: tuple[str, ...], ran: Ran) -> None:
    report = data(ran, *words)
    assert places_and_codes(report) == PROBLEMS
    assert report["summary"]["pages"] == 5
    part = data(ran, "books/second", "books/first")
    assert places_and_codes(part) == {entry for entry in PROBLEMS if "first" in entry[0] or "second" in entry[0]}


def test_one_exit_code(repository: Path, ran: Ran) -> None:
    assert ran("check", "books/first")[0] == 0
    assert ran("check", "books/first", "books/second")[0] == 1
    (repository / "books/second/src/index.md").write_text("# Start\n", "utf-8")
    assert ran("check", "books/first", "books/second")[0] == 0


@pytest.mark.usefixtures("repository")
def test_the_report_of_several_books(ran: Ran) -> None:
    _, printed, _ = ran("check", "books/first", "books/second")
    assert "\n2 books, 1 game, 1 rule, 3 pages, 1 block, 2 errors\n" in printed
    _, report, _ = ran("check", "books/first", "books/second", "--format", "markdown")
    assert "\n# Report on 2 books\n" in report
    assert "| Start (books/first/docs/index.md) |" in report
    assert "| Start (books/second/src/index.md) |" in report


def test_blocks_and_fixes_of_several_books(repository: Path, ran: Ran) -> None:
    """An id of one book is known in all; a fix is written in its book."""
    claim = "```claim\nid: quarter\nchance(win; coins 2) = 1/3\n```\n"
    page = repository / "books/first/docs/deep/index.md"
    page.write_text(f"# Deep\n\n{claim}", "utf-8")
    assert "no block" in ran("check", "--only", "nothing")[2]
    assert "no block" in ran("check", "--only", "nothing", "--fix")[2]
    assert len(data(ran, "--only", "quarter")["blocks"]) == 1
    assert ran("check", "--fix", "--only", "quarter")[0] == 0
    assert page.read_text("utf-8") == f"# Deep\n\n{claim.replace('1/3', '1/4')}"


def test_books_that_no_tool_publishes_are_one_book(tmp_path: Path) -> None:
    """Games in folders of one book, given one by one."""
    write(tmp_path / "one", {"a.md": "# A\n"})
    write(tmp_path / "two", {"b.md": "# B\n"})
    places = [tmp_path / "one", tmp_path / "two/b.md", tmp_path / "one"]
    assert split_places(places, tmp_path) == [places[:2]]

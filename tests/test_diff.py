"""`rulewright diff`: what is told of two editions, and what is mended."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.render.changes import change_sections
from rulewright.render.strings import languages, read_words

Golden = Callable[[str, str], None]
Said = Callable[..., tuple[int, str, str]]
PAIR = Path(__file__).parent / "data" / "editions"
GAMES = ("rules/maelstrom-first-edition", "rules/maelstrom")
ROOT = Path(__file__).parent.parent


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two editions side by side, to be written into."""
    shutil.copytree(PAIR, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


@pytest.fixture
def diff(ran: Said) -> Said:
    return partial(ran, "diff")


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("name", "options"),
    [("small.txt", ()), ("moves.txt", ("--moves",)), ("small.md", ("--markdown",)), ("small.json", ("--json",))],
)
def test_what_is_told(name: str, options: tuple[str, ...], diff: Said, golden: Golden) -> None:
    status, printed, wrong = diff("old", "new", *options)
    golden(f"diff/{name}", printed)
    assert (status, wrong) == (0, "")


def test_two_editions_of_maelstrom(monkeypatch: pytest.MonkeyPatch, diff: Said, golden: Golden) -> None:
    monkeypatch.chdir(ROOT)
    status, printed, _ = diff(*GAMES)
    rules, _, examples = printed.partition("\nExamples that end differently\n")
    golden("diff/maelstrom.txt", rules)  # places of examples change with every line that is written above them
    assert status == 0
    assert "1 1 6: failure → botch, degree 1" in examples
    smallest = "smallest roll on which they differ: 1 1 6 (pool 3, difficulty 6): failure → botch, degree 1"
    assert smallest in " ".join(printed.split())


@pytest.mark.usefixtures("book")
def test_the_same_twice(diff: Said) -> None:
    for options in ((), ("--markdown",)):
        assert diff("new", "new", *options) == (0, "Nothing has changed.\n", "")
    found = json.loads(diff("new", "new", "--json")[1])
    assert not any(found[name] for name in ("games", "rolls", "odds", "examples", "headings", "links", "aliases"))


@pytest.mark.usefixtures("book")
def test_quiet(diff: Said) -> None:
    assert diff("old", "new", "--quiet") == (0, "", "")


def test_links_are_mended(book: Path, diff: Said, golden: Golden) -> None:
    status, printed, _ = diff("old", "new", "--fix")
    golden("diff/fixed.txt", printed.partition("--- ")[2])
    golden("diff/aliases.toml", (book / "new" / "aliases.toml").read_text())
    assert status == 0
    assert main(["check", "new"]) == 0
    before = {file: file.read_bytes() for file in book.rglob("*.*")}
    assert diff("old", "new", "--fix", "-q")[0] == 0
    assert {file: file.read_bytes() for file in book.rglob("*.*")} == before


def test_mending_keeps_line_ends(book: Path, diff: Said) -> None:
    page = book / "new" / "index.md"
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    before = page.read_bytes()
    diff("old", "new", "--fix", "-q")
    after = page.read_bytes()
    assert after != before
    assert after.count(b"\r\n") == before.count(b"\r\n") == after.count(b"\n")


def test_learning_leaves_pages_alone(book: Path, diff: Said) -> None:
    pages = {file: file.read_bytes() for file in book.rglob("*.md")}
    assert diff("old", "new", "--learn", "-q")[0] == 0
    assert {file: file.read_bytes() for file in book.rglob("*.md")} == pages
    assert main(["check", "new"]) == 0  # the links work although nobody has mended them


def test_what_is_written_there_stays(book: Path, diff: Said) -> None:
    history = book / "new" / "aliases.toml"
    history.write_text('# mine\n"storms.md#fog" = "weather.md#thunder"')
    diff("old", "new", "--learn", "-q")
    assert history.read_text().startswith('# mine\n"storms.md#fog" = "weather.md#thunder"\n"')
    assert history.read_text().count("storms.md#fog") == 1


def test_a_history_that_cannot_be_read_is_left_alone(book: Path, diff: Said) -> None:
    history = book / "new" / "aliases.toml"
    history.write_text("= nonsense")
    status, _, wrong = diff("old", "new", "--learn", "-q")
    assert (status, history.read_text()) == (2, "= nonsense")
    assert "aliases.toml:1:1: error[link-history]" in wrong


@pytest.mark.usefixtures("book")
def test_nothing_is_written_where_nobody_would_see_it(monkeypatch: pytest.MonkeyPatch, diff: Said) -> None:
    monkeypatch.setenv("CI", "1")
    status, _, wrong = diff("old", "new", "--fix")
    assert status == 2
    assert "CI" in wrong


@pytest.mark.parametrize("language", languages())
def test_every_language_tells_it(book: Path, language: str) -> None:
    from rulewright.diff.diff import diff_editions
    from rulewright.diff.edition import read_edition

    found = diff_editions(*(read_edition(name, book / name, book) for name in ("old", "new")))
    told = change_sections(found, read_words(language), moves=True)
    assert len(told) == len(change_sections(found, read_words("en"), moves=True)) == 5


def test_a_game_that_cannot_be_read(book: Path, diff: Said, golden: Golden) -> None:
    (book / "old" / "game.toml").write_text('title = "Ferry"\n[rules.row')
    status, printed, _ = diff("old", "new")
    golden("diff/broken.txt", printed)
    assert status == 2


def test_nothing_on_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, diff: Said) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)
    assert diff("a", "b") == (0, "Nothing has changed.\n", "")
    shutil.copytree(PAIR / "new", tmp_path / "c")
    assert "is new" in diff("a", "c")[1]
    assert "is gone" in diff("c", "a")[1]


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("name", ["nowhere", "--help=1", "old/index.md", "a\nb", "..\x00"])
def test_no_such_edition(name: str, diff: Said) -> None:
    status, printed, wrong = diff("old", "--", name) if name.startswith("a") else diff("old", name)
    assert (status, printed) == (2, "")
    assert wrong.startswith("rulewright: ")
    assert "mistake in rulewright itself" not in wrong

"""`rulewright new`: whatever it writes is a book that passes and can be built."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from browser import axe_without_theme, served
from example_counts import sample, scale_examples
from rulewright.adopt.gallery import GALLERY, read_gallery
from rulewright.cli import main
from rulewright.cli.new import BOOK_FILES, insert_title, title_of

PAGES = ("", "rolling/", "reference/rules/", "404.html")
Golden = Callable[[str, str], None]
yaml = import_module("yaml")  # it brings no types


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", sample(read_gallery(), 6))
def test_every_book_passes(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "a-book", "--game", game]) == 0
    book = tmp_path / "a-book"
    assert {file.relative_to(book).as_posix() for file in book.rglob("*") if file.is_file()} == set(BOOK_FILES)
    capsys.readouterr()
    assert main(["check", "--strict", "--info", "a-book"]) == 0, capsys.readouterr().out
    assert "1 game, " in capsys.readouterr().out


def test_a_book_can_be_built(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    main(["new", "a-book", "--game", "blackjack"])
    build = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    found = subprocess.run(build, cwd="a-book", env=quiet, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    page = (tmp_path / "a-book" / "site" / "rolling" / "index.html").read_text("utf-8")
    assert "<title>Rolling - A book</title>" in page
    assert page.count('class="rulewright-block"') == 6, "a card for each block but the claims"
    browser = request.getfixturevalue("browser")
    with served(tmp_path / "a-book" / "site") as at:
        for scheme in ("light", "dark") if scale_examples(1) > 1 else ("light",):
            shown = browser.new_page(
                color_scheme=scheme, viewport={"width": 390, "height": 800}, reduced_motion="reduce"
            )
            flaws = [shown.goto(f"{at}/{one}") and axe_without_theme(shown) for one in PAGES]
            assert flaws == [[]] * len(PAGES)


def test_what_it_says(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert main(["new", "long-river"]) == 0
    golden("cli/new.txt", capsys.readouterr().out)


def test_right_here(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / ".git").mkdir(parents=True)  # a repository that is still empty
    monkeypatch.chdir("here")
    assert main(["new", "."]) == 0
    printed = capsys.readouterr().out
    assert "\n  rules/index.md\n" in printed
    assert "cd " not in printed
    assert tomllib.loads(Path("rules/game.toml").read_text("utf-8"))["title"] == "Here"


@pytest.mark.parametrize("inside", ["notes.md", ".hidden", "rules/deep.md"])
def test_a_folder_that_is_used_stays_as_it_is(inside: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "book" / inside
    file.parent.mkdir(parents=True)
    file.write_text("mine", "utf-8")
    assert main(["new", "book"]) == 2
    assert capsys.readouterr().err.startswith(f"rulewright: book is not empty, there is {inside.partition('/')[0]}; ")
    assert [path for path in (tmp_path / "book").rglob("*") if path.is_file()] == [file]


@pytest.mark.parametrize("words", [[], ["--list"], ["book", "--list"]])
def test_the_gallery_is_listed(words: list[str], capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    assert main(["new", *words]) == 0
    printed = capsys.readouterr().out
    golden("cli/gallery.txt", printed)
    assert max(map(len, printed.splitlines())) <= 80
    assert not Path("book").exists()


@pytest.mark.parametrize(
    ("lines", "title"),
    [("\n", "Two dice in three bands"), ("7\n", "Fate dice and a ladder"), ("0\nx\nfate\n", "Fate dice and a ladder")],
)
def test_a_terminal_offers_the_gallery(lines: str, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    type_in_terminal(lines, monkeypatch)
    assert main(["new", "book"]) == 0
    game = next(one for one in read_gallery().values() if one.title == title)
    assert tomllib.loads(Path("book/rules/game.toml").read_text("utf-8"))["rules"] == tomllib.loads(game.text)["rules"]


def type_in_terminal(lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO(lines)
    stream.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stream)


@pytest.mark.parametrize("lines", ["q\n", ""])
def test_the_question_can_be_left(
    lines: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in_terminal(lines, monkeypatch)
    assert main(["new", "book"]) == 0
    assert capsys.readouterr().out.endswith("nothing was written\n")
    assert not Path("book").exists()


def test_a_folder_with_pages_leads_to_init(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("# Mine", "utf-8")
    assert main(["new", "."]) == 2
    assert "or run `rulewright init` there to add a game to its pages" in capsys.readouterr().err


def test_a_name_with_a_space_can_be_pasted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "my book"]) == 0
    assert '\n  cd "my book"\n' in capsys.readouterr().out


def test_a_file_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("book").write_text("mine", "utf-8")
    assert main(["new", "book"]) == 2
    assert "book is a file; name a folder that is new or empty" in capsys.readouterr().err
    assert Path("book").read_text("utf-8") == "mine"


def test_a_game_that_the_gallery_does_not_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "book", "--game", "fade"]) == 2
    assert 'the gallery has no game "fade"; did you mean fate?' in capsys.readouterr().err
    assert not Path("book").exists()


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("long-river", "Long river"), ("The_Old  House", "The Old House"), ("Rats & Cats", "Rats & Cats"),
        ("Wölfe", "Wölfe"), ("dœ'\"#*", "Dœ'"), ("---", "A new book"), ("7", "7"), ("no", "No"),
    ],
)  # fmt: skip
def test_titles(name: str, title: str) -> None:
    assert title_of(Path("books") / name) == title
    game = insert_title("rules/game.toml", (GALLERY / "fate" / "game.toml").read_text("utf-8"), title)
    assert tomllib.loads(game)["title"] == title
    assert yaml.safe_load(insert_title("mkdocs.yml", "site_name: BOOK_TITLE\n", title)) == {"site_name": title}
    assert insert_title("rules/index.md", "# BOOK_TITLE", title) == f"# {title.replace('&', chr(92) + '&')}"


def test_a_book_inside_a_repository_has_its_workflow_at_the_root(capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub runs no other; each book has a workflow of its own, that works in its folder."""
    Path(".git").mkdir()
    Path("games").mkdir()
    assert main(["new", "games/my book"]) == 0
    assert "\n  .github/workflows/games-my-book.yml\n" in capsys.readouterr().out
    assert not Path("games/my book/.github").exists()
    workflow = yaml.safe_load(Path(".github/workflows/games-my-book.yml").read_text("utf-8"))
    assert (workflow["name"], workflow["defaults"]) == ("My book", {"run": {"working-directory": "games/my book"}})
    settings = [step["with"] for step in workflow["jobs"]["check"]["steps"] if "with" in step]
    assert settings[0]["cache-dependency-path"] == "games/my book/requirements.txt"
    assert settings[1]["path"] == "games/my book/site"


def test_a_second_book_publishes_nothing_over_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub has one site for each repository: what is deployed last would be all there is."""
    Path(".git").mkdir()
    assert main(["new", "first"]) == 0
    capsys.readouterr()
    assert main(["new", "games/my book"]) == 0
    assert sorted(file.name for file in Path(".github/workflows").iterdir()) == ["first.yml", "games-my-book.yml"]
    assert ".github/workflows/first.yml publishes a site from this repository already,\n" in capsys.readouterr().out
    second = Path(".github/workflows/games-my-book.yml").read_text("utf-8")
    workflow = yaml.safe_load(second)
    assert [*workflow["jobs"]] == ["check"]
    steps = workflow["jobs"]["check"]["steps"]
    assert [step["run"].split()[0] for step in steps if "run" in step] == ["pip", "rulewright", "mkdocs"]
    assert workflow["defaults"]["run"]["working-directory"] == "games/my book"
    assert steps[-1]["with"]["path"] == "games/my book/site"
    assert "pages" not in second


def test_a_workflow_of_another_kind_is_neither_counted_nor_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    Path(".git").mkdir()
    workflows = Path(".github/workflows")
    workflows.mkdir(parents=True)
    (workflows / "book.yml").write_text("name: tests\n", "utf-8")
    assert main(["new", "book"]) == 2
    assert "book.yml exists already; rename it" in capsys.readouterr().err
    assert not Path("book").exists()
    assert main(["new", "other"]) == 0
    assert (workflows / "other.yml").is_file()


def test_the_workflow_of_a_book_that_is_the_repository(capsys: pytest.CaptureFixture[str]) -> None:
    Path("book/.git").mkdir(parents=True)
    assert main(["new", "book"]) == 0
    assert "\n  book/.github/workflows/book.yml\n" in capsys.readouterr().out


def test_the_workflow_checks_before_it_publishes() -> None:
    main(["new", "book"])
    workflow = yaml.safe_load(Path("book/.github/workflows/book.yml").read_text("utf-8"))
    steps = [step.get("run", step.get("uses", "")) for step in workflow["jobs"]["check"]["steps"]]
    assert steps[2:5] == [
        "pip install -r requirements.txt", "rulewright check --strict --format github", "mkdocs build --strict",
    ]  # fmt: skip
    assert workflow["jobs"]["publish"]["needs"] == "check"
    assert workflow["permissions"] == {"contents": "read"}
    assert main([*steps[3].split()[1:], "book"]) == 0


@pytest.mark.parametrize(
    ("host", "steps", "requirement"),
    [
        ("properdocs", ["properdocs build --strict -f mkdocs.yml"], "properdocs"),
        ("zensical", ["rulewright export assets", "zensical build --clean --strict"], "zensical"),
    ],
)
def test_books_for_other_programs(
    host: str, steps: list[str], requirement: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "book", "--host", host]) == 0
    assert f"  {host} serve" in capsys.readouterr().out
    workflow = yaml.safe_load(Path("book/.github/workflows/book.yml").read_text("utf-8"))
    runs = [step["run"] for step in workflow["jobs"]["check"]["steps"] if "run" in step]
    assert runs == ["pip install -r requirements.txt", "rulewright check --strict --format github", *steps]
    assert Path("book/requirements.txt").read_text("utf-8").endswith(f"\n{requirement}\n")
    texts = [file.read_text("utf-8") for file in Path("book").rglob("*") if file.is_file()]
    assert not any("mkdocs serve" in text or "mkdocs build" in text for text in texts)
    assert main(["check", "--strict", "--info", "book"]) == 0

"""`rulewright init`: what it detects, asks and writes, and that nothing is lost."""

from __future__ import annotations

import io
import os
import shlex
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from example_counts import sample
from rulewright.adopt.gallery import read_gallery
from rulewright.adopt.survey import detect_book, survey_book
from rulewright.cli import main
from rulewright.cli.prompt import Prompter, QuitError
from rulewright.cli.terminal import WIDTH, CommandError, Screen, screen_width
from rulewright.compile.write_mkdocs_yml import convert_summary
from rulewright.release import REQUIREMENT
from rulewright.render.export import write_atomically

Ran = Callable[..., tuple[int, str, str]]
Golden = Callable[[str, str], None]
ROLLS = (f"\nExample: {name} has a bonus of 1. She rolls 3 and 5, a total of 9.\n" for name in ("Ann", "Bea", "Cid"))
PAGE = "# The salt road\n\n2d6, 2d6, 1d8.\n" + "".join(ROLLS)
BOOKS: dict[str, tuple[Mapping[str, str], str, str]] = {  # the files, what is said of them, the folder of game.toml
    "MkDocs": ({"mkdocs.yml": "site_name: Salt\n", "docs/index.md": PAGE, "docs/b.md": ""},
               "an MkDocs site, 2 pages in docs/: Salt", "docs"),
    "mkdocs folder": ({"mkdocs.yml": "site_name: 'Salt'\ndocs_dir: rules\n", "rules/index.md": PAGE, "docs/b.md": PAGE},
                      "an MkDocs site, 1 page in rules/: Salt", "rules"),
    "mdBook": ({"book.toml": "[book]\ntitle = 'Salt'\n", "src/a.md": PAGE}, "an mdBook, 1 page in src/: Salt", "src"),
    "Obsidian": ({".obsidian/app.json": "{}", "Home.md": PAGE, "b/c.md": ""},
                 "an Obsidian vault, 2 pages: The salt road", ""),
    "Docusaurus": ({"docusaurus.config.js": "", "docs/a.md": PAGE}, "a Docusaurus site, 1 page: The salt road", "docs"),
    "docsify": ({"index.html": "<script src='docsify.js'></script>", "README.md": PAGE},
                "a docsify site, 1 page: The salt road", ""),
    "Jekyll": ({"_config.yml": "title: Salt\n", "a.md": PAGE, "b.md": ""}, "a Jekyll site, 2 pages: Salt", ""),
    "Hugo": ({"hugo.toml": "", "content/a.md": PAGE, "content/b.md": ""},
             "a Hugo site, 2 pages in content/: The salt road", "content"),
    "old Hugo": ({"config.toml": "", "content/a.md": PAGE, "content/b.md": ""},
             "a Hugo site, 2 pages in content/: The salt road", "content"),
    "folder": ({"index.md": PAGE, "b.md": ""}, "a folder of pages, 2 pages: The salt road", ""),
    "page": ({"a.md": PAGE}, "a single page: The salt road", ""),
}  # fmt: skip


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in; commands may write."""
    folder = tmp_path / "book"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("CI", raising=False)
    return folder


def fill(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str, terminal: bool = False) -> None:
    stream = io.StringIO("".join(f"{line}\n" for line in lines))
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    monkeypatch.setattr("sys.stdin", stream)


@pytest.mark.parametrize("tool", BOOKS)
def test_every_kind_of_book(tool: str, book: Path, ran: Ran) -> None:
    """It is detected, gets a game, and the three commands that are printed work."""
    files, said, folder = BOOKS[tool]
    fill(book, files)
    before = contents(book)
    status, out, err = ran("init", "--yes")
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == said
    assert "  dice named most often: 2d6 2 times, d8 1\n" in out
    assert "  3 examples of a roll in the text; two-d6 fits 3, weapon-table fits 3\n    " in out
    after = contents(book)
    new = {*after} - {*before}
    assert new == {f"{folder}/game.toml".lstrip("/")}
    changed = {name for name in before if after[name] != before[name]}
    assert changed == ({"mkdocs.yml"} if "mkdocs.yml" in files else set())
    steps = [line.strip().split("  ")[0] for line in out.partition("\nnext:\n")[2].splitlines()]
    assert len(steps) == 3
    assert steps[0] == "rulewright check"
    for step in steps:
        program, *arguments = shlex.split(step)
        if program == "mkdocs":
            assert tool.lower().startswith("mkdocs")
        else:
            assert main(arguments) == 0, step


def test_an_mdbook_gets_a_site_on_request(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its navigation; the chapters of the book keep their order, and what is not written yet is left out."""
    chapters = (
        "# Summary\n\n[Preface](a.md)\n\n- [Rolling: how](<b.md>)\n  - [Draft]()\n  - [Salt](./c/d.md)\n- [End](e.md)"
    )
    files = {"book.toml": "[book]\ntitle = 'Salt'\n", "src/SUMMARY.md": chapters}
    fill(book, {**files, **{f"src/{name}.md": PAGE for name in ("a", "b", "c/d", "e")}})
    type_lines(monkeypatch, "y", "y", terminal=True)
    status, out, _ = ran("init", "--game", "two-d6")
    assert status == 0, out
    nav = [
        '  - "index.md"',
        '  - "Preface": "a.md"',
        '  - "Rolling: how":',
        '      - "b.md"',
        '      - "Salt": "c/d.md"',
    ]
    settings = (book / "mkdocs.yml").read_text("utf-8")
    assert settings.partition("\nnav:\n")[2].splitlines() == [*nav, '  - "End": "e.md"']
    assert (book / "src/index.md").is_file()
    assert "nav leaves out" not in ran("check")[1]
    assert ran("check")[0] == 0


def test_chapters_that_a_site_cannot_have_are_left_out(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each entry of the navigation is a page of the folder, with a plain title; so is each link of the first page."""
    summary = (
        "# Summary\n\n[Preface](./preface.md)\n\n- [Rules & *dice*](rules.md)\n"
        '  - [A "quoted": one](sub/a%20b.md)\n    - [Deep](sub/deep.md#x)\n- [Draft]()\n- [Outside](../../outside.md)\n'
        "- [Parent]()\n  - [Child](child.md)\n- [Lost](lost.md)\n  - [Gone](gone.md)\n"
        "- [New](new.md)\n  - [Old](<spaced name.md>)\n* [With \\[brackets\\]](b.md)\n1. [One](one.md)\n"
        "2) [Two](two.md)\n"
        "- [Folder](sub)\n- [Here](#top)\n- [Root](/b.md)\n"
    )
    names = ("preface", "rules", "sub/a b", "sub/deep", "child", "spaced name", "b", "one", "two")
    fill(book, {"book.toml": "[book]\n", "src/SUMMARY.md": summary, **{f"src/{name}.md": PAGE for name in names}})
    fill(book.parent, {"outside.md": PAGE})
    type_lines(monkeypatch, "y", "y", terminal=True)
    assert ran("init", "--game", "two-d6")[0] == 0
    settings = yaml.safe_load((book / "mkdocs.yml").read_text("utf-8"))
    assert settings["nav"] == [
        "index.md",
        {"Preface": "preface.md"},
        {"Rules & dice": ["rules.md", {'A "quoted": one': ["sub/a b.md", {"Deep": "sub/deep.md"}]}]},
        {"Parent": [{"Child": "child.md"}]},
        {"New": [{"Old": "spaced name.md"}]},
        {"With [brackets]": "b.md"},
        {"One": "one.md"},
        {"Two": "two.md"},
    ]
    assert "SUMMARY" not in (book / "src/index.md").read_text("utf-8")
    assert "nav" not in ran("check", "--info")[1]


@pytest.mark.parametrize("summary", ["", "# Summary\n", "- [A](gone.md)\n"])
def test_a_summary_without_chapters_makes_no_navigation(summary: str, tmp_path: Path) -> None:
    assert convert_summary(summary, tmp_path, "index.md") == ""


def test_what_it_says(book: Path, ran: Ran, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole session; only lines of game.toml may be wider than a screen."""
    fill(book, BOOKS["MkDocs"][0])
    type_lines(monkeypatch, "", "2", "", "", "", "3", "Grit", "hit, graze, miss", "Salt and smoke", "y")
    status, out, _ = ran("init")
    assert status == 0, out
    assert not [line for line in out.splitlines() if screen_width(line) > WIDTH and not line.endswith("}")]
    golden("cli/init.txt", out)
    game = tomllib.loads((book / "docs" / "game.toml").read_text("utf-8"))
    assert game["title"] == "Salt and smoke"
    assert [*game["rules"]["move"]["outcomes"]] == ["hit", "graze", "miss"]
    assert game["rules"]["move"]["inputs"]["grit"]["label"] == "Grit"


@pytest.mark.parametrize("game", sample(read_gallery(), 6))
def test_a_game_of_the_gallery(game: str, book: Path, ran: Ran) -> None:
    fill(book, {"a.md": "# Salt\n"})
    status, out, _ = ran("init", "--game", game)
    assert status == 0
    written = (book / "game.toml").read_text("utf-8")
    assert tomllib.loads(written) == {**tomllib.loads(read_gallery()[game].text), "title": "Salt"}
    block = out.partition("  ```example\n")[2].partition("  ```\n")[0]
    fill(book, {"a.md": f"# Salt\n\n```example\n{block.replace(chr(10) + '  ', chr(10)).removeprefix('  ')}```\n"})
    assert main(["check", "--strict"]) == 0
    step = next(line for line in out.splitlines() if line.startswith("  rulewright odds "))
    assert main(shlex.split(step.strip().split("  ")[0])[1:]) == 0


def test_the_example_of_a_contest_passes(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, {"a.md": "# Salt\n"})
    type_lines(monkeypatch, "one", "d20", "no", "opposed", "again", "", "", "y")
    status, out, _ = ran("init")
    assert status == 0
    block = out.partition("  ```example\n")[2].partition("  ```\n")[0]
    assert "winner: " in block
    fill(book, {"a.md": "# Salt\n\n```example\n" + "".join(f"{line[2:]}\n" for line in block.splitlines()) + "```\n"})
    assert main(["check", "--strict"]) == 0


def test_a_book_that_has_a_game_is_asked_nothing_about_it(book: Path, ran: Ran) -> None:
    game = read_gallery()["fate"].text
    fill(book, {"mkdocs.yml": "site_name: x\nplugins: [search]\n", "docs/a.md": PAGE, "docs/deep/game.toml": game})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "docs/deep/game.toml has a game already, so there are no questions about it\n" in out
    assert [*contents(book)].count("docs/game.toml") == 0
    assert (book / "mkdocs.yml").read_text("utf-8") == (
        "site_name: x\nplugins: [search, rulewright]\n\nexclude_docs: game.toml  # data, not for readers\n"
    )
    before = contents(book)
    status, out, _ = ran("init", "--yes")
    assert (status, contents(book)) == (0, before)
    assert "nothing has to be written\n" in out


@pytest.mark.parametrize("settings", ["INHERIT: base.yml\n", "plugins:\n", "site_name: \xe9".encode("latin-1")])
def test_settings_that_cannot_be_edited_are_left(settings: str | bytes, book: Path, ran: Ran) -> None:
    fill(book, {"docs/a.md": PAGE})
    data = settings if isinstance(settings, bytes) else settings.encode()
    (book / "mkdocs.yml").write_bytes(data)
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "mkdocs.yml is not changed; please add the plugin rulewright to it:\n  plugins:\n    - search\n" in out
    assert (book / "mkdocs.yml").read_bytes() == data
    assert (book / "docs" / "game.toml").is_file()


def test_the_output_of_a_site_is_excluded(book: Path, ran: Ran) -> None:
    fill(book, {"_config.yml": "", "a.md": PAGE, "_site/a.md": PAGE})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "a Jekyll site, 1 page" in out
    assert "Jekyll goes on publishing these pages, and shows blocks as code." in out
    assert not (book / "mkdocs.yml").exists()
    assert (book / "pyproject.toml").read_text("utf-8") == '[tool.rulewright]\nexclude = ["_site"]\n'
    fill(book, {"pyproject.toml": "[project]\n"})
    (book / "game.toml").unlink()
    status, out, _ = ran("init", "--yes")
    assert (
        'pyproject.toml is there already; please add these lines:\n  [tool.rulewright]\n  exclude = ["_site"]\n' in out
    )
    assert (book / "pyproject.toml").read_text("utf-8") == "[project]\n"


@pytest.mark.parametrize(
    ("lines", "status", "said"),
    [
        ((), 2, "the answers end before this question; write one line for each question"),
        (("1", "d20"), 2, "the answers end before this question"),
        (("12",), 2, 'Your answer: 12\n  "12" is not an answer here; write a number from 1 to 10\nYour answer: '),
        (("1", "q"), 0, "nothing was written\n"),
        (("1", "", "", "", "", "", "1", "", "n"), 0, "nothing was written\n"),
        (("1", "", "", "", "", "", "0", "", "", "n"), 0, "nothing was written\n"),
    ],
)
def test_nothing_is_written_unless_all_is_answered(
    lines: tuple[str, ...], status: int, said: str, book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(book, {"a.md": "# Salt\n"})
    type_lines(monkeypatch, *lines)
    before = contents(book)
    found, out, err = ran("init")
    assert (found, contents(book)) == (status, before)
    assert said in out + err


def test_ctrl_c_leaves_nothing(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, BOOKS["MkDocs"][0])
    before = contents(book)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Prompter, "confirm", interrupt)
    assert main(["init", "--yes"]) == 130
    assert contents(book) == before


def test_all_files_are_written_or_none(book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, BOOKS["MkDocs"][0])
    before = contents(book)

    def fail_at_settings(file: Path, data: bytes) -> None:
        if file.name == "mkdocs.yml":
            raise OSError(28, "No space left on device", str(file))
        write_atomically(file, data)

    monkeypatch.setattr("rulewright.cli.init.write_atomically", fail_at_settings)
    assert main(["init", "--yes"]) == 2
    assert contents(book) == before


def test_what_appears_or_changes_meanwhile_is_left(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, BOOKS["MkDocs"][0])

    def change(*_: object) -> bool:
        fill(book, {"mkdocs.yml": "site_name: Mine\n"})
        return True

    monkeypatch.setattr(Prompter, "confirm", change)
    status, _, err = ran("init", "--yes")
    assert status == 2
    assert "mkdocs.yml was changed in the meantime and is left as it is; run this again" in err
    assert (book / "mkdocs.yml").read_text("utf-8") == "site_name: Mine\n"
    assert not (book / "docs" / "game.toml").exists()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_linked_settings_file_is_not_replaced(book: Path, ran: Ran) -> None:
    fill(book, {"real.yml": "site_name: x\n", "docs/a.md": PAGE})
    (book / "mkdocs.yml").symlink_to("real.yml")
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "mkdocs.yml is not changed" in out
    assert (book / "mkdocs.yml").is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize("command", [("init", "--yes", "--game", "d20"), ("adopt", "--write")])
def test_a_linked_folder_of_pages_gets_no_game_outside(command: tuple[str, ...], book: Path, ran: Ran) -> None:
    """`docs` of a Docusaurus site may be a link that leaves the project."""
    fill(book, {"docusaurus.config.js": "", "a.md": PAGE})
    fill(book.parent / "outside", {"x.md": PAGE})
    (book / "docs").symlink_to("../outside")
    ran(*command)
    assert (book / "game.toml").is_file()
    assert {*contents(book.parent / "outside")} == {"x.md"}


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
@pytest.mark.parametrize(
    ("settings", "pages"), [("hugo.toml", "content"), ("mkdocs.yml", "docs"), ("book.toml", "src")]
)
def test_nothing_is_written_through_a_link_out_of_the_project(settings: str, pages: str, book: Path, ran: Ran) -> None:
    fill(book, {settings: "" if settings != "mkdocs.yml" else "site_name: x\n"})
    fill(book.parent / "outside", {"x.md": PAGE})
    (book / pages).symlink_to("../outside")
    status, _, err = ran("init", "--yes", "--game", "d20")
    assert status == 2
    assert f"{pages}/game.toml is outside the project and is not written" in err or "no pages here" in err
    assert {*contents(book.parent)} == {f"book/{settings}", "outside/x.md"}


def test_pages_outside_that_the_settings_name_get_a_game(book: Path, ran: Ran) -> None:
    fill(book, {"mkdocs.yml": "site_name: x\ndocs_dir: ../rules\n"})
    fill(book.parent / "rules", {"x.md": PAGE})
    assert ran("init", "--yes", "--game", "d20")[0] == 0
    assert (book.parent / "rules" / "game.toml").is_file()


def test_a_folder_without_pages(book: Path, ran: Ran) -> None:
    status, _, err = ran("init")
    assert (status, contents(book)) == (2, {})
    assert err == "rulewright: there are no pages here; `rulewright new FOLDER` starts a new book\n"


def test_a_game_that_the_gallery_does_not_have(book: Path, ran: Ran) -> None:
    fill(book, {"a.md": PAGE})
    status, _, err = ran("init", "--game", "fade")
    assert (status, err) == (2, 'rulewright: the gallery has no game "fade"; did you mean fate?\n')


def test_from_a_folder_of_the_book(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, {**BOOKS["MkDocs"][0], "docs/deep/c.md": ""})
    monkeypatch.chdir(book / "docs" / "deep")
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert out.startswith("an MkDocs site, 3 pages in ../: Salt\n")
    assert "wrote ../game.toml and ../../mkdocs.yml\n" in out


SITE = """\
site_name: "The salt road"
docs_dir: "chapters"
exclude_docs: game.toml  # data, not for readers

theme:
  name: material
  font: false  # nothing is fetched from elsewhere

plugins:
  - search
  - rulewright:
      markdown: commonmark  # pages are rendered as GitHub renders them
"""


def test_pages_in_one_folder_get_the_settings_of_a_site(book: Path, ran: Ran) -> None:
    fill(book, {"README.md": "# About\n", "chapters/index.md": PAGE, "chapters/b.md": "# B\n"})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert out.startswith("a folder of pages, 2 pages in chapters/: The salt road\n")
    assert (book / "mkdocs.yml").read_text("utf-8") == SITE
    assert "wrote chapters/game.toml and mkdocs.yml\n" in out
    assert "  mkdocs serve " in out
    assert (book / "chapters" / "index.md").read_text("utf-8") == PAGE
    assert survey_book(detect_book(book), book, lambda *_: None).kind == "an MkDocs site"


def test_a_folder_without_a_first_page_gets_one(book: Path, ran: Ran) -> None:
    """It links each page, and for a folder the page that it opens with."""
    pages = {"a.md": "# Salt & *smoke* [x]\n", "b c.md": "", "deep/z.md": "# Z\n", "deep/README.md": "# Deep\n"}
    fill(book, {f"chapters/{name}": text for name, text in pages.items()})
    before = contents(book)
    status, out, _ = ran("init", "--yes", "--game", "fate")
    assert status == 0
    assert "wrote chapters/game.toml, mkdocs.yml and chapters/index.md\n" in out
    first = (book / "chapters" / "index.md").read_text("utf-8")
    links = ["- [Salt \\& smoke \\[x\\]](<a.md>)", "- [b c](<b c.md>)", "- [Deep](<deep/README.md>)"]
    assert first.splitlines() == ["# Salt \\& smoke \\[x\\]", "", *links]
    assert all(f"  {line}".rstrip() in out.splitlines() for line in first.splitlines()), "it is shown before"
    assert {name: data for name, data in contents(book).items() if name in before} == before
    assert main(["check", "--strict"]) == 0


@pytest.mark.parametrize("name", ["README.md", "index.html"])
def test_a_first_page_of_any_kind_stays_the_first(name: str, book: Path, ran: Ran) -> None:
    fill(book, {"chapters/a.md": "# A\n", "chapters/b.md": "# B\n", f"chapters/{name}": "Mine"})
    assert ran("init", "--yes", "--game", "fate")[0] == 0
    assert not (book / "chapters" / "index.md").exists()
    assert (book / "mkdocs.yml").is_file()


def test_the_settings_of_a_site_are_declined(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(book, {"chapters/a.md": PAGE, "chapters/b.md": ""})
    type_lines(monkeypatch, "n", "y", terminal=True)
    status, out, _ = ran("init", "--game", "fate")
    assert status == 0, out
    assert {*contents(book)} == {"chapters/a.md", "chapters/b.md", "chapters/game.toml"}
    assert "mkdocs serve" not in out


def test_pages_in_a_folder_of_a_repository_get_settings_above(book: Path, ran: Ran) -> None:
    fill(book, {"index.md": PAGE, "b.md": ""})
    (book.parent / ".git").mkdir()
    status, out, _ = ran("init", "--yes")
    assert status == 0
    settings = (book.parent / "mkdocs.yml").read_text("utf-8")
    assert settings.startswith('site_name: "The salt road"\ndocs_dir: "book"\n')
    assert "wrote game.toml and ../mkdocs.yml\n" in out
    assert "  mkdocs serve -f ../mkdocs.yml " in out
    (book / "game.toml").unlink()
    again = ran("init", "--yes")[1]
    assert again.startswith("an MkDocs site, 2 pages: The salt road\n")
    assert (book.parent / "mkdocs.yml").read_text("utf-8") == settings


def test_pages_at_the_root_of_a_project_have_to_move(book: Path, ran: Ran) -> None:
    """MkDocs refuses settings in the folder of the pages, and nothing is written outside of the project."""
    fill(book, {"index.md": PAGE, "b.md": ""})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "move\nthem and game.toml into a folder such as docs, and run `rulewright init` again.\n" in out
    assert "mkdocs serve" not in out
    assert {*contents(book.parent)} == {f"book/{name}" for name in ("index.md", "b.md", "game.toml")}
    (book / "docs").mkdir()
    for name in ("index.md", "b.md", "game.toml"):
        (book / name).rename(book / "docs" / name)
    assert "wrote mkdocs.yml\n" in ran("init", "--yes")[1]
    assert survey_book(detect_book(book), book, lambda *_: None).kind == "an MkDocs site"


@pytest.mark.parametrize(
    ("files", "title"),
    [
        ({"docusaurus.config.js": "module.exports = {\n  title: 'Salt',\n};\n"}, "Salt"),
        ({"index.html": "<script>window.$docsify = {\n  name: 'Salt',\n}</script>"}, "Salt"),
        ({"hugo.toml": 'title = "Salt"\n'}, "Salt"),
        ({"mkdocs.yml": "docs_dir: .\n", "index.md": "# Sand\n"}, "Sand"),
        ({"01-sand.md": "# Sand\n", "00.md": "# Introduction\n"}, "Sand"),
        ({"z.md": "# Sand\n"}, "Z"),
        ({"z.md": "", "gear/index.md": "# Gear\n"}, "Z"),
    ],
)
def test_the_title_is_that_of_the_site_or_of_its_first_page(files: dict[str, str], title: str, book: Path) -> None:
    fill(book, {**files, "a.md": "# Z\n"})
    assert survey_book(detect_book(book), book, lambda *_: None).title == title


def test_what_a_site_excludes_already_is_left_to_the_author(book: Path, ran: Ran) -> None:
    fill(book, {"mkdocs.yml": "site_name: x\nexclude_docs: drafts/\n", "docs/index.md": PAGE})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "please add game.toml to `exclude_docs` in mkdocs.yml: else the site publishes its data\n" in out
    assert "exclude_docs: drafts/\n\nplugins:" in (book / "mkdocs.yml").read_text("utf-8")


def test_init_and_adopt_count_alike(book: Path, ran: Ran) -> None:
    """With a label or without: a roll that the text tells is an example, and both say where it is."""
    told = "She rolls 3 and 5 on 2d6 and adds her bonus of 1, for a total of 9.\n"
    fill(book, {"a.md": f"# A\n\nExample: {told}\nAnn climbs. {told}\nNothing is rolled here.\n", "b.md": PAGE})
    out = ran("init", "--yes")[1]
    assert "  5 examples of a roll in the text" in out
    assert "\n    a.md:3\n    a.md:5\n    b.md:5\n" in out
    (book / "game.toml").unlink()
    assert "\n5 prose examples: " in ran("adopt")[1]


def test_what_installs_the_builder_of_the_site_is_named(book: Path, ran: Ran) -> None:
    workflow = ".github/workflows/deploy.yml"
    installers = {
        "requirements.txt": "mkdocs\nmkdocs-material\n",
        "docs/requirements.txt": "mkdocs\nrulewright\n",
        "requirements-test.txt": "pytest\n",
        "pyproject.toml": '[project]\ndependencies = ["mkdocs"]\n',
        workflow: "steps:\n  - run: pip install mkdocs-material\n",
        ".github/workflows/lint.yml": "steps:\n  - run: mkdocs --version\n",
    }
    fill(book, {**BOOKS["MkDocs"][0], **installers})
    out = ran("init", "--yes")[1]
    _, _, named = out.partition("Rulewright has to be installed, too; add it to\n")
    assert named.splitlines() == [
        f"  requirements.txt: {REQUIREMENT}",
        f'  pyproject.toml: "{REQUIREMENT}"',
        f'  {workflow}: "{REQUIREMENT}"',
    ]
    for name, text in installers.items():
        (book / name).write_text(f"{text}# rulewright\n", "utf-8")
    assert "has to be installed" not in ran("init", "--yes")[1]


def test_a_check_without_a_game_counts_the_examples_that_nothing_checks(book: Path, ran: Ran) -> None:
    fill(book, {"a.md": PAGE, "b/c.md": PAGE.replace("Ann", "Bo")})
    line = "6 examples of a roll, none checked: `rulewright init`"
    assert line in ran("check")[1].splitlines()
    for text in (read_gallery()["two-d6"].text, "title = A game with a mistake"):
        fill(book, {"game.toml": text})
        assert "none checked" not in ran("check")[1]


def test_pages_that_do_not_say_which_dice(book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no default: not with --yes, and not by Enter."""
    fill(book, {"mkdocs.yml": "site_name: Salt\n", "docs/index.md": "# Salt\n\nA fall costs 2d6 and 1d8 points.\n"})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "so there is no game yet.\nRun `rulewright init` without --yes" in out
    assert "\nnext:\n  rulewright init   asks which dice you roll, because there is no game yet\n" in out
    assert "wrote mkdocs.yml\n" in out
    assert not (book / "docs" / "game.toml").exists()
    type_lines(monkeypatch, "")
    status, out, err = ran("init")
    assert status == 2
    assert "\nYour answer: \n" in out
    assert "this question has no usual answer; write a number from 1 to 10" in out
    assert "the answers end before this question" in err


def test_pages_that_say_which_dice(book: Path, ran: Ran) -> None:
    fill(book, {"a.md": "# Salt\n\n" + "A trait is a d4, d6, d8, d10 or d12.\n\n" * 5})
    status, out, _ = ran("init", "--yes")
    assert status == 0
    assert "\n  5 sentences speak of step dice: the better the trait" in out
    assert "\nYour answer [5]: \n" in out
    assert tomllib.loads((book / "game.toml").read_text("utf-8"))["rules"].keys() == {"test"}


@pytest.mark.parametrize(
    ("sentence", "default"),
    [
        ("A strong hit is all you want, a weak hit costs you, a miss is trouble.", "strong hit, weak hit, miss"),
        ("A success is all you want; a partial success costs, a failure too.", "success, partial success, failure"),
        ("A hit or a miss is what you get, and a failure hurts.", "success, partial success, failure"),
    ],
)
def test_enter_takes_the_names_of_outcomes_that_the_pages_use_or_the_usual_ones(
    sentence: str, default: str, book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(book, {"a.md": f"# Salt\n\nRoll 2d6 and add your bonus.\n\n{sentence}\n" * 3})
    type_lines(monkeypatch, "2", "", "", "", "", "", "", "", "", "y")
    assert ran("init")[0] == 0
    game = tomllib.loads((book / "game.toml").read_text("utf-8"))
    assert ", ".join(game["rules"]["move"]["outcomes"]) == default


@pytest.mark.parametrize(
    ("lines", "bars"),
    [
        (("1",), "bonus 0, target 11 "),
        (("3",), "pool 2, needed 1 "),
        (("7",), "skill Good, difficulty Fair "),
        (("6",), "skill 50 "),
        (("2", "", "", "", "2"), "bonus 0, target 8 "),
    ],
)
def test_bars_name_the_target_that_they_use(
    lines: tuple[str, ...], bars: str, book: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also before it is asked."""
    fill(book, {"a.md": "# Salt\n"})
    type_lines(monkeypatch, *lines, "q")
    assert f"\n  {bars}" in ran("init")[1]


def test_a_generic_heading_is_no_title(book: Path) -> None:
    fill(book, {"README.md": "# Contents\n", "b.md": ""})
    assert survey_book(detect_book(book), book, lambda *_: None).title == "Book"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_wrong_answer_is_asked_again(is_terminal: bool) -> None:
    stream, out = io.StringIO("x\n3\n"), io.StringIO()
    stream.isatty = lambda: is_terminal  # type: ignore[method-assign]
    prompter = Prompter(Screen(out), stream)
    assert prompter.ask("How many?", "1", lambda text: text if text.isdigit() else None, "a number") == "3"
    assert '  "x" is not an answer here; write a number\n' in out.getvalue()
    with pytest.raises(QuitError if is_terminal else CommandError):
        prompter.ask("How many?", "1", str, "a number")


@pytest.mark.long
@pytest.mark.parametrize("files", [BOOKS["MkDocs"][0], {"docs/a.md": PAGE, "docs/b/c d.md": "# D"}])
def test_the_site_can_be_built_afterwards(files: Mapping[str, str], book: Path, ran: Ran) -> None:
    fill(book, {**files, "docs/c.md": "# Roll\n\n```roller\nrule: move\n```\n"})
    assert ran("init", "--yes")[0] == 0
    build = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(build, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "assets/rulewright/loader.js" in (book / "site" / "c" / "index.html").read_text("utf-8")


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="there is no pty")
def test_ctrl_c_in_a_real_terminal(book: Path) -> None:
    import pty

    fill(book, BOOKS["MkDocs"][0])
    written = contents(book)
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "rulewright", "init"]
    # A job in the background ignores the signal, and so would its children.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, stdin=follower, stdout=follower, start_new_session=True) as process:
        signal.signal(signal.SIGINT, before)
        os.close(follower)
        screen = b""
        while not screen.endswith(b"]: "):
            screen += os.read(leader, 4096)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(30) == 130
        finally:
            process.kill()
    os.close(leader)
    assert b"Which dice do you roll?" in screen
    assert contents(book) == written


def test_zensical_gets_the_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Ran) -> None:
    """Its settings are TOML, which is shown and not edited."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Rules\n\nRoll 1d20.\n", "utf-8")
    settings = tmp_path / "zensical.toml"
    settings.write_text('[project]\nsite_name = "Deep water"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    _, out, _ = ran("init", "--game", "d20")
    assert out.startswith("a Zensical site, 1 page in docs/: Deep water\n")
    assert "zensical.toml is not changed; please add our extension to it:\n" in out
    assert "\n  [project.markdown_extensions]\n  rulewright = {}\n" in out
    settings.write_text(settings.read_text("utf-8") + "[project.markdown_extensions]\nrulewright = {}\n", "utf-8")
    assert "please add" not in ran("init", "--game", "d20")[1]

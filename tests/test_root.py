"""Nothing outside the project is read, published or written: through links, `page =` and `extends =`."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import built_site
from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.fixes import FixedPage, write_page
from rulewright.compile.options import read_options
from rulewright.compile.watch import BookWatcher
from rulewright.project import find_files, project_folders
from rulewright.render.export import BookExport
from rulewright.root import Root
from rulewright.source import Problem, Source
from small_book import BLOCK, GAME
from small_book import write as write_book

RIGHT = BLOCK.replace("degree: 1\n", "degree: 1\nheads: 2\n")
WRONG = RIGHT.replace("heads: 2", "heads: 7")  # a fix may write this number
SECRET = "Xyzzyword"
TABLE = f"# Storms\n\n| storm | {SECRET} |\n|---|---|\n| gale | 3 |\n"
DRAWING = f"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><desc>{SECRET}</desc></svg>"


Ran = Callable[..., tuple[int, str, str]]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and pipes of Unix; junctions: test_other_systems.py")


def with_table(page: str) -> str:
    return f'{GAME}\n[tables.storms]\npage = "{page}"\n'


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder elsewhere with a page, a game and a picture."""
    files = {
        "secret.md": f"# {SECRET}\n\n{WRONG}",
        "table.md": TABLE,
        "picture.svg": DRAWING,
        "aliases.toml": f'"{SECRET}.md" = 3\n',
        "hero.toml": f'sheet = "{SECRET}"\n',
    }
    return write_book(tmp_path / "outside", files)


@pytest.fixture
def book(tmp_path: Path, outside: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a site, in which one stands."""
    assert outside.is_dir()
    project = tmp_path / "book"
    write_book(project / "docs", {"page.md": f"# Page\n\n{BLOCK}"})
    (project / "mkdocs.yml").write_text(built_site.SETTINGS, encoding="utf-8")
    monkeypatch.chdir(project)
    monkeypatch.delenv("CI", raising=False)
    return project


def compiled(book: Path) -> CompiledBook:
    return compile_book([book / "docs"], book)


def places(problems: list[Problem]) -> list[tuple[str, str]]:
    return [(one.span.source.path, one.code) for one in problems]


def only(problems: list[Problem]) -> Problem:
    (problem,) = problems
    return problem


def share(book: Path, *folders: str) -> None:
    settings = built_site.SETTINGS.replace(
        "markdown: commonmark", f"markdown: commonmark, shared: [{', '.join(folders)}]"
    )
    (book / "mkdocs.yml").write_text(settings, encoding="utf-8")


def everything(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.rglob("*") if file.is_file()]


# Links to files and folders


def test_a_page_behind_a_link_is_not_read(book: Path, outside: Path, ran: Ran) -> None:
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    status, printed, _ = ran("check")
    assert status == 1
    assert printed.startswith(
        f"docs/link.md:1:1: error[file-outside] this link leads to {outside}/secret.md, which is outside the project\n"
        f"   remove the link, or list {outside} in the option `shared`\n"
    )
    assert SECRET not in printed
    assert "1 game, 1 rule, 1 page, 1 block, 1 error" in printed


@pytest.mark.parametrize("target", ["../../outside/secret.md", "../docs/../../outside/secret.md"])
def test_a_link_that_is_relative_or_leads_to_a_link(target: str, book: Path) -> None:
    (book / "docs" / "a.md").symlink_to(target)
    (book / "docs" / "b.md").symlink_to("a.md")
    assert places(compiled(book).problems) == [("docs/a.md", "file-outside"), ("docs/b.md", "file-outside")]


def test_a_folder_behind_a_link_is_reported_once(book: Path, outside: Path, ran: Ran) -> None:
    (book / "docs" / "dir").symlink_to(outside)
    assert places(compiled(book).problems) == [("docs/dir", "file-outside")]
    status, printed, _ = ran("check", "docs/dir/secret.md")
    assert status == 1
    assert SECRET not in printed


def test_a_file_that_the_site_would_publish(book: Path, outside: Path) -> None:
    (book / "docs" / "picture.svg").symlink_to(outside / "picture.svg")
    assert places(compiled(book).problems) == [("docs/picture.svg", "file-outside")]


def test_without_a_site(tmp_path: Path, outside: Path) -> None:
    """What nobody publishes is no error; a folder may have no pages at all."""
    folder = write_book(tmp_path / "plain", {"page.md": "# Page\n"})
    (folder / "picture.svg").symlink_to(outside / "picture.svg")
    (folder / "data.json").symlink_to(outside / "picture.svg")
    (folder / "dir").symlink_to(outside)
    problem = only(compile_book([folder], folder).problems)
    assert (problem.span.source.path, problem.code, problem.severity) == ("dir", "file-outside", "warning")
    (folder / "dir").unlink()
    (folder / "link.md").symlink_to(outside / "secret.md")
    problem = only(compile_book([folder], folder).problems)
    assert (problem.span.source.path, problem.code, problem.severity) == ("link.md", "file-outside", "error")


def test_a_whole_book_behind_a_link(book: Path, outside: Path) -> None:
    (book / "docs").rename(book / "pages")
    (book / "docs").symlink_to(outside)
    result = compiled(book)
    assert places(result.problems) == [("docs", "file-outside")]
    assert not result.pages


def test_a_folder_that_is_named_may_itself_be_a_link(tmp_path: Path, outside: Path) -> None:
    """Without settings of a site it is the project, wherever it is; it holds one page that is wrong."""
    (tmp_path / "link").symlink_to(outside)
    result = compile_book([tmp_path / "link"], tmp_path)
    assert ("link/secret.md", "example-step") in places(result.problems)
    assert "file-outside" not in [code for _, code in places(result.problems)]


def test_pages_of_a_site_may_be_elsewhere(tmp_path: Path, outside: Path) -> None:
    """`docs_dir: ../outside` is said on purpose, and is no link."""
    settings = tmp_path / "site" / "mkdocs.yml"
    settings.parent.mkdir()
    settings.write_text("site_name: x\ndocs_dir: ../outside\n", encoding="utf-8")
    result = compile_book([outside], tmp_path, site=settings)
    assert "file-outside" not in [code for _, code in places(result.problems)]
    assert len(result.pages) == 2


def test_links_that_stay_inside(book: Path) -> None:
    (book / "README.md").write_text(f"# Read me\n\n{WRONG}", encoding="utf-8")
    (book / "docs" / "index.md").symlink_to("../README.md")
    write_book(book / "common", {"deep/in.md": f"# In\n\n{BLOCK}"})
    (book / "docs" / "common").symlink_to("../common")
    result = compiled(book)
    assert places(result.problems) == [("docs/index.md", "example-step")]
    names = [page.page.source.path for page in result.pages]
    assert names == ["docs/index.md", "docs/page.md", "docs/common/deep/in.md"]


def test_links_in_a_circle(book: Path, ran: Ran) -> None:
    for name, target in (("loop", "."), ("up", ".."), ("all", "../../docs"), ("self", "self")):
        link = book / "docs" / "l" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(target)
    (book / "common").mkdir()
    (book / "common" / "back").symlink_to("../docs")
    (book / "docs" / "common").symlink_to("../common")
    (book / "docs" / "l" / "inner.md").write_text("# Inner\n", encoding="utf-8")
    result = compiled(book)
    assert [page.page.source.path for page in result.pages] == ["docs/page.md", "docs/l/inner.md"]
    no_index = [("mkdocs.yml", "page-index")]
    assert places(result.problems) == no_index
    (book / "docs" / "round.md").symlink_to("round.md")
    assert places(compiled(book).problems) == [*no_index, ("docs/round.md", "page-text")]
    assert ran("check")[0] == 1


def test_a_pipe_is_not_waited_for(book: Path) -> None:
    for name in ("a.md", "game.toml", "hero.json", "aliases.toml"):
        (book / "docs" / name).unlink(missing_ok=True)
        os.mkfifo(book / "docs" / name)
    (book / "docs" / "b.md").symlink_to("a.md")
    command = [sys.executable, "-m", "rulewright"]
    checked = subprocess.run([*command, "check", "--all"], capture_output=True, text=True, check=False, timeout=60)
    reports = [line for line in checked.stdout.splitlines() if "error[" in line]
    names = ("a.md", "b.md", "game.toml", "hero.json")
    said = "error[file-kind] this is a pipe, not a regular file, so it is not read"
    assert {f"docs/{name}:1:1: {said}" for name in names} <= set(reports)
    for words in (("check", "docs/a.md"), ("check", "docs/hero.json"), ("odds", "toss"), ("adopt", ".")):
        subprocess.run([*command, *words], capture_output=True, check=False, timeout=60)


# Games


@pytest.mark.parametrize("base", ["../../../outside", "../../docs/g/../../../outside"])
def test_a_game_cannot_extend_one_outside(base: str, book: Path) -> None:
    (book / "docs" / "g").mkdir()
    (book / "docs" / "g" / "game.toml").write_text(f'title = "G"\nextends = "{base}"\n', encoding="utf-8")
    problem = only(compiled(book).problems)
    assert (problem.span.source.path, problem.span.text) == ("docs/g/game.toml", f'"{base}"')
    assert problem.message == (
        f'the game in "{base}" is outside the project; copy it into the project, '
        "or list its folder in the option `shared`"
    )
    share(book, "../outside")
    assert not compiled(book).problems
    assert "toss" in compiled(book).games.by_folder["g"].rules


def test_nothing_is_said_of_games_outside(book: Path) -> None:
    """Not even whether there is one."""
    (book / "docs" / "game.toml").write_text('title = "G"\nextends = "../../nowhere"\n', encoding="utf-8")
    (book / "docs" / "page.md").write_text("# Page\n", encoding="utf-8")
    assert "is outside the project" in only(compiled(book).problems).message
    (book / "docs" / "game.toml").write_text('title = "G"\nextends = "../common"\n', encoding="utf-8")
    message = 'there is no game.toml in "../common"; write the way from this folder: ../NAME'
    assert only(compiled(book).problems).message == message


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_game_behind_a_link_is_reported_at_the_link(kind: str, book: Path, outside: Path) -> None:
    (book / "docs" / "g").mkdir()
    (book / "docs" / "g" / "game.toml").write_text('title = "G"\nextends = "../base"\n', encoding="utf-8")
    if kind == "folder":
        (book / "docs" / "base").symlink_to(outside)
    else:
        (book / "docs" / "base").mkdir()
        (book / "docs" / "base" / "game.toml").symlink_to(outside / "game.toml")
    name = "docs/base" if kind == "folder" else "docs/base/game.toml"
    assert places(compiled(book).problems) == [(name, "file-outside")]


@pytest.mark.parametrize("page", ["../../outside/table.md", "{outside}/table.md", "sub/../../../outside/table.md"])
def test_a_table_cannot_come_from_a_page_outside(page: str, book: Path, outside: Path, ran: Ran) -> None:
    page = page.format(outside=outside)
    (book / "docs" / "game.toml").write_text(with_table(page), encoding="utf-8")
    problem = only(compiled(book).problems)
    assert (problem.code, problem.span.text) == ("table", f'"{page}"')
    assert problem.message == (
        f'the page "{page}" cannot be used: it is outside the project; copy it there, '
        "or list its folder in the option `shared`"
    )
    for words in (("check",), ("odds", "toss", "coins=3"), ("roll", "toss", "coins=3")):
        status, printed, wrong = ran(*words)
        assert status == 1
        assert SECRET not in printed + wrong
    share(book, "../outside")
    assert not compiled(book).problems
    assert ran("odds", "toss", "coins=3")[0] == 0


def test_a_table_from_a_page_behind_a_link(book: Path, outside: Path) -> None:
    """The link is to blame, and is reported once."""
    (book / "docs" / "table.md").symlink_to(outside / "table.md")
    (book / "docs" / "game.toml").write_text(with_table("table.md"), encoding="utf-8")
    assert places(compiled(book).problems) == [("docs/table.md", "file-outside")]


def test_a_table_from_a_page_inside(book: Path) -> None:
    (book / "table.md").write_text(TABLE, encoding="utf-8")
    (book / "docs" / "game.toml").write_text(with_table("sub/../../table.md"), encoding="utf-8")
    assert not compiled(book).problems


def test_a_pipe_in_the_place_of_a_table(book: Path) -> None:
    os.mkfifo(book / "table")
    (book / "docs" / "game.toml").write_text(with_table("../table"), encoding="utf-8")
    command = [sys.executable, "-m", "rulewright", "check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert 'the page "../table" cannot be used: it is not a regular file' in checked.stdout


def test_a_game_behind_a_link_is_not_played(book: Path, outside: Path, ran: Ran) -> None:
    (book / "docs" / "game.toml").unlink()
    (book / "docs" / "game.toml").symlink_to(outside / "game.toml")
    for words in (("odds", "toss", "coins=3"), ("odds", "docs/game.toml/toss")):
        status, printed, wrong = ran(*words)
        assert status != 0
        assert not printed
        assert "win" not in wrong


# Other files of a book


def test_old_places_and_characters_behind_links(book: Path, outside: Path) -> None:
    (book / "docs" / "aliases.toml").symlink_to(outside / "aliases.toml")
    (book / "docs" / "hero.toml").symlink_to(outside / "hero.toml")
    problems = compiled(book).problems
    assert sorted(places(problems)) == [("docs/aliases.toml", "file-outside"), ("docs/hero.toml", "file-outside")]


@pytest.mark.parametrize("form", ["html", "epub", "pdf", "zip"])
def test_pictures_in_exports(form: str, book: Path, outside: Path, ran: Ran) -> None:
    """One from outside never comes along, one from elsewhere in the project does."""
    share(book)
    text = (book / "mkdocs.yml").read_text().replace("shared: []", "fail_on: never")
    (book / "mkdocs.yml").write_text(text, encoding="utf-8")
    (book / "docs" / "out.svg").symlink_to(outside / "picture.svg")
    (book / "art").mkdir()
    (book / "art" / "in.svg").write_text(DRAWING.replace(SECRET, "Plughword"), encoding="utf-8")
    (book / "docs" / "in.svg").symlink_to("../art/in.svg")
    (book / "docs" / "page.md").write_text("# Page\n\n![one](out.svg) ![two](in.svg)\n", encoding="utf-8")
    status, _, wrong = ran("export", form, "-o", f"out.{form}")
    assert status == 0
    assert "out.svg cannot" in wrong or "the picture out.svg cannot" in wrong
    assert "in.svg cannot" not in wrong.replace("out.svg", "")
    if form in ("epub", "zip"):
        with zipfile.ZipFile(f"out.{form}") as files:
            parts = [files.read(name) for name in files.namelist()]
        assert not [part for part in parts if SECRET.encode() in part]
        assert [part for part in parts if b"Plughword" in part]


def test_a_look_behind_a_link_is_not_used(book: Path, outside: Path) -> None:
    overrides = book / "site_overrides"
    overrides.mkdir()
    edition = BookExport(compiled(book), book)
    assert edition.overrides == overrides
    (overrides / "book.typ").symlink_to(outside / "secret.md")
    edition = BookExport(compiled(book), book)
    assert places(edition.compiled.problems) == [("site_overrides/book.typ", "file-outside")]
    assert edition.overrides is None


# Writing


@pytest.mark.parametrize(
    "words", [("check", "--fix"), ("check", "--fix", "docs/link.md"), ("check", "--fix", "docs/d")]
)
def test_a_fix_leaves_what_is_outside_alone(words: tuple[str, ...], book: Path, outside: Path, ran: Ran) -> None:
    before = everything(outside)
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    (book / "docs" / "d").symlink_to(outside)
    status, printed, _ = ran(*words)
    assert status == 1
    assert "nothing was changed" in printed
    assert everything(outside) == before


def test_a_fix_writes_through_links_that_stay_inside(book: Path) -> None:
    (book / "README.md").write_text(f"# Read me\n\n{WRONG}", encoding="utf-8")
    (book / "docs" / "index.md").symlink_to("../README.md")
    assert main(["check", "--fix", "docs"]) == 0
    assert (book / "README.md").read_text() == f"# Read me\n\n{RIGHT}"
    assert (book / "docs" / "index.md").is_symlink()


def test_a_fix_writes_into_what_is_shared(book: Path, outside: Path) -> None:
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    share(book, "../outside")
    assert main(["check", "--fix"]) == 0
    assert (outside / "secret.md").read_text() == f"# {SECRET}\n\n{RIGHT}"


def test_the_writer_itself_refuses(book: Path, outside: Path) -> None:
    """Even a page that became a link after it was read."""
    link, old = book / "docs" / "late.md", (outside / "secret.md").read_text()
    link.symlink_to(outside / "secret.md")
    page = FixedPage(link, Source("late.md", old), Source("late.md", "new"), frozenset(), compiled(book).project)
    with pytest.raises(PermissionError, match="outside the project"):
        write_page(page)
    assert (outside / "secret.md").read_text() == old


STORY = "# Story\n\nExample: Ann tosses three coins. She throws 2, 2 and 1, which is a win of degree 1.\n"


@pytest.mark.parametrize("place", [".", "docs", "docs/link.md", "docs/d"])
def test_adopting_leaves_what_is_outside_alone(place: str, book: Path, outside: Path, ran: Ran) -> None:
    (outside / "secret.md").write_text(STORY, encoding="utf-8")
    before = everything(outside)
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    (book / "docs" / "d").symlink_to(outside)
    status, printed, _ = ran("adopt", place, "--write")
    assert status == 1
    assert "file-outside" in printed
    assert everything(outside) == before


def test_adopting_writes_no_game_through_a_link(tmp_path: Path, ran: Ran, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor in the place of a link that leads to a file that is not there yet."""
    monkeypatch.delenv("CI", raising=False)
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "page.md").write_text("# A\n\nExample: Bo rolls 4d6 and gets 6, 5, 2, 1: two successes.\n")
    (folder / "game.toml").symlink_to(tmp_path / "new.toml")
    monkeypatch.chdir(folder)
    ran("adopt", ".", "--write")
    assert not (tmp_path / "new.toml").exists()
    assert (folder / "game.toml").is_symlink()


@pytest.mark.parametrize("option", ["--fix", "--learn"])
def test_a_comparison_leaves_what_is_outside_alone(option: str, tmp_path: Path, outside: Path, ran: Ran) -> None:
    page = "# A\n\n## Old storms\n\nText of storms.\n\n[up](#old-storms) [other](b.md#old)\n"
    write_book(tmp_path / "old", {"a.md": page, "b.md": "# B\n\n## Old\n\nWords that stay the same here.\n"})
    new = write_book(tmp_path / "new", {"a.md": page.replace("## Old storms", "## New storms")})
    (outside / "b.md").write_text("# B\n\n## New\n\nWords that stay the same here.\n", encoding="utf-8")
    (new / "b.md").symlink_to(outside / "b.md")
    (new / "aliases.toml").symlink_to(outside / "aliases.toml")
    before = everything(outside)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.delenv("CI", raising=False)
        status, *said = ran("diff", "old", "new", option)
    assert status != 0
    assert "outside the project" in "".join(said)
    assert everything(outside) == before


# What is shared


def test_shared_folders(book: Path, outside: Path) -> None:
    (book / "docs" / "dir").symlink_to(outside)
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    share(book, "../outside")
    options = read_options(book / "docs", book)
    assert (options.shared, options.problems) == ((outside,), ())
    found = places(compiled(book).problems)
    assert {("docs/dir/secret.md", "example-step"), ("docs/link.md", "example-step")} <= set(found)
    assert "file-outside" not in [code for _, code in found]


def test_shared_folders_in_pyproject(book: Path, outside: Path) -> None:
    (book / "pyproject.toml").write_text('[tool.rulewright]\nshared = ["../outside"]\n', encoding="utf-8")
    assert read_options(book / "docs", book).shared == (outside,)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("[../gone]", 'shared: there is no folder "../gone" in {book}'),
        ("mkdocs.yml", 'shared: there is no folder "mkdocs.yml" in {book}'),
        ("[3]", 'shared is a list of folders, relative to the project, not "[3]"'),
        ("{a: b}", 'shared is a list of folders, relative to the project, not "{{a: b}}"'),
        ("['']", "shared is a list of folders, relative to the project, not \"['']\""),
    ],
)
def test_shared_folders_that_are_wrong(value: str, message: str, book: Path) -> None:
    settings = f"site_name: x\nplugins:\n  - rulewright:\n      shared: {value}\n"
    (book / "mkdocs.yml").write_text(settings, encoding="utf-8")
    problem = only(compiled(book).problems)
    assert (problem.code, problem.message) == ("option-value", message.format(book=book))
    assert problem.span.text == value


# The project


def test_where_a_project_is(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "src"
    folder.mkdir(parents=True)
    assert project_folders(folder) == [folder]
    (tmp_path / "a" / "book.toml").touch()
    assert project_folders(folder) == [tmp_path / "a"]
    (tmp_path / "mkdocs.yml").touch()
    assert project_folders(folder) == [tmp_path]
    assert project_folders(folder, tmp_path / "other" / "x.yml") == [tmp_path / "other", tmp_path]


def test_what_a_root_holds(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "inner").mkdir()  # a name that begins alike
    root = Root([tmp_path / "in"])
    assert root.contains(tmp_path / "in")
    assert root.contains(tmp_path / "in" / "not" / "there.md")
    assert not root.contains(tmp_path / "inner" / "a.md")
    assert not root.contains(tmp_path / "in" / ".." / "a.md")
    assert root.contains(tmp_path / "in" / "\0")  # which no file can be called
    assert root.find_refusal(tmp_path / "in" / "gone.md") is None
    assert list(find_files(tmp_path / "inner", lambda _: True, root)) == []


def test_only_a_path_outside_asks_what_is_shared(tmp_path: Path) -> None:
    asked: list[Path] = []
    root = Root([tmp_path / "in"], lambda: asked.append(tmp_path) or [tmp_path / "more"])  # type: ignore[func-returns-value]
    assert root.contains(tmp_path / "in" / "a.md")
    assert not asked
    assert root.contains(tmp_path / "more" / "a.md")
    assert not root.contains(tmp_path / "a.md")
    assert len(asked) == 1


# Sites


def test_a_site_does_not_publish_what_is_outside(tmp_path: Path, book: Path, outside: Path) -> None:
    (book / "docs" / "link.md").symlink_to(outside / "secret.md")
    (book / "docs" / "dir").symlink_to(outside)
    (book / "docs" / "picture.svg").symlink_to(outside / "picture.svg")
    (book / "docs" / "all").symlink_to(outside / "..")
    site = built_site.again(tmp_path)
    assert site.code == 1
    assert not [data for data in everything(tmp_path / "site") if SECRET.encode() in data]
    assert (tmp_path / "site" / "page" / "index.html").is_file()
    for name in ("link.md", "dir", "picture.svg", "all"):
        assert site.said.count(f"docs/{name}:1:1: error[file-outside]") == 1
    assert site.said.count("[file-outside]") == 4
    share(book, "../outside")
    (book / "docs" / "all").unlink()
    built_site.again(tmp_path)
    assert SECRET in (tmp_path / "site" / "link" / "index.html").read_text()
    assert (tmp_path / "site" / "dir" / "picture.svg").is_file()


def test_a_site_publishes_what_a_link_brings_from_inside(tmp_path: Path, book: Path) -> None:
    (book / "README.md").write_text(f"# Read me\n\n{BLOCK}", encoding="utf-8")
    (book / "docs" / "index.md").symlink_to("../README.md")
    write_book(book / "common", {"in.md": f"# In\n\n{BLOCK}"})
    (book / "docs" / "common").symlink_to("../common")
    site = built_site.again(tmp_path, "--strict")
    assert site.code == 0, site.said
    for page in ("index.html", "common/in/index.html"):
        assert "rw-" in site.article(page)


def test_a_site_with_links_in_a_circle(tmp_path: Path, book: Path) -> None:
    (book / "docs" / "l").mkdir()
    (book / "docs" / "l" / "loop").symlink_to(".")
    (book / "docs" / "l" / "in.md").write_text("# In\n", encoding="utf-8")
    site = built_site.again(tmp_path, "--strict")
    assert site.code == 0, site.said
    pages = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("index.html")}
    assert {"l/in/index.html", "page/index.html"} <= pages
    assert not [page for page in pages if "loop" in page]


def test_a_site_does_not_wait_for_pipes(tmp_path: Path, book: Path) -> None:
    os.mkfifo(book / "docs" / "a.md")
    os.mkfifo(book / "docs" / "a.txt")
    command = [sys.executable, "-m", "mkdocs", "build", "-d", str(tmp_path / "site")]
    built = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    for name in ("a.md", "a.txt"):
        assert built.stderr.count(f"docs/{name}:1:1: error[file-kind] this is a pipe") == 1


def test_overrides_of_a_site_behind_a_link(tmp_path: Path, book: Path, outside: Path) -> None:
    (book / "look").mkdir()
    (book / "look" / "extra.css").symlink_to(outside / "secret.md")
    settings = built_site.SETTINGS.replace("font: false", "font: false, custom_dir: look")
    (book / "mkdocs.yml").write_text(settings, encoding="utf-8")
    site = built_site.again(tmp_path)
    assert site.code == 1
    assert "look/extra.css:1:1: error[file-outside]" in site.said
    assert not (tmp_path / "site" / "extra.css").exists()


def test_a_zip_of_a_folder_without_settings(tmp_path: Path, outside: Path, ran: Ran) -> None:
    """Its site is built from settings elsewhere, and what it shares stays shared."""
    folder = write_book(tmp_path / "plain", {"index.md": f"# Page\n\n{BLOCK}"})
    (outside / "secret.md").write_text(f"# {SECRET}\n", encoding="utf-8")
    (folder / "link.md").symlink_to(outside / "secret.md")
    (folder / "pyproject.toml").write_text('[tool.rulewright]\nshared = ["../outside"]\n', encoding="utf-8")
    status, _, wrong = ran("export", "zip", str(folder), "-o", str(tmp_path / "out.zip"))
    assert status == 0, wrong
    with zipfile.ZipFile(tmp_path / "out.zip") as files:
        assert [name for name in files.namelist() if SECRET.encode() in files.read(name)]


# Watching


def test_watching_sees_links_come_and_go(book: Path, outside: Path) -> None:
    (book / "docs" / "index.md").write_text("# Book\n", encoding="utf-8")
    watching = BookWatcher([book / "docs"], book)
    watching.update()
    assert not watching.compiled.problems
    link = book / "docs" / "link.md"
    link.symlink_to(outside / "secret.md")
    assert watching.update()
    assert places(watching.compiled.problems) == [("docs/link.md", "file-outside")]
    share(book, "../outside")
    assert watching.update()
    assert places(watching.compiled.problems) == [("docs/link.md", "example-step")]
    share(book)
    assert watching.update()
    assert places(watching.compiled.problems) == [("docs/link.md", "file-outside")]
    link.unlink()
    assert watching.update()
    assert not watching.compiled.problems


def test_watching_reads_games_again_when_folders_are_shared(book: Path) -> None:
    (book / "docs" / "game.toml").write_text('title = "G"\nextends = "../../outside"\n', encoding="utf-8")
    watching = BookWatcher([book / "docs"], book)
    watching.update()
    assert [code for _, code in places(watching.compiled.problems)] == ["game-extends"]
    share(book, "../outside")
    watching.update()
    assert not watching.compiled.problems
    share(book)
    watching.update()
    assert watching.compiled.problems == compiled(book).problems != []


def test_watching_does_not_wait_for_a_pipe(book: Path) -> None:
    os.mkfifo(book / "docs" / "a.md")
    command = [sys.executable, "-u", "-m", "rulewright", "check", "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines: list[str] = []
        with suppress(subprocess.TimeoutExpired):
            while not (lines and lines[-1].startswith("watching")):
                line = process.stdout.readline()
                if not line:
                    break
                lines.append(line)
        process.kill()
    assert lines[0].startswith("docs/a.md:1:1: error[file-kind]")


def test_a_folder_that_settings_name_outside_is_part_of_the_project(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "theme").mkdir()
    (tmp_path / "book" / "link").symlink_to(tmp_path / "theme")
    root = Root([tmp_path / "book"])
    assert root.including(tmp_path / "book" / ".." / "theme").contains(tmp_path / "theme" / "main.html")
    assert not root.including(tmp_path / "book" / "link").contains(tmp_path / "theme" / "main.html")

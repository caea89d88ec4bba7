"""Pages that `nav` of mkdocs.yml leaves out, entries of it without a page, and what stops an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.compile.book import compile_book
from small_book import WRONG, write

PAGES = {f"docs/{name}.md": f"# {name}\n" for name in ("index", "rules", "old/draft")}
LEFT_OUT = "nav leaves out old/draft.md, so no menu, PDF, EPUB or HTML file has what is written there"


def found(folder: Path, settings: str, place: str = "docs", **more: str) -> list[str]:
    write(folder, {"mkdocs.yml": f"site_name: Book\n{settings}", **PAGES, **more})
    problems = compile_book([folder / place], folder).nav_problems
    assert {problem.severity for problem in problems} <= {"info"}
    return [f"{problem.path}:{problem.line} {problem.code} {problem.message}" for problem in problems]


def test_a_page_that_nav_leaves_out(tmp_path: Path) -> None:
    assert found(tmp_path, "nav:\n  - index.md\n  - Play: [rules.md]\n") == [f"mkdocs.yml:2 nav-unlisted {LEFT_OUT}"]


def test_an_entry_without_a_page(tmp_path: Path) -> None:
    nav = "nav:\n  - index.md\n  - rules.md\n  - old/draft.md\n  - old/gone.md\n  - https://example.org/read.md\n"
    message = "mkdocs.yml:6 nav-missing nav lists old/gone.md, and there is no such page"
    assert found(tmp_path, nav) == [message]
    assert found(tmp_path, nav, "docs/index.md") == []  # other pages were not asked about
    assert found(tmp_path, f"{nav}plugins: [gen-files]\n") == []


def test_nav_of_a_file_that_is_inherited_from(tmp_path: Path) -> None:
    base = {"base.yml": "site_name: Book\n\nnav: [index.md, rules.md]\n"}
    assert found(tmp_path, "INHERIT: base.yml\n", **base) == [f"base.yml:3 nav-unlisted {LEFT_OUT}"]


@pytest.mark.parametrize(
    "settings",
    [
        "",
        "nav: [index.md, rules.md, old/draft.md]\n",
        "nav: [index.md, rules.md]\nnot_in_nav: |\n  /old/\n",
        "nav: [index.md, rules.md]\nexclude_docs: draft.md\n",
        "nav: [index.md, rules.md]\ndraft_docs: old/*.md\n",
        "nav: [index.md, rules.md]\nplugins: [literate-nav]\n",
        "nav: [index.md, rules.md, ...]\nplugins: [awesome-pages]\n",
        "nav: [index.md, rules.md]\nhooks: [nav.py]\n",
        "nav: [index.md, rules.md]\nplugins: [rulewright: {checks: {nav-unlisted: off}}]\n",
    ],
)
def test_nothing_is_said_where_it_is_meant(tmp_path: Path, settings: str) -> None:
    assert found(tmp_path, settings) == []


def test_check_and_export_say_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(tmp_path, "nav: [index.md, rules.md]\n")
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0
    assert f"mkdocs.yml:2: {LEFT_OUT}" in capsys.readouterr().out
    assert main(["check", "--info"]) == 0
    assert capsys.readouterr().out.count(LEFT_OUT) == 1
    assert main(["export", "html"]) == 0
    assert f"mkdocs.yml:2:1: info[nav-unlisted] {LEFT_OUT}" in capsys.readouterr().err


def test_dead_links_do_not_stop_an_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"page.md": "# Page\n\nSee [gone](gone.md).\n"})
    monkeypatch.chdir(tmp_path)
    assert main(["export", "html", "-o", "book.html"]) == 0
    assert "1 error in links, tables and sentences" in capsys.readouterr().err
    assert (tmp_path / "book.html").exists()


def test_wrong_blocks_stop_an_export_and_the_reason_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {"page.md": f"# Page\n\nSee [gone](gone.md).\n\n{WRONG}"})
    monkeypatch.chdir(tmp_path)
    assert main(["export", "html", "-o", "book.html"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "nothing was exported, because games, blocks or numbers are wrong: 1 error"
    assert "--fix" in lines[1]
    assert "link-missing" not in "\n".join(lines)
    assert not (tmp_path / "book.html").exists()


def test_a_page_that_cannot_be_read_stops_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"page.md": "# Page\n"})
    (tmp_path / "other.md").write_bytes(b"\xff\xfe# \xe9")
    monkeypatch.chdir(tmp_path)
    assert main(["export", "html", "-o", "book.html"]) == 1

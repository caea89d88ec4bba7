"""Outcomes with `see`: links to the section that explains them."""

from __future__ import annotations

from pathlib import Path

from rulewright.book.disk import is_file_on_disk
from rulewright.book.resolver import LinkResolver
from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.compile.games import outcome_target
from rulewright.render.context import BuildContext
from small_book import BLOCK, GAME, write

PAGE = "# Luck\n\n## A win\n\nYou keep the coins.\n"
LINKED = GAME.replace('degree = "heads - 1" }', 'degree = "heads - 1", see = "LINK" }')


def book(folder: Path, link: str) -> CompiledBook:
    pages = {"coins/index.md": f"# Coins\n\n{BLOCK}", "luck.md": PAGE, "coins/game.toml": LINKED.replace("LINK", link)}
    (folder / "coins").mkdir()
    write(folder, pages)
    return compile_book([folder], folder)


def published(compiled: CompiledBook, root: Path) -> str:
    desk = BuildContext(compiled, root, lambda _page, other: f"../to/{other}")
    page = next(one.page for one in compiled.pages if one.blocks)
    sheet = desk.build_page_context("coins/index.md", page.source.text)
    return sheet.card(page.blocks[0])


def test_the_name_of_an_outcome_leads_there(tmp_path: Path) -> None:
    compiled = book(tmp_path, "../luck.md#a-win")
    assert compiled.problems == []
    assert '<strong><a href="../to/luck.md#a-win">Win</a></strong>' in published(compiled, tmp_path)


def test_a_page_links_to_its_own_places(tmp_path: Path) -> None:
    assert '<a href="#coins">Win</a>' in published(book(tmp_path, "index.md#coins"), tmp_path)


def test_a_link_that_leads_nowhere_is_told_at_its_place(tmp_path: Path) -> None:
    compiled = book(tmp_path, "../luck.md#a-wine")
    (problem,) = compiled.problems
    assert problem.code == "link-see"
    assert problem.span.source.path == "coins/game.toml"
    assert problem.span.text == "../luck.md#a-wine"
    assert "a-win" in f"{problem.message} {problem.notes} {problem.fix}"
    assert "<strong>Win</strong>" in published(compiled, tmp_path)


def test_a_build_reports_it_too(tmp_path: Path) -> None:
    book(tmp_path, "../luck.md#a-wine")
    compiled = compile_book([tmp_path], tmp_path, is_build=True)
    assert [problem.code for problem in compiled.problems] == ["link-see"]


def test_games_that_extend_another_repeat_nothing(tmp_path: Path) -> None:
    book(tmp_path, "../gone.md")
    (tmp_path / "more").mkdir()
    (tmp_path / "more/game.toml").write_text('extends = "../coins"\ntitle = "More"\n', encoding="utf-8")
    assert len(compile_book([tmp_path], tmp_path).problems) == 1


def test_other_sites_are_left_alone(tmp_path: Path) -> None:
    compiled = book(tmp_path, "https://example.org/coins")
    assert compiled.problems == []
    game = compiled.games.by_folder["coins"]
    atlas = LinkResolver([one.page for one in compiled.pages], "", is_file_on_disk)
    assert outcome_target(atlas, game.rules["toss"].outcomes[0]) is None


def test_one_file_has_the_link_inside(tmp_path: Path) -> None:
    book(tmp_path, "../luck.md#a-win")
    assert main(["export", "html", str(tmp_path), "--output", str(tmp_path / "book.html")]) == 0
    text = (tmp_path / "book.html").read_text(encoding="utf-8")
    start = text.index('<strong><a href="#') + len('<strong><a href="#')
    assert f'id="{text[start:].partition(chr(34))[0]}"' in text

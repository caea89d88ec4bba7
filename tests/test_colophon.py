"""The line at the end of each book: what it counts, which page has it, and that every format prints it once."""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from pypdf import PdfReader

from built_site import SETTINGS, build
from rulewright.compile.book import compile_book
from rulewright.render.colophon import write_colophons
from rulewright.render.export import BookExport, export_book
from rulewright.render.strings import read_words
from shipped_books import compile_shipped_books
from small_book import BLOCK, GAME, write

ON = '[tool.rulewright]\ncolophon = "on"\n'
ODDS = "```odds\nrule: toss\nrows: coins 2..3\nexpect: coins 2 = 25%\nexpect: coins 3 = 50%\n```\n"
CLAIM = "```claim\nrule: toss\nchance(win; coins 2) = 1/4\nchance(win; coins 3) = 1/2\n```\n"
LINK = "Three coins win in [50 %](chance:win?rule=toss&coins=3) of all tosses; [four](roll:toss?coins=4) more often.\n"
HIDDEN = BLOCK.replace("```example", "<!-- example").replace("```", "-->")
SKIPPED = BLOCK.replace("rule: toss", "rule: toss\nskip: later")
FALSE = BLOCK.replace("degree: 1", "degree: 4")
PAGES = {
    "a.md": f"# A\n\n{BLOCK}\n{HIDDEN}\n{SKIPPED}\n{FALSE}",
    "b.md": f"# B\n\n{ODDS}\n{CLAIM}\n{LINK}\n[^1]: A note.\n\nLast.[^1]\n",
}
LINE = "Checked in this book: 2 examples, 5 chances, 1 table."
FINE = {**PAGES, "a.md": f"# A\n\n{BLOCK}\n{HIDDEN}"}


def colophons(folder: Path, files: dict[str, str]) -> dict[str, str]:
    write(folder, {"pyproject.toml": ON, **files})
    compiled = compile_book([folder], folder)
    return write_colophons(compiled, read_words(compiled.options.language))


def test_what_passes_is_counted_also_in_comments(tmp_path: Path) -> None:
    assert colophons(tmp_path, PAGES) == {"b.md": LINE}


def test_nothing_without_the_option_or_without_blocks(tmp_path: Path) -> None:
    assert colophons(tmp_path / "off", {**PAGES, "pyproject.toml": ""}) == {}
    assert colophons(tmp_path / "bare", {"a.md": "# A\n\nWords.\n", "b.md": f"# B\n\n{FALSE}"}) == {}


def test_in_german(tmp_path: Path) -> None:
    files = {"pyproject.toml": f'{ON}language = "de"\n', "a.md": f"# A\n\n{BLOCK}"}
    assert colophons(tmp_path, files) == {"a.md": "In diesem Buch geprüft: 1 Beispiel."}


def test_each_folder_with_a_game_is_a_book(tmp_path: Path) -> None:
    one, two = f"# One\n\n{BLOCK}", f"# Two\n\n{BLOCK}\n{BLOCK}"
    files = {
        "one/game.toml": GAME,
        "one/sub/a.md": one,
        "two/game.toml": GAME,
        "two/a.md": two,
        "handbook/a.md": "# H\n",
    }
    write(tmp_path, files)
    (tmp_path / "game.toml").unlink()
    compiled = compile_book([tmp_path], tmp_path)
    assert write_colophons(compiled, read_words("en")) == {}
    (tmp_path / "pyproject.toml").write_text(ON, encoding="utf-8")
    compiled = compile_book([tmp_path], tmp_path)
    phrases = {"one/sub/a.md": "Checked in this book: 1 example.", "two/a.md": "Checked in this book: 2 examples."}
    assert write_colophons(compiled, read_words("en")) == phrases
    assert write_colophons(compiled, read_words("en"), {"one/sub/a.md"}) == {"two/a.md": phrases["two/a.md"]}


def test_a_book_with_its_game_on_a_page(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"# A\n\n```game\n{GAME}```\n\n{BLOCK}", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(ON, encoding="utf-8")
    compiled = compile_book([tmp_path], tmp_path)
    assert write_colophons(compiled, read_words("en")) == {"page.md": "Checked in this book: 1 example."}


def test_the_last_page_is_that_of_the_navigation(tmp_path: Path) -> None:
    settings = "site_name: Book\ndocs_dir: docs\nnav: [b.md, a.md]\nplugins: [rulewright: {colophon: on}]\n"
    write(tmp_path, {"mkdocs.yml": settings})
    docs = write(tmp_path / "docs", FINE)
    compiled = compile_book([docs], tmp_path)
    assert write_colophons(compiled, read_words("en")) == {"docs/a.md": LINE}


@pytest.mark.parametrize("markdown", ["commonmark", "host"])
def test_on_the_site_it_ends_the_last_page(tmp_path: Path, markdown: str) -> None:
    settings = SETTINGS.replace("markdown: commonmark", f"markdown: {markdown}, colophon: on")
    settings = settings.replace("  - attr_list\n", "  - attr_list\n  - fenced_code\n  - footnotes\n")
    site = build(tmp_path, FINE, settings=settings)
    assert site.code == 0, site.said
    assert site.article("b/index.html").count(f"<p><em>{LINE}</em></p>") == 1
    assert "Checked in this book" not in site.article("a/index.html")
    off = build(tmp_path, FINE, settings=settings.replace(", colophon: on", ""))
    assert "Checked in this book" not in off.article("b/index.html")


def test_a_page_that_readers_do_not_get_does_not_count(tmp_path: Path) -> None:
    settings = SETTINGS.replace("commonmark", "commonmark, colophon: on") + "exclude_docs: b.md\n"
    article = build(tmp_path, FINE, settings=settings).article("a/index.html")
    assert "<p><em>Checked in this book: 2 examples.</em></p>" in article


def test_every_file_of_the_book_has_it_once(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": ON, **FINE})
    export = BookExport(compile_book([tmp_path], tmp_path), tmp_path)
    data = {form: export_book(form, export, lambda _: None)[0] for form in ("html", "epub", "pdf")}
    assert data["html"].decode().count(LINE) == 1
    with ZipFile(BytesIO(data["epub"])) as zipped:
        texts = Counter({name: zipped.read(name).decode().count(LINE) for name in zipped.namelist() if "xhtml" in name})
    assert +texts == Counter({"EPUB/002-b.xhtml": 1})
    pages = [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(data["pdf"])).pages]
    assert LINE in pages[-1]
    assert sum(page.count(LINE) for page in pages) == 1


def test_our_own_books_end_with_it() -> None:
    last = {
        "maelstrom/campaign.md", "maelstrom-first-edition/changes.md", "wild-die/chances.md", "step-dice/glossary.md",
        "ingenuity/chances.md",
    }  # fmt: skip
    phrases = write_colophons(compile_shipped_books(), read_words("en"))
    assert phrases.keys() == last
    assert all(" examples, " in phrase and " chances, " in phrase for phrase in phrases.values())

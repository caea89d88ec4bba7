"""What readers take along from a site: files of the whole book, the site as a folder, the site without a network."""

from __future__ import annotations

import json
import os
import re
import shutil
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from browser import Careful, served
from built_site import Serving, Site, again, build, links, works
from rulewright.cli import main
from rulewright.render.downloads import site_files
from rulewright.render.export import ExportResult, file_name, size_text
from small_book import BLOCK, WRONG

SETTINGS = """\
site_name: Book
theme: {name: material, font: false}
plugins: [search, rulewright: {exports: [pdf, html, epub, zip]}]
"""
KEPT = SETTINGS.replace("exports: [pdf, html, epub, zip]", "offline: on, policy: on")
PAGES = {
    "index.md": f"# Coins\n\nSee [the toss](more/toss.md).\n\n{BLOCK}",
    "more/toss.md": "# Toss\n\n## Deep\n\nThe word gallimaufry.\n\n```roller\nrule: toss\ncoins: 3\n```\n",
}
NAMES = [f"downloads/book.{form}" for form in ("pdf", "html", "epub", "zip")]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return build(tmp_path_factory.mktemp("book"), PAGES, "--strict", settings=SETTINGS)


def opened(browser: Any, address: str) -> tuple[Any, list[str]]:
    """A page, and what it complains of."""
    page, wrong = browser.new_context().new_page(), list[str]()
    page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    return page, wrong


def search(page: Any, word: str) -> None:
    """Goes to the first section that is found."""
    page.keyboard.press("s")
    page.keyboard.type(word)
    found = page.locator(".md-search-result__link", has=page.locator("h1, h2", has_text="Deep")).first
    found.click(timeout=15_000)
    page.wait_for_url(re.compile(r"toss.*#deep$"))


def roll(page: Any) -> None:
    roller = page.locator("rule-card").first
    roller.locator("button.rw-roll").first.click()
    roller.locator(".rw-heard", has_text=re.compile(".")).wait_for(state="attached")
    assert re.search("win|loss", roller.inner_text().lower())


def unpacked(data: bytes, folder: Path) -> Path:
    with ZipFile(BytesIO(data)) as zipped:
        zipped.extractall(folder)
    return folder


def test_a_build_makes_what_the_configuration_asks_for(site: Site) -> None:
    assert site.code == 0, site.said
    assert sorted(NAMES) == sorted(file.relative_to(site.folder).as_posix() for file in site.folder.glob("downloads/*"))
    listed = re.findall(r'<a href="(downloads/[^"]*)" download>[^<]*</a> \((\d+) kB\)', site.article())
    assert [name for name, _ in listed] == NAMES
    assert [int(kilobytes) for _, kilobytes in listed] == [
        (site.folder / name).stat().st_size // 1000 for name in NAMES
    ]
    assert [link for link in links(site.folder) if not works(site.folder, *link)] == []
    assert "downloads/" not in site.article("more/toss/index.html")
    assert "To take along" not in json.dumps(site.sections)


def test_another_build_makes_the_same_bytes(site: Site, tmp_path: Path) -> None:
    again = build(tmp_path / "elsewhere", PAGES, settings=SETTINGS)
    for name in (*NAMES, "index.html"):
        assert (again.folder / name).read_bytes() == (site.folder / name).read_bytes(), name


def test_only_some_and_in_german(tmp_path: Path) -> None:
    settings = SETTINGS.replace("{exports: [pdf, html, epub, zip]}", "{exports: EPUB, language: de, title: Größe}")
    site = build(tmp_path, PAGES, "--strict", settings=settings)
    assert [file.name for file in site.folder.glob("downloads/*")] == ["grosse.epub"]
    assert "EPUB, für E-Book-Reader</a> (" in site.article()


@pytest.mark.parametrize("page", [WRONG, "[x](roll:nowhere)\n"])
def test_nothing_is_made_of_a_book_with_mistakes(tmp_path: Path, page: str) -> None:
    site = build(tmp_path, {"index.md": f"# Coins\n\n{page}"}, settings=SETTINGS)
    assert site.code == 1
    assert not (site.folder / "downloads").exists()


def test_what_cannot_be_made_fails_the_build(tmp_path: Path) -> None:
    site = build(tmp_path, PAGES | {"../site_overrides/book.typ": "#let x = ("}, settings=SETTINGS)
    assert site.code == 1
    assert re.search(r"the pdf was not made: .*unclosed delimiter", site.said)
    assert "Traceback" not in site.said


def test_what_paper_cannot_show_is_told(tmp_path: Path) -> None:
    settings = SETTINGS.replace("pdf, html, epub, zip", "pdf")
    site = build(tmp_path, {"index.md": "# Coins\n\n日\n"}, "--strict", settings=settings)
    assert site.said.count("book/docs/index.md:3:1: warning[export-glyph]") == 1
    assert site.code == 1, "as every warning does where builds are strict"


def test_serving_makes_them_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = SETTINGS.replace("pdf, html, epub, zip", "html").replace("exports", "offline: on, exports")
    build(tmp_path, PAGES, settings=settings)
    made = list[str]()

    def make(form: str, *_: object) -> ExportResult:
        made.append(form)
        return b"book", []

    monkeypatch.setattr("rulewright.render.downloads.export_book", make)
    serving = Serving(tmp_path)
    for text in ("one", "two"):
        (tmp_path / "book" / "docs" / "index.md").write_text(f"# Coins\n\n{text}\n", encoding="utf-8")
        assert text in serving.article()
        assert (tmp_path / "site" / "downloads" / "book.html").read_bytes() == b"book"
    assert made == ["html"]
    assert not (tmp_path / "site" / "offline.js").exists()


def test_a_zip_works_from_a_folder(site: Site, browser: Any, tmp_path: Path) -> None:
    folder = unpacked((site.folder / NAMES[-1]).read_bytes(), tmp_path / "unpacked")
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert not [name for name in names if name.endswith(".map") or "/lunr/" in name]
    assert "downloads" not in (folder / "book" / "index.html").read_text("utf-8")
    page, wrong = opened(browser, (folder / "book" / "index.html").as_uri())
    search(page, "gallimaufry")
    roll(page)
    assert wrong == []
    page.context.close()


def test_the_command(tmp_path: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    """With the settings of a site it is the same file, without any it is one that works, too."""
    build(tmp_path, PAGES, settings=SETTINGS)
    assert main(["export", "zip", "book/docs", "-o", "one.zip"]) == 0
    assert re.match(r"one\.zip: 2 pages of the book, \d+ kB\n", capsys.readouterr().out)
    assert Path("one.zip").read_bytes() == (site.folder / NAMES[-1]).read_bytes()
    Path("book/mkdocs.yml").unlink()
    Path("book/docs/list.md").write_text("# List\n\ntext\n- item\n", encoding="utf-8")
    assert main(["export", "zip", "book/docs", "-o", "two.zip"]) == 0
    found = unpacked(Path("two.zip").read_bytes(), tmp_path / "two") / "coins"
    assert "<li>item</li>" in (found / "list.html").read_text("utf-8"), "as in the other exports"
    assert (found / "more" / "toss.html").is_file()
    assert (found / "search" / "search_index.js").is_file()


def test_a_site_that_cannot_be_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(tmp_path, PAGES, settings=SETTINGS + "hooks: [none.py]\n")
    assert main(["export", "zip", "book/docs", "-o", "one.zip"]) == 2
    assert capsys.readouterr().err.startswith("rulewright: the zip was not made: the site could not be built: ")


DISK = SETTINGS.replace("[search,", "[search, offline,").replace("[pdf, html, epub, zip]", "zip")


def test_the_zip_of_a_site_for_the_disk_needs_no_network(tmp_path: Path, site: Site) -> None:
    made = build(tmp_path, PAGES, "--strict", settings=DISK)
    assert "https://unpkg.com" in made.text("index.html"), "the theme's own script for the search"
    assert (made.folder / NAMES[-1]).read_bytes() == (site.folder / NAMES[-1]).read_bytes()


def test_a_site_that_needs_no_network_is_packed_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.render.downloads.build", None)
    made = build(tmp_path, PAGES, "--strict", settings=DISK.replace("exports", "offline: on, exports"))
    with ZipFile(made.folder / NAMES[-1]) as packed:
        assert "book/assets/iframe-worker.js" in packed.namelist()
        assert b"https://unpkg.com" not in packed.read("book/index.html")


def test_packs_of_languages(tmp_path: Path) -> None:
    names = ("lunr.de.min.js", "lunr.fr.min.js", "lunr.stemmer.support.min.js", "lunr.multi.min.js")
    for name in (*(f"min/{name}" for name in names), "tinyseg.js", "wordcut.js"):
        file = tmp_path / "assets" / "javascripts" / "lunr" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")

    def kept(*languages: str) -> set[str]:
        (tmp_path / "search").mkdir(exist_ok=True)
        index = {"config": {"lang": languages}}
        (tmp_path / "search" / "search_index.json").write_text(json.dumps(index), encoding="utf-8")
        return {Path(path).name for path, _ in site_files(tmp_path) if path.startswith("assets")}

    assert kept("en") == set()
    assert kept("de") == {"lunr.de.min.js", "lunr.stemmer.support.min.js", "lunr.multi.min.js"}
    assert "tinyseg.js" in kept("en", "ja")


def test_names_and_sizes() -> None:
    titles = ("The Book of Coins", "Würfel & mehr", "骰子", "x" * 99)
    assert [*map(file_name, titles)] == ["the-book-of-coins", "wurfel-mehr", "book", "x" * 60]
    assert [size_text(length, ",") for length in (9, 1999, 1_250_000)] == ["1 kB", "1 kB", "1,2 MB"]


def settled(page: Any) -> None:
    """The worker has everything, and answers."""
    page.wait_for_function("() => navigator.serviceWorker.controller !== null", timeout=15_000)


def until(page: Any, promise: str) -> None:
    """What is promised comes true in a while."""
    for _ in range(1200):
        if page.evaluate(promise):
            return
        page.wait_for_timeout(50)
    pytest.fail(promise)


@pytest.fixture(scope="module")
def kept_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("kept")
    made = build(place, PAGES, "--strict", settings=KEPT)
    assert made.code == 0, made.said
    return place


@pytest.mark.smoke
def test_after_one_visit_the_book_is_there_without_a_network(browser: Any, kept_site: Path) -> None:
    with served(kept_site / "site", Careful) as address:
        page, wrong = opened(browser, f"{address}/")
        settled(page)
        page.context.set_offline(True)
        page.goto(f"{address}/more/toss/")
        roll(page)
        page.goto(f"{address}/index.html?x=1")
        search(page, "gallimaufry")
        assert page.goto(f"{address}/nowhere/").status == 404
        manifest = page.evaluate("fetch('/manifest.webmanifest').then(found => found.json())")
        assert manifest["name"] == "Book"
        kept = page.evaluate("caches.keys()")
        assert [name.split(" ")[0] for name in kept] == ["rulewright"]
        assert page.evaluate("[localStorage.length, document.cookie]")[1] == ""
        page.context.close()
    assert [line for line in wrong if "404" not in line and "ERR_INTERNET" not in line] == []


def test_a_newer_book_takes_the_place_of_the_old_one(browser: Any, kept_site: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(kept_site, tmp_path / "copy"))
    for old in copy.glob("site/**/*"):  # the server knows a newer file by its second
        os.utime(old, (0, 0))
    asked = list[str]()

    class Counting(Careful):
        def do_GET(self) -> None:  # noqa: N802
            asked.append(self.path)
            super().do_GET()

    with served(copy / "site", Counting) as address:
        page, _ = opened(browser, f"{address}/")
        settled(page)
        assert "/more/toss/" in asked
        file = copy / "book" / "docs" / "index.md"
        file.write_text(file.read_text("utf-8").replace("See", "Now see"), encoding="utf-8")
        assert again(copy).code == 0
        asked.clear()
        page.reload()
        until(page, "caches.keys().then(names => names.length === 1)")
        until(page, "fetch('./').then(page => page.text()).then(text => text.includes('Now see'))")
        page.context.set_offline(True)
        page.reload()
        assert "Now see" in page.locator("article").inner_text()
        page.context.close()
    assert "/more/toss/" not in asked, "what has not changed is not fetched again"


def test_a_site_that_is_kept_no_more_is_forgotten(browser: Any, kept_site: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(kept_site / "site", tmp_path / "copy"))
    with served(copy, Careful) as address:
        page, _ = opened(browser, f"{address}/")
        settled(page)
        (copy / "offline.js").unlink()
        page.reload()
        until(page, "caches.keys().then(names => names.length === 0)")
        page.context.close()


def test_nothing_is_kept_unless_asked_for(site: Site) -> None:
    assert not (site.folder / "offline.js").exists()
    assert "register-worker.js" not in site.text("index.html")


def test_a_worker_is_the_same_for_the_same_site(tmp_path: Path, kept_site: Path) -> None:
    made = build(tmp_path, PAGES, settings=KEPT)
    assert made.text("offline.js") == (kept_site / "site" / "offline.js").read_text("utf-8")
    told = json.loads(re.findall(r"^const BOOK = (.*);$", made.text("offline.js"), re.MULTILINE)[0])
    scripts = {"assets/rulewright/roller.js", "assets/rulewright/loader.js"}
    assert {"", "more/toss/", "search/search_index.json", *scripts} <= told["files"].keys()
    assert not [name for name in told["files"] if name.startswith(("downloads", "sitemap"))]

"""The same book built by other programs: cards look the same and roll on each, with files of the site or without."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from markdown import markdown

from browser import served
from built_site import SETTINGS
from rulewright.cli import main
from small_book import BLOCK, GAME, write

HOME = "# Größe\n\nintro\n- one\n- two\n\n<!-- toc -->\n\n{}\n[Other](rules/other.md#toss-1) [[other]]\n"
OTHER = "# Other\n\n## Toss\n\nCoins.\n\n## Toss\n\n{}\n!!! note\n    Text with a [link](../index.md#größe).\n"
PAGES = {"index.md": HOME.format(BLOCK), "rules/other.md": OTHER.format(BLOCK)}
STARTER_PAGE = "rules/rolling.md"
# All that a reader sees of a card with its menu open, when the text around it has the same size.
SAME_TEXT = ".md-typeset, body { font: 16px sans-serif } .rulewright-block { width: 340px }"
LOOK = """() => {
  const card = document.querySelector("rule-card[data-kind=example]");
  const names = ["display", "color", "background-color", "font-size", "font-weight", "font-style", "line-height",
    "letter-spacing", "text-align", "text-decoration-line", "text-transform", "white-space", "margin", "padding",
    "border", "border-radius", "box-shadow", "list-style-type", "width", "height", "opacity", "float", "position"];
  return [card, ...card.querySelectorAll("*")].map((element) => {
    const style = getComputedStyle(element);
    return [element.outerHTML.slice(0, 60), ...names.map((name) => `${name}: ${style.getPropertyValue(name)}`)];
  });
}"""
GENERATOR = re.compile(r'<meta name="generator" content="[^"]*">')


def book(folder: Path, settings: str = SETTINGS) -> Path:
    write(folder / "docs", PAGES)
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    return folder


def run(folder: Path, program: str, *arguments: str) -> str:
    """The program as the command line starts it; an editor's environment must not change what it says."""
    command = [sys.executable, "-m", program, *arguments]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(site: Path) -> dict[str, bytes]:
    found = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {name: without_generator(name, content) for name, content in found.items() if not name.endswith(".gz")}


def without_generator(name: str, content: bytes) -> bytes:
    return GENERATOR.sub("", content.decode()).encode() if name.endswith(".html") else content


@pytest.mark.skipif(not find_spec("properdocs"), reason="ProperDocs is not installed")
def test_properdocs_makes_the_same_site(tmp_path: Path) -> None:
    folder = book(tmp_path)
    run(folder, "mkdocs", "build", "--strict", "-d", "mkdocs")
    run(folder, "properdocs", "build", "--strict", "-f", "mkdocs.yml", "-d", "properdocs")
    one, other = files(folder / "mkdocs"), files(folder / "properdocs")
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def zensical(folder: Path, options: str) -> tuple[str, str, str]:
    """What Zensical says, and both its pages; it knows no plugins, but our extension reads their options."""
    settings = SETTINGS.replace("  - attr_list\n", "  - attr_list\n  - rulewright\n")
    said = run(book(folder, settings.replace("markdown: commonmark", options)), "zensical", "build")
    home, other = (folder / "site" / page for page in ("index.html", "rules/other/index.html"))
    return said, home.read_text("utf-8"), other.read_text("utf-8")


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_puts_cards_on_its_own_pages(tmp_path: Path) -> None:
    said, home, other = zensical(tmp_path, "language: en")
    assert "anchor does not exist" in said, "links in other dialects are left to Zensical, which reports them"
    assert [page.count('class="rulewright-block"') for page in (home, other)] == [1, 1]
    assert [page.count("<rule-card") for page in (home, other)] == [1, 1]
    assert '<h2 id="toss_1">Toss' in other
    assert "<li>one</li>" not in home, "Python-Markdown wants a blank line above a list"
    assert "[[other]]" in home


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_reads_pages_with_our_extension(tmp_path: Path) -> None:
    said, home, other = zensical(tmp_path, "markdown: commonmark")
    assert "No issues found" in said
    parts = ("<li>one</li>", '<h1 id="groe">', 'id="größe"', 'id="größe.1"', 'class="rulewright-block"')
    assert [home.count(part) for part in parts] == [1] * 5
    assert '<a href="rules/other/#toss_1">Other</a> <a href="rules/other/">other</a>' in home
    assert '<h2 id="toss_1">' in other
    assert 'id="toss-1.1"' in other
    assert '<div class="admonition note">' in other


def new_book(folder: Path, host: str) -> Path:
    assert main(["new", str(folder), "--game", "d6-pool", "--host", host]) == 0
    return folder


def built(folder: Path, program: str, *arguments: str) -> Path:
    """The site that a program builds from the settings of a new book, in a folder of its own."""
    run(folder, program, "build", *arguments)
    return (folder / "site").rename(folder / f"site-{len(list(folder.glob('site-*')))}")


def plain_site(folder: Path) -> Path:
    """A page that Python-Markdown makes of the same source, without any settings."""
    body = markdown((folder / STARTER_PAGE).read_text("utf-8"), extensions=["rulewright"])
    return write(folder / "plain", {"rolling/index.html": f'<!doctype html><meta charset="utf-8"><body>{body}'})


@pytest.mark.smoke
@pytest.mark.skipif(not (find_spec("properdocs") and find_spec("zensical")), reason="not all hosts are installed")
def test_cards_look_the_same_and_roll_on_every_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    folder = new_book(tmp_path / "book", "zensical")
    monkeypatch.chdir(folder)
    sites = {"Python-Markdown": plain_site(folder), "Zensical alone": built(folder, "zensical", "--strict")}
    assert main(["export", "assets"]) == 0
    sites["Zensical"] = built(folder, "zensical", "--clean", "--strict")
    sites["ProperDocs"] = built(folder, "properdocs", "--strict", "-f", "mkdocs.yml")
    sites["MkDocs"] = built(folder, "mkdocs", "--strict")
    browser = request.getfixturevalue("browser")
    seen = {host: see_and_roll(browser, site) for host, site in sites.items()}
    looks = {host: look for host, (look, _) in seen.items()}
    assert len(looks["MkDocs"]) > 50
    for host, look in looks.items():
        assert "\n".join(differences(look, looks["MkDocs"])) == "", host
    linked = {host: fetched for host, (_, fetched) in seen.items()}
    before, after = ["loader.js", "rulewright.css"], ["data.js", "data.js", "odds.js", "roller.js"]
    of_site, alone = (before, after), (list[str](), list[str]())
    assert linked == {
        "Python-Markdown": alone, "Zensical alone": alone,
        "Zensical": of_site, "ProperDocs": of_site, "MkDocs": of_site,
    }  # fmt: skip


def see_and_roll(browser: Any, site: Path) -> tuple[list[list[str]], tuple[list[str], list[str]]]:
    """The look of the first example, and our files that its page fetched before and after the first touch."""
    faults, fetched = list[str](), list[str]()
    page = browser.new_page(viewport={"width": 390, "height": 900}, color_scheme="light", reduced_motion="reduce")
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.extend([message.text] if message.type in ("error", "warning") else []))
    page.on("request", lambda request: fetched.append(request.url))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    with served(site) as address:
        page.goto(f"{address}/rolling/index.html", wait_until="networkidle")
        page.add_style_tag(content=SAME_TEXT)
        before = our_files(fetched)
        card = page.locator("rule-card[data-kind=example]").first
        card.locator(".rw-menu > summary").first.click()
        card.locator(".rw-chip > button").first.wait_for()
        look = page.evaluate(LOOK)
        printed = card.locator(".rw-title").first.inner_text()
        card.locator(".rw-roll").first.click()
        card.get_by_text("Your roll").first.wait_for()
        assert card.locator(".rw-die").count()
        card.get_by_text("Show the book’s roll").click()
        assert card.locator(".rw-title").first.inner_text() == printed
    page.close()
    assert faults == []
    return look, (before, [name for name in our_files(fetched) if name not in before])


def our_files(addresses: list[str]) -> list[str]:
    """The names of our files among all that were fetched, without the hashes of data."""
    ours = [address for address in addresses if "/assets/rulewright/" in address]
    return sorted(re.sub(r"-\w+", "", address.rpartition("/")[2]) for address in ours)


def differences(look: list[list[str]], other: list[list[str]]) -> list[str]:
    pairs = zip(look, other, strict=True)
    return [f"{one[0]}: {a}, not {b}" for one, two in pairs for a, b in zip(one[1:], two[1:], strict=True) if a != b]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book of one page and one game, of which nothing else is known."""
    monkeypatch.chdir(write(tmp_path, {"game.toml": GAME, "page.md": f"# Page\n\n{BLOCK}"}))
    return tmp_path


def test_a_page_without_a_host_has_all_that_it_needs(home: Path) -> None:
    page = markdown((home / "page.md").read_text("utf-8"), extensions=["rulewright", "toc"])
    assert page.startswith("<style>")
    assert (page.count("<style>"), page.count('data-file="roller"'), page.count("<script data-words=")) == (1, 1, 1)
    assert not re.search("<link|<script src", page)


def test_a_page_without_anything_of_ours_stays_as_it_is(home: Path) -> None:
    del home
    assert markdown("# Title\n\nText", extensions=["rulewright", "toc"]) == '<h1 id="title">Title</h1>\n<p>Text</p>'


@pytest.mark.parametrize("address", ["https://example.org/dice", "/files/", "files"])
def test_the_files_may_be_elsewhere(home: Path, address: str) -> None:
    text = (home / "page.md").read_text("utf-8")
    page = markdown(text, extensions=["rulewright"], extension_configs={"rulewright": {"assets": address}})
    assert f'<link rel="stylesheet" href="{address.rstrip("/")}/rulewright.css">' in page
    assert f'<script src="{address.rstrip("/")}/loader.js" defer data-words="data-' in page


def test_files_that_are_out_of_date_are_not_linked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    settings = "site_name: Book\nplugins: [search]\nmarkdown_extensions: [rulewright]\n"
    write(tmp_path / "docs", {"index.md": f"# Page\n\n{BLOCK}"})
    (tmp_path / "mkdocs.yml").write_text(settings, "utf-8")
    monkeypatch.chdir(tmp_path)
    exported, advice = tmp_path / "docs" / "assets" / "rulewright", "is out of date: `rulewright export assets`"

    def page() -> str:
        run(tmp_path, "mkdocs", "build", "--strict")
        return (tmp_path / "site" / "index.html").read_text("utf-8")

    assert ran("export", "assets")[1].startswith("docs/assets/rulewright: 7 files that pages need to roll, ")
    assert 'href="assets/rulewright/rulewright.css"' in page()
    write(tmp_path / "docs", {"game.toml": GAME.replace('"Coins"', '"Pennies"')})
    assert 'data-file="roller"' in page(), "complete in itself"
    assert f"docs/assets/rulewright {advice}" in ran("check")[1]
    (exported / "data-keep.js").touch()
    assert ran("export", "assets")[0] == 0
    assert advice not in ran("check")[1]
    assert len(list(exported.glob("data-*.js"))) == 3, "old data is gone, other files stay"


def test_files_are_written_where_the_author_says(home: Path, ran: Callable[..., tuple[int, str, str]]) -> None:
    assert ran("export", "assets", "-o", "public")[0] == 0
    names = {re.sub(r"-\w+", "", file.name) for file in (home / "public").iterdir()}
    assert names == {"rulewright.css", "generated.css", "loader.js", "roller.js", "odds.js", "data.js"}
    assert not (home / "assets").exists()


def test_files_do_not_leave_the_project(
    home: Path, tmp_path_factory: pytest.TempPathFactory, ran: Callable[..., tuple[int, str, str]]
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (home / "assets").symlink_to(outside)
    assert "leads out of the project and is not written; name it with -o" in ran("export", "assets")[2]
    assert not list(outside.iterdir())


ZENSICAL = """\
[project]
site_name = "Book"
docs_dir = "pages"
use_directory_urls = false

[project.plugins.rulewright]
markdown = "commonmark"

[project.markdown_extensions]
rulewright = {}
pymdownx.superfences = {}
"""


@pytest.mark.skipif(not find_spec("zensical"), reason="Zensical is not installed")
def test_zensical_with_settings_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    write(tmp_path / "pages", {"index.md": "# Home\n", "deep/er/other.md": f"# Other\n\nintro\n- one\n\n{BLOCK}"})
    (tmp_path / "zensical.toml").write_text(ZENSICAL, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert ran("export", "assets")[1].startswith("pages/assets/rulewright: ")
    run(tmp_path, "zensical", "build", "--strict")
    page = (tmp_path / "site" / "deep" / "er" / "other.html").read_text("utf-8")
    assert "<li>one</li>" in page, "the option was read"
    assert '<link rel="stylesheet" href="../../assets/rulewright/rulewright.css">' in page
    assert (tmp_path / "site" / "assets" / "rulewright" / "loader.js").is_file()
    (tmp_path / "elsewhere").mkdir()
    run(tmp_path / "elsewhere", "zensical", "build", "--clean", "-f", "../zensical.toml")
    assert (tmp_path / "site" / "deep" / "er" / "other.html").read_text("utf-8") == page
    (tmp_path / "zensical.toml").write_text(ZENSICAL.replace("markdown =", "markdowns ="), "utf-8")
    assert "zensical.toml:7:1: error[option-unknown]" in ran("check")[1]


def test_the_options_of_properdocs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ran: Callable[..., tuple[int, str, str]]
) -> None:
    write(tmp_path / "docs", {"index.md": "# Home\n"})
    (tmp_path / "properdocs.yml").write_text("plugins: [rulewright: {dices: on}]\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert "properdocs.yml:1:24: error[option-unknown]" in ran("check")[1]

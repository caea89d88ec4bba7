"""The page of the handbook that shows what a page can hold, and a diagram, in a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Careful, axe_without_theme, served
from built_site import again
from rulewright.book.parser import read_page
from rulewright.source import Source

ROOT = Path(__file__).parent.parent
HANDBOOK = ROOT / "rules" / "handbook"
PAGE = (HANDBOOK / "writing.md").read_text("utf-8")
MERMAID = ROOT / "tests" / "js" / "node_modules" / "@mermaid-js" / "tiny" / "dist" / "mermaid.tiny.js"
SITE = f"""\
site_name: Book
theme:
  {{name: material, font: false, custom_dir: {ROOT / "site_overrides"}, palette: {{primary: custom, accent: custom}}}}
extra_css: [assets/rulebook.css]
plugins: [search, rulewright: {{markdown: commonmark, policy: on}}]
"""
SCRIPTS = "extra_javascript: [assets/formulas.js]\n"


def fences(kind: str) -> list[str]:
    tokens = read_page(Source("writing.md", PAGE)).tokens
    return [token.content for token in tokens if token.type == "fence" and token.info == kind]


def diagram() -> str:
    """What the page shows as source."""
    return next(text for text in fences("markdown") if "mermaid" in text)


def build(folder: Path, settings: str, index: str = "# Book\n") -> Path:
    docs = folder / "book" / "docs"
    docs.mkdir(parents=True)
    for name, text in {"index.md": index, "start.md": "# Start\n", "writing.md": PAGE}.items():
        (docs / name).write_text(text, encoding="utf-8")
    shutil.copy(HANDBOOK / "die.svg", docs)
    if MERMAID.exists():
        (docs / "assets").mkdir()
        shutil.copy(MERMAID, docs / "assets" / "mermaid.min.js")
    (folder / "book" / "mkdocs.yml").write_text(SITE + settings, encoding="utf-8")
    made = again(folder)
    assert made.code == 0, made.said
    return made.folder


def opened(browser: Any, address: str, wrong: list[str]) -> Any:
    page = browser.new_page()
    page.on("console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda one: None if one.url.startswith((address, "data:")) else wrong.append(one.url))
    return page


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page, in a site with the settings that it names, held to its own policy; it asks nobody else."""
    folder = build(tmp_path_factory.mktemp("writing"), SCRIPTS + fences("yaml")[-1])
    wrong: list[str] = []
    with served(folder, Careful) as address:
        page = opened(browser, address, wrong)
        page.goto(f"{address}/writing/")
        yield page
        assert wrong == []


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("del", "gone"),
        ("mark", "marked"),
        ("sub", "2"),
        ("sup", "10"),
        ("kbd.key-control", "Ctrl"),
        ("ul > li > ol > li", "first the wick"),
        ("li.task-list-item", "a rope"),
        ("dl:not([class]) dd", "The hour"),
        (".footnote li", "Not to the minute"),
        (".admonition.note .admonition-title", "By daylight"),
        ("details.tip summary", "For the game master"),
        (".admonition.warning", "This is how GitHub"),
        (".tabbed-content .tabbed-block", "Roll where"),
        ("table:not([class]) td", "lamp"),
        (".grid blockquote", "On the left."),
        ("a.md-button", "The first five minutes"),
        (".highlight .filename", "roll.py"),
        (".highlight .hll", "return 4"),
    ],
)
def test_each_construct_is_shown(page: Any, place: str, text: str) -> None:
    assert page.locator(f"article {place}").filter(has_text=text).first.is_visible(), place


def test_pictures_have_their_size(page: Any) -> None:
    assert page.locator("article img[alt='A die that shows four']").bounding_box()["width"] == 48


def test_icons_are_drawn(page: Any) -> None:
    assert page.locator("article .twemoji svg").first.bounding_box()["width"] > 8


def test_short_forms_are_explained(page: Any) -> None:
    assert page.locator("article abbr").first.get_attribute("title").startswith("Game master")


def test_notes_in_the_margin_open(page: Any) -> None:
    page.locator("article .md-annotation__index").first.click()
    assert page.get_by_text("It is locked from inside.").first.is_visible()


def test_formulas_are_mathematics(page: Any) -> None:
    page.locator("article math[display=block] mfrac").first.wait_for()
    assert page.locator("article math").count() == 3
    assert "\\" not in page.locator("article div.arithmatex").inner_text()


@pytest.mark.smoke
def test_tabs_change(page: Any) -> None:
    page.get_by_text("From afar").first.click()
    assert page.get_by_text("Say what fell.").first.is_visible()


def test_nothing_is_in_anybodys_way(page: Any) -> None:
    assert axe_without_theme(page, contrast=False) == []


def test_diagrams_are_drawn_by_a_copy_of_ones_own(browser: Any, tmp_path: Path) -> None:
    if not MERMAID.exists():
        pytest.skip("the program for diagrams is not here: make test fetches it")
    settings = next(text for text in fences("yaml") if "mermaid" in text)
    extensions = fences("yaml")[-1].replace("markdown_extensions:\n", "").replace("  - pymdownx.superfences\n", "")
    folder = build(tmp_path, settings + extensions, f"# Book\n\n{diagram()}")
    wrong: list[str] = []
    with served(folder) as address:
        page = opened(browser, address, wrong)
        page.goto(f"{address}/")
        page.wait_for_function("document.querySelector('div.mermaid')?.getBoundingClientRect().height > 40")
        page.close()
    assert wrong == []

"""The pages of a site that nobody writes: rules at a glance, and terms."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from built_site import SETTINGS, Site
from built_site import build as build_site
from rulewright.render.reference import extend_nav, find_nav_paths
from small_book import BLOCK, GAME

HOME = f"""\
---
terms: true
---

# Coins

Pool
:   The coins in your hand.

## Tossing & turning

{BLOCK}
## Later

TODO: write this.

## Told

You toss three coins: 2 2 1. That is a win of degree 1.

```example
rule: toss
coins: 3
dice: 2 2 1
skip: nobody has decided
outcome: win
```
"""

PLUGIN = "rulewright: {markdown: commonmark}"


def settings(options: str = "") -> str:
    """The settings of a site with reference pages, and further options of the plugin."""
    wanted = ", ".join(filter(None, ["markdown: commonmark", "reference: on", options]))
    assert PLUGIN in SETTINGS
    return SETTINGS.replace(PLUGIN, f"rulewright: {{{wanted}}}")


def build(folder: Path, pages: dict[str, str], *arguments: str, text: str = settings()) -> Site:
    return build_site(folder, pages, *arguments, settings=text)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("language", ["en", "de"])
def test_golden_pages_that_nobody_writes(tmp_path: Path, language: str, golden: Callable[[str, str], None]) -> None:
    text = settings(f"language: {language}")
    site = build(tmp_path, {"index.md": HOME, "other.md": f"# Other\n\n{BLOCK}"}, "--strict", text=text)
    pages = [site.article(f"reference/{name}/index.html") for name in ("rules", "terms")]
    golden(f"published/reference-{language}.html", "\n\n".join(pages) + "\n")


def test_a_book_without_rules_and_words_has_none_of_their_pages(tmp_path: Path) -> None:
    site = build(tmp_path, {"index.md": "# Page\n", "game.toml": ""})
    assert not (site.folder / "reference").exists()


def test_rules_of_a_book_with_one_page(tmp_path: Path) -> None:
    page = f"# Coins\n\n```game\n{GAME}```\n\n{BLOCK}"
    site = build(tmp_path, {"index.md": page, "game.toml": ""})
    assert 'href="../../#coins.2">Toss</a>' in site.article("reference/rules/index.html")


def test_what_an_author_wrote_stays(tmp_path: Path) -> None:
    site = build(tmp_path, {"index.md": f"# Page\n\n{BLOCK}", "reference/rules.md": "# Mine\n"}, "--strict")
    assert site.code == 0, site.said
    assert "Mine" in site.article("reference/rules/index.html")
    assert "Tossing" not in site.article("reference/rules/index.html")


def test_search_finds_words(tmp_path: Path) -> None:
    sections = build(tmp_path, {"index.md": HOME}).sections
    assert "The coins in your hand." in sections["reference/terms/#coins"]["text"]
    assert "Sleight" in sections["reference/terms/#coins"]["text"]


def test_places_in_the_navigation(tmp_path: Path) -> None:
    nav = "nav:\n  - index.md\n  - All rules: reference/rules.md\n"
    site = build(tmp_path, {"index.md": HOME.replace("TODO:", "We")}, "--strict", text=settings() + nav)
    assert site.code == 0, site.said
    names = re.findall(r'<span class="md-ellipsis">\s*(\S[^<]*?)\s*</span>', site.text("index.html"))
    order = list(dict.fromkeys(names))
    assert order.index("All rules") < order.index("Reference") < order.index("Terms")
    assert "Rules at a glance" not in order


def test_a_folder_of_pages_is_called_in_the_language_of_the_book(tmp_path: Path) -> None:
    html = build(tmp_path, {"index.md": "# Seite\n"}, text=settings("language: de")).text("index.html")
    assert "Nachschlagen" in html
    assert '<html lang="en"' in html, "the language of the theme is the author's business"


def test_navigation_of_any_shape() -> None:
    nav = ["a.md", {"B": "b.md"}, {"C": ["c.md", {"D": ["d.md"]}]}]
    assert list(find_nav_paths(nav)) == ["a.md", "b.md", "c.md", "d.md"]
    assert extend_nav(nav, "R", ["b.md", "d.md"]) == nav
    assert extend_nav(nav, "R", ["b.md", "e.md"]) == [*nav, {"R": ["e.md"]}]


def test_no_page_is_generated_unless_asked_for(tmp_path: Path) -> None:
    site = build(tmp_path, {"index.md": HOME}, text=SETTINGS)
    assert not (site.folder / "reference").exists()
    assert "reference" not in site.text("sitemap.xml")


COVERED = f"""\
# Coins

You win with `one` head: *difficulty* and [7 %][x] are words. Each of 12 coins is 3 grams.

| coin | price |
| ---- | ----- |
| big  | 20    |

> See page 4.

{BLOCK}
"""


@pytest.mark.parametrize("markdown", ["commonmark", "host"])
def test_numbers_that_are_tied_to_nothing_are_shaded(tmp_path: Path, markdown: str) -> None:
    text = SETTINGS.replace(PLUGIN, f"rulewright: {{markdown: {markdown}, coverage: on}}")
    site = build(tmp_path, {"index.md": COVERED}, text=text)
    article = site.article("reference/coverage/index.html")
    shaded = re.findall(
        r'<mark data-state="unbound">([^<]*)<sup data-state="unbound" role="img" aria-label="tied to nothing">\\?',
        article,
    )
    assert shaded == ["7", "12", "3", "20"]
    assert "<p>big · <mark" in article
    assert "You win with one head: difficulty and <mark" in article
    assert "page" not in re.sub(r"<[^>]*>", "", article), "a page number is free, so its paragraph is left out"
    assert [page.name for page in (site.folder / "reference").iterdir()] == ["coverage"]

"""Cards in a real browser: every kind, in both color schemes, on a phone, in print, without scripts."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from mkdocs.__main__ import cli

import card_book
from browser import axe, served
from roller_page import type_dice, unfold
from rulewright.render.cards.card import render_card
from rulewright.render.scripts import read_asset
from rulewright.render.strings import read_words

ROOT = Path(__file__).parent.parent
PROSE = """\
# Prose

A sentence with [a link](index.md), `code`, **weight** and a note[^1].

| name | dice | damage | distance | magazine | availability | reliability |
| --- | --- | --- | --- | --- | --- | --- |
| A long name that goes on | 3d6 | considerable | enormous | 1 | everywhere | questionable |
| Short | 2d10 | none | 2 | 100 | nowhere | undisputed |

- [x] done
- [ ] to do

!!! note "Mind this"
    A box.

> [!TIP]
> A callout.

```toml
# a comment
title = "A game"  # and one more
pool = { label = "Dice pool", min = 1, max = 30 }
```

[^1]: The note.
"""
MOVE = """one => {
    for (let box = one; box; box = box.parentElement)
        if (getComputedStyle(box).overflowX !== 'visible') box.scrollLeft = 150
}"""
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book of cards in the look of this site, with its first page and a page of prose."""
    place = tmp_path_factory.mktemp("look")
    docs = card_book.write(place / "docs")
    (docs / "index.md").rename(docs / "cards.md")
    (docs / "prose.md").write_text(PROSE, encoding="utf-8")
    first = re.sub(r"\]\([^)#]*\)", "](prose.md)", (ROOT / "rules" / "index.md").read_text("utf-8"))
    (docs / "index.md").write_text(first, encoding="utf-8")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").replace("docs_dir: rules", "docs_dir: docs")
    settings = settings.replace("custom_dir: site_overrides", f"custom_dir: {ROOT / 'site_overrides'}")
    settings = re.sub(r"^nav:\n(?:[ #-].*\n|\n)*", "", settings, flags=re.MULTILINE)
    (place / "mkdocs.yml").write_text(settings, encoding="utf-8")
    try:
        made = CliRunner().invoke(cli, ["build", "-q", "-f", str(place / "mkdocs.yml"), "-d", str(place / "site")])
    finally:
        logging.getLogger("mkdocs").handlers.clear()
    assert made.exit_code == 0, made.output
    return place / "site"


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


@pytest.fixture
def view(browser: Any, address: str) -> Iterator[Any]:
    """`view("cards", 390, "dark")` opens a page; it must not speak to anybody else, nor complain."""
    contexts = []
    complaints: list[str] = []

    def opened(page: str, width: int = 1280, scheme: str = "light", **more: Any) -> Any:
        viewport = {"width": width, "height": 900}
        context = browser.new_context(color_scheme=scheme, viewport=viewport, reduced_motion="reduce", **more)
        contexts.append(context)
        tab = context.new_page()
        tab.on("request", lambda asked: None if asked.url.startswith(address) else complaints.append(asked.url))
        tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.goto(f"{address}/{page}.html")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not complaints


@pytest.mark.parametrize("page", ["cards", "index", "prose"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_in_anybodys_way(view: Any, page: str, scheme: str, width: int) -> None:
    tab = view(page, width, scheme)
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert axe(tab, contrast=width == 1280) == []  # colours do not depend on the width, and take longest


def test_axe_would_say_so(view: Any) -> None:
    tab = view("prose")
    tab.evaluate(
        "document.querySelector('article').innerHTML += '<img src=\"data:,\"><p style=\"color:#bbb\">pale</p>'"
    )
    found = axe(tab)
    assert [line.partition(":")[0] for line in found] == ["color-contrast", "image-alt"]


@pytest.mark.parametrize("page", ["cards", "index", "prose"])
@pytest.mark.parametrize("width", [320, 390])
def test_pages_do_not_move_sideways(view: Any, page: str, width: int) -> None:
    tab = view(page, width)
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for one in tab.query_selector_all("rule-card"):
        assert one.evaluate("one => one.scrollWidth - one.clientWidth") <= 1


@pytest.mark.parametrize(("page", "table"), [("cards", ".rw-wide"), ("prose", ".md-typeset table:not([class])")])
def test_the_first_column_stays_when_a_table_moves(view: Any, page: str, table: str) -> None:
    tab = view(page, 320)
    first = tab.locator(f"{table} tbody tr > :first-child").first
    last = tab.locator(f"{table} tbody tr > :last-child").first
    before, behind = first.bounding_box()["x"], last.bounding_box()["x"]
    last.evaluate(MOVE)
    assert behind - last.bounding_box()["x"] > 50, "the table has to move for this test"
    assert abs(first.bounding_box()["x"] - before) < 15


def light(tab: Any, selector: str) -> float:
    """How light the ground of something is, from 0 to 255."""
    said = tab.locator(selector).first.evaluate("one => getComputedStyle(one).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", said)[:3])) / 3


def test_dark_is_dark_and_paper_is_light(view: Any) -> None:
    tab = view("cards", scheme="dark")
    assert light(tab, "body") < 60
    assert light(tab, "rule-card") < 60
    tab.emulate_media(media="print")
    assert light(tab, "rule-card") > 240


@pytest.mark.parametrize(("scheme", "sheet"), [("light", "rgb(255, 253, 248)"), ("dark", "rgb(38, 33, 26)")])
def test_cards_have_the_colors_of_the_site(view: Any, scheme: str, sheet: str) -> None:
    card = view("cards", scheme=scheme).locator("rule-card").first
    assert card.evaluate("one => getComputedStyle(one).backgroundColor") == sheet


def test_paper_shows_further_rolls_and_no_steps(view: Any) -> None:
    tab = view("cards")
    row, steps = tab.locator("rule-card .rw-row .rw-outcome").first, tab.locator("rule-card dl.rw-how").first
    assert not row.is_visible()
    tab.emulate_media(media="print")
    tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")  # as Material does
    assert row.bounding_box()["height"] > 0
    assert not steps.is_visible()


def test_dice_can_be_read_in_forced_colours(view: Any) -> None:
    tab = view("cards", forced_colors="active")
    for role in (".rw-good", ".rw-bad", ".rw-kind0"):
        die = tab.locator(f".rw-die{role}").first
        colours = die.evaluate("""one => {
            const look = (part, name) => getComputedStyle(one.querySelector(part))[name]
            return [look('.rw-body', 'fill'), look('.rw-number', 'fill'), look('.rw-body', 'stroke')]
        }""")
        assert colours[0] != colours[1]
        assert light(tab, "rule-card") > 0
        assert colours[2] != "none"


@pytest.mark.smoke
def test_everything_is_there_without_scripts(view: Any) -> None:
    tab = view("cards", java_script_enabled=False)
    assert tab.locator("rule-card").count() == sum(one.block.shown for one in card_book.blocks())
    assert tab.locator(".rw-die").first.is_visible()
    assert tab.get_by_text("1 botch = 4").first.is_visible()


def test_what_readers_search_for_is_not_the_text_of_cards(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert "A handful" in index
    assert "How it comes about" not in index
    assert "How likely it was" not in index


RULES = """texts => texts.map(text => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(text)
    return [...sheet.cssRules].map(one => one.cssText.replaceAll(", ", ","))
})"""


@pytest.mark.parametrize("name", ["rulewright", "reading", "generated", "book"])
def test_styles_say_the_same_when_they_are_small(browser: Any, name: str) -> None:
    file = ROOT / "plugin" / "rulewright" / "web" / f"{name}.css"
    tab = browser.new_page()
    whole, small = tab.evaluate(RULES, [file.read_text("utf-8"), read_asset(file)])
    tab.close()
    assert whole == small
    assert len(whole) > 5
    assert len(read_asset(file)) < 0.85 * len(file.read_bytes())


def test_cards_need_neither_scripts_nor_styles_of_their_own(browser: Any, tmp_path: Path) -> None:
    """Under a strict policy nothing is refused, and the style sheet works without any theme."""
    style = ROOT / "plugin" / "rulewright" / "web" / "rulewright.css"
    (tmp_path / "rulewright.css").write_bytes(style.read_bytes())
    cards = "".join(render_card(one, read_words("en")) for one in card_book.blocks())
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>Cards</title>'
    page = f'<!doctype html><html lang="en"><head>{head}<link rel="stylesheet" href="rulewright.css"></head>'
    (tmp_path / "index.html").write_text(f"{page}<body><main>{cards}</main></body></html>", encoding="utf-8")
    with served(tmp_path) as address:
        tab = browser.new_page()
        refused: list[str] = []
        tab.on("console", lambda said: refused.append(said.text) if "favicon" not in said.text else None)
        tab.goto(f"{address}/index.html")
        die = tab.locator(".rw-die").first
        assert die.bounding_box()["width"] == pytest.approx(26, abs=1)
        assert die.locator(".rw-body").evaluate("one => getComputedStyle(one).fill") != "none"
        assert [text for text in refused if "Content Security Policy" in text] == []
        tab.close()


ROLLED = "rule-card[data-button]:not(.rw-oneline)"
CONTROLS = """card => [...card.querySelectorAll('button, summary, input, select, a, [tabindex]')]
    .filter(one => !one.closest('.rw-row')).length"""
TOPS = (
    "[...document.querySelectorAll('article > :is(h1, h2, p)')].map(one => one.getBoundingClientRect().top + scrollY)"
)
REPLAY = """async (card, link) => {
    await card.open()
    card.card.replay(new URLSearchParams(link))
}"""
READ = r"""card => ['.rw-scene', '.rw-how'].map(css => {
    const part = card.querySelector(css)?.cloneNode(true)
    for (const own of part?.querySelectorAll('button, .rw-asking') ?? []) own.remove()
    for (const own of part?.querySelectorAll('a') ?? []) own.replaceWith(...own.childNodes)
    return part?.textContent.replace(/\s+/g, '') ?? ''
})"""


def height(card: Any) -> float:
    return float(card.bounding_box()["height"])


@pytest.mark.smoke
def test_a_roll_replaces_the_printed_dice_and_goes_back(view: Any) -> None:
    tab = view("cards", 390)
    card = tab.locator(ROLLED).first
    scene, title = card.locator(":scope > .rw-scene"), card.locator(".rw-title").first
    printed, name = scene.inner_text(), title.inner_text()
    assert not card.locator(".rw-chip > button").count()
    card.locator(".rw-roll").click()
    card.get_by_role("button", name="Show the book’s roll").wait_for()
    assert title.inner_text().startswith("Your roll")
    assert card.locator(".rw-heard").inner_text().startswith(scene.locator(".rw-outcome strong").inner_text())
    assert scene.locator("[role=status], [aria-live]").count() == 0, "the result is said once"
    unfold(card, "6 dice").get_by_role("button", name="more").click()
    assert card.locator(".rw-chip").first.inner_text() == "7 dice"
    card.get_by_role("button", name="Show the book’s roll").click()
    assert (scene.inner_text(), title.inner_text()) == (printed, name)
    assert card.locator(".rw-chip").first.inner_text() == "6 dice"
    assert tab.evaluate("document.activeElement.matches('.rw-roll')")


@pytest.mark.smoke
def test_two_controls_before_the_first_touch(view: Any) -> None:
    tab = view("cards", 390)
    for card in tab.locator(ROLLED).all():
        rows, links = card.locator(".rw-rows").count(), card.locator("a").count()
        assert card.evaluate(CONTROLS) == 2 + rows + links


@pytest.mark.parametrize(
    ("scheme", "most"), [pytest.param("light", 2, marks=pytest.mark.smoke), ("light", None), ("dark", None)]
)
def test_nothing_moves_and_nothing_is_tall(view: Any, scheme: str, most: int | None) -> None:
    """160 pixels closed and after a roll, 230 with a chip open, with up to eight dice in one line.

    "More" shows all inputs that have no chip, so it may be as high as five lines of them.
    """
    tab = view("cards", 390, scheme)
    plain = [card for card in tab.locator(ROLLED).all() if not card.locator(".rw-note, .rw-side").count()]
    dice = [card.locator(":scope > .rw-scene > .rw-dice") for card in plain]  # those of a roller are still to come
    cards = [card for card, line in zip(plain, dice, strict=True) if line.count() and line.locator("svg").count() <= 8][
        :most
    ]
    before, tall = tab.evaluate(TOPS), 0
    for card in cards:
        assert height(card) <= 160
        card.evaluate("card => (card.setAttribute('seed', '1'), card.open())")
        assert tab.evaluate(TOPS) == pytest.approx(before, abs=0.5), "a touch moves nothing"
        for chip in card.locator(".rw-chip > [aria-expanded]").all():
            chip.click()
            assert height(card) <= (480 if chip.inner_text() == "More" else 230)
            chip.click()
        card.locator(".rw-roll").click()
        if card.locator(".rw-die").count() <= 8 and not card.locator(".rw-asking > *").count():
            tall += 1
            assert height(card) <= 160
            assert tab.evaluate(TOPS) == pytest.approx(before, abs=0.5), "nor does a roll"
        if card.locator(".rw-back").count():
            card.locator(".rw-back").click()
        before = tab.evaluate(TOPS)
    assert tall >= (most or 5)
    assert axe(tab, contrast=scheme == "dark") == []


@pytest.mark.smoke
def test_keys_reach_everything_and_escape_closes_it(view: Any) -> None:
    tab = view("cards", 390)
    card = tab.locator(ROLLED).first
    here = "document.activeElement"
    card.locator(".rw-roll").focus()
    card.locator(".rw-chip > button").first.wait_for()
    card.locator(".rw-chip > button").first.focus()
    tab.keyboard.press("Enter")
    assert tab.evaluate(f"{here}.matches('.rw-open button')")
    tab.keyboard.press("Escape")
    assert tab.evaluate(f"{here}.textContent") == "6 dice"
    assert not card.locator(".rw-open").is_visible()
    card.locator(".rw-menu > summary").first.focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate(f"{here}.textContent") == "Type your dice"
    tab.keyboard.press("Escape")
    assert tab.evaluate(f"{here}.matches('.rw-menu > summary')")
    assert not card.locator(".rw-menu-buttons").is_visible()
    printed = card.locator(".rw-scene").first.inner_text()
    type_dice(tab, card)
    tab.keyboard.press("Escape")
    assert card.locator(".rw-scene").first.inner_text() == printed
    assert tab.evaluate(f"{here}.matches('.rw-roll')")
    tab.keyboard.press("Enter")
    assert tab.evaluate(f"{here}.matches('.rw-roll')")


def test_a_browser_explains_a_roll_as_the_page_does(view: Any) -> None:
    """Dice, outcome, why and how it works out: the printed roll, rolled again with its own dice."""
    tab, same = view("cards"), 0
    hosts = {(block.block.id): block for block in card_book.blocks() if block.block.kind == "example"}
    rolls = [move for block in hosts.values() if block.status == "passed" for move in block.moves[:1]]
    for card in tab.locator(f"{ROLLED}[data-kind=example]").all():
        inputs = card.get_attribute("data-inputs")
        found = [move for move in rolls if move.result and not move.sides and urlencode(dict(move.inputs)) == inputs]
        for move in found if len(found) == 1 else ():
            result = move.result
            assert result
            thrown = {"dice": result.dice, "rerolled": result.rerolled, "declined": result.roll.declined or ""}
            link = f"{inputs}&{urlencode(thrown)}"
            before = card.evaluate(READ)
            card.evaluate(REPLAY, link)
            assert card.evaluate(READ) == before
            same += 1
    assert same >= 5

"""How high a card is on a phone: three lines, and nothing moves when the button comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import card_book
from example_counts import sample
from rulewright.render.cards.card import render_card
from rulewright.render.strings import read_words

STYLE = Path(__file__).parent.parent / "plugin" / "rulewright" / "web" / "rulewright.css"
FENCE = "```"
MOST = 160  # pixels
EIGHT_DICE = "game: maelstrom\npool: 8\ndifficulty: 7\ndice: 7 8 1 4 9 10 3 2\ndegree: 3"
LONG_TITLE = f"title: Two successes and two botches, one of them unpaid\n{EIGHT_DICE}"
EXPLODING = "game: wild-die\nrule: check\ncode: 7D+1\ndifficulty: 20\ndice: regular 4 2 5 1 3 6 | wild 6+3\ntotal: 31"
CONTEST = """\
title: A tie, and another round
game: ingenuity
rule: contest
side Arnbjorg: attribute d6, skill d4, proficiency 2, luck no, dice 5 4, dice 3 1
side Runa: attribute d8, proficiency 5, luck no, dice 6, dice 2
winner: Runa"""
WHAT_IFS = f"{LONG_TITLE}\ninstead:\n  difficulty: 8\n  degree: 1\nthen:\n  pool: 1\n  dice: 9\n  degree: 1"
THREE_LINES = "Evade: reached is enough for the attacker, so the defender has to be better"
LONG_CONTEST = CONTEST.replace("A tie, and another round", THREE_LINES)
WRONG = f"wrong: the one takes a success away, and the botches are what somebody forgot\n{EIGHT_DICE}0"
SHORT_CONTEST = "game: step-dice\nrule: contest\nside A: die d6, dice 3\nside B: die d8, dice 2\nwinner: A"
CARDS = [LONG_TITLE, EIGHT_DICE, EXPLODING, LONG_CONTEST, CONTEST, WRONG, WHAT_IFS]
BUTTON = """() => document.querySelector(".rw-result").insertAdjacentHTML("beforeend",
    '<button class="rw-roll" style="box-sizing: border-box; height: 44px; min-width: 44px">Roll</button>')"""


@pytest.fixture(scope="module")
def show(browser: Any) -> Iterator[Any]:
    """`show(example)` fills the page with this card, as wide as that of a phone; a new page costs far more."""
    tab = browser.new_page(viewport={"width": 390, "height": 800})

    def opened(example: str) -> Any:
        checked = card_book.of_text(f"# Page\n\n{FENCE}example\n{example}\n{FENCE}\n")
        card = render_card(checked, read_words("en"))
        style = f"<style>body {{ margin: 0 16px }} {STYLE.read_text('utf-8')}</style>"
        tab.set_content(f'<!doctype html><html lang="en"><body>{style}{card}<p id="after">Text</p></body></html>')
        return tab

    yield opened
    tab.close()


def height(tab: Any, selector: str = "rule-card") -> float:
    measured: float = tab.locator(selector).bounding_box()["height"]
    return measured


@pytest.mark.smoke
@pytest.mark.parametrize("example", sample(CARDS, 3))
def test_a_card_is_three_lines_high(show: Any, example: str) -> None:
    tab = show(example)
    assert tab.locator(".rw-die").count() >= 6
    assert 80 < height(tab) <= MOST
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.smoke
def test_all_of_a_long_title_and_a_note_is_in_the_open_menu(show: Any) -> None:
    tab = show(f"{WRONG}\ntitle: {THREE_LINES}")
    closed = height(tab, ".rw-title"), height(tab, ".rw-note >> nth=0")
    assert not tab.locator(".rw-odds").is_visible()
    tab.locator(".rw-menu > summary").click()
    assert height(tab, ".rw-title") > closed[0] + 10
    assert height(tab, ".rw-note >> nth=0") > closed[1] + 10
    assert tab.locator(".rw-odds").is_visible()


@pytest.mark.smoke
@pytest.mark.parametrize("example", [EIGHT_DICE, CONTEST])
def test_the_button_moves_nothing(show: Any, example: str) -> None:
    tab = show(example)
    before = tab.locator("#after").bounding_box()["y"]
    tab.evaluate(BUTTON)
    assert height(tab, ".rw-roll") == 44
    assert tab.locator("#after").bounding_box()["y"] == before


@pytest.mark.smoke
def test_the_button_of_a_contest_is_at_the_right_edge(show: Any) -> None:
    """Also beside a title of one line, where the menu is beside the sides."""
    tab = show(SHORT_CONTEST)
    tab.evaluate(BUTTON)
    card, roll = tab.locator("rule-card").bounding_box(), tab.locator(".rw-roll").bounding_box()
    assert card["x"] + card["width"] - roll["x"] - roll["width"] < 16


@pytest.mark.smoke
def test_what_opens_further_rolls_is_found_by_a_finger(show: Any) -> None:
    tab = show(WHAT_IFS)
    tab.evaluate(BUTTON)
    opener, roll = tab.locator(".rw-rows > summary").bounding_box(), tab.locator(".rw-roll").bounding_box()
    assert min(opener["width"], opener["height"]) >= 44
    assert opener["y"] >= roll["y"] + roll["height"] - 1, "and lies beside no other target"
    closed = height(tab)
    tab.locator(".rw-rows > summary").click()
    assert tab.locator(".rw-row .rw-outcome").last.is_visible()
    assert height(tab) > closed + 100


@pytest.mark.smoke
def test_dice_shrink_and_chips_unfold_with_the_menu(show: Any) -> None:
    """Eight dice are on one line; the chips are too until the menu is open."""
    tab = show(f"{LONG_TITLE}\nraised: 0\nthreshold: 0".replace("10", "9"))
    tops = {round(die.bounding_box()["y"]) for die in tab.locator(".rw-die").all()}
    assert len(tops) == 1
    assert len(tab.locator(".rw-die").all()) == 8
    closed = height(tab, ".rw-chips")
    tab.locator(".rw-menu > summary").click()
    assert height(tab, ".rw-chips") > closed

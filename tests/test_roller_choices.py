"""Rolls with choices in a browser: aims of rolls, dice on the table while a question is open, chips, focus."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import served
from roller_page import WAKE, menu, type_dice
from rulewright.cli import main

GAME = """\
title = "Choices"
[rules.better]
label = "Better"
aim = "mean(score)"
[rules.better.dice]
d = { sides = 4 }
[[rules.better.again]]
roll = "reroll"
pick = "any"
keep = "better"
[rules.better.steps]
score = "sum(d)"
[rules.better.outcomes]
high = { when = "score > 2" }
low = {}
[rules.duel]
label = "Duel"
[rules.duel.rolls]
you = { rule = "better" }
[rules.duel.steps]
margin = "you.score"
[rules.duel.outcomes]
win = { when = "margin > 3" }
lose = {}

[rules.formula]
label = "Formula"
aim = "mean(harm)"
[rules.formula.inputs]
more = { label = "More dice", flag = true, asked = "sum(dmg) > 0" }
[rules.formula.dice]
d20 = { sides = 20 }
dmg = { count = 2, sides = "if(sum(d20) > 1, 8, 6)" }
plus = { count = "more", sides = 4 }
[rules.formula.steps]
harm = "sum(d20) + sum(dmg) + sum(plus)"
[rules.step]
label = "Step"
aim = "mean(harm)"
[rules.step.inputs]
more = { label = "More dice", flag = true, asked = "sum(dmg) > 0" }
[rules.step.dice]
d20 = { sides = 20 }
dmg = { count = 2, sides = "side" }
plus = { count = "more", sides = 4 }
[rules.step.steps]
side = "if(sum(d20) > 1, 8, 6)"
harm = "sum(d20) + sum(dmg) + sum(plus)"
[rules.rounds]
label = "Rounds"
aim = "mean(total)"
carry = { size = "min(size + 2, 8)" }
most = 3
until = "stop"
[rules.rounds.inputs]
size = { label = "Size", min = 4, max = 8, default = 4 }
stop = { label = "Stop", flag = true, asked = "sum(d) > 0" }
[rules.rounds.dice]
d = { sides = "size" }
[rules.rounds.steps]
total = "sum(d)"
[rules.signs]
label = "Signs"
aim = "mean(good)"
[rules.signs.inputs]
more = { label = "More dice", flag = true, asked = "count(s: face = '++') > 0" }
[rules.signs.dice]
s = { count = 2, faces = ["++", "a>b"] }
x = { sides = 6, again = { when = "face = 6", roll = "explode" } }
plus = { count = "more", sides = 4 }
[rules.signs.steps]
good = "count(s: face = '++') + sum(x) + sum(plus)"
[rules.wide]
label = "Wide"
[rules.wide.inputs]
strength = { label = "Strength", min = 1, max = 9, default = 2 }
difficulty = { label = "Difficulty of the thing", min = 1, max = 9, default = 2 }
circumstances = { label = "Circumstances around", min = 1, max = 9, default = 2 }
weather = { label = "The weather outside", min = 1, max = 9, default = 2 }
armor = { label = "Armor of the other", min = 1, max = 9, default = 2 }
late = { label = "Late", min = 1, max = 9, default = 2 }
[rules.wide.dice]
die = { sides = 20 }
[rules.wide.steps]
total = "sum(die) + strength - difficulty + circumstances + weather - armor + late"
"""
CARDS = "".join(f"```roller\nrule: {name}\n```\n\n" for name in ("formula", "step", "rounds", "signs"))
WIDE = "```roller\nrule: wide\nstrength: 3\ndifficulty: 4\ncircumstances: 5\nweather: 6\narmor: 7\n```\n\n"
BOOK = f"# Choices\n\n```roller\nrule: duel\nyou.aim: -mean(score)\n```\n\n{CARDS}{WIDE}"
ROLL = "(card, link) => card.card.replay(new URLSearchParams(link))"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("choices") / "book"
    folder.mkdir()
    (folder.parent / "site").mkdir()
    (folder / "game.toml").write_text(GAME, "utf-8")
    (folder / "index.md").write_text(BOOK, "utf-8")
    assert main(["export", "html", str(folder), "-o", str(folder.parent / "site" / "index.html")]) == 0
    return folder


@pytest.fixture
def tab(browser: Any, book: Path) -> Iterator[Any]:
    """The book as a single file, on a phone; nothing complains."""
    complaints: list[str] = []
    with served(book.parent / "site") as address:
        context = browser.new_context(
            viewport={"width": 380, "height": 700},
            reduced_motion="reduce",
            permissions=["clipboard-read", "clipboard-write"],
        )
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/index.html")
        page.evaluate(WAKE)
        yield page
        context.close()
    assert not complaints


def of(page: Any, rule: str) -> Any:
    return page.locator(f"rule-card[data-rule={rule}]")


def titles(card: Any) -> list[str]:
    """The dice that are drawn."""
    return [str(one) for one in card.locator(".rw-scene .rw-die title").all_text_contents()]


def copied(tab: Any, card: Any, name: str) -> str:
    menu(card).get_by_role("button", name=name).click()
    return str(tab.evaluate("navigator.clipboard.readText()"))


def test_a_card_with_an_aim_of_a_roll_is_rolled_explained_and_copied(tab: Any, book: Path) -> None:
    card = of(tab, "duel")
    card.locator(".rw-roll").click()
    card.locator(".rw-outcome, .rw-asking button").first.wait_for()
    while card.locator(".rw-asking button").count():
        card.locator(".rw-asking button").first.click()
    menu(card).locator(".rw-how > div").first.wait_for()
    before = card.locator(".rw-result").inner_text()
    example, link = copied(tab, card, "Copy as example"), copied(tab, card, "Copy link").partition("?")[2]
    assert "\nyou.aim: -mean(score)\n" in example
    assert "you.aim=-mean%28score%29" in link
    (book / "index.md").write_text(f"{BOOK}\n{example}", "utf-8")
    assert main(["check", str(book)]) == 0
    card.evaluate(ROLL, link)
    assert card.locator(".rw-result").inner_text() == before
    assert menu(card).locator(".rw-how > div").count()


@pytest.mark.parametrize("rule", ["formula", "step"])
@pytest.mark.parametrize(
    ("first", "second", "drawn"), [("5", "8 7", ["8 on a d8", "7 on a d8"]), ("1", "6 2", ["6 on a d6", "2 on a d6"])]
)
def test_dice_whose_sides_other_dice_decide_are_drawn_while_a_question_is_open(
    tab: Any, rule: str, first: str, second: str, drawn: list[str]
) -> None:
    card = of(tab, rule)
    type_dice(tab, card, first, second)
    card.get_by_role("button", name="no", exact=True).wait_for()
    assert titles(card) == [f"{first} on a d20", *drawn]
    card.get_by_role("button", name="no", exact=True).click()
    assert titles(card) == [f"{first} on a d20", *drawn]


def test_dice_of_a_later_round_are_drawn_with_what_was_carried(tab: Any) -> None:
    card = of(tab, "rounds")
    type_dice(tab, card, "4")
    assert titles(card) == ["4 on a d4"]
    card.get_by_role("button", name="no", exact=True).click()
    tab.keyboard.type("6")
    tab.keyboard.press("Enter")
    card.get_by_role("button", name="yes", exact=True).wait_for()
    assert titles(card) == ["6 on a d6"]


def test_a_face_that_holds_a_sign_is_one_die(tab: Any) -> None:
    card = of(tab, "signs")
    type_dice(tab, card, "++ a>b", "6 2")
    card.get_by_role("button", name="no", exact=True).wait_for()
    assert titles(card) == ["++", "a>b", "6 on a d6", "2 on a d6: rolled again"]


CUT_OFF = """(chip, room) => {
    const more = chip.parentElement.querySelector("[data-input=more]")
    chip.parentElement.scrollLeft += chip.getBoundingClientRect().left - more.getBoundingClientRect().left + room
    return chip.parentElement.scrollLeft
}"""


@pytest.mark.parametrize("name", ["circumstances", "weather"])
def test_a_chip_that_is_cut_off_can_be_pressed_and_reached_by_key(tab: Any, name: str) -> None:
    """A mouse does not move it away before the button is released; keys bring it in front of "More"."""
    card = of(tab, "wide")
    chips, chip = card.locator(".rw-chips"), card.locator(f".rw-chip[data-input={name}]")
    card.scroll_into_view_if_needed()
    before = chip.evaluate(CUT_OFF, 40)
    box, more = chip.bounding_box(), card.locator("[data-input=more]").bounding_box()
    assert box["x"] + 12 < more["x"] < box["x"] + box["width"]
    tab.mouse.move(box["x"] + 12, box["y"] + box["height"] / 2)
    tab.mouse.down()
    tab.wait_for_timeout(50)
    assert chips.evaluate("chips => chips.scrollLeft") == before
    tab.mouse.up()
    assert chip.locator("button").get_attribute("aria-expanded") == "true"
    tab.keyboard.press("Escape")
    chips.evaluate("chips => { chips.scrollLeft = 0; chips.querySelector('button').focus() }")
    while not chip.locator("button").evaluate("button => button === document.activeElement"):
        tab.keyboard.press("Tab")
    box = chip.bounding_box()
    assert chips.bounding_box()["x"] <= box["x"] + 1
    assert box["x"] + box["width"] <= more["x"]


RING = """button => {
    const { backgroundColor, outlineColor, outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(button)
    return [outlineStyle, parseFloat(outlineOffset) + parseFloat(outlineWidth), outlineColor, backgroundColor]
}"""


def luminance(color: str) -> float:
    """As WCAG has it, of rgb(…)."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_of_roll_is_seen(tab: Any, scheme: str) -> None:
    """The ring is within the button, and stands out from it."""
    tab.emulate_media(color_scheme=scheme)
    button = of(tab, "wide").locator(".rw-roll")
    button.focus()
    style, edge, *colors = button.evaluate(RING)
    assert (style, edge <= 0) == ("solid", True)
    dark, light = sorted(luminance(color) for color in colors)
    assert (light + 0.05) / (dark + 0.05) >= 3

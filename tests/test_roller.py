"""The roller in a real browser: what it rolls, what it asks for, what it tells, and who can use it."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from mkdocs.__main__ import cli

import card_book
from browser import axe, axe_without_theme, served
from built_site import build
from example_counts import sample
from roller_page import WAKE, control, figures, menu, result_of, type_dice, unfold
from rulewright.cli import main
from rulewright.compile.book import compile_book
from rulewright.render.content_policy import POLICY_META
from rulewright.render.scripts import (
    DICE,
    LOADER,
    ROLLER,
    DiceScripts,
    PageRolls,
    order_modules,
    read_module,
    script_text,
    site_styles,
    words_json,
)
from rulewright.render.strings import read_words
from small_book import BLOCK

ROOT = Path(__file__).parent.parent
WEB = ROOT / "plugin" / "rulewright" / "web"
SETTINGS = """\
site_name: Book
site_url: http://127.0.0.1/
use_directory_urls: false
theme: {name: material, font: false, palette: {scheme: default}, features: [navigation.instant], custom_dir: look}
plugins: [rulewright: {policy: on, dice: on}]
"""
ACTION = ("maelstrom/action", {"pool": "5", "difficulty": "6"})
RULES = [
    ACTION,
    ("maelstrom/action", {"pool": "9", "difficulty": "7", "specialty": "yes", "threshold": "1"}),
    ("maelstrom-first-edition/action", {"pool": "6", "specialty": "yes"}),
    ("wild-die/check", {"code": "5D+2", "difficulty": "Easy"}),
    ("step-dice/check", {"die": "d4", "target": "6"}),
    ("ingenuity/test", {"attribute": "d8", "skill": "d6", "difficulty": "Hard", "disadvantage": "1"}),
    ("fate/fate", {"skill": "2", "against": "Fair"}),
    ("fate/all", {}),
    ("ingenuity/contest", {"first.attribute": "d8", "second.attribute": "d6", "second.proficiency": "1"}),
]
OPEN = ("wild-die/check", {"code": "5D+2"})
AGAIN = ("ingenuity/test", {"attribute": "d8", "skill": "d6", "difficulty": "6", "advantage": "1"})
FIRST = ("maelstrom-first-edition/action", {"pool": "2", "specialty": "yes"})
LINK = "Try [five dice](roll:maelstrom/action?pool=5&difficulty=8) now.\n"
OWN = """\
# Coins

```game
title = "Coins"
[rules.toss.inputs]
coins = { min = 1, max = 9, default = 3 }
[rules.toss.dice.coin]
count = "coins"
sides = 2
[rules.toss.steps]
heads = "count(coin: face = 2)"
[rules.toss.outcomes]
win = { when = "heads >= 2" }
loss = {}
```

```roller
rule: toss
```
"""
DAMAGE = """\
# Damage

A blade does 2d6+3, a fall 1d100, and `3d6` is code. There is no 2d1 and no 2d6x; RD3 is a robot, and a d6 is a die.

| d6 | what is hit |
| --- | --- |
| 1 | the head |
| 2–4 | the body |
| 5+ | nothing |

| d8 | no results |
| --- | --- |
| dice | are named here |
"""
DUEL = """\
```game
title = "Duel"
[traits.arms]
names = ["Blade", "Staff"]
[rules.blow]
traits = { into = "skill" }
[rules.blow.inputs]
skill = { min = 0, max = 9 }
[rules.blow.dice]
die = { sides = 6 }
[rules.blow.steps]
total = "sum(die) + skill"
[rules.duel]
contest = { of = "blow", compare = "total", ties = "again" }
```
"""
SIGNS = """\
```game
title = "Signs"

[rules.check.inputs]
dc = { min = 1, max = 30, default = 10, label = "DC" }
bonus = { min = -5, max = 9, default = 0, label = "Bonus" }
circumstances = { min = -5, max = 9, default = 0, label = "Circumstances" }
equipment = { min = -5, max = 9, default = 0, label = "Equipment" }
weather = { min = -5, max = 9, default = 0, label = "Weather" }
[rules.check.dice.d20]
count = 1
sides = 20
[rules.check.steps]
total = "sum(d20) + bonus + circumstances + equipment + weather"
[rules.check.outcomes]
success = { when = "total >= dc" }
failure = {}
```
"""
SIGNED_ROLL = """\
```example
DC: 15
bonus: +5
circumstances: +1
equipment: +1
dice: 12
outcome: success
```
"""
NEEDY = """\
```game
title = "Needy"
[rules.test.inputs]
skill = { label = "Skill", min = 1, max = 8 }
[rules.test.dice]
d6 = { count = 2, sides = 6 }
[rules.test.steps]
total = "sum(d6) + skill"
[rules.duel]
contest = { of = "test", compare = "total", ties = "first" }
[rules.guess.inputs]
trained = { flag = true, default = true }
skill = { label = "Skill", min = 1, max = 8 }
hope = { label = "Hope", min = 1, max = 8, open = true }
[rules.guess.dice]
d6 = { count = 1, sides = 6 }
[rules.guess.steps]
total = "sum(d6) + if(trained, skill, 0)"
sure = "total > hope"
hoped = "sum(d6) + hope"
[rules.hopes]
contest = { of = "guess", compare = "hoped", ties = "first" }
[rules.many.inputs]
pool = { label = "Dice", min = 1, max = 8 }
aim = { label = "Aim", min = 1, max = 6, open = true }
[rules.many.dice]
d6 = { count = "pool", sides = 6 }
[rules.many.steps]
hits = "count(d6: face >= aim)"
[rules.both]
contest = { of = "many", compare = "hits", ties = "first" }
```
"""
PUT = """async ([game, rule, inputs, seed]) => {
    document.querySelectorAll('.under-test').forEach(one => one.remove())
    const made = document.createElement('rule-card')
    made.className = 'rw-card under-test'
    Object.assign(made.dataset, {kind: 'roller', game, rule, inputs, button: 'Roll'})
    if (seed !== null) made.setAttribute('seed', seed)
    document.querySelector('article').append(made)
    await made.open()
}"""

# The dice of every page fall as they did yesterday: what rare throws do is tried with seeds of their own.
SAME_DICE = """(() => {
    let state = 2463534242
    const next = () => (state ^= state << 13, state ^= state >>> 17, state ^= state << 5)
    crypto.getRandomValues = array => { for (const at of array.keys()) array[at] = next(); return array }
})()"""

MADE = "site_name: Book\ntheme: {name: material, font: false}\nplugins: [rulewright]\n"

Asked = tuple[str, dict[str, str]]


def block(asked: Asked) -> str:
    game, rule = asked[0].split("/")
    told = "".join(f"{name}: {value}\n" for name, value in asked[1].items() if "." not in name)
    return f"```roller\ngame: {game}\nrule: {rule}\n{told}```\n"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book with a page of rollers, one of cards and one without dice, built under a strict policy."""
    place = tmp_path_factory.mktemp("roller")
    docs = card_book.write(place / "docs")
    (docs / "index.md").rename(docs / "cards.md")
    rollers = "\n".join(block(asked) for asked in [*RULES, OPEN])
    (docs / "index.md").write_text(f"# Rollers\n\n{rollers}\n{LINK}\n[plain](plain.md) [cards](cards.md)\n", "utf-8")
    (docs / "damage.md").write_text(DAMAGE, encoding="utf-8")
    (docs / "own.md").write_text(OWN, encoding="utf-8")
    (docs / "plain.md").write_text("# Plain\n\nNothing to roll. [back](index.md)\n", encoding="utf-8")
    (place / "look").mkdir()
    (place / "look" / "main.html").write_text(
        f'{{% extends "base.html" %}}{{% block extrahead %}}{POLICY_META}{{% endblock %}}', encoding="utf-8"
    )
    (place / "mkdocs.yml").write_text(SETTINGS.replace("look}", f"{place / 'look'}}}"), encoding="utf-8")
    try:
        made = CliRunner().invoke(cli, ["build", "-q", "-f", str(place / "mkdocs.yml"), "-d", str(place / "site")])
    finally:
        logging.getLogger("mkdocs").handlers.clear()
    assert made.exit_code == 0, made.output
    return place


@pytest.fixture(scope="module")
def address(book: Path) -> Iterator[str]:
    with served(book / "site") as address:
        for path in [
            *(book / "site").glob("*.html"),
            book / "site" / "sitemap.xml",
        ]:  # the address was not known before
            path.write_text(path.read_text("utf-8").replace("http://127.0.0.1/", f"{address}/"), encoding="utf-8")
        yield address


@pytest.fixture(scope="module")
def context(browser: Any) -> Iterator[Any]:
    opened = browser.new_context(
        viewport={"width": 390, "height": 800},
        reduced_motion="reduce",
        permissions=["clipboard-read", "clipboard-write"],
    )
    opened.set_default_timeout(30_000)
    opened.add_init_script(SAME_DICE)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with a thousand dice at once."""
    site = build(tmp_path_factory.mktemp("fair"), {"index.md": FAIR}, settings=MADE)
    assert site.code == 0, site.said
    return (site.folder / "index.html").as_uri()


@pytest.fixture
def tab(context: Any, address: str) -> Iterator[Any]:
    """The page of rollers; it speaks to nobody else, and nothing on it complains."""
    complaints: list[str] = []
    page = context.new_page()
    page.on("request", lambda asked: None if asked.url.startswith(address) else complaints.append(asked.url))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}/index.html")
    yield page
    page.close()
    assert not complaints


def put(tab: Any, asked: Asked, seed: int | None = 1) -> Any:
    """A fresh card on the page, which a reader has touched."""
    game, rule = asked[0].split("/")
    tab.evaluate(PUT, [game, rule, urlencode(asked[1]), seed])
    return tab.locator(".under-test")


def rolled(tab: Any, asked: Asked, seed: int) -> Any:
    """A roll of which every optional die is thrown."""
    roller = put(tab, asked, seed)
    roller.locator(".rw-roll").click()
    while not roller.locator(".rw-outcome").count():
        roller.locator(".rw-asking .rw-button").first.click()
    return roller


def copied(tab: Any, roller: Any, name: str = "Copy as example") -> str:
    menu(roller).get_by_role("button", name=name).click()
    roller.get_by_text("Copied.").first.wait_for()
    return str(tab.evaluate("navigator.clipboard.readText()"))


def by_python(
    book: Path, asked: Asked, seed: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    monkeypatch.chdir(book / "docs")
    told = [f"{name}={value}" for name, value in asked[1].items()]
    assert main(["roll", asked[0], *told, "--seed", str(seed), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.smoke
@pytest.mark.parametrize("asked", sample(RULES, 9), ids=lambda asked: asked[0])
def test_a_seeded_roll_is_that_of_the_command_line(
    tab: Any, book: Path, asked: Asked, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is copied is a block that the rules agree with."""
    texts = []
    for seed in (1, 7, 2**31):
        found = by_python(book, asked, seed, capsys, monkeypatch)
        text = copied(tab, rolled(tab, asked, seed))
        lines = text.splitlines()
        if "winner" in found or "contest" in asked[0]:
            assert f"winner: {found['winner']}" in lines
        else:
            assert f"dice: {found['record']['dice']}" in lines
            assert (f"outcome: {found['result']['outcome']}" in lines) == bool(found["result"]["outcome"])
        texts.append(text)
    page = book / "docs" / "copied.md"
    page.write_text("# Copied\n\n" + "\n".join(texts), encoding="utf-8")
    try:
        checked = [
            one for one in compile_book([book / "docs"], book).blocks if one.block.span.source.path.endswith(page.name)
        ]
    finally:
        page.unlink()
    assert [one.status for one in checked] == ["passed"] * 3, [one.problems for one in checked]


def test_a_game_that_stands_in_the_page_rolls(tab: Any, book: Path, address: str) -> None:
    tab.goto(f"{address}/own.html")
    roller = tab.locator("rule-card")
    roller.locator(".rw-roll").click()
    roller.locator(".rw-outcome").wait_for()
    text = copied(tab, roller)
    page = book / "docs" / "own.md"
    try:
        page.write_text(f"{OWN}\n{text}", encoding="utf-8")
        (checked,) = [one for one in compile_book([page], book).blocks if one.block.kind == "example"]
    finally:
        page.write_text(OWN, encoding="utf-8")
    assert checked.status == "passed", checked.problems


@pytest.mark.smoke
def test_typed_dice_are_asked_for_with_those_they_earn(tab: Any) -> None:
    roller = put(tab, ("maelstrom/action", {"pool": "3", "specialty": "yes"}))
    type_dice(tab, roller)
    assert "Throw regular: 3" in roller.inner_text()
    tab.keyboard.type("10 4 1")
    tab.keyboard.press("Enter")
    assert "Earned: throw bonus: 2 more" in roller.inner_text()
    tab.keyboard.type("11")
    tab.keyboard.press("Enter")
    assert 'no bonus die shows "11": its faces go from 1 to 10' in roller.get_by_role("alert").inner_text()
    tab.keyboard.type("8")
    tab.keyboard.press("Enter")
    tab.keyboard.type("2 5")
    tab.keyboard.press("Enter")
    assert roller.locator(".rw-heard").inner_text().startswith("Success, degree 1 · regular 10 4 1 | bonus 8 2")
    assert "Nothing asks for these faces any more: 5." in roller.get_by_role("alert").inner_text()


def test_a_complaint_goes_with_what_it_is_about(tab: Any) -> None:
    roller = put(tab, ("maelstrom/action", {"pool": "1"}))
    type_dice(tab, roller)
    tab.keyboard.type("11")
    tab.keyboard.press("Enter")
    assert roller.get_by_role("alert").count() == 1
    tab.keyboard.type("8")
    assert not roller.get_by_role("alert").count()
    tab.keyboard.type(" 5")
    tab.keyboard.press("Enter")
    assert "any more: 5." in roller.get_by_role("alert").inner_text()
    control(roller, "Difficulty").fill("7")
    assert not roller.get_by_role("alert").count()


@pytest.mark.parametrize("fragment", ["maelstrom/action?pool=99", "maelstrom/nothing?pool=3"])
def test_a_complaint_about_a_link_goes_with_the_link(tab: Any, fragment: str) -> None:
    tab.evaluate("text => { location.hash = 'roll:' + text }", fragment)
    tab.get_by_role("alert").wait_for()
    assert "alert" in tab.locator("body").aria_snapshot()
    tab.evaluate("location.hash = 'further'")
    tab.get_by_role("alert").wait_for(state="detached")
    assert "alert" not in tab.locator("body").aria_snapshot()


def test_choices_are_buttons(tab: Any) -> None:
    roller = put(tab, AGAIN)
    type_dice(tab, roller)
    tab.keyboard.type("2 5 11")
    tab.keyboard.press("Enter")
    assert roller.locator(".rw-choices .rw-button").all_inner_texts() == ["attribute 2", "skill 5", "None"]
    roller.get_by_role("button", name="attribute 2").click()
    tab.keyboard.type("8")
    tab.keyboard.press("Enter")
    assert "rerolled: attribute 2 -> 8" in copied(tab, roller)


@pytest.mark.parametrize(
    ("second", "shown"),
    [("8", ["2 on a d8: does not count", "8 on a d8"]), ("1", ["2 on a d8", "1 on a d8: does not count"])],
)
def test_throws_of_a_die_stand_as_they_fell(tab: Any, second: str, shown: list[str]) -> None:
    roller = put(tab, AGAIN)
    type_dice(tab, roller)
    for keys in ("2 5 11", "Enter"):
        tab.keyboard.press(keys) if keys == "Enter" else tab.keyboard.type(keys)
    roller.get_by_role("button", name="attribute 2").click()
    tab.keyboard.type(second)
    tab.keyboard.press("Enter")
    titles = roller.locator(".rw-group").first.locator("title").all_text_contents()
    assert titles[: len(shown)] == shown


def test_optional_dice_may_be_declined(tab: Any) -> None:
    roller = put(tab, FIRST)
    type_dice(tab, roller)
    tab.keyboard.type("10 3")
    tab.keyboard.press("Enter")
    assert "Throw one more added die?" in roller.inner_text()
    roller.get_by_role("button", name="no", exact=True).click()
    assert "declined: 1" in copied(tab, roller)


def test_a_choice_that_arises_changes_the_result(tab: Any) -> None:
    asked = ("wild-die/check", {"code": "3D", "difficulty": "1"})
    roller = put(tab, asked)
    type_dice(tab, roller)
    tab.keyboard.type("5 2 1")
    tab.keyboard.press("Enter")
    assert roller.locator("[aria-pressed=true]").inner_text() == "complication"
    assert roller.locator(".rw-asking > *").count() == 0, "a choice is a chip, and nothing grows"
    assert roller.locator(".rw-chip").first.inner_text() == "complication"
    assert "total 8" in result_of(roller)
    roller.get_by_role("button", name="cancel highest").click()
    assert "total 3" in result_of(roller)
    assert roller.locator("[aria-pressed=true]").inner_text() == "cancel highest"
    assert "fumble: cancel highest" in copied(tab, roller)


def test_what_is_open_says_what_it_reaches(tab: Any) -> None:
    roller = put(tab, OPEN)
    type_dice(tab, roller)
    tab.keyboard.type("5 2 1 2 4")
    tab.keyboard.press("Enter")
    said = roller.locator(".rw-reached").inner_text()
    assert said == "Success up to Difficult (16)"


@pytest.mark.smoke
def test_odds_follow_and_mark_what_fell(tab: Any) -> None:
    roller = put(tab, ACTION)
    text, bar = roller.locator(".rw-odds-text"), roller.locator(".rw-odds")
    assert text.inner_text() == "success 84 · botch 5 · failure 11"
    assert bar.get_attribute("aria-label") == "Success 84.4%, botch 5.2%, failure 10.4%"
    assert figures(roller).all_inner_texts() == ["84.4%", "5.2%", "10.4%"]
    assert not roller.locator(".rw-here").count()
    roller.locator(".rw-roll").click()
    outcome = roller.locator(".rw-outcome strong").inner_text().lower()
    assert roller.locator("tr.rw-here th").inner_text() == outcome
    assert text.locator("b").inner_text().startswith(outcome)
    assert roller.locator(".rw-stack .rw-here").count() == 1
    control(roller, "Difficulty").fill("10")
    roller.locator(".rw-stack .rw-here").wait_for(state="detached")
    assert figures(roller).first.inner_text() != "84.4%"
    assert not roller.locator(".rw-here").count()


@pytest.mark.parametrize(
    ("typed", "stays"), [("99", "30"), ("0", "1"), ("-4", "1"), ("2.6", "3"), ("1e9", "30"), ("12", "12")]
)
def test_inputs_that_cannot_be_cannot_be_entered(tab: Any, typed: str, stays: str) -> None:
    roller = put(tab, ACTION)
    box = control(roller, "Dice pool")
    box.fill(typed)
    box.press("Tab")
    assert box.input_value() == stays
    roller.locator(".rw-roll").click()
    assert roller.locator(".rw-die").count() == int(stays)


@pytest.mark.parametrize(("typed", "stays"), [("+5", "5"), ("−2", "-2"), ("-2", "-2"), ("+99", "9"), ("3", "3")])
def test_a_number_has_its_sign(browser: Any, tmp_path: Path, typed: str, stays: str) -> None:
    """As typed and as written in the book, in cards, in links and in their chips."""
    book = f"# Signs\n\n{SIGNS}\n{SIGNED_ROLL}\nA [check](roll:check?bonus={typed}&DC=12).\n"
    site = build(tmp_path, {"index.md": book.replace("+99", "+9")}, settings=MADE)
    assert site.code == 0, site.said
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    card = page.locator("rule-card")
    box = control(card, "Bonus")
    assert box.input_value() == "5"
    assert card.locator(".rw-chip").first.inner_text() == "DC 15"
    box.fill("")
    box.focus()
    for sign in typed:
        page.keyboard.insert_text(sign)
    box.press("Tab")
    assert box.input_value() == stays
    page.locator(".rw-link").click()
    dialog = page.locator("dialog rule-card")
    assert control(dialog, "Bonus").input_value() == stays
    assert control(dialog, "DC").input_value() == "12"
    page.close()


def test_what_was_rolled_with_other_inputs_fades(browser: Any, tmp_path: Path) -> None:
    """Until they are set again, or rolled; nothing moves."""
    site = build(tmp_path, {"index.md": f"# Signs\n\n{SIGNS}\n{SIGNED_ROLL}\nBelow.\n"}, settings=MADE)
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    card = page.locator("rule-card")
    box, below = control(card, "Bonus"), page.get_by_text("Below.")
    parts = card.locator(":scope > .rw-scene :is(.rw-dice, .rw-outcome)")

    def faded() -> set[bool]:
        return {part.evaluate("part => getComputedStyle(part).opacity < 1") for part in parts.all()}

    before = below.bounding_box()
    assert faded() == {False}
    box.fill("3")
    assert faded() == {True}
    assert card.get_by_role("status").inner_text() == "Roll to see the result"
    assert below.bounding_box() == before
    box.fill("+5")
    assert faded() == {False}
    box.fill("3")
    card.locator(".rw-roll").click()
    assert faded() == {False}
    box.fill("5")
    assert faded() == {True}
    card.locator(".rw-back").click()
    assert faded() == {False}
    page.close()


def test_chips_on_a_phone_can_be_reached(browser: Any, tmp_path: Path) -> None:
    """They never cover each other; there is no "More" with nothing behind it."""
    site = build(tmp_path, {"index.md": f"# Signs\n\n{SIGNS}\n{SIGNED_ROLL}\n"}, settings=MADE)
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    card = page.locator("rule-card")
    assert "More" in card.locator(".rw-chip").all_inner_texts()
    places = [chip.bounding_box() for chip in card.locator(".rw-chip:not([data-input=more])").all()]
    for left, right in pairwise(places):
        assert left["x"] + left["width"] <= right["x"]
    assert card.locator(".rw-chips").evaluate("one => one.scrollWidth > one.clientWidth"), "more chips than fit"
    edge = card.bounding_box()["x"] + card.bounding_box()["width"]
    for chip in card.locator(".rw-chip > button").all():
        chip.focus()
        box = chip.bounding_box()
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert middle[0] < edge
        assert chip.evaluate("(chip, [x, y]) => document.elementFromPoint(x, y) === chip", middle)
    for box in unfold(card).locator("input").all():
        box.fill("2")
    page.keyboard.press("Escape")
    assert "More" not in card.locator(".rw-chip").all_inner_texts()
    assert page.evaluate("document.activeElement.matches('.rw-chip > button')")
    page.close()


def test_what_is_missing_is_told_or_has_its_default(tab: Any) -> None:
    roller = put(tab, ACTION)
    control(roller, "Difficulty").fill("")
    control(roller, "Difficulty").press("Tab")
    control(roller, "Dice pool").fill("")
    roller.locator(".rw-roll").click()
    assert not roller.get_by_role("alert").count(), "nothing is wrong yet"
    assert roller.locator(".rw-open input").count() == 1
    assert tab.evaluate("document.activeElement.closest('.rw-field').textContent") == "Dice pool"
    roller.locator(".rw-roll").click()
    assert roller.get_by_role("alert").inner_text() == "Dice pool must be given"
    assert not roller.locator(".rw-odds").is_visible()
    assert control(roller, "Difficulty").input_value() == "6"


def needy(browser: Any, tmp_path: Path, rule: str, language: str = "en") -> Any:
    """A page with a roller of a rule that wants to know more than it is told."""
    settings = MADE.replace("[rulewright]", f"[rulewright: {{language: {language}}}]")
    site = build(tmp_path, {"index.md": f"# Needy\n\n{NEEDY}\n```roller\nrule: {rule}\n```\n"}, settings=settings)
    assert site.code == 0, site.said
    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    return page


def stops(page: Any, said: list[str], typing: bool = False) -> None:
    """Nothing is rolled; it shows what must be given, then says so, and the first such field has the focus."""
    card, here = page.locator("rule-card"), "document.activeElement.matches('.rw-open input')"
    for _ in range(2):
        (menu(card).get_by_role("button").first if typing else page.locator(".rw-roll")).click()
        assert page.evaluate(here)
        if page.get_by_role("alert").count():
            break
    assert page.get_by_role("alert").all_inner_texts() == said
    assert not page.locator(".rw-outcome, .rw-typing, .rw-history").count()
    assert page.evaluate("document.activeElement.matches('[aria-invalid=true]')")


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "first side: Skill must be given", "second side: Skill must be given"),
        ("de", "erste Seite: Skill fehlt noch", "zweite Seite: Skill fehlt noch"),
    ],
)
def test_a_contest_without_what_it_compares_is_not_rolled(
    browser: Any, tmp_path: Path, language: str, first: str, second: str
) -> None:
    page = needy(browser, tmp_path, "duel", language)
    boxes = page.locator(".rw-open input[type=number]")
    stops(page, [first, second])
    stops(page, [first, second], typing=True)
    assert page.locator("[aria-invalid=true]").count() == 2
    assert [line for line in axe(page) if "rw-" in line] == []
    boxes.first.fill("3")
    assert page.locator("[aria-invalid=true]").count() == 1
    assert page.get_by_role("alert").all_inner_texts() == [second]
    stops(page, [second])
    boxes.last.fill("4")
    assert not page.get_by_role("alert").count()
    page.locator(".rw-roll").click()
    assert not page.locator("[aria-invalid], [role=alert]").count()
    assert page.locator(".rw-side .rw-value").count() == 2
    assert "null" not in page.locator("rule-card").inner_text()
    page.close()


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("test", ["Skill must be given"]),
        ("guess", ["Skill must be given"]),
        ("many", ["Dice must be given"]),
        ("hopes", ["first side: Hope must be given", "second side: Hope must be given"]),
        ("both", ["first side: Dice must be given", "second side: Dice must be given"]),
    ],
)
def test_what_nothing_can_be_told_without_must_be_given(
    browser: Any, tmp_path: Path, rule: str, said: list[str]
) -> None:
    page = needy(browser, tmp_path, rule)
    stops(page, said)
    page.close()


def test_what_is_not_needed_now_may_be_left_out(browser: Any, tmp_path: Path) -> None:
    page = needy(browser, tmp_path, "guess")
    unfold(page.locator("rule-card")).get_by_role("checkbox").uncheck()
    page.locator(".rw-roll").click()
    assert "total" in result_of(page.locator("rule-card"))
    page.close()


@pytest.mark.parametrize(("rule", "said"), [("many", "Aim must be given"), ("both", "first side: Aim must be given")])
def test_what_dice_turn_out_to_need_has_its_label(browser: Any, tmp_path: Path, rule: str, said: str) -> None:
    page = needy(browser, tmp_path, rule)
    for box in unfold(page.locator("rule-card")).get_by_label("Dice", exact=True).all():
        box.fill("2")
    stops(page, [said])
    page.close()


def test_a_link_without_what_must_be_given_is_told(browser: Any, tmp_path: Path) -> None:
    page = needy(browser, tmp_path, "duel")
    folder = page.locator("rule-card").evaluate("one => encodeURIComponent(one.dataset.game)")
    link = f"roll:{folder}/duel?first.skill=2&first.dice=1+2&second.dice=3+4"
    page.evaluate("link => { location.hash = link }", link)
    page.get_by_role("alert").wait_for()
    assert "second side: Skill must be given" in page.get_by_role("alert").inner_text()
    assert not page.locator(".rw-outcome").count()
    page.close()


def test_a_die_code_is_two_controls(tab: Any) -> None:
    roller = put(tab, OPEN)
    dice, pips = control(roller, "Die code"), control(roller, "Die code, what is added")
    assert (dice.input_value(), pips.input_value()) == ("5", "D+2")
    dice.fill("2")
    pips.select_option("D")
    roller.locator(".rw-roll").click()
    assert "code: 2D" in copied(tab, roller).splitlines()
    assert roller.locator(".rw-die").count() >= 2


def typed(tab: Any, asked: Asked, *faces: str) -> Any:
    """A roll with these faces, entered as they are asked for."""
    roller = put(tab, asked)
    type_dice(tab, roller, *faces)
    return roller


def passes(book: Path, text: str) -> bool:
    """Whether a copied block agrees with the rules."""
    page = book / "docs" / "copied.md"
    page.write_text(f"# Copied\n\n{text}", encoding="utf-8")
    try:
        (one,) = [one for one in compile_book([page], book).blocks if one.block.kind == "example"]
    finally:
        page.unlink()
    return one.status == "passed"


@pytest.mark.smoke
def test_a_point_sets_a_die_and_can_be_taken_back(tab: Any, book: Path) -> None:
    roller = typed(tab, ("ingenuity/test", {"attribute": "d8", "skill": "d6", "difficulty": "9"}), "2 3 7")
    names = [f"Fate: one die at its highest ({kind})" for kind in ("attribute", "skill", "luck")]
    assert menu(roller).locator(".rw-points button").all_inner_texts() == names
    menu(roller).get_by_role("button", name="(luck)").click()
    assert "lucky yes" in result_of(roller)
    assert "Fate: one die at its highest (luck)" in roller.locator(".rw-chip").first.inner_text()
    offered = menu(roller).locator(".rw-points [aria-pressed=false]").all_inner_texts()
    assert offered == names[:2], "a die at its highest gains nothing"
    menu(roller).get_by_role("button", name="(skill)").click()
    text = copied(tab, roller)
    assert {"spends: fate luck, fate skill", "dice: attribute 2 | skill 3 | luck 7", "total: 11"} & set(
        text.splitlines()
    )
    assert passes(book, text)
    link = copied(tab, roller, "Copy link")
    for _ in range(2):
        menu(roller).locator(".rw-points [aria-pressed=true]").first.click()
    assert "spends" not in copied(tab, roller)
    tab.goto("about:blank")
    tab.goto(link)
    first = tab.locator("rule-card[data-rule=test]").first
    first.locator(".rw-outcome").wait_for()
    assert "total 11" in result_of(first)
    assert passes(book, copied(tab, first))


def test_a_point_may_ask_for_more_dice(tab: Any, book: Path) -> None:
    """What lies already stays, kind by kind; taken back and spent again it brings no other dice."""
    roller = typed(tab, ("wild-die/check", {"code": "3D", "difficulty": "10"}), "5 2 3")
    assert "total 10" in result_of(roller)
    menu(roller).get_by_role("button", name="A medal: +3D").click()
    assert "Throw regular: 3" in roller.locator(".rw-asking").inner_text()
    tab.keyboard.type("1 1 2")
    tab.keyboard.press("Enter")
    assert "total 14" in result_of(roller)
    text = copied(tab, roller)
    assert "extra: 0" in text.splitlines()
    assert "spends: medal" in text.splitlines()
    assert passes(book, text)
    menu(roller).locator(".rw-points [aria-pressed=true]").click()
    assert "total 10" in result_of(roller)
    menu(roller).get_by_role("button", name="A medal: +3D").click()
    assert "total 14" in result_of(roller)


def test_points_are_offered_as_far_as_they_go(tab: Any) -> None:
    roller = typed(tab, ("wild-die/check", {"code": "2D", "bonus": "38"}), "5 2")
    assert menu(roller).locator(".rw-points button").all_inner_texts() == ["A point: +5D", "A medal: +3D"]
    menu(roller).get_by_role("button", name="A point: +5D").click()
    tab.keyboard.type("1 1 1 1 1")
    tab.keyboard.press("Enter")
    offered = menu(roller).locator(".rw-points [aria-pressed=false]").all_inner_texts()
    assert offered == ["A medal: +3D"]


FATE = ("fate/fate", {"skill": "0", "against": "Fair"})


def test_traits_fill_the_inputs(tab: Any) -> None:
    roller = put(tab, FATE)
    sum_of = unfold(roller).get_by_label("Traits")
    sum_of.fill("Careful 3")
    sum_of.press("Tab")
    assert roller.locator(".rw-chips").inner_text().startswith("skill 3")
    sum_of.fill("Carefull 3")
    sum_of.press("Tab")
    assert 'there is no trait "Carefull"; did you mean Careful?' in roller.inner_text()


TRAITS = """\
```game
title = "Traits"
[traits.arms]
names = ["Blade", "Staff"]
range = "0..2"
[traits.wits]
names = ["Lore"]
range = "2..9"
[rules.pool]
traits = { into = "skill" }
[rules.one]
traits = { into = "skill", most = 1 }
[rules.code]
traits = { into = "throws" }
[rules.dice]
traits = { into = ["large", "small"] }
[rules.die]
traits = { into = "large" }
"""
FIELDS = {"pool": "skill", "one": "skill", "code": "throws", "dice": "large small", "die": "large"}
INPUTS = {
    "skill": "{ min = 1, max = 9 }",
    "throws": '{ code = ["d", "pips"], min = 1, max = 9 }',
    "large": "{ die = [4, 8, 12] }",
    "small": "{ die = [0, 6], default = 0 }",
}


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("pool", "Blade 2 + Lore 2"),
        ("one", "Blade 2"),
        ("code", "Blade 3D + Lore 2D"),
        ("dice", "Blade d8 + Lore d6"),
        ("die", "Blade d8"),
    ],
)
def test_an_example_of_traits_does_as_it_stands(browser: Any, tmp_path: Path, rule: str, shown: str) -> None:
    inputs = "".join(
        f"[rules.{name}.inputs]\n" + "".join(f"{one} = {INPUTS[one]}\n" for one in fields.split())
        for name, fields in FIELDS.items()
    )
    dice = "".join(
        f'[rules.{name}.dice]\nd6 = {{ sides = 6 }}\n[rules.{name}.steps]\nsum_of = "sum(d6)"\n' for name in FIELDS
    )
    text = f"# Traits\n\n{TRAITS}{inputs}{dice}```\n\n```roller\nrule: {rule}\n```\n"
    site = build(tmp_path, {"index.md": text}, settings=MADE)
    assert site.code == 0, site.said
    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    box, note = control(page.locator("rule-card"), "Traits"), page.locator("[role=status].rw-note")
    assert box.get_attribute("placeholder") == shown
    box.fill(shown)
    box.press("Tab")
    assert not note.is_visible()
    page.locator(".rw-roll").click()
    assert page.locator(".rw-dice .rw-die").count() == 1
    box.fill("4")
    box.press("Tab")
    assert note.inner_text() == "a trait begins with its name, as in Blade 2"
    page.close()


def test_traits_fill_a_side_of_a_contest(browser: Any, tmp_path: Path) -> None:
    text = f"# Duel\n\n{DUEL}\n```roller\nrule: duel\n```\n"
    site = build(tmp_path, {"index.md": text}, settings=MADE)
    assert site.code == 0, site.said
    page = browser.new_page()
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    for side, dots in (("first side", "2"), ("second side", "4")):
        group = unfold(page.locator("rule-card")).get_by_role("group", name=side)
        group.get_by_label("Traits").fill(f"Blade {dots}")
        group.get_by_label("Traits").press("Tab")
        assert group.get_by_label("Skill", exact=True).input_value() == dots
    page.locator(".rw-roll").click()
    assert page.locator(".rw-dice .rw-die").count() >= 2
    page.close()


def test_a_character_is_kept_only_when_asked_for(tab: Any) -> None:
    roller = put(tab, FATE)
    more = unfold(roller)
    more.get_by_text("Your character").click()
    more.get_by_label("One trait a line").fill("Careful 2\nQuick: 3")
    more.get_by_label("Traits").fill("quick")
    more.get_by_label("Traits").press("Tab")
    assert roller.locator(".rw-chips").inner_text().startswith("skill 3")
    assert tab.evaluate("localStorage.length") == 0
    more.get_by_label("Keep it on this device").check()
    tab.reload()
    roller = put(tab, FATE)
    more = unfold(roller)
    more.get_by_label("Traits").fill("Careful")
    more.get_by_label("Traits").press("Tab")
    assert roller.locator(".rw-chips").inner_text().startswith("skill 2")
    more.get_by_text("Your character").click()
    more.get_by_label("Keep it on this device").uncheck()
    assert tab.evaluate("localStorage.length") == 0


def test_an_example_of_one_line_rolls_too(context: Any, address: str) -> None:
    tab = context.new_page()
    tab.goto(f"{address}/cards.html")
    tab.locator(".rw-oneline .rw-roll").first.click()
    box = tab.get_by_role("dialog")
    box.locator(".rw-outcome").wait_for()
    assert box.locator(".rw-die").count() == 3
    tab.keyboard.press("Enter")
    assert box.get_by_text("History: 2").count() == 1
    tab.close()


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("maelstrom/nothing?pool=3", "The link describes a roll that these rules do not know."),
        ("nowhere", "The link describes a roll that these rules do not know."),
        ("%E0%A4%A/action?pool=3", "The link describes a roll that these rules do not know."),
        ("maelstrom/action?pool=99", "pool goes from 1 to 30, not 99"),
        ("maelstrom/action?pol=3", 'action has no input "pol"; did you mean pool?'),
        ("maelstrom/action?pool=3&dice=1 2 3 4", "nothing calls for this die"),
        ("maelstrom/action?pool=3&dice=1 2 3&declined=x1", ""),
        ("maelstrom/action?pool=3&dice=1 2 3&spends=luck", 'has nothing to spend called "luck"'),
    ],
)
def test_odd_links_give_a_message(tab: Any, fragment: str, said: str) -> None:
    tab.evaluate("text => { location.hash = 'roll:' + text }", fragment)
    if said:
        tab.get_by_role("alert").filter(has_text=said).wait_for()
        assert not tab.locator(".rw-outcome").count()
    else:
        tab.locator(".rw-dice .rw-die").first.wait_for()


def test_a_german_page_speaks_german(browser: Any, tmp_path: Path) -> None:
    """Also where the engine complains."""
    settings = MADE.replace("[rulewright]", "[rulewright: {language: de}]")
    site = build(
        tmp_path, {"index.md": f"# Wurf\n\n{BLOCK}\n```roller\nrule: toss\ncoins: 2\n```\n"}, settings=settings
    )
    assert site.code == 0, site.said
    page = browser.new_page()
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    roller = page.locator("rule-card[data-kind=roller]")
    menu(roller).get_by_role("button", name="Eigene Würfel eingeben").click()
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    assert "zeigt „7“: seine Seiten" in roller.get_by_role("alert").inner_text()
    page.close()


def test_twice_as_large_and_nothing_moves_sideways(tab: Any) -> None:
    """200 % zoom of a window of 1280 points is one of 640 with letters twice as large."""
    tab.set_viewport_size({"width": 640, "height": 512})
    tab.evaluate("document.documentElement.style.setProperty('font-size', '200%', 'important')")
    for roller in tab.locator("rule-card").all():
        roller.locator(".rw-roll").click()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 640


def test_forced_colours_leave_everything_to_be_seen(browser: Any, address: str) -> None:
    page = browser.new_page(forced_colors="active", reduced_motion="reduce")
    page.goto(f"{address}/index.html")
    page.locator(".rw-roll").first.click()
    page.locator(".rw-dice .rw-die").first.wait_for()
    for die in page.locator(".rw-dice .rw-die").all():
        body, figure = die.evaluate(
            "die => ['.rw-body', '.rw-number, .rw-pips'].map(one => getComputedStyle(die.querySelector(one)).fill)"
        )
        assert body != figure
    told = "one => (({color, backgroundColor, forcedColorAdjust: kept}) => [color, backgroundColor, kept])"
    letters, ground, kept = page.locator(".rw-roll").first.evaluate(f"{told}(getComputedStyle(one))")
    assert letters != ground
    assert kept == "none"  # or the browser puts a ground of its own, of the colour of the letters, behind them
    assert [line for line in axe(page) if "rw-" in line] == []
    page.close()


def test_a_finger_rolls(browser: Any, address: str) -> None:
    touching = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    page = touching.new_page()
    page.goto(f"{address}/index.html")
    page.locator(".rw-roll").first.tap()
    page.locator("rule-card").first.locator(".rw-outcome").wait_for()
    touching.close()


def test_every_control_has_its_name(tab: Any, golden: Any) -> None:
    """As the accessibility tree has them, before and after a roll."""
    told = []
    for asked in (("wild-die/check", {"code": "3D", "difficulty": "1"}), FATE, RULES[-1]):
        roller = put(tab, asked)
        before = roller.aria_snapshot()
        roller.locator(".rw-roll").click()
        menu(roller)
        unfold(roller)
        told += [f"# {asked[0]}", before, "## rolled, and opened", roller.aria_snapshot()]
    golden("roller/controls.txt", "\n".join(told) + "\n")


BOUNDS = {4: (0.02, 16.3), 6: (0.2, 20.5), 8: (0.6, 24.3), 10: (1.1, 27.9), 12: (1.8, 31.3), 20: (5.4, 43.8)}
FACES, AT_ONCE = 60_000, 1000
FAIR = """\
# Fair

```game
title = "Fair"
[rules.throw.inputs]
faces = { die = [4, 6, 8, 10, 12, 20] }
[rules.throw.dice.die]
count = 1000
sides = "faces"
[rules.throw.steps]
highest_face = "highest(die)"
```

```roller
rule: throw
faces: d4
```
"""
MANY = """async ([sides, times]) => {
    const old = document.querySelector('rule-card'), roller = old.cloneNode(), found = Array(sides).fill(0)
    roller.dataset.inputs = `faces=d${sides}`
    roller.setAttribute('seed', 2026)
    old.replaceWith(roller)
    await roller.open()
    for (; times; times--) {
        roller.querySelector('.rw-roll').click()
        for (const face of roller.querySelectorAll('.rw-die title')) found[Number.parseInt(face.textContent) - 1]++
    }
    return found
}"""


@pytest.mark.parametrize("sides", BOUNDS)
def test_every_face_comes_up_alike(browser: Any, fair: str, sides: int) -> None:
    """Chi-square of 60,000 faces as the element shows them: within the middle 99.8 of a hundred, with a seed."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto(fair)
    counts = page.evaluate(MANY, [sides, FACES // AT_ONCE])
    page.close()
    assert sum(counts) == FACES
    due = FACES / sides
    low, high = BOUNDS[sides]
    assert low <= sum((count - due) ** 2 / due for count in counts) <= high


def test_odds_follow_a_button_that_is_held(tab: Any) -> None:
    """Sixty times a second, with twenty dice and a specialty; half of all are quicker than the middle one."""
    control(put(tab, ("maelstrom/action", {"pool": "20", "specialty": "yes", "difficulty": "2"})), "Difficulty")
    middle = tab.evaluate("""async () => {
        const box = document.querySelector('.under-test .rw-open input[type=number]'), text = () =>
            document.querySelector('.under-test .rw-odds-text').textContent
        const frame = () => new Promise(requestAnimationFrame), times = []
        for (let turn = 0; turn < 121; turn++) {
            const before = text(), start = performance.now()
            box.value = 2 + (turn + 1) % 9
            box.dispatchEvent(new Event('input', {bubbles: true}))
            const waits = performance.now()
            if (text() !== before) return -1
            await frame()
            const shows = performance.now()
            document.querySelector('.under-test').card.showOdds()
            times.push(performance.now() - shows + waits - start)
        }
        return times.sort((a, b) => a - b)[60]
    }""")
    assert 0 <= middle < 1000 / 60


def test_a_button_counts_as_long_as_it_is_held(tab: Any) -> None:
    roller = put(tab, ACTION)
    box = control(roller, "Dice pool")
    more = roller.get_by_role("button", name="Dice pool: more")
    more.click()
    assert box.input_value() == "6"
    more.hover()
    tab.mouse.down()
    tab.wait_for_timeout(900)
    tab.mouse.up()
    held = int(box.input_value())
    assert held > 8
    assert roller.locator(".rw-chip").first.inner_text() == f"{held} dice"
    tab.wait_for_timeout(200)
    assert box.input_value() == str(held)
    more.focus()
    tab.keyboard.press("Enter")
    assert box.input_value() == str(held + 1)


def test_rolling_by_key_and_remembering(tab: Any) -> None:
    roller = put(tab, ACTION, None)
    roller.locator(".rw-roll").focus()
    tab.keyboard.press("Space")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.matches('.rw-roll')")
    panel = menu(roller)
    panel.get_by_text("History: 3").click()
    assert panel.locator(".rw-history li").count() == 3
    assert panel.locator(".rw-history li").first.inner_text() == roller_said(roller)


@pytest.mark.smoke
def test_a_link_tells_the_roll_again(tab: Any) -> None:
    roller = rolled(tab, RULES[1], 7)
    said, link = roller.locator(".rw-heard").inner_text(), copied(tab, roller, "Copy link")
    tab.goto("about:blank")
    tab.goto(link)
    first = tab.locator("rule-card").first
    first.locator(".rw-outcome").wait_for()
    assert said == roller_said(first)
    wrong = re.sub("dice=[^&]*", "dice=regular+11", link)
    tab.goto("about:blank")
    tab.goto(wrong)
    assert 'no regular die shows "11"' in tab.locator("rule-card").first.get_by_role("alert").inner_text()
    assert not tab.locator(".rw-outcome").count()


@pytest.mark.parametrize("rolls", [False, True])
def test_rolls_go_first_where_the_script_of_odds_is_late(tab: Any, rolls: bool) -> None:
    """It brings the roll of a link; a roll that the reader has made in the meantime stays."""
    roller = rolled(tab, RULES[1], 7)
    said, link, late = roller.locator(".rw-heard").inner_text(), copied(tab, roller, "Copy link"), list[Any]()
    tab.route("**/odds.js", lambda held: late.append(held))  # noqa: PLW0108  (Playwright sets an attribute of it)
    tab.goto("about:blank")
    with tab.expect_request("**/odds.js"):
        tab.goto(link, wait_until="commit")
    first = tab.locator("rule-card").first
    assert not first.locator(".rw-reached, .rw-points").count()
    if rolls:
        first.locator(".rw-roll").click()
        said = roller_said(first)
        assert first.locator(".rw-outcome").count()
    for held in late:
        held.continue_()
    first.locator(".rw-how dd").first.wait_for(state="attached")
    assert said == roller_said(first)


def roller_said(roller: Any) -> str:
    said = str(roller.locator(".rw-heard").text_content())
    assert said
    return said


@pytest.mark.smoke
def test_text_of_others_is_text(tab: Any) -> None:
    bad = "<img src=x onerror=alert(1)>"
    tab.evaluate(
        "text => location.hash = 'roll:maelstrom/action?' + new URLSearchParams({pool: text, dice: text})", bad
    )
    alert = tab.locator("rule-card").first.get_by_role("alert")
    alert.wait_for()
    assert bad in alert.inner_text()
    assert not tab.locator("rule-card img").count()


def test_words_of_a_sentence_open_a_roller(tab: Any) -> None:
    assert tab.locator(".rw-link").all_inner_texts() == ["five dice"]
    tab.locator(".rw-link").click()
    box = tab.get_by_role("dialog", name="five dice")
    box.locator(".rw-chip > button").first.wait_for()
    assert box.locator(".rw-chip").all_inner_texts() == ["5 dice", "difficulty 8", "More"]
    tab.keyboard.press("Enter")
    assert box.locator(".rw-die").count() == 5
    assert axe_without_theme(tab) == []
    tab.keyboard.press("Escape")
    tab.locator("dialog").wait_for(state="detached")


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_everybody_can_use_it(tab: Any, scheme: str) -> None:
    tab.evaluate("scheme => document.body.setAttribute('data-md-color-scheme', scheme)", scheme)
    assert axe_without_theme(tab) == []
    for roller in tab.locator("rule-card").all():
        roller.locator(".rw-roll").click()
        unfold(roller)
    tab.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert axe_without_theme(tab) == []


@pytest.mark.parametrize("width", [320, 390])
def test_fingers_find_it_and_nothing_moves_sideways(tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    for roller in tab.locator("rule-card").all():
        roller.locator(".rw-roll").click()
        menu(roller)
        unfold(roller)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for one in tab.locator(
        "rule-card :is(button, select, input:not([type=checkbox]), label:has([type=checkbox])):visible"
    ).all():
        box = one.bounding_box()
        assert min(box["width"], box["height"]) >= 43.9, one.evaluate("one => one.outerHTML")


def test_a_die_thrown_on_and_on_stays_on_the_page(tab: Any) -> None:
    tab.set_viewport_size({"width": 320, "height": 800})
    roller = rolled(tab, OPEN, seed=5554)
    assert roller.locator(".rw-sign").count() >= 4
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320


def test_pages_changed_without_loading_roll_too(tab: Any) -> None:
    tab.evaluate("window.isTheSame = true")
    tab.get_by_role("link", name="plain", exact=True).click()
    tab.get_by_text("Nothing to roll.").wait_for()
    assert not tab.locator("article [data-words]").count()
    tab.get_by_role("link", name="back", exact=True).click()
    tab.locator("rule-card .rw-roll").first.click()
    tab.locator("rule-card").first.locator(".rw-outcome").wait_for()
    tab.locator(".rw-link").click()
    tab.get_by_role("dialog").locator(".rw-roll").wait_for()
    assert tab.evaluate("window.isTheSame")


def test_dice_fall_only_for_those_who_want_it(browser: Any, address: str) -> None:
    for motion, least, most in (("no-preference", 0.1, 0.5), ("reduce", 0, 0)):
        page = browser.new_page(reduced_motion=motion)
        page.goto(f"{address}/index.html")
        page.locator(".rw-roll").first.click()
        time = page.locator(".rw-fall").last.evaluate("""one => {
            const look = getComputedStyle(one)
            const [lasts, waits] = [look.animationDuration, look.animationDelay].map(parseFloat)
            return look.animationName === 'none' ? 0 : lasts + waits
        }""")
        assert least <= time <= most
        page.close()


@pytest.mark.smoke
def test_a_site_on_a_disk_rolls(browser: Any, book: Path) -> None:
    page = browser.new_page()
    page.goto((book / "site" / "index.html").as_uri())
    page.locator(".rw-roll").first.click()
    page.locator("rule-card").first.locator(".rw-outcome").wait_for()
    page.close()


@pytest.mark.smoke
def test_without_scripts_a_card_says_what_it_rolls(browser: Any, address: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}/index.html")
    card = page.locator("rule-card").first
    assert card.locator(".rw-chip").all_inner_texts() == ["5 dice", "difficulty 6"]
    assert "success 84" in card.inner_text()
    assert not card.locator("button").count()
    page.close()


def test_only_pages_with_dice_carry_them(book: Path) -> None:
    pages = {path.stem: path.read_text("utf-8") for path in (book / "site").glob("*.html")}
    assert pages["index"].count("assets/rulewright/loader.js") == 1
    for name in ("plain", "404"):
        assert "loader.js" not in pages[name]
        assert "rulewright.css" not in pages[name]


def test_a_game_at_the_root_of_its_book_is_found_by_cards_and_links(browser: Any, tmp_path: Path) -> None:
    text = f"# Toss\n\n{BLOCK}\n```roller\nrule: toss\n```\n\n[Some](roll:toss?coins=4) coins\n"
    site = build(tmp_path, {"index.md": text})
    assert site.code == 0, site.said
    page = browser.new_page()
    page.goto((site.folder / "index.html").as_uri())
    assert [page.locator(name).count() for name in ("rule-card .rw-roll", ".rw-link")] == [2, 1]
    page.evaluate(WAKE)
    page.locator(".rw-roll").first.click()
    assert page.locator("rule-card").first.locator(".rw-back").count() == 1
    page.close()


def test_data_cannot_end_their_element() -> None:
    games = {name: game for name, game in card_book.compiled().games.by_folder.items() if name == "fate"}
    bad = replace(games["fate"], title="</script><script>alert('1')</script>&")
    files = DiceScripts({"fate": bad}, read_words("en")).script_files([bad])
    (data,) = [text for text in files.values() if "alert(" in text]
    assert not {"<", "&"} & set(data)
    assert DiceScripts(games, read_words("en")).linked_scripts(PageRolls({}), str) == ""


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_has_the_words_the_roller_says(language: str) -> None:
    words = json.loads(words_json(read_words(language)))["words"]
    source = "".join(map(read_module, {*order_modules(ROLLER), *order_modules("after-roll")}))
    said = set(re.findall(r'\b(?:say|wrong|problem|report|stop)\((?:\w+, )?"([^"]+)"', source))
    assert {"roll typed", "wrong range", "wrong spend most", "wrong trait twice"} <= said
    assert said <= words.keys()


@pytest.fixture
def damage(tab: Any, address: str) -> Any:
    tab.goto(f"{address}/damage.html")
    return tab


@pytest.mark.smoke
def test_dice_in_a_sentence_roll(damage: Any) -> None:
    assert damage.locator("p .rw-plain").all_inner_texts() == ["2d6+3", "1d100"]
    damage.get_by_role("button", name="Roll 2d6+3").click()
    said = re.fullmatch(r"\((\d) \+ (\d) \+ 3 = (\d+)\)", damage.locator("p .rw-said").first.inner_text().strip())
    assert said
    assert int(said[1]) + int(said[2]) + 3 == int(said[3])
    assert axe_without_theme(damage) == []


def test_tables_under_a_die_mark_what_was_rolled(damage: Any) -> None:
    assert damage.locator("th .rw-plain").all_inner_texts() == ["d6"]
    seen = set()
    for _ in range(40):
        damage.get_by_role("button", name="Roll d6", exact=True).click()
        shown, row = damage.locator("th .rw-said").inner_text().strip(), damage.locator("tr.rw-hit")
        expected = "the head" if shown == "1" else "nothing" if shown in "56" else "the body"
        assert row.locator("td").last.inner_text() == expected
        seen.add(shown)
    assert len(seen) > 2
    assert axe_without_theme(damage) == []


def weight(text: str) -> int:
    return len(gzip.compress(text.encode(), 9))


def test_what_readers_fetch_is_light() -> None:
    """Before the first touch, and with it; the words, the game and the odds come as well."""
    assert weight(site_styles()) + weight(script_text(LOADER)) + weight(script_text(DICE)) <= 8_000
    assert weight(script_text(ROLLER)) <= 40 * 1_024


def test_nothing_is_fetched_before_the_first_touch(tab: Any, address: str) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    tab.goto(f"{address}/index.html")
    ours = [name for name in asked if re.match(r"data-|roller|loader|dice", name)]
    assert ours == ["loader.js"]
    tab.locator("rule-card").first.hover()
    tab.locator(".rw-chip > button").first.wait_for()
    new = [name for name in asked if re.match(r"data-|roller", name)]
    assert sorted(re.sub("-.*", "", name) for name in new) == ["data", "data", "roller.js"]
    tab.locator("rule-card").nth(1).hover()
    tab.locator("rule-card").nth(1).locator(".rw-chip > button").first.wait_for()
    assert [name for name in asked if re.match(r"data-|roller", name)] == new, "the same game is there already"


def test_no_text_in_scripts_goes_over_lines() -> None:
    """So what stands before a line, and lines that are comments, can be left out of what readers fetch."""
    for script in WEB.glob("*/*.js"):
        odd = [line for line in script.read_text(encoding="utf-8").splitlines() if line.count("`") % 2]
        assert not odd, script.name

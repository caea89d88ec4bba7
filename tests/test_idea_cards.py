"""Cards of version 2 of the language: every idea is shown, explained, rolled, and copied as a block that checks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import pytest

from browser import served
from example_counts import scale_examples
from roller_page import menu, type_dice
from rulewright.cli import main
from rulewright.compile.book import CompiledBook, compile_book
from rulewright.render.cards.card import build_card, render_card
from rulewright.render.cards.derivation import Derivation
from rulewright.render.cards.examples import Example
from rulewright.render.strings import read_words

MECHANICS = Path(__file__).parent / "mechanics"
ENGLISH = read_words("en")
WAVES = """\
title = "Waves"
[rules.attack.inputs]
bonus = { min = -5, max = 20, default = 5 }
ac    = { label = "Armor class", min = 5, max = 30, default = 15 }
die   = { die = [4, 6, 8], default = "d8" }
dice  = { min = 1, max = 8, default = 1 }
[rules.attack.dice]
d20    = { sides = 20 }
damage = { count = "if(hit, if(crit, 2 * dice, dice), 0)", sides = "die" }
[rules.attack.steps]
crit  = { is = "sum(d20) = 20", label = "critical" }
hit   = "crit or (sum(d20) > 1 and sum(d20) + bonus >= ac)"
harm  = "sum(damage)"
"""
BOUT = """\
title = "Bout"
[rules.check.inputs]
die   = { label = "Die", die = [4, 6, 8] }
bonus = { min = 0, max = 3, default = 0 }
[rules.check.dice]
check = { sides = "die" }
[rules.check.steps]
total = "sum(check) + bonus"
[rules.bout]
contest = { of = "check", compare = "total", ties = "again" }
[rules.bout.steps]
margin = "abs(first.total - second.total)"
"""
PARTY = """\
title = "Party"
[rules.dying]
carry = { good = "good_now", bad = "bad_now" }
until = "sum(d20) = 20 or good_now = 3 or bad_now >= 3"
most  = 5
[rules.dying.inputs]
good = { min = 0, max = 2, default = 0 }
bad  = { min = 0, max = 2, default = 0 }
[rules.dying.dice]
d20 = { sides = 20 }
[rules.dying.steps]
good_now = { is = "good + (sum(d20) >= 10)", label = "successes" }
bad_now  = "bad + if(sum(d20) = 1, 2, sum(d20) < 10)"
[rules.dying.outcomes]
up     = { when = "sum(d20) = 20" }
stable = { when = "good_now = 3" }
dead   = {}
[rules.party.rolls]
hero = { rule = "dying" }
[rules.party.outcomes]
well  = { when = "hero.outcome != 'dead'", degree = "hero.round" }
grief = {}
"""
POKER = """\
title = "Poker"
[rules.hand.dice]
cards = { count = 5, deck = { rank = "1..13", suit = ["clubs", "diamonds", "hearts", "spades"] } }
[rules.hand.steps]
match = "max(r of cards.rank: count(cards: rank = r))"
[rules.hand.outcomes]
pair    = { when = "match >= 2", degree = "match" }
nothing = {}
"""
EXAMPLES = {
    "year-zero-twice": "base: 2\ngear: 1\ndice: base 2 1, gear 5\nrerolled: base 2 -> 6, gear 5 -> 2\nsixes: 1",
    "risk": "dice: a 6 3 2, d 5 3\noutcome: even",
    "cortex-prime": "rule: test\nd6s: 2\nd8s: 2\ndice: d6 5 3, d8 7 4\nbest: 7 5\noutcome: success",
    "genesys": "dice: ability s&s a, difficulty f t\noutcome: success",
    "waves": "dice: 20 | 5 8\nharm: 13",
    "poker": "dice: 12&hearts 12&clubs 2&spades 5&hearts 9&diamonds\noutcome: pair",
    "mythras-differential": "rule: fight\nattack.skill: 60\ndefence.skill: 45\nattack.dice: 5\n"
    "defence.dice: 70\nmargin: 2",
    "death-saves": "dice: 12; 4; 20\noutcome: up\nround: 3",
    "party": "rule: party\nhero.dice: 12; 4; 20\noutcome: well\ndegree: 3",
    "bout": "rule: bout\nside Ann: die d6, dice 3, dice 5\nside Ben McKay: die d8, bonus 1, dice 2, dice 2\n"
    "winner: Ann\nmargin: 2",
    "pig": "dice: 4; 6; 5\nstop: no; no; yes\noutcome: hold",
}


def write_book(folder: Path) -> Path:
    """A book of these games, with an example for each."""
    for name in EXAMPLES:
        (folder / name).mkdir(parents=True)
        own = {"waves": WAVES, "poker": POKER, "party": PARTY, "bout": BOUT}.get(name)
        text = own or (MECHANICS / name / "game.toml").read_text("utf-8").partition("[rules.chosen]")[0]
        (folder / name / "game.toml").write_text(text, "utf-8")
    blocks = [f"## {name}\n\n```example\ngame: {name}\n{text}\n```\n" for name, text in EXAMPLES.items()]
    (folder / "index.md").write_text("\n".join(["# Ideas\n", *blocks]), "utf-8")
    return folder


@cache
def compiled() -> CompiledBook:
    with TemporaryDirectory() as place:
        book = write_book(Path(place) / "book")
        found = compile_book([book], book)
    assert [problem.message for page in found.pages for problem in page.problems] == []
    return found


@cache
def cards() -> dict[str, str]:
    """The card of each example."""
    return dict(zip(EXAMPLES, (render_card(block, ENGLISH) for block in compiled().blocks), strict=True))


def explained(name: str) -> list[str]:
    """How the roll of an example works out: a line for each row, further in if it unfolds."""
    block = compiled().blocks[list(EXAMPLES).index(name)]
    card = build_card(block, ENGLISH)
    assert isinstance(card, Example)
    return list(_lines(card.scene.how))


def _lines(rows: Iterable[Derivation], indent: str = "") -> Iterator[str]:
    for row in rows:
        yield f"{indent}{row.name}: {' → '.join(row.parts)}"
        yield from _lines(row.inner, indent + "  ")


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_card_that_agrees_says_nothing_else(name: str) -> None:
    """Faces of a set come in any order, and a word over faces has no value that only the dice show."""
    assert "Written here" not in cards()[name]
    assert 'class="rw-outcome"' in cards()[name]


def test_a_kind_is_named_only_beside_another_and_rounds_are_apart() -> None:
    assert "rw-group-name" not in cards()["death-saves"]
    assert cards()["death-saves"].count("rw-next") == 2
    assert "rw-next" not in cards()["waves"]
    assert cards()["waves"].count("rw-group-name") == 2


def test_each_wave_has_a_row_before_what_it_decides() -> None:
    lines = explained("waves")
    assert [line.partition(":")[0] for line in lines] == ["d20", "critical", "hit", "damage", "harm"]
    assert (lines[0], lines[3]) == ("d20: 20", "damage: 5 8")


def test_rerolled_dice_have_a_row() -> None:
    assert explained("year-zero-twice")[0] == "rerolled: base 2 → 6, gear 5 → 2"


def test_a_roll_is_a_row_that_unfolds() -> None:
    lines = explained("mythras-differential")
    assert lines[0] == "attack: 5 → critical"
    assert lines[1] == "  roll: attack die → 5"
    assert lines[2].startswith("  level: 3 if")
    assert lines[3] == "defence: 70 → failure"
    margin = "0 if attack: level < 2 and defence: level < 2, else attack: level − defence: level"
    assert f"margin: {margin} → 2" in lines, "what a roll is known for is not written out once more"
    assert cards()["mythras-differential"].count('class="rw-inner"') == 2


def test_rounds_say_what_changes_and_unfold() -> None:
    lines = explained("death-saves")
    assert lines[0] == "Round 1: 12: successes 0 → 1, failures 0"
    assert lines[1] == "  successes: successes + (d20 die ≥ 10) → 0 + (12 ≥ 10) → 1"
    assert "Round 3: 20: successes 1 → 2, failures 1" in lines


def test_choices_are_in_the_row_of_their_round() -> None:
    lines = explained("pig")
    assert lines[0] == "Round 1: 4: hold no, points so far 0 → 4"
    assert "Round 3: 5: hold yes, points so far 10 → 15" in lines
    assert not any(line.startswith("Hold") for line in lines)


def test_dice_that_a_step_picks_are_marked_with_its_name() -> None:
    titles = re.findall(r"<title>(.*?)</title>", cards()["cortex-prime"])
    assert titles == ["5 on a d6: best", "3 on a d6", "7 on a d8: best", "4 on a d8"]
    assert cards()["cortex-prime"].count("rw-badge rw-picked-1") == 3, "two dice, and what the mark means"


def test_dice_of_several_kinds_and_symbols_are_counted_in_words() -> None:
    assert explained("year-zero-twice")[1] == "sixes: base and gear dice with face = 6 → 1"
    assert explained("genesys")[0].startswith("successes: s on ability and proficiency and boost dice − f on ")


READ = """card => ['.rw-scene', '.rw-how'].map(css => card.querySelector(css)).map(part =>
    part.innerText + [...part.querySelectorAll('title')].map(one => one.textContent).join(';'))"""
ROLL = "(card, link) => card.card.replay(new URLSearchParams(link))"
UNFOLD = "card => card.querySelectorAll('details').forEach(one => { one.open = true })"
ANSWERS = ".rw-asking button"


def copy(tab: Any, card: Any, name: str) -> str:
    menu(card).get_by_role("button", name=name).click()
    return str(tab.evaluate("navigator.clipboard.readText()"))


@pytest.fixture
def tab(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """The book as a single file, on a phone; nothing complains."""
    book, file = write_book(tmp_path / "book"), tmp_path / "site" / "index.html"
    file.parent.mkdir()
    assert main(["export", "html", str(book), "-o", str(file)]) == 0
    complaints: list[str] = []
    with served(file.parent) as address:
        viewport = {"width": 390, "height": 800}
        context = browser.new_context(
            viewport=viewport, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
        )
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{address}/index.html")
        yield page
        context.close()
    assert not complaints


@pytest.mark.smoke
def test_every_idea_is_rolled_copied_and_linked(tab: Any, tmp_path: Path) -> None:
    """A new roll of each card passes as an example, its link tells it again, and the card stays low."""
    blocks, cards = [], tab.locator("rule-card").all()
    assert len(cards) == len(EXAMPLES)
    cards = cards[:: 1 if scale_examples(1) > 1 else 4]  # all of them in `make test-long`
    for card in cards:
        assert card.bounding_box()["height"] <= 160
        card.locator(".rw-roll").click()
        card.locator(".rw-outcome, .rw-asking button").first.wait_for()
        while card.locator(ANSWERS).count():
            card.locator(ANSWERS).first.click()
        assert card.bounding_box()["height"] <= 160
        blocks.append(copy(tab, card, "Copy as example"))
        link = copy(tab, card, "Copy link").partition("?")[2]
        card.evaluate(UNFOLD)
        before = card.evaluate(READ)
        card.evaluate(ROLL, link)
        card.evaluate(UNFOLD)
        assert card.evaluate(READ) == before
    (tmp_path / "book" / "index.md").write_text("# Copied\n\n" + "\n".join(blocks), "utf-8")
    assert main(["check", str(tmp_path / "book")]) == 0


def test_a_browser_explains_each_idea_as_the_page_does(tab: Any) -> None:
    for card, block in zip(tab.locator("rule-card").all(), compiled().blocks, strict=True):
        move = block.moves[0]
        assert move.result
        menu(card)
        card.evaluate(UNFOLD)
        before = card.evaluate(READ)
        record = {**move.inputs, "dice": move.result.dice, "rerolled": move.result.rerolled}
        card.evaluate("async card => { await card.open() }")
        card.evaluate(ROLL, urlencode(record))
        card.locator(".rw-buttons button").nth(1).wait_for()
        card.evaluate(UNFOLD)
        assert card.evaluate(READ) == before


TYPED = {  # what is asked, and the answer to it
    "waves": [("Throw d20: 1", "20"), ("Throw damage: 2", "5 8")],
    "poker": [("Draw cards: 5", "12&hearts 12&clubs 2&spades 5&hearts 9&diamonds")],
    "mythras-differential": [("Throw attack: 1", "5"), ("Throw defence: 1", "70")],
    "death-saves": [("Throw d20: 1", "12"), ("Round 2 · successes 1 · failures 0\nThrow d20: 1", "20")],
    "pig": [
        ("Throw d6: 1", "4"),
        ("Hold", "no"),
        ("Round 2 · points so far 4\nThrow d6: 1", "6"),
        ("Round 2 · points so far 4\nHold", "yes"),
    ],
}


def test_real_dice_of_each_idea_are_asked_for(tab: Any) -> None:
    """Wave by wave, and round by round with what the round begins with."""
    for name, card in zip(EXAMPLES, tab.locator("rule-card").all(), strict=True):
        if name not in TYPED:
            continue
        card.locator(".rw-roll").hover()
        type_dice(tab, card)
        for question, reply in TYPED[name]:
            assert "\n".join(card.locator(".rw-told, .rw-asking legend").all_inner_texts()) == question
            choice = card.locator(".rw-asking").get_by_role("button", name=reply, exact=True)
            if choice.count():
                choice.click()
                continue
            tab.keyboard.type(reply)
            tab.keyboard.press("Enter")
        assert card.locator(".rw-outcome").count() == 1
    poker = tab.locator("rule-card").nth(list(EXAMPLES).index("poker"))
    assert poker.locator("title").all_text_contents()[0] == "12 of hearts"

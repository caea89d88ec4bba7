"""Steps and inputs with an empty label: readers see them nowhere, authors go on using their names."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from built_site import build
from games import made_game
from js_engine import shared_engine
from roller_page import WAKE, menu, type_dice, unfold
from rulewright.compile.book import compile_book
from rulewright.play.validate import load_game_text
from rulewright.render.cards.card import render_card
from rulewright.render.strings import read_words
from small_book import write

Ran = Callable[..., tuple[int, str, str]]
GAME = """\
title = "Climb"
[rules.climb]
label = "Climb"
carry = { ledge = "above" }
until = "above >= 6"
[rules.climb.inputs]
ledge = { min = 0, max = 6, default = 0, label = "" }
[rules.climb.inputs.rope]
label = "Rope"
min = 0
max = 3
default = 1
[rules.climb.dice]
d6 = { sides = 6 }
[rules.climb.steps]
above = { is = "min(ledge + grip, 6)", label = "" }
grip  = "sum(d6) + rope"
[rules.climb.outcomes]
top = { when = "above = 6" }
air = {}
[rules.against]
contest = { of = "test", compare = "rank", ties = "first" }
[rules.test.dice]
d6 = { sides = 6 }
[rules.test.steps]
total = "sum(d6)"
rank  = { is = "total * 10", label = "" }
"""
PAGE = """\
# Climb

```example
rule: climb
ledge: 1
rope: 0
dice: 2; 3
round: 2
step above: 6
outcome: top
```

```odds
rule: climb
rows: rope 0..1
ledge: 3
show: chance of top
```

```claim
rule: climb
mean(above; ledge 5, rope 3) = 6
chance(above = 6; ledge 6) = 1
```

```rule
rule: climb
```

```roller
rule: climb
ledge: 2
```
"""
HIDDEN = ("ledge", "Ledge", "above", "Above")


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write(tmp_path, {"game.toml": GAME, "page.md": PAGE})


def test_blocks_and_claims_name_what_is_hidden(book: Path, ran: Ran) -> None:
    status, out, _ = ran("check", str(book))
    assert status == 0, out


@pytest.mark.parametrize("words", [("odds", "climb"), ("roll", "climb", "--seed", "1"), ("roll", "climb", "dice=2; 5")])
@pytest.mark.usefixtures("book")
def test_the_command_line_hides_them(ran: Ran, words: tuple[str, ...]) -> None:
    status, out, err = ran(*words)
    assert status == 0, err
    assert "grip" in out
    assert "rope" in out
    assert not [line for line in out.splitlines() if line.strip().startswith(HIDDEN)]
    assert "ledge 0" not in out


@pytest.mark.usefixtures("book")
def test_a_contest_hides_the_step_that_is_compared(ran: Ran) -> None:
    for words in (("odds", "against"), ("roll", "against", "--seed", "1")):
        status, out, err = ran(*words)
        assert status == 0, err
        assert "rank" not in out
        assert "goes to first" in out


def test_cards_hide_them(book: Path) -> None:
    blocks = compile_book([book], book).blocks
    assert [block.status for block in blocks] == ["passed"] * 5
    for block in blocks:
        card = render_card(block, read_words("en"))
        text = "".join(part.partition(">")[2] for part in card.split("<"))
        text = text.replace("ledge + grip", "").replace("the ledge", "")  # in a formula, there is no other word for it
        assert not [name for name in HIDDEN if name in text], (block.block.kind, text)


def test_the_browser_hides_them_in_rounds() -> None:
    game = made_game(GAME)
    question = {"door": "check", "inputs": {}, "dice": "2; 5", "whole": True, "declined": 0, "rerolled": ""}
    (answer,) = shared_engine().ask_once(game, "climb", [question])
    lines = answer["result"]["derivation"]
    assert [line for line in lines if line.startswith("round 1")] == ["round 1: 2"]


def test_a_card_in_the_browser_hides_them(browser: Any, tmp_path: Path) -> None:
    """No chip, no row; what the book sets is used all the same. A name like a word of blocks is copied with `input`."""
    game = GAME.replace("rope", "dice")
    text = f"# Climb\n\n```game\n{game}```\n\n```roller\nrule: climb\nledge: 5\n```\n"
    site = build(tmp_path, {"index.md": text})
    assert site.code == 0, site.said
    page = browser.new_page()
    page.set_default_timeout(30_000)
    page.goto((site.folder / "index.html").as_uri())
    page.evaluate(WAKE)
    card = page.locator("rule-card")
    assert "Rope" in unfold(card).inner_text() + card.inner_text()
    assert not re.search("ledge|above", unfold(card).inner_text() + card.inner_text(), re.IGNORECASE)
    type_dice(page, card, "1")
    assert card.locator(".rw-outcome").inner_text() == "Top"
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject() }")
    menu(card).get_by_role("button", name="Copy as example").click()
    example = card.locator(".rw-copied textarea").input_value()
    assert example.splitlines()[1:5] == ["rule: climb", "ledge: 5", "input dice: 1", "dice: 1"]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('label = "", min = 1, max = 3', 'give it a label, or a default and no "asked"'),
        ('label = "", flag = true, asked = "sum(d6) > 1"', 'give it a label, or a default and no "asked"'),
        ('label = "", min = 1, max = 3, default = 2', ""),
    ],
)
def test_what_is_hidden_needs_a_default(entry: str, message: str) -> None:
    text = f'title = "x"\n[rules.a]\naim = "mean(s)"\ninputs.i = {{ {entry} }}\n'
    _, problems = load_game_text(f'{text}dice.d6 = {{ sides = 6 }}\nsteps.s = "sum(d6) + i"')
    assert [message in problem.message for problem in problems] == [True] * bool(message), problems

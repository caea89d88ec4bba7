"""Cards of version 2 of the language: every idea is shown, explained, rolled, and copied as a block that checks."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulewright.compile.book import compile_book
from rulewright.render.cards.card import render_card
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
    "pig": "dice: 4; 6; 5\nstop: no; no; yes\noutcome: hold",
}


def write_book(folder: Path) -> Path:
    """A book of these games, with an example for each."""
    for name in EXAMPLES:
        (folder / name).mkdir(parents=True)
        own = {"waves": WAVES, "poker": POKER}.get(name)
        text = own or (MECHANICS / name / "game.toml").read_text("utf-8").partition("[rules.chosen]")[0]
        (folder / name / "game.toml").write_text(text, "utf-8")
    blocks = [f"## {name}\n\n```example\ngame: {name}\n{text}\n```\n" for name, text in EXAMPLES.items()]
    (folder / "index.md").write_text("\n".join(["# Ideas\n", *blocks]), "utf-8")
    return folder


@cache
def cards() -> dict[str, str]:
    """The card of each example."""
    with TemporaryDirectory() as place:
        book = write_book(Path(place) / "book")
        compiled = compile_book([book], book)
        assert [problem.message for page in compiled.pages for problem in page.problems] == []
        return dict(zip(EXAMPLES, (render_card(block, ENGLISH) for block in compiled.blocks), strict=True))


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

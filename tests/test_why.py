"""The line that says why a roll has its outcome, derived from the condition that decided."""

from __future__ import annotations

import re
from html import unescape

import pytest

import card_book
from rulewright.render.cards.card import render_card
from rulewright.render.strings import read_words

FENCE = "```"
POOL = """
[rules.roll.inputs]
pool = { min = 1, max = 9 }
taken = { label = "Taken away", min = 0, max = 9, default = 0 }
[rules.roll.dice]
d = { count = "pool", sides = 10, tests = { good = "face >= 6", bad = "face = 1" } }
[rules.roll.steps]
hits = "count(d: good)"
ones = "count(d: bad)"
kept = "max(hits - taken, 0)"
net = "kept - ones"
"""
SUM = """
[rules.roll.inputs]
bonus = { min = -9, max = 9, default = 0 }
target = { min = 1, max = 60, default = 8 }
doubled = { flag = true, default = false }
[rules.roll.dice]
d = { sides = 6 }
e = { sides = 6 }
[rules.roll.steps]
base = "sum(d) + sum(e)"
total = "if(doubled, 2 * base, base + bonus)"
lucky = "base = 12"
"""
STEP = {POOL: "net", SUM: "base"}
NET = 'won = { when = "net > 0" }\nlost = { when = "net < 0" }\neven = {}'
BOTH = "bonus 2 against 1, 6 + 6 + 2 = 14 against 9"
REACH = 'won = { when = "total >= target" }\nlost = {}'


def why(game: str, outcomes: str, roll: str) -> str:
    """The line of the only card on a page with this game; what the example expects does not matter."""
    blocks = [f'game\ntitle = "T"{game}[rules.roll.outcomes]\n{outcomes}', f"example\n{roll}\n{STEP[game]}: 99"]
    text = "# Page\n\n" + "".join(f"{FENCE}{block}\n{FENCE}\n\n" for block in blocks)
    html = render_card(card_book.of_text(text, 1), read_words("en"))
    found = re.search(r'<p class="rw-why">(.*?)</p>', html)
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize(
    ("roll", "line"),
    [
        ("pool: 4\ndice: 6 7 8 1", "3 hits − 1 one = 2"),
        ("pool: 2\ndice: 6 7", "2 hits"),
        ("pool: 3\ntaken: 1\ndice: 6 7 1", "2 hits − taken away 1 − 1 one = 0"),
        ("pool: 2\ndice: 1 1", "2 ones"),
        ("pool: 3\ntaken: 2\ndice: 6 1 1", "2 ones"),
        ("pool: 1\ndice: 3", "net 0"),
    ],
)
def test_counted_dice_are_named(roll: str, line: str) -> None:
    assert why(POOL, NET, roll) == line


@pytest.mark.parametrize(
    ("roll", "line"),
    [
        ("bonus: 2\ndice: d 3 | e 5", "3 + 5 + 2 = 10 against 8"),
        ("bonus: -2\ndice: d 3 | e 5", "3 + 5 − 2 = 6 against 8"),
        ("dice: d 3 | e 2", "3 + 2 = 5 against 8"),
        ("doubled: yes\ndice: d 3 | e 2", "total 10 against 8"),
    ],
)
def test_sums_are_numbers(roll: str, line: str) -> None:
    assert why(SUM, REACH, roll) == line


@pytest.mark.parametrize(
    ("outcomes", "roll", "line"),
    [
        ('won = { when = "base = 12" }\nlost = {}', "dice: d 6 | e 6", "6 + 6 = 12"),
        ('won = { when = "lucky", says = "Twelve!" }\nlost = {}', "dice: d 6 | e 6", "6 + 6 = 12"),
        ('won = { when = "doubled", says = "So it goes." }\nlost = {}', "doubled: yes\ndice: d 6 | e 6", "So it goes."),
        ('won = { when = "doubled or total > 9" }\nlost = {}', "dice: d 6 | e 6", "6 + 6 = 12 against 9"),
        (
            'won = { when = "bonus > 1 and total > 9" }\nlost = {}',
            "bonus: 2\ndice: d 6 | e 6",
            "bonus 2 against 1, 6 + 6 + 2 = 14 against 9",
        ),
        ('won = { when = "not (total < 9)" }\nlost = {}', "dice: d 6 | e 6", "6 + 6 = 12 against 9"),
        ('won = { when = "sum(d) > sum(e)" }\nlost = {}', "dice: d 2 | e 6", "2 against 6"),
    ],
)
def test_what_decided_is_found_in_any_condition(outcomes: str, roll: str, line: str) -> None:
    assert why(SUM, outcomes, roll) == line


def test_a_fixed_rank_in_a_contest_is_named_by_its_outcome() -> None:
    roll = "game: step-dice\nrule: contest\nside Mira: die d6, dice 1+1\nside Tavo: die d8, dice 2\nwinner: Tavo"
    html = render_card(card_book.of_text(f"# Page\n\n{FENCE}example\n{roll}\n{FENCE}\n"), read_words("en"))
    assert re.findall(r'class="rw-value">([^<]*)<', html) == ["critical failure", "2"]


def test_a_rule_without_outcomes_adds_up_its_result() -> None:
    html = render_card(next(one for one in card_book.blocks() if "165" in one.block.text.content), read_words("en"))
    assert "<strong>Total 165</strong>" in html
    assert "3 + 7 + 12 + 20 + 100 + 2 + 21<" in html

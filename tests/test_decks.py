"""Cards from a deck: exact chances against all ways to draw them, one card after the other, in both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine_cases import odds_case
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

F = Fraction
Card = Any
Draw = Callable[[Sequence[Card]], int]  # how many cards are drawn, from those drawn so far


def hands(
    deck: Sequence[Card], wanted: Draw, hand: tuple[Card, ...] = ()
) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """All hands in the order drawn, with their chances; equal cards are drawn as one."""
    if len(hand) >= wanted(hand) or not deck:
        yield hand, F(1)
        return
    for card, copies in Counter(deck).items():
        left = list(deck)
        left.remove(card)
        for found, chance in hands(left, wanted, (*hand, card)):
            yield found, chance * F(copies, len(deck))


@dataclass(frozen=True)
class Case:
    """A rule, and what it gives for a hand of cards: its last step."""

    name: str
    text: str
    deck: Sequence[Card]
    drawn: int | Draw
    result: Callable[[Sequence[Card]], int]
    inputs: Mapping[str, str] = field(default_factory=dict)

    def chances(self) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        count = self.drawn if callable(self.drawn) else lambda _, number=self.drawn: number
        for hand, chance in hands(self.deck, count):
            value = int(self.result(hand))
            found[value] = found.get(value, F(0)) + chance
        return found


def most(values: Sequence[Any]) -> int:
    return max(Counter(values).values(), default=0)


SUITS = ("clubs", "hearts", "spades")
SUITED = tuple(product(range(1, 5), SUITS))
SUITED_TEXT = 'deck = { rank = "1..4", suit = ["clubs", "hearts", "spades"] }'
CASES = [
    Case(
        "a word over words",
        f'dice.cards = {{ count = 4, {SUITED_TEXT} }}\nsteps.n = "max(s of cards.suit: count(cards: suit = s))"',
        SUITED, 4, lambda hand: most([suit for _, suit in hand]),
    ),
    Case(
        "two words, one over numbers",
        f"dice.cards = {{ count = 4, {SUITED_TEXT} }}\n"
        'steps.n = "10 * max(s of cards.suit: count(cards: suit = s)) + max(s of cards.rank: count(cards: rank = s))"',
        SUITED, 4, lambda hand: 10 * most([suit for _, suit in hand]) + most([rank for rank, _ in hand]),
    ),
    Case(
        "more cards than copies",
        'dice.cards = { count = 3, deck = { rank = "1..5", suit = "1..4" } }\n'
        'steps.n = "max(r of cards.rank: count(cards: rank = r)) + 10 * (count(cards: suit = 1) = 3)"',
        tuple(product(range(1, 6), range(1, 5))), 3,
        lambda hand: most([rank for rank, _ in hand]) + 10 * ([suit for _, suit in hand].count(1) == 3),
    ),
    Case(
        "the best of a suit",
        f"dice.cards = {{ count = 3, {SUITED_TEXT} }}\n"
        "steps.n = \"sum(s of cards.suit: highest(cards where suit = s: rank))\"",
        SUITED, 3, lambda hand: sum(max((r for r, own in hand if own == suit), default=0) for suit in SUITS),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_decks(case: Case) -> None:
    game, problems = load_game_text(f'title = "Cards"\n[rules.draw]\n{case.text}')
    assert game, problems
    odds, complaints = compute_odds(game.rules["draw"], case.inputs)
    assert isinstance(odds, Odds), complaints
    expected = case.chances()
    assert sum(expected.values()) == 1
    assert odds.distribution("n").values == expected
    assert odds.mean("n") == sum((value * chance for value, chance in expected.items()), F(0))
    question, written = odds_case(game.rules["draw"], case.inputs, "")
    (answer,) = shared_engine().ask_once(game, "draw", [question])
    assert answer["odds"], answer["complaints"]
    assert not find_odds_differences(written["odds"], answer["odds"])

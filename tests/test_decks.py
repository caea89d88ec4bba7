"""Cards from a deck: exact chances against all ways to draw them, one card after the other, in both engines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from engine_cases import require_same
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text

F = Fraction
Card = Any
Draw = Callable[[Sequence[Card]], int]  # how many cards are drawn, from those drawn so far
SLOW = {"hands that wait for steps, one after the other", "a third hand waits for the first"}


def hands(
    deck: Sequence[Card], wanted: int | Draw, hand: tuple[Card, ...] = ()
) -> Iterator[tuple[tuple[Card, ...], Fraction]]:
    """All hands in the order drawn, with their chances; equal cards are drawn as one."""
    if len(hand) >= (wanted(hand) if callable(wanted) else wanted) or not deck:
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

    def chances(self) -> dict[int, Fraction]:
        return total((int(self.result(hand)), chance) for hand, chance in hands(self.deck, self.drawn))


def most(values: Sequence[Any]) -> int:
    return max(Counter(values).values(), default=0)


SUITS = ("clubs", "hearts", "spades")
SUITED = tuple(product(range(1, 5), SUITS))
SUITED_TEXT = 'deck = { rank = "1..4", suit = ["clubs", "hearts", "spades"] }'
SHARED_TEXT = f'dice.mine = {{ count = 2, {SUITED_TEXT} }}\ndice.yours = {{ count = 2, deck = "mine" }}\n'


def _third_count(hand: Sequence[Card]) -> int:
    """How many cards are drawn after two hands of two."""
    few, rest = hand[0][0] + hand[1][0] < 6, (hand[2][0] + hand[3][0]) % 3
    return int(few * (1 + (len(hand) >= 5 and hand[4][0] > rest)))


WITH_JOKERS = (*product(range(1, 4), "ch"), "joker", "joker", (9, "fool"))
JOKERS_TEXT = 'deck = { rank = "1..3", suit = ["c", "h"], joker = "1 + 1", "9&fool" = 1 }'
CASES = [
    Case(
        "two hands from one deck",
        SHARED_TEXT + 'steps.n = "10 * (highest(mine) > highest(yours)) + count(yours: suit = \'hearts\')"',
        SUITED, 4,
        lambda hand: 10 * (max(hand[:2])[0] > max(hand[2:])[0]) + [suit for _, suit in hand[2:]].count("hearts"),
    ),
    Case(
        "matches in two hands",
        SHARED_TEXT + 'steps.n = "max(r of yours.rank: count(mine, yours: rank = r)) + 10 * sum(highest 1 of yours)"',
        SUITED, 4,
        lambda hand: most([rank for rank, _ in hand]) + 10 * max(hand[2:])[0],
    ),
    Case(
        "a third hand waits for the first",
        SHARED_TEXT + 'dice.third = { count = "if(sum(mine) > 5, 1, 0)", deck = "mine" }\n'
        'steps.n = "100 * count(third: suit = \'clubs\') + 10 * sum(third) + sum(yours)"',
        SUITED, 5,
        lambda hand: hand[2][0] + hand[3][0]
        + (hand[0][0] + hand[1][0] > 5) * (100 * (hand[4][1] == "clubs") + 10 * hand[4][0]),
    ),
    Case(
        "hands that wait for steps, one after the other",
        SHARED_TEXT + 'dice.third = { count = "if(few, 1, 0)", deck = "mine" }\n'
        'dice.fourth = { count = "if(few and sum(third) > left, 1, 0)", deck = "mine" }\n'
        'steps = { few = "sum(mine) < 6", left = "rest(sum(yours) / 3)", '
        'n = "10 * sum(fourth) + sum(third) + sum(yours)" }',
        SUITED, lambda hand: 4 + (len(hand) >= 4 and _third_count(hand)),
        lambda hand: sum(rank for rank, _ in hand[2:5]) + 10 * sum(rank for rank, _ in hand[5:]),
    ),
    Case(
        "more cards than are left",
        'dice.mine = { count = 2, deck = { a = 2, b = 1, c = 1 } }\ndice.yours = { count = 9, deck = "mine" }\n'
        'steps.n = "10 * count(yours) + count(yours: a) - count(mine: b)"',
        "aabc", 4, lambda hand: 20 + hand[2:].count("a") - hand[:2].count("b"),
    ),
    Case(
        "jokers in the second hand",
        f'dice.mine = {{ count = 1, {JOKERS_TEXT} }}\ndice.yours = {{ count = 2, deck = "mine" }}\n'
        'steps.n = "10 * count(yours: joker) + max(s of yours.suit: count(mine, yours: suit = s or joker > 0))"',
        WITH_JOKERS, 3,
        lambda hand: 10 * hand[1:].count("joker") + hand.count("joker")
        + most([card[1] for card in hand if card[1] in "ch"]),
    ),
    Case(
        "jokers are of no rank, suit or number",
        f"dice.cards = {{ count = 3, {JOKERS_TEXT} }}\n"
        'steps = { ranks = "max(r of cards.rank: count(cards: rank = r))", '
        'n = "100 * ranks + 1000 * max(s of cards.suit: count(cards: suit = s)) + sum(cards)" }',
        WITH_JOKERS, 3,
        lambda hand: 100 * most([card[0] for card in hand if card[1] in "ch"])
        + 1000 * most([card[1] for card in hand if card[1] in "ch"])
        + sum(card[0] for card in hand if card != "joker"),
    ),
    Case(
        "jokers stand for any card",
        f"dice.cards = {{ count = 4, {JOKERS_TEXT} }}\n"
        'steps.n = "max(r of cards.rank: count(cards: rank = r or joker > 0)) + 10 * count(cards: fool)"',
        WITH_JOKERS, 4,
        lambda hand: hand.count("joker") + most([card[0] for card in hand if card[1] in "ch"])
        + 10 * hand.count((9, "fool")),
    ),
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
    Case(
        "the first cards and the others",
        'dice.cards = { count = 4, deck = { rank = "1..9" } }\n'
        'steps = { hand = "first 2 of cards", best = "highest(hand: rank)", '
        'n = "10 * best + count(cards without hand: rank > best)" }',
        tuple(range(1, 10)), 4, lambda hand: 10 * max(hand[:2]) + sum(card > max(hand[:2]) for card in hand[2:]),
    ),
    Case(
        "two hands of equal cards",
        'dice.cards = { count = 5, deck = { hit = 4, miss = 3, "hit&hit" = 1 } }\n'
        'steps.n = "10 * count(first 2 of cards: hit) + count(cards without first 4 of cards: hit)"',
        (1,) * 4 + (0,) * 3 + (2,), 5, lambda hand: 10 * sum(hand[:2]) + hand[4],
    ),
    Case(
        "the first hits",
        'dice.cards = { count = 4, deck = { a = 2, b = 2, c = 3 } }\n'
        'steps.n = "count(first 1 of (cards where a + b > 0): a)"',
        "aabbccc", 4, lambda hand: next((card == "a" for card in hand if card in "ab"), 0),
    ),
    Case(
        "the highest of equal ranks",
        f"dice.cards = {{ count = 3, {SUITED_TEXT} }}\n"
        "steps.n = \"count(highest 2 of cards by rank: suit = 'hearts')\"",
        SUITED, 3,
        lambda hand: [suit for _, suit in sorted(hand, key=lambda card: -card[0])[:2]].count("hearts"),
    ),
    Case(
        "a sum of the highest",
        'dice.cards = { count = 4, deck = { rank = "1..6", suit = "1..2" } }\nsteps.n = "sum(highest 2 of cards)"',
        tuple(range(1, 7)) * 2, 4, lambda hand: sum(sorted(hand)[-2:]),
    ),
    Case(
        "blessings",
        'dice.bag = { deck = { 2 = 3, -1 = 2, skull = 1, "1&bless" = 3 }, '
        'again = { when = "bless > 0", roll = "bag" } }\n'
        'steps.n = "sum(bag) - 5 * count(bag: skull)"',
        (2,) * 3 + (-1,) * 2 + (-5,) + ("bless",) * 3,
        lambda hand: 1 + hand.count("bless"),
        lambda hand: sum(1 if card == "bless" else card for card in hand),
    ),
    Case(
        "several cards for one",
        'dice.bag = { count = 2, deck = { two = 2, one = 2, none = 3 }, '
        'again = [{ when = "two > 0", roll = "bag", count = 2 }, { when = "one > 0", roll = "bag" }] }\n'
        'steps.n = "count(bag) * 10 + count(bag: none)"',
        (2,) * 2 + (1,) * 2 + (0,) * 3,
        lambda hand: 2 + sum(hand),
        lambda hand: 10 * len(hand) + hand.count(0),
    ),
]  # fmt: skip


@dataclass(frozen=True)
class Waves:
    """A rule whose dice and cards come one after the other, and the chances of its last step."""

    name: str
    text: str
    chances: Callable[[], Iterable[tuple[int, Fraction]]]


def dice(count: int, sides: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    for faces in product(range(1, sides + 1), repeat=count):
        yield faces, F(1, sides**count)


def cards_by_a_die() -> Iterator[tuple[int, Fraction]]:
    for (die,), chance in dice(1, 4):
        for hand, share in hands((1, 2, 3, 4, 5), die):
            yield max(hand) + 10 * die, chance * share


def deck_by_a_die() -> Iterator[tuple[int, Fraction]]:
    for (die,), chance in dice(1, 4):
        for hand, share in hands("g" * die + "rr", 3):
            yield hand.count("g"), chance * share


def decks_of_several_sizes() -> Iterator[tuple[int, Fraction]]:
    for (die,), chance in dice(1, 3):
        for hand, share in hands("x" * die + "yyz", 2):
            yield hand.count("x") * (die + 3), chance * share


def cards_earned_by_dice() -> Iterator[tuple[int, Fraction]]:
    for faces, chance in dice(3, 3):
        drawn = 1 + faces.count(3)
        for hand, share in hands((1, 1, 2, 3), drawn):
            yield sum(hand), chance * share


def dice_by_cards() -> Iterator[tuple[int, Fraction]]:
    for hand, chance in hands("ggyyy", 3):
        for green, share in dice(hand.count("g"), 3):
            for yellow, part in dice(hand.count("y"), 2):
                yield (green + yellow).count(2), chance * share * part


def two_waves() -> Iterator[tuple[int, Fraction]]:
    for first, chance in dice(3, 4):
        for second, share in dice(first.count(2), 6):
            yield max(first + second), chance * share


def a_word_over_later_faces() -> Iterator[tuple[int, Fraction]]:
    for first, chance in dice(2, 4):
        for second, share in dice(first.count(2), 6):
            yield most(first + second) if second else 0, chance * share


def a_chain_of_earned_dice() -> Iterator[tuple[int, Fraction]]:
    for a, chance in dice(2, 2):
        for b, share in dice(1 + a.count(2), 3):
            for c, part in dice(1 + b.count(3), 2):
                yield 10 * max((*a, *b, *c)) + len(c), chance * share * part


WAVES = [
    Waves(
        "cards by a die",
        'dice = { d4 = { sides = 4 }, cards = { count = "sum(d4)", deck = { rank = "1..5" } } }\n'
        'steps.n = "highest(cards) + 10 * sum(d4)"', cards_by_a_die,
    ),
    Waves(
        "a deck by a die",
        'dice = { d4 = { sides = 4 }, cards = { count = 3, deck = { g = "sum(d4)", r = 2 } } }\n'
        'steps.n = "count(cards: g)"', deck_by_a_die,
    ),
    Waves(
        "decks of several sizes",
        'dice = { d3 = { sides = 3 }, cards = { count = 2, deck = { x = "sum(d3)", y = 2, z = 1 } } }\n'
        'steps.n = "sum(cards: if(x > 0, sides, 0))"', decks_of_several_sizes,
    ),
    Waves(
        "cards earned by dice",
        'dice = { d3 = { count = 3, sides = 3, again = { when = "face = 3", roll = "cards" } }, '
        'cards = { deck = { 1 = 2, 2 = 1, 3 = 1 } } }\nsteps.n = "sum(cards)"', cards_earned_by_dice,
    ),
    Waves(
        "dice by cards",
        'dice = { cup = { count = 3, deck = { g = 2, y = 3 } }, green = { count = "count(cup: g)", sides = 3 }, '
        'yellow = { count = "count(cup: y)", sides = 2 } }\nsteps.n = "count(green, yellow: face = 2)"', dice_by_cards,
    ),
    Waves(
        "the highest of two waves",
        'dice = { a = { count = 3, sides = 4 }, b = { count = "count(a: face = 2)", sides = 6 } }\n'
        'steps.n = "highest(a, b)"', two_waves,
    ),
    Waves(
        "a word over later faces",
        'dice = { a = { count = 2, sides = 4 }, b = { count = "count(a: face = 2)", sides = 6 } }\n'
        'steps.n = "max(f of b: count(a, b: face = f))"', a_word_over_later_faces,
    ),
    Waves(
        "dice that are rolled and earned",
        'dice = { a = { count = 2, sides = 2, again = { when = "face = 2", roll = "b" } }, '
        'b = { count = 1, sides = 3, again = { when = "face = 3", roll = "c" } }, c = { count = 1, sides = 2 } }\n'
        'steps.n = "10 * highest(a, b, c) + count(c)"', a_chain_of_earned_dice,
    ),
]  # fmt: skip


def total(pairs: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for value, chance in pairs:
        found[value] = found.get(value, F(0)) + chance
    return dict(sorted(found.items()))


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.name, marks=[pytest.mark.long] * (case.name in SLOW)) for case in CASES]
)
def test_decks(case: Case) -> None:
    compare(case.text, case.chances())


@pytest.mark.parametrize("case", WAVES, ids=lambda case: case.name)
def test_waves(case: Waves) -> None:
    compare(case.text, total(case.chances()))


def compare(text: str, expected: dict[int, Fraction]) -> None:
    game, problems = load_game_text(f'title = "Cards"\n[rules.draw]\n{text}')
    assert game, problems
    odds, complaints = compute_odds(game.rules["draw"], {})
    assert isinstance(odds, Odds), complaints
    assert sum(expected.values()) == 1
    assert odds.distribution("n").values == expected
    assert odds.mean("n") == sum((value * chance for value, chance in expected.items()), F(0))
    require_same(game, "draw", {})


def test_cards_that_go_on_have_no_odds() -> None:
    """Such a card is drawn again from what is left; a walk that put it back counted every draw twice."""
    game, problems = load_game_text(
        'title = "On"\n[rules.draw.dice]\n'
        'pile = { count = 2, deck = { 1 = 2, b = 1 }, again = { when = "face = 1", roll = "explode" } }\n'
        '[rules.draw.steps]\ntotal = "count(pile: b)"\n[rules.draw.outcomes]\nyes = { when = "total > 1" }\nno = {}\n'
    )
    assert game, problems
    found, complaints = compute_odds(game.rules["draw"], {})
    assert not found
    assert complaints


def test_a_choice_between_draws_from_one_deck() -> None:
    """Whether one more card is drawn, with all that lies on the table in view."""
    deck = tuple(product(range(1, 5), "ab"))
    best = F(0)
    for hand, chance in hands(deck, 3):
        held, rest = hand[0][0] + hand[1][0], [card for card in deck if card not in hand]
        drawn = [held + card[0] for card in rest]
        best += chance * max(F(held if held <= 6 else 0), F(sum(total for total in drawn if total <= 6), len(rest)))
    game, problems = load_game_text("""
title = "Cards"
[rules.draw]
aim = "mean(n)"
inputs.hit = { flag = true, asked = "count(mine) > 0" }
dice.mine = { count = 2, deck = { rank = "1..4", suit = ["a", "b"] } }
dice.yours = { count = 1, deck = "mine" }
dice.more = { count = "hit", deck = "mine" }
steps.total = "sum(mine) + sum(more)"
steps.n = "if(total > 6, 0, total) + 0 * sum(yours)"
""")
    assert game, problems
    odds, _ = compute_odds(game.rules["draw"], {})
    assert isinstance(odds, Odds)
    assert odds.mean("n") == best
    require_same(game, "draw", {})

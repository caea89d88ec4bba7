"""Dice that entries of the rule earn, and entries whose numbers dice decide, against a count of all ways by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import pytest

from js_engine import shared_engine
from odds_helpers import exact_chance, make_rule, rule_odds
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game_text

TWO = "dice.d = { count = 2, sides = 4 }"
MORE = "dice.more = { count = 0, sides = 3 }"
BOTH = 'steps.total = "sum(d) + 10 * sum(more)"'
_Pair = tuple[int, int]


def totals(earned: Callable[[_Pair], int]) -> dict[int, Fraction]:
    found = dict[int, Fraction]()
    for pair in product(range(1, 5), range(1, 5)):
        number = earned(pair)
        for more in product(range(1, 4), repeat=number):
            total = sum(pair) + 10 * sum(more)
            found[total] = found.get(total, Fraction(0)) + Fraction(1, 16 * 3**number)
    return found


@pytest.mark.parametrize(
    ("entry", "earned"),
    [
        ('roll = "more", when = "face > 2"', lambda pair: sum(face > 2 for face in pair)),
        ('roll = "more"', lambda _: 2),
        ('roll = "more", when = "face > 2", count = "face - 2"', lambda pair: sum(max(face - 2, 0) for face in pair)),
        ('roll = "more", when = "face > 2", pick = "highest"', lambda pair: max(pair) > 2),
        ('roll = "more", pick = "lowest", count = "face"', min),
        ('roll = "more", when = "face = 4", times = 2', lambda pair: 2 * pair.count(4)),
        ('roll = "more", when = "face = 4", times = "ones"', lambda pair: pair.count(1) * pair.count(4)),
        ('roll = "more", of = "top", when = "value > 3"', lambda pair: max(pair) > 3),
        ('roll = "more", count = "1 - face"', lambda _: 0),
        ('roll = "more", count = "face - 3"', lambda pair: pair.count(4)),
        ('roll = "more", when = false', lambda _: 0),
    ],
)
def test_dice_that_lie_earn_others(entry: str, earned: Callable[[_Pair], int]) -> None:
    steps = ('steps.ones = "count(d: face = 1)"', 'steps.top = "highest 1 of d"')
    rule = make_rule(TWO, MORE, f"again = {{ {entry} }}", *steps, BOTH)
    assert dict(rule_odds(rule).distribution("total").values) == totals(earned)


def test_records_say_which_dice_were_earned() -> None:
    rule = make_rule(TWO, MORE, 'again = { roll = "more", when = "face > 2" }', BOTH)
    for dice, total, message in [
        ("d 3 1 | more 2", 24, ""),
        ("d 1 1", 2, ""),
        ("d 3 4 | more 2", 0, "the dice before earn 2 more dice, but only 1 is written here"),
        ("d 1 1 | more 2", 0, "nothing calls for this die: the rule rolls 2 d dice"),
    ]:
        result, problems = check_roll(rule, {}, dice)
        assert [problem.message for problem in problems] == ([message] if message else [])
        assert message or (result and result.steps == {"total": total})


def test_dice_are_earned_by_what_lies_when_it_is_their_turn() -> None:
    """First low dice are rolled again, then the fours earn; dice that are earned may earn in their turn."""
    entries = '[{ of = "d", when = "face = 1", roll = "reroll" }, { of = "d", when = "face = 4", roll = "more" }]'
    more = 'dice.more = { count = 0, sides = 3, again = { when = "face = 3", roll = "last" } }'
    rule = make_rule(TWO, more, "dice.last = { count = 0, sides = 2 }", f"again = {entries}",
                     'steps.total = "sum(d) + 10 * sum(more) + 100 * sum(last)"')  # fmt: skip
    single = {face: Fraction(1, 16) + Fraction(face > 1, 4) for face in range(1, 5)}
    after = {10: Fraction(1, 3), 20: Fraction(1, 3), 130: Fraction(1, 6), 230: Fraction(1, 6)}
    expected = dict[int, Fraction]()
    for (a, p), (b, q) in product(single.items(), repeat=2):
        ways: dict[int, Fraction] = {a + b: p * q}
        for _ in range((a, b).count(4)):
            ways = join(ways, after)
        expected = {key: expected.get(key, Fraction(0)) + ways.get(key, 0) for key in expected.keys() | ways.keys()}
    assert dict(rule_odds(rule).distribution("total").values) == expected


def join(left: dict[int, Fraction], right: dict[int, Fraction]) -> dict[int, Fraction]:
    found = dict[int, Fraction]()
    for (a, p), (b, q) in product(left.items(), right.items()):
        found[a + b] = found.get(a + b, Fraction(0)) + p * q
    return found


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('roll = "moer"', 'there is no kind of dice "moer"; did you mean more?'),
        ('roll = "explode"', "dice explode as they are rolled; write again on the kind"),
        ('roll = "explode"', "or here the name of a kind that explodes, of which each die earns one"),
        ('roll = "reroll", keep = "better", pick = "some"', 'write pick = "any", one die after another'),
        ('roll = "reroll", keep = "better"', "`all` takes several dice at once, and `better` compares two"),
        ('roll = "reroll", count = 2', '"count" says how many dice a die earns; a reroll is one die'),
        (
            'roll = "more", keep = "higher"',
            '"keep" compares two rolls of a die; earned dice replace none, so remove it',
        ),
        ('roll = "more", pick = "any"', "dice that are earned are alike, whichever die earns them"),
        ('roll = "more", count = "total"', '"total"'),
    ],
)
def test_what_an_entry_cannot_say(entry: str, message: str) -> None:
    lines = ['title = "T"', "[rules.roll]", TWO, MORE, BOTH, f"again = {{ {entry} }}"]
    _, problems = load_game_text("\n".join(lines))
    assert any(message in problem.message for problem in problems), problems


OPEN = """\
title = "Open"
[rules.roll]
aim = "chance(high)"
[rules.roll.inputs]
fate = { flag = true, asked = "count(d: face = 4) > 0" }
[rules.roll.dice]
d    = { count = 2, sides = 4 }
more = { count = 0, sides = 4, again = { when = "face = 4", roll = "explode" } }
[[rules.roll.again]]
times = "fate"
of    = ["d"]
when  = "face = 4"
roll  = "more"
[rules.roll.steps]
total = "sum(d, more)"
[rules.roll.outcomes]
high = { when = "total = 8 or total > 12" }
low  = {}
"""


def exploded_sums(number: int, below: int) -> dict[int, Fraction]:
    """The sums of so many exploding d4 below a limit, with their chances."""
    sums = {0: Fraction(1)}
    for _ in range(number):
        one = {value: Fraction(1, 4 ** (value // 4 + 1)) for value in range(1, below) if value % 4}
        sums = {s: chance for s, chance in join(sums, one).items() if s < below}
    return sums


def test_a_rule_lets_dice_explode_once_they_are_rolled() -> None:
    """Each die earns one of a kind that explodes, as the message says; the player may decline."""
    game, problems = load_game_text(OPEN)
    assert game, problems

    def explode(pair: _Pair) -> Fraction:
        sums = exploded_sums(pair.count(4), 13)
        return 1 - sum((chance for s, chance in sums.items() if sum(pair) + s != 8 and sum(pair) + s < 13), Fraction(0))

    pairs = list(product(range(1, 5), range(1, 5)))
    won = sum(
        (max(Fraction(sum(pair) == 8), explode(pair) if 4 in pair else Fraction(0)) for pair in pairs), Fraction(0)
    )
    assert exact_chance(rule_odds(game.rules["roll"]).chances["high"]) == won / 16
    answer = shared_engine().ask(game, "roll", [{"door": "odds", "inputs": {}, "aim": ""}])[0]
    assert answer["odds"]["chances"]["high"] == pytest.approx(float(won / 16), abs=1e-9)
    result, complaints = check_roll(game.rules["roll"], {"fate": "yes"}, "d 4 1 | more 4+3")
    assert result, complaints
    assert result.steps["total"] == 12


def rolled_twos(dice: _Pair, left: int) -> Iterator[tuple[_Pair, Fraction]]:
    """Twos are rolled again so often."""
    if left == 0 or 2 not in dice:
        yield dice, Fraction(1)
        return
    news = list(product(*(range(1, 7) if face == 2 else (face,) for face in dice)))
    for a, b in news:
        yield from ((after, chance / len(news)) for after, chance in rolled_twos((a, b), left - 1))


def test_dice_decide_how_often_dice_are_rolled_again() -> None:
    rule = make_rule(
        "dice.d = { count = 2, sides = 6 }", 'again = { when = "face = 2", times = "ones", roll = "reroll" }',
        'steps.ones = "count(d: face = 1)"', 'steps.total = "sum(d)"', 'outcomes.low = { when = "total < 4" }',
        "outcomes.high = {}",
    )  # fmt: skip
    low = Fraction(0)
    for dice in product(range(1, 7), range(1, 7)):
        low += sum((chance for after, chance in rolled_twos(dice, dice.count(1)) if sum(after) < 4), Fraction(0)) / 36
    assert exact_chance(rule_odds(rule).chances["low"]) == low == Fraction(5, 108)


def test_a_count_changes_when_dice_are_rolled_again_by_choice() -> None:
    """A step that is just the number of dice that pass is worked out again, and so is what names it."""
    rule = make_rule(
        'dice.d = { count = 2, sides = 6, tests = { hit = "face > 2" } }', 'aim = "chance(good)"',
        'again = { times = "push", when = "not hit", roll = "reroll" }', 'steps.hits = "count(d: hit)"',
        'outcomes.good = { when = "hits = 2" }', "outcomes.poor = {}",
        inputs='push = { flag = true, asked = "hits < 2" }',
    )  # fmt: skip
    one = Fraction(2, 3) + Fraction(1, 3) * Fraction(2, 3)
    assert exact_chance(rule_odds(rule).chances["good"]) == one**2

"""Choices of rules that another rule rolls: each is made for the aim of its own rule, and knows its own dice alone.

The truth is worked out by trying every plan of the used rule by itself, with no code of the engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import pytest

from engine_cases import odds_case, questions
from example_counts import sample
from exhaustive_plans import TinyGame
from js_engine import shared_engine
from result_data import find_odds_differences
from rulewright.book.parser import read_page
from rulewright.checks.example import check_example
from rulewright.checks.model import BlockContext
from rulewright.game.model import Game
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.play.validate import load_game_text
from rulewright.source import Source

SIDES, MORE = 4, 3  # of the die that lies, and of the one that a player may add
Chances = Mapping[int, Fraction]

BET = """
title = "T"
[rules.bet]
aim = "{aim}"
[rules.bet.inputs]
bonus = {{ min = -9, max = 9, default = 0 }}
more  = {{ {form}, asked = "low < {limit}" }}
[rules.bet.dice]
d    = {{ sides = 4 }}
plus = {{ count = "{count}", sides = 3 }}
[rules.bet.steps]
low   = "sum(d)"
total = "low + bonus + if(count(plus) > 0, sum(plus) - {cost} * count(plus), 0)"
[rules.bet.outcomes]
good = {{ when = "total >= {good}", degree = "total" }}
bad  = {{}}
"""
FORMS = {"flag = true": ("more", (0, 1)), "min = 0, max = 2": ("more", (0, 1, 2)),
         "choice = ['none', 'one']": ("if(more = 'one', 1, 0)", (0, 1))}  # fmt: skip


class Bet(NamedTuple):
    """A die, and some dice that a player may add where it is low; each of them costs something."""

    form: str
    limit: int
    cost: int
    good: int
    aim: str

    def text(self) -> str:
        return BET.format(count=FORMS[self.form][0], **self._asdict())

    def worth(self, total: int) -> Fraction:
        """What a total is worth for the aim."""
        found: dict[str, int] = {
            "mean(total)": total,
            "-mean(total)": -total,
            "chance(good)": total >= self.good,
            "chance(bad)": total < self.good,
            "mean(degree of good)": total if total >= self.good else 0,
        }
        return Fraction(found[self.aim])

    def totals(self, plan: Mapping[int, int], bonus: int) -> Chances:
        """The chance of each total where a plan says how many dice are added to each face."""
        chances: dict[int, Fraction] = {}
        for low in range(1, SIDES + 1):
            for added in product(range(1, MORE + 1), repeat=plan.get(low, 0)):
                total = low + bonus + sum(face - self.cost for face in added)
                chances[total] = chances.get(total, Fraction(0)) + Fraction(1, SIDES * MORE ** len(added))
        return chances

    def best(self, bonus: int = 0) -> Chances:
        """What the best of all plans leads to; of equally good ones the one that adds fewest dice to each face."""
        lows, amounts = range(1, min(self.limit, SIDES + 1)), FORMS[self.form][1]
        plans = [dict(zip(lows, chosen, strict=True)) for chosen in product(amounts, repeat=len(lows))]
        ends = [self.totals(plan, bonus) for plan in plans]
        return max(ends, key=lambda own: sum(self.worth(total) * chance for total, chance in own.items()))


def load(text: str) -> Game:
    game, problems = load_game_text(text)
    assert game, problems
    return game


def chance(one: Chances, other: Chances, holds: Callable[[int, int], bool]) -> Fraction:
    return sum((p * q for a, p in one.items() for b, q in other.items() if holds(a, b)), Fraction(0))


def compute(game: Game, name: str, inputs: Mapping[str, str] | None = None) -> Odds:
    odds, complaints = compute_odds(game.rules[name], inputs or {})
    assert isinstance(odds, Odds), complaints
    return odds


def assert_engines_agree(game: Game, name: str, inputs: Mapping[str, str] | None = None) -> None:
    question, expected = odds_case(game.rules[name], dict(inputs or {}), "")
    (answer,) = shared_engine().ask(game, name, [question])
    assert answer["complaints"] == expected["complaints"]
    assert expected["odds"]
    assert not find_odds_differences(expected["odds"], answer["odds"])


DUEL = """
[rules.duel.rolls]
you  = { rule = "bet", with = { bonus = "1" } }
they = { rule = "bet" }
[rules.duel.steps]
margin = "you.total - they.total"
[rules.duel.outcomes]
win  = { when = "margin > 0" }
tie  = { when = "margin = 0" }
lose = {}
"""


def bets() -> Iterator[Bet]:
    random = Random(4)
    aims = ("mean(total)", "-mean(total)", "chance(good)", "chance(bad)", "mean(degree of good)")
    for form, aim in product(FORMS, aims):
        yield Bet(form, random.randint(2, 5), random.randint(1, 3), random.randint(2, 6), aim)


@pytest.mark.parametrize("bet", sample(bets(), 3), ids=str)
def test_each_roll_follows_its_own_aim(bet: Bet) -> None:
    game = load(bet.text() + DUEL)
    you, they = bet.best(1), bet.best()
    odds = compute(game, "duel")
    assert odds.aim == ""  # nothing is left to an aim of the duel
    assert odds.chances["win"].exact == chance(you, they, lambda a, b: a > b)
    assert odds.chances["tie"].exact == chance(you, they, lambda a, b: a == b)
    own = [sum((total * p for total, p in found.items()), Fraction(0)) for found in (you, they)]
    assert odds.mean("margin") == own[0] - own[1]
    assert odds.mean("you.total") == own[0]
    assert_engines_agree(game, "duel")
    assert_engines_agree(
        game, "duel", {"they.more": "2" if "max" in bet.form else "one" if "cho" in bet.form else "yes"}
    )


ABOVE = """
[rules.above]
aim = "chance(win)"
[rules.above.inputs]
stay = { flag = true, asked = "you.total > 2" }
[rules.above.rolls]
you  = { rule = "bet" }
[rules.above.dice]
own = { count = "not stay", sides = 6 }
[rules.above.steps]
score = "if(stay, you.total, sum(own))"
[rules.above.outcomes]
win  = { when = "score >= 4" }
lose = {}
"""


def test_two_aims_in_one_roll() -> None:
    bet = Bet("flag = true", 4, 1, 4, "mean(total)")
    game, found = load(bet.text() + ABOVE), bet.best()
    truth = sum((p * (Fraction(1, 2) if total < 4 else 1) for total, p in found.items()), Fraction(0))
    odds = compute(game, "above")
    assert odds.chances["win"].exact == truth
    assert odds.aim == "chance(win)"
    assert_engines_agree(game, "above")


def test_the_aims_always_and_never() -> None:
    for aim, added in (("always", 1), ("never", 0)):
        bet = Bet("flag = true", 3, 5, 4, "mean(total)")
        game = load(bet._replace(aim=aim).text() + DUEL)
        you, they = (bet.totals({1: added, 2: added}, bonus) for bonus in (1, 0))
        assert compute(game, "duel").chances["win"].exact == chance(you, they, lambda a, b: a > b)
        assert_engines_agree(game, "duel")


def test_rolls_in_rolls() -> None:
    bet = Bet("flag = true", 4, 1, 4, "mean(total)")
    outer = '[rules.outer.rolls]\nfirst = { rule = "duel" }\n[rules.outer.steps]\ndouble = "2 * first.margin"\n'
    game = load(bet.text() + DUEL + outer)
    assert compute(game, "outer").mean("double") == 2 * (compute(game, "duel").mean("margin") or 0)
    assert compute(game, "outer").distribution("double").values == {
        2 * value: p for value, p in compute(game, "duel").distribution("margin").values.items()
    }
    assert_engines_agree(game, "outer")


def test_a_roll_that_is_not_made_asks_nothing() -> None:
    bet = Bet("flag = true", 4, 1, 4, "mean(total)")
    when = '[rules.maybe.rolls]\nyou = { rule = "bet" }\nmore = { rule = "bet", when = "you.total < 3" }\n'
    game = load(bet.text() + when + '[rules.maybe.steps]\nall = "you.total + more.total"\n')
    one = bet.best()
    mean = sum((total * p for total, p in one.items()), Fraction(0))
    few = sum((p for total, p in one.items() if total < 3), Fraction(0))
    assert compute(game, "maybe").mean("all") == mean * (1 + few)
    assert_engines_agree(game, "maybe")


ROUNDS = """
[rules.race]
carry = { held = "sum_now" }
until = "sum_now >= 6"
most = 5
[rules.race.inputs]
held = { min = -30, max = 30, default = 0 }
[rules.race.rolls]
you = { rule = "bet" }
[rules.race.steps]
sum_now = "held + you.total"
"""


def test_rounds_of_a_rule_that_rolls_one_with_choices() -> None:
    bet = Bet("flag = true", 4, 1, 4, "mean(total)")
    game, one = load(bet.text() + ROUNDS), bet.best()
    waiting: dict[tuple[int, int], Fraction] = {(0, 1): Fraction(1)}
    mean = Fraction(0)
    while waiting:
        (held, number), p = waiting.popitem()
        for total, q in one.items():
            if held + total >= 6 or number == 5:
                mean += number * p * q
            else:
                key = (held + total, number + 1)
                waiting[key] = waiting.get(key, Fraction(0)) + p * q
    assert compute(game, "race").mean("round") == mean
    assert_engines_agree(game, "race")


def test_both_engines_roll_alike() -> None:
    game = load(Bet("flag = true", 4, 1, 4, "mean(total)").text() + DUEL + ABOVE + ROUNDS)
    for name in ("duel", "above", "race"):
        pairs = [*questions(game.rules[name], Random(7), 30)]
        answers = shared_engine().ask(game, name, [question for question, _ in pairs])
        for (question, expected), answer in zip(pairs, answers, strict=True):
            assert answer == expected, question


TIMES = """
[rules.stats.rolls]
stat = { rule = "bet", times = 2 }
[rules.stats.steps]
all = "sum(stat: total)"
"""
FLAG = Bet("flag = true", 4, 1, 4, "mean(total)")


def test_each_time_has_a_choice_of_its_own() -> None:
    game, one = load(FLAG.text() + TIMES), FLAG.best()
    wanted: dict[int, Fraction] = {}
    for (a, p), (b, q) in product(one.items(), repeat=2):
        wanted[a + b] = wanted.get(a + b, Fraction(0)) + p * q
    assert compute(game, "stats").distribution("all").values == wanted
    assert_engines_agree(game, "stats")


RIGHT = (
    "rule: duel\nyou.more: yes\nthey.more: no\nyou.dice: 2 | 3\nthey.dice: 1\nyou.total: 5\noutcome: win",
    "rule: duel\nyou.more: yes\nthey.more: yes\nyou.dice: d 2, plus 3\nthey.dice: d 1 | plus 2\nmargin: 3",
    "rule: duel\nyou.more: yes\nthey.more: yes\ndice: 2 1 | 3 2\nmargin: 3",
    "rule: duel\nyou.dice: 4\nthey.more: no\nthey.dice: 3\noutcome: win",
    "rule: stats\nstat.more: no; yes\nstat.dice: 2; 3 | 1\nall: 5",
    "rule: stats\nstat.more: ; no\nstat.dice: 4; 3\nall: 7",
    "rule: stats\nstat_1.more: yes\nstat.dice: 1 | 2; 4\nall: 6",
    "rule: race\nyou.more: yes; no\ndice: 3 | 3; 3\nround: 2\nsum_now: 8",
)


@pytest.mark.parametrize("text", RIGHT)
def test_records(text: str) -> None:
    assert problems_of(text) == []


WRONG = {
    "rule: duel\nyou.dice: 2 | 3\nthey.dice: 4\noutcome: win": "you.more must be given",
    "rule: duel\nyou.more: no\nyou.dice: 4\nthey.dice: 4\noutcome: win": "you.more does not come up here",
    "rule: stats\nstat.more: no; no; yes\nstat.dice: 2; 3\nall: 5": "this is rolled 2 times at most, and these are 3",
    "rule: stats\nstat.more: no; maybe\nstat.dice: 2; 3\nall: 5": 'stat_2.more is yes or no, not "maybe"',
    "rule: duel\nyou.more: yes\nthey.more: no\nyou.dice: 2 | 3 | 1\nthey.dice: 1\nmargin: 4": "nothing calls",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_records(text: str) -> None:
    (message,) = problems_of(text)
    assert message.startswith(WRONG[text])


def problems_of(text: str, rules: str = "") -> list[str]:
    home = load(rules or FLAG.text() + DUEL + TIMES + ROUNDS)
    page = read_page(Source("page.md", f"```example\n{text}\n```\n"))
    context = BlockContext(page, home, {"": home})
    return [problem.message for block in page.blocks for problem in check_example(block, context).problems]


AGAINST = """
[rules.duel.rolls]
you  = { rule = "roll" }
they = { rule = "roll" }
[rules.duel.steps]
margin = "you.score - 2 * they.score"
"""


@pytest.mark.parametrize("aim", ["mean(score)", "-mean(score)", "chance(good)"])
@pytest.mark.parametrize(
    ("tiny", "pick", "keep"),
    [
        (TinyGame((1, 2, 4), 1, 2, "new"), "any", "new"),
        (TinyGame((1, 4), 2, 2, "higher"), "any", "higher"),
        (TinyGame((0, 1, 3), 2, 1, "new"), "any", "new"),
        (TinyGame((0, 1, 3), 2, 1, "new"), "some", "new"),
        (TinyGame((0, 1, 3), 2, 1, "new"), "any", "better"),
    ],
)
def test_dice_are_picked_for_the_own_aim(tiny: TinyGame, pick: str, keep: str, aim: str) -> None:
    text = tiny.text("sum(d)", "score >= 4", aim).replace('"any"', f'"{pick}"').replace(f'"{tiny.keep}"', f'"{keep}"')
    game = load(text + AGAINST)
    if pick == "any" and keep != "better" and aim != "chance(good)":
        best = tiny.best(lambda table: -sum(table) if aim[0] == "-" else sum(table))
        best = -best if aim[0] == "-" else best
        assert compute(game, "duel").mean("you.score") == best
        assert compute(game, "duel").mean("margin") == -best
    one, wanted = compute(game, "roll").distribution("score").values, dict[int, Fraction]()
    for (a, p), (b, q) in product(one.items(), repeat=2):
        wanted[a - 2 * b] = wanted.get(a - 2 * b, Fraction(0)) + p * q
    assert compute(game, "duel").distribution("margin").values == wanted
    assert compute(game, "duel").aim == ""
    assert_engines_agree(game, "duel")
    pairs = [*questions(game.rules["duel"], Random(3), 12)]
    for (question, expected), answer in zip(
        pairs, shared_engine().ask(game, "duel", [question for question, _ in pairs]), strict=True
    ):
        assert answer == expected, question


PUSH = """
title = "Push"
[rules.test]
aim = "mean(sixes)"
[rules.test.inputs]
base = { min = 0, max = 3, default = 1 }
push = { flag = true, asked = "count(d: face = 6) = 0 and count(d: free) > 0" }
[rules.test.dice]
d = { count = "base", sides = 6, tests = { free = "face > 1 and face < 6" } }
[[rules.test.again]]
roll  = "reroll"
when  = "free"
times = "push"
[rules.test.steps]
sixes = "count(d: face = 6)"
[rules.duel.inputs]
base = { like = "test.base" }
again = { min = 0, max = 1, default = 0 }
[rules.duel.rolls]
you  = { rule = "test" }
they = { rule = "test", with = { base = "1" }, when = "you.sixes > 0" }
[rules.duel.dice]
own = { sides = 2 }
[[rules.duel.again]]
roll  = "reroll"
when  = "face = 1"
times = "again"
[rules.duel.outcomes]
win  = { when = "you.sixes > they.sixes and sum(own) = 2" }
lose = {}
"""


def test_a_push_in_a_rule_that_is_rolled() -> None:
    game = load(PUSH)
    one = Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6)  # a six at once, or a 2 to 5 that becomes one
    own = Fraction(3, 4)  # a 2, with a second try
    assert compute(game, "duel").chances["win"].exact == one * (1 - one) / 2
    assert compute(game, "duel", {"again": "1"}).chances["win"].exact == one * (1 - one) * own
    pairs = list(product(range(1, 7), repeat=2))
    none = Fraction(0)
    for pair in pairs:
        free = sum(1 < face < 6 for face in pair)
        none += Fraction(0 if 6 in pair else Fraction(5, 6) ** free, len(pairs))
    assert compute(game, "test", {"base": "2"}).distribution("sixes").values[0] == none
    assert compute(game, "duel", {"base": "2"}).distribution("you.sixes").values[0] == none
    for inputs in ({}, {"base": "2", "again": "1"}):
        assert_engines_agree(game, "duel", inputs)


PUSHED = (
    "rule: duel\nyou.push: yes\nyou.dice: 3\ndice: 2\nrerolled: 3 -> 6\nthey.push: no\nthey.dice: 2\noutcome: win",
    "rule: duel\nagain: 1\nyou.push: no\nyou.dice: 3\ndice: 1\nrerolled: own 1 -> 2\noutcome: lose",
)


@pytest.mark.parametrize("text", PUSHED)
def test_records_of_dice_that_are_rolled_again(text: str) -> None:
    assert problems_of(text, PUSH) == []


GIFT = """
title = "Gift"
[rules.gift]
aim = "mean(worth)"
[rules.gift.dice]
d = {{ count = 2, sides = 4 }}
e = {{ sides = 3 }}
[rules.gift.steps]
kept  = "any {most} of d, e"
given = "d, e without kept"
worth = "{worth}"
[rules.exchange.rolls]
you  = {{ rule = "gift" }}
they = {{ rule = "gift", when = "you.worth > 4" }}
[rules.exchange.steps]
margin = "you.worth - they.worth"
"""
WORTHS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], int]] = {
    "sum(kept) * count(given)": lambda kept, given: sum(kept) * len(given),
    "sum(given) - highest(kept)": lambda kept, given: sum(given) - max(kept, default=0),
    "if(sum(kept) = 5, 7, lowest(given))": lambda kept, given: 7 if sum(kept) == 5 else min(given, default=0),
}


@pytest.mark.parametrize("worth", WORTHS)
@pytest.mark.parametrize("most", sample([1, 2], 2))
def test_picked_dice_are_picked_for_the_own_aim(worth: str, most: int) -> None:
    game, one = load(GIFT.format(most=most, worth=worth)), dict[int, Fraction]()
    tables = list(product(range(1, 5), range(1, 5), range(1, 4)))
    for table in tables:
        ways = [places for number in range(most + 1) for places in combinations(range(3), number)]
        best = max(
            WORTHS[worth](
                tuple(table[place] for place in places),
                tuple(table[place] for place in range(3) if place not in places),
            )
            for places in ways
        )
        one[best] = one.get(best, Fraction(0)) + Fraction(1, len(tables))
    mean = sum((value * p for value, p in one.items()), Fraction(0))
    often = sum((p for value, p in one.items() if value > 4), Fraction(0))
    assert compute(game, "exchange").distribution("you.worth").values == one
    assert compute(game, "exchange").mean("margin") == mean * (1 - often)
    assert_engines_agree(game, "exchange")
    pairs = [*questions(game.rules["exchange"], Random(3), 8)]
    answers = shared_engine().ask(game, "exchange", [question for question, _ in pairs])
    for (question, expected), answer in zip(pairs, answers, strict=True):
        assert answer == expected, question


def test_records_of_dice_that_are_declined() -> None:
    rules = BRAVE.format(aim="always", other="always", roll="explode", score="sum(d)")
    assert problems_of("rule: both\nyou.dice: 4\ndice: 3\ndeclined: 1\nall: 1", rules) == []
    assert problems_of("rule: both\nyou.dice: 4+2\ndice: 4\ndeclined: 1\nall: 2", rules) == []
    assert problems_of("rule: both\nyou.dice: 4\ndice: 3\nall: 1", rules) != []


def test_records_of_dice_that_are_picked() -> None:
    rules = GIFT.format(most=1, worth="sum(kept) * count(given)")
    right = "rule: exchange\nyou.kept: you.d 2\nyou.dice: d 2 2 e 1\nyou.worth: 4\nmargin: 4"
    assert problems_of(right, rules) == []
    assert problems_of(right.replace("you.d 2\n", "you.d 3\n"), rules) != []


BRAVE = """
title = "Brave"
[rules.brave]
aim = "{aim}"
[rules.brave.dice]
d = {{ sides = 4, again = {{ when = "face = 4", roll = "{roll}", optional = true }} }}
[rules.brave.steps]
score = "{score}"
[rules.both]
aim = "{other}"
[rules.both.rolls]
you = {{ rule = "brave" }}
[rules.both.dice]
own = {{ sides = 4, again = {{ when = "face = 4", roll = "explode", optional = true }} }}
[rules.both.steps]
all = "you.score - sum(own)"
"""


@pytest.mark.parametrize("score", ["sum(d)", "highest(d)", "max(f of d: if(count(d: face = f) > 0, f, 0))"])
@pytest.mark.parametrize("roll", ["explode", "reroll"])
@pytest.mark.parametrize("aim", ["always", "never"])
@pytest.mark.parametrize("other", ["always", "never"])
def test_what_is_optional_follows_the_own_aim(aim: str, other: str, roll: str, score: str) -> None:
    game = load(BRAVE.format(aim=aim, other=other, roll=roll, score=score))
    odds, one = compute(game, "both"), compute(game, "brave")
    assert odds.aim == other
    own = Fraction(10, 3) if other == "always" else Fraction(5, 2)
    if score == "sum(d)":
        taken = Fraction(10, 3) if roll == "explode" else Fraction(2)
        assert one.mean("score") == (taken if aim == "always" else Fraction(5, 2))
        assert odds.mean("all") == (taken if aim == "always" else Fraction(5, 2)) - own
    elif roll == "reroll":
        assert odds.mean("all") == (one.mean("score") or 0) - own
    assert_engines_agree(game, "both")
    pairs = [*questions(game.rules["both"], Random(3), 8)]
    answers = shared_engine().ask(game, "both", [question for question, _ in pairs])
    for (question, expected), answer in zip(pairs, answers, strict=True):
        assert answer == expected, question


@pytest.mark.parametrize("pick", ["highest(more)", "sum(more)"])
@pytest.mark.parametrize("aim", ["always", "never"])
@pytest.mark.parametrize("other", ["always", "never"])
def test_optional_dice_that_are_earned_follow_the_own_aim(aim: str, other: str, pick: str) -> None:
    text = BRAVE.format(aim=aim, other=other, roll="more", score=f"sum(d) + {pick}")
    game = load(text.replace("[rules.brave.dice]", "[rules.brave.dice]\nmore = { count = 0, sides = 6 }"))
    own = Fraction(10, 3) if other == "always" else Fraction(5, 2)
    mean = Fraction(5, 2) + (Fraction(7, 8) if aim == "always" else 0)
    assert compute(game, "brave").mean("score") == mean
    assert compute(game, "both").mean("all") == mean - own
    assert_engines_agree(game, "both")
    pairs = [*questions(game.rules["both"], Random(5), 8)]
    answers = shared_engine().ask(game, "both", [question for question, _ in pairs])
    assert answers == [expected for _, expected in pairs]


GIVEN = """
title = "Given"
[rules.roll.inputs]
mood = { choice = ["low", "high"], default = "high", asked = "sum(d) > 2" }
[rules.roll.dice]
d = { sides = 4 }
[rules.roll.steps]
total = "if(mood = 'low', 1, 3) + sum(d)"
[rules.both.rolls]
you = { rule = "roll" }
[rules.both.steps]
all = "down(you.total / 2)"
"""


@pytest.mark.parametrize("mood", ["low", "high"])
def test_an_answer_given_for_a_roll(mood: str) -> None:
    """The odds of a question that only the dice ask, of a rule that is rolled."""
    game = load(GIVEN)
    odds, problems = compute_odds(game.rules["both"], {"you.mood": mood})
    assert isinstance(odds, Odds), problems
    totals = [3 + face if face <= 2 else {"low": 1, "high": 3}[mood] + face for face in range(1, 5)]
    assert odds.mean("all") == Fraction(sum(total // 2 for total in totals), 4)
    assert_engines_agree(game, "both", {"you.mood": mood})

"""The games of the specification of the language, with the records and chances that stand beside them there.

Each chance is counted here once more, without the engines; both engines must find it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from js_engine import shared_engine
from rulewright.odds.rule_odds import Odds, compute_odds
from test_rolled_choices import load, problems_of

ATTACK = """
[rules.attack.inputs]
bonus = { min = 0, max = 20 }
ac    = { min = 1, max = 40 }
dice  = { min = 0, max = 10 }
die   = { die = [4, 6, 8, 10, 12] }
[rules.attack.dice]
d20    = { sides = 20 }
damage = { count = "if(hit, if(crit, 2 * dice, dice), 0)", sides = "die" }
[rules.attack.steps]
crit  = "sum(d20) = 20"
hit   = "crit or (sum(d20) > 1 and sum(d20) + bonus >= ac)"
harm  = "sum(damage)"
"""
WIDTH = """
[rules.pool.inputs]
pool = { min = 0, max = 10 }
[rules.pool.dice]
d10 = { count = "pool", sides = 10 }
[rules.pool.steps]
width = "max(f of d10: count(d10: face = f))"
tall  = "max(f of d10: if(count(d10: face = f) = width, f, 0))"
"""
RISK = """
[rules.battle.dice]
a = { count = 3, sides = 6 }
d = { count = 2, sides = 6 }
[rules.battle.steps]
wins  = "sum(i of 1..2: i <= count(d) and lowest(highest i of a) > lowest(highest i of d))"
"""
CORTEX = """
[rules.test.dice]
d4  = { sides = 4 }
d6  = { sides = 6 }
d8  = { sides = 8 }
d10 = { sides = 10 }
[rules.test.steps]
alive  = "d4, d6, d8, d10 where face > 1"
best   = "highest 2 of alive by 100 * value - sides"
total  = "sum(best)"
effect = "highest(alive without best: sides)"
"""
HAND = """
[rules.hand.dice]
cards = { count = 5, deck = { rank = "1..13", suit = "1..4" } }
[rules.hand.steps]
match = "max(r of cards.rank: count(cards: rank = r))"
"""
PUSH = """
[rules.action]
aim = "mean(sixes)"
[rules.action.dice]
base = { count = "base", sides = 6, tests = { six = "face = 6", free = "face > 1 and face < 6" } }
[rules.action.inputs]
base = { min = 1, max = 10 }
push = { flag = true, asked = "count(base: free) > 0" }
[[rules.action.again]]
times = "push"
pick  = "all"
when  = "free"
roll  = "reroll"
[rules.action.steps]
sixes = "count(base: six)"
"""
PIG = """
[rules.pig]
carry = { held = "score" }
until = "bust or stop or score >= 100"
aim   = "mean(score)"
[rules.pig.inputs]
held = { min = 0, max = 99, default = 0 }
stop = { flag = true, asked = "not bust" }
[rules.pig.dice]
d6 = { sides = 6 }
[rules.pig.steps]
bust  = "sum(d6) = 1"
score = "if(bust, 0, held + sum(d6))"
"""
FIGHT = """
[rules.skill.inputs]
skill = { min = 1, max = 100 }
[rules.skill.dice]
d100 = { sides = 100 }
[rules.skill.steps]
level = "if(sum(d100) >= 99, 0, if(sum(d100) > max(skill, 5), 1, if(sum(d100) <= up(skill / 10), 3, 2)))"
[rules.fight.rolls]
attack  = { rule = "skill" }
defence = { rule = "skill" }
[rules.fight.steps]
margin = "if(attack.level < 2 and defence.level < 2, 0, attack.level - defence.level)"
[rules.fight.outcomes]
edge    = { when = "margin > 0", degree = "margin" }
neither = {}
"""
DYING = """
[rules.dying]
carry = { good = "good_now", bad = "bad_now" }
until = "sum(d20) = 20 or good_now = 3 or bad_now >= 3"
[rules.dying.inputs]
good = { min = 0, max = 2, default = 0 }
bad  = { min = 0, max = 2, default = 0 }
[rules.dying.dice]
d20 = { sides = 20 }
[rules.dying.steps]
good_now = "good + (sum(d20) >= 10)"
bad_now  = "bad + if(sum(d20) = 1, 2, sum(d20) < 10)"
[rules.dying.outcomes]
up     = { when = "sum(d20) = 20" }
stable = { when = "good_now = 3" }
dead   = {}
"""
RECORDS = {
    ATTACK: ["rule: attack\nbonus: 5\nac: 15\ndie: d8\ninput dice: 1\ndice: 20 | 5 8\nharm: 13",
             "rule: attack\nbonus: 5\nac: 15\ninput dice: 1\ndice: 9\nharm: 0"],
    WIDTH: ["rule: pool\npool: 6\ndice: d10 1 5 5 5 8 8\nwidth: 3\ntall: 5"],
    RISK: ["rule: battle\ndice: a 6 3 1 | d 5 3\nwins: 1"],
    CORTEX: ["rule: test\ndice: d4 4 | d6 1 | d8 4 | d10 2\nbest: 4 4\ntotal: 8\neffect: 10"],
    HAND: ["rule: hand\ndice: 12&1 12&3 2&1 5&4 9&2\nmatch: 2"],
    PUSH: [("rule: action\nbase: 4\npush: yes\ndice: 1 3 4 5\n"
           "rerolled: base 3 -> 6, base 4 -> 2, base 5 -> 1\nsixes: 1")],
    PIG: ["rule: pig\ndice: 4; 6; 5\nstop: no; no; yes\nscore: 15"],
    FIGHT: [("rule: fight\nattack.skill: 60\ndefence.skill: 45\nattack.dice: 5\ndefence.dice: 70\n"
            "outcome: edge\ndegree: 2")],
    DYING: ["rule: dying\ndice: 12; 4; 20\noutcome: up\nround: 3"],
}  # fmt: skip


@pytest.mark.parametrize(("text", "record"), [(text, one) for text, records in RECORDS.items() for one in records])
def test_records(text: str, record: str) -> None:
    assert problems_of(record, f'title = "T"\n{text}') == []


def odds_of(text: str, inputs: Mapping[str, str] | None = None) -> Odds:
    game = load(f'title = "T"\n{text}')
    name = list(game.rules)[-1]
    odds, complaints = compute_odds(game.rules[name], inputs or {})
    assert isinstance(odds, Odds), complaints
    question = {"door": "odds", "inputs": dict(inputs or {}), "aim": "", "whole": True}
    (answer,) = shared_engine().ask_once(game, name, [question])
    for outcome, chance in odds.chances.items():
        assert answer["odds"]["chances"][outcome] == pytest.approx(float(chance.low), abs=1e-9)
    for step, mean in answer["odds"]["means"].items():
        assert odds.mean(step) == pytest.approx(mean, abs=1e-9)
    return odds


def spread(values: Iterable[int]) -> dict[int, Fraction]:
    counted = Counter(values)
    return {value: Fraction(times, counted.total()) for value, times in sorted(counted.items())}


def two_best(dice: tuple[int, ...]) -> tuple[int, int]:
    """The sum of the two best dice, and the sides of the largest die that is left; of equal dice the smaller first."""
    alive = [(value, -sides) for value, sides in zip(dice, (4, 6, 8, 10), strict=True) if value > 1]
    alive.sort(reverse=True)
    return sum(value for value, _ in alive[:2]), max((-sides for _, sides in alive[2:]), default=0)


def risk(dice: tuple[int, ...]) -> int:
    attack, defence = sorted(dice[:3], reverse=True), sorted(dice[3:], reverse=True)
    return sum(a > d for a, d in zip(attack, defence, strict=False))


D6, D10 = range(1, 7), range(1, 11)
SPREADS: list[tuple[str, dict[str, str], str, Callable[[], Iterable[int]]]] = [
    (WIDTH, {"pool": "4"}, "width", lambda: (max(Counter(dice).values()) for dice in product(D10, repeat=4))),
    (RISK, {}, "wins", lambda: map(risk, product(D6, repeat=5))),
    (CORTEX, {}, "total", lambda: (two_best(dice)[0] for dice in product(*(range(1, n + 1) for n in (4, 6, 8, 10))))),
    (CORTEX, {}, "effect", lambda: (two_best(dice)[1] for dice in product(*(range(1, n + 1) for n in (4, 6, 8, 10))))),
]


@pytest.mark.parametrize(("text", "inputs", "step", "count"), SPREADS)
def test_spreads(text: str, inputs: dict[str, str], step: str, count: Callable[[], Iterable[int]]) -> None:
    assert odds_of(text, inputs).distribution(step).values == spread(count())


def test_dice_that_wait_for_a_hit() -> None:
    inputs = {"bonus": "5", "ac": "15", "dice": "1", "die": "8"}
    assert odds_of(ATTACK, inputs).mean("harm") == Fraction(10 * 9, 2 * 20) + Fraction(9, 20)


def test_two_cards_of_a_rank() -> None:
    plain = comb(13, 5) * 4**5  # hands without a pair
    match = odds_of(HAND).distribution("match").values
    assert 1 - match[1] == Fraction(2053, 4165) == 1 - Fraction(plain, comb(52, 5))
    assert match[4] == Fraction(13 * 48, comb(52, 5))


def test_pushes() -> None:
    rolled = Counter[int]()
    for dice in product(D6, repeat=2):
        free = [place for place in range(2) if 1 < dice[place] < 6]
        for again in product(D6, repeat=len(free)):
            after = [*dice]
            for place, face in zip(free, again, strict=True):
                after[place] = face
            rolled[after.count(6)] += 6 ** (2 - len(free))
    found = odds_of(PUSH, {"base": "2"}).distribution("sixes").values
    assert found == {value: Fraction(times, rolled.total()) for value, times in sorted(rolled.items())}


def test_pig() -> None:
    worth: dict[int, Fraction] = {}
    for score in reversed(range(2, 106)):
        goes = sum((worth[score + face] for face in range(2, 7)), Fraction(0)) / 6 if score < 100 else Fraction(0)
        worth[score] = max(Fraction(score), goes)
    mean = sum((worth[face] for face in range(2, 7)), Fraction(0)) / 6
    assert float(mean) == pytest.approx(8.1418, abs=5e-5)
    assert min(score for score in worth if worth[score] == score) == 20
    assert odds_of(PIG).mean("score") == mean


def level(face: int, skill: int) -> int:
    if face >= 99:
        return 0
    return 1 if face > max(skill, 5) else 3 if face <= -(-skill // 10) else 2


def test_a_fight() -> None:
    edges = 0
    for one, other in product(range(1, 101), repeat=2):
        mine, theirs = level(one, 60), level(other, 45)
        edges += (mine >= 2 or theirs >= 2) and mine > theirs
    assert Fraction(edges, 10_000) == Fraction(177, 500)
    odds = odds_of(FIGHT, {"attack.skill": "60", "defence.skill": "45"})
    assert odds.chances["edge"].exact == Fraction(edges, 10_000)


def test_dying() -> None:
    rounds = Fraction(0)
    states = {(0, 0): Fraction(1)}
    chances = {"up": Fraction(0), "stable": Fraction(0), "dead": Fraction(0)}
    while states:
        following = dict[tuple[int, int], Fraction]()
        for (good, bad), share in states.items():
            rounds += share
            for face in range(1, 21):
                now = good + (face >= 10), bad + (2 if face == 1 else face < 10)
                end = "up" if face == 20 else "stable" if now[0] == 3 else "dead" if now[1] >= 3 else ""
                if end:
                    chances[end] += share / 20
                else:
                    following[now] = following.get(now, Fraction(0)) + share / 20
        states = following
    assert chances["up"] == Fraction(1451, 8000)
    assert chances["stable"] == Fraction(331, 800)
    assert rounds == Fraction(1451, 400)
    odds = odds_of(DYING)
    assert {name: chance.exact for name, chance in odds.chances.items()} == chances
    assert odds.mean("round") == rounds

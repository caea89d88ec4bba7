"""The smallest roll on which two editions differ, next to loops that try every roll without the engine's search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from games import made_game
from rulewright.diff.counterexample import Counterexample, RollComparison, compare_rolls
from rulewright.diff.rule_pairs import GamePair, RulePair, pair_rules
from rulewright.play.result import check_roll
from rulewright.play.validate import load_game

RULES = Path(__file__).parent.parent / "rules"


def rule_pair(old: str, new: str) -> RulePair:
    return next(pair_rules(GamePair("", made_game(old), made_game(new))))


def compare(pair: RulePair, hint: dict[str, str] | None = None) -> RollComparison:
    comparison = compare_rolls(pair, hint or {})
    assert comparison
    return comparison


def smallest(pair: RulePair) -> Counterexample:
    roll = compare(pair).smallest
    assert roll
    return roll


def ends(pair: RulePair, inputs: dict[str, str], dice: str, rerolled: str = "") -> list[tuple[str, int | None]]:
    """What both editions say of a record; nothing where one of them cannot read it."""
    results = [check_roll(rule, inputs, dice, rerolled=rerolled) for rule in pair.both]
    if any(complaints or not result for result, complaints in results):
        return []
    return [(result.outcome.name, result.degree) for result, _ in results if result and result.outcome]


def assert_differs(pair: RulePair, roll: Counterexample) -> None:
    first, second = ends(pair, dict(roll.inputs), roll.dice, roll.rerolled)
    assert first != second
    assert (roll.old.outcome, roll.old.degree) == first
    assert (roll.new.outcome, roll.new.degree) == second


POOL = """\
title = "Pool"
[rules.roll.inputs]
pool  = {{ min = 1, max = 4 }}
need  = {{ min = 2, max = 6, default = 5 }}
bonus = {{ min = 0, max = 2, default = 0 }}
[rules.roll.dice]
d = {{ count = "pool", sides = 6, tests = {{ good = "face >= need", bad = "face = 1" }} }}
[rules.roll.steps]
hits = "count(d: good) + bonus"
ones = "count(d: bad)"
[rules.roll.outcomes]
fumble = {{ when = "{fumble}" }}
success = {{ when = "{success}" }}
failure = {{}}
"""
FUMBLES = (
    "ones > hits",
    "ones >= hits",
    "ones > hits and hits = 0",
    "ones = pool",
    "ones >= 3",
    "ones = 4 and need = 2",
)
WINS = ("hits > 0", "hits > ones", "hits >= ones", "hits >= 2", "hits + ones > 4")
NEEDS = (5, 4, 6, 3, 2)  # the default, then its neighbors
WAYS = st.tuples(st.sampled_from(FUMBLES), st.sampled_from(WINS))


def holds(formula: str, values: dict[str, int]) -> bool:
    """These formulas mean the same in Python, except `=`."""
    python = formula.replace(" = ", " == ")
    return bool(eval(python, {"__builtins__": {}}, values))  # noqa: S307


def outcome(way: tuple[str, str], faces: tuple[int, ...], need: int, bonus: int) -> str:
    hits = sum(face >= need for face in faces) + bonus
    values = {"hits": hits, "ones": faces.count(1), "pool": len(faces), "need": need}
    return "fumble" if holds(way[0], values) else "success" if holds(way[1], values) else "failure"


def differing(old: tuple[str, str], new: tuple[str, str]) -> Iterator[tuple[int, int, tuple[int, ...], int, int]]:
    """Every roll of the pool that ends differently: its size, its dice, its faces, its inputs."""
    for dice in range(1, 5):
        for faces in combinations_with_replacement(range(1, 7), dice):
            for (distance, need), bonus in product(enumerate(NEEDS), range(3)):
                if outcome(old, faces, need, bonus) != outcome(new, faces, need, bonus):
                    yield dice + distance + bonus, dice, faces, need, bonus


@settings(max_examples=scale_examples(40), deadline=None)
@given(WAYS, WAYS)
def test_no_smaller_roll_differs(old: tuple[str, str], new: tuple[str, str]) -> None:
    pair = rule_pair(*(POOL.format(fumble=fumble, success=success) for fumble, success in (old, new)))
    comparison = compare(pair)
    every = {(faces, need, bonus): (size, dice) for size, dice, faces, need, bonus in differing(old, new)}
    assert bool(comparison.smallest) == bool(every)
    if comparison.smallest is None:
        assert comparison.rolls == 209 * 15  # sets of up to four dice, with all inputs
        return
    roll = comparison.smallest
    assert_differs(pair, roll)
    faces = tuple(map(int, roll.dice.split()))
    key = faces, int(roll.inputs["need"]), int(roll.inputs.get("bonus", 0))
    assert every[key] == min(every.values())
    same_inputs = [other for other, *inputs in every if len(other) == len(faces) and tuple(inputs) == key[1:]]
    assert faces == min(same_inputs)


FOLLOWUPS = """\
title = "Follow-ups"
[rules.r.inputs]
need = {{ min = 2, max = 9, default = 5 }}
[rules.r.dice.d]
{dice}
{more}
[rules.r.steps]
total = "{total}"
[rules.r.outcomes]
yes = {{ when = "total {sign} need" }}
no  = {{}}
"""
PLAIN = {"dice": "sides = 4", "more": "", "total": "sum(d)", "sign": ">="}
EXPLODES = {**PLAIN, "dice": 'sides = 4\nagain = { when = "face = 4", roll = "explode" }'}
REROLL = '[[rules.r.again]]\nroll = "reroll"\ntimes = {times}\npick = "{pick}"\nkeep = "{keep}"'


def followups(old: dict[str, Any], new: dict[str, Any]) -> RulePair:
    return rule_pair(FOLLOWUPS.format(**old), FOLLOWUPS.format(**new))


def test_dice_that_explode() -> None:
    """With the usual need of 5, and next to it, no single face shows the difference."""
    pair = followups(EXPLODES, {**EXPLODES, "sign": ">"})
    roll = smallest(pair)
    assert (roll.dice, dict(roll.inputs)) == ("4+1", {"need": "5"})
    assert_differs(pair, roll)
    assert not any(len(set(ends(pair, {"need": need}, face))) > 1 for need in "546" for face in "123")


def test_only_one_edition_explodes() -> None:
    """Both use the same faces: the older edition stops at the 4."""
    roll = smallest(followups(PLAIN, EXPLODES))
    assert (roll.dice, roll.old.outcome, roll.new.outcome) == ("4+1", "no", "yes")


def test_dice_that_are_earned() -> None:
    """The older edition earns one die for a 4, the newer one two: they share the first."""
    earned = "[rules.r.dice.e]\ncount = 0\nsides = 4"
    dice = 'sides = 4\nagain = {{ when = "face = 4", roll = "e", count = {times} }}'
    old, new = ({**PLAIN, "total": "sum(d) + sum(e)", "more": earned, "dice": dice.format(times=t)} for t in (1, 2))
    roll = smallest(followups(old, new))
    every = [
        (distance, first, second)
        for (distance, need), first, second in product(enumerate((5, 4, 6, 3, 7, 2, 8, 9)), (1, 2, 3, 4), (1, 2, 3, 4))
        if (4 + first >= need) != (4 + first + second >= need)
    ]
    assert min(every) == (2, 1, 1)  # with a need of 6: 4 and 1 are too few, 4, 1 and 1 are enough
    assert (roll.dice, roll.old.outcome, roll.new.outcome, roll.inputs["need"]) == ("d 4 | e 1 1", "no", "yes", "6")


@pytest.mark.parametrize(
    ("pick", "keep", "total"),
    [
        ("highest", "lower", lambda low, high, face: low + min(high, face)),
        ("lowest", "new", lambda _low, high, face: face + high),
        ("lowest", "higher", lambda low, high, face: max(low, face) + high),
    ],
)
def test_dice_that_are_rerolled(pick: str, keep: str, total: Callable[[int, int, int], int]) -> None:
    rerolls = {**PLAIN, "dice": "count = 2\nsides = 4", "more": REROLL.format(times=1, pick=pick, keep=keep)}
    pair = followups(rerolls, {**rerolls, "sign": ">"})
    roll = smallest(pair)
    assert_differs(pair, roll)
    hands = combinations_with_replacement(range(1, 5), 2)
    rolls = [(low, high, face) for (low, high), face in product(hands, range(1, 5)) if total(low, high, face) == 5]
    low, high, face = min(rolls)
    picked = low if pick == "lowest" else high
    assert (roll.dice, roll.rerolled, roll.inputs["need"]) == (f"{low} {high}", f"d {picked} -> {face}", "5")


def test_a_player_may_stop_rerolling() -> None:
    rerolls = {**PLAIN, "dice": "count = 2\nsides = 4", "more": REROLL.format(times=1, pick="any", keep="new")}
    roll = smallest(followups(rerolls, {**rerolls, "sign": ">"}))
    assert (roll.dice, roll.rerolled) == ("1 4", "")
    roll = smallest(followups({**rerolls, "more": ""}, rerolls))
    assert roll.rerolled
    assert {roll.old.outcome, roll.new.outcome} == {"yes", "no"}


def test_two_editions_of_maelstrom() -> None:
    """With one or two dice and usual inputs nothing differs; of three dice these have the lowest faces."""
    games = [load_game(RULES / name / "game.toml", name)[0] for name in ("maelstrom-first-edition", "maelstrom")]
    assert games[0]
    assert games[1]
    pair = next(pair for pair in pair_rules(GamePair("", games[0], games[1])) if pair.new.name == "action")
    roll = smallest(pair)
    assert (dict(roll.inputs), roll.dice) == ({"pool": "3", "difficulty": "6"}, "1 1 6")
    assert_differs(pair, roll)
    usual = {"difficulty": "6"}
    for pool in (1, 2, 3):
        for faces in combinations_with_replacement(range(1, 11), pool):
            if faces < (1, 1, 6) or pool < 3:
                first, second = ends(pair, {**usual, "pool": str(pool)}, " ".join(map(str, faces)))
                assert first[0] == second[0]
                assert None in (first[1], second[1]) or first[1] == second[1]


def test_rules_without_dice() -> None:
    text = 'title = "T"\n[rules.r.inputs]\na = {{ min = 0, max = 9 }}\nb = {{ min = 0, max = 9 }}\n'
    text += '[rules.r.steps]\ntotal = "{sum}"\n'
    pair = rule_pair(text.format(sum="a + b"), text.format(sum="a + max(b, 2)"))
    roll = smallest(pair)
    assert (roll.dice, dict(roll.inputs), roll.old.steps, roll.new.steps) == (
        "", {"a": "0", "b": "0"}, {"total": 0}, {"total": 2},
    )  # fmt: skip
    same = compare(rule_pair(text.format(sum="a + b"), text.format(sum="b + a")))
    assert (same.rolls, same.smallest) == (100, None)


def test_rolls_that_cannot_be_compared() -> None:
    assert compare(followups(PLAIN, {**PLAIN, "dice": "sides = 6"})).why == "dice"
    other = POOL.replace("need ", "want ").replace("need", "want").replace(", default = 5", "")
    texts = [text.format(fumble=FUMBLES[0], success=WINS[0]) for text in (POOL, other)]
    rules = [made_game(text).rules["roll"] for text in texts]
    assert compare_rolls(RulePair("", rules[0], rules[1], True), {}) is None


FAR = PLAIN | {"dice": "count = 4\nsides = 4"}


def test_the_search_ends_with_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = followups(FAR, {**FAR, "total": "sum(d) + if(need = 9 and sum(d) = 8, 1, 0)"})
    assert smallest(pair).inputs["need"] == "9"
    monkeypatch.setattr("rulewright.diff.counterexample.MOST_ROLLS", 40)
    comparison = compare(pair)
    assert comparison.smallest is None
    assert comparison.rolls <= 40
    hinted = compare(pair, {"need": "9"}).smallest
    assert hinted
    assert hinted.inputs["need"] == "9"
    assert sum(map(int, hinted.dice.split())) == 8

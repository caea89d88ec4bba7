"""What throws of a die lead to at once: records and chances, against a count of all ways by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

import pytest

from odds_helpers import exact_chance, make_rule, rule_odds
from rulewright.odds.advise import make_judge
from rulewright.play.result import check_roll

GREAT = 'dice.w = { count = 2, sides = 6, again = { when = "throw = 1 and face <= 2", roll = "reroll" } }'
ROTE = """dice.d10 = { count = 2, sides = 10, tests = { good = "face >= 8" }, again = [
    { when = "throw = 1 and not good", roll = "reroll" }, { when = "face = 10", roll = "explode" } ] }"""
SUM, HITS = 'steps.total = "sum(w)"', 'steps.total = "count(d10: good)"'


@pytest.mark.parametrize(("dice", "total"), [("1>5 4", 9), ("2>1 2>2", 3), ("3 6", 9), ("1>1 6", 7)])
def test_a_replaced_throw_counts_nothing(dice: str, total: int) -> None:
    result, problems = check_roll(make_rule(GREAT, SUM), {}, dice)
    assert result, problems
    assert not problems
    assert (result.steps, result.dice) == ({"total": total}, dice)


@pytest.mark.parametrize(
    ("rule", "dice", "message"),
    [
        (GREAT, "1 4", "after 1 this w die is rerolled; write its next face too: 1>…"),
        (GREAT, "3>4 4", "a w die stops at 3; remove \">4\""),
        (GREAT, "1>1>4 4", "a w die stops at 1>1; remove \">4\""),
        (GREAT, "1+4 4", "no w die shows \"1+4\": its faces go from 1 to 6"),
        (GREAT, "1> 4", "a face is missing beside the > of \"1>\""),
        (GREAT, "1>7 4", "no w die shows \"7\": its faces go from 1 to 6"),
        (ROTE, "3+10+4 9", "after 3 this d10 die is rerolled; write 3>…"),
        (ROTE, "3>10>4 9", "after 10 this d10 die is rolled again; write 10+…"),
        (ROTE, "3>10 9", "after 10 this d10 die is rolled again; write its next face too: 3>10+…"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(rule: str, dice: str, message: str) -> None:
    _, problems = check_roll(make_rule(rule), {}, dice)
    assert [problem.message for problem in problems] == [message]


def test_all_entries_that_hold_happen() -> None:
    again = """again = [{ when = "face = 6", roll = "more" }, { when = "face = 6", roll = "last", count = 2 },
        { when = "throw = 1 and face > 4", roll = "reroll" }, { when = "face = 6", roll = "explode" }] }"""
    rule = make_rule(f"dice.w = {{ sides = 6, {again}", "[rules.roll.dice.more]", "count = 0", "sides = 4",
                     "[rules.roll.dice.last]", "count = 0", "sides = 4")  # fmt: skip
    result, problems = check_roll(rule, {}, "w 6>6+3 | more 1 2, last 1 2 3 4")
    assert result, problems
    assert not problems
    assert [die.value for die in result.roll.dice] == [9, 1, 2, 1, 2, 3, 4]
    roles = [face.roles for face in result.faces[0]]
    assert roles == [("rerolled",), (), ("thrown on",)]


def test_optional_rerolls_are_declined() -> None:
    rule = make_rule(GREAT.replace('"reroll" }', '"reroll", optional = true }'), SUM)
    for dice, declined in (("1 4", 1), ("1>2 4", 0), ("1 2", 2)):
        result, problems = check_roll(rule, {}, dice, declined)
        assert result, problems
        assert not problems
    assert float(rule_odds(rule, aim="always").mean("total") or 0) == pytest.approx(25 / 3)
    assert rule_odds(rule, aim="never").mean("total") == 7


def walk(
    sides: int, does: Callable[[int, int, int], str], depth: int = 5
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """The throws of one die that stand, each with its chance; dice that go on longer are left out."""
    waiting: list[tuple[tuple[int, ...], int, int, Fraction]] = [((), 0, 1, Fraction(1))]
    while waiting:
        stand, last, throw, chance = waiting.pop()
        for face in range(1, sides + 1):
            part, what = chance / sides, does(face, last, throw)
            after = stand if what == "reroll" else (*stand, face)
            if not what:
                yield after, part
            elif throw < depth:
                waiting.append((after, face, throw + 1, part))


def test_odds_of_dice_that_are_rerolled_at_once() -> None:
    rule = make_rule(
        GREAT, SUM, 'steps.best = "highest(w)"', 'steps.late = "count(w: throw = 2)"',
        'steps.low = "count(w: value < 3)"',
        'steps.number_of = "count(w)"',
    )  # fmt: skip
    single = list(walk(6, lambda face, _, throw: "reroll" if throw == 1 and face <= 2 else ""))
    odds = rule_odds(rule)
    both = [(a + b, p * q) for a, p in single for b, q in single]
    for step, value in (
        ("total", sum),
        ("best", max),
        ("low", lambda dice: sum(face < 3 for face in dice)),
        ("number_of", len),
    ):
        expected = sum((p * value(dice) for dice, p in both), Fraction(0))
        assert odds.mean(step) == expected, step
    assert odds.mean("late") == Fraction(2, 3)
    assert odds.distribution("total").values[12] == Fraction(2, 9) ** 2


def test_odds_of_rote_actions() -> None:
    rule = make_rule(
        ROTE, HITS, "[rules.roll.outcomes]", 'none = { when = "total = 0" }', "some = {}",
    )  # fmt: skip
    fails = Fraction(7, 10) ** 2
    assert exact_chance(rule_odds(rule).chances["none"]) == fails**2
    assert rule_odds(rule).mean("total") == 2 * (Fraction(1) + Fraction(7, 10)) * Fraction(1, 3)


def test_rerolls_without_end_are_exact() -> None:
    rule = make_rule('dice.w = { count = 2, sides = 6, again = { when = "face < 3", roll = "reroll" } }', SUM)
    assert rule_odds(rule).mean("total") == 9
    assert dict(rule_odds(rule).distribution("total").values)[6] == Fraction(1, 16)


def test_rerolls_of_the_rule_take_the_whole_die() -> None:
    """A die is rerolled at once on a 1 or 2, and once more by the rule if it then shows less than 4."""
    rule = make_rule(
        GREAT.replace("count = 2", "count = 1"),
        SUM,
        'again = { roll = "reroll", pick = "all", when = "face < 4", keep = "new" }',
    )
    single = dict[int, Fraction]()
    for dice, chance in walk(6, lambda face, _, throw: "reroll" if throw == 1 and face <= 2 else ""):
        single[dice[0]] = single.get(dice[0], Fraction(0)) + chance
    again = sum(chance for face, chance in single.items() if face < 4)
    expected = {face: again * chance + (chance if face >= 4 else 0) for face, chance in single.items()}
    assert dict(rule_odds(rule).distribution("total").values) == expected
    result, problems = check_roll(rule, {}, "1>3", rerolled="w 1>3 -> 2>6")
    assert result, problems
    assert not problems
    assert result.rerolled == "w 1>3 -> 2>6"
    assert result.steps == {"total": 6}


def test_several_kinds_are_earned() -> None:
    rule = make_rule(
        'dice.hit = { count = 2, sides = 6, again = [{ when = "face = 6", roll = "save" }, '
        '{ when = "face = 4 or face = 5", roll = "wound" }] }',
        'dice.wound = { count = 0, sides = 6, again = { when = "face >= 4", roll = "save" } }',
        "dice.save = { count = 0, sides = 6 }", 'steps.unsaved = "count(save: face < 4)"',
    )  # fmt: skip
    one = (Fraction(1, 6) + Fraction(1, 3) * Fraction(1, 2)) * Fraction(1, 2)
    odds = rule_odds(rule)
    assert odds.mean("unsaved") == 2 * one
    assert odds.distribution("unsaved").values[0] == (1 - one) ** 2


PUSH = """
dice.base = { count = 2, sides = 6, tests = { weak = "face > 1 and face < 6" } }
dice.skill = { count = 1, sides = 8, tests = { low = "face = 2", weak = "low or face > 4 and face < 8" } }
again = { of = ["base", "skill"], pick = "all", when = "weak", times = 2, roll = "reroll" }
"""
WEAK = {6: {2, 3, 4, 5}, 8: {2, 5, 6, 7}}


def pushed(sides: int, times: int) -> dict[int, Fraction]:
    chances = dict.fromkeys(range(1, sides + 1), Fraction(1, sides))
    for _ in range(times):
        again = sum((chances[face] for face in WEAK[sides]), Fraction(0))
        chances = {face: (0 if face in WEAK[sides] else chance) + again / sides for face, chance in chances.items()}
    return chances


def test_odds_of_entries_of_the_rule_ask_the_tests_of_each_kind() -> None:
    rule = make_rule(PUSH, 'steps.best = "max(highest(base), highest(skill))"', 'steps.lows = "count(skill: low)"')
    base, skill = pushed(6, 2), pushed(8, 2)
    ways = [(max(a, b, c), base[a] * base[b] * skill[c]) for a in base for b in base for c in skill]
    expected = {best: sum((chance for value, chance in ways if value == best), Fraction(0)) for best in range(1, 9)}
    odds = rule_odds(rule)
    assert dict(odds.distribution("best").values) == {best: chance for best, chance in expected.items() if chance}
    assert odds.mean("lows") == skill[2]


@pytest.mark.parametrize(
    ("rerolled", "message"),
    [
        ("base 3 -> 6, skill 5 -> 1", ""),
        ("base 3 -> 4, skill 5 -> 1, base 4 -> 1", ""),
        ("base 3 -> 6", "skill 5 must be rerolled; write rerolled: skill 5 -> …"),
        ("skill 5 -> 1, base 3 -> 6", "here base 3 is rerolled; write base 3 -> …"),
        ("base 3 -> 6, skill 5 -> 1, base 1 -> 2", "only 2 can be rerolled, this is one more"),
    ],
)
def test_records_of_entries_of_the_rule(rerolled: str, message: str) -> None:
    result, problems = check_roll(make_rule(PUSH), {}, "base 3 1 | skill 5", rerolled=rerolled)
    assert [problem.message for problem in problems] == ([message] if message else [])
    assert message or (result and result.rerolled == rerolled)


def test_dice_that_are_only_earned_are_not_rolled_again() -> None:
    lines = (
        'dice.red = { sides = 4, again = { when = "face = 4", roll = "blue" } }',
        "dice.blue = { count = 0, sides = 4 }",
    )
    rule = make_rule(*lines, 'again = { pick = "all", roll = "reroll" }', 'steps.total = "sum(red) + sum(blue)"')
    result, problems = check_roll(rule, {}, "red 4 | blue 3", rerolled="red 4 -> 4")
    assert result, problems
    assert not problems
    assert result.steps == {"total": 7}
    assert rule_odds(rule).mean("total") == Fraction(5, 2) + Fraction(1, 4) * Fraction(5, 2)


def two_dice(when: Callable[[int], bool], pick: str, times: int) -> dict[tuple[int, int], Fraction]:
    """Two dice of four sides, of which the highest or lowest that passes is rolled again: each pair, sorted."""
    ways = dict[tuple[int, int], Fraction]()
    for a, b in product(range(1, 5), repeat=2):
        ways[a, b] = Fraction(1, 16)
    for _ in range(times):
        after = dict[tuple[int, int], Fraction]()
        for (a, b), chance in ways.items():
            able = [face for face in (a, b) if when(face)]
            face = (max if pick == "highest" else min)(able) if able else None
            news = range(1, 5) if face else [None]
            for new in news:
                pair = (a, b) if new is None else (new, b) if a == face else (a, new)
                after[pair] = after.get(pair, Fraction(0)) + chance / len(news)
        ways = after
    return ways


@pytest.mark.parametrize("pick", ["highest", "lowest"])
@pytest.mark.parametrize("step", ["sum(d)", "sum(highest 2 of d)"])
def test_a_die_is_picked_of_those_that_pass(pick: str, step: str) -> None:
    dice = 'dice.d = { count = 2, sides = 4, tests = { middle = "face = 2 or face = 3" } }'
    again = f'again = {{ pick = "{pick}", when = "middle", times = 2, roll = "reroll" }}'
    rule = make_rule(dice, again, f'steps.total = "{step}"')
    expected = dict[int, Fraction]()
    for pair, chance in two_dice(lambda face: face in (2, 3), pick, 2).items():
        expected[sum(pair)] = expected.get(sum(pair), Fraction(0)) + chance
    assert dict(rule_odds(rule).distribution("total").values) == expected


def best_sum(dice: tuple[int, int], left: int) -> Fraction:
    """The mean of two dice of six sides, of which a player may roll low ones again, left times."""
    ways = [Fraction(sum(dice))]
    if left:
        for place in (0, 1):
            if dice[place] < 3:
                others = [(face, dice[1 - place]) for face in range(1, 7)]
                ways.append(sum((best_sum(new, left - 1) for new in others), Fraction(0)) / 6)
    return max(ways)


@pytest.mark.parametrize("step", ["sum(d)", "sum(highest 2 of d)"])
def test_a_player_picks_of_the_dice_that_pass(step: str) -> None:
    again = 'again = { pick = "any", when = "face < 3", times = 2, roll = "reroll" }'
    rule = make_rule("dice.d = { count = 2, sides = 6 }", again, f'steps.total = "{step}"')
    expected = sum((best_sum(dice, 2) for dice in product(range(1, 7), range(1, 7))), Fraction(0)) / 36
    assert rule_odds(rule).mean("total") == expected


@pytest.mark.parametrize(
    ("pick", "rerolled", "message"),
    [
        ("lowest", "d 2 -> 1, d 1 -> 5", ""),
        ("lowest", "d 2 -> 6", ""),
        ("lowest", "d 4 -> 6", "here d 2 is rerolled; write d 2 -> …"),
        ("lowest", "", "d 2 must be rerolled; write rerolled: d 2 -> …"),
        ("any", "", ""),
        ("any", "d 2 -> 2, d 2 -> 3", ""),
        ("any", "d 4 -> 6", "no die that may be rerolled shows this: there is d 2"),
    ],
)
def test_records_of_dice_that_are_picked_with_a_test(pick: str, rerolled: str, message: str) -> None:
    again = f'again = {{ pick = "{pick}", when = "face < 3", times = 2, roll = "reroll" }}'
    rule = make_rule("dice.d = { count = 2, sides = 6 }", again, 'steps.total = "sum(d)"')
    result, problems = check_roll(rule, {}, "2 4", rerolled=rerolled)
    assert [problem.message for problem in problems] == ([message] if message else [])
    assert message or (result and result.rerolled == rerolled)


def until_high(faces: range, times: int) -> dict[int, Fraction]:
    """A die that is rolled again so often while it shows less than 3."""
    chances = dict[int, Fraction]()
    for rolls in product(faces, repeat=times + 1):
        shown = next((face for face in rolls if face > 2), rolls[-1])
        chances[shown] = chances.get(shown, Fraction(0)) + Fraction(1, len(faces) ** (times + 1))
    return chances


@pytest.mark.parametrize("times", range(5))
@pytest.mark.parametrize("third", ["", ', { pick = "highest", when = "face = 2", roll = "reroll", of = "b" }'])
def test_what_is_rolled_again_before_later_dice(times: int, third: str) -> None:
    """Dice that are rolled again whatever else lies, over sets and waves, against all ways."""
    rule = make_rule(
        f'again = [{{ of = ["a", "b"], pick = "all", when = "face < 3", times = {times}, roll = "reroll" }}{third}]',
        "dice.a = { count = 2, sides = 4 }", "dice.b = { sides = 6 }",
        'dice.late = { count = "sum(highest 2 of a, b) > 7", sides = "2 + count(a: face = sides)" }',
        'steps.total = "sum(highest 2 of a, b) + sum(late)"',
    )  # fmt: skip
    a, b = until_high(range(1, 5), times), until_high(range(1, 7), times)
    if third:
        b = {face: (0 if face == 2 else b.get(face, 0)) + b.get(2, Fraction(0)) / 6 for face in range(1, 7)}
    expected = dict[int, Fraction]()
    for (x, p), (y, q), (z, r) in product(a.items(), a.items(), b.items()):
        both, sides = sum(sorted((x, y, z))[1:]), 2 + (x == 4) + (y == 4)
        for more in range(1, sides + 1) if both > 7 else [0]:
            expected[both + more] = expected.get(both + more, 0) + p * q * r / (sides if both > 7 else 1)
    assert dict(rule_odds(rule).distribution("total").values) == {key: own for key, own in expected.items() if own}


def best_of(dice: tuple[int, ...], left: int, worth: Callable[[tuple[int, ...]], int], sides: int) -> Fraction:
    """What dice are worth of which a player may roll some again together, left times."""
    best = Fraction(worth(dice))
    for kept in product((True, False), repeat=len(dice)) if left else []:
        rest = tuple(face for face, stays in zip(dice, kept, strict=True) if stays)
        news = list(product(range(1, sides + 1), repeat=len(dice) - len(rest)))
        if len(rest) < len(dice):
            total = sum((best_of(tuple(sorted(rest + new)), left - 1, worth, sides) for new in news), Fraction(0))
            best = max(best, total / len(news))
    return best


def test_several_dice_are_picked_together() -> None:
    again = 'again = { pick = "some", times = 2, roll = "reroll" }'
    rule = make_rule(
        "dice.d = { count = 2, sides = 3 }", again, 'steps.pair = "if(lowest(d) = highest(d), lowest(d), 0)"',
        'aim = "mean(pair)"',
    )  # fmt: skip
    dice = list(product(range(1, 4), repeat=2))
    expected = sum((best_of(pair, 2, lambda own: own[0] * (own[0] == own[1]), 3) for pair in dice), Fraction(0))
    assert rule_odds(rule).mean("pair") == expected / 9


def test_the_better_of_two_stays() -> None:
    """Of each die picked the old or the new stays; dice may be picked twice."""
    again = 'again = { pick = "any", times = 2, roll = "reroll", keep = "better" }'
    rule = make_rule(
        "dice.d = { count = 2, sides = 4 }", again, 'steps.far = "highest(d) - lowest(d)"', 'aim = "mean(far)"'
    )

    def best(dice: tuple[int, ...], left: int) -> Fraction:
        ways = [Fraction(max(dice) - min(dice))]
        for other in dice if left else []:
            after = [max(best((other, new), left - 1), best(dice, left - 1)) for new in range(1, 5)]
            ways.append(sum(after, Fraction(0)) / 4)
        return max(ways)

    expected = sum((best(dice, 2) for dice in product(range(1, 5), repeat=2)), Fraction(0)) / 16
    assert rule_odds(rule).mean("far") == expected


@pytest.mark.parametrize(
    ("rerolled", "total", "message"),
    [
        ("d 2 -> 5 = 5, d 3 -> 1 = 3", 8, ""),
        ("d 2 -> 5 = 2", 5, ""),
        ("d 2 -> 2", 5, ""),
        ("d 2 -> 5", 0, "write which of the two is there now: d 2 -> 5 = 5, or d 2 -> 5 = 2"),
        ("d 2 -> 5 = 4", 0, "write which of the two is there now: d 2 -> 5 = 5, or d 2 -> 5 = 2"),
    ],
)
def test_records_say_which_of_two_dice_stays(rerolled: str, total: int, message: str) -> None:
    again = 'again = { pick = "any", times = 2, roll = "reroll", keep = "better" }'
    rule = make_rule("dice.d = { count = 2, sides = 6 }", again, 'steps.total = "sum(d)"', 'aim = "mean(total)"')
    result, problems = check_roll(rule, {}, "2 3", rerolled=rerolled)
    assert [problem.message for problem in problems] == ([message] if message else [])
    assert message or (result and result.steps == {"total": total})


def test_what_is_better_follows_the_aim() -> None:
    again = 'again = { pick = "highest", roll = "reroll", keep = "better" }'
    rule = make_rule("dice.d = { count = 2, sides = 6 }", again, 'steps.total = "sum(d)"', 'aim = "-mean(total)"')
    for rerolled, total in (("d 5 -> 6", 8), ("d 5 -> 2", 5)):
        result, problems = check_roll(rule, {}, "3 5", rerolled=rerolled, judge=make_judge(rule))
        assert result, problems
        assert result.steps == {"total": total}


def test_a_step_picks_what_is_rolled_again() -> None:
    """The set is looked at once; what it picks of two kinds is rolled again."""
    rule = make_rule(
        'again = { of = "low", roll = "reroll" }', "dice.a = { count = 2, sides = 3 }", "dice.b = { sides = 4 }",
        'steps.low = "lowest 1 of a, b where value < 3"', 'steps.total = "sum(a, b)"',
    )  # fmt: skip
    expected = dict[int, Fraction]()
    for a, b, c in product(range(1, 4), range(1, 4), range(1, 5)):
        low = [(value, place) for place, value in enumerate((a, b, c)) if value < 3]
        sides = 0 if not low else 3 if min(low)[1] < 2 else 4
        for new in range(1, sides + 1) or [0]:
            total = a + b + c - (min(low)[0] if low else 0) + new
            expected[total] = expected.get(total, Fraction(0)) + Fraction(1, 36 * max(sides, 1))
    assert dict(rule_odds(rule).distribution("total").values) == expected
    result, problems = check_roll(rule, {}, "a 3 1, b 1", rerolled="a 1 -> 2")
    assert result, problems
    assert result.steps["total"] == 6


def test_symbols_say_what_is_rolled_again() -> None:
    rule = make_rule(
        'again = { when = "s = 0 and face != \'x\'", roll = "reroll" }',
        'dice.d = { count = 2, faces = ["-", "s", "s&s", "x"] }', 'steps.hits = "count(d: s)"',
    )  # fmt: skip
    single = {0: Fraction(1, 4) + Fraction(1, 8), 1: Fraction(5, 16), 2: Fraction(5, 16)}
    both = dict[int, Fraction]()
    for (a, p), (b, q) in product(single.items(), repeat=2):
        both[a + b] = both.get(a + b, Fraction(0)) + p * q
    assert dict(rule_odds(rule).distribution("hits").values) == both
    result, problems = check_roll(rule, {}, "- x", rerolled="d - -> s&s")
    assert result, problems
    assert result.steps == {"hits": 2}

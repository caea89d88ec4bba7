"""Well-known mechanics, each declared in a few lines and worked out here in another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import pytest

from odds_helpers import event_chance, exact_chance, make_formula, make_rule, rule_odds
from rulewright.game.model import Rule
from rulewright.odds.rule_odds import Odds

F = Fraction
END = ["[rules.roll.outcomes]", "done = {}"]


def dice(*kinds: str, steps: dict[str, str], more: tuple[str, ...] = (), inputs: str = "") -> Rule:
    """A rule with these kinds of dice, each `name = {…}`, and these steps."""
    lines = [f'{name} = "{text}"' for name, text in steps.items()]
    return make_rule("[rules.roll.dice]", *kinds, *more, "[rules.roll.steps]", *lines, *END, inputs=inputs)


def chances(rule: Rule, *events: str, aim: str = "") -> list[Fraction]:
    found = rule_odds(rule, {}, aim)
    return [exact_chance(event_chance(found, event)) for event in events]


def faces(sides: int, times: int) -> list[tuple[int, ...]]:
    return list(product(range(1, sides + 1), repeat=times))


def test_four_dice_keep_three() -> None:
    found = rule_odds(dice("d = { count = 4, sides = 6 }", steps={"total": "sum(highest 3 of d)"}))
    counted = Counter(sum(sorted(one)[1:]) for one in faces(6, 4))
    assert found.distribution("total").values == {value: F(ways, 6**4) for value, ways in counted.items()}
    assert found.mean("total") == F(15869, 1296)


def test_four_dice_keep_the_lowest_two_and_look_at_both() -> None:
    steps = {
        "low": "lowest 2 of d",
        "total": "sum(low)",
        "gap": "highest(low) - lowest(low)",
        "ones": "count(low: value = 1)",
    }
    found = rule_odds(dice("d = { count = 4, sides = 6 }", steps=steps))
    for step, value in (("total", sum), ("gap", lambda two: two[1] - two[0]), ("ones", lambda two: two.count(1))):
        counted = Counter(value(sorted(one)[:2]) for one in faces(6, 4))
        assert found.distribution(step).values == {value: F(ways, 6**4) for value, ways in counted.items()}


def test_advantage_is_the_highest_of_two() -> None:
    found = rule_odds(dice("d = { count = 2, sides = 20 }", steps={"total": "sum(highest 1 of d)"}))
    assert found.mean("total") == F(553, 40)
    assert exact_chance(found.chance(make_formula("total >= 11"))) == F(3, 4)
    assert exact_chance(found.chance(make_formula("total = 20"))) == F(39, 400)


def test_fate_dice() -> None:
    found = rule_odds(dice('d = { count = 4, faces = { "-" = -1, "0" = 0, "+" = 1 } }', steps={"total": "sum(d)"}))
    counted = Counter(sum(one) for one in product((-1, 0, 1), repeat=4))
    assert found.distribution("total").values == {value: F(ways, 81) for value, ways in counted.items()}
    assert found.mean("total") == 0


@pytest.mark.parametrize("pool", [1, 2, 3, 6])
def test_the_highest_of_a_pool_with_two_sixes_critical(pool: int) -> None:
    steps = {"best": "highest(d)", "sixes": "count(d: face = 6)"}
    critical, good, partly = chances(
        dice(f"d = {{ count = {pool}, sides = 6 }}", steps=steps),
        "sixes >= 2", "best = 6 and sixes = 1", "best = 4 or best = 5",
    )  # fmt: skip
    assert critical == 1 - F(5, 6) ** pool - pool * F(1, 6) * F(5, 6) ** (pool - 1)
    assert good == pool * F(1, 6) * F(5, 6) ** (pool - 1)
    assert partly == F(5, 6) ** pool - F(1, 2) ** pool


def test_ones_are_thrown_anew_once() -> None:
    reroll = ("[[rules.roll.again]]", 'roll = "reroll"', 'pick = "all"', 'when = "face = 1"', 'keep = "new"')
    found = rule_odds(dice("d = { count = 2, sides = 6 }", steps={"total": "sum(d)"}, more=reroll))
    assert found.mean("total") == 2 * (F(7, 2) + F(1, 6) * (F(7, 2) - 1))
    assert exact_chance(found.chance(make_formula("total = 2"))) == F(1, 36) ** 2


def test_rounds_of_rerolls() -> None:
    reroll = (
        "[[rules.roll.again]]",
        'roll = "reroll"',
        "times = 3",
        'pick = "all"',
        'when = "face < 3"',
        'keep = "higher"',
    )
    found = rule_odds(dice("d = { count = 1, sides = 6 }", steps={"total": "sum(d)"}, more=reroll))
    assert exact_chance(found.chance(make_formula("total < 3"))) == F(1, 3) ** 4
    assert exact_chance(found.chance(make_formula("total = 1"))) == F(1, 6) ** 4


def test_dice_that_earn_dice_of_another_kind() -> None:
    kinds = (
        'd = { count = 2, sides = 6, again = { when = "face = 6", roll = "e", count = 2 } }',
        "e = { count = 0, sides = 4 }",
    )
    found = rule_odds(dice(*kinds, steps={"total": "sum(d) + sum(e)", "earned": "count(e)"}))
    assert found.mean("total") == 2 * (F(7, 2) + F(1, 6) * 2 * F(5, 2))
    assert exact_chance(found.chance(make_formula("earned = 2"))) == F(10, 36)
    assert exact_chance(found.chance(make_formula("total = 4 and earned = 0"))) == F(3, 36)


def test_exploding_dice_counted_throw_by_throw() -> None:
    rule = dice(
        'd = { count = 5, sides = 6, again = { when = "face = 6", roll = "explode" } }',
        steps={"hits": "count(d: face >= 5)"},
    )
    assert rule_odds(rule).mean("hits") == 2
    assert chances(rule, "hits = 0", "hits = 1") == [F(2, 3) ** 5, 5 * F(2, 3) ** 4 * (F(1, 6) + F(1, 6) * F(2, 3))]


def test_exploding_dice_counted_by_value() -> None:
    rule = dice(
        'd = { count = 5, sides = 6, again = { when = "face = 6", roll = "explode" } }',
        steps={"hits": "count(d: value >= 9)"},
    )
    hit = F(1, 6) * F(4, 6)
    expected = [comb(5, hits) * hit**hits * (1 - hit) ** (5 - hits) for hits in range(6)]
    assert chances(rule, *(f"hits = {hits}" for hits in range(6))) == expected
    assert rule_odds(rule).mean("hits") == 5 * hit


def test_a_die_explodes_twice_at_most() -> None:
    rule = dice(
        'd = { sides = 6, again = { when = "face = 6 and throw < 3", roll = "explode" } }', steps={"total": "sum(d)"}
    )
    assert chances(rule, "total = 18", "total > 18", "total = 13") == [F(1, 216), 0, F(1, 216)]
    assert rule_odds(rule).mean("total") == F(7, 2) * (1 + F(1, 6) + F(1, 36))


def test_penetrating_dice() -> None:
    rule = dice(
        'd = { sides = 6, again = { when = "face = 6", roll = "explode" } }',
        steps={"total": "sum(d) - count(d: throw > 1)"},
    )
    assert rule_odds(rule).mean("total") == F(21, 5) - F(1, 5)
    assert chances(rule, "total = 6", "total = 11") == [F(1, 36), F(1, 216)]


def test_optional_explosions_follow_the_policy() -> None:
    kind = 'd = { sides = 6, again = { when = "face = 6", roll = "explode", optional = "1" } }'
    rule = dice(kind, steps={"total": "sum(d)"})
    assert chances(rule, "total > 6", aim="always") == [F(1, 6)]
    assert chances(rule, "total > 6", aim="never") == [0]
    assert rule_odds(rule, aim="never").mean("total") == F(7, 2)


def test_a_trait_die_beside_a_wild_die() -> None:
    kinds = (
        'trait = { sides = 8, again = { when = "face = sides", roll = "explode" } }',
        'wild = { sides = 6, again = { when = "face = sides", roll = "explode" } }',
    )
    rule = dice(*kinds, steps={"total": "max(sum(trait), sum(wild))"})
    assert chances(rule, "total >= 4", "total >= 8") == [1 - F(3, 8) * F(3, 6), 1 - F(7, 8) * (1 - F(1, 6) * F(5, 6))]


def test_two_open_axes_leave_bounds() -> None:
    kinds = (
        'a = { sides = 6, again = { when = "face = 6", roll = "explode" } }',
        'b = { sides = 6, again = { when = "face = 6", roll = "explode" } }',
    )
    found = rule_odds(dice(*kinds, steps={"gap": "sum(a) - sum(b)"}))
    equal = 5 * F(1, 36) / (1 - F(1, 36))
    for event, chance in (("gap > 0", (1 - equal) / 2), ("gap < 0", (1 - equal) / 2), ("gap = 0", equal)):
        bounds = found.chance(make_formula(event))
        assert bounds.low <= chance <= bounds.high
        assert bounds.high - bounds.low < F(1, 10**12)


def test_exploding_dice_of_which_some_are_kept() -> None:
    """Three ten-sided dice that explode, the best two kept: against all values below 60."""
    rule = dice(
        'd = { count = 3, sides = 10, again = { when = "face = 10", roll = "explode" } }',
        steps={"total": "sum(highest 2 of d)"},
    )
    single = {10 * tens + face: F(1, 10 ** (tens + 1)) for tens in range(6) for face in range(1, 10)}
    below = sum(
        (p * q * r for (a, p), (b, q), (c, r) in product(single.items(), repeat=3) if a + b + c - min(a, b, c) < 25),
        F(0),
    )
    assert chances(rule, "total < 25") == [below]


def test_pools_against_each_other_in_one_rule() -> None:
    kinds = (
        'a = { count = 3, sides = 6, tests.good = "face > 4" }',
        'b = { count = 2, sides = 6, tests.good = "face > 3" }',
    )
    rule = dice(*kinds, steps={"net": "count(a: good) - count(b: good)"})
    pairs = list(product(faces(6, 3), faces(6, 2)))
    ahead = sum(sum(x > 4 for x in a) > sum(y > 3 for y in b) for a, b in pairs)
    assert chances(rule, "net > 0") == [F(ahead, len(pairs))]
    assert rule_odds(rule).mean("net") == 0


DOWN = "faces = { low = -2, none = 0, high = 1 }, again = { when = 'face < 0', roll = 'explode' }"


def test_a_die_that_goes_down_without_end() -> None:
    rule = dice(f"d = {{ {DOWN} }}", steps={"total": "sum(d)"})
    assert chances(rule, "total <= -10", "total = -9", "total > 0") == [F(2, 3**6), F(1, 3**6), F(1, 3)]
    assert rule_odds(rule).mean("total") == F(-1, 3) / (1 - F(1, 3))


def test_dice_that_go_down_without_end() -> None:
    rule = dice(f"d = {{ count = 3, {DOWN} }}", steps={"total": "sum(d)", "least": "max(total, -4)"})
    single = {up - 2 * downs: F(1, 3 ** (downs + 1)) for downs in range(9) for up in (0, 1)}
    counted: Counter[int] = Counter()
    for fallen in product(single, repeat=3):
        counted[sum(fallen)] += single[fallen[0]] * single[fallen[1]] * single[fallen[2]]  # type: ignore[assignment]
    spread = rule_odds(rule).distribution("least").values
    assert {value: spread[value] for value in range(-3, 4)} == {value: counted[value] for value in range(-3, 4)}
    assert sum(spread.values()) == 1


def test_a_die_that_goes_up_and_down_has_bounds() -> None:
    kind = 'd = { faces = { down = -1, none = 0, up = 1 }, again = { when = "face != 0", roll = "explode" } }'
    bounds = rule_odds(dice(kind, steps={"total": "sum(d)"})).chance(make_formula("total > 0"))
    # P(0) = 1/3 · the sum over n of the ways back to the start, C(2n, n)/9**n, which is 1/sqrt(5)
    ahead = (1 - 5**-0.5) / 2
    assert float(bounds.low) - 1e-12 <= ahead <= float(bounds.high) + 1e-12
    assert bounds.high - bounds.low < F(1, 10**8)


def earning(when: str, times: int, count: str = "face = 1", sides: int = 3) -> Odds:
    """One die, some faces of which earn dice like itself."""
    kind = f'd = {{ sides = {sides}, again = {{ when = "{when}", roll = "d", count = {times} }} }}'
    return rule_odds(dice(kind, steps={"ones": f"count(d: {count})"}))


def test_throws_that_add_nothing_go_round_in_a_circle() -> None:
    found = earning("face = 6", 1, sides=6)
    assert exact_chance(found.chance(make_formula("ones = 1"))) == F(1, 5)
    assert found.mean("ones") == F(1, 5)


def test_circles_through_several_kinds() -> None:
    kinds = (
        'a = { sides = 4, again = { when = "face > 2", roll = "b" } }',
        'b = { count = 0, sides = 6, again = { when = "face > 3", roll = "a" } }',
    )
    rule = dice(*kinds, steps={"ones": "count(a: face = 1) + 2 * count(b: face = 1)"})
    one, two = F(1, 4) / (1 - F(1, 2) * F(1, 2)), F(1, 2) * F(1, 6) / (1 - F(1, 2) * F(1, 2))
    assert chances(rule, "ones = 1", "ones = 2", "ones = 0") == [one, two, 1 - one - two]


def test_a_face_that_adds_nothing_may_make_chances_irrational() -> None:
    """With q for "no one at all": q = 1/3 + q²/3, so q = (3 - sqrt(5)) / 2."""
    bounds = earning("face = 3", 2).chance(make_formula("ones = 0"))
    assert bounds.exact is None
    assert bounds.low**2 - 3 * bounds.low + 1 > 0 > bounds.high**2 - 3 * bounds.high + 1
    assert bounds.high - bounds.low < F(1, 10**8)


def test_irrational_chances_sum_to_one() -> None:
    found = rule_odds(
        make_rule(
            "[rules.roll.dice]", 'd = { sides = 4, again = { when = "face > 2", roll = "d", count = "face - 2" } }',
            "[rules.roll.outcomes]", 'some = { when = "count(d: face = 1) > 0" }', "none = {}",
        )
    )  # fmt: skip
    low, high = (sum(getattr(chance, end) for chance in found.chances.values()) for end in ("low", "high"))
    assert low < 1 < high
    # q = 1/4 + q/4 + q²/4, so q = (3 - sqrt(5)) / 2 again
    q = found.chances["none"]
    assert q.low**2 - 3 * q.low + 1 > 0 > q.high**2 - 3 * q.high + 1


def test_earned_dice_of_which_nothing_counts_are_nothing() -> None:
    found = earning("face = 3", 2, count="face > sides")
    assert exact_chance(found.chance(make_formula("ones = 0"))) == 1
    assert found.mean("ones") == 0


def test_means_of_dice_that_breed() -> None:
    adding = earning("face = 1", 2)  # here every throw that earns also counts, so all is rational
    assert adding.mean("ones") == F(1, 3) / (1 - F(2, 3))
    assert exact_chance(adding.chance(make_formula("ones = 2"))) == F(1, 3) * 2 * F(2, 3) * F(1, 3) * F(2, 3) ** 2


def test_the_mean_of_an_unbounded_value_with_a_bend() -> None:
    rule = dice(
        'd = { sides = 6, again = { when = "face = 6", roll = "explode" } }', steps={"over": "max(sum(d) - 8, 0)"}
    )
    # beyond 6 a die starts anew, with 6 behind it: max(6 + x - 8, 0)
    again = F(21, 5) - 2 + F(1, 6) * 1  # only x = 1 falls short, by one
    assert rule_odds(rule).mean("over") == F(1, 6) * again


def test_doubles_on_percentile_dice() -> None:
    steps = {"roll": "sum(d)", "double": "down(roll / 11) * 11 = roll"}
    rule = dice("d = { sides = 100 }", steps=steps)
    assert chances(rule, "double and roll <= 50", "double") == [F(4, 100), F(9, 100)]


def test_a_reroll_with_eyes_open() -> None:
    """Two dice of different size; the player throws one of them anew and takes the better face."""
    more = ("[[rules.roll.again]]", 'roll = "reroll"', 'pick = "any"', 'keep = "higher"')
    rule = dice("a = { sides = 4 }", "b = { sides = 8 }", steps={"total": "sum(a) + sum(b)"}, more=more)

    def gain(face: int, sides: int) -> F:
        return sum((F(max(new - face, 0), sides) for new in range(1, sides + 1)), F(0))

    best = sum(a + b + max(gain(a, 4), gain(b, 8)) for a, b in product(range(1, 5), range(1, 9)))
    assert rule_odds(rule).mean("total") == F(best, 32)
    assert rule_odds(rule).aim == "mean(total)"


@pytest.mark.parametrize(
    ("test", "holds"),
    [
        ("2 * sum(a) * sum(b) >= 30", lambda a, b: 2 * a * b >= 30),
        ("2 * skill * sum(a) + sum(b) >= 40", lambda a, b: 6 * a + b >= 40),
        ("2 * sum(b) * sum(a) - sum(a) < 20", lambda a, b: 2 * a * b - a < 20),
    ],
)
def test_products_of_three(test: str, holds: Callable[[int, int], bool]) -> None:
    rule = make_rule(
        "dice.a = { count = 2, sides = 6 }",
        "dice.b = { count = 2, sides = 4 }",
        f'outcomes.yes = {{ when = "{test}" }}',
        "outcomes.no = {}",
        inputs="skill = { min = 1, max = 5, default = 3 }",
    )
    ways = [holds(sum(row[:2]), sum(row[2:])) for row in product(*[range(1, 7)] * 2, *[range(1, 5)] * 2)]
    assert rule_odds(rule).chances["yes"].exact == Fraction(sum(ways), len(ways))


@pytest.mark.parametrize(("picked", "better"), [("highest", max), ("lowest", min)])
def test_throws_of_the_die_that_is_kept(picked: str, better: Callable[..., tuple[int, int]]) -> None:
    """Two d6 that go on after a 1: the last throw of the one that counts shows more than 3. Their values decide which
    one that is, however far they go on."""
    die = "d = { count = 2, sides = 6, again = { when = 'face = 1', roll = 'explode' } }"
    found = rule_odds(dice(die, steps={"many": f"count({picked} 1 of d: face > 3)"}), {})
    ways = [((ones + last, last), F(1, 6 ** (ones + 1))) for ones in range(14) for last in range(2, 7)]
    pairs = [(better(one, other, key=lambda die: die[0]), share * own) for one, share in ways for other, own in ways]
    expected = sum((share for (_, last), share in pairs if last > 3), F(0))
    chance = event_chance(found, "many > 0")
    assert chance.high - chance.low < F(1, 10**6)
    assert chance.low - F(1, 10**9) <= expected <= chance.high + F(1, 10**9)

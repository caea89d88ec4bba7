"""The odds of the five games against brute force, over small settings; what never throws dice; what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import hand_counted
from example_counts import scale_examples
from games import GAMES, load_shipped_game, load_shipped_rule
from odds_helpers import any_odds, event_chance, exact_chance, make_formula, make_rule, odds_complaints, rule_odds
from rulewright.game.model import Input
from rulewright.odds.rule_odds import Odds, compute_chances
from rulewright.odds.table import compute_odds_table
from rulewright.play.bound_rule import RollError
from rulewright.play.validate import load_game_text

Inputs = dict[str, Any]
NOT_FAR = 1200  # what lies beyond the depth of a twin is hardly ever greater


def settings(**axes: Any) -> Iterator[Inputs]:
    """All combinations of these values; a value alone stands for a list of one."""
    lists: list[list[Any]] = [list(each) if isinstance(each, list | range) else [each] for each in axes.values()]
    for values in product(*lists):
        yield dict(zip(axes, values, strict=True))


def assert_agree(found: Odds, twin: hand_counted.Odds) -> None:
    """Chances lie between the twin's bounds, which are one where the twin has seen all; so do means and values."""
    outcomes = [outcome.name for outcome in found.rule.outcomes]
    assert sum(exact_chance(found.chances[name]) for name in outcomes) == 1
    for name in outcomes:
        low = twin.chances.get(name, Fraction(0))
        assert low <= exact_chance(found.chances[name]) <= low + twin.missing, name
    for step in dict(next(iter(twin.results)).steps):
        assert_mean(found.mean(step), twin.mean(step), twin.missing)
        if not twin.missing:
            assert_spread(found, twin, step)
    for outcome in found.rule.outcomes:
        if outcome.degree:
            assert_mean(found.mean_degree(outcome.name), twin.mean_degree(outcome.name), twin.missing)


def assert_spread(found: Odds, twin: hand_counted.Odds, step: str) -> None:
    spread, counted = found.distribution(step), twin.spread(step)
    assert spread.unknown == 0
    assert sum(spread.values.values()) + spread.tail == 1
    for value, chance in spread.values.items():
        low = counted.get(value, Fraction(0))
        assert low <= chance <= low + twin.missing, (step, value)
    if not twin.missing:
        assert spread.values.keys() == counted.keys()


def assert_mean(found: Fraction | None, counted: Fraction, missing: Fraction) -> None:
    assert found is not None
    assert abs(found - counted) <= missing * NOT_FAR


def assert_all_agree(
    name: str, axes: Mapping[str, Any], aims: tuple[str, ...] = ("",), depth: int | None = None
) -> None:
    folder, _, own = name.partition("/")
    stride = 1 if scale_examples(1) > 1 else 13  # all settings in `make test-long`
    for inputs in list(settings(**axes))[::stride]:
        for aim in aims:
            found = rule_odds(load_shipped_rule(name), inputs, aim)
            counted = hand_counted.twin(folder, own, inputs, aim or None, depth)
            assert_agree(found, counted)


POOLS = [pytest.param(pool, id=f"pool {pool}") for pool in (1, 2, 3, 4)]
GOALS: Inputs = {"difficulty": range(2, 11), "raised": range(3), "threshold": range(4)}


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("edition", ["maelstrom", "maelstrom-first-edition"])
def test_action(edition: str, pool: int) -> None:
    assert_all_agree(f"{edition}/action", {"pool": pool, **GOALS})


@pytest.mark.parametrize("pool", POOLS[:2])
def test_action_with_a_specialty(pool: int) -> None:
    assert_all_agree("maelstrom/action", {"pool": pool, "specialty": True, **GOALS}, depth=6)


@pytest.mark.parametrize("pool", POOLS[:3])
def test_first_edition_with_a_specialty(pool: int) -> None:
    axes = {"pool": pool, "specialty": True, **GOALS}
    assert_all_agree("maelstrom-first-edition/action", axes, ("always", "never"), depth=8)


@pytest.mark.parametrize("current", [1, 2, 3, 4])
def test_willpower(current: int) -> None:
    axes = {"current": current, "difficulty": range(2, 11), "threshold": range(3), "spend": [False, True]}
    assert_all_agree("maelstrom/willpower", axes)
    assert_all_agree("maelstrom-first-edition/willpower", {**axes, "difficulty": 6})


@pytest.mark.parametrize("wild_one", ["counts", "is lost"])
@pytest.mark.parametrize("fumble", ["complication", "cancel highest"])
@pytest.mark.parametrize("code", ["1D", "2D+1", "3D+2"])
def test_wild_die(code: str, fumble: str, wild_one: str) -> None:
    axes = {"code": code, "fumble": fumble, "wild_one": wild_one}
    assert_all_agree("wild-die/check", {**axes, "difficulty": range(0, 40, 3), "bonus": [-2, 0]})
    assert_all_agree("wild-die/check", {**axes, "difficulty": [7, 8], "extra": range(1 - int(code[0]), 2)})


@pytest.mark.parametrize("exploding_one", ["counts", "is replaced"])
@pytest.mark.parametrize("ones", ["anywhere", "at the start"])
@pytest.mark.parametrize("die", ["d4", "d6", "d8", "d10", "d12"])
def test_step_dice(die: str, ones: str, exploding_one: str) -> None:
    axes = {"die": die, "ones": ones, "exploding_one": exploding_one, "target": [1, 4, 9, 14], "bonus": [-3, 0, 2]}
    assert_all_agree("step-dice/check", axes, ("always", "never"), depth=8)


@pytest.mark.parametrize("luck", [False, True])
@pytest.mark.parametrize("skill", ["none", "d4", "d8"])
@pytest.mark.parametrize("attribute", ["d4", "d6"])
def test_ingenuity(attribute: str, skill: str, luck: bool) -> None:
    axes = {"attribute": attribute, "skill": skill, "luck": luck, "difficulty": [3, 7, 12], "proficiency": [0, 2]}
    assert_all_agree("ingenuity/test", {**axes, "advantage": [0, 1, 2]}, ("mean(total)", "chance(success)"))
    assert_all_agree("ingenuity/test", {**axes, "disadvantage": [1, 2], "tie": ["attribute", "skill"]})
    assert_all_agree("ingenuity/test", {**axes, "difficulty": 6, "advantage": [1, 2], "disadvantage": [1, 2]})


@pytest.mark.long
@pytest.mark.parametrize("attribute", ["d4", "d6", "d8", "d10", "d12"])
@pytest.mark.parametrize("skill", ["none", "d4", "d6", "d8", "d10", "d12"])
def test_ingenuity_with_many_rerolls(attribute: str, skill: str) -> None:
    axes = {"attribute": attribute, "skill": skill, "difficulty": [6, 12, 18]}
    assert_all_agree("ingenuity/test", {**axes, "advantage": [3, 5]}, ("mean(total)", "chance(success)"))
    assert_all_agree("ingenuity/test", {**axes, "disadvantage": [3, 5], "tie": ["attribute", "skill"]})


def test_ingenuity_luck() -> None:
    assert_all_agree("ingenuity/luck", {"target": range(1, 21)})


OPEN = [
    pytest.param("maelstrom/action", {"pool": 2, "threshold": 1, "specialty": True}),
    pytest.param("maelstrom-first-edition/action", {"pool": 2, "threshold": 1, "specialty": True}),
    pytest.param("wild-die/check", {"code": "3D+1", "difficulty": 9}),
    pytest.param("wild-die/check", {"code": "2D", "difficulty": 9, "fumble": "cancel highest"}),
    pytest.param("step-dice/check", {"die": "d4"}),
]


@pytest.mark.parametrize(("name", "inputs"), OPEN)
def test_a_spread_tells_the_whole_chance_of_every_value_it_lists(name: str, inputs: Inputs) -> None:
    folder, _, own = name.partition("/")
    found, twin = rule_odds(load_shipped_rule(name), inputs), hand_counted.twin(folder, own, inputs)
    for step in dict(next(iter(twin.results)).steps):
        assert_spread(found, twin, step)


SIDES: dict[str, list[Inputs]] = {
    "wild-die/opposed": [{"code": "1D"}, {"code": "2D+1"}, {"code": "3D"}, {"code": "2D", "bonus": 3}],
    "step-dice/contest": [{"die": die, "bonus": bonus} for die in ("d4", "d6", "d10") for bonus in (0, 3)],
    "ingenuity/against": [{"attribute": "d6", "skill": "d4"}, {"attribute": "d8"}, {"attribute": "d4", "luck": False}],
    "ingenuity/contest": [{"attribute": "d6", "skill": "d4"}, {"attribute": "d8"}, {"attribute": "d4", "luck": False}],
}


def against(first: Inputs, second: Inputs) -> Inputs:
    return {
        f"{side}.{key}": value for side, own in (("first", first), ("second", second)) for key, value in own.items()
    }


@pytest.mark.parametrize("name", SIDES)
def test_contest(name: str) -> None:
    folder, _, own = name.partition("/")
    depth = {"wild-die": 10, "step-dice": 7}.get(folder)
    for first, second in product(SIDES[name], repeat=2):
        found = any_odds(load_shipped_rule(name), against(first, second)).chances
        counted = hand_counted.twin_contest(folder, own, first, second, depth)
        assert sum(exact_chance(chance) for chance in found.values()) == 1
        for winner, low in counted.chances.items():
            assert low <= exact_chance(found[winner]) <= low + counted.missing, (first, second, winner)


@pytest.mark.parametrize("name", [name for name in SIDES if name.endswith("contest")])
def test_equal_sides_win_alike(name: str) -> None:
    for inputs in SIDES[name]:
        found = any_odds(load_shipped_rule(name), against(inputs, inputs)).chances
        assert exact_chance(found["first"]) == exact_chance(found["second"]) == Fraction(1, 2)


def test_a_step_that_stops_growing_is_compared() -> None:
    """A coin thrown on after each 2 comes to 1, 3, 5 and so on, each half as likely; here to 4 at most."""
    text = """title = "Coins"
[rules.coin]
dice.coin = { sides = 2, again = { when = "face = 2", roll = "explode" } }
steps.total = "min(sum(coin), 4)"
[rules.duel]
contest = { of = "coin", compare = "total", ties = "none" }
"""
    coins, problems = load_game_text(text)
    assert coins, problems
    found = any_odds(coins.rules["duel"], {}).chances
    assert [exact_chance(found[name]) for name in ("first", "second", "none")] == [Fraction(5, 16)] * 2 + [
        Fraction(3, 8)
    ]


TABLES: dict[str, tuple[Inputs, Inputs]] = {
    "maelstrom/action": ({}, {"pool": range(1, 8), "difficulty": range(2, 11), "threshold": range(3)}),
    "maelstrom-first-edition/action": (
        {"specialty": True},
        {"threshold": range(3), "pool": range(1, 6), "difficulty": [5, 9]},
    ),
    "maelstrom/willpower": ({}, {"spend": [False, True], "current": range(1, 6), "difficulty": range(2, 11)}),
    "wild-die/check": ({"bonus": 1}, {"code": ["1D", "2D+2", "5D"], "difficulty": range(30)}),
    "step-dice/check": ({}, {"die": ["d4", "d12"], "target": range(1, 21), "ones": ["anywhere", "at the start"]}),
    "ingenuity/test": ({"attribute": "d6"}, {"skill": ["none", "d4"], "difficulty": range(15), "disadvantage": [0, 1]}),
}


@pytest.mark.parametrize("specialty", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_what_its_cells_say_alone(name: str, specialty: bool) -> None:
    inputs, axes = TABLES[name]
    if specialty and name == "maelstrom/action":
        inputs = {"specialty": True}
    table, complaints = compute_odds_table(
        load_shipped_rule(name), inputs, {axis: list(values) for axis, values in axes.items()}
    )
    assert not complaints
    cells = list(settings(**axes))
    assert list(table) == [tuple(cell.values()) for cell in cells]
    for cell in cells:
        assert table[tuple(cell.values())] == rule_odds(load_shipped_rule(name), {**inputs, **cell}).chances, cell


def test_every_rule_of_the_five_games_has_odds_that_sum_to_one() -> None:
    for folder in GAMES:
        for own in load_shipped_game(folder).rules.values():
            if not own.contest and not own.outcomes:
                continue  # a plain computation
            sides = own.contest.of if own.contest else (own,)
            values = [{entry.name: sample(entry) for entry in side.inputs if entry.default is None} for side in sides]
            found = any_odds(own, against(*values) if own.contest else values[0])
            assert sum(exact_chance(chance) for chance in found.chances.values()) == 1


def sample(entry: Input) -> Any:
    """Some value for an input without a default."""
    die, choice = f"d{entry.dice[0]}" if entry.dice else "", entry.choices[0] if entry.choices else ""
    return {"die": die, "code": "3D+1", "number": entry.least, "flag": "no", "choice": choice}[entry.form]


def test_a_rule_without_dice_is_certain() -> None:
    plain = make_rule(
        "[rules.roll.steps]", 'half = "up(n / 2)"', 'word = "if(half > 1, \'high\', \'low\')"',
        "[rules.roll.outcomes]", 'good = { when = "word = \'high\'", degree = "half" }', "bad = {}",
        inputs="n = { min = 0, max = 9 }",
    )  # fmt: skip
    found = rule_odds(plain, {"n": 5})
    assert {name: exact_chance(chance) for name, chance in found.chances.items()} == {"good": 1, "bad": 0}
    assert found.mean("half") == found.mean_degree("good") == 3
    assert found.mean("word") is None
    assert found.distribution("word").values == {"high": 1}
    assert exact_chance(found.chance(make_formula("n > 4 and half = 3"))) == 1


@pytest.mark.parametrize(
    ("name", "inputs", "said"),
    [
        ("maelstrom/action", {}, "pool must be given"),
        ("wild-die/check", {"code": "3D"}, "difficulty must be given"),
        ("wild-die/check", {"difficulty": 6}, "code must be given"),
        ("step-dice/check", {}, "die must be given"),
        ("step-dice/contest", {"first.die": "d4"}, "second.die must be given"),
        ("ingenuity/test", {"difficulty": 6, "advantage": 1}, "attribute must be given"),
    ],
)
def test_what_is_unknown_is_asked_for(name: str, inputs: Inputs, said: str) -> None:
    assert said in odds_complaints(load_shipped_rule(name), inputs)


@pytest.mark.parametrize(
    ("name", "inputs", "part"),
    [
        ("maelstrom/action", {"pool": 31}, "pool"),
        ("maelstrom/action", {"pool": 3, "dificulty": 6}, "dificulty"),
        ("wild-die/check", {"code": "4D+3", "difficulty": 10}, "code"),
        ("wild-die/check", {"code": "3D", "extra": -3, "difficulty": 10}, "extra"),
        ("step-dice/contest", {"die": "d4", "second.die": "d6"}, "die"),
        ("step-dice/contest", {"first.die": "d4", "second.die": "d5"}, "second.die"),
    ],
)
def test_what_is_wrong_is_named(name: str, inputs: Inputs, part: str) -> None:
    assert part in odds_complaints(load_shipped_rule(name), inputs)


def test_conditional_chances() -> None:
    found = rule_odds(load_shipped_rule("maelstrom/action"), {"pool": 3})
    counted = hand_counted.twin("maelstrom", "action", {"pool": 3})
    both = counted.chance(lambda result: result.value("botches") > 0 and result.outcome == "success")
    given = counted.chance(lambda result: result.value("botches") > 0)
    assert exact_chance(event_chance(found, "net > 0", "botches > 0")) == both / given


def test_what_never_happens_is_no_condition() -> None:
    with pytest.raises(RollError):
        event_chance(rule_odds(load_shipped_rule("maelstrom/action"), {"pool": 3}), "net > 0", "botches > 3")


KEPT_EXPLODING = """
title = "Duel"
[rules.roll.dice]
d = { count = 3, sides = 6, again = { when = "face = 6", roll = "explode" } }
[rules.roll.steps]
total = "sum(highest 2 of d)"
[rules.roll.outcomes]
any = {}
[rules.duel]
contest = { of = "roll", compare = "total", ties = "first" }
"""


def test_bounds_of_a_contest_are_chances() -> None:
    """Both sides keep exploding dice, which has no recurrence: the bounds are wide, and never above 1."""
    game, problems = load_game_text(KEPT_EXPLODING)
    assert game, problems
    chances = compute_chances(game.rules["duel"], {})
    assert all(0 <= chance.low <= chance.high <= 1 for chance in chances.values())

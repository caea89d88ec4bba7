"""Dice that an entry of the rule turns to another face: records and chances, against a count of all ways by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from odds_helpers import make_rule, rule_odds
from rulewright.game.model import Rule
from rulewright.odds.advise import make_player
from rulewright.odds.budget import TOO_MANY_STATES
from rulewright.odds.rule_odds import compute_odds
from rulewright.play.bound_rule import RollError
from rulewright.play.result import check_roll, roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.play.validate import load_game_text
from rulewright.render.cards.rolled_dice import RolledDiceWriter
from rulewright.render.strings import read_words

Dice = tuple[int, ...]
D6 = "dice.d = { count = 3, sides = 6 }"
MISFIT = "no die that may be turned shows this: there is d 2, d 6, d 3"
UNREADABLE = (
    '"d 2" does not say which die is turned; write the kind, the face before, an arrow and the face after: d 2 -> 4'
)
SEVERAL = (
    "several faces of f stand for the same number, so a number cannot say which is meant; "
    'write turn = "any", and the player chooses the face'
)
TOTAL = 'steps.total = "sum(d)"'


def again(*lines: str) -> str:
    return f"again = {{ {', '.join(lines)} }}"


def mean(sides: Iterable[int], worth: Callable[[Dice], float | Fraction]) -> Fraction:
    """The mean of what dice with these sides are worth."""
    ways = list(product(*(range(1, own + 1) for own in sides)))
    return sum((Fraction(worth(dice)) for dice in ways), Fraction(0)) / len(ways)


def best_roll(rule: Rule, seed: int) -> tuple[dict[str, object], str, str]:
    result, complaints = roll_dice(rule, {}, make_player(rule, RandomGenerator(seed)))
    assert result, complaints
    return dict(result.steps), result.dice, result.turned


def test_a_formula_says_the_face() -> None:
    rule = make_rule(D6, again('when = "face = 1"', 'turn = "sides"'), TOTAL)
    expected = dict[int, Fraction]()
    for dice in product(range(1, 7), repeat=3):
        total = sum(6 if face == 1 else face for face in dice)
        expected[total] = expected.get(total, Fraction(0)) + Fraction(1, 216)
    assert dict(rule_odds(rule).distribution("total").values) == expected
    for turned in ("", "d 1 -> 6, d 1 -> 6"):
        result, problems = check_roll(rule, {}, "1 3 1", turned=turned)
        assert result, problems
        assert (result.steps, result.turned, result.rerolled) == ({"total": 15}, "d 1 -> 6, d 1 -> 6", "")
        assert [face.text for face in result.faces[0]] == ["1", "6"]


@pytest.mark.parametrize("pick", ["any", "some", "lowest"])
@pytest.mark.parametrize("times", [1, 2])
def test_a_player_turns_dice_over(pick: str, times: int) -> None:
    """Turned over, a die shows what it had below."""
    rule = make_rule(
        D6, again(f'pick = "{pick}"', f"times = {times}", 'turn = "7 - value"'), TOTAL, 'aim = "mean(total)"'
    )

    def worth(dice: Dice, left: int = times) -> int:
        if not left:
            return sum(dice)
        if pick == "lowest":
            low = min(dice)
            return worth((*sorted(dice)[1:], 7 - low), left - 1)
        ways = [tuple(at == own for own in range(3)) for at in range(3)]
        if pick == "some":
            ways = list(product((False, True), repeat=3))
        turned = (tuple(7 - d if own else d for d, own in zip(dice, way, strict=True)) for way in ways)
        return max(sum(dice), *(worth(after, left - 1) for after in turned))

    assert rule_odds(rule).mean("total") == mean((6, 6, 6), worth)
    for seed in range(12):
        steps, dice, _ = best_roll(rule, seed)
        assert steps["total"] == worth(tuple(map(int, dice.split())))


@pytest.mark.parametrize("pick", ["all", "any", "some"])
def test_a_player_chooses_faces(pick: str) -> None:
    rule = make_rule(
        "dice.d = { count = 2, sides = 4 }", "dice.w = { count = 2, sides = 4 }",
        again('of = ["w"]', f'pick = "{pick}"', 'turn = "any"'),
        'steps.width = "max(f of 1..4: count(d, w: face = f))"',
        'steps.score = "10 * width - sum(w)"', 'aim = "mean(score)"',
    )  # fmt: skip

    def score(dice: Dice) -> int:
        return 10 * max(map(dice.count, dice)) - sum(dice[2:])

    def worth(dice: Dice) -> int:
        a, b = dice[2:]
        faces = range(1, 5)
        ways = [(x, y) for x in faces for y in faces]
        if pick == "any":
            ways = [(a, b), *((x, b) for x in faces), *((a, x) for x in faces)]
        return max(score((*dice[:2], *way)) for way in ways)

    odds = rule_odds(rule)
    assert odds.mean("score") == mean((4, 4, 4, 4), worth)
    for seed in range(12):
        steps, dice, _ = best_roll(rule, seed)
        assert steps["score"] == worth(tuple(int(face) for face in dice.split() if face.isdigit()))


def test_of_equal_choices_the_lowest_face_is_made() -> None:
    rule = make_rule(
        "dice.w = { count = 2, sides = 6 }", again('turn = "any"'), 'steps.same = "highest(w) = lowest(w)"', TOTAL[:0],
        'steps.total = "sum(w)"', 'aim = "mean(same)"',
    )  # fmt: skip
    assert rule_odds(rule).mean("total") == 2
    assert best_roll(rule, 3)[0]["total"] == 2


def test_dice_with_symbols_are_turned() -> None:
    rule = make_rule(
        'dice.d = { count = 2, faces = ["-", "s", "s&x", "x&x"] }', again('pick = "any"', 'turn = "any"'),
        'steps.hits = "count(d: s)"', 'steps.both = "min(hits, count(d: x))"', 'aim = "mean(both)"',
    )  # fmt: skip
    faces = [(0, 0), (1, 0), (1, 1), (0, 2)]

    def worth(pair: tuple[tuple[int, int], ...]) -> int:
        ways = [pair, *((face, pair[1]) for face in faces), *((pair[0], face) for face in faces)]
        return max(min(a[0] + b[0], a[1] + b[1]) for a, b in ways)

    expected = sum((Fraction(worth(pair)) for pair in product(faces, repeat=2)), Fraction(0)) / 16
    assert rule_odds(rule).mean("both") == expected
    result, problems = check_roll(rule, {}, "- s", turned="d - -> s&x")
    assert result, problems
    assert result.steps == {"hits": 2, "both": 1}


def test_a_step_picks_what_is_turned() -> None:
    rule = make_rule(
        D6, again('of = "low"', 'turn = "max(value, 5)"'), 'steps.low = "lowest 2 of d where value < 5"', TOTAL
    )
    expected = mean((6, 6, 6), lambda dice: sum(sorted(dice)) + sum(5 - d for d in sorted(dice)[:2] if d < 5))
    assert rule_odds(rule).mean("total") == expected


def test_entries_follow_each_other() -> None:
    """What is left of the lows is rolled again; then one die may be turned."""
    rule = make_rule(
        'again = [{ when = "face < 3", roll = "reroll" }, { pick = "any", when = "face < 6", turn = "value + 1" }]',
        "dice.d = { count = 2, sides = 6 }", 'steps.pair = "highest(d) = lowest(d)"', 'aim = "mean(pair)"',
    )  # fmt: skip
    chance = {face: Fraction(1, 6) * (face > 2) + Fraction(2, 36) for face in range(1, 7)}
    expected = sum(chance[a] * chance[b] for a, b in product(chance, repeat=2) if abs(a - b) < 2)
    assert rule_odds(rule).mean("pair") == expected
    record = {"rerolled": "d 2 -> 4", "turned": "d 4 -> 5"}
    result, problems = check_roll(rule, {}, "2 5", **record)  # type: ignore[arg-type]
    assert result, problems
    assert (result.steps, result.rerolled, result.turned) == ({"pair": 1}, record["rerolled"], record["turned"])


def test_turned_dice_earn_as_they_lie_and_roll_no_further() -> None:
    rule = make_rule(
        again('of = ["d"]', 'pick = "highest"', 'turn = "sides"'),
        'dice.d = { count = 2, sides = 4, again = { when = "face = 4", roll = "more" } }',
        "dice.more = { count = 0, sides = 4 }", 'steps.total = "sum(d, more)"',
    )  # fmt: skip
    result, problems = check_roll(rule, {}, "d 2 3 | more 1")
    assert result, problems
    assert result.steps == {"total": 7}
    expected = mean((4, 4), lambda dice: 4 + min(dice) + Fraction(5, 2) * (1 + (min(dice) == 4)))
    assert rule_odds(rule).mean("total") == expected
    explode = 'dice.d = { count = 1, sides = 6, again = { when = "face = 6", roll = "explode" } }'
    result, problems = check_roll(make_rule(again('turn = "sides"'), explode, TOTAL), {}, "2")
    assert result, problems
    assert result.steps == {"total": 6}


@pytest.mark.parametrize(
    ("entry", "dice", "turned", "message"),
    [
        ('turn = "sides"', "2 6 3", "d 2 -> 5", "d 2 is turned to 6 here, not to 5"),
        ('turn = "sides"', "2 6 3", "d 2 -> 6", "d 6 must be turned; write turned: d 6 -> …"),
        ('turn = "sides"', "2 6 3", "d 3 -> 6", "here d 2 is turned; write d 2 -> …"),
        ('turn = "value + 1"', "2 6 3", "", "no d die shows 7, to which it would be turned"),
        ('turn = "any"', "2 6 3", "", "d 2 must be turned; write turned: d 2 -> …"),
        ('turn = "any"', "2 6 3", "d 2 -> 7, d 6 -> 1, d 3 -> 1", "no d die shows \"7\": its faces go from 1 to 6"),
        ('turn = "any", pick = "any"', "2 6 3", "d 4 -> 1", MISFIT),
        ('turn = "any", pick = "any"', "2 6 3", "d 2 -> 1, d 1 -> 2", "only 1 can be turned, this is one more"),
        ('turn = "any", times = 0', "2 6 3", "d 2 -> 1", "with these inputs nothing is turned"),
        ('turn = "any"', "2 6 3", "d 2", UNREADABLE),
        ('roll = "reroll"', "2 6 3", "d 2 -> 1", "d 2 must be rerolled; write rerolled: d 2 -> …"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(entry: str, dice: str, turned: str, message: str) -> None:
    rule = make_rule(D6, again(entry), TOTAL, 'aim = "mean(total)"')
    _, problems = check_roll(rule, {}, dice, turned=turned)
    assert [problem.message for problem in problems] == [message]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('pick = "all"', "an entry says what its dice lead to: write either roll or turn"),
        ('roll = "reroll", turn = "sides"', "an entry says what its dice lead to: write either roll or turn"),
        ('turn = "sides", keep = "higher"', "\"keep\" is about dice that are rolled; a die is turned to one face"),
        ('turn = "any", count = 2', "\"count\" is about dice that are rolled; a die is turned to one face"),
        ('turn = "sum(d)"', "a test over dice cannot count dice itself"),
        ('of = ["c"], turn = "any"', "c are cards, which cannot be turned to another face"),
        ('of = ["f"], turn = "1"', SEVERAL),
        ('of = ["d"], turn = 0', "no d die shows 0; write a face that it has"),
        ('of = ["d"], turn = "7"', "no d die shows 7; write a face that it has"),
    ],
)  # fmt: skip
def test_what_cannot_be_turned_is_a_problem(entry: str, message: str) -> None:
    text = "\n".join((
        'title = "T"', "[rules.roll]", 'aim = "mean(total)"', D6, 'dice.f = { faces = ["-", "s", "x"] }',
        'dice.c = { deck = { red = 3, green = 2 } }', again(entry), TOTAL,
    ))  # fmt: skip
    game, problems = load_game_text(text)
    assert game is None
    assert message in [problem.message for problem in problems]


def test_a_choice_of_faces_needs_an_aim() -> None:
    text = "\n".join(('title = "T"', "[rules.roll]", D6, again('turn = "any"'), TOTAL))
    _, problems = load_game_text(text)
    message = "Roll lets players choose to which faces dice are turned, and does not say what for"
    assert [problem.message for problem in problems] == [f'{message}; write aim = "mean(total)", for example']


def test_a_face_that_is_not_there_has_no_odds() -> None:
    rule = make_rule(D6, again('turn = "value + 1"'), TOTAL)
    with pytest.raises(RollError, match="no d die shows 7, to which it would be turned"):
        rule_odds(rule).mean("total")


def test_rounds_turn_dice_again() -> None:
    """Each round one of two dice may be turned to any face; two rounds."""
    rule = make_rule(
        "carry = { points = \"now\" }", 'until = "now > 19"', "most = 2", again('pick = "any"', 'turn = "any"'),
        "dice.d = { count = 2, sides = 3 }", 'steps.now = "points + (highest(d) = lowest(d)) * sum(d)"',
        'aim = "mean(now)"', inputs="points = { min = 0, max = 20, default = 0 }",
    )  # fmt: skip
    one = mean((3, 3), lambda dice: 2 * max(dice))
    assert rule_odds(rule).mean("now") == 2 * one
    result, problems = check_roll(rule, {}, "1 2; 3 3", turned="d 1 -> 2; ")
    assert result, problems
    assert (result.steps["now"], result.turned) == (10, "d 1 -> 2; ")


def test_used_rules_turn_their_own_dice() -> None:
    text = """title = "T"
[rules.inner]
aim = "mean(high)"
dice.d = { count = 2, sides = 4 }
again = { pick = "any", turn = "5 - value" }
steps.high = "highest(d)"
[rules.roll]
rolls.one = { rule = "inner" }
rolls.two = { rule = "inner" }
steps.total = "one.high + two.high"
"""
    game, problems = load_game_text(text)
    assert game, problems
    expected = mean((4, 4), lambda dice: max(*dice, *(5 - die for die in dice)))
    assert rule_odds(game.rules["roll"]).mean("total") == 2 * expected


def test_many_faces_at_once() -> None:
    """Three dice are turned together to any faces: sets of faces, not orders, are the ways."""
    rule = make_rule(
        D6,
        again('turn = "any"'),
        'steps.far = "abs(sum(d) - 9) + 100 * (highest(d) - lowest(d) != 1)"',
        'aim = "-mean(far)"',
    )
    ways = combinations_with_replacement(range(1, 7), 3)
    assert rule_odds(rule).mean("far") == min(abs(sum(way) - 9) + 100 * (way[2] - way[0] != 1) for way in ways)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ('turn = "any"', "turn dice to any face"),
        ('turn = "sides", when = "face = 1"', "turn dice that show 1 to the highest face"),
        ('turn = "any", pick = "any"', "you may turn any d die to any face"),
    ],
)
def test_cards_say_what_is_turned(entry: str, text: str) -> None:
    rule = make_rule(D6, again(entry), TOTAL, 'aim = "mean(total)"')
    assert text in list(RolledDiceWriter(rule, read_words("en")).dice())


def test_many_dice_cost_before_their_faces_are_listed() -> None:
    """Twelve dice of twenty sides can show 141 million sets of faces."""
    game, problems = load_game_text(
        "title = 'Many'\n[rules.many]\naim = 'mean(width)'\n[rules.many.dice]\nd20 = { count = 12, sides = 20 }\n"
        "[[rules.many.again]]\nof = 'd20'\npick = 'all'\nturn = 'any'\n"
        "[rules.many.steps]\nwidth = 'max(f of d20: count(d20: face = f))'\n"
    )
    assert game, problems
    answer, complaints = compute_odds(game.rules["many"], {})
    assert answer is None
    assert [complaint.message for complaint in complaints] == [TOO_MANY_STATES]


@pytest.mark.parametrize("more", ['turn = "6"', 'roll = "reroll", keep = "higher"', 'roll = "reroll", pick = "any"'])
def test_entries_of_a_kind_that_belong_to_the_rule(more: str) -> None:
    again = f'd = {{ sides = 6, again = {{ when = "face = 1", {more} }} }}'
    _, problems = load_game_text(f'title = "T"\n[rules.x.dice]\n{again}\n[rules.x.steps]\nv = "sum(d)"\n')
    repair = f'[[rules.x.again]] with of = "d", when = "face = 1", {more}'
    assert problems[-1].message.endswith(f"write it for dice that have been rolled: {repair}")


@pytest.mark.parametrize(
    ("more", "repair"),
    [
        (
            'when = "face = 1", roll = "reroll", of = "d", optional = true',
            'of = "d", when = "face = 1", roll = "reroll", pick = "any"; with pick = "any" it is optional',
        ),
        (
            'when = "face = 1", roll = "reroll", of = "d", optional = false',
            'of = "d", when = "face = 1", roll = "reroll"',
        ),
        (
            'when = "throw < 2", roll = "reroll", pick = "highest"',
            'of = "d", roll = "reroll", pick = "highest"; and a `when` without throw, as only a throw has it',
        ),
    ],
)
def test_an_entry_for_the_rule_has_only_what_a_rule_allows(more: str, repair: str) -> None:
    text = 'title = "T"\n[rules.x]\naim = "mean(v)"\n[rules.x.dice]\n{}[rules.x.steps]\nv = "sum(d)"\n'
    _, problems = load_game_text(text.format(f"d = {{ sides = 6, again = {{ {more} }} }}\n"))
    assert problems[-1].message.endswith(f"[[rules.x.again]] with {repair}")
    lines = repair.partition(";")[0].replace(", ", "\n")
    game, problems = load_game_text(text.format(f"d = {{ sides = 6 }}\n[[rules.x.again]]\n{lines}\n"))
    assert game, problems

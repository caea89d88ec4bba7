"""The JavaScript engine against the Python engine in games that nobody thought of: rolls, choices, odds.

The games are those of the oracle (generated_games.py), so both engines are held to the same language. Many games go to
one Node process; both must answer or both decline."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine_cases import odds_case, roll_case
from example_counts import sample
from generated_games import AIMS, GameWriter
from generated_rolls import RollWriter
from js_engine import shared_engine
from result_data import find_odds_differences, result_data
from rulewright.game.model import Game
from rulewright.odds.advise import make_player
from rulewright.play.result import roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.play.validate import load_game_text

GAMES, ROLLS = 100, 10  # in `make test` half of them: 500 rolls, and the odds of 50 games
MANY_GAMES, MANY_ROLLS = 5000, 200
IN_ONE_TEST = 25


def contest_inputs(writer: GameWriter, text: str) -> dict[str, str]:
    return {f"{side}.{name}": value for side in ("first", "second") for name, value in writer.inputs(text).items()}


def compare_game(seed: int, rolls: int, events: Counter[str]) -> None:
    """Rolls of a game by seed, and the odds of its roll or its contest."""
    writer = GameWriter(seed)
    text = writer.write()
    game, _ = load_game_text(text)
    if not game:
        events["no game"] += 1
        return
    compare_rolls(game, "roll", [writer.inputs(text) for _ in range(rolls)], writer.random, events)
    name, inputs = ("duel", contest_inputs(writer, text)) if seed % 4 == 3 else ("roll", writer.inputs(text))
    aim = writer.aim(writer.pick(("", *AIMS)), text)
    compare_odds(game, name, inputs, aim, seed % 4 == 0, events)


def compare_rolls(game: Game, name: str, each: list[dict[str, str]], random: Random, events: Counter[str]) -> None:
    pairs = [roll_case(game.rules[name], inputs, random, True)[:2] for inputs in each]
    found = shared_engine().ask_once(game, name, [question for question, _ in pairs])
    for (question, expected), answer in zip(pairs, found, strict=True):
        events["rolls"] += 1
        assert answer == expected, question


def compare_odds(game: Game, name: str, inputs: dict[str, str], aim: str, whole: bool, events: Counter[str]) -> None:
    question, expected = odds_case(game.rules[name], inputs, aim, whole)
    (answer,) = shared_engine().ask_once(game, name, [question])
    events[f"odds of a {name}" if expected["odds"] else "declined"] += 1
    assert bool(answer["odds"]) == bool(expected["odds"]), (question, expected["complaints"], answer["complaints"])
    assert answer["complaints"] == expected["complaints"], question
    if expected["odds"]:
        differences = find_odds_differences(expected["odds"], answer["odds"])
        assert not differences, (question, differences)


def compare_games(first: int, last: int, rolls: int) -> Counter[str]:
    events = Counter[str]()
    for seed in range(first, last):
        try:
            compare_game(seed, rolls, events)
        except AssertionError as error:
            raise AssertionError(f"game {seed}:\n{GameWriter(seed).write()}") from error
    return events


def compare_roll_game(seed: int, rolls: int, events: Counter[str]) -> None:
    """The same of a rule with rounds, or one that rolls a rule."""
    made = RollWriter(seed)
    game, _ = load_game_text(made.text)
    if not game:
        events["no game"] += 1
        return
    random = made.writer.random
    try:
        compare_rolls(game, made.name, [made.inputs() for _ in range(rolls)], random, events)
        compare_odds(game, made.name, made.inputs(), random.choice(("", *AIMS[:2])), False, events)
    except AssertionError as error:
        raise AssertionError(f"game {seed}:\n{made.text}") from error


@pytest.mark.parametrize("seed", [*range(8), 1026, 1197])
def test_rules_with_rounds_or_rolls_are_the_same_in_both_languages(seed: int) -> None:
    """In the last two, earned dice were declined for another aim, and a given answer crashed the odds."""
    compare_roll_game(seed, ROLLS, Counter())


@pytest.mark.long
@pytest.mark.parametrize("part", range(MANY_GAMES // IN_ONE_TEST // 10))
def test_many_more_rules_with_rounds_or_rolls_are_the_same_in_both_languages(part: int) -> None:
    del part
    first = Random().randrange(GAMES, 10**9)
    for seed in range(first, first + IN_ONE_TEST):
        compare_roll_game(seed, ROLLS, Counter())


@pytest.mark.parametrize("first", sample(range(0, GAMES, IN_ONE_TEST), 2))
def test_generated_games_are_the_same_in_both_languages(first: int) -> None:
    events = compare_games(first, first + IN_ONE_TEST, ROLLS)
    assert events["rolls"] >= IN_ONE_TEST * ROLLS * 0.8
    assert events["odds of a roll"] >= IN_ONE_TEST * 0.6
    assert events["odds of a duel"] >= 2


@pytest.mark.parametrize(
    "seed", [308168815, 703953187, 967165186, 52855267, pytest.param(608266382, marks=pytest.mark.long), 514525395]
)
def test_games_that_once_differed_are_the_same_in_both_languages(seed: int) -> None:
    """A quotient without an end, sides that each had a budget of their own, equal dice that earn others, throws of the
    highest die that explodes, advice at the end of its budget, and a contest in which rerolls need most of it."""
    assert compare_games(seed, seed + 1, MANY_ROLLS)["rolls"] == MANY_ROLLS


@pytest.mark.long
@pytest.mark.parametrize("part", range(MANY_GAMES // IN_ONE_TEST))
def test_many_more_games_are_the_same_in_both_languages(part: int) -> None:
    """New games on every run: the message says which."""
    del part
    first = Random().randrange(GAMES, 10**9)
    compare_games(first, first + IN_ONE_TEST, MANY_ROLLS)


ADVICE = """\
title = "Made up"
[tables.level]
columns = ["number", "long name"]
ranges = { "..0" = [-1, "near"], "1..3" = [2, "far"], "4.." = [5, "far"] }
[rules.roll]
aim = "chance(good luck)"
[rules.roll.inputs]
code = { code = ["d", "pips"], min = 1, max = 3, default = "2D+1" }
g = { flag = true, default = false, asked = "1 = 1" }
c = { choice = ["low", "high", "very high"], default = "high", asked = "lookup(level, count('long die'), number) > 2" }
[rules.roll.dice."long die"]
sides = 3
again = [{ when = "face = sides", roll = "explode" }, { when = "face = 1", roll = "long die" }]
[rules.roll.steps]
step0 = "up(count('long die': 3 > 0 or face > 3) * 3 / lookup(level, count('long die'), number))"
step1 = "step0"
[[rules.roll.again]]
of = "long die"
pick = "any"
times = 2
roll = "reroll"
[[rules.roll.again]]
of = "long die"
pick = "any"
times = 2
roll = "reroll"
keep = "lower"
[rules.roll.outcomes]
"good luck" = { when = "not c = 'low'" }
bad = {}
"""


def test_advice_that_costs_too_much_once_is_not_asked_for_again() -> None:
    """Whether a later question of the same roll is paid for would depend on what each engine remembers."""
    game, problems = load_game_text(ADVICE)
    assert game, problems
    rule, inputs, aim = game.rules["roll"], {"g": "no", "code": "1D", "c": "low"}, "mean(step1)"
    player = make_player(rule, RandomGenerator(4060555351), aim)
    result, complaints = roll_dice(rule, inputs, player)
    question = {"door": "roll", "inputs": inputs, "seed": 4060555351, "aim": aim, "whole": True}
    assert shared_engine().ask_once(game, "roll", [question]) == [result_data(result, complaints, True)]
    assert result
    assert result.rerolled.count("->") == 4


@pytest.mark.parametrize(
    ("event", "chance"),
    [
        ("fours > 5 or 3 > -2", 1.0),
        ("3 > -2 or fours > 5", 1.0),
        ("fours > 5 and 3 < -2", 0.0),
        ("fours > 5 and 3 > -2", 0.25),
        ("fours > 5 or 3 < -2", 0.25),
    ],
)
def test_what_decides_after_a_division_still_decides(event: str, chance: float) -> None:
    """The division stays, because it might be by 0, so the condition as a whole is not known at once."""
    game, _ = load_game_text(
        'title = "Rest"\n[rules.roll.dice]\nd = { count = 2, sides = 2 }\n[rules.roll.steps]\n'
        'fours = "down(4 / count(d: face >= 1)) + sum(d)"\n'
        f'[rules.roll.outcomes]\ngood = {{ when = "{event}" }}\nbad = {{}}\n'
    )
    assert game
    question, expected = odds_case(game.rules["roll"], {}, "", whole=False)
    (answer,) = shared_engine().ask_once(game, "roll", [question])
    assert expected["odds"]["chances"]["good"] == [chance, chance]
    assert not find_odds_differences(expected["odds"], answer["odds"])


def test_equal_dice_that_earn_something_else_are_picked_alike() -> None:
    """A 4 that earns a die, and a 1 and a 3 together: the first as rolled is picked where both are worth the same."""
    game, _ = load_game_text(
        'title = "Rest"\n[rules.roll]\naim = "mean(none)"\n[rules.roll.dice]\nred = { count = 0, sides = 3 }\n'
        'blue = { count = 2, sides = 4, again = [{ when = "face = 1", roll = "explode" }, '
        '{ when = "face = sides", roll = "red" }] }\n[[rules.roll.again]]\nroll = "reroll"\npick = "any"\ntimes = 2\n'
        '[rules.roll.steps]\nnone = "count(blue: face > 9)"\n[rules.roll.outcomes]\nany = {}\n'
    )
    assert game
    rule, pairs = game.rules["roll"], []
    for seed in range(60):
        result, complaints = roll_dice(rule, {}, make_player(rule, RandomGenerator(seed)))
        question = {"door": "roll", "inputs": {}, "seed": seed, "aim": "", "whole": True}
        pairs.append((question, result_data(result, complaints, True)))
    assert shared_engine().ask_once(game, "roll", [question for question, _ in pairs]) == [own for _, own in pairs]


STAYING = """\
title = "Made up"
[rules.roll]
aim = "mean(total)"
[rules.roll.dice]
red = { count = 4, sides = 8 }
blue = { count = 2, sides = 6 }
[[rules.roll.again]]
of = "red"
roll = "reroll"
pick = "any"
times = 2
[rules.roll.steps]
total = "sum(red) + 10 * sum(blue)"
[rules.roll.outcomes]
good = { when = "total > 20" }
bad = {}
"""
APART = """\
title = "Made up"
[tables.level]
columns = ["number", "long name"]
ranges = { "..0" = [-1, "near"], "1..3" = [2, "far"], "4.." = [5, "far"] }
[rules.roll]
until = "total = 0"
most = "3"
[rules.roll.inputs]
c = { choice = ["low", "high"], default = "high", asked = "lookup(level, -2, 'long name') = 'Far'" }
[rules.roll.dice]
red = { faces = { "-" = -1, "0" = 0, "+" = 1 } }
blue = { faces = { "x" = -2, "y" = 3 }, tests.good = "(c = 'high') and sides > 0" }
[rules.roll.dice."long die"]
faces = { "skull" = -3, "sun" = 5, "-1" = -1, "rays" = 5 }
[rules.roll.steps]
total = "max(abs(count(highest 2 of 'long die': (lookup(level, -1, 'long name') = 'Far') and sides > 0)), \
if((not highest(highest 2 of 'long die') <= count('red': ((not c = 'high')) and sides > 0)), \
count(lowest 1 of 'blue': ((not 3 <= 3)) and sides > 0), -1))"
[[rules.roll.again]]
roll = "reroll"
pick = "any"
[rules.pair.rolls]
you = { rule = "roll" }
"""


def test_dice_that_stay_are_the_same_for_choices_where_all_results_differ_alike() -> None:
    """The best dice to pick are worked out once, not for every sum of the dice that stay."""
    compare_text(STAYING, "roll", ROLLS)


def test_equal_dice_that_a_choice_would_have_to_tell_apart() -> None:
    compare_text(APART, "pair", ROLLS)


def compare_text(text: str, name: str, rolls: int) -> None:
    game, problems = load_game_text(text)
    assert game, problems
    events = Counter[str]()
    compare_rolls(game, name, [{}] * rolls, Random(1), events)
    compare_odds(game, name, {}, "", False, events)
    assert not events["declined"]


LOWEST = """\
title = "Made up"
[rules.roll.dice]
d = { count = 2, sides = 4, again = [{ when = "face = sides", roll = "explode" }] }
[[rules.roll.again]]
roll = "reroll"
pick = "highest"
keep = "higher"
[rules.roll.outcomes]
any = {}
[rules.duel]
contest = { of = "roll", compare = "low", ties = "none" }
[rules.roll.steps]
low = "sum(lowest 1 of d)"
"""


@pytest.mark.parametrize("beside", ["", 'fours = "count(lowest 1 of d: face > 3)"'])
def test_contests_list_the_dice_of_a_side_from_the_whole_budget(beside: str) -> None:
    """They need most of it, whatever other steps there are. That the highest die is rolled again changes nothing."""
    game, problems = load_game_text(LOWEST + beside)
    assert game, problems
    question, expected = odds_case(game.rules["duel"], {}, "")
    (answer,) = shared_engine().ask_once(game, "duel", [question])
    one = [0.25 ** (value // 4 + 1) if value % 4 else 0.0 for value in range(80)]
    lower = [sum(one[value:]) ** 2 - sum(one[value + 1 :]) ** 2 for value in range(80)]
    assert expected["odds"]["chances"]["none"] == pytest.approx([sum(share**2 for share in lower)] * 2)
    assert not find_odds_differences(expected["odds"], answer["odds"])


TURNS = """\
title = "Made up"
[rules.roll]
aim = "mean(total)"
[rules.roll.dice]
d = {{ count = 2, sides = 4 }}
[[rules.roll.again]]
of = "d"
pick = "{pick}"
keep = "{keep}"
times = {times}
roll = "reroll"
[rules.roll.steps]
total = "sum(d: face * 2)"
[rules.roll.outcomes]
good = {{ when = "total > 8" }}
bad = {{}}
"""


@pytest.mark.parametrize(
    ("pick", "keep"), [("some", "new"), ("any", "better"), ("lowest", "higher"), ("all", "lower"), ("highest", "new")]
)
def test_a_hundred_rerolls_are_followed_and_no_more(pick: str, keep: str) -> None:
    """Python would end in too deep a recursion."""
    for times in (1, 100, 101):
        game, problems = load_game_text(TURNS.format(pick=pick, keep=keep, times=times))
        assert game, problems
        question, expected = odds_case(game.rules["roll"], {}, "", whole=False)
        (answer,) = shared_engine().ask_once(game, "roll", [question])
        assert bool(expected["odds"]) == bool(answer["odds"]) == (times <= 100)
        assert answer["complaints"] == expected["complaints"]
        assert times > 100 or not find_odds_differences(expected["odds"], answer["odds"])


@pytest.mark.parametrize(("sides", "dice"), [(6, 60), (20, 20)])
def test_contests_of_many_dice_that_explode(sides: int, dice: int) -> None:
    game, problems = load_game_text(
        f'title = "Many"\n[rules.roll.inputs]\nn = {{ min = 1, max = 100, default = {dice} }}\n[rules.roll.dice]\n'
        f'd = {{ count = "n", sides = {sides}, again = {{ when = "face = {sides}", roll = "explode" }} }}\n'
        '[rules.roll.steps]\ntotal = "sum(d)"\n'
        '[rules.duel]\ncontest = { of = "roll", compare = "total", ties = "again" }\n'
    )
    assert game, problems
    question, expected = odds_case(game.rules["duel"], {"second.n": str(dice + 1)}, "")
    (answer,) = shared_engine().ask_once(game, "duel", [question])
    low, high = expected["odds"]["chances"]["first"]
    assert low == high
    assert 0.4 < low < 0.5
    assert not find_odds_differences(expected["odds"], answer["odds"])

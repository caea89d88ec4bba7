"""The JavaScript engine against the Python engine; its types, its size, its test coverage."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from conformance_files import made_game, made_texts
from engine_cases import any_aims, check_case, gather_random_case, odds_case, questions, random_inputs, spend_case
from example_counts import scale_examples
from games import GAMES, load_shipped_game, rules_with_dice
from js_engine import NODE, shared_engine
from recorded_rolls import recheck_result
from result_data import detail_data, find_differences, result_data, summary_data
from rulewright.game.model import Game, Rule
from rulewright.play.result import roll_dice
from rulewright.play.roll import DiceRoller, Die, RandomFaces, RandomGenerator, RerollChooser
from rulewright.render.scripts import ODDS, order_modules, script_text
from strategies import GeneratedGame, games, inputs_of

JS = Path(__file__).parent / "js"
WEB = Path(__file__).parents[1] / "plugin" / "rulewright" / "web"
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
ROLLS, MANY_ROLLS = 1_500, 1_000_000
AT_ONCE = 2_000
LEAST_COVERED = {"lines": 95, "branches": 93, "functions": 95}  # in percent
MOST_BYTES = 64 * 1024 + 7_369  # what moved from the roller: links, spent points, the bar of odds


def every_rule() -> list[tuple[Game, Rule]]:
    """All rules of the house that are played by one side, with dice or without, and those of games made up."""
    own = [load_shipped_game(name) for name in GAMES] + [made_game(number) for number in range(len(made_texts()))]
    return [(one, rule) for one in own for rule in one.rules.values() if not rule.contest]


def differences(own: Game, rule: Rule, asked: Iterator[tuple[dict[str, Any], Any]]) -> Iterator[str]:
    while pairs := list(islice(asked, AT_ONCE)):
        answers = shared_engine().ask(own, rule.name, [question for question, _ in pairs])
        for (question, expected), found in zip(pairs, answers, strict=True):
            if found != expected:
                yield f"{own.title}, {rule.name}: {question}\nPython: {expected}\nJavaScript: {found}"


def compare_rolls(rolls: int, seed: int) -> None:
    """Rules with dice get most of them; for the same inputs some are rolled, and one is written down and checked."""
    rules, random = every_rule(), Random(seed)
    weights = [20 if rule.dice else 1 for _, rule in rules]
    share = rolls / sum(weights) / 5
    for (own, rule), weight in zip(rules, weights, strict=True):
        found = next(differences(own, rule, questions(rule, random, int(share * weight) + 1, rolls=4, whole=0.1)), None)
        assert found is None, found


def test_rolls_and_records_are_the_same_in_both_languages() -> None:
    compare_rolls(ROLLS, 1)


def test_points_that_are_spent_are_the_same_in_both_languages() -> None:
    random = Random(3)
    for own, rule in every_rule():
        asked = (spend_case(rule, random) for _ in range(100 if rule.spends else 0))
        found = next(differences(own, rule, asked), None)
        assert found is None, found


def test_sums_of_traits_are_the_same_in_both_languages() -> None:
    random = Random(4)
    for own, rule in every_rule():
        asked = (gather_random_case(rule, random) for _ in range(250 if rule.traits else 0))
        found = next(differences(own, rule, asked), None)
        assert found is None, found


@pytest.mark.long
def test_a_million_rolls_are_the_same_in_both_languages() -> None:
    compare_rolls(MANY_ROLLS, 2)


def compare_made(made: GeneratedGame, inputs: dict[str, str], random: Random) -> None:
    aim = random.choice(("always", "never"))
    pairs = []
    for _ in range(10):
        seed, own = random.getrandbits(32), {name: value for name, value in inputs.items() if random.random() < 0.9}
        result, complaints = roll_dice(made.rule, own, RandomFaces(RandomGenerator(seed), aim))
        question = {"door": "roll", "inputs": own, "seed": seed, "aim": aim, "pick": "worst", "whole": True}
        pairs.append((question, result_data(result, complaints, True)))
        if result:
            pairs.append(check_case(made.rule, own, result, random))
    answers = shared_engine().ask_once(made.game, "roll", [question for question, _ in pairs])
    for (question, expected), found in zip(pairs, answers, strict=True):
        assert found == expected, question


FEW = settings(max_examples=scale_examples(30), deadline=None, suppress_health_check=SLOW)


@FEW
@given(games(), st.data(), st.integers(0, 2**32 - 1))
def test_games_that_nobody_thought_of_roll_alike(made: GeneratedGame, data: st.DataObject, seed: int) -> None:
    compare_made(made, data.draw(inputs_of(made.rule)), Random(seed))


def compare_picked(made: GeneratedGame, inputs: dict[str, str], random: Random) -> None:
    """Whatever dice are picked to be thrown anew, or passed by: both write it down alike, and read the same again."""
    pairs: list[tuple[dict[str, Any], Any]] = []
    for _ in range(10):
        seed, picks = random.getrandbits(32), [random.randrange(30) for _ in range(20)]
        result, complaints = roll_dice(made.rule, inputs, RandomFaces(RandomGenerator(seed), chooser=picking(picks)))
        question = {"door": "roll", "inputs": inputs, "seed": seed, "aim": "always", "picks": picks, "whole": True}
        pairs.append((question, result_data(result, complaints, True)))
        if result:
            record = {"dice": result.dice, "declined": result.roll.declined, "rerolled": result.rerolled}
            record |= {"turned": result.turned} if result.turned else {}
            stated = {name: value for name, value in inputs.items() if name not in result.unasked_questions}
            again = recheck_result(result, inputs)
            pairs.append(({"door": "check", "inputs": stated, **record, "whole": True}, result_data(again, [], True)))
            assert {**detail_data(again), "inputs": ""} == {**detail_data(result), "inputs": ""}
            assert summary_data(again) == summary_data(result)
    answers = shared_engine().ask_once(made.game, "roll", [question for question, _ in pairs])
    for (question, expected), found in zip(pairs, answers, strict=True):
        assert found == expected, question


def picking(picks: list[int]) -> RerollChooser:
    told = iter(picks)

    def pick(_play: DiceRoller, _dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        return [*places, None][next(told) % (len(places) + 1)]

    return pick


@FEW
@given(games(picked=True), st.data(), st.integers(0, 2**32 - 1))
def test_dice_that_were_picked_are_written_down_alike_and_read_the_same(
    made: GeneratedGame, data: st.DataObject, seed: int
) -> None:
    compare_picked(made, data.draw(inputs_of(made.rule)), Random(seed))


@pytest.mark.long
@settings(FEW, max_examples=3000)
@given(games(picked=True), st.data(), st.integers(0, 2**32 - 1))
def test_dice_that_were_picked_in_many_more_games(made: GeneratedGame, data: st.DataObject, seed: int) -> None:
    compare_picked(made, data.draw(inputs_of(made.rule)), Random(seed))


@pytest.mark.long
@settings(FEW, max_examples=3000)
@given(games(), st.data(), st.integers(0, 2**32 - 1))
def test_many_more_games_roll_alike(made: GeneratedGame, data: st.DataObject, seed: int) -> None:
    compare_made(made, data.draw(inputs_of(made.rule)), Random(seed))


def compare_odds(made: GeneratedGame, inputs: dict[str, str], aim: str) -> None:
    """Odds are right to twelve digits, or refused; never wrong."""
    question, expected = odds_case(made.rule, inputs, aim)
    (found,) = shared_engine().ask_once(made.game, "roll", [{**question, "whole": True}])
    event("answered" if found["odds"] else "refused")
    if found["odds"] and expected["odds"]:
        assert not find_differences(expected["odds"], found["odds"])
    assert found["odds"] or all(complaint["message"] for complaint in found["complaints"])


@FEW
@given(games(), st.data())
def test_odds_of_games_that_nobody_thought_of(made: GeneratedGame, data: st.DataObject) -> None:
    compare_odds(made, data.draw(inputs_of(made.rule)), data.draw(st.sampled_from(any_aims(made.rule))))


@pytest.mark.long
@settings(FEW, max_examples=3000)
@given(games(), st.data())
def test_odds_of_many_more_games(made: GeneratedGame, data: st.DataObject) -> None:
    compare_odds(made, data.draw(inputs_of(made.rule)), data.draw(st.sampled_from(any_aims(made.rule))))


@pytest.mark.parametrize("name", rules_with_dice())
def test_odds_of_the_house_are_the_same_in_both_languages(name: str) -> None:
    """Here nothing may be refused by one alone."""
    folder, _, own = name.partition("/")
    rule, random = load_shipped_game(folder).rules[own], Random(name)
    pairs = [odds_case(rule, random_inputs(rule, random), random.choice(any_aims(rule))) for _ in range(12)]
    for (question, expected), found in zip(
        pairs, shared_engine().ask(load_shipped_game(folder), own, [one for one, _ in pairs]), strict=True
    ):
        assert bool(found["odds"]) == bool(expected["odds"]), question
        if found["odds"]:
            assert not find_differences(expected["odds"], found["odds"]), question
            assert None not in (*found["odds"]["means"].values(), *found["odds"]["spreads"].values()), question


def node(*arguments: str) -> str:
    """What a program prints; it must end well."""
    ran = subprocess.run([str(NODE), *arguments], capture_output=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]
    return ran.stdout


@pytest.mark.long
def test_the_engine_is_covered() -> None:
    """Node runs the conformance cases and what only a page asks, and counts lines and branches."""
    least = [f"--test-coverage-{part}={percent}" for part, percent in LEAST_COVERED.items()]
    parts = [f"--test-coverage-include={WEB}/*/{name}.js" for name in order_modules("engine")]
    node("--test", "--experimental-test-coverage", *least, *parts, str(JS / "engine.test.mjs"))


def test_odds_are_light() -> None:
    """As a reader would fetch them, compressed as servers do."""
    assert len(gzip.compress(script_text(ODDS).encode(), 9)) <= MOST_BYTES

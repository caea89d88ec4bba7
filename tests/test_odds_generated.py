"""Odds and rolls of games that nobody thought of, against an oracle that tries all rolls and shares no code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest

from call_counts import hang_guard
from example_counts import sample
from generated_games import AIMS, GameWriter
from odds_helpers import make_formula
from oracle import FAILED, ZERO, Enumerated, Oracle, RollResult, TooManyRollsError, enumerate_rule
from rulewright.game.codegen import EvaluationError
from rulewright.game.model import Game
from rulewright.odds.budget import BudgetError, NotExactError
from rulewright.odds.distribution import Chance
from rulewright.odds.rule_odds import ContestOdds, Odds, compute_odds
from rulewright.play.bound_rule import RollError
from rulewright.play.result import roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator
from rulewright.play.validate import load_game_text

GAMES, MANY_GAMES, IN_ONE_TEST = 100, 2000, 25
UNLIKELY = Fraction(1, 1000)
WIDE = 50  # times the greatest value seen: how far the mean of the rolls that were not followed may lie


Inputs = Mapping[str, str]


@dataclass
class Trial:
    """A game made up, and what was found out about it; the text is printed if something is wrong."""

    text: str
    game: Game
    writer: GameWriter
    events: Counter[str]

    def inputs(self) -> Inputs:
        return self.writer.inputs(self.text)

    def aim(self) -> str:
        sort = self.writer.pick(("", *AIMS))
        return self.writer.aim(sort, self.text)

    def count(self, inputs: Inputs, aim: str) -> Enumerated | None:
        """The oracle's answer; None if there are too many rolls for it."""
        try:
            return enumerate_rule(self.text, "roll", inputs, aim, UNLIKELY)
        except TooManyRollsError:
            self.events["too many rolls for the oracle"] += 1
            return None

    def ask(self, rule: str, inputs: Inputs, aim: str) -> Odds | ContestOdds | str:
        """The engine's answer, or the reason why there is none."""
        with hang_guard():
            found, complaints = compute_odds(self.game.rules[rule], inputs, aim)
        assert bool(found) != bool(complaints)
        assert all(complaint.message and "\n" not in complaint.message for complaint in complaints)
        self.events["answered" if found else f"refused: {complaints[0].message}"] += 1
        return found or complaints[0].message


def assert_between(found: Chance, counted: Enumerated, holds: Callable[[RollResult], bool]) -> None:
    """The engine's bounds and those of the enumeration overlap; where both are exact they are equal."""
    low = counted.chance(holds)
    assert 0 <= found.low <= found.high <= 1
    assert counted.missing or found.exact is not None
    assert found.low <= low + counted.missing
    assert low <= found.high


def assert_outcomes(found: Odds, counted: Enumerated) -> None:
    chances = found.chances.values()
    assert sum(chance.low for chance in chances) <= 1 <= sum(chance.high for chance in chances)
    if all(chance.exact is not None for chance in chances):
        assert sum(chance.low for chance in chances) == 1
    for name, chance in found.chances.items():
        assert_between(chance, counted, lambda end, name=name: end.outcome == name)  # type: ignore[misc]


def assert_values(found: Odds, counted: Enumerated, step: str) -> None:
    """Every value that is listed has its whole chance."""
    spread = found.distribution(step)
    assert sum(spread.values.values()) + spread.tail + spread.unknown == 1
    listed = counted.distribution(lambda end: end.value(step))
    for value, chance in spread.values.items():
        low = listed.get(value, Fraction(0))
        assert chance <= low + counted.missing
        assert low <= chance + spread.unknown
    assert sum(listed.get(value, Fraction(0)) for value in listed.keys() - spread.values.keys()) <= (
        spread.tail + spread.unknown
    )
    if not counted.missing:
        assert not spread.unknown
        assert not spread.tail
        assert spread.values == listed


def assert_mean(
    found: Odds,
    find: Callable[[], Fraction | None],
    counted: Enumerated,
    value: Callable[[RollResult], Any],
    step: str = "",
) -> bool:
    """Equal where everything was enumerated; otherwise near. Whether there is a mean."""
    values = {value(end) for end in counted.results}
    words = any(isinstance(number, str) for number in values)
    try:
        mean = find()
    except NotExactError:
        mean = None
    if mean is None:
        why = found.why_no_mean(find, step)
        assert (why == "its values are words") == bool(words and step), why
        assert why
        assert words or counted.missing
        return words
    assert not words
    assert abs(mean - counted.mean(value)) <= WIDE * counted.missing * max(1, *map(abs, values))
    return True


def assert_steps(found: Odds, counted: Enumerated, events: Counter[str]) -> None:
    has_failed = False  # a step that may name one that fails is left aside: no roll has a result there
    for step in found.rule.steps:

        def value(end: RollResult, name: str = step.name) -> Any:
            return end.value(name)

        if any(value(end) == FAILED for end in counted.results):
            events["a step fails"] += 1
            has_failed = True
            with pytest.raises((EvaluationError, RollError)):
                found.distribution(step.name)
            continue
        if has_failed:
            continue
        assert_values(found, counted, step.name)
        if not assert_mean(found, partial(found.mean, step.name), counted, value, step.name):
            spread = found.distribution(step.name)
            assert spread.unknown or spread.tail  # the reason
            events["a step without a mean"] += 1
        if step is found.rule.steps[0]:
            assert_between(found.chance(make_formula(f"{step.name} > 0")), counted, lambda end: value(end) > 0)


def assert_degrees(found: Odds, counted: Enumerated, events: Counter[str]) -> None:
    if any(FAILED in (end.degree, *dict(end.steps).values()) for end in counted.results):
        return
    for outcome in found.rule.outcomes:
        if outcome.degree:

            def degree(end: RollResult, name: str = outcome.name) -> Any:
                return end.degree or 0 if end.outcome == name else 0

            if not assert_mean(found, partial(found.mean_degree, outcome.name), counted, degree):
                events["a degree without a mean"] += 1


def compare_odds(trial: Trial) -> None:
    inputs, aim = trial.inputs(), trial.aim()
    counted = trial.count(inputs, aim)
    found = trial.ask("roll", inputs, aim)
    if counted is None or not counted.results:  # none of its rolls could be followed to the end
        return
    failing = {value for end in counted.results for value in (end.outcome, end.degree, *dict(end.steps).values())}
    if isinstance(found, str):
        assert FAILED in failing or "divides by 0" not in found
        return
    assert isinstance(found, Odds)
    assert not any(end.outcome == FAILED for end in counted.results)
    if not counted.complete:
        trial.events["what is best is not known"] += 1
        return
    trial.events["in part" if counted.missing else "whole"] += 1
    assert_outcomes(found, counted)
    for check in (assert_steps, assert_degrees):
        try:
            check(found, counted, trial.events)
        except BudgetError as error:  # some steps rest on more than the outcomes do
            trial.events[f"refused later: {error}"] += 1


def count_winners(sides: list[dict[Any, Fraction]], ties: str) -> dict[str, tuple[Fraction, Fraction]] | None:
    """Bounds for the chance of each winner; None if it never ends."""
    pairs = [(x, y, a * b) for x, a in sides[0].items() for y, b in sides[1].items()]
    chances = {
        "first": sum((chance for x, y, chance in pairs if x > y), ZERO),
        "second": sum((chance for x, y, chance in pairs if x < y), ZERO),
    }
    unknown = 1 - sum((chance for _, _, chance in pairs), ZERO)
    whole, tie = Fraction(1), 1 - unknown - sum(chances.values())
    if ties == "again":
        whole = 1 - tie
    else:
        chances[ties] = chances.get(ties, ZERO) + tie
    return {name: (low / whole, (low + unknown) / whole) for name, low in chances.items()} if whole else None


def compare_contest(trial: Trial) -> None:
    contest = trial.game.rules["duel"].contest
    assert contest
    aim, sides = trial.aim(), [trial.inputs(), trial.inputs()]
    counted = [trial.count(inputs, aim) for inputs in sides]
    if not all(side and side.complete for side in counted):
        return
    spreads = [side.distribution(lambda end: end.value(contest.compare)) for side in counted if side]
    named = {
        f"{name}.{key}": value
        for name, own in zip(("first", "second"), sides, strict=True)
        for key, value in own.items()
    }
    found = trial.ask("duel", named, aim)
    if any(FAILED in spread for spread in spreads):
        assert isinstance(found, str)
        return
    expected = count_winners(spreads, contest.ties)
    if isinstance(found, str):
        assert "never end" not in found or expected is None or not any(low for low, _ in expected.values())
        return
    trial.events["contests"] += 1
    assert expected is not None
    assert found.chances.keys() == expected.keys()
    for name, (low, high) in expected.items():
        chance = found.chances[name]
        assert chance.low <= high
        assert low <= chance.high
        assert low < high or chance.exact is not None


def compare_roll(trial: Trial) -> None:
    """The faces of a random roll, evaluated once more."""
    inputs, takes, rule = trial.inputs(), trial.writer.maybe(0.5), trial.game.rules["roll"]
    generator = RandomGenerator(trial.writer.random.getrandbits(32))
    result, _ = roll_dice(rule, inputs, RandomFaces(generator, "always" if takes else "never"))
    oracle = Oracle(trial.text, "roll", inputs, takes)
    if result is None:
        trial.events["no roll"] += 1
        return
    thrown = [
        (rule.dice[die.kind].name, tuple(landing.value for landing in die.throws), die.earned)
        for die in result.roll.dice
    ]
    for kind, throws, _ in thrown:
        assert set(throws) <= oracle.faces[kind].keys()
        assert [oracle.may_go_on(kind, throws[:number]) for number in range(1, len(throws) + 1)] == [
            *[{True}] * (len(throws) - 1),
            {False},
        ]
    dice = [die for kind, throws, _ in thrown for die in oracle.make_dice(kind, throws)]
    for kind, entry in oracle.kinds.items():
        first = [name for name, _, earned in thrown if name == kind and not earned]
        earned = [name for name, _, earned in thrown if name == kind and earned]
        assert len(first) == oracle.number(entry.get("count", 1))
        if not any(len(die.tries) > 1 for die in result.roll.dice):  # what a die earned stays when it is rolled again
            assert len(earned) == sum(die.earned for die in dice if oracle.earns(die.kind) == kind)
    end = oracle.finish(tuple(dice))
    assert FAILED not in (end.outcome, end.degree, *dict(end.steps).values())
    assert (result.outcome and result.outcome.name, result.degree) == (end.outcome, end.degree)
    assert dict(result.steps) == dict(end.steps)
    assert result.marks == oracle.marks(tuple(dice))
    trial.events["rolls"] += 1


def compare_games(first: int, last: int) -> Counter[str]:
    """Compares everything about the games with these seeds; what happened is counted."""
    events = Counter[str]()
    for seed in range(first, last):
        writer = GameWriter(seed)
        text = writer.write()
        game, problems = load_game_text(text)
        if game is None:
            assert {problem.code for problem in problems} <= {"endless-dice", "contest"}, (text, problems)
            events[problems[0].code] += 1
            continue
        for compare in (compare_odds, compare_roll, *([compare_contest] if seed % 2 else [])):
            try:
                compare(Trial(text, game, writer, events))
            except (Exception, pytest.fail.Exception) as error:
                raise AssertionError(f"{compare.__name__}, game {seed}:\n{text}") from error
    return events


@pytest.mark.parametrize("first", sample(range(0, GAMES, IN_ONE_TEST), 4))
def test_the_oracle_agrees(first: int) -> None:
    events = compare_games(first, first + IN_ONE_TEST)
    assert events["whole"] + events["in part"] >= IN_ONE_TEST * 7 // 10  # few games are left out
    assert events["contests"] >= IN_ONE_TEST // 4
    assert events["rolls"] >= IN_ONE_TEST // 2


@pytest.mark.parametrize("seed", [639954557])
def test_the_oracle_agrees_where_it_once_did_not(seed: int) -> None:
    compare_games(seed, seed + 1)


@pytest.mark.long
@pytest.mark.parametrize("part", range(MANY_GAMES // IN_ONE_TEST))
def test_the_oracle_agrees_in_many_more_games(part: int) -> None:
    """New games on every run: the message says which."""
    del part
    first = Random().randrange(GAMES, 10**9)
    compare_games(first, first + IN_ONE_TEST)

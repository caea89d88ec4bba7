"""Contests of games that nobody thought of: claims against counting, examples against the greater of two values."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from generated_pages import checked, count_thrown, set_to
from rulewright.game.model import Game
from rulewright.play.result import Result, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator
from rulewright.play.validate import load_game_text
from strategies import GeneratedGame, games, inputs_of

EXAMPLES = settings(max_examples=scale_examples(25), deadline=None, suppress_health_check=list(HealthCheck))
UNLIKELY = Fraction(1, 1000)
TIES = ("first", "second", "again", "none")
A_LITTLE = Fraction(1, 10**9)


def contest_in(made: GeneratedGame, step: str, ties: str) -> Game:
    game, problems = load_game_text(
        f'{made.text}\n[rules.duel]\ncontest = {{ of = "roll", compare = "{step}", ties = "{ties}" }}\n'
    )
    assume(not any(said in one.message for one in problems for said in ("never", "does not depend on")))
    assert game, [problem.message for problem in problems]
    return game


def numbers_of(made: GeneratedGame) -> list[str]:
    return [step.name for step in made.rule.steps if step.name != "mood"]


def spread(made: GeneratedGame, inputs: Mapping[str, str], step: str, aim: str) -> dict[int, Fraction]:
    return count_thrown(made, inputs, aim, UNLIKELY).ends.distribution(lambda end: end.value(step))


def who_wins(one: Mapping[int, Fraction], other: Mapping[int, Fraction], ties: str) -> dict[str, Fraction] | None:
    """None where it never ends."""
    first = sum((a * b for x, a in one.items() for y, b in other.items() if x > y), Fraction(0))
    second = sum((a * b for x, a in one.items() for y, b in other.items() if x < y), Fraction(0))
    tie = 1 - first - second
    if ties == "again":
        return None if tie == 1 else {"first": first / (1 - tie), "second": second / (1 - tie)}
    if ties == "none":
        return {"first": first, "second": second, "none": tie}
    return {"first": first + (tie if ties == "first" else 0), "second": second + (tie if ties == "second" else 0)}


@EXAMPLES
@given(games(), st.data())
def test_chances_of_contests(made: GeneratedGame, data: st.DataObject) -> None:
    step, ties = data.draw(st.sampled_from(numbers_of(made))), data.draw(st.sampled_from(TIES))
    game = contest_in(made, step, ties)
    sides = [data.draw(inputs_of(made.rule)) for _ in range(2)]
    one, other = (spread(made, inputs, step, "") for inputs in sides)
    found = who_wins(one, other, ties)
    lines = [
        "rule: duel",
        *(f"{side}.{line}" for side, one in zip(("first", "second"), sides, strict=True) for line in set_to(one)),
    ]
    if found is None:
        assert checked(game, "claim", *lines, "chance(first) <= 1").status != "passed"
        return
    event(ties)
    for name, number in found.items():
        assume(max(number.numerator, number.denominator) < 10**14)
        assert checked(game, "claim", *lines, f"chance({name}) = {number}").status == "passed"
        assert checked(game, "claim", *lines, f"chance({name}) > {number}").status == "failed"
        assert checked(game, "claim", *lines, f"chance({name}) < {number}").status == "failed"
        table = checked(game, "odds", *lines, "columns: outcomes", f"expect: outcome {name} = {number}")
        assert table.status == "passed"
        assert table.odds
        assert table.odds.cells[0] == tuple(found.values())
    assert checked(game, "claim", *lines, f"chance({' or '.join(found)}) = 1").status == "passed"
    mean = sum((value * share for value, share in other.items()), Fraction(0))
    if max(abs(mean.numerator), mean.denominator) < 10**14:
        assert checked(game, "claim", *lines, f"mean(second.{step}) = {mean}").status == "passed"


def bout(made: GeneratedGame, data: st.DataObject, inputs: Mapping[str, str]) -> Result:
    result, _ = roll_dice(
        made.rule, inputs, RandomFaces(RandomGenerator(data.draw(st.integers(0, 2**32 - 1))), "always")
    )
    assume(result is not None)
    assert result
    return result


def shown(result: Result) -> str:
    parts = [f"dice {result.dice}", *([f"rerolled {result.rerolled}"] if result.rerolled else [])]
    return ", ".join(parts)


@EXAMPLES
@given(games(optional=False), st.data())
def test_who_wins(made: GeneratedGame, data: st.DataObject) -> None:
    step, ties = data.draw(st.sampled_from(numbers_of(made))), data.draw(st.sampled_from(TIES))
    game = contest_in(made, step, ties)
    sides: dict[str, list[Any]] = {"Ann": [], "Bob": []}
    inputs = {name: data.draw(inputs_of(made.rule)) for name in sides}
    winner = ""
    while not winner:
        one, other = (bout(made, data, inputs[name]) for name in sides)
        assume(one.dice and other.dice)
        sides["Ann"].append(one)
        sides["Bob"].append(other)
        difference = one.steps[step] - other.steps[step]
        tied = {"first": "Ann", "second": "Bob", "none": "none", "again": ""}[ties]
        winner = "Ann" if difference > 0 else "Bob" if difference < 0 else tied
        assume(len(sides["Ann"]) < 4)
    lines = ["rule: duel"]
    for name, results in sides.items():
        unasked = set.intersection(*(set(result.unasked_questions) for result in results))
        assume(all(set(result.unasked_questions) == unasked for result in results))
        phrase = [f"{key} {value}" for key, value in inputs[name].items() if key not in unasked]
        lines.append(f"side {name}: {', '.join([*phrase, *map(shown, results)])}")
    event(f"{ties}, {len(results)} throw-offs")
    found = checked(game, "example", *lines, f"winner: {winner}")
    assert found.status == "passed", [problem.message for problem in found.problems]
    for other_name in sorted({"Ann", "Bob", "none"} - {winner}):
        found = checked(game, "example", *lines, f"winner: {other_name}")
        assert found.status == "failed"
        (problem,) = found.problems
        assert problem.fix is None
        assert f"either write `winner: {winner}` and correct the sentences around it" in problem.notes[-1]

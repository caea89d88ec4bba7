"""Dice rolled by a seeded generator: fair, the same in every language, and accepted like recorded ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from example_counts import scale_examples
from games import load_shipped_rule, rules_with_dice
from recorded_rolls import recheck_result
from rulewright.play.result import check_roll, roll_dice
from rulewright.play.roll import DiceRoller, Die, RandomFaces, RandomGenerator
from strategies import inputs_of

VECTORS = json.loads((Path(__file__).parent / "conformance/generator.json").read_text(encoding="utf-8"))
SEEDS = st.integers(0, 2**32 - 1)


def mulberry32(seed: int) -> Iterator[int]:
    """The generator once more, written down from its definition in C."""
    word, state = 2**32, seed
    while True:
        state = (state + 0x6D2B79F5) % word
        mixed = (state ^ (state // 2**15)) * (state | 1) % word
        added = (mixed ^ (mixed // 2**7)) * (mixed | 61) % word
        mixed = (mixed + added) % word ^ mixed
        yield mixed ^ (mixed // 2**14)


def below(numbers: Iterator[int], sides: int) -> int:
    whole = 2**32 // sides * sides
    return next(number for number in numbers if number < whole) % sides


@pytest.mark.parametrize("row", VECTORS["numbers"], ids=lambda row: row["seed"])
def test_numbers_of_a_seed(row: dict[str, Any]) -> None:
    generator = RandomGenerator(row["seed"])
    assert [generator.next_number() for _ in row["numbers"]] == row["numbers"]


@pytest.mark.parametrize("row", VECTORS["below"], ids=lambda row: f"{row['seed']}-{row['sides']}")
def test_faces_of_a_seed(row: dict[str, Any]) -> None:
    """`drawn` is how many numbers these faces took: more than there are faces where numbers were thrown away."""
    generator, numbers = RandomGenerator(row["seed"]), mulberry32(row["seed"])
    assert [generator.next_below(row["sides"]) for _ in row["values"]] == row["values"]
    last = [next(numbers) for _ in range(row["drawn"] + 1)][-1]
    assert generator.next_number() == last


@given(SEEDS, st.integers(1, 10_000) | st.integers(1, 2**32))
def test_faces_are_those_of_an_independent_generator(seed: int, sides: int) -> None:
    generator, numbers = RandomGenerator(seed), mulberry32(seed)
    assert [generator.next_below(sides) for _ in range(20)] == [below(numbers, sides) for _ in range(20)]


@settings(max_examples=scale_examples(30), deadline=None)
@given(SEEDS, st.integers(2, 20))
def test_every_face_is_as_likely_as_any_other(seed: int, sides: int) -> None:
    """The sum of squared deviations stays where it is but for one throw of many millions."""
    generator, each = RandomGenerator(seed), 300
    counts = Counter(generator.next_below(sides) for _ in range(each * sides))
    assert set(counts) <= set(range(sides))
    deviation = sum((counts[face] - each) ** 2 / each for face in range(sides))
    assert deviation < sides + 10 * (2 * sides) ** 0.5 + 20


@settings(max_examples=scale_examples(100), deadline=None)
@given(st.data())
@pytest.mark.parametrize("name", rules_with_dice())
def test_a_roll_given_back_as_a_record_is_the_same(name: str, data: st.DataObject) -> None:
    inputs, aim = data.draw(inputs_of(load_shipped_rule(name), 12)), data.draw(st.sampled_from(("always", "never")))
    result, complaints = roll_dice(load_shipped_rule(name), inputs, RandomFaces(RandomGenerator(data.draw(SEEDS)), aim))
    assert bool(result) != bool(complaints)
    if result:
        again = recheck_result(result, inputs)
        assert (again.dice, again.rerolled, again.roll.declined) == (result.dice, result.rerolled, result.roll.declined)
        assert (again.tallies, again.evaluation, again.faces) == (result.tallies, result.evaluation, result.faces)


@settings(max_examples=scale_examples(100), deadline=None)
@given(st.data())
def test_so_is_a_roll_with_any_choice_of_rerolls(data: st.DataObject) -> None:
    def anything(_play: DiceRoller, _dice: list[Die], places: list[int], _number: int, _left: int) -> int | None:
        choice: int | None = data.draw(st.none() | st.sampled_from(places))
        return choice

    inputs = data.draw(inputs_of(load_shipped_rule("ingenuity/test")))
    result, _ = roll_dice(
        load_shipped_rule("ingenuity/test"), inputs, RandomFaces(RandomGenerator(data.draw(SEEDS)), chooser=anything)
    )
    assert result
    again = recheck_result(result, inputs)
    assert (again.rerolled, again.evaluation, again.faces) == (result.rerolled, result.evaluation, result.faces)


def test_the_neediest_die_is_thrown_anew_first() -> None:
    rolls = [
        roll_dice(
            load_shipped_rule("ingenuity/test"),
            {"attribute": "d12", "skill": "d4", "advantage": 1},
            RandomFaces(RandomGenerator(seed)),
        )[0]
        for seed in range(50)
    ]
    for result in rolls:
        assert result
        ((old, *_),) = result.roll.rerolls
        first = [(die.tries or (die.throws,))[0][0].face for die in result.roll.dice[:2]]
        assert old.value == min(first)


def test_nobody_declines_and_everybody_declines() -> None:
    inputs = {"pool": 20, "specialty": "yes"}
    found = load_shipped_rule("maelstrom-first-edition/action")
    for seed in range(20):
        always, never = (
            roll_dice(found, inputs, RandomFaces(RandomGenerator(seed), aim))[0] for aim in ("always", "never")
        )
        assert always
        assert never
        tens = sum(die.value == 10 for die in never.roll.dice)
        assert (always.roll.declined, never.roll.declined) == (0, tens)
        assert len(never.roll.dice) == 20
        assert check_roll(found, inputs, never.dice, tens)[1] == []

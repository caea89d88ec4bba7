"""Tables of odds are worked out all at once; each cell must be what it would be alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulewright
from example_counts import sample, scale_examples
from games import GAMES, RULES
from games import load_shipped_rule as shipped_rule
from result_data import or_none
from rulewright.game.inputs import format_value
from rulewright.game.model import CONTEST_SIDES, Game, Input, Rule
from rulewright.odds.cache import OddsCache
from rulewright.odds.rule_odds import Odds, compute_odds
from rulewright.odds.table import compute_odds_table
from rulewright.play.validate import load_game, load_game_text
from strategies import GeneratedGame, aims_of, games, inputs_of, value_of

GALLERY = Path(rulewright.__file__).parent / "gallery"
FILES = [*(RULES / name / "game.toml" for name in GAMES), *sorted(GALLERY.glob("*/game.toml"))]
EXAMPLES = settings(max_examples=scale_examples(25), deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(EXAMPLES, max_examples=2000)
HALF = """
title = "By half"
[rules.roll.inputs]
skill = { min = 1, max = 20 }
size = { min = 1, max = 3 }
[rules.roll.steps]
half = "up(skill / 2)"
hits = "count(dice: face >= half)"
[rules.roll.dice]
dice = { count = "size + 1", sides = "2 * size" }
[rules.roll.outcomes]
good = { when = "hits > 0" }
bad = {}
"""


def opened(file: Path) -> Game:
    found, problems = load_game(file, file.parent.name)
    assert found, problems
    return found


ROLLED = {
    f"{file.parent.name}/{rule.name}": rule
    for file in FILES
    for rule in opened(file).rules.values()
    if rule.outcomes and not rule.contest
}


def some(entry: Input) -> list[str]:
    """Three values, as they are written."""
    low, high = entry.least, min(entry.most, entry.least + 12)
    values: Mapping[str, Sequence[object]] = {
        "number": sorted({low, (low + high) // 2, high}),
        "flag": [False, True],
        "choice": entry.choices[:3],
        "die": entry.dice[-3:],
        "code": [(1, 0), (3, 2)],
    }
    return [format_value(entry, value) for value in values[entry.form]]


def assert_alike(rule: Rule, inputs: Mapping[str, str], axes: Mapping[str, Sequence[str]]) -> None:
    table, complaints = compute_odds_table(rule, inputs, axes)
    cells = list(product(*axes.values()))
    assert complaints or list(table) == cells
    for cell in cells:
        alone, said = compute_odds(rule, {**inputs, **dict(zip(axes, cell, strict=True))})
        assert complaints or (alone is not None and table[cell] == alone.chances), (cell, inputs, said)


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("rule", sample(ROLLED.values(), 3), ids=ROLLED)
def test_tables_of_every_rule(rule: Rule, place: int) -> None:
    inputs = {entry.name: some(entry)[place] for entry in rule.inputs if entry.default is None}
    for pair in [*combinations(rule.inputs, 2), *((entry,) for entry in rule.inputs)]:
        assert_alike(rule, inputs, {entry.name: some(entry) for entry in pair})


def test_dice_that_are_kept_together_pass_an_end_together() -> None:
    """With two of them kept, a value of 14 is enough for 15, whatever the other shows; with one it is not."""
    rule = opened(GALLERY / "roll-and-keep" / "game.toml").rules["check"]
    assert_alike(rule, {"rolled": "5", "target": "15"}, {"kept": ["2", "1", "3"]})


def test_what_is_asked_may_rest_on_inputs_by_way_of_steps() -> None:
    game, problems = load_game_text(HALF)
    assert game, problems
    rule = game.rules["roll"]
    for axes in ({"skill": ["1", "4", "9"]}, {"size": ["1", "2", "3"]}, {"skill": ["1", "4", "9"], "size": ["2", "3"]}):
        assert_alike(rule, {"skill": "3", "size": "2"}, axes)
    table, _ = compute_odds_table(rule, {"size": "1"}, {"skill": ["2", "4", "6"]})
    assert [str(row["good"].low) for row in table.values()] == ["1", "3/4", "0"]


def compare_table(made: GeneratedGame, data: st.DataObject) -> None:
    rule = made.rule
    inputs = {entry.name: data.draw(value_of(entry, 3)) for entry in rule.inputs}
    axes = data.draw(st.lists(st.sampled_from(rule.inputs), max_size=2, unique=True)) if rule.inputs else []
    values = {one.name: data.draw(st.lists(value_of(one, 3), min_size=1, max_size=3, unique=True)) for one in axes}
    assert_alike(rule, inputs, values)


@EXAMPLES
@given(games(), st.data())
def test_tables_of_games_that_nobody_thought_of(made: GeneratedGame, data: st.DataObject) -> None:
    compare_table(made, data)


@pytest.mark.long
@MANY
@given(games(), st.data())
def test_tables_of_many_more_games(made: GeneratedGame, data: st.DataObject) -> None:
    compare_table(made, data)


def assert_remembers(rule: Rule, every: Sequence[Mapping[str, str]], aim: str = "") -> None:
    """Questions one after the other, each answered as if it were the first."""
    memory = OddsCache()
    for inputs in every:
        alone, said = compute_odds(rule, inputs, aim)
        later, also = compute_odds(rule, inputs, aim, cache=memory)
        assert said == also
        if isinstance(alone, Odds) and isinstance(later, Odds):
            assert later.chances == alone.chances, inputs
            for step in rule.steps:
                assert or_none(partial(later.mean, step.name)) == or_none(partial(alone.mean, step.name)), inputs
        elif alone and later:
            assert later.chances == alone.chances, inputs


def compare_memory(made: GeneratedGame, data: st.DataObject) -> None:
    aim = data.draw(aims_of(made.rule))
    assert_remembers(made.rule, data.draw(st.lists(inputs_of(made.rule, 4), min_size=2, max_size=4)), aim)


@EXAMPLES
@given(games(), st.data())
def test_a_memory_changes_no_answer(made: GeneratedGame, data: st.DataObject) -> None:
    compare_memory(made, data)


@pytest.mark.long
@MANY
@given(games(), st.data())
def test_a_memory_changes_no_answer_in_many_more_games(made: GeneratedGame, data: st.DataObject) -> None:
    compare_memory(made, data)


@pytest.mark.parametrize("name", ["step-dice/contest", "wild-die/opposed", "ingenuity/contest", "ingenuity/against"])
def test_nor_does_it_for_sides(name: str) -> None:
    rule, random = shipped_rule(name), Random(name)
    every = [
        {f"{side}.{key}": value for side in CONTEST_SIDES for key, value in inputs_for(rule, random).items()}
        for _ in range(12)
    ]
    assert rule.contest
    assert_remembers(rule, every)


def inputs_for(rule: Rule, random: Random) -> dict[str, str]:
    assert rule.contest
    entries = rule.contest.of[0].inputs
    return {
        entry.name: random.choice(some(entry)) for entry in entries if entry.default is None or random.random() < 0.4
    }

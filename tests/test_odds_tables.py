"""Tables of odds are worked out all at once; each cell must be what it would be alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulewright
from games import GAMES, RULES
from rulewright.game.inputs import shown
from rulewright.game.model import Game, Input, Rule
from rulewright.game.odds.answer import odds
from rulewright.game.odds.table import odds_table
from rulewright.game.read import read_game, read_game_text
from strategies import Made, games, value_of

GALLERY = Path(rulewright.__file__).parent / "gallery"
FILES = [*(RULES / name / "game.toml" for name in GAMES), *sorted(GALLERY.glob("*/game.toml"))]
EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
HALF = """
title = "By half"
[rules.roll.inputs]
skill = { min = 1, max = 20 }
size = { min = 1, max = 3 }
[rules.roll.steps]
half = "up(skill / 2)"
hits = "count(dice, face >= half)"
[rules.roll.dice]
dice = { count = "size + 1", sides = "2 * size" }
[rules.roll.outcomes]
good = { when = "hits > 0" }
bad = {}
"""


def opened(file: Path) -> Game:
    found, problems = read_game(file, file.parent.name)
    assert found, problems
    return found


def rolled() -> list[Any]:
    return [
        pytest.param(rule, id=f"{file.parent.name}/{rule.name}")
        for file in FILES
        for rule in opened(file).rules.values()
        if rule.outcomes and not rule.contest
    ]


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
    return [shown(entry, value) for value in values[entry.form]]


def assert_alike(rule: Rule, inputs: Mapping[str, str], axes: Mapping[str, Sequence[str]]) -> None:
    table, complaints = odds_table(rule, inputs, axes)
    cells = list(product(*axes.values()))
    assert complaints or list(table) == cells
    for cell in cells:
        alone, said = odds(rule, {**inputs, **dict(zip(axes, cell, strict=True))})
        assert complaints or (alone is not None and table[cell] == alone.chances), (cell, inputs, said)


@pytest.mark.parametrize("rule", rolled())
def test_tables_of_every_rule(rule: Rule) -> None:
    inputs = {entry.name: some(entry)[0] for entry in rule.inputs if entry.default is None}
    for pair in [*combinations(rule.inputs, 2), *((entry,) for entry in rule.inputs)]:
        assert_alike(rule, inputs, {entry.name: some(entry) for entry in pair})


def test_what_is_asked_may_rest_on_inputs_by_way_of_steps() -> None:
    game, problems = read_game_text(HALF)
    assert game, problems
    rule = game.rules["roll"]
    for axes in ({"skill": ["1", "4", "9"]}, {"size": ["1", "2", "3"]}, {"skill": ["1", "4", "9"], "size": ["2", "3"]}):
        assert_alike(rule, {"skill": "3", "size": "2"}, axes)
    table, _ = odds_table(rule, {"size": "1"}, {"skill": ["2", "4", "6"]})
    assert [str(row["good"].low) for row in table.values()] == ["1", "3/4", "0"]


@EXAMPLES
@given(games(), st.data())
def test_tables_of_games_that_nobody_thought_of(made: Made, data: st.DataObject) -> None:
    rule = made.rule
    inputs = {entry.name: data.draw(value_of(entry, 3)) for entry in rule.inputs}
    names = (
        data.draw(st.lists(st.sampled_from([entry.name for entry in rule.inputs]), max_size=2, unique=True))
        if rule.inputs
        else []
    )
    values = {entry.name: st.lists(value_of(entry, 3), min_size=1, max_size=3, unique=True) for entry in rule.inputs}
    assert_alike(rule, inputs, {name: data.draw(values[name]) for name in names})

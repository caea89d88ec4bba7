"""The core of a game: its JSON, its schema, and the engine that reads it."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games import load_shipped_game
from rulewright.cli import main
from rulewright.compile.game_tables import open_game
from rulewright.game.core_json import core_from_json, core_schema, core_text, core_to_json
from rulewright.game.lower import lower_game
from rulewright.game.model import Game
from rulewright.play.result import derivation_lines, roll_dice
from rulewright.play.roll import RandomFaces, RandomGenerator
from rulewright.play.validate import load_game_text
from test_games_right import RIGHT, everyday, shown
from test_js_engine import every_rule

PACKAGE = Path(__file__).parent.parent / "plugin" / "rulewright"
SCHEMA = PACKAGE / "game" / "core.schema.json"


@pytest.fixture
def golden_folder() -> Path:
    return SCHEMA.parent


def opened(file: Path) -> Game:
    game, problems = open_game(file, shown(file))
    assert game, problems
    return game


def all_games() -> Iterator[Game]:
    """Games that use every key of the language, and generated ones."""
    yield from map(opened, RIGHT)
    yield from {id(game): game for game, _ in every_rule()}.values()


def test_the_schema_that_is_shipped_is_golden(golden: Callable[[str, str], None]) -> None:
    golden(SCHEMA.name, json.dumps(core_schema(), indent=2, ensure_ascii=False) + "\n")
    assert resources.files("rulewright.game").joinpath(SCHEMA.name).is_file()


def test_every_core_is_valid_and_uses_every_key_of_the_schema() -> None:
    validator = Draft202012Validator(core_schema())
    keys = {name: set(own["properties"]) for name, own in core_schema()["$defs"].items() if "properties" in own}
    missing = {(name, key) for name, own in keys.items() for key in own}
    for game in all_games():
        data = json.loads(core_text(lower_game(game)))
        assert [error.message for error in validator.iter_errors(data)] == [], game.folder
        missing -= {(name, key) for name, own in keys.items() for key in filled_keys(data, own)}
    assert missing == set()


def filled_keys(data: Any, keys: set[str]) -> Iterator[str]:
    """The keys of objects with just these keys, perhaps without those left out, that are not null somewhere."""
    if isinstance(data, dict):
        is_meant = set(data) | ({"deck_of", "taken", "goal", "turn", "aims_of_rolls", "wholes"} & keys) == keys
        yield from (key for key, value in data.items() if value is not None) if is_meant else ()
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from filled_keys(part, keys)


def test_a_wrong_core_is_refused() -> None:
    data = core_to_json(lower_game(load_shipped_game("maelstrom")))
    validator = Draft202012Validator(core_schema())
    assert validator.is_valid(json.loads(json.dumps(data)))
    assert not validator.is_valid({**data, "rule": {}})
    assert not validator.is_valid({key: value for key, value in data.items() if key != "nodes"})


def test_nodes_refer_to_earlier_ones_and_are_shared() -> None:
    for game in all_games():
        for name, rule in core_to_json(lower_game(game))["rules"].items():
            entries = [json.dumps(entry) for entry in rule["nodes"]]
            assert len(entries) == len(set(entries)), (game.folder, name)
            for number, (op, *args) in enumerate(rule["nodes"]):
                literal = op in ("number", "word", "name", "tally")
                assert literal or all(isinstance(arg, str) or arg < number for arg in args), (game.folder, name)


def test_what_is_read_back_is_the_same_and_rolls_the_same() -> None:
    for game in all_games():
        data = json.loads(core_text(lower_game(game)))
        core = core_from_json(data)
        assert core_to_json(core) == data
        for name, rule in game.rules.items():
            for seed in range(0 if rule.contest else 5):
                rolls = [
                    roll_dice(own, everyday(rule), RandomFaces(RandomGenerator(seed)))
                    for own in (rule, core.rules[name])
                ]
                assert rolls[0][1] == rolls[1][1]
                lines = [derivation_lines(result) if result else [] for result, _ in rolls]
                assert lines[0] == lines[1]


SMALL = """
title = "Small"
[rules.hit.inputs]
bonus = { min = 0, max = 3 }
[rules.hit.dice]
d6 = { count = 3, sides = 6, again = { when = "face = 6", roll = "explode" } }
luck = { sides = 6 }
[[rules.hit.again]]
roll = "reroll"
of = ["luck", "d6"]
pick = "lowest"
keep = "new"
[rules.hit.steps]
least = "bonus + 1"
kept = "highest 2 of d6"
total = "sum(kept) + count(kept: face >= least) + bonus + 1"
"""


def test_a_rule_is_a_program_over_sets() -> None:
    game, problems = load_game_text(SMALL)
    assert game, problems
    rule = core_to_json(lower_game(game))["rules"]["hit"]
    assert rule["sets"][2:] == [
        {"op": "highest", "of": [0], "number": 2, "by": None, "test": None},
        {"op": "together", "of": [1, 0], "number": None, "by": None, "test": None},
    ]
    assert [(tally["function"], tally["set"], tally["every_throw"]) for tally in rule["tallies"]] == [
        ("sum", 2, False), ("count", 2, True)
    ]  # fmt: skip
    assert [(entry["of"], entry["pick"]) for entry in rule["again"]] == [(3, "lowest")]
    assert [entry["roll"] for entry in rule["kinds"][0]["again"]] == ["explode"]
    assert [(stage["what"], stage["of"]) for stage in rule["order"]] == [
        ("values", ["least"]), ("dice", [0, 1]), ("again", [0]), ("values", ["total"])
    ]  # fmt: skip
    assert rule["steps"][2]["formula"]["text"][1::2] == [
        ["sum(kept)", [0]], ["count(kept: face >= least)", [1]], ["bonus", "bonus"]
    ]  # fmt: skip


def test_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "game.toml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    assert main(["export", "core"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["small"]["rules"]["hit"]["label"] == "Hit"
    assert main(["export", "core", "small", "-o", "games.json"]) == 0
    assert json.loads((tmp_path / "games.json").read_text()) == printed
    assert main(["export", "core", "large"]) == 2
    assert main(["export", "pdf", "small", "large"]) == 2


def test_rolls_and_odds_read_no_declared_part() -> None:
    """They are handed a declared rule, and lower it; three modules go through all rules of a game."""
    doors = {"Rule", "MAX_SIDES", "CONTEST_SIDES"}
    walking = ("validate.py", "proof.py", "cost_warnings.py")
    for file in [*PACKAGE.glob("play/*.py"), *PACKAGE.glob("odds/*.py")]:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "game.model":
                names = {alias.name for alias in node.names} - ({"Game"} if file.name in walking else set())
                assert names <= doors, file

"""Games that use every key of the language: accepted, and the schema for editors accepts them too."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from example_counts import sample
from rulewright.compile.game_tables import open_game
from rulewright.game.core_json import rule_to_json
from rulewright.game.game_schema import GAME, json_schema
from rulewright.game.lower import lower_rule
from rulewright.game.model import Face, Game, Rule
from rulewright.game.schema import Items, KnownKeys, NamedEntries, OneOf, Shape
from rulewright.odds.advise import make_player
from rulewright.play.result import Result, check_roll, roll_dice
from rulewright.play.roll import RandomGenerator
from rulewright.render.reports import format_problems

TESTS = Path(__file__).parent
RULES = TESTS.parent / "rules"
FOLDER = TESTS / "games_right"
RIGHT = sorted([*FOLDER.rglob("*.toml"), *RULES.glob("*/game.toml")])
SCHEMA = TESTS.parent / "plugin" / "rulewright" / "game" / "game.schema.json"
WRONG_SHAPE = (  # what the schema must refuse like the reader does
    "unknown-key", "wrong-type", "missing-keys", "no-title", "not-one-of", "list-length", "number-too-large",
    "half-a-number",
)  # fmt: skip


def game(name: str) -> Game:
    found, problems = open_game(FOLDER / name, name)
    assert found, format_problems(problems)
    return found


def shown(file: Path) -> str:
    return file.relative_to(TESTS.parent).as_posix()


@pytest.mark.parametrize("file", RIGHT, ids=shown)
def test_a_right_game_is_accepted(file: Path) -> None:
    found, problems = open_game(file, shown(file))
    assert found, format_problems(problems)


def everyday(rule: Rule) -> dict[str, str]:
    """A value for every input that has no default, as an author would write it."""
    first = {
        "number": "{0.least}",
        "flag": "yes",
        "choice": "{0.choices[0]}",
        "die": "{0.dice[1]}",
        "code": "{0.least}D+1",
    }
    return {entry.name: first[entry.form].format(entry) for entry in rule.inputs if entry.default is None}


def chosen(result: Result) -> dict[str, str]:
    """What was chosen during a roll, as an author would write it."""
    values, choices = result.setting.values, [entry for entry in result.rule.inputs if entry.is_choice]
    named = {entry.name: (entry.form, values[entry.name]) for entry in choices if entry.name in values}
    return {name: ("no", "yes")[value] if form == "flag" else str(value) for name, (form, value) in named.items()}


@pytest.mark.parametrize("file", sample(RIGHT, 3), ids=shown)
def test_what_is_accepted_can_be_rolled_and_checked(file: Path) -> None:
    found, _ = open_game(file, shown(file))
    assert found
    for rule in found.rules.values():
        for seed in range(0 if rule.contest else 50):
            result, complaints = roll_dice(rule, everyday(rule), make_player(rule, RandomGenerator(seed)))
            assert result, complaints
            inputs = {**everyday(rule), **chosen(result)}
            again, complaints = check_roll(
                rule, inputs, result.dice, result.roll.declined, result.rerolled, turned=result.turned
            )
            assert again, complaints
            assert again.steps == result.steps


def used(shape: Shape, value: Any, path: str = "") -> Iterator[str]:
    """The keys of the language that a piece of data uses, each under the path of its shape."""
    if isinstance(shape, OneOf):
        for one in shape.shapes:
            if one.fits(value):
                yield from used(one, value, path)
    elif isinstance(shape, Items):
        for item in value:
            yield from used(shape.of, item, path)
    elif isinstance(shape, NamedEntries):
        for item in value.values():
            yield from used(shape.of, item, path + ".*")
    elif isinstance(shape, KnownKeys):
        for key, item in value.items():
            field = shape.fields.get(key)
            yield f"{path}.{key}" if field else f"{path}.<name>"
            yield from used(field.of, item, f"{path}.{key}") if field else ()


def known(shape: Shape, path: str = "") -> Iterator[str]:
    """All keys of the language."""
    if isinstance(shape, OneOf):
        for one in shape.shapes:
            yield from known(one, path)
    elif isinstance(shape, Items):
        yield from known(shape.of, path)
    elif isinstance(shape, NamedEntries):
        yield from known(shape.of, path + ".*")
    elif isinstance(shape, KnownKeys):
        yield from (f"{path}.<name>" for _ in [0] if shape.others)
        for key, field in shape.fields.items():
            yield f"{path}.{key}"
            yield from known(field.of, f"{path}.{key}")


def test_every_key_of_the_language_is_used() -> None:
    found = {key for file in FOLDER.rglob("*.toml") for key in used(GAME, tomllib.loads(file.read_text("utf-8")))}
    assert set(known(GAME)) <= found


def test_what_is_read_is_what_was_written() -> None:
    made = game("traits-and-tables.toml")
    skills, action = made.traits["skills"], made.rules["action"]
    assert (skills.least, skills.most, skills.aliases["Swim"]) == (None, 3, ("Swimming",))
    assert made.tables["wounds"].find_row(6) == ("deep", -2)
    assert made.tables["wounds"].find_row(-100) == ("none", 0)
    assert made.tables["wounds"].named_numbers == {"none": 0, "light": 1, "deep": 6, "deadly": 7}
    assert made.tables["armour"].find_row("HEAVY") == (4, "loud")
    assert made.tables["price"].find_row("sword") == (40,)
    assert made.tables["weight"].rows == {"bread": (1,), "sword": (3,)}
    inputs = {entry.name: entry for entry in action.inputs}
    assert inputs["difficulty"].default == 3
    assert inputs["raised"].label == "Raised"
    assert inputs["hit"].open
    assert [outcome.see for outcome in action.outcomes] == ["actions.md#success", ""]


def test_labels_and_other_words() -> None:
    rule = game("labels.toml").rules["move"]
    assert [(entry.label, entry.also) for entry in rule.inputs] == [("Modifier", ("edge",))]
    assert [(kind.label, kind.also) for kind in rule.dice] == [("plain", ("white", "ordinary")), ("fortune", ())]
    assert rule.dice[1].faces == (
        Face("-", -1, {}, label="minus", also=("bane",)),
        Face("0", 0, {}),
        Face("+", 1, {}, label="plus"),
    )
    assert [(step.label, step.also) for step in rule.steps] == [("result", ("score",)), ("", ()), (None, ())]
    assert [(outcome.label, outcome.also) for outcome in rule.outcomes[:2]] == [
        ("strong hit", ("full success",)),
        ("", ()),
    ]


def test_the_browser_gets_a_label_where_there_is_one() -> None:
    data = rule_to_json(lower_rule(game("labels.toml").rules["move"]))
    assert [kind["label"] for kind in data["kinds"]] == ["plain", "fortune"]
    faces = [(face["mark"], face["value"], face["label"]) for face in data["kinds"][1]["faces"]]
    assert faces == [("-", -1, "minus"), ("0", 0, None), ("+", 1, "plus")]
    assert [step["label"] for step in data["steps"]] == ["result", "", None]
    assert [bool(outcome["label"]) for outcome in data["outcomes"]] == [True, False, False]


def test_contests_know_their_sides() -> None:
    rules = game("contests.toml").rules
    sides = {name: [side.name for side in rule.contest.of] for name, rule in rules.items() if rule.contest}
    assert sides["first"] == ["attack", "attack"]
    assert sides["again"] == ["attack", "parry"]


def test_a_game_that_extends_another() -> None:
    own, base = game("extends/own/game.toml"), game("extends/base/game.toml")
    assert own.title == "Own"
    assert list(own.rules) == ["action", "luck", "magic"]
    assert list(own.traits) == ["skills", "spells"]
    assert own.tables["difficulty"].named_numbers == {"Hard": 9}  # an entry is replaced as a whole
    entries = {entry.name: entry for entry in own.rules["action"].inputs}
    assert list(entries) == ["pool", "difficulty", "bonus"]
    assert entries["pool"].most == 20
    assert [entries[name].span.source.path.split("/")[-2] for name in entries] == ["own", "base", "own"]
    assert own.rules["action"].steps[0].formula.text == "count(regular: good) + bonus"
    assert own.rules["action"].dice[0].tests["bad"]
    assert base.rules["action"].inputs[0].most == 10


@pytest.fixture
def golden_folder() -> Path:
    return SCHEMA.parent


def test_the_schema_that_is_shipped_is_golden(golden: Callable[[str, str], None]) -> None:
    golden(SCHEMA.name, json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    assert resources.files("rulewright.game").joinpath(SCHEMA.name).is_file()


def test_the_schema_is_a_schema() -> None:
    meta = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert [error.message for error in meta.iter_errors(json_schema())] == []
    assert [*meta.iter_errors({**json_schema(), "type": "nonsense"})]


@pytest.mark.parametrize("file", RIGHT, ids=shown)
def test_the_schema_accepts_what_is_right(file: Path) -> None:
    data = tomllib.loads(file.read_text("utf-8"))
    assert [error.message for error in Draft202012Validator(json_schema()).iter_errors(data)] == []


@pytest.mark.parametrize("name", WRONG_SHAPE)
def test_the_schema_refuses_what_is_wrong(name: str) -> None:
    """As many places are wrong for the schema as for the reader."""
    data = tomllib.loads((TESTS / "games_wrong" / f"{name}.toml").read_text("utf-8"))
    refused = {tuple(error.absolute_path) for error in Draft202012Validator(json_schema()).iter_errors(data)}
    assert refused
    assert len(refused) <= len(list(GAME.examine(data, ())))


VALUES = st.sampled_from(
    (1, 0, -1, 2.5, True, "text", "not allowed", "1 + 1", "again", [], ["a"], {}, {"a": 1}, 10**12)
).map(deepcopy)  # a later change may go into it


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a piece of data, the inner ones too."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


@given(st.sampled_from(RIGHT), st.data())
def test_schema_and_reader_agree_on_every_shape(file: Path, data: st.DataObject) -> None:
    raw = tomllib.loads(file.read_text("utf-8"))
    for _ in range(data.draw(st.integers(1, 3))):
        if not raw:
            break
        *path, last = data.draw(st.sampled_from(list(places(raw))))
        inner = raw
        for key in path:
            inner = inner[key]
        how = data.draw(st.sampled_from(("replace", "remove", "add")))
        if how == "remove":
            del inner[last]
        elif how == "add" and isinstance(inner, dict):
            inner[data.draw(st.sampled_from(("colour", "when", "min", "rows", "sides")))] = data.draw(VALUES)
        else:
            inner[last] = data.draw(VALUES)
    assert Draft202012Validator(json_schema()).is_valid(raw) == (not list(GAME.examine(raw, ())))

"""The twins against the recorded figures, as far as brute force reaches."""

import csv
import json
import operator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from . import Odds, Result, plain, replay, step_dice, twin, twin_contest
from .ingenuity import judge as judge_test
from .maelstrom import judge, judge_first_edition, settle
from .odds import compare, gather

DATA = Path(__file__).parents[1] / "data"
Record = dict[str, Any]
RECORDS: list[Record] = json.loads((DATA / "vectors.json").read_text(encoding="utf-8"))
MOST_POOL, MOST_EXPLODING, MOST_DICE = 4, 2, 4
COMPARISONS = {"=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def of_kind(*kinds: str) -> list[Any]:
    return [pytest.param(record, id=record["id"]) for record in RECORDS if record["kind"] in kinds and small(record)]


def small(record: Record) -> bool:
    """Few enough dice for brute force; of recorded dice there may be any number."""
    inputs = plain(record.get("inputs", {}))
    pool = int(inputs.get("pool") or inputs.get("current") or 0)
    most = MOST_EXPLODING if inputs.get("specialty") else MOST_POOL
    return record["kind"] not in ("chance", "mean") or (pool <= most and int(inputs.get("d", 0)) <= MOST_DICE)


def holds(formula: str, result: Result) -> bool:
    """What the vectors ask for: outcomes and comparisons, joined by `or` or `and`."""
    if " or " in formula:
        return any(holds(part, result) for part in formula.split(" or "))
    if " and " in formula:
        return all(holds(part, result) for part in formula.split(" and "))
    left, sign, right = (*formula.split(" "), "", "")[:3]
    if sign not in COMPARISONS:
        return formula == result.outcome or bool(dict(result.steps).get(formula))
    return bool(COMPARISONS[sign](result.value(left), int(right) if right.isdigit() else result.value(right)))


def assert_chances(odds: Odds, expected: dict[str, str]) -> None:
    for formula, text in expected.items():
        low, exact = odds.chance(partial(holds, formula)), Fraction(text)
        assert low <= exact <= low + odds.missing, formula
    assert odds.missing < Fraction(1, 1000)


def assert_result(result: Result, expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        found = {"outcome": result.outcome, "degree": result.degree}.get(name)
        assert value == (result.value(name) if found is None else found), name


@pytest.mark.parametrize("record", of_kind("chance"))
def test_chance(record: Record) -> None:
    odds = twin(record["game"], record["rule"], record["inputs"], record.get("aim"))
    assert_chances(odds, record["expect"])


@pytest.mark.parametrize("record", of_kind("mean"))
def test_mean(record: Record) -> None:
    odds = twin(record["game"], record["rule"], record["inputs"], record.get("aim"))
    of, exact = record["of"], Fraction(record["expect"])
    found = odds.mean_degree(of.removeprefix("degree of ")) if of.startswith("degree of ") else odds.mean(of)
    assert found == exact if odds.missing == 0 else 0 <= exact - found < Fraction(1, 1000)


@pytest.mark.parametrize("record", of_kind("roll"))
def test_roll(record: Record) -> None:
    result = replay(record["game"], record["rule"], record["inputs"], record["dice"], record.get("declined", 0))
    assert_result(result, record["expect"])


def test_replay_refuses_wrong_numbers_of_dice() -> None:
    inputs = {"pool": 2, "difficulty": 6, "specialty": True}
    for dice in ("10", "10 3", "10 3 | 4", "10 3 | 4 5 6", "3 4 5"):
        with pytest.raises(ValueError, match="dice"):
            replay("maelstrom", "action", inputs, dice)


def given(record: Record) -> Result:
    known, inputs = record["given"], record["inputs"]
    match record["game"], record["rule"]:
        case "maelstrom", "action":
            return judge(known["successes"], known["botches"], inputs["threshold"])
        case "maelstrom-first-edition", "action":
            return judge_first_edition(known["successes"], known["failures"], inputs["threshold"])
        case "maelstrom", "willpower":
            return settle(judge(known["net"], 0, 0), inputs["current"], inputs["spend"])
        case "ingenuity", "test":
            luck = int(record.get("dice", "luck 0").removeprefix("luck "))
            return judge_test(known.get("base", known.get("total")), luck, inputs["difficulty"])
    return Result("success" if known["total"] >= inputs["difficulty"] else "failure", 0)


@pytest.mark.parametrize("record", of_kind("given"))
def test_given(record: Record) -> None:
    assert_result(given(record), record["expect"])


@pytest.mark.parametrize("record", of_kind("after"))
def test_after(record: Record) -> None:
    opening = tuple(int(face) for face in record["dice"].split("+"))
    odds = step_dice.after(opening, **plain(record["inputs"]), depth=13)
    assert_chances(odds, record["expect"])


def certain(total: int) -> Odds:
    return gather([(Result("", 0, (("total", total),)), Fraction(1))])


@pytest.mark.parametrize("record", of_kind("contest"))
def test_contest(record: Record) -> None:
    ties = {"opposed": "first", "against": "first", "contest": "again"}[record["rule"]]
    sides = record["sides"]
    for first, second in zip(*(side.get("dice") or [side["given"]["total"]] for side in sides), strict=True):
        winners = compare(certain(int(first)), certain(int(second)), "total", ties).chances
    assert winners == {record["expect"]["winner"]: 1}


@pytest.mark.parametrize(
    ("rule", "first", "second"),
    [
        ("wild-die/opposed", {"code": "2D"}, {"code": "2D+1"}),
        ("step-dice/contest", {"die": "d8"}, {"die": "d6"}),
        ("ingenuity/against", {"attribute": "d6", "skill": "d4"}, {"attribute": "d8"}),
        ("ingenuity/contest", {"attribute": "d6", "advantage": 1}, {"attribute": "d8"}),
    ],
)
def test_contests_are_decided(rule: str, first: dict[str, Any], second: dict[str, Any]) -> None:
    """Sides that are alike win alike where ties are thrown again; bounds enclose what deeper enumeration finds."""
    game, name = rule.split("/")
    shallow, deep = (twin_contest(game, name, first, second, **depth) for depth in depths(game))
    assert shallow.missing >= deep.missing
    for outcome, low in shallow.chances.items():
        assert low <= deep.chances[outcome] <= low + shallow.missing
    if name == "contest":
        even = twin_contest(game, name, first, first).chances
        assert even["first"] == even["second"]


def depths(game: str) -> list[dict[str, int]]:
    return [{}, {}] if game == "ingenuity" else [{"depth": 3}, {"depth": 6}]


def simulated() -> list[dict[str, str]]:
    with (DATA / "maelstrom-simulated-odds.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if int(row["Pool"]) <= MOST_POOL]


@pytest.mark.parametrize("row", simulated(), ids=lambda row: f"{row['Pool']}-{row['Difficulty']}-{row['Threshold']}")
def test_simulation_of_the_first_edition(row: dict[str, str]) -> None:
    inputs = {name: int(row[name.capitalize()]) for name in ("pool", "difficulty", "threshold")}
    first, second = (twin(game, "action", inputs).chances for game in ("maelstrom-first-edition", "maelstrom"))
    for outcome in ("success", "failure", "botch"):
        chance = float(first.get(outcome, 0))
        error = (chance * (1 - chance) / 1_000_000) ** 0.5
        assert abs(float(row[f"{outcome.capitalize()} Rate"]) / 100 - chance) <= 4.5 * error + 0.00005
    assert first.get("success") == second.get("success")

"""A public simulation of Maelstrom's first edition, a million throws a row, against exact odds.

Its rates are percentages and its averages numbers with two decimals, so half of the last digit is allowed for."""

from __future__ import annotations

import csv
import math
from functools import cache
from pathlib import Path

import pytest

from games import load_shipped_rule
from odds_helpers import exact_chance, rule_odds
from rulewright.odds.rule_odds import Odds

Row = dict[str, str]
THROWS = 1_000_000
WORDS = ("success", "failure", "botch")
ERRORS, HALF_A_DIGIT, AVERAGE = 4.5, 0.00005, 0.02
DATA = Path(__file__).parent / "data/maelstrom-simulated-odds.csv"
ROWS: list[Row] = list(csv.DictReader(DATA.read_text(encoding="utf-8").splitlines()))


def name(row: Row) -> str:
    return f"pool {row['Pool']}, difficulty {row['Difficulty']}, threshold {row['Threshold']}"


@cache
def exact_odds(game: str, pool: int, difficulty: int, threshold: int) -> Odds:
    return rule_odds(
        load_shipped_rule(f"{game}/action"), {"pool": pool, "difficulty": difficulty, "threshold": threshold}
    )


def odds_for(game: str, row: Row) -> Odds:
    return exact_odds(game, int(row["Pool"]), int(row["Difficulty"]), int(row["Threshold"]))


def rate_agrees(found: Odds, row: Row, outcome: str) -> bool:
    chance = float(exact_chance(found.chances[outcome]))
    error = math.sqrt(chance * (1 - chance) / THROWS)
    return abs(float(row[f"{outcome.capitalize()} Rate"]) / 100 - chance) <= ERRORS * error + HALF_A_DIGIT


def averages(found: Odds) -> tuple[float, float | None]:
    """The mean degree of success with 0 otherwise, and given success; where nothing can succeed there is none."""
    mean, chance = found.mean_degree("success"), exact_chance(found.chances["success"])
    assert mean is not None
    return float(mean), float(mean / chance) if chance else None


def averages_agree(found: Odds, row: Row) -> bool:
    total, given = averages(found)
    said = row["Average on Success"]
    same = said == "NaN" if given is None else abs(given - float(said)) <= AVERAGE
    return same and abs(total - float(row["Average Total Successes"])) <= AVERAGE


def test_all_settings_are_here() -> None:
    assert len(ROWS) == len({name(row) for row in ROWS}) == 320


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_first_edition(row: Row) -> None:
    found = odds_for("maelstrom-first-edition", row)
    assert [outcome for outcome in WORDS if not rate_agrees(found, row, outcome)] == []
    assert averages_agree(found, row)


@pytest.mark.parametrize("row", ROWS, ids=name)
def test_success_is_the_same_in_the_second_edition(row: Row) -> None:
    first, second = (odds_for(game, row) for game in ("maelstrom-first-edition", "maelstrom"))
    assert first.chances["success"] == second.chances["success"]
    assert averages(first) == averages(second)
    assert rate_agrees(second, row, "success")
    assert averages_agree(second, row)


@pytest.mark.parametrize("outcome", ["failure", "botch"])
def test_the_rest_is_not_the_same_in_the_second_edition(outcome: str) -> None:
    def agreeing(game: str) -> list[str]:
        return [name(row) for row in ROWS if rate_agrees(odds_for(game, row), row, outcome)]

    assert len(agreeing("maelstrom-first-edition")) == len(ROWS)
    assert 0 < len(agreeing("maelstrom")) < len(ROWS) / 2

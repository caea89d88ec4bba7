"""The reference against brute force, the recorded figures and itself."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from hand_counted import twin

from .reference import table
from .table import DIFFICULTIES, OUTCOMES, POOLS, THRESHOLDS

VECTORS = Path(__file__).parents[1] / "data" / "vectors.json"
TABLES = {specialty: table(specialty) for specialty in (False, True)}


def recorded() -> list[dict[str, Any]]:
    records = json.loads(VECTORS.read_text(encoding="utf-8"))
    return [
        record
        for record in records
        if (record["kind"], record["game"], record["rule"]) == ("chance", "maelstrom", "action")
        and "raised" not in record["inputs"]
        and record["inputs"].get("threshold", 0) in THRESHOLDS
    ]


@pytest.mark.parametrize("record", recorded(), ids=lambda record: record["id"])
def test_recorded_figures(record: dict[str, Any]) -> None:
    inputs = {"difficulty": 6, "threshold": 0, "specialty": False, **record["inputs"]}
    chances = TABLES[inputs["specialty"]][inputs["pool"], inputs["difficulty"], inputs["threshold"]]
    for outcome in OUTCOMES:
        assert chances[outcome] == Fraction(record["expect"].get(outcome, chances[outcome]))


@pytest.mark.parametrize("specialty", [False, True])
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_brute_force(difficulty: int, specialty: bool) -> None:
    for pool in (1, 2, 3)[: 2 if specialty else 3]:
        for threshold in THRESHOLDS:
            inputs = {"pool": pool, "difficulty": difficulty, "threshold": threshold, "specialty": specialty}
            odds = twin("maelstrom", "action", inputs)
            for outcome, chance in TABLES[specialty][pool, difficulty, threshold].items():
                low = odds.chances.get(outcome, Fraction(0))
                assert low <= chance <= low + odds.missing


@pytest.mark.parametrize("specialty", [False, True])
def test_every_setting_is_there_and_whole(specialty: bool) -> None:
    assert len(TABLES[specialty]) == len(POOLS) * len(DIFFICULTIES) * len(THRESHOLDS)
    assert all(sum(chances.values()) == 1 for chances in TABLES[specialty].values())
